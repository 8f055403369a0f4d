//! The states of AEGIS as rings of registers: initialization, keystream, update, tags, each once for every
//! kernel.
//!
//! A state is a ring of blocks: an update applies a round of AES to every block with the next one as the
//! round key, and adds the message at S0 (in AEGIS-128L a second part of it at S4):
//!
//! ```text
//! S'i = AESRound(S(i-1), Si)      S'0 = AESRound(S(last), S0 ^ M)
//! ```
//!
//! The round ends with the exclusive or of its key, so with any K ^ X = S0 ^ M
//!
//! ```text
//! S'0 = AESRound(S(last), K) ^ X
//! ```
//!
//! (Faz-Hernández, López, de Oliveira 2018, equation 10). X may be a late operand, K an early one:
//!
//! - **encryption**: K = M, X = S0. The exclusive or follows the round instead of going before it, so the
//!   longest chain is that of rounds; the order of the instructions matters as much ([`Steps`]).
//! - **decryption**: K = 0, X = S0 ^ M, as M is decrypted by the very state that it goes into.
//!
//! A register holds the same block of several instances of a ring. These are the instances of AEGIS-128X and
//! AEGIS-256X, or messages that have nothing to do with each other (`many.rs`).

use hashlanes_isa::cipher::{Block, Blocks};

/// RFC 10032, section 2: the Fibonacci sequence modulo 256.
pub(crate) const C0: Block =
    [0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62];
/// Its continuation.
pub(crate) const C1: Block =
    [0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd];

/// Updates of rings in which `k[0]`, `x[0]` are added at S0, and `k[1]`, `x[1]` at S4: S' = AESRound(S(i-1),
/// k) ^ x.
///
/// The order of the lines is part of the result: what the exclusive or waits for comes last. (If S0 came
/// first, as in the standard, moving it would gain nothing, and lose 20 % on Zen 4.) The compiler keeps it,
/// but for AESRound of the last block, which it takes first; AEGIS-128 is 4 % slower so, and 30 % without
/// AVX-512VL, AEGIS-256 3 % faster. The same in assembly is no faster than this. Cycles of an update with
/// load, keystream and store (Redwood Cove), original and moved: AEGIS-128 6.2 and 4.6, AEGIS-256 6.2 and
/// 4.8, AEGIS-128L 6.6 and 5.6.
pub(crate) trait Steps: 'static {
    /// The registers.
    type Blocks: Blocks;
    /// Whether the message's exclusive or is moved.
    const MOVED_XOR: MovedXor = MovedXor::Yes;

    /// Updates a ring of AEGIS-128.
    #[inline(always)]
    fn step5(s: &mut [Self::Blocks; 5], k: Self::Blocks, x: Self::Blocks) {
        let old = *s;
        s[4] = old[3].aesenc(old[4]);
        s[3] = old[2].aesenc(old[3]);
        s[2] = old[1].aesenc(old[2]);
        s[1] = old[0].aesenc(old[1]);
        // Not before those.
        let mut all = [s[1], s[2], s[3], s[4], old[4]];
        Self::Blocks::keep_order(&mut all);
        [s[1], s[2], s[3], s[4], _] = all;
        s[0] = all[4].aesenc(k).xor(x);
    }
    /// Updates a ring of AEGIS-256.
    #[inline(always)]
    fn step6(s: &mut [Self::Blocks; 6], k: Self::Blocks, x: Self::Blocks) {
        let old = *s;
        s[5] = old[4].aesenc(old[5]);
        s[4] = old[3].aesenc(old[4]);
        s[3] = old[2].aesenc(old[3]);
        s[2] = old[1].aesenc(old[2]);
        s[1] = old[0].aesenc(old[1]);
        s[0] = old[5].aesenc(k).xor(x);
    }
    /// Updates a ring of AEGIS-128L.
    #[inline(always)]
    fn step8(s: &mut [Self::Blocks; 8], k: [Self::Blocks; 2], x: [Self::Blocks; 2]) {
        let old = *s;
        s[7] = old[6].aesenc(old[7]);
        s[6] = old[5].aesenc(old[6]);
        s[5] = old[4].aesenc(old[5]);
        s[3] = old[2].aesenc(old[3]);
        s[2] = old[1].aesenc(old[2]);
        s[1] = old[0].aesenc(old[1]);
        s[4] = old[3].aesenc(k[1]).xor(x[1]);
        s[0] = old[7].aesenc(k[0]).xor(x[0]);
    }
}

/// Whether the message's exclusive or follows the round: equation 10 of Faz-Hernández, López, de Oliveira
/// 2018.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MovedXor {
    Yes,
    /// For comparison, on x86-64.
    #[cfg_attr(not(all(target_arch = "x86_64", target_feature = "sse2")), allow(dead_code))]
    No,
}

/// The message's parts of an update: one, or in AEGIS-128L two.
pub(crate) type Parts<S, const M: usize> = [<S as Steps>::Blocks; M];

/// The proof that the CPU has the registers.
pub(crate) type Isa<S> = <<S as Steps>::Blocks as Blocks>::Proof;

/// A ring of one cipher, whose update takes `M` parts of a message.
pub(crate) trait Ring<S: Steps, const M: usize>: Copy {
    /// Blocks of the ring.
    const BLOCKS: usize;
    /// Blocks of the key, and of the nonce.
    const KEY_BLOCKS: usize;
    /// The block that lengths go into at the end.
    const LENGTHS: usize;

    /// Creates the ring from the registers of its blocks.
    fn from_blocks(blocks: &[S::Blocks]) -> Self;
    /// Returns the blocks' registers.
    fn blocks(&self) -> &[S::Blocks];

    /// Init, before and between its updates: `context` distinguishes parallel instances.
    fn init(isa: Isa<S>, key: &[S::Blocks], nonce: &[S::Blocks], context: Option<S::Blocks>) -> Self;
    /// Returns the exclusive or of a text and z, the keystream of Enc and Dec.
    fn crypt(&self, text: Parts<S, M>) -> Parts<S, M>;
    /// The same, where the next update waits for it.
    #[inline(always)]
    fn decrypt(&self, ciphertext: Parts<S, M>) -> Parts<S, M> {
        self.crypt(ciphertext)
    }
    /// Update with S' = AESRound(S(last), k) ^ x at the blocks that absorb the message.
    fn step(&mut self, k: Parts<S, M>, x: Parts<S, M>);
    /// The numbers of these blocks: S0, S4.
    fn inlets(&self) -> Parts<S, M>;
    /// Returns the tag of 128 bits of every instance.
    fn tag128(&self) -> S::Blocks;
    /// Returns the halves of its tag of 256 bits.
    fn tag256(&self) -> [S::Blocks; 2];
    /// Returns the blocks of its tag: of 16 bytes, the first one, or of 32.
    #[inline(always)]
    fn tag(&self, n_bytes: usize) -> [S::Blocks; 2] {
        if n_bytes == 16 { [self.tag128(); 2] } else { self.tag256() }
    }

    /// Update(M), for a message that is known early.
    #[inline(always)]
    fn update(&mut self, m: Parts<S, M>) {
        if S::MOVED_XOR == MovedXor::Yes {
            self.step(m, self.inlets());
        } else {
            let (mut k, x) = (self.inlets(), xored(m, m));
            for (k, m) in k.iter_mut().zip(m) {
                *k = k.xor(m);
            }
            self.step(k, x);
        }
    }
    /// Update(M), for a message that this very state decrypts.
    #[inline(always)]
    fn update_late(&mut self, isa: Isa<S>, m: Parts<S, M>) {
        if S::MOVED_XOR == MovedXor::Yes {
            self.step([S::Blocks::zero(isa); M], xored(self.inlets(), m));
        } else {
            self.update(m);
        }
    }
    /// The seven updates of Finalize.
    #[inline(always)]
    fn mix(&mut self, lengths: S::Blocks) {
        let t = self.blocks()[Self::LENGTHS].xor(lengths);
        for _ in 0..7 {
            self.update([t; M]);
        }
    }
}

/// Returns the exclusive or, part by part.
#[inline(always)]
pub(crate) fn xored<B: Blocks, const M: usize>(mut a: [B; M], b: [B; M]) -> [B; M] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = a.xor(b);
    }
    a
}

/// AEGIS-128: version 1.1 of its authors' paper, sections 2.2 to 2.6.
impl<S: Steps> Ring<S, 1> for [S::Blocks; 5] {
    const BLOCKS: usize = 5;
    const KEY_BLOCKS: usize = 1;
    const LENGTHS: usize = 3;

    #[inline(always)]
    fn from_blocks(blocks: &[S::Blocks]) -> Self {
        [blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]]
    }
    #[inline(always)]
    fn blocks(&self) -> &[S::Blocks] {
        self
    }
    #[inline(always)]
    fn init(isa: Isa<S>, key: &[S::Blocks], nonce: &[S::Blocks], _: Option<S::Blocks>) -> Self {
        let (k, c0, c1) = (key[0], S::Blocks::broadcast(isa, &C0), S::Blocks::broadcast(isa, &C1));
        let kn = k.xor(nonce[0]);
        let mut s = [kn, c1, c0, k.xor(c0), k.xor(c1)];
        for _ in 0..5 {
            Ring::<S, 1>::update(&mut s, [k]);
            Ring::<S, 1>::update(&mut s, [kn]);
        }
        s
    }
    #[inline(always)]
    fn crypt(&self, t: [S::Blocks; 1]) -> [S::Blocks; 1] {
        let s = self;
        [t[0].xor(s[2].and(s[3])).xor3(s[1], s[4])]
    }
    #[inline(always)]
    fn step(&mut self, k: [S::Blocks; 1], x: [S::Blocks; 1]) {
        S::step5(self, k[0], x[0]);
    }
    #[inline(always)]
    fn inlets(&self) -> [S::Blocks; 1] {
        [self[0]]
    }
    #[inline(always)]
    fn tag128(&self) -> S::Blocks {
        let s = self;
        s[0].xor3(s[1], s[2]).xor3(s[3], s[4])
    }
    /// AEGIS-128 has no such tag; the value is never used.
    #[inline(always)]
    fn tag256(&self) -> [S::Blocks; 2] {
        [self[0], self[0]]
    }
}

/// AEGIS-128L and AEGIS-128X: RFC 10032, sections 3.3 to 3.9 and 5.4.
impl<S: Steps> Ring<S, 2> for [S::Blocks; 8] {
    const BLOCKS: usize = 8;
    const KEY_BLOCKS: usize = 1;
    const LENGTHS: usize = 2;

    #[inline(always)]
    fn from_blocks(b: &[S::Blocks]) -> Self {
        [b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]
    }
    #[inline(always)]
    fn blocks(&self) -> &[S::Blocks] {
        self
    }
    #[inline(always)]
    fn init(isa: Isa<S>, key: &[S::Blocks], nonce: &[S::Blocks], context: Option<S::Blocks>) -> Self {
        let (k, n) = (key[0], nonce[0]);
        let (c0, c1) = (S::Blocks::broadcast(isa, &C0), S::Blocks::broadcast(isa, &C1));
        let kn = k.xor(n);
        let mut s = [kn, c1, c0, c1, kn, k.xor(c0), k.xor(c1), k.xor(c0)];
        for _ in 0..10 {
            if let Some(context) = context {
                s[3] = s[3].xor(context);
                s[7] = s[7].xor(context);
            }
            Ring::<S, 2>::update(&mut s, [n, k]);
        }
        s
    }
    #[inline(always)]
    fn crypt(&self, t: [S::Blocks; 2]) -> [S::Blocks; 2] {
        let s = self;
        [t[0].xor(s[2].and(s[3])).xor3(s[1], s[6]), t[1].xor(s[6].and(s[7])).xor3(s[2], s[5])]
    }
    #[inline(always)]
    fn step(&mut self, k: [S::Blocks; 2], x: [S::Blocks; 2]) {
        S::step8(self, k, x);
    }
    #[inline(always)]
    fn inlets(&self) -> [S::Blocks; 2] {
        [self[0], self[4]]
    }
    #[inline(always)]
    fn tag128(&self) -> S::Blocks {
        let s = self;
        s[0].xor3(s[1], s[2]).xor3(s[3], s[4]).xor3(s[5], s[6])
    }
    #[inline(always)]
    fn tag256(&self) -> [S::Blocks; 2] {
        let s = self;
        [s[0].xor3(s[1], s[2]).xor(s[3]), s[4].xor3(s[5], s[6]).xor(s[7])]
    }
}

/// AEGIS-256 and AEGIS-256X: RFC 10032, sections 4.3 to 4.9 and 5.5.
impl<S: Steps> Ring<S, 1> for [S::Blocks; 6] {
    const BLOCKS: usize = 6;
    const KEY_BLOCKS: usize = 2;
    const LENGTHS: usize = 3;

    #[inline(always)]
    fn from_blocks(b: &[S::Blocks]) -> Self {
        [b[0], b[1], b[2], b[3], b[4], b[5]]
    }
    #[inline(always)]
    fn blocks(&self) -> &[S::Blocks] {
        self
    }
    #[inline(always)]
    fn init(isa: Isa<S>, key: &[S::Blocks], nonce: &[S::Blocks], context: Option<S::Blocks>) -> Self {
        let (k0, k1) = (key[0], key[1]);
        let (c0, c1) = (S::Blocks::broadcast(isa, &C0), S::Blocks::broadcast(isa, &C1));
        let (kn0, kn1) = (k0.xor(nonce[0]), k1.xor(nonce[1]));
        let mut s = [kn0, kn1, c1, c0, k0.xor(c0), k1.xor(c1)];
        for _ in 0..4 {
            for m in [k0, k1, kn0, kn1] {
                if let Some(context) = context {
                    s[3] = s[3].xor(context);
                    s[5] = s[5].xor(context);
                }
                Ring::<S, 1>::update(&mut s, [m]);
            }
        }
        s
    }
    #[inline(always)]
    fn crypt(&self, t: [S::Blocks; 1]) -> [S::Blocks; 1] {
        let s = self;
        [t[0].xor(s[2].and(s[3])).xor(s[1].xor3(s[4], s[5]))]
    }
    /// In two chains of one instruction each: the compiler would make them one, and this a fifth slower.
    #[inline(always)]
    fn decrypt(&self, c: [S::Blocks; 1]) -> [S::Blocks; 1] {
        let s = self;
        let mut halves = [c[0].xor(s[2].and(s[3])), s[1].xor3(s[4], s[5])];
        S::Blocks::keep_order(&mut halves);
        [halves[0].xor(halves[1])]
    }
    #[inline(always)]
    fn step(&mut self, k: [S::Blocks; 1], x: [S::Blocks; 1]) {
        S::step6(self, k[0], x[0]);
    }
    #[inline(always)]
    fn inlets(&self) -> [S::Blocks; 1] {
        [self[0]]
    }
    #[inline(always)]
    fn tag128(&self) -> S::Blocks {
        let s = self;
        s[0].xor3(s[1], s[2]).xor3(s[3], s[4]).xor(s[5])
    }
    #[inline(always)]
    fn tag256(&self) -> [S::Blocks; 2] {
        let s = self;
        [s[0].xor3(s[1], s[2]), s[3].xor3(s[4], s[5])]
    }
}
