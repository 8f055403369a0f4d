//! Whether our library chooses its kernels by the tables' costs, or by costs that were measured in this
//! process (feature `calibrate` of `hashlanes`).

use hashlanes::kernels::{self, Row};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The costs by which kernels are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Those of the tables' columns.
    Columns,
    /// Those that were measured at the first use.
    Measured,
}

impl Costs {
    /// Chooses by these from now on. Contestants call it each time: they take turns.
    pub(crate) fn choose(self) {
        static IS_MEASURED: AtomicBool = AtomicBool::new(false);
        let is_measured = self == Costs::Measured;
        if IS_MEASURED.load(Ordering::Relaxed) != is_measured {
            kernels::set_costs(if is_measured { measured() } else { &[] });
            IS_MEASURED.store(is_measured, Ordering::Relaxed);
        }
    }
}

/// The costs, measured once.
fn measured() -> &'static [(&'static str, Row)] {
    static MEASURED: OnceLock<Vec<(&str, Row)>> = OnceLock::new();
    MEASURED.get_or_init(kernels::calibrate)
}
