//! `ssse3`, `ssse3-plain`, `ssse3-repaired`, `ssse3-part`, `avx`, `avx2`: one message; the schedule in
//! vectors, four words at once, the rounds in general registers alongside it.
//!
//! Source: Locktyukhin 2010, "Improving the Performance of the Secure Hash Algorithm (SHA-1)". The problem:
//! each word depends on the one three before it, so four words at once need either a repair afterwards or
//! another recurrence.
//!
//! ```text
//! t = 16..32   X = (W[t-3..t], 0) ^ W[t-8..] ^ W[t-14..] ^ W[t-16..];  W[t..t+4] = X rol 1
//!              then the fourth takes what it lacked: W[t+3] ^= W[t] rol 1, which is X[0] rol 2
//! t = 32..80   W[t..t+4] = (W[t-6..] ^ W[t-16..] ^ W[t-28..] ^ W[t-32..]) rol 2
//! ```
//!
//! The second is the first put into itself; of its four vectors only W\[t-6..\] lies across two registers
//! (`palignr`). The last 32 words are in eight registers. K + W goes to the rounds through memory, where
//! latency does not count as the schedule is well ahead.
//!
//! *Software pipelining*: alongside the last rounds of a block stand the first words of the next one. What
//! begins a block would else wait for them, as what ends it leaves the vectors idle. `ssse3-plain` is `ssse3`
//! without it. At the end of the input the last block is loaded once more.
//!
//! The paper compares three schedules. `ssse3-plain` is its own. `ssse3-repaired` uses the first recurrence,
//! with the repair, for all words. `ssse3-part` uses a part of it, in vectors, and ends it word by word in
//! general registers: `X = W[t-8..] ^ W[t-14..] ^ W[t-16..]`, then `W[t] = (X[0] ^ W[t-3]) rol 1`, and so on.
//! The part comes to the general registers through memory, and the words go back by moves.
//!
//! `avx` is the same with three operands. `avx2` schedules two blocks at once, one in each half of a
//! register, so for half as many instructions per block, and rotates in the rounds by `rorx`:
//!
//! ```text
//! rounds of the pair's first block     alongside them: t = 32..80 of both blocks
//! if there is a second: its rounds     alongside them: t = 0..32 of the next pair
//! ```
//!
//! Departures from the paper.
//! 1. The schedule's instructions are spread evenly over all rounds. In the paper those for four words are
//!    next to each four rounds; but words 16..32 take twice as many instructions as the others, and now have
//!    time for them.
//! 2. K + W of all 80 words has a place of its own, so that nothing is written where a round still reads.
//! 3. The rounds are ours (`rounds.rs`).
//!
//! | Redwood Cove, cycles per block of a long message | | OpenSSL with as much |
//! |---|---|---|
//! | `ssse3` | 220 | 231 |
//! | `ssse3-plain` | 224 | |
//! | `avx` | 220 | |
//! | `avx2` | 211 | 224 |
//!
//! The paper's 5 to 10 % for the software pipelining are 2 % today: the CPU itself reaches from one block
//! into the next one, some 500 instructions ahead. By three operands `avx` saves 64 moves, which cost nothing
//! here either.

use super::constants::{K_IN_ALL, SWAP};
use super::rounds::{ROUNDS, Rotation, Rounds, load_state};
use crate::asm::merge::{Timed, by_time, evenly};
use crate::asm::sha2::Slots;
use crate::asm::strand::{Strand, code};
use crate::asm::vex_to_sse::to_sse;

/// The encoding of the schedule, and its number of blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vectors {
    /// SSE.
    Ssse3,
    /// VEX.
    Avx,
    /// The same of two blocks.
    Avx2,
}

/// Whether a block's first words are computed alongside the last rounds of the previous block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pipelining {
    None,
    OverBlocks,
}

/// How words 16..80 are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Words 16..32 by the recurrence with its repair, the others by the one that needs none.
    Skewed,
    /// All by the recurrence with its repair.
    Repaired,
    /// A part of the recurrence in vectors, the rest in general registers.
    InPart,
}

/// The differences between the kernels.
pub(super) struct Form {
    vectors: Vectors,
    rotation: Rotation,
    pipelining: Pipelining,
    words: Words,
}

const SSSE3_FORM: Form = Form {
    vectors: Vectors::Ssse3,
    rotation: Rotation::Ror,
    pipelining: Pipelining::OverBlocks,
    words: Words::Skewed,
};
pub(super) const SSSE3: Form = SSSE3_FORM;
pub(super) const SSSE3_PLAIN: Form = Form { pipelining: Pipelining::None, ..SSSE3_FORM };
pub(super) const SSSE3_REPAIRED: Form = Form { words: Words::Repaired, ..SSSE3_PLAIN };
pub(super) const SSSE3_PART: Form = Form { words: Words::InPart, ..SSSE3_PLAIN };
pub(super) const AVX: Form = Form { vectors: Vectors::Avx, ..SSSE3_FORM };
pub(super) const AVX2: Form = Form { vectors: Vectors::Avx2, rotation: Rotation::Rorx, ..SSSE3_FORM };

/// The number of a block's words in a register.
const GROUP: usize = 4;
/// The groups of a block, by what they are made of: the block; the recurrence with its repair; the other one.
const LOADED: std::ops::Range<usize> = 0..4;
const REPAIRED: std::ops::Range<usize> = 4..8;
const SKEWED: std::ops::Range<usize> = 8..ROUNDS / GROUP;

/// The block, and the pair's other one.
const BLOCK: [&str; 2] = ["r12", "r13"];
/// Constants.
const CONSTANTS: &str = "r11";
/// Clobbered where the input steps.
const OTHER: &str = "r15";
/// The last three words, with [`Words::InPart`]: word t takes the place of word t - 3.
const LAST_WORDS: [&str; 3] = ["r13d", "r14d", "r15d"];

fn last_word(t: usize) -> &'static str {
    LAST_WORDS[t % LAST_WORDS.len()]
}

pub(super) fn kernel(form: &Form) -> Strand {
    match form.vectors {
        Vectors::Ssse3 => to_sse(form.blocks()),
        Vectors::Avx => form.blocks(),
        Vectors::Avx2 => form.pairs(),
    }
}

impl Form {
    /// Bytes of its own stack: K + W, then [`Slots`].
    pub(super) fn frame_bytes(&self) -> usize {
        self.slots().at + Slots::BYTES
    }

    fn slots(&self) -> Slots {
        Slots { at: 4 * ROUNDS * self.vectors.blocks() }
    }

    /// A block after the other. rdi = the state, rcx = constants.
    fn blocks(&self) -> Strand {
        let (slots, mut rounds) = (self.slots(), Rounds::at_home(self.rotation));
        let [block, _] = BLOCK;
        let next = slots.next_block(block, OTHER);
        let load = self.groups(LOADED);
        let rest = [self.last_loaded(), self.groups(REPAIRED), self.groups(SKEWED)].concat();
        let mut out = self.enter();
        if self.pipelining == Pipelining::OverBlocks {
            out.extend(next.clone());
            out.extend(load.clone());
            code! { out; ".p2align 6"; "2:"; "cmp {},1", slots.blocks_left(); "je 4f"; }
            out.extend(next);
            code! { out; "4:"; }
            out.extend(self.block(
                &mut rounds,
                0,
                &[&rest, &load].map(|s| s.as_slice()).concat(),
                (0.0, 80.0),
            ));
        } else {
            code! { out; ".p2align 6"; "2:"; }
            out.extend(next);
            out.extend(load);
            out.extend(self.block(&mut rounds, 0, &rest, (0.0, 64.0)));
        }
        out.extend(rounds.go_home());
        code! { out; "dec {}", slots.blocks_left(); "jnz 2b"; }
        out
    }

    /// The next two blocks, after two others. rdi = the state, rcx = constants.
    fn pairs(&self) -> Strand {
        let (slots, mut rounds) = (self.slots(), Rounds::at_home(self.rotation));
        let (begin, rest) = ([self.groups(LOADED), self.groups(REPAIRED)].concat(), self.groups(SKEWED));
        let mut out = self.enter();
        out.extend(self.next_pair(0));
        out.extend(begin.clone());
        code! { out; ".p2align 6"; "2:"; }
        out.extend(self.block(&mut rounds, 0, &rest, (0.0, 70.0)));
        code! { out; "cmp {},1", slots.blocks_left(); "je 8f"; }
        out.extend(self.next_pair(2));
        out.extend(self.block(&mut rounds, 1, &begin, (32.0, 80.0)));
        out.extend(rounds.go_home());
        code! { out; "sub {},2", slots.blocks_left(); "jnz 2b"; "8:"; }
        out
    }

    fn enter(&self) -> Strand {
        let mut out = self.slots().enter();
        code! { out; "mov {CONSTANTS},rcx"; "vmovdqa {},[{CONSTANTS}+{SWAP}]", self.vectors.register(MASK); }
        out.extend(load_state("rdi"));
        out
    }

    /// Moves the two block pointers by this many blocks. If only one block is left, both pointers are its; if
    /// none is left, they stay.
    fn next_pair(&self, behind: usize) -> Strand {
        let (slots, [first, second]) = (self.slots(), BLOCK);
        let next = |to: &str| slots.next_block(to, OTHER);
        let mut out = Strand::new();
        if behind > 0 {
            code! { out; "cmp {},{behind}", slots.blocks_left(); "je 4f"; }
        }
        out.extend(next(first));
        code! { out; "mov {second},{first}"; "cmp {},{}", slots.blocks_left(), behind + 1; "je 4f"; }
        out.extend(next(second));
        code! { out; "4:"; }
        out
    }

    /// The rounds of the pair's `i`-th block, `alongside` evenly from one round to another, and what ends the
    /// block.
    fn block(&self, rounds: &mut Rounds, i: usize, beside: &Strand, (from, to): (f64, f64)) -> Strand {
        let mut out = rounds.begin();
        let timed: Timed = (0..ROUNDS)
            .flat_map(|t| {
                let place = self.vectors.place(t / GROUP) + 16 * i + 4 * (t % GROUP);
                evenly(&rounds.next(&format!("[rsp+{place}]")), (t as f64, (t + 1) as f64))
            })
            .collect();
        out.extend(by_time(&[timed, evenly(beside, (from, to))]));
        out.extend(rounds.end("rdi"));
        out
    }

    fn groups(&self, range: std::ops::Range<usize>) -> Strand {
        range.flat_map(|group| self.vectors.group(group, self.words)).collect()
    }

    /// Loads the block's last words into [`LAST_WORDS`], if these take part in the schedule.
    fn last_loaded(&self) -> Strand {
        let mut out = Strand::new();
        if self.words == Words::InPart {
            for t in 13..16 {
                let word = last_word(t);
                code! { out; "mov {word},[{}+{}]", BLOCK[0], 4 * t; "bswap {word}"; }
            }
        }
        out
    }
}

// ---- The schedule ----

/// Registers 0..8 have the last 32 words, these three temporaries.
const TEMPORARIES: [usize; 3] = [8, 9, 10];
/// Where [`Words::InPart`] puts words that come from general registers.
const MOVED: [usize; 4] = [8, 9, 10, 11];
/// The mask that swaps the bytes of words.
const MASK: usize = 15;

impl Vectors {
    fn blocks(self) -> usize {
        if self == Self::Avx2 { 2 } else { 1 }
    }

    fn register(self, number: usize) -> String {
        let prefix = if self == Self::Avx2 { "ymm" } else { "xmm" };
        format!("{prefix}{number}")
    }

    /// The offset of a group's K + W in the frame; with two blocks, first four words of the first.
    fn place(self, group: usize) -> usize {
        16 * self.blocks() * group
    }

    /// Words 4 `group`.. and, where the rounds find them, with K added.
    fn group(self, group: usize, words: Words) -> Strand {
        let mut out = match words {
            _ if LOADED.contains(&group) => self.loaded(group),
            Words::InPart => self.in_part(group),
            Words::Skewed if SKEWED.contains(&group) => self.skewed(group),
            Words::Skewed | Words::Repaired => self.repaired(group),
        };
        let [w, x] = [group % 8, TEMPORARIES[0]].map(|n| self.register(n));
        let k = format!("[{CONSTANTS}+{}]", K_IN_ALL + 32 * (group / 5));
        let place = format!("[rsp+{}]", self.place(group));
        code! { out; "vpaddd {x},{w},{k}"; "vmovdqa {place},{x}"; }
        out
    }

    fn loaded(self, group: usize) -> Strand {
        let ([w, mask], low) = ([group, MASK].map(|n| self.register(n)), Self::Avx.register(group));
        let [first, second] = BLOCK.map(|block| format!("[{block}+{}]", 16 * group));
        let mut out = Strand::new();
        code! { out; "vmovdqu {low},{first}"; }
        if self == Self::Avx2 {
            code! { out; "vinserti128 {w},{w},{second},1"; }
        }
        code! { out; "vpshufb {w},{w},{mask}"; }
        out
    }

    fn repaired(self, group: usize) -> Strand {
        let [w, w4, w8, w12, w16] = [0, 1, 2, 3, 4].map(|back| self.register((group - back) % 8));
        let [x, y, z] = TEMPORARIES.map(|n| self.register(n));
        let mut out = Strand::new();
        code! { out;
            "vpalignr {w},{w12},{w16},8";
            "vpsrldq {x},{w4},4";
            "vpxor {w},{w},{w16}";
            "vpxor {x},{x},{w8}";
            "vpxor {w},{w},{x}";
            "vpslldq {x},{w},12";
            "vpsrld {y},{w},31";
            "vpaddd {w},{w},{w}";
            "vpsrld {z},{x},30";
            "vpor {w},{w},{y}";
            "vpslld {x},{x},2";
            "vpxor {w},{w},{z}";
            "vpxor {w},{w},{x}";
        }
        out
    }

    /// The vectors' part goes to the general registers through the place where the rounds find the words, and
    /// the words go back by moves: a load of four words right after four stores of one would wait for them.
    fn in_part(self, group: usize) -> Strand {
        let [w, w8, w12, w16] = [0, 2, 3, 4].map(|back| self.register((group - back) % 8));
        let place = self.place(group);
        let mut out = Strand::new();
        code! { out;
            "vpalignr {w},{w12},{w16},8";
            "vpxor {w},{w},{w16}";
            "vpxor {w},{w},{w8}";
            "vmovdqa [rsp+{place}],{w}";
        }
        for t in GROUP * group..GROUP * (group + 1) {
            let (word, place) = (last_word(t), place + 4 * (t % GROUP));
            let moved = self.register(MOVED[t % GROUP]);
            code! { out; "xor {word},[rsp+{place}]"; "rol {word},1"; "vmovd {moved},{word}"; }
        }
        let [a, b, c, d] = MOVED.map(|n| self.register(n));
        code! { out; "vpunpckldq {a},{a},{b}"; "vpunpckldq {c},{c},{d}"; "vpunpcklqdq {w},{a},{c}"; }
        out
    }

    fn skewed(self, group: usize) -> Strand {
        let [w, w4, w8, w16, w28] = [0, 1, 2, 4, 7].map(|back| self.register((group - back) % 8));
        let x = self.register(TEMPORARIES[0]);
        let mut out = Strand::new();
        code! { out;
            "vpalignr {x},{w4},{w8},8";
            "vpxor {w},{w},{w28}";
            "vpxor {w},{w},{w16}";
            "vpxor {w},{w},{x}";
            "vpsrld {x},{w},30";
            "vpslld {w},{w},2";
            "vpor {w},{w},{x}";
        }
        out
    }
}
