//! Keys of SLH-DSA in files: a directory with `private.pem` (PKCS#8, RFC 9909) and `public.pem`. They have no
//! state, so copies of a key are as good as the key.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hashlanes::hbs::passphrase::Passphrase;
use hashlanes::hbs::slh_dsa::{ParameterSet, SigningKey};
use zeroize::Zeroizing;

use super::key_options::protect_memory;
use super::passphrase_options::PassphraseSource;
use super::refusal::Refusal;
use crate::message::{Speaker, io_reason};
use crate::new_file::directory_of;
use crate::output::print_bytes;
use crate::platform::file::{DirBuilderExt, OpenOptionsExt};
use crate::signing::exit_status::Status;
use hashlanes_formats::encoding::{escape, hex};

const PRIVATE: &str = "private.pem";
const PUBLIC: &str = "public.pem";
/// Longer than any private key in PEM.
const MOST_BYTES: u64 = 4096;

/// Generates a key in a new directory, and prints which one.
///
/// # Errors
/// If the directory exists, or something cannot be written; then no directory is left.
pub(super) fn generate(
    speaker: &Speaker,
    set: ParameterSet,
    seeds: Option<&[u8]>,
    path: &Path,
    passphrase: impl FnOnce() -> Result<Option<Passphrase>, Refusal>,
) -> Result<ExitCode, Refusal> {
    use crate::platform::ffi::OsStrExt;
    protect_memory();
    let key = match seeds {
        Some(seeds) => SigningKey::from_seeds(set, seeds)
            .map_err(|error| Refusal::new(Status::WrongUse, path, format!("seeds: {error}")))?,
        None => {
            if path.symlink_metadata().is_ok() {
                return Err(exists(path));
            }
            let generated = SigningKey::generate(set);
            generated.map_err(|error| Refusal::new(Status::Failed, path, error.to_string()))?
        }
    };
    write(&key, path, passphrase()?.as_ref())?;
    let name = escape(path.as_os_str().as_bytes()).into_owned();
    let id = hashlanes::sha256(key.verifying_key().as_bytes());
    print_bytes(speaker, &[&name[..], format!(": {set}, key-id {}\n", hex(&id)).as_bytes()].concat());
    Ok(ExitCode::SUCCESS)
}

fn exists(path: &Path) -> Refusal {
    Refusal::new(Status::WrongUse, path, "exists already; choose a new directory for the key")
}

fn write(key: &SigningKey, path: &Path, passphrase: Option<&Passphrase>) -> Result<(), Refusal> {
    let pem = to_pem(key, path, passphrase)?;
    DirBuilder::new().mode(0o700).create(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => Refusal::new(Status::Failed, path, format!("cannot make the directory: {}", io_reason(&error))),
    })?;
    let (private, public) = (path.join(PRIVATE), path.join(PUBLIC));
    let written = write_file(&private, 0o400, pem.as_bytes())
        .and_then(|()| write_file(&public, 0o644, key.verifying_key().to_spki_pem().as_bytes()))
        .and_then(|()| File::open(path)?.sync_all())
        .and_then(|()| File::open(directory_of(path))?.sync_all());
    written.map_err(|error| {
        // An incomplete key is removed.
        let _ = fs::remove_file(&private);
        let _ = fs::remove_file(&public);
        let _ = fs::remove_dir(path);
        Refusal::new(Status::Failed, path, format!("cannot write the key: {}", io_reason(&error)))
    })
}

/// Returns the private key in PEM, encrypted if there is a passphrase.
fn to_pem(
    key: &SigningKey,
    path: &Path,
    passphrase: Option<&Passphrase>,
) -> Result<Zeroizing<String>, Refusal> {
    let Some(passphrase) = passphrase else { return Ok(key.to_pkcs8_pem()) };
    let sealed = key.to_encrypted_pem(passphrase);
    sealed.map_err(|error| Refusal::new(Status::Failed, path, format!("cannot encrypt the key: {error}")))
}

/// Replaces a private key by the same one under another passphrase.
///
/// # Errors
/// If it cannot be written; then the old file is there.
pub(super) fn replace(
    key: &SigningKey,
    private: &Path,
    passphrase: Option<&Passphrase>,
) -> Result<(), Refusal> {
    let pem = to_pem(key, private, passphrase)?;
    // A symbolic link stays one.
    let private = &*private.canonicalize().unwrap_or_else(|_| private.to_owned());
    let mut name = private.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let written = write_file(&new, 0o400, pem.as_bytes())
        .and_then(|()| fs::rename(&new, private))
        .inspect_err(|error| {
            if error.kind() != io::ErrorKind::AlreadyExists {
                let _ = fs::remove_file(&new);
            }
        })
        .and_then(|()| File::open(directory_of(private))?.sync_all());
    let failed = |error| format!("cannot write {}: {}", new.display(), io_reason(&error));
    written.map_err(|error| Refusal::new(Status::Failed, private, failed(error)))
}

fn write_file(path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Returns the path of the private key, if `path` is such a directory, or a file.
pub(super) fn private_key_at(path: &Path) -> Option<PathBuf> {
    match path.metadata() {
        Ok(metadata) if metadata.is_file() => Some(path.to_owned()),
        Ok(metadata) if metadata.is_dir() => {
            let private = path.join(PRIVATE);
            private.symlink_metadata().is_ok().then_some(private)
        }
        _ => None,
    }
}

/// Reads a private key: PKCS#8 in PEM or DER, or encrypted in PEM.
///
/// # Errors
/// If it is not a private key, or its passphrase is wrong or cannot be read.
pub(super) fn read(path: &Path, source: &PassphraseSource) -> Result<SigningKey, Refusal> {
    protect_memory();
    let refused = |words: String| Refusal::new(Status::WrongUse, path, words);
    // Allocated in full length from the start: a vector that grows leaves a copy.
    let mut bytes = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize + 1));
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| refused(format!("cannot read the private key: {}", io_reason(&error))))?;
    let text = std::str::from_utf8(&bytes).ok();
    let is_encrypted = text.is_some_and(SigningKey::is_encrypted_pem);
    if source.is_given() && !is_encrypted {
        return Err(refused("the key is not encrypted, but a passphrase is given".into()));
    }
    let key = match text {
        Some(text) if is_encrypted => {
            let key = SigningKey::from_encrypted_pem(text, &source.present_one(path)?);
            return key.map_err(|error| refused(error.to_string()));
        }
        Some(text) if text.trim_ascii_start().starts_with("-----BEGIN") => SigningKey::from_pkcs8_pem(text),
        _ => SigningKey::from_pkcs8_der(&bytes),
    };
    key.map_err(|error| refused(format!("not a private key of SLH-DSA: {error}")))
}
