//! `hashlanes tree`: files by a tree mode.
//!
//! | file | holds |
//! |---|---|
//! | `arguments.rs` | the command line, and which option is for which mode |
//! | `function.rs` `verity.rs` | the modes: the function that the arguments select |
//! | `mode.rs` | a mode with its parameters: the result for a file |
//! | `input.rs` `reading.rs` | a file, and the ways in which threads read it |
//! | `hashing.rs` | files in batches, shared out among threads |
//! | `check.rs` | lists of results, read back |
//! | `proof_writing.rs` `proof_reading.rs` | proofs of rfc6962: written, read |
//! | `objects/` | names of files and directories: git, Nix, IPFS |
//! | `tree_out.rs` `tree_check.rs` `superblock.rs` | levels and hash devices: written, compared; a superblock, read |
//!
//! Files are processed in batches: each thread hashes one after the other. A long file whose chunks threads
//! can share is put aside and hashed by all of them together, when its turn comes to be printed.

mod arguments;
mod check;
mod function;
mod hashing;
mod input;
mod mode;
mod objects;
mod proof_reading;
mod proof_writing;
mod reading;
mod superblock;
mod tree_check;
mod tree_out;
mod verity;

use std::process::ExitCode;

pub(crate) use arguments::TreeArgs;

use function::function;
use hashing::Hashing;
use input::Failure;

use crate::hashing::Counters;
use crate::limits::Limits;
use crate::message::{Speaker, say};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::platform::fs::FileType;
use crate::progress::{self, Found};
use hashlanes_formats::encoding::{bytes_of_hex, escape, line_with_name};
use hashlanes_formats::proof::Trusted;

/// Runs the command.
pub(crate) fn run(speaker: &Speaker, args: &TreeArgs) -> ExitCode {
    let wrong = |text: &str| {
        say(&speaker.line(text));
        say(&speaker.try_help(" tree"));
        ExitCode::from(2)
    };
    let function = match function(args) {
        Ok(function) => function,
        Err(text) => return wrong(&text),
    };
    let files: Vec<Vec<u8>> = match args.files.is_empty() {
        true => vec![b"-".to_vec()],
        false => args.files.iter().map(platform::typed_name).collect(),
    };
    if let Some(words) = args.useless() {
        return wrong(words);
    }
    let all_well = if args.parameters.verify_proof {
        match trusted(args) {
            Ok(trusted) => verify(speaker, args, &files, &trusted),
            Err(words) => return wrong(&words),
        }
    } else {
        let jobs = Limits::of_process(args.jobs.map(std::num::NonZero::get)).jobs;
        let hashing = Hashing { speaker, function: &function, jobs };
        if args.check { check::check(&hashing, args, &files) } else { print(&hashing, args, files) }
    };
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a line for each file. Whether all could be hashed.
fn print(hashing: &Hashing<'_>, args: &TreeArgs, files: Vec<Vec<u8>>) -> bool {
    let counters = Counters::default();
    let mut output = Output::new(hashing.speaker, Order::Kept);
    let mut number = 0;
    let mut all_well = true;
    let is_proof = args.parameters.prove.is_some();
    let is_check = args.parameters.verify_tree.is_some();
    let mut report = |name: &[u8], (), result: Result<String, Failure>| {
        all_well &= result.is_ok();
        let lines = match result {
            result if is_check => verdict(hashing.speaker, args, name, result.map(|_| String::new())),
            Ok(text) if is_proof => Lines { out: format!("{text}\n").into_bytes(), ..Lines::default() },
            Ok(text) => Lines { out: line(&text, name, args.zero), ..Lines::default() },
            Err(failure) => {
                Lines { err: hashing.speaker.about_file(name, &failure.text()), ..Lines::default() }
            }
        };
        output.deliver(number, lines);
        output.flush_if_due();
        number += 1;
    };
    let mut named = files.iter().map(|name| (name.clone(), ()));
    progress::watched(
        args.progress,
        &counters,
        |found| find(&files, found),
        || {
            hashing.each(&mut named, &counters, &mut report);
        },
    );
    output.end();
    all_well
}

/// Reads the lengths of all files, for progress.
fn find(files: &[Vec<u8>], found: &Found) {
    for name in files {
        let stat = if name == b"-" {
            platform::fs::fstat(platform::stdio::stdin())
        } else {
            platform::fs::stat(&name[..])
        };
        let n_bytes = match stat {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile => None,
            Ok(stat) => Some(stat.st_size as u64),
            Err(_) => Some(0),
        };
        if !found.file(n_bytes) {
            return;
        }
    }
    found.is_all();
}

/// Returns the line of a file.
fn line(text: &str, name: &[u8], zero: bool) -> Vec<u8> {
    if zero {
        return [text.as_bytes(), b"  ", name, b"\0"].concat();
    }
    line_with_name(format!("{text}  ").as_bytes(), name, b"")
}

/// Returns the trusted values for the check of proofs.
fn trusted(args: &TreeArgs) -> Result<Trusted, String> {
    let digest = |option: &str, typed: &Option<String>| -> Result<Option<[u8; 32]>, String> {
        let Some(typed) = typed else { return Ok(None) };
        let digest = bytes_of_hex(typed).and_then(|digest| digest.try_into().ok());
        digest.map(Some).ok_or_else(|| format!("{option}: expected 64 hexadecimal digits"))
    };
    let root = digest("--root", &args.parameters.root)?.ok_or("--root is required")?;
    let new_root = digest("--new-root", &args.parameters.new_root)?;
    let leaf = args.parameters.leaf.as_deref().map(|name| {
        let name = name.as_os_str().as_bytes();
        proof_reading::leaf(name).map_err(|failure| format!("--leaf {}: {}", shown(name), failure.text()))
    });
    let (n_leaves, index) = (args.parameters.tree_size, args.parameters.index);
    Ok(Trusted { root, n_leaves, new_root, leaf: leaf.transpose()?, index })
}

fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(&escape(name)).into_owned()
}

/// Checks proofs, and prints the proven statements. Returns whether all are valid.
fn verify(speaker: &Speaker, args: &TreeArgs, files: &[Vec<u8>], trusted: &Trusted) -> bool {
    let mut output = Output::new(speaker, Order::Kept);
    let mut all_well = true;
    for (number, name) in (0..).zip(files) {
        let result = proof_reading::verify_file(name, trusted);
        all_well &= result.is_ok();
        let lines = verdict(speaker, args, name, result.map(|text| format!(": {text}")));
        output.deliver(number, lines);
    }
    output.flush();
    all_well
}

/// Returns the lines for a check: whether it passed, and what that proves or why it failed.
fn verdict(speaker: &Speaker, args: &TreeArgs, name: &[u8], result: Result<String, Failure>) -> Lines {
    let shown = escape(name);
    match result {
        Ok(_) if args.quiet || args.status => Lines::default(),
        Ok(text) => {
            Lines { out: [&shown, &b": OK"[..], text.as_bytes(), b"\n"].concat(), ..Lines::default() }
        }
        Err(_) if args.status => Lines::default(),
        Err(failure) => Lines {
            out: [&shown, &b": FAILED\n"[..]].concat(),
            err: speaker.about_file(name, &failure.text()),
            ..Lines::default()
        },
    }
}
