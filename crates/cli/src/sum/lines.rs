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

use base64ct::{Base64, Encoding};

use crate::escape::{escape, unescape};
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
    pub(crate) text: Text,
}

/// How digests are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    Hex,
    Base64,
}

impl Text {
    fn of(self, digest: &[u8]) -> String {
        match self {
            Text::Hex => hex(digest),
            Text::Base64 => Base64::encode_string(digest),
        }
    }

    /// The digest of this many bytes that a text is.
    fn read(text: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
        let digest = if text.len() == 2 * n_bytes {
            bytes_of_hex(text)
        } else {
            Base64::decode_vec(std::str::from_utf8(text).ok()?).ok()
        };
        digest.filter(|digest| digest.len() == n_bytes)
    }
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
                line.extend_from_slice(self.text.of(digest).as_bytes());
            }
            Given::No => {
                line.extend_from_slice(self.text.of(digest).as_bytes());
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
    /// The hash's name in BSD style.
    tag: String,
    digest_bytes: usize,
    accepts: Accepts,
    columns: Columns,
}

/// How digests may be written in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accepts {
    /// As GNU's tools 9.1.
    Hex,
    /// As later ones besides.
    HexAndBase64,
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
    pub(crate) fn new(tag: String, digest_bytes: usize, accepts: Accepts) -> LineReader {
        LineReader { tag, digest_bytes, accepts, columns: Columns::Unknown }
    }

    pub(crate) fn tag(&self) -> &str {
        &self.tag
    }

    /// The file that a line (without its end) names; `None` if the line is malformed.
    pub(crate) fn read(&mut self, line: &[u8]) -> Option<Listed> {
        let blanks = line.iter().take_while(|b| is_blank(**b)).count();
        let line = &line[blanks..];
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(rest) => (rest, true),
            None => (line, false),
        };
        let (name, digest) = match line.strip_prefix(self.tag.as_bytes()) {
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
        let is_at = |n_text: &usize| line.len() >= n_text + 2 && is_blank(line[*n_text]);
        let base64_bytes = self.digest_bytes.div_ceil(3) * 4;
        let others = (self.accepts == Accepts::HexAndBase64).then_some(base64_bytes);
        let n_text = [Some(2 * self.digest_bytes), others].into_iter().flatten().find(is_at)?;
        let digest = self.digest(&line[..n_text])?;
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
            Accepts::HexAndBase64 => Text::read(digits, self.digest_bytes),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A C string ends at its first NUL.
fn until_nul(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len())]
}
