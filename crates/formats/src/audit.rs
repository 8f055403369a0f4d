//! Compares files with a manifest.
//!
//! ```text
//!   in the manifest   under the paths
//!   name, digests     the same name, the same digests      the same
//!   name, digests     the same name, another digest        changed
//!   name, digests     no such name                         missing, or moved
//!   no such name      a name                               new, or where the one with these digests moved
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::encoding::bare;
use crate::manifest::{Digests, Hashes, Listed, Manifest, State};

/// A manifest, and the results for its files so far.
pub struct Audit {
    manifest: Manifest,
    /// With all digests that any file of the manifest has.
    new: Vec<(Vec<u8>, Digests)>,
}

impl Audit {
    /// No file found so far.
    pub fn new(manifest: Manifest) -> Self {
        Self { manifest, new: Vec::new() }
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns whether the manifest lists the file.
    pub fn lists(&self, name: &[u8]) -> bool {
        self.manifest.files.contains_key(bare(name))
    }

    /// A file that exists and cannot be read.
    pub fn add_unreadable(&mut self, name: &[u8]) {
        if let Some(listed) = self.manifest.files.get_mut(bare(name)) {
            listed.state = State::Unreadable;
        }
    }

    /// A file with its digests by all hashes of the manifest, one after another. Returns whether the manifest
    /// lists the file with these digests.
    pub fn add(&mut self, name: &[u8], results: &[u8]) -> bool {
        let hashes = self.manifest.hashes;
        match self.manifest.files.get_mut(bare(name)) {
            Some(listed) => {
                listed.state = match listed.state {
                    State::Contradictory => State::Contradictory,
                    _ if listed.digests.are_in(hashes, results) => State::Same,
                    _ => State::Changed,
                };
                listed.state == State::Same
            }
            None => {
                self.new.push((name.to_vec(), Digests::new(hashes, results)));
                false
            }
        }
    }

    /// Returns the findings. A new file that has all digests of a missing one is that file at its new place.
    pub fn findings(self) -> Findings {
        let mut findings = Findings::default();
        let mut missing: HashMap<Digests, Vec<Vec<u8>>> = HashMap::new();
        for (name, Listed { digests, state }) in self.manifest.files {
            let name = name.into_bytes();
            match state {
                State::Same => findings.n_same += 1,
                State::Changed => findings.changed.push(name),
                State::NotSeen => missing.entry(digests).or_default().push(name),
                State::Unreadable | State::Contradictory => {}
            }
        }
        // The last name first: pop gives the first.
        missing.values_mut().for_each(|names| names.sort_unstable_by(|a, b| b.cmp(a)));
        // Not all missing files have the same hashes; those with the most are the surest.
        let mut kinds: Vec<Hashes> = missing.keys().map(Digests::of).collect();
        kinds.sort_unstable_by_key(|kind| (Reverse(kind.len()), *kind));
        kinds.dedup();
        let mut new = self.new;
        // PATHs may lead to a file more than once.
        new.sort_unstable_by(|(a, _), (b, _)| bare(a).cmp(bare(b)).then_with(|| a.cmp(b)));
        new.dedup_by(|(a, _), (b, _)| bare(a) == bare(b));
        for (name, digests) in new {
            let moved = kinds.iter().find_map(|kind| missing.get_mut(&digests.some(*kind))?.pop());
            match moved {
                Some(old) => findings.moved.push((old, name)),
                None => findings.new.push(name),
            }
        }
        findings.missing = missing.into_values().flatten().collect();
        findings.new.sort_unstable();
        findings.missing.sort_unstable();
        findings.changed.sort_unstable();
        findings.moved.sort_unstable();
        findings
    }
}

/// The findings, names in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Files with other digests.
    pub changed: Vec<Vec<u8>>,
    /// Files that are missing, and a new one with the same digests.
    pub moved: Vec<(Vec<u8>, Vec<u8>)>,
    /// Files that the manifest does not list.
    pub new: Vec<Vec<u8>>,
    /// Files that do not exist.
    pub missing: Vec<Vec<u8>>,
    /// The number of files with the same digests.
    pub n_same: usize,
}

impl Findings {
    /// Returns whether all files are the same.
    pub fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.new.is_empty() && self.missing.is_empty()
    }
}
