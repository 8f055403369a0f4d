//! Options that open a key directory, and the protection of secrets in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hashlanes::hbs::store::KeyDirectory;

use super::passphrase_options::PassphraseSource;
use super::refusal::Refusal;
use super::witness_command::WitnessCommand;
use crate::message::io_reason;
use crate::platform;
use crate::platform::process::{Resource, Rlimit};
use crate::signing::exit_status::Status;

/// How long the command of a witness may take.
const WITNESS_TIMEOUT: Duration = Duration::from_secs(30);

// No doc comment: it would replace the help of the command.
#[derive(Args, Debug)]
pub(super) struct Opening {
    /// Wait this long for another program that uses the key [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    wait: Option<Duration>,

    #[command(flatten)]
    access: Access,
}

// The options that each command needs that reads the files of a key.
#[derive(Args, Debug)]
pub(super) struct Access {
    /// Record in the file PATH, on another volume, how far the key is, to detect that the volume of the key
    /// was restored. Pass it to every command from keygen on; `key adopt --moved` adds one to an existing key
    #[arg(long, value_name = "PATH")]
    witness: Option<PathBuf>,

    /// Record it by COMMAND instead, such as a counter of a TPM. `hashlanes help key` describes its arguments
    #[arg(long, value_name = "COMMAND", conflicts_with = "witness")]
    witness_command: Option<String>,

    /// Kill the witness's command after this time [default: 30]
    #[arg(long, value_name = "SECONDS", requires = "witness_command", value_parser = seconds)]
    witness_timeout: Option<Duration>,

    #[command(flatten)]
    passphrase: PassphraseSource,
}

impl Opening {
    /// # Errors
    /// Like [`Access::known`].
    pub(super) fn directory(&self, path: &Path) -> Result<KeyDirectory, Refusal> {
        self.access.known(path).map(|directory| self.waiting(directory))
    }

    /// Like `directory`, for a command that may give the key its witness.
    ///
    /// # Errors
    /// Like [`Access::new_or_known`].
    pub(super) fn directory_to_adopt(&self, path: &Path) -> Result<KeyDirectory, Refusal> {
        self.access.new_or_known(path).map(|directory| self.waiting(directory))
    }

    /// Returns the file of the witness, if one is named.
    pub(super) fn witness(&self) -> Option<&Path> {
        self.access.witness.as_deref()
    }

    /// Returns the options that the key of a command needs.
    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the source of the passphrase.
    pub(super) fn passphrase(&self) -> &PassphraseSource {
        self.access.passphrase()
    }

    fn waiting(&self, directory: KeyDirectory) -> KeyDirectory {
        directory.wait(self.wait.unwrap_or_default())
    }
}

impl Access {
    /// Checks that no witness is named for a key of SLH-DSA.
    ///
    /// # Errors
    /// One is named.
    pub(super) fn without_witness(&self, key: &Path) -> Result<(), Refusal> {
        let option = match (&self.witness, &self.witness_command) {
            (None, None) => return Ok(()),
            (Some(_), _) => "--witness",
            (None, Some(_)) => "--witness-command",
        };
        let words = format!("{option} is for keys with a state; keys of SLH-DSA have none");
        Err(Refusal::new(Status::WrongUse, key, words))
    }

    /// Returns the source of the passphrase.
    pub(super) fn passphrase(&self) -> &PassphraseSource {
        &self.passphrase
    }

    /// Returns the directory with its passphrase, and with a witness; its file is made if it is not there.
    ///
    /// # Errors
    /// The passphrase cannot be read.
    pub(super) fn new_or_known(&self, path: &Path) -> Result<KeyDirectory, Refusal> {
        // From here on there may be a secret key in memory.
        protect_memory();
        let directory = self.passphrase.unlocked(KeyDirectory::new(path))?;
        Ok(match (&self.witness, &self.witness_command) {
            (Some(witness), _) => directory.witness(witness),
            (None, Some(command)) => {
                let limit = self.witness_timeout.unwrap_or(WITNESS_TIMEOUT);
                directory.external_witness(Arc::new(WitnessCommand::new(command.clone(), limit)))
            }
            (None, None) => directory,
        })
    }

    /// Returns the directory with a witness that knows it. A new witness would have no record of the past. If
    /// its volume is not mounted, this must be an error.
    ///
    /// # Errors
    /// The witness is not there, or the passphrase cannot be read.
    pub(super) fn known(&self, path: &Path) -> Result<KeyDirectory, Refusal> {
        if let Some(witness) = &self.witness
            && let Err(error) = witness.symlink_metadata()
        {
            let words = format!(
                "rollback suspected: witness: {}; is its volume mounted? Only `hashlanes key adopt --witness` creates a new \
                 one",
                io_reason(&error)
            );
            return Err(Refusal::new(Status::Rollback, witness, words));
        }
        self.new_or_known(path)
    }
}

/// `5`, `0.5`.
fn seconds(typed: &str) -> Result<Duration, String> {
    /// A year: beyond it additions could overflow.
    const MOST: f64 = 366.0 * 86_400.0;
    let seconds: f64 = typed.parse().map_err(|_| String::from("expected a number of seconds"))?;
    if !(0.0..=MOST).contains(&seconds) {
        return Err("expected a number of seconds from 0 to a year".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Forbids core dumps and debuggers, and keeps the memory out of swap where the limit allows that.
///
/// All of it is a precaution: failures are ignored. The memory is locked only if no limit applies, because
/// under a limit later allocations would fail.
pub(super) fn protect_memory() {
    #[cfg(target_os = "linux")]
    let _ = platform::process::set_dumpable_behavior(platform::process::DumpableBehavior::NotDumpable);
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = platform::process::setrlimit(Resource::Core, none);
    #[cfg(target_os = "linux")]
    if platform::limit_of(Resource::Memlock).is_some_and(|limit| limit.current.is_none()) {
        use crate::platform::mm::{MlockAllFlags, mlockall};
        // Pages are locked when they are used first, not all at once.
        let _ = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT);
    }
}
