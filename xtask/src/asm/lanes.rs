//! SHA-2 with a message a lane, by AVX-512 alone: rounds, and the kernels made of them.
//!
//! The schedule of word t + `ahead` is spread over the instructions of round t. The last rounds have no
//! schedule: there the next block's words are loaded, each when its register is free. What then has no free
//! register is loaded alongside the block's own first rounds, which have no schedule either.
//!
//! [`Sums::Few`] has the fewest instructions. [`Sums::Short`] is for Zen 5, whose vector instructions take
//! two cycles, of which four begin in each. There a round with few sums waits for itself: from one round's e
//! to the next one's it has five instructions, ten cycles, while a round and a word of the schedule are 28
//! instructions, seven cycles. With short sums there are three: Σ1's rotation, its xor, and one addition. For
//! that, d + h + K + W + Ch is a sum of its own, two additions more a round. In the same way Σ0 is added
//! last.

use std::ops::Range;

use super::fixed::{CONSTANT, Message, PADDING, START, START_STEP};
use super::merge::spread;
use super::sha2::Sha2;
use super::strand::{Strand, code};
use super::turns::{blocks_of_turn, turn_bytes};

/// How a round adds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sums {
    /// With the fewest additions.
    Few,
    /// So that the next round's e and a wait for few.
    Short,
}

/// Registers by name.
pub(crate) type Names = Vec<String>;

pub(crate) fn registers(prefix: &str, numbers: Range<usize>) -> Names {
    numbers.map(|n| format!("{prefix}{n}")).collect()
}

/// The messages of a kernel and their registers.
pub(crate) struct Lanes {
    pub(crate) sha2: &'static Sha2,
    pub(crate) sums: Sums,
    pub(crate) n: usize,
    pub(crate) state: Names,
    pub(crate) words: Names,
    /// Four of a round.
    pub(crate) of_rounds: Names,
    /// Four of the schedule.
    pub(crate) of_schedule: Names,
    /// The register with the address of K.
    pub(crate) k: &'static str,
}

impl Lanes {
    /// `d` or `q`: the end of instructions' names.
    fn suffix(&self) -> char {
        if self.sha2.word() == 4 { 'd' } else { 'q' }
    }
    /// A word's size, in operands.
    fn size(&self) -> &'static str {
        if self.sha2.word() == 4 { "dword" } else { "qword" }
    }
    pub(crate) fn bits(&self) -> usize {
        8 * self.sha2.word()
    }
    /// A word in memory, in all lanes.
    fn in_all(&self, address: &str) -> String {
        format!("{} ptr [{address}]{{1to{}}}", self.size(), self.n)
    }
    /// K\[t\].
    pub(crate) fn k(&self, t: usize) -> String {
        self.in_all(&format!("{}+{}", self.k, self.sha2.word() * t))
    }

    /// The registers of a..h in round t. They do not move: the one that was h becomes a.
    fn variables(&self, t: usize) -> [&str; 8] {
        std::array::from_fn(|i| self.state[(i + 8 * t - t) % 8].as_str())
    }

    /// A round. `kw`: what is added to h, K and W or their sum.
    fn round_with(&self, t: usize, kw: &[String]) -> Strand {
        let ([a, b, c, d, e, f, g, h], [x, y, z, u]) = (self.variables(t), four(&self.of_rounds, 0));
        let ([r0, r1, r2], [s0, s1, s2]) = (self.sha2.big_sigma1, self.sha2.big_sigma0);
        let (q, bits) = (self.suffix(), self.bits());
        let mut out = Strand::new();
        let [first, others @ ..] = kw else { unreachable!("something is added") };
        code! { out;
            "vpadd{q} {h},{h},{first}";
            "vpror{q} {x},{e},{r0}";
            "vpror{q} {y},{e},{r1}";
        }
        for other in others {
            code! { out; "vpadd{q} {h},{h},{other}"; }
        }
        code! { out;
            "vpror{q} {z},{e},{r2}";
            "vmovdqa{bits} {u},{e}";
            "vpternlog{q} {u},{f},{g},0xca";
        }
        match self.sums {
            Sums::Few => code! { out;
                "vpternlog{q} {x},{y},{z},0x96";
                "vpadd{q} {h},{h},{u}";
                "vpadd{q} {h},{h},{x}";
                "vpadd{q} {d},{d},{h}";
            },
            Sums::Short => code! { out;
                "vpadd{q} {d},{d},{h}";
                "vpternlog{q} {x},{y},{z},0x96";
                "vpadd{q} {d},{d},{u}";
                "vpadd{q} {h},{h},{u}";
                "vpadd{q} {d},{d},{x}";
                "vpadd{q} {h},{h},{x}";
            },
        }
        code! { out;
            "vpror{q} {x},{a},{s0}";
            "vpror{q} {y},{a},{s1}";
            "vpror{q} {z},{a},{s2}";
            "vmovdqa{bits} {u},{a}";
            "vpternlog{q} {u},{b},{c},0xe8";
            "vpternlog{q} {x},{y},{z},0x96";
            "vpadd{q} {h},{h},{u}";
            "vpadd{q} {h},{h},{x}";
        }
        out
    }

    /// A round of the block.
    pub(crate) fn round(&self, t: usize) -> Strand {
        self.round_with(t, &[self.words[t % 16].clone(), self.k(t)])
    }
    pub(crate) fn rounds(&self, rounds: Range<usize>) -> Strand {
        rounds.flat_map(|t| self.round(t)).collect()
    }

    /// W\[t\] in the place of W\[t-16\].
    fn next_word(&self, t: usize) -> Strand {
        let [x, y, z, u] = four(&self.of_schedule, 0);
        let [w16, w15, w7, w2] = [16, 15, 7, 2].map(|back| &self.words[(t - back) % 16]);
        let ([r0, r1, r_shift], [s0, s1, s_shift]) = (self.sha2.small_sigma0, self.sha2.small_sigma1);
        let q = self.suffix();
        let mut out = Strand::new();
        code! { out;
            "vpror{q} {x},{w15},{r0}";
            "vpror{q} {y},{w15},{r1}";
            "vpsrl{q} {z},{w15},{r_shift}";
            "vpadd{q} {w16},{w16},{w7}";
            "vpternlog{q} {x},{y},{z},0x96";
            "vpror{q} {y},{w2},{s0}";
            "vpror{q} {z},{w2},{s1}";
            "vpsrl{q} {u},{w2},{s_shift}";
            "vpadd{q} {w16},{w16},{x}";
            "vpternlog{q} {y},{z},{u},0x96";
            "vpadd{q} {w16},{w16},{y}";
        }
        out
    }

    /// Rounds with the schedule of the word that follows `ahead` words later.
    pub(crate) fn rounds_with_schedule(&self, rounds: Range<usize>, ahead: usize) -> Strand {
        let mut out = Strand::new();
        for t in rounds {
            let round = self.round(t);
            // The round reads W[t] first, so that its register is free for W[t+16].
            out.push(round[0].clone());
            out.extend(spread(&[&round[1..], &self.next_word(t + ahead)]));
        }
        out
    }

    /// The same in a loop of 16 rounds, after which all words are in the same registers again.
    pub(crate) fn loop_with_schedule(&self, rounds: Range<usize>, ahead: usize, counter: &str) -> Strand {
        let (n_turns, k_bytes) = (rounds.len() / 16, 16 * self.sha2.word());
        let mut out = Strand::new();
        code! { out; "mov {counter},{n_turns}"; ".p2align 6"; "7:"; }
        out.extend(self.rounds_with_schedule(rounds.start..rounds.start + 16, ahead));
        code! { out;
            "add {},{k_bytes}", self.k;
            "dec {counter}";
            "jnz 7b";
            "sub {},{}", self.k, n_turns * k_bytes;
        }
        out
    }

    /// The state in memory.
    pub(crate) fn save_state(&self, (base, at): (&str, usize)) -> Strand {
        let (bits, bytes) = (self.bits(), self.n * self.sha2.word());
        let mut out = Strand::new();
        for (i, s) in self.state.iter().enumerate() {
            code! { out; "vmovdqa{bits} [{base}+{}],{s}", at + bytes * i; }
        }
        out
    }

    pub(crate) fn add_saved_state(&self, (base, at): (&str, usize)) -> Strand {
        let (q, bytes) = (self.suffix(), self.n * self.sha2.word());
        let mut out = Strand::new();
        for (i, s) in self.state.iter().enumerate() {
            code! { out; "vpadd{q} {s},{s},[{base}+{}]", at + bytes * i; }
        }
        out
    }
}

/// Four registers of several.
pub(crate) fn four(registers: &[String], number: usize) -> [&str; 4] {
    std::array::from_fn(|i| registers[4 * number + i].as_str())
}

// ---- Memory ----

/// The places in memory of each message's blocks or states.
pub(crate) enum Places {
    /// At an offset from pointers, which are in a row. r8 is clobbered.
    Pointers { row: String, offset: &'static str },
    /// At a constant distance.
    Apart { first: &'static str, bytes: usize },
}

impl Places {
    /// The address of a message's bytes from `at` on, and what is needed before.
    pub(crate) fn of(&self, message: usize, at: usize) -> (Strand, String) {
        let mut before = Strand::new();
        let place = match self {
            Self::Pointers { row, offset } => {
                code! { before; "mov r8,[{row}+{}]", 8 * message; }
                format!("[r8+{offset}{at}]")
            }
            Self::Apart { first, bytes } => format!("[{first}+{}]", at + bytes * message),
        };
        (before, place)
    }
}

/// The load of a block's words, in the parts that have free registers at the same time.
pub(crate) struct Input {
    /// Alongside the block's own first rounds.
    pub(crate) own: Strand,
    /// Alongside parts of the last rounds of the block before it.
    pub(crate) before: Vec<Strand>,
    /// After these.
    pub(crate) after: Strand,
}

impl Input {
    /// What precedes the first block.
    fn first(&self) -> Strand {
        [self.before.concat(), self.after.clone()].concat()
    }
}

/// A hash's kernels with a message a lane.
pub(crate) trait Kernels {
    fn lanes(&self) -> &Lanes;
    /// The registers that hold the addresses of the constants and of the parameters in a call.
    fn arguments(&self) -> [&'static str; 2];
    /// The place of the state before the block: a register and an offset.
    fn saved(&self) -> (&'static str, usize);
    /// How many words the schedule is ahead of the rounds.
    fn ahead(&self) -> usize;
    /// The register that counts a loop of 16 rounds. Without one, all rounds are written out.
    fn counter(&self) -> Option<&'static str>;
    /// Loads blocks.
    fn input(&self, places: &Places) -> Input;
    /// Loads blocks with eight words of padding.
    fn input_of_half(&self, places: &Places) -> Input;
    /// Loads rows of words, one after the other, by a function.
    fn input_by_rows(&self, row: &dyn Fn(&str) -> Strand) -> Input;
    /// The registers of a state's words in the order in which short messages' states are in memory.
    fn order_in_memory(&self) -> Vec<String>;
    fn load_states(&self, places: &Places) -> Strand;
    /// The state's registers are overwritten.
    fn store_states(&self, places: &Places) -> Strand;
    /// Stores results through the shuffle of the parameters.
    fn store_results(&self) -> Strand;

    /// Eight words of padding. The parameters have K + W.
    fn words_of_padding(&self, words: Range<usize>) -> Strand {
        let lanes = self.lanes();
        let (q, size, bytes) = (lanes.suffix(), lanes.size(), lanes.sha2.word());
        let mut out = Strand::new();
        for t in words {
            let word = &lanes.words[t];
            code! { out;
                "vpbroadcast{q} {word},{size} ptr [r10+{}]", PADDING + bytes * (t - 8);
                "vpsub{q} {word},{word},{}", lanes.k(t);
            }
        }
        out
    }

    /// All rounds except the last ones.
    fn first_rounds(&self, input: &Input) -> Strand {
        let (lanes, ahead) = (self.lanes(), self.ahead());
        let mut out = spread(&[&lanes.rounds(0..16 - ahead), &input.own]);
        let rounds = 16 - ahead..lanes.sha2.n_rounds - ahead;
        out.extend(match self.counter() {
            Some(counter) => lanes.loop_with_schedule(rounds, ahead, counter),
            None => lanes.rounds_with_schedule(rounds, ahead),
        });
        out
    }

    /// The last rounds, with the input of the next block.
    fn last_rounds(&self, input: &Input) -> Strand {
        let (lanes, ahead) = (self.lanes(), self.ahead());
        let n = ahead / input.before.len();
        let mut out = Strand::new();
        for (i, part) in input.before.iter().enumerate() {
            let first = lanes.sha2.n_rounds - ahead + n * i;
            out.extend(spread(&[&lanes.rounds(first..first + n), part]));
        }
        out.extend(input.after.clone());
        out
    }

    /// A list of turns. rsi, r9, r10d = turn, offset and blocks left of the block whose words are loaded; rdi
    /// = the turn of the block whose rounds run. r11d: whether the next block begins a turn.
    fn turns(&self) -> Strand {
        let lanes = self.lanes();
        let n_blocks = blocks_of_turn(lanes.n);
        let block_bytes = 16 * lanes.sha2.word();
        let states = Places::Pointers { row: format!("rdi+{}", 8 * lanes.n), offset: "" };
        let input = self.input(&Places::Pointers { row: "rsi".to_owned(), offset: "r9+" });
        let store = self.store_states(&states);

        let [constants, _] = self.arguments();
        let mut out = Strand::new();
        code! { out; "mov rax,{constants}"; "mov rsi,rdi"; "xor r9d,r9d"; "mov r10d,[rsi+{n_blocks}]"; }
        out.extend(input.first());
        code! { out; "jmp 3f"; ".p2align 6"; "2:"; }
        out.extend(lanes.save_state(self.saved()));
        out.extend(self.first_rounds(&input));
        // After the last block of the list, its words are loaded again.
        code! { out;
            "xor r11d,r11d";
            "cmp rdx,1";
            "je 4f";
            "add r9,{block_bytes}";
            "dec r10d";
            "jnz 4f";
            "add rsi,{}", turn_bytes(lanes.n);
            "xor r9d,r9d";
            "mov r10d,[rsi+{n_blocks}]";
            "mov r11d,1";
            "4:";
        }
        out.extend(self.last_rounds(&input));
        out.extend(lanes.add_saved_state(self.saved()));
        code! { out;
            "dec rdx";
            "jz 5f";
            "test r11d,r11d";
            "jz 2b";
            "test byte ptr [rsi+{}],1", n_blocks + 4;
            "jnz 6f";
        }
        out.extend(store.clone());
        code! { out; "3:"; "mov rdi,rsi"; }
        out.extend(self.load_states(&states));
        code! { out; "jmp 2b"; "6:"; "mov rdi,rsi"; "jmp 2b"; "5:"; }
        out.extend(store);
        out
    }

    /// Messages word by word side by side. r8 = bytes from row to row, r9 = the next row to load, rsi = the
    /// first row of the block whose rounds run.
    fn by_lanes(&self) -> Strand {
        let lanes = self.lanes();
        let states = Places::Apart { first: "rdi", bytes: 8 * lanes.sha2.word() };
        let bits = lanes.bits();
        let [constants, _] = self.arguments();
        let input = self.input_by_rows(&|word| {
            let swap = lanes.sha2.swap_at();
            let mut out = Strand::new();
            match &lanes.of_schedule[0] {
                // For registers from 16 on, vpshufb is an instruction of AVX-512BW, with which the compiler
                // takes zmm registers.
                row if row.starts_with("ymm") => code! { out;
                    "vmovdqu {row},[r9]";
                    "add r9,r8";
                    "vpshufb {row},{row},[rax+{swap}]";
                    "vmovdqa32 {word},{row}";
                },
                _ => code! { out;
                    "vmovdqu{bits} {word},[r9]";
                    "add r9,r8";
                    "vpshufb {word},{word},[rax+{swap}]";
                },
            }
            out
        });
        let mut out = Strand::new();
        code! { out; "mov rax,{constants}"; "mov r8,[rsi+8]"; "mov rsi,[rsi]"; "mov r9,rsi"; }
        out.extend(input.first());
        out.extend(self.load_states(&states));
        code! { out; ".p2align 6"; "2:"; }
        out.extend(lanes.save_state(self.saved()));
        out.extend(self.first_rounds(&input));
        // After the last block, its words are loaded again.
        code! { out; "cmp rdx,1"; "cmove r9,rsi"; "mov rsi,r9"; }
        out.extend(self.last_rounds(&input));
        out.extend(lanes.add_saved_state(self.saved()));
        code! { out; "dec rdx"; "jnz 2b"; }
        out.extend(self.store_states(&states));
        out
    }

    /// Short messages of one length. r10 = parameters, r11 and r12 = where states begin and its step; without
    /// a step, all lanes begin with the first state.
    fn fixed(&self, message: Message) -> Strand {
        let lanes = self.lanes();
        let (q, size) = (lanes.suffix(), lanes.size());
        let state_bytes = 8 * lanes.sha2.word();
        let message_bytes = message.bytes(lanes.sha2);
        let places = Places::Apart { first: "rsi", bytes: message_bytes };
        let input = if message == Message::Half { self.input_of_half(&places) } else { self.input(&places) };
        let [constants, parameters] = self.arguments();
        let mut out = Strand::new();
        code! { out;
            "mov rax,{constants}";
            "mov r10,{parameters}";
            "mov r11,[r10+{START}]";
            "mov r12,[r10+{START_STEP}]";
        }
        out.extend(input.first());
        code! { out; ".p2align 6"; "2:"; }
        // One state for all lanes needs no transposition.
        code! { out; "test r12,r12"; "jnz 3f"; }
        for (i, word) in self.order_in_memory().into_iter().enumerate() {
            code! { out; "vpbroadcast{q} {word},{size} ptr [r11+{}]", lanes.sha2.word() * i; }
        }
        code! { out; "jmp 4f"; "3:"; }
        out.extend(self.load_states(&Places::Apart { first: "r11", bytes: state_bytes }));
        code! { out; "4:"; }
        out.extend(lanes.save_state(self.saved()));
        out.extend(self.first_rounds(&input));
        // After the last turn, its messages are loaded again.
        code! { out; "lea r8,[rsi+{}]", message_bytes * lanes.n; "cmp rdx,1"; "cmovne rsi,r8"; }
        if message == Message::BlockAndConstant {
            let n_rounds = lanes.sha2.n_rounds;
            out.extend(lanes.rounds(n_rounds - self.ahead()..n_rounds));
            out.extend(lanes.add_saved_state(self.saved()));
            out.extend(lanes.save_state(self.saved()));
            let kw = |t: usize| lanes.in_all(&format!("r10+{}", CONSTANT + lanes.sha2.word() * t));
            let rounds: Strand = (0..n_rounds).flat_map(|t| lanes.round_with(t, &[kw(t)])).collect();
            out.extend(spread(&[&rounds, &input.first()]));
        } else {
            out.extend(self.last_rounds(&input));
        }
        out.extend(lanes.add_saved_state(self.saved()));
        out.extend(self.store_results());
        code! { out; "add rdi,{}", state_bytes * lanes.n; "add r11,r12"; "dec rdx"; "jnz 2b"; }
        out
    }
}
