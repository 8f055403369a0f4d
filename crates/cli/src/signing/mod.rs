//! `hashlanes keygen`, `sign`, `verify`, `key`: hash-based signatures of files.
//!
//! | file | holds |
//! |---|---|
//! | `keygen.rs` `making.rs` | `keygen`; how far a generation is |
//! | `sign.rs` `input.rs` | `sign`: windows of files; what is read |
//! | `targets.rs` `released.rs` | where signatures may go; files of signatures, whole and on the disk, or absent |
//! | `verify.rs` | `verify`: many files, their pieces and signatures in lanes |
//! | `key_commands.rs` `keeping.rs` | `key status`, `split`, `advance`, `adopt`, `export-public`; the manual for operators |
//! | `indices.rs` | indices in messages |
//! | `log_command.rs` `import_command.rs` | `key log`, `key import` |
//! | `memory.rs` | secrets stay in memory |
//! | `opening.rs` | options with which a key is opened |
//! | `public_key.rs` `sets.rs` | public keys in files; parameter sets on the command line |
//! | `refusal.rs` `status.rs` | what is said of an error; the exit statuses, with the table of the manual |
//!
//! That no index is used twice is the library's work (`hashlanes::hbs::store`). Here it is seen to that what can fail
//! fails before an index is taken, and that whoever runs a command is told which indices it cost.

mod import_command;
mod indices;
mod input;
mod keeping;
mod key_commands;
mod keygen;
mod log_command;
mod making;
mod memory;
mod opening;
mod public_key;
mod refusal;
mod released;
mod sets;
mod sign;
mod status;
mod targets;
mod verify;

use crate::interruption;
pub(crate) use key_commands::KeyCommandArgs;
pub(crate) use keygen::KeygenArgs;
pub(crate) use sign::SignArgs;
pub(crate) use verify::VerifyArgs;
