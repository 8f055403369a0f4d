//! The table at the end of a run: the result of every row, and the rows that must have run.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;

use hashlanes_isa::{Features, Row};

use crate::table::Table;

/// Tests of a row.
#[derive(Clone, Copy, Default)]
struct Tests {
    started: usize,
    passed: usize,
}

/// By hash and kernel.
static TESTS: Mutex<BTreeMap<(&str, &str), Tests>> = Mutex::new(BTreeMap::new());

/// A test of a row begins.
pub fn started(hash: &'static str, kernel: &'static str) {
    TESTS.lock().unwrap().entry((hash, kernel)).or_default().started += 1;
}

/// A test of a row ended well.
pub fn passed(hash: &'static str, kernel: &'static str) {
    TESTS.lock().unwrap().entry((hash, kernel)).or_default().passed += 1;
}

/// Returns the features that the CPU lacks for a row.
pub fn lacks(row: &Row) -> String {
    let available = Features::available();
    let lacks = row.features.iter().filter(|name| !available.contains(Features::of(&[name])));
    format!("lacks {}", lacks.copied().collect::<Vec<_>>().join(" "))
}

/// The result of a row.
enum Outcome {
    Ran(usize),
    Failed(Tests),
    NotRun,
    Skipped(String),
}

impl Outcome {
    fn of(hash: &'static str, row: &Row) -> Outcome {
        if !row.supported {
            return Outcome::Skipped(lacks(row));
        }
        match TESTS.lock().unwrap().get(&(hash, row.name)) {
            None => Outcome::NotRun,
            Some(tests) if tests.passed == tests.started => Outcome::Ran(tests.passed),
            Some(tests) => Outcome::Failed(*tests),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ran(tests) => write!(f, "ran {tests} tests"),
            Outcome::Failed(Tests { started, passed }) => {
                write!(f, "failed {} of {started} tests", started - passed)
            }
            Outcome::NotRun => f.write_str("skipped filtered out"),
            Outcome::Skipped(reason) => write!(f, "skipped {reason}"),
        }
    }
}

/// Returns the CPU's level, without masked features: the psABI's name, judged by the features that these
/// kernels use, and the extensions beyond it.
fn cpu_level() -> String {
    let has = |names: &[&str]| Features::available().contains(Features::of(names));
    if !cfg!(target_arch = "x86_64") {
        return std::env::consts::ARCH.to_owned();
    }
    let level = if has(&["avx512f", "avx512bw", "avx512vl"]) {
        "x86-64-v4"
    } else if has(&["avx2", "bmi1", "bmi2"]) {
        "x86-64-v3"
    } else if has(&["ssse3", "sse4.1"]) {
        "x86-64-v2"
    } else {
        "x86-64"
    };
    if has(&["sha"]) { format!("{level}+sha") } else { level.to_owned() }
}

/// Prints the table of the results of `rows`, each with its hash, appends it to `HASHLANES_TEST_REPORT`, and
/// checks that the kernels in `HASHLANES_REQUIRE` ran.
pub fn close(rows: &[(&'static str, Row)]) -> ExitCode {
    let level = cpu_level();
    let mut table = Table::new(["hash", "kernel", "CPU level", "result"]);
    let mut lines = String::new();
    for (hash, row) in rows {
        let outcome = Outcome::of(hash, row).to_string();
        writeln!(lines, "{hash} {} {level} {outcome}", row.name).expect("a string takes all");
        table.row([*hash, row.name, &level, &outcome]);
    }
    println!("{table}");
    if let Some(path) = std::env::var_os("HASHLANES_TEST_REPORT") {
        let file = std::fs::File::options().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.unwrap_or_else(|error| panic!("HASHLANES_TEST_REPORT={}: {error}", path.display()));
    }
    match required(rows, &std::env::var("HASHLANES_REQUIRE").unwrap_or_default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

/// Checks that the kernels in `list` (`sha256:avx2-x8`, separated by commas) ran.
fn required(rows: &[(&'static str, Row)], list: &str) -> Result<(), String> {
    for wish in list.split(',').filter(|wish| !wish.is_empty()) {
        let is_wished = |(hash, row): &&(&str, Row)| wish.split_once(':') == Some((*hash, row.name));
        let Some((hash, row)) = rows.iter().find(is_wished) else {
            let names = rows.iter().map(|(hash, row)| format!("{hash}:{}", row.name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(format!("HASHLANES_REQUIRE: unknown kernel {wish:?}; expected one of {names}"));
        };
        match Outcome::of(hash, row) {
            Outcome::Ran(1..) => {}
            outcome => return Err(format!("HASHLANES_REQUIRE: {wish} did not run: {outcome}")),
        }
    }
    Ok(())
}
