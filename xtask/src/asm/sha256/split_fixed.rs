//! Split kernels for messages of one block each: digests of short messages of one length, continuations.
//!
//! Like `split.rs` (read that first), with these differences:
//!
//! 1. Messages lie one after another, 64 or 32 bytes each; a turn takes one of every lane.
//! 2. A state begins where the caller says, in a table of a turn's states, which advances or not (one
//!    midstate for all). It ends in the caller's memory, in natural order, through a byte shuffle that the
//!    caller chooses: words as they are (states), or big-endian (digests).
//! 3. A second block that all messages share (padding) needs no schedule: its K + W are a table of the
//!    caller's, and its rounds follow those of the first block.
//! 4. Words 8..16 of a 32-byte message are padding. Their contribution to the schedule is the same for all
//!    messages: it is one addition where it is not zero, and `sha256rnds2` reads their K + W from a table of
//!    the caller. The length is a parameter, because it is not always that of the message alone.
//!
//! One call takes many turns, since one turn's rounds run alongside the next one's schedule: alone, a turn of
//! 16 takes about 62 instead of 43 cycles per block. Measured on Zen 4: 71.8 cycles per message of 64 bytes
//! (64 `sha256rnds2`), 42.5 of 32.
//!
//! 16 lanes of whole blocks are `x16`, whose input phase is hidden; the others are `kernel`.

use super::arguments::k_in_all;
use super::split::{
    Chain, FILLED, First, FirstWords, Last, Pipeline, SIGMA0, SIGMA1, Source, USED, Words, Xor3, after_ring,
    by_number, chain, groups, kw, load, pipeline, ring, scratch, sigma, store_pair,
};
use super::split_x16::{self, BY_POINTERS, Block, Form};
use crate::asm::fixed::{CONSTANT, Message, PADDING, SHUFFLE, START, START_STEP};
use crate::asm::sha2::SHA256;
use crate::asm::strand::{Register, Strand, code, fresh};

/// The offset of the contribution of half a block's padding to words 16..32, in the parameters.
const FOLDED: usize = 64;

/// Bytes of scratch memory; states that wait for the constant block are at its end.
pub(super) const fn scratch_bytes(lanes: usize, message: Message) -> usize {
    scratch(lanes) + if matches!(message, Message::BlockAndConstant) { 32 * lanes } else { 0 }
}

/// rax = constants, r10 = parameters, r11 = a turn's first states, r12 = their step.
fn arguments() -> Strand {
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r10,r9";
        "mov r11,[r10+{START}]";
        "mov r12,[r10+{START_STEP}]";
    }
    out
}

// ---- Kernels of whole blocks, 16 lanes ----

/// A block of each of 16 messages a turn: strand S and the rounds of the block as in `split_x16.rs`. rsi and
/// r14 = this turn's and the next one's messages, rdi = the results of the rounds that run, rbx and r13 = the
/// results and first states of the turn whose schedules are computed.
///
/// The rounds of a constant block follow alone: they have no schedule, and take the one cycle for each
/// `sha256rnds2` that there must be.
pub(super) fn x16(message: Message) -> Result<Strand, String> {
    const TURN: usize = 16 * 64;
    let mut next_block = Strand::new();
    code! { next_block; "lea r14,[rsi+{TURN}]"; "cmp rdx,1"; "cmovbe r14,rsi"; }
    let mut advance = Strand::new();
    code! { advance; "mov rsi,r14"; }
    let mut begin = Strand::new();
    code! { begin; "mov r13,r11"; "mov rbx,rdi"; }
    let mut advance_rounds = Strand::new();
    let then_constant = message == Message::BlockAndConstant;
    if then_constant {
        // Not in the first pass, whose rounds have no meaning.
        code! { begin; "xor r15d,r15d"; }
        code! { advance_rounds; "test r15d,r15d"; "jz 6f"; }
        advance_rounds.extend(constant_rounds());
        code! { advance_rounds; "add rdi,{}", 16 * 32; "6:"; "mov r15d,1"; }
    } else {
        // The first pass writes what its rounds make to a part of the buffer in use that strand S does not
        // fill.
        code! { begin; "lea rdi,[{USED}+1024]"; }
        code! { advance_rounds; "mov rdi,rbx"; "add rbx,{}", 16 * 32; }
    }
    code! { advance_rounds; "mov r11,r13"; "add r13,r12"; }
    let input = |buffer: &str, half: usize, block: Block| {
        let base = match block {
            Block::Current => "rsi",
            Block::Next => "r14",
        };
        split_x16::input(buffer, half, &mut |lane| (vec![], format!("{base}+{}", 64 * lane)))
    };
    let finish = |chain: &Chain, lane: usize| {
        let mut out = add(chain, "r11", 32 * lane);
        out.extend(if then_constant { keep(chain, kept(lane)) } else { store(chain, lane) });
        out
    };
    split_x16::kernel(&Form {
        arguments: arguments(),
        next_block,
        advance,
        input: &input,
        order: &BY_POINTERS,
        first: FirstWords::InOrder,
        chain_ends: [&|chain, lane| begin_at(chain, "r11", 32 * lane), &finish],
        begin,
        advance_rounds,
        last: Last::Merged,
        end: vec![],
    })
}

/// The rounds of the block that all 16 messages share.
fn constant_rounds() -> Strand {
    let firsts: Vec<usize> = groups(16).iter().map(|group| group[0].0).collect();
    // Each group needs K + W once; where another group ends, xmm0 is used in between.
    let fetch = |lane: usize, j: usize| {
        let mut out = Strand::new();
        if j == 0 || firsts.contains(&lane) {
            code! { out; "vmovq xmm0,qword ptr [r10+{}]", CONSTANT + 8 * j; }
        }
        out
    };
    let finish = |chain: &Chain, lane: usize| [add(chain, "rcx", kept(lane)), store(chain, lane)].concat();
    split_x16::rounds(&fetch, [&|chain, lane| begin_at(chain, "rcx", kept(lane)), &finish])
}

/// The place of a lane's state until the constant block's rounds.
fn kept(lane: usize) -> usize {
    after_ring(16) + 32 * lane
}

// ---- A chain's ends ----

/// Loads a state.
fn begin_at(Chain { abef, cdgh }: &Chain, base: &str, at: usize) -> Strand {
    let mut out = Strand::new();
    code! { out; "vmovdqa {abef},[{base}+{at}]"; "vmovdqa {cdgh},[{base}+{}]", at + 16; }
    out
}

/// Adds the state that the rounds began with.
fn add(Chain { abef, cdgh }: &Chain, base: &str, at: usize) -> Strand {
    let mut out = Strand::new();
    code! { out; "paddd {abef},[{base}+{at}]"; "paddd {cdgh},[{base}+{}]", at + 16; }
    out
}

/// Stores the state in scratch memory, for the constant block's rounds.
fn keep(Chain { abef, cdgh }: &Chain, at: usize) -> Strand {
    let mut out = Strand::new();
    code! { out; "vmovdqa [rcx+{at}],{abef}"; "vmovdqa [rcx+{}],{cdgh}", at + 16; }
    out
}

/// Stores a result.
fn store(Chain { abef, cdgh }: &Chain, lane: usize) -> Strand {
    let mut out = Strand::new();
    code! { out;
        "vpshufb {abef},{abef},[r10+{SHUFFLE}]";
        "vpshufb {cdgh},{cdgh},[r10+{SHUFFLE}]";
        "vpunpcklqdq xmm0,{abef},{cdgh}";
        "vpunpckhqdq {abef},{abef},{cdgh}";
        "vmovdqu [rdi+{}],xmm0", 32 * lane;
        "vmovdqu [rdi+{}],{abef}", 32 * lane + 16;
    }
    out
}

// ---- Other kernels ----

/// `lanes` messages a turn.
pub(super) fn kernel(lanes: usize, message: Message) -> Result<Strand, String> {
    let arguments = arguments();
    let mut schedule = Strand::new();
    for eight in 0..lanes / 8 {
        let source =
            |lane| Source { code: vec![], base: "rsi".to_owned(), offset: message.bytes(&SHA256) * lane };
        schedule.extend(load(eight, Words::First, &source));
        if message != Message::Half {
            schedule.extend(load(eight, Words::Second, &source));
        }
        schedule.extend(expand(eight, message));
    }
    let (mut advance, mut advance_rounds) = (Strand::new(), Strand::new());
    code! { advance; "add rsi,{}", message.bytes(&SHA256) * lanes; }
    code! { advance_rounds; "add rdi,{}", 32 * lanes; "add r11,r12"; }
    let rounds = vec![rounds(lanes, message)];
    let first = First::Alone;
    let parts =
        Pipeline { arguments, first, schedule, rounds, advance, advance_rounds, ..Pipeline::default() };
    pipeline(&parts, &by_number)
}

/// Words that are the same for all messages.
fn is_constant(t: usize, message: Message) -> bool {
    message == Message::Half && (8..16).contains(&t)
}

/// Whether such words bring anything to word t: 8 is 0x80000000, 15 the length, those between are zero.
fn is_folded(t: usize, message: Message) -> bool {
    let brings = |t| is_constant(t, message) && (t == 8 || t == 15);
    [16, 15, 7, 2].into_iter().any(|back| brings(t - back))
}

/// A sum in the making.
struct Sum(Option<Register>);

impl Sum {
    fn add(&mut self, out: &mut Strand, term: Register) {
        match self.0 {
            None => self.0 = Some(term),
            Some(_) => self.add_operand(out, &term.to_string()),
        }
    }
    /// Adds a register or memory operand to what is there.
    fn add_operand(&mut self, out: &mut Strand, term: &str) {
        let (sum, so_far) = (fresh(), self.0.expect("has a term"));
        code! { out; "vpaddd {sum},{so_far},{term}"; }
        self.0 = Some(sum);
    }
}

/// Words 16..64.
fn expand(eight: usize, message: Message) -> Strand {
    let mut out = Strand::new();
    // The last two words; all are in the ring.
    let mut newest: [Option<Register>; 2] = [None; 2];
    // The place of W[t-15], which is W[t-16] for the next t.
    let mut before = None;
    let mut even = None;
    for t in 16..64 {
        let load = |out: &mut Strand, t: usize| {
            let r = fresh();
            code! { out; "vmovdqa32 {r},{}", ring(eight, t, 0); }
            r
        };
        let mut sum = Sum(None);
        if !is_constant(t - 16, message) {
            let w16 = before.unwrap_or_else(|| load(&mut out, t - 16));
            sum.add(&mut out, w16);
        }
        before = None;
        if !is_constant(t - 15, message) {
            let w15 = load(&mut out, t - 15);
            before = Some(w15);
            let (code, sigma0) = sigma(w15, SIGMA0, Xor3::Ternlog, vec![]);
            out.extend(code);
            sum.add(&mut out, sigma0);
        }
        if !is_constant(t - 7, message) {
            match sum.0 {
                None => sum.0 = Some(load(&mut out, t - 7)),
                Some(_) => sum.add_operand(&mut out, &ring(eight, t - 7, 0)),
            }
        }
        if !is_constant(t - 2, message) {
            let w2 = newest[t % 2].unwrap_or_else(|| load(&mut out, t - 2));
            let (code, sigma1) = sigma(w2, SIGMA1, Xor3::Xor, vec![]);
            out.extend(code);
            sum.add(&mut out, sigma1);
        }
        if is_folded(t, message) {
            sum.add_operand(&mut out, &format!("dword ptr [r10+{}]{{1to8}}", FOLDED + 4 * (t - 16)));
        }
        let word = sum.0.expect("a word has terms");
        newest[t % 2] = Some(word);
        if t < 62 {
            code! { out; "vmovdqa32 {},{word}", ring(eight, t, 0); }
        }
        let kw = fresh();
        code! { out; "vpaddd {kw},{word},{}", k_in_all(8, t); }
        match even.take() {
            None => even = Some(kw),
            Some(even) => out.extend(store_pair(FILLED, eight, t / 2, even, kw)),
        }
    }
    out
}

/// The rounds of all groups, from the initial states to the results.
fn rounds(lanes: usize, message: Message) -> Strand {
    let mut out = Strand::new();
    for group in groups(lanes) {
        let chains: Vec<(usize, Chain)> =
            group.iter().enumerate().map(|(k, (lane, _))| (*lane, chain(k))).collect();
        let all = |code: &dyn Fn(&Chain, usize) -> Strand| -> Strand {
            chains.iter().flat_map(|(lane, chain)| code(chain, *lane)).collect()
        };
        out.extend(all(&|chain, lane| begin_at(chain, "r11", 32 * lane)));
        for j in 0..32 {
            let shared = is_constant(2 * j, message);
            if shared {
                code! { out; "vmovq xmm0,qword ptr [r10+{}]", PADDING + 8 * (j - 4); }
            }
            for (lane, chain) in &chains {
                if !shared {
                    code! { out; "vmovq xmm0,{}", kw(*lane, j, FirstWords::InOrder); }
                }
                out.push(chain.two_rounds(j));
            }
        }
        out.extend(all(&|chain, lane| add(chain, "r11", 32 * lane)));
        if message == Message::BlockAndConstant {
            let at = |lane: usize| after_ring(lanes) + 32 * lane;
            out.extend(all(&|chain, lane| keep(chain, at(lane))));
            for j in 0..32 {
                code! { out; "vmovq xmm0,qword ptr [r10+{}]", CONSTANT + 8 * j; }
                out.extend(chains.iter().map(|(_, chain)| chain.two_rounds(j)));
            }
            out.extend(all(&|chain, lane| add(chain, "rcx", at(lane))));
        }
        out.extend(all(&store));
    }
    out
}
