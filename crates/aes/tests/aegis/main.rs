//! The tests of AEGIS: every row of its table, through every public function, against published vectors and
//! against oracles that share no code.
//!
//! Tests are made from the table when the program starts, and named `module::kernel::what` or `module::what`.
//!
//! | module | proves |
//! |---|---|
//! | `vectors` | RFC 10032's, Wycheproof's (wrong tags among them) and the specification's vectors |
//! | `lengths` | every length about the rates, in place and apart, against the oracle |
//! | `many` | ragged sets of messages in lanes |
//! | `memory` | any alignment; nothing next to the data is read or written; keys are overwritten when they are dropped |
//! | `forgery` | every changed bit is an error, and the output is then zeros |
//! | `parts` | messages and data in parts |
//! | `wrong_use` | wrong lengths are errors that name them |
//! | `forced` | a forced kernel processes everything |
//! | `long` | what takes minutes: `cargo xtask test --slow` |

mod forced;
mod forgery;
mod lengths;
mod long;
mod many;
mod memory;
mod parts;
mod subjects;
mod suite;
mod vectors;
mod wrong_use;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = forced::child() {
        return code;
    }
    let arguments = libtest_mimic::Arguments::from_args();
    let mut suite = suite::Suite::default();
    vectors::add(&mut suite);
    lengths::add(&mut suite);
    many::add(&mut suite);
    memory::add(&mut suite);
    forgery::add(&mut suite);
    parts::add(&mut suite);
    wrong_use::add(&mut suite);
    forced::add(&mut suite);
    long::add(&mut suite);
    let conclusion = libtest_mimic::run(&arguments, suite.trials);
    if !arguments.list {
        suite::report();
    }
    conclusion.exit_code()
}
