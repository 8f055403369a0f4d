//! The updates of the rings in assembly, where the order of instructions is part of the result.
//!
//! The round of S0 comes last, and its exclusive or after it (`rings.rs`): so the chain through S0 is not longer than the
//! others, whatever the order in which the CPU takes the rounds up. The compiler orders intrinsics otherwise, and the moved
//! exclusive or is lost. Cycles of an update with load, keystream and store (Golden Cove; Zen 4):
//!
//! | ring | original | moved, by intrinsics | moved, here |
//! |---|---|---|---|
//! | AEGIS-128 | 6.2; 5.0 | 6.1; 6.0 | 4.6; 4.6 |
//! | AEGIS-256 | 6.2; 5.0 | 6.3; 5.4 | 4.8; 4.6 |
//! | AEGIS-128L | 6.6; 5.9 | 6.9; 6.2 | 5.5; 5.7 |
//!
//! # Safety
//! - **Registers alone.** A piece of assembly here reads and writes its operands, which are registers, and no memory.
//! - **Features.** Its instructions are those of AES-NI, VAES, AVX, AVX-512F and VL; the functions name which. They are called
//!   with registers of [`Blocks`](hashlanes_isa::cipher::Blocks), each of which proves that the CPU has the instructions of
//!   its type ("Lanes" in `isa`), but for AVX and AVX-512VL, which a row adds to a type of a smaller set: the marker types below
//!   are named by rows with those features alone (asserted there, in `kernels.rs`).
#![allow(unsafe_code)] // Assembly; argued above.

use core::arch::asm;
use core::arch::x86_64::{__m128i, __m256i, __m512i};

use hashlanes_isa::cipher::{X1, X2, X4};

use super::rings::Steps;

/// The updates with instructions of one encoding.
macro_rules! steps {
    ($(#[$doc:meta])* $name:ident: $blocks:ident, $register:ty, $class:ident, [$($feature:literal)*] $mov:literal $xor:literal) => {
        $(#[$doc])*
        pub(crate) struct $name;

        impl Steps for $name {
            type Blocks = $blocks;

            #[inline(always)]
            fn step5(s: &mut [$blocks; 5], k: $blocks, x: $blocks) {
                $(#[target_feature(enable = $feature)])*
                #[inline]
                fn step(s: [$register; 5], k: $register, x: $register) -> [$register; 5] {
                    let [mut a, mut b, mut c, mut d, mut e] = s;
                    let last: $register;
                    // SAFETY: "Registers alone"; "Features" by this function's.
                    unsafe {
                        asm!(
                            concat!($mov, " {last}, {e}"),
                            "vaesenc {e}, {d}, {e}",
                            "vaesenc {d}, {c}, {d}",
                            "vaesenc {c}, {b}, {c}",
                            "vaesenc {b}, {a}, {b}",
                            "vaesenc {a}, {last}, {k}",
                            concat!($xor, " {a}, {a}, {x}"),
                            a = inout($class) a,
                            b = inout($class) b,
                            c = inout($class) c,
                            d = inout($class) d,
                            e = inout($class) e,
                            k = in($class) k,
                            x = in($class) x,
                            last = out($class) last,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    let _ = last;
                    [a, b, c, d, e]
                }
                let old = [s[0].register(), s[1].register(), s[2].register(), s[3].register(), s[4].register()];
                // SAFETY: "Features".
                let new = unsafe { step(old, k.register(), x.register()) };
                for (s, new) in s.iter_mut().zip(new) {
                    *s = s.replaced(new);
                }
            }

            #[inline(always)]
            fn step6(s: &mut [$blocks; 6], k: $blocks, x: $blocks) {
                $(#[target_feature(enable = $feature)])*
                #[inline]
                fn step(s: [$register; 6], k: $register, x: $register) -> [$register; 6] {
                    let [mut a, mut b, mut c, mut d, mut e, mut f] = s;
                    let last: $register;
                    // SAFETY: "Registers alone"; "Features" by this function's.
                    unsafe {
                        asm!(
                            concat!($mov, " {last}, {f}"),
                            "vaesenc {f}, {e}, {f}",
                            "vaesenc {e}, {d}, {e}",
                            "vaesenc {d}, {c}, {d}",
                            "vaesenc {c}, {b}, {c}",
                            "vaesenc {b}, {a}, {b}",
                            "vaesenc {a}, {last}, {k}",
                            concat!($xor, " {a}, {a}, {x}"),
                            a = inout($class) a,
                            b = inout($class) b,
                            c = inout($class) c,
                            d = inout($class) d,
                            e = inout($class) e,
                            f = inout($class) f,
                            k = in($class) k,
                            x = in($class) x,
                            last = out($class) last,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    let _ = last;
                    [a, b, c, d, e, f]
                }
                let old = [
                    s[0].register(), s[1].register(), s[2].register(),
                    s[3].register(), s[4].register(), s[5].register(),
                ];
                // SAFETY: "Features".
                let new = unsafe { step(old, k.register(), x.register()) };
                for (s, new) in s.iter_mut().zip(new) {
                    *s = s.replaced(new);
                }
            }

            #[inline(always)]
            fn step8(s: &mut [$blocks; 8], k: [$blocks; 2], x: [$blocks; 2]) {
                $(#[target_feature(enable = $feature)])*
                #[inline]
                fn step(s: [$register; 8], k: [$register; 2], x: [$register; 2]) -> [$register; 8] {
                    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = s;
                    let (last, third): ($register, $register);
                    // SAFETY: "Registers alone"; "Features" by this function's.
                    unsafe {
                        asm!(
                            concat!($mov, " {last}, {h}"),
                            concat!($mov, " {third}, {d}"),
                            "vaesenc {h}, {g}, {h}",
                            "vaesenc {g}, {f}, {g}",
                            "vaesenc {f}, {e}, {f}",
                            "vaesenc {d}, {c}, {d}",
                            "vaesenc {c}, {b}, {c}",
                            "vaesenc {b}, {a}, {b}",
                            "vaesenc {e}, {third}, {k1}",
                            "vaesenc {a}, {last}, {k0}",
                            concat!($xor, " {e}, {e}, {x1}"),
                            concat!($xor, " {a}, {a}, {x0}"),
                            a = inout($class) a,
                            b = inout($class) b,
                            c = inout($class) c,
                            d = inout($class) d,
                            e = inout($class) e,
                            f = inout($class) f,
                            g = inout($class) g,
                            h = inout($class) h,
                            k0 = in($class) k[0],
                            k1 = in($class) k[1],
                            x0 = in($class) x[0],
                            x1 = in($class) x[1],
                            last = out($class) last,
                            third = out($class) third,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    let _ = (last, third);
                    [a, b, c, d, e, f, g, h]
                }
                let old = [
                    s[0].register(), s[1].register(), s[2].register(), s[3].register(),
                    s[4].register(), s[5].register(), s[6].register(), s[7].register(),
                ];
                let (k, x) = ([k[0].register(), k[1].register()], [x[0].register(), x[1].register()]);
                // SAFETY: "Features".
                let new = unsafe { step(old, k, x) };
                for (s, new) in s.iter_mut().zip(new) {
                    *s = s.replaced(new);
                }
            }
        }
    };
}

steps! {
    /// One block a register, with AVX.
    Vex1: X1, __m128i, xmm_reg, ["aes" "avx"] "vmovdqa" "vpxor"
}
steps! {
    /// Two blocks a register, with AVX.
    Vex2: X2, __m256i, ymm_reg, ["vaes" "avx2"] "vmovdqa" "vpxor"
}
steps! {
    /// One block a register, with AVX-512VL.
    Evex1: X1, __m128i, xmm_reg, ["vaes" "avx512f" "avx512vl"] "vmovdqa64" "vpxorq"
}
steps! {
    /// Two blocks a register, with AVX-512VL.
    Evex2: X2, __m256i, ymm_reg, ["vaes" "avx512f" "avx512vl"] "vmovdqa64" "vpxorq"
}
steps! {
    /// Four blocks a register.
    Evex4: X4, __m512i, zmm_reg, ["vaes" "avx512f" "avx512vl"] "vmovdqa64" "vpxorq"
}
