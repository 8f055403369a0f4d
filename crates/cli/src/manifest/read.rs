//! A manifest read back, whatever its format; the first bytes tell which.
//!
//! | begins with | format |
//! |---|---|
//! | `[`, `{` | json, ndjson |
//! | `%%%%` | hashdeep |
//! | `name,` | csv |
//! | else | lines: gnu, bsd, sri, those of any hash |

use std::fmt;
use std::io::{self, BufRead};

use base64ct::{Base64, Encoding};
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::escape::unescape;
use crate::hash::Hash;
use crate::hex::bytes_of_hex;
use crate::sum::{Accepts, LineReader};

/// A file in a manifest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: Vec<u8>,
    pub(crate) sums: Vec<(Hash, Vec<u8>)>,
}

/// Why a manifest is not read to its end.
pub(crate) enum Trouble {
    Io(io::Error),
    /// It is not what its first bytes say.
    Format(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Io(error)
    }
}

/// Gives `take` every record; `malformed` gets the numbers of lines that are none.
pub(crate) fn read(
    mut input: impl BufRead,
    take: &mut dyn FnMut(Record),
    malformed: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let start = input.fill_buf()?;
    let begins = start.iter().find(|byte| !byte.is_ascii_whitespace());
    match begins {
        Some(b'[') => read_json(input, take),
        Some(b'{') => read_ndjson(input, take),
        Some(b'%') if start.starts_with(b"%%%%") => read_hashdeep(input, take, malformed),
        Some(b'n') if start.starts_with(b"name,") => read_csv(input, take, malformed),
        _ => read_lines(input, take, malformed),
    }
}

/// The longest line that is held in memory; what is longer is no line of any manifest.
const LINE_BYTES: u64 = 1 << 20;

/// Calls `each` with every line, without its end, and its number.
fn for_each_line(mut input: impl BufRead, each: &mut dyn FnMut(u64, &[u8])) -> Result<(), Trouble> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if io::Read::take(&mut input, LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == LINE_BYTES {
            input.skip_until(b'\n')?;
            line = vec![0];
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        each(number, &line);
    }
    Ok(())
}

fn read_lines(
    input: impl BufRead,
    take: &mut dyn FnMut(Record),
    malformed: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    // Of two hashes whose digests are equally long, the first is meant.
    let mut readers = Hash::BY_USE
        .map(|hash| (hash, LineReader::new(hash.tag().into(), hash.digest_bytes(), Accepts::HexAndBase64)));
    for_each_line(input, &mut |number, line| {
        if line.is_empty() || line[0] == b'#' {
            return;
        }
        let by_lines = readers.iter_mut().find_map(|(hash, reader)| {
            let listed = reader.read(line)?;
            Some(Record { name: listed.name, sums: vec![(*hash, listed.digest)] })
        });
        match sri(line).or(by_lines) {
            Some(record) => take(record),
            None => malformed(number),
        }
    })
}

/// `sha256-BASE64  name`
fn sri(line: &[u8]) -> Option<Record> {
    let (line, is_escaped) = match line.strip_prefix(b"\\") {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let dash = line.iter().position(|&byte| byte == b'-')?;
    let hash = Hash::named(std::str::from_utf8(&line[..dash]).ok()?)?;
    let rest = &line[dash + 1..];
    let blank = rest.iter().position(|&byte| byte == b' ')?;
    let name = rest[blank..].strip_prefix(b"  ").filter(|name| !name.is_empty())?;
    let digest = Base64::decode_vec(std::str::from_utf8(&rest[..blank]).ok()?).ok()?;
    let name = if is_escaped { unescape(name)? } else { name.to_vec() };
    (digest.len() == hash.digest_bytes()).then(|| Record { name, sums: vec![(hash, digest)] })
}

/// The digests of columns that are named as hashes are.
fn sums<'f>(columns: impl Iterator<Item = (&'f [u8], &'f [u8])>) -> Option<Vec<(Hash, Vec<u8>)>> {
    let mut sums = Vec::new();
    for (column, field) in columns {
        if let Some(hash) = std::str::from_utf8(column).ok().and_then(Hash::named) {
            let digest = bytes_of_hex(field).filter(|digest| digest.len() == hash.digest_bytes())?;
            sums.push((hash, digest));
        }
    }
    (!sums.is_empty()).then_some(sums)
}

fn read_csv(
    input: impl BufRead,
    take: &mut dyn FnMut(Record),
    malformed: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(input);
    let wrong = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => Trouble::Io(error),
        _ => Trouble::Format("no CSV".into()),
    };
    let head = reader.byte_headers().map_err(wrong)?.clone();
    let mut fields = csv::ByteRecord::new();
    while reader.read_byte_record(&mut fields).map_err(wrong)? {
        let sums = sums(head.iter().zip(fields.iter()));
        match sums.filter(|_| fields.len() == head.len() && !fields[0].is_empty()) {
            Some(sums) => take(Record { name: fields[0].to_vec(), sums }),
            None => malformed(fields.position().map_or(0, csv::Position::line)),
        }
    }
    Ok(())
}

fn read_hashdeep(
    input: impl BufRead,
    take: &mut dyn FnMut(Record),
    malformed: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for_each_line(input, &mut |number, line| {
        if let Some(head) = line.strip_prefix(b"%%%% ") {
            if head.starts_with(b"size,") {
                columns = head.split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
            }
            return;
        }
        if line.is_empty() || line.starts_with(b"##") {
            return;
        }
        // The name is the last column, commas and all.
        let fields: Vec<&[u8]> = line.splitn(columns.len().max(1), |&byte| byte == b',').collect();
        let sums = sums(columns.iter().map(|column| &column[..]).zip(fields.iter().copied()));
        match (sums, fields.last()) {
            (Some(sums), Some(name)) if fields.len() == columns.len() && !name.is_empty() => {
                take(Record { name: name.to_vec(), sums });
            }
            _ => malformed(number),
        }
    })
}

/// An object as `sum --format json` prints it.
fn object(object: &Map<String, Value>) -> Result<Record, String> {
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    let name = match (text("name"), text("name_base64")) {
        (Some(name), _) => name.as_bytes().to_vec(),
        (_, Some(name)) => Base64::decode_vec(name).map_err(|_| "name_base64 is no base64".to_owned())?,
        _ => return Err("an object without name".into()),
    };
    let columns = object.iter().filter_map(|(key, value)| Some((key.as_bytes(), value.as_str()?.as_bytes())));
    let sums = sums(columns).ok_or("an object without the digest of a hash that is known here")?;
    Ok(Record { name, sums })
}

fn read_ndjson(input: impl BufRead, take: &mut dyn FnMut(Record)) -> Result<(), Trouble> {
    for value in serde_json::Deserializer::from_reader(input).into_iter::<Map<String, Value>>() {
        take(object(&value.map_err(json_trouble)?).map_err(Trouble::Format)?);
    }
    Ok(())
}

fn read_json(input: impl BufRead, take: &mut dyn FnMut(Record)) -> Result<(), Trouble> {
    /// Takes the objects of an array one by one: a manifest may be longer than memory.
    struct Objects<'t>(&'t mut dyn FnMut(Record));

    impl<'de> Visitor<'de> for Objects<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of objects")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
            while let Some(value) = array.next_element::<Map<String, Value>>()? {
                (self.0)(object(&value).map_err(serde::de::Error::custom)?);
            }
            Ok(())
        }
    }
    let mut json = serde_json::Deserializer::from_reader(input);
    json.deserialize_seq(Objects(take)).and_then(|()| json.end()).map_err(json_trouble)
}

fn json_trouble(error: serde_json::Error) -> Trouble {
    if error.is_io() { Trouble::Io(error.into()) } else { Trouble::Format(error.to_string()) }
}
