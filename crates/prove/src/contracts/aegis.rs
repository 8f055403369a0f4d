//! The contracts of AEGIS's kernels: RFC 10032. The structures are those of the crate `hashlanes-aes`
//! (`aegis/job.rs`, `aegis/lanes.rs`), in C's layout.

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
    /// A tag with its number of bytes, 16 or 32.
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
    let ends = (1..rate).flat_map(|n_bytes| {
        let text = if n_bytes % 2 == 0 { Text::Encrypt } else { Text::Decrypt };
        [text, Text::Encrypt].map(|text| case(Start::State, n_bytes, text, n_bytes, false, End::State))
    });
    Cases { all, until_covered: until_covered.chain(ends).collect() }
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
        for rate in rates(s, cipher, "associated data", 0, ad, self.ad_bytes) {
            cipher.absorb(s.terms(), &mut v, &rate);
        }
        let text = match self.text {
            Text::None => [0; 4],
            text => {
                let [src, dst, n_bytes] =
                    crypt(s, cipher, 0, text == Text::Decrypt, self.n_bytes, self.in_place, &mut v);
                [if text == Text::Encrypt { 1 } else { 2 }, src, dst, n_bytes]
            }
        };
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

/// Free bytes of lane `i` in memory, by rates, with zeros after the end.
fn rates(
    s: &mut Setting<'_, '_>,
    cipher: Cipher,
    name: &'static str,
    i: usize,
    at: u64,
    n_bytes: usize,
) -> Vec<Vec<Block>> {
    let mut blocks = free_bytes(s, name, i, at, n_bytes);
    let (rate, zero) = (cipher.rate_blocks(), s.terms().constant(0, 32));
    blocks.resize(blocks.len().next_multiple_of(rate), [zero; 4]);
    blocks.chunks(rate).map(<[Block]>::to_vec).collect()
}

/// The buffer of the text of lane `i`. Sections 3.1 and 3.2: Enc, Dec and DecPartial of all of it.
fn crypt(
    s: &mut Setting<'_, '_>,
    cipher: Cipher,
    i: usize,
    decrypts: bool,
    n_bytes: usize,
    in_place: bool,
    v: &mut Vec<Row>,
) -> [u64; 3] {
    let dst = s.read_write("the output", 1, n_bytes as u64);
    let src = if in_place { dst } else { s.read_only("the input", 1, n_bytes as u64) };
    let mut output: Vec<Block> = Vec::new();
    for (r, rate) in rates(s, cipher, "text", i, src, n_bytes).into_iter().enumerate() {
        let z = cipher.keystream(s.terms(), v);
        let crypted: Vec<Block> = rate.iter().zip(&z).map(|(a, b)| aes::xor(s.terms(), a, b)).collect();
        let message = if decrypts {
            aes::cut(s.terms(), &crypted, n_bytes - 16 * r * cipher.rate_blocks())
        } else {
            rate
        };
        cipher.absorb(s.terms(), v, &message);
        output.extend(crypted);
    }
    s.afterwards(move |s| s.expect_first_bytes(dst, output.as_flattened(), n_bytes, "the output"));
    [src, dst, n_bytes as u64]
}

// ---- Many messages ----

fn of_many(cipher: Cipher, degree: usize) -> Cases {
    let rate = 16 * cipher.rate_blocks();
    let tags = tag_lengths(cipher);
    let case = |decrypts, tag_bytes, lengths: &dyn Fn(usize) -> Option<[usize; 2]>| -> Box<dyn Case> {
        let lengths = (0..degree).map(lengths).collect();
        Box::new(OfMany { cipher, decrypts, in_place: decrypts, tag_bytes, lengths })
    };
    let mut all = Vec::new();
    for decrypts in [false, true] {
        all.push(case(decrypts, tags[0], &|_| Some([0, 2 * rate])));
        all.push(case(decrypts, tags[tags.len() - 1], &|k| Some([3 * k, k * rate / 2])));
        all.push(case(decrypts, 16, &|k| (k == 0).then_some([rate + 1, 5 * rate + 3])));
    }
    let until_covered = (0..rate).flat_map(|n| {
        [false, true]
            .map(|decrypts| case(decrypts, 16, &|k| Some([(n + k) % (2 * rate), (n + 5 * k) % (6 * rate)])))
    });
    // Whole blocks, and empty lanes after the others.
    let whole = (0..12).flat_map(|n| {
        [false, true].map(|decrypts| {
            case(decrypts, tags[n % tags.len()], &|k| {
                Some([rate * ((n + k) % 3), rate * ((n / 3 + 2 * k) % 4)])
            })
        })
    });
    let fewer = (0..2 * degree).flat_map(|n| {
        [false, true].map(|decrypts| {
            let of_lane = move |k| (k <= n % degree).then_some([rate * (n / degree + 1), 3 * rate - 5]);
            case(decrypts, tags[n / degree % tags.len()], &of_lane)
        })
    });
    Cases { all, until_covered: until_covered.chain(whole).chain(fewer).collect() }
}

struct OfMany {
    cipher: Cipher,
    decrypts: bool,
    in_place: bool,
    tag_bytes: usize,
    /// Bytes of associated data and text of every lane; `None` is an empty lane.
    lengths: Vec<Option<[usize; 2]>>,
}

impl Case for OfMany {
    fn name(&self) -> String {
        let Self { decrypts, in_place, tag_bytes, lengths, .. } = self;
        let verb = if *decrypts { "decrypt" } else { "encrypt" };
        let place = if *in_place { " in place" } else { "" };
        format!("{verb} {lengths:?} bytes of associated data and text{place}, tags of {tag_bytes}")
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        /// Words of a lane.
        const WORDS: usize = 9;
        let (cipher, n_lanes) = (self.cipher, self.lengths.len() as u64);
        let list = s.read_write("lanes", 8, 8 * WORDS as u64 * n_lanes);
        for (i, lengths) in self.lengths.iter().enumerate() {
            let mut words = [0; WORDS];
            if let &Some([ad_bytes, n_bytes]) = lengths {
                let key = free_blocks(s, "a key", i, cipher.key_blocks);
                let nonce = free_blocks(s, "a nonce", i, cipher.key_blocks);
                let mut v = cipher.init(s.terms(), &key.1, &nonce.1);
                let ad = s.read_only("associated data", 1, ad_bytes as u64);
                for rate in rates(s, cipher, "associated data", i, ad, ad_bytes) {
                    cipher.absorb(s.terms(), &mut v, &rate);
                }
                let text = crypt(s, cipher, i, self.decrypts, n_bytes, self.in_place, &mut v);
                let at = s.read_write("a tag", 1, self.tag_bytes as u64);
                let n_tag_blocks = self.tag_bytes / 16;
                let tag = cipher.finalize(s.terms(), v, ad_bytes as u64, n_bytes as u64, n_tag_blocks);
                s.afterwards(move |s| expect_blocks(s, at, &tag, &format!("tag {i}")));
                let [src, dst, len] = text;
                words = [key.0, nonce.0, ad, ad_bytes as u64, src, dst, len, at, self.tag_bytes as u64];
            }
            for (j, word) in words.into_iter().enumerate() {
                s.set_value(list + 8 * (WORDS * i + j) as u64, word);
            }
        }
        let lanes = s.structure("Lanes", &[list, n_lanes, u64::from(self.decrypts)]);
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
