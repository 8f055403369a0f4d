//! The contracts of Keccak's kernels: FIPS 202. The structures are those of `hashlanes_isa::sponge`, in C's
//! layout.

use crate::contract::{Case, Cases, Setting};
use crate::machine::Outcome;
use crate::standards::keccak;
use crate::terms::Term;

/// Words of a state.
const STATE_WORDS: usize = 25;
/// Words of a digest that the longest sponge hash has.
const HEAD_WORDS: usize = 8;
/// Words of a block, by the variants of `Rate`.
const RATES: [usize; 5] = [9, 13, 17, 18, 21];

/// The cases of a verb.
pub(super) fn cases(verb: &str, degree: usize) -> Cases {
    match verb {
        "permute" => Cases { all: vec![Box::new(Permute { degree })], ..Cases::default() },
        "absorb" => {
            let case = |rate, n_blocks, states| -> Box<dyn Case> {
                Box::new(Absorb { degree, rate, n_blocks, states })
            };
            let mut all: Vec<_> = (0..RATES.len()).map(|rate| case(rate, Some(1), States::Apart)).collect();
            all.extend([0, 3].map(|n| case(2, Some(n), States::Apart)));
            all.push(case(3, Some(1), States::Heads));
            // No caller has no blocks at all, but the loop begins with a test.
            let until_covered = [States::Apart, States::Heads].map(|states| case(0, None, states));
            Cases { all, until_covered: until_covered.into() }
        }
        _ => Cases::default(),
    }
}

fn free_state(s: &mut Setting<'_, '_>, at: u64, lane: usize) -> Vec<Term> {
    let words: Vec<Term> = (0..STATE_WORDS).map(|j| s.terms().free(64, "state", lane, j)).collect();
    for (j, &word) in words.iter().enumerate() {
        s.set(at + 8 * j as u64, word);
    }
    words
}

/// Requires the state, or the first words of it.
fn expect(s: &mut Setting<'_, '_>, at: u64, lane: usize, words: &[Term]) -> Outcome {
    let mut words = words.iter().enumerate();
    words.try_for_each(|(j, &word)| s.expect(at + 8 * j as u64, word, || format!("word {j} of state {lane}")))
}

struct Permute {
    degree: usize,
}

impl Case for Permute {
    fn name(&self) -> String {
        format!("{} states", self.degree)
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let states = s.read_write("states", 8, (8 * STATE_WORDS * self.degree) as u64);
        for lane in 0..self.degree {
            let at = states + (8 * STATE_WORDS * lane) as u64;
            let mut words = free_state(s, at, lane);
            keccak::permute(s.terms(), &mut words);
            s.afterwards(move |s| expect(s, at, lane, &words));
        }
        s.call(&[states, self.degree as u64])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum States {
    /// Each at a place of its own.
    Apart,
    /// They start as zeros, and only their first words are results.
    Heads,
}

/// Section 4, algorithm 8: the blocks of padded messages, of which the last is elsewhere.
struct Absorb {
    degree: usize,
    /// An index of [`RATES`].
    rate: usize,
    /// Number of blocks before the last; `None`: not even this.
    n_blocks: Option<usize>,
    states: States,
}

impl Case for Absorb {
    fn name(&self) -> String {
        let Self { rate, n_blocks, states, .. } = self;
        let Some(n_blocks) = n_blocks else { return format!("no block, states: {states:?}") };
        format!("{n_blocks} blocks of {} bytes and the last, states: {states:?}", 8 * RATES[*rate])
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let (degree, rate_words) = (self.degree, RATES[self.rate]);
        let (n_blocks, n_left) = (self.n_blocks.unwrap_or(0), self.n_blocks.map_or(0, |n| n + 1));
        let block_bytes = 8 * rate_words as u64;
        // Blocks of a row need not follow each other at once.
        let step = block_bytes + 24;
        let pointers = s.read_only("pointers to states", 8, 8 * degree as u64);
        let heads = s.read_write("heads", 8, (8 * HEAD_WORDS * degree) as u64);
        let rows = s.read_only("pointers to rows", 8, 8 * degree as u64);
        let last = s.read_only("pointers to last blocks", 8, 8 * degree as u64);
        for lane in 0..degree {
            let (at, mut words, n_expected) = match self.states {
                States::Apart => {
                    let at = s.read_write("a state", 8, 8 * STATE_WORDS as u64);
                    s.set_value(pointers + 8 * lane as u64, at);
                    (at, free_state(s, at, lane), STATE_WORDS)
                }
                States::Heads => {
                    let zero = s.terms().constant(0, 64);
                    (heads + (8 * HEAD_WORDS * lane) as u64, vec![zero; STATE_WORDS], HEAD_WORDS)
                }
            };
            let row = s.spread("a block", n_blocks, step, block_bytes);
            let last_block = s.read_only("the last block", 1, block_bytes);
            s.set_value(rows + 8 * lane as u64, row);
            s.set_value(last + 8 * lane as u64, last_block);
            for block in 0..n_left {
                let from = if block == n_blocks { last_block } else { row + block as u64 * step };
                for (j, state) in words.iter_mut().enumerate().take(rate_words) {
                    // Appendix B.1: a lane's first byte is its lowest.
                    let word = s.terms().free(64, "message", lane, rate_words * block + j);
                    s.set(from + 8 * j as u64, word);
                    *state = s.terms().xor(*state, word);
                }
                keccak::permute(s.terms(), &mut words);
            }
            s.afterwards(move |s| expect(s, at, lane, &words[..n_expected]));
        }
        let states = match self.states {
            States::Apart => s.structure("LaneStates", &[0, pointers, 0]),
            States::Heads => s.structure("LaneStates", &[1, heads, degree as u64]),
        };
        let blocks =
            s.structure("Blocks", &[self.rate as u64, rows, last, 0, step, n_left as u64, degree as u64]);
        s.call(&[states, blocks])
    }
}
