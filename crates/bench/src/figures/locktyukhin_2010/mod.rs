//! The figures of Locktyukhin 2010: SHA-1 with SSSE3.

pub(super) mod pipelining;
pub(super) mod vector_schedule;
