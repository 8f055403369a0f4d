//! Keys that are kept, and never use an index twice. For Unix systems.
//!
//! Two signatures with one index let anybody forge others. So the next index is on the disk, durably, before it is used; every
//! doubt costs indices, never a second use of one.
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
//! | `key` (mode 0400) | once | parameter set, range of indices, seeds, root |
//! | `state` | replaced with each commit | the next index, the generation, where the directory is |
//! | `lock` | once | nothing; whoever holds it has the key |
//! | `log` | appended with each commit | which indices were reserved when and for what: a chain of records, see [`KeyDirectory::log`] |
//! | `cache/` | any time | the trees; can be removed, is never trusted |
//! | `public.pem` | once | SubjectPublicKeyInfo (RFC 9802) |
//! | `unfinished`, `leaves` | while the key is generated | the seeds, and leaves that are done |
//!
//! The formats are described in `key_format.rs`, `state_format.rs`, `log.rs` and `cache.rs`. Every file carries codes under keys that
//! come from the seeds: a changed one, one of another key, one of another part of a split key are refused, each with its own words.
//!
//! # What can happen
//! | event | then |
//! |---|---|
//! | the process dies, the power fails | indices that were reserved are burned; the next one was never used |
//! | the disk is full | no index is taken, there is no signature, the state is as it was |
//! | fsync fails | the handle stops: what the disk holds is not known. Opening the key again finds out |
//! | a second process | waits as long as it was told, then [`Error::Locked`] |
//! | the process is forked | the child gets [`Error::Forked`] |
//! | the directory, or `state`, or `state` and `log` are put back from a copy | [`Error::Moved`], [`Error::RolledBack`] |
//! | a file of the key gets a second name (hard link) | [`Error::Unsafe`]; while the key is open [`Error::Replaced`] |
//! | the file system tells no copy from the original | [`Error::NoEvidence`] without a witness |
//! | the file system is mounted behind another device number | nothing: the device is not part of the binding |
//! | the whole volume is put back | [`Error::RolledBack`] if there is a witness on another one; else nobody can know |
//! | the directory belongs to another user, or admits one | [`Error::Unsafe`], also for root |
//! | another user exchanges names where a directory or a witness is made | [`Error::Unsafe`]; nothing is written elsewhere |
//! | a file of the cache is damaged | it is built again |
//! | a tree that is built again has another root | [`Error::Fault`]: the key is poisoned until it is adopted |
//!
//! How a copy is told from the original is described in `file_identity.rs`. A copied block device, and a snapshot of a whole machine,
//! are the original in every respect: only a witness on another volume tells them.
//!
//! Secrets are overwritten when they are dropped. The library does not lock memory and does not forbid core dumps, because both
//! concern the whole process: the program `hashlanes` does both.
//!
//! A software store has the formats of SP 800-208's signatures, but is not conformant to it: that asks for hardware from which no key
//! leaves, and [`SigningKey::split`] is against its rules.
//!
//! # How fast
//! A commit is three fsyncs (with a witness five), and opening a key is one: 1.2 ms each on the disk that was measured. On it
//! XMSS-SHA2_16_256 took 0.11 ms a signature, with the check before the release and without a commit; with one for 64 signatures
//! 0.15 ms, with one for each 3.7 ms (`examples/kept_key.rs`, Cypress Cove, one core). The tree is not loaded: a key of height 20
//! is opened in 0.1 ms and an fsync, and a signature reads 20 nodes of it.
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
//!
//! # Files
//! | file | holds |
//! |---|---|
//! | `signing_key.rs` | [`SigningKey`]: windows, signing, advancing |
//! | `scheme.rs` | which schemes' keys are kept: [`KeySet`], [`PublicKey`], [`Generation`] |
//! | `split.rs` | giving indices of a key to a new directory |
//! | `key_location.rs` | [`KeyDirectory`]: where a key is, and how it is opened |
//! | `key_lifecycle.rs` | what [`KeyDirectory`] does: making, resuming, opening, adopting a key; its log and its status |
//! | `state_store.rs` | [`State`], and [`StateStore`]: what hardware or a database promises |
//! | `state_in_files.rs` | [`FileStore`]: commits to the files of a directory |
//! | `state_in_memory.rs` | a state in memory, for tests |
//! | `rollback.rs` | whether an older copy was put back: state, log and witness then disagree with each other or with the place |
//! | `file_identity.rs` | what tells a directory from a copy of it |
//! | `old_format.rs` | files of version 1, and their upgrade |
//! | `witness.rs` | the file on another volume |
//! | `message.rs` | [`Message`]: bytes or a stream |
//! | `import/` | [`import`]: secret keys of the reference code, Botan and BouncyCastle |
//! | `error.rs` | [`Error`], its texts and classes |
//! | `key_format.rs`, `state_format.rs` | the files `key`, `state` and the witness, byte by byte |
//! | `log.rs`, `cache.rs`, `lock.rs` | the files of these names, byte by byte |
//! | `fields.rs` | what their formats share |
//! | `directory_entry.rs` | a key's directory by its name: made and opened where another user may change names |
//! | `open_directory.rs` | an open directory: reading, making and replacing files in it |
//! | `file_system.rs` | the system's calls, and the seam at which tests fail them |

mod cache;
mod directory_entry;
mod error;
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
