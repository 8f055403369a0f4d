//! `sms4-*`, `sms8-avx2`, `sms16-avx512`: n-SMS of Gueron, Krasnov 2012, "Parallelizing message schedules to
//! accelerate the computations of hash functions", section 3: the schedules of n blocks of one message side
//! by side, then the rounds of each in general registers.
//!
//! ```text
//! while there are n blocks:
//!     W[0..16] = words of n blocks, block j in lane j
//!     for t in 0..64: K + W[t] to the frame; W[t+16] = sigma1(W[t+14]) + W[t+9] + sigma0(W[t+1]) + W[t]
//!     for j in 0..n:  64 rounds that read lane j of K + W
//! the remainder of r blocks:
//!     serial        the "standard (serial) Update" (`sha2.rs`); wider ones first by the narrower: 16, 8, 4, serial
//!     narrow        r = 3 and 2 by "3-SMS or 2-SMS": lanes left over repeat a block, and have no rounds; r = 1 serially
//! ```
//!
//! Measured on Redwood Cove, 64 KiB, against the serial kernel with the same rounds: `sms4-avx` takes 22 %
//! fewer instructions and 8 % more cycles (9.35 against 8.65 a byte), `sms8-avx2` 26 % fewer and 6 % fewer
//! cycles (7.67 against 8.16), `sms16-avx512` 29 % and 11 % (7.24). The rounds wait for each other, and the
//! serial schedule runs in the slots that they leave; the schedule of n blocks stands alone before them, and
//! pays from eight lanes on.
//!
//! Departures from the paper.
//! 1. The first 16 words do not come word by word (PINSRD, 64 for four blocks): four of each block are loaded
//!    and transposed, which 001 found faster, too.
//! 2. Rotations of a word share shifts: x >>> 18 begins as x >> 7, and x << 25 as x << 14.
//! 3. The last 16 words are in the frame except the last two, because the AVX2 and SSE forms have registers
//!    for half of them. The AVX-512 forms, which are not in the paper, keep all of them in registers.

use super::arguments::{FOUR_TIMES, SWAP};
use super::four_words::transpose4;
use crate::asm::sha2::{Rotation, Rounds, SHA256, Slots, serial_block};
use crate::asm::strand::{Strand, code};
use crate::asm::vex_to_sse::to_sse;

/// The encoding of vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// The common part of SSE and AVX: K four times in memory.
    Sse,
    Avx,
    Avx2,
    Avx512,
}

/// The method for fewer blocks than lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Remainder {
    Serial,
    /// Two blocks and three like four.
    Narrow,
}

/// A kernel.
pub(super) struct Form {
    pub(super) encoding: Encoding,
    pub(super) rotation: Rotation,
    /// Lanes, falling.
    pub(super) lanes: &'static [usize],
    pub(super) remainder: Remainder,
}

impl Form {
    fn widest(&self) -> usize {
        self.lanes[0]
    }
    /// The distance from one K + W of a block to the next, the same for every number of lanes, so that all
    /// have the same rounds.
    fn row(&self) -> usize {
        4 * self.widest()
    }
    /// After K + W of all blocks: the last 16 words, where they have no registers; where the blocks are.
    fn words(&self) -> usize {
        64 * self.row()
    }
    fn pointers(&self) -> usize {
        self.words() + if self.encoding == Encoding::Avx512 { 0 } else { 16 * 4 * self.widest() }
    }
    fn slots(&self) -> Slots {
        Slots { at: (self.pointers() + 8 * self.widest()).next_multiple_of(64) }
    }
    /// Bytes of its own stack.
    pub(super) fn frame(&self) -> usize {
        self.slots().at + Slots::BYTES
    }

    /// rcx = constants, kept in the frame.
    pub(super) fn kernel(&self) -> Strand {
        let slots = self.slots();
        let rounds = Rounds { sha2: &SHA256, rotation: self.rotation };
        let mut out = slots.enter();
        code! { out; "mov {},rcx", slots.own(1); "mov rsi,rdi"; }
        out.extend(rounds.load_state("rsi"));
        code! { out; ".p2align 6"; "2:"; }
        for (i, &lanes) in self.lanes.iter().enumerate() {
            if i > 0 {
                code! { out; "jmp 7f"; "6:"; }
            }
            out.extend(self.schedule(lanes));
        }
        code! { out; ".p2align 6"; "7:"; }
        out.extend(rounds.enter());
        out.extend(rounds.over(0..64, |t| format!("[rdi+{}]", self.row() * t)));
        code! { out; "mov rsi,{}", slots.state(); }
        out.extend(rounds.add_state("rsi"));
        code! { out;
            "add rdi,4";
            "dec {}", slots.blocks_left();
            "dec {}", slots.own(0);
            "jnz 7b";
            "jmp 2b";
            "6:";
            "cmp {},0", slots.blocks_left();
            "je 8f";
            "mov rdi,{}", slots.own(1);
            ".p2align 6";
            "5:";
        }
        out.extend(serial_block(rounds, slots));
        code! { out; "dec {}", slots.blocks_left(); "jnz 5b"; "8:"; }
        if self.encoding == Encoding::Sse { to_sse(out) } else { out }
    }

    /// If there are so many blocks, K + W of theirs; else nothing. Leaves rdi = that of the first block, and
    /// in the frame how many blocks have rounds now.
    fn schedule(&self, lanes: usize) -> Strand {
        let slots = self.slots();
        let fewest = if self.remainder == Remainder::Narrow { 2 } else { lanes };
        let mut out = Strand::new();
        code! { out; "cmp {},{fewest}", slots.blocks_left(); "jb 6f"; }
        out.extend(self.find_blocks(lanes));
        code! { out; "mov rcx,{}", slots.own(1); }
        out.extend(self.vectors(lanes).schedule(self));
        code! { out; "mov rdi,rsp"; "mov {},{lanes}", slots.own(0); }
        if self.remainder == Remainder::Narrow {
            code! { out;
                "cmp {},{lanes}", slots.blocks_left();
                "jae 4f";
                "mov rcx,{}", slots.blocks_left();
                "mov {},rcx", slots.own(0);
                "4:";
            }
        }
        out
    }

    /// Writes the addresses of the next blocks to the frame.
    fn find_blocks(&self, lanes: usize) -> Strand {
        let (slots, pointers) = (self.slots(), self.pointers());
        let mut out = Strand::new();
        for lane in 0..lanes {
            if lane >= 2 && self.remainder == Remainder::Narrow {
                code! { out; "cmp {},{lane}", slots.blocks_left(); "jbe 4f"; }
            }
            out.extend(slots.next_block("rsi", "rcx"));
            if lane == 0 && self.remainder == Remainder::Narrow {
                for lane in 2..lanes {
                    code! { out; "mov [rsp+{}],rsi", pointers + 8 * lane; }
                }
            }
            code! { out; "mov [rsp+{}],rsi", pointers + 8 * lane; }
        }
        code! { out; "4:"; }
        out
    }

    fn vectors(&self, lanes: usize) -> Vectors {
        let v = match lanes {
            4 => "xmm",
            8 => "ymm",
            _ => "zmm",
        };
        Vectors { v, lanes, encoding: self.encoding }
    }
}

/// Registers of a number of lanes.
struct Vectors {
    v: &'static str,
    lanes: usize,
    encoding: Encoding,
}

impl Vectors {
    fn register(&self, i: usize) -> String {
        format!("{}{i}", self.v)
    }
    /// Bytes of a word of all blocks.
    fn word(&self) -> usize {
        4 * self.lanes
    }

    /// K + W of all 64 rounds to the frame's beginning. rcx = constants; clobbers rdi and rsi.
    fn schedule(&self, form: &Form) -> Strand {
        let mut out: Strand = (0..4).flat_map(|g| self.first_words(form, g)).collect();
        code! { out; "mov rdi,rsp"; "mov {},3", form.slots().own(0); ".p2align 6"; "3:"; }
        for t in 0..16 {
            out.extend(self.next_word(form, t));
        }
        let k_step = if self.four_times() { 16 * 16 } else { 16 * 4 };
        code! { out;
            "add rdi,{}", 16 * form.row();
            "add rcx,{k_step}";
            "dec {}", form.slots().own(0);
            "jnz 3b";
        }
        out
    }

    /// Whether K is read four times from memory.
    fn four_times(&self) -> bool {
        matches!(self.encoding, Encoding::Sse | Encoding::Avx)
    }

    /// `x` + K\[t\] to `kw`; `x` stays.
    fn add_k(&self, x: &str, t: usize, kw: &str) -> Strand {
        let sum = self.register(9);
        let mut out = Strand::new();
        match self.encoding {
            Encoding::Sse | Encoding::Avx => code! { out; "vpaddd {sum},{x},[rcx+{}]", FOUR_TIMES + 16 * t; },
            Encoding::Avx2 => code! { out; "vpbroadcastd {sum},[rcx+{}]", 4 * t; "vpaddd {sum},{sum},{x}"; },
            Encoding::Avx512 => {
                code! { out; "vpaddd {sum},{x},dword ptr [rcx+{}]{{1to{}}}", 4 * t, self.lanes; }
            }
        }
        let store = if self.encoding == Encoding::Avx512 { "vmovdqa32" } else { "vmovdqa" };
        code! { out; "{store} {kw},{sum}"; }
        out
    }

    /// The place of word t modulo 16.
    fn place(&self, form: &Form, t: usize) -> String {
        match self.encoding {
            Encoding::Avx512 => self.register(16 + t % 16),
            _ => format!("[rsp+{}]", form.words() + self.word() * (t % 16)),
        }
    }

    /// Words 4g..4g+4: four words of blocks i, i + 4, .. in register i, transposed within its 128-bit lanes.
    fn first_words(&self, form: &Form, g: usize) -> Strand {
        let rows: [String; 4] = std::array::from_fn(|i| self.register(i));
        let words: [String; 4] = std::array::from_fn(|i| self.register(4 + i));
        let mut out = Strand::new();
        for (i, row) in rows.iter().enumerate() {
            for lane in (i..self.lanes).step_by(4) {
                let at = format!("[rsi+{}]", 16 * g);
                code! { out; "mov rsi,[rsp+{}]", form.pointers() + 8 * lane; }
                match (lane / 4, self.v) {
                    (0, _) => code! { out; "vmovdqu xmm{i},{at}"; },
                    (part, "zmm") => code! { out; "vinserti32x4 {row},{row},{at},{part}"; },
                    (part, _) => code! { out; "vinserti128 {row},{row},{at},{part}"; },
                }
            }
            code! { out; "vpshufb {row},{row},[rcx+{SWAP}]"; }
        }
        out.extend(transpose4(&rows, &words));
        for (i, word) in words.iter().enumerate() {
            let t = 4 * g + i;
            out.extend(self.add_k(word, t, &format!("[rsp+{}]", form.row() * t)));
            let place = self.place(form, t);
            match (self.encoding, t) {
                (Encoding::Avx512, _) => code! { out; "vmovdqa32 {place},{word}"; },
                (_, 14 | 15) => {
                    code! { out; "vmovdqa {place},{word}"; "vmovdqa {},{word}", self.register(t); }
                }
                _ => code! { out; "vmovdqa {place},{word}"; },
            }
        }
        out
    }

    /// Replaces W\[t\] by W\[t+16\]. For words in the frame, W\[t+14\] is in register 14 or 15, which
    /// W\[t+16\] replaces.
    fn next_word(&self, form: &Form, t: usize) -> Strand {
        let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|i| self.place(form, t + i));
        let [r, s, u] = [4, 5, 6].map(|i| self.register(i));
        let kw = format!("[rdi+{}]", form.row() * (t + 16));
        let mut out = Strand::new();
        if self.encoding == Encoding::Avx512 {
            let v = self.register(7);
            code! { out;
                "vprord {r},{w1},7";
                "vprord {s},{w1},18";
                "vpsrld {u},{w1},3";
                "vpaddd {w0},{w0},{w9}";
                "vpternlogd {r},{s},{u},0x96";
                "vprord {s},{w14},17";
                "vprord {u},{w14},19";
                "vpsrld {v},{w14},10";
                "vpaddd {w0},{w0},{r}";
                "vpternlogd {s},{u},{v},0x96";
                "vpaddd {w0},{w0},{s}";
            }
            out.extend(self.add_k(&w0, t + 16, &kw));
            return out;
        }
        let x = self.register(14 + t % 2);
        code! { out;
            "vmovdqa {r},{w1}";
            "vpsrld {s},{r},7";
            "vpslld {u},{r},14";
            "vpsrld {r},{r},3";
            "vpxor {r},{r},{s}";
            "vpsrld {s},{s},11";
            "vpxor {r},{r},{u}";
            "vpslld {u},{u},11";
            "vpxor {r},{r},{s}";
            "vpxor {r},{r},{u}";
            "vpaddd {r},{r},{w0}";
            "vpsrld {s},{x},17";
            "vpslld {u},{x},13";
            "vpaddd {r},{r},{w9}";
            "vpsrld {x},{x},10";
            "vpxor {x},{x},{s}";
            "vpsrld {s},{s},2";
            "vpxor {x},{x},{u}";
            "vpslld {u},{u},2";
            "vpxor {x},{x},{s}";
            "vpxor {x},{x},{u}";
            "vpaddd {x},{x},{r}";
            "vmovdqa {w0},{x}";
        }
        out.extend(self.add_k(&x, t + 16, &kw));
        out
    }
}
