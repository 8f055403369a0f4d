//! The traits with which a compression function is written.

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitXor};

use crate::Features;

/// A word of a hash function: `u32` or `u64`.
pub trait Word: Copy + Debug + Default + Eq + Send + Sync + 'static {
    /// Bytes in a word.
    const BYTES: usize;
    /// Returns the word that `bytes`, [`Word::BYTES`] of them, hold big-endian.
    fn from_be(bytes: &[u8]) -> Self;
    /// Writes the word big-endian to `bytes`, or as many of its first bytes as there is room for.
    fn put_be(self, bytes: &mut [u8]);
    /// Writes two words big-endian, one after the other, to `bytes`, which has twice [`Word::BYTES`]. Words
    /// shorter than a register are written in one piece: 12 instead of 24 instructions for the eight words of
    /// SHA-256.
    fn put_be_pair(pair: [Self; 2], bytes: &mut [u8]);
}

macro_rules! word {
    ($word:ty, |$first:ident, $second:ident| $pair:expr) => {
        impl Word for $word {
            const BYTES: usize = size_of::<$word>();
            #[inline(always)]
            fn from_be(bytes: &[u8]) -> Self {
                let mut word = [0; size_of::<$word>()];
                word.copy_from_slice(bytes);
                <$word>::from_be_bytes(word)
            }
            #[inline(always)]
            fn put_be(self, bytes: &mut [u8]) {
                let n = bytes.len().min(Self::BYTES);
                bytes[..n].copy_from_slice(&self.to_be_bytes()[..n]);
            }
            #[inline(always)]
            fn put_be_pair([$first, $second]: [Self; 2], bytes: &mut [u8]) {
                bytes.copy_from_slice($pair);
            }
        }
    };
}
word!(u32, |first, second| &(u64::from(first) << 32 | u64::from(second)).to_be_bytes());
word!(u64, |first, second| [first.to_be_bytes(), second.to_be_bytes()].as_flattened());

/// Evidence that the CPU executes an instruction set: see "Proofs" in the crate's documentation.
pub trait Proof: Copy {
    /// The CPU's features where this value exists.
    const FEATURES: Features;
    /// # Safety
    /// The calling function is compiled with [`Proof::FEATURES`] and only reached on a CPU that has them.
    unsafe fn assume() -> Self;
}

/// Words of [`Lanes::LANES`] messages side by side; every operation works lane by lane.
///
/// `ch`, `maj`, `chi` and `xor3` have portable definitions; an instruction set that computes three-input
/// functions in one instruction overrides them.
pub trait Lanes: Copy + Add<Output = Self> + BitXor<Output = Self> + BitAnd<Output = Self> + 'static {
    /// The word of a lane.
    type Word: Word;
    /// The proof that the CPU has these lanes.
    type Proof: Proof;
    /// Number of words side by side.
    const LANES: usize;

    /// `x` in every lane.
    fn splat(isa: Self::Proof, x: Self::Word) -> Self;
    /// Rotates right by `n` bits, 0 < `n` < word length, `n` known to the compiler.
    fn rotr(self, n: u32) -> Self;
    /// Rotates left by `n` bits, 0 < `n` < word length, `n` known to the compiler.
    #[inline(always)]
    fn rotl(self, n: u32) -> Self {
        self.rotr(8 * Self::Word::BYTES as u32 - n)
    }
    /// Shifts right by `n` bits, `n` < word length, `n` known to the compiler.
    fn shr(self, n: u32) -> Self;
    /// Returns the bits of `f` where `self` has ones, and those of `g` elsewhere.
    #[inline(always)]
    fn ch(self, f: Self, g: Self) -> Self {
        g ^ (self & (f ^ g))
    }
    /// Returns the majority of the three bits.
    #[inline(always)]
    fn maj(self, b: Self, c: Self) -> Self {
        (self & b) ^ (c & (self ^ b))
    }
    /// Returns `self ^ (!b & c)`.
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        // (b & c) ^ c is c & !b: one instruction where the instruction set has it.
        self ^ ((b & c) ^ c)
    }
    /// Returns the exclusive or of the three.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// Reads a 16-word block a lane and transposes: lane `k` of result `t` is big-endian word `t` of
    /// the block at `rows[k] + offset`.
    ///
    /// # Safety
    /// `rows` holds `LANES` pointers, and 16 words may be read at each plus `offset` bytes.
    unsafe fn load_blocks(isa: Self::Proof, rows: *const *const u8, offset: usize) -> [Self; 16];
    /// Reads `N` words a lane and transposes: lane `k` of result `i` is little-endian word `i` at
    /// `rows[k] + offset`.
    ///
    /// # Safety
    /// `rows` holds `LANES` pointers, and `N` words may be read at each plus `offset` bytes.
    unsafe fn load_little<const N: usize>(
        isa: Self::Proof,
        rows: *const *const u8,
        offset: usize,
    ) -> [Self; N];
    /// Reads consecutive big-endian words: lane `k` is word `k` from `at`.
    ///
    /// # Safety
    /// `LANES` words may be read from `at`.
    unsafe fn load_interleaved(isa: Self::Proof, at: *const u8) -> Self;
    /// Reads states from memory and transposes: lane `k` of result `i` is word `i` of the state at
    /// `states[k]`.
    ///
    /// # Safety
    /// `states` holds `LANES` pointers to states, which may be read.
    unsafe fn load_words<const N: usize>(isa: Self::Proof, states: *const *mut [Self::Word; N]) -> [Self; N];
    /// The inverse of [`Lanes::load_words`].
    ///
    /// # Safety
    /// `states` holds `LANES` pointers to states, which may be written.
    unsafe fn store_words<const N: usize>(v: [Self; N], states: *const *mut [Self::Word; N]);
    /// Transposes states into lanes: lane `k` of result `i` is `states[k][i]`. There are `LANES` states.
    fn load_states<const N: usize>(isa: Self::Proof, states: &[[Self::Word; N]]) -> [Self; N];
    /// The inverse of [`Lanes::load_states`].
    fn store_states<const N: usize>(v: [Self; N], states: &mut [[Self::Word; N]]);
    /// Like [`Lanes::store_states`], each word big-endian: `digests` is `LANES` times N words long.
    fn store_digests<const N: usize>(v: [Self; N], digests: &mut [u8]);
}

/// Defines a lane type from the names of its intrinsics. Special methods of an instruction set (rotation,
/// three-input functions) follow in braces.
///
/// Data are loaded and stored as a square of `LANES` rows, one row per lane, which `transpose` turns.
/// Messages and states of N words take ceil(N / LANES) squares; the last may be partly filled.
macro_rules! lane_type {
    (
        $(#[$doc:meta])*
        $name:ident = $n:literal x $word:ident ($int:ty) in $register:ty, $proof:ident;
        add $add:path, xor $xor:path, and $and:path, splat $splat:path, swap $swap:path,
        load $load:path, load_little $load_little:path, load_part $load_part:path, store $store:path, store_part $store_part:path,
        transpose $transpose:path;
        { $($methods:tt)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name($register);

        impl core::ops::Add for $name {
            type Output = Self;
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn add(self, o: Self) -> Self {
                // SAFETY: "Lanes" in the crate's documentation.
                Self(unsafe { $add(self.0, o.0) })
            }
        }
        impl core::ops::BitXor for $name {
            type Output = Self;
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn bitxor(self, o: Self) -> Self {
                // SAFETY: "Lanes" in the crate's documentation.
                Self(unsafe { $xor(self.0, o.0) })
            }
        }
        impl core::ops::BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn bitand(self, o: Self) -> Self {
                // SAFETY: "Lanes" in the crate's documentation.
                Self(unsafe { $and(self.0, o.0) })
            }
        }

        impl $crate::Lanes for $name {
            type Word = $word;
            type Proof = $proof;
            const LANES: usize = $n;

            #[inline(always)]
            #[allow(unused_unsafe, clippy::unnecessary_cast)]
            fn splat(_: $proof, x: $word) -> Self {
                // SAFETY: "Proofs" in the crate's documentation.
                Self(unsafe { $splat(x as $int) })
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn load_blocks(isa: $proof, rows: *const *const u8, offset: usize) -> [Self; 16] {
                let mut w = [Self::splat(isa, 0); 16];
                for group in 0..16 / $n {
                    let mut square = [w[0].0; $n];
                    for k in 0..$n {
                        // SAFETY: the caller's contract: lane k's row holds 16 words; and "Proofs".
                        square[k] = unsafe {
                            let row = (*rows.add(k)).add(offset).cast::<$word>();
                            $swap($load(row.add(group * $n)))
                        };
                    }
                    // SAFETY: "Proofs".
                    let turned = unsafe { $transpose(square) };
                    for i in 0..$n {
                        w[group * $n + i] = Self(turned[i]);
                    }
                }
                w
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn load_little<const N: usize>(
                isa: $proof,
                rows: *const *const u8,
                offset: usize,
            ) -> [Self; N] {
                let mut v = [Self::splat(isa, 0); N];
                for group in 0..N.div_ceil($n) {
                    let part = N - group * $n;
                    let mut square = [v[0].0; $n];
                    for k in 0..$n {
                        // SAFETY: the caller's contract: lane k's row holds N words, of which these are
                        // all of a row of the square or `part`; and "Proofs".
                        square[k] = unsafe {
                            let row = (*rows.add(k)).add(offset).cast::<$word>().add(group * $n);
                            if part >= $n { $load_little(row) } else { $load_part(row, part) }
                        };
                    }
                    // SAFETY: "Proofs".
                    let turned = unsafe { $transpose(square) };
                    for i in 0..part.min($n) {
                        v[group * $n + i] = Self(turned[i]);
                    }
                }
                v
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn load_interleaved(_: $proof, at: *const u8) -> Self {
                // SAFETY: the caller's contract, and "Proofs".
                Self(unsafe { $swap($load(at.cast::<$word>())) })
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn load_words<const N: usize>(isa: $proof, states: *const *mut [$word; N]) -> [Self; N] {
                let mut v = [Self::splat(isa, 0); N];
                for group in 0..N.div_ceil($n) {
                    let part = N - group * $n;
                    let mut square = [Self::splat(isa, 0).0; $n];
                    for k in 0..$n {
                        // SAFETY: the caller's contract: words group * n .. of a state, all of them or
                        // `part`; and "Proofs".
                        square[k] = unsafe {
                            let row = (*states.add(k)).cast::<$word>().cast_const().add(group * $n);
                            if part >= $n { $load(row) } else { $load_part(row, part) }
                        };
                    }
                    // SAFETY: "Proofs".
                    let turned = unsafe { $transpose(square) };
                    for i in 0..part.min($n) {
                        v[group * $n + i] = Self(turned[i]);
                    }
                }
                v
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn store_words<const N: usize>(v: [Self; N], states: *const *mut [$word; N]) {
                for group in 0..N.div_ceil($n) {
                    let part = N - group * $n;
                    let mut square = [v[0].0; $n];
                    for i in 0..part.min($n) {
                        square[i] = v[group * $n + i].0;
                    }
                    // SAFETY: "Lanes".
                    let turned = unsafe { $transpose(square) };
                    for k in 0..$n {
                        // SAFETY: the caller's contract: words group * n .. of a state, all of them or
                        // `part`; and "Lanes".
                        unsafe {
                            let row = (*states.add(k)).cast::<$word>().add(group * $n);
                            if part >= $n { $store(row, turned[k]) } else { $store_part(row, part, turned[k]) }
                        }
                    }
                }
            }

            #[inline(always)]
            fn load_states<const N: usize>(isa: $proof, states: &[[$word; N]]) -> [Self; N] {
                assert!(states.len() == $n);
                let mut rows = [core::ptr::null_mut(); $n];
                for k in 0..$n {
                    rows[k] = states[k..].as_ptr().cast_mut().cast();
                }
                // SAFETY: a state at each pointer, which is only read.
                unsafe { Self::load_words(isa, rows.as_ptr()) }
            }

            #[inline(always)]
            fn store_states<const N: usize>(v: [Self; N], states: &mut [[$word; N]]) {
                assert!(states.len() == $n);
                let mut rows = [core::ptr::null_mut(); $n];
                for k in 0..$n {
                    rows[k] = states[k..].as_mut_ptr().cast();
                }
                // SAFETY: a state at each pointer.
                unsafe { Self::store_words(v, rows.as_ptr()) }
            }

            #[inline(always)]
            #[allow(unused_unsafe)]
            fn store_digests<const N: usize>(v: [Self; N], digests: &mut [u8]) {
                assert!(digests.len() == $n * N * size_of::<$word>());
                for group in 0..N.div_ceil($n) {
                    let part = N - group * $n;
                    let mut square = [v[0].0; $n];
                    for i in 0..part.min($n) {
                        square[i] = v[group * $n + i].0;
                    }
                    // SAFETY: "Lanes".
                    let turned = unsafe { $transpose(square) };
                    for k in 0..$n {
                        // SAFETY: words group * n .. of digest k, all of them or `part`; the stores
                        // are unaligned ones; and "Lanes".
                        unsafe {
                            let row = digests.as_mut_ptr().cast::<$word>().add(k * N + group * $n);
                            let row_of = $swap(turned[k]);
                            if part >= $n { $store(row, row_of) } else { $store_part(row, part, row_of) }
                        }
                    }
                }
            }

            $($methods)*
        }
    };
}
pub(crate) use lane_type;
