//! File names in messages, quoted as a shell would need them.
//!
//! GNU's tools show a name bare if a shell would read it as one word, else in quotes that can be pasted into
//! a shell: `'a b'`, `"it's"`, `'a'$'\n''b'`. A colon also requires quotes, because it ends the name in a
//! message. This file gives the same bytes (the tests compare them with GNU's).
//!
//! 1. Bare, if every character is harmless and none needs an escape.
//! 2. In double quotes, if the name has a `'` and otherwise only characters with the same meaning in both
//!    kinds of quotes.
//! 3. Else in single quotes; `'` becomes `'\''`, and a character that does not print becomes an escape in
//!    a `$'…'` of its own, where neighbouring escapes share one.

/// The definition of printing characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Charset {
    Ascii,
    Utf8,
}

impl Charset {
    /// Like the C library: the first of LC_ALL, LC_CTYPE, LANG that is not empty.
    pub(crate) fn of_environment() -> Charset {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .filter_map(std::env::var_os)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        let name = value.to_string_lossy().to_ascii_lowercase();
        let codeset = name.split('@').next().and_then(|n| n.split_once('.')).map_or("", |(_, c)| c);
        if matches!(codeset, "utf-8" | "utf8") { Charset::Utf8 } else { Charset::Ascii }
    }
}

/// `name` as messages show it.
pub(crate) fn quote_for_message(name: &[u8], charset: Charset) -> Vec<u8> {
    let pieces = split(name, charset);
    if !name.is_empty() && pieces.iter().enumerate().all(|(k, p)| p.is_bare(k == 0, name.len() == 1)) {
        return name.to_vec();
    }
    let both_quotes = |(k, p): (usize, &Piece<'_>)| p.is_same_in_both_quotes(k == 0, name.len() == 1);
    if name.contains(&b'\'') && pieces.iter().enumerate().all(both_quotes) {
        return [b"\"", name, b"\""].concat();
    }
    single_quoted(&pieces)
}

fn single_quoted(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut out = vec![b'\''];
    // Inside `$'`, after a closed quote.
    let mut in_escape = false;
    for piece in pieces {
        let escapes = piece.escapes();
        if !escapes.is_empty() {
            if !in_escape {
                out.extend(b"'$'");
            }
            in_escape = true;
            out.extend(escapes);
            continue;
        }
        if piece.bytes == b"'" {
            // Leaves the quotes, which also ends an escape.
            out.extend(b"'\\''");
            in_escape = false;
            continue;
        }
        if in_escape {
            out.extend(b"''");
            in_escape = false;
        }
        out.extend(piece.bytes);
    }
    out.push(b'\'');
    out
}

/// One character of a name, or one byte that belongs to none.
struct Piece<'a> {
    bytes: &'a [u8],
    prints: bool,
}

fn split(name: &[u8], charset: Charset) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for chunk in name.utf8_chunks() {
        for (at, c) in chunk.valid().char_indices() {
            let bytes = &chunk.valid().as_bytes()[at..at + c.len_utf8()];
            if c.is_ascii() || charset == Charset::Utf8 {
                pieces.push(Piece { bytes, prints: prints(c) });
            } else {
                pieces.extend(bytes.chunks(1).map(|bytes| Piece { bytes, prints: false }));
            }
        }
        pieces.extend(chunk.invalid().chunks(1).map(|bytes| Piece { bytes, prints: false }));
    }
    pieces
}

impl Piece<'_> {
    /// Returns whether a shell reads the character literally, unquoted: `first` in the name, `alone` in it.
    fn is_bare(&self, first: bool, alone: bool) -> bool {
        match self.bytes {
            [b'#' | b'~'] => !first,
            [b'{' | b'}'] => !alone,
            [c] if c.is_ascii() => self.prints && !b" !\"$&'()*:;<=>?[\\^`|".contains(c),
            _ => self.prints,
        }
    }

    /// Means the same in single and in double quotes.
    fn is_same_in_both_quotes(&self, first: bool, alone: bool) -> bool {
        match self.bytes {
            [b'#' | b'~'] => first,
            [b'{' | b'}'] => alone,
            [c] if c.is_ascii() => c.is_ascii_alphanumeric() || b" '%+,-./:@]_".contains(c),
            _ => self.prints,
        }
    }

    /// Returns the escape, or several octal ones; empty for what needs none.
    fn escapes(&self) -> Vec<u8> {
        if self.prints {
            return Vec::new();
        }
        let named = match self.bytes {
            b"\x07" => b'a',
            b"\x08" => b'b',
            b"\x0c" => b'f',
            b"\n" => b'n',
            b"\r" => b'r',
            b"\t" => b't',
            b"\x0b" => b'v',
            _ => return self.bytes.iter().flat_map(|b| format!("\\{b:03o}").into_bytes()).collect(),
        };
        vec![b'\\', named]
    }
}

/// Returns whether the C library calls the character printing (`iswprint` in C.UTF-8, glibc 2.36): all
/// assigned characters except controls and the two separators U+2028 and U+2029. The standard library's
/// notion in `escape_debug` excludes also blanks, format characters and the private planes.
fn prints(c: char) -> bool {
    const ALSO: [std::ops::RangeInclusive<u32>; 29] = [
        0xa0..=0xa0,
        0xad..=0xad,
        0x600..=0x605,
        0x61c..=0x61c,
        0x6dd..=0x6dd,
        0x70f..=0x70f,
        0x890..=0x891,
        0x8e2..=0x8e2,
        0x1680..=0x1680,
        0x180e..=0x180e,
        0x2000..=0x200f,
        0x202a..=0x202f,
        0x205f..=0x2064,
        0x2066..=0x206f,
        0x3000..=0x3000,
        0xe000..=0xf8ff,
        0xfeff..=0xfeff,
        0xfff9..=0xfffb,
        0x110bd..=0x110bd,
        0x110cd..=0x110cd,
        0x13430..=0x13438,
        0x1bca0..=0x1bca3,
        0x1d173..=0x1d17a,
        0xe0001..=0xe0001,
        0xe0020..=0xe007f,
        0xf0000..=0xffffd,
        0x100000..=0x10fffd,
        // Escaped by `escape_debug` for another reason: they are its own syntax.
        0x22..=0x22,
        0x27..=0x27,
    ];
    if c == '\\' || ALSO.iter().any(|range| range.contains(&(c as u32))) {
        return true;
    }
    // After another character, so that a combining one is judged by itself.
    let behind: String = ['x', c].iter().collect();
    behind.escape_debug().nth(1) == Some(c)
}
