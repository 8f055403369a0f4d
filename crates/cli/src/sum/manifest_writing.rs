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
use hashlanes_formats::encoding::{escape, hex};

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
    fn of(self, digest: &[u8]) -> String {
        match self {
            Text::Hex => hex(digest),
            Text::Base64 => Base64::encode_string(digest),
        }
    }
}

impl LineForm {
    /// Returns a line with the digest alone.
    pub(crate) fn digest(&self, digest: &[u8]) -> Vec<u8> {
        let end = if self.zero == Given::Yes { '\0' } else { '\n' };
        format!("{}{end}", self.text.of(digest)).into_bytes()
    }

    /// Returns the line of a file; `tag` is the hash's name in BSD style.
    pub(crate) fn line(&self, tag: &str, name: &[u8], digest: &[u8]) -> Vec<u8> {
        let digest = self.text.of(digest);
        let (name, end): (_, &[u8]) = match self.zero {
            Given::Yes => (Cow::Borrowed(name), b"\0"),
            Given::No => (escape(name), b"\n"),
        };
        let mark: &[u8] = if matches!(name, Cow::Owned(_)) { b"\\" } else { b"" };
        match self.tag {
            Given::Yes => [mark, tag.as_bytes(), b" (", &name, b") = ", digest.as_bytes(), end].concat(),
            Given::No => {
                let mode: &[u8] = if self.mode == ReadMode::Binary { b" *" } else { b"  " };
                [mark, digest.as_bytes(), mode, &name, end].concat()
            }
        }
    }
}
