//! The log: its records form a chain, so every changed, removed, inserted or moved record is detected.

use hashlanes_hbs::store::{Error, LogRecord, Purpose};
use hashlanes_sha::sha256;

use crate::ledger::{Ledger, opened, place, with_key};
use crate::simulated::Simulated;

const HEAD: usize = 68;
const RECORD: usize = 160;

/// Returns all records; `None` in place of an invalid one.
fn records(simulated: &Simulated) -> Vec<Option<LogRecord>> {
    let mut records = Vec::new();
    place(simulated, "/key")
        .log(|number, record| {
            assert_eq!(number, records.len() as u64);
            records.push(record.cloned());
        })
        .unwrap();
    records
}

/// A key that signed three times, each time in another process: seven records.
fn used() -> Simulated {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    for _ in 0..3 {
        ledger.sign(&mut place(&simulated, "/key").open().unwrap()).unwrap();
    }
    simulated
}

#[test]
fn records_show_purpose_and_time() {
    let simulated = used();
    let records: Vec<_> = records(&simulated).into_iter().map(Option::unwrap).collect();
    let purposes: Vec<_> = records.iter().map(|record| record.record.purpose).collect();
    let (open, sign) = (Purpose::Open, Purpose::Sign);
    assert_eq!(purposes, [Purpose::Create, open, sign, open, sign, open, sign]);
    assert!(records.is_sorted_by(|one, other| one.time < other.time && one.number + 1 == other.number));
    assert_eq!((records[4].generation, records[4].record.first, records[4].record.count), (2, 1, 1));
    assert_eq!(records[4].record.digest, sha256(b"message 1"));
}

#[test]
fn every_changed_byte_is_noticed() {
    let disk = used().disk();
    for number in 0..7 {
        for at in 0..RECORD {
            let simulated = Simulated::with(&disk);
            simulated.tamper("/key/log", |log| log[HEAD + number * RECORD + at] ^= 1);
            let records = records(&simulated);
            assert!(records[number].is_none(), "record {number}, byte {at}");
            assert_eq!(records.iter().filter(|record| record.is_none()).count(), 1);
        }
    }
}

#[test]
fn records_that_are_removed_inserted_or_swapped_are_noticed() {
    type Change = fn(&mut Vec<u8>, usize);
    let changes: [(&str, Change); 3] = [
        ("removed", |log, at| drop(log.drain(at..at + RECORD))),
        ("inserted", |log, at| {
            let record = log[at..at + RECORD].to_vec();
            log.splice(at..at, record);
        }),
        ("swapped", |log, at| {
            let (one, other) = log[at..at + 2 * RECORD].split_at_mut(RECORD);
            one.swap_with_slice(other);
        }),
    ];
    let disk = used().disk();
    for (what, change) in changes {
        for number in 0..6 {
            let simulated = Simulated::with(&disk);
            simulated.tamper("/key/log", |log| change(log, HEAD + number * RECORD));
            assert!(records(&simulated).iter().any(Option::is_none), "record {number} {what}");
            // Opening detects it, too, except when the last record stayed in its place.
            if what != "swapped" {
                assert!(matches!(opened(&place(&simulated, "/key")), Err(Error::Damaged { .. })), "{what}");
            }
        }
    }
}

/// A record of another past: written with the key, at this very place, after another record.
#[test]
fn a_record_of_another_past_is_noticed() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let other = simulated.fork();
    for key in [&simulated, &other] {
        ledger.sign(&mut place(key, "/key").open().unwrap()).unwrap();
        ledger.sign(&mut place(key, "/key").open().unwrap()).unwrap();
    }
    let at = HEAD + 3 * RECORD;
    let record = other.bytes("/key/log").unwrap()[at..at + RECORD].to_vec();
    simulated.tamper("/key/log", |log| log[at..at + RECORD].copy_from_slice(&record));
    assert!(records(&simulated).iter().any(Option::is_none));
}
