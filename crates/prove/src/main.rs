//! `hashlanes-prove PROGRAM [PART-OF-A-NAME]`: proves the kernels in a program's machine code.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use hashlanes_prove::program::Program;
use hashlanes_prove::proof::entries;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, part) = match &arguments[..] {
        [path] => (path, ""),
        [path, part] => (path, &**part),
        _ => {
            eprintln!("usage: hashlanes-prove PROGRAM [PART-OF-A-NAME]");
            return ExitCode::from(2);
        }
    };
    match run(Path::new(path), part) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("hashlanes-prove: {why}");
            ExitCode::from(2)
        }
    }
}

/// Proves the entries whose names hold `part`, a line each as they end; whether all were proved.
fn run(path: &Path, part: &str) -> Result<bool, String> {
    let program = Program::open(path)?;
    let mut entries = entries(&program);
    entries.retain(|entry| entry.name.contains(part));
    if entries.is_empty() {
        return Err(format!("{}: no kernel's name holds \"{part}\"", path.display()));
    }
    let (n, todo) = (entries.len(), Mutex::new(entries.iter()));
    let n_proved = Mutex::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(entry) = todo.lock().expect("no thread panics").next() else { return };
                    let start = Instant::now();
                    let outcome = entry.prove(&program);
                    *n_proved.lock().expect("no thread panics") += usize::from(outcome.is_ok());
                    let outcome = match outcome {
                        Ok(proved) => format!("proved ({proved})"),
                        Err(why) => format!("NOT PROVED: {why}"),
                    };
                    println!("{}: {outcome} in {:.1} s", entry.name, start.elapsed().as_secs_f64());
                }
            });
        }
    });
    let n_proved = n_proved.into_inner().expect("no thread panics");
    println!("{n_proved} of {n} entries proved");
    Ok(n_proved == n)
}
