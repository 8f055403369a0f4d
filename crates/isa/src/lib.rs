//! Instruction sets, lanes and kernel tables: layer 0 of hashlanes.
//!
//! A compression function is written once, in safe Rust, over [`Lanes`]: words of as many messages,
//! side by side. This crate gives the lanes of every instruction set, moves messages into them and
//! digests out of them, and makes tables of kernels: each row one compiled way to compute the function.
//!
//! | file | holds |
//! |---|---|
//! | `features.rs` | what the CPU has, less what `HASHLANES_DISABLE` masks |
//! | `cpuid.rs` | the CPU's features, model and vendor by its own instructions: without `std`, and for costs |
//! | `auxv.rs` | the same of Arm, as Linux reports it |
//! | `costs.rs` | [`Costs`]: core cycles of kernels, and the CPUs that they were measured on; [`Overheads`]: those around their calls |
//! | `env_error.rs` | [`EnvError`]: a variable that names what there is not |
//! | `lanes.rs` | the traits: [`Word`], [`Proof`], [`Lanes`] |
//! | `scalar.rs` `bmi.rs` `sse.rs` `avx2.rs` `avx512vl.rs` `avx512.rs` | an instruction set each: its proof and its lane types |
//! | `sha_ni.rs` | the SHA extensions: proof, registers, instructions |
//! | `neon.rs` | Arm's Advanced SIMD: its proof and its lane types |
//! | `arm_sha2.rs` `arm_sha3.rs` | Arm's instructions for SHA-1 and SHA-256; for SHA-512 and Keccak |
//! | `function.rs` | [`Types`]: what a compression function works on; [`Definition`]: its one definition over lanes; [`Fixed`]: equal short messages |
//! | `turns.rs` | [`Turns`]: the schedule as data, what a kernel carries out in one call |
//! | `source.rs` | [`Interleaved`]: word-interleaved input |
//! | `over_lanes.rs` | the verbs of every kernel that is the definition over one lane type |
//! | `over_streams.rs` | the same of those that interleave messages in the CPU's hash instructions |
//! | `kernel.rs` | [`Function`]: a compression function that has kernels; [`Kernel`]: one of them, its turns and fixed messages |
//! | `verbs.rs` | its other verbs: the row's own, or an adaptor's |
//! | `adaptors.rs` | the verbs that a row leaves out, over the one that it must have |
//! | `batch.rs` | [`Batch`]: messages on their way through the lanes |
//! | `stack_wipe.rs` | [`wipe_stack`]: what kernels leave on the stack |
//! | `memo.rs` | what a plan found out about a table, kept in it |
//! | `plan.rs` | [`Plan`]: which kernel takes which messages |
//! | `table.rs` | [`table::Kernel`], [`table::Table`]: rows of all kinds, kernels by name, forcing |
//! | `kernels_macro.rs` | [`kernels!`], which makes a table of rows: entries, proofs, the list |
//! | `cipher/` | [`cipher::Blocks`], AES's instructions |
//! | `sponge.rs` | the kernels of Keccak's permutation, which is no compression function: [`sponge`] |
//!
//! # Safety
//!
//! All `unsafe` code of the hash crates that is not assembly stands in this crate. It rests on six
//! facts, which the comments cite by name.
//!
//! **Proofs.** A [`Proof`] is a zero-sized value. The only safe way to one is an entry made by
//! [`kernels!`], which is compiled for the row's features, which are checked at compile time to cover the proof's; and an entry
//! is reached only through a [`table::Kernel`], which only a [`table::Table`] hands out, after the CPU was asked.
//! So where a proof exists, the CPU has its instructions.
//!
//! **Lanes.** A lane value or register is made from a proof or from another one. So where one
//! exists, the CPU has the instructions of its type, and intrinsics on it may be executed.
//!
//! **Turns.** Only this crate writes a list of [`Turns`]: every place has as many blocks as its turn says, and every state is
//! initialised and used by the call alone. The code that carries it out guarantees that. A block is [`Types::BLOCK_BYTES`] bytes,
//! aligned to one; a state is whole words, aligned as they are, without padding. [`Types`] is a safe trait, so these sizes are
//! asserted at compile time where lists of turns, batches and word-interleaved input are made (`function::assert_sizes`).
//!
//! **Sources.** A source ([`Interleaved`], [`sponge::Blocks`]) is made from slices, whose bounds are checked
//! then, and borrows them. It counts the blocks that it gives, so no block is read outside them. [`sponge::LaneStates`] are made
//! from a slice of states and places in it, which are inside it and all different.
//!
//! **Buffers.** A [`cipher::Buffer`] is made from slices that do not overlap, or from one that is read and written, and
//! borrows them; parts of it are apart. What is made of several ([`cipher::InOut`]) borrows them exclusively, and checks
//! every place against the number of blocks that all of them have.
//!
//! **Unaligned.** All loads and stores of memory that a caller owns are unaligned ones.
#![no_std]
#![allow(unsafe_code)] // The home of `unsafe`; argued above.

#[cfg(feature = "std")]
extern crate std;

mod adaptors;
mod batch;
pub mod cipher;
mod costs;
mod env_error;
mod features;
mod function;
mod kernel;
mod kernels_macro;
mod lanes;
mod memo;
mod over_lanes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod over_streams;
mod plan;
pub mod scalar;
mod source;
pub mod sponge;
mod stack_wipe;
pub mod table;
mod turns;
mod verbs;

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "x86_64")]
pub mod avx512vl;
#[cfg(target_arch = "x86_64")]
pub mod bmi;
#[cfg(target_arch = "x86_64")]
mod cpuid;
#[cfg(target_arch = "x86_64")]
pub mod sha_ni;
#[cfg(target_arch = "x86_64")]
pub mod sse;

#[cfg(target_arch = "aarch64")]
pub mod arm_sha2;
#[cfg(target_arch = "aarch64")]
pub mod arm_sha3;
#[cfg(target_arch = "aarch64")]
mod auxv;
#[cfg(target_arch = "aarch64")]
pub mod neon;

pub use batch::{Batch, Open, PLACES};
pub use costs::{COLUMNS, Column, Cost, Costs, MAX_DEGREE, Overheads, column};
pub use env_error::EnvError;
pub use features::{Features, covers, has_avx};
pub use function::{Definition, Fixed, Half, KnownHalf, PreExpanded, Types};
#[doc(hidden)]
pub use kernel::put_digest;
pub use kernel::{Body, ContinueGroups, FixedGroups, Function, Kernel, Start, Table, Verb, Verbs};
pub use lanes::{Lanes, Proof, Word};
pub use over_lanes::OverLanes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use over_streams::{OverStreams, Register, Streamed};
pub use plan::{FEW, Plan, SHORT};
pub use source::Interleaved;
#[doc(hidden)]
pub use stack_wipe::left_by_callers;
pub use stack_wipe::{wipe_stack, wipe_stack_below};
pub use table::Row;
pub use turns::{Turn, Turns};

/// Runs a block with the constant `$i` = 0, 1, .. 15: unrolled, and an index that the compiler resolves.
///
/// An index that is not a constant after unrolling keeps the lanes in memory: 1.3 to 1.6 times slower.
#[macro_export]
macro_rules! unroll16 {
    ($i:ident => $body:block) => { $crate::unroll16!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $i:ident $body:block $($n:literal)*) => {$(
        // A body may ask for `$i >= 4`, which is absurd for the first alone.
        #[allow(clippy::absurd_extreme_comparisons)]
        {
            const $i: usize = $n;
            $body
        }
    )*};
}
