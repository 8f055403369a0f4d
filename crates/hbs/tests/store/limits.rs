//! Fault 16: the end of a key, and the arithmetic there, for all sets.

use hashlanes_hbs::store::{
    Class, Error, KeyGeneration, MemoryStore, Record, SigningKey, State, StateStore, Status,
};
use hashlanes_hbs::{HashFamily, ParameterSet};
use hashlanes_sha::sha256;

use crate::ledger::{Ledger, generation, opened, place, with_key};
use crate::simulated::Simulated;

#[test]
fn an_exhausted_key_refuses_before_any_work_and_after_a_restart() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").open().unwrap();
    for left in (1..=16).rev() {
        assert_eq!((key.left(), key.is_nearly_exhausted()), (left, left <= 1));
        ledger.sign_verified(&mut key).unwrap();
    }
    for _ in 0..2 {
        simulated.take_trace();
        let error = key.try_sign(&mut Unreadable).unwrap_err();
        assert!(matches!(error, Error::Exhausted { end: 16 }), "{error}");
        assert_eq!(error.class(), Class::Exhausted);
        assert_eq!(simulated.take_trace().len(), 0);
        drop(key);
        key = place(&simulated, "/key").open().unwrap();
    }
    let status = place(&simulated, "/key").status().unwrap();
    assert_eq!((status.status, status.next, status.left()), (Status::Exhausted, 16, 0));
    assert!(status.is_nearly_exhausted());
    assert!(matches!(key.advance_to(16), Ok(())));
    assert!(matches!(key.advance_to(15), Err(Error::IndexUsed { index: 15, next: 16 })));
    assert!(matches!(key.advance_to(17), Err(Error::Key(hashlanes_hbs::Error::Index { .. }))));
}

/// A stream that cannot be read.
struct Unreadable;
impl std::io::Read for Unreadable {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("torn tape"))
    }
}
impl std::io::Seek for Unreadable {
    fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_message_that_cannot_be_read_takes_no_index() {
    let simulated = with_key();
    let mut key = place(&simulated, "/key").open().unwrap();
    let error = key.try_sign(&mut Unreadable).unwrap_err();
    assert_eq!(error.to_string(), "message 0: torn tape");
    let mut torn = Unreadable;
    let error = key.sign_many(&mut [b"a".into(), (&mut torn).into()]).unwrap_err();
    assert_eq!(error.to_string(), "message 1: torn tape");
    assert_eq!((key.next_index(), place(&simulated, "/key").status().unwrap().generation), (0, 0));
    let many: Vec<[u8; 1]> = (0..17).map(|i| [i]).collect();
    let mut many: Vec<_> = many.iter().map(|message| message.into()).collect();
    assert!(matches!(key.sign_many(&mut many), Err(Error::TooFewLeft { asked: 17, left: 16 })));
    assert_eq!(key.sign_many(&mut many[..16]).unwrap().len(), 16);
}

#[test]
fn advancing_only_goes_forward() {
    let (simulated, mut ledger) = (with_key(), Ledger::default());
    let mut key = place(&simulated, "/key").window(4).open().unwrap();
    let signature = key.try_sign(b"message").unwrap();
    // Within the window: nothing is committed, and no index is used again.
    key.advance_to(2).unwrap();
    assert_eq!(ledger.sign(&mut key).unwrap(), 2);
    key.advance_past(signature.as_ref()).unwrap();
    assert_eq!(ledger.sign(&mut key).unwrap(), 3);
    key.advance_to(9).unwrap();
    assert_eq!(place(&simulated, "/key").status().unwrap().next, 9);
    assert_eq!(ledger.sign(&mut key).unwrap(), 9);
    assert!(matches!(key.advance_to(9), Err(Error::IndexUsed { index: 9, next: 10 })));
    // From a copy, which continued independently.
    let mut copy = crate::fixture::key_generation().run().unwrap();
    copy.advance_to(14).unwrap();
    key.advance_past(copy.try_sign(b"another").unwrap().as_ref()).unwrap();
    assert_eq!(ledger.sign(&mut key).unwrap(), 15);
    assert!(matches!(key.advance_past(b"no signature"), Err(Error::Key(_))));
    let mut other = signature.as_ref().to_vec();
    other[3] = 16;
    assert!(matches!(key.advance_past(&other), Err(Error::Key(hashlanes_hbs::Error::Index { .. }))));
}

/// A store without files, which shows how the key counts.
fn at_the_end(set: ParameterSet) {
    let n = set.signatures();
    let generation = || KeyGeneration::new(set, &vec![6; 3 * set.n()]).unwrap();
    // The key-id is computed from the public key.
    let public = generation().run().unwrap().verifying_key().clone();
    let state = State::new(sha256(&public.to_bytes()), n - 3);
    let mut key = SigningKey::with_store(generation(), 0..n, MemoryStore::new(state)).unwrap();
    key.set_window(u64::MAX);
    let mut ledger = Ledger::default();
    for index in n - 3..n {
        assert!(key.is_nearly_exhausted());
        assert_eq!((key.next_index(), key.left()), (index, n - index), "{set}");
        let signature = key.try_sign(b"message").unwrap();
        public.verify(b"message", signature.as_ref()).unwrap();
        assert_eq!(ledger.enter(&public.clone().into(), b"message", &signature), index, "{set}");
    }
    assert!(matches!(key.try_sign(b"message"), Err(Error::Exhausted { end }) if end == n), "{set}");
    assert!(matches!(key.advance_to(n + 1), Err(Error::Key(_))));
    assert!(matches!(key.advance_to(n - 1), Err(Error::IndexUsed { .. })));
}

#[test]
fn the_last_indices_of_all_small_trees() {
    let sets = ParameterSet::all().filter(|set| set.hash() == HashFamily::Sha2 && set.tree_height() <= 5);
    assert!(sets.inspect(|set| at_the_end(*set)).count() >= 9);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn the_last_indices_of_all_sets() {
    let sets = ParameterSet::all().filter(|set| set.hash() == HashFamily::Sha2 && set.tree_height() > 5);
    assert!(sets.filter(|set| set.tree_height() <= 16).inspect(|set| at_the_end(*set)).count() >= 15);
}

#[test]
fn warnings_begin_at_nine_tenths_and_at_the_last_percent() {
    let simulated = Simulated::new();
    let set: ParameterSet = "XMSSMT-SHA2_60/12_192".parse().unwrap();
    let generation = KeyGeneration::new(set, &[1; 72]).unwrap();
    let mut key = place(&simulated, "/key").create(generation).unwrap();
    let border = (9 * (1_u128 << 60)).div_ceil(10) as u64;
    key.advance_to(border - 1).unwrap();
    assert!(!key.is_nearly_exhausted());
    key.advance_to(border).unwrap();
    assert!(key.is_nearly_exhausted());
    assert!(place(&simulated, "/key").status().unwrap().is_nearly_exhausted());
    let signature = key.try_sign(b"message").unwrap();
    key.verifying_key().verify(b"message", signature.as_ref()).unwrap();
    let border = (99 * (1_u128 << 60)).div_ceil(100) as u64;
    key.advance_to(border - 1).unwrap();
    assert!(!key.is_in_last_percent());
    key.advance_to(border).unwrap();
    assert!(key.is_in_last_percent());
    assert!(place(&simulated, "/key").status().unwrap().is_in_last_percent());
    key.advance_to((1 << 60) - 1).unwrap();
    let signature = key.try_sign(b"message").unwrap();
    key.verifying_key().verify(b"message", signature.as_ref()).unwrap();
    assert!(matches!(key.try_sign(b"message"), Err(Error::Exhausted { .. })));
    drop(key);
    assert!(place(&simulated, "/key").open().unwrap().try_sign(b"message").is_err());
}

/// A store that counts the calls, and may refuse.
struct Refusing {
    state: State,
    answer: fn(u64) -> Result<(), Error>,
}

impl StateStore for Refusing {
    fn load(&mut self) -> Result<State, Error> {
        Ok(self.state.clone())
    }
    fn commit(&mut self, previous: u64, new: &State, record: &Record) -> Result<(), Error> {
        assert_eq!((previous, new.generation), (self.state.generation, previous + 1));
        assert_eq!((record.first, record.first + record.count), (self.state.next, new.next));
        self.state = new.clone();
        (self.answer)(new.generation)
    }
}

/// The possible answers of a store in hardware or in a database.
#[test]
fn a_store_that_refuses_stops_the_key() {
    let public = crate::fixture::key_generation().run().unwrap().verifying_key().clone();
    let id = sha256(&[&[0; 4], public.root(), public.seed()].concat());
    let refusing = |answer| Refusing { state: State::new(id, 0), answer };
    let new = |state: State| SigningKey::with_store(generation(), 0..16, MemoryStore::new(state)).map(drop);
    assert!(matches!(new(State::new([0; 32], 0)), Err(Error::OtherKey { .. })));
    assert!(matches!(new(State::new(id, 17)), Err(Error::Damaged { .. })));
    let poisoned = State::new(id, 0).successor(0, Status::Poisoned);
    assert!(matches!(new(poisoned), Err(Error::PoisonedKey)));
    let too_many = SigningKey::with_store(generation(), 0..17, MemoryStore::new(State::new(id, 0)));
    assert!(matches!(too_many.map(drop), Err(Error::Key(_))));

    let second = |generation| {
        if generation == 2 { Err(Error::Conflict { known: 1, found: 7 }) } else { Ok(()) }
    };
    let mut key = SigningKey::with_store(generation(), 0..16, refusing(second)).unwrap();
    key.try_sign(b"message").unwrap();
    assert!(matches!(key.try_sign(b"message"), Err(Error::Conflict { known: 1, found: 7 })));
    assert!(matches!(key.try_sign(b"message"), Err(Error::PoisonedHandle)));
    assert!(matches!(key.advance_to(9), Err(Error::PoisonedHandle)));
}

#[test]
fn a_memory_store_compares_and_swaps() {
    let state = State::new([1; 32], 5);
    let mut store = MemoryStore::new(state.clone());
    let record = record();
    let back = state.successor(4, Status::Active);
    assert!(matches!(store.commit(0, &back, &record), Err(Error::IndexUsed { index: 4, next: 5 })));
    let next = state.successor(6, Status::Active);
    store.commit(0, &next, &record).unwrap();
    assert!(matches!(store.commit(0, &next, &record), Err(Error::Conflict { known: 0, found: 1 })));
    assert_eq!(store.load().unwrap(), next);
    let _ = opened(&place(&with_key(), "/key"));
}

/// Returns the record that a key commits.
fn record() -> Record {
    struct Taking(State, Option<Record>);
    impl StateStore for &mut Taking {
        fn load(&mut self) -> Result<State, Error> {
            Ok(self.0.clone())
        }
        fn commit(&mut self, _: u64, _: &State, record: &Record) -> Result<(), Error> {
            self.1 = Some(*record);
            Ok(())
        }
    }
    let public = crate::fixture::key_generation().run().unwrap().verifying_key().clone();
    let id = sha256(&[&[0; 4], public.root(), public.seed()].concat());
    let mut taking = Taking(State::new(id, 0), None);
    SigningKey::with_store(generation(), 0..16, &mut taking).unwrap().try_sign(b"message").unwrap();
    let record = taking.1.unwrap();
    assert_eq!((record.first, record.count, record.digest), (0, 1, sha256(b"message")));
    record
}
