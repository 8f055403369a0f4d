//! The keyed hashes of RFC 8391, section 5.1, with the forms of SP 800-208 for n = 24: many of each at once,
//! in lanes.
//!
//! All are HASH(toByte(x, p) ‖ KEY ‖ M): F (x = 0), H (1), H_msg (2), PRF (3), PRF_keygen (4). The table
//! shows their blocks, padding included; `|` separates blocks:
//!
//! ```text
//!             n = 32: SHA-256, n = 64: SHA-512           n = 24: SHA-256
//! F           0 KEY | M padding                          0 KEY M padding
//! H           1 KEY | M | padding (n = 64 too)           1 KEY M… | …M padding
//! PRF         3 SEED | ADRS padding                      3 SEED ADRS 0x80 | padding
//! PRF_keygen  4 S | SEED ADRS | padding (n = 64: none)   4 S SEED ADRS… | …ADRS padding
//! ```
//!
//! - **States instead of bytes.** Internal values are states of the compression function; their first n
//!   bytes, big-endian, are the standard's values. They become bytes where a kernel reads blocks, and in keys
//!   and signatures.
//! - **In bulk.** The KEYs and masks of a chain or a tree do not depend on its values. So [`Worker::prepare`]
//!   computes them for all steps of all chains at once, together with the block that holds KEY. A step then
//!   costs one compression (H costs two, the second with a constant schedule).
//! - **In place.** The constant parts of the blocks are written once for each [`Worker`]; the next mask of a
//!   PRF changes one word.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{BitXor, Range};

use hashlanes_isa::{Function, Half, KnownHalf, PreExpanded, Start, Types, Word};
use hashlanes_sha::{Algorithm, Hasher, algorithms};
use zeroize::{DefaultIsZeroes, Zeroize};

#[cfg(any(feature = "hazmat", feature = "store"))]
use crate::address::Address;
use crate::address::{ADRS_BYTES, TAIL};
use crate::lanes::Lanes;

/// A hash function and n.
pub(crate) trait Suite: Copy + Send + Sync + 'static {
    type Word: Word + BitXor<Output = Self::Word> + DefaultIsZeroes;
    type Function: Function<Word = Self::Word>;
    type Algorithm: Algorithm<Function = Self::Function>;
    const N: usize;
    /// p: length in bytes of the number at the start of each hash.
    const PREFIX: usize;
    /// len: the chains of a one-time key.
    const LEN: usize = 2 * Self::N + 3;
    /// Whether a block ends directly after KEY.
    const KEY_ENDS_BLOCK: bool = Self::PREFIX + Self::N == <Self::Function as Types>::BLOCK_BYTES;
}

macro_rules! suites {
    ($($(#[$doc:meta])* $name:ident $algorithm:ident $module:ident $word:ident n = $n:literal p = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name;
        impl Suite for $name {
            type Word = $word;
            type Function = hashlanes_sha::$module::Compression;
            type Algorithm = algorithms::$algorithm;
            const N: usize = $n;
            const PREFIX: usize = $prefix;
        }
    )*};
}
suites! {
    /// RFC 8391, section 5.1.1.
    Sha256N32 Sha256 sha256 u32 n = 32 p = 32;
    /// RFC 8391, section 5.1.3.
    Sha512N64 Sha512 sha512 u64 n = 64 p = 64;
    /// SP 800-208, section 5.2: toByte(x, 4); a p of n would define another function.
    Sha256N24 Sha256 sha256 u32 n = 24 p = 4;
}

/// Runs `$body` with `$S` set to the suite of a parameter set.
macro_rules! with_suite {
    ($set:expr, $S:ident => $body:expr) => {
        match $set.n() {
            24 => {
                type $S = crate::hash::Sha256N24;
                $body
            }
            32 => {
                type $S = crate::hash::Sha256N32;
                $body
            }
            _ => {
                type $S = crate::hash::Sha512N64;
                $body
            }
        }
    };
}
pub(crate) use with_suite;

/// A value: its first n bytes count.
pub(crate) type State<S> = <<S as Suite>::Function as Types>::State;
type Block<S> = <<S as Suite>::Function as Types>::Block;

/// The number x at the start of each hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    F = 0,
    H = 1,
    HMsg = 2,
    Prf = 3,
    #[cfg(any(feature = "hazmat", feature = "store"))]
    PrfKeygen = 4,
}

impl Kind {
    /// Number of masks of F or H: BM, or BM_0 and BM_1.
    fn n_masks(self) -> usize {
        if self == Self::H { 2 } else { 1 }
    }

    /// Returns toByte(x, p).
    fn prefix<S: Suite>(self) -> Vec<u8> {
        let mut prefix = vec![0; S::PREFIX];
        prefix[S::PREFIX - 1] = self as u8;
        prefix
    }
}

/// Blocks that are written before a kernel is called: four groups of 16, because single groups take 8 %
/// longer.
pub(crate) const TILE: usize = 64;

// ---- Values and bytes ----

/// Reads a value of n bytes.
pub(crate) fn state_of<S: Suite>(bytes: &[u8]) -> State<S> {
    let mut state = <S::Algorithm as Algorithm>::H0;
    for (word, bytes) in state.as_mut().iter_mut().zip(bytes[..S::N].chunks_exact(S::Word::BYTES)) {
        *word = S::Word::from_be(bytes);
    }
    state
}

/// Returns the n bytes of a value.
#[inline(always)]
pub(crate) fn put<S: Suite>(state: &State<S>, to: &mut [u8]) {
    let (pairs, _) = state.as_ref().as_chunks();
    for (to, &pair) in to[..S::N].chunks_exact_mut(2 * S::Word::BYTES).zip(pairs) {
        S::Word::put_be_pair(pair, to);
    }
}

/// Returns the n bytes of a value, XORed with its mask.
#[inline(always)]
fn put_masked<S: Suite>(value: &State<S>, mask: &State<S>, to: &mut [u8]) {
    let ((values, _), (masks, _)) = (value.as_ref().as_chunks::<2>(), mask.as_ref().as_chunks::<2>());
    let pairs = values.iter().zip(masks);
    for (to, (value, mask)) in to[..S::N].chunks_exact_mut(2 * S::Word::BYTES).zip(pairs) {
        S::Word::put_be_pair([value[0] ^ mask[0], value[1] ^ mask[1]], to);
    }
}

/// Returns a message with its padding.
fn padded<S: Suite>(message: &[u8]) -> Vec<Block<S>> {
    let mut blocks =
        vec![S::Function::ZERO_BLOCK; (message.len() + 2 * S::Word::BYTES) / S::Function::BLOCK_BYTES + 1];
    let bytes = S::Function::bytes_of_mut(&mut blocks);
    bytes[..message.len()].copy_from_slice(message);
    bytes[message.len()] = 0x80;
    let length = (8 * message.len() as u64).to_be_bytes();
    let at = bytes.len() - length.len();
    bytes[at..].copy_from_slice(&length);
    blocks
}

/// Overwrites states and blocks; the compiler does not remove the writes.
pub(crate) fn wipe<T: Copy>(values: &mut [T], zero: T) {
    values.fill(zero);
    core::hint::black_box(values);
}

// ---- PRF ----

/// PRF or PRF_keygen under one key: everything except the address is computed in advance.
pub(crate) struct Prf<S: Suite> {
    /// The state after the blocks that hold nothing of the address's second half.
    start: State<S>,
    /// The block that holds the address's second half.
    block: Block<S>,
    /// Offset of the address's second half in the block. The first half precedes it, or is in the block
    /// before and then constant.
    tail: usize,
    /// The constant half of that block, if the address is the other half.
    known: Option<KnownHalf<S::Function>>,
    last: Option<PreExpanded<S::Function>>,
}

impl<S: Suite> Prf<S> {
    /// Prepares PRF(KEY, ADRS): section 5.1.
    pub(crate) fn new(lanes: Lanes<S::Function>, key: &[u8]) -> Self {
        Self::of(lanes, Kind::Prf, key, &[], &[0; TAIL])
    }

    /// Prepares PRF_keygen(S_XMSS, SEED ‖ ADRS), SP 800-208, section 6.2, for addresses whose first half is
    /// `head`.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    pub(crate) fn keygen(lanes: Lanes<S::Function>, sk_seed: &[u8], seed: &[u8], head: &[u8; TAIL]) -> Self {
        Self::of(lanes, Kind::PrfKeygen, sk_seed, seed, head)
    }

    fn of(lanes: Lanes<S::Function>, kind: Kind, key: &[u8], before: &[u8], head: &[u8; TAIL]) -> Self {
        let mut message =
            [&kind.prefix::<S>()[..], &key[..S::N], before, head, &[0; ADRS_BYTES - TAIL]].concat();
        let tail = message.len() - (ADRS_BYTES - TAIL);
        let mut blocks = padded::<S>(&message);
        let variable = tail / S::Function::BLOCK_BYTES;
        let mut start = <S::Algorithm as Algorithm>::H0;
        for block in &blocks[..variable] {
            lanes.compress_constant(&mut start, block);
        }
        let tail = tail % S::Function::BLOCK_BYTES;
        let middle = S::Function::BLOCK_BYTES / 2;
        let half = match tail.checked_sub(TAIL) {
            Some(from) if from + ADRS_BYTES <= middle => Some(Half::Second),
            Some(from) if from >= middle => Some(Half::First),
            _ => None,
        };
        let prf = Self {
            start,
            block: blocks[variable],
            tail,
            known: half.and_then(|half| S::Function::known_half(half, &blocks[variable], &start)),
            last: blocks.get(variable + 1).map(|last| PreExpanded::new(*last)),
        };
        message.zeroize();
        wipe(&mut blocks, S::Function::ZERO_BLOCK);
        prf
    }

    /// Returns blocks that hold everything except an address.
    pub(crate) fn blocks(&self, n: usize) -> Vec<Block<S>> {
        vec![self.block; n]
    }

    /// Writes an address to its place; its first half may be constant.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    #[inline(always)]
    pub(crate) fn put_address(&self, block: &mut Block<S>, address: &Address) {
        let block = block.as_mut();
        if self.tail >= TAIL {
            block[self.tail - TAIL..self.tail].copy_from_slice(address.head());
        }
        address.put_tail(&mut block[self.tail..]);
    }

    /// Returns the place of an address that is whole in the block.
    #[inline(always)]
    fn place<'b>(&self, block: &'b mut Block<S>) -> &'b mut [u8; ADRS_BYTES] {
        let place = block.as_mut()[self.tail - TAIL..].first_chunk_mut();
        place.expect("PRF's message ends with it")
    }

    /// Sets the address's last word, keyAndMask.
    #[inline(always)]
    fn put_mask_number(&self, block: &mut Block<S>, number: usize) {
        let at = self.tail + ADRS_BYTES - TAIL - 4;
        block.as_mut()[at..at + 4].copy_from_slice(&(number as u32).to_be_bytes());
    }

    #[inline]
    pub(crate) fn compute(&self, lanes: Lanes<S::Function>, blocks: &[Block<S>], to: &mut [State<S>]) {
        let (start, known) = (Start::Shared(&self.start), self.known.as_ref());
        lanes.continue_many(start, blocks, known, self.last.as_ref(), to);
    }

    /// Computes the function for one address.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    pub(crate) fn one(&self, lanes: Lanes<S::Function>, address: &Address) -> State<S> {
        let mut block = [self.block];
        self.put_address(&mut block[0], address);
        let mut state = [self.start];
        self.compute(lanes, &block, &mut state);
        state[0]
    }

    /// Computes the function for `to.len()` addresses, which `next` returns one by one.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    pub(crate) fn many(
        &self,
        lanes: Lanes<S::Function>,
        mut next: impl FnMut() -> Address,
        to: &mut [State<S>],
    ) {
        let mut blocks = self.blocks(TILE.min(to.len()));
        for to in to.chunks_mut(TILE) {
            let blocks = &mut blocks[..to.len()];
            blocks.iter_mut().for_each(|block| self.put_address(block, &next()));
            self.compute(lanes, blocks, to);
        }
    }
}

impl<S: Suite> Drop for Prf<S> {
    fn drop(&mut self) {
        self.start.as_mut().zeroize();
        self.block.as_mut().zeroize();
        if let Some(known) = &mut self.known {
            known.start.as_mut().zeroize();
            known.after.as_mut().zeroize();
            known.block.as_mut().zeroize();
        }
    }
}

/// H_msg of one message, part by part.
pub(crate) struct HMsg<S: Suite>(Hasher<S::Algorithm>);

impl<S: Suite> HMsg<S> {
    /// Begins H_msg(r ‖ root ‖ toByte(idx, n), …).
    pub(crate) fn new(lanes: Lanes<S::Function>, r: &[u8], root: &[u8], index: u64) -> Self {
        let mut hasher = match lanes.only() {
            Some(kernel) => Hasher::<S::Algorithm>::with_kernel(kernel),
            None => Hasher::new(),
        };
        let mut number = [0; crate::params::MAX_N];
        number[S::N - 8..S::N].copy_from_slice(&index.to_be_bytes());
        hasher.update([&Kind::HMsg.prefix::<S>()[..], r, root, &number[..S::N]].concat());
        Self(hasher)
    }

    /// Returns the hasher, after the prefix of the message.
    pub(crate) fn hasher(self) -> Hasher<S::Algorithm> {
        self.0
    }

    #[cfg(any(feature = "std", feature = "hazmat"))]
    pub(crate) fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    #[cfg(any(feature = "std", feature = "hazmat"))]
    pub(crate) fn finish(self) -> State<S> {
        state_of::<S>(self.0.finish().as_ref())
    }
}

/// Computes H_msg(r ‖ root ‖ toByte(idx, n), M), sections 5.1 and 4.1.9, for several messages; `root` is
/// shared.
pub(crate) fn h_msg<S: Suite>(
    lanes: Lanes<S::Function>,
    root: &[u8],
    signed: &[(&[u8], u64, &[u8])],
) -> Vec<State<S>> {
    let begun = |&(r, index, _): &(&[u8], u64, &[u8])| HMsg::<S>::new(lanes, r, root, index).0;
    let mut hashers: Vec<_> = signed.iter().map(begun).collect();
    let mut digests = vec![S::Algorithm::ZERO_DIGEST; signed.len()];
    let mut parts: Vec<_> =
        hashers.iter_mut().zip(signed).map(|(hasher, (_, _, message))| (hasher, *message)).collect();
    match lanes.only() {
        Some(kernel) => {
            Hasher::update_many_on(kernel, &mut parts);
            Hasher::finish_many_on(kernel, &mut hashers, &mut digests);
        }
        None => {
            Hasher::update_many(&mut parts);
            Hasher::finish_many(&mut hashers, &mut digests);
        }
    }
    digests.iter().map(|digest| state_of::<S>(digest.as_ref())).collect()
}

/// Reads a stream to its end, part by part.
#[cfg(feature = "std")]
pub(crate) fn feed(stream: &mut dyn std::io::Read, sink: &mut dyn FnMut(&[u8])) -> std::io::Result<()> {
    /// Large enough that system calls cost little, small enough for the second-level cache.
    const BYTES: usize = 256 << 10;
    let mut buffer = vec![0; BYTES];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => sink(&buffer[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

// ---- F and H ----

/// Whether the processed values are secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    #[cfg(any(feature = "hazmat", feature = "store"))]
    Secret,
}

/// The data that a thread needs to compute chains and trees under one public SEED.
pub(crate) struct Worker<'k, S: Suite> {
    pub(crate) lanes: Lanes<S::Function>,
    prf: &'k Prf<S>,
    secrecy: Secrecy,
    prf_blocks: Vec<Block<S>>,
    f: Keyed<S>,
    h: Keyed<S>,
    /// For each prepared hash the state after KEY, which the result replaces; if no block ends directly after
    /// KEY, KEY itself.
    keyed: Vec<State<S>>,
    /// The masks of the prepared hashes: all the first ones, then all the second ones.
    masks: Vec<State<S>>,
}

/// The blocks of F or H.
struct Keyed<S: Suite> {
    /// The block with KEY.
    first: Vec<Block<S>>,
    /// The constant half of that block: the bytes before KEY, if they fill half of it.
    first_known: Option<KnownHalf<S::Function>>,
    /// The next block, if it holds some of M.
    second: Vec<Block<S>>,
    /// The constant half of that block: the padding after M, if it fills half of it.
    second_known: Option<KnownHalf<S::Function>>,
    last: Option<PreExpanded<S::Function>>,
}

impl<S: Suite> Keyed<S> {
    fn new(kind: Kind) -> Self {
        let m_bytes = kind.n_masks() * S::N;
        let message = [kind.prefix::<S>(), vec![0; S::N + m_bytes]].concat();
        let blocks = padded::<S>(&message);
        let with_m = message.len().div_ceil(S::Function::BLOCK_BYTES);
        let middle = S::Function::BLOCK_BYTES / 2;
        let known = |is_half, half, block| {
            let start = <S::Algorithm as Algorithm>::H0;
            if S::KEY_ENDS_BLOCK && is_half { S::Function::known_half(half, block, &start) } else { None }
        };
        Self {
            first: vec![blocks[0]; TILE],
            first_known: known(S::PREFIX == middle, Half::First, &blocks[0]),
            second_known: known(m_bytes == middle, Half::Second, blocks.last().expect("one at least")),
            second: if with_m > 1 { vec![blocks[1]; TILE] } else { vec![] },
            last: blocks.get(with_m).map(|last| PreExpanded::new(*last)),
        }
    }
}

impl<'k, S: Suite> Worker<'k, S> {
    /// Prepares the blocks; `prf` has the public SEED as its key.
    pub(crate) fn new(lanes: Lanes<S::Function>, prf: &'k Prf<S>, secrecy: Secrecy) -> Self {
        Self {
            lanes,
            prf,
            secrecy,
            prf_blocks: prf.blocks(TILE),
            f: Keyed::new(Kind::F),
            h: Keyed::new(Kind::H),
            keyed: Vec::new(),
            masks: Vec::new(),
        }
    }

    /// Computes KEY and the masks of `n` hashes, and processes each block that ends directly after KEY.
    /// `put_next` writes their addresses, one after the other.
    pub(crate) fn prepare(&mut self, kind: Kind, n: usize, mut put_next: impl FnMut(&mut [u8; ADRS_BYTES])) {
        let n_masks = kind.n_masks();
        if self.keyed.len() < n {
            self.keyed.resize(n, <S::Algorithm as Algorithm>::H0);
        }
        if self.masks.len() < n_masks * n {
            self.masks.resize(n_masks * n, <S::Algorithm as Algorithm>::H0);
        }
        let kind_keyed = if kind == Kind::F { &mut self.f } else { &mut self.h };
        let (key_blocks, key_known) = (&mut kind_keyed.first, kind_keyed.first_known.as_ref());
        for from in (0..n).step_by(TILE) {
            let tile = from..n.min(from + TILE);
            let blocks = &mut self.prf_blocks[..tile.len()];
            for block in &mut *blocks {
                put_next(self.prf.place(block));
            }
            let keyed = &mut self.keyed[tile.clone()];
            self.prf.compute(self.lanes, blocks, keyed);
            for number in 0..n_masks {
                for block in &mut *blocks {
                    self.prf.put_mask_number(block, number + 1);
                }
                let place = number * n + tile.start..number * n + tile.end;
                self.prf.compute(self.lanes, blocks, &mut self.masks[place]);
            }
            if S::KEY_ENDS_BLOCK {
                let blocks = &mut key_blocks[..tile.len()];
                for (block, key) in blocks.iter_mut().zip(&*keyed) {
                    put::<S>(key, &mut block.as_mut()[S::PREFIX..]);
                }
                let start = Start::Shared(&<S::Algorithm as Algorithm>::H0);
                self.lanes.continue_many(start, blocks, key_known, None, keyed);
            }
        }
    }

    /// Computes F(KEY, M ⊕ BM) for the prepared hashes `some`; `from` has their M, in order.
    pub(crate) fn f(&mut self, some: Range<usize>, from: Values<'_, S>) {
        let (before, keyed) = self.keyed.split_at_mut(some.start);
        let keyed = &mut keyed[..some.len()];
        let values = match from {
            Values::Given(given) => &given[..some.len()],
            Values::Results(from) => &before[from..from + some.len()],
        };
        let masks = &self.masks[some];
        for ((keyed, values), masks) in
            keyed.chunks_mut(TILE).zip(values.chunks(TILE)).zip(masks.chunks(TILE))
        {
            let n = keyed.len();
            let masked = values.iter().zip(masks);
            let (start, blocks, known) = if S::KEY_ENDS_BLOCK {
                let blocks = &mut self.f.second[..n];
                for (block, (value, mask)) in blocks.iter_mut().zip(masked) {
                    put_masked::<S>(value, mask, block.as_mut());
                }
                (Start::Each, blocks, self.f.second_known.as_ref())
            } else {
                let blocks = &mut self.f.first[..n];
                for ((block, key), (value, mask)) in blocks.iter_mut().zip(&*keyed).zip(masked) {
                    let block = &mut block.as_mut()[S::PREFIX..];
                    put::<S>(key, block);
                    put_masked::<S>(value, mask, &mut block[S::N..]);
                }
                (Start::Shared(&<S::Algorithm as Algorithm>::H0), blocks, None)
            };
            self.lanes.continue_many(start, blocks, known, self.f.last.as_ref(), keyed);
        }
    }

    /// Computes RAND_HASH(LEFT, RIGHT), section 4.1.4, algorithm 7, for the prepared hashes `some` of `n`;
    /// `pair(i)` returns LEFT and RIGHT of hash i. Returns the results.
    pub(crate) fn h<'v>(
        &mut self,
        n: usize,
        some: Range<usize>,
        pair: impl Fn(usize) -> (&'v State<S>, &'v State<S>),
    ) -> &[State<S>] {
        for from in some.clone().step_by(TILE) {
            let tile = from..some.end.min(from + TILE);
            let keyed = &mut self.keyed[tile.clone()];
            let (firsts, seconds) = (&mut self.h.first[..tile.len()], &mut self.h.second[..tile.len()]);
            for (k, (first, second)) in firsts.iter_mut().zip(&mut *seconds).enumerate() {
                let (left, right) = pair(from - some.start + k);
                let (mask_left, mask_right) = (&self.masks[from + k], &self.masks[n + from + k]);
                if S::KEY_ENDS_BLOCK {
                    let block = second.as_mut();
                    put_masked::<S>(left, mask_left, block);
                    put_masked::<S>(right, mask_right, &mut block[S::N..]);
                } else {
                    // The second half of M crosses the border between two blocks.
                    let first = &mut first.as_mut()[S::PREFIX..];
                    put::<S>(&keyed[k], first);
                    put_masked::<S>(left, mask_left, &mut first[S::N..]);
                    let mut m = [0; crate::params::MAX_N];
                    put_masked::<S>(right, mask_right, &mut m);
                    let (in_first, in_second) = m[..S::N].split_at(first.len() - 2 * S::N);
                    first[2 * S::N..].copy_from_slice(in_first);
                    second.as_mut()[..in_second.len()].copy_from_slice(in_second);
                }
            }
            if !S::KEY_ENDS_BLOCK {
                let start = Start::Shared(&<S::Algorithm as Algorithm>::H0);
                self.lanes.continue_many(start, firsts, None, None, keyed);
            }
            self.lanes.continue_many(Start::Each, seconds, None, self.h.last.as_ref(), keyed);
        }
        &self.keyed[some]
    }

    /// Returns the results of prepared hashes.
    pub(crate) fn results(&self) -> &[State<S>] {
        &self.keyed
    }
}

/// The source of the values that [`Worker::f`] hashes.
pub(crate) enum Values<'v, S: Suite> {
    Given(&'v [State<S>]),
    /// The results of the prepared hashes from this one on; they precede the hashes to be computed.
    Results(usize),
}

impl<S: Suite> Drop for Worker<'_, S> {
    fn drop(&mut self) {
        if self.secrecy != Secrecy::Public {
            wipe(&mut self.keyed, <S::Algorithm as Algorithm>::H0);
            wipe(&mut self.f.first, S::Function::ZERO_BLOCK);
            wipe(&mut self.f.second, S::Function::ZERO_BLOCK);
        }
    }
}
