//! What can go wrong with a kept key, and the classes by which a program chooses its exit code.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;
use core::time::Duration;
use std::io;
use std::path::PathBuf;

/// Why a kept key is not made, not opened, or does not sign.
///
/// The texts say what happened, what was lost by it (an index, a window of them, nothing), and what to do.
/// [`Error::class`] sorts them.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A key, a signature or a parameter set is not what it should be; no index was taken.
    Key(crate::Error),
    /// The key is in use by another process, or by another handle of this one.
    Locked {
        /// How long it was waited for.
        waited: Duration,
    },
    /// All indices of the key's range are used: nothing was done.
    Exhausted {
        /// The first index behind the range.
        end: u64,
    },
    /// More indices were asked for than are left: none was taken.
    TooFewLeft {
        /// So many were asked for.
        asked: u64,
        /// So many are left.
        left: u64,
    },
    /// An index behind the next one: it may have been used.
    IndexUsed {
        /// The index asked for.
        index: u64,
        /// The next one.
        next: u64,
    },
    /// The state is older than another witness of it: it was restored from a copy, or the log was cut.
    RolledBack {
        /// Generation of the state.
        state: u64,
        /// Who knows another one: `log`, or the witness's path.
        witness: String,
        /// Its generation.
        witnessed: u64,
    },
    /// The directory is not where its state was written: copied, restored, or moved.
    Moved {
        /// What differs: the machine, the volume, the file `lock`, or the file `state`.
        what: &'static str,
    },
    /// The message could not be read, or changed while it was signed.
    Message {
        /// Its number among those that were given, from 0 on.
        number: usize,
        /// Why.
        why: String,
    },
    /// An index was taken, and no signature came of it. It is not used again.
    Burned {
        /// The index.
        index: u64,
        /// Why there is no signature.
        why: Box<Error>,
    },
    /// Indices were given to a part of the key that could not be written. They are not used again.
    BurnedRange {
        /// The indices.
        indices: Range<u64>,
        /// Why there is no part.
        why: Box<Error>,
    },
    /// The state could not be stored, and none of these indices was taken. The key on the disk is as it was, or has left them
    /// out.
    NotCommitted {
        /// The indices that were to be reserved.
        indices: Range<u64>,
        /// Whether this handle can still be used.
        handle: Handle,
        /// Why.
        why: Box<Error>,
    },
    /// This handle does no more, as it cannot know what is on the disk: an earlier call says why. Open the key again.
    PoisonedHandle,
    /// The state says that the key was found to be attacked, and signs no more until it is adopted.
    PoisonedKey,
    /// A tree's root is another than the one that was signed: the machine computes wrongly, or did so then, or is made to. Nothing was
    /// released, and the key is poisoned.
    Fault {
        /// The tree's layer.
        layer: u32,
        /// The tree's number in it.
        tree: u64,
        /// The first index behind the tree: no signature from there on rests on it, and the key may be adopted from there.
        behind: u64,
    },
    /// The process was forked since the key was opened. The parent alone may sign.
    Forked,
    /// The state was changed by somebody else since it was read.
    Conflict {
        /// The generation that this handle knows.
        known: u64,
        /// The one that is there.
        found: u64,
    },
    /// A file of the key was removed, replaced or linked while the key was open.
    Replaced {
        /// Which: `lock`, `state` or `log`.
        file: &'static str,
    },
    /// The file system keeps nothing that tells a copy of the directory from it, and there is no witness.
    NoEvidence(PathBuf),
    /// A file of the key is not as it was written: truncated, changed, or no such file.
    Damaged {
        /// Its name in the directory, or the witness's path.
        file: String,
        /// What is wrong.
        why: &'static str,
    },
    /// A file of the key was written by a version that is not known here.
    Version {
        /// Its name in the directory, or the witness's path.
        file: String,
        /// The version.
        found: u32,
    },
    /// A file belongs to another key, or to another part of a split one.
    OtherKey {
        /// Its name in the directory, or the witness's path.
        file: String,
    },
    /// A file of the key is none that may be used: a link, a pipe, open to others.
    Unsafe {
        /// The file or the directory.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// There is something where a key should be made.
    Exists(PathBuf),
    /// There is no key in this directory.
    NoKey(PathBuf),
    /// The generation of the key in this directory is not finished; `KeyDirectory::unfinished` goes on with it.
    Unfinished(PathBuf),
    /// The system refused.
    File {
        /// What was done: "writing", "syncing".
        doing: &'static str,
        /// With which file.
        file: String,
        /// What the system says.
        why: io::Error,
    },
}

/// Whether a handle can be used after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// It can: nothing was changed.
    Usable,
    /// It cannot: what is on the disk is not known. Opening the key again finds out.
    Poisoned,
}

/// Kinds of errors, one for each answer that a program or its user has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// Try later: somebody else has the key.
    Locked,
    /// Stop, and find out who restored what: rollback suspected.
    Rollback,
    /// The key has signed all that it can.
    Exhausted,
    /// An index is lost, and there is no signature: sign again.
    Burned,
    /// Nothing was signed, no index was taken: the system refused (full disk, failing disk).
    System,
    /// This handle, or this key, is used no more.
    Poisoned,
    /// The machine computes wrongly, or is made to.
    Fault,
    /// Files are damaged, of another key, or not to be trusted.
    Damaged,
    /// A request that cannot be: an index behind the next one, a directory that is there, a wrong parameter.
    WrongUse,
}

impl Error {
    /// Its kind.
    ///
    /// | class | errors |
    /// |---|---|
    /// | [`Class::Locked`] | [`Error::Locked`] |
    /// | [`Class::Rollback`] | [`Error::RolledBack`], [`Error::Moved`] |
    /// | [`Class::Exhausted`] | [`Error::Exhausted`], [`Error::TooFewLeft`] |
    /// | [`Class::Burned`] | [`Error::Burned`], but of a fault; [`Error::BurnedRange`] |
    /// | [`Class::System`] | [`Error::File`], [`Error::NotCommitted`] with a handle that is usable, [`Error::Message`] |
    /// | [`Class::Poisoned`] | [`Error::PoisonedHandle`], [`Error::PoisonedKey`], [`Error::NotCommitted`] with one that is not, [`Error::Forked`], [`Error::Conflict`], [`Error::Replaced`] |
    /// | [`Class::Fault`] | [`Error::Fault`], also as the reason of [`Error::Burned`] |
    /// | [`Class::Damaged`] | [`Error::Damaged`], [`Error::Version`], [`Error::OtherKey`], [`Error::Unsafe`] |
    /// | [`Class::WrongUse`] | [`Error::Key`], [`Error::IndexUsed`], [`Error::Exists`], [`Error::NoKey`], [`Error::NoEvidence`], [`Error::Unfinished`] |
    pub fn class(&self) -> Class {
        match self {
            Self::Locked { .. } => Class::Locked,
            Self::RolledBack { .. } | Self::Moved { .. } => Class::Rollback,
            Self::Exhausted { .. } | Self::TooFewLeft { .. } => Class::Exhausted,
            Self::Burned { why, .. } if why.class() == Class::Fault => Class::Fault,
            Self::Burned { .. } | Self::BurnedRange { .. } => Class::Burned,
            Self::NotCommitted { handle: Handle::Usable, why, .. } => why.class(),
            Self::File { .. } | Self::Message { .. } => Class::System,
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
            | Self::Unfinished(_) => Class::WrongUse,
        }
    }
}

/// "index 7 is", "indices 7 to 9 are"; "no index is".
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
                write!(f, "{asked} indices are asked for, {left} are left; none was taken")
            }
            Self::IndexUsed { index, next } => {
                write!(f, "index {index} may have been used: the next one is {next}, and goes forward only")
            }
            Self::RolledBack { state, witness, witnessed } => write!(
                f,
                "rollback suspected: the state is of generation {state}, {witness} of {witnessed}; signing could use an \
                 index twice. Find the newest state, or adopt the key from an index that was surely never used"
            ),
            Self::Moved { what } => write!(
                f,
                "rollback suspected: {what} is another one than when the state was written; signing in two copies would use \
                 indices twice. If the directory was moved on purpose and no other copy signs, adopt it"
            ),
            Self::Message { number, why } => write!(f, "message {number}: {why}"),
            Self::Burned { index, why } => {
                write!(f, "{why}; index {index} is burned: it has no signature and is not used again")
            }
            Self::BurnedRange { indices, why } => {
                write!(f, "{why}; {} burned: nobody has them", named(indices, "is", "are"))
            }
            Self::NotCommitted { indices, handle: Handle::Usable, why } => {
                write!(f, "{why}; {} not taken, the key is as it was", named(indices, "was", "were"))
            }
            Self::NotCommitted { indices, handle: Handle::Poisoned, why } => write!(
                f,
                "{why}; nothing was signed, {} perhaps burned; open the key again",
                named(indices, "is", "are")
            ),
            Self::PoisonedHandle => {
                f.write_str("this handle stopped at an earlier error and does no more; open the key again")
            }
            Self::PoisonedKey => f.write_str(
                "a fault was found while this key signed, and it signs no more; examine the machine, then adopt the key \
                 from the first index behind the tree that the fault was in",
            ),
            Self::Fault { layer, tree, behind } => write!(
                f,
                "fault: tree {tree} of layer {layer} has another root than the one that was signed; nothing was released. Examine \
                 the machine, then adopt the key from index {behind} on"
            ),
            Self::Forked => {
                f.write_str("the process was forked since the key was opened; the parent alone may sign")
            }
            Self::Conflict { known, found } => write!(
                f,
                "the state is of generation {found} instead of {known}: somebody else changed it; open the key again"
            ),
            Self::Replaced { file } => write!(
                f,
                "the file {file} was removed, replaced or linked while the key was open; open the key again"
            ),
            Self::NoEvidence(path) => write!(
                f,
                "{}: this file system keeps neither birth times nor reliable change times, so a restored copy cannot be told \
                 from the key; use another file system, or a witness on another volume",
                path.display()
            ),
            Self::Damaged { file, why } => write!(f, "{file}: {why}"),
            Self::Version { file, found } => {
                write!(f, "{file}: version {found} is not known here; a newer program wrote it")
            }
            Self::OtherKey { file } => write!(f, "{file} belongs to another key"),
            Self::Unsafe { file, why } => write!(f, "{file}: {why}"),
            Self::Exists(path) => {
                write!(f, "{}: is there already; a key is made in a new directory", path.display())
            }
            Self::NoKey(path) => write!(f, "{}: holds no key", path.display()),
            Self::Unfinished(path) => {
                write!(f, "{}: the generation of its key is not finished; go on with it", path.display())
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
            _ => None,
        }
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        match error {
            crate::Error::Fault { layer, tree, behind } => Self::Fault { layer, tree, behind },
            error => Self::Key(error),
        }
    }
}
