//! The compression function of SHA-512, SHA-384, SHA-512/224 and SHA-512/256, FIPS 180-4 section 6.4.2: its
//! constants and kernels.
//!
//! | file | holds |
//! |---|---|
//! | `compression.rs` | its types, constants and message schedule |
//! | `lanes.rs` | the definition over messages side by side in the lanes of an instruction set |
//! | `arm_sha512.rs` | the same by Arm's instructions, `S` messages interleaved |
//! | `asm.rs` | kernels in assembly: `asm/*.s`, written by `cargo xtask asm` |
//! | `kernels.rs` | the table of all kernels |

#[cfg(target_arch = "aarch64")]
mod arm_sha512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cfg_attr(not(feature = "papers"), allow(dead_code))]
// The papers' kernels, without which they are not compiled.
mod asm;
mod compression;
mod kernels;
mod lanes;

use hashlanes_isa::{Fixed, Function, PreExpanded, Table, Types};

pub(crate) use compression::K;
use compression::schedule;
pub use compression::{Compression, H0, H0_384, H0_512_224, H0_512_256, State};

impl Function for Compression {
    const NAME: &'static str = "sha512";
    const KERNEL_VARIABLE: &'static str = "HASHLANES_SHA512_KERNEL";

    fn table() -> &'static Table<Self> {
        &kernels::TABLE
    }
    fn table_of_one() -> &'static Table<Self> {
        &kernels::TABLE_OF_ONE
    }
}

impl Types for Compression {
    type Word = u64;
    type State = State;
    type Block = [u8; 128];
    type Schedule = [u64; 80];
    const ZERO_BLOCK: [u8; 128] = [0; 128];
    const ZERO_STATE: State = [0; 8];

    #[inline]
    fn bytes_of(blocks: &[[u8; 128]]) -> &[u8] {
        blocks.as_flattened()
    }
    #[inline]
    fn bytes_of_mut(blocks: &mut [[u8; 128]]) -> &mut [u8] {
        blocks.as_flattened_mut()
    }

    fn schedule(block: &[u8; 128]) -> [u64; 80] {
        schedule(block)
    }

    #[inline]
    fn two_block_shape(len_bytes: usize) -> Option<&'static Fixed<Self>> {
        two_block_shape(len_bytes)
    }
    #[inline]
    fn pre_expanded_end(len_bytes: u64) -> Option<&'static PreExpanded<Self>> {
        pre_expanded_end(len_bytes)
    }
}

crate::padding::pre_expanded!(128);
