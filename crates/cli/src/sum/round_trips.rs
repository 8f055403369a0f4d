//! Tests: lists of every format are read back as they were written, for any names and digests.

use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::{Dialect, Forms, Item, Records};
use proptest::collection::vec;
use proptest::prelude::*;

use super::manifest_format::{Asked, Form};
use super::manifest_writing::{LineForm, ReadMode, Text};
use crate::files::{Change, File, Origin};
use crate::hashing::Sum;
use crate::shared_options::Given;

/// A file's name and results.
type Case = (Vec<u8>, Vec<u8>);

/// Writes the files, without those that the format cannot express; returns these, too.
fn written(form: &Form, cases: &[Case]) -> (Vec<u8>, Vec<Case>) {
    let n_bytes: usize = form.hashes.iter().map(|hash| hash.digest_bytes()).sum();
    let (mut list, mut expected) = (form.head(), Vec::new());
    for (name, results) in cases {
        let file = File { name: name.clone(), origin: Origin::Named };
        let sum = Sum { results: &results[..n_bytes], n_bytes: 3, change: Change::NotSeen };
        let Ok(text) = form.file(&file, sum) else { continue };
        if !expected.is_empty() {
            list.extend_from_slice(form.between());
        }
        list.extend_from_slice(&text);
        expected.push((name.clone(), results[..n_bytes].to_vec()));
    }
    list.extend_from_slice(form.tail());
    (list, expected)
}

/// Reads a list: each name with its digests in the order of `hashes`.
fn read(list: &[u8], hashes: &[Hash], keyed: Keyed) -> Vec<Case> {
    let mut dialect = Dialect::new(hashes, keyed, Forms::All);
    let mut records = Records::new(list, &mut dialect).expect("a list");
    let mut files: Vec<Case> = Vec::new();
    let mut n_left = 0;
    while let Some(item) = records.next().expect("a list") {
        let Item::Record(record) = item else { panic!("{item:?} in {}", list.escape_ascii()) };
        let mut sums = record.sums;
        sums.sort_by_key(|(hash, _)| hashes.iter().position(|other| other == hash));
        let digests = sums.iter().flat_map(|(_, digest)| digest).copied();
        // Lines have a hash each.
        if n_left == 0 {
            files.push((record.name, digests.collect()));
            n_left = hashes.len();
        } else {
            let (name, results) = files.last_mut().expect("the first line");
            assert_eq!(*name, record.name);
            results.extend(digests);
        }
        n_left -= sums.len();
    }
    files
}

/// A byte of a name: often one that formats escape or give a meaning to.
fn name_byte() -> impl Strategy<Value = u8> {
    prop_oneof![1..=255_u8, prop::sample::select(&b"\\\n\r ()*=,\"/.-#%{[:"[..])]
}

fn cases() -> impl Strategy<Value = Vec<Case>> {
    vec((vec(name_byte(), 1..20), vec(any::<u8>(), 3 * 64)), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lists_of_every_format_are_read_as_they_were_written(
        cases in cases(),
        format in prop::sample::select(&Asked::NAMES[..]),
        hashes in prop::sample::subsequence(Hash::BY_USE.to_vec(), 1..4),
        has_key in any::<bool>(),
        zero in any::<bool>(),
        base64 in any::<bool>(),
    ) {
        let has_hmacs = hashes.iter().all(|hash| Hash::FAST.contains(hash));
        let keyed = if has_key && has_hmacs { Keyed::Yes } else { Keyed::No };
        let is_lines = matches!(format, "gnu" | "bsd");
        let given = |is_given: bool| if is_given { Given::Yes } else { Given::No };
        let lines = LineForm {
            tag: given(format == "bsd"),
            zero: given(zero && is_lines),
            mode: if has_key { ReadMode::Binary } else { ReadMode::Text },
            text: if base64 && is_lines { Text::Base64 } else { Text::Hex },
        };
        let Ok(form) = (Asked { format, lines, hashes: hashes.clone(), keyed }).form() else { return Ok(()) };
        let (list, expected) = written(&form, &cases);
        prop_assert_eq!(read(&list, &hashes, keyed), expected, "{}", list.escape_ascii());
    }
}
