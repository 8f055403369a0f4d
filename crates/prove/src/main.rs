//! `hashlanes-prove PROGRAM [PART-OF-A-NAME]`: proves the kernels in a program's machine code.
//!
//! `--changed LEDGER PROGRAM` proves those whose machine code the ledger does not have; `--record LEDGER
//! PROGRAM [PART-OF-A-NAME]` also adds them to it.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use hashlanes_prove::ledger::{self, Ledger, Record};
use hashlanes_prove::program::Program;
use hashlanes_prove::proof::{Entry, entries};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(|argument| &**argument).collect();
    let outcome = match arguments[..] {
        ["--record", ledger, program] => record(Path::new(ledger), Path::new(program), ""),
        ["--record", ledger, program, part] => record(Path::new(ledger), Path::new(program), part),
        ["--changed", ledger, program] => prove_changed(Path::new(ledger), Path::new(program)),
        [program] => prove_some(Path::new(program), ""),
        [program, part] => prove_some(Path::new(program), part),
        _ => {
            Err("usage: hashlanes-prove [--record LEDGER | --changed LEDGER] PROGRAM [PART-OF-A-NAME]".into())
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("hashlanes-prove: {why}");
            ExitCode::from(2)
        }
    }
}

/// Proves the entries whose names hold `part`; whether all were proved.
fn prove_some(path: &Path, part: &str) -> Result<bool, String> {
    let program = Program::open(path)?;
    let mut entries = entries(&program);
    entries.retain(|entry| entry.name.contains(part));
    if entries.is_empty() {
        return Err(format!("{}: no kernel's name holds \"{part}\"", path.display()));
    }
    without_exceptions(&mut entries);
    Ok(prove(&program, &entries, |_, _| {}) == entries.len())
}

/// Proves the entries whose names hold `part` and that the ledger lacks, and adds them to it.
fn record(path: &Path, program: &Path, part: &str) -> Result<bool, String> {
    let program = Program::open(program)?;
    let mut ledger = Ledger {
        rustc: program.compiler().unwrap_or("unknown").into(),
        prover: ledger::hash_of_prover()?,
        ..Ledger::default()
    };
    let mut entries = entries(&program);
    without_exceptions(&mut entries);
    if let Ok(before) = Ledger::read(path)
        && (&before.rustc, &before.prover) == (&ledger.rustc, &ledger.prover)
    {
        ledger.records = before.records;
        let is_current = |name: &str, record: &Record| {
            entries.iter().any(|entry| entry.name == name && entry.hash(&program).0 == record.hash)
        };
        ledger.records.retain(|name, record| is_current(name, record));
    }
    entries.retain(|entry| entry.name.contains(part) && !ledger.records.contains_key(&entry.name));
    // Written after each, so that what was proved is recorded even if the rest is not waited for.
    let mut written = ledger.write(path);
    let n_proved = prove(&program, &entries, |entry, figures| {
        let (hash, _) = entry.hash(&program);
        ledger.records.insert(entry.name.clone(), Record { hash, figures });
        written = ledger.write(path);
    });
    written?;
    Ok(n_proved == entries.len())
}

/// Proves the entries that the ledger lacks.
fn prove_changed(path: &Path, program: &Path) -> Result<bool, String> {
    let (recorded, program) = (Ledger::read(path)?, Program::open(program)?);
    let mut entries = entries(&program);
    without_exceptions(&mut entries);
    let compiler = program.compiler().unwrap_or("unknown");
    if compiler != recorded.rustc {
        println!(
            "compiled rows are those of {compiler}, and were proved for {}: only rows in assembly are proved",
            recorded.rustc
        );
        entries.retain(|entry| entry.hash(&program).1);
    }
    if ledger::hash_of_prover()? == recorded.prover {
        let is_recorded = |entry: &Entry| {
            recorded.records.get(&entry.name).is_some_and(|record| record.hash == entry.hash(&program).0)
        };
        let n = entries.len();
        entries.retain(|entry| !is_recorded(entry));
        println!("{} entries are as recorded", n - entries.len());
    } else {
        println!("the prover is not the one of the ledger");
    }
    Ok(prove(&program, &entries, |_, _| {}) == entries.len())
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

/// Proves entries, a line each as they end; returns how many are proved, and reports each with its figures.
fn prove(program: &Program, entries: &[Entry], report: impl FnMut(&Entry, String) + Send) -> usize {
    let (todo, proved) = (Mutex::new(entries.iter()), Mutex::new((0, report)));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(entry) = todo.lock().expect("no thread panics").next() else { return };
                    let start = Instant::now();
                    let outcome = entry.prove(program);
                    let seconds = start.elapsed().as_secs_f64();
                    match outcome {
                        Ok(figures) => {
                            println!("{}: proved ({figures}) in {seconds:.1} s", entry.name);
                            let figures = format!("{figures}, {seconds:.1} s");
                            let mut proved = proved.lock().expect("no thread panics");
                            proved.0 += 1;
                            (proved.1)(entry, figures);
                        }
                        Err(why) => println!("{}: NOT PROVED: {why} in {seconds:.1} s", entry.name),
                    }
                }
            });
        }
    });
    let (n_proved, _) = proved.into_inner().expect("no thread panics");
    println!("{n_proved} of {} entries proved", entries.len());
    n_proved
}
