//! Any number of blocks, by induction over the turns of the loop.
//!
//! A call is cut at the head of its loop. For all contents, and for all numbers of blocks at once (the
//! numbers are [public](crate::terms::public) sums, not constants), three kinds of runs show:
//!
//! 1. **Entry.** From the beginning, the function reaches the head. The machine there has a form: each
//!    register and each word of writable memory is a function of the state, of the blocks that follow, of the
//!    number of blocks left and of the addresses.
//! 2. **Turn.** From a machine of this form, with any state, after any number of turns, with `fewest` blocks
//!    left or more, the function returns to the head. The machine has the same form, of the standard's state
//!    after the turn's blocks, and of the blocks after them.
//! 3. **Exit.** From a machine of this form with fewer blocks left, the function ends with the standard's
//!    state.
//!
//! Calls with fewer than `fewest` blocks are carried out one by one. So every number of blocks is shown.
//!
//! Words for which the turn does not keep the form are no part of it: they may be anything, and the proof
//! begins again without them. How the loop was found, and the form was guessed, does not matter for the
//! proof.

use rustc_hash::FxHashMap;

use crate::contract::Setting;
use crate::instructions;
use crate::machine::{Asked, Machine, Outcome, Place, Word};
use crate::program::Program;
use crate::terms::linear::{Domain, Linear};
use crate::terms::public::LEFT;
use crate::terms::{Free, Term, Terms};

/// The name of free words of states: at the head of the loop, of the states after the turns so far.
pub const STATE: &str = "state";
/// The name of free words of messages: at the head of the loop, of the blocks that follow.
pub const MESSAGE: &str = "message";
/// Words that are not part of the form.
const ANY: &str = "a word that a turn leaves";

/// The most blocks of a call: the number has 32 bits.
const MOST_BLOCKS: u64 = u32::MAX as u64;
/// Blocks of a turn, as far as they are tried.
const TURN_BLOCKS: [usize; 5] = [1, 2, 4, 8, 16];
/// A limit on the number of forms that are tried.
const MOST_FORMS: usize = 24;

/// A call of a function over a number of blocks.
pub trait AnyBlocks {
    /// Lays out memory with these blocks, and computes the standard's states.
    fn lay_out(&self, s: &mut Setting<'_, '_>, blocks: &Blocks) -> Call;
}

/// The blocks of a call.
pub struct Blocks {
    /// The blocks in memory: all, or the next ones.
    pub n: usize,
    /// The number of all blocks, if it is not `n`.
    pub all: Option<Linear>,
    /// Blocks by which a turn moves the pointers to messages.
    pub per_turn: usize,
    /// Blocks without memory that there is room for: the addresses of other memory do not depend on `n`.
    pub n_missing: usize,
}

impl Blocks {
    /// The number of all blocks.
    pub fn of_width(&self, terms: &mut Terms, width: u8) -> Term {
        match &self.all {
            Some(all) => terms.of_linear(all, width),
            None => terms.constant(self.n as u64, width),
        }
    }
}

/// A call that is laid out.
pub struct Call {
    /// The arguments.
    pub arguments: Vec<u64>,
    /// The lanes' states.
    pub lanes: Vec<Lane>,
}

/// A lane's states.
pub struct Lane {
    /// The place of the state.
    pub at: u64,
    /// The bytes of a word.
    pub word_bytes: u64,
    /// The words of the state after 0, 1, … blocks.
    pub after: Vec<Vec<Term>>,
}

/// A function whose call is proved for any number of blocks.
pub struct Induction<'a> {
    /// The program.
    pub program: &'a Program,
    /// The function.
    pub function: u64,
    /// Its contract.
    pub call: &'a dyn AnyBlocks,
    /// Messages of a call.
    pub n_lanes: usize,
}

/// A loop: the address of its head, the blocks of a turn, and the fewest blocks left before a turn that is
/// not one of the last.
#[derive(Clone, Copy, Debug)]
struct Loop {
    head: u64,
    turn: usize,
    fewest: usize,
}

/// A word of the form at the head of the loop.
struct Part {
    place: Place,
    /// The word at the first arrival.
    first: Term,
    /// The amount by which a turn changes a public number.
    slope: i128,
    is_any: bool,
}

impl Induction<'_> {
    /// Proves the call for any number of blocks.
    ///
    /// # Errors
    /// The reason for which the last loop that was tried does not keep its form.
    pub fn prove(&self) -> Outcome {
        let mut why = String::from("it has no loop over blocks");
        // Kernels of several lanes take a block of each in a turn.
        let n_sizes = if self.n_lanes == 1 { TURN_BLOCKS.len() } else { 1 };
        for &turn in &TURN_BLOCKS[..n_sizes] {
            let Some(head) = self.head(turn)? else { continue };
            match self.prove_loop(Loop { head, turn, fewest: turn + 1 }) {
                Ok(()) => return Ok(()),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    fn machine(&self) -> Machine<'_> {
        Machine::new(self.program, Asked { before: true, has_avx: true }, Terms::default())
    }

    /// Carries out a call with a constant number of blocks.
    fn constant<'p>(&self, machine: &mut Machine<'p>, n: usize) -> Outcome {
        let mut s = Setting::new(machine, self.function, false);
        let call = self.call.lay_out(&mut s, &Blocks { n, all: None, per_turn: 0, n_missing: 0 });
        s.call(&call.arguments)?;
        expect(&mut s, &call, n)
    }

    /// The first instruction that is carried out once in each turn.
    fn head(&self, turn: usize) -> Outcome<Option<u64>> {
        let visits = |n| {
            let mut machine = self.machine();
            machine.trace.visits = Some(FxHashMap::default());
            self.constant(&mut machine, n)?;
            Ok::<_, String>(machine.trace.visits.unwrap_or_default())
        };
        let (fewer, more) = (visits(4 * turn)?, visits(5 * turn)?);
        let is_head =
            |at: &u64| fewer.get(at).is_some_and(|before| before.n >= 2 && more[at].n == before.n + 1);
        let heads = more.iter().filter(|(at, _)| is_head(at));
        Ok(heads.min_by_key(|(_, visit)| visit.first).map(|(at, _)| *at))
    }

    fn prove_loop(&self, of: Loop) -> Outcome {
        (1..of.fewest).try_for_each(|n| self.constant(&mut self.machine(), n))?;
        let mut machine = self.machine();
        let mut form = self.enter(&mut machine, of).map_err(|why| format!("to the loop: {why}"))?;
        let from = &machine;
        for _ in 0..MOST_FORMS {
            let is_kept = self.turn(from, &mut form, of).map_err(|why| format!("a turn: {why}"))?;
            if is_kept {
                let mut left = of.fewest - of.turn..of.fewest;
                return left.try_for_each(|left| {
                    self.leave(from, &form, of, left).map_err(|why| format!("the last {left} blocks: {why}"))
                });
            }
        }
        Err("no form of the loop's machine was found".into())
    }

    /// The entry: the form at the head.
    fn enter(&self, machine: &mut Machine<'_>, of: Loop) -> Outcome<Vec<Part>> {
        machine.terms.set_domain(of.domain(of.fewest));
        let mut s = Setting::new(machine, self.function, false);
        let all = Linear { left: 1, ..Linear::default() };
        let call =
            self.call.lay_out(&mut s, &Blocks { n: of.fewest, all: Some(all), per_turn: 0, n_missing: 0 });
        s.start(&call.arguments);
        machine.run_to(of.head, instructions::carry_out)?;
        let first = machine.words();
        machine.masks_at_cut = machine.masks;
        // How public numbers change is seen at the second arrival.
        machine.run_to(of.head, instructions::carry_out)?;
        let parts = first.into_iter().map(|Word { place, word: first }| {
            let second = machine.word(place, machine.terms.width(first));
            let is_public = machine.terms.public(first).is_some();
            let public = |t| machine.terms.public(t).map(|(linear, _)| linear);
            let change = public(first).zip(second.and_then(public));
            let slope = change.and_then(|(first, second)| second.minus(&first)).and_then(|change| {
                let is_constant = change == Linear { constant: change.constant, ..Linear::default() };
                is_constant.then_some(change.constant)
            });
            Part { place, first, slope: slope.unwrap_or(0), is_any: is_public && slope.is_none() }
        });
        Ok(parts.collect())
    }

    /// Lays out a machine of the form, after any number of turns.
    fn at_head<'p>(
        &self,
        machine: &mut Machine<'p>,
        from: &Machine<'_>,
        form: &[Part],
        of: Loop,
        all: &Linear,
        n: usize,
    ) -> Outcome<Call> {
        let mut s = Setting::new(machine, self.function, false);
        let blocks = Blocks { n, all: Some(all.clone()), per_turn: of.turn, n_missing: of.fewest - n };
        let call = self.call.lay_out(&mut s, &blocks);
        machine.begin_at(of.head, from);
        let words = of_form(&mut machine.terms, from, form, (all, 0), &|_, _| None);
        for (i, (part, word)) in form.iter().zip(words).enumerate() {
            let word = match word {
                Some(word) => word,
                None if part.place.is_of_caller() => return Err("a caller's register changes".into()),
                None => machine.terms.free(from.terms.width(part.first), ANY, i, 0),
            };
            machine.set_word(part.place, word);
        }
        Ok(call)
    }

    /// A turn from the head to the head; whether it keeps the form. Words that it does not keep are no longer
    /// part of the form.
    fn turn(&self, from: &Machine<'_>, form: &mut [Part], of: Loop) -> Outcome<bool> {
        let mut machine = self.machine();
        machine.terms.set_domain(of.domain(of.fewest));
        let all = Linear { turns: of.turn as i128, left: 1, ..Linear::default() };
        let call = self.at_head(&mut machine, from, form, of, &all, of.fewest)?;
        machine.run_to(of.head, instructions::carry_out)?;
        if !machine.has_callers_of(from) {
            return Err("other functions or masks at the head".into());
        }
        // The state and the blocks after the turn.
        let after = |terms: &mut Terms, free: Free| match free.array {
            STATE => Some(call.lanes[free.i as usize].after[of.turn][free.j as usize]),
            MESSAGE => {
                let width = 8 * call.lanes[0].word_bytes as u8;
                Some(terms.free(width, MESSAGE, free.i as usize, free.j as usize + 16 * of.turn))
            }
            _ => None,
        };
        let expected = of_form(&mut machine.terms, from, form, (&all, 1), &after);
        let mut is_kept = true;
        for (part, expected) in form.iter_mut().zip(expected) {
            let Some(expected) = expected else { continue };
            if machine.word(part.place, machine.terms.width(expected)) != Some(expected) {
                (part.is_any, is_kept) = (true, false);
            }
        }
        Ok(is_kept)
    }

    /// From the head to the end.
    fn leave(&self, from: &Machine<'_>, form: &[Part], of: Loop, left: usize) -> Outcome {
        let mut machine = self.machine();
        machine.terms.set_domain(of.domain(left));
        let all = Linear { turns: of.turn as i128, constant: left as i128, ..Linear::default() };
        let call = self.at_head(&mut machine, from, form, of, &all, left)?;
        machine.run_to_end(instructions::carry_out)?;
        expect(&mut Setting::new(&mut machine, self.function, false), &call, left)
    }
}

impl Loop {
    fn domain(self, fewest: usize) -> Domain {
        Domain { turn_blocks: self.turn as u64, fewest_left: fewest as u64, most_blocks: MOST_BLOCKS }
    }
}

/// Requires the standard's states after `n` blocks.
fn expect(s: &mut Setting<'_, '_>, call: &Call, n: usize) -> Outcome {
    for (k, lane) in call.lanes.iter().enumerate() {
        for (j, &word) in lane.after[n].iter().enumerate() {
            let at = lane.at + j as u64 * lane.word_bytes;
            s.expect(at, word, || format!("word {j} of the state of lane {k}"))?;
        }
    }
    Ok(())
}

/// The words of the form after any number of turns and `more`, with `all` blocks, and with other free words.
/// Words that may be anything are nothing.
fn of_form(
    terms: &mut Terms,
    from: &Machine<'_>,
    form: &[Part],
    (all, more): (&Linear, i128),
    other: &dyn Fn(&mut Terms, Free) -> Option<Term>,
) -> Vec<Option<Term>> {
    let word = |terms: &mut Terms, free: Free, width: u8| match free.array {
        LEFT => Some(terms.of_linear(all, width)),
        _ if Machine::is_after_call(free) => None,
        array => {
            other(terms, free).or_else(|| Some(terms.free(width, array, free.i as usize, free.j as usize)))
        }
    };
    let mut known = FxHashMap::default();
    let of_part = |part: &Part| {
        if part.is_any {
            return None;
        }
        let first = terms.substituted(&from.terms, part.first, &word, &mut known)?;
        if part.slope == 0 {
            return Some(first);
        }
        let change = Linear { constant: part.slope * more, turns: part.slope, ..Linear::default() };
        let change = terms.of_linear(&change, terms.width(first));
        Some(terms.add(first, change))
    };
    form.iter().map(of_part).collect()
}
