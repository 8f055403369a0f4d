//! The tests of SHA-1, SHA-2 and SHA-3: every row of every table, through every verb and every public
//! function, against oracles that share no code.
//!
//! The tests are made from the tables when the program starts: a row that is added to a table is a column of
//! tests here, without a line changed. A test is named `module::hash::kernel::what` or `module::hash::what`:
//! `cargo test -p hashlanes-sha --all-features -- sha256::avx2-x8` runs what concerns one kernel,
//! `-- verbs::` all rows × verbs. The run closes with a table of all rows: ran, failed, or skipped for want
//! of a CPU feature.
//!
//! | module | proves |
//! |---|---|
//! | `verbs` | row × verb, adaptors included, against the oracle's compression functions |
//! | `vectors` | the published vectors: CAVP, Monte Carlo |
//! | `lengths` | every length, every split, lengths whose bit count passes a word |
//! | `memory` | any alignment; nothing next to the data is read or written |
//! | `ragged` | batches that break schedulers |
//! | `fixed` | equal short messages after any prefix |
//! | `rows` `columns` | Arrow-shaped columns: with offsets; in the other layouts, with prefixes and bitmaps |
//! | `trees` | word-interleaved input, messages after prefixes of their own |
//! | `hmac` | HMAC's vectors, keys of every length, many, columns |
//! | `double` | double SHA-256 |
//! | `keccak` | Keccak's rows; SHA-3, SHAKE, Keccak-256 and the tree, in all forms |
//! | `constants` | the constants follow from their definitions |
//! | `wrong_use` | wrong shapes are errors that name the argument |
//! | `reach` | a forced kernel processes everything; the default choice is the table's |
//! | `environment` | forcing, masking and requiring by environment variables |
//! | `calibrate` | costs measured on this CPU: choices change, digests do not |
//! | `long` | what takes minutes: `cargo xtask test --slow` |
//!
//! | file | holds |
//! |---|---|
//! | `hashes.rs` | the hashes as the tests see them: by name, with their oracles |
//! | `suite.rs` | a test for each row; expected panics |
//! | `child.rs` | this program again, under other environment variables |
//! | `roles.rs` | the roles of child processes |
//!
//! | variable | meaning |
//! |---|---|
//! | `HASHLANES_TEST_SEED` | the seed of the random batches, as failures print it |
//! | `HASHLANES_TEST_REPORT` | a file to which `hash kernel cpu-level result reason` is appended, a line a row |
//! | `HASHLANES_REQUIRE` | `sha256:avx2-x8,sha1:sha-ni`: the run fails unless these ran |
//! | `HASHLANES_TEST_RUNNER` | what runs this program (`qemu-x86_64 -cpu Nehalem`): put before it for children, and where it is set there are fewer random batches |

#[cfg(feature = "calibrate")]
mod calibrate;
mod child;
mod columns;
mod constants;
mod double;
#[cfg(feature = "env-override")]
mod environment;
mod fixed;
mod hashes;
mod hmac;
mod keccak;
mod lengths;
mod long;
mod memory;
mod ragged;
#[cfg(feature = "count-calls")]
mod reach;
mod roles;
mod rows;
mod small;
mod suite;
mod trees;
mod vectors;
mod verbs;
mod wrong_use;

use std::process::ExitCode;

use hashlanes_sha::kernels;
use hashlanes_testkit::report;

/// Adds a module's tests.
type Add = fn(&mut suite::Suite);

fn main() -> ExitCode {
    if let Some(role) = child::role() {
        return roles::play(&role);
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let mut suite = suite::Suite::default();
    let modules: &[(&'static str, Add)] = &[
        ("verbs", verbs::add),
        ("vectors", vectors::add),
        ("lengths", lengths::add),
        ("memory", memory::add),
        ("ragged", ragged::add),
        ("fixed", fixed::add),
        ("rows", rows::add),
        ("columns", columns::add),
        ("trees", trees::add),
        ("hmac", hmac::add),
        ("double", double::add),
        ("keccak", keccak::add),
        ("constants", constants::add),
        ("small", small::add),
        ("wrong_use", wrong_use::add),
        #[cfg(feature = "count-calls")]
        ("reach", reach::add),
        #[cfg(feature = "env-override")]
        ("environment", environment::add),
        #[cfg(feature = "calibrate")]
        ("calibrate", calibrate::add),
        ("long", long::add),
    ];
    for (module, add) in modules {
        suite.begin(module);
        add(&mut suite);
    }
    suite.hush_expected_panics();
    let conclusion = libtest_mimic::run(&arguments, suite.into_trials());
    if arguments.list || child::is_apart() {
        return conclusion.exit_code();
    }
    let required = report::close(&kernels::every_row().collect::<Vec<_>>());
    if conclusion.has_failed() { conclusion.exit_code() } else { required }
}
