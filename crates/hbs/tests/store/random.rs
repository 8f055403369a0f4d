//! Fault 21: random sequences of signing, killing, restarting, splitting, advancing and restoring, against a
//! model.
//!
//! The model: an index is released at most once, by any part of the key; a directory's next index never goes
//! down; the number of indices left never exceeds the number that the model has not seen used.

use std::io::Write;
use std::ops::Range;

use hashlanes_hbs::store::{Error, KeyGeneration};
use hashlanes_hbs::{ParameterSet, Scheme};

use crate::ledger::{Key, Ledger, place};
use crate::simulated::{After, EDQUOT, EIO, ENOSPC, Fault, Simulated};

/// A part of the key.
struct Part {
    path: String,
    range: Range<u64>,
    /// The highest next index that was ever seen.
    next: u64,
    open: Option<Key>,
    copy: Copy,
}

/// Whether a directory is a copy that must be refused until it is adopted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copy {
    No,
    Yes,
    /// A fault came while it was adopted.
    Perhaps,
}

struct Model {
    simulated: Simulated,
    ledger: Ledger,
    parts: Vec<Part>,
    seed: u64,
    random: u64,
    refused: u64,
    kills: u64,
}

impl Model {
    fn new(seed: u64) -> Self {
        let simulated = Simulated::new();
        let set = ParameterSet::of_height(Scheme::XmssMt, 24, 6, 3);
        let generation = KeyGeneration::new(set, &[8; 72]).unwrap();
        drop(place(&simulated, "/0").witness("/witness-0").create(generation).unwrap());
        let part = Part { path: "/0".into(), range: 0..64, next: 0, open: None, copy: Copy::No };
        Self {
            simulated,
            ledger: Ledger::default(),
            parts: vec![part],
            seed,
            random: seed * 2 + 1,
            refused: 0,
            kills: 0,
        }
    }

    /// xorshift64*, Vigna 2014.
    fn below(&mut self, n: u64) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    /// Opens a part, unless it is open.
    fn open(&mut self, which: usize) -> bool {
        let window = 1 + self.below(4);
        let part = &mut self.parts[which];
        if part.open.is_some() {
            return true;
        }
        let here = place(&self.simulated, &part.path).witness(format!("/witness-{which}")).window(window);
        let opened = match here.open() {
            Err(error @ (Error::Moved { .. } | Error::RolledBack { .. })) => {
                let (path, trace) = (&part.path, self.simulated.take_trace());
                assert!(
                    part.copy != Copy::No,
                    "seed {}, {path}: {error} {:?}",
                    self.seed,
                    &trace[trace.len().saturating_sub(150)..]
                );
                self.refused += 1;
                part.copy = Copy::Perhaps;
                // The adopting user must know which indices were used; the model does.
                here.adopt(part.next)
            }
            result => {
                assert!(
                    part.copy != Copy::Yes || result.is_err(),
                    "{}: restored, and not refused",
                    part.path
                );
                result
            }
        };
        match opened {
            Ok(key) => {
                assert!(
                    key.next_index() >= part.next || self.simulated.has_died(),
                    "{} went back",
                    part.path
                );
                assert_eq!(key.range(), part.range);
                part.copy = Copy::No;
                part.open = Some(key);
                true
            }
            // The planned fault came.
            Err(_) if self.simulated.has_failed() => false,
            Err(error) => panic!("{}: {error}", part.path),
        }
    }

    fn seen(&mut self, which: usize) {
        let part = &mut self.parts[which];
        if let Some(key) = &part.open {
            part.next = part.next.max(key.next_index());
        }
    }

    /// The process dies, or the power fails.
    fn restart(&mut self) {
        let after = [After::Everything, After::Synced, After::SyncedBytes, After::SyncedNames];
        let after = after[self.below(4) as usize];
        for which in 0..self.parts.len() {
            self.seen(which);
            self.parts[which].open = None;
        }
        self.simulated.restart(after);
        self.kills += 1;
    }

    fn step(&mut self) {
        let which = self.below(self.parts.len() as u64) as usize;
        let action = self.below(10);
        if action < 2 && !self.simulated.has_failed() {
            let faults =
                [Fault::Kill, Fault::Kill, Fault::Once(EIO), Fault::Always(ENOSPC), Fault::Once(EDQUOT)];
            let (at, fault) = (self.below(60), faults[self.below(5) as usize]);
            self.simulated.plan(at, fault);
        }
        if action == 2 {
            return self.restart();
        }
        if action == 3 {
            return self.restore(which);
        }
        if self.open(which) {
            self.use_key(which, action);
            self.seen(which);
        }
        if self.simulated.has_failed() && self.below(2) == 0 {
            self.restart();
        }
    }

    fn use_key(&mut self, which: usize, action: u64) {
        let far = self.below(3) + 1;
        let n_parts = self.parts.len();
        let Part { open, path, .. } = &mut self.parts[which];
        let key = open.as_mut().expect("it was opened");
        let result = match action {
            4 if n_parts < 6 => {
                let child = format!("/{n_parts}");
                let here = place(&self.simulated, &child).witness(format!("/witness-{n_parts}"));
                let status = place(&self.simulated, path).status();
                let result = key.split(4 * far, &here);
                if let (Ok(()), Ok(status)) = (&result, status) {
                    let range = status.next..status.next + 4 * far;
                    let next = range.start;
                    self.parts.push(Part { path: child, range, next, open: None, copy: Copy::No });
                } else {
                    // A second attempt removes the leftovers of the first.
                    self.simulated.remove(&child, false);
                    self.simulated.remove(&format!("/witness-{n_parts}"), false);
                }
                result
            }
            5 => key.advance_to((key.next_index() + far).min(key.range().end)),
            6 => {
                *open = None;
                Ok(())
            }
            _ => self.ledger.sign(key).map(drop),
        };
        let is_allowed = |error: &Error| {
            matches!(error, Error::Exhausted { .. } | Error::TooFewLeft { .. }) || self.simulated.has_failed()
        };
        if let Err(error) = result {
            assert!(is_allowed(&error), "{error}");
        }
    }

    /// Copies a directory, without its witness, to its present place, like a restored backup.
    fn restore(&mut self, which: usize) {
        self.seen(which);
        let part = &mut self.parts[which];
        part.open = None;
        let path = part.path.clone();
        self.simulated.copy(&path, &path);
        part.copy = Copy::Yes;
    }
}

fn sequences(seeds: Range<u64>, steps: u64, what: &str) {
    let (mut signatures, mut refused, mut kills, mut reused) = (0, 0, 0, 0);
    for seed in seeds.clone() {
        let mut model = Model::new(seed);
        for _ in 0..steps {
            model.step();
            assert!(model.ledger.reused.is_empty(), "seed {seed}: {:?}", model.ledger.reused);
        }
        signatures += model.ledger.len();
        reused += model.ledger.reused.len();
        (refused, kills) = (refused + model.refused, kills + model.kills);
    }
    let n = seeds.end - seeds.start;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{what}: {n} sequences of {steps} steps, {signatures} signatures, {kills} kills, {refused} copies refused, {reused} \
         reused, 0 keys lost"
    )
    .unwrap();
    assert!(signatures > 0 && refused > 0 && kills > 0);
}

#[test]
fn random_sequences_never_use_an_index_twice() {
    sequences(0..30, 60, "random");
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn many_random_sequences_never_use_an_index_twice() {
    sequences(1000..2500, 200, "random, long");
}
