//! The generation of tests: one for each row of a table, or one for a cipher.

use hashlanes_aes::kernels::{AesVerbs, Kernel, Row, aes_table};
use hashlanes_testkit::cpu::Cpu;
use hashlanes_testkit::report;
use libtest_mimic::{Completion, Trial};

use crate::child;

/// The tests of this program.
#[derive(Default)]
pub(crate) struct Suite {
    trials: Vec<Trial>,
    module: &'static str,
}

impl Suite {
    /// The tests of a module follow; their names begin with its name.
    pub(crate) fn begin(&mut self, module: &'static str) {
        self.module = module;
    }

    /// A test by itself.
    pub(crate) fn one(&mut self, of: &str, what: &str, body: impl FnOnce() + Send + 'static) {
        self.trials.push(Trial::test(format!("{}::{of}::{what}", self.module), || {
            body();
            Ok(())
        }));
    }

    /// A test that takes minutes: ignored unless requested.
    pub(crate) fn long(&mut self, of: &str, what: &str, body: impl FnOnce() + Send + 'static) {
        let trial = Trial::test(format!("{}::{of}::{what}", self.module), || {
            body();
            Ok(())
        });
        // Replaces `#[ignore = "long: cargo xtask test --slow"]` of the standard harness.
        self.trials.push(trial.with_kind("long: cargo xtask test --slow").with_ignored_flag(true));
    }

    /// A test for each row of AES's table; ignored, with the reason, where the CPU cannot run the row.
    pub(crate) fn each_kernel(&mut self, what: &str, body: fn(&'static Kernel<AesVerbs>)) {
        for row in aes_table().rows() {
            let name = format!("{}::aes::{}::{what}", self.module, row.name);
            self.supported("aes", row, name, move || {
                body(aes_table().named(row.name).expect("a supported row"));
            });
        }
    }

    /// Like [`Suite::each_kernel`], each in a process of its own: one that the system kills is one test that
    /// failed.
    pub(crate) fn each_kernel_apart(&mut self, what: &str, body: fn(&'static Kernel<AesVerbs>)) {
        for row in aes_table().rows() {
            let name = format!("{}::aes::{}::{what}", self.module, row.name);
            let again = name.clone();
            self.supported("aes", row, name, move || match child::runs_here() {
                true => body(aes_table().named(row.name).expect("a supported row")),
                false => child::apart(&again),
            });
        }
    }

    /// A test of a row; ignored, with the reason, where the CPU cannot run it.
    pub(crate) fn supported(
        &mut self,
        cipher: &'static str,
        row: Row,
        name: String,
        body: impl FnOnce() + Send + 'static,
    ) {
        self.trials.push(Trial::ignorable_test(name, move || {
            if !row.supported {
                return Ok(Completion::ignored_with(report::lacks(&row)));
            }
            report::started(cipher, row.name);
            body();
            report::passed(cipher, row.name);
            Ok(Completion::Completed)
        }));
    }

    /// The tests, for the harness.
    pub(crate) fn into_trials(self) -> Vec<Trial> {
        self.trials
    }
}

/// `n` random cases; fewer where features are masked and on an emulator.
pub(crate) fn cases(n: usize) -> usize {
    match Cpu::get() {
        Cpu::Whole => n,
        Cpu::Masked => n / 5,
        Cpu::Emulated => n / 20,
    }
}

/// The seed of this run's random cases: `HASHLANES_TEST_SEED`, or always the same.
pub(crate) fn seed() -> u64 {
    let Ok(text) = std::env::var("HASHLANES_TEST_SEED") else { return 0x6861_7368_6c61_6e65 };
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|error| panic!("HASHLANES_TEST_SEED={text}: {error}"))
}
