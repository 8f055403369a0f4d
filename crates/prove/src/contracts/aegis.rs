//! The contracts of AEGIS's kernels: RFC 10032. The structures are those of the crate `hashlanes-aes`
//! (`aegis/job.rs`, `aegis/lanes.rs`), in C's layout.

use super::aes::buffer;
use super::blocks::{free_block, free_bytes};
use crate::contract::{Case, Cases, Setting};
use crate::machine::Outcome;
use crate::standards::aegis::{CIPHERS, Cipher, Row};
use crate::standards::aes::{self, Block};

/// The cases of a verb.
pub(super) fn cases(verb: &str, degree: usize) -> Cases {
    let name = verb.strip_suffix("_many").unwrap_or(verb);
    let Some(&cipher) = CIPHERS.iter().find(|cipher| cipher.name == name) else { return Cases::default() };
    if name == verb { of_one(cipher) } else { of_many(cipher, degree) }
}

/// Lengths of tags in bytes. AEGIS-128 has none of 32.
fn tag_lengths(cipher: Cipher) -> &'static [usize] {
    if cipher.n_rows == 5 { &[16] } else { &[16, 32] }
}

// ---- One message ----

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Key,
    State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Text {
    None,
    Encrypt,
    Decrypt,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    State,
    /// A tag with its number of bytes, 16 or 32. Others, which no caller has, begin like one of 32.
    Tag(usize),
    Mac(usize),
}

fn of_one(cipher: Cipher) -> Cases {
    let rate = 16 * cipher.rate_blocks();
    let case = |start, ad_bytes, text, n_bytes, in_place, end| -> Box<dyn Case> {
        Box::new(OfOne { cipher, start, ad_bytes, text, n_bytes, in_place, end })
    };
    let long = tag_lengths(cipher)[tag_lengths(cipher).len() - 1];
    let all = vec![
        case(Start::Key, 2 * rate + 3, Text::Encrypt, 3 * rate + 5, true, End::Tag(16)),
        case(Start::State, 0, Text::Decrypt, 3 * rate + 5, false, End::Tag(long)),
        case(Start::Key, rate, Text::None, 0, true, End::Mac(16)),
        case(Start::Key, 2 * rate - 1, Text::None, 0, true, End::Mac(long)),
        case(Start::State, 1, Text::Encrypt, 2 * rate, false, End::State),
        case(Start::State, 0, Text::Decrypt, 2 * rate, true, End::State),
        case(Start::Key, 0, Text::None, 0, true, End::State),
        case(Start::Key, 0, Text::Decrypt, rate - 1, true, End::Tag(long)),
    ];
    let lengths = [1, rate - 1, rate, rate + 1, 2 * rate, 4 * rate];
    let until_covered = lengths.into_iter().flat_map(|n_bytes| {
        [Start::Key, Start::State].into_iter().flat_map(move |start| {
            [Text::None, Text::Encrypt, Text::Decrypt].into_iter().flat_map(move |text| {
                [End::State, End::Tag(16), End::Tag(long), End::Mac(16), End::Mac(long)]
                    .map(|end| case(start, n_bytes, text, n_bytes, false, end))
            })
        })
    });
    let other_tags = [1, 3, 4, 5, 7, 8, 9, 12, 15, 20, 24, 31].into_iter().filter(|_| long == 32);
    let other_tags = other_tags.map(|n| case(Start::State, 0, Text::None, 0, true, End::Tag(n)));
    Cases { all, until_covered: until_covered.chain(other_tags).collect() }
}

struct OfOne {
    cipher: Cipher,
    start: Start,
    ad_bytes: usize,
    text: Text,
    n_bytes: usize,
    in_place: bool,
    end: End,
}

/// Lengths of a whole message, of which the job may be a part.
const AD_BYTES: u64 = 0x0123_4567_89ab;
const MESSAGE_BYTES: u64 = 0x00fe_dcba_9876;

impl Case for OfOne {
    fn name(&self) -> String {
        let Self { start, ad_bytes, text, n_bytes, in_place, end, .. } = self;
        let place = if *in_place { " in place" } else { "" };
        format!(
            "from {start:?}, {ad_bytes} bytes of associated data, {text:?} {n_bytes} bytes{place}, to {end:?}"
        )
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let cipher = self.cipher;
        let state_blocks = cipher.n_rows * cipher.degree;
        let key = free_blocks(s, "the key", 0, cipher.key_blocks);
        let nonce = free_blocks(s, "the nonce", 0, cipher.key_blocks);
        let state = s.read_write("the state", 1, 16 * state_blocks as u64);
        let mut v = match self.start {
            Start::Key => cipher.init(s.terms(), &key.1, &nonce.1),
            Start::State => free_state(s, cipher, state, 0),
        };
        let ad = s.read_only("associated data", 1, self.ad_bytes as u64);
        for rate in self.rates(s, "associated data", ad, self.ad_bytes) {
            cipher.absorb(s.terms(), &mut v, &rate);
        }
        let text = self.crypt(s, &mut v);
        let (end, tag) = match self.end {
            End::State => {
                s.afterwards(move |s| expect_rows(s, state, &v));
                ([0; 5], vec![])
            }
            End::Tag(n) => {
                let at = s.read_write("the tag", 1, n as u64);
                let n_blocks = if n == 16 { 1 } else { 2 };
                let tag = cipher.finalize(s.terms(), v, AD_BYTES, MESSAGE_BYTES, n_blocks);
                ([1, AD_BYTES, MESSAGE_BYTES, at, n as u64], vec![(at, tag, n)])
            }
            End::Mac(n) => {
                let at = s.read_write("the tag", 1, n as u64);
                let tag = cipher.finalize_mac(s.terms(), v, MESSAGE_BYTES, n / 16);
                ([2, MESSAGE_BYTES, at, n as u64, 0], vec![(at, tag, n)])
            }
        };
        for (at, tag, n) in tag {
            s.afterwards(move |s| s.expect_first_bytes(at, tag.as_flattened(), n, "the tag"));
        }
        let start = if self.start == Start::Key { [0, key.0, nonce.0] } else { [1, 0, 0] };
        let job = [&start[..], &[state, ad, self.ad_bytes as u64], &text, &end].concat();
        let job = s.structure("Job", &job);
        s.call(&[job])
    }
}

impl OfOne {
    /// Free bytes in memory, by rates, with zeros after the end.
    fn rates(&self, s: &mut Setting<'_, '_>, name: &'static str, at: u64, n_bytes: usize) -> Vec<Vec<Block>> {
        let mut blocks = free_bytes(s, name, 0, at, n_bytes);
        let (rate, zero) = (self.cipher.rate_blocks(), s.terms().constant(0, 32));
        blocks.resize(blocks.len().next_multiple_of(rate), [zero; 4]);
        blocks.chunks(rate).map(<[Block]>::to_vec).collect()
    }

    /// The text's part of the job. Sections 3.1 and 3.2: Enc, Dec and DecPartial of all of it.
    fn crypt(&self, s: &mut Setting<'_, '_>, v: &mut Vec<Row>) -> [u64; 4] {
        let (cipher, n_bytes) = (self.cipher, self.n_bytes);
        if self.text == Text::None {
            return [0; 4];
        }
        let dst = s.read_write("the output", 1, n_bytes as u64);
        let src = if self.in_place { dst } else { s.read_only("the input", 1, n_bytes as u64) };
        let mut output: Vec<Block> = Vec::new();
        for (i, rate) in self.rates(s, "text", src, n_bytes).into_iter().enumerate() {
            let z = cipher.keystream(s.terms(), v);
            let crypted: Vec<Block> = rate.iter().zip(&z).map(|(a, b)| aes::xor(s.terms(), a, b)).collect();
            let message = match self.text {
                Text::Decrypt => {
                    let n_left = n_bytes - 16 * i * cipher.rate_blocks();
                    aes::cut(s.terms(), &crypted, n_left)
                }
                _ => rate,
            };
            cipher.absorb(s.terms(), v, &message);
            output.extend(crypted);
        }
        s.afterwards(move |s| s.expect_first_bytes(dst, output.as_flattened(), n_bytes, "the output"));
        [if self.text == Text::Encrypt { 1 } else { 2 }, src, dst, n_bytes as u64]
    }
}

// ---- Many messages ----

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Init,
    /// These with their number of rates.
    Absorb(usize),
    Encrypt(usize),
    Decrypt(usize),
    /// Bytes of a tag.
    Finalize(usize),
}

fn of_many(cipher: Cipher, degree: usize) -> Cases {
    let case = |work, in_place| -> Box<dyn Case> { Box::new(OfMany { cipher, degree, work, in_place }) };
    let of_texts = |n: usize| {
        let (even, odd) = (n.is_multiple_of(2), !n.is_multiple_of(2));
        [case(Work::Absorb(n), false), case(Work::Encrypt(n), even), case(Work::Decrypt(n), odd)]
    };
    let mut all = vec![case(Work::Init, false)];
    all.extend([0, 1, 2, 5].into_iter().flat_map(of_texts));
    all.extend(tag_lengths(cipher).iter().map(|&n| case(Work::Finalize(n), false)));
    Cases { all, until_covered: [3, 4, 8, 9].into_iter().flat_map(of_texts).collect() }
}

struct OfMany {
    cipher: Cipher,
    degree: usize,
    work: Work,
    in_place: bool,
}

impl Case for OfMany {
    fn name(&self) -> String {
        format!("{} lanes, {:?}{}", self.degree, self.work, if self.in_place { " in place" } else { "" })
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let (cipher, n) = (self.cipher, self.degree as u64);
        let state_bytes = 16 * cipher.n_rows as u64;
        let states = s.read_write("states", 1, n * state_bytes);
        // What the lanes' work refers to.
        let (name, entry_bytes) = match self.work {
            Work::Init => ("keys and nonces", 16),
            Work::Absorb(_) => ("slices", 16),
            Work::Encrypt(_) | Work::Decrypt(_) => ("buffers", 24),
            Work::Finalize(_) => ("lengths", 16),
        };
        let list = s.read_only(name, 8, n * entry_bytes);
        let tags = s.read_write("tags", 1, 32 * n);
        for lane in 0..self.degree {
            let at = states + lane as u64 * state_bytes;
            let mut v = free_state(s, cipher, at, lane);
            let entry: Vec<u64> = match self.work {
                Work::Init => {
                    let key = free_blocks(s, "a key", lane, cipher.key_blocks);
                    let nonce = free_blocks(s, "a nonce", lane, cipher.key_blocks);
                    v = cipher.init(s.terms(), &key.1, &nonce.1);
                    vec![key.0, nonce.0]
                }
                Work::Absorb(n_rates) => {
                    let (at, blocks) =
                        free_blocks(s, "associated data", lane, n_rates * cipher.rate_blocks());
                    for rate in blocks.chunks(cipher.rate_blocks()) {
                        cipher.absorb(s.terms(), &mut v, rate);
                    }
                    vec![at, 16 * blocks.len() as u64]
                }
                Work::Encrypt(n_rates) | Work::Decrypt(n_rates) => {
                    let (words, text) = buffer(s, lane, n_rates * cipher.rate_blocks(), self.in_place);
                    let mut output = Vec::new();
                    for rate in text.chunks(cipher.rate_blocks()) {
                        let z = cipher.keystream(s.terms(), &v);
                        let crypted: Vec<Block> =
                            rate.iter().zip(&z).map(|(a, b)| aes::xor(s.terms(), a, b)).collect();
                        let is_encryption = matches!(self.work, Work::Encrypt(_));
                        cipher.absorb(s.terms(), &mut v, if is_encryption { rate } else { &crypted });
                        output.extend(crypted);
                    }
                    let dst = words[1];
                    s.afterwards(move |s| expect_blocks(s, dst, &output, "the output"));
                    words.into()
                }
                Work::Finalize(n_bytes) => {
                    let lengths = [AD_BYTES + lane as u64, MESSAGE_BYTES - lane as u64];
                    let tag = cipher.finalize(s.terms(), v.clone(), lengths[0], lengths[1], n_bytes / 16);
                    let at = tags + 32 * lane as u64;
                    s.afterwards(move |s| expect_blocks(s, at, &tag, &format!("tag {lane}")));
                    lengths.into()
                }
            };
            for (j, word) in entry.into_iter().enumerate() {
                s.set_value(list + lane as u64 * entry_bytes + 8 * j as u64, word);
            }
            s.afterwards(move |s| expect_rows(s, at, &v));
        }
        let work = match self.work {
            Work::Init => [0, list, n, 0, 0, 0],
            Work::Absorb(n_rates) => [1, list, n, n_rates as u64, 0, 0],
            Work::Encrypt(n_rates) => [2, list, n, n_rates as u64, 0, 0],
            Work::Decrypt(n_rates) => [3, list, n, n_rates as u64, 0, 0],
            Work::Finalize(n_bytes) => [4, list, n, tags, n, n_bytes as u64],
        };
        let lanes = s.structure("Lanes", &[&[states, n], &work[..]].concat());
        s.call(&[lanes])
    }
}

// ---- Memory ----

/// Free blocks that are only read: their place, and they.
fn free_blocks(s: &mut Setting<'_, '_>, name: &'static str, i: usize, n_blocks: usize) -> (u64, Vec<Block>) {
    let at = s.read_only(name, 1, 16 * n_blocks as u64);
    let blocks: Vec<Block> = (0..n_blocks).map(|b| free_block(s.terms(), name, i, b)).collect();
    s.set_first_bytes(at, blocks.as_flattened(), 16 * n_blocks);
    (at, blocks)
}

fn free_state(s: &mut Setting<'_, '_>, cipher: Cipher, at: u64, i: usize) -> Vec<Row> {
    let n_blocks = cipher.n_rows * cipher.degree;
    let blocks: Vec<Block> = (0..n_blocks).map(|b| free_block(s.terms(), "state", i, b)).collect();
    s.set_first_bytes(at, blocks.as_flattened(), 16 * n_blocks);
    cipher.rows(&blocks)
}

fn expect_blocks(s: &mut Setting<'_, '_>, at: u64, blocks: &[Block], what: &str) -> Outcome {
    let mut blocks = blocks.iter().enumerate();
    blocks
        .try_for_each(|(b, block)| s.expect_block(at + 16 * b as u64, block, &format!("block {b} of {what}")))
}

fn expect_rows(s: &mut Setting<'_, '_>, at: u64, rows: &[Row]) -> Outcome {
    expect_blocks(s, at, &rows.concat(), "the state")
}
