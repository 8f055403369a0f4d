//! SLH-DSA: the published vectors, other implementations, mutated signatures, formats, wrong use.

mod formats;
mod mutations;
mod outside;
mod rivals;
mod wrong_use;
