//! The schedule of a block four words at a time, after Guilford, Yap, Gopal 2012 ("Message Scheduler
//! Calculations"): for one block in xmm registers, for two in the halves of ymm registers.
//!
//! ```text
//! X3 = W[i-4..i]  X2 = W[i-8..i-4]  X1 = W[i-12..i-8]  X0 = W[i-16..i-12]
//! X0 += sigma0(W[i-15..i-11]) + W[i-7..i-3]       four words at a time: both are palignr of two of the X
//! X0[0..2] += sigma1(X3[2..4])                    two: the next two wait for these
//! X0[2..4] += sigma1(X0[0..2])
//! ```
//!
//! For sigma1 the two words are stored twice, as {B, B, A, A}: a shift of 64 bits by n then leaves the
//! rotation by n in the lower halves, so one shift replaces two shifts and an xor. Byte shuffles move the two
//! words to their places, with zeros elsewhere.

use super::arguments::{FOUR_HIGH, FOUR_LOW, SWAP, TWICE};
use crate::asm::strand::{Strand, code};

/// Registers: 0–3 the last 16 words, 4–8 temporaries.
#[derive(Clone, Copy)]
pub(super) struct FourWords {
    /// `xmm` of one block, `ymm` of two.
    pub(super) v: &'static str,
    /// Rotations and vpternlogd, of AVX-512VL.
    pub(super) avx512: bool,
}

impl FourWords {
    fn register(self, i: usize) -> String {
        format!("{}{i}", self.v)
    }

    /// The offset of K of words 4g.. after the constants' address, for each block.
    pub(super) fn k(self, g: usize) -> usize {
        if self.v == "xmm" { 16 * g } else { TWICE + 32 * g }
    }

    /// Words 4g..4g+4 of the block at `first`, and of the one at `second`. rdi = constants.
    pub(super) fn load(self, g: usize, [first, second]: [&str; 2]) -> Strand {
        let x = self.register(g);
        let mut out = Strand::new();
        code! { out; "vmovdqu xmm{g},[{first}+{}]", 16 * g; }
        if self.v == "ymm" {
            code! { out; "vinserti128 {x},{x},[{second}+{}],1", 16 * g; }
        }
        code! { out; "vpshufb {x},{x},[rdi+{SWAP}]"; }
        out
    }

    /// The g-th words modulo 16 with K, which is at `k`, to `kw`.
    pub(super) fn add_k(self, g: usize, k: &str, kw: &str) -> Strand {
        let (x, t) = (self.register(g % 4), self.register(8));
        let mut out = Strand::new();
        code! { out; "vpaddd {t},{x},[{k}]"; "vmovdqa [{kw}],{t}"; }
        out
    }

    /// Words 4g+16..4g+20 in the place of 4g..4g+4. `masks` = constants.
    pub(super) fn next(self, g: usize, masks: &str) -> Strand {
        let [x0, x1, x2, x3] = [0, 1, 2, 3].map(|i| self.register((g + i) % 4));
        let [r, s, t, u, v] = [4, 5, 6, 7, 8].map(|i| self.register(i));
        let mut out = Strand::new();
        code! { out; "vpalignr {r},{x1},{x0},4"; "vpalignr {s},{x3},{x2},4"; }
        if self.avx512 {
            code! { out;
                "vprord {t},{r},7";
                "vprord {u},{r},18";
                "vpsrld {r},{r},3";
                "vpternlogd {t},{u},{r},0x96";
                "vpaddd {x0},{x0},{s}";
                "vpaddd {x0},{x0},{t}";
            }
        } else {
            code! { out;
                "vpaddd {x0},{x0},{s}";
                "vpsrld {t},{r},7";
                "vpslld {u},{r},25";
                "vpsrld {v},{r},18";
                "vpslld {s},{r},14";
                "vpsrld {r},{r},3";
                "vpxor {t},{t},{u}";
                "vpxor {v},{v},{s}";
                "vpxor {t},{t},{r}";
                "vpxor {t},{t},{v}";
                "vpaddd {x0},{x0},{t}";
            }
        }
        for (source, pick, place) in [(&x3, "0xfa", FOUR_LOW), (&x0, "0x50", FOUR_HIGH)] {
            code! { out; "vpshufd {r},{source},{pick}"; }
            if self.avx512 {
                code! { out;
                    "vprord {s},{r},17";
                    "vprord {t},{r},19";
                    "vpsrld {r},{r},10";
                    "vpternlogd {s},{t},{r},0x96";
                }
            } else {
                code! { out;
                    "vpsrlq {s},{r},17";
                    "vpsrlq {t},{r},19";
                    "vpsrld {r},{r},10";
                    "vpxor {s},{s},{t}";
                    "vpxor {s},{s},{r}";
                }
            }
            code! { out; "vpshufb {s},{s},[{masks}+{place}]"; "vpaddd {x0},{x0},{s}"; }
        }
        out
    }
}

/// Transposes 4×4 words in each 128-bit lane; keeps no source.
pub(super) fn transpose4(rows: &[String; 4], words: &[String; 4]) -> Strand {
    let ([a, b, c, d], [w, x, y, z]) = (rows, words);
    let mut out = Strand::new();
    code! { out;
        "vpunpckldq {w},{a},{b}";
        "vpunpckhdq {a},{a},{b}";
        "vpunpckldq {y},{c},{d}";
        "vpunpckhdq {c},{c},{d}";
        "vpunpckhqdq {x},{w},{y}";
        "vpunpcklqdq {w},{w},{y}";
        "vpunpcklqdq {y},{a},{c}";
        "vpunpckhqdq {z},{a},{c}";
    }
    out
}
