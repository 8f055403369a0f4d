//! The tests of AES: every row of every table, through every verb and every public function, against oracles
//! that share no code.
//!
//! The tests are made from the tables when the program starts: a row that is added to a table is a column of
//! tests here, without a line changed. A test is named `module::cipher::kernel::what` or
//! `module::cipher::what`. The run closes with a table of all rows: ran, failed, or skipped for want of a CPU
//! feature.
//!
//! | module | proves |
//! |---|---|
//! | `vectors` | the published vectors: NIST, RFC 3686, Project Wycheproof |
//! | `modes` | every length, key, number of messages and of registers, against the oracle |
//! | `memory` | any alignment; nothing next to the data is read or written; keys are overwritten |
//! | `wrong_use` | wrong arguments are errors that name them |
//! | `environment` | a forced kernel processes everything alone, with its family; unknown names are refused |
//! | `long` | what takes minutes: `cargo xtask test --slow` |
//!
//! | file | holds |
//! |---|---|
//! | `suite.rs` | a test for each row |
//! | `on_kernel.rs` | the modes on one kernel, as the tests call them |
//! | `child.rs` | this program again, under other environment variables |
//!
//! The environment variables are those of `hashlanes-sha`'s conformance tests.

mod child;
#[cfg(all(feature = "env-override", feature = "count-calls"))]
mod environment;
mod long;
mod memory;
mod modes;
mod on_kernel;
mod suite;
mod vectors;
mod wrong_use;

use std::process::ExitCode;

use hashlanes_aes::kernels;
use hashlanes_testkit::report;

/// Adds a module's tests.
type Add = fn(&mut suite::Suite);

fn main() -> ExitCode {
    if let Some(role) = child::role() {
        return play(&role);
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let mut suite = suite::Suite::default();
    let modules: &[(&'static str, Add)] = &[
        ("vectors", vectors::add),
        ("modes", modes::add),
        ("memory", memory::add),
        ("wrong_use", wrong_use::add),
        #[cfg(all(feature = "env-override", feature = "count-calls"))]
        ("environment", environment::add),
        ("long", long::add),
    ];
    for (module, add) in modules {
        suite.begin(module);
        add(&mut suite);
    }
    let conclusion = libtest_mimic::run(&arguments, suite.into_trials());
    if arguments.list || child::is_apart() {
        return conclusion.exit_code();
    }
    let required = report::close(&kernels::every_row().collect::<Vec<_>>());
    if conclusion.has_failed() { conclusion.exit_code() } else { required }
}

/// Performs the role.
fn play(role: &str) -> ExitCode {
    match role.split(' ').collect::<Vec<_>>()[..] {
        #[cfg(all(feature = "count-calls", feature = "env-override"))]
        ["forced-aes", kernel] => environment::play_forced(kernel),
        ["check_env"] => match kernels::check_env() {
            Ok(()) => println!("ok"),
            Err(error) => println!("{error}"),
        },
        _ => panic!("a child has no role {role:?}"),
    }
    ExitCode::SUCCESS
}
