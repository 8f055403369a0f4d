//! The hashes and forms that a list may have, and those that its lines have shown so far.

use super::item::Record;
use super::line::{Accepts, LineReader, Listed, split_mark, sri};
use crate::hash::{Hash, Keyed};

/// No tag is longer, in any spelling.
const LONGEST_TAG: usize = 24;

/// The forms that a list may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forms {
    /// Lines as GNU's tools 9.1 read them.
    Gnu,
    /// All that `sum` prints.
    All,
}

/// The hashes and forms that lists may have, and those that their lines have shown. One value can read
/// several lists; then, as with GNU's tools, the columns of the first list bind the others.
pub struct Dialect {
    /// A reader for each hash that there may be; the one that read the last line is the first.
    readers: Vec<(Hash, LineReader)>,
    keyed: Keyed,
    forms: Forms,
    /// The hash of all lines so far.
    told: Told,
    /// A line without a hash's name has a digest as long as those of another hash.
    may_be_another: bool,
    /// A line has an HMAC, but no key was given.
    lacks_key: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    One(Hash),
    Several,
}

impl Dialect {
    /// Restricts lists to these hashes. Without any, all are allowed; of two with equally long digests, the
    /// more usual one is assumed.
    pub fn new(hashes: &[Hash], keyed: Keyed, forms: Forms) -> Self {
        let hashes = if hashes.is_empty() { &Hash::BY_USE } else { hashes };
        let accepts = match forms {
            Forms::Gnu => Accepts::Hex,
            Forms::All => Accepts::HexAndBase64,
        };
        let reader = |hash: Hash| LineReader::new(keyed.tag(hash), hash.digest_bytes(), accepts);
        let readers: Vec<_> = hashes.iter().map(|hash| (*hash, reader(*hash))).collect();
        let told = if let [hash] = hashes { Told::One(*hash) } else { Told::Nothing };
        Dialect { readers, keyed, forms, told, may_be_another: false, lacks_key: false }
    }

    /// Returns the hash's tag in messages, with a blank after it; nothing if the lines do not have one hash.
    pub fn tag(&self) -> String {
        match self.told {
            Told::One(hash) => format!("{} ", self.keyed.tag(hash)),
            Told::Nothing | Told::Several => String::new(),
        }
    }

    /// Returns a possible reason if no line of a list is valid.
    pub(super) fn hint(&self) -> Option<&'static str> {
        if self.lacks_key {
            Some("its lines are HMACs: give their key with --hmac-key-file")
        } else if self.may_be_another {
            Some("digests of this length may be of another hash, or HMACs: see --algorithm, --hmac-key-file")
        } else {
            None
        }
    }

    /// Returns the dialect as it was before any line was read.
    pub(super) fn unread(&self) -> Dialect {
        let hashes: Vec<Hash> = self.readers.iter().map(|(hash, _)| *hash).collect();
        Dialect::new(&hashes, self.keyed, self.forms)
    }

    pub(super) fn forms(&self) -> Forms {
        self.forms
    }

    /// Returns the content of a line.
    pub(super) fn line(&mut self, line: &[u8]) -> Option<Record> {
        let by_sri = (self.forms == Forms::All && self.keyed == Keyed::No).then(|| sri(line)).flatten();
        let (hash, Listed { digest, name, is_tagged }) = match by_sri {
            Some((hash, listed)) if self.knows(hash) => (hash, listed),
            _ => match self.by_readers(self.with_known_tag(line).as_deref().unwrap_or(line)) {
                Some(listed) => listed,
                None => {
                    self.lacks_key |= self.forms == Forms::All && line.starts_with(b"HMAC-");
                    return None;
                }
            },
        };
        self.tell(hash);
        self.may_be_another |= !is_tagged && self.readers.len() > 1 && self.forms == Forms::All;
        Some(Record {
            name,
            sums: vec![(hash, digest)],
            may_go_on: is_tagged && self.readers.len() > 1,
            root: None,
        })
    }

    /// Returns the line with the hash's usual tag: OpenSSL 3 writes `SHA2-256`, and others `SHA-256`.
    fn with_known_tag(&self, line: &[u8]) -> Option<Vec<u8>> {
        let (line, is_escaped) = split_mark(line);
        let end = line
            .iter()
            .take(LONGEST_TAG)
            .position(|&byte| byte == b'(')
            .filter(|_| self.forms == Forms::All)?;
        let typed = std::str::from_utf8(&line[..end]).ok()?;
        let typed = typed.strip_suffix(' ').unwrap_or(typed);
        let (keyed, typed) = match typed.strip_prefix("HMAC-") {
            Some(typed) => (Keyed::Yes, typed),
            None => (Keyed::No, typed),
        };
        let tag = keyed.tag(Hash::typed(typed)?);
        let mark = if is_escaped { "\\" } else { "" };
        Some([mark.as_bytes(), tag.as_bytes(), b" ", &line[end..]].concat())
    }

    fn by_readers(&mut self, line: &[u8]) -> Option<(Hash, Listed)> {
        let (at, listed) = self
            .readers
            .iter_mut()
            .enumerate()
            .find_map(|(at, (_, reader))| Some((at, reader.read(line)?)))?;
        self.readers[..=at].rotate_right(1);
        Some((self.readers[0].0, listed))
    }

    /// Returns the digests among fields that have names.
    pub(super) fn sums<'f>(
        &mut self,
        fields: impl Iterator<Item = (&'f [u8], &'f [u8])>,
    ) -> Option<Vec<(Hash, Vec<u8>)>> {
        let mut sums: Vec<(Hash, Vec<u8>)> = Vec::new();
        for (name, field) in fields {
            self.lacks_key |= self.keyed == Keyed::No && name.starts_with(b"hmac-");
            let hash = std::str::from_utf8(name).ok().and_then(|name| self.keyed.typed(name));
            if let Some(hash) = hash.filter(|hash| self.knows(*hash)) {
                let digest =
                    crate::encoding::bytes_of_hex(field).filter(|d| d.len() == hash.digest_bytes())?;
                sums.push((hash, digest));
            }
        }
        sums.iter().for_each(|(hash, _)| self.tell(*hash));
        (!sums.is_empty()).then_some(sums)
    }

    fn knows(&self, hash: Hash) -> bool {
        self.readers.iter().any(|(known, _)| *known == hash)
    }

    fn tell(&mut self, hash: Hash) {
        self.told = match self.told {
            Told::Nothing => Told::One(hash),
            Told::One(told) if told == hash => self.told,
            _ => Told::Several,
        };
    }
}
