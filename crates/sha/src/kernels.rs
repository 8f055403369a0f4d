//! The kernels: each hash's table, for programs that list, force or explain them.
//!
//! SHA-224 runs on the kernels of SHA-256; SHA-384, SHA-512/224 and SHA-512/256 on those of SHA-512.

pub use hashlanes_isa::{EnvError, Features, Kernel, Row, Verb};
use hashlanes_isa::{Function, Table};

use crate::{sha1::Compression as Sha1, sha256::Compression as Sha256, sha512::Compression as Sha512};

/// SHA-1's kernels that this CPU can run, in the table's order.
pub fn sha1() -> impl Iterator<Item = &'static Kernel<Sha1>> {
    Sha1::table().kernels()
}

/// SHA-256's kernels that this CPU can run, in the table's order.
pub fn sha256() -> impl Iterator<Item = &'static Kernel<Sha256>> {
    Sha256::table().kernels()
}

/// SHA-512's kernels that this CPU can run, in the table's order.
pub fn sha512() -> impl Iterator<Item = &'static Kernel<Sha512>> {
    Sha512::table().kernels()
}

/// Whether the environment's wishes can be fulfilled: `HASHLANES_DISABLE` names CPU features that are known,
/// `HASHLANES_SHA256_KERNEL` and its siblings kernels that this CPU can run.
///
/// Without the cargo feature `env-override` they are not read.
///
/// # Errors
/// Names what is unknown and what there is. Hashing panics with the same text.
pub fn check_env() -> Result<(), EnvError> {
    all().iter().try_for_each(|table| table.check_env())
}

/// Every table, for listings.
pub fn all() -> [&'static dyn AnyTable; 3] {
    [Sha1::table(), Sha256::table(), Sha512::table()]
}

/// A table whatever its hash.
pub trait AnyTable: Sync {
    /// As in environment variables: `sha256`.
    fn name(&self) -> &'static str;
    /// Bytes in a block.
    fn block_bytes(&self) -> usize;
    /// Bytes of the padding's marker and length, at least.
    fn padding_bytes(&self) -> usize;
    /// Every row, whether this CPU can run it or not.
    fn row(&self, index: usize) -> Option<Row>;
    /// The row that is chosen for `n_live` messages that are all to be advanced.
    ///
    /// # Panics
    /// If the environment's wishes cannot be fulfilled.
    fn best(&self, n_live: usize) -> Row;
    /// See [`check_env`].
    ///
    /// # Errors
    /// Names what is unknown and what there is.
    fn check_env(&self) -> Result<(), EnvError>;
}

impl<F: Function> AnyTable for Table<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }
    fn block_bytes(&self) -> usize {
        F::BLOCK_BYTES
    }
    fn padding_bytes(&self) -> usize {
        1 + F::BLOCK_BYTES / 8
    }
    fn row(&self, index: usize) -> Option<Row> {
        self.rows().nth(index)
    }
    fn best(&self, n_live: usize) -> Row {
        Table::best(self, n_live).row_data()
    }
    fn check_env(&self) -> Result<(), EnvError> {
        Table::check_env(self)
    }
}
