//! Split kernels for 16 messages with the input phase hidden: as `split.rs` (read that first), but faster.
//!
//! The differences:
//!
//! 1. The input phase (load, swap bytes, add K, transpose) has no slack of its own alongside `sha256rnds2`.
//!    Here the input phase of one half (8 messages) runs inside the expansion of the other:
//!
//!    ```text
//!    expansion of half 0      input of half 1
//!    expansion of half 1      input of half 0 of the next block
//!    ```
//!    So a turn begins with half 0's first 16 words already in the ring. At the last block there is no next
//!    one; half 0 then loads the last block again, and the result is not used: nothing after the messages is
//!    read.
//! 2. The transposition goes four messages at a time, both halves of each line one after another, and ends
//!    with 16-byte stores to the ring instead of vshufi32x4: fewer shuffles, fewer registers in use.
//! 3. The order within the expansion comes from explicit times: instruction X of word t has the time t +
//!    (time of X), then all are sorted. The times were found by random search.
//! 4. Chain transitions roll: the state of a chain is added and stored when the next group needs its
//!    registers, not all chains of a group at its end.
//!
//! Strand S writes words 0..16 of half 0 to the buffer that strand R is reading; that is right because R has
//! then used them, which the pipeline's check verifies.
//!
//! Measured on Zen 4 with 9 KiB messages: 39.1 cycles per block (38.0 word by word) instead of 41.7 (40.7)
//! without these four; what remains above 32 is the pipe that `sha256rnds2` shares with rotations, and 3.1 to
//! 3.2 vector operations for each of them, where up to 3.0 run almost free. Did not help there: shifts or
//! additions instead of rotations, partial sums stored, strictly periodic orders, groups of 7/7/2 and 6/6/4,
//! other loads than vmovq.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::arguments::{SWAP, k_in_all};
use super::split::{
    Chain, FILLED, First, FirstWords, Last, Pipeline, SIGMA0, SIGMA1, STATES, StatesIn, USED, allocated,
    chain, groups, kw, load_lanes, pipeline, ring, row, rows, states_of_the_caller, store_pair,
};
use super::turns::Turns;
use crate::asm::merge::{inside, weave};
use crate::asm::strand::{Instruction, Register, Strand, code, fresh, fresh_many};

// ---- The orders found by search ----

/// When the instructions for word t are executed, in words, from t on.
#[derive(Clone, Copy)]
struct Times {
    reload: f64,
    /// Small sigma 0 and 1: the first rotation, the first xor, the second one (or vpternlogd).
    rotate: [f64; 2],
    xor: [f64; 2],
    last_xor: [f64; 2],
    /// W\[t-16\] + W\[t-7\], and small sigma 0 added to it.
    add: f64,
    partial: f64,
    word: f64,
    store: f64,
    add_k: f64,
    pair: f64,
    pair_store: f64,
}

pub(super) struct Order {
    times: Times,
    /// The small sigma that uses vpternlogd; the other one takes two vpxord.
    ternlog: usize,
    /// The share of the schedule's instructions between two `sha256rnds2` that precede the second one, after
    /// its vmovq.
    lead: f64,
    /// The part of the other half's expansion over which an input phase is spread.
    input: (f64, f64),
}

// Found on Zen 4 among several hundred random orders (typical good ones are half a cycle per block slower): a
// plausible order, its times multiplied by 0.5 to 0.8 and moved by up to 0.06 each.

pub(super) const BY_POINTERS: Order = Order {
    times: Times {
        reload: -1.2614,
        rotate: [-1.0593, -0.7678],
        xor: [-0.6390, -0.2208],
        last_xor: [-0.3168, 0.0295],
        add: -0.7504,
        partial: -0.0424,
        word: 0.3582,
        store: 0.5765,
        add_k: 0.7344,
        pair: 0.9975,
        pair_store: 1.3149,
    },
    ternlog: 0,
    lead: 0.0,
    input: (0.04, 0.7),
};

const BY_LANES: Order = Order {
    times: Times {
        reload: -1.3077,
        rotate: [-1.0365, -0.7027],
        xor: [-0.6180, -0.2448],
        last_xor: [-0.3342, 0.0837],
        add: -0.7404,
        partial: -0.0421,
        word: 0.2873,
        store: 0.5002,
        add_k: 0.6949,
        pair: 1.0174,
        pair_store: 1.2641,
    },
    ternlog: 1,
    lead: 0.25,
    input: (0.04, 0.92),
};

// ---- Kernels ----

/// The block that an input phase reads.
#[derive(Clone, Copy)]
pub(super) enum Block {
    Current,
    /// The next one; at the last block the current one again.
    Next,
}

/// The code of a chain at an end of its lane's rounds.
type ChainEnd<'f> = &'f dyn Fn(&Chain, usize) -> Strand;

/// The differences between the kernels.
pub(super) struct Form<'f> {
    pub(super) arguments: Strand,
    /// The address of the next block.
    pub(super) next_block: Strand,
    /// The next block becomes the current one.
    pub(super) advance: Strand,
    /// Input of a half to a buffer.
    pub(super) input: &'f dyn Fn(&str, usize, Block) -> Strand,
    pub(super) order: &'f Order,
    pub(super) first: FirstWords,
    /// Loads a lane's state into a chain, and adds it to what the rounds made of it.
    pub(super) chain_ends: [ChainEnd<'f>; 2],
    /// As [`Pipeline`] has them; `begin` comes before the first input phase.
    pub(super) begin: Strand,
    pub(super) advance_rounds: Strand,
    pub(super) last: Last,
    pub(super) end: Strand,
}

/// A list of turns of 16 lanes. rsi = the current block's turn, rbx = offset from each of its pointers; r14
/// and r15 = the next block's; edi = blocks of the turn from the current one on. r13 = the turn of the block
/// whose rounds run.
pub(super) fn turns() -> Result<Strand, String> {
    const TURNS: Turns = Turns::new(16);
    let mut arguments = TURNS.arguments("r13");
    code! { arguments; "mov edi,[rsi+{}]", TURNS.n_blocks(); }
    let mut next_block = Strand::new();
    code! { next_block;
        "lea r14,[rsi+{}]", TURNS.bytes();
        "lea r15,[rbx+64]";
        "xor r8d,r8d";
        "dec edi";
        "cmovnz r14,rsi";
        "cmovz r15,r8";
        "cmp rdx,1";
        "cmove r14,rsi";
        "cmove r15,rbx";
        "test edi,edi";
        "cmovz edi,[r14+{}]", TURNS.n_blocks();
    }
    let mut advance = Strand::new();
    code! { advance; "mov rsi,r14"; "mov rbx,r15"; }
    let states = TURNS.states();
    kernel(&Form {
        arguments,
        next_block,
        advance,
        input: &input_by_pointers,
        order: &BY_POINTERS,
        first: FirstWords::InOrder,
        chain_ends: [&|chain, lane| chain.begin(&states, lane), &|chain, lane| chain.finish(&states, lane)],
        begin: vec![],
        advance_rounds: TURNS.exchange("r13", "rsi", "r8", StatesIn::Memory),
        last: Last::Alone,
        end: TURNS.store("r13", "r8", StatesIn::Memory),
    })
}

/// 16 messages, word by word side by side. The current block's rows 0 and 8 are at rsi and r13, the next
/// one's at r15 and r14.
pub(super) fn by_lanes() -> Result<Strand, String> {
    let mut next_block = Strand::new();
    code! { next_block;
        "lea r13,[rsi+8*r8]";
        "lea r15,[r13+8*r8]";
        "cmp rdx,1";
        "cmove r15,rsi";
        "lea r14,[r15+8*r8]";
    }
    let mut advance = Strand::new();
    code! { advance; "mov rsi,r15"; }
    // The input phase before the first turn needs row 8.
    let mut arguments = rows();
    code! { arguments; "lea r13,[rsi+8*r8]"; }
    let first = FirstWords::InPairs;
    let [begin, advance_rounds] = states_of_the_caller();
    kernel(&Form {
        arguments,
        next_block,
        advance,
        input: &input_by_lanes,
        order: &BY_LANES,
        first,
        chain_ends: [&|chain, lane| chain.begin(STATES, lane), &|chain, lane| chain.finish(STATES, lane)],
        begin,
        advance_rounds,
        last: Last::Alone,
        end: vec![],
    })
}

/// A kernel of 16 lanes.
pub(super) fn kernel(form: &Form<'_>) -> Result<Strand, String> {
    let mut begin = form.begin.clone();
    begin.extend(allocated(&(form.input)(FILLED, 0, Block::Current))?);
    let mut schedule =
        inside(&expand(0, form.order)?, &(form.input)(FILLED, 1, Block::Current), form.order.input);
    schedule.extend(inside(&expand(1, form.order)?, &(form.input)(USED, 0, Block::Next), form.order.input));
    let parts = Pipeline {
        arguments: form.arguments.clone(),
        first: First::Merged,
        last: form.last,
        begin,
        turn: form.next_block.clone(),
        schedule,
        rounds: vec![rounds(
            &|lane, j| vec![format!("vmovq xmm0,{}", kw(lane, j, form.first)).into()],
            form.chain_ends,
        )],
        advance_rounds: form.advance_rounds.clone(),
        advance: form.advance.clone(),
        end: form.end.clone(),
    };
    pipeline(&parts, &|schedule, rounds| weave(schedule, rounds, form.order.lead))
}

// ---- Strand S ----

/// Message pointers, in turn.
const POINTERS: [&str; 4] = ["r8", "r10", "r11", "r12"];

/// Words 0..16 of 8 messages by pointers.
fn input_by_pointers(buffer: &str, half: usize, block: Block) -> Strand {
    let (pointers, offset) = match block {
        Block::Current => ("rsi", "rbx"),
        Block::Next => ("r14", "r15"),
    };
    let mut pointer = POINTERS.iter().cycle();
    input(buffer, half, &mut |lane| {
        let p = pointer.next().expect("a cycle");
        (vec![format!("mov {p},[{pointers}+{}]", 8 * lane).into()], format!("{p}+{offset}"))
    })
}

/// Words 0..16 of 8 messages: K + W to the buffer, W transposed to the ring. 4 messages, 8 words a time.
/// `place` gives the address of a lane's block, and the instructions to be executed first.
pub(super) fn input(buffer: &str, half: usize, place: &mut dyn FnMut(usize) -> (Strand, String)) -> Strand {
    let mut out = Strand::new();
    for (four, eight) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut rows = vec![];
        let mut pairs: Vec<[Register; 2]> = vec![];
        for i in 0..4 {
            let message = 4 * four + i;
            let (code, block) = place(8 * half + message);
            out.extend(code);
            let [a, b, kw] = fresh_many();
            code! { out;
                "vmovdqu32 {a},[{block}+{}]", 32 * eight;
                "vpshufb {b},{a},[rax+{SWAP}]";
                "vpaddd {kw},{b},[rax+{}]", 32 * eight;
                "vmovdqa32 [{buffer}+{}],{kw}", 2048 * half + 64 * message + 32 * eight;
            }
            rows.push(b);
            if i % 2 == 1 {
                let [x, y] = fresh_many();
                code! { out;
                    "vpunpckldq {x},{},{}", rows[i - 1], rows[i];
                    "vpunpckhdq {y},{},{}", rows[i - 1], rows[i];
                }
                pairs.push([x, y]);
            }
        }
        // The 128-bit halves of a row are this word and the one four further.
        for word in 0..4 {
            let (v, x, y) = (fresh(), pairs[0][word / 2], pairs[1][word / 2]);
            code! { out;
                "{} {v},{x},{y}", ["vpunpcklqdq", "vpunpckhqdq"][word % 2];
                "vmovdqa32 {},{}", ring(half, 8 * eight + word, 16 * four), v.low();
                "vextracti32x4 {},{v},1", ring(half, 8 * eight + 4 + word, 16 * four);
            }
        }
    }
    out
}

/// The same for words side by side.
fn input_by_lanes(buffer: &str, half: usize, block: Block) -> Strand {
    let base = match block {
        Block::Current => ["rsi", "r13"],
        Block::Next => ["r15", "r14"],
    };
    load_lanes(buffer, half, &|t, r| vec![format!("vmovdqu32 {r},[{}+{}]", row(base, t), 32 * half).into()])
}

/// An instruction with its time, and the word that it reads from the ring or writes there.
struct Timed {
    when: f64,
    instruction: Instruction,
    reads: Option<usize>,
    writes: Option<usize>,
}

/// Words 16..64, instructions sorted by time.
///
/// # Errors
/// If the times break a dependence.
fn expand(half: usize, order: &Order) -> Result<Strand, String> {
    let time = &order.times;
    let mut out: Vec<Timed> = vec![];
    // W[t] where it is the newest word, and as it comes back from the ring.
    let (newest, reloaded): ([Register; 64], [Register; 64]) = (fresh_many(), fresh_many());
    let kw: [Register; 64] = fresh_many();
    let load =
        |t: usize, to: Register, when: f64| at(when, format!("vmovdqa32 {to},{}", ring(half, t, 0))).reads(t);

    out.push(load(0, reloaded[0], 16.0 + time.reload - 1.0));
    for t in [14, 15] {
        out.push(load(t, newest[t], 16.0 + time.rotate[1] - 0.3));
    }
    for t in 16..64 {
        let now = t as f64;
        let [sum, partial] = fresh_many();
        out.push(load(t - 15, reloaded[t - 15], now + time.reload));
        let (sigma0, timed) = sigma(0, reloaded[t - 15], now, order);
        out.extend(timed);
        let w7 = ring(half, t - 7, 0);
        out.push(at(now + time.add, format!("vpaddd {sum},{},{w7}", reloaded[t - 16])).reads(t - 7));
        out.push(at(now + time.partial, format!("vpaddd {partial},{sum},{sigma0}")));
        let (sigma1, timed) = sigma(1, newest[t - 2], now, order);
        out.extend(timed);
        out.push(at(now + time.word, format!("vpaddd {},{partial},{sigma1}", newest[t])));
        if t < 62 {
            let store = format!("vmovdqa32 {},{}", ring(half, t, 0), newest[t]);
            out.push(at(now + time.store, store).writes(t));
        }
        out.push(at(now + time.add_k, format!("vpaddd {},{},{}", kw[t], newest[t], k_in_all(8, t))));
        if t % 2 == 1 {
            let when = [time.pair, time.pair + 0.15, time.pair_store, time.pair_store + 0.5];
            let pair = store_pair(FILLED, half, t / 2, kw[t - 1], kw[t]);
            out.extend(pair.iter().zip(when).map(|(pair, when)| at(now + when, pair.to_string())));
        }
    }
    out.sort_by(|a, b| a.when.total_cmp(&b.when));
    check_times(&out)?;
    Ok(out.into_iter().map(|timed| timed.instruction).collect())
}

fn at(when: f64, instruction: String) -> Timed {
    Timed { when, instruction: instruction.into(), reads: None, writes: None }
}

impl Timed {
    fn reads(self, t: usize) -> Self {
        Self { reads: Some(t), ..self }
    }
    fn writes(self, t: usize) -> Self {
        Self { writes: Some(t), ..self }
    }
}

/// Small sigma `n` of `x` for the word of time `now`: its register and instructions.
fn sigma(n: usize, x: Register, now: f64, order: &Order) -> (Register, Vec<Timed>) {
    let [a, b, c, ab, abc] = fresh_many();
    let counts = [SIGMA0, SIGMA1][n];
    let [second, third] = [[0.12, 0.3], [0.1, 0.25]][n];
    let (start, xor, last_xor) =
        (now + order.times.rotate[n], now + order.times.xor[n], now + order.times.last_xor[n]);
    let mut out = vec![
        at(start, format!("vprord {a},{x},{}", counts[0])),
        at(start + second, format!("vprord {b},{x},{}", counts[1])),
        at(start + third, format!("vpsrld {c},{x},{}", counts[2])),
    ];
    if order.ternlog == n {
        out.push(at(last_xor, format!("vpternlogd {a},{b},{c},0x96")));
        return (a, out);
    }
    out.push(at(xor, format!("vpxord {ab},{a},{b}")));
    out.push(at(last_xor, format!("vpxord {abc},{ab},{c}")));
    (abc, out)
}

/// Every register is set before it is used, and every load from the ring finds the word that it wants.
fn check_times(all: &[Timed]) -> Result<(), String> {
    let mut known = HashSet::new();
    let mut held: HashMap<usize, usize> = (0..16).map(|t| (t, t)).collect();
    for Timed { instruction, reads, writes, .. } in all {
        let registers = instruction.registers();
        let sets = instruction.sets().filter(|_| !instruction.modifies());
        if let Some(early) = registers.iter().find(|r| sets != Some(**r) && !known.contains(*r)) {
            return Err(format!("{early} is used too early: {instruction}"));
        }
        known.extend(registers);
        if let Some(t) = reads
            && held[&(t % 16)] != *t
        {
            return Err(format!("not in the ring: {instruction}"));
        }
        if let Some(t) = writes {
            held.insert(t % 16, *t);
        }
    }
    Ok(())
}

// ---- Strand R ----

/// The rounds of all groups, every chain a lane, with rolling transitions. `fetch` moves K + W of two rounds
/// of a lane to xmm0.
pub(super) fn rounds(fetch: &dyn Fn(usize, usize) -> Strand, [begin, finish]: [ChainEnd<'_>; 2]) -> Strand {
    let mut out = Strand::new();
    // Chains whose lane's state has not been stored yet.
    let mut running: BTreeMap<usize, usize> = BTreeMap::new();
    for group in groups(16) {
        for j in 0..32 {
            for (k, (lane, _)) in group.iter().enumerate() {
                if j == 0 {
                    if let Some(before) = running.remove(&k) {
                        out.extend(finish(&chain(k), before));
                    }
                    out.extend(begin(&chain(k), *lane));
                }
                out.extend(fetch(*lane, j));
                out.push(chain(k).two_rounds(j));
            }
            if j == 0 {
                // Chains that this group does not have.
                for (k, lane) in std::mem::take(&mut running) {
                    out.extend(finish(&chain(k), lane));
                }
            }
        }
        running = group.iter().map(|(lane, _)| *lane).enumerate().collect();
    }
    for (k, lane) in running {
        out.extend(finish(&chain(k), lane));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_times(change: impl FnOnce(&mut Times)) -> Order {
        let mut order = Order { times: BY_POINTERS.times, ..BY_POINTERS };
        change(&mut order.times);
        order
    }

    #[test]
    fn an_order_that_breaks_a_dependence_is_an_error() {
        assert!(expand(0, &BY_POINTERS).is_ok() && expand(1, &BY_LANES).is_ok());
        let early = expand(0, &with_times(|times| times.word = -0.5)).unwrap_err();
        assert!(early.contains("used too early"), "{early}");
        let late = expand(0, &with_times(|times| times.store = 9.0)).unwrap_err();
        assert!(late.starts_with("not in the ring"), "{late}");
    }
}
