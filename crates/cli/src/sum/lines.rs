//! The lines of a manifest: written, and read back.
//!
//! ```text
//!   e3b0…b855  name            GNU: digest, blank, `*` for binary mode or a blank, name
//!   \e3b0…b855  na\nme         GNU, escaped: backslash, newline, return in the name as \\ \n \r
//!   SHA256 (name) = e3b0…b855  BSD, with --tag
//!   e3b0…b855 name             BSD reversed: digest, blank, name; read only
//! ```
//!
//! Reading follows GNU's reader step for step, in what it accepts too: blanks before the digest,
//! capital digits, `SHA256(name)= …`. A list is either GNU or BSD reversed, by its first line: else a
//! name with leading blank could be passed off as another (GNU's reasoning).

use std::borrow::Cow;

use crate::escape::{escape, unescape};
use crate::hash::Hash;
use crate::hex::{bytes_of_hex, hex};

/// Whether `--option` was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Given {
    #[default]
    No,
    Yes,
}

/// The mode that a line names: `*` or a blank before the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadMode {
    Binary,
    Text,
}

/// How a manifest's lines look.
pub(crate) struct LineForm {
    /// BSD style.
    pub(crate) tag: Given,
    /// NUL behind each line, and names unescaped.
    pub(crate) zero: Given,
    pub(crate) mode: ReadMode,
}

impl LineForm {
    /// The line of a file; `tag` is the hash's name in BSD style.
    pub(crate) fn line(&self, tag: &str, name: &[u8], digest: &[u8]) -> Vec<u8> {
        let mut line = Vec::with_capacity(2 * digest.len() + name.len() + 20);
        let name = match self.zero {
            Given::Yes => Cow::Borrowed(name),
            Given::No => escape(name),
        };
        if let Cow::Owned(_) = name {
            line.push(b'\\');
        }
        match self.tag {
            Given::Yes => {
                line.extend_from_slice(tag.as_bytes());
                line.extend_from_slice(b" (");
                line.extend_from_slice(&name);
                line.extend_from_slice(b") = ");
                line.extend_from_slice(hex(digest).as_bytes());
            }
            Given::No => {
                line.extend_from_slice(hex(digest).as_bytes());
                line.extend_from_slice(if self.mode == ReadMode::Binary { b" *" } else { b"  " });
                line.extend_from_slice(&name);
            }
        }
        line.push(if self.zero == Given::Yes { 0 } else { b'\n' });
        line
    }
}

/// A file as a list names it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) digest: Vec<u8>,
    pub(crate) name: Vec<u8>,
}

/// Reads the lines of lists.
pub(crate) struct LineReader {
    hash: Hash,
    columns: Columns,
}

/// What stands between digest and name, once a line has told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Columns {
    Unknown,
    /// A blank and the mode.
    Gnu,
    /// One blank.
    BsdReversed,
}

impl LineReader {
    pub(crate) fn new(hash: Hash) -> LineReader {
        LineReader { hash, columns: Columns::Unknown }
    }

    /// The file that a line (without its end) names; `None` if the line is malformed.
    pub(crate) fn read(&mut self, line: &[u8]) -> Option<Listed> {
        let blanks = line.iter().take_while(|b| is_blank(**b)).count();
        let line = &line[blanks..];
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        let (name, digest) = match line.strip_prefix(self.hash.tag().as_bytes()) {
            Some(rest) => self.bsd(rest)?,
            None => self.gnu(line)?,
        };
        let name = if is_escaped { unescape(name)? } else { until_nul(name).to_vec() };
        Some(Listed { digest, name })
    }

    /// ` (name) = digest`, behind the tag; name and digest.
    fn bsd<'l>(&self, line: &'l [u8]) -> Option<(&'l [u8], Vec<u8>)> {
        let line = line.strip_prefix(b" ").unwrap_or(line).strip_prefix(b"(")?;
        let end = line.iter().rposition(|b| *b == b')')?;
        let skip_blanks = |rest: &'l [u8]| &rest[rest.iter().take_while(|b| is_blank(**b)).count()..];
        let digest = skip_blanks(skip_blanks(&line[end + 1..]).strip_prefix(b"=")?);
        Some((&line[..end], self.digest(until_nul(digest))?))
    }

    /// `digest`, blank, mode or nothing, `name`; name and digest.
    fn gnu<'l>(&mut self, line: &'l [u8]) -> Option<(&'l [u8], Vec<u8>)> {
        let hex_bytes = 2 * self.hash.digest_bytes();
        let least = hex_bytes + 2 + usize::from(line.first() == Some(&b'\\'));
        if line.len() < least || !is_blank(line[hex_bytes]) {
            return None;
        }
        let digest = self.digest(&line[..hex_bytes])?;
        let rest = &line[hex_bytes + 1..];
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
        bytes_of_hex(digits).filter(|digest| digest.len() == self.hash.digest_bytes())
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A C string ends at its first NUL.
fn until_nul(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len())]
}
