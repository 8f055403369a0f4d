//! The functions over SHAKE256: FIPS 205, section 11.1.
//!
//! F, H and PRF are one permutation each: PK.seed, ADRS and M fit in a block, also for n = 32.

use hashlanes_sha::Shake256;

use super::address::Whole;
use super::message_hash::{Feed, MessageHash};
use super::seeded::Seeded;
use crate::batch::shake::Shake;

impl<const N: usize> Seeded for Shake<N, Whole> {
    fn new(pk_seed: &[u8]) -> Self {
        Self::new(pk_seed.try_into().expect("n bytes"))
    }
}

/// H_msg: SHAKE256(R ‖ PK.seed ‖ PK.root ‖ M, 8m).
pub(super) struct ShakeMessage(Shake256);

impl MessageHash for ShakeMessage {
    fn new(r: &[u8], pk_seed: &[u8], pk_root: &[u8]) -> Self {
        let mut hash = Shake256::new();
        [r, pk_seed, pk_root].iter().for_each(|part| hash.update(part));
        Self(hash)
    }

    fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    fn finish(self, digest: &mut [u8]) {
        self.0.finish_xof().read(digest);
    }

    /// SHAKE256(SK.prf ‖ opt_rand ‖ M, 8n).
    fn prf_msg<E>(sk_prf: &[u8], opt_rand: &[u8], feed: &mut Feed<'_, E>, r: &mut [u8]) -> Result<(), E> {
        let mut hash = Shake256::new();
        hash.update(sk_prf);
        hash.update(opt_rand);
        feed(&mut |part| hash.update(part))?;
        hash.finish_xof().read(r);
        Ok(())
    }
}
