//! Instruction sets, lanes and kernel tables: layer 0 of hashlanes.
//!
//! A compression function is written once, in safe Rust, over [`Lanes`]: words of several messages next to
//! each other. This crate has the lane types of every instruction set, moves messages into lanes and digests
//! out of them, and generates tables of kernels. Each row is one compiled way to compute the function.
//!
//! | file | holds |
//! |---|---|
//! | `features.rs` | the CPU's features, without those that `HASHLANES_DISABLE` masks |
//! | `cpuid.rs` | the CPU's features, model and vendor by its own instructions: without `std`, and for costs |
//! | `auxv.rs` | the same for Arm, as Linux reports it |
//! | `costs.rs` | [`Costs`]: core cycles of kernels, and the CPUs on which they were measured; [`Overheads`]: the cycles around their calls |
//! | `calibrate.rs` `sample.rs` | costs measured on this CPU: the feature `calibrate` |
//! | `env_error.rs` | [`EnvError`]: a variable with an unknown name |
//! | `lanes.rs` | the traits: [`Word`], [`Proof`], [`Lanes`] |
//! | `scalar.rs` `bmi.rs` `sse.rs` `avx2.rs` `avx512vl.rs` `avx512.rs` | one instruction set each: its proof and its lane types |
//! | `sha_ni.rs` | the SHA extensions: proof, registers, instructions |
//! | `neon.rs` | Arm's Advanced SIMD: its proof and its lane types |
//! | `arm_sha2.rs` `arm_sha3.rs` | Arm's instructions for SHA-1 and SHA-256; for SHA-512 and Keccak |
//! | `function.rs` | [`Types`]: the state and the block of a compression function; [`Definition`]: its one definition over lanes; [`Fixed`]: equal short messages |
//! | `turns.rs` | [`Turns`]: the schedule as data, which a kernel carries out in one call |
//! | `source.rs` | [`Interleaved`]: word-interleaved input |
//! | `over_lanes.rs` | the verbs of kernels that are the definition over one lane type |
//! | `over_streams.rs` | the verbs of kernels that interleave messages in the CPU's hash instructions |
//! | `kernel.rs` | [`Function`]: a compression function that has kernels; [`Kernel`]: one of them, its turns and fixed messages |
//! | `verbs.rs` | its other verbs: the row's own, or an adaptor's |
//! | `adaptors.rs` | the verbs that a row lacks, computed by the required one; fewer messages than lanes |
//! | `batch/` | [`Batch`]: messages on their way through the lanes |
//! | `masks.rs` | loads of any number of bytes: the ends of messages |
//! | `stack_wipe.rs` | [`wipe_stack`]: overwrites secrets on the stack |
//! | `memo.rs` | the answers of a plan, kept in the table |
//! | `group_costs.rs` | what groups of messages take, and the kernels with which all end first |
//! | `plan.rs` | [`Plan`]: which kernel hashes which messages |
//! | `table.rs` | [`table::Kernel`], [`table::Table`]: rows of all kinds, kernels by name, forcing |
//! | `kernels_macro.rs` | [`kernels!`], which makes a table of rows: entries, proofs, the list |
//! | `cipher/` | [`cipher::Blocks`], AES's instructions |
//! | `sponge.rs` | the kernels of Keccak's permutation, which is not a compression function: [`sponge`] |
//!
//! # Safety
//!
//! All `unsafe` code of the hash crates, except assembly, is in this crate. It rests on seven facts, which
//! the comments cite by name.
//!
//! **Proofs.** A [`Proof`] is a zero-sized value. Safe code gets one only inside an entry that [`kernels!`]
//! made. The entry is compiled for the row's features, and these are checked at compile time to cover the
//! proof's. An entry is called only through a [`table::Kernel`], and only a [`table::Table`] hands that out,
//! after it detected the CPU's features. So where a proof exists, the CPU has its instructions.
//!
//! **Masks.** Loads under a mask (`masks.rs`) have no proof, because functions contain them that are compiled
//! for every CPU. Their callers ask `has_masks` before, which reads the same features as a table.
//!
//! **Lanes.** A lane value or register is made from a proof or from another lane value. So where one exists,
//! the CPU has the instructions of its type, and intrinsics on it may be executed.
//!
//! **Turns.** Only this crate writes a list of [`Turns`]: every place has as many blocks as its turn says,
//! and every state is initialised and used by that call only. The code that writes the list guarantees that.
//! A block has [`Types::BLOCK_BYTES`] bytes and an alignment of one. A state consists of whole words, has
//! their alignment, and no padding. [`Types`] is a safe trait, so these sizes are asserted at compile time
//! where lists of turns, batches and word-interleaved input are made (`function::assert_sizes`).
//!
//! **Sources.** A source ([`Interleaved`], [`sponge::Blocks`]) is made from slices and borrows them; their
//! bounds are checked at that time. It counts the blocks that it returns, so no block is read outside the
//! slices. [`sponge::LaneStates`] are made from a slice of states and places inside it, which are all
//! different.
//!
//! **Buffers.** A [`cipher::Buffer`] is made from two slices that do not overlap, or from one that is read
//! and written, and borrows them; its parts do not overlap. A [`cipher::InOut`] borrows several of them
//! exclusively, and checks every place against the number of blocks that all of them have.
//!
//! **Unaligned.** All loads and stores of memory that a caller owns are unaligned.
#![no_std]
#![allow(unsafe_code)] // The home of `unsafe`; argued above.

#[cfg(feature = "std")]
extern crate std;

mod adaptors;
mod batch;
#[cfg(feature = "calibrate")]
mod calibrate;
pub mod cipher;
mod costs;
mod env_error;
mod features;
mod function;
mod group_costs;
mod kernel;
mod kernels_macro;
mod lanes;
mod masks;
mod memo;
mod over_lanes;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
mod over_streams;
mod plan;
#[cfg(feature = "calibrate")]
mod sample;
pub mod scalar;
mod source;
pub mod sponge;
mod stack_wipe;
pub mod table;
mod turns;
mod verbs;
mod wrap;

// x86-64 without SSE2 is an operating system's kernel, which does not save vector registers, and for which
// the compiler makes no code with vectors. It has the portable rows.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod avx512vl;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod bmi;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod cpuid;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod sha_ni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod sse;

#[cfg(target_arch = "aarch64")]
pub mod arm_sha2;
#[cfg(target_arch = "aarch64")]
pub mod arm_sha3;
#[cfg(target_arch = "aarch64")]
mod auxv;
#[cfg(target_arch = "aarch64")]
pub mod neon;

#[doc(hidden)]
pub use adaptors::{InLines, LONGEST_DIGEST};
pub use batch::{Batch, Blocks, Next, Open, PLACES, Whole};
pub use costs::{COLUMNS, Cost, Costs, MAX_DEGREE, Overheads, column};
pub use env_error::EnvError;
pub use features::{Features, covers, has_avx};
pub use function::{Definition, Fixed, Half, KnownHalf, PreExpanded, Types};
pub use kernel::{Body, ContinueGroups, FixedGroups, Function, Kernel, Start, Table, Verb, Verbs};
#[doc(hidden)]
pub use kernel::{put_digest, put_stored_state};
pub use lanes::{Lanes, Proof, Word};
#[doc(hidden)]
pub use masks::copy_by_masks;
pub use over_lanes::OverLanes;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub use over_streams::{OverStreams, Register, Streamed};
pub use plan::{FEW, Groups, Plan, SHORT};
#[cfg(feature = "calibrate")]
pub use sample::Sample;
pub use source::Interleaved;
#[doc(hidden)]
pub use stack_wipe::wiped_bytes;
pub use stack_wipe::{Reach, wipe_stack, wipe_stack_below, wipe_stack_of_turns};
pub use table::Row;
pub use turns::{MOST_BLOCKS, Turn, Turns};
pub use wrap::wraps;

/// Runs a block with the constant `$i` = 0, 1, .. 15: unrolled, and an index that the compiler resolves.
///
/// An index that is not a constant after unrolling keeps the lanes in memory: 1.3 to 1.6 times slower.
#[macro_export]
macro_rules! unroll16 {
    ($i:ident => $body:block) => { $crate::unroll16!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $i:ident $body:block $($n:literal)*) => {$(
        // A body may contain `$i >= 4`, which is always false in the first step.
        #[allow(clippy::absurd_extreme_comparisons)]
        {
            const $i: usize = $n;
            $body
        }
    )*};
}
