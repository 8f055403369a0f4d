//! The files with secrets, `key` and `unfinished`: plain, or encrypted under a passphrase.
//!
//! An encrypted file has the format of [`crate::passphrase`], and contains the bytes of the plain one. All
//! other files hold only public values.

use alloc::string::String;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::passphrase::{self, Passphrase};
use crate::store::Error;
use crate::store::file_system::FileSystem;
use crate::store::open_directory::Directory;

/// Returns the bytes of the file for the bytes of the plain one.
pub(super) fn to_file(
    passphrase: Option<&Passphrase>,
    file: String,
    plain: Zeroizing<Vec<u8>>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let Some(passphrase) = passphrase else { return Ok(plain) };
    let sealed = passphrase.seal(&plain).and_then(|sealed| {
        // The key would be lost if the machine had computed wrongly.
        let opened = passphrase.open(&sealed)?;
        if *opened == *plain { Ok(sealed) } else { Err(passphrase::Error::WrongPassphrase) }
    });
    sealed.map(Zeroizing::new).map_err(|why| Error::Passphrase { file, why })
}

/// Returns the bytes of the plain file for those of the file.
pub(super) fn from_file(
    passphrase: Option<&Passphrase>,
    file: String,
    bytes: Zeroizing<Vec<u8>>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    match (passphrase, passphrase::is_sealed(&bytes)) {
        (None, false) => Ok(bytes),
        (None, true) => Err(Error::Encrypted { file }),
        (Some(_), false) => Err(Error::NotEncrypted { file }),
        (Some(passphrase), true) => passphrase.open(&bytes).map_err(|why| Error::Passphrase { file, why }),
    }
}

/// Reads a file, and returns the bytes of the plain one.
pub(super) fn read<F: FileSystem>(
    directory: &Directory<F>,
    passphrase: Option<&Passphrase>,
    name: &str,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    from_file(passphrase, directory.path_of(name), directory.read(name)?)
}
