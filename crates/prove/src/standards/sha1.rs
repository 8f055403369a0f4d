//! SHA-1: FIPS 180-4, sections 4.1.1, 4.2.1 and 6.1.

use crate::terms::{Term, Terms};

/// Section 4.2.1: ⌊2^30 · √n⌋ of 2, 3, 5 and 10.
pub const K: [u32; 4] = [root(2), root(3), root(5), root(10)];

const fn root(n: u64) -> u32 {
    // The largest r with r² ≤ n · 2^60.
    let (mut low, mut high) = (0u128, 1 << 32);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= (n as u128) << 60 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u32
}

/// Section 6.1.2, step 3: one round of a stage of twenty, over K + W.
pub fn round(terms: &mut Terms, stage: usize, state: &mut Vec<Term>, kw: Term) {
    let [a, b, c, d, e] = state[..] else { unreachable!("five words") };
    let f = match stage {
        0 => {
            let (x, y) = (terms.and(b, c), terms.and_not(b, d));
            terms.xor(x, y)
        }
        2 => {
            let (x, y, z) = (terms.and(b, c), terms.and(b, d), terms.and(c, d));
            let xy = terms.xor(x, y);
            terms.xor(xy, z)
        }
        _ => {
            let x = terms.xor(b, c);
            terms.xor(x, d)
        }
    };
    let a5 = terms.rotate(a, 27);
    let t = terms.sum(&[a5, f, e, kw]);
    *state = vec![t, a, terms.rotate(b, 2), c, d];
}

/// Section 6.1.2, step 1: the words of the schedule.
pub fn schedule(terms: &mut Terms, block: &[Term]) -> Vec<Term> {
    let mut w = block.to_vec();
    for t in 16..80 {
        let mut x = w[t - 3];
        for back in [8, 14, 16] {
            x = terms.xor(x, w[t - back]);
        }
        w.push(terms.rotate(x, 31));
    }
    w
}

/// The constants of the rounds.
pub fn constants() -> Vec<u64> {
    (0..80).map(|t| K[t / 20].into()).collect()
}
