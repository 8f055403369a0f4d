//! `hashlanes keygen`, `sign`, `verify`, `key`: hash-based signatures of files.
//!
//! | file | holds |
//! |---|---|
//! | `keys/` | the commands that use secret keys; not on Windows, where their store is missing |
//! | `verify.rs` | `verify`: many files, their pieces and signatures in lanes |
//! | `slh_dsa_message.rs` `cms.rs` | the messages of SLH-DSA; signatures in messages of CMS |
//! | `public_key.rs` `parameter_sets.rs` | public keys in files; parameter sets on the command line |
//! | `exit_status.rs` | the exit statuses, with the table of the manual |

mod cms;
mod exit_status;
#[cfg(unix)]
mod keys;
mod parameter_sets;
mod public_key;
mod slh_dsa_message;
mod verify;

#[cfg(unix)]
pub(crate) use keys::KeysCommand;
pub(crate) use verify::VerifyArgs;
