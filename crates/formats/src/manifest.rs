//! A manifest in memory: its names, and of each which hashes it has and their digests.
//!
//! A name may be in several lines or objects, with one hash each; they are merged. Digests are stored one
//! after another in the order of [`Hash::number`], as the results of a function of those hashes are.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hasher;
use std::io::Read;
use std::ops::Range;

use crate::encoding::bare;
use crate::hash::{Hash, Keyed};
use crate::lists::{Dialect, Forms, Item, Record, Records, Trouble};
use crate::roots::{Shown, is_in};

/// The most unsupported hashes that are named.
const MOST_UNSUPPORTED: usize = 8;

/// A set of hashes, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hashes(u128);

impl Hashes {
    pub(crate) fn has(self, hash: Hash) -> bool {
        self.0 & (1 << hash.number()) != 0
    }

    pub(crate) fn add(&mut self, hash: Hash) {
        self.0 |= 1 << hash.number();
    }

    /// Returns how many they are.
    #[expect(clippy::len_without_is_empty, reason = "a file has at least one")]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// In the order of [`Hash::number`].
    pub fn iter(self) -> impl Iterator<Item = Hash> {
        (0..128).filter(move |number| self.0 & (1 << number) != 0).filter_map(Hash::numbered)
    }

    /// Returns the index of one hash's digest among those of all.
    fn place(self, hash: Hash) -> Range<usize> {
        let before = self.iter().take_while(|other| other.number() < hash.number());
        let start = before.map(Hash::digest_bytes).sum();
        start..start + hash.digest_bytes()
    }
}

/// Digests of a file.
#[derive(PartialEq, Eq, Hash, Default)]
pub struct Digests {
    of: Hashes,
    bytes: Box<[u8]>,
}

impl Digests {
    /// Returns the results of a function of these hashes.
    pub fn new(of: Hashes, results: &[u8]) -> Digests {
        Digests { of, bytes: results.into() }
    }

    /// Their hashes.
    pub fn of(&self) -> Hashes {
        self.of
    }

    /// Returns the digests of some of the hashes.
    pub fn some(&self, of: Hashes) -> Digests {
        let bytes = of.iter().flat_map(|hash| &self.bytes[self.of.place(hash)]).copied().collect();
        Digests { of, bytes }
    }

    /// Returns whether all are among the results of a function of `hashes`, which has all of theirs.
    pub fn are_in(&self, hashes: Hashes, results: &[u8]) -> bool {
        self.of.iter().all(|hash| self.bytes[self.of.place(hash)] == results[hashes.place(hash)])
    }

    /// Adds one; whether it goes together with those that are there.
    pub(crate) fn add(&mut self, hash: Hash, digest: &[u8]) -> bool {
        let place = self.of.place(hash);
        if self.of.has(hash) {
            return self.bytes[place] == *digest;
        }
        let (before, behind) = self.bytes.split_at(place.start);
        self.bytes = [before, digest, behind].concat().into();
        self.of.add(hash);
        true
    }
}

/// A name in its original form. Names that differ only in a leading `./` are equal.
pub struct Name(Box<[u8]>);

impl Name {
    fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the name in its original form.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }
}

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        bare(&self.0)
    }
}

impl std::hash::Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        bare(&self.0).hash(state);
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        bare(&self.0) == bare(&other.0)
    }
}

impl Eq for Name {}

/// The manifest's entry for a name, and the findings.
pub struct Listed {
    /// Its digests in the manifest.
    pub digests: Digests,
    /// The findings.
    pub state: State,
}

/// The findings for a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Missing.
    NotSeen,
    /// The same digests.
    Same,
    /// Another digest.
    Changed,
    /// Existing but unreadable.
    Unreadable,
    /// Listed with different digests of one hash: no content can match the manifest.
    Contradictory,
}

/// The source of a manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// A file.
    File,
    /// Standard input, which it then cannot name.
    StandardInput,
}

/// A manifest in memory.
#[derive(Default)]
pub struct Manifest {
    /// The hashes of all files together.
    pub hashes: Hashes,
    /// The files by name.
    pub files: HashMap<Name, Listed>,
    /// Lines that are not of it.
    pub n_malformed: u64,
    /// Names that are listed with different digests.
    pub n_contradictory: u64,
    /// Names of hashes in lines that cannot be checked; the first few.
    pub unsupported: BTreeSet<String>,
    /// The recorded roots.
    pub roots: BTreeSet<Vec<u8>>,
}

impl Manifest {
    /// Reads a manifest of these hashes, or of all if none are given. Calls `contradictory` once for each
    /// name that is listed with different digests.
    pub fn read(
        input: impl Read,
        from: From,
        hashes: &[Hash],
        keyed: Keyed,
        contradictory: &mut dyn FnMut(&[u8]),
    ) -> Result<Manifest, Trouble> {
        let mut dialect = Dialect::new(hashes, keyed, Forms::All);
        let mut records = Records::new(input, &mut dialect)?;
        let mut manifest = Manifest::default();
        while let Some(item) = records.next()? {
            match item {
                // A list on standard input cannot name standard input.
                Item::Record(record) if !(from == From::StandardInput && record.name == b"-") => {
                    manifest.add(record, contradictory);
                }
                Item::Root(root) => drop(manifest.roots.insert(root)),
                Item::Unsupported(_, hash) => {
                    manifest.n_malformed += 1;
                    if manifest.unsupported.len() < MOST_UNSUPPORTED {
                        manifest.unsupported.insert(hash);
                    }
                }
                Item::Record(_) | Item::Malformed(_) => manifest.n_malformed += 1,
            }
        }
        Ok(manifest)
    }

    fn add(&mut self, record: Record, contradictory: &mut dyn FnMut(&[u8])) {
        let Record { name, sums, root, .. } = record;
        if let Some(root) = root.filter(|root| !root.is_empty() && !self.roots.contains(root)) {
            self.roots.insert(root);
        }
        if !self.files.contains_key(bare(&name)) {
            let listed = Listed { digests: Digests::default(), state: State::NotSeen };
            self.files.insert(Name(name.as_slice().into()), listed);
        }
        let Some(listed) = self.files.get_mut(bare(&name)) else { return };
        for (hash, digest) in sums {
            self.hashes.add(hash);
            if !listed.digests.add(hash, &digest) && listed.state != State::Contradictory {
                listed.state = State::Contradictory;
                self.n_contradictory += 1;
                contradictory(&name);
            }
        }
    }

    /// Returns where files are searched for: in the recorded roots, and in the directories that the other
    /// names show. `None` if these names are absolute and have only the directory `/` in common.
    pub fn search(&self) -> Option<Search> {
        let mut shown = Shown::default();
        let mut files = Vec::new();
        for name in self.files.keys().map(Name::as_bytes) {
            if !self.roots.iter().any(|root| is_in(name, root)) && !shown.add(name) {
                files.push(name.to_vec());
            }
        }
        files.sort_unstable();
        let mut directories: Vec<Vec<u8>> = self.roots.iter().cloned().collect();
        directories.extend(shown.directories()?);
        files.retain(|name| !directories.iter().any(|directory| is_in(name, directory)));
        Some(Search { directories, files })
    }
}

/// The directories of an audit's search.
pub struct Search {
    /// Directories; all their files belong to the audit. A recorded root may also be a file.
    pub directories: Vec<Vec<u8>>,
    /// Names without a directory: nothing else is searched for next to them.
    pub files: Vec<Vec<u8>>,
}

impl Search {
    /// Returns all paths to visit.
    pub fn into_paths(self) -> Vec<Vec<u8>> {
        self.directories.into_iter().chain(self.files).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_to_search() {
        for (names, roots, directories, files) in [
            (&["a/b", "a/c", "d"][..], &[][..], &["a"][..], &["d"][..]),
            (&["a/b", "a/c", "d"], &["."], &["."], &[]),
            (&["./a/b", "./c", "d"], &[], &["."], &[]),
            (&["data/photos/1/a", "data/photos/1/b", "x/y"], &["data/photos"], &["data/photos", "x"], &[]),
            (&["x/y", "z"], &["x/y"], &["x/y"], &["z"]),
        ] {
            let roots = roots.iter().map(|root| root.as_bytes().to_vec()).collect();
            let mut manifest = Manifest { roots, ..Manifest::default() };
            for name in names {
                let name = name.as_bytes().to_vec();
                let record = Record { name, sums: Vec::new(), may_go_on: false, root: None };
                manifest.add(record, &mut |_| ());
            }
            let owned = |all: &[&str]| all.iter().map(|one| one.as_bytes().to_vec()).collect::<Vec<_>>();
            let search = manifest.search().unwrap();
            assert_eq!((search.directories, search.files), (owned(directories), owned(files)), "{names:?}");
        }
    }

    /// Digests are in the order of the hashes, even if they came in another order.
    #[test]
    fn digests_in_order() {
        let digest = |hash: Hash| vec![hash.number() + 1; hash.digest_bytes()];
        let mut all = Hash::BY_USE;
        all.sort_by_key(|hash| hash.number());
        let results = all.map(digest).concat();
        let (mut forwards, mut backwards) = (Digests::default(), Digests::default());
        for k in 0..all.len() {
            let (a, b) = (all[k], all[all.len() - 1 - k]);
            assert!(forwards.add(a, &digest(a)) && backwards.add(b, &digest(b)));
            assert!(forwards.add(a, &digest(a)) && !forwards.add(a, &vec![0; a.digest_bytes()]));
        }
        assert!(forwards == backwards && *forwards.bytes == results);
        let mut some = Digests::default();
        for hash in [Hash::Sha512, Hash::Sha1] {
            some.add(hash, &digest(hash));
            assert!(some.are_in(forwards.of(), &results) && forwards.some(some.of()) == some);
        }
        some.add(Hash::Sha384, &[0; 48]);
        assert!(!some.are_in(forwards.of(), &results));
    }
}
