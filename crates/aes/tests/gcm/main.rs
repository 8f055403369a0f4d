//! The tests of AES-GCM and AES-GCM-SIV: every row of their table, through every public function, against
//! published vectors and against the crates `aes-gcm` and `aes-gcm-siv`.
//!
//! Tests are made from the table when the program starts, and named `module::kernel::what` or `module::what`.
//!
//! | module | proves |
//! |---|---|
//! | `vectors` | Project Wycheproof's vectors, wrong tags and those of RFC 8452 among them |
//! | `lengths` | every length up to 600 bytes, and long messages, against another implementation |
//! | `many` | ragged sets of messages |
//! | `forgery` | every changed bit is an error, and the output is then zeros |
//! | `memory` | any alignment; nothing next to the data is read or written; keys are overwritten |
//! | `wrong_use` | wrong lengths are errors that name them |
//! | `forced` | a forced kernel processes everything |

mod child;
mod forced;
mod forgery;
mod lengths;
mod many;
mod memory;
mod subjects;
mod suite;
mod vectors;
mod wrong_use;

use std::process::ExitCode;

use hashlanes_aes::kernels;
use hashlanes_testkit::report;

fn main() -> ExitCode {
    if let Some(role) = child::role() {
        forced::play(&role);
        return ExitCode::SUCCESS;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let mut suite = suite::Suite::default();
    vectors::add(&mut suite);
    lengths::add(&mut suite);
    forgery::add(&mut suite);
    many::add(&mut suite);
    memory::add(&mut suite);
    wrong_use::add(&mut suite);
    forced::add(&mut suite);
    let conclusion = libtest_mimic::run(&arguments, suite.trials);
    if arguments.list || child::is_apart() {
        return conclusion.exit_code();
    }
    let rows: Vec<_> = kernels::every_row().filter(|(cipher, _)| *cipher == "gcm").collect();
    let required = report::close(&rows);
    if conclusion.has_failed() { conclusion.exit_code() } else { required }
}
