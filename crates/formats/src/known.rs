//! Files that are known by their digests, whatever their names: the lines of lists as a set.
//!
//! ```text
//!   SHA256 (a) = …   one entry, with both digests: a file is known if it has all digests of an entry
//!   SHA1 (a) = …
//!   SHA256 (b) = …   one entry
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::io::Read;

use crate::hash::{Hash, Keyed};
use crate::lists::{Dialect, Forms, Item, Record, Records, Trouble};
use crate::manifest::{Digests, Hashes};

/// The digests of lists, each with the name that it has there.
///
/// # Examples
/// ```
/// use hashlanes_formats::hash::Keyed;
/// use hashlanes_formats::known::Known;
///
/// let list = b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc\n";
/// let mut known = Known::default();
/// known.read(&list[..], Keyed::No).unwrap();
/// known.complete();
/// assert_eq!(known.find(&hashlanes::sha256(b"abc")), Some(&b"abc"[..]));
/// assert_eq!(known.find(&hashlanes::sha256(b"abd")), None);
/// ```
#[derive(Default)]
pub struct Known {
    /// The name of the first entry with these digests.
    names: HashMap<Digests, Box<[u8]>>,
    hashes: Hashes,
    /// The sets of hashes that entries have, greatest first.
    kinds: Vec<Hashes>,
}

/// The lines of a list that are no entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Lines that are not of a list, or of an unsupported hash.
    pub n_malformed: u64,
    /// The unsupported hashes.
    pub unsupported: BTreeSet<String>,
    /// The number of files in the list.
    pub n_files: u64,
}

impl Known {
    /// Adds the files of a list.
    ///
    /// # Errors
    /// If the list cannot be read, or contradicts its first bytes.
    pub fn read(&mut self, input: impl Read, keyed: Keyed) -> Result<Rest, Trouble> {
        let mut dialect = Dialect::new(&[], keyed, Forms::All);
        let mut records = Records::new(input, &mut dialect)?;
        let mut rest = Rest::default();
        let mut last: Option<Entry> = None;
        while let Some(item) = records.next()? {
            match item {
                Item::Record(record) => {
                    rest.n_files += 1;
                    match last.take() {
                        Some(entry) if entry.goes_on_with(&record) => {
                            rest.n_files -= 1;
                            last = Some(entry.with(record));
                        }
                        entry => {
                            self.add(entry);
                            last = Some(Entry::default().with(record));
                        }
                    }
                }
                Item::Root(_) => {}
                Item::Malformed(_) => rest.n_malformed += 1,
                Item::Unsupported(_, hash) => {
                    rest.n_malformed += 1;
                    rest.unsupported.insert(hash);
                }
            }
        }
        self.add(last);
        Ok(rest)
    }

    fn add(&mut self, entry: Option<Entry>) {
        let Some(Entry { name, digests, .. }) = entry else { return };
        let kind = digests.of();
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
            kind.iter().for_each(|hash| self.hashes.add(hash));
        }
        self.names.entry(digests).or_insert_with(|| name.into());
    }

    /// Ends the reading of lists: files are compared with the entries of most hashes first.
    pub fn complete(&mut self) {
        self.kinds.sort_unstable_by_key(|kind| (Reverse(kind.len()), *kind));
    }

    /// Returns the hashes of all entries, in the order of [`Hash::number`].
    pub fn hashes(&self) -> Vec<Hash> {
        self.hashes.iter().collect()
    }

    /// Returns the name of the entry whose digests are among the results of a function of
    /// [`Known::hashes`].
    pub fn find(&self, results: &[u8]) -> Option<&[u8]> {
        let digests = Digests::new(self.hashes, results);
        self.kinds.iter().find_map(|kind| self.names.get(&digests.some(*kind))).map(|name| &**name)
    }
}

/// An entry of a list that is being read.
#[derive(Default)]
struct Entry {
    name: Vec<u8>,
    digests: Digests,
    may_go_on: bool,
}

impl Entry {
    /// Returns whether a record is the same file's, by other hashes.
    fn goes_on_with(&self, next: &Record) -> bool {
        self.may_go_on
            && self.name == next.name
            && next.sums.iter().all(|(hash, _)| !self.digests.of().has(*hash))
    }

    fn with(mut self, record: Record) -> Entry {
        for (hash, digest) in &record.sums {
            self.digests.add(*hash, digest);
        }
        Entry { name: record.name, may_go_on: record.may_go_on, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes::{sha1, sha256};

    use crate::encoding::hex;

    /// An entry of two hashes needs both; entries of other hashes are found, too.
    #[test]
    fn entries_of_several_hashes() {
        let (a, b, c) = (&b"a"[..], &b"b"[..], &b"c"[..]);
        let list = format!(
            "SHA256 (a) = {}\nSHA1 (a) = {}\nSHA1 (b) = {}\n{}  c\nnot a line\n",
            hex(&sha256(a)),
            hex(&sha1(a)),
            hex(&sha1(b)),
            hex(&sha256(c))
        );
        let mut known = Known::default();
        let rest = known.read(list.as_bytes(), Keyed::No).unwrap();
        known.complete();
        assert_eq!((rest.n_files, rest.n_malformed), (3, 1));
        assert_eq!(known.hashes(), [Hash::Sha1, Hash::Sha256]);
        let results = |sha1_of: &[u8], sha256_of: &[u8]| [&sha1(sha1_of)[..], &sha256(sha256_of)].concat();
        assert_eq!(known.find(&results(a, a)), Some(a));
        assert_eq!(known.find(&results(a, b)), None);
        assert_eq!(known.find(&results(b, b)), Some(b));
        assert_eq!(known.find(&results(a, c)), Some(c));
        assert_eq!(known.find(&results(b"d", b"d")), None);
    }
}
