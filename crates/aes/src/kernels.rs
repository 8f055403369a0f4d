//! The kernels: each cipher's table, for programs that list, force or explain them.

use alloc::vec::Vec;

use hashlanes_isa::table::Entries;
pub use hashlanes_isa::table::{Kernel, Table};
pub use hashlanes_isa::{EnvError, Row};

pub use crate::aegis::kernels::Verbs as AegisVerbs;
pub use crate::modes::Verbs as AesVerbs;
use crate::{aegis, modes};

/// AES's kernels that this CPU can run, in the table's order.
pub fn aes() -> impl Iterator<Item = &'static Kernel<AesVerbs>> {
    modes::TABLE.kernels()
}

/// AEGIS's, alike.
pub fn aegis() -> impl Iterator<Item = &'static Kernel<AegisVerbs>> {
    aegis::kernels::TABLE.kernels()
}

/// AES's table.
#[doc(hidden)]
pub fn aes_table() -> &'static Table<AesVerbs> {
    &modes::TABLE
}

/// AEGIS's table.
#[doc(hidden)]
pub fn aegis_table() -> &'static Table<AegisVerbs> {
    &aegis::kernels::TABLE
}

/// Every table, for listings.
pub fn all() -> [&'static dyn AnyTable; 2] {
    [&modes::TABLE, &aegis::kernels::TABLE]
}

/// Whether the environment's wishes can be fulfilled: `HASHLANES_DISABLE` names CPU features that are known,
/// `HASHLANES_AES_KERNEL` and its siblings kernels that this CPU can run.
///
/// Without the cargo feature `env-override` they are not read.
///
/// # Errors
/// Names what is unknown and what there is. Of what is read, ciphers panic with the same text.
pub fn check_env() -> Result<(), EnvError> {
    all().iter().try_for_each(|table| table.check_env())
}

/// Every row of every table with its cipher, for tests and tools.
#[doc(hidden)]
pub fn every_row() -> impl Iterator<Item = (&'static str, Row)> {
    all().into_iter().flat_map(|table| table.rows().into_iter().map(|row| (table.name(), row)))
}

/// A table whatever its cipher.
pub trait AnyTable: Sync {
    /// As in environment variables: `aes`.
    fn name(&self) -> &'static str;
    /// The variable that forces a kernel.
    fn variable(&self) -> &'static str;
    /// Every row, whether this CPU can run it or not. What verbs a row leaves out, the row of one message in its family does.
    fn rows(&self) -> Vec<Row>;
    /// The row that is chosen for `n_live` messages that are all to be advanced by `n_blocks` blocks.
    ///
    /// # Panics
    /// If the environment's wishes cannot be fulfilled.
    fn best(&self, n_live: usize, n_blocks: usize) -> Row;
    /// The bytes of the stack that are overwritten after a verb of a row, less what its callers take of them.
    #[doc(hidden)]
    fn wiped_bytes(&self, row: &Row, verb: &str) -> usize {
        crate::stack_wipe::wiped_bytes(self.name(), row, verb)
    }
    /// The row that is chosen for one message whose blocks do not depend on each other.
    ///
    /// # Panics
    /// As [`AnyTable::best`].
    fn best_of_one(&self) -> Row;
    /// See [`check_env`].
    ///
    /// # Errors
    /// Names what is unknown and what there is.
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
