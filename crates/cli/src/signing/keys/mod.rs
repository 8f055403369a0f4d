//! `hashlanes keygen`, `sign`, `key`: the commands that use secret keys.
//!
//! | file | holds |
//! |---|---|
//! | `keygen.rs` `keygen_progress.rs` | `keygen`; how far a generation is |
//! | `sign.rs` `input.rs` | `sign`: windows of files; the input |
//! | `signature_targets.rs` `signature_files.rs` | where signatures may go; files of signatures, whole and on the disk, or absent |
//! | `key_commands.rs` `operator_manual.rs` | `key status`, `split`, `advance`, `adopt`, `export-public`; the manual for operators |
//! | `log_command.rs` `import_command.rs` `passphrase_command.rs` | `key log`, `key import`, `key passphrase` |
//! | `slh_dsa_key.rs` `slh_dsa_sign.rs` | keys without a state: SLH-DSA |
//! | `cms_options.rs` `certificate_commands.rs` | signatures in messages of CMS; `key certificate`, `key request` |
//! | `signed_line.rs` | the output for a signature |
//! | `key_options.rs` `key_sets.rs` | options with which a key is opened; secrets stay in memory; parameter sets of keys |
//! | `witness_command.rs` | a witness that is a command |
//! | `passphrase_options.rs` | passphrases: their options, the question on the terminal |
//! | `refusal.rs` | messages for errors, and for indices |
//!
//! The library ensures that no index is used twice (`hashlanes::hbs::store`). The commands ensure that errors
//! are found before an index is used where possible, and report the indices that a command cost.

mod certificate_commands;
mod cms_options;
mod import_command;
mod input;
mod key_commands;
mod key_options;
mod key_sets;
mod keygen;
mod keygen_progress;
mod log_command;
mod operator_manual;
mod passphrase_command;
mod passphrase_options;
mod refusal;
mod sign;
mod signature_files;
mod signature_targets;
mod signed_line;
mod slh_dsa_key;
mod slh_dsa_sign;
mod witness_command;

use std::process::ExitCode;

use clap::Subcommand;

use crate::message::Speaker;
use key_commands::KeyCommandArgs;
use keygen::KeygenArgs;
use sign::SignArgs;

/// The commands, each with its arguments.
#[derive(Subcommand)]
pub(crate) enum KeysCommand {
    Keygen(KeygenArgs),
    Sign(Box<SignArgs>),
    Key(Box<KeyCommandArgs>),
}

impl KeysCommand {
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        match self {
            Self::Keygen(args) => args.run(speaker),
            Self::Sign(args) => args.run(speaker),
            Self::Key(args) => args.run(speaker),
        }
    }
}
