//! LMS and HSS: the RFC's test cases, other implementations, mutated signatures, the life of a key.

mod life;
mod mutations;
mod outside;
mod rivals;
