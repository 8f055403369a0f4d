//! `hashlanes-prove PROGRAM [PART-OF-A-NAME]`: proves the kernels in a program's machine code.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hashlanes_prove::program::Program;
use hashlanes_prove::proof::{Entry, entries};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(|argument| &**argument).collect();
    let outcome = match arguments[..] {
        [program] => prove_some(Path::new(program), ""),
        [program, part] => prove_some(Path::new(program), part),
        _ => Err("usage: hashlanes-prove PROGRAM [PART-OF-A-NAME]".into()),
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
    Ok(prove(&program, &entries) == entries.len())
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

/// Proves entries, a line each as they end; returns how many are proved.
fn prove(program: &Program, entries: &[Entry]) -> usize {
    let (todo, n_proved) = (Mutex::new(entries.iter()), AtomicUsize::new(0));
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
                            n_proved.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(why) => println!("{}: NOT PROVED: {why} in {seconds:.1} s", entry.name),
                    }
                }
            });
        }
    });
    let n_proved = n_proved.into_inner();
    println!("{n_proved} of {} entries proved", entries.len());
    n_proved
}
