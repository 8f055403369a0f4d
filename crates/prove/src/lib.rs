//! Proofs that the machine code of kernels computes what the standards say, for all inputs.
//!
//! A kernel is carried out on terms instead of numbers: [`machine`] takes it from the [`program`],
//! instruction by instruction, and what it leaves in [`memory`] must be the [`terms`] that the [`standards`]
//! give. A [`contract`] says what it is called with.
#![forbid(unsafe_code)]

pub mod contract;
pub mod coverage;
pub mod hashes;
mod instructions;
pub mod machine;
pub mod memory;
pub mod program;
pub mod proof;
pub mod standards;
pub mod terms;
