//! Keys that are kept, and never use an index twice. For Unix systems.
//!
//! Two signatures with one index let anybody forge others. So the next index is on the disk, durably, before it is used; every
//! doubt costs indices, never a second use of one.
//!
//! ```
//! # use hashlanes_hbs as hbs;
//! use hbs::store::{KeyDirectory, KeyGeneration};
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

mod error;
mod file_store;
#[doc(hidden)]
pub mod file_system;
mod import;
mod key_directory;
#[cfg(feature = "hazmat")]
mod memory_store;
mod message;
mod signing_key;
mod state;

pub use crate::hazmat::{Derivation, KeyGeneration, Progress};
pub use error::{Class, Error, Handle};
pub use file_store::FileStore;
pub use import::{Import, import};
pub use key_directory::{KeyDirectory, KeyStatus, Standing};
#[cfg(feature = "hazmat")]
pub use memory_store::MemoryStore;
pub use message::{Message, Stream};
pub use signing_key::SigningKey;
pub use state::{Purpose, Record, State, StateStore, Status};
