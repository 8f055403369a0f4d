//! `avx512-x16-asm`, `zen5-x16`: 16 messages side by side in zmm registers, no SHA-NI.
//!
//! zmm0–7 state, zmm16–31 the last 16 words, zmm8–15 temporaries (4 for the rounds, 4 for the schedule). The
//! schedule of word t + 16 is spread over the instructions of round t. Rounds 48..64 have no schedule: there
//! the next block's words are loaded, four words of all messages at a time, each when its registers are free.
//!
//! `avx512-x16-asm` has the fewest instructions: 1,720 for a block of all messages, which take 860 cycles on
//! two pipes of 512 bits (Redwood Cove: 866).
//!
//! `zen5-x16` is for CPUs whose vector instructions take two cycles, of which four begin in each. There
//! `avx512-x16-asm` waits for its own sums: from one round's e to the next one's it has five instructions,
//! ten cycles, while a round and a word of the schedule are 28 instructions, seven cycles. `zen5-x16` has
//! three instructions there: Σ1's rotation, its xor, and one addition. For that, d + h + K + W + Ch is a sum
//! of its own, two additions more a round. In the same way Σ0 is added last. Zen 5, messages of 9 KiB: 34
//! cycles a block, `avx512-x16-asm` 39.
//!
//! Lists of turns have the form that `turns.rs` describes, and short messages that of `split_fixed.rs`.

use super::arguments::{SWAP, k_in_all};
use super::split_fixed::{CONSTANT, Message, PADDING, SHUFFLE, START, START_STEP};
use super::turns::Turns;
use crate::asm::merge::spread;
use crate::asm::sha2::Sums;
use crate::asm::strand::{Strand, code};

/// Messages.
const LANES: usize = 16;
/// Bytes of scratch memory.
pub(super) const SCRATCH: usize = SAVED + 512;
/// The place of the state before the block. Scratch memory begins at a page, and loads wait for stores of
/// the same 12 bits: with the state at its beginning, nodes took 1.27 times as long where the caller's states
/// were at the beginning of a page.
const SAVED: usize = 1024;

const STATE: [&str; 8] = ["zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7"];
const OF_ROUNDS: [&str; 4] = ["zmm8", "zmm9", "zmm10", "zmm11"];
const OF_SCHEDULE: [&str; 4] = ["zmm12", "zmm13", "zmm14", "zmm15"];
const WORDS: [&str; 16] = [
    "zmm16", "zmm17", "zmm18", "zmm19", "zmm20", "zmm21", "zmm22", "zmm23", "zmm24", "zmm25", "zmm26",
    "zmm27", "zmm28", "zmm29", "zmm30", "zmm31",
];
/// The registers of F E B A H G D C, as a state's words are in memory.
const FEBA: [&str; 8] = ["zmm5", "zmm4", "zmm1", "zmm0", "zmm7", "zmm6", "zmm3", "zmm2"];

// ---- Four words of every message ----

/// The places in memory of 16 bytes of each message.
enum Places<'p> {
    /// At an offset from pointers, which are in a row.
    Pointers { row: String, offset: String },
    /// At a constant distance.
    Apart { first: &'p str, offset: usize, bytes: usize },
}

impl Places<'_> {
    /// The address of a message's, and what is needed before.
    fn of(&self, message: usize) -> (Strand, String) {
        let mut before = Strand::new();
        let place = match self {
            Self::Pointers { row, offset } => {
                code! { before; "mov r8,[{row}+{}]", 8 * message; }
                format!("[r8+{offset}]")
            }
            Self::Apart { first, offset, bytes } => format!("[{first}+{}]", offset + bytes * message),
        };
        (before, place)
    }
}

/// The lowest 128 bits of a register.
fn low(register: &str) -> String {
    register.replace("zmm", "xmm")
}

/// Four registers with four words of four messages each, the first one with those of messages 0, 4, 8, 12.
fn load_rows(places: &Places<'_>, rows: [&str; 4]) -> Strand {
    let mut out = Strand::new();
    for (i, row) in rows.iter().enumerate() {
        for part in 0..4 {
            let (before, place) = places.of(4 * part + i);
            out.extend(before);
            match part {
                0 => code! { out; "vmovdqu {},{place}", low(row); },
                _ => code! { out; "vinserti32x4 {row},{row},{place},{part}"; },
            }
        }
    }
    out
}

/// Writes them.
fn store_rows(places: &Places<'_>, rows: [&str; 4]) -> Strand {
    let mut out = Strand::new();
    for (i, row) in rows.iter().enumerate() {
        for part in 0..4 {
            let (before, place) = places.of(4 * part + i);
            out.extend(before);
            match part {
                0 => code! { out; "vmovdqu {place},{}", low(row); },
                _ => code! { out; "vextracti32x4 {place},{row},{part}"; },
            }
        }
    }
    out
}

/// Makes rows words, a register a word, message m at place m; or the way back. The rows' registers are
/// overwritten.
fn transpose(rows: [&str; 4], words: [&str; 4]) -> Strand {
    let ([r0, r1, r2, r3], [w0, w1, w2, w3]) = (rows, words);
    let mut out = Strand::new();
    code! { out;
        "vpunpckldq {w0},{r0},{r1}";
        "vpunpckhdq {w2},{r0},{r1}";
        "vpunpckldq {r0},{r2},{r3}";
        "vpunpckhdq {r1},{r2},{r3}";
        "vpunpckhqdq {w1},{w0},{r0}";
        "vpunpcklqdq {w0},{w0},{r0}";
        "vpunpckhqdq {w3},{w2},{r1}";
        "vpunpcklqdq {w2},{w2},{r1}";
    }
    out
}

fn four<'r>(registers: &[&'r str], quarter: usize) -> [&'r str; 4] {
    registers[4 * quarter..][..4].try_into().expect("four of them")
}

/// Loads the states at two places, of the first and the last four words. `order`: their registers.
fn load_states(places: [&Places<'_>; 2], order: [&str; 8]) -> Strand {
    let half = |half: usize| {
        let mut out = load_rows(places[half], OF_SCHEDULE);
        out.extend(transpose(OF_SCHEDULE, four(&order, half)));
        out
    };
    [half(0), half(1)].concat()
}

/// Four words of every message as the schedule takes them.
fn load_words(places: &Places<'_>, quarter: usize) -> [Strand; 2] {
    let mut rows = load_rows(places, OF_SCHEDULE);
    for row in OF_SCHEDULE {
        code! { rows; "vpshufb {row},{row},[rax+{SWAP}]"; }
    }
    [rows, transpose(OF_SCHEDULE, four(&WORDS, quarter))]
}

// ---- Rounds ----

/// The registers of a..h in round t.
fn variables(t: usize) -> [&'static str; 8] {
    std::array::from_fn(|i| STATE[(i + 8 - t % 8) % 8])
}

/// A round. `kw`: what is added to h, K and W or their sum.
fn round(sums: Sums, t: usize, kw: &[String]) -> Strand {
    let ([a, b, c, d, e, f, g, h], [x, y, z, u]) = (variables(t), OF_ROUNDS);
    let mut out = Strand::new();
    let [first, others @ ..] = kw else { unreachable!("something is added") };
    code! { out;
        "vpaddd {h},{h},{first}";
        "vprord {x},{e},6";
        "vprord {y},{e},11";
    }
    for other in others {
        code! { out; "vpaddd {h},{h},{other}"; }
    }
    code! { out;
        "vprord {z},{e},25";
        "vmovdqa32 {u},{e}";
        "vpternlogd {u},{f},{g},0xca";
    }
    match sums {
        Sums::Few => code! { out;
            "vpternlogd {x},{y},{z},0x96";
            "vpaddd {h},{h},{u}";
            "vpaddd {h},{h},{x}";
            "vpaddd {d},{d},{h}";
        },
        Sums::Short => code! { out;
            "vpaddd {d},{d},{h}";
            "vpternlogd {x},{y},{z},0x96";
            "vpaddd {d},{d},{u}";
            "vpaddd {h},{h},{u}";
            "vpaddd {d},{d},{x}";
            "vpaddd {h},{h},{x}";
        },
    }
    code! { out;
        "vprord {x},{a},2";
        "vprord {y},{a},13";
        "vprord {z},{a},22";
        "vmovdqa32 {u},{a}";
        "vpternlogd {u},{b},{c},0xe8";
        "vpternlogd {x},{y},{z},0x96";
        "vpaddd {h},{h},{u}";
        "vpaddd {h},{h},{x}";
    }
    out
}

/// A round of the block.
fn round_of_word(sums: Sums, t: usize) -> Strand {
    round(sums, t, &[WORDS[t % 16].to_owned(), k_in_all(LANES, t)])
}

/// W\[t\] in the place of W\[t-16\].
fn next_word(t: usize) -> Strand {
    let [x, y, z, u] = OF_SCHEDULE;
    let [w16, w15, w7, w2] = [16, 15, 7, 2].map(|back| WORDS[(t - back) % 16]);
    let mut out = Strand::new();
    code! { out;
        "vprord {x},{w15},7";
        "vprord {y},{w15},18";
        "vpsrld {z},{w15},3";
        "vpaddd {w16},{w16},{w7}";
        "vpternlogd {x},{y},{z},0x96";
        "vprord {y},{w2},17";
        "vprord {z},{w2},19";
        "vpsrld {u},{w2},10";
        "vpaddd {w16},{w16},{x}";
        "vpternlogd {y},{z},{u},0x96";
        "vpaddd {w16},{w16},{y}";
    }
    out
}

/// Rounds 0..48, with the schedule.
fn rounds_with_schedule(sums: Sums) -> Strand {
    let mut out = Strand::new();
    for t in 0..48 {
        let round = round_of_word(sums, t);
        // The round reads W[t] first, so that its register is free for W[t+16].
        out.push(round[0].clone());
        out.extend(spread(&[&round[1..], &next_word(t + 16)]));
    }
    out
}

/// Rounds 48..64, with the input of the next block: four rounds a quarter, whose registers are free after
/// them.
fn rounds_with_input(sums: Sums, input: &[[Strand; 2]; 4]) -> Strand {
    let mut out = Strand::new();
    let mut before = Strand::new();
    for (quarter, [rows, transposed]) in input.iter().enumerate() {
        let rounds: Strand =
            (48 + 4 * quarter..52 + 4 * quarter).flat_map(|t| round_of_word(sums, t)).collect();
        out.extend(spread(&[&rounds, &[before, rows.clone()].concat()]));
        before = transposed.clone();
    }
    out.extend(before);
    out
}

fn save_state() -> Strand {
    let mut out = Strand::new();
    for (i, s) in STATE.iter().enumerate() {
        code! { out; "vmovdqa32 [rcx+{}],{s}", SAVED + 64 * i; }
    }
    out
}

fn add_saved_state() -> Strand {
    let mut out = Strand::new();
    for (i, s) in STATE.iter().enumerate() {
        code! { out; "vpaddd {s},{s},[rcx+{}]", SAVED + 64 * i; }
    }
    out
}

/// The first block's words.
fn first_words(input: &[[Strand; 2]; 4]) -> Strand {
    input.iter().flatten().flatten().cloned().collect()
}

// ---- Kernels ----

/// A list of turns. rsi, r9, r10d = turn, offset and blocks left of the block whose words are loaded; rdi =
/// the turn of the block whose rounds run. r11d: whether the next block begins a turn.
pub(super) fn turns(sums: Sums) -> Strand {
    const TURNS: Turns = Turns::new(LANES);
    let at_states =
        |half: usize| Places::Pointers { row: format!("rdi+{}", 8 * LANES), offset: (16 * half).to_string() };
    let states = [&at_states(0), &at_states(1)];
    let input: [[Strand; 2]; 4] = std::array::from_fn(|quarter| {
        let places = Places::Pointers { row: "rsi".to_owned(), offset: format!("r9+{}", 16 * quarter) };
        load_words(&places, quarter)
    });
    // The state's registers are overwritten.
    let store = |half: usize| {
        let mut out = transpose(four(&STATE, half), OF_ROUNDS);
        out.extend(store_rows(states[half], OF_ROUNDS));
        out
    };
    let store = [store(0), store(1)].concat();

    let mut out = Strand::new();
    code! { out; "mov rax,r8"; "mov rsi,rdi"; "xor r9d,r9d"; "mov r10d,[rsi+{}]", TURNS.n_blocks(); }
    out.extend(first_words(&input));
    code! { out; "jmp 3f"; ".p2align 6"; "2:"; }
    out.extend(save_state());
    out.extend(rounds_with_schedule(sums));
    // After the last block of the list, its words are loaded again.
    code! { out;
        "xor r11d,r11d";
        "cmp rdx,1";
        "je 4f";
        "add r9,64";
        "dec r10d";
        "jnz 4f";
        "add rsi,{}", TURNS.bytes();
        "xor r9d,r9d";
        "mov r10d,[rsi+{}]", TURNS.n_blocks();
        "mov r11d,1";
        "4:";
    }
    out.extend(rounds_with_input(sums, &input));
    out.extend(add_saved_state());
    code! { out;
        "dec rdx";
        "jz 5f";
        "test r11d,r11d";
        "jz 2b";
        "test byte ptr [rsi+{}],1", TURNS.n_blocks() + 4;
        "jnz 6f";
    }
    out.extend(store.clone());
    code! { out; "3:"; "mov rdi,rsi"; }
    out.extend(load_states(states, STATE));
    code! { out; "jmp 2b"; "6:"; "mov rdi,rsi"; "jmp 2b"; "5:"; }
    out.extend(store);
    out
}

/// Messages word by word side by side. r8 = bytes from row to row, r9 = the next row to load, rsi = the first
/// row of the block whose rounds run.
pub(super) fn by_lanes(sums: Sums) -> Strand {
    let at_states = |half: usize| Places::Apart { first: "rdi", offset: 16 * half, bytes: 32 };
    let states = [&at_states(0), &at_states(1)];
    let input: [[Strand; 2]; 4] = std::array::from_fn(|quarter| {
        let mut out = Strand::new();
        for word in four(&WORDS, quarter) {
            code! { out;
                "vmovdqu32 {word},[r9]";
                "add r9,r8";
                "vpshufb {word},{word},[rax+{SWAP}]";
            }
        }
        // Written straight into the words' registers, after the four rounds that need them.
        [Strand::new(), out]
    });
    let mut out = Strand::new();
    code! { out; "mov rax,r8"; "mov r8,[rsi+8]"; "mov rsi,[rsi]"; "mov r9,rsi"; }
    out.extend(first_words(&input));
    out.extend(load_states(states, FEBA));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(save_state());
    out.extend(rounds_with_schedule(sums));
    // After the last block, its words are loaded again.
    code! { out; "cmp rdx,1"; "cmove r9,rsi"; "mov rsi,r9"; }
    out.extend(rounds_with_input(sums, &input));
    out.extend(add_saved_state());
    code! { out; "dec rdx"; "jnz 2b"; }
    for (half, place) in states.into_iter().enumerate() {
        out.extend(transpose(four(&FEBA, half), OF_ROUNDS));
        out.extend(store_rows(place, OF_ROUNDS));
    }
    out
}

/// Short messages of one length. r10 = parameters, r11 and r12 = where states begin and its step.
pub(super) fn fixed(sums: Sums, message: Message) -> Strand {
    let at_states = |half: usize| Places::Apart { first: "r11", offset: 16 * half, bytes: 32 };
    let input: [[Strand; 2]; 4] = std::array::from_fn(|quarter| {
        if message == Message::Half && quarter >= 2 {
            return [Strand::new(), words_of_padding(quarter)];
        }
        let bytes = message.bytes();
        load_words(&Places::Apart { first: "rsi", offset: 16 * quarter, bytes }, quarter)
    });
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r10,r9";
        "mov r11,[r10+{START}]";
        "mov r12,[r10+{START_STEP}]";
    }
    out.extend(first_words(&input));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(load_states([&at_states(0), &at_states(1)], FEBA));
    out.extend(save_state());
    out.extend(rounds_with_schedule(sums));
    // After the last turn, its messages are loaded again.
    code! { out; "lea r8,[rsi+{}]", message.bytes() * LANES; "cmp rdx,1"; "cmovne rsi,r8"; }
    if message == Message::BlockAndConstant {
        out.extend((48..64).flat_map(|t| round_of_word(sums, t)));
        out.extend(add_saved_state());
        out.extend(save_state());
        let kw = |t: usize| vec![format!("dword ptr [r10+{}]{{1to{LANES}}}", CONSTANT + 4 * t)];
        let rounds: Strand = (0..64).flat_map(|t| round(sums, t, &kw(t))).collect();
        out.extend(spread(&[&rounds, &first_words(&input)]));
    } else {
        out.extend(rounds_with_input(sums, &input));
    }
    out.extend(add_saved_state());
    out.extend(store_results());
    code! { out; "add rdi,{}", 32 * LANES; "add r11,r12"; "dec rdx"; "jnz 2b"; }
    out
}

/// Four words of the padding of half a block. The parameters have K + W.
fn words_of_padding(quarter: usize) -> Strand {
    let mut out = Strand::new();
    for (i, word) in four(&WORDS, quarter).iter().enumerate() {
        let t = 4 * quarter + i;
        code! { out;
            "vpbroadcastd {word},dword ptr [r10+{}]", PADDING + 4 * (t - 8);
            "vpsubd {word},{word},{}", k_in_all(LANES, t);
        }
    }
    out
}

/// 32 bytes a message, through the caller's shuffle: that makes words F E B A of rows A B E F, and H G D C of
/// others C D G H.
fn store_results() -> Strand {
    let [abcd, mask, ..] = WORDS_OF_RESULTS;
    let mut out = transpose(four(&FEBA, 0), OF_ROUNDS);
    out.extend(transpose(four(&FEBA, 1), OF_SCHEDULE));
    code! { out; "vbroadcasti32x4 {mask},[r10+{SHUFFLE}]"; }
    for (abef, cdgh) in OF_ROUNDS.iter().zip(OF_SCHEDULE) {
        code! { out;
            "vpshufb {abef},{abef},{mask}";
            "vpshufb {cdgh},{cdgh},{mask}";
            "vpunpcklqdq {abcd},{abef},{cdgh}";
            "vpunpckhqdq {cdgh},{abef},{cdgh}";
            "vmovdqa32 {abef},{abcd}";
        }
    }
    out.extend(store_rows(&Places::Apart { first: "rdi", offset: 0, bytes: 32 }, OF_ROUNDS));
    out.extend(store_rows(&Places::Apart { first: "rdi", offset: 16, bytes: 32 }, OF_SCHEDULE));
    out
}

/// Registers that are free when results are stored: the state's, whose words are in rows.
const WORDS_OF_RESULTS: [&str; 2] = ["zmm0", "zmm1"];
