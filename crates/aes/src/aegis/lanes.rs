//! Several messages through a kernel: each has its own key, state and text, and its lane.

use hashlanes_isa::cipher::{Block, Blocks, Buffer, InOut};

use super::job::block_of;
use super::parameters::Parameters;
use super::rings::{Isa, Ring, Steps};

/// One message for each lane of the kernel, and the operation on them.
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct Lanes<'a, 'b, C: Parameters> {
    /// Their states.
    pub(crate) states: &'a mut [C::State],
    pub(crate) work: Work<'a, 'b, C>,
}

/// The same of every lane.
#[repr(C)]
pub(crate) enum Work<'a, 'b, C: Parameters> {
    /// Init of keys and nonces.
    Init(&'a [(&'b C::Key, &'b C::Key)]),
    /// Absorbs a number of rates from the start of each.
    Absorb(&'a [&'b [u8]], usize),
    /// Enc of a number of rates.
    Encrypt(&'a mut [Buffer<'b>], usize),
    /// Dec of a number of rates.
    Decrypt(&'a mut [Buffer<'b>], usize),
    /// Finalize for given lengths of associated data, message and tag.
    Finalize(&'a [[u64; 2]], &'a mut [[u8; 32]], usize),
}

/// The rings of `K` messages, in `R` registers a block.
pub(crate) struct LaneRings<S: Steps, G, const M: usize, const R: usize, const K: usize> {
    rings: [G; R],
    isa: Isa<S>,
}

impl<S: Steps, G: Ring<S, M>, const M: usize, const R: usize, const K: usize> LaneRings<S, G, M, R, K> {
    /// Lanes a register.
    const WIDTH: usize = S::Blocks::DEGREE;

    /// Does the work.
    #[inline(always)]
    pub(crate) fn run<C: Parameters>(isa: Isa<S>, lanes: Lanes<'_, '_, C>) {
        const { assert!(R * Self::WIDTH == K && C::DEGREE == 1 && C::RATE_BYTES == 16 * M) }
        let Lanes { states, work } = lanes;
        assert!(states.len() == K, "{} messages, not {K}", states.len());
        let mut this = match &work {
            Work::Init(keys) => Self::init::<C>(isa, keys),
            _ => Self::load(isa, states),
        };
        match work {
            Work::Init(_) => {}
            Work::Absorb(ads, n) => this.absorb(ads, n),
            Work::Encrypt(texts, n) => this.encrypt(InOut::new(texts, n * M)),
            Work::Decrypt(texts, n) => this.decrypt(InOut::new(texts, n * M)),
            Work::Finalize(lengths, tags, tag_bytes) => return this.finalize(lengths, tags, tag_bytes),
        }
        this.store(states);
    }

    /// A register of the blocks that `block` names for the lanes of ring `r`.
    #[inline(always)]
    fn gathered<'a, T>(isa: Isa<S>, r: usize, of: &'a [T], block: impl Fn(&'a T) -> &'a Block) -> S::Blocks {
        let mut blocks = [&[0; 16]; 4];
        for k in 0..Self::WIDTH {
            blocks[k] = block(&of[r * Self::WIDTH + k]);
        }
        S::Blocks::gather(isa, &blocks[..Self::WIDTH])
    }

    #[inline(always)]
    fn init<C: Parameters>(isa: Isa<S>, keys: &[(&C::Key, &C::Key)]) -> Self {
        assert!(keys.len() == K);
        let zero = S::Blocks::zero(isa);
        let mut rings = [G::from_blocks(&[zero; 8]); R];
        for r in 0..R {
            let (mut k, mut n) = ([zero; 2], [zero; 2]);
            for i in 0..G::KEY_BLOCKS {
                k[i] = Self::gathered(isa, r, keys, |(key, _)| part(key.as_ref(), i));
                n[i] = Self::gathered(isa, r, keys, |(_, nonce)| part(nonce.as_ref(), i));
            }
            rings[r] = G::init(isa, &k, &n, None);
        }
        Self { rings, isa }
    }

    #[inline(always)]
    fn load<State: AsRef<[Block]>>(isa: Isa<S>, states: &[State]) -> Self {
        let zero = S::Blocks::zero(isa);
        let mut rings = [G::from_blocks(&[zero; 8]); R];
        for r in 0..R {
            let mut blocks = [zero; 8];
            for i in 0..G::BLOCKS {
                blocks[i] = Self::gathered(isa, r, states, |state| &state.as_ref()[i]);
            }
            rings[r] = G::from_blocks(&blocks);
        }
        Self { rings, isa }
    }

    #[inline(always)]
    fn store<State: AsMut<[Block]>>(&self, states: &mut [State]) {
        for r in 0..R {
            for i in 0..G::BLOCKS {
                let mut bytes = [0; 64];
                self.rings[r].blocks()[i].store(&mut bytes[..16 * Self::WIDTH]);
                for k in 0..Self::WIDTH {
                    states[r * Self::WIDTH + k].as_mut()[i].copy_from_slice(&bytes[16 * k..16 * k + 16]);
                }
            }
        }
    }

    #[inline(always)]
    fn absorb(&mut self, ads: &[&[u8]], n_rates: usize) {
        for rate in 0..n_rates {
            for r in 0..R {
                let mut m = [S::Blocks::zero(self.isa); M];
                for p in 0..M {
                    m[p] = Self::gathered(self.isa, r, ads, |ad| part(ad, rate * M + p));
                }
                self.rings[r].update(m);
            }
        }
    }

    #[inline(always)]
    fn encrypt(&mut self, mut text: InOut<'_, K>) {
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
    fn decrypt(&mut self, mut text: InOut<'_, K>) {
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

    #[inline(always)]
    fn finalize(mut self, lengths: &[[u64; 2]], tags: &mut [[u8; 32]], tag_bytes: usize) {
        for r in 0..R {
            let mut bytes = [0; 64];
            for k in 0..Self::WIDTH {
                let bits = lengths[r * Self::WIDTH + k].map(|n_bytes| 8 * n_bytes);
                bytes[16 * k..16 * k + 16].copy_from_slice(&block_of(bits));
            }
            self.rings[r].mix(S::Blocks::load(self.isa, &bytes[..16 * Self::WIDTH]));
            let halves = if tag_bytes == 16 {
                [self.rings[r].tag128(), S::Blocks::zero(self.isa)]
            } else {
                self.rings[r].tag256()
            };
            for (half, at) in halves.into_iter().zip([0, 16]) {
                half.store(&mut bytes[..16 * Self::WIDTH]);
                for k in 0..Self::WIDTH {
                    tags[r * Self::WIDTH + k][at..at + 16].copy_from_slice(&bytes[16 * k..16 * k + 16]);
                }
            }
        }
    }
}

/// Block `i` of bytes.
#[inline(always)]
fn part(bytes: &[u8], i: usize) -> &Block {
    bytes[16 * i..].first_chunk().expect("a whole block")
}
