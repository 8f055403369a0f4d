//! Malformed lists: every short text of the characters that formats use, and whole lists with changed bytes.
//! Each is read to its end without a panic, with the same result at once and byte by byte.

use std::io::{self, Read};

use super::{Dialect, Forms, Item, Records, is_list};
use crate::hash::Keyed;

const SHA1: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Returns one byte at a time.
struct ByteByByte<'t>(&'t [u8]);

impl Read for ByteByByte<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.0.len().min(buffer.len()).min(1);
        self.0.read(&mut buffer[..n])
    }
}

/// Returns the items that are read from a text, and how it ends.
fn items(text: impl Read, forms: Forms, n_bytes: usize) -> Vec<String> {
    let mut dialect = Dialect::new(&[], Keyed::No, forms);
    let mut items = Vec::new();
    let mut last_number = 0;
    let mut records = match Records::new(text, &mut dialect) {
        Ok(records) => records,
        Err(trouble) => return vec![format!("{trouble:?}")],
    };
    loop {
        match records.next() {
            Ok(None) => return items,
            Ok(Some(Item::Malformed(number))) => {
                assert!(number >= last_number, "lines are numbered in order");
                last_number = number;
                items.push(format!("malformed {number}"));
            }
            Ok(Some(Item::Unsupported(number, hash))) => {
                last_number = number;
                items.push(format!("unsupported {number} {hash}"));
            }
            Ok(Some(Item::Root(root))) => items.push(format!("root {root:?}")),
            Ok(Some(Item::Record(record))) => {
                assert!(!record.sums.is_empty(), "a record has a digest");
                items.push(format!("{record:?}"));
            }
            Err(trouble) => {
                items.push(format!("{trouble:?}"));
                return items;
            }
        }
        assert!(items.len() <= n_bytes + 1, "there are no more items than bytes");
    }
}

/// Reads a text in all ways.
fn read(text: &[u8]) {
    for forms in [Forms::Gnu, Forms::CksumTagged, Forms::All] {
        let whole = items(text, forms, text.len());
        // The first bytes show the format: a text that arrives byte by byte may be mistaken for another one
        // only because of those.
        let prefix = &text[..text.len().min(4)];
        let is_told_by_one_byte = !prefix.starts_with(b"name") && !prefix.starts_with(b"%%%%");
        if is_told_by_one_byte && !text.contains(&0) && !text.first().is_some_and(u8::is_ascii_whitespace) {
            assert_eq!(items(ByteByByte(text), forms, text.len()), whole, "{}", text.escape_ascii());
        }
    }
    is_list(text);
}

/// Returns prefixes for the texts, one for each format.
fn beginnings() -> [String; 9] {
    [
        String::new(),
        "name,e".into(),
        format!("name,sha1\n,{SHA1}"),
        "[".into(),
        format!(r#"[{{"name":"a","sha1":"{SHA1}"}}"#),
        r#"{"name":"#.into(),
        "%%%% size,sha256,filename\n".into(),
        format!("{SHA1} "),
        "SHA1 (".into(),
    ]
}

/// All texts of up to `n` of the characters after each beginning.
fn all_texts(alphabet: &[u8], n: u32) -> usize {
    let beginnings = beginnings();
    let mut n_texts = 0;
    for length in 0..=n {
        for number in 0..(alphabet.len() as u32).pow(length) {
            let mut left = number as usize;
            let mut text = Vec::with_capacity(length as usize);
            for _ in 0..length {
                text.push(alphabet[left % alphabet.len()]);
                left /= alphabet.len();
            }
            for beginning in &beginnings {
                read(&[beginning.as_bytes(), &text].concat());
                n_texts += 1;
            }
        }
    }
    n_texts
}

#[test]
fn every_short_text() {
    // Quotes in the middle of a field; a record that a return ends; what escapes and frames consist of.
    assert_eq!(all_texts(b"\",\na\\", 5), 9 * (5usize.pow(6) - 1) / 4);
    all_texts(b"\"\r,\n", 4);
    all_texts(b"[]{},:", 3);
    all_texts(b"%#\n,\0", 3);
    all_texts(b" *)(=-", 3);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn every_longer_text() {
    all_texts(b"\",\na\\", 6);
    all_texts(b"\"\r,\n", 7);
    all_texts(b"[]{},:\"", 5);
    all_texts(b"%#\n,\0", 6);
    all_texts(b" *)(=-a", 5);
}

/// Lists of every format.
fn lists() -> Vec<String> {
    let ndjson = |name: &str| format!(r#"{{"name":"{name}","size":3,"sha1":"{SHA1}","sha256":"{SHA256}"}}"#);
    vec![
        format!("{SHA256}  a\n{SHA256} *b\n\\{SHA256}  c\\nd\n"),
        format!("{SHA256}  a\0{SHA256}  b\nc\0"),
        format!("SHA256 (a) = {SHA256}\nSHA1 (a) = {SHA1}\nHMAC-SHA1 (b) = {SHA1}\n"),
        format!("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=  a\n{SHA1} b\n"),
        format!("[\n{},\n{}\n]\n", ndjson("a"), ndjson(r#"b\n\""#)),
        format!("{}\n{}\n", ndjson("a"), ndjson("\\u00e9")),
        format!("name,size,sha1,sha256\n\"a\nb\"\"\",3,{SHA1},{SHA256}\r\nc,3,{SHA1},\"{SHA256}\"\n"),
        format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n## x\n3,{SHA256},a,b\n3,{SHA256},c\n"),
    ]
}

/// The lists with a few bytes changed, removed, doubled or swapped; the same in every run.
fn mutated(n: usize) {
    const STRUCTURE: &[u8] = b"\"\"\",,\n\n\r\\\0[]{}:%#()= *-a0\xff";
    let lists = lists();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % n.max(1)
    };
    for round in 0..n {
        let mut text = lists[round % lists.len()].clone().into_bytes();
        for _ in 0..=below(3) {
            let (at, other) = (below(text.len()), below(text.len()));
            match below(6) {
                0 | 1 => text[at] = STRUCTURE[below(STRUCTURE.len())],
                2 => text.insert(at, STRUCTURE[below(STRUCTURE.len())]),
                3 => drop(text.remove(at)),
                4 => text.swap(at, other),
                _ => text.truncate(at.max(1)),
            }
            if text.is_empty() {
                break;
            }
        }
        read(&text);
    }
}

#[test]
fn changed_lists() {
    mutated(8_000);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn many_changed_lists() {
    mutated(100_000);
}

/// A header or a record that is too long is not read as fields.
#[test]
fn a_long_head() {
    let long = "x".repeat(2 << 20);
    read(format!("name,{long}\n{long}\n").as_bytes());
    read(format!("name,sha1\n\"{}\n{SHA1}\n", "x\n".repeat(600_000)).as_bytes());
}
