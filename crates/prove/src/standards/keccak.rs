//! Keccak-f\[1600\]: FIPS 202, section 3.

use crate::terms::{Term, Terms};

/// Section 3.2.5: the round constants, from the shift register of algorithm 5.
fn round_constants() -> [u64; 24] {
    let mut register = 1u8;
    let mut next = || {
        let bit = register & 1;
        let carry = register >> 7;
        register = register << 1 ^ if carry == 1 { 0x71 } else { 0 };
        bit
    };
    let mut constants = [0; 24];
    for constant in &mut constants {
        for j in 0..7 {
            *constant |= u64::from(next()) << ((1 << j) - 1);
        }
    }
    constants
}

/// Section 3.2.2: rotations to the left, of lane x + 5y.
fn rotations() -> [u32; 25] {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    offsets
}

/// Section 3.3: the permutation of 25 lanes, lane x, y at x + 5y.
pub fn permute(terms: &mut Terms, lanes: &mut [Term]) {
    let rotations = rotations();
    for constant in round_constants() {
        // θ.
        let columns: Vec<Term> =
            (0..5).map(|x| (1..5).fold(lanes[x], |sum, y| terms.xor(sum, lanes[x + 5 * y]))).collect();
        for x in 0..5 {
            let rotated = terms.rotate(columns[(x + 1) % 5], 63);
            let d = terms.xor(columns[(x + 4) % 5], rotated);
            for y in 0..5 {
                let word = terms.xor(lanes[x + 5 * y], d);
                // What is added to a constant lane is no word of its own.
                let is_constant = terms.value(lanes[x + 5 * y]).is_some();
                lanes[x + 5 * y] = if is_constant { word } else { terms.name(word) };
            }
        }
        // ρ and π.
        let mut moved = lanes.to_vec();
        for x in 0..5 {
            for y in 0..5 {
                moved[y + 5 * ((2 * x + 3 * y) % 5)] =
                    terms.rotate(lanes[x + 5 * y], 64 - rotations[x + 5 * y]);
            }
        }
        // χ.
        for x in 0..5 {
            for y in 0..5 {
                let and = terms.and_not(moved[(x + 1) % 5 + 5 * y], moved[(x + 2) % 5 + 5 * y]);
                lanes[x + 5 * y] = terms.xor(moved[x + 5 * y], and);
            }
        }
        // ι.
        let constant = terms.constant(constant, 64);
        lanes[0] = terms.xor(lanes[0], constant);
        // So each step is a short polynomial over the lanes of the one before.
        for lane in &mut *lanes {
            *lane = terms.name(*lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_zeros() {
        let mut terms = Terms::default();
        let mut lanes = vec![terms.constant(0, 64); 25];
        permute(&mut terms, &mut lanes);
        assert_eq!(terms.value(lanes[0]), Some(0xf125_8f79_40e1_dde7));
        assert_eq!(terms.value(lanes[24]), Some(0xeaf1_ff7b_5cec_a249));
    }
}
