//! Verification without an allocator, for boot loaders and small devices: XMSS and XMSS^MT, LMS and HSS,
//! SLH-DSA.
//!
//! Each function stands alone: a program that calls one of them contains the code of one family and its hash.
//! `cargo xtask test --slow --only devices` reports code and stack on a Cortex-M4.

pub(crate) mod lms;
pub(crate) mod slh_dsa;
pub(crate) mod xmss;
