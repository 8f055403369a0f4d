//! Faults 1 to 5, 17 and 18: every call of every operation fails, processes only a part, or is the last one
//! before a kill.

use std::io::Write;

use hashlanes_hbs::store::Error;

use crate::ledger::{Key, Ledger, OF_A_TREE, SIGNATURES, generation, generation_of_layers, place};
use crate::simulated::{After, Disk, EDQUOT, EINTR, EIO, ENOSPC, EROFS, Fault, Keeps, Simulated};

/// An operation under test; records its released signatures in the ledger.
struct Operation {
    name: &'static str,
    run: fn(&Simulated, &mut Ledger) -> Result<(), Error>,
    /// Directories where keys may be afterwards.
    keys: &'static [&'static str],
}

fn open(simulated: &Simulated, path: &str, window: u64) -> Result<Key, Error> {
    place(simulated, path).window(window).witness("/witness").open()
}

/// Signs with a window of `window` indices, and more messages than that.
fn signs(simulated: &Simulated, ledger: &mut Ledger, window: u64, messages: usize) -> Result<(), Error> {
    let mut key = open(simulated, "/key", window)?;
    (0..messages).try_for_each(|_| ledger.sign(&mut key).map(drop))
}

const SIGN: Operation =
    Operation { name: "sign", run: |simulated, ledger| signs(simulated, ledger, 1, 2), keys: &["/key"] };

/// The operations on an existing key.
const OPERATIONS: &[Operation] = &[
    SIGN,
    Operation {
        name: "sign, window 2",
        run: |simulated, ledger| signs(simulated, ledger, 2, 3),
        keys: &["/key"],
    },
    Operation {
        name: "sign, window 64",
        run: |simulated, ledger| signs(simulated, ledger, 64, 1),
        keys: &["/key"],
    },
    Operation {
        name: "sign many",
        run: |simulated, ledger| {
            let mut key = open(simulated, "/key", 1)?;
            let messages = [b"one", b"two", b"six"];
            let signatures = key.sign_many(&mut messages.map(|message| message.into()))?;
            for (message, signature) in messages.into_iter().zip(signatures) {
                ledger.enter(&key.verifying_key().clone(), message, &signature?);
            }
            Ok(())
        },
        keys: &["/key"],
    },
    Operation {
        name: "advance",
        run: |simulated, ledger| {
            let mut key = open(simulated, "/key", 1)?;
            key.advance_to(6)?;
            ledger.sign(&mut key).map(drop)
        },
        keys: &["/key"],
    },
    Operation {
        name: "split",
        run: |simulated, ledger| {
            let mut key = open(simulated, "/key", 2)?;
            ledger.sign(&mut key)?;
            key.split(3, &place(simulated, "/part"))?;
            ledger.sign(&mut key)?;
            ledger.sign(&mut place(simulated, "/part").open()?).map(drop)
        },
        keys: &["/key", "/part"],
    },
    Operation {
        name: "adopt",
        run: |simulated, ledger| {
            simulated.set_machine(b"another machine");
            let mut key = place(simulated, "/key").witness("/witness").adopt(0)?;
            ledger.sign(&mut key).map(drop)
        },
        keys: &["/key"],
    },
];

const CREATE: Operation = Operation {
    name: "create",
    run: |simulated, ledger| {
        let mut key = place(simulated, "/key").witness("/witness").create(generation())?;
        ledger.sign(&mut key).map(drop)
    },
    keys: &["/key"],
};

/// The possible contents of the disk after each fault.
const FAULTS: &[(Fault, &[After])] = {
    const ALL: &[After] = &[After::Everything, After::Synced, After::SyncedBytes, After::SyncedNames];
    const SOME: &[After] = &[After::Everything, After::Synced];
    &[
        (Fault::Kill, ALL),
        (Fault::Once(EIO), SOME),
        (Fault::Once(EINTR), &[After::Synced]),
        (Fault::Once(EDQUOT), &[After::Synced]),
        (Fault::Always(ENOSPC), &[After::Synced]),
        (Fault::Always(EROFS), &[After::Synced]),
        (Fault::Short, &[After::Synced]),
    ]
};

/// The results of an operation.
#[derive(Default)]
struct Count {
    cases: u64,
    reused: u64,
    lost: u64,
    /// The first fault that was found.
    wrong: Option<String>,
}

impl Count {
    /// Runs an operation on the content of `disk`, with a fault at every call of it, one after the other.
    fn add(&mut self, operation: &Operation, disk: &Disk, before: &Ledger) {
        for (fault, afters) in FAULTS {
            for at in 0.. {
                let simulated = Simulated::with(disk);
                simulated.plan(at, *fault);
                let mut ledger = before.clone();
                let result = (operation.run)(&simulated, &mut ledger);
                if !simulated.has_failed() {
                    result.unwrap_or_else(|error| panic!("{} without a fault: {error}", operation.name));
                    break;
                }
                for after in *afters {
                    let (simulated, mut ledger) = (simulated.fork(), ledger.clone());
                    simulated.restart(*after);
                    let lost = continues(operation, &simulated, &mut ledger);
                    self.cases += 1;
                    self.reused += ledger.reused.len() as u64;
                    self.lost += u64::from(lost.is_some());
                    if self.wrong.is_none() && (lost.is_some() || !ledger.reused.is_empty()) {
                        let what = (operation.name, fault, after, at, &ledger.reused, lost, &result);
                        self.wrong = Some(format!("{what:?} {:?}", simulated.take_trace()));
                    }
                }
            }
        }
    }

    fn print(self, what: &str) {
        let Self { cases, reused, lost, wrong } = self;
        let mut out = std::io::stdout();
        writeln!(out, "{what}: {cases} cases, {reused} reused, {lost} keys lost").unwrap();
        assert!(reused == 0 && lost == 0 && cases > 0, "{}", wrong.unwrap_or_default());
    }
}

/// Checks that after a restart every key signs, or its generation continues. Returns the fault otherwise.
fn continues(operation: &Operation, simulated: &Simulated, ledger: &mut Ledger) -> Option<String> {
    for path in operation.keys {
        let here = place(simulated, path).witness("/witness");
        // A part has no witness, because the witness belongs to the whole key.
        let here = if *path == "/part" { place(simulated, path) } else { here };
        let opened = match here.open() {
            Err(Error::Unfinished(_)) => {
                let unfinished = here.unfinished().unwrap().unwrap();
                here.create(unfinished)
            }
            // Only the directory was created, without data that could be lost.
            Err(Error::NoKey(_)) if *path == "/part" => continue,
            // Nothing depends on the seeds yet, and the same command creates the key.
            Err(Error::NoKey(_)) if operation.name == "create" && ledger.len() == 0 => {
                here.create(generation())
            }
            Err(Error::Moved { .. }) if operation.name == "adopt" => here.adopt(0),
            // Without birth times, truncating a record changes the file that distinguishes copies: the user
            // has to decide.
            Err(Error::Moved { what: "the file state" }) if simulated.keeps() != Keeps::ALL => here.adopt(0),
            result => result,
        };
        let mut key = match opened {
            Ok(key) => key,
            Err(error) => return Some(format!("{path}: {error}")),
        };
        // A reused index would show as the first one.
        match ledger.sign(&mut key) {
            Ok(_) | Err(Error::Exhausted { .. }) => {}
            Err(error) => return Some(format!("{path}: {error}")),
        }
    }
    None
}

/// A key that signed once, with a witness.
fn used_key() -> (Disk, Ledger) {
    used_key_on(Keeps::ALL)
}

fn used_key_on(keeps: Keeps) -> (Disk, Ledger) {
    let (simulated, mut ledger) = (Simulated::keeping(keeps), Ledger::default());
    (CREATE.run)(&simulated, &mut ledger).unwrap();
    (simulated.disk(), ledger)
}

#[test]
fn no_index_is_used_twice_after_a_fault_at_any_call() {
    let (disk, ledger) = used_key();
    let mut count = Count::default();
    for operation in OPERATIONS {
        count.add(operation, &disk, &ledger);
    }
    count.print("faults in sign, advance, split, adopt");
}

#[test]
fn no_index_is_used_twice_after_a_fault_on_poor_file_systems() {
    let mut count = Count::default();
    for keeps in [Keeps::CHANGES, Keeps::BOTH, Keeps::NOTHING] {
        let (disk, ledger) = used_key_on(keeps);
        count.add(&SIGN, &disk, &ledger);
    }
    count.print("faults in sign, without birth times");
}

/// The files of growing and replaced trees are also subject to these faults.
#[test]
fn no_index_is_used_twice_across_trees_after_a_fault_at_any_call() {
    let (simulated, mut ledger) = (Simulated::new(), Ledger::default());
    let mut key = place(&simulated, "/key").witness("/witness").create(generation_of_layers()).unwrap();
    key.advance_to(OF_A_TREE - 4).unwrap();
    ledger.sign_some(&mut key, 3);
    drop(key);
    let mut count = Count::default();
    count.add(&SIGN, &simulated.disk(), &ledger);
    count.print("faults in sign, over a tree's end");
}

#[test]
fn no_key_is_lost_after_a_fault_at_any_call_of_its_generation() {
    let mut count = Count::default();
    count.add(&CREATE, &Simulated::new().disk(), &Ledger::default());
    count.print("faults in create");
}

/// A crash during the cleanup after a crash.
#[test]
fn no_index_is_used_twice_after_two_kills() {
    let (disk, ledger) = used_key();
    let mut count = Count::default();
    for first in 0.. {
        let (simulated, mut ledger) = (Simulated::with(&disk), ledger.clone());
        simulated.plan(first, Fault::Kill);
        let _ = (SIGN.run)(&simulated, &mut ledger);
        if !simulated.has_failed() {
            break;
        }
        simulated.restart(if first % 2 == 0 { After::Synced } else { After::Everything });
        // The critical calls: from the commit on.
        let from = (simulated.calls() / 2).saturating_sub(first % 7);
        for second in (from..from + 40).step_by(3) {
            let again = simulated.fork();
            let mut ledger = ledger.clone();
            again.plan(second, Fault::Kill);
            let _ = (SIGN.run)(&again, &mut ledger);
            again.restart(After::Synced);
            count.cases += 1;
            let lost = continues(&SIGN, &again, &mut ledger);
            count.reused += ledger.reused.len() as u64;
            count.lost += u64::from(lost.is_some());
            count.wrong = count.wrong.or(lost);
        }
    }
    count.print("two kills");
}

/// Windows of 1, 2, 64 and more indices than are left; the process is killed after each signature.
#[test]
fn windows_are_burned_when_the_process_dies() {
    for window in [1, 2, 3, 64] {
        let (disk, mut ledger) = used_key();
        let simulated = Simulated::with(&disk);
        let mut expected = 1;
        for signatures in 1_u64.. {
            let mut key = open(&simulated, "/key", window).unwrap();
            if key.left() == 0 {
                assert!(matches!(key.try_sign(b"message"), Err(Error::Exhausted { end: SIGNATURES })));
                break;
            }
            for _ in 0..signatures.min(key.left()) {
                ledger.sign(&mut key).unwrap();
            }
            // Whole windows are lost.
            let n_windows = signatures.min(SIGNATURES - expected).div_ceil(window);
            expected = (expected + n_windows * window).min(SIGNATURES);
            drop(key);
            simulated.restart(After::Synced);
            assert_eq!(place(&simulated, "/key").status().unwrap().next, expected, "window {window}");
        }
        assert!(ledger.reused.is_empty());
    }
}

/// A process killed in the middle of a batch reports nothing; one that lives on reports the burned indices.
#[test]
fn errors_after_the_commit_name_the_index() {
    let (disk, _) = used_key();
    let simulated = Simulated::with(&disk);
    let mut key = open(&simulated, "/key", 1).unwrap();
    /// A file that shrinks after its first reading.
    struct Changing(u32);
    impl std::io::Read for Changing {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 == 1 {
                to[0] = 1;
                return Ok(1);
            }
            Ok(0)
        }
    }
    impl std::io::Seek for Changing {
        fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
            Ok(0)
        }
    }
    let error = key.try_sign(&mut Changing(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "message 0: it changed while it was signed; index 1 is burned: it has no signature and is not used again"
    );
    assert_eq!(error.class(), hashlanes_hbs::store::Class::Burned);
    assert_eq!(key.next_index(), 2);
    let signature = key.try_sign(b"the next one").unwrap();
    assert_eq!(key.verifying_key().index_of(signature.as_ref()), Ok(2));
}
