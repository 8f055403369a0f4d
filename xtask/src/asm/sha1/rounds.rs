//! SHA-1's rounds in general registers, and the kernels that consist only of them: `serial-ror` and the verb
//! `rounds`.
//!
//! ```text
//! round t:  e += K + W[t] + f(b, c, d) + (a rol 5);  b = b rol 30;  then e is a, a is b, ...
//! ```
//!
//! The working variables do not move; the one that was e becomes a. What binds is the way from a to the next
//! a, one rotation and one addition: 160 cycles per block, 2.5 cycles per byte. All else must stay alongside
//! it, so what depends on b, the last round's result, is short, and what does not is computed without it:
//!
//! | rounds | f(b, c, d) of FIPS 180-4 | here | after b |
//! |---|---|---|---|
//! | 0..20 | ch | (b & c) + (~b & d), or ((c ^ d) & b) ^ d | 1, 2 |
//! | 20..40, 60..80 | parity | (c ^ d) ^ b | 1 |
//! | 40..60 | maj | (c & d) + ((c ^ d) & b) | 1 |
//!
//! The usual form of maj, ((b ^ c) & (c ^ d)) ^ c, takes an instruction less and is 3 after b. (c ^ d) ^ b
//! takes a move more than (b ^ c) ^ d; with it, and a's rotation next to the addition that waits for it,
//! `avx2` takes 2 % less time (Golden Cove, 216 and 211 cycles per block).
//!
//! Redwood Cove stays far from 160, and not for the schedule's sake: its rounds alone, with their K + W at
//! hand, took 205 to 220 cycles in some thirty orders of their instructions, and the rotations and additions
//! that bind, without f, 160.
//!
//! Two ways to rotate, [`Rotation`]. `rorx` puts b rol 30 into a register of its own, so that f may take what
//! is left of b; six registers go round with the five variables. Without it a is rotated by 5 in place, once
//! a copy of it is made for the next round's f, and by 25 more when that round is over: nothing is moved for
//! the rotations' sake.

use crate::asm::sha2::Slots;
use crate::asm::strand::{Strand, code};

/// Words of the state.
const STATE_WORDS: usize = 5;

/// K of twenty rounds each, FIPS 180-4 section 4.2.1, as an operand.
const K: [i32; 4] = [0x5a82_7999, 0x6ed9_eba1, -0x70e4_4324, -0x359d_3e2a];

/// Rounds of a block.
pub(super) const ROUNDS: usize = 80;

/// The rotations of the rounds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rotation {
    /// `rol` and `ror`, in place, on every CPU.
    Ror,
    /// `rorx` of BMI2, and `andn` of BMI1.
    Rorx,
}

/// Registers of a, b, c, d, e; one for b rol 30 or the copy of b; and three temporaries, by their 32-bit
/// names.
pub(super) const REGISTERS: [&str; 9] = ["eax", "ebx", "ecx", "edx", "esi", "ebp", "r8d", "r9d", "r10d"];

/// Rounds in order: knows where the variables are.
pub(super) struct Rounds {
    rotation: Rotation,
    /// The variables of [`REGISTERS`].
    at: [&'static str; 9],
    t: usize,
}

impl Rounds {
    /// At round 0, with the variables in the registers of [`REGISTERS`].
    pub(super) fn at_home(rotation: Rotation) -> Self {
        Self { rotation, at: REGISTERS, t: 0 }
    }

    /// The instructions before round 0.
    pub(super) fn begin(&mut self) -> Strand {
        let [_, b, _, _, _, x, ..] = self.at;
        let mut out = Strand::new();
        self.t = 0;
        if self.rotation == Rotation::Ror {
            code! { out; "mov {x},{b}"; "rol {b},5"; }
        }
        out
    }

    /// The next round, given K\[t\] + W\[t\]: a register or where it is in memory.
    pub(super) fn next(&mut self, kw: &str) -> Strand {
        let t = self.t;
        self.t += 1;
        match self.rotation {
            Rotation::Ror => self.next_ror(t, kw),
            Rotation::Rorx => self.next_rorx(t, kw),
        }
    }

    /// b is rotated by 5 already; x is what it was.
    fn next_ror(&mut self, t: usize, kw: &str) -> Strand {
        let [a, b, c, d, e, x, y, z, w] = self.at;
        let mut out = Strand::new();
        code! { out; "mov {y},{a}"; "rol {a},5"; "add {e},{kw}"; }
        match t / 20 {
            0 => code! { out; "mov {z},{c}"; "xor {z},{d}"; "and {x},{z}"; "xor {x},{d}"; },
            2 => code! { out;
                "mov {z},{c}"; "mov {w},{c}"; "xor {z},{d}"; "and {w},{d}"; "and {x},{z}"; "add {e},{w}";
            },
            _ => code! { out; "mov {z},{c}"; "xor {z},{d}"; "xor {x},{z}"; },
        }
        code! { out; "add {e},{x}"; "add {e},{a}"; "ror {b},7"; }
        self.at = [e, a, b, c, d, y, x, z, w];
        out
    }

    fn next_rorx(&mut self, t: usize, kw: &str) -> Strand {
        let [a, b, c, d, e, n, x, z, w] = self.at;
        let mut out = Strand::new();
        code! { out; "rorx {n},{b},2"; "add {e},{kw}"; }
        match t / 20 {
            0 => code! { out; "andn {z},{b},{d}"; "and {b},{c}"; "add {e},{z}"; },
            2 => code! { out;
                "mov {z},{c}"; "xor {z},{d}"; "andn {w},{z},{c}"; "and {b},{z}"; "add {e},{w}";
            },
            _ => code! { out; "mov {z},{c}"; "xor {z},{d}"; "xor {b},{z}"; },
        }
        code! { out; "add {e},{b}"; "rorx {x},{a},27"; "add {e},{x}"; }
        self.at = [e, a, n, c, d, b, x, z, w];
        out
    }

    /// The instructions after round 79: adds the chaining value, which is after `states`, and stores the next
    /// one there.
    pub(super) fn end(&self, states: &str) -> Strand {
        let variables = &self.at[..STATE_WORDS];
        let mut out = Strand::new();
        if self.rotation == Rotation::Ror {
            code! { out; "ror {},5", variables[1]; }
        }
        for (i, r) in variables.iter().enumerate() {
            code! { out; "add {r},[{states}+{}]", 4 * i; }
        }
        for (i, r) in variables.iter().enumerate() {
            code! { out; "mov [{states}+{}],{r}", 4 * i; }
        }
        out
    }

    /// Moves the variables back to their registers.
    pub(super) fn go_home(&mut self) -> Strand {
        let mut out = Strand::new();
        let temporary = self.at[6];
        let mut moves: Vec<(&str, &str)> = vec![];
        for (&from, &to) in self.at.iter().zip(&REGISTERS).take(STATE_WORDS) {
            if from != to {
                moves.push((from, to));
            }
        }
        while !moves.is_empty() {
            let last = |&(_, to): &(&str, &str)| moves.iter().all(|&(from, _)| from != to);
            match moves.iter().position(last) {
                Some(i) => {
                    let (from, to) = moves.swap_remove(i);
                    code! { out; "mov {to},{from}"; }
                }
                // A circle: one of it steps aside.
                None => {
                    let from = moves[0].0;
                    code! { out; "mov {temporary},{from}"; }
                    moves[0].0 = temporary;
                }
            }
        }
        self.at = REGISTERS;
        out
    }
}

/// Loads the chaining value into the variables' registers.
pub(super) fn load_state(states: &str) -> Strand {
    let mut out = Strand::new();
    for (i, r) in REGISTERS.iter().enumerate().take(STATE_WORDS) {
        code! { out; "mov {r},[{states}+{}]", 4 * i; }
    }
    out
}

// ---- The verb ----

/// rdi = the state, rsi = K + W of all rounds.
pub(super) fn rounds_kernel(rotation: Rotation) -> Strand {
    let mut rounds = Rounds::at_home(rotation);
    let mut out = Strand::new();
    code! { out; "mov r11,rsi"; }
    out.extend(load_state("rdi"));
    out.extend(rounds.begin());
    for t in 0..ROUNDS {
        out.extend(rounds.next(&format!("[r11+{}]", 4 * t)));
    }
    out.extend(rounds.end("rdi"));
    out
}

// ---- serial-ror ----

/// Bytes of its own stack: the last 16 words, then [`Slots`].
pub(super) const SERIAL_FRAME: usize = SERIAL_SLOTS.at + Slots::BYTES;
const SERIAL_SLOTS: Slots = Slots { at: 64 };

/// Schedule and rounds in general registers, a block after the other. rdi = the state; then r11 = the block.
pub(super) fn serial_kernel() -> Strand {
    let mut out = SERIAL_SLOTS.enter();
    out.extend(load_state("rdi"));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(serial_block(Rotation::Ror, SERIAL_SLOTS, "rdi"));
    code! { out; "dec {}", SERIAL_SLOTS.blocks_left(); "jnz 2b"; }
    out
}

/// The next block, its state in registers before and after, and after `state`. The words are at the start of
/// the frame.
pub(super) fn serial_block(rotation: Rotation, slots: Slots, state: &str) -> Strand {
    let mut rounds = Rounds::at_home(rotation);
    let mut out = slots.next_block("r11", "r15");
    out.extend(rounds.begin());
    for t in 0..ROUNDS {
        out.extend(serial_word(rotation, t));
        out.extend(rounds.next("r15d"));
    }
    out.extend(rounds.end(state));
    out.extend(rounds.go_home());
    out
}

/// r15d = K + W\[t\].
fn serial_word(rotation: Rotation, t: usize) -> Strand {
    let w = |back: usize| format!("[rsp+{}]", 4 * ((t + 16 - back) % 16));
    let mut out = Strand::new();
    if t < 16 {
        code! { out; "mov r15d,[r11+{}]", 4 * t; "bswap r15d"; }
    } else {
        code! { out;
            "mov r15d,{}", w(16);
            "xor r15d,{}", w(14);
            "xor r15d,{}", w(8);
            "xor r15d,{}", w(3);
            "{}", if rotation == Rotation::Ror { "rol r15d,1" } else { "rorx r15d,r15d,31" };
        }
    }
    // The last three words are read no more.
    if t < 77 {
        code! { out; "mov {},r15d", w(0); }
    }
    code! { out; "add r15d,{}", K[t / 20]; }
    out
}
