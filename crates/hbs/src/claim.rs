//! Verification of messages that arrive in parts.
//!
//! XMSS and XMSS^MT read a message once to verify it: H_msg (RFC 8391, section 5.1) hashes values of the
//! signature and the key first, then the message.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use hashlanes_sha::{Hasher, algorithms};

use crate::hash::{HMsg, state_of, with_suite};
use crate::lanes::Lanes;
use crate::xmss_mt::{self, Parts};
use crate::{Error, VerifyingKey};

/// The claim that a signature belongs to a message that arrives in parts: see [`VerifyingKey::claim`].
///
/// ```
/// # use hashlanes_hbs::{Error, Scheme, VerifyingKey};
/// # let mut bytes = vec![0; 68];
/// # bytes[3] = 1;
/// # let key = VerifyingKey::from_bytes(Scheme::Xmss, &bytes)?;
/// # let signature = [0; 2500];
/// let mut claim = key.claim(&signature)?;
/// claim.update(b"a long ");
/// claim.update(b"message");
/// assert_eq!(claim.finish(), key.verify(b"a long message", &signature));
/// # Ok::<(), Error>(())
/// ```
pub struct Claim<'k> {
    key: &'k VerifyingKey,
    signature: Box<[u8]>,
    hasher: MessageHasher,
}

/// H_msg of the parts so far.
enum MessageHasher {
    Sha256(Hasher<algorithms::Sha256>),
    Sha512(Hasher<algorithms::Sha512>),
}

impl From<Hasher<algorithms::Sha256>> for MessageHasher {
    fn from(hasher: Hasher<algorithms::Sha256>) -> Self {
        Self::Sha256(hasher)
    }
}

impl From<Hasher<algorithms::Sha512>> for MessageHasher {
    fn from(hasher: Hasher<algorithms::Sha512>) -> Self {
        Self::Sha512(hasher)
    }
}

impl MessageHasher {
    /// Returns the digest, at the start of an array of the longest digest's length.
    fn finish(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        match self {
            Self::Sha256(hasher) => bytes[..32].copy_from_slice(&hasher.finish()),
            Self::Sha512(hasher) => bytes.copy_from_slice(&hasher.finish()),
        }
        bytes
    }
}

impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("set", &self.key.set()).finish_non_exhaustive()
    }
}

impl VerifyingKey {
    /// Starts to verify a signature whose message follows in parts.
    ///
    /// # Errors
    /// [`Error::SignatureLength`] and [`Error::Index`] if it cannot be a signature of this key.
    pub fn claim(&self, signature: &[u8]) -> Result<Claim<'_>, Error> {
        let parts = Parts::of(&self.set(), signature)?;
        let hasher = with_suite!(self.set(), S => {
            let lanes = Lanes::named(self.kernel()).expect("it was there when it was set");
            HMsg::<S>::new(lanes, parts.r, self.root(), parts.index).hasher().into()
        });
        Ok(Claim { key: self, signature: signature.into(), hasher })
    }
}

impl Claim<'_> {
    /// Absorbs the next bytes of the message.
    pub fn update(&mut self, part: &[u8]) {
        match &mut self.hasher {
            MessageHasher::Sha256(hasher) => hasher.update(part),
            MessageHasher::Sha512(hasher) => hasher.update(part),
        }
    }

    /// Absorbs the next bytes of several messages, which go through the lanes together.
    pub fn update_many(parts: &mut [(&mut Self, &[u8])]) {
        let (mut sha256, mut sha512) = (Vec::new(), Vec::new());
        for (claim, part) in parts {
            match &mut claim.hasher {
                // A kernel selected by name handles all calls.
                MessageHasher::Sha256(hasher) if claim.key.kernel().is_some() => hasher.update(part),
                MessageHasher::Sha512(hasher) if claim.key.kernel().is_some() => hasher.update(part),
                MessageHasher::Sha256(hasher) => sha256.push((hasher, *part)),
                MessageHasher::Sha512(hasher) => sha512.push((hasher, *part)),
            }
        }
        Hasher::update_many(&mut sha256);
        Hasher::update_many(&mut sha512);
    }

    /// Verifies that the signature is valid for the message.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid.
    pub fn finish(self) -> Result<(), Error> {
        Self::finish_many(alloc::vec![self]).swap_remove(0)
    }

    /// Verifies several claims. Claims of one key that follow each other go through the lanes together.
    /// Returns the results in their order.
    pub fn finish_many(claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let mut results = Vec::with_capacity(claims.len());
        let mut claims = claims.into_iter().peekable();
        while let Some(first) = claims.next() {
            let key = first.key;
            let mut of_key = alloc::vec![first];
            while let Some(claim) = claims.next_if(|next| core::ptr::eq(next.key, key)) {
                of_key.push(claim);
            }
            results.extend(Self::finish_of_key(key, of_key));
        }
        results
    }

    fn finish_of_key(key: &VerifyingKey, claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let set = key.set();
        with_suite!(set, S => {
            let lanes = Lanes::named(key.kernel()).expect("it was there when it was set");
            let (signatures, nodes): (Vec<_>, Vec<_>) = claims
                .into_iter()
                .map(|claim| (claim.signature, state_of::<S>(&claim.hasher.finish())))
                .unzip();
            let parts: Vec<_> = signatures
                .iter()
                .map(|signature| Parts::of(&set, signature).expect("it was read when the claim was made"))
                .collect();
            xmss_mt::verify_all_hashed::<S>(&set, lanes, (key.root(), key.seed()), &parts, &nodes)
        })
    }
}
