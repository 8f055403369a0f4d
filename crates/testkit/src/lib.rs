//! The tools of the tests: oracles, vectors, guarded buffers. Unpublished, and never a dependency of the
//! library.
//!
//! | module | what |
//! |---|---|
//! | [`oracle`] | SHA-1, SHA-2, HMAC, Keccak and AES from the standards alone: no code shared with the rest |
//! | [`vectors`] | the reader of the published test vectors in `spec/vectors` |
//! | [`guarded`] | buffers that end or begin exactly at an unmapped page |
//! | [`cpu`] | whether features are masked, or the CPU is emulated |
//! | [`freed`] | an allocator that searches freed memory for secrets |
//! | `process_memory` | a search for secrets in the memory of the process, on Linux |
//! | [`ragged`] | batches whose counts and lengths break schedulers; the test pattern; the generator |
//! | [`report`] | the table at the end of a test run: the result of every row; the rows that must have run |
//! | [`secrets`] | secrets that valgrind follows |
//! | [`table`] | tables as text |
//! | [`times`] | whether times depend on secrets |
//!
//! Everything here is deterministic: a test prints its seed, which determines its random numbers.

pub mod cpu;
pub mod freed;
pub mod guarded;
pub mod oracle;
#[cfg(target_os = "linux")]
pub mod process_memory;
pub mod ragged;
pub mod report;
pub mod secrets;
pub mod table;
pub mod times;
pub mod vectors;
