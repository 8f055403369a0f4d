//! A line of a list, read back.
//!
//! ```text
//!   e3b0…b855  name            GNU: digest, blank, `*` for binary mode or a blank, name
//!   \e3b0…b855  na\nme         GNU, escaped: backslash, newline, return in the name as \\ \n \r
//!   SHA256 (name) = e3b0…b855  BSD, with --tag
//!   e3b0…b855 name             BSD reversed: digest, blank, name
//!   sha256-47DE…U=  name       Subresource Integrity
//! ```
//!
//! Reading follows GNU's reader exactly, also in what it tolerates: blanks before the digest, capital digits,
//! `SHA256(name)= …`. The first line decides whether a list is in GNU or BSD reversed format: otherwise a
//! name with a leading blank could be mistaken for another (GNU's reasoning).

use base64ct::{Base64, Encoding};

use crate::encoding::{bytes_of_hex, unescape};
use crate::hash::Hash;

/// A file as a list names it.
#[derive(Debug, PartialEq, Eq)]
pub struct Listed {
    pub digest: Vec<u8>,
    pub name: Vec<u8>,
    /// The line names its hash, so the next one may have another.
    pub is_tagged: bool,
}

/// Reads the lines of lists.
pub struct LineReader {
    /// The hash's name in BSD style.
    tag: String,
    digest_bytes: usize,
    accepts: Accepts,
    columns: Columns,
}

/// The accepted encodings of digests in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// Those of GNU's tools 9.1.
    Hex,
    /// Also those of later versions.
    HexAndBase64,
}

/// The text between digest and name, once a line has shown it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    Unknown,
    /// A blank and the mode.
    Gnu,
    /// One blank.
    BsdReversed,
}

impl LineReader {
    /// A reader of lines with this tag and digest length.
    pub fn new(tag: String, digest_bytes: usize, accepts: Accepts) -> LineReader {
        LineReader { tag, digest_bytes, accepts, columns: Columns::Unknown }
    }

    /// Returns the file that a line (without its end) names; `None` if the line is malformed.
    pub fn read(&mut self, line: &[u8]) -> Option<Listed> {
        let blanks = line.iter().take_while(|b| is_blank(**b)).count();
        let line = &line[blanks..];
        let (line, is_escaped) = split_mark(line);
        let tagged = line.strip_prefix(self.tag.as_bytes());
        let (name, digest) = match tagged {
            Some(rest) => self.bsd(rest)?,
            None => self.gnu(line)?,
        };
        let name = if is_escaped { unescape(name)? } else { until_nul(name).to_vec() };
        Some(Listed { digest, name, is_tagged: tagged.is_some() })
    }

    /// The same for a line with another tag, and digests of another length.
    pub(super) fn read_other(&mut self, tag: String, digest_bytes: usize, line: &[u8]) -> Option<Listed> {
        let mut other = LineReader { tag, digest_bytes, ..*self };
        let listed = other.read(line);
        self.columns = other.columns;
        listed
    }

    /// ` (name) = digest`, after the tag; name and digest.
    fn bsd<'l>(&self, line: &'l [u8]) -> Option<(&'l [u8], Vec<u8>)> {
        let line = line.strip_prefix(b" ").unwrap_or(line).strip_prefix(b"(")?;
        let end = line.iter().rposition(|b| *b == b')')?;
        let skip_blanks = |rest: &'l [u8]| &rest[rest.iter().take_while(|b| is_blank(**b)).count()..];
        let digest = skip_blanks(skip_blanks(&line[end + 1..]).strip_prefix(b"=")?);
        Some((&line[..end], self.digest(until_nul(digest))?))
    }

    /// `digest`, blank, mode or nothing, `name`; name and digest.
    fn gnu<'l>(&mut self, line: &'l [u8]) -> Option<(&'l [u8], Vec<u8>)> {
        let is_at = |n_text: &usize| line.len() >= n_text + 2 && is_blank(line[*n_text]);
        let base64_bytes = self.digest_bytes.div_ceil(3) * 4;
        let others = (self.accepts == Accepts::HexAndBase64).then_some(base64_bytes);
        // A name may have a blank where the blank after hexadecimal digits would be.
        let mut lengths = [Some(2 * self.digest_bytes), others].into_iter().flatten().filter(is_at);
        let (n_text, digest) = lengths.find_map(|n| Some((n, self.digest(&line[..n])?)))?;
        let rest = &line[n_text + 1..];
        if rest.len() == 1 || !matches!(rest[0], b' ' | b'*') {
            if self.columns == Columns::Gnu {
                return None;
            }
            self.columns = Columns::BsdReversed;
            return Some((rest, digest));
        }
        if self.columns == Columns::BsdReversed {
            return Some((rest, digest));
        }
        self.columns = Columns::Gnu;
        Some((&rest[1..], digest))
    }

    fn digest(&self, digits: &[u8]) -> Option<Vec<u8>> {
        match self.accepts {
            Accepts::Hex => bytes_of_hex(digits).filter(|digest| digest.len() == self.digest_bytes),
            Accepts::HexAndBase64 => hex_or_base64(digits, self.digest_bytes),
        }
    }
}

/// Returns the digest of this length in a text.
fn hex_or_base64(text: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
    let digest = if text.len() == 2 * n_bytes {
        bytes_of_hex(text)
    } else {
        Base64::decode_vec(std::str::from_utf8(text).ok()?).ok()
    };
    digest.filter(|digest| digest.len() == n_bytes)
}

/// `sha256-BASE64  name`, Subresource Integrity: the hash, and the file's name.
pub(super) fn sri(line: &[u8]) -> Option<(Hash, Listed)> {
    let (line, is_escaped) = split_mark(line);
    let dash = line.iter().position(|&byte| byte == b'-')?;
    let hash = Hash::named(std::str::from_utf8(&line[..dash]).ok()?)?;
    let rest = &line[dash + 1..];
    let blank = rest.iter().position(|&byte| byte == b' ')?;
    let name = rest[blank..].strip_prefix(b"  ").filter(|name| !name.is_empty())?;
    let digest = Base64::decode_vec(std::str::from_utf8(&rest[..blank]).ok()?).ok()?;
    let name = if is_escaped { unescape(name)? } else { name.to_vec() };
    (digest.len() == hash.digest_bytes()).then_some((hash, Listed { digest, name, is_tagged: true }))
}

/// A line without the backslash before it, and whether there is one: then the name is escaped.
pub(super) fn split_mark(line: &[u8]) -> (&[u8], bool) {
    match line.strip_prefix(b"\\") {
        Some(rest) => (rest, true),
        None => (line, false),
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A C string ends at its first NUL.
fn until_nul(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len())]
}
