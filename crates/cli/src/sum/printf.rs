//! `--printf`: what is printed for a file, in directives as those of find and rhash.
//!
//! | directive | prints |
//! |---|---|
//! | `%p` `%f` `%h` | the name; what follows its last slash; what precedes it, or `.` |
//! | `%s` | the number of bytes |
//! | `%x` `%b` | the digest in hexadecimal, in base64; of several hashes, the first one's |
//! | `%{HASH}` `%{HASH:upper}` `%{HASH:base64}` | the digest of one of several hashes |
//! | `%%` `\n` `\r` `\t` `\0` `\\` | %, a newline, a return, a tab, NUL, a backslash |
//!
//! Names are printed as they are, without escapes.

use base64ct::{Base64, Encoding};
use hashlanes_formats::encoding::hex;
use hashlanes_formats::hash::Hash;

/// A format, parsed.
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq)]
enum Piece {
    Text(Vec<u8>),
    Name,
    FileName,
    Directory,
    Size,
    /// `None` is the first hash.
    Digest(Option<Hash>, Text),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Text {
    Hex,
    Upper,
    Base64,
}

impl Template {
    /// Parses a format. `hash` looks up the name of a hash.
    ///
    /// # Errors
    /// The directive that is unknown or incomplete.
    pub(crate) fn parse(
        typed: &[u8],
        hash: impl Fn(&str) -> Result<Hash, String>,
    ) -> Result<Template, String> {
        const KNOWN: &str = "expected %p, %f, %h, %s, %x, %b, %{HASH} or %%";
        const ESCAPES: &str = "expected \\n, \\r, \\t, \\0 or \\\\";
        let mut pieces = Vec::new();
        let mut text = Vec::new();
        let mut rest = typed;
        while let [first, after @ ..] = rest {
            rest = after;
            if !matches!(first, b'%' | b'\\') {
                text.push(*first);
                continue;
            }
            let [letter, after @ ..] = rest else {
                return Err(match first {
                    b'%' => format!("incomplete % at the end; {KNOWN}"),
                    _ => format!("incomplete \\ at the end; {ESCAPES}"),
                });
            };
            rest = after;
            let piece = match (first, letter) {
                (b'%', b'%') | (b'\\', b'\\') => {
                    text.push(*first);
                    continue;
                }
                (b'\\', letter) => {
                    let escapes = [(b'n', b'\n'), (b'r', b'\r'), (b't', b'\t'), (b'0', b'\0')];
                    let Some((_, byte)) = escapes.iter().find(|(name, _)| name == letter) else {
                        return Err(format!("unknown \\{}; {ESCAPES}", letter.escape_ascii()));
                    };
                    text.push(*byte);
                    continue;
                }
                (_, b'p') => Piece::Name,
                (_, b'f') => Piece::FileName,
                (_, b'h') => Piece::Directory,
                (_, b's') => Piece::Size,
                (_, b'x') => Piece::Digest(None, Text::Hex),
                (_, b'b') => Piece::Digest(None, Text::Base64),
                (_, b'{') => {
                    let end = rest.iter().position(|byte| *byte == b'}').ok_or("%{ without }")?;
                    let inner = String::from_utf8_lossy(&rest[..end]).into_owned();
                    rest = &rest[end + 1..];
                    let (name, form) = inner.split_once(':').unwrap_or((&inner, "hex"));
                    let form = match form {
                        "hex" => Text::Hex,
                        "upper" => Text::Upper,
                        "base64" => Text::Base64,
                        other => {
                            return Err(format!(
                                "unknown form {other:?} in %{{{inner}}}; expected hex, upper or base64"
                            ));
                        }
                    };
                    Piece::Digest(Some(hash(name)?), form)
                }
                (_, letter) => return Err(format!("unknown %{}; {KNOWN}", letter.escape_ascii())),
            };
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(piece);
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(Template { pieces })
    }

    /// Adds the hashes that the format names and that are not yet among `hashes`.
    pub(crate) fn add_hashes(&self, hashes: &mut Vec<Hash>) {
        for piece in &self.pieces {
            if let Piece::Digest(Some(hash), _) = piece
                && !hashes.contains(hash)
            {
                hashes.push(*hash);
            }
        }
    }

    /// Returns the text for a file. `digests` are those of all hashes, the first one first.
    pub(crate) fn text(&self, name: &[u8], n_bytes: u64, digests: &[(Hash, &[u8])]) -> Vec<u8> {
        let mut out = Vec::new();
        let slash = name.iter().rposition(|byte| *byte == b'/');
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Name => out.extend_from_slice(name),
                Piece::FileName => out.extend_from_slice(&name[slash.map_or(0, |slash| slash + 1)..]),
                Piece::Directory => out.extend_from_slice(match slash {
                    None => b".",
                    Some(0) => b"/",
                    Some(slash) => &name[..slash],
                }),
                Piece::Size => out.extend_from_slice(n_bytes.to_string().as_bytes()),
                Piece::Digest(hash, form) => {
                    let is_it = |(found, _): &&(Hash, &[u8])| hash.is_none_or(|hash| hash == *found);
                    let (_, digest) = digests.iter().find(is_it).expect("all its hashes are computed");
                    let text = match form {
                        Text::Hex => hex(digest),
                        Text::Upper => hex(digest).to_uppercase(),
                        Text::Base64 => Base64::encode_string(digest),
                    };
                    out.extend_from_slice(text.as_bytes());
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(typed: &str) -> Result<Template, String> {
        Template::parse(typed.as_bytes(), |name| Hash::typed(name).ok_or_else(|| format!("unknown {name}")))
    }

    #[test]
    fn directives_are_filled_in() {
        let digests = [(Hash::Sha1, &[1, 0xab][..]), (Hash::Sha256, &[2])];
        let text = |typed: &str, name: &str| {
            let text = parse(typed).unwrap().text(name.as_bytes(), 77, &digests);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(text(r"%x %b %{SHA-256} %{sha1:upper}\t%s%%\\\n", "a"), "01ab Aas= 02 01AB\t77%\\\n");
        assert_eq!(text("%p|%f|%h", "d/e/f"), "d/e/f|f|d/e");
        assert_eq!(text("%p|%f|%h", "/f"), "/f|f|/");
        assert_eq!(text(r"%f %h\0\r", "f"), "f .\0\r");
        assert_eq!(text("", "f"), "");
    }

    #[test]
    fn the_hashes_of_a_format() {
        let mut hashes = vec![Hash::Sha1];
        parse("%{sha512}%{sha1}%x%{sha512:base64}").unwrap().add_hashes(&mut hashes);
        assert_eq!(hashes, [Hash::Sha1, Hash::Sha512]);
    }

    #[test]
    fn wrong_formats() {
        for (typed, words) in [
            ("%", "incomplete % at the end; expected %p, "),
            ("a\\", "incomplete \\ at the end; expected \\n, "),
            ("%q", "unknown %q; expected %p, "),
            ("%é", "unknown %\\xc3; "),
            ("\\q", "unknown \\q; expected \\n, "),
            ("%{sha1", "%{ without }"),
            ("%{crc}", "unknown crc"),
            ("%{sha1:oct}", "unknown form \"oct\" in %{sha1:oct}; expected hex, upper or base64"),
        ] {
            let Err(error) = parse(typed) else { panic!("{typed}") };
            assert!(error.starts_with(words), "{typed}: {error}");
        }
    }
}
