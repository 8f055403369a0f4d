//! Several whole messages through a kernel: each has its own key, nonce and text, and its lane.
//!
//! The states stay in registers from Init to Finalize. Messages whose lengths differ take turns: all advance
//! by the whole rates of the shortest one, then those that have more advance further, while the others'
//! lanes process idle bytes and get their states back. The ends, which fill no rate, come last, together.

use hashlanes_isa::cipher::{Block, Blocks, Buffer, InOut};

use super::job::{Direction, block_of};
use super::parameters::Parameters;
use super::rings::{Isa, Parts, Ring, Steps};

/// A message in its lane.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Lane<'a, C: Parameters> {
    pub(crate) key: &'a C::Key,
    pub(crate) nonce: &'a C::Key,
    pub(crate) ad: &'a [u8],
    pub(crate) text: Buffer<'a>,
    /// The place of the tag; its length selects the form, and is the same for all.
    pub(crate) tag: &'a mut [u8],
}

/// Messages for the lanes of a kernel. Lanes may be empty, except the first.
#[repr(C)]
pub(crate) struct Lanes<'a, 'b, C: Parameters> {
    pub(crate) lanes: &'a mut [Option<Lane<'b, C>>],
    pub(crate) direction: Direction,
}

/// Rates that a lane without bytes processes at once.
const IDLE_RATES: usize = 4;
/// Their bytes: a rate has at most 32.
const IDLE_BYTES: usize = 32 * IDLE_RATES;
/// Bytes that idle lanes read.
const IDLE: [u8; IDLE_BYTES] = [0; IDLE_BYTES];

/// The rings of `K` messages, in `R` registers a block.
pub(crate) struct LaneRings<S: Steps, G, const M: usize, const R: usize, const K: usize> {
    rings: [G; R],
    isa: Isa<S>,
}

/// Blocks of every lane.
type LaneBlocks<const M: usize, const K: usize> = [[Block; M]; K];

impl<S: Steps, G: Ring<S, M>, const M: usize, const R: usize, const K: usize> LaneRings<S, G, M, R, K> {
    /// Lanes a register.
    const WIDTH: usize = S::Blocks::DEGREE;
    /// Bytes that an update takes in from each message.
    const RATE: usize = 16 * M;

    /// Processes the messages.
    #[inline(always)]
    pub(crate) fn run<C: Parameters>(isa: Isa<S>, work: Lanes<'_, '_, C>) {
        const { assert!(R * Self::WIDTH == K && C::DEGREE == 1 && C::RATE_BYTES == Self::RATE) }
        let Lanes { lanes, direction } = work;
        assert!(lanes.len() == K, "{} messages, not {K}", lanes.len());
        let first = lanes[0].as_ref().expect("the first message");
        let tag_bytes = first.tag.len();
        let mut keys: [(&[u8], &[u8]); K] = [(first.key.as_ref(), first.nonce.as_ref()); K];
        let mut ads: [&[u8]; K] = [&[]; K];
        let mut texts: [Buffer<'_>; K] = [const { Buffer::empty() }; K];
        let mut bits = [[0; 16]; K];
        let mut tags: [Option<&mut [u8]>; K] = [const { None }; K];
        for (k, lane) in lanes.iter_mut().enumerate() {
            let Some(Lane { key, nonce, ad, text, tag }) = lane else {
                assert!(k > 0);
                continue;
            };
            keys[k] = ((**key).as_ref(), (**nonce).as_ref());
            bits[k] = block_of([8 * ad.len() as u64, 8 * text.len() as u64]);
            (ads[k], texts[k]) = (ad, text.reborrow());
            tags[k] = Some(tag);
        }
        let mut this = Self::init(isa, &keys);
        this.absorb(ads);
        this.crypt(direction, texts);
        this.finalize(&bits, tag_bytes, tags);
    }

    /// A register of one block for each lane of ring `r`.
    #[inline(always)]
    fn gathered(isa: Isa<S>, r: usize, of: &[&Block; K]) -> S::Blocks {
        S::Blocks::gather(isa, &of[r * Self::WIDTH..(r + 1) * Self::WIDTH])
    }

    #[inline(always)]
    fn init(isa: Isa<S>, keys: &[(&[u8], &[u8]); K]) -> Self {
        let zero = S::Blocks::zero(isa);
        let mut rings = [G::from_blocks(&[zero; 8]); R];
        for r in 0..R {
            let (mut k, mut n) = ([zero; 2], [zero; 2]);
            for i in 0..G::KEY_BLOCKS {
                let (mut of_keys, mut of_nonces) = ([&[0; 16]; K], [&[0; 16]; K]);
                for lane in 0..K {
                    (of_keys[lane], of_nonces[lane]) = (part(keys[lane].0, i), part(keys[lane].1, i));
                }
                k[i] = Self::gathered(isa, r, &of_keys);
                n[i] = Self::gathered(isa, r, &of_nonces);
            }
            rings[r] = G::init(isa, &k, &n, None);
        }
        Self { rings, isa }
    }

    /// Absorbs all of every lane's data, with zeros to the rate's next multiple.
    #[inline(always)]
    fn absorb(&mut self, mut ads: [&[u8]; K]) {
        while let Some(turn) = Turn::next(&lengths(&ads), Self::RATE) {
            let old = self.rings;
            let mut now: [&[u8]; K] = [&IDLE; K];
            for k in 0..K {
                if turn.idle.is_busy(k) {
                    (now[k], ads[k]) = ads[k].split_at(turn.n_rates * Self::RATE);
                }
            }
            for rate in 0..turn.n_rates {
                for r in 0..R {
                    let mut m = [S::Blocks::zero(self.isa); M];
                    for p in 0..M {
                        let mut blocks = [&[0; 16]; K];
                        for k in 0..K {
                            blocks[k] = part(now[k], rate * M + p);
                        }
                        m[p] = Self::gathered(self.isa, r, &blocks);
                    }
                    self.rings[r].update(m);
                }
            }
            self.restore(&old, turn.idle);
        }
        let old = self.rings;
        let idle = Idle::of(&lengths(&ads), 1);
        if idle.is_any_busy() {
            let blocks = self.ends(&ads);
            for r in 0..R {
                let m = self.parts(r, &blocks);
                self.rings[r].update(m);
            }
            self.restore(&old, idle);
        }
    }

    /// Enc or Dec, of all of every lane's text.
    #[inline(always)]
    fn crypt(&mut self, direction: Direction, mut texts: [Buffer<'_>; K]) {
        while let Some(turn) = Turn::next(&lengths_of(&texts), Self::RATE) {
            let n_bytes = turn.n_rates * Self::RATE;
            if turn.idle.is_none() {
                let mut now = [const { Buffer::empty() }; K];
                for k in 0..K {
                    now[k] = texts[k].take(n_bytes);
                }
                self.crypt_rates(direction, InOut::new(&mut now, turn.n_rates * M));
            } else {
                let old = self.rings;
                let mut idle = [IDLE; K];
                let mut now = [const { Buffer::empty() }; K];
                for (k, idle) in idle.iter_mut().enumerate() {
                    now[k] = match turn.idle.is_busy(k) {
                        true => texts[k].take(n_bytes),
                        false => Buffer::in_place(idle),
                    };
                }
                self.crypt_rates(direction, InOut::new(&mut now, turn.n_rates * M));
                self.restore(&old, turn.idle);
            }
        }
        if Idle::of(&lengths_of(&texts), 1).is_any_busy() {
            self.crypt_ends(direction, &mut texts);
        }
    }

    #[inline(always)]
    fn crypt_rates(&mut self, direction: Direction, text: InOut<'_, K>) {
        match direction {
            Direction::Encrypt => self.encrypt_rates(text),
            Direction::Decrypt => self.decrypt_rates(text),
        }
    }

    #[inline(always)]
    fn encrypt_rates(&mut self, mut text: InOut<'_, K>) {
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let mut m = [S::Blocks::zero(self.isa); M];
                for p in 0..M {
                    m[p] = text.gather(self.isa, r * Self::WIDTH, at + p);
                }
                let c = self.rings[r].crypt(m);
                for p in 0..M {
                    text.scatter(r * Self::WIDTH, at + p, c[p]);
                }
                self.rings[r].update(m);
            }
            at += M;
        }
    }

    #[inline(always)]
    fn decrypt_rates(&mut self, mut text: InOut<'_, K>) {
        let mut at = 0;
        while at < text.n_blocks() {
            for r in 0..R {
                let mut c = [S::Blocks::zero(self.isa); M];
                for p in 0..M {
                    c[p] = text.gather(self.isa, r * Self::WIDTH, at + p);
                }
                let m = self.rings[r].decrypt(c);
                for p in 0..M {
                    text.scatter(r * Self::WIDTH, at + p, m[p]);
                }
                self.rings[r].update_late(self.isa, m);
            }
            at += M;
        }
    }

    /// The last bytes of every text, less than a rate: EncPartial or DecPartial.
    #[inline(always)]
    fn crypt_ends(&mut self, direction: Direction, texts: &mut [Buffer<'_>; K]) {
        let (old, n_bytes) = (self.rings, lengths_of(texts));
        let mut inputs: [&[u8]; K] = [&[]; K];
        for (input, text) in inputs.iter_mut().zip(texts.iter()) {
            *input = text.input();
        }
        let mut message = self.ends(&inputs);
        let mut result = [[[0; 16]; M]; K];
        for r in 0..R {
            let crypted = self.rings[r].crypt(self.parts(r, &message));
            for p in 0..M {
                let mut bytes = [0; 64];
                crypted[p].store(&mut bytes[..16 * Self::WIDTH]);
                for k in 0..Self::WIDTH {
                    result[r * Self::WIDTH + k][p] = *part(&bytes, k);
                }
            }
        }
        let one = S::Blocks::one(self.isa);
        for k in 0..K {
            let output = texts[k].output();
            for p in 0..M {
                let block = <S::Blocks as Blocks>::One::load(one, &result[k][p]);
                block.store_partial(&mut output[range(p, n_bytes[k])]);
            }
        }
        if direction == Direction::Decrypt {
            // Decrypted bytes after the end are not part of the message.
            let mut outputs: [&[u8]; K] = [&[]; K];
            for (output, text) in outputs.iter_mut().zip(texts.iter_mut()) {
                *output = text.output();
            }
            message = self.ends(&outputs);
        }
        for r in 0..R {
            let m = self.parts(r, &message);
            self.rings[r].update(m);
        }
        self.restore(&old, Idle::of(&n_bytes, 1));
    }

    /// Returns the bytes of every lane, less than a rate, with zeros after them.
    #[inline(always)]
    fn ends(&self, bytes: &[&[u8]; K]) -> LaneBlocks<M, K> {
        let one = S::Blocks::one(self.isa);
        let mut blocks = [[[0; 16]; M]; K];
        for k in 0..K {
            for p in 0..M {
                let bytes = &bytes[k][range(p, bytes[k].len())];
                <S::Blocks as Blocks>::One::load_partial(one, bytes).store(&mut blocks[k][p]);
            }
        }
        blocks
    }

    /// Returns ring `r`'s parts of one rate of every lane.
    #[inline(always)]
    fn parts(&self, r: usize, of_lanes: &LaneBlocks<M, K>) -> Parts<S, M> {
        let mut parts = [S::Blocks::zero(self.isa); M];
        for p in 0..M {
            let mut blocks = [&[0; 16]; K];
            for k in 0..K {
                blocks[k] = &of_lanes[k][p];
            }
            parts[p] = Self::gathered(self.isa, r, &blocks);
        }
        parts
    }

    /// Gives idle lanes their old states back.
    #[inline(always)]
    fn restore(&mut self, old: &[G; R], idle: Idle<K>) {
        if idle.is_none() {
            return;
        }
        let mut masks = [&[0; 16]; K];
        for k in 0..K {
            masks[k] = if idle.is_busy(k) { &[0; 16] } else { &[0xff; 16] };
        }
        for r in 0..R {
            let mask = Self::gathered(self.isa, r, &masks);
            let mut blocks = [S::Blocks::zero(self.isa); 8];
            for i in 0..G::BLOCKS {
                let (old, new) = (old[r].blocks()[i], self.rings[r].blocks()[i]);
                blocks[i] = new.xor(new.xor(old).and(mask));
            }
            self.rings[r] = G::from_blocks(&blocks);
        }
    }

    /// Finalize, for these numbers of bits.
    #[inline(always)]
    fn finalize(mut self, bits: &[Block; K], tag_bytes: usize, mut tags: [Option<&mut [u8]>; K]) {
        let mut of_lanes = [&[0; 16]; K];
        for k in 0..K {
            of_lanes[k] = &bits[k];
        }
        for r in 0..R {
            self.rings[r].mix(Self::gathered(self.isa, r, &of_lanes));
            let halves = self.rings[r].tag(tag_bytes);
            for (half, at) in halves.into_iter().zip([0, 16]) {
                let mut bytes = [0; 64];
                half.store(&mut bytes[..16 * Self::WIDTH]);
                for k in 0..Self::WIDTH {
                    let Some(tag) = &mut tags[r * Self::WIDTH + k] else { continue };
                    if let Some(place) = tag.get_mut(at..at + 16) {
                        place.copy_from_slice(part(&bytes, k));
                    }
                }
            }
        }
    }
}

/// Lanes that have no bytes, a bit each. (An array would be written byte by byte, and read at once: the load
/// waits for the stores.)
#[derive(Clone, Copy)]
struct Idle<const K: usize>(u32);

impl<const K: usize> Idle<K> {
    /// Returns the lanes that have fewer than `least` bytes.
    #[inline(always)]
    fn of(n_bytes: &[usize; K], least: usize) -> Self {
        let mut idle = 0;
        for k in 0..K {
            idle |= u32::from(n_bytes[k] < least) << k;
        }
        Self(idle)
    }

    #[inline(always)]
    fn is_busy(self, k: usize) -> bool {
        self.0 >> k & 1 == 0
    }

    #[inline(always)]
    fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn is_any_busy(self) -> bool {
        self.0 != (1 << K) - 1
    }
}

/// Which lanes advance next, and how far.
struct Turn<const K: usize> {
    n_rates: usize,
    idle: Idle<K>,
}

impl<const K: usize> Turn<K> {
    /// Returns the turn of all lanes that have a whole rate, by as many as each of them has; `None` if none
    /// has one.
    #[inline(always)]
    fn next(n_bytes: &[usize; K], rate: usize) -> Option<Self> {
        let idle = Idle::of(n_bytes, rate);
        if !idle.is_any_busy() {
            return None;
        }
        let mut least = if idle.is_none() { usize::MAX } else { IDLE_RATES * rate };
        for k in 0..K {
            if idle.is_busy(k) {
                least = least.min(n_bytes[k]);
            }
        }
        Some(Self { n_rates: least / rate, idle })
    }
}

#[inline(always)]
fn lengths<const K: usize>(lanes: &[&[u8]; K]) -> [usize; K] {
    let mut n_bytes = [0; K];
    for k in 0..K {
        n_bytes[k] = lanes[k].len();
    }
    n_bytes
}

#[inline(always)]
fn lengths_of<const K: usize>(lanes: &[Buffer<'_>; K]) -> [usize; K] {
    let mut n_bytes = [0; K];
    for k in 0..K {
        n_bytes[k] = lanes[k].len();
    }
    n_bytes
}

/// The range of block `p` in bytes that end after `n_bytes`.
#[inline(always)]
fn range(p: usize, n_bytes: usize) -> core::ops::Range<usize> {
    (16 * p).min(n_bytes)..(16 * p + 16).min(n_bytes)
}

/// Block `i` of bytes.
#[inline(always)]
fn part(bytes: &[u8], i: usize) -> &Block {
    bytes[16 * i..].first_chunk().expect("a whole block")
}
