//! Split kernels: message schedules by AVX-512VL, rounds by SHA-NI, of different blocks at once.
//!
//! `sha256msg1` and `sha256msg2` are what limits SHA-NI with many messages on Zen 4 (msg2 is microcoded), so
//! they are not used:
//!
//! - strand S, the schedules: n-SMS (Gueron and Krasnov 2012). 8 blocks side by side in ymm registers, words
//!   t-15, t-2, … of all eight in one instruction. Only ymm16–31: dirty upper halves there do not slow
//!   legacy-SSE code, in ymm0–15 they would. Out comes K\[t\] + W\[t\] for all 64 t of each block, written to
//!   a buffer.
//! - strand R, the rounds: nothing but `vmovq xmm0,[buffer]` and `sha256rnds2`, 32 of each per block, in
//!   xmm0–15. One chain has a latency of 4 cycles per `sha256rnds2`, so 4 to 6 blocks are interleaved (a
//!   *group*); 16 blocks go in groups of 6, 5 and 5 (4 + 4 + 4 + 4 and 7 + 7 + 2 are 7 % slower).
//!
//! R works on the blocks whose K + W are in one buffer while S fills the other buffer with those of the next
//! blocks, "one block late". So the two strands share nothing and are merged freely:
//!
//! ```text
//! S of the first blocks                                                  (only First::Alone)
//! 2: S of the next blocks, merged with R of those before; exchange the buffers
//!    until S has no blocks left
//! R of the last blocks
//! ```
//! Kernels that do not begin with S alone ([`First::Merged`]) merge the first S, too, with an R that works on
//! what it finds in scratch memory, and whose result is not used. S takes about as long alone as merged. But
//! its code, a second time, would be a third of the kernel's, which then does not fit into Zen 4's cache of
//! decoded instructions: the first pass of the loop waited for the decoders, 400 (x4) to 900 cycles (x16) a
//! call. The last R can be merged in the same way ([`Last::Merged`]). The loop is so long that it has jumps
//! (`../jumps.rs`).
//!
//! A buffer holds 2048 bytes for 8 blocks:
//!
//! ```text
//! words  0..16   64 bytes a block, in order: the block itself, bytes swapped, K added   (InOrder)
//!                or as the others, where messages come interleaved                      (InPairs)
//! words 16..64   64 bytes a pair of words (t, t + 1), as vpunpckldq/vpunpckhdq leave them:
//!                | 0:t 0:t+1 1:t 1:t+1 | 4:t 4:t+1 5:t 5:t+1 | 2:t 2:t+1 3:t 3:t+1 | 6:t 6:t+1 7:t 7:t+1 |
//! ```
//! `sha256rnds2` needs exactly such pairs, in the low half of xmm0. The last 16 words W\[t\] of each block
//! are in the *ring*, 512 bytes for 8 blocks.
//!
//! Measured on Zen 4: 128 vector operations a block on four pipes, so 32 cycles at best, as many as its
//! `sha256rnds2` take on one of them, which they share with rotations and vpternlogd. x8 takes 43.8 cycles,
//! x4 42.8. ymm beats zmm (0.74 cycles per byte), since a 512-bit operation blocks that pipe for two cycles.
//! A loop of 24 messages (38 KB) takes 1.00: keep it below 28 KB. Compilers reorder the rounds, spill, and
//! use ymm0–15 (0.84).
//!
//! This file has the parts, and the kernels for 8 and 4 messages that stand word by word side by side
//! (`split-x4` takes two consecutive blocks of each message at once). Lists of turns are in `turns.rs`, 16
//! messages in `split_x16.rs`, digests and continuations in `split_fixed.rs`.

use std::collections::HashSet;
use std::ops::Range;

use super::arguments::{SWAP, k_in_all};
use crate::asm::allocate::{Pool, allocate};
use crate::asm::jumps::with_jumps;
use crate::asm::merge::{Costs, spread, weave, weave_by_cost};
use crate::asm::strand::{Instruction, Register, Strand, code, fresh, fresh_many};

/// The registers of strand S.
const POOL: Pool = Pool { prefix: "ymm", numbers: 16..32 };
/// The register that points to the buffer being filled, and to the one being used.
pub(super) const FILLED: &str = "r9";
pub(super) const USED: &str = "rbp";
/// The address of the caller's array of states.
pub(super) const STATES: &str = "rdi";
/// Bytes from one buffer to the other: no multiple of 4096, or loads and stores would alias.
const BUFFER: usize = 4096 + 5 * 64;
/// The offset of the ring in the scratch memory. rcx points to it: nearer offsets take shorter instructions.
const RING: usize = 2 * BUFFER + 256;

/// The scratch memory in bytes of a number of schedules side by side.
pub(super) const fn scratch(lanes: usize) -> usize {
    RING + after_ring(lanes)
}

/// The offset of what follows the ring, from rcx.
pub(super) const fn after_ring(lanes: usize) -> usize {
    64 * lanes
}

/// The blocks that run side by side in strand R: for each chain, its message and the lanes of its blocks, one
/// after the other.
pub(super) type Group = Vec<(usize, Vec<usize>)>;

/// Groups in which every lane is a message of its own.
pub(super) fn groups(lanes: usize) -> Vec<Group> {
    let groups: &[Range<usize>] = match lanes {
        8 => &[0..4, 4..8],
        16 => &[0..6, 6..11, 11..16],
        _ => unreachable!("no such kernel"),
    };
    groups.iter().map(|group| group.clone().map(|lane| (lane, vec![lane])).collect()).collect()
}

// ---- Kernels: words of 8 messages side by side, and of 4, two consecutive blocks of each at once ----

/// 8 messages, word by word side by side.
pub(super) fn x8_lanes() -> Result<Strand, String> {
    let mut arguments = rows();
    code! { arguments; "lea r13,[rsi+8*r8]"; }
    let mut schedule =
        load_lanes(FILLED, 0, &|t, r| vec![format!("vmovdqu32 {r},[{}]", row(["rsi", "r13"], t)).into()]);
    schedule.extend(expand(0, [Xor3::Ternlog, Xor3::Xor], Order::Pipelined));
    let mut advance = Strand::new();
    code! { advance; "lea rsi,[r13+8*r8]"; "lea r13,[rsi+8*r8]"; }
    let rounds = vec![rounds(&groups(8), 0, FirstWords::InPairs, STATES, StatesIn::Memory)];
    let [begin, advance_rounds] = states_of_the_caller();
    let parts =
        Pipeline { arguments, begin, schedule, rounds, advance_rounds, advance, ..Pipeline::default() };
    pipeline(&parts, &by_number)
}

/// The rounds of four messages with two consecutive blocks each: schedules side by side, rounds one after the
/// other. A second block that there is not (their number is odd) is the first again: its schedule is
/// computed, its rounds are not.
pub(super) fn two_blocks_of_four(first: FirstWords, states: &str, place: StatesIn) -> [Strand; 2] {
    let chains = vec![(0..4).map(|message| (message, vec![message, 4 + message])).collect()];
    [0, 1].map(|block| rounds(&chains, block, first, states, place))
}

/// 4 messages, word by word side by side. The second block is at r14, its row 8 at r15.
pub(super) fn x4_lanes() -> Result<Strand, String> {
    let mut arguments = rows();
    code! { arguments; "lea r13,[rsi+8*r8]"; }
    let mut turn = Strand::new();
    code! { turn;
        "lea r14,[r13+8*r8]";
        "cmp rdx,1";
        "cmove r14,rsi";
        "lea r15,[r14+8*r8]";
    }
    let mut schedule = load_lanes(FILLED, 0, &|t, r| {
        let (one, mut code) = (fresh(), Strand::new());
        code! { code;
            "vmovdqu32 {},[{}]", one.low(), row(["rsi", "r13"], t);
            "vinserti32x4 {r},{one},[{}],1", row(["r14", "r15"], t);
        }
        code
    });
    schedule.extend(expand(0, [Xor3::Xor, Xor3::Xor], Order::OneByOne));
    let mut advance = Strand::new();
    code! { advance;
        "lea rsi,[r13+8*r8]";
        "lea rsi,[rsi+8*r8]";
        "lea rsi,[rsi+8*r8]";
        "lea r13,[rsi+8*r8]";
    }
    let rounds = two_blocks_of_four(FirstWords::InPairs, STATES, StatesIn::Memory).into();
    let [begin, advance_rounds] = states_of_the_caller();
    let parts =
        Pipeline { arguments, begin, turn, schedule, rounds, advance_rounds, advance, ..Pipeline::default() };
    pipeline(&parts, &by_search)
}

/// Between any two rounds the same number of instructions of S.
pub(super) fn by_number(schedule: &[Instruction], rounds: &[Instruction]) -> Strand {
    weave(schedule, rounds, 0.5)
}

/// Best of 96 random weightings on Zen 4: 0.67 to 0.69 instead of 0.69 to 0.70 cycles per byte.
pub(super) fn by_search(schedule: &[Instruction], rounds: &[Instruction]) -> Strand {
    let costs = Costs {
        rotate: 0.4977,
        shift: 1.5908,
        add: 1.1686,
        logic: 0.5370,
        shuffle: 1.0311,
        store: 1.6442,
        load: 1.2644,
        memory: 0.1589,
    };
    weave_by_cost(schedule, rounds, &costs, 0.5)
}

// ---- Both strands ----

/// The parts of a split kernel. rcx = the ring, rdx = blocks left for strand S.
#[derive(Default)]
pub(super) struct Pipeline {
    /// Reads the arguments.
    pub(super) arguments: Strand,
    pub(super) first: First,
    pub(super) last: Last,
    /// Once, when the buffers are known. With [`First::Merged`], the first rounds must find states that they
    /// may overwrite.
    pub(super) begin: Strand,
    /// At the beginning of each pass.
    pub(super) turn: Strand,
    /// Strand S of a pass.
    pub(super) schedule: Strand,
    /// Strand R of a pass: of each message's first block, and of the second, where a pass takes two.
    pub(super) rounds: Vec<Strand>,
    /// For strand R, after each pass: to the blocks whose schedules that pass computed.
    pub(super) advance_rounds: Strand,
    /// For strand S, after that: to the next blocks.
    pub(super) advance: Strand,
    /// After the rounds of the last blocks.
    pub(super) end: Strand,
}

/// The schedule of the first blocks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum First {
    /// Merged with rounds that have no meaning.
    #[default]
    Merged,
    /// In code of its own: for calls of few passes with long rounds.
    Alone,
}

/// The rounds of the last blocks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Last {
    /// In code of their own.
    #[default]
    Alone,
    /// Merged with a schedule that has no meaning: a pass of the loop with rdx = 0, whose strand S must find
    /// blocks that it may read.
    Merged,
}

/// Loop of schedule and rounds merged; rounds of the last blocks.
pub(super) fn pipeline(
    parts: &Pipeline,
    merge: &dyn Fn(&[Instruction], &[Instruction]) -> Strand,
) -> Result<Strand, String> {
    assert!(parts.last == Last::Alone || parts.first == First::Merged && parts.rounds.len() == 1);
    let both = merge(&parts.schedule, &parts.rounds.concat());
    check_buffer(&both)?;
    let mut out = parts.arguments.clone();
    code! { out; "mov {FILLED},rcx"; "lea {USED},[rcx+{BUFFER}]"; "add rcx,{RING}"; }
    out.extend_from_slice(&parts.begin);
    // `ja`, `jbe`: an odd number of blocks goes down to 1, then to -1.
    let (down, more, none) =
        if parts.rounds.len() == 1 { ("dec rdx", "jnz", "jz") } else { ("sub rdx,2", "ja", "jbe") };
    if parts.first == First::Alone {
        out.extend_from_slice(&parts.turn);
        out.extend(allocated(&parts.schedule)?);
        out.extend_from_slice(&parts.advance);
        code! { out; "xchg {FILLED},{USED}"; "{down}"; "{none} 4f"; }
    }
    code! { out; ".p2align 6"; "2:"; }
    out.extend_from_slice(&parts.turn);
    out.extend(allocated(&both)?);
    code! { out; "xchg {FILLED},{USED}"; }
    out.extend_from_slice(&parts.advance_rounds);
    out.extend_from_slice(&parts.advance);
    match parts.last {
        Last::Merged => code! { out; "dec rdx"; "jns 2b"; },
        Last::Alone => {
            code! { out; "{down}"; "{more} 2b"; "4:"; }
            out.extend_from_slice(&parts.rounds[0]);
            if let Some(second) = parts.rounds.get(1) {
                code! { out; "test rdx,rdx"; "jnz 5f"; }
                out.extend_from_slice(second);
                code! { out; "5:"; }
            }
        }
    }
    out.extend_from_slice(&parts.end);
    Ok(with_jumps(&out))
}

/// In the first pass, strand R's states are in a part of the buffer in use that strand S does not fill; from
/// the second one on, at rbx.
pub(super) fn states_of_the_caller() -> [Strand; 2] {
    let (mut begin, mut advance_rounds) = (Strand::new(), Strand::new());
    code! { begin; "mov rbx,{STATES}"; "lea {STATES},[{USED}+1024]"; }
    code! { advance_rounds; "mov {STATES},rbx"; }
    [begin, advance_rounds]
}

/// Strand S with its registers.
pub(super) fn allocated(schedule: &Strand) -> Result<Strand, String> {
    allocate(schedule, &POOL)
}

/// No instruction reads the buffer in use after it has been overwritten.
fn check_buffer(strand: &Strand) -> Result<(), String> {
    let mut written = HashSet::new();
    for instruction in strand {
        let text = instruction.to_string();
        let behind = text.split_once(&format!("[{USED}+")).and_then(|(_, behind)| behind.split_once(']'));
        let Some((offset, _)) = behind else { continue };
        let at: usize = offset.parse().map_err(|_| format!("where in the buffer is {text}?"))?;
        if instruction.stores() {
            written.extend(at..at + 32);
        } else if (at..at + 8).any(|byte| written.contains(&byte)) {
            return Err(format!("overwritten before {text}"));
        }
    }
    Ok(())
}

// ---- Where blocks lie ----

/// The source of 64 bytes of a lane.
pub(super) struct Source {
    /// The instructions to be executed first.
    pub(super) code: Strand,
    pub(super) base: String,
    pub(super) offset: usize,
}

/// The block of `lane` in a row of pointers.
pub(super) fn pointer(row: &str, lane: usize, offset: &str) -> Source {
    Source {
        code: vec![format!("mov r8,[{row}+{}]", 8 * lane).into()],
        base: format!("r8+{offset}"),
        offset: 0,
    }
}

/// Word by word: rax = constants, rsi = the first row, r8, r10, r11, r12 = one, 3, 5, 7 times the bytes from
/// a row to the next. rsi comes in as a pointer to the first row and these bytes.
pub(super) fn rows() -> Strand {
    let mut code = Strand::new();
    code! { code;
        "mov rax,r8";
        "mov r8,[rsi+8]";
        "mov rsi,[rsi]";
        "lea r10,[r8+2*r8]";
        "lea r11,[r8+4*r8]";
        "lea r12,[r10+4*r8]";
    }
    code
}

/// Row `t` of a block whose rows 0 and 8 are there.
pub(super) fn row(zero_and_eight: [&str; 2], t: usize) -> String {
    let row = ["", "+r8", "+2*r8", "+r10", "+4*r8", "+r11", "+2*r10", "+r12"][t % 8];
    format!("{}{row}", zero_and_eight[t / 8])
}

// ---- Strand S ----

/// W\[`t`\] of eight lanes in the ring, or what follows `byte` bytes into it.
pub(super) fn ring(eight: usize, t: usize, byte: usize) -> String {
    format!("[rcx+{}]", 512 * eight + 32 * (t % 16) + byte)
}

/// A half of a block.
#[derive(Clone, Copy)]
pub(super) enum Words {
    /// 0..8
    First = 0,
    /// 8..16
    Second = 8,
}

/// Loads half the block of eight lanes: stores K + W, transposes, stores W to the ring.
pub(super) fn load(eight: usize, words: Words, source: &dyn Fn(usize) -> Source) -> Strand {
    let mut out = Strand::new();
    let first = words as usize;
    let mut r = vec![];
    for lane in 0..8 {
        let [a, b, kw] = fresh_many();
        let Source { code, base, offset } = source(8 * eight + lane);
        out.extend(code);
        code! { out;
            "vmovdqu32 {a},[{base}+{}]", offset + 4 * first;
            "vpshufb {b},{a},[rax+{SWAP}]";
            "vpaddd {kw},{b},[rax+{}]", 4 * first;
            "vmovdqa32 [{FILLED}+{}],{kw}", 2048 * eight + 64 * lane + 4 * first;
        }
        r.push(b);
    }
    let mut exchange = |out: &mut Strand, [low, high]: [&str; 2], i: usize, j: usize, [x, y]: [&str; 2]| {
        let [low_half, high_half] = fresh_many();
        code! { out; "{low} {low_half},{},{}{x}", r[i], r[j]; "{high} {high_half},{},{}{y}", r[i], r[j]; }
        (r[i], r[j]) = (low_half, high_half);
        [low_half, high_half]
    };
    for i in [0, 2, 4, 6] {
        exchange(&mut out, ["vpunpckldq", "vpunpckhdq"], i, i + 1, ["", ""]);
    }
    for i in [0, 1, 4, 5] {
        exchange(&mut out, ["vpunpcklqdq", "vpunpckhqdq"], i, i + 2, ["", ""]);
    }
    for (j, word) in [(0, 0), (2, 1), (1, 2), (3, 3)] {
        let [low, high] = exchange(&mut out, ["vshufi32x4"; 2], j, j + 4, [",0", ",3"]);
        code! { out;
            "vmovdqa32 {},{low}", ring(eight, first + word, 0);
            "vmovdqa32 {},{high}", ring(eight, first + 4 + word, 0);
        }
    }
    out
}

/// Both halves of [`load`] for words side by side: word t of eight lanes is contiguous and `load_row(t,
/// register)` loads it. Needs no transposition, and K + W are in pairs from the start.
pub(super) fn load_lanes(buffer: &str, eight: usize, load_row: &dyn Fn(usize, Register) -> Strand) -> Strand {
    let mut out = Strand::new();
    let mut even = None;
    for t in 0..16 {
        let [a, b, kw] = fresh_many();
        out.extend(load_row(t, a));
        code! { out;
            "vpshufb {b},{a},[rax+{SWAP}]";
            "vpaddd {kw},{b},{}", k_in_all(8, t);
            "vmovdqa32 {},{b}", ring(eight, t, 0);
        }
        match even.take() {
            None => even = Some(kw),
            Some(even) => out.extend(store_pair(buffer, eight, t / 2, even, kw)),
        }
    }
    out
}

/// Stores K + W of words 2j and 2j + 1.
pub(super) fn store_pair(buffer: &str, eight: usize, j: usize, even: Register, odd: Register) -> Strand {
    let [x, y] = fresh_many();
    let at = 2048 * eight + 64 * j;
    let mut out = Strand::new();
    code! { out;
        "vpunpckldq {x},{even},{odd}";
        "vpunpckhdq {y},{even},{odd}";
        "vmovdqa32 [{buffer}+{at}],{x}";
        "vmovdqa32 [{buffer}+{}],{y}", at + 32;
    }
    out
}

/// How the three parts of a small sigma are joined. vpternlogd is one instruction, but disturbs `sha256rnds2`
/// more than two vpxord do; measured best is one of each: vpternlogd in sigma 0, vpxord in sigma 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Xor3 {
    Ternlog,
    Xor,
}

/// A small sigma of `x`: rotations by `counts[0]` and `counts[1]`, shift by `counts[2]`; where it joins them,
/// `join` stands for what comes between (an instruction that does not depend on them).
pub(super) fn sigma(x: Register, counts: [u32; 3], how: Xor3, join: Strand) -> (Strand, Register) {
    let [a, b, c] = fresh_many();
    let mut out = Strand::new();
    code! { out;
        "vprord {a},{x},{}", counts[0];
        "vprord {b},{x},{}", counts[1];
        "vpsrld {c},{x},{}", counts[2];
    }
    out.extend(join);
    match how {
        Xor3::Ternlog => code! { out; "vpternlogd {a},{b},{c},0x96"; },
        Xor3::Xor => code! { out; "vpxord {a},{a},{b}"; "vpxord {a},{a},{c}"; },
    }
    (out, a)
}

/// Rotations and shift of small sigma 0 and 1: FIPS 180-4 section 4.1.2.
pub(super) const SIGMA0: [u32; 3] = [7, 18, 3];
pub(super) const SIGMA1: [u32; 3] = [17, 19, 10];

/// The order in which [`expand`] writes the instructions of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Only W\[t - 2\] makes W\[t\] wait, so the rest of W\[t + 1\] is computed alongside it.
    Pipelined,
    /// One after the other, for a merge that moves things anyway.
    OneByOne,
}

/// Words 16..64.
pub(super) fn expand(eight: usize, how: [Xor3; 2], order: Order) -> Strand {
    // W[t] where it is the newest word, and as it comes back from the ring.
    let (newest, reloaded): ([Register; 64], [Register; 64]) = (fresh_many(), fresh_many());
    let (partial, kw): ([Register; 64], [Register; 64]) = (fresh_many(), fresh_many());
    let reload = |t: usize, to: &[Register]| {
        let mut out = Strand::new();
        code! { out; "vmovdqa32 {},{}", to[t], ring(eight, t, 0); }
        out
    };
    // W[t-16] + W[t-7] + sigma0(W[t-15])
    let front = |t: usize| {
        let mut add = Strand::new();
        code! { add; "vpaddd {},{},{}", partial[t], reloaded[t - 16], ring(eight, t - 7, 0); }
        let (mut out, sigma0) = sigma(reloaded[t - 15], SIGMA0, how[0], add);
        code! { out; "vpaddd {},{},{sigma0}", partial[t], partial[t]; }
        out
    };
    // … + sigma1(W[t-2])
    let back = |t: usize| {
        let (mut out, sigma1) = sigma(newest[t - 2], SIGMA1, how[1], vec![]);
        code! { out; "vpaddd {},{},{sigma1}", newest[t], partial[t]; }
        out
    };
    let finish = |t: usize| {
        let mut out = Strand::new();
        if t < 62 {
            code! { out; "vmovdqa32 {},{}", ring(eight, t, 0), newest[t]; }
        }
        code! { out; "vpaddd {},{},{}", kw[t], newest[t], k_in_all(8, t); }
        out
    };
    let pair = |t: usize| store_pair(FILLED, eight, t / 2, kw[t - 1], kw[t]);

    let mut out = Strand::new();
    for t in [14, 15] {
        out.extend(reload(t, &newest));
    }
    for t in [0, 1, 2] {
        out.extend(reload(t, &reloaded));
    }
    out.extend(front(16));
    for t in 16..64 {
        let critical = back(t);
        let ahead = if t < 63 { front(t + 1) } else { vec![] };
        let mut rest = if t < 62 { reload(t - 13, &reloaded) } else { vec![] };
        if t > 16 {
            rest.extend(finish(t - 1));
        }
        if t > 18 && t % 2 == 1 {
            rest.extend(pair(t - 2));
        }
        match order {
            Order::Pipelined => out.extend(spread(&[&spread(&[&critical, &ahead]), &rest])),
            Order::OneByOne => [critical, ahead, rest].into_iter().for_each(|part| out.extend(part)),
        }
    }
    [finish(63), pair(61), pair(63)].into_iter().for_each(|part| out.extend(part));
    out
}

// ---- Strand R ----

/// The layout of words 0..16 of K + W in a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstWords {
    /// Each block's in order.
    InOrder,
    /// The layout of the other words.
    InPairs,
}

/// K + W of words 2j, 2j + 1 of a lane.
pub(super) fn kw(lane: usize, j: usize, first: FirstWords) -> String {
    let (eight, lane) = (lane / 8, lane % 8);
    let at = if j < 8 && first == FirstWords::InOrder {
        64 * lane + 8 * j
    } else {
        64 * j + 32 * (lane % 4 / 2) + 16 * (lane / 4) + 8 * (lane % 2)
    };
    format!("qword ptr [{USED}+{}]", 2048 * eight + at)
}

/// A chain: the two registers that `sha256rnds2` keeps a state in.
#[derive(Clone)]
pub(super) struct Chain {
    /// A highest, F lowest.
    pub(super) abef: String,
    pub(super) cdgh: String,
}

/// The `k`-th chain of a group.
pub(super) fn chain(k: usize) -> Chain {
    Chain { abef: format!("xmm{}", 2 * k + 1), cdgh: format!("xmm{}", 2 * k + 2) }
}

impl Chain {
    /// Rounds 2j and 2j + 1, K + W in xmm0; the instruction swaps the roles of its operands.
    pub(super) fn two_rounds(&self, j: usize) -> Instruction {
        let (to, from) =
            if j.is_multiple_of(2) { (&self.cdgh, &self.abef) } else { (&self.abef, &self.cdgh) };
        format!("sha256rnds2 {to},{from}").into()
    }
    /// Loads a message's state.
    pub(super) fn begin(&self, states: &str, message: usize) -> Strand {
        let at = 32 * message;
        let mut out = Strand::new();
        code! { out; "vmovdqu {},[{states}+{at}]", self.abef; "vmovdqu {},[{states}+{}]", self.cdgh, at + 16; }
        out
    }
    /// Adds the initial state, and stores the result.
    pub(super) fn finish(&self, states: &str, message: usize) -> Strand {
        let at = 32 * message;
        let mut out = Strand::new();
        code! { out;
            "paddd {},[{states}+{at}]", self.abef;
            "paddd {},[{states}+{}]", self.cdgh, at + 16;
            "vmovdqu [{states}+{at}],{}", self.abef;
            "vmovdqu [{states}+{}],{}", at + 16, self.cdgh;
        }
        out
    }
}

/// The place of states from block to block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StatesIn {
    /// Only in memory.
    Memory,
    /// Also in the registers of the chain with the lane's number.
    Registers,
}

/// The rounds of all groups' `block`-th blocks; a group's chains begin and end together. The states are at
/// `states`.
pub(super) fn rounds(
    groups: &[Group],
    block: usize,
    first: FirstWords,
    states: &str,
    place: StatesIn,
) -> Strand {
    let mut out = Strand::new();
    for group in groups {
        if block == 0 && place == StatesIn::Memory {
            for (k, (message, _)) in group.iter().enumerate() {
                out.extend(chain(k).begin(states, *message));
            }
        }
        for j in 0..32 {
            for (k, (_, lanes)) in group.iter().enumerate() {
                code! { out; "vmovq xmm0,{}", kw(lanes[block], j, first); }
                out.push(chain(k).two_rounds(j));
            }
        }
        for (k, (message, _)) in group.iter().enumerate() {
            out.extend(chain(k).finish(states, *message));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_overwritten_values_is_an_error() {
        let [a] = fresh_many();
        let (store, load) =
            (format!("vmovdqa32 [{USED}+64],{a}"), format!("vmovq xmm0,{}", kw(1, 3, FirstWords::InOrder)));
        let (store, load) = (Instruction::from(store), Instruction::from(load));
        assert_eq!(load.to_string(), format!("vmovq xmm0,qword ptr [{USED}+88]"));
        check_buffer(&vec![load.clone(), store.clone()]).unwrap();
        assert!(check_buffer(&vec![store, load]).unwrap_err().starts_with("overwritten before vmovq"));
    }
}
