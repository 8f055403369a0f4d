//! The program `hashlanes`: hashes many files at once, and signs them.
//!
//! One program under several names. Called as `sha256sum` (or `sha1sum` and so on: by its file name, or as
//! the subcommand `hashlanes sha256sum`; also `cksum`) it behaves as GNU's tool of that name: [`gnu`].
//! Everything else is a subcommand of `hashlanes`: [`commands`], one file each.
//!
//! ```text
//!   commands (clap)   gnu (getopt)         parse the command line into a `Request`
//!           └───── sum ─────┘              print a line for each file, or check the files of a list
//!      files: named, found, opened         hashing: many at once, results in order
//!               message, quote, output: names in lists and in messages; order, buffer, errors
//! ```
//!
//! Every file that the program creates is a [`new_file`]: complete under its name, or absent. A signal leaves
//! no temporary files ([`interruption`]).
//!
//! `keygen`, `sign`, `verify` and `key` sign files ([`signing`]). `tree` hashes files by tree modes, each on
//! all threads. `kernels` and `bench` describe the library itself; [`kernel_timing`] measures for both.

#![cfg_attr(windows, allow(dead_code, reason = "some parts serve only the commands that use secret keys"))]

mod audit;
mod bench;
mod cipher_kernels;
mod cipher_timing;
mod closed_descriptors;
mod commands;
mod dupes;
mod files;
mod gnu;
mod hashing;
mod help_text;
mod hmac_key;
mod interruption;
mod kernel_timing;
mod kernels;
mod known_files;
mod limits;
mod man_and_completions;
mod manifest;
mod manual_page;
mod message;
mod new_file;
mod output;
mod platform;
mod progress;
mod proofs;
mod quote;
mod search;
mod shared_options;
mod signing;
mod sum;
mod tree;
mod verdicts;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use crate::gnu::Personality;
use crate::platform::ffi::{OsStrExt, OsStringExt};

fn main() -> ExitCode {
    // A kernel that the environment forces must exist.
    if let Err(error) = hashlanes::kernels::check_env() {
        message::say(format!("hashlanes: {error}\n").as_bytes());
        return ExitCode::from(2);
    }

    // Nothing is measured unless requested: a run on one small file would take a third longer.
    hashlanes::kernels::set_costs(&[]);

    let mut args: Vec<OsString> = std::env::args_os().collect();
    let called_as = args.first().cloned().unwrap_or_else(|| "hashlanes".into());
    let file_name = Path::new(&called_as).file_name().unwrap_or(&called_as).as_bytes();
    let file_name = file_name.strip_suffix(b".exe").unwrap_or(file_name);
    if let Some(personality) = Personality::named(file_name) {
        // GNU's tools print the name by which they were called, directories included.
        return personality.run(&called_as.into_vec(), args.split_off(1));
    }
    if file_name == b"cksum" {
        return gnu::cksum(&called_as.into_vec(), args.split_off(1));
    }
    if args.get(1).is_some_and(|name| name == "cksum") {
        return gnu::cksum(b"cksum", args.split_off(2));
    }
    if let Some(personality) = args.get(1).and_then(|name| Personality::named(name.as_bytes())) {
        return personality.run(personality.name().as_bytes(), args.split_off(2));
    }
    commands::run(args)
}
