//! The contracts of the kernels of SHA-1, SHA-256 and SHA-512: the arguments of their entries, and the
//! required results in memory.
//!
//! The structures are those of `hashlanes-isa`, in C's layout: `Turns`, `Interleaved`, `FixedGroups`,
//! `ContinueGroups` and their targets.

use crate::contract::{Case, Cases, Layout, Setting};
use crate::induction::{AnyBlocks, Blocks, Call, Lane, MESSAGE, STATE};
use crate::standards::{sha1, sha2};
use crate::terms::{Term, Terms};

/// A hash.
#[derive(Clone, Copy)]
pub(super) enum Hash {
    /// FIPS 180-4, section 6.1.
    Sha1,
    /// Sections 6.2 and 6.4.
    Sha2(&'static sha2::Parameters),
}

/// The precomputed data of a group of messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    FirstHalf,
    SecondHalf,
}

impl Hash {
    /// Returns the hash of a module's name.
    pub(super) fn of_module(name: &str) -> Option<Self> {
        match name {
            "sha1" => Some(Self::Sha1),
            "sha256" => Some(Self::Sha2(&sha2::SHA256)),
            "sha512" => Some(Self::Sha2(&sha2::SHA512)),
            _ => None,
        }
    }

    /// Bits of a word.
    fn width(self) -> u8 {
        match self {
            Self::Sha1 => 32,
            Self::Sha2(hash) => hash.width,
        }
    }

    fn word_bytes(self) -> u64 {
        u64::from(self.width()) / 8
    }

    fn block_bytes(self) -> u64 {
        16 * self.word_bytes()
    }

    /// Words of a state.
    fn state_words(self) -> usize {
        match self {
            Self::Sha1 => 5,
            Self::Sha2(_) => 8,
        }
    }

    fn state_bytes(self) -> u64 {
        self.state_words() as u64 * self.word_bytes()
    }

    fn constants(self) -> Vec<u64> {
        match self {
            Self::Sha1 => sha1::constants(),
            Self::Sha2(hash) => sha2::constants(hash),
        }
    }

    /// The words of the schedule. Those of SHA-2 are sums with names: a kernel that computes the whole word,
    /// in any order, then has the same short term. Those of SHA-1 are exclusive ors, which some kernels
    /// compute from earlier words than the standard.
    fn schedule(self, terms: &mut Terms, block: &[Term]) -> Vec<Term> {
        match self {
            Self::Sha1 => sha1::schedule(terms, block),
            Self::Sha2(hash) => sha2::schedule(terms, hash, block),
        }
    }

    /// K + W of every round.
    fn kw(self, terms: &mut Terms, block: &[Term]) -> Vec<Term> {
        let words = self.schedule(terms, block);
        let constants = self.constants();
        words
            .into_iter()
            .zip(constants)
            .map(|(w, k)| {
                let k = terms.constant(k, self.width());
                terms.add(w, k)
            })
            .collect()
    }

    /// The working variables after rounds `from..from + kw.len()`. They have names, so that each round is a
    /// few short sums.
    fn working(self, terms: &mut Terms, state: &[Term], from: usize, kw: &[Term]) -> Vec<Term> {
        // Those of the last rounds are parts of sums with the state before the block, in any order.
        let last_named = self.constants().len() - 4;
        let mut working = state.to_vec();
        for (t, &kw) in (from..).zip(kw) {
            match self {
                Self::Sha1 => sha1::round(terms, t / 20, &mut working, kw),
                Self::Sha2(hash) => sha2::round(terms, hash, &mut working, kw),
            }
            if t >= last_named {
                continue;
            }
            match self {
                Self::Sha1 => working[0] = terms.name_sum(working[0]),
                // Some kernels compute the new a from the new e: a = T1 + T2 = e + (T2 - d).
                Self::Sha2(_) => (working[0], working[4]) = terms.name_both(working[0], working[4]),
            }
        }
        working
    }

    /// The state after a block whose schedule is known.
    fn rounds(self, terms: &mut Terms, state: &[Term], kw: &[Term]) -> Vec<Term> {
        let working = self.working(terms, state, 0, kw);
        let after = state.iter().zip(working).map(|(&a, b)| terms.add(a, b)).collect::<Vec<_>>();
        after.into_iter().map(|word| terms.name_sum(word)).collect()
    }

    /// The state after a block.
    fn compress(self, terms: &mut Terms, state: &[Term], block: &[Term]) -> Vec<Term> {
        let kw = self.kw(terms, block);
        self.rounds(terms, state, &kw)
    }

    /// The cases of a verb.
    pub(super) fn cases(self, row: &str, verb: &str, degree: usize) -> Cases {
        match verb {
            "compress" => self.cases_of_turns(degree),
            "compress_lanes" => {
                let case = |(n_blocks, between)| -> Box<dyn Case> {
                    Box::new(OfLanes { hash: self, degree, n_blocks, between })
                };
                Cases {
                    all: [(0, 64), (1, 64), (2, 64), (2, 0)].map(case).into(),
                    until_covered: [(3, 64), (5, 0)].map(case).into(),
                }
            }
            "rounds" => Cases { all: vec![Box::new(OfSchedule { hash: self })], ..Cases::default() },
            "continue_many" => self.cases_of_continuations(degree),
            "finish_fixed" => {
                let of_assembly: &[&str] = match self {
                    Self::Sha2(hash) if hash.width == 32 => {
                        &["split_", "zen5_", "avx512_x16_asm", "avx512vl_x8_asm"]
                    }
                    Self::Sha2(_) => &["avx512_x8_asm"],
                    Self::Sha1 => &[],
                };
                let is_assembly = of_assembly.iter().any(|name| row.starts_with(name));
                self.cases_of_fixed(degree, is_assembly)
            }
            _ => Cases::default(),
        }
    }

    /// The call of a verb with any number of blocks.
    pub(super) fn any_blocks(self, verb: &str, degree: usize) -> Option<Box<dyn AnyBlocks>> {
        match verb {
            "compress" => Some(Box::new(OfAnyTurn { hash: self, degree })),
            "compress_lanes" => Some(Box::new(OfAnyLanes { hash: self, degree })),
            _ => None,
        }
    }

    fn cases_of_turns(self, degree: usize) -> Cases {
        let case = |turns: &[(usize, bool)], states| -> Box<dyn Case> {
            Box::new(OfTurns { hash: self, degree, turns: turns.into(), states })
        };
        let mut all = vec![
            case(&[(1, false)], States::Apart),
            case(&[(2, false)], States::SideBySide),
            case(&[(1, false), (1, false)], States::Apart),
            case(&[(1, false), (1, true)], States::Apart),
            case(&[(2, false), (1, false), (1, true), (2, false)], States::SideBySide),
        ];
        let mut until_covered = Vec::new();
        if degree > 1 {
            all.push(case(&[(1, false)], States::OneIdle));
        } else {
            // Kernels that compute the schedules of several blocks at a time.
            until_covered.extend([3, 4, 5, 8, 9, 16, 17, 33].map(|n| case(&[(n, false)], States::Apart)));
        }
        until_covered.extend([
            case(&[(2, false), (2, false)], States::Apart),
            case(&[(3, false), (3, false)], States::Apart),
            case(&[(3, false), (4, true)], States::Apart),
            case(&[(4, false), (4, false), (3, false)], States::SideBySide),
        ]);
        // No list has such a turn, but the loop may contain code for it.
        until_covered.push(case(&[(0, false), (1, false)], States::Apart));
        Cases { all, until_covered }
    }

    fn cases_of_continuations(self, degree: usize) -> Cases {
        let case = |(n_groups, shared, last, known)| -> Box<dyn Case> {
            Box::new(OfContinuations { hash: self, degree, n_groups, shared, last, known })
        };
        let all = [
            (1, true, false, Known::Nothing),
            (2, true, true, Known::Nothing),
            (1, false, false, Known::Nothing),
            (2, false, true, Known::Nothing),
            (1, true, true, Known::FirstHalf),
            (2, true, false, Known::FirstHalf),
            (1, true, false, Known::SecondHalf),
            (2, false, true, Known::SecondHalf),
            (0, true, false, Known::Nothing),
        ];
        let until_covered = [
            (3, false, true, Known::Nothing),
            (1, true, true, Known::SecondHalf),
            (1, false, false, Known::SecondHalf),
            (9, false, false, Known::Nothing),
            (3, true, false, Known::Nothing),
            (17, false, true, Known::Nothing),
            (0, false, true, Known::Nothing),
        ];
        Cases { all: all.map(case).into(), until_covered: until_covered.map(case).into() }
    }

    fn cases_of_fixed(self, degree: usize, is_assembly: bool) -> Cases {
        let (block, state) = (self.block_bytes() as usize, self.state_bytes() as usize);
        let case = |n_groups, (len_bytes, has_second), digest_bytes| -> Box<dyn Case> {
            Box::new(OfFixed { hash: self, degree, n_groups, len_bytes, has_second, digest_bytes })
        };
        // Lengths, and whether the padding needs a block of its own.
        let shapes = [
            (block / 2, false),
            (block, true),
            (block, false),
            (20, false),
            (block - 2, true),
            (1, false),
            (block / 2 + 5, false),
            (0, false),
            (block - 9, false),
        ];
        let mut all: Vec<_> = shapes.iter().map(|&shape| case(1, shape, state)).collect();
        all.extend(shapes[..4].iter().map(|&shape| case(2, shape, state - 4)));
        all.extend(shapes[..2].iter().map(|&shape| case(0, shape, state)));
        // Short reads and writes have code of their own, for each number of words and of the bytes after
        // them.
        let mut until_covered: Vec<_> = (1..state)
            .filter(|digest_bytes| digest_bytes % 4 < 2)
            .map(|digest_bytes| case(1, shapes[3], digest_bytes))
            .collect();
        until_covered.extend([2, 3, 4, 8, 9, 16, 17].map(|len_bytes| case(1, (len_bytes, false), state)));
        // Except in assembly, which panics, a loop has code for digests that are longer than the state.
        if !is_assembly {
            until_covered.push(case(2, shapes[3], state + 4));
        }
        // Many groups, which take longest, come last.
        until_covered.push(case(9, shapes[3], state / 2));
        until_covered.extend(shapes[..2].iter().map(|&shape| case(17, shape, state)));
        Cases { all, until_covered }
    }

    // ---- Memory ----

    /// Free words of a state, in memory.
    fn free_state(self, s: &mut Setting<'_, '_>, at: u64, array: &'static str, i: usize) -> Vec<Term> {
        let words: Vec<Term> =
            (0..self.state_words()).map(|j| s.terms().free(self.width(), array, i, j)).collect();
        self.put(s, at, &words);
        words
    }

    fn put(self, s: &mut Setting<'_, '_>, at: u64, words: &[Term]) {
        for (j, &word) in words.iter().enumerate() {
            s.set(at + j as u64 * self.word_bytes(), word);
        }
    }

    /// Free words of a block, in memory as the standard reads them.
    fn free_block(self, s: &mut Setting<'_, '_>, at: u64, i: usize, block: usize) -> Vec<Term> {
        let words: Vec<Term> =
            (0..16).map(|t| s.terms().free(self.width(), "message", i, 16 * block + t)).collect();
        self.put_block(s, at, &words);
        words
    }

    fn put_block(self, s: &mut Setting<'_, '_>, at: u64, words: &[Term]) {
        for (t, &word) in words.iter().enumerate() {
            s.set_be(at + t as u64 * self.word_bytes(), word);
        }
    }

    /// A free state, and the states after each of `n` blocks of free words, which are set word by word.
    fn lane(
        self,
        s: &mut Setting<'_, '_>,
        at: u64,
        k: usize,
        n: usize,
        word_at: impl Fn(usize) -> u64,
    ) -> Lane {
        let mut after = vec![self.free_state(s, at, STATE, k)];
        for b in 0..n {
            let words: Vec<Term> =
                (0..16).map(|t| s.terms().free(self.width(), MESSAGE, k, 16 * b + t)).collect();
            for (t, &word) in words.iter().enumerate() {
                s.set_be(word_at(16 * b + t), word);
            }
            let next = self.compress(s.terms(), &after[b], &words);
            after.push(next);
        }
        Lane { at, word_bytes: self.word_bytes(), after }
    }

    fn expect_state(
        self,
        s: &mut Setting<'_, '_>,
        at: u64,
        words: &[Term],
        what: &str,
    ) -> Result<(), String> {
        for (j, &word) in words.iter().enumerate() {
            s.expect(at + j as u64 * self.word_bytes(), word, || format!("word {j} of {what}"))?;
        }
        Ok(())
    }
}

// ---- A list of turns ----

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum States {
    Apart,
    SideBySide,
    /// All lanes except the first advance an unused state.
    OneIdle,
}

struct OfTurns {
    hash: Hash,
    degree: usize,
    /// Number of blocks of each turn, and whether it continues with the states of the previous turn.
    turns: Vec<(usize, bool)>,
    states: States,
}

impl Case for OfTurns {
    fn name(&self) -> String {
        let turns: Vec<String> =
            self.turns.iter().map(|(n, goes_on)| format!("{}{n}", if *goes_on { "+" } else { "" })).collect();
        let states = match self.states {
            States::Apart => "",
            States::SideBySide => ", states side by side",
            States::OneIdle => ", idle lanes",
        };
        format!("turns of {} blocks{states}", turns.join(" "))
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Result<(), String> {
        let (hash, degree) = (self.hash, self.degree);
        let turn_bytes = 8 * (2 * degree as u64 + 1);
        let list = s.read_only("the list of turns", 8, self.turns.len() as u64 * turn_bytes);
        let mut states: Vec<(u64, Vec<Term>)> = Vec::new();
        for (turn, &(n_blocks, goes_on)) in self.turns.iter().enumerate() {
            if !goes_on {
                states.clear();
                let n = if self.states == States::OneIdle { 2 } else { degree };
                let together = s.read_write("states", hash.word_bytes(), n as u64 * hash.state_bytes());
                for k in 0..n {
                    let at = match self.states {
                        States::Apart => s.read_write("a state", hash.word_bytes(), hash.state_bytes()),
                        _ => together + k as u64 * hash.state_bytes(),
                    };
                    states.push((at, hash.free_state(s, at, "state", turn * degree + k)));
                }
            }
            let entry = list + turn as u64 * turn_bytes;
            for k in 0..degree {
                let which = if self.states == States::OneIdle { k.min(1) } else { k };
                let message = s.read_only("a message", 1, n_blocks as u64 * hash.block_bytes());
                s.set_value(entry + 8 * k as u64, message);
                s.set_value(entry + 8 * (degree + k) as u64, states[which].0);
                for b in 0..n_blocks {
                    let at = message + b as u64 * hash.block_bytes();
                    let words = hash.free_block(s, at, turn * degree + k, b);
                    states[which].1 = hash.compress(s.terms(), &states[which].1, &words);
                }
            }
            let goes_on_bit = if goes_on { 1 << 32 } else { 0 };
            s.set_value(entry + 16 * degree as u64, n_blocks as u64 | goes_on_bit);
            // The data that later turns do not change.
            let ends = self.turns.get(turn + 1).is_none_or(|next| !next.1);
            if ends {
                let asked = if self.states == States::OneIdle { 1 } else { degree };
                for (k, (at, words)) in states.iter().take(asked).enumerate() {
                    let (at, words) = (*at, words.clone());
                    s.afterwards(move |s| {
                        hash.expect_state(s, at, &words, &format!("the state of lane {k} after turn {turn}"))
                    });
                }
            }
        }
        let n_blocks: usize = self.turns.iter().map(|turn| turn.0).sum();
        let turns = s.structure("Turns", &[list, self.turns.len() as u64, n_blocks as u64, degree as u64]);
        s.call(&[turns])
    }
}

/// A list of one turn of any number of blocks.
struct OfAnyTurn {
    hash: Hash,
    degree: usize,
}

impl AnyBlocks for OfAnyTurn {
    fn lay_out(&self, s: &mut Setting<'_, '_>, blocks: &Blocks) -> Call {
        let (hash, degree) = (self.hash, self.degree);
        let list = s.read_only("the list of turns", 8, 8 * (2 * degree as u64 + 1));
        let mut lanes = Vec::new();
        for k in 0..degree {
            let at = s.read_write("a state", hash.word_bytes(), hash.state_bytes());
            let n_bytes = blocks.n as u64 * hash.block_bytes();
            let message = s.read_only("a message", 1, n_bytes);
            s.leave_room(blocks.n_missing as u64 * hash.block_bytes());
            let pointer = match blocks.all {
                Some(_) => s.window(message, n_bytes, blocks.per_turn as u64 * hash.block_bytes()),
                None => s.terms().constant(message, 64),
            };
            s.set(list + 8 * k as u64, pointer);
            s.set_value(list + 8 * (degree + k) as u64, at);
            lanes.push(hash.lane(s, at, k, blocks.n, |t| message + t as u64 * hash.word_bytes()));
        }
        let n = blocks.of_width(s.terms(), 32);
        let zero = s.terms().constant(0, 32);
        s.set(list + 16 * degree as u64, n);
        s.set(list + 16 * degree as u64 + 4, zero);
        let turns = s.structure("Turns", &[list, 1, 0, degree as u64]);
        let n = blocks.of_width(s.terms(), 64);
        s.set(turns + 16, n);
        Call { arguments: vec![turns], lanes }
    }
}

// ---- Word-interleaved input ----

struct OfLanes {
    hash: Hash,
    degree: usize,
    n_blocks: usize,
    /// Bytes of a row that belong to other lanes.
    between: u64,
}

impl Case for OfLanes {
    fn name(&self) -> String {
        format!("{} blocks of lanes, {} bytes between them", self.n_blocks, self.between)
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Result<(), String> {
        let (hash, degree) = (self.hash, self.degree);
        let states = s.read_write("states", hash.word_bytes(), degree as u64 * hash.state_bytes());
        let row_bytes = degree as u64 * hash.word_bytes() + self.between;
        let first =
            s.spread("a row of words", 16 * self.n_blocks, row_bytes, degree as u64 * hash.word_bytes());
        for k in 0..degree {
            let at = states + k as u64 * hash.state_bytes();
            let mut state = hash.free_state(s, at, "state", k);
            for b in 0..self.n_blocks {
                let mut words = Vec::new();
                for t in 0..16 {
                    let word = s.terms().free(hash.width(), "message", k, 16 * b + t);
                    s.set_be(first + (16 * b + t) as u64 * row_bytes + k as u64 * hash.word_bytes(), word);
                    words.push(word);
                }
                state = hash.compress(s.terms(), &state, &words);
            }
            s.afterwards(move |s| hash.expect_state(s, at, &state, &format!("the state of lane {k}")));
        }
        let input = s.structure("Interleaved", &[first, row_bytes, self.n_blocks as u64, degree as u64]);
        s.call(&[states, degree as u64, input])
    }
}

/// Any number of blocks.
struct OfAnyLanes {
    hash: Hash,
    degree: usize,
}

impl AnyBlocks for OfAnyLanes {
    fn lay_out(&self, s: &mut Setting<'_, '_>, blocks: &Blocks) -> Call {
        const BETWEEN: u64 = 64;
        let (hash, degree) = (self.hash, self.degree as u64);
        let states = s.read_write("states", hash.word_bytes(), degree * hash.state_bytes());
        let n_bytes = degree * hash.word_bytes();
        let row_bytes = n_bytes + BETWEEN;
        let first = s.spread("a row of words", 16 * blocks.n, row_bytes, n_bytes);
        s.leave_room((16 * blocks.n_missing) as u64 * row_bytes);
        let lanes = (0..self.degree).map(|k| {
            let at = states + k as u64 * hash.state_bytes();
            hash.lane(s, at, k, blocks.n, |t| first + t as u64 * row_bytes + k as u64 * hash.word_bytes())
        });
        let lanes = lanes.collect();
        let block_bytes = 16 * row_bytes;
        let pointer = match blocks.all {
            Some(_) => s.window(first, blocks.n as u64 * block_bytes, blocks.per_turn as u64 * block_bytes),
            None => s.terms().constant(first, 64),
        };
        let input = s.structure("Interleaved", &[0, row_bytes, 0, degree]);
        s.set(input, pointer);
        let n = blocks.of_width(s.terms(), 64);
        s.set(input + 16, n);
        Call { arguments: vec![states, degree, input], lanes }
    }
}

// ---- A block whose schedule is known ----

struct OfSchedule {
    hash: Hash,
}

impl Case for OfSchedule {
    fn name(&self) -> String {
        "a schedule".into()
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Result<(), String> {
        let hash = self.hash;
        let at = s.read_write("the state", hash.word_bytes(), hash.state_bytes());
        let state = hash.free_state(s, at, "state", 0);
        let n = hash.constants().len();
        let schedule = s.read_only("the schedule", hash.word_bytes(), n as u64 * hash.word_bytes());
        let kw: Vec<Term> = (0..n).map(|t| s.terms().free(hash.width(), "K + W", 0, t)).collect();
        hash.put(s, schedule, &kw);
        let after = hash.rounds(s.terms(), &state, &kw);
        s.afterwards(move |s| hash.expect_state(s, at, &after, "the state"));
        s.call(&[at, schedule])
    }
}

// ---- One block into many states ----

struct OfContinuations {
    hash: Hash,
    degree: usize,
    n_groups: usize,
    shared: bool,
    last: bool,
    known: Known,
}

impl Case for OfContinuations {
    fn name(&self) -> String {
        format!(
            "{} groups of {}, {} start{}, known: {:?}",
            self.n_groups,
            self.degree,
            if self.shared { "one" } else { "each its" },
            if self.last { ", and a constant block" } else { "" },
            self.known,
        )
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Result<(), String> {
        let hash = self.hash;
        let n = self.degree * self.n_groups;
        let start_at = s.read_only("the common start", hash.word_bytes(), hash.state_bytes());
        let start = hash.free_state(s, start_at, "start", 0);
        let blocks = s.read_only("blocks", 1, n as u64 * hash.block_bytes());
        let states = s.read_write("states", hash.word_bytes(), n as u64 * hash.state_bytes());
        let common: Vec<Term> =
            (0..16).map(|t| s.terms().free(hash.width(), "the known block", 0, t)).collect();
        let known = match self.known {
            Known::Nothing => 0,
            half => put_known_half(s, hash, half, &common, &start),
        };
        let (last, last_kw) = match self.last {
            true => {
                let (at, kw) = put_pre_expanded(s, hash);
                (at, Some(kw))
            }
            false => (0, None),
        };
        for i in 0..n {
            let at = states + i as u64 * hash.state_bytes();
            let own = match self.shared {
                true => start.clone(),
                false => hash.free_state(s, at, "state", i),
            };
            let mut words: Vec<Term> =
                (0..16).map(|t| s.terms().free(hash.width(), "message", i, t)).collect();
            match self.known {
                Known::Nothing => {}
                Known::FirstHalf => words[..8].copy_from_slice(&common[..8]),
                Known::SecondHalf => words[8..].copy_from_slice(&common[8..]),
            }
            hash.put_block(s, blocks + i as u64 * hash.block_bytes(), &words);
            let mut after = hash.compress(s.terms(), &own, &words);
            if let Some(kw) = &last_kw {
                after = hash.rounds(s.terms(), &after, kw);
            }
            s.afterwards(move |s| hash.expect_state(s, at, &after, &format!("state {i}")));
        }
        let start = if self.shared { start_at } else { 0 };
        let n = n as u64;
        let job = s.structure("ContinueGroups", &[start, blocks, n, known, last, states, n]);
        s.call(&[job])
    }
}

/// A `PreExpanded` of free words, and its K + W.
fn put_pre_expanded(s: &mut Setting<'_, '_>, hash: Hash) -> (u64, Vec<Term>) {
    let layout = Layout::of(&[
        (hash.block_bytes(), 1),
        (hash.constants().len() as u64 * hash.word_bytes(), hash.word_bytes()),
    ]);
    let at = s.read_only("the constant block", layout.align, layout.n_bytes);
    let kw = set_pre_expanded(s, hash, at, &layout);
    (at, kw)
}

fn set_pre_expanded(s: &mut Setting<'_, '_>, hash: Hash, at: u64, layout: &Layout) -> Vec<Term> {
    let words: Vec<Term> =
        (0..16).map(|t| s.terms().free(hash.width(), "the constant block", 0, t)).collect();
    hash.put_block(s, at + layout.offsets[0], &words);
    let kw = hash.kw(s.terms(), &words);
    hash.put(s, at + layout.offsets[1], &kw);
    kw
}

/// A `KnownHalf`.
fn put_known_half(s: &mut Setting<'_, '_>, hash: Hash, half: Known, block: &[Term], start: &[Term]) -> u64 {
    let (w, b, state) = (hash.word_bytes(), hash.block_bytes(), hash.state_bytes());
    let layout = Layout::of(&[(1, 1), (b, 1), (state, w), (state, w), (8 * w, w), (16 * w, w)]);
    let at = s.read_only("the known half", layout.align, layout.n_bytes);
    let is_known = |t: usize| if half == Known::FirstHalf { t < 8 } else { (8..16).contains(&t) };
    let variant = [u8::from(half == Known::SecondHalf)];
    s.set_bytes(at, &variant);
    // The kernels do not read the block.
    hash.put(s, at + layout.offsets[2], start);
    let constants = hash.constants();
    let kw: Vec<Term> = (0..8)
        .map(|t| {
            let t = if half == Known::FirstHalf { t } else { 8 + t };
            let k = s.terms().constant(constants[t], hash.width());
            s.terms().add(block[t], k)
        })
        .collect();
    if half == Known::FirstHalf {
        let after = hash.working(s.terms(), start, 0, &kw);
        hash.put(s, at + layout.offsets[3], &after);
    }
    hash.put(s, at + layout.offsets[4], &kw);
    // Step 1 of the schedule, of only the known words.
    let Hash::Sha2(parameters) = hash else { return at };
    for t in 16..32 {
        let mut sum = s.terms().constant(0, hash.width());
        for (back, kind) in [(2, 1), (7, 2), (15, 0), (16, 2)] {
            if is_known(t - back) {
                let word = block[t - back];
                let part = match kind {
                    0 => sha2::small_sigma0(s.terms(), parameters, word),
                    1 => sha2::small_sigma1(s.terms(), parameters, word),
                    _ => word,
                };
                sum = s.terms().add(sum, part);
            }
        }
        s.set(at + layout.offsets[5] + (t - 16) as u64 * w, sum);
    }
    at
}

// ---- Equal short messages ----

struct OfFixed {
    hash: Hash,
    degree: usize,
    n_groups: usize,
    len_bytes: usize,
    has_second: bool,
    digest_bytes: usize,
}

impl Case for OfFixed {
    fn name(&self) -> String {
        format!(
            "{} groups of {} messages of {} bytes, {} blocks, digests of {} bytes",
            self.n_groups,
            self.degree,
            self.len_bytes,
            1 + usize::from(self.has_second),
            self.digest_bytes
        )
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Result<(), String> {
        let hash = self.hash;
        let (block, word) = (hash.block_bytes(), hash.word_bytes());
        let n = self.degree * self.n_groups;
        let start_at = s.read_only("the start", word, hash.state_bytes());
        let start = hash.free_state(s, start_at, "start", 0);
        // The shape: the block of a message of zeros, with a one bit after it and its length at the end, if
        // there is room.
        let n_rounds = hash.constants().len() as u64;
        let pre_expanded = Layout::of(&[(block, 1), (n_rounds * word, word)]);
        let option = Layout::of(&[(1, 1), (pre_expanded.n_bytes, pre_expanded.align)]);
        let layout = Layout::of(&[(8, 8), (8, 8), (block, 1), (option.n_bytes, option.align)]);
        let shape = s.read_only("the shape", layout.align, layout.n_bytes);
        s.set_value(shape, self.len_bytes as u64);
        // Other blocks may precede the message. A message that fills its block has no padding and no length
        // in it.
        let n_bytes = match self.has_second || self.len_bytes < block as usize {
            true => self.len_bytes as u64 + 3 * block,
            false => 0,
        };
        s.set_value(shape + 8, n_bytes);
        let mut first = vec![0; block as usize];
        if self.len_bytes < first.len() {
            first[self.len_bytes] = 0x80;
        }
        if !self.has_second && self.len_bytes < first.len() {
            let bits = (8 * n_bytes).to_be_bytes();
            first[block as usize - 8..].copy_from_slice(&bits);
        }
        s.set_bytes(shape + layout.offsets[2], &first);
        let second = shape + layout.offsets[3];
        // The variant, in as many bytes as stand before the value.
        let mut variant = vec![0; option.offsets[1] as usize];
        variant[0] = self.has_second.into();
        s.set_bytes(second, &variant);
        let kw =
            self.has_second.then(|| set_pre_expanded(s, hash, second + option.offsets[1], &pre_expanded));

        let messages = s.read_only("messages", 1, (n * self.len_bytes) as u64);
        let digests = s.read_write("digests", 1, (n * self.digest_bytes) as u64);
        for i in 0..n {
            // A message as bytes of free words.
            let mut bytes: Vec<_> = first.iter().map(|&byte| crate::terms::Byte::Known(byte)).collect();
            for t in 0..self.len_bytes.div_ceil(word as usize) {
                let free = s.terms().free(hash.width(), "message", i, t);
                let of_free: Vec<_> = s.terms().bytes(free).into_iter().rev().collect();
                for (k, byte) in of_free.into_iter().enumerate() {
                    let at = t * word as usize + k;
                    if at < self.len_bytes {
                        bytes[at] = byte;
                    }
                }
            }
            s.set_some_bytes(messages + (i * self.len_bytes) as u64, &bytes[..self.len_bytes]);
            let words: Vec<Term> = bytes
                .chunks(word as usize)
                .map(|bytes| {
                    let reversed: Vec<_> = bytes.iter().rev().copied().collect();
                    s.terms().of_bytes(&reversed)
                })
                .collect();
            let mut after = hash.compress(s.terms(), &start, &words);
            if let Some(kw) = &kw {
                after = hash.rounds(s.terms(), &after, kw);
            }
            let (at, n_bytes) = (digests + (i * self.digest_bytes) as u64, self.digest_bytes);
            s.afterwards(move |s| s.expect_bytes_be(at, &after, n_bytes, &format!("digest {i}")));
        }
        let (n_messages, n_digests) = ((n * self.len_bytes) as u64, (n * self.digest_bytes) as u64);
        let job = s.structure(
            "FixedGroups",
            &[start_at, shape, messages, n_messages, digests, n_digests, self.digest_bytes as u64],
        );
        s.call(&[job])
    }
}
