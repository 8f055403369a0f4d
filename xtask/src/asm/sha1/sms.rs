//! `sms4-sse`, `sms8-avx2`: one message; the schedules of n of its blocks side by side in the lanes of
//! vectors, the rounds of one block after the other in general registers.
//!
//! Source: Gueron and Krasnov 2012, "Parallelizing message schedules to accelerate the computations of hash
//! functions", section 3 (n-SMS). The paper reports no gain for SHA-1, because its schedule is too simple.
//! The idea: schedules do not depend on the state, so those of n blocks can be computed by the same
//! instructions, lane j for block j.
//!
//! ```text
//! while n blocks are left:
//!     words 0..16 of n blocks, a word of each in a register
//!     rounds of block 0                alongside them, 16 words ahead: W[t] = (W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]) rol 1
//!     rounds of blocks 1..n            over K + W of their lanes
//! what is left: serially               (section 3.2, "the regular Update function")
//! ```
//!
//! Departures from the paper.
//! 1. Words come into the lanes by transposition instead of `pinsrd`: four instructions a word of four
//!    blocks, not five.
//! 2. The schedule runs alongside the first block's rounds, not before them.
//! 3. Eight blocks with AVX2, which the paper has only for SHA-256.
//!
//! As the paper says, there is nothing to be gained: on Redwood Cove `sms4-sse` takes 238 cycles per block
//! and `sms8-avx2` 231, where a block's own schedule four words at once (`ssse3.rs`) has 220 and 211.
//! Serially it is 266.

use super::constants::{K_IN_ALL, SWAP};
use super::rounds::{ROUNDS, Rotation, Rounds, load_state, serial_block};
use crate::asm::merge::spread;
use crate::asm::sha2::Slots;
use crate::asm::strand::{Strand, code};
use crate::asm::vex_to_sse::to_sse;

/// The differences between the kernels.
pub(super) struct Form {
    vectors: Vectors,
    rotation: Rotation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Vectors {
    /// Four blocks in xmm registers, in SSE's encoding.
    Sse,
    /// Eight in ymm registers.
    Avx2,
}

pub(super) const SMS4_SSE: Form = Form { vectors: Vectors::Sse, rotation: Rotation::Ror };
pub(super) const SMS8_AVX2: Form = Form { vectors: Vectors::Avx2, rotation: Rotation::Rorx };

/// The blocks.
const BLOCKS: [&str; 8] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
/// Clobbered where the input steps.
const OTHER: &str = "rbp";
/// Constants.
const CONSTANTS: &str = "rdi";
/// During rounds: the first K + W of the block, the state, blocks left of the n.
const KW: &str = "r11";
const STATE: &str = "r12";
const LEFT: &str = "r13";

/// The mask that swaps the bytes of words.
const MASK: usize = 15;

pub(super) fn kernel(form: &Form) -> Strand {
    let (slots, n) = (form.slots(), form.vectors.blocks());
    let mut out = slots.enter();
    code! { out;
        "mov {STATE},rdi";
        "mov {CONSTANTS},rcx";
        "vmovdqa {},[{CONSTANTS}+{SWAP}]", form.vectors.register(MASK);
    }
    out.extend(load_state(STATE));
    code! { out; ".p2align 6"; "2:"; "cmp {},{n}", slots.blocks_left(); "jb 6f"; }
    out.extend(form.first_words());
    out.extend(form.first_block());
    out.extend(form.other_blocks());
    code! { out; "sub {},{n}", slots.blocks_left(); "jnz 2b"; "jmp 8f"; ".p2align 6"; "6:"; }
    out.extend(serial_block(form.rotation, slots, STATE));
    code! { out; "dec {}", slots.blocks_left(); "jnz 6b"; "8:"; }
    if form.vectors == Vectors::Sse { to_sse(out) } else { out }
}

impl Form {
    /// Bytes of its own stack: K + W, the last 16 words, [`Slots`].
    pub(super) fn frame_bytes(&self) -> usize {
        self.slots().at + Slots::BYTES
    }

    fn slots(&self) -> Slots {
        Slots { at: (ROUNDS + 16) * self.vectors.bytes() }
    }

    /// The offset of K + W of all blocks in the frame.
    fn kw(&self, t: usize) -> String {
        format!("[rsp+{}]", t * self.vectors.bytes())
    }

    /// The offset of W\[t\], until W\[t + 16\] replaces it.
    fn w(&self, t: usize) -> String {
        format!("[rsp+{}]", (ROUNDS + t % 16) * self.vectors.bytes())
    }

    /// Words 0..16 of the next n blocks.
    fn first_words(&self) -> Strand {
        let mut out = Strand::new();
        for block in &BLOCKS[..self.vectors.blocks()] {
            out.extend(self.slots().next_block(block, OTHER));
        }
        for four in 0..4 {
            out.extend(self.four_words(four));
        }
        out
    }

    /// Words 4 `four`..: of blocks j and j + 4 a register, in whose halves four by four words are transposed.
    fn four_words(&self, four: usize) -> Strand {
        let vectors = self.vectors;
        let [a, b, c, d, x, y, z, w] = std::array::from_fn(|i| vectors.register(i));
        let mask = vectors.register(MASK);
        let mut out = Strand::new();
        for (j, r) in [&a, &b, &c, &d].into_iter().enumerate() {
            let [low, high] = [j, (j + 4) % 8].map(|j| format!("[{}+{}]", BLOCKS[j], 16 * four));
            code! { out; "vmovdqu xmm{j},{low}"; }
            if vectors == Vectors::Avx2 {
                code! { out; "vinserti128 {r},{r},{high},1"; }
            }
            code! { out; "vpshufb {r},{r},{mask}"; }
        }
        code! { out;
            "vpunpckldq {x},{a},{b}";
            "vpunpckhdq {a},{a},{b}";
            "vpunpckldq {y},{c},{d}";
            "vpunpckhdq {c},{c},{d}";
            "vpunpcklqdq {z},{x},{y}";
            "vpunpckhqdq {x},{x},{y}";
            "vpunpcklqdq {w},{a},{c}";
            "vpunpckhqdq {a},{a},{c}";
        }
        for (i, word) in [z, x, w, a].iter().enumerate() {
            out.extend(self.keep_word(4 * four + i, word));
        }
        out
    }

    /// W\[t\], t ≥ 16, in a register of its own, so that words may overtake each other.
    fn next_word(&self, t: usize) -> Strand {
        let [w3, w8, w14, w16] = [3, 8, 14, 16].map(|back| self.w(t - back));
        let [x, y] = [0, 1].map(|i| self.vectors.register(2 * (t % 4) + i));
        let mut out = Strand::new();
        code! { out;
            "vmovdqa {x},{w16}";
            "vpxor {x},{x},{w14}";
            "vpxor {x},{x},{w8}";
            "vpxor {x},{x},{w3}";
            "vpsrld {y},{x},31";
            "vpaddd {x},{x},{x}";
            "vpor {x},{x},{y}";
        }
        out.extend(self.keep_word(t, &x));
        out
    }

    /// Stores W\[t\], unless it is read no more, and K + W\[t\].
    fn keep_word(&self, t: usize, x: &str) -> Strand {
        let k = format!("[{CONSTANTS}+{}]", K_IN_ALL + 32 * (t / 20));
        let mut out = Strand::new();
        if t < ROUNDS - 3 {
            code! { out; "vmovdqa {},{x}", self.w(t); }
        }
        code! { out; "vpaddd {x},{x},{k}"; "vmovdqa {},{x}", self.kw(t); }
        out
    }

    /// Rounds of the first of n blocks alongside the schedules of all.
    fn first_block(&self) -> Strand {
        let mut rounds = Rounds::at_home(self.rotation);
        let schedule: Strand = (16..ROUNDS).flat_map(|t| self.next_word(t)).collect();
        let mut out = rounds.begin();
        let mut round = |t: usize| rounds.next(&self.kw(t));
        let ahead: Strand = (0..ROUNDS - 16).flat_map(&mut round).collect();
        out.extend(spread(&[&ahead, &schedule]));
        out.extend((ROUNDS - 16..ROUNDS).flat_map(&mut round));
        code! { out; "mov {STATE},{}", self.slots().state(); }
        out.extend(rounds.end(STATE));
        out.extend(rounds.go_home());
        out
    }

    /// Rounds of the others.
    fn other_blocks(&self) -> Strand {
        let mut rounds = Rounds::at_home(self.rotation);
        let mut out = Strand::new();
        code! { out;
            "lea {KW},[rsp+4]";
            "mov {LEFT},{}", self.vectors.blocks() - 1;
            ".p2align 6";
            "3:";
        }
        out.extend(rounds.begin());
        for t in 0..ROUNDS {
            out.extend(rounds.next(&format!("[{KW}+{}]", t * self.vectors.bytes())));
        }
        out.extend(rounds.end(STATE));
        out.extend(rounds.go_home());
        code! { out; "add {KW},4"; "dec {LEFT}"; "jnz 3b"; }
        out
    }
}

impl Vectors {
    fn blocks(self) -> usize {
        self.bytes() / 4
    }

    /// Bytes of a register.
    fn bytes(self) -> usize {
        match self {
            Self::Sse => 16,
            Self::Avx2 => 32,
        }
    }

    fn register(self, number: usize) -> String {
        match self {
            Self::Sse => format!("xmm{number}"),
            Self::Avx2 => format!("ymm{number}"),
        }
    }
}
