//! A witness that is no file: nothing is released unless it returns the record that it was given.

use std::sync::{Arc, Mutex};

use hashlanes_hbs::store::{Class, Error, ExternalWitness, Witnessed};

use crate::ledger::{Ledger, generation, opened, place, with_key};
use crate::simulated::{After, Fault, Simulated};

/// How a witness misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fails {
    No,
    AtRecord,
    AtLast,
    /// It reports success, and records nothing.
    Forgets,
    /// It records another index.
    OtherIndex,
}

#[derive(Debug)]
struct Fake {
    records: Mutex<Vec<([u8; 32], Witnessed)>>,
    fails: Mutex<Fails>,
    /// Whether it only counts.
    is_counter: bool,
}

impl Fake {
    fn new(is_counter: bool) -> Arc<Self> {
        Arc::new(Self { records: Mutex::default(), fails: Mutex::new(Fails::No), is_counter })
    }

    fn set(&self, fails: Fails) {
        *self.fails.lock().unwrap() = fails;
    }

    /// Forgets the newest records.
    fn roll_back(&self, records: usize) {
        let mut all = self.records.lock().unwrap();
        let left = all.len() - records;
        all.truncate(left);
    }
}

impl ExternalWitness for Fake {
    fn name(&self) -> String {
        "the fake".into()
    }

    fn last(&self, key: &[u8; 32]) -> Result<Option<Witnessed>, String> {
        if *self.fails.lock().unwrap() == Fails::AtLast {
            return Err("cannot be read".into());
        }
        let records = self.records.lock().unwrap();
        Ok(records.iter().rfind(|(of, _)| of == key).map(|(_, record)| *record))
    }

    fn record(&self, key: &[u8; 32], mut new: Witnessed) -> Result<(), String> {
        match *self.fails.lock().unwrap() {
            Fails::AtRecord => return Err("cannot record".into()),
            Fails::Forgets => return Ok(()),
            Fails::OtherIndex => new.next = new.next.map(|next| next + 1),
            Fails::No | Fails::AtLast => {}
        }
        let recorded = self.last(key)?.map_or(0, |last| last.generation);
        if new.generation < recorded {
            return Err(format!("generation {} is below {recorded}", new.generation));
        }
        if self.is_counter {
            new.next = None;
        }
        self.records.lock().unwrap().push((*key, new));
        Ok(())
    }
}

#[test]
fn a_key_signs_with_it_from_its_creation_on() {
    for is_counter in [false, true] {
        let (simulated, mut ledger, fake) = (Simulated::new(), Ledger::default(), Fake::new(is_counter));
        let here = place(&simulated, "/key").external_witness(fake.clone());
        ledger.sign_some(&mut here.create(generation()).unwrap(), 2);
        ledger.sign_some(&mut here.open().unwrap(), 2);
        let state = here.status().unwrap();
        let last = fake.records.lock().unwrap().last().unwrap().1;
        assert_eq!(last, Witnessed { generation: state.generation, next: (!is_counter).then_some(4) });

        // A part has a record of its own.
        let part = place(&simulated, "/part").external_witness(fake.clone());
        here.open().unwrap().split(3, &part).unwrap();
        ledger.sign_some(&mut part.open().unwrap(), 3);
        ledger.sign_some(&mut here.open().unwrap(), 1);
        assert!(ledger.reused.is_empty() && ledger.len() == 8);
    }
}

#[test]
fn without_its_record_nothing_is_released() {
    for fails in [Fails::AtRecord, Fails::AtLast, Fails::Forgets, Fails::OtherIndex] {
        let (simulated, mut ledger, fake) = (Simulated::new(), Ledger::default(), Fake::new(false));
        let here = place(&simulated, "/key").external_witness(fake.clone());
        let mut key = here.create(generation()).unwrap();
        ledger.sign(&mut key).unwrap();
        fake.set(fails);
        let error = ledger.sign(&mut key).unwrap_err();
        assert_eq!(error.class(), Class::Poisoned, "{fails:?}: {error}");
        assert!(error.to_string().starts_with("the witness the fake: "), "{error}");
        assert!(matches!(ledger.sign(&mut key), Err(Error::PoisonedHandle)), "{fails:?}");
        drop(key);
        if fails == Fails::AtLast {
            assert_eq!(opened(&here).unwrap_err().class(), Class::System);
            assert_eq!(here.status().unwrap_err().class(), Class::System);
        }
        // The commit is there, one generation ahead of the witness: its index is burned.
        fake.set(Fails::No);
        if fails == Fails::OtherIndex {
            let error = opened(&here).unwrap_err().to_string();
            assert!(
                error.contains("it returns the next index 3 for generation 2, whose next index is 2"),
                "{error}"
            );
            continue;
        }
        assert_eq!(ledger.sign(&mut here.open().unwrap()).unwrap(), 2, "{fails:?}");
        assert!(ledger.reused.is_empty());
    }
}

#[test]
fn an_older_record_and_an_older_volume_are_refused() {
    let (simulated, mut ledger, fake) = (Simulated::new(), Ledger::default(), Fake::new(false));
    let of = |simulated: &Simulated| place(simulated, "/key").external_witness(fake.clone());
    let here = of(&simulated);
    ledger.sign_some(&mut here.create(generation()).unwrap(), 1);
    let saved = simulated.disk();
    ledger.sign_some(&mut here.open().unwrap(), 3);

    // The whole volume of the key is restored.
    let error = opened(&of(&Simulated::with(&saved))).unwrap_err();
    assert!(matches!(&error, Error::RolledBack { witness, .. } if witness == "the fake"), "{error}");

    // The witness is restored: one record is an interrupted commit, more are not.
    fake.roll_back(1);
    ledger.sign_some(&mut here.open().unwrap(), 1);
    fake.roll_back(3);
    let error = opened(&here).unwrap_err();
    assert!(matches!(error, Error::WitnessBehind { witnessed: Some(_), .. }), "{error}");
    assert_eq!(error.class(), Class::Rollback);
    assert!(here.status().unwrap_err().to_string().contains("the key signed without it"));

    // A new witness has no record, and gets one only when the key is adopted.
    let other = place(&simulated, "/key").external_witness(Fake::new(false));
    assert!(matches!(opened(&other), Err(Error::WitnessBehind { witnessed: None, .. })));
    drop(other.adopt(0).unwrap());
    ledger.sign_some(&mut other.open().unwrap(), 1);
    // The old one has lower generations.
    assert!(matches!(opened(&here), Err(Error::WitnessBehind { .. })));
    assert!(ledger.reused.is_empty());
}

/// A kill at any call of a commit: the key signs afterwards, and no index is used twice.
#[test]
fn no_index_is_used_twice_after_a_kill_at_any_call() {
    for at in 0.. {
        let (simulated, mut ledger, fake) = (with_key(), Ledger::default(), Fake::new(at % 2 == 0));
        let here = place(&simulated, "/key").external_witness(fake);
        drop(here.adopt(0).unwrap());
        simulated.plan(at, Fault::Kill);
        if let Ok(mut key) = here.open() {
            let _ = ledger.sign(&mut key);
        }
        let has_failed = simulated.has_failed();
        simulated.restart(After::Synced);
        ledger.sign_some(&mut here.open().unwrap(), 2);
        assert!(ledger.reused.is_empty(), "call {at}");
        if !has_failed {
            break;
        }
    }
}
