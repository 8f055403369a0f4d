//! Keys of LMS and HSS in files: the faults of `main.rs` that do not depend on the scheme, and the operations
//! on a key.

mod copies;
#[path = "fixture_hss.rs"]
mod fixture;
mod kills;
mod ledger;
mod life_hss;
mod order;
mod restored;
#[allow(dead_code, reason = "the tests of main.rs use all of it")]
mod simulated;
