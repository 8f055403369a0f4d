//! AEGIS's table of kernels: rows of one message have every cipher, rows of many those with lanes.
//!
//! Registers are as wide as the cipher and the row allow: 128 bits for AEGIS-128, 128L and 256, 256 for the
//! parallel modes of two instances, 512 for those of four. Where a row has no registers so wide, it takes
//! several. A row of `N` messages has a lane a message.

use core::marker::PhantomData;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use hashlanes_isa::cipher::{AesNi, Blocks, Vaes, Vaes512, X1, X2, X4};
#[cfg(target_arch = "aarch64")]
use hashlanes_isa::cipher::{ArmAes, X1};
use hashlanes_isa::scalar::Scalar;
use hashlanes_isa::{Proof, kernels};

use super::job::{Job, Rings};
use super::lanes::{LaneRings, Lanes};
use super::parameters::{C128, C128L, C128X2, C128X4, C256, C256X2, C256X4};
use super::portable::Soft;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use super::rings::MovedXor;
use super::rings::{Isa, Steps};

/// Forces a kernel by name, with the cargo feature `env-override`.
pub(crate) const KERNEL_VARIABLE: &str = "HASHLANES_AEGIS_KERNEL";

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident $blocks:ident $moved:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;
        impl Steps for $name {
            type Blocks = $blocks;
            const MOVED_XOR: MovedXor = MovedXor::$moved;
        }
    )*};
}
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
steps! {
    /// A block a register.
    By1 X1 Yes;
}
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
steps! {
    /// Two.
    By2 X2 Yes;
    /// Four.
    By4 X4 Yes;
    /// A block a register, the update as it was before the papers.
    Original X1 No;
}

/// Two blocks a register, and two registers a block: the sixteen registers of AVX2 hold two rings of
/// AEGIS-256 if every block is replaced where it is.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct TwiceBy2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Steps for TwiceBy2 {
    type Blocks = X2;

    #[inline(always)]
    fn step6(s: &mut [X2; 6], k: X2, x: X2) {
        let mut last = [s[5].aesenc(k), s[5]];
        X2::keep_order(&mut last);
        s[5] = last[1];
        for i in (1..6).rev() {
            let mut pair = [s[i - 1].aesenc(s[i]), s[i - 1]];
            X2::keep_order(&mut pair);
            [s[i], s[i - 1]] = pair;
        }
        s[0] = last[0].xor(x);
    }
}

/// A row of one message, in registers of `P`: steps for one instance, for two in `R2` registers a block, for
/// four in `R4`.
pub(crate) struct One<P, S1, S2, const R2: usize, S4, const R4: usize>(PhantomData<(P, S1, S2, S4)>);

/// A row of `K` messages in `R` registers a block.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) struct Many<P, S, const R: usize, const K: usize>(PhantomData<(P, S)>);

type Of<S> = <S as Steps>::Blocks;

impl<P, S1: Steps, S2: Steps, const R2: usize, S4: Steps, const R4: usize> Body for One<P, S1, S2, R2, S4, R4>
where
    P: Proof + Into<Isa<S1>> + Into<Isa<S2>> + Into<Isa<S4>>,
{
    type Proof = P;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn aegis128(isa: P, job: Job<'_, C128>) {
        Rings::<S1, [Of<S1>; 5], 1, 1>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis128l(isa: P, job: Job<'_, C128L>) {
        Rings::<S1, [Of<S1>; 8], 2, 1>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis128x2(isa: P, job: Job<'_, C128X2>) {
        Rings::<S2, [Of<S2>; 8], 2, R2>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis128x4(isa: P, job: Job<'_, C128X4>) {
        Rings::<S4, [Of<S4>; 8], 2, R4>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis256(isa: P, job: Job<'_, C256>) {
        Rings::<S1, [Of<S1>; 6], 1, 1>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis256x2(isa: P, job: Job<'_, C256X2>) {
        Rings::<S2, [Of<S2>; 6], 1, R2>::run(isa.into(), job);
    }
    #[inline(always)]
    fn aegis256x4(isa: P, job: Job<'_, C256X4>) {
        Rings::<S4, [Of<S4>; 6], 1, R4>::run(isa.into(), job);
    }
}

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
impl<P: Proof + Into<Isa<S>>, S: Steps, const R: usize, const K: usize> Body for Many<P, S, R, K> {
    type Proof = P;
    const DEGREE: usize = K;

    #[inline(always)]
    fn aegis128_many(isa: P, lanes: Lanes<'_, '_, C128>) {
        LaneRings::<S, [Of<S>; 5], 1, R, K>::run(isa.into(), lanes);
    }
    #[inline(always)]
    fn aegis128l_many(isa: P, lanes: Lanes<'_, '_, C128L>) {
        LaneRings::<S, [Of<S>; 8], 2, R, K>::run(isa.into(), lanes);
    }
    #[inline(always)]
    fn aegis256_many(isa: P, lanes: Lanes<'_, '_, C256>) {
        LaneRings::<S, [Of<S>; 6], 1, R, K>::run(isa.into(), lanes);
    }
}

/// Four messages in the sixteen registers of AVX2. Four rings of AEGIS-128L would fill them all, so these go
/// two by two.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct FourInSixteen;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Body for FourInSixteen {
    type Proof = Vaes;
    const DEGREE: usize = 4;

    #[inline(always)]
    fn aegis128_many(isa: Vaes, lanes: Lanes<'_, '_, C128>) {
        Many::<Vaes, TwiceBy2, 2, 4>::aegis128_many(isa, lanes);
    }
    #[inline(always)]
    fn aegis128l_many(isa: Vaes, lanes: Lanes<'_, '_, C128L>) {
        let Lanes { lanes, direction } = lanes;
        for lanes in lanes.chunks_exact_mut(2).filter(|lanes| lanes[0].is_some()) {
            Many::<Vaes, By2, 1, 2>::aegis128l_many(isa, Lanes { lanes, direction });
        }
    }
    #[inline(always)]
    fn aegis256_many(isa: Vaes, lanes: Lanes<'_, '_, C256>) {
        Many::<Vaes, TwiceBy2, 2, 4>::aegis256_many(isa, lanes);
    }
}

kernels! { cipher "aegis" KERNEL_VARIABLE {
        /// AEGIS-128X4 of one message.
        aegis128x4(job: Job<'_, C128X4>);
        /// AEGIS-128 for one message in each lane of the row.
        aegis128_many(lanes: Lanes<'_, '_, C128>);
        /// AEGIS-128L for one message in each lane of the row.
        aegis128l_many(lanes: Lanes<'_, '_, C128L>);
        /// AEGIS-256 likewise.
        aegis256_many(lanes: Lanes<'_, '_, C256>);
        /// AEGIS-128 of one message.
        aegis128(job: Job<'_, C128>);
        /// AEGIS-128L of one message.
        aegis128l(job: Job<'_, C128L>);
        /// AEGIS-128X2 of one message.
        aegis128x2(job: Job<'_, C128X2>);
        /// AEGIS-256 of one message.
        aegis256(job: Job<'_, C256>);
        /// AEGIS-256X2 of one message.
        aegis256x2(job: Job<'_, C256X2>);
        /// AEGIS-256X4 of one message.
        aegis256x4(job: Job<'_, C256X4>);
    }
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        vaes_avx512       1 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 One<Vaes512, By1, By2, 1, By4, 1> [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 1 + 6   1 + 6   1 + 6;
        vaes_avx512vl     1 ["vaes" "avx512f" "avx512vl"]            Vaes    One<Vaes, By1, By2, 1, By2, 2>    [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 1 + 6   1 + 6   1 + 6;
        vaes_avx2         1 ["vaes" "avx2"]                          Vaes    One<Vaes, By1, By2, 1, TwiceBy2, 2>  [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 1 + 6   1 + 6   1 + 7;
        aes_ni            1 ["aes" "ssse3"]                          AesNi   One<AesNi, By1, By1, 2, By1, 4>   [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 50 + 7   50 + 7   1 + 8;
        aes_ni_original   1 ["aes" "ssse3"]                          AesNi   One<AesNi, Original, Original, 2, Original, 4> [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 50 + 8   50 + 8   1 + 9;
    }
    one #[cfg(not(target_arch = "aarch64"))] {
        portable          1 []                                       Scalar  One<Scalar, Soft, Soft, 2, Soft, 4>     [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 500 + 500   500 + 500   500 + 500;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_aes           1 ["aes"]                                  ArmAes  One<ArmAes, By1, By1, 2, By1, 4>   [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 50 + 13   50 + 8   50 + 8   50 + 10;
        portable          1 []                                       Scalar  One<Scalar, Soft, Soft, 2, Soft, 4>     [aegis128 aegis128l aegis128x2 aegis128x4 aegis256 aegis256x2 aegis256x4] 500 + 500 500 + 500   500 + 500   500 + 500;
    }
    // The costs are AEGIS-128L's. Updates of the other ciphers count in proportion to the blocks of a ring.
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        vaes_avx512_x4    4 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 Many<Vaes512, By4, 1, 4>              [aegis128_many aegis128l_many aegis256_many] 22 + 16   22 + 16   30 + 13;
        vaes_avx512_x8    8 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 Many<Vaes512, By4, 2, 8>              [aegis128_many aegis128l_many aegis256_many] 41 + 34   41 + 34   81 + 28;
        vaes_avx512vl_x2  2 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<Vaes, By2, 1, 2>                 [aegis128_many aegis128l_many aegis256_many] 5 + 8   5 + 8   17 + 8;
        vaes_avx512vl_x4  4 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<Vaes, By2, 2, 4>                 [aegis128_many aegis128l_many aegis256_many] 52 + 15   52 + 15   108 + 12;
        vaes_avx2_x2      2 ["vaes" "avx2"]                          Vaes    Many<Vaes, By2, 1, 2>                  [aegis128_many aegis128l_many aegis256_many] 24 + 8   24 + 8   1 + 9;
        vaes_avx2_x4      4 ["vaes" "avx2"]                          Vaes    FourInSixteen                          [aegis128_many aegis128l_many aegis256_many] 80 + 15   80 + 15   80 + 17;
        aes_ni_x2         2 ["aes" "ssse3"]                          AesNi   Many<AesNi, By1, 2, 2>                [aegis128_many aegis128l_many aegis256_many] 1 + 22   1 + 22   1 + 17;
        aes_ni_x3         3 ["aes" "ssse3"]                          AesNi   Many<AesNi, By1, 3, 3>                [aegis128_many aegis128l_many aegis256_many] 1 + 48   1 + 48   1 + 32;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_aes_x2        2 ["aes"]                                  ArmAes  Many<ArmAes, By1, 2, 2>                [aegis128_many aegis128l_many aegis256_many] 80 + 26   80 + 12   80 + 12   80 + 20;
    }
}
