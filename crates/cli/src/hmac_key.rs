//! The option for the key of HMACs.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::message::{Speaker, io_reason, say};
use crate::platform::ffi::OsStrExt;

/// The longest key, 1 MiB. Longer keys have no use, because a key longer than a block is hashed first (RFC
/// 2104 §2), and a device without end must not fill the memory.
const KEY_BYTES: u64 = 1 << 20;

// No doc comment: it would replace the help of the command.
#[derive(Args)]
pub(crate) struct KeyArgs {
    /// Compute HMACs; the key is the content of FILE, at most 1 MiB
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<PathBuf>,
}

/// The key could not be read; the error was printed.
pub(crate) struct NoKey;

impl KeyArgs {
    /// Reads the key, if the option was given.
    ///
    /// # Errors
    /// If the key cannot be read.
    pub(crate) fn read(&self, speaker: &Speaker) -> Result<Option<Vec<u8>>, NoKey> {
        let Some(path) = &self.hmac_key_file else { return Ok(None) };
        let why = match bounded(path) {
            Ok(key) if key.is_empty() => "not a key: the file is empty".into(),
            Ok(key) if key.len() as u64 > KEY_BYTES => "not a key: the file is longer than 1 MiB".into(),
            Ok(key) => return Ok(Some(key)),
            Err(error) => format!("cannot read the key: {}", io_reason(&error)),
        };
        say(&speaker.about_file(path.as_os_str().as_bytes(), &why));
        Err(NoKey)
    }
}

/// Reads a file up to the byte that makes it too long.
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut key = Vec::new();
    File::open(path)?.take(KEY_BYTES + 1).read_to_end(&mut key)?;
    Ok(key)
}
