//! `hashlanes key passphrase`: encrypts a key, changes its passphrase, or removes it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hashlanes::hbs::passphrase::Passphrase;

use super::key_options::Opening;
use super::passphrase_options::{self, PassphraseSource};
use super::refusal::{Refusal, print_about};
use super::slh_dsa_key;
use crate::help_text::list;
use crate::interruption::held_off;
use crate::message::Speaker;

/// Encrypts a key, changes its passphrase, or removes it.
///
/// The indices of the key do not change. The file with the old passphrase, or without encryption, may still
/// be readable on the disk. If somebody else may have that file and its passphrase, create a new key.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key passphrase key --new-passphrase-file pass.txt", "Encrypt a key; without --new-passphrase-file, ask for the passphrase"),
    ("hashlanes key passphrase key --passphrase-file pass.txt --remove", "Store the key without encryption"),
]))]
pub(super) struct PassphraseArgs {
    /// The directory of the key; for SLH-DSA also the file of the private key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Read the new passphrase from the first line of FILE [default: ask on the terminal]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["new_passphrase_fd", "remove"])]
    new_passphrase_file: Option<PathBuf>,

    /// Read the new passphrase from the first line of the open file descriptor N
    #[arg(long, value_name = "N", conflicts_with = "remove")]
    new_passphrase_fd: Option<u32>,

    /// Memory for Argon2id, which each guess of the new passphrase takes, in MiB [default: 64]
    #[arg(long, value_name = "MIB", conflicts_with = "remove", value_parser = passphrase_options::memory())]
    argon2_memory: Option<u32>,

    /// Store the key without encryption
    #[arg(long)]
    remove: bool,

    #[command(flatten)]
    opening: Opening,
}

impl PassphraseArgs {
    pub(super) fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let path = &self.directory;
        match slh_dsa_key::private_key_at(path) {
            Some(private) => {
                let key = slh_dsa_key::read(&private, self.opening.passphrase())?;
                let new = self.new_one()?;
                held_off(|| slh_dsa_key::replace(&key, &private, new.as_ref()))?;
            }
            None => {
                let of_key = |error| Refusal::of_key(path, &error);
                let directory = self.opening.directory(path)?;
                // A wrong passphrase is reported before the new one is asked for.
                directory.verifying_key().map_err(of_key)?;
                let new = self.new_one()?;
                held_off(|| directory.change_passphrase(new.as_ref())).map_err(of_key)?;
            }
        }
        let text =
            if self.remove { "the key is not encrypted now" } else { "encrypted under the new passphrase" };
        print_about(speaker, path, text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn new_one(&self) -> Result<Option<Passphrase>, Refusal> {
        if self.remove {
            return Ok(None);
        }
        let source = PassphraseSource::new(self.new_passphrase_file.clone(), self.new_passphrase_fd);
        let new = source.new_one(&self.directory)?;
        Ok(Some(new.cost(passphrase_options::cost(self.argon2_memory))))
    }
}
