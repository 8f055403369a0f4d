//! F, H, T_l and PRF (FIPS 205, section 4.1): all are HASH(PK.seed ‖ ADRS ‖ M).

use super::address::Address;
use crate::batch::{Addressed, Layout};

/// A hash under one PK.seed.
pub(super) trait Seeded: Addressed<Layout: Layout<Address = Address>> {
    fn new(pk_seed: &[u8]) -> Self;
}
