//! Proves that the machine code of kernels computes the standards' functions, for all inputs.
//!
//! A kernel is executed on terms instead of numbers. [`machine`] executes the [`program`], instruction by
//! instruction, and the results in [`memory`] must be the [`terms`] that the [`standards`] define. A
//! [`contract`] defines the arguments of the call.
#![forbid(unsafe_code)]

pub mod contract;
pub mod contracts;
pub mod coverage;
pub mod fingerprint;
pub mod induction;
mod instructions;
pub mod ledger;
pub mod machine;
pub mod memory;
pub mod numbers;
pub mod program;
pub mod proof;
pub mod standards;
pub mod terms;
