//! Bytes as text, and back: digests in hexadecimal digits, and names of any bytes in lists, one line each.

use std::borrow::Cow;

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value};

/// Returns the name with backslash, newline and return escaped; borrowed if it contains none of them.
pub fn escape(name: &[u8]) -> Cow<'_, [u8]> {
    // Without an end in the middle, it is done 16 bytes at a time.
    let is_special = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r');
    if !name.iter().fold(false, |found, byte| found | is_special(byte)) {
        return Cow::Borrowed(name);
    }
    let mut escaped = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => escaped.extend_from_slice(b"\\\\"),
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// Returns a line with an escaped name between two texts; a backslash at the beginning marks an escaped name.
pub fn line_with_name(before: &[u8], name: &[u8], behind: &[u8]) -> Vec<u8> {
    let name = escape(name);
    let mark: &[u8] = if matches!(name, Cow::Owned(_)) { b"\\" } else { b"" };
    [mark, before, &name, behind, b"\n"].concat()
}

/// Inserts a name into a JSON object: text in `field`, or, because JSON is Unicode, base64 of other bytes in
/// the field whose name has `_base64` added.
///
/// ```
/// use hashlanes_formats::encoding::insert_name;
///
/// let mut object = serde_json::Map::new();
/// insert_name(&mut object, "name", b"a");
/// insert_name(&mut object, "root", b"\xff");
/// assert_eq!(serde_json::Value::from(object), serde_json::json!({ "name": "a", "root_base64": "/w==" }));
/// ```
pub fn insert_name(object: &mut Map<String, Value>, field: &str, name: &[u8]) {
    match std::str::from_utf8(name) {
        Ok(name) => object.insert(field.into(), name.into()),
        Err(_) => object.insert(format!("{field}_base64"), Base64::encode_string(name).into()),
    };
}

/// Returns the reverse of [`escape`]; `None` for an escape it never writes, or a NUL.
pub fn unescape(escaped: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.iter();
    while let Some(&byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            0 => return None,
            other => other,
        });
    }
    Some(name)
}

/// Lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = Vec::new();
    append_hex(&mut digits, bytes);
    String::from_utf8(digits).expect("ASCII")
}

/// Appends lower-case hexadecimal digits to a text.
pub fn append_hex(text: &mut Vec<u8>, bytes: &[u8]) {
    // Without a table, so that vectors can do it for many bytes at once.
    let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
    let start = text.len();
    text.resize(start + 2 * bytes.len(), 0);
    let (pairs, _) = text[start..].as_chunks_mut::<2>();
    for (pair, byte) in pairs.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
}

/// Returns the bytes that an even number of hexadecimal digits write, large or small.
pub fn bytes_of_hex(digits: impl AsRef<[u8]>) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let (pairs, rest) = digits.as_ref().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// Removes `./` before a name, except from `./-`: that is a file, while `-` is not.
pub fn bare(name: &[u8]) -> &[u8] {
    let Some(rest) = name.strip_prefix(b"./") else { return name };
    let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
    match &rest[slashes..] {
        b"" | b"-" => name,
        rest => bare(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names() {
        for (name, expected) in [
            ("f", "f"),
            ("./f", "f"),
            ("././/./d/./f", "d/./f"),
            (".f", ".f"),
            ("../f", "../f"),
            ("./../f", "../f"),
            ("/f", "/f"),
            (".", "."),
            ("./", "./"),
            ("-", "-"),
            ("./-", "./-"),
            ("./-f", "-f"),
        ] {
            assert_eq!(bare(name.as_bytes()), expected.as_bytes(), "{name}");
        }
    }
}
