//! The generation of tests, and the lines that report to `xtask` which rows ran.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;

use hashlanes_aes::kernels::{self, AegisVerbs, Kernel, Row};
use hashlanes_isa::Features;
use hashlanes_testkit::cpu::Cpu;
use libtest_mimic::{Completion, Trial};

/// A row of AEGIS's table.
pub(crate) type Aegis = Kernel<AegisVerbs>;

/// The tests of this program.
#[derive(Default)]
pub(crate) struct Suite {
    pub(crate) trials: Vec<Trial>,
}

/// Tests of a row that began, and those that ended well.
static TESTS: Mutex<BTreeMap<&str, [usize; 2]>> = Mutex::new(BTreeMap::new());

fn count(kernel: &'static str, which: usize) {
    TESTS.lock().unwrap().entry(kernel).or_default()[which] += 1;
}

/// AEGIS's rows, whether this CPU can run them or not.
fn rows() -> impl Iterator<Item = Row> {
    kernels::every_row().filter(|(cipher, _)| *cipher == "aegis").map(|(_, row)| row)
}

/// Returns the features that the CPU lacks for a row.
fn lacks(row: &Row) -> String {
    let available = Features::available();
    let lacks = row.features.iter().filter(|name| !available.contains(Features::of(&[name])));
    format!("lacks {}", lacks.copied().collect::<Vec<_>>().join(" "))
}

impl Suite {
    /// A test by itself.
    pub(crate) fn one(&mut self, name: &str, body: impl FnOnce() + Send + 'static) {
        self.trials.push(Trial::test(name, || {
            body();
            Ok(())
        }));
    }

    /// A test that takes minutes: ignored unless requested.
    pub(crate) fn long(&mut self, name: &str, body: impl FnOnce() + Send + 'static) {
        let trial = Trial::test(format!("long::{name}"), || {
            body();
            Ok(())
        });
        // Replaces `#[ignore = "long: cargo xtask test --slow"]` of the standard harness.
        self.trials.push(trial.with_kind("long: cargo xtask test --slow").with_ignored_flag(true));
    }

    /// A test for each row; ignored, with the reason, where the CPU cannot run it.
    pub(crate) fn each_kernel(&mut self, module: &str, what: &str, body: fn(&'static Aegis)) {
        for row in rows() {
            self.trials.push(Trial::ignorable_test(format!("{module}::{}::{what}", row.name), move || {
                if !row.supported {
                    return Ok(Completion::ignored_with(lacks(&row)));
                }
                count(row.name, 0);
                body(kernels::aegis().find(|kernel| kernel.name() == row.name).expect("a supported row"));
                count(row.name, 1);
                Ok(Completion::Completed)
            }));
        }
    }
}

/// Appends what became of every row to the file that `HASHLANES_TEST_REPORT` names:
/// `aegis kernel cpu-level result reason`.
pub(crate) fn report() {
    let Some(path) = std::env::var_os("HASHLANES_TEST_REPORT") else { return };
    let mut lines = String::new();
    let tests = TESTS.lock().unwrap();
    for row in rows() {
        let outcome = match tests.get(row.name) {
            _ if !row.supported => format!("skipped {}", lacks(&row)),
            None => "skipped filtered out".to_owned(),
            Some([started, passed]) if started == passed => format!("ran {passed} tests"),
            Some([started, passed]) => format!("failed {} of {started} tests", started - passed),
        };
        writeln!(lines, "aegis {} {} {outcome}", row.name, std::env::consts::ARCH)
            .expect("a string takes all");
    }
    let file = std::fs::File::options().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    written.unwrap_or_else(|error| panic!("HASHLANES_TEST_REPORT={}: {error}", path.display()));
}

/// `n` random cases; fewer where features are masked and on an emulator.
pub(crate) fn cases(n: usize) -> usize {
    match Cpu::get() {
        Cpu::Whole => n,
        Cpu::Masked => n / 5,
        Cpu::Emulated => n / 20,
    }
}

/// Returns the step between lengths or bits: 1, but more where features are masked and on an emulator.
pub(crate) fn stride() -> usize {
    match Cpu::get() {
        Cpu::Whole => 1,
        Cpu::Masked => 3,
        Cpu::Emulated => 11,
    }
}

/// The seed of this run: `HASHLANES_TEST_SEED`, or always the same.
pub(crate) fn seed() -> u64 {
    let Ok(text) = std::env::var("HASHLANES_TEST_SEED") else { return 0x6165_6769_736c_616e };
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|error| panic!("HASHLANES_TEST_SEED={text}: {error}"))
}
