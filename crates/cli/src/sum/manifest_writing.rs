//! The lines of a manifest. They are read back by `hashlanes_formats::lists`.
//!
//! ```text
//!   e3b0…b855  name            GNU: digest, blank, `*` for binary mode or a blank, name
//!   \e3b0…b855  na\nme         GNU, escaped: backslash, newline, return in the name as \\ \n \r
//!   SHA256 (name) = e3b0…b855  BSD, with --tag
//! ```

use std::borrow::Cow;

use base64ct::{Base64, Encoding};

use crate::shared_options::Given;
use hashlanes_formats::encoding::{append_hex, escape};

/// The mode that a line names: `*` or a blank before the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadMode {
    Binary,
    Text,
}

/// The format of a manifest's lines.
pub(crate) struct LineForm {
    /// BSD style.
    pub(crate) tag: Given,
    /// NUL after each line, and names unescaped.
    pub(crate) zero: Given,
    pub(crate) mode: ReadMode,
    pub(crate) text: Text,
}

/// The encoding of digests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    Hex,
    Base64,
}

impl Text {
    fn append(self, line: &mut Vec<u8>, digest: &[u8]) {
        match self {
            Text::Hex => append_hex(line, digest),
            Text::Base64 => line.extend_from_slice(Base64::encode_string(digest).as_bytes()),
        }
    }
}

impl LineForm {
    /// Returns a line with the digest alone.
    pub(crate) fn digest(&self, digest: &[u8]) -> Vec<u8> {
        let mut line = Vec::new();
        self.text.append(&mut line, digest);
        line.push(if self.zero == Given::Yes { b'\0' } else { b'\n' });
        line
    }

    /// Returns the line of a file; `tag` is the hash's name in BSD style.
    pub(crate) fn line(&self, tag: &str, name: &[u8], digest: &[u8]) -> Vec<u8> {
        let (name, end) = match self.zero {
            Given::Yes => (Cow::Borrowed(name), b'\0'),
            Given::No => (escape(name), b'\n'),
        };
        /// More than the texts around a name, a digest and a tag.
        const AROUND: usize = 8;
        let mut line = Vec::with_capacity(2 * digest.len() + name.len() + tag.len() + AROUND);
        if matches!(name, Cow::Owned(_)) {
            line.push(b'\\');
        }
        match self.tag {
            Given::Yes => {
                line.extend_from_slice(tag.as_bytes());
                line.extend_from_slice(b" (");
                line.extend_from_slice(&name);
                line.extend_from_slice(b") = ");
                self.text.append(&mut line, digest);
            }
            Given::No => {
                self.text.append(&mut line, digest);
                line.extend_from_slice(if self.mode == ReadMode::Binary { b" *" } else { b"  " });
                line.extend_from_slice(&name);
            }
        }
        line.push(end);
        line
    }
}
