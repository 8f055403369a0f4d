//! `cargo xtask asm`: the generator of the kernels in assembly.
//!
//! | file | holds |
//! |---|---|
//! | `strand.rs` | strands: lists of instructions with virtual registers |
//! | `merge.rs` | merging strands: the order of instructions, which is part of the result |
//! | `allocate.rs` | numbers for virtual registers |
//! | `emit.rs` | a kernel's file |
//! | `report.rs` | code size and kinds of instructions |
//! | `one_stream.rs` | `sha-ni` of SHA-1 and SHA-256: a list of turns of one message |
//! | `papers.rs` | the papers' prescriptions for their kernels, checked in the instructions |
//! | `sha2.rs` | rounds and schedules of SHA-2 in general registers, for words of 32 and 64 bits |
//! | `lanes.rs` | SHA-2 of many messages, one a lane, by AVX-512 alone: rounds, schedules and kernels |
//! | `turns.rs` | lists of turns: their layout |
//! | `fixed.rs` | equal short messages: their kinds, the parameters of a call |
//! | `vex_to_sse.rs` | strands in the encoding of CPUs without AVX |
//! | `sha1/` `sha256/` `sha512/` | a hash's kernels, a file a family |
//!
//! To add a kernel: describe its strands in a file of its family, define how they are merged, and name it in
//! the list of its hash (`sha256/mod.rs`, `sha512/mod.rs`).

mod allocate;
mod emit;
mod fixed;
mod jumps;
mod lanes;
mod merge;
mod one_stream;
mod papers;
mod report;
mod sha1;
mod sha2;
mod sha256;
mod sha512;
mod strand;
mod turns;
mod vex_to_sse;

use std::fs;
use std::path::PathBuf;

use crate::workspace;
use emit::Kernel;

/// The action on the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Write the files.
    Write,
    /// Compare them.
    Check,
    /// Print the parts of kernels.
    Report,
}

/// Does it.
///
/// # Errors
/// If a description is wrong, a file cannot be read or written, or ([`Action::Check`]) differs from the
/// generated one.
pub(crate) fn command(action: Action) -> Result<(), String> {
    let kernels = all()?;
    match action {
        Action::Write => write(&kernels),
        Action::Check => check(&kernels),
        Action::Report => report::print(&kernels),
    }
}

/// Every kernel with the directory of its file.
fn all() -> Result<Vec<(&'static str, Kernel)>, String> {
    let sha1 = sha1::kernels().into_iter().map(|kernel| ("crates/sha/src/sha1/asm", kernel));
    let sha256 = sha256::kernels()?.into_iter().map(|kernel| ("crates/sha/src/sha256/asm", kernel));
    let sha512 = sha512::kernels()?.into_iter().map(|kernel| ("crates/sha/src/sha512/asm", kernel));
    Ok(sha1.chain(sha256).chain(sha512).collect())
}

/// The paths of all kernels as Rust items: `hashlanes_sha::sha256::asm::split_x16`.
///
/// # Errors
/// If a description is wrong.
pub(crate) fn paths() -> Result<Vec<String>, String> {
    let path = |directory: &str| {
        directory.replace("crates/", "hashlanes_").replace("/src/", "::").replace('/', "::")
    };
    Ok(all()?.iter().map(|(directory, kernel)| format!("{}::{}", path(directory), kernel.name)).collect())
}

fn path(directory: &str, name: &str) -> PathBuf {
    workspace::root().join(directory).join(name).with_extension("s")
}

fn write(kernels: &[(&str, Kernel)]) -> Result<(), String> {
    for (directory, kernel) in kernels {
        let path = path(directory, kernel.name);
        let failed = |error| format!("{}: {error}", path.display());
        let text = kernel.text();
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        fs::create_dir_all(path.parent().expect("a file stands in a directory")).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
        println!("{} is written", path.display());
    }
    Ok(())
}

fn check(kernels: &[(&str, Kernel)]) -> Result<(), String> {
    let is_other = |(directory, kernel): &&(&str, Kernel)| {
        !fs::read_to_string(path(directory, kernel.name)).is_ok_and(|old| old == kernel.text())
    };
    let others: Vec<&str> = kernels.iter().filter(is_other).map(|(_, kernel)| kernel.name).collect();
    if others.is_empty() {
        return Ok(());
    }
    Err(format!("not what is generated: {}; run `cargo xtask asm`", others.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `10b` is a jump back to the label 10, or the number two. Rust 1.89 refuses such labels.
    #[test]
    fn no_label_looks_like_a_binary_number() {
        for (_, kernel) in all().unwrap() {
            for line in kernel.text().lines() {
                let label = line.split_once(':').map_or("", |(label, _)| label);
                let is_binary = !label.is_empty() && label.bytes().all(|byte| b"01".contains(&byte));
                assert!(!is_binary, "{}: {line}", kernel.name);
            }
        }
    }
}
