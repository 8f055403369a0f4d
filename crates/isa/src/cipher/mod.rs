//! Kernels of ciphers: blocks in registers, messages on their way through them, and tables of their own.
//!
//! A cipher has no compression function's verbs, and each cipher has other ones. So [`cipher_kernels!`](crate::cipher_kernels)
//! takes them from the cipher, and makes of them what [`kernels!`](crate::kernels) makes of a hash's: rows, proofs, names, forcing.
//!
//! | file | holds |
//! |---|---|
//! | `blocks.rs` | [`Blocks`]: 128-bit blocks side by side, and the steps of AES on them |
//! | `x86.rs` | AES-NI and VAES: xmm, ymm and zmm registers |
//! | `in_out.rs` | [`Buffer`], [`InOut`]: what is read, and where the result goes, which may be the same place |
//! | `table.rs` | [`Kernel`], [`Table`], the choice, and the macro |

mod blocks;
mod in_out;
mod table;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use blocks::{Block, Blocks};
pub use in_out::{Buffer, InOut};
#[doc(hidden)]
pub use table::are_verbs;
pub use table::{Entries, Kernel, MAX_DEGREE, Table};
#[cfg(target_arch = "x86_64")]
pub use x86::{AesNi, Vaes, Vaes512, X1, X2, X4};
