//! Archives of Nix (NAR): SHA-256 of a serialised file or directory
//! (E. Dolstra, "The Purely Functional Software Deployment Model", figure 5.2; `nix-hash`, `nix hash path`).
//!
//! Each string is its length as 8 bytes, little-endian, its bytes, and zeros up to a multiple of 8.
//!
//! ```text
//!   "nix-archive-1" node
//!   node   "(" "type" "regular" ["executable" ""] "contents" CONTENT ")"
//!          "(" "type" "symlink" "target" TARGET ")"
//!          "(" "type" "directory" {"entry" "(" "name" NAME "node" node ")"} ")"    names in the order of their bytes
//! ```

use clap::ValueEnum;
use hashlanes::Hasher;
use hashlanes::algorithms::Sha256;
use hashlanes_formats::encoding::hex;

use super::paths::{Node, Place, below, joined};
use crate::hashing::Counters;
use crate::tree::input::{Failure, Input};
use crate::tree::reading::Reading;

/// The text form of a digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Encoding {
    /// sha256- and base64, as `nix hash path` prints it
    Sri,
    /// The base 32 of Nix
    Base32,
    /// Hexadecimal digits
    Hex,
}

/// An archive that is hashed while it is written.
pub(super) struct Nar<'c> {
    hasher: Hasher<Sha256>,
    counters: &'c Counters,
}

impl Nar<'_> {
    pub(super) fn new(counters: &Counters) -> Nar<'_> {
        let mut nar = Nar { hasher: Hasher::new(), counters };
        nar.string(b"nix-archive-1");
        nar
    }

    /// Hashes a file, a link or a directory.
    pub(super) fn of(mut self, place: &Place, encoding: Encoding) -> Result<String, Failure> {
        self.node(&place.node, &place.path)?;
        Ok(encoding.text(&self.hasher.finish()))
    }

    /// Hashes a stream as a file that is not executable.
    pub(super) fn of_stream(
        mut self,
        reading: &Reading<'_>,
        n_bytes: u64,
        encoding: Encoding,
    ) -> Result<String, Failure> {
        self.file(reading, n_bytes, false)?;
        Ok(encoding.text(&self.hasher.finish()))
    }

    fn node(&mut self, node: &Node, path: &[u8]) -> Result<(), Failure> {
        match node {
            Node::File { is_executable } => {
                let counters = self.counters;
                let read = Input::open(path).and_then(|input| {
                    let n_bytes = input.n_bytes().ok_or_else(|| Failure::message("not a regular file"))?;
                    self.file(&Reading { input: &input, jobs: 1, counters }, n_bytes, *is_executable)
                });
                read.map_err(|failure| below(path, &failure))?;
                counters.add(1, 0);
            }
            Node::Link(target) => {
                self.strings(&[b"(", b"type", b"symlink", b"target", target, b")"]);
            }
            Node::Directory(entries) => {
                self.strings(&[b"(", b"type", b"directory"]);
                for (name, node) in entries {
                    self.strings(&[b"entry", b"(", b"name", name, b"node"]);
                    self.node(node, &joined(path, name))?;
                    self.string(b")");
                }
                self.string(b")");
            }
        }
        Ok(())
    }

    fn file(&mut self, reading: &Reading<'_>, n_bytes: u64, is_executable: bool) -> Result<(), Failure> {
        self.strings(&[b"(", b"type", b"regular"]);
        if is_executable {
            self.strings(&[b"executable", b""]);
        }
        self.string(b"contents");
        self.hasher.update(n_bytes.to_le_bytes());
        let mut came = 0;
        reading.stream(&mut |part| {
            came += part.len() as u64;
            self.hasher.update(part);
            Ok(())
        })?;
        if came != n_bytes {
            return Err(Failure::message(format!("has {came} bytes, not {n_bytes} as expected")));
        }
        self.pad(n_bytes);
        self.string(b")");
        Ok(())
    }

    fn strings(&mut self, strings: &[&[u8]]) {
        strings.iter().for_each(|string| self.string(string));
    }

    fn string(&mut self, string: &[u8]) {
        self.hasher.update((string.len() as u64).to_le_bytes());
        self.hasher.update(string);
        self.pad(string.len() as u64);
    }

    fn pad(&mut self, n_bytes: u64) {
        self.hasher.update(&[0; 8][..n_bytes.wrapping_neg() as usize % 8]);
    }
}

impl Encoding {
    fn text(self, digest: &[u8; 32]) -> String {
        match self {
            Encoding::Sri => {
                use base64ct::{Base64, Encoding as _};
                format!("sha256-{}", Base64::encode_string(digest))
            }
            Encoding::Base32 => base32(digest),
            Encoding::Hex => hex(digest),
        }
    }
}

/// The base 32 of Nix: 5 bits each, from the last ones of the digest read as a little-endian number.
fn base32(digest: &[u8; 32]) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdfghijklmnpqrsvwxyz";
    let bits = |at: usize| {
        let low = u16::from(digest[at / 8]);
        let high = digest.get(at / 8 + 1).copied().map_or(0, u16::from);
        usize::from((high << 8 | low) >> (at % 8) & 31)
    };
    (0..52).rev().map(|digit| char::from(DIGITS[bits(5 * digit)])).collect()
}
