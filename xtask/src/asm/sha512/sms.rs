//! `sms2-sse`, `sms2-avx`, `sms4-avx2`, `sms8-avx512`: one message; the schedules of n of its blocks side by
//! side in the lanes of vectors, the rounds of one block after the other in general registers.
//!
//! Source: Gueron and Krasnov 2012, "Parallelizing message schedules to accelerate the computations of hash
//! functions", section 3 (n-SMS) and 4.1 (AVX2). The idea: schedules do not depend on the state, so those of
//! n blocks can be made by the same instructions, lane j block j.
//!
//! ```text
//! while n blocks are left:
//!     words 0..16 of n blocks, a word of each in a register; K + W to the frame
//!     rounds of block 0, 16 in a turn       alongside them, 16 words ahead:
//!                                           W[t] = sigma1(W[t-2]) + W[t-7] + sigma0(W[t-15]) + W[t-16]
//!     rounds of blocks 1..n                 over K + W of their lanes
//! what is left: serially (section 3.2, "the regular Update function"), or by AVX-512 in lanes
//! ```
//!
//! Departures from the paper.
//! 1. Words come into the lanes by transposition instead of `pinsrq`.
//! 2. The schedule runs alongside the first block's rounds, not before them.
//! 3. Shifts of a word are computed from each other, so that SSE needs fewer copies: x << 63 is x << 56 << 7.
//! 4. Eight blocks by AVX-512, which the paper has not: it rotates words, and all of the last 16 have
//!    registers. The last ones, fewer than eight, too: lanes without a block repeat another one's, which
//!    costs less than a serial schedule (Zen 5: one block 567 cycles instead of 670, three 1,431 instead of
//!    1,850). A second loop for four lanes would be faster for one block and two (552 and 975 cycles instead
//!    of 567 and 993), but nine blocks, by both loops, would take 4,443 instead of 4,114, as if each were
//!    decoded again.
//!
//! | | Redwood Cove, cycles per block | of the serial kernel with the same rounds | instructions of four blocks, of the same |
//! |---|---|---|---|
//! | `sms2-sse` | 707 | 1.00 (paper: 0.97, or slower) | 0.95 |
//! | `sms2-avx` | 706 | 1.00 | 0.91 |
//! | `sms4-avx2` | 601 | 0.91 | 0.81 (paper: 0.79, counted alone) |
//! | `sms8-avx512` | 565 | 0.86 | 0.75 |

use super::registers::{Names, SWAP, registers};
use crate::asm::merge::spread;
use crate::asm::sha2::{Rotation, Rounds, SHA512, Slots, serial_block};
use crate::asm::strand::{Strand, code};
use crate::asm::vex_to_sse::to_sse;

/// The encoding of vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Sse,
    Avx,
    Avx2,
    Avx512,
}

/// The differences between the kernels.
pub(super) struct Form {
    encoding: Encoding,
    rotation: Rotation,
}

pub(super) const SMS2_SSE: Form = Form { encoding: Encoding::Sse, rotation: Rotation::Ror };
pub(super) const SMS2_AVX: Form = Form { encoding: Encoding::Avx, rotation: Rotation::Ror };
pub(super) const SMS4_AVX2: Form = Form { encoding: Encoding::Avx2, rotation: Rotation::Rorx };
pub(super) const SMS8_AVX512: Form = Form { encoding: Encoding::Avx512, rotation: Rotation::Rorx };

/// Rounds of a turn, and words that the schedule is ahead.
const TURN: usize = 16;
const TURNS: usize = 5;

impl Form {
    /// Blocks at once: words of 64 bits in a vector.
    fn lanes(&self) -> usize {
        match self.encoding {
            Encoding::Sse | Encoding::Avx => 2,
            Encoding::Avx2 => 4,
            Encoding::Avx512 => 8,
        }
    }
    /// Whether a group may have fewer blocks than lanes, so that none is left.
    fn takes_fewer(&self) -> bool {
        self.encoding == Encoding::Avx512
    }

    fn rounds(&self) -> Rounds {
        Rounds { sha2: &SHA512, rotation: self.rotation }
    }

    /// After K + W of all blocks the last 16 words, where they have no registers; after them, where the
    /// blocks are.
    fn words(&self) -> usize {
        TURNS * TURN * 8 * self.lanes()
    }
    fn pointers(&self) -> usize {
        self.words() + if self.encoding == Encoding::Avx512 { 0 } else { 16 * 8 * self.lanes() }
    }
    fn slots(&self) -> Slots {
        Slots { at: (self.pointers() + 8 * self.lanes()).next_multiple_of(64) }
    }
    /// Bytes of its own stack.
    pub(super) fn frame_bytes(&self) -> usize {
        self.slots().at + Slots::BYTES
    }

    /// rcx = constants, kept in the frame.
    pub(super) fn kernel(&self) -> Strand {
        let slots = self.slots();
        let mut out = slots.enter();
        code! { out; "mov {},rcx", slots.own(1); "mov rsi,rdi"; }
        out.extend(self.rounds().load_state("rsi"));
        out.extend(self.groups());
        if !self.takes_fewer() {
            let left = slots.blocks_left();
            code! { out; "cmp {left},0"; "je 8f"; "mov rdi,{}", slots.own(1); ".p2align 6"; "5:"; }
            out.extend(serial_block(self.rounds(), slots));
            code! { out; "dec {left}"; "jnz 5b"; "8:"; }
        }
        if self.encoding == Encoding::Sse { to_sse(out) } else { out }
    }

    /// All groups.
    fn groups(&self) -> Strand {
        let (lanes, left) = (self.lanes(), self.slots().blocks_left());
        let mut out = Strand::new();
        code! { out; ".p2align 6"; "2:"; }
        if !self.takes_fewer() {
            code! { out; "cmp {left},{lanes}"; "jb 6f"; }
        }
        out.extend(self.places());
        out.extend(self.vectors().first_words(self));
        out.extend(self.first_block());
        out.extend(self.other_blocks());
        if self.takes_fewer() {
            code! { out; "jmp 2b"; }
        } else {
            code! { out; "sub {left},{lanes}"; "jnz 2b"; }
        }
        code! { out; "6:"; }
        out
    }

    /// Where a group's blocks are; lanes without a block have the last one's place.
    fn places(&self) -> Strand {
        let slots = self.slots();
        let mut out = Strand::new();
        for lane in 0..self.lanes() {
            if self.takes_fewer() && lane > 0 {
                code! { out; "cmp {},{lane}", slots.blocks_left(); "jbe 14f"; }
            }
            out.extend(slots.next_block("rsi", "rcx"));
            let its_place = if self.takes_fewer() { lane..self.lanes() } else { lane..lane + 1 };
            for lane in its_place {
                code! { out; "mov [rsp+{}],rsi", self.pointers() + 8 * lane; }
            }
        }
        if self.takes_fewer() {
            code! { out; "14:"; }
        }
        out
    }

    /// Rounds of the first of the blocks alongside the schedules of all. rcx = constants, then K.
    fn first_block(&self) -> Strand {
        let (slots, vectors) = (self.slots(), self.vectors());
        let schedule: Strand = (0..TURN).flat_map(|t| vectors.next_word(self, t)).collect();
        let mut out = self.rounds().enter();
        code! { out; "mov rdi,rsp"; "mov {},{}", slots.own(0), TURNS - 1; ".p2align 6"; "3:"; }
        out.extend(spread(&[&self.turn(), &schedule]));
        code! { out; "add rdi,{}", TURN * vectors.word(); "add rcx,{}", TURN * 8; "dec {}", slots.own(0); "jnz 3b"; }
        out.extend(self.turn());
        out.extend(self.end_block());
        out
    }

    /// Rounds of the others.
    fn other_blocks(&self) -> Strand {
        let (slots, bytes) = (self.slots(), TURN * self.vectors().word());
        let mut out = Strand::new();
        code! { out; "lea rdi,[rsp+8]"; "mov {},{}", slots.own(0), self.lanes() - 1; ".p2align 6"; "7:"; }
        out.extend(self.rounds().enter());
        code! { out; "mov ecx,{TURNS}"; ".p2align 6"; "3:"; }
        out.extend(self.turn());
        code! { out; "add rdi,{bytes}"; "dec ecx"; "jnz 3b"; }
        out.extend(self.end_block());
        code! { out; "sub rdi,{}", TURNS * bytes - 8; "dec {}", slots.own(0); "jnz 7b"; }
        out
    }

    /// Adds the chaining value; after the message's last block leaves a group that may have fewer.
    fn end_block(&self) -> Strand {
        let slots = self.slots();
        let mut out = Strand::new();
        code! { out; "mov rsi,{}", slots.state(); }
        out.extend(self.rounds().add_state("rsi"));
        if self.takes_fewer() {
            code! { out; "dec {}", slots.blocks_left(); "jz 6f"; }
        }
        out
    }

    /// Rounds over the words at rdi.
    fn turn(&self) -> Strand {
        self.rounds().over(0..TURN, |t| format!("[rdi+{}]", 8 * self.lanes() * t))
    }

    fn vectors(&self) -> Vectors {
        let lanes = self.lanes();
        let v = match lanes {
            2 => "xmm",
            4 => "ymm",
            _ => "zmm",
        };
        let kept = match self.encoding {
            Encoding::Avx512 => registers(v, 16..32),
            _ => (0..16).map(|t| format!("[rsp+{}]", self.words() + 8 * lanes * t)).collect(),
        };
        Vectors { v, lanes, kept }
    }
}

/// Registers of a number of lanes.
struct Vectors {
    v: &'static str,
    lanes: usize,
    /// The place of word t modulo 16.
    kept: Names,
}

impl Vectors {
    fn register(&self, i: usize) -> String {
        format!("{}{i}", self.v)
    }
    /// Bytes of a word of all blocks.
    fn word(&self) -> usize {
        8 * self.lanes
    }
    fn kept(&self, t: usize) -> &str {
        &self.kept[t % 16]
    }

    /// Words 0..16: two of blocks i, i + 2, .. in register i, transposed within its 128-bit lanes. Leaves rcx
    /// = constants.
    fn first_words(&self, form: &Form) -> Strand {
        let mut out = Strand::new();
        code! { out; "mov rcx,{}", form.slots().own(1); }
        for two in 0..8 {
            let rows: [String; 2] = std::array::from_fn(|i| self.register(i));
            let words: [String; 2] = std::array::from_fn(|i| self.register(2 + i));
            for (i, row) in rows.iter().enumerate() {
                for lane in (i..self.lanes).step_by(2) {
                    let at = format!("[rsi+{}]", 16 * two);
                    code! { out; "mov rsi,[rsp+{}]", form.pointers() + 8 * lane; }
                    match (lane / 2, self.v) {
                        (0, _) => code! { out; "vmovdqu xmm{i},{at}"; },
                        (part, "zmm") => code! { out; "vinserti64x2 {row},{row},{at},{part}"; },
                        (part, _) => code! { out; "vinserti128 {row},{row},{at},{part}"; },
                    }
                }
                code! { out; "vpshufb {row},{row},[rcx+{SWAP}]"; }
            }
            code! { out;
                "vpunpcklqdq {},{},{}", words[0], rows[0], rows[1];
                "vpunpckhqdq {},{},{}", words[1], rows[0], rows[1];
            }
            for (i, word) in words.iter().enumerate() {
                let t = 2 * two + i;
                code! { out; "{} {},{word}", self.store(form), self.kept(t); }
                if t >= 14 && form.encoding != Encoding::Avx512 {
                    code! { out; "vmovdqa {},{word}", self.register(t); }
                }
                out.extend(self.add_k(form, word, t, &format!("[rsp+{}]", self.word() * t)));
            }
        }
        out
    }

    /// W\[t+16\] in the place of W\[t\]; K + W\[t+16\] where the rounds of the next turn find it. rdi = K + W
    /// of this turn's rounds, rcx = K of them. Of words in the frame W\[t+14\] is in register 14 or 15, too,
    /// where W\[t+16\] comes: each word would else wait for the second last on its way through memory.
    fn next_word(&self, form: &Form, t: usize) -> Strand {
        let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|i| self.kept(t + i));
        let [r, s, u, v] = std::array::from_fn(|i| self.register(4 * (t % 2) + i));
        let mut out = Strand::new();
        if form.encoding == Encoding::Avx512 {
            code! { out;
                "vprorq {r},{w1},1";
                "vprorq {s},{w1},8";
                "vpsrlq {u},{w1},7";
                "vpaddq {w0},{w0},{w9}";
                "vpternlogq {r},{s},{u},0x96";
                "vprorq {s},{w14},19";
                "vprorq {u},{w14},61";
                "vpsrlq {v},{w14},6";
                "vpaddq {w0},{w0},{r}";
                "vpternlogq {s},{u},{v},0x96";
                "vpaddq {w0},{w0},{s}";
            }
            out.extend(self.add_k(form, w0, t + TURN, &format!("[rdi+{}]", self.word() * (t + TURN))));
            return out;
        }
        let x = self.register(14 + t % 2);
        code! { out;
            "vmovdqa {r},{w1}";
            "vpsrlq {s},{r},1";
            "vpsllq {u},{r},56";
            "vpsrlq {r},{r},7";
            "vpxor {s},{s},{r}";
            "vpsrlq {r},{r},1";
            "vpxor {s},{s},{u}";
            "vpsllq {u},{u},7";
            "vpxor {s},{s},{r}";
            "vpxor {s},{s},{u}";
            "vpsrlq {r},{x},19";
            "vpsllq {u},{x},3";
            "vpaddq {s},{s},{w0}";
            "vpsrlq {x},{x},6";
            "vpxor {x},{x},{r}";
            "vpsrlq {r},{r},42";
            "vpxor {x},{x},{u}";
            "vpsllq {u},{u},42";
            "vpxor {x},{x},{r}";
            "vpaddq {s},{s},{w9}";
            "vpxor {x},{x},{u}";
            "vpaddq {x},{x},{s}";
            "vmovdqa {w0},{x}";
        }
        out.extend(self.add_k(form, &x, t + TURN, &format!("[rdi+{}]", self.word() * (t + TURN))));
        out
    }

    /// `x` + K\[t\] to `kw`; `x` stays.
    fn add_k(&self, form: &Form, x: &str, t: usize, kw: &str) -> Strand {
        let (sum, k) = (self.register(8 + t % 2), format!("[rcx+{}]", 8 * t));
        let mut out = Strand::new();
        match form.encoding {
            Encoding::Sse | Encoding::Avx => code! { out; "vmovddup {sum},{k}"; "vpaddq {sum},{sum},{x}"; },
            Encoding::Avx2 => code! { out; "vpbroadcastq {sum},{k}"; "vpaddq {sum},{sum},{x}"; },
            Encoding::Avx512 => code! { out; "vpaddq {sum},{x},qword ptr {k}{{1to{}}}", self.lanes; },
        }
        code! { out; "{} {kw},{sum}", self.store(form); }
        out
    }

    fn store(&self, form: &Form) -> &'static str {
        if form.encoding == Encoding::Avx512 { "vmovdqa64" } else { "vmovdqa" }
    }
}
