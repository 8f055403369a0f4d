//! AEGIS where the CPU has no AES instructions: the rounds of a whole ring at once, as bit slices are wide
//! enough for it.

use aes::hazmat::{Block8, cipher_round_par};
use hashlanes_isa::cipher::{Block, Blocks};

use super::rings::Steps;
use crate::portable::Portable;

/// The updates by the crate `aes`.
pub(crate) struct Soft;

impl Steps for Soft {
    type Blocks = Portable;

    #[inline(always)]
    fn step5(s: &mut [Portable; 5], k: Portable, x: Portable) {
        let keys = [k, s[1], s[2], s[3], s[4]];
        turn(s, keys);
        s[0] = s[0].xor(x);
    }
    #[inline(always)]
    fn step6(s: &mut [Portable; 6], k: Portable, x: Portable) {
        let keys = [k, s[1], s[2], s[3], s[4], s[5]];
        turn(s, keys);
        s[0] = s[0].xor(x);
    }
    #[inline(always)]
    fn step8(s: &mut [Portable; 8], k: [Portable; 2], x: [Portable; 2]) {
        let keys = [k[0], s[1], s[2], s[3], k[1], s[5], s[6], s[7]];
        turn(s, keys);
        s[0] = s[0].xor(x[0]);
        s[4] = s[4].xor(x[1]);
    }
}

/// S'i = AESRound(S(i-1), key i).
fn turn<const N: usize>(s: &mut [Portable; N], keys: [Portable; N]) {
    let (mut blocks, mut round_keys) = (Block8::default(), Block8::default());
    for i in 0..N {
        s[(i + N - 1) % N].store(&mut blocks[i]);
        keys[i].store(&mut round_keys[i]);
    }
    cipher_round_par(&mut blocks, &round_keys);
    for i in 0..N {
        let block: Block = blocks[i].into();
        s[i] = Portable::from(block);
    }
}
