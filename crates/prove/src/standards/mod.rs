//! The standards' functions as terms. Constants are computed from their definitions, never read from the
//! program.

pub mod aegis;
pub mod aes;
pub mod gcm;
pub mod keccak;
pub mod modes;
pub mod sha1;
pub mod sha2;
