//! Registers and addresses that kernels share: their names, the layout of the constants, the address of the
//! next block.

pub(super) use super::super::lanes::{Names, registers};
use super::super::strand::{Strand, code};

// ---- Constants: K\[0\].. comes first ----

/// 64 bytes of the mask of vpshufb that swaps the bytes of words.
pub(super) const SWAP: usize = 640;
/// Three pairs of counts by which Sigma1 and Sigma0 rotate.
pub(super) const COUNTS: usize = 704;
/// K in pairs of words, each pair twice: 32 bytes a pair.
pub(super) const PAIRS: usize = 768;

/// The working variables a..h of round t. They do not move: the one that was h becomes a.
pub(super) fn variables<T: AsRef<str>>(state: &[T], t: usize) -> [&str; 8] {
    std::array::from_fn(|i| state[(i + 8 * t - t) % 8].as_ref())
}

/// The address of the next block: a row of pointers, and the offset from each.
pub(super) struct Cursor {
    pub(super) row: &'static str,
    pub(super) offset: &'static str,
    /// The offset of their steps in the frame.
    pub(super) frame: usize,
}

impl Cursor {
    /// At the first block. rsi = the input; rax is clobbered.
    pub(super) fn enter(&self) -> Strand {
        let Self { row, offset, frame } = self;
        let mut out = Strand::new();
        code! { out;
            "mov rax,[rsi+8]";
            "mov [rsp+{frame}],rax";
            "mov rax,[rsi+16]";
            "mov [rsp+{}],rax", frame + 8;
            "mov {row},[rsi]";
            "xor {offset},{offset}";
        }
        out
    }

    /// To the next block; at the last one, where there need be no row after it, nowhere.
    pub(super) fn step(&self, blocks_left: &str, [x, y]: [&str; 2]) -> Strand {
        let Self { row, offset, frame } = self;
        let mut out = Strand::new();
        code! { out;
            "xor {x},{x}";
            "xor {y},{y}";
            "cmp {blocks_left},1";
            "cmovne {x},[rsp+{frame}]";
            "cmovne {y},[rsp+{}]", frame + 8;
            "add {row},{x}";
            "add {offset},{y}";
        }
        out
    }

    /// The address of message m's block.
    pub(super) fn pointer(&self, to: &str, m: usize) -> Strand {
        let Self { row, offset, .. } = self;
        let mut out = Strand::new();
        code! { out; "mov {to},[{row}+{}]", 8 * m; "add {to},{offset}"; }
        out
    }
}
