//! Kernels of ciphers: blocks in registers, input and output, and tables.
//!
//! A cipher does not have the verbs of a compression function, and each cipher has different ones:
//! [`kernels!`](crate::kernels) accepts them as arguments.
//!
//! | file | holds |
//! |---|---|
//! | `blocks.rs` | [`Blocks`]: 128-bit blocks side by side, and the steps of AES on them |
//! | `x86.rs` | AES-NI and VAES: xmm, ymm and zmm registers |
//! | `arm.rs` | Arm's AES instructions |
//! | `multiply.rs` | [`Multiply`]: products of polynomials over GF(2) |
//! | `in_out.rs` | [`Buffer`], [`InOut`]: the input, and the place of the result, which may be the same |

#[cfg(target_arch = "aarch64")]
mod arm;
mod blocks;
mod in_out;
mod multiply;
mod nonce;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

pub use crate::table::{Kernel, Table};
#[cfg(target_arch = "aarch64")]
pub use arm::{ArmAes, X1};
pub use blocks::{Block, Blocks, partial_block, put_partial_block};
pub use in_out::{Buffer, InOut};
pub use multiply::Multiply;
pub use nonce::{in_halves, in_words};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use x86::{AesNi, AesNiPclmul, Vaes, Vaes512, Vaes512Vpclmul, VaesVpclmul, X1, X2, X4};

/// The most messages that a kernel takes at once.
pub const MAX_DEGREE: usize = 24;
