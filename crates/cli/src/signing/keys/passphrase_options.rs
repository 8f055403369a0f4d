//! Passphrases of keys: from a file, from a descriptor, or from the terminal without echo.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use hashlanes::hbs::passphrase::{Cost, Error, Passphrase};
use hashlanes::hbs::store::KeyDirectory;
use zeroize::Zeroizing;

use super::refusal::Refusal;
use crate::interruption::{Leftover, guarded};
use crate::message::io_reason;
use crate::platform::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use crate::signing::exit_status::Status;

/// The most bytes of a passphrase.
const MOST_BYTES: usize = 4096;

// No doc comment: it would replace the help of the command.
#[derive(Args, Debug)]
pub(super) struct PassphraseSource {
    /// Read the passphrase of an encrypted key from the first line of FILE [default: ask on the terminal]
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_fd")]
    passphrase_file: Option<PathBuf>,

    /// Read the passphrase of an encrypted key from the first line of the open file descriptor N
    #[arg(long, value_name = "N")]
    passphrase_fd: Option<u32>,
}

#[derive(Args, Debug)]
pub(super) struct Encryption {
    /// Encrypt the secret key under a passphrase: Argon2id and AEGIS-256
    #[arg(long)]
    encrypt: bool,

    /// Memory for Argon2id, which each guess of the passphrase takes, in MiB [default: 64]
    #[arg(long, value_name = "MIB", requires = "encrypt", value_parser = memory())]
    argon2_memory: Option<u32>,
}

/// Numbers of MiB.
pub(super) fn memory() -> impl clap::builder::TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::from(Cost::MAX_MEMORY_KIB >> 10))
}

/// Returns the cost of a passphrase.
pub(super) fn cost(memory_mib: Option<u32>) -> Cost {
    let of_memory = |mib| Cost::new(mib << 10, 3, 4).expect("in range");
    memory_mib.map_or_else(Cost::default, of_memory)
}

impl Encryption {
    /// Returns the passphrase of a new key, if it will be encrypted.
    ///
    /// # Errors
    /// The passphrase cannot be read; or it is given for a key that will not be encrypted.
    pub(super) fn of_new_key(
        &self,
        source: &PassphraseSource,
        path: &Path,
    ) -> Result<Option<Passphrase>, Refusal> {
        match (self.encrypt, source.is_given()) {
            (true, _) => source.new_one(path).map(|new| Some(new.cost(cost(self.argon2_memory)))),
            (false, false) => Ok(None),
            (false, true) => {
                let words = "--passphrase-file and --passphrase-fd require --encrypt for a new key";
                Err(Refusal::new(Status::WrongUse, path, words))
            }
        }
    }
}

impl PassphraseSource {
    /// Returns a source of these options of another name.
    pub(super) fn new(file: Option<PathBuf>, descriptor: Option<u32>) -> Self {
        Self { passphrase_file: file, passphrase_fd: descriptor }
    }

    pub(super) fn is_given(&self) -> bool {
        self.passphrase_file.is_some() || self.passphrase_fd.is_some()
    }

    /// Adds the passphrase to the directory of a key that is encrypted.
    ///
    /// # Errors
    /// The passphrase cannot be read.
    pub(super) fn unlocked(&self, directory: KeyDirectory) -> Result<KeyDirectory, Refusal> {
        match directory.is_encrypted() {
            // If a passphrase is given for a key that is not encrypted, the store reports that.
            Ok(is_encrypted) if is_encrypted || self.is_given() => {
                let passphrase = self.present_one(directory.path())?;
                Ok(directory.passphrase(passphrase))
            }
            // The command reports an unreadable key.
            Ok(_) | Err(_) => Ok(directory),
        }
    }

    /// Returns the passphrase of an encrypted key.
    ///
    /// # Errors
    /// The passphrase cannot be read.
    pub(super) fn present_one(&self, path: &Path) -> Result<Passphrase, Refusal> {
        match self.read(path)? {
            Some(passphrase) => Ok(passphrase),
            None => of_bytes(path, asked(path, "Passphrase")?),
        }
    }

    /// Returns a new passphrase; the terminal asks twice.
    ///
    /// # Errors
    /// The passphrase cannot be read, is empty, or was typed differently.
    pub(super) fn new_one(&self, path: &Path) -> Result<Passphrase, Refusal> {
        if let Some(passphrase) = self.read(path)? {
            return Ok(passphrase);
        }
        let (first, second) = (asked(path, "New passphrase")?, asked(path, "The same passphrase")?);
        if first != second {
            return Err(Refusal::new(Status::WrongUse, path, "the two passphrases differ; nothing was done"));
        }
        of_bytes(path, first)
    }

    fn read(&self, path: &Path) -> Result<Option<Passphrase>, Refusal> {
        let (from, opened) = match (&self.passphrase_file, self.passphrase_fd) {
            (Some(file), _) => (file.clone(), File::open(file)),
            // Opening this name needs no ownership of the descriptor.
            (None, Some(number)) => {
                let name = PathBuf::from(format!("/dev/fd/{number}"));
                (name.clone(), File::open(&name))
            }
            (None, None) => return Ok(None),
        };
        let line = opened.and_then(|mut file| first_line(&mut file));
        let line = line.map_err(|error| {
            let words = format!("cannot read the passphrase: {}", io_reason(&error));
            Refusal::new(Status::WrongUse, &from, words)
        })?;
        of_bytes(path, line).map(Some)
    }
}

fn of_bytes(path: &Path, mut bytes: Zeroizing<Vec<u8>>) -> Result<Passphrase, Refusal> {
    let refused = |error: Error| Refusal::new(Status::WrongUse, path, error.to_string());
    Passphrase::new(std::mem::take(&mut *bytes)).map_err(refused)
}

/// Reads byte by byte, so that a pipe keeps the bytes after the line.
fn first_line(from: &mut File) -> io::Result<Zeroizing<Vec<u8>>> {
    // Never grown: that would leave a copy.
    let mut line = Zeroizing::new(Vec::with_capacity(MOST_BYTES));
    let mut byte = Zeroizing::new([0]);
    loop {
        match from.read(&mut *byte) {
            Ok(0) => break,
            Ok(_) if byte[0] == b'\n' => break,
            Ok(_) if line.len() == MOST_BYTES => {
                return Err(io::Error::other(format!("longer than {MOST_BYTES} bytes")));
            }
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(line)
}

/// A terminal that does not show what is typed, until this is dropped or a signal ends the program.
struct Silent {
    terminal: File,
    before: Termios,
}

impl Leftover for Silent {
    fn remove(&self) {
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}

/// Asks for a line on the terminal, without echo.
fn asked(path: &Path, what: &str) -> Result<Zeroizing<Vec<u8>>, Refusal> {
    let ask = || {
        let mut terminal = File::options().read(true).write(true).open("/dev/tty")?;
        let silent = guarded(|| {
            let before = tcgetattr(&terminal)?;
            let mut after = before.clone();
            after.local_modes.remove(LocalModes::ECHO);
            after.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG | LocalModes::ECHONL);
            let silent = Silent { terminal: terminal.try_clone()?, before };
            tcsetattr(&terminal, OptionalActions::Flush, &after)?;
            Ok(silent)
        })?;
        terminal.write_all(format!("{what} of {}: ", path.display()).as_bytes())?;
        let line = first_line(&mut terminal);
        drop(silent);
        line
    };
    ask().map_err(|error| {
        let words = format!(
            "its passphrase is needed, and cannot be asked for on the terminal: {}; use --passphrase-file or \
             --passphrase-fd",
            io_reason(&error)
        );
        Refusal::new(Status::WrongUse, path, words)
    })
}
