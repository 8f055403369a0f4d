//! Round keys in registers.

use hashlanes_isa::cipher::{Block, Blocks};

/// The rounds of the shortest keys, all but the last: keys of all lengths have them.
const FEWEST: usize = 10;

/// A key's round keys, the same for every block of a register: those that keys of all lengths have, and the
/// last. Others are read where they are used.
///
/// Keys of all lengths have the same code, with a branch before the rounds of longer ones: code of its own
/// for each length is three times as long, and takes no less time.
pub(super) struct RoundKeys<'k, B: Blocks> {
    isa: B::Proof,
    all: &'k [Block; 15],
    rounds: usize,
    pub(super) first: [B; FEWEST],
    pub(super) last: B,
}

impl<'k, B: Blocks> RoundKeys<'k, B> {
    /// Those of CIPHER or EQINVCIPHER (FIPS 197, sections 5.1, 5.3.5), the first to be used first.
    #[inline(always)]
    pub(super) fn new(isa: B::Proof, all: &'k [Block; 15], rounds: usize) -> Self {
        let mut first = [B::zero(isa); FEWEST];
        for r in 0..FEWEST {
            first[r] = B::broadcast(isa, &all[r]);
        }
        Self { isa, all, rounds, first, last: B::broadcast(isa, &all[rounds]) }
    }

    /// Does all rounds of CIPHER from round `FIRST` on, except the last, for all registers in step. The keys
    /// before have already been added to the states.
    #[inline(always)]
    pub(super) fn encrypt<const W: usize, const FIRST: usize>(&self, s: &mut [B; W]) {
        for r in FIRST..FEWEST {
            encrypt(s, self.first[r]);
        }
        if self.rounds > FEWEST {
            encrypt(s, self.middle(FEWEST));
            encrypt(s, self.middle(FEWEST + 1));
            if self.rounds > FEWEST + 2 {
                encrypt(s, self.middle(FEWEST + 2));
                encrypt(s, self.middle(FEWEST + 3));
            }
        }
        B::keep_order(s);
    }

    /// The same of EQINVCIPHER, from round 1 on.
    #[inline(always)]
    pub(super) fn decrypt<const W: usize>(&self, s: &mut [B; W]) {
        for r in 1..FEWEST {
            decrypt(s, self.first[r]);
        }
        if self.rounds > FEWEST {
            decrypt(s, self.middle(FEWEST));
            decrypt(s, self.middle(FEWEST + 1));
            if self.rounds > FEWEST + 2 {
                decrypt(s, self.middle(FEWEST + 2));
                decrypt(s, self.middle(FEWEST + 3));
            }
        }
        B::keep_order(s);
    }

    #[inline(always)]
    fn middle(&self, r: usize) -> B {
        B::broadcast(self.isa, &self.all[r])
    }
}

/// A round of all registers.
#[inline(always)]
fn encrypt<B: Blocks, const W: usize>(s: &mut [B; W], key: B) {
    B::keep_order(s);
    for s in s {
        *s = s.aesenc(key);
    }
}

/// A round of EQINVCIPHER of all registers.
#[inline(always)]
fn decrypt<B: Blocks, const W: usize>(s: &mut [B; W], key: B) {
    B::keep_order(s);
    for s in s {
        *s = s.aesdec(key);
    }
}

/// All round keys of a key, in an array of the largest size: its length is a constant, while an inclusive
/// range would not be unrolled (0.1 cycles per byte of 1 KiB).
#[inline(always)]
pub(super) fn round_keys<B: Blocks>(isa: B::Proof, keys: &[Block; 15]) -> [B; 15] {
    let mut round_keys = [B::zero(isa); 15];
    for r in 0..15 {
        round_keys[r] = B::broadcast(isa, &keys[r]);
    }
    round_keys
}
