//! The generation of tests: one for each row of the table, or one by itself.

use hashlanes_aes::kernels::{self, GcmVerbs, Kernel};
use hashlanes_testkit::cpu::Cpu;
use hashlanes_testkit::report;
use libtest_mimic::{Completion, Trial};

use crate::child;

/// A row of AES-GCM's table.
pub(crate) type Gcm = Kernel<GcmVerbs>;

/// The tests of this program.
#[derive(Default)]
pub(crate) struct Suite {
    pub(crate) trials: Vec<Trial>,
}

impl Suite {
    /// A test by itself.
    pub(crate) fn one(&mut self, name: &str, body: impl FnOnce() + Send + 'static) {
        self.trials.push(Trial::test(name, || {
            body();
            Ok(())
        }));
    }

    /// A test for each row; ignored, with the reason, where the CPU cannot run it.
    pub(crate) fn each_kernel(&mut self, module: &str, what: &str, body: fn(&'static Gcm)) {
        self.each(module, what, body, false);
    }

    /// The same, each in a process of its own.
    pub(crate) fn each_kernel_apart(&mut self, module: &str, what: &str, body: fn(&'static Gcm)) {
        self.each(module, what, body, true);
    }

    fn each(&mut self, module: &str, what: &str, body: fn(&'static Gcm), apart: bool) {
        for (_, row) in kernels::every_row().filter(|(cipher, _)| *cipher == "gcm") {
            let name = format!("{module}::{}::{what}", row.name);
            let again = name.clone();
            self.trials.push(Trial::ignorable_test(name, move || {
                if !row.supported {
                    return Ok(Completion::ignored_with(report::lacks(&row)));
                }
                report::started("gcm", row.name);
                if apart && !child::runs_here() {
                    child::apart(&again);
                } else {
                    body(kernels::gcm().find(|kernel| kernel.name() == row.name).expect("a supported row"));
                }
                report::passed("gcm", row.name);
                Ok(Completion::Completed)
            }));
        }
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
    let Ok(text) = std::env::var("HASHLANES_TEST_SEED") else { return 0x6763_6d6c_616e_6573 };
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|error| panic!("HASHLANES_TEST_SEED={text}: {error}"))
}
