//! `packed-x2`: two messages, e and a of both packed in one ymm (`packed.rs`), a message a 128-bit lane.
//!
//! The schedule of both is in ymm registers, two words of each message in a register. Rounds read K + W from
//! memory: even words directly, odd ones from the same pairs with exchanged halves.
//!
//! Frame: 0 K + W of even rounds, 1280 of odd ones, 2560 chaining value, then the steps of the input. Zen 4:
//! 2.01 cycles per byte (the chain allows 1.56).

use super::packed::Packed;
use super::registers::{Cursor, Names, PAIRS, SWAP, registers};
use crate::asm::merge::{by_time, evenly};
use crate::asm::strand::{Strand, code};

const EVEN: usize = 0;
const ODD: usize = EVEN + 40 * 32;
const SAVED: usize = ODD + 40 * 32;
const CURSOR: usize = SAVED + 6 * 32;
/// Bytes of its own stack.
pub(super) const FRAME: usize = CURSOR + 64;

const PACKED: Packed =
    Packed { v: "ymm", halves: [5, 10], shuffle: 5, shuffle_start: 15, saved: SAVED, bytes: 32 };
/// The mask that swaps the bytes of words.
const MASK: &str = "ymm29";

/// The last 16 words, two a register.
fn words() -> Names {
    let mut words = registers("ymm", 21..29);
    words.reverse();
    words
}

fn temporaries() -> Names {
    registers("ymm", 16..20)
}

/// rsi = row of pointers, rbp = offset, r8 and r9 = blocks, rcx = constants.
pub(super) fn kernel() -> Strand {
    let cursor = Cursor { row: "rsi", offset: "rbp", frame: CURSOR };
    let pointers = || [cursor.pointer("r8", 0), cursor.pointer("r9", 1)].concat();
    let schedule: Strand = (0..32).flat_map(two_words).collect();
    let kw = |t: usize| format!("[rsp+{}]", if t.is_multiple_of(2) { EVEN } else { ODD } + 32 * (t / 2));
    let mut out = PACKED.enter();
    code! { out; "vmovdqa64 {MASK},[rcx+{SWAP}]"; }
    out.extend(cursor.enter());
    out.extend(pointers());
    out.extend(load_states());
    out.extend(first_words());
    code! { out; ".p2align 6"; "2:"; }
    out.extend(PACKED.save());
    out.extend(cursor.step("rdx", ["rax", "r10"]));
    out.extend(pointers());
    out.extend(by_time(&[
        PACKED.rounds(kw),
        [evenly(&schedule, (1.0, 63.0)), evenly(&first_words(), (64.0, 78.0))].concat(),
    ]));
    out.extend(PACKED.finish());
    code! { out; "dec rdx"; "jnz 2b"; }
    out.extend(store_states());
    out
}

/// Words 0..16 of both blocks.
fn first_words() -> Strand {
    let mut out = Strand::new();
    for (i, x) in words().iter().enumerate() {
        let kw = &temporaries()[i % 4];
        code! { out;
            "vmovdqu64 {},[r8+{}]", x.replace("ymm", "xmm"), 16 * i;
            "vinserti64x2 {x},{x},[r9+{}],1", 16 * i;
            "vpshufb {x},{x},{MASK}";
            "vpaddq {kw},{x},[rcx+{}]", PAIRS + 32 * i;
        }
        out.extend(store(kw, i));
    }
    out
}

/// K + W of a pair of words, in both orders.
fn store(kw: &str, pair: usize) -> Strand {
    let mut out = Strand::new();
    code! { out;
        "vmovdqa64 [rsp+{}],{kw}", EVEN + 32 * pair;
        "vpermilpd {kw},{kw},5";
        "vmovdqa64 [rsp+{}],{kw}", ODD + 32 * pair;
    }
    out
}

/// Words 16 + 2j and 17 + 2j in the place of 2j and 2j + 1.
fn two_words(j: usize) -> Strand {
    let (words, temporaries) = (words(), temporaries());
    let [a, b, c, d] = temporaries.as_slice() else { unreachable!("four of them") };
    let [x0, x1, x4, x5, x7] = [0, 1, 4, 5, 7].map(|i| &words[(j + i) % 8]);
    let mut out = Strand::new();
    code! { out;
        "vshufpd {a},{x0},{x1},5";
        "vprorq {c},{x7},19";
        "vprorq {d},{x7},61";
        "vpsrlq {b},{x7},6";
        "vpternlogq {b},{c},{d},0x96";
        "vprorq {c},{a},1";
        "vprorq {d},{a},8";
        "vpsrlq {a},{a},7";
        "vpaddq {x0},{x0},{b}";
        "vpternlogq {a},{c},{d},0x96";
        "vshufpd {b},{x4},{x5},5";
        "vpaddq {x0},{x0},{b}";
        "vpaddq {x0},{x0},{a}";
        "vpaddq {a},{x0},[rcx+{}]", PAIRS + 32 * (8 + j);
    }
    out.extend(store(a, 8 + j));
    out
}

// ---- States: words A..H a message ----

/// The words of a state that the low and the high halves of a register hold: S\[0\] = (e, c), S\[-1\] = (f,
/// d), S\[-2\] = (g, -), S\[-3\] = (h, -), b, a. What is not needed is never stored.
fn halves() -> [(String, [Option<usize>; 2]); 6] {
    [
        (PACKED.s(0), [Some(4), Some(2)]),
        (PACKED.s(-1), [Some(5), Some(3)]),
        (PACKED.s(-2), [Some(6), None]),
        (PACKED.s(-3), [Some(7), None]),
        (PACKED.b(), [None, Some(1)]),
        (PACKED.a(), [None, Some(0)]),
    ]
}

/// Not through memory: a load of a whole vector that was stored word by word waits until the stores have left
/// the core, 120 cycles for each call.
fn load_states() -> Strand {
    let mut out = Strand::new();
    for (r, words) in halves() {
        let (first, second) = (r.replace("ymm", "xmm"), temporaries()[0].replace("ymm", "xmm"));
        for (x, m) in [(&first, 0), (&second, 1)] {
            let word = |i: usize| format!("[rdi+{}]", 64 * m + 8 * i);
            match words {
                [Some(low), Some(high)] => {
                    code! { out; "vmovq {x},{}", word(low); "vmovhps {x},{x},{}", word(high); }
                }
                [low, high] => {
                    let one = low.or(high).expect("a register holds one at least");
                    code! { out; "vpbroadcastq {x},{}", word(one); }
                }
            }
        }
        code! { out; "vinserti64x2 {r},{r},{second},1"; }
    }
    out
}

fn store_states() -> Strand {
    let mut out = Strand::new();
    for (r, [low, high]) in halves() {
        let (first, second) = (r.replace("ymm", "xmm"), temporaries()[0].replace("ymm", "xmm"));
        code! { out; "vextracti64x2 {second},{r},1"; }
        for (x, m) in [(&first, 0), (&second, 1)] {
            let word = |i: usize| format!("[rdi+{}]", 64 * m + 8 * i);
            if let Some(low) = low {
                code! { out; "vmovlps {},{x}", word(low); }
            }
            if let Some(high) = high {
                code! { out; "vmovhps {},{x}", word(high); }
            }
        }
    }
    out
}
