//! A manifest in memory: its names, a digest each.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;

use crate::files::Input;
use crate::hash::{Hash, Keyed};
use crate::lists::{Dialect, Forms, Item, Record, Records, Trouble};

/// What the manifest says of a name, and what was found.
pub(super) struct Listed {
    pub(super) digest: Vec<u8>,
    pub(super) state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    NotSeen,
    Same,
    Changed,
    /// There, and not to be read.
    Unreadable,
}

/// A manifest in memory.
pub(super) struct Manifest {
    pub(super) hash: Hash,
    pub(super) files: HashMap<Vec<u8>, Listed>,
}

/// Reads a manifest, and counts the lines that are not of it.
pub(super) fn read(
    path: &OsStr,
    manifest: &mut Option<Manifest>,
    n_malformed: &mut u64,
) -> Result<(), Trouble> {
    let input = Input::open(path.as_bytes()).map_err(io::Error::from)?;
    let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
    let mut records = Records::new(input, &mut dialect)?;
    while let Some(item) = records.next()? {
        let is_of_it = match item {
            Item::Record(record) => add(manifest, record),
            Item::Malformed(_) => false,
        };
        *n_malformed += u64::from(!is_of_it);
    }
    Ok(())
}

/// Adds a record, by the first one's hash. Whether it has that one; further hashes of a file that is there are passed over.
fn add(manifest: &mut Option<Manifest>, record: Record) -> bool {
    let manifest = manifest.get_or_insert_with(|| Manifest { hash: record.sums[0].0, files: HashMap::new() });
    let Some((_, digest)) = record.sums.into_iter().find(|(hash, _)| *hash == manifest.hash) else {
        return manifest.files.contains_key(&record.name);
    };
    manifest.files.insert(record.name, Listed { digest, state: State::NotSeen });
    true
}

/// What names begin with: the first part of relative ones; of absolute ones the directory that all are in.
pub(super) fn roots<'n>(names: impl Iterator<Item = &'n Vec<u8>>) -> Vec<Vec<u8>> {
    let mut roots: BTreeMap<Vec<u8>, ()> = BTreeMap::new();
    let mut absolute: Option<Vec<u8>> = None;
    for name in names {
        if name.first() == Some(&b'/') {
            let directory = &name[..name.iter().rposition(|&byte| byte == b'/').unwrap_or(0)];
            absolute = Some(match absolute {
                None => directory.to_vec(),
                Some(common) => common_directory(&common, directory).to_vec(),
            });
        } else {
            let end = name.iter().position(|&byte| byte == b'/').unwrap_or(name.len());
            roots.insert(name[..end].to_vec(), ());
        }
    }
    let absolute = absolute.map(|root| if root.is_empty() { b"/".to_vec() } else { root });
    roots.into_keys().chain(absolute).collect()
}

/// The last directory that both paths, without a slash at their ends, lead through.
fn common_directory<'p>(a: &'p [u8], b: &[u8]) -> &'p [u8] {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let ends = |path: &[u8]| path.len() == same || path[same] == b'/';
    if ends(a) && ends(b) {
        return &a[..same];
    }
    &a[..a[..same].iter().rposition(|&byte| byte == b'/').unwrap_or(0)]
}
