//! The contracts of AES's kernels: CTR, CBC and the key expansion. The structures are those of the crate
//! `hashlanes-aes` (`modes/jobs.rs`, `key.rs`), in C's layout.

use super::blocks::free_block;
use crate::contract::{Case, Cases, Setting};
use crate::machine::Outcome;
use crate::standards::aes::{self, Block, Rounds};
use crate::standards::modes::{self, Counter};
use crate::terms::Term;

/// Numbers of rounds: AES-128, AES-192, AES-256.
pub(super) const ROUNDS: [usize; 3] = [10, 12, 14];
/// Round keys that there is room for.
const MOST_KEYS: usize = 15;
/// The offset of the number of rounds after both expansions.
const ROUNDS_AT: u64 = 2 * 16 * MOST_KEYS as u64;
/// Bytes of the structure `Expanded`, which begins a cache line.
const EXPANDED_BYTES: u64 = ROUNDS_AT + 32;
/// Variants of `InFlight`.
const N_IN_FLIGHT: usize = 5;

/// The cases of a verb.
pub(super) fn cases(verb: &str, degree: usize) -> Cases {
    match verb {
        "ctr" => ctr_cases(&[0, 1, 2, 3, 71], false),
        // Whole spans of 256 blocks, with 71 blocks before and after them.
        "ctr_long" => ctr_cases(&[71 + 2048 + 71], true),
        "cbc_decrypt" => {
            let case = |&(n_blocks, in_place)| {
                ROUNDS.iter().flat_map(move |&n_rounds| {
                    (0..N_IN_FLIGHT).map(move |in_flight| -> Box<dyn Case> {
                        Box::new(CbcDecrypt { n_rounds, in_flight, n_blocks, in_place })
                    })
                })
            };
            let all = [(0, false), (1, true), (71, false), (71, true)];
            let others: Vec<_> = (2..40).map(|n_blocks| (n_blocks, false)).collect();
            Cases {
                all: all.iter().flat_map(case).collect(),
                until_covered: others.iter().flat_map(case).collect(),
            }
        }
        "cbc_encrypt" | "cbc_encrypt_each" | "cbc_encrypt_rows" | "cbc_encrypt_each_rows" => {
            let of_each = verb.contains("_each");
            let case = |&n_rounds| {
                [(0, false), (1, true), (2, false), (9, true)].map(|(n_blocks, in_place)| -> Box<dyn Case> {
                    Box::new(CbcEncrypt { n_rounds, degree, of_each, n_blocks, in_place })
                })
            };
            Cases { all: ROUNDS.iter().flat_map(case).collect(), ..Cases::default() }
        }
        "expand" => {
            let case = |&n_rounds| -> Box<dyn Case> { Box::new(Expand { n_rounds }) };
            Cases { all: ROUNDS.iter().map(case).collect(), ..Cases::default() }
        }
        _ => Cases::default(),
    }
}

// ---- Memory ----

/// A `Key` of free round keys: the place of the reference to it, and the round keys.
pub(super) fn key(s: &mut Setting<'_, '_>, i: usize, n_rounds: usize) -> (u64, Vec<Block>) {
    let (key, [w, _]) = both_expansions(s, i, n_rounds);
    (key, w)
}

fn both_expansions(s: &mut Setting<'_, '_>, i: usize, n_rounds: usize) -> (u64, [Vec<Block>; 2]) {
    let expanded = s.read_only("round keys", 64, EXPANDED_BYTES);
    let expansions = [("w", 0), ("dw", 16 * MOST_KEYS as u64)].map(|(name, at)| {
        let mut keys: Vec<Block> = (0..MOST_KEYS).map(|r| free_block(s.terms(), name, i, r)).collect();
        for (r, key) in keys.iter().enumerate() {
            s.set_block(expanded + at + 16 * r as u64, key);
        }
        keys.truncate(n_rounds + 1);
        keys
    });
    s.set_value(expanded + ROUNDS_AT, n_rounds as u64);
    let key = s.read_only("a key", 8, 8);
    s.set_value(key, expanded);
    (key, expansions)
}

/// The words of a `Buffer` with free blocks: from where, to where, the number of bytes.
pub(super) fn buffer(
    s: &mut Setting<'_, '_>,
    i: usize,
    n_blocks: usize,
    in_place: bool,
) -> ([u64; 3], Vec<Block>) {
    let n_bytes = 16 * n_blocks as u64;
    let dst = s.read_write("the output", 1, n_bytes);
    let src = if in_place { dst } else { s.read_only("the input", 1, n_bytes) };
    let blocks: Vec<Block> = (0..n_blocks).map(|b| free_block(s.terms(), "message", i, b)).collect();
    for (b, block) in blocks.iter().enumerate() {
        s.set_block(src + 16 * b as u64, block);
    }
    ([src, dst, n_bytes], blocks)
}

/// Requires these blocks after the call.
fn expect_blocks(s: &mut Setting<'_, '_>, at: u64, blocks: Vec<Block>, what: &'static str) {
    s.afterwards(move |s| {
        let mut blocks = blocks.iter().enumerate();
        blocks.try_for_each(|(b, block)| {
            s.expect_block(at + 16 * b as u64, block, &format!("block {b} of {what}"))
        })
    });
}

fn in_place_or_apart(in_place: bool) -> &'static str {
    if in_place { "in place" } else { "elsewhere" }
}

// ---- CTR ----

fn ctr_cases(lengths: &[usize], is_long: bool) -> Cases {
    let case = |n_rounds, in_flight, n_blocks, in_place, bits, low| -> Box<dyn Case> {
        Box::new(Ctr { n_rounds, in_flight, n_blocks, in_place, bits, low, is_long })
    };
    let mut all = Vec::new();
    let longest = lengths[lengths.len() - 1];
    for n_rounds in ROUNDS {
        for in_flight in 0..N_IN_FLIGHT {
            all.push(case(n_rounds, in_flight, longest, in_flight % 2 == 0, 64, 0x0123_4567_89ab_cdb9));
            // The counter becomes zero. (Long ones take seconds each.)
            if is_long && (n_rounds, in_flight) != (10, 0) {
                continue;
            }
            for (bits, low) in [(32, 0x0123_4567_ffff_fff0), (64, u64::MAX - 1), (128, u64::MAX - 2)] {
                all.push(case(n_rounds, in_flight, longest, false, bits, low));
            }
        }
        for &n_blocks in lengths.iter().filter(|_| !is_long) {
            all.push(case(n_rounds, 0, n_blocks, true, 32, 0x0123_4567_0000_0001));
        }
    }
    let until_covered = (0..40).flat_map(|n_blocks| {
        ROUNDS.into_iter().flat_map(move |n_rounds| {
            (0..N_IN_FLIGHT).flat_map(move |in_flight| {
                [32, 64, 128]
                    .map(|bits| case(n_rounds, in_flight, n_blocks, false, bits, 0x0123_4567_ffff_fff8))
            })
        })
    });
    // Another number of blocks before and after the spans.
    let others = ROUNDS.into_iter().flat_map(|n_rounds| {
        let low = 0xfe;
        (0..N_IN_FLIGHT)
            .map(move |in_flight| case(n_rounds, in_flight, 2 * 2048 - low as usize, false, 64, low))
    });
    Cases { all, until_covered: if is_long { others.collect() } else { until_covered.collect() } }
}

struct Ctr {
    n_rounds: usize,
    in_flight: usize,
    n_blocks: usize,
    in_place: bool,
    bits: u32,
    low: u64,
    /// By a table of the first two rounds.
    is_long: bool,
}

impl Case for Ctr {
    fn name(&self) -> String {
        let Self { n_rounds, in_flight, n_blocks, in_place, bits, low, .. } = self;
        format!(
            "{n_blocks} blocks {}, {n_rounds} rounds, a counter of {bits} bits from {low:#x}, in flight: {in_flight}",
            in_place_or_apart(*in_place)
        )
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let (key, w) = key(s, 0, self.n_rounds);
        let rounds = if self.is_long { Rounds::ByBytes([w[1][0], w[2][0]]) } else { Rounds::Whole };
        s.assume(rounds);
        let ([src, dst, n_bytes], text) = buffer(s, 0, self.n_blocks, self.in_place);
        let counter = Counter { high: s.terms().free(64, "nonce", 0, 0), low: self.low, bits: self.bits };
        let at = s.read_write("the counter", 1, 16);
        let first = counter.block(s.terms());
        s.set_block(at, &first);
        let after = counter.after(s.terms(), self.n_blocks as u64).block(s.terms());
        let output = modes::ctr(s.terms(), rounds, &w, counter, &text);
        expect_blocks(s, dst, output, "the output");
        expect_blocks(s, at, vec![after], "the counter");
        let variant = self.bits.trailing_zeros() - 5;
        let job = s.structure("Ctr", &[key, at, variant.into(), src, dst, n_bytes, self.in_flight as u64]);
        s.call(&[job])
    }
}

// ---- CBC ----

struct CbcDecrypt {
    n_rounds: usize,
    in_flight: usize,
    n_blocks: usize,
    in_place: bool,
}

impl Case for CbcDecrypt {
    fn name(&self) -> String {
        let Self { n_rounds, in_flight, n_blocks, in_place } = self;
        format!(
            "{n_blocks} blocks {}, {n_rounds} rounds, in flight: {in_flight}",
            in_place_or_apart(*in_place)
        )
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let (key, [_, dw]) = both_expansions(s, 0, self.n_rounds);
        let ([src, dst, n_bytes], ciphertext) = buffer(s, 0, self.n_blocks, self.in_place);
        let chain = s.read_write("the chain", 1, 16);
        let iv = free_block(s.terms(), "iv", 0, 0);
        s.set_block(chain, &iv);
        let output = modes::cbc_decrypt(s.terms(), &dw, &iv, &ciphertext);
        expect_blocks(s, dst, output, "the output");
        expect_blocks(s, chain, vec![*ciphertext.last().unwrap_or(&iv)], "the chain");
        let job = s.structure("CbcDecrypt", &[key, chain, src, dst, n_bytes, self.in_flight as u64]);
        s.call(&[job])
    }
}

struct CbcEncrypt {
    n_rounds: usize,
    degree: usize,
    /// A key for each message.
    of_each: bool,
    n_blocks: usize,
    in_place: bool,
}

impl Case for CbcEncrypt {
    fn name(&self) -> String {
        let Self { n_rounds, of_each, n_blocks, in_place, .. } = self;
        let keys = if *of_each { "a key each" } else { "one key" };
        format!("{n_blocks} blocks {}, {n_rounds} rounds, {keys}", in_place_or_apart(*in_place))
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let degree = self.degree as u64;
        let n_keys = if self.of_each { self.degree } else { 1 };
        let keys: Vec<(u64, Vec<Block>)> = (0..n_keys).map(|k| key(s, k, self.n_rounds)).collect();
        let chains = s.read_write("chains", 1, 16 * degree);
        let buffers = s.read_write("buffers", 8, 24 * degree);
        for k in 0..self.degree {
            // It may be longer than the blocks of this call.
            let ([src, dst, n_bytes], text) = buffer(s, k, self.n_blocks + k % 2, self.in_place);
            let (at, chain) = (buffers + 24 * k as u64, chains + 16 * k as u64);
            for (j, word) in [src, dst, n_bytes].into_iter().enumerate() {
                s.set_value(at + 8 * j as u64, word);
            }
            let iv = free_block(s.terms(), "iv", k, 0);
            s.set_block(chain, &iv);
            let w = &keys[k % n_keys].1;
            let output = modes::cbc_encrypt(s.terms(), w, &iv, &text[..self.n_blocks]);
            expect_blocks(s, chain, vec![*output.last().unwrap_or(&iv)], "the chains");
            expect_blocks(s, dst, output, "the output");
            // The buffer begins after them.
            let taken = 16 * self.n_blocks as u64;
            for (j, word) in [src + taken, dst + taken, n_bytes - taken].into_iter().enumerate() {
                s.afterwards(move |s| s.expect_value(at + 8 * j as u64, word, "a buffer"));
            }
        }
        let mut job = match self.of_each {
            true => {
                let list = s.read_only("keys", 8, 8 * degree);
                for (k, (key, _)) in keys.iter().enumerate() {
                    s.set_value(list + 8 * k as u64, *key);
                }
                vec![list, degree]
            }
            false => vec![keys[0].0],
        };
        job.extend([chains, degree, buffers, degree, self.n_blocks as u64]);
        let job = s.structure("CbcEncrypt", &job);
        s.call(&[job])
    }
}

// ---- The key expansion ----

struct Expand {
    n_rounds: usize,
}

impl Case for Expand {
    fn name(&self) -> String {
        format!("{} rounds", self.n_rounds)
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let n_words = self.n_rounds - 6;
        let at = s.read_only("the key", 1, 4 * n_words as u64);
        let key: Vec<Term> = (0..n_words).map(|j| s.terms().free(32, "key", 0, j)).collect();
        for (j, &word) in key.iter().enumerate() {
            s.set(at + 4 * j as u64, word);
        }
        let expanded = s.read_write("round keys", 64, EXPANDED_BYTES);
        s.set_value(expanded + ROUNDS_AT, self.n_rounds as u64);
        let w = aes::expand(s.terms(), &key);
        let dw = aes::expand_inverse(s.terms(), &w);
        expect_blocks(s, expanded, w, "w");
        expect_blocks(s, expanded + 16 * MOST_KEYS as u64, dw, "dw");
        s.afterwards(move |s| s.expect_value(expanded + ROUNDS_AT, n_words as u64 + 6, "Nr"));
        let job = s.structure("Expand", &[at, 4 * n_words as u64, expanded]);
        s.call(&[job])
    }
}
