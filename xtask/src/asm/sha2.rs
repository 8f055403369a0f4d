//! SHA-2 in general registers, for words of 32 and of 64 bits: rounds, schedule, and the kernels that consist
//! only of these.
//!
//! # Rounds
//! Three forms of papers 000 and 001, with different rotations:
//!
//! ```text
//! ror, shrd   Sigma(x) = (((x >>> r2 - r1) ^ x) >>> r1 - r0) ^ x) >>> r0      001: one copy of x, as rotations overwrite it
//!             shrd x,x,n rotates as ror x,n does, and faster on the second generation of Core (000, section 6)
//! rorx        Sigma(x) = (x >>> r0) ^ (x >>> r1) ^ (x >>> r2)                 001: no copies, two of the three at once
//! ```
//!
//! Departures from the papers' text, in all three.
//! 1. maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b, and a ^ b is the next round's b ^ c: two instructions fewer.
//! 2. Working variables do not move: round t finds the one that is j-th at register (j - t) mod 8 (001 has
//!    it, too).
//! 3. d + (h + K + W + ch) is summed alongside Sigma1, and not after it: an addition more, and e's chain is
//!    one shorter (`avx` on Redwood Cove: 8.15 to 8.03 cycles per byte).
//!
//! Measured in the form with rorx (Redwood Cove, `stitched-avx2`, `serial-rorx`: 7.12, 8.16 cycles per byte),
//! and not taken: T1 summed once, an addition fewer and e's chain one longer (7.10, 8.04); that, and Sigma0
//! added before maj (7.21, 8.07); d + h before ch, an addition more and the chain one shorter (7.02, 8.34;
//! CPUs without SHA-NI have fewer ALUs); that, and maj as (b & c) + (a & (b ^ c)), with andn (7.07, 8.45);
//! one of six rotations by shrd, on another port (7.16, 8.23).
//!
//! # Schedule
//! The last 16 words of serial kernels are in the frame. Word t + 16 replaces word t in round t.
//!
//! # Registers
//! | | |
//! |---|---|
//! | rax rbx r8–r13 | a..h |
//! | rdx rbp | b ^ c and a ^ b, in turns |
//! | r14 r15 | a round's temporaries |
//! | rcx rsi | the serial schedule's temporaries; free elsewhere |
//! | rdi | K, or K + W |

use super::merge::spread;
use super::strand::{Strand, code};

/// One of the two compression functions of FIPS 180-4, section 4.1: how its functions rotate.
pub(crate) struct Sha2 {
    bits: u32,
    /// Rounds of a block.
    pub(crate) n_rounds: usize,
    pub(crate) big_sigma0: [u32; 3],
    pub(crate) big_sigma1: [u32; 3],
    /// Two rotations and a shift.
    pub(crate) small_sigma0: [u32; 3],
    pub(crate) small_sigma1: [u32; 3],
}

/// Words of 32 bits: section 4.1.2.
pub(crate) static SHA256: Sha2 = Sha2 {
    bits: 32,
    n_rounds: 64,
    big_sigma0: [2, 13, 22],
    big_sigma1: [6, 11, 25],
    small_sigma0: [7, 18, 3],
    small_sigma1: [17, 19, 10],
};

/// Words of 64 bits: section 4.1.3.
pub(crate) static SHA512: Sha2 = Sha2 {
    bits: 64,
    n_rounds: 80,
    big_sigma0: [28, 34, 39],
    big_sigma1: [14, 18, 41],
    small_sigma0: [1, 8, 7],
    small_sigma1: [19, 61, 6],
};

/// The instruction that rotates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    Ror,
    Shrd,
    /// Needs BMI2.
    Rorx,
}

/// The rounds of a function, rotating so.
#[derive(Clone, Copy)]
pub(crate) struct Rounds {
    pub(crate) sha2: &'static Sha2,
    pub(crate) rotation: Rotation,
}

const STATE: [&str; 8] = ["rax", "rbx", "r8", "r9", "r10", "r11", "r12", "r13"];
const TEMPORARIES: [&str; 2] = ["r14", "r15"];
/// b ^ c of an even round and of an odd one.
const PAIR: [&str; 2] = ["rdx", "rbp"];
const OF_SCHEDULE: [&str; 2] = ["rcx", "rsi"];

impl Sha2 {
    /// Bytes of a word.
    pub(crate) const fn word(&self) -> usize {
        self.bits as usize / 8
    }
    /// The offset from K of the vpshufb mask that swaps the bytes of words: it follows K.
    pub(crate) const fn swap_at(&self) -> usize {
        self.n_rounds * self.word()
    }

    /// The part of a register with the size of a word: `eax` of `rax`, `r8d` of `r8`.
    pub(crate) fn part(&self, register: &str) -> String {
        match (self.bits, register.strip_prefix('r')) {
            (32, Some(number)) if number.starts_with(|c: char| c.is_ascii_digit()) => format!("{register}d"),
            (32, Some(name)) => format!("e{name}"),
            _ => register.to_owned(),
        }
    }
    fn parts<const N: usize>(&self, registers: [&str; N]) -> [String; N] {
        registers.map(|register| self.part(register))
    }
}

impl Rounds {
    /// a..h = the state at `pointer`, and b ^ c.
    pub(crate) fn load_state(&self, pointer: &str) -> Strand {
        let mut out = Strand::new();
        for (i, s) in self.sha2.parts(STATE).iter().enumerate() {
            code! { out; "mov {s},[{pointer}+{}]", self.sha2.word() * i; }
        }
        out
    }

    /// b ^ c, which the first of a row of rounds needs.
    pub(crate) fn enter(&self) -> Strand {
        let ([bc, _], [_, b, c, ..]) = (self.sha2.parts(PAIR), self.sha2.parts(STATE));
        let mut out = Strand::new();
        code! { out; "mov {bc},{b}"; "xor {bc},{c}"; }
        out
    }

    /// Adds the chaining value at `pointer` and stores the next one there.
    pub(crate) fn add_state(&self, pointer: &str) -> Strand {
        let (state, word) = (self.sha2.parts(STATE), self.sha2.word());
        let mut out = Strand::new();
        for (i, s) in state.iter().enumerate() {
            code! { out; "add {s},[{pointer}+{}]", word * i; }
        }
        for (i, s) in state.iter().enumerate() {
            code! { out; "mov [{pointer}+{}],{s}", word * i; }
        }
        out
    }

    /// Rounds so and so, each given K\[t\] + W\[t\] as one operand in memory.
    pub(crate) fn over(&self, rounds: std::ops::Range<usize>, kw: impl Fn(usize) -> String) -> Strand {
        rounds.flat_map(|t| self.round(t, &[kw(t)])).collect()
    }

    /// Round t; K\[t\] + W\[t\] is the sum of the operands. Needs b ^ c of the round before it.
    pub(crate) fn round(&self, t: usize, kw: &[String]) -> Strand {
        match self.rotation {
            Rotation::Ror | Rotation::Shrd => self.round_in_place(t, kw),
            Rotation::Rorx => self.round_by_rorx(t, kw),
        }
    }

    /// The variables of round t, its temporaries, then a ^ b and b ^ c.
    fn registers(&self, t: usize) -> ([String; 8], [String; 2], [String; 2]) {
        let state = self.sha2.parts(std::array::from_fn(|j| STATE[(j + 8 * t - t) % 8]));
        let [even, odd] = self.sha2.parts(PAIR);
        (state, self.sha2.parts(TEMPORARIES), if t.is_multiple_of(2) { [odd, even] } else { [even, odd] })
    }

    fn round_by_rorx(&self, t: usize, kw: &[String]) -> Strand {
        let ([a, b, _, d, e, f, g, h], [x, y], [z, bc]) = self.registers(t);
        let ([r0, r1, r2], [s0, s1, s2]) = (self.sha2.big_sigma1, self.sha2.big_sigma0);
        let mut out = Strand::new();
        code! { out; "mov {z},{f}"; }
        for operand in kw {
            code! { out; "add {h},{operand}"; }
        }
        code! { out;
            "xor {z},{g}";
            "rorx {x},{e},{r2}";
            "and {z},{e}";
            "rorx {y},{e},{r1}";
            "xor {z},{g}";
            "xor {x},{y}";
            "rorx {y},{e},{r0}";
            "add {h},{z}";
            "xor {x},{y}";
            "add {d},{h}";
            "mov {z},{b}";
            "add {d},{x}";
            "add {h},{x}";
            "rorx {x},{a},{s2}";
            "xor {z},{a}";
            "rorx {y},{a},{s1}";
            "and {bc},{z}";
            "xor {x},{y}";
            "rorx {y},{a},{s0}";
            "xor {bc},{b}";
            "xor {x},{y}";
            "add {h},{bc}";
            "add {h},{x}";
        }
        out
    }

    /// Sigma1 and Sigma0 in turns, as each is a chain.
    fn round_in_place(&self, t: usize, kw: &[String]) -> Strand {
        let ([a, b, _, d, e, f, g, h], [x, y], [z, bc]) = self.registers(t);
        let ([r0, r1, r2], [s0, s1, s2]) = (self.sha2.big_sigma1, self.sha2.big_sigma0);
        let rotate = |register: &str, count: u32| self.rotate(register, count);
        let mut out = Strand::new();
        for operand in kw {
            code! { out; "add {h},{operand}"; }
        }
        code! { out;
            "mov {x},{e}";
            "mov {y},{a}";
            "{}", rotate(&x, r2 - r1);
            "mov {z},{f}";
            "{}", rotate(&y, s2 - s1);
            "xor {x},{e}";
            "xor {z},{g}";
            "{}", rotate(&x, r1 - r0);
            "xor {y},{a}";
            "and {z},{e}";
            "xor {x},{e}";
            "{}", rotate(&y, s1 - s0);
            "xor {z},{g}";
            "{}", rotate(&x, r0);
            "xor {y},{a}";
            "add {h},{z}";
            "mov {z},{b}";
            "{}", rotate(&y, s0);
            "add {d},{h}";
            "xor {z},{a}";
            "add {d},{x}";
            "add {h},{x}";
            "and {bc},{z}";
            "add {h},{y}";
            "xor {bc},{b}";
            "add {h},{bc}";
        }
        out
    }

    /// In place; not for rorx.
    fn rotate(&self, register: &str, count: u32) -> String {
        match self.rotation {
            Rotation::Shrd => format!("shrd {register},{register},{count}"),
            _ => format!("ror {register},{count}"),
        }
    }

    /// Replaces W\[t\] by W\[t+16\]: the last 16 words are in the frame.
    fn next_word(&self, t: usize) -> Strand {
        let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|i| format!("[rsp+{}]", self.sha2.word() * ((t + i) % 16)));
        let x = &self.sha2.parts(OF_SCHEDULE)[0];
        let mut out = self.small_sigma(self.sha2.small_sigma0, &w1);
        code! { out; "add {x},{w9}"; "add {w0},{x}"; }
        out.extend(self.small_sigma(self.sha2.small_sigma1, &w14));
        code! { out; "add {w0},{x}"; }
        out
    }

    /// A word in memory rotated twice and shifted, all three xored.
    fn small_sigma(&self, [r0, r1, shift]: [u32; 3], word: &str) -> Strand {
        let [x, y] = self.sha2.parts(OF_SCHEDULE);
        let mut out = Strand::new();
        match self.rotation {
            Rotation::Rorx => code! { out;
                "rorx {x},{word},{r0}";
                "rorx {y},{word},{r1}";
                "xor {x},{y}";
                "mov {y},{word}";
                "shr {y},{shift}";
                "xor {x},{y}";
            },
            Rotation::Ror | Rotation::Shrd => code! { out;
                "mov {x},{word}";
                "mov {y},{x}";
                "{}", self.rotate(&x, r1 - r0);
                "xor {x},{y}";
                "shr {y},{shift}";
                "{}", self.rotate(&x, r0);
                "xor {x},{y}";
            },
        }
        out
    }
}

// ---- A kernel's frame ----

/// Eight bytes each, at the end of a frame: state, row of pointers, offset from each, blocks left, bytes to
/// the next row, bytes to the next block at a pointer, and two counters of the kernel.
#[derive(Clone, Copy)]
pub(crate) struct Slots {
    pub(crate) at: usize,
}

impl Slots {
    pub(crate) const BYTES: usize = 64;

    fn slot(self, i: usize) -> String {
        format!("qword ptr [rsp+{}]", self.at + 8 * i)
    }
    /// The state's address.
    pub(crate) fn state(self) -> String {
        self.slot(0)
    }
    pub(crate) fn blocks_left(self) -> String {
        self.slot(3)
    }
    /// One of the two that are the kernel's.
    pub(crate) fn own(self, i: usize) -> String {
        self.slot(6 + i)
    }

    /// Stores the kernel's arguments: rdi = state, rsi = rows, rdx = blocks. Clobbers rax.
    pub(crate) fn enter(self) -> Strand {
        let mut out = Strand::new();
        code! { out; "mov {},rdi", self.state(); "mov {},rdx", self.blocks_left(); }
        for (field, slot) in [(0, 1), (8, 4), (16, 5)] {
            code! { out; "mov rax,[rsi+{field}]"; "mov {},rax", self.slot(slot); }
        }
        code! { out; "mov {},0", self.slot(2); }
        out
    }

    /// `to` = the next block; steps over it. Clobbers `other`.
    pub(crate) fn next_block(self, to: &str, other: &str) -> Strand {
        let [row, offset, row_bytes, step_bytes] = [1, 2, 4, 5].map(|i| self.slot(i));
        let mut out = Strand::new();
        code! { out;
            "mov {to},{row}";
            "mov {to},[{to}]";
            "add {to},{offset}";
            "mov {other},{row_bytes}";
            "add {row},{other}";
            "mov {other},{step_bytes}";
            "add {offset},{other}";
        }
        out
    }

    /// Addresses of the next two blocks, the first of them twice if there is no second; advances the input.
    /// Clobbers `other`.
    pub(crate) fn next_pair(self, [first, second]: [&str; 2], other: &str) -> Strand {
        let mut out = self.next_block(first, other);
        code! { out; "mov {second},{first}"; "cmp {},1", self.blocks_left(); "je 7f"; }
        out.extend(self.next_block(second, other));
        code! { out; "7:"; }
        out
    }
}

// ---- Kernels of rounds and schedule only ----

/// The verb `rounds`: rdi = state, rsi = K + W of a block. No frame.
pub(crate) fn rounds_kernel(rounds: Rounds) -> Strand {
    let mut out = rounds.load_state("rdi");
    out.extend(rounds.enter());
    out.extend(rounds.over(0..rounds.sha2.n_rounds, |t| format!("[rsi+{}]", t * rounds.sha2.word())));
    out.extend(rounds.add_state("rdi"));
    out
}

/// Bytes of [`serial_kernel`]'s own stack: the last 16 words, then [`Slots`].
pub(crate) fn serial_frame(sha2: &Sha2) -> usize {
    16 * sha2.word() + Slots::BYTES
}

/// `serial-*`: the "standard (serial) Update" of 000, a block after the other, schedule and rounds in general
/// registers. rcx = K.
pub(crate) fn serial_kernel(rounds: Rounds) -> Strand {
    let slots = Slots { at: 16 * rounds.sha2.word() };
    let mut out = slots.enter();
    code! { out; "mov rsi,rdi"; "mov rdi,rcx"; }
    out.extend(rounds.load_state("rsi"));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(serial_block(rounds, slots));
    code! { out; "dec {}", slots.blocks_left(); "jnz 2b"; }
    out
}

/// The next block, its state in registers before and after: 16 rounds at a time, in a loop while there are
/// words to be computed alongside them. rdi = K. The words are at the start of the frame.
pub(crate) fn serial_block(rounds: Rounds, slots: Slots) -> Strand {
    let word = rounds.sha2.word();
    let round = |t: usize| rounds.round(t, &[format!("[rsp+{}]", word * t), format!("[rdi+{}]", word * t)]);
    let mut out = slots.next_block("rsi", "rcx");
    for i in 0..16 {
        let register = rounds.sha2.part(["rcx", "rdx", "r14", "r15"][i % 4]);
        code! { out; "mov {register},[rsi+{}]", word * i; "bswap {register}"; "mov [rsp+{}],{register}", word * i; }
    }
    code! { out; "mov {},{}", slots.own(0), rounds.sha2.n_rounds / 16 - 1; }
    out.extend(rounds.enter());
    code! { out; ".p2align 6"; "3:"; }
    for t in 0..16 {
        out.extend(spread(&[&round(t), &rounds.next_word(t)]));
    }
    code! { out; "add rdi,{}", 16 * word; "dec {}", slots.own(0); "jnz 3b"; }
    out.extend((0..16).flat_map(round));
    code! { out; "sub rdi,{}", (rounds.sha2.n_rounds - 16) * word; "mov rsi,{}", slots.state(); }
    out.extend(rounds.add_state("rsi"));
    out
}
