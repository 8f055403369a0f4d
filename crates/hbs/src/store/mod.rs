//! Keys in files, which never use an index twice. For Unix systems.
//!
//! Two signatures with one index enable forgeries. So the next index is durably on the disk before an index
//! is used. When in doubt, indices are skipped, never reused.
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
//! use hashlanes::hbs::store::{KeyDirectory, KeyGeneration};
//!
//! # let place = std::env::temp_dir().join(format!("hashlanes-store-{}", std::process::id()));
//! # std::fs::create_dir_all(&place)?;
//! # let path = place.join("release-key");
//! let directory = KeyDirectory::new(&path);
//! let seeds = [7; 96]; // Of a real key: `KeyGeneration::random`.
//! let mut key = directory.create(KeyGeneration::new("XMSSMT-SHA2_60/12_256".parse()?, &seeds)?)?;
//! let signature = key.try_sign(b"message")?;
//! key.verifying_key().verify(b"message", signature.as_ref())?;
//! drop(key);
//!
//! // Later, in another process. A second one gets `Error::Locked` meanwhile.
//! let mut key = directory.open()?;
//! assert_eq!(key.next_index(), 1);
//! let mut firmware = std::fs::File::open(path.join("public.pem"))?;
//! let signature = key.try_sign(&mut firmware)?;
//! assert_eq!(directory.status()?.next, 2);
//! # drop(key);
//! # std::fs::remove_dir_all(&place)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The directory
//! | file | written | holds |
//! |---|---|---|
//! | `key` (mode 0400) | once, and with each change of the passphrase | parameter set, range of indices, seeds, root; encrypted with [`KeyDirectory::passphrase`] |
//! | `state` | replaced with each commit | the next index, the generation, the place of the directory |
//! | `lock` | once | nothing; the process that locks it has the key |
//! | `log` | appended with each commit | time, purpose and indices of each commit: a chain of records, see [`KeyDirectory::log`] |
//! | `cache/` | any time | the trees; can be removed, is never trusted |
//! | `public.pem` | once | SubjectPublicKeyInfo (RFC 9802) |
//! | `unfinished`, `leaves` | while the key is generated | the seeds, and finished leaves |
//!
//! The formats are described in `key_format.rs`, `state_format.rs`, `log.rs` and `cache.rs`. Every file
//! carries codes under keys derived from the seeds. A changed file, a file of another key, and a file of
//! another part of a split key are refused, with different messages.
//!
//! # Events
//! | event | effect |
//! |---|---|
//! | the process dies, the power fails | indices that were reserved are burned; the next one was never used |
//! | the disk is full | no index is taken, no signature is made, the state is unchanged |
//! | fsync fails | the handle stops, because the content of the disk is unknown; open the key again |
//! | a second process | waits for the time set by [`KeyDirectory::wait`], then fails with [`Error::Locked`] |
//! | the process is forked | the child gets [`Error::Forked`] |
//! | the directory, or `state`, or `state` and `log` are restored from a copy | [`Error::Moved`], [`Error::RolledBack`] |
//! | a file of the key gets a second name (hard link) | [`Error::Unsafe`]; while the key is open [`Error::Replaced`] |
//! | the file system does not distinguish a copy from the original | [`Error::NoEvidence`] without a witness |
//! | the file system is mounted with another device number | no effect: the device is not part of the binding |
//! | the whole volume is restored | [`Error::RolledBack`] with a witness on another volume; undetectable without one |
//! | an [`ExternalWitness`] fails, or returns another record than it was given | no signature is released: [`Error::Witness`] |
//! | an [`ExternalWitness`] returns an older record than the state | [`Error::WitnessBehind`] |
//! | the directory belongs to another user, or is accessible to one | [`Error::Unsafe`], also for root |
//! | another user exchanges names where a directory or a witness is created | [`Error::Unsafe`]; nothing is written elsewhere |
//! | a file of the cache is damaged | it is rebuilt |
//! | a rebuilt tree has another root | [`Error::Fault`]: the key is poisoned until it is adopted |
//!
//! `file_identity.rs` describes how a copy is distinguished from the original. A copied block device, and a
//! snapshot of a whole machine, equal the original in every respect: only a witness on another volume
//! distinguishes them.
//!
//! Secrets are overwritten when they are dropped. The library does not lock memory and does not disable core
//! dumps, because both affect the whole process; the program `hashlanes` does both.
//!
//! A software store produces the signature formats of SP 800-208 but does not conform to it: the standard
//! requires hardware from which keys cannot be exported, and [`SigningKey::split`] breaks its rules.
//!
//! # How fast
//! A commit takes three fsyncs (five with a witness), and opening a key takes one; each took 1.2 ms on the
//! measured disk. A signature of XMSS-SHA2_16_256 took 0.11 ms with verification before release and without a
//! commit, 0.15 ms with one commit for 64 signatures, and 3.7 ms with a commit for each
//! (`examples/kept_key.rs`, Redwood Cove, one core). The tree is not loaded: opening a key of height 20 takes
//! 0.1 ms and an fsync, and a signature reads 20 nodes of it.
//!
//! # The key in Rust
//! A key signs by `&mut`, cannot be cloned, and is not serialised:
//!
//! ```compile_fail,E0308
//! # use hashlanes_hbs::store::SigningKey;
//! fn twice(key: &SigningKey) -> SigningKey {
//!     key.clone()
//! }
//! ```
//!
//! ```compile_fail,E0596
//! # use hashlanes_hbs::store::SigningKey;
//! fn shared(key: &SigningKey) {
//!     let _ = key.try_sign(b"message");
//! }
//! ```

// | file | holds |
// |---|---|
// | `signing_key.rs` | `SigningKey`: windows, signing, advancing |
// | `scheme.rs` | the supported schemes: `KeySet`, `PublicKey`, `Generation` |
// | `split.rs` | giving indices of a key to a new directory |
// | `key_location.rs` | `KeyDirectory`: the location of a key, and how it is opened |
// | `key_lifecycle.rs` | operations of `KeyDirectory`: creating, resuming, opening, adopting a key; its log and its status |
// | `state_store.rs` | `State`, and `StateStore`: the guarantees of hardware or a database that keeps it |
// | `state_in_files.rs` | `FileStore`: commits to the files of a directory |
// | `state_in_memory.rs` | a state in memory, for tests |
// | `rollback.rs` | detection of restored copies: state, log and witness then disagree with each other or with the place |
// | `file_identity.rs` | facts that distinguish a directory from a copy of it |
// | `old_format.rs` | files of version 1, and their upgrade |
// | `witness.rs`, `external_witness.rs` | the witness: a file on another volume, or an `ExternalWitness` |
// | `secret_file.rs` | the files with secrets, plain or encrypted |
// | `message.rs` | `Message`: bytes or a stream |
// | `import/` | `import`: secret keys of the reference code, Botan and BouncyCastle |
// | `error.rs` | `Error`, its texts and classes |
// | `key_format.rs`, `state_format.rs` | the files `key`, `state` and the witness, byte by byte |
// | `log.rs`, `cache.rs`, `lock.rs` | the files of these names, byte by byte |
// | `fields.rs` | the shared parts of these formats |
// | `directory_entry.rs` | a key's directory by its name: created and opened where another user may change names |
// | `open_directory.rs` | an open directory: reading, creating and replacing files in it |
// | `file_system.rs` | the system calls, which tests replace |

mod cache;
mod directory_entry;
mod error;
mod external_witness;
mod fields;
mod file_identity;
#[doc(hidden)]
pub mod file_system;
mod import;
mod key_format;
mod key_lifecycle;
mod key_location;
mod lock;
mod log;
mod message;
mod old_format;
mod open_directory;
mod rollback;
mod scheme;
mod secret_file;
mod signing_key;
mod split;
mod state_format;
mod state_in_files;
#[cfg(feature = "hazmat")]
mod state_in_memory;
mod state_store;
mod witness;

pub use crate::hazmat::{Derivation, KeyGeneration, Progress};
pub use error::{Class, Error, Handle};
pub use external_witness::{ExternalWitness, Witnessed};
pub use import::{Import, import};
pub use key_lifecycle::KeyStatus;
pub use key_location::KeyDirectory;
pub use log::LogRecord;
pub use message::{Message, Stream};
pub use rollback::Standing;
pub use scheme::{Generation, KeySet, PublicKey};
pub use signing_key::SigningKey;
pub use state_in_files::FileStore;
#[cfg(feature = "hazmat")]
pub use state_in_memory::MemoryStore;
pub use state_store::{Purpose, Record, State, StateStore, Status};
