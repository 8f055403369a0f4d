//! The CPU that a test runs on: what a case costs there, and what it shows.

use std::env;

/// How much of the machine's CPU a test has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// All of it.
    Whole,
    /// A CPU without some features, by `HASHLANES_DISABLE`. The kernels that are left had all cases on the
    /// whole one; what differs is the choice among them.
    Masked,
    /// An emulated one, whose emulator `HASHLANES_TEST_RUNNER` names. A case takes 30 to 100 times as long.
    Emulated,
}

impl Cpu {
    /// The CPU of this process.
    pub fn get() -> Self {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        match (is_set("HASHLANES_TEST_RUNNER"), is_set("HASHLANES_DISABLE")) {
            (true, _) => Self::Emulated,
            (false, true) => Self::Masked,
            (false, false) => Self::Whole,
        }
    }
}
