//! The functions over SHA-2: FIPS 205, section 11.2.
//!
//! PK.seed is padded to a block, so every hash begins with the state after it, and F, H and PRF are one
//! compression each.

use alloc::vec::Vec;

use hashlanes_sha::{Algorithm, Hasher, HmacKey};

use super::address::Compressed;
use super::message_hash::{Feed, MessageHash};
use super::seeded::Seeded;
use crate::batch::sha2::Sha2;

impl<A: Algorithm> Seeded for Sha2<A, Compressed> {
    fn new(pk_seed: &[u8]) -> Self {
        Self::after_block(pk_seed)
    }
}

/// H_msg: MGF1(R ‖ PK.seed ‖ HASH(R ‖ PK.seed ‖ PK.root ‖ M), m).
pub(super) struct Sha2Message<A: Algorithm> {
    inner: Hasher<A>,
    r_and_seed: Vec<u8>,
}

impl<A: Algorithm> MessageHash for Sha2Message<A> {
    fn new(r: &[u8], pk_seed: &[u8], pk_root: &[u8]) -> Self {
        let r_and_seed = [r, pk_seed].concat();
        let mut inner = Hasher::new();
        inner.update(&r_and_seed);
        inner.update(pk_root);
        Self { inner, r_and_seed }
    }

    fn update(&mut self, part: &[u8]) {
        self.inner.update(part);
    }

    fn finish(self, digest: &mut [u8]) {
        // RFC 8017, section B.2.1: a counter of four bytes after the seed.
        let mut mask = Hasher::<A>::new();
        mask.update(&self.r_and_seed);
        mask.update(self.inner.finish());
        for (counter, part) in (0_u32..).zip(digest.chunks_mut(A::DIGEST_BYTES)) {
            let mut mask = mask.clone();
            mask.update(counter.to_be_bytes());
            part.copy_from_slice(&mask.finish().as_ref()[..part.len()]);
        }
    }

    /// HMAC(SK.prf, opt_rand ‖ M), truncated.
    fn prf_msg<E>(sk_prf: &[u8], opt_rand: &[u8], feed: &mut Feed<'_, E>, r: &mut [u8]) -> Result<(), E> {
        let mut hmac = HmacKey::<A>::new(sk_prf).begin();
        hmac.update(opt_rand);
        feed(&mut |part| hmac.update(part))?;
        r.copy_from_slice(&hmac.finish().as_ref()[..r.len()]);
        Ok(())
    }
}
