//! Lists of every format: read whole and in pieces with the same result; what is read is written and read
//! again; manifests, and sets of known files.

use std::io::{self, Read};

use hashlanes_formats::encoding::{bare, bytes_of_hex, escape, hex, line_with_name, unescape};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::known::Known;
use hashlanes_formats::lists::{Dialect, Forms, Item, Record, Records, Trouble, is_list};
use hashlanes_formats::manifest::{From, Manifest};
use hashlanes_formats::roots;

use crate::input::Input;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let forms = input.choose(&[Forms::All, Forms::Gnu, Forms::Cksum, Forms::CksumTagged]);
    let keyed = if input.byte() == 1 { Keyed::Yes } else { Keyed::No };
    let one = Hash::BY_USE[input.below(Hash::BY_USE.len())];
    let hashes: &[Hash] = if input.byte() == 1 { &[one] } else { &[] };
    let text = input.rest();

    let (items, end) = items(text, forms, keyed, hashes);
    // The first 64 KiB show the format, so the pieces are longer than the longest beginning of one.
    let (in_pieces, end_in_pieces) = self::items(Pieces(text, 1000), forms, keyed, hashes);
    if text.len() <= 1000 || !text.contains(&0) {
        assert_eq!((&in_pieces, &end_in_pieces), (&items, &end), "in pieces");
    }
    for item in &items {
        if let Item::Record(record) = item {
            written(record);
        }
    }
    name(text);
    if forms == Forms::All {
        manifest(text, keyed, hashes);
    }
    is_list(text);
}

/// Returns a few bytes at a time.
struct Pieces<'t>(&'t [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(buffer.len());
        self.0.read(&mut buffer[..n])
    }
}

/// Returns the items of a text, and the error that ends it.
fn items(text: impl Read, forms: Forms, keyed: Keyed, hashes: &[Hash]) -> (Vec<Item>, Option<String>) {
    let (mut dialect, mut items) = (Dialect::new(hashes, keyed, forms), Vec::new());
    let end = |trouble: Trouble| match trouble {
        Trouble::Io(error) => panic!("bytes in memory: {error}"),
        Trouble::Format(why) => Some(why),
    };
    let mut records = match Records::new(text, &mut dialect) {
        Ok(records) => records,
        Err(trouble) => return (items, end(trouble)),
    };
    loop {
        match records.next() {
            Ok(None) => break,
            Ok(Some(item)) => items.push(item),
            Err(trouble) => return (items, end(trouble)),
        }
        let _ = (records.number(), records.hint(), records.tag(), records.next_may_wait());
    }
    (items, None)
}

/// A record that is written as a line of each kind is read as the same record.
fn written(record: &Record) {
    let Record { name, sums, .. } = record;
    assert!(!sums.is_empty(), "a record has a digest");
    for (hash, digest) in sums {
        assert_eq!(digest.len(), hash.digest_bytes(), "a digest of {}", hash.name());
        if name.contains(&0) || name.is_empty() {
            continue;
        }
        let digits = hex(digest);
        let lines = [
            line_with_name(format!("{digits}  ").as_bytes(), name, b""),
            line_with_name(format!("{} (", hash.tag()).as_bytes(), name, format!(") = {digits}").as_bytes()),
        ];
        for line in lines {
            let (items, end) = items(&line[..], Forms::Gnu, Keyed::No, &[*hash]);
            let expected = Record {
                name: name.clone(),
                sums: vec![(*hash, digest.clone())],
                may_go_on: false,
                root: None,
            };
            assert_eq!((items, end), (vec![Item::Record(expected)], None), "{}", line.escape_ascii());
        }
    }
}

/// Names and comments are written and read again.
fn name(name: &[u8]) {
    let _ = (unescape(name), bytes_of_hex(name), roots::of_comment(name), bare(name));
    if !name.contains(&0) {
        assert_eq!(unescape(&escape(name)).as_deref(), Some(name));
        let comment = roots::comment(name);
        let root = roots::of_comment(comment.strip_suffix(b"\n").expect("a line"));
        assert_eq!(root.as_deref(), Some(name).filter(|name| !name.is_empty()));
    }
    assert_eq!(bytes_of_hex(hex(name)).as_deref(), Some(name));
    if let Ok(name) = std::str::from_utf8(name)
        && let Some(hash) = Hash::typed(name)
    {
        assert_eq!((Hash::typed(&hash.name()), Hash::numbered(hash.number())), (Some(hash), Some(hash)));
    }
}

fn manifest(text: &[u8], keyed: Keyed, hashes: &[Hash]) {
    let mut n_contradictory = 0;
    for from in [From::File, From::StandardInput] {
        let Ok(manifest) = Manifest::read(text, from, hashes, keyed, &mut |_| {
            n_contradictory += u64::from(from == From::File)
        }) else {
            continue;
        };
        if from == From::File {
            assert_eq!(manifest.n_contradictory, n_contradictory);
        }
        for listed in manifest.files.values() {
            let of = listed.digests.of();
            assert!(of.len() > 0 && of.iter().all(|hash| manifest.hashes.iter().any(|all| all == hash)));
        }
        if let Some(search) = manifest.search() {
            let n_paths = search.directories.len() + search.files.len();
            assert_eq!(search.into_paths().len(), n_paths);
        }
    }
    let mut known = Known::default();
    if known.read(text, keyed).is_ok() {
        known.complete();
        let n_bytes = known.hashes().iter().map(|hash| hash.digest_bytes()).sum();
        let _ = known.find(&vec![0; n_bytes]);
    }
}
