//! `hashlanes-prove`: proves the kernels in a program's machine code, and keeps the ledger of proofs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use hashlanes_prove::ledger::{Ledger, Line};
use hashlanes_prove::program::Program;
use hashlanes_prove::proof::{Entry, Proved, entries};

const USAGE: &str = "\
usage: hashlanes-prove PROGRAM [--part PART-OF-A-NAME] [--ledger FILE --prover HASH [--changed]]

  --ledger FILE   the page with the ledger, into which proofs are written
  --prover HASH   a hash of the prover, which is part of each entry's fingerprint
  --changed       proves only entries that the ledger has with another fingerprint, and writes nothing";

/// The arguments.
struct Arguments {
    program: PathBuf,
    part: String,
    ledger: Option<PathBuf>,
    prover: String,
    only_changed: bool,
}

fn main() -> ExitCode {
    let outcome = arguments().ok_or_else(|| USAGE.into()).and_then(|arguments| prove_some(&arguments));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("hashlanes-prove: {why}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Option<Arguments> {
    let mut words = std::env::args().skip(1);
    let mut arguments = Arguments {
        program: words.next()?.into(),
        part: String::new(),
        ledger: None,
        prover: String::new(),
        only_changed: false,
    };
    while let Some(word) = words.next() {
        match &*word {
            "--part" => arguments.part = words.next()?,
            "--ledger" => arguments.ledger = Some(words.next()?.into()),
            "--prover" => arguments.prover = words.next()?,
            "--changed" => arguments.only_changed = true,
            _ => return None,
        }
    }
    Some(arguments)
}

/// Proves the entries whose names hold the part; returns whether all were proved.
fn prove_some(arguments: &Arguments) -> Result<bool, String> {
    let Arguments { program: path, part, ledger: at, prover, only_changed } = arguments;
    let program = Program::open(path)?;
    let mut entries = entries(&program);
    let mut ledger = at.as_ref().map_or_else(|| Ok(Ledger::default()), |at| Ledger::open(at))?;
    let exists = |name: &String| entries.iter().any(|entry| entry.name == *name);
    ledger.lines.retain(|name, _| exists(name));
    entries.retain(|entry| entry.name.contains(part));
    if entries.is_empty() {
        return Err(format!("{}: no kernel's name holds \"{part}\"", path.display()));
    }
    without_exceptions(&mut entries);
    if *only_changed {
        without_proved(&program, &mut entries, &ledger, prover);
    }
    let all = prove(&program, &entries);
    println!("{} of {} entries proved", all.iter().flatten().count(), entries.len());
    if let Some(at) = at
        && !only_changed
    {
        record(&program, &entries, &all, (at, &mut ledger), prover)?;
    }
    Ok(all.iter().all(Option::is_some))
}

/// Removes exceptions, and prints them.
fn without_exceptions(entries: &mut Vec<Entry>) {
    entries.retain(|entry| match entry.exception() {
        Some(why) => {
            println!("{}: excepted: {why}", entry.name);
            false
        }
        None => true,
    });
}

/// Removes entries that the ledger has as they are, or does not have, and prints them.
fn without_proved(program: &Program, entries: &mut Vec<Entry>, ledger: &Ledger, prover: &str) {
    entries.retain(|entry| {
        let Some(line) = ledger.lines.get(&entry.name) else {
            println!("{}: excepted: no proof of it is recorded", entry.name);
            return false;
        };
        if entry.fingerprint(program, &line.proved.tables, prover).as_ref() != Some(&line.fingerprint) {
            return true;
        }
        println!("{}: proved before ({})", entry.name, line.proved);
        false
    });
}

/// Proves entries, a line each as they end; returns the proofs and their seconds.
fn prove(program: &Program, entries: &[Entry]) -> Vec<Option<(Proved, f64)>> {
    let (todo, done) = (Mutex::new(entries.iter().enumerate()), Mutex::new(Vec::new()));
    done.lock().expect("no thread panics").resize_with(entries.len(), || None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some((i, entry)) = todo.lock().expect("no thread panics").next() else { return };
                    let start = Instant::now();
                    let outcome = entry.prove(program);
                    let seconds = start.elapsed().as_secs_f64();
                    match outcome {
                        Ok(proved) => {
                            println!("{}: proved ({proved}) in {seconds:.1} s", entry.name);
                            done.lock().expect("no thread panics")[i] = Some((proved, seconds));
                        }
                        Err(why) => println!("{}: NOT PROVED: {why} in {seconds:.1} s", entry.name),
                    }
                }
            });
        }
    });
    done.into_inner().expect("no thread panics")
}

/// Writes proofs into the ledger, and removes entries that are not proved.
fn record(
    program: &Program,
    entries: &[Entry],
    all: &[Option<(Proved, f64)>],
    (at, ledger): (&Path, &mut Ledger),
    prover: &str,
) -> Result<(), String> {
    for (entry, proof) in entries.iter().zip(all) {
        let Some((proved, seconds)) = proof else {
            ledger.lines.remove(&entry.name);
            continue;
        };
        let fingerprint = entry.fingerprint(program, &proved.tables, prover);
        let fingerprint = fingerprint.ok_or_else(|| format!("{}: it has no fingerprint", entry.name))?;
        let is_as_before = ledger.lines.get(&entry.name).is_some_and(|line| line.fingerprint == fingerprint);
        if !is_as_before {
            let line = Line { fingerprint, proved: proved.clone(), seconds: format!("{seconds:.1}") };
            ledger.lines.insert(entry.name.clone(), line);
        }
    }
    ledger.save(at)
}
