//! The hashes and forms that a list may have, and those that its lines have shown so far.

use super::item::Record;
use super::line::{Accepts, LineReader, Listed, split_mark, sri};
use crate::hash::{Hash, Keyed};

/// No tag is longer, in any spelling.
const LONGEST_TAG: usize = 24;

/// The forms that a list may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forms {
    /// Lines as GNU's sha256sum and its kin read them.
    Gnu,
    /// Lines as GNU's cksum reads them: digests may be in base64, and BLAKE2b may have any length.
    Cksum,
    /// The same; each line says of which hash it is.
    CksumTagged,
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
    /// The last hash that a line named, for cksum.
    last_tag: Option<String>,
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
            Forms::Cksum | Forms::CksumTagged | Forms::All => Accepts::HexAndBase64,
        };
        let hashes = hashes.iter().filter(|hash| keyed == Keyed::No || Hash::FAST.contains(hash));
        let reader = |hash: Hash| LineReader::new(keyed.tag(hash), hash.digest_bytes(), accepts);
        let readers: Vec<_> = hashes.map(|hash| (*hash, reader(*hash))).collect();
        let told = if let [(hash, _)] = readers[..] { Told::One(hash) } else { Told::Nothing };
        Dialect { readers, keyed, forms, told, may_be_another: false, lacks_key: false, last_tag: None }
    }

    /// Returns the hash's tag in messages, with a blank after it; nothing if the lines do not have one hash.
    pub fn tag(&self) -> String {
        if self.forms == Forms::CksumTagged {
            return format!("{} ", self.last_tag.as_deref().unwrap_or("CRC"));
        }
        if let (Forms::Cksum, [(hash, _)]) = (self.forms, &self.readers[..]) {
            return format!("{} ", hash.tag());
        }
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
        // GNU's tools ignore the rest of such a line. But in a list of lines that NUL ends, of which one is
        // damaged, the rest is all other files.
        if self.forms == Forms::All && line.contains(&0) {
            return None;
        }
        let by_sri = (self.forms == Forms::All && self.keyed == Keyed::No).then(|| sri(line)).flatten();
        if self.forms == Forms::CksumTagged {
            self.see_tag(line);
        }
        let (hash, Listed { digest, name, is_tagged }) = match by_sri.or_else(|| self.blake2b(line)) {
            Some((hash, listed)) if self.knows(hash) => (hash, listed),
            _ => match self.by_readers(self.with_known_tag(line).as_deref().unwrap_or(line)) {
                Some((_, listed)) if self.forms == Forms::CksumTagged && !listed.is_tagged => return None,
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
            may_go_on: is_tagged && self.readers.len() > 1 && self.forms == Forms::All,
            root: None,
        })
    }

    /// Remembers the hash that a line names, as GNU's cksum does: also of a line that is malformed.
    fn see_tag(&mut self, line: &[u8]) {
        let is_tag = |tag: &&&str| {
            let rest = split_mark(line).0.trim_ascii_start().strip_prefix(tag.as_bytes());
            rest.is_some_and(|rest| matches!(rest.first(), Some(b' ' | b'-' | b'(')))
        };
        let known = [
            "BLAKE2b", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "MD5", "SM3", "BSD", "SYSV", "CRC",
            "CRC32B",
        ];
        if let Some(tag) = known.iter().find(is_tag) {
            self.last_tag = Some((*tag).into());
        }
    }

    /// Reads a line of BLAKE2b whose digest is not of the usual length.
    fn blake2b(&mut self, line: &[u8]) -> Option<(Hash, Listed)> {
        if self.forms == Forms::Gnu || self.keyed == Keyed::Yes || !self.knows(Hash::Blake2b(64)) {
            return None;
        }
        let text = split_mark(line.trim_ascii_start()).0;
        let hash = match text.strip_prefix(b"BLAKE2b-") {
            Some(rest) => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                Hash::typed(&format!("blake2b-{}", std::str::from_utf8(&rest[..digits]).ok()?))?
            }
            // Without a tag, the only hash that a list may have.
            None if self.readers.len() == 1 => {
                let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                Hash::typed(&format!("blake2b-{}", 4 * digits))?
            }
            None => return None,
        };
        if hash == Hash::Blake2b(64) && !text.starts_with(b"BLAKE2b-") {
            return None;
        }
        // GNU's tools read `BLAKE2b-512`, too, but write no length then.
        let tag = text.starts_with(b"BLAKE2b-").then(|| format!("BLAKE2b-{}", 8 * hash.digest_bytes()));
        let tag = tag.unwrap_or_else(|| hash.tag().into());
        let (_, reader) = self.readers.iter_mut().find(|(known, _)| *known == Hash::Blake2b(64))?;
        Some((hash, reader.read_other(tag, hash.digest_bytes(), line)?))
    }

    /// Returns the name of the hash that a line names, if that is not supported. Of a list that may have only
    /// some hashes, other lines are malformed, as with GNU's tools.
    pub(super) fn unsupported(&self, line: &[u8]) -> Option<String> {
        if self.forms != Forms::All || self.readers.len() < Hash::FAST.len() {
            return None;
        }
        let line = split_mark(line.trim_ascii_start()).0;
        let end = line.iter().take(LONGEST_TAG).position(|&byte| matches!(byte, b' ' | b'('))?;
        let (tag, rest) = (std::str::from_utf8(&line[..end]).ok()?, &line[end..]);
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/' | b'_');
        let is_name = tag.bytes().all(is_word) && tag.starts_with(|first: char| first.is_ascii_uppercase());
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        let close = rest.iter().rposition(|&byte| byte == b')')?;
        let digest = rest[close + 1..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii();
        let is_digest = digest.len() >= 8 && digest.iter().all(u8::is_ascii_hexdigit);
        let bare = tag.strip_prefix("HMAC-").unwrap_or(tag);
        (is_name && is_digest && Hash::typed(bare).is_none()).then(|| tag.to_owned())
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
        let is_it =
            |known: Hash| known == hash || matches!((known, hash), (Hash::Blake2b(64), Hash::Blake2b(_)));
        self.readers.iter().any(|(known, _)| is_it(*known))
    }

    fn tell(&mut self, hash: Hash) {
        self.told = match self.told {
            Told::Nothing => Told::One(hash),
            Told::One(told) if told == hash => self.told,
            _ => Told::Several,
        };
    }
}
