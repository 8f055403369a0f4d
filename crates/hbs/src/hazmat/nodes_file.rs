//! The file of an interrupted key generation: finished leaves.
//!
//! ```text
//! "hashlanes XMSS leaves, version 1\n"   HMAC of the key's set, derivation and SEED; for LMS "hashlanes LMS leaves, …", HMAC of set and I
//! leaves of part 0                       HMAC of 0 and these leaves
//! leaves of part 1                       HMAC of 1 and these leaves
//! …
//! ```
//!
//! Its values are public, but a forged leaf would be an attacker's one-time key under this key's root. So
//! each part carries a code (HMAC-SHA-256) under a key derived from the secret seeds. Everything from the
//! first incomplete or invalid part on is computed again.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hashlanes_sha::{HmacSha256Key, hmac_sha256};
use zeroize::Zeroizing;

use crate::Error;
use crate::hazmat::forest::Part;

const MAC_BYTES: usize = 32;

/// The file, open after its last valid part.
pub(super) struct NodesFile {
    file: File,
    key: HmacSha256Key,
    /// The number of the next part.
    part: u64,
}

/// The owner of a file's leaves.
pub(crate) struct FileOwner {
    /// The first bytes of the file.
    pub(crate) magic: &'static [u8],
    /// The secret from which the key of its codes is derived.
    pub(crate) secret: Zeroizing<Vec<u8>>,
    /// The data that identifies the key.
    pub(crate) public: Vec<u8>,
}

/// The location of the file.
pub(crate) enum NodesPlace {
    /// A path; the file is created if it is missing.
    Path(PathBuf),
    /// An open file, and its name for messages.
    #[cfg(feature = "store")]
    File(File, PathBuf),
}

impl NodesPlace {
    /// Opens the file; returns it with its name.
    fn open(self) -> Result<(File, PathBuf), Error> {
        match self {
            #[cfg(feature = "store")]
            Self::File(file, name) => Ok((file, name)),
            Self::Path(path) => {
                let mut options = File::options();
                let opened = options.read(true).write(true).create(true).truncate(false).open(&path);
                Ok((opened.map_err(failed(&path))?, path))
            }
        }
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Error + '_ {
    move |error| Error::File(format!("{}: {error}", path.display()))
}

impl NodesFile {
    /// Opens or creates the file, and reads its parts into `parts`. Returns their number.
    ///
    /// # Errors
    /// [`Error::File`] if reading or writing fails; [`Error::OtherNodes`] if the file belongs to another key.
    pub(super) fn open(
        place: NodesPlace,
        owner: &FileOwner,
        parts: &mut [Part<'_>],
    ) -> Result<(Self, usize), Error> {
        let key = Zeroizing::new(hmac_sha256(&owner.secret, b"hashlanes: codes of a file of leaves"));
        let key = HmacSha256Key::new(&*key);
        let head = [owner.magic, &key.mac(&owner.public)].concat();

        let (mut file, path) = place.open()?;
        let failed = failed(&path);
        let mut reader = BufReader::new(&mut file);
        let mut there = alloc::vec![0; head.len()];
        let n_read = fill(&mut reader, &mut there).map_err(&failed)?;
        // A truncated header means that the generation had hardly begun.
        if !head.starts_with(&there[..n_read]) {
            return Err(Error::OtherNodes);
        }
        let (mut n, mut good_bytes) = (0, 0);
        if n_read == head.len() {
            good_bytes = head.len() as u64;
            for part in &mut *parts {
                let mut mac = [0; MAC_BYTES];
                let n_read = fill(&mut reader, part.leaves).map_err(&failed)?;
                let n_read = n_read + fill(&mut reader, &mut mac).map_err(&failed)?;
                if n_read < part.leaves.len() + MAC_BYTES || !is_mac(&key, n as u64, part.leaves, &mac) {
                    break;
                }
                (n, good_bytes) = (n + 1, good_bytes + n_read as u64);
            }
        }
        drop(reader);
        file.set_len(good_bytes).map_err(&failed)?;
        file.seek(SeekFrom::Start(good_bytes)).map_err(&failed)?;
        if good_bytes == 0 {
            file.write_all(&head).map_err(&failed)?;
        }
        Ok((Self { file, key, part: n as u64 }, n))
    }

    /// Appends the next parts.
    pub(super) fn append(&mut self, parts: &[Part<'_>]) -> Result<(), Error> {
        for part in parts {
            let mac = self.key.mac(&numbered(self.part, part.leaves));
            self.part += 1;
            let written = self.file.write_all(&[&*part.leaves, &mac].concat());
            written.map_err(|error| Error::File(error.to_string()))?;
        }
        Ok(())
    }
}

fn numbered(part: u64, leaves: &[u8]) -> Vec<u8> {
    [&part.to_be_bytes()[..], leaves].concat()
}

/// Compares in constant time, because the key is secret.
fn is_mac(key: &HmacSha256Key, part: u64, leaves: &[u8], mac: &[u8]) -> bool {
    let mut hmac = key.begin();
    hmac.update(numbered(part, leaves));
    hmac.verify(mac)
}

/// Reads until `to` is full or the file ends; returns the number of bytes.
fn fill(reader: &mut impl Read, to: &mut [u8]) -> std::io::Result<usize> {
    let mut n = 0;
    while n < to.len() {
        match reader.read(&mut to[n..]) {
            Ok(0) => break,
            Ok(more) => n += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(n)
}
