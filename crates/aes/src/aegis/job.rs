//! One message through a kernel: from a key or a state, through associated data and text, to a state or a
//! tag.

use hashlanes_isa::cipher::{Blocks, Buffer, InOut};

use super::parameters::Parameters;
use super::rings::{Isa, Parts, Ring, Steps};

/// A message, or a part of one.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Job<'a, C: Parameters> {
    pub(crate) start: Start<'a, C>,
    /// The state at the start or at the end, if the other fields refer to it; otherwise unused.
    pub(crate) state: &'a mut C::State,
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

impl Text<'_> {
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

/// The most bytes of a rate: AEGIS-128X4's.
pub(crate) const MAX_RATE: usize = 128;

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
            Start::State => Self::load(isa, job.state.as_ref()),
        };
        this.absorb(job.ad);
        match job.text {
            Text::None => {}
            Text::Encrypt(text) => this.encrypt(text),
            Text::Decrypt(text) => this.decrypt(text),
        }
        match job.end {
            End::State => this.store(job.state.as_mut()),
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
            n[i] = S::Blocks::broadcast(isa, nonce[16 * i..].first_chunk().expect("as many of the nonce"));
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

    /// Ring `r`'s parts of a rate's bytes.
    #[inline(always)]
    fn parts(&self, r: usize, bytes: &[u8]) -> Parts<S, M> {
        let mut parts = [S::Blocks::zero(self.isa); M];
        for p in 0..M {
            let at = 16 * (p * Self::DEGREE + r * Self::WIDTH);
            parts[p] = S::Blocks::load(self.isa, &bytes[at..at + 16 * Self::WIDTH]);
        }
        parts
    }

    /// Absorb: all of it, with zeros to the rate's next multiple.
    #[inline(always)]
    fn absorb(&mut self, ad: &[u8]) {
        let mut rates = ad.chunks_exact(16 * Self::RATE_BLOCKS);
        for bytes in &mut rates {
            self.absorb_rate(bytes);
        }
        let rest = rates.remainder();
        if !rest.is_empty() {
            let mut bytes = [0; MAX_RATE];
            bytes[..rest.len()].copy_from_slice(rest);
            self.absorb_rate(&bytes[..16 * Self::RATE_BLOCKS]);
        }
    }

    #[inline(always)]
    fn absorb_rate(&mut self, bytes: &[u8]) {
        for r in 0..R {
            let m = self.parts(r, bytes);
            self.rings[r].update(m);
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
        self.encrypt_rates(&mut text);
        if !rest.is_empty() {
            let n = rest.len();
            let mut bytes = [0; MAX_RATE];
            bytes[..n].copy_from_slice(rest.input());
            let rate = Buffer::in_place(&mut bytes[..16 * Self::RATE_BLOCKS]);
            self.encrypt_rates(&mut InOut::one(rate));
            rest.output().copy_from_slice(&bytes[..n]);
        }
    }

    #[inline(always)]
    fn encrypt_rates(&mut self, text: &mut InOut<'_, 1>) {
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let m = self.load_text(text, r, at);
                Self::store_text(self.rings[r].crypt(m), text, r, at);
                self.rings[r].update(m);
            }
            at += Self::RATE_BLOCKS;
        }
    }

    /// Dec, of all of it.
    #[inline(always)]
    fn decrypt(&mut self, text: Buffer<'_>) {
        let (mut text, mut rest) = Self::split(text);
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let m = self.rings[r].decrypt(self.load_text(&text, r, at));
                Self::store_text(m, &mut text, r, at);
                self.rings[r].update_late(self.isa, m);
            }
            at += Self::RATE_BLOCKS;
        }
        if !rest.is_empty() {
            self.decrypt_partial(&mut rest);
        }
    }

    /// DecPartial.
    #[inline(always)]
    fn decrypt_partial(&mut self, rest: &mut Buffer<'_>) {
        let n = rest.len();
        let mut bytes = [0; MAX_RATE];
        bytes[..n].copy_from_slice(rest.input());
        let mut text = InOut::one(Buffer::in_place(&mut bytes[..16 * Self::RATE_BLOCKS]));
        for r in 0..R {
            let m = self.rings[r].decrypt(self.load_text(&text, r, 0));
            Self::store_text(m, &mut text, r, 0);
        }
        // Decrypted bytes after the end are not part of the message.
        bytes[n..].fill(0);
        rest.output().copy_from_slice(&bytes[..n]);
        self.absorb_rate(&bytes[..16 * Self::RATE_BLOCKS]);
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
            let halves = if tag_bytes == 16 {
                [self.rings[r].tag128(), S::Blocks::zero(self.isa)]
            } else {
                self.rings[r].tag256()
            };
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

    /// Finalize: the exclusive or of the instances' tags.
    #[inline(always)]
    fn finalize(mut self, ad_bytes: u64, message_bytes: u64, tag: &mut [u8]) {
        self.mix([8 * ad_bytes, 8 * message_bytes]);
        tag.fill(0);
        for of_instance in &self.tags(tag.len())[..Self::DEGREE] {
            for (byte, other) in tag.iter_mut().zip(of_instance) {
                *byte ^= other;
            }
        }
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
        tag.copy_from_slice(&self.tags(tag_bytes)[0][..tag_bytes]);
    }
}

/// LE64 of both.
#[inline(always)]
pub(crate) fn block_of(numbers: [u64; 2]) -> [u8; 16] {
    (u128::from(numbers[1]) << 64 | u128::from(numbers[0])).to_le_bytes()
}
