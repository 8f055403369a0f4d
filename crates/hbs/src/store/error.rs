//! Errors of a kept key, and the classes by which a program chooses its exit code.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;
use core::time::Duration;
use std::io;
use std::path::PathBuf;

use crate::passphrase;

/// Why a kept key cannot be created, opened or used to sign.
///
/// The texts name the fault, the loss (an index, a window of them, nothing) and the way out. [`Error::class`]
/// sorts the errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A key, a signature or a parameter set is invalid; no index was taken.
    Key(crate::Error),
    /// The key is in use by another process, or by another handle of this process.
    Locked {
        /// How long the call waited.
        waited: Duration,
    },
    /// All indices of the key's range are used; nothing was done.
    Exhausted {
        /// The first index after the range.
        end: u64,
    },
    /// More indices were requested than are left; none was taken.
    TooFewLeft {
        /// The number of requested indices.
        asked: u64,
        /// The number of indices left.
        left: u64,
    },
    /// An index below the next one was requested; it may have been used.
    IndexUsed {
        /// The requested index.
        index: u64,
        /// The next index.
        next: u64,
    },
    /// The state is older than the log or the witness records: it was restored from a copy, or the log was
    /// truncated.
    RolledBack {
        /// The generation of the state.
        state: u64,
        /// The source of another generation: `log`, or the witness's path.
        witness: String,
        /// The generation in that source.
        witnessed: u64,
    },
    /// An external witness records less than the state: it was restored from a copy, or is another one.
    WitnessBehind {
        /// The witness's name.
        witness: String,
        /// The generation of the state.
        state: u64,
        /// The generation in the witness, if it has a record of the key.
        witnessed: Option<u64>,
    },
    /// An external witness failed.
    Witness {
        /// The witness's name.
        witness: String,
        /// The reason.
        why: String,
    },
    /// The directory is not at the place where its state was written: it was copied, restored or moved.
    Moved {
        /// The difference: the machine, the volume, the file `lock`, or the file `state`.
        what: &'static str,
    },
    /// The message could not be read, or changed while it was signed.
    Message {
        /// The message's number in the call, from 0 on.
        number: usize,
        /// The reason.
        why: String,
    },
    /// An index was taken without producing a signature. It is not used again.
    Burned {
        /// The index.
        index: u64,
        /// The reason.
        why: Box<Error>,
    },
    /// Indices were given to a part of the key that could not be written. They are not used again.
    BurnedRange {
        /// The indices.
        indices: Range<u64>,
        /// The reason.
        why: Box<Error>,
    },
    /// The state could not be stored, and none of these indices was taken. The key on the disk is unchanged,
    /// or skips them.
    NotCommitted {
        /// The indices to be reserved.
        indices: Range<u64>,
        /// Whether this handle can still be used.
        handle: Handle,
        /// The reason.
        why: Box<Error>,
    },
    /// This handle is stopped, because the content of the disk is unknown; an earlier call reports why. Open
    /// the key again.
    PoisonedHandle,
    /// The state records an attack or a fault: the key does not sign until it is adopted.
    PoisonedKey,
    /// A tree's root differs from the one that was signed: the machine computes wrongly, did so earlier, or
    /// is under a fault attack. Nothing was released, and the key is poisoned.
    Fault {
        /// The tree's layer.
        layer: u32,
        /// The tree's number in its layer.
        tree: u64,
        /// The first index after the tree: signatures from there on do not depend on it, and the key may be
        /// adopted from there.
        end: u64,
    },
    /// The process was forked after the key was opened. Only the parent may sign.
    Forked,
    /// The state was changed by another process after it was read.
    Conflict {
        /// The generation that this handle knows.
        known: u64,
        /// The generation on the disk.
        found: u64,
    },
    /// A file of the key was removed, replaced or linked while the key was open.
    Replaced {
        /// The file: `lock`, `state` or `log`.
        file: &'static str,
    },
    /// The file system keeps no data that distinguishes a copy of the directory from the original, and no
    /// witness is set.
    NoEvidence(PathBuf),
    /// A file of the key is damaged: truncated, changed or missing.
    Damaged {
        /// The file's name in the directory, or the witness's path.
        file: String,
        /// The fault.
        why: &'static str,
    },
    /// A file of the key has an unknown format version.
    Version {
        /// The file's name in the directory, or the witness's path.
        file: String,
        /// The version.
        found: u32,
    },
    /// The key is encrypted, and no passphrase is set.
    Encrypted {
        /// The file.
        file: String,
    },
    /// A passphrase is set, and the key is not encrypted.
    NotEncrypted {
        /// The file.
        file: String,
    },
    /// The key cannot be encrypted or decrypted.
    Passphrase {
        /// The file.
        file: String,
        /// The reason.
        why: passphrase::Error,
    },
    /// A file belongs to another key, or to another part of a split one.
    OtherKey {
        /// The file's name in the directory, or the witness's path.
        file: String,
    },
    /// A file of the key is not safe to use: a link, a pipe, or accessible to other users.
    Unsafe {
        /// The file or the directory.
        file: String,
        /// The fault.
        why: String,
    },
    /// The path of a new key exists already.
    Exists(PathBuf),
    /// The directory contains no key.
    NoKey(PathBuf),
    /// The generation of the key in this directory is not finished; `KeyDirectory::unfinished` continues it.
    Unfinished(PathBuf),
    /// A system call failed.
    File {
        /// The operation: "writing", "syncing".
        doing: &'static str,
        /// The file.
        file: String,
        /// The system's error.
        why: io::Error,
    },
}

/// Whether a handle can be used after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// It can be used: nothing was changed.
    Usable,
    /// It cannot be used: the content of the disk is unknown. Open the key again.
    Poisoned,
}

/// A kind of error, for a program's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The key is in use: try later.
    Locked,
    /// Rollback suspected: stop, and find out what was restored.
    Rollback,
    /// The key has made all its signatures.
    Exhausted,
    /// An index is lost without a signature: sign again.
    Burned,
    /// A system call failed (full disk, failing disk); no index was taken.
    System,
    /// This handle, or this key, must not be used any more.
    Poisoned,
    /// The machine computes wrongly, or is under a fault attack.
    Fault,
    /// Files are damaged, belong to another key, or are not to be trusted.
    Damaged,
    /// An invalid request: an index below the next one, an existing directory, a wrong parameter.
    WrongUse,
}

impl Error {
    /// Returns the error's class.
    ///
    /// | class | errors |
    /// |---|---|
    /// | [`Class::Locked`] | [`Error::Locked`] |
    /// | [`Class::Rollback`] | [`Error::RolledBack`], [`Error::Moved`], [`Error::WitnessBehind`] |
    /// | [`Class::Exhausted`] | [`Error::Exhausted`], [`Error::TooFewLeft`] |
    /// | [`Class::Burned`] | [`Error::Burned`], except for a fault; [`Error::BurnedRange`] |
    /// | [`Class::System`] | [`Error::File`], [`Error::Witness`], [`Error::NotCommitted`] with a usable handle, [`Error::Message`], [`Error::Passphrase`] without memory or random numbers |
    /// | [`Class::Poisoned`] | [`Error::PoisonedHandle`], [`Error::PoisonedKey`], [`Error::NotCommitted`] with an unusable handle, [`Error::Forked`], [`Error::Conflict`], [`Error::Replaced`] |
    /// | [`Class::Fault`] | [`Error::Fault`], also as the reason of [`Error::Burned`] |
    /// | [`Class::Damaged`] | [`Error::Damaged`], [`Error::Version`], [`Error::OtherKey`], [`Error::Unsafe`], [`Error::Passphrase`] for a damaged file |
    /// | [`Class::WrongUse`] | [`Error::Key`], [`Error::IndexUsed`], [`Error::Exists`], [`Error::NoKey`], [`Error::NoEvidence`], [`Error::Unfinished`], [`Error::Encrypted`], [`Error::NotEncrypted`], [`Error::Passphrase`] if it is wrong |
    pub fn class(&self) -> Class {
        match self {
            Self::Locked { .. } => Class::Locked,
            Self::RolledBack { .. } | Self::Moved { .. } | Self::WitnessBehind { .. } => Class::Rollback,
            Self::Exhausted { .. } | Self::TooFewLeft { .. } => Class::Exhausted,
            Self::Burned { why, .. } if why.class() == Class::Fault => Class::Fault,
            Self::Burned { .. } | Self::BurnedRange { .. } => Class::Burned,
            Self::NotCommitted { handle: Handle::Usable, why, .. } => why.class(),
            Self::File { .. } | Self::Message { .. } | Self::Witness { .. } => Class::System,
            Self::Passphrase { why, .. } => match why {
                passphrase::Error::Memory { .. } | passphrase::Error::Random(_) => Class::System,
                passphrase::Error::WrongPassphrase | passphrase::Error::Empty => Class::WrongUse,
                _ => Class::Damaged,
            },
            Self::PoisonedHandle
            | Self::PoisonedKey
            | Self::NotCommitted { handle: Handle::Poisoned, .. }
            | Self::Forked
            | Self::Conflict { .. }
            | Self::Replaced { .. } => Class::Poisoned,
            Self::Fault { .. } => Class::Fault,
            Self::Damaged { .. } | Self::Version { .. } | Self::OtherKey { .. } | Self::Unsafe { .. } => {
                Class::Damaged
            }
            Self::Key(_)
            | Self::IndexUsed { .. }
            | Self::Exists(_)
            | Self::NoKey(_)
            | Self::NoEvidence(_)
            | Self::Encrypted { .. }
            | Self::NotEncrypted { .. }
            | Self::Unfinished(_) => Class::WrongUse,
        }
    }
}

/// Writes "index 7 is", "indices 7 to 9 are" or "no index is".
fn named(indices: &Range<u64>, is: &str, are: &str) -> String {
    match indices.end.saturating_sub(indices.start) {
        0 => format!("no index {is}"),
        1 => format!("index {} {is}", indices.start),
        _ => format!("indices {} to {} {are}", indices.start, indices.end - 1),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Locked { waited } => {
                write!(f, "the key is in use by another process (waited {} s)", waited.as_secs_f32())
            }
            Self::Exhausted { end } => {
                write!(f, "the key is exhausted: all its indices below {end} are used; make a new key")
            }
            Self::TooFewLeft { asked, left } => {
                write!(f, "{asked} indices requested, {left} left; none was taken")
            }
            Self::IndexUsed { index, next } => {
                write!(f, "index {index} may have been used: the next one is {next}, and goes forward only")
            }
            Self::RolledBack { state, witness, witnessed } => write!(
                f,
                "rollback suspected: the state has generation {state}, {witness} has {witnessed}; signing could use an \
                 index twice. Find the newest state, or adopt the key from an index that was surely never used"
            ),
            Self::WitnessBehind { witness, state, witnessed: None } => write!(
                f,
                "rollback suspected: the witness {witness} has no record of this key, whose state has generation {state}; if it \
                 is a new witness, adopt the key with it"
            ),
            Self::WitnessBehind { witness, state, witnessed: Some(witnessed) } => write!(
                f,
                "rollback suspected: the witness {witness} has generation {witnessed}, the state {state}; it was restored, or the \
                 key signed without it. Adopt the key from an index that was surely never used"
            ),
            Self::Witness { witness, why } => write!(f, "the witness {witness}: {why}"),
            Self::Moved { what } => write!(
                f,
                "rollback suspected: {what} differs from the one recorded in the state; signing in two copies would use \
                 indices twice. If the directory was moved on purpose and no other copy signs, adopt it"
            ),
            Self::Message { number, why } => write!(f, "message {number}: {why}"),
            Self::Burned { index, why } => {
                write!(f, "{why}; index {index} is burned: it has no signature and is not used again")
            }
            Self::BurnedRange { indices, why } => {
                write!(f, "{why}; {} burned: they are not used again", named(indices, "is", "are"))
            }
            Self::NotCommitted { indices, handle: Handle::Usable, why } => {
                write!(f, "{why}; {} not taken, the key is unchanged", named(indices, "was", "were"))
            }
            Self::NotCommitted { indices, handle: Handle::Poisoned, why } => write!(
                f,
                "{why}; nothing was signed, {} burned if the state was stored; open the key again",
                named(indices, "is", "are")
            ),
            Self::PoisonedHandle => {
                f.write_str("this handle stopped at an earlier error; open the key again")
            }
            Self::PoisonedKey => f.write_str(
                "a fault was found while this key signed, and it signs no more; examine the machine, then adopt the key \
                 from the first index after the tree with the fault",
            ),
            Self::Fault { layer, tree, end } => write!(
                f,
                "fault: tree {tree} of layer {layer} has another root than the one that was signed; nothing was released. Examine \
                 the machine, then adopt the key from index {end} on"
            ),
            Self::Forked => {
                f.write_str("the process was forked after the key was opened; only the parent may sign")
            }
            Self::Conflict { known, found } => write!(
                f,
                "the state has generation {found} instead of {known}: another process changed it; open the key again"
            ),
            Self::Replaced { file } => write!(
                f,
                "the file {file} was removed, replaced or linked while the key was open; open the key again"
            ),
            Self::NoEvidence(path) => write!(
                f,
                "{}: this file system keeps neither birth times nor reliable change times, so a restored copy cannot be \
                 distinguished from the key; use another file system, or a witness on another volume",
                path.display()
            ),
            Self::Damaged { file, why } => write!(f, "{file}: {why}"),
            Self::Version { file, found } => {
                write!(f, "{file}: unknown version {found}; a newer program wrote it")
            }
            Self::Encrypted { file } => write!(f, "{file}: the key is encrypted; its passphrase is needed"),
            Self::NotEncrypted { file } => {
                write!(f, "{file}: the key is not encrypted, but a passphrase is given")
            }
            Self::Passphrase { file, why } => write!(f, "{file}: {why}"),
            Self::OtherKey { file } => write!(f, "{file} belongs to another key"),
            Self::Unsafe { file, why } => write!(f, "{file}: {why}"),
            Self::Exists(path) => {
                write!(f, "{}: exists; a key needs a new directory", path.display())
            }
            Self::NoKey(path) => write!(f, "{}: holds no key", path.display()),
            Self::Unfinished(path) => {
                write!(f, "{}: its key generation is not finished; continue it", path.display())
            }
            Self::File { doing, file, why } => write!(f, "{doing} {file}: {why}"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Key(error) => Some(error),
            Self::Burned { why, .. } | Self::BurnedRange { why, .. } | Self::NotCommitted { why, .. } => {
                Some(why)
            }
            Self::File { why, .. } => Some(why),
            Self::Passphrase { why, .. } => Some(why),
            _ => None,
        }
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        match error {
            crate::Error::Fault { layer, tree, end } => Self::Fault { layer, tree, end },
            error => Self::Key(error),
        }
    }
}
