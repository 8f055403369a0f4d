//! The kernels: each cipher's table, for programs that list, force or explain them.

use alloc::vec::Vec;

use hashlanes_isa::table::Entries;
pub use hashlanes_isa::table::{Kernel, Table};
pub use hashlanes_isa::{EnvError, Row};

pub use crate::aegis::kernels::Verbs as AegisVerbs;
pub use crate::gcm::kernels::Verbs as GcmVerbs;
pub use crate::modes::Verbs as AesVerbs;
use crate::{aegis, gcm, modes};

/// Returns AES's kernels that this CPU can run, in the table's order.
pub fn aes() -> impl Iterator<Item = &'static Kernel<AesVerbs>> {
    modes::TABLE.kernels()
}

/// Returns AEGIS's kernels that this CPU can run.
pub fn aegis() -> impl Iterator<Item = &'static Kernel<AegisVerbs>> {
    aegis::kernels::TABLE.kernels()
}

/// Returns the kernels of AES-GCM and AES-GCM-SIV that this CPU can run.
pub fn gcm() -> impl Iterator<Item = &'static Kernel<GcmVerbs>> {
    gcm::kernels::TABLE.kernels()
}

/// Returns AES's table.
#[doc(hidden)]
pub fn aes_table() -> &'static Table<AesVerbs> {
    &modes::TABLE
}

/// Returns AEGIS's table.
#[doc(hidden)]
pub fn aegis_table() -> &'static Table<AegisVerbs> {
    &aegis::kernels::TABLE
}

/// Returns the table of AES-GCM and AES-GCM-SIV.
#[doc(hidden)]
pub fn gcm_table() -> &'static Table<GcmVerbs> {
    &gcm::kernels::TABLE
}

/// Returns every table, for listings.
pub fn all() -> [&'static dyn AnyTable; 3] {
    [&modes::TABLE, &gcm::kernels::TABLE, &aegis::kernels::TABLE]
}

/// Checks the `HASHLANES_*` environment variables: `HASHLANES_DISABLE` names known CPU features,
/// `HASHLANES_AES_KERNEL` and the variables of other ciphers name kernels that this CPU can run.
///
/// Without the cargo feature `env-override` they are not read.
///
/// # Errors
/// Names an unknown word and the known ones. Ciphers panic with the same message about variables that concern
/// them.
pub fn check_env() -> Result<(), EnvError> {
    all().iter().try_for_each(|table| table.check_env())
}

/// Every row of every table with its cipher, for tests and tools.
#[doc(hidden)]
pub fn every_row() -> impl Iterator<Item = (&'static str, Row)> {
    all().into_iter().flat_map(|table| table.rows().into_iter().map(|row| (table.name(), row)))
}

/// A table of any cipher.
pub trait AnyTable: Sync {
    /// Returns the name in environment variables: `aes`.
    fn name(&self) -> &'static str;
    /// Returns the variable that forces a kernel.
    fn variable(&self) -> &'static str;
    /// Returns every row, whether this CPU can run it or not. Verbs that a row lacks are computed by the row
    /// of one message of its family.
    fn rows(&self) -> Vec<Row>;
    /// Returns the row that is chosen for `n_live` messages that all advance by `n_blocks` blocks.
    ///
    /// # Panics
    /// Panics if an environment variable is wrong.
    fn best(&self, n_live: usize, n_blocks: usize) -> Row;
    /// Returns the number of bytes of the stack that are overwritten after a verb of a row, without those
    /// that its callers use.
    #[doc(hidden)]
    fn wiped_bytes(&self, row: &Row, verb: &str) -> usize {
        crate::stack_wipe::wiped_bytes(self.name(), row, verb)
    }
    /// Returns the row that is chosen for one message whose blocks do not depend on each other.
    ///
    /// # Panics
    /// Like [`AnyTable::best`].
    fn best_of_one(&self) -> Row;
    /// See [`check_env`].
    ///
    /// # Errors
    /// Names an unknown word and the known ones.
    fn check_env(&self) -> Result<(), EnvError>;
}

impl<V: Entries> AnyTable for Table<V> {
    fn name(&self) -> &'static str {
        Table::name(self)
    }
    fn variable(&self) -> &'static str {
        Table::variable(self)
    }
    fn rows(&self) -> Vec<Row> {
        Table::rows(self).collect()
    }
    fn best(&self, n_live: usize, n_blocks: usize) -> Row {
        Table::best(self, n_live, n_blocks).row_data()
    }
    fn best_of_one(&self) -> Row {
        Table::best_of_one(self).row_data()
    }
    fn check_env(&self) -> Result<(), EnvError> {
        Table::check_env(self)
    }
}
