//! Keys derived from many secrets at once: PBKDF2 (RFC 8018, section 5.2) and HKDF (RFC 5869), both by HMAC.

use arrayvec::ArrayVec;
use hashlanes_isa::{Plan, Start, put_digest, wipe_stack};
use zeroize::Zeroize;

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::compiled::Compiled;
use crate::error::same_count;
use crate::hmac::{Hmac, HmacKey};
use crate::padding::{LONGEST_DIGEST, fixed_shape};

/// Secrets that go through the lanes at a time: two groups of the widest kernels.
const TOGETHER: usize = 32;

/// The lanes of a call of PBKDF2: a block T_i of a derived key each.
struct Lanes<F: Compiled> {
    /// The states after the inner and after the outer block of each password's schedule.
    keys: ArrayVec<[F::State; 2], TOGETHER>,
    /// U_c of each, padded: the message of the next HMAC.
    u: [F::Block; TOGETHER],
    /// Of the length of a digest each.
    t: [[u8; LONGEST_DIGEST]; TOGETHER],
}

impl<F: Compiled> Lanes<F> {
    /// F of RFC 8018, without its first iteration: U_c = PRF(P, U_{c-1}), and T the exclusive or of all of
    /// them.
    fn iterate(&mut self, iterations: u32, digest_bytes: usize) {
        let Self { keys, u, t } = self;
        let n = keys.len();
        let mut states: [F::State; TOGETHER] = core::array::from_fn(|_| keys[0][0]);
        for _ in 1..iterations {
            for hash in [0, 1] {
                for (state, key) in states.iter_mut().zip(&*keys) {
                    *state = key[hash];
                }
                Plan::<F>::BEST.each_group(n, 1, |kernel, some| {
                    kernel.continue_many(Start::Each, &u[some.clone()], None, &mut states[some]);
                });
                for (u, state) in u.iter_mut().zip(&states[..n]) {
                    put_digest::<F>(state, &mut u.as_mut()[..digest_bytes]);
                }
            }
            for (t, u) in t.iter_mut().zip(&u[..n]) {
                for (t, u) in t[..digest_bytes].iter_mut().zip(u.as_ref()) {
                    *t ^= u;
                }
            }
        }
        states.iter_mut().for_each(|state| state.as_mut().zeroize());
    }
}

impl<F: Compiled> Drop for Lanes<F> {
    fn drop(&mut self) {
        self.keys.iter_mut().flatten().for_each(|state| state.as_mut().zeroize());
        self.u.iter_mut().for_each(|u| u.as_mut().zeroize());
        self.t.zeroize();
    }
}

/// PBKDF2 by HMAC of a hash that begins with `h0` and has digests of `digest_bytes` bytes. It has a frame of
/// its own, which the caller overwrites.
#[inline(never)]
fn pbkdf2_all<F: Compiled>(
    (h0, digest_bytes): (&F::State, usize),
    passwords: &[&[u8]],
    salts: &[&[u8]],
    iterations: u32,
    keys: &mut [u8],
    key_bytes: usize,
) {
    let shape = fixed_shape::<F>(digest_bytes, F::BLOCK_BYTES as u64);
    let n_blocks = key_bytes.div_ceil(digest_bytes);
    // Block i mod n_blocks of key i / n_blocks.
    let n = passwords.len() * n_blocks;
    for from in (0..n).step_by(TOGETHER) {
        let some = from..n.min(from + TOGETHER);
        let mut lanes = Lanes::<F> {
            keys: ArrayVec::new(),
            u: [shape.first; TOGETHER],
            t: [[0; LONGEST_DIGEST]; TOGETHER],
        };
        for ((i, t), u) in some.clone().zip(&mut lanes.t).zip(&mut lanes.u) {
            let (secret, block) = (i / n_blocks, i % n_blocks + 1);
            let [inner, outer] = F::key_schedule(h0, digest_bytes, passwords[secret]);
            let mut hmac = F::begin(&inner, F::BLOCK_BYTES as u64);
            F::absorb(&mut hmac, salts[secret]);
            F::absorb(&mut hmac, &(block as u32).to_be_bytes());
            F::end_keyed(&mut hmac, &outer, &mut t[..digest_bytes]);
            F::wipe(&mut hmac, h0);
            u.as_mut()[..digest_bytes].copy_from_slice(&t[..digest_bytes]);
            lanes.keys.push([inner, outer]);
        }
        lanes.iterate(iterations, digest_bytes);
        for (i, t) in some.zip(&lanes.t) {
            let key = &mut keys[i / n_blocks * key_bytes..][..key_bytes];
            let part = &mut key[i % n_blocks * digest_bytes..];
            let n_bytes = part.len().min(digest_bytes);
            part[..n_bytes].copy_from_slice(&t[..n_bytes]);
        }
    }
    wipe_stack();
}

impl<A: Algorithm> HmacKey<A> {
    /// Derives keys from many passwords by PBKDF2 (RFC 8018, section 5.2): `keys` holds one of `key_bytes`
    /// bytes for each.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many salts and keys as passwords.
    pub fn try_pbkdf2_many(
        passwords: &[&[u8]],
        salts: &[&[u8]],
        iterations: u32,
        keys: &mut [u8],
        key_bytes: usize,
    ) -> Result<(), ShapeError> {
        same_count("passwords", passwords.len(), "salts", salts.len())?;
        if let Some(n_keys) = keys.len().checked_div(key_bytes) {
            same_count("passwords", passwords.len(), "keys", n_keys)?;
            let hash = (&A::H0, A::DIGEST_BYTES);
            pbkdf2_all::<A::Function>(hash, passwords, salts, iterations, keys, key_bytes);
            wipe_stack();
        }
        Ok(())
    }

    /// HKDF of many secrets with one salt and one info: `keys` holds a derived key of `key_bytes` bytes for
    /// each.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many keys as secrets.
    pub(crate) fn try_hkdf_many(
        salt: &[u8],
        secrets: &[&[u8]],
        info: &[u8],
        keys: &mut [u8],
        key_bytes: usize,
    ) -> Result<(), ShapeError> {
        if let Some(n_keys) = keys.len().checked_div(key_bytes) {
            same_count("secrets", secrets.len(), "keys", n_keys)?;
            Self::hkdf_all(salt, secrets, info, keys, key_bytes);
            wipe_stack();
        }
        Ok(())
    }

    /// The body of [`try_hkdf_many`](Self::try_hkdf_many), with a frame of its own, which the caller
    /// overwrites.
    #[inline(never)]
    fn hkdf_all(salt: &[u8], secrets: &[&[u8]], info: &[u8], keys: &mut [u8], key_bytes: usize) {
        let salt = HmacKey::<A>::new(salt);
        for (secrets, keys) in secrets.chunks(TOGETHER).zip(keys.chunks_mut(TOGETHER * key_bytes)) {
            let mut t = [A::ZERO_DIGEST; TOGETHER];
            let t = &mut t[..secrets.len()];
            salt.mac_many(secrets, t);
            let mut hmacs: ArrayVec<Hmac<A>, TOGETHER> =
                t.iter().map(|prk| Hmac::new(prk.as_ref())).collect();
            for (n, at) in (1..=u8::MAX).zip((0..key_bytes).step_by(A::DIGEST_BYTES)) {
                for (hmac, t) in hmacs.iter_mut().zip(&*t) {
                    // T(0) is empty.
                    hmac.update(if n == 1 { &[] } else { t.as_ref() });
                    hmac.update(info);
                    hmac.update([n]);
                }
                Hmac::finish_many(&mut hmacs, t);
                for (key, t) in keys.chunks_exact_mut(key_bytes).zip(&*t) {
                    let part = &mut key[at..];
                    let n_bytes = part.len().min(A::DIGEST_BYTES);
                    part[..n_bytes].copy_from_slice(&t.as_ref()[..n_bytes]);
                }
            }
            t.iter_mut().for_each(|t| t.as_mut().zeroize());
        }
        wipe_stack();
    }
}
