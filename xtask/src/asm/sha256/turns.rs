//! `split-x8`, `split-x4`: split kernels that carry out a list of turns in one call.
//!
//! A turn is D places in messages, D states and a number of blocks (D = 16, 8, 4 lanes). A message schedule
//! does not depend on states, so strand S goes from turn to turn without a pause: it computes the schedule of
//! the next turn's first block while the rounds of this turn's last block run. Strand R is one block later,
//! and has a turn of its own.
//!
//! ```text
//! turn        | D pointers to blocks | D pointers to states | number of blocks; bit 32: continues |
//! strand S    turn and offset of its block, blocks left in that turn
//! strand R    its turn, none in the first pass; where that differs from S's, R's next block begins another
//!             turn: store the states of R's turn, load those of S's turn
//! ```
//!
//! From block to block, states stay in the order of the SHA instructions: in scratch memory (8 and 16 lanes),
//! in registers (4). They are turned into a..h where a turn's states are stored, and back where they are
//! loaded: two shuffles each way, in [`Turns::store`] and [`Turns::load`] alone.
//!
//! 4 lanes process two consecutive blocks at a time, as in `split.rs`. The second one may belong to the next
//! turn: only the last block of the list can be alone. So states may change between the rounds of the two.
//!
//! 16 lanes are in `split_x16.rs`.

use super::split::{
    Chain, FirstWords, Order, Pipeline, StatesIn, Words, Xor3, after_ring, by_number, by_search, chain,
    expand, groups, load, pipeline, pointer, rounds, scratch, two_blocks_of_four,
};
use crate::asm::strand::{Strand, code};
use crate::asm::turns::{blocks_of_turn, turn_bytes};

/// Lists of turns of a number of lanes.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    lanes: usize,
    /// The offset of the states from rcx.
    states_at: usize,
}

/// Bytes of scratch memory.
pub(super) const fn scratch_bytes(lanes: usize) -> usize {
    scratch(schedules(lanes)) + 32 * lanes
}

/// Schedules side by side: 4 lanes take two blocks each.
const fn schedules(lanes: usize) -> usize {
    if lanes == 4 { 8 } else { lanes }
}

impl Turns {
    pub(super) const fn new(lanes: usize) -> Self {
        Self { lanes, states_at: after_ring(schedules(lanes)) }
    }

    /// Bytes of a turn.
    pub(super) const fn bytes(self) -> usize {
        turn_bytes(self.lanes)
    }
    /// The offset of a turn's number of blocks.
    pub(super) const fn n_blocks(self) -> usize {
        blocks_of_turn(self.lanes)
    }
    /// The base of the states in scratch memory, 32 bytes a lane.
    pub(super) fn states(self) -> String {
        format!("rcx+{}", self.states_at)
    }

    /// rax = constants, rsi = the first turn, rbx = 0, `turn` = 0: strand R has no turn yet.
    pub(super) fn arguments(self, turn: &str) -> Strand {
        let mut out = Strand::new();
        code! { out; "mov rax,r8"; "mov rsi,rdi"; "xor ebx,ebx"; "mov {turn},rbx"; }
        out
    }

    /// Loads a turn's states.
    pub(super) fn load(self, turn: &str, pointer: &str, place: StatesIn) -> Strand {
        let mut out = Strand::new();
        for lane in 0..self.lanes {
            let Chain { abef, cdgh } = self.chain(lane, place);
            let at = 32 * lane;
            code! { out;
                "mov {pointer},[{turn}+{}]", 8 * (self.lanes + lane);
                "vmovdqu {cdgh},[{pointer}+16]";
                "vshufps {abef},{cdgh},[{pointer}],{FIRST}";
                "vshufps {cdgh},{cdgh},[{pointer}],{LAST}";
                "vmovdqa [{}+{at}],{abef}", self.states();
                "vmovdqa [{}+{}],{cdgh}", self.states(), at + 16;
            }
        }
        out
    }

    /// Stores a turn's states. Registers that hold states lose them.
    pub(super) fn store(self, turn: &str, pointer: &str, place: StatesIn) -> Strand {
        let mut out = Strand::new();
        for lane in 0..self.lanes {
            let chain = self.chain(lane, place);
            if place == StatesIn::Memory {
                out.extend(chain.begin(&self.states(), lane));
            }
            let Chain { abef, cdgh } = chain;
            code! { out;
                "mov {pointer},[{turn}+{}]", 8 * (self.lanes + lane);
                "vshufps xmm0,{abef},{cdgh},{LAST}";
                "vshufps {abef},{abef},{cdgh},{FIRST}";
                "vmovdqu [{pointer}],xmm0";
                "vmovdqu [{pointer}+16],{abef}";
            }
        }
        out
    }

    /// Goes from `turn`, which may be none (0), to `next`, unless they are the same: stores all states, then
    /// loads all, since a lane of `next` may have the state of another lane.
    pub(super) fn exchange(self, turn: &str, next: &str, pointer: &str, place: StatesIn) -> Strand {
        let mut out = Strand::new();
        code! { out;
            "cmp {turn},{next}";
            "je 6f";
            "test {turn},{turn}";
            "jz 7f";
            "test byte ptr [{next}+{}],1", self.n_blocks() + 4;
            "jnz 6f";
        }
        out.extend(self.store(turn, pointer, place));
        code! { out; "7:"; }
        out.extend(self.load(next, pointer, place));
        code! { out; "6:"; "mov {turn},{next}"; }
        out
    }

    /// Registers for a lane's state.
    fn chain(self, lane: usize, place: StatesIn) -> Chain {
        match place {
            StatesIn::Memory => chain(lane % 4),
            StatesIn::Registers => chain(lane),
        }
    }
}

// `vshufps x,y,z,n` takes two words of y and two of z. a b c d and e f g h stand in memory, lowest word
// first, as do F E B A and H G D C in registers: one of these picks makes each of the four from two others.
/// Words 1 and 0 of both: f e b a of efgh and abcd, e f g h of feba and hgdc.
pub(super) const FIRST: &str = "0x11";
/// Words 3 and 2 of both: h g d c of efgh and abcd, a b c d of feba and hgdc.
pub(super) const LAST: &str = "0xbb";

/// 8 lanes. rsi = the turn of the current block, rbx = offset from each of its pointers, r10d = blocks of the
/// turn from the current one on; 0: all. rdi = the turn of the block whose rounds run.
pub(super) fn x8() -> Result<Strand, String> {
    const TURNS: Turns = Turns::new(8);
    let mut arguments = TURNS.arguments("rdi");
    code! { arguments; "xor r10d,r10d"; }
    let mut turn = Strand::new();
    code! { turn; "test r10d,r10d"; "cmovz r10d,[rsi+{}]", TURNS.n_blocks(); }
    let mut schedule = load(0, Words::First, &|lane| pointer("rsi", lane, "rbx"));
    schedule.extend(load(0, Words::Second, &|lane| pointer("rsi", lane, "rbx")));
    schedule.extend(expand(0, [Xor3::Ternlog, Xor3::Xor], Order::Pipelined));
    let mut advance = Strand::new();
    code! { advance;
        "lea r11,[rsi+{}]", TURNS.bytes();
        "xor r8d,r8d";
        "add rbx,64";
        "dec r10d";
        "cmovz rsi,r11";
        "cmovz rbx,r8";
    }
    let parts = Pipeline {
        arguments,
        turn,
        schedule,
        rounds: vec![rounds(&groups(8), 0, FirstWords::InOrder, &TURNS.states(), StatesIn::Memory)],
        advance_rounds: TURNS.exchange("rdi", "rsi", "r8", StatesIn::Memory),
        advance,
        end: TURNS.store("rdi", "r8", StatesIn::Memory),
        ..Pipeline::default()
    };
    pipeline(&parts, &by_number)
}

/// 4 lanes, two blocks at a time. rsi, rbx, r10d = turn, offset and blocks left of the first one, as [`x8`]
/// has them; r12, r13 = turn and offset of the second one. rdi, r11 = the turns of the two blocks whose
/// rounds run.
pub(super) fn x4() -> Result<Strand, String> {
    const TURNS: Turns = Turns::new(4);
    let mut arguments = TURNS.arguments("rdi");
    code! { arguments; "xor r10d,r10d"; "xor r11d,r11d"; }
    // r14 and r15 = the next turn and its offset 0, for the step to the next block.
    let step = |to: [&str; 2], from: [&str; 2]| {
        let mut out = Strand::new();
        code! { out;
            "lea r14,[{}+{}]", from[0], TURNS.bytes();
            "xor r15d,r15d";
            "mov {},{}", to[0], from[0];
            "lea {},[{}+64]", to[1], from[1];
            "dec r10d";
            "cmovz {},r14", to[0];
            "cmovz {},r15", to[1];
        }
        out
    };
    let mut turn = Strand::new();
    code! { turn; "test r10d,r10d"; "cmovz r10d,[rsi+{}]", TURNS.n_blocks(); }
    turn.extend(step(["r12", "r13"], ["rsi", "rbx"]));
    code! { turn;
        "cmp rdx,1";
        "cmove r12,rsi";
        "cmove r13,rbx";
        "test r10d,r10d";
        "cmovz r10d,[r12+{}]", TURNS.n_blocks();
    }
    let source = |lane| if lane < 4 { pointer("rsi", lane, "rbx") } else { pointer("r12", lane - 4, "r13") };
    let mut schedule = load(0, Words::First, &source);
    schedule.extend(load(0, Words::Second, &source));
    schedule.extend(expand(0, [Xor3::Xor, Xor3::Xor], Order::OneByOne));
    let [first, second] = two_blocks_of_four(FirstWords::InOrder, &TURNS.states(), StatesIn::Registers);
    let exchange = |next| TURNS.exchange("rdi", next, "r14", StatesIn::Registers);
    let mut advance_rounds = exchange("rsi");
    code! { advance_rounds; "mov r11,r12"; }
    let parts = Pipeline {
        arguments,
        turn,
        schedule,
        rounds: vec![first, [exchange("r11"), second].concat()],
        advance_rounds,
        advance: step(["rsi", "rbx"], ["r12", "r13"]),
        end: TURNS.store("rdi", "r14", StatesIn::Registers),
        ..Pipeline::default()
    };
    pipeline(&parts, &by_search)
}
