//! A list of any format, file by file; the first bytes show the format.
//!
//! | begins with | format |
//! |---|---|
//! | `[`, `{` | json, ndjson |
//! | `%%%%` | hashdeep |
//! | `name,` | csv |
//! | else | lines: gnu, bsd, sri; ended by NUL if the first one is |
//!
//! Memory is bounded for every input: a line, an object or a record of CSV is at most 1 MiB long.

use std::io::{self, BufRead, BufReader, Read};

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value};

use super::csv::Csv;
use super::dialect::{Dialect, Forms};
use super::item::{Item, Record, Trouble};
use super::json_array::Array;
use super::text_lines::{BYTE_ORDER_MARK, Line, TextLines};
use crate::hash::{Hash, Keyed};
use crate::roots;

/// The files of a list, in order.
pub struct Records<'d, R> {
    dialect: &'d mut Dialect,
    format: Format<R>,
}

enum Format<R> {
    Lines(TextLines<R>),
    /// With the names of the columns.
    Hashdeep(TextLines<R>, Vec<Vec<u8>>),
    Csv(Csv<R>, Vec<Vec<u8>>),
    NdJson(TextLines<R>),
    Json(Array<R>),
}

impl<'d, R: Read> Records<'d, R> {
    /// Reads a list that begins here, far enough to know its format.
    ///
    /// # Errors
    /// The input cannot be read, or begins like a format that it then is not.
    pub fn new(input: R, dialect: &'d mut Dialect) -> Result<Self, Trouble> {
        let mut input = BufReader::with_capacity(64 << 10, input);
        let format = match dialect.forms() {
            Forms::Gnu | Forms::Cksum | Forms::CksumTagged => Format::Lines(TextLines::with_mark(input)),
            Forms::All => {
                let start = input.fill_buf()?;
                if is_utf_16(start) {
                    return Err(Trouble::Format("its text is UTF-16; convert it to UTF-8".into()));
                }
                let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
                match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
                    Some(b'[') => Format::Json(Array::new(input)),
                    Some(b'{') => Format::NdJson(TextLines::new(input)),
                    Some(b'%') if start.starts_with(b"%%%%") => {
                        Format::Hashdeep(TextLines::new(input), Vec::new())
                    }
                    Some(b'n') if start.starts_with(b"name,") => {
                        let mut csv = Csv::new(input);
                        let columns = csv.next()?.unwrap_or_default();
                        Format::Csv(csv, columns)
                    }
                    _ if ends_lines_with_nul(start, dialect.unread()) => {
                        Format::Lines(TextLines::ended_by(0, input))
                    }
                    _ => Format::Lines(TextLines::new(input)),
                }
            }
        };
        Ok(Records { dialect, format })
    }

    /// Returns the next item; `None` at the end.
    ///
    /// # Errors
    /// The error that ends the reading; it must not be continued.
    #[expect(clippy::should_implement_trait, reason = "after an error there is no next one")]
    pub fn next(&mut self) -> Result<Option<Item>, Trouble> {
        let dialect = &mut *self.dialect;
        match &mut self.format {
            Format::Lines(lines) => Ok(next_of_lines(lines, |line, number| match line {
                [] => None,
                [b'#', ..] => roots::of_comment(line).map(|root| Some(Item::Root(root))),
                line => {
                    let record = dialect.line(line).map(Item::Record);
                    Some(record.or_else(|| Some(Item::Unsupported(number, dialect.unsupported(line)?))))
                }
            })?),
            Format::NdJson(lines) => {
                let mut why = None;
                let item = next_of_lines(lines, |line, _| match line {
                    [] => None,
                    line => {
                        let map = serde_json::from_slice(line).map_err(|error| error.to_string());
                        Some(
                            map.and_then(|map| object(dialect, &map))
                                .map_err(|words| why = Some(words))
                                .ok()
                                .map(Item::Record),
                        )
                    }
                })?;
                match (item, why) {
                    // The first format gives the best error message for all.
                    (Some(Item::Malformed(1)), Some(why)) => Err(Trouble::Format(why)),
                    (item, _) => Ok(item),
                }
            }
            Format::Hashdeep(lines, columns) => Ok(next_of_lines(lines, |line, _| {
                if let Some(head) = line.strip_prefix(b"%%%% ") {
                    if head.starts_with(b"size,") {
                        *columns = head.split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
                    }
                    return None;
                }
                if line.is_empty() || line.starts_with(b"##") {
                    let comment = line.strip_prefix(b"#").and_then(roots::of_comment);
                    return comment.map(|root| Some(Item::Root(root)));
                }
                // The name is the last column, commas and all.
                let fields: Vec<&[u8]> = line.splitn(columns.len().max(1), |&byte| byte == b',').collect();
                Some(record(dialect, columns, &fields, fields.len() - 1).map(Item::Record))
            })?),
            Format::Csv(csv, columns) => Ok(csv.next()?.map(|fields| {
                let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
                let record = record(dialect, columns, &fields, 0);
                record.map_or(Item::Malformed(csv.number()), Item::Record)
            })),
            Format::Json(array) => {
                let Some(map) = array.next()? else { return Ok(None) };
                let told = |why| Trouble::Format(format!("object {}: {why}", array.number()));
                object(dialect, &map).map(|record| Some(Item::Record(record))).map_err(told)
            }
        }
    }

    /// Returns the number of the line that the last item ended with; of an array, of its object. The first is
    /// 1.
    pub fn number(&self) -> u64 {
        match &self.format {
            Format::Lines(lines) | Format::Hashdeep(lines, _) | Format::NdJson(lines) => lines.number(),
            Format::Csv(csv, _) => csv.number(),
            Format::Json(array) => array.number(),
        }
    }

    /// Returns a possible reason if no line of the list is valid.
    pub fn hint(&self) -> Option<&'static str> {
        self.dialect.hint()
    }

    /// See [`Dialect::tag`].
    pub fn tag(&self) -> String {
        self.dialect.tag()
    }

    /// Returns whether the next item may have to be waited for.
    pub fn next_may_wait(&self) -> bool {
        match &self.format {
            Format::Lines(lines) | Format::Hashdeep(lines, _) | Format::NdJson(lines) => !lines.has_line(),
            Format::Csv(csv, _) => !csv.has_line(),
            Format::Json(array) => !array.has_end(),
        }
    }
}

/// Returns whether a text in UTF-16 begins so: with a byte order mark, or with two ASCII characters.
fn is_utf_16(start: &[u8]) -> bool {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => {
            (*a == 0 && *c == 0 && *b != 0 && *d != 0) || (*b == 0 && *d == 0 && *a != 0 && *c != 0)
        }
        _ => false,
    }
}

/// Returns whether lines end with NUL and names are unescaped: as far as can be seen, each line is one name.
fn ends_lines_with_nul(start: &[u8], mut dialect: Dialect) -> bool {
    let mut is_line = |line: &[u8]| {
        let mut is_one = |line: &[u8]| !line.starts_with(b"\\") && dialect.line(line).is_some();
        let mut parts = line.split(|&byte| byte == b'\n').skip(1);
        is_one(line) && !parts.any(&mut is_one)
    };
    let mut lines = start.split(|&byte| byte == 0);
    let rest = lines.next_back().unwrap_or_default();
    rest.len() < start.len() && lines.take(2).all(&mut is_line) && (begins_like_one(rest) || is_line(rest))
}

/// Returns whether the beginning of a file is a list, or could be the beginning of one that was interrupted.
/// Only the first bytes are examined.
pub fn is_list(start: &[u8]) -> bool {
    let reads = |keyed: Keyed| {
        let mut dialect = Dialect::new(&[], keyed, Forms::All);
        let mut records = Records::new(start, &mut dialect).ok()?;
        let first = records.next().ok()?;
        let is_framed = !matches!(records.format, Format::Lines(_));
        Some(matches!(first, Some(Item::Record(_) | Item::Root(_))) || (first.is_none() && is_framed))
    };
    begins_like_one(start) || [Keyed::No, Keyed::Yes].map(reads).contains(&Some(true))
}

/// Returns whether a text, of which no record is whole perhaps, begins as `sum` begins lists.
fn begins_like_one(start: &[u8]) -> bool {
    let begins = |with: &str| start.starts_with(with.as_bytes()) || with.as_bytes().starts_with(start);
    let of_hash = |hash: Hash| {
        let (tag, name) = (hash.tag(), hash.name());
        begins(&format!("{tag} (")) || begins(&format!("HMAC-{tag} (")) || begins(&format!("{name}-"))
    };
    let digits = start.strip_prefix(b"\\").unwrap_or(start);
    // A whole digest, and the first of the two characters after it.
    let digits = digits.strip_suffix(b" ").filter(|digest| digest.len() >= 32).unwrap_or(digits);
    let is_cut_digest = digits.len() <= 128 && digits.iter().all(u8::is_ascii_hexdigit);
    let frames = ["[\n{\"name", "{\"name", "name,size,", "%%%% HASHDEEP-1.0\n"];
    is_cut_digest || frames.into_iter().any(begins) || Hash::BY_USE.into_iter().any(of_hash)
}

/// Returns the next item of lines, which `item` parses: `None` for nothing, `Some(None)` for a malformed
/// line.
fn next_of_lines<R: Read>(
    lines: &mut TextLines<R>,
    mut item: impl FnMut(&[u8], u64) -> Option<Option<Item>>,
) -> io::Result<Option<Item>> {
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else { return Ok(None) };
        let item = match line {
            Line::TooLong => Some(None),
            Line::Is(line) => item(line, number),
        };
        if let Some(item) = item {
            return Ok(Some(item.unwrap_or(Item::Malformed(number))));
        }
    }
}

/// Returns the file of named fields, of which one is its name.
fn record(dialect: &mut Dialect, columns: &[Vec<u8>], fields: &[&[u8]], name: usize) -> Option<Record> {
    let file = *fields.get(name)?;
    if fields.len() != columns.len() || file.is_empty() {
        return None;
    }
    let sums = dialect.sums(columns.iter().map(Vec::as_slice).zip(fields.iter().copied()))?;
    Some(Record { name: file.to_vec(), sums, may_go_on: false, root: None })
}

/// An object as `sum --format json` prints it.
fn object(dialect: &mut Dialect, object: &Map<String, Value>) -> Result<Record, String> {
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    let name = match (text("name"), text("name_base64")) {
        (Some(name), _) => name.as_bytes().to_vec(),
        (_, Some(name)) => Base64::decode_vec(name).map_err(|_| "name_base64 is no base64".to_owned())?,
        _ => return Err("an object without name".into()),
    };
    let fields = object.iter().filter_map(|(key, value)| Some((key.as_bytes(), value.as_str()?.as_bytes())));
    let sums = dialect.sums(fields).ok_or("an object without the digest of a hash that is known here")?;
    let root = match (text("root"), text("root_base64")) {
        (Some(root), _) => Some(root.as_bytes().to_vec()),
        (_, Some(root)) => Base64::decode_vec(root).ok(),
        _ => None,
    };
    Ok(Record { name, sums, may_go_on: false, root })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(list: &str) -> Result<Vec<String>, Trouble> {
        let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
        let mut records = Records::new(list.as_bytes(), &mut dialect)?;
        let mut names = Vec::new();
        while let Some(item) = records.next()? {
            names.push(match item {
                Item::Record(record) => String::from_utf8(record.name).unwrap(),
                Item::Root(root) => format!("root {}", root.escape_ascii()),
                Item::Malformed(number) => format!("malformed {number}"),
                Item::Unsupported(number, hash) => format!("unsupported {number} {hash}"),
            });
        }
        Ok(names)
    }

    const SHA1: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

    #[test]
    fn arrays_however_they_are_written() {
        let one = format!(r#"{{"name": "a]}},", "sha1": "{SHA1}"}}"#);
        for list in [format!("[{one},{one}]"), format!(" [\n {one}\n ,\t{one} ] \n")] {
            assert_eq!(names_of(&list).unwrap(), ["a]},", "a]},"]);
        }
        assert!(names_of("[]").unwrap().is_empty());
        assert!(names_of(" [ \n ] ").unwrap().is_empty());
        for wrong in ["[".into(), "[1]".into(), format!("[{one} {one}]"), format!("[{one}] x"), "[,]".into()]
        {
            assert!(matches!(names_of(&wrong), Err(Trouble::Format(_))), "{wrong}");
        }
    }

    /// The first file is not lost.
    #[test]
    fn lists_after_a_byte_order_mark() {
        for list in [
            format!("{SHA1}  a\n{SHA1}  b\n"),
            format!("\\{SHA1}  a\n{SHA1}  b\n"),
            format!("SHA1 (a) = {SHA1}\r\nSHA-1 (b) = {SHA1}\r\n"),
            format!("{SHA1}  a\0{SHA1}  b\0"),
            format!(r#"[{{"name": "a", "sha1": "{SHA1}"}},{{"name": "b", "SHA-1": "{SHA1}"}}]"#),
            format!("{{\"name\": \"a\", \"sha1\": \"{SHA1}\"}}\n{{\"name\": \"b\", \"sha1\": \"{SHA1}\"}}\n"),
            format!("name,SHA_1\na,{SHA1}\nb,{SHA1}\n"),
            format!("%%%% HASHDEEP-1.0\n%%%% size,sha1,filename\n3,{SHA1},a\n3,{SHA1},b\n"),
        ] {
            assert_eq!(names_of(&list).unwrap(), ["a", "b"], "{list}");
            assert_eq!(names_of(&format!("\u{feff}{list}")).unwrap(), ["a", "b"], "{list}");
        }
        // GNU's reader knows no such mark.
        let mut dialect = Dialect::new(&[], Keyed::No, Forms::Gnu);
        let list = format!("\u{feff}{SHA1}  a\n");
        let mut records = Records::new(list.as_bytes(), &mut dialect).unwrap();
        assert_eq!(records.next().unwrap(), Some(Item::Malformed(1)));
    }

    #[test]
    fn lists_in_utf_16_are_named() {
        for mark in ["", "\u{feff}"] {
            let text = format!("{mark}{SHA1}  a\n");
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let list: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
                let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
                let Err(Trouble::Format(why)) = Records::new(&list[..], &mut dialect) else {
                    panic!("a list in UTF-16")
                };
                assert_eq!(why, "its text is UTF-16; convert it to UTF-8");
            }
        }
    }

    /// Tags of other programs, and columns as people name them.
    #[test]
    fn hashes_in_every_spelling() {
        let digest = "ab".repeat(32);
        for tag in [
            "SHA256",
            "SHA-256",
            "sha256",
            "SHA2-256",
            "sha2-256",
            "SHA_256",
            "SHA512/256",
            "SHA-512/256",
            "SHA512-256",
            "SHA2-512/256",
        ] {
            for line in [
                format!("{tag} (a) = {digest}\n"),
                format!("{tag}(a)= {digest}\n"),
                format!("name,{tag}\na,{digest}\n"),
            ] {
                assert_eq!(names_of(&line).unwrap(), ["a"], "{line}");
            }
        }
        // A file whose name looks like a tag is a name.
        assert_eq!(
            names_of(&format!("{SHA1}  SHA-1 (a) = {SHA1}\n")).unwrap(),
            [format!("SHA-1 (a) = {SHA1}")]
        );
    }

    #[test]
    fn roots_in_comments_and_objects() {
        let line = format!("{SHA1}  d/a");
        let list = format!("# a comment\n{line}\n# hashlanes root: d\\n\n{line}\n");
        assert_eq!(names_of(&list).unwrap(), ["d/a", "root d\\n", "d/a"]);
        let list =
            format!("%%%% HASHDEEP-1.0\n%%%% size,sha1,filename\n## hashlanes root: d\n3,{SHA1},d/a\n");
        assert_eq!(names_of(&list).unwrap(), ["root d", "d/a"]);
        let list = format!(r#"{{"name": "d/a", "root": "d", "sha1": "{SHA1}"}}"#);
        let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
        let mut records = Records::new(list.as_bytes(), &mut dialect).unwrap();
        let Some(Item::Record(record)) = records.next().unwrap() else { panic!("a record") };
        assert_eq!(record.root.as_deref(), Some(&b"d"[..]));
    }

    #[test]
    fn lines_that_nul_ends() {
        let line = format!("{SHA1}  a");
        assert_eq!(names_of(&format!("{line}\0{line}\\n\nb\0")).unwrap(), ["a", "a\\n\nb"]);
        assert_eq!(names_of(&format!("{line}\nb\0")).unwrap(), ["a\nb"]);
        // A NUL in lines that newlines end: these are malformed.
        assert_eq!(names_of(&format!("{line}\0b\n{line}\n")).unwrap(), ["malformed 1", "a"]);
        assert_eq!(names_of(&format!("{line}\n{line}\0b\n")).unwrap(), ["a", "malformed 2"]);
        // Lines that NUL ends, of which one is damaged; and with a newline after the last one.
        let damaged = format!("{line}\0{}\0{line}\0", &line[1..]);
        assert_eq!(names_of(&damaged).unwrap(), ["malformed 1"]);
        assert_eq!(names_of(&format!("{line}\0{line}\0\n")).unwrap(), ["malformed 1"]);
    }

    #[test]
    fn records_of_csv_over_several_lines() {
        let list = format!(
            "name,size,sha1\r\n\"a\nb\"\"\r\n\",0,{SHA1}\r\n\nc,0,{SHA1}\nbad,0\nd,0,\"{SHA1}\"\n\"e,0,{SHA1}\n"
        );
        assert_eq!(names_of(&list).unwrap(), ["a\nb\"\r\n", "c", "malformed 7", "d", "malformed 9"]);
    }
}
