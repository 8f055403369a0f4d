//! The project's own commands, called as `cargo xtask COMMAND`.
//!
//! | file | holds |
//! |---|---|
//! | `test/` | `test`: every check of a submission, on every CPU level that is available here |
//! | `faults/` | `faults`: planted faults, each of which the tests must catch and name |
//! | `asm/` | `asm`: the generator of the kernels in assembly |
//! | `guard/` | `guard`: checks that the release program's machine code agrees with the rows' names |
//! | `prove.rs` | `prove`: proves that the release program's kernels compute the standards' functions, for all inputs |
//! | `figures/` | `figures`: the tables of speed in the handbook, and the papers' figures, generated from records |
//! | `book.rs` | `book`: the handbook as a site |
//! | `capi.rs` | `header`, `install-c`, `bench-c`: the C library's header and its installation |
//! | `deb/` | `deb`: the Debian packages of the program and of the C library |
//! | `footprint.rs` | `footprint`: the cost of the crate for a program, compared with `sha2` |
//! | `release/` | `release --dry-run`: everything that a release consists of, built, signed and installed here |
//! | `public_api.rs` | `public-api`: the lists of the public interface |
//! | `kernel_table.rs` | `kernel-table`: the table of kernels in docs/kernels.md |
//! | `steps.rs` | steps: announced, timed, their output shown if they fail |
//! | `workspace.rs` | the workspace's place, its cargo, a copy of its sources |
//! | `dependencies/` | `dependencies`, `sbom`: the packages of others, their licences and sources, the bills of materials |
//! | `nightly.rs` | the nightly toolchain, for fuzzing, sanitizers and tools that need it |
//! | `process.rs` | running a program and keeping its output |
//! | `debian.rs` | installing the packages of Debian that checks need |

mod asm;
mod book;
mod capi;
mod deb;
mod debian;
mod dependencies;
mod duckdb;
mod faults;
mod figures;
mod footprint;
mod guard;
mod kernel_table;
mod mca;
mod nightly;
mod process;
mod prove;
mod public_api;
mod release;
mod steps;
mod test;
mod workspace;

use std::process::ExitCode;

const COMMANDS: &str = "\
commands:
  cargo xtask test [--slow] [--fail-fast]   all checks; --slow adds the long tests and the planted faults
  cargo xtask test --only PART-OF-A-NAME    the steps of that name alone, slow ones too
  cargo xtask test --list                   the names of all steps
  cargo xtask faults [PART-OF-A-NAME]       plants faults, in a copy, that the tests must catch
  cargo xtask guard                         checks the machine code of the release program's kernels
  cargo xtask prove [PART-OF-A-NAME]        proves the machine code of the release program's kernels, for all inputs
  cargo xtask asm [--check | --report]      writes (or compares) the kernels in assembly; --report counts them out
  cargo xtask figures [--check]             writes (or compares) the handbook's figures of speed, made of the bench's records
  cargo xtask book                          builds the handbook as a site, with mdBook
  cargo xtask footprint                     measures what the crate costs a program: packages, time to build, bytes
  cargo xtask mca                           writes docs/arm-models.md: the kernels for Arm by LLVM's models of cores
  cargo xtask wheels                        builds the Python package's wheels of every platform, and its source distribution
  cargo xtask duckdb                        builds the DuckDB extension, target/duckdb/hashlanes.duckdb_extension
  cargo xtask install-c --prefix PREFIX     installs the C library: header, libraries, files of pkg-config and CMake
  cargo xtask bench-c                       times the C library next to OpenSSL and libipsec-mb
  cargo xtask deb                           builds Debian packages: the program's, hashlanes; the C library's, libhashlanes0 and -dev
  cargo xtask dependencies                  writes what the sources of others' packages show to docs/dependencies.md
  cargo xtask sbom                          writes the bills of materials of the program and the C library: CycloneDX JSON
  cargo xtask release --dry-run             builds, signs and installs all that a release has, and publishes nothing
  cargo xtask release --dry-run --only PART-OF-A-NAME   the steps of that name alone, with the files that are there
  cargo xtask header [--check]              writes (or compares) the C library's header
  cargo xtask public-api                    writes docs/public-api: every public item of the crate `hashlanes`
  cargo xtask kernel-table [--check]        writes (or compares) the table of kernels in docs/kernels.md
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
        ["prove"] => prove::command(""),
        ["prove", part] if !part.starts_with('-') => prove::command(part),
        ["asm"] => asm::command(asm::Action::Write),
        ["asm", "--check"] => asm::command(asm::Action::Check),
        ["asm", "--report"] => asm::command(asm::Action::Report),
        ["figures"] => figures::write(),
        ["figures", "--check"] => figures::check(),
        ["book"] => book::command(),
        ["footprint"] => footprint::command(),
        ["mca"] => mca::command(),
        ["wheels"] => test::python::build_wheels(),
        ["duckdb"] => duckdb::command(),
        ["install-c", "--prefix", prefix] => capi::command(prefix),
        ["bench-c"] => capi::bench(),
        ["deb"] => deb::command(),
        ["dependencies"] => dependencies::write(),
        ["sbom"] => {
            dependencies::sbom().map(|bills| bills.iter().for_each(|bill| println!("{}", bill.display())))
        }
        ["header"] => capi::write_header(),
        ["header", "--check"] => capi::check_header(),
        ["release", "--dry-run"] => release::dry_run(None),
        ["release", "--dry-run", "--only", part] => release::dry_run(Some(part)),
        ["public-api"] => public_api::write(),
        ["kernel-table"] => kernel_table::write(),
        ["kernel-table", "--check"] => kernel_table::check(),
        _ => return usage(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // An empty text: the command has printed everything, its count last.
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
