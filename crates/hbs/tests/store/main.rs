//! Keys that are kept: no fault makes one use an index twice, and none loses a key.
//!
//! | fault | test |
//! |---|---|
//! | 1 a kill at every call | `kills::no_index_is_used_twice_after_a_fault_at_any_call`, `kills::no_key_is_lost_after_a_fault_at_any_call_of_its_generation` |
mod damaged;
mod kills;
mod ledger;
mod limits;
mod locks;
mod order;
mod random;
mod real_files;
mod restored;
mod simulated;
mod streams;
