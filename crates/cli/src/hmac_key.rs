//! The key of HMACs, of every command that computes them.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::message::{Speaker, io_reason, say};

/// The longest key, 1 MiB. What is longer than a block is hashed first (RFC 2104 §2), so that no key needs to be; and a
/// device that never ends must not fill the memory.
const KEY_BYTES: u64 = 1 << 20;

// No comment for the help: it would take the place of the command's own.
#[derive(Args)]
pub(crate) struct KeyArgs {
    /// HMACs with the key that is all of FILE, at most 1 MiB
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<PathBuf>,
}

/// That there is no key to be had, which was said.
pub(crate) struct NoKey;

impl KeyArgs {
    /// The key, if one is asked for.
    ///
    /// # Errors
    /// It is asked for and not to be had.
    pub(crate) fn read(&self, speaker: &Speaker) -> Result<Option<Vec<u8>>, NoKey> {
        let Some(path) = &self.hmac_key_file else { return Ok(None) };
        let why = match bounded(path) {
            Ok(key) if key.is_empty() => "no key: the file is empty".into(),
            Ok(key) if key.len() as u64 > KEY_BYTES => "no key: the file is longer than 1 MiB".into(),
            Ok(key) => return Ok(Some(key)),
            Err(error) => format!("cannot read the key: {}", io_reason(&error)),
        };
        say(&speaker.about_file(path.as_os_str().as_bytes(), &why));
        Err(NoKey)
    }
}

/// A file up to the byte that makes it too long.
fn bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut key = Vec::new();
    File::open(path)?.take(KEY_BYTES + 1).read_to_end(&mut key)?;
    Ok(key)
}
