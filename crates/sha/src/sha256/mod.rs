//! The compression function of SHA-256 and SHA-224, FIPS 180-4 section 6.2.2: its constants and kernels.
//!
//! | file | holds |
//! |---|---|
//! | `compression.rs` | its types, constants and message schedule |
//! | `lanes.rs` | the definition over messages side by side in the lanes of an instruction set |
//! | `sha_ni.rs` | the same by the SHA instructions, `S` messages interleaved |
//! | `arm_sha2.rs` | the same by Arm's instructions |
//! | `asm.rs` | kernels in assembly: `asm/*.s`, written by `cargo xtask asm` |
//! | `kernels.rs` | the table of all kernels |

#[cfg(target_arch = "aarch64")]
mod arm_sha2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cfg_attr(not(feature = "papers"), allow(dead_code))]
// The papers' kernels, without which they are not compiled.
mod asm;
mod compression;
mod kernels;
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sha_ni;

use hashlanes_isa::{Fixed, Function, Half, KnownHalf, PreExpanded, Table, Types, Verb};

pub(crate) use compression::K;
pub use compression::{Compression, H0, H0_224, State};
use compression::{round, schedule, small_sigma0, small_sigma1};

impl Function for Compression {
    const NAME: &'static str = "sha256";
    const KERNEL_VARIABLE: &'static str = "HASHLANES_SHA256_KERNEL";

    fn table() -> &'static Table<Self> {
        &kernels::TABLE
    }
    fn table_of_one() -> &'static Table<Self> {
        &kernels::TABLE_OF_ONE
    }
    fn has_scratch(kernel: &str, _: Verb) -> bool {
        kernel.ends_with("-asm") || ["split-", "zen5-"].iter().any(|family| kernel.starts_with(family))
    }
}

impl Types for Compression {
    type Word = u32;
    type State = State;
    type Block = [u8; 64];
    type Schedule = [u32; 64];
    const ZERO_BLOCK: [u8; 64] = [0; 64];
    const ZERO_STATE: State = [0; 8];

    #[inline]
    fn bytes_of(blocks: &[[u8; 64]]) -> &[u8] {
        blocks.as_flattened()
    }
    #[inline]
    fn bytes_of_mut(blocks: &mut [[u8; 64]]) -> &mut [u8] {
        blocks.as_flattened_mut()
    }

    fn schedule(block: &[u8; 64]) -> [u32; 64] {
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

    fn known_half(half: Half, block: &[u8; 64], start: &State) -> Option<KnownHalf<Self>> {
        Some(known_half(half, block, start))
    }
}

/// See [`KnownHalf`]: FIPS 180-4 section 6.2.2, as far as half a block leads.
fn known_half(half: Half, block: &[u8; 64], start: &State) -> KnownHalf<Compression> {
    let is_known = |t: usize| (t < 8) == (half == Half::First);
    let word = |t: usize| u32::from_be_bytes(block.as_chunks().0[t]);
    // W[t], or a function of it, as a term of a sum: 0 if it is not known.
    let term = |t: usize, of: fn(u32) -> u32| if t < 16 && is_known(t) { of(word(t)) } else { 0 };
    let mut brought = [0_u32; 16];
    for (t, sum) in (16..).zip(&mut brought) {
        let terms =
            [term(t - 2, small_sigma1), term(t - 7, |w| w), term(t - 15, small_sigma0), term(t - 16, |w| w)];
        *sum = terms.into_iter().fold(0, u32::wrapping_add);
    }
    let mut kw = [0; 8];
    let mut after = *start;
    for i in 0..8 {
        match half {
            Half::First => after = round(after, K[i].wrapping_add(word(i))),
            Half::Second => kw[i] = K[8 + i].wrapping_add(word(8 + i)),
        }
    }
    KnownHalf { half, block: *block, start: *start, after, kw, brought }
}

crate::padding::pre_expanded!(64);
