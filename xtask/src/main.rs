//! The project's own commands, called as `cargo xtask COMMAND`.
//!
//! | file | holds |
//! |---|---|
//! | `test/` | `test`: every check of a submission, on every CPU level that can be had here |
//! | `faults/` | `faults`: planted faults, each of which the tests must catch and name |
//! | `asm/` | `asm`: the generator of the kernels in assembly |
//! | `guard/` | `guard`: whether the release program's machine code is what the rows' names say |
//! | `figures/` | `figures`: what README.md says of speed, and the papers' figures, made of records |
//! | `footprint.rs` | `footprint`: what the crate costs a program, beside `sha2` |
//! | `readme_table.rs` | `readme-table`: the table of kernels in README.md |
//! | `steps.rs` | steps: announced, timed, their output shown if they fail |
//! | `workspace.rs` | the workspace's place, its cargo, a copy of its sources |
//! | `process.rs` | running a program and keeping what it prints |
//! | `debian.rs` | installing the packages of Debian that checks need |

mod asm;
mod debian;
mod faults;
mod figures;
mod footprint;
mod guard;
mod mca;
mod process;
mod readme_table;
mod steps;
mod test;
mod workspace;

use std::process::ExitCode;

const COMMANDS: &str = "\
commands:
  cargo xtask test [--slow] [--fail-fast]   all checks; --slow adds the long tests and the planted faults
  cargo xtask test --only PART-OF-A-NAME    the steps of that name alone, slow ones too
  cargo xtask faults [PART-OF-A-NAME]       plants faults, in a copy, that the tests must catch
  cargo xtask guard                         checks the machine code of the release program's kernels
  cargo xtask asm [--check | --report]      writes (or compares) the kernels in assembly; --report counts them out
  cargo xtask figures [--check]             writes (or compares) README.md's figures, made of the bench's records
  cargo xtask footprint                     measures what the crate costs a program: packages, time to build, bytes
  cargo xtask mca                           writes docs/arm-models.md: the kernels for Arm by LLVM's models of cores
  cargo xtask readme-table [--check]        writes (or compares) README.md's table of kernels
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["test", options @ ..] => match test::Options::parse(options) {
            Some(options) => test::command(&options),
            None => return usage(),
        },
        ["faults"] => faults::command(""),
        ["faults", part] => faults::command(part),
        ["guard"] => guard::command(),
        ["asm"] => asm::command(asm::Action::Write),
        ["asm", "--check"] => asm::command(asm::Action::Check),
        ["asm", "--report"] => asm::command(asm::Action::Report),
        ["figures"] => figures::write(),
        ["figures", "--check"] => figures::check(),
        ["footprint"] => footprint::command(),
        ["mca"] => mca::command(),
        ["readme-table"] => readme_table::write(),
        ["readme-table", "--check"] => readme_table::check(),
        _ => return usage(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // An empty text: the command has said all, its count last.
            if !why.is_empty() {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprint!("{COMMANDS}");
    ExitCode::from(2)
}
