//! One message through a kernel: from a key or a state, through associated data and text, to a state or a
//! tag.

use core::ops::Range;

use hashlanes_isa::cipher::{Blocks, Buffer, InOut, in_halves};

use super::parameters::Parameters;
use super::rings::{Isa, Parts, Ring, Steps, xored};

/// A message, or a part of one.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Job<'a, C: Parameters> {
    pub(crate) start: Start<'a, C>,
    /// The state at the start or at the end; `None` if neither of the other fields refers to it.
    pub(crate) state: Option<&'a mut C::State>,
    /// Associated data; zero-filled if it is not a multiple of the rate.
    pub(crate) ad: &'a [u8],
    pub(crate) text: Text<'a>,
    pub(crate) end: End<'a>,
}

/// The start of a job.
#[repr(C)]
pub(crate) enum Start<'a, C: Parameters> {
    /// Init(key, nonce).
    Key(&'a C::Key, &'a C::Key),
    /// The job's state.
    State,
}

/// The text. Where its length is not a multiple of the rate, it is the message's end.
#[repr(C)]
pub(crate) enum Text<'a> {
    None,
    Encrypt(Buffer<'a>),
    Decrypt(Buffer<'a>),
}

/// The direction of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

impl<'a> Text<'a> {
    /// A text to encrypt or decrypt.
    #[inline]
    pub(crate) fn new(direction: Direction, text: Buffer<'a>) -> Self {
        match direction {
            Direction::Encrypt => Self::Encrypt(text),
            Direction::Decrypt => Self::Decrypt(text),
        }
    }

    /// Its bytes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Encrypt(text) | Self::Decrypt(text) => text.len(),
        }
    }
}

/// The end of a job.
#[repr(C)]
pub(crate) enum End<'a> {
    /// In the job's state.
    State,
    /// Writes the tag (Finalize) for these lengths of associated data and message. Its length selects the
    /// form.
    Tag { ad_bytes: u64, message_bytes: u64, tag: &'a mut [u8] },
    /// Writes the code (FinalizeMac) for this length of data.
    Mac { data_bytes: u64, tag: &'a mut [u8] },
}

/// The instances of a cipher: `R` rings of registers, `R` times their degree instances.
pub(crate) struct Rings<S: Steps, G, const M: usize, const R: usize> {
    rings: [G; R],
    isa: Isa<S>,
}

impl<S: Steps, G: Ring<S, M>, const M: usize, const R: usize> Rings<S, G, M, R> {
    /// Blocks a register.
    const WIDTH: usize = S::Blocks::DEGREE;
    /// Instances.
    const DEGREE: usize = R * Self::WIDTH;
    /// Blocks that an update takes in.
    const RATE_BLOCKS: usize = M * Self::DEGREE;

    /// Does the job.
    #[inline(always)]
    pub(crate) fn run<C: Parameters>(isa: Isa<S>, job: Job<'_, C>) {
        const { assert!(Self::DEGREE == C::DEGREE && 16 * Self::RATE_BLOCKS == C::RATE_BYTES) }
        let mut this = match job.start {
            Start::Key(key, nonce) => Self::init(isa, key.as_ref(), nonce.as_ref()),
            Start::State => Self::load(isa, job.state.as_ref().expect("a state").as_ref()),
        };
        this.absorb(job.ad);
        match job.text {
            Text::None => {}
            Text::Encrypt(text) => this.encrypt(text),
            Text::Decrypt(text) => this.decrypt(text),
        }
        match job.end {
            End::State => this.store(job.state.expect("a state").as_mut()),
            End::Tag { ad_bytes, message_bytes, tag } => this.finalize(ad_bytes, message_bytes, tag),
            End::Mac { data_bytes, tag } => this.finalize_mac(data_bytes, tag),
        }
    }

    /// Init: every instance with the same key and nonce.
    #[inline(always)]
    fn init(isa: Isa<S>, key: &[u8], nonce: &[u8]) -> Self {
        let zero = S::Blocks::zero(isa);
        let (mut k, mut n) = ([zero; 2], [zero; 2]);
        for i in 0..G::KEY_BLOCKS {
            k[i] = S::Blocks::broadcast(isa, key[16 * i..].first_chunk().expect("the key's blocks"));
            let nonce = in_halves(nonce[16 * i..].first_chunk().expect("as many of the nonce"));
            n[i] = S::Blocks::broadcast(isa, &nonce.to_le_bytes());
        }
        let mut rings = [G::from_blocks(&[zero; 8]); R];
        for r in 0..R {
            rings[r] = G::init(isa, &k, &n, Self::context(isa, r));
        }
        Self { rings, isa }
    }

    /// Returns the contexts of ring `r`'s instances: RFC 10032, 5.4.1 and 5.5.1.
    #[inline(always)]
    fn context(isa: Isa<S>, r: usize) -> Option<S::Blocks> {
        if Self::DEGREE == 1 {
            return None;
        }
        let mut bytes = [0; 64];
        for i in 0..Self::WIDTH {
            bytes[16 * i] = (r * Self::WIDTH + i) as u8;
            bytes[16 * i + 1] = Self::DEGREE as u8 - 1;
        }
        Some(S::Blocks::load(isa, &bytes[..16 * Self::WIDTH]))
    }

    /// Returns the rings of a state: block i of all instances, then block i + 1.
    #[inline(always)]
    fn load(isa: Isa<S>, state: &[[u8; 16]]) -> Self {
        let zero = S::Blocks::zero(isa);
        let mut rings = [G::from_blocks(&[zero; 8]); R];
        for r in 0..R {
            let mut blocks = [zero; 8];
            for i in 0..G::BLOCKS {
                let at = i * Self::DEGREE + r * Self::WIDTH;
                blocks[i] = S::Blocks::load(isa, state[at..at + Self::WIDTH].as_flattened());
            }
            rings[r] = G::from_blocks(&blocks);
        }
        Self { rings, isa }
    }

    #[inline(always)]
    fn store(&self, state: &mut [[u8; 16]]) {
        for r in 0..R {
            for i in 0..G::BLOCKS {
                let at = i * Self::DEGREE + r * Self::WIDTH;
                self.rings[r].blocks()[i].store(state[at..at + Self::WIDTH].as_flattened_mut());
            }
        }
    }

    /// The range of part `p` of ring `r` in a rate that ends after `n_bytes`.
    #[inline(always)]
    fn part(r: usize, p: usize, n_bytes: usize) -> Range<usize> {
        let at = 16 * (p * Self::DEGREE + r * Self::WIDTH);
        at.min(n_bytes)..(at + 16 * Self::WIDTH).min(n_bytes)
    }

    /// Ring `r`'s parts of a rate's bytes, with zeros after their end.
    #[inline(always)]
    fn parts(&self, r: usize, bytes: &[u8]) -> Parts<S, M> {
        let mut parts = [S::Blocks::zero(self.isa); M];
        for p in 0..M {
            parts[p] = S::Blocks::load_partial(self.isa, &bytes[Self::part(r, p, bytes.len())]);
        }
        parts
    }

    /// Writes as many bytes of ring `r`'s parts as a rate has.
    #[inline(always)]
    fn store_parts(parts: Parts<S, M>, r: usize, bytes: &mut [u8]) {
        let n_bytes = bytes.len();
        for p in 0..M {
            parts[p].store_partial(&mut bytes[Self::part(r, p, n_bytes)]);
        }
    }

    /// Absorb: all of it, with zeros to the rate's next multiple.
    #[inline(always)]
    fn absorb(&mut self, ad: &[u8]) {
        let mut rates = ad.chunks_exact(16 * Self::RATE_BLOCKS);
        for bytes in &mut rates {
            for r in 0..R {
                let m = self.parts(r, bytes);
                self.rings[r].update(m);
            }
        }
        let rest = rates.remainder();
        if !rest.is_empty() {
            for r in 0..R {
                let m = self.parts(r, rest);
                self.rings[r].update(m);
            }
        }
    }

    /// Ring `r`'s parts of the text from block `at` on.
    #[inline(always)]
    fn load_text(&self, text: &InOut<'_, 1>, r: usize, at: usize) -> Parts<S, M> {
        let mut parts = [S::Blocks::zero(self.isa); M];
        for p in 0..M {
            parts[p] = text.load(self.isa, at + p * Self::DEGREE + r * Self::WIDTH);
        }
        parts
    }

    #[inline(always)]
    fn store_text(parts: Parts<S, M>, text: &mut InOut<'_, 1>, r: usize, at: usize) {
        for p in 0..M {
            text.store(at + p * Self::DEGREE + r * Self::WIDTH, parts[p]);
        }
    }

    /// Whole rates of the text, and the rest.
    #[inline(always)]
    fn split<'a>(mut text: Buffer<'a>) -> (InOut<'a, 1>, Buffer<'a>) {
        let rate = 16 * Self::RATE_BLOCKS;
        (InOut::one(text.take(text.len() / rate * rate)), text)
    }

    /// Enc, of all of it.
    #[inline(always)]
    fn encrypt(&mut self, text: Buffer<'_>) {
        let (mut text, mut rest) = Self::split(text);
        let mut rings = self.rings; // A copy is kept in registers, `self` in memory.
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let m = self.load_text(&text, r, at);
                Self::store_text(rings[r].crypt(m), &mut text, r, at);
                rings[r].update(m);
            }
            at += Self::RATE_BLOCKS;
        }
        self.rings = rings;
        if !rest.is_empty() {
            for r in 0..R {
                let m = self.parts(r, rest.input());
                Self::store_parts(self.rings[r].crypt(m), r, rest.output());
                self.rings[r].update(m);
            }
        }
    }

    /// Dec, of all of it.
    #[inline(always)]
    fn decrypt(&mut self, text: Buffer<'_>) {
        let (mut text, mut rest) = Self::split(text);
        let mut rings = self.rings; // A copy is kept in registers, `self` in memory.
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let m = rings[r].decrypt(self.load_text(&text, r, at));
                Self::store_text(m, &mut text, r, at);
                rings[r].update_late(self.isa, m);
            }
            at += Self::RATE_BLOCKS;
        }
        self.rings = rings;
        if !rest.is_empty() {
            self.decrypt_partial(&mut rest);
        }
    }

    /// DecPartial.
    #[inline(always)]
    fn decrypt_partial(&mut self, rest: &mut Buffer<'_>) {
        let n_bytes = rest.len();
        for r in 0..R {
            let mut m = self.rings[r].decrypt(self.parts(r, rest.input()));
            Self::store_parts(m, r, rest.output());
            // Decrypted bytes after the end are not part of the message.
            for p in 0..M {
                let n_bytes = Self::part(r, p, n_bytes).len();
                m[p] = m[p].and(S::Blocks::first_bytes(self.isa, n_bytes));
            }
            self.rings[r].update_late(self.isa, m);
        }
    }

    /// Mixes the lengths into every instance.
    #[inline(always)]
    fn mix(&mut self, lengths: [u64; 2]) {
        let lengths = S::Blocks::broadcast(self.isa, &block_of(lengths));
        for r in 0..R {
            self.rings[r].mix(lengths);
        }
    }

    /// Returns the tags of all instances, of 16 or 32 bytes each.
    #[inline(always)]
    fn tags(&self, tag_bytes: usize) -> [[u8; 32]; 4] {
        let mut tags = [[0; 32]; 4];
        for r in 0..R {
            let halves = self.rings[r].tag(tag_bytes);
            for (half, at) in halves.into_iter().zip([0, 16]) {
                let mut bytes = [0; 64];
                half.store(&mut bytes[..16 * Self::WIDTH]);
                for i in 0..Self::WIDTH {
                    tags[r * Self::WIDTH + i][at..at + 16].copy_from_slice(&bytes[16 * i..16 * i + 16]);
                }
            }
        }
        tags
    }

    /// Writes the first instance of a tag's blocks.
    ///
    /// # Panics
    /// Panics unless the tag has 16 or 32 bytes.
    #[inline(always)]
    fn put(halves: [S::Blocks; 2], tag: &mut [u8]) {
        match tag.as_chunks_mut() {
            ([all], []) => halves[0].store_first(all),
            ([low, high], []) => {
                halves[0].store_first(low);
                halves[1].store_first(high);
            }
            _ => panic!("a tag that has neither 16 nor 32 bytes"),
        }
    }

    /// Finalize: the exclusive or of the instances' tags.
    #[inline(always)]
    fn finalize(mut self, ad_bytes: u64, message_bytes: u64, tag: &mut [u8]) {
        self.mix([8 * ad_bytes, 8 * message_bytes]);
        let mut halves = self.rings[0].tag(tag.len());
        for r in 1..R {
            halves = xored(halves, self.rings[r].tag(tag.len()));
        }
        Self::put([halves[0].sum(), halves[1].sum()], tag);
    }

    /// FinalizeMac: RFC 10032, 8.3.2 and 8.4.2, and with one instance 8.1 and 8.2.
    #[inline(always)]
    fn finalize_mac(mut self, data_bytes: u64, tag: &mut [u8]) {
        let tag_bytes = tag.len();
        self.mix([8 * data_bytes, 8 * tag_bytes as u64]);
        if Self::DEGREE > 1 {
            // If an update takes two blocks and tags have 128 bits, the first instance absorbs all tags.
            // Otherwise the tags of the other instances go into the first.
            let first = if M == 2 && tag_bytes == 16 { 0 } else { 1 };
            let tags = self.tags(tag_bytes);
            let mut all = [0; 128];
            for (place, tag) in all.chunks_exact_mut(tag_bytes).zip(&tags[first..Self::DEGREE]) {
                place.copy_from_slice(&tag[..tag_bytes]);
            }
            for blocks in all[..(Self::DEGREE - first) * tag_bytes].chunks_exact(16 * M) {
                let mut m = [S::Blocks::zero(self.isa); M];
                for p in 0..M {
                    let mut bytes = [0; 64];
                    bytes[..16].copy_from_slice(&blocks[16 * p..16 * p + 16]);
                    m[p] = S::Blocks::load(self.isa, &bytes[..16 * Self::WIDTH]);
                }
                // Other instances than the first are not used any more.
                self.rings[0].update(m);
            }
            let lengths = block_of([Self::DEGREE as u64, 8 * tag_bytes as u64]);
            self.rings[0].mix(S::Blocks::broadcast(self.isa, &lengths));
        }
        Self::put(self.rings[0].tag(tag_bytes), tag);
    }
}

/// LE64 of both.
#[inline(always)]
pub(crate) fn block_of(numbers: [u64; 2]) -> [u8; 16] {
    (u128::from(numbers[1]) << 64 | u128::from(numbers[0])).to_le_bytes()
}
