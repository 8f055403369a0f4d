//! The compression function of SHA-1, FIPS 180-4 section 6.1.2: its constants and kernels.
//!
//! SHA-1 is broken where collisions matter; it stays in use for checks against accident and in formats that
//! were fixed long ago.
//!
//! | file | holds |
//! |---|---|
//! | `lanes.rs` | the definition, over as many messages side by side as the instruction set has lanes |
//! | `sha_ni.rs` | the same by the SHA instructions, `S` messages interleaved |
//! | `asm.rs` | kernels in assembly: `asm/*.s`, written by `cargo xtask asm` |
//! | `kernels.rs` | the table of all kernels |

#[cfg(target_arch = "x86_64")]
#[cfg_attr(not(feature = "papers"), allow(dead_code))]
// The papers' kernels, without which they are not compiled.
mod asm;
mod kernels;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod sha_ni;

use hashlanes_isa::{Fixed, Function, PreExpanded, Table};

/// The chaining value: five words a..e.
pub type State = [u32; 5];

/// The compression function.
#[derive(Clone, Copy, Debug)]
pub struct Compression;

impl Function for Compression {
    type Word = u32;
    type State = State;
    type Block = [u8; 64];
    type Schedule = [u32; 80];
    const NAME: &'static str = "sha1";
    const KERNEL_VARIABLE: &'static str = "HASHLANES_SHA1_KERNEL";
    const ZERO_BLOCK: [u8; 64] = [0; 64];
    const ZERO_STATE: State = [0; 5];

    fn table() -> &'static Table<Self> {
        &kernels::TABLE
    }
    fn table_of_one() -> &'static Table<Self> {
        &kernels::TABLE_OF_ONE
    }

    #[inline]
    fn bytes_of(blocks: &[[u8; 64]]) -> &[u8] {
        blocks.as_flattened()
    }
    #[inline]
    fn bytes_of_mut(blocks: &mut [[u8; 64]]) -> &mut [u8] {
        blocks.as_flattened_mut()
    }

    fn schedule(block: &[u8; 64]) -> [u32; 80] {
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

/// FIPS 180-4 section 6.1.2, step 1, and K added.
const fn schedule(block: &[u8; 64]) -> [u32; 80] {
    let words = block.as_chunks::<4>().0;
    let mut w = [0; 80];
    let mut t = 0;
    while t < 80 {
        w[t] = if t < 16 {
            u32::from_be_bytes(words[t])
        } else {
            (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1)
        };
        t += 1;
    }
    let mut kw = w;
    t = 0;
    while t < 80 {
        kw[t] = w[t].wrapping_add(K[t / 20]);
        t += 1;
    }
    kw
}

crate::padding::pre_expanded!(64);

/// H(0), section 5.3.1: the bytes 01 23 45 67 89 ab cd ef and back, little-endian, and f0 e1 d2 c3.
pub const H0: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
/// K, section 4.2.1, for twenty rounds each: 2^30 times the square roots of 2, 3, 5 and 10.
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
