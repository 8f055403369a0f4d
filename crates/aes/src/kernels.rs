//! The kernels: each cipher's table, for programs that list, force or explain them.

use alloc::vec::Vec;

pub use hashlanes_isa::cipher::{Kernel, Table};
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

/// Every table, for listings.
pub fn all() -> [&'static dyn AnyTable; 2] {
    [&modes::TABLE, &aegis::kernels::TABLE]
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
    /// Every row, whether this CPU can run it or not.
    fn rows(&self) -> Vec<Row>;
    /// The verbs that row `index` has.
    ///
    /// # Panics
    /// If there are fewer rows.
    fn verbs(&self, index: usize) -> Vec<&'static str>;
    /// Whether `HASHLANES_DISABLE` and the variable can be fulfilled.
    ///
    /// # Errors
    /// Names what is unknown and what there is.
    fn check_env(&self) -> Result<(), EnvError>;
}

macro_rules! any_table {
    ($($verbs:ty),*) => {$(
        impl AnyTable for Table<$verbs> {
            fn name(&self) -> &'static str {
                Table::name(self)
            }
            fn variable(&self) -> &'static str {
                Table::variable(self)
            }
            fn rows(&self) -> Vec<Row> {
                Table::rows(self).collect()
            }
            fn verbs(&self, index: usize) -> Vec<&'static str> {
                self.verbs_of(index).names().collect()
            }
            fn check_env(&self) -> Result<(), EnvError> {
                Table::check_env(self)
            }
        }
    )*};
}
any_table!(AesVerbs, AegisVerbs);
