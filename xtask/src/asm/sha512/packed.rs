//! SHA-512 rounds with e and a of one message in the two halves of one register.
//!
//! S\[t\] = (e\[t\], a\[t-2\]): a lags two rounds, so that e\[t+1\] and a\[t-1\] need the same instructions
//! (three rotations, vpternlogq, additions) on both halves, with other counts (vprorvq) and other functions,
//! ch and maj (masks k1, k2). The critical chain of a round: rotation 2, vpternlogq 1, two additions = 5
//! cycles (3.125 cycles per byte).
//!
//! | in round t | is |
//! |---|---|
//! | `R1` `R2` `R3` | rotations of S\[t\] |
//! | `SIGMA` | their xor: Sigma1(e\[t\]), Sigma0(a\[t-2\]) |
//! | `C0` `C1` `C2` | ch(e..), maj(a..) |
//! | `X` | h + W + K in the low half, 0 in the high one |
//! | `Q` | (a\[t-3\], low half of U\[t-2\]): what d, and the high half of the sum, take over |
//! | `XQ` `XC` | X + Q, and C |
//! | `S` | S\[t+1\] = X + SIGMA |
//! | `U` | S\[t+1\] - Q: the part of e\[t+1\] that a\[t+1\] needs again |
//!
//! Each has a time within its round (negative: alongside the round before). The times were found by search,
//! and are worth 10 to 20 %.

use super::registers::{COUNTS, Names};
use crate::asm::merge::Timed;
use crate::asm::strand::{Instruction, Strand, code};

const C0: f64 = -0.420787873690611;
const R3: f64 = -0.4199886261282582;
const C1: f64 = -0.4169886261282582;
const X: f64 = -0.39728094074624276;
const Q: f64 = -0.39428094074624276;
const R2: f64 = -0.39128094074624276;
const R1: f64 = -0.39018824408160074;
const C2: f64 = -0.054280814618333395;
const XQ: f64 = 0.09975610580226474;
const SIGMA: f64 = 0.33867716221807914;
const XC: f64 = 0.47989072808661365;
const S: f64 = 0.5098040372193258;
const U: f64 = 0.8656658424041813;

/// The rounds in registers of one width: 0–3 S, 4–6 rotations, 7 C, 8 X, 9–10 Q, 11–12 U, 13–15 counts,
/// 30 and 31 the chaining value's a and b, in the high halves. 16–29 are free.
pub(super) struct Packed {
    /// `xmm`, or `ymm` of two messages.
    pub(super) v: &'static str,
    /// Masks of the low and the high halves.
    pub(super) halves: [u8; 2],
    /// The immediate of vshufpd that makes Q.
    pub(super) shuffle: u8,
    /// The same in rounds 0 and 1: high halves of both.
    pub(super) shuffle_start: u8,
    /// The offset of the chaining value in the frame, and the length of a register in bytes.
    pub(super) saved: usize,
    pub(super) bytes: usize,
}

impl Packed {
    fn name(&self, n: usize) -> String {
        format!("{}{n}", self.v)
    }
    /// S\[t\].
    pub(super) fn s(&self, t: i32) -> String {
        self.name(t.rem_euclid(4) as usize)
    }
    /// U\[t\].
    fn u(&self, t: i32) -> String {
        self.name(11 + t.rem_euclid(2) as usize)
    }
    fn rotations(&self) -> [String; 3] {
        [4, 5, 6].map(|n| self.name(n))
    }
    fn counts(&self) -> [String; 3] {
        [13, 14, 15].map(|n| self.name(n))
    }
    /// The chaining value's a and, before it, b.
    pub(super) fn a(&self) -> String {
        self.name(30)
    }
    /// See [`Packed::a`].
    pub(super) fn b(&self) -> String {
        self.name(31)
    }

    /// Round t, given W + K. In rounds 0 and 1 the high half cannot compute a\[-1\] and a\[0\] yet: it takes
    /// b and a of the chaining value.
    fn round(&self, t: i32, kw: &str) -> Timed {
        let ([r1, r2, r3], [n1, n2, n3]) = (self.rotations(), self.counts());
        let (c, x, q) = (self.name(7), self.name(8), self.name(9 + t as usize % 2));
        let [s_next, s, s1, s2, s3] = [1, 0, -1, -2, -3].map(|i| self.s(t + i));
        let (u, u2) = (self.u(t), self.u(t - 2));
        let Self { shuffle, shuffle_start, .. } = self;
        let mut out = vec![
            (R1, format!("vprorvq {r1},{s},{n1}")),
            (R2, format!("vprorvq {r2},{s},{n2}")),
            (R3, format!("vprorvq {r3},{s},{n3}")),
            (C0, format!("vmovdqa64 {c},{s}")),
            (X, format!("vpaddq {x}{{k1}}{{z}},{s3},{kw}")),
            (XQ, format!("vpaddq {x},{x},{q}")),
            (XC, format!("vpaddq {x},{x},{c}")),
            (S, format!("vpaddq {s_next},{x},{r1}")),
            (U, format!("vpsubq {u},{s_next},{q}")),
        ];
        if t < 2 {
            let start = if t == 0 { self.b() } else { self.a() };
            out.extend([
                (SIGMA, format!("vpternlogq {r1}{{k1}}{{z}},{r2},{r3},0x96")),
                (C1, format!("vpternlogq {c}{{k1}}{{z}},{s1},{s2},0xca")),
                (Q, format!("vshufpd {q},{s1},{start},{shuffle_start}")),
            ]);
        } else {
            out.extend([
                (SIGMA, format!("vpternlogq {r1},{r2},{r3},0x96")),
                (C1, format!("vpternlogq {c}{{k1}},{s1},{s2},0xca")),
                (C2, format!("vpternlogq {c}{{k2}},{s1},{s2},0xe8")),
                (Q, format!("vshufpd {q},{s1},{u2},{shuffle}")),
            ]);
        }
        out.into_iter().map(|(time, text)| (f64::from(t) + time, Instruction::from(text))).collect()
    }

    /// All rounds, given the operands K\[t\] + W\[t\].
    pub(super) fn rounds(&self, kw: impl Fn(usize) -> String) -> Timed {
        (0..80).flat_map(|t| self.round(t, &kw(t as usize))).collect()
    }

    /// Masks and counts. rcx = constants; eax is clobbered.
    pub(super) fn enter(&self) -> Strand {
        let [low, high] = self.halves;
        let mut out = Strand::new();
        code! { out; "mov eax,{low}"; "kmovb k1,eax"; "mov eax,{high}"; "kmovb k2,eax"; }
        for (i, counts) in self.counts().iter().enumerate() {
            let load = if self.v == "xmm" { "vmovdqa" } else { "vbroadcasti128" };
            code! { out; "{load} {counts},[rcx+{}]", COUNTS + 16 * i; }
        }
        out
    }

    /// The chaining value's registers: S\[0\], S\[-1\], S\[-2\], S\[-3\], b, a.
    fn chaining(&self) -> Names {
        [0, -1, -2, -3].map(|t| self.s(t)).into_iter().chain([self.b(), self.a()]).collect()
    }

    /// Keeps the chaining value.
    pub(super) fn save(&self) -> Strand {
        let mut out = Strand::new();
        for (i, r) in self.chaining().iter().enumerate() {
            code! { out; "vmovdqa64 [rsp+{}],{r}", self.saved + self.bytes * i; }
        }
        out
    }

    /// a\[79\] and a\[80\], the two rounds that a lags, into the high halves of b and a; then the chaining
    /// value is added.
    pub(super) fn finish(&self) -> Strand {
        let s = [80, 79, 78, 77].map(|t| self.s(t));
        let (a, b) = (self.a(), self.b());
        let mut out = self.late(&[&s[0], &s[1], &s[2]], &self.u(78), &b);
        out.extend(self.late(&[&b, &s[0], &s[1]], &self.u(79), &a));
        for (i, r) in self.chaining().iter().enumerate() {
            code! { out; "vpaddq {r},{r},[rsp+{}]", self.saved + self.bytes * i; }
        }
        out
    }

    /// One of a's last rounds.
    fn late(&self, [s, s1, s2]: &[&String; 3], u: &str, to: &str) -> Strand {
        let ([r1, r2, r3], [n1, n2, n3]) = (self.rotations(), self.counts());
        let (c, q) = (self.name(7), self.name(9));
        let mut out = Strand::new();
        code! { out;
            "vprorvq {r1},{s},{n1}";
            "vprorvq {r2},{s},{n2}";
            "vprorvq {r3},{s},{n3}";
            "vmovdqa64 {c},{s}";
            "vpternlogq {c},{s1},{s2},0xe8";
            "vpermilpd {q},{u},0";
            "vpaddq {c},{c},{q}";
            "vpternlogq {r1},{r2},{r3},0x96";
            "vpaddq {to},{c},{r1}";
        }
        out
    }
}
