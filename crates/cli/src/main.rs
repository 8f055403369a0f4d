//! The program `hashlanes`: digests of many files, as fast as the CPU can.
//!
//! One program under several names. Called as `sha256sum` (or a sibling: by its own file name, or as
//! the subcommand `hashlanes sha256sum`) it is GNU's tool of that name: [`gnu`]. Everything else
//! is a subcommand of `hashlanes`: [`commands`], one file each.
//!
//! ```text
//!   commands (clap)   gnu (getopt)         what is asked: a `Request`
//!           └───── sum ─────┘              a line for each file, or the files of a list compared
//!      files: named, found, opened         hashing: many at once, results in order
//!               encoding, message, quote, output: names in lists and in messages; order, buffer, errors
//! ```
//!
//! Every file that the program makes is a [`new_file`]: whole under its name, or absent. A signal leaves nothing ([`interruption`]).
//!
//! `keygen`, `sign`, `verify` and `key` sign files ([`signing`]). `tree` hashes files by tree modes, each on all threads. `kernels` and `bench` tell of the library itself; what they
//! time, [`kernel_timing`] times.

mod audit;
mod bench;
mod cipher_kernels;
mod closed_descriptors;
mod commands;
mod digest_lists;
mod encoding;
mod files;
mod gnu;
mod hash;
mod hashing;
mod hmac_key;
mod interruption;
mod kernel_timing;
mod kernels;
mod limits;
mod man_and_completions;
mod manifest;
mod message;
mod new_file;
mod output;
mod progress;
mod quote;
mod shared_options;
mod signing;
mod sum;
mod tree;

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::ExitCode;

use crate::gnu::Personality;

fn main() -> ExitCode {
    // A kernel forced by the environment must exist, or nothing is computed at all.
    if let Err(error) = hashlanes::kernels::check_env() {
        message::say(format!("hashlanes: {error}\n").as_bytes());
        return ExitCode::from(2);
    }

    let mut args: Vec<OsString> = std::env::args_os().collect();
    let called_as = args.first().cloned().unwrap_or_else(|| "hashlanes".into());
    let file_name = Path::new(&called_as).file_name().unwrap_or(&called_as).as_bytes();
    if let Some(personality) = Personality::named(file_name) {
        // GNU's tools give themselves the name by which they were called, directories included.
        return personality.run(&called_as.into_vec(), args.split_off(1));
    }
    if let Some(personality) = args.get(1).and_then(|name| Personality::named(name.as_bytes())) {
        return personality.run(personality.name().as_bytes(), args.split_off(2));
    }
    commands::run(args)
}
