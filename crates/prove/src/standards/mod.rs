//! The standards' functions as terms. Constants are computed from their definitions, never read from the
//! program.

pub mod aes;
pub mod keccak;
pub mod sha1;
pub mod sha2;
