//! The generation of tests: one for each row of a table, or one for a hash.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hashlanes_sha::keccak;
use hashlanes_sha::kernels::{Kernel, Row};
use hashlanes_testkit::cpu::Cpu;
use hashlanes_testkit::report;
use libtest_mimic::{Completion, Trial};

use crate::child;
use crate::hashes::Tested;

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

    /// Like [`Suite::one`], in a process of its own.
    pub(crate) fn one_apart(&mut self, of: &str, what: &str, body: fn()) {
        let name = format!("{}::{of}::{what}", self.module);
        self.one(of, what, move || if child::runs_here() { body() } else { child::apart(&name) });
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

    /// A test for each row of `F`'s table; ignored, with the reason, where the CPU cannot run the row.
    pub(crate) fn each_kernel<F: Tested>(&mut self, of: &str, what: &str, body: fn(&'static Kernel<F>)) {
        for row in F::table().rows() {
            let name = format!("{}::{of}::{}::{what}", self.module, row.name);
            self.row::<F>(row, name, body);
        }
    }

    /// Like [`Suite::each_kernel`], each in a process of its own: one that the system kills is one test that
    /// failed.
    pub(crate) fn each_kernel_apart<F: Tested>(
        &mut self,
        of: &str,
        what: &str,
        body: fn(&'static Kernel<F>),
    ) {
        for row in F::table().rows() {
            let name = format!("{}::{of}::{}::{what}", self.module, row.name);
            let again = name.clone();
            self.row::<F>(
                row,
                name,
                move |kernel| if child::runs_here() { body(kernel) } else { child::apart(&again) },
            );
        }
    }

    fn row<F: Tested>(
        &mut self,
        row: Row,
        name: String,
        body: impl FnOnce(&'static Kernel<F>) + Send + 'static,
    ) {
        let run = move || body(F::table().named(row.name).expect("a supported row"));
        self.supported(F::NAME, row, name, run);
    }

    /// Like [`Suite::each_kernel`], of Keccak's table.
    pub(crate) fn each_keccak_kernel(&mut self, what: &str, body: fn(&'static keccak::Kernel)) {
        let table = keccak::table();
        for row in table.rows() {
            let name = format!("{}::{}::{}::{what}", self.module, table.name(), row.name);
            let run = move || body(table.named(row.name).expect("a supported row"));
            self.supported(table.name(), row, name, run);
        }
    }

    /// The same, each in a process of its own.
    pub(crate) fn each_keccak_kernel_apart(&mut self, what: &str, body: fn(&'static keccak::Kernel)) {
        let table = keccak::table();
        for row in table.rows() {
            let name = format!("{}::{}::{}::{what}", self.module, table.name(), row.name);
            let again = name.clone();
            let run = move || {
                let kernel = table.named(row.name).expect("a supported row");
                if child::runs_here() { body(kernel) } else { child::apart(&again) }
            };
            self.supported(table.name(), row, name, run);
        }
    }

    /// A test of a row; ignored, with the reason, where the CPU cannot run it.
    fn supported(
        &mut self,
        hash: &'static str,
        row: Row,
        name: String,
        body: impl FnOnce() + Send + 'static,
    ) {
        self.trials.push(Trial::ignorable_test(name, move || {
            if !row.supported {
                return Ok(Completion::ignored_with(report::lacks(&row)));
            }
            report::started(hash, row.name);
            body();
            report::passed(hash, row.name);
            Ok(Completion::Completed)
        }));
    }

    /// The tests, for the harness.
    pub(crate) fn into_trials(self) -> Vec<Trial> {
        self.trials
    }

    /// Panics that [`panic_of`] expects print nothing.
    pub(crate) fn hush_expected_panics(&self) {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                print(info);
            }
        }));
    }
}

thread_local! {
    /// Whether this thread expects a panic.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// The message of the panic that `body` must end with; `what` names it if it does not.
#[track_caller]
pub(crate) fn panic_of<T>(what: &str, body: impl FnOnce() -> T) -> String {
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(body));
    EXPECTED.set(false);
    let Err(payload) = result else { panic!("{what}: no panic") };
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().copied().unwrap_or_default().to_owned(),
    }
}

/// `n` random cases; fewer where features are masked and on an emulator.
pub(crate) fn cases(n: usize) -> usize {
    match Cpu::get() {
        Cpu::Whole => n,
        Cpu::Masked => n / 8,
        Cpu::Emulated => n / 40,
    }
}

/// Of lengths and offsets in a row, every how manieth is tested; like [`cases`], fewer where features are
/// masked and on an emulator. Odd, so that all offsets from a power of two occur.
pub(crate) fn every() -> usize {
    match Cpu::get() {
        Cpu::Whole => 1,
        Cpu::Masked => 3,
        Cpu::Emulated => 7,
    }
}

/// The seed of this run's random batches: `HASHLANES_TEST_SEED`, or always the same.
pub(crate) fn seed() -> u64 {
    let Ok(text) = std::env::var("HASHLANES_TEST_SEED") else { return 0x6861_7368_6c61_6e65 };
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|error| panic!("HASHLANES_TEST_SEED={text}: {error}"))
}
