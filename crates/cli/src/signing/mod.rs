//! `hashlanes keygen`, `sign`, `verify`, `key`: hash-based signatures of files.
//!
//! | file | holds |
//! |---|---|
//! | `keygen.rs` `keygen_progress.rs` | `keygen`; how far a generation is |
//! | `sign.rs` `input.rs` | `sign`: windows of files; the input |
//! | `signature_targets.rs` `signature_files.rs` | where signatures may go; files of signatures, whole and on the disk, or absent |
//! | `verify.rs` | `verify`: many files, their pieces and signatures in lanes |
//! | `key_commands.rs` `operator_manual.rs` | `key status`, `split`, `advance`, `adopt`, `export-public`; the manual for operators |
//! | `log_command.rs` `import_command.rs` `passphrase_command.rs` | `key log`, `key import`, `key passphrase` |
//! | `slh_dsa_key.rs` `slh_dsa_sign.rs` | keys without a state: SLH-DSA |
//! | `signed_line.rs` | the output for a signature |
//! | `key_options.rs` | options with which a key is opened; secrets stay in memory |
//! | `passphrase_options.rs` | passphrases: their options, the question on the terminal |
//! | `public_key.rs` `parameter_sets.rs` | public keys in files; parameter sets on the command line |
//! | `refusal.rs` `exit_status.rs` | messages for errors, and for indices; the exit statuses, with the table of the manual |
//!
//! The library ensures that no index is used twice (`hashlanes::hbs::store`). The commands ensure that errors
//! are found before an index is used where possible, and report the indices that a command cost.

mod exit_status;
mod import_command;
mod input;
mod key_commands;
mod key_options;
mod keygen;
mod keygen_progress;
mod log_command;
mod operator_manual;
mod parameter_sets;
mod passphrase_command;
mod passphrase_options;
mod public_key;
mod refusal;
mod sign;
mod signature_files;
mod signature_targets;
mod signed_line;
mod slh_dsa_key;
mod slh_dsa_sign;
mod verify;

use crate::interruption;
pub(crate) use key_commands::KeyCommandArgs;
pub(crate) use keygen::KeygenArgs;
pub(crate) use sign::SignArgs;
pub(crate) use verify::VerifyArgs;
