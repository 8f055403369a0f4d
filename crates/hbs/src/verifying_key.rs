//! Public keys (RFC 8391, sections 4.1.7 and 4.2.2), signatures as bytes, verification.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::Error;
use crate::hash::with_suite;
use crate::lanes::Lanes;
use crate::params::{MAX_N, ParameterSet, Scheme};
use crate::xmss_mt;

/// A public key: verifies signatures.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{Error, Scheme, VerifyingKey};
///
/// // OID ‖ root ‖ SEED. XMSS and XMSS^MT number their sets apart, so it must be said which it is.
/// let mut bytes = vec![0; 68];
/// bytes[3] = 1;
/// let key = VerifyingKey::from_bytes(Scheme::Xmss, &bytes)?;
/// assert_eq!(key.set().to_string(), "XMSS-SHA2_10_256");
/// assert_eq!(key.to_bytes(), bytes);
///
/// assert_eq!(key.verify(b"message", &[0; 2500]), Err(Error::Invalid));
/// assert_eq!(key.verify(b"message", b"too short").unwrap_err().to_string(), "signature: 9 bytes instead of 2500");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey {
    set: ParameterSet,
    root_and_seed: [u8; 2 * MAX_N],
    kernel: Option<&'static str>,
}

impl VerifyingKey {
    /// Creates a key from its set, root and SEED.
    pub(crate) fn new(set: ParameterSet, root: &[u8], seed: &[u8]) -> Self {
        let n = set.n();
        let mut root_and_seed = [0; 2 * MAX_N];
        root_and_seed[..n].copy_from_slice(root);
        root_and_seed[n..2 * n].copy_from_slice(seed);
        Self { set, root_and_seed, kernel: None }
    }

    /// Reads OID ‖ root ‖ SEED.
    ///
    /// # Errors
    /// [`Error::PublicKeyLength`] if the length is wrong; [`Error::UnknownOid`] and [`Error::Shake`] if the
    /// parameter set is unknown or unsupported.
    pub fn from_bytes(scheme: Scheme, bytes: &[u8]) -> Result<Self, Error> {
        let Some((oid, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(Error::PublicKeyLength { given: bytes.len(), expected: 4 + 2 * 24 });
        };
        let set = ParameterSet::from_oid(scheme, u32::from_be_bytes(*oid))?;
        let (given, expected) = (bytes.len(), set.public_key_bytes());
        if given != expected {
            return Err(Error::PublicKeyLength { given, expected });
        }
        let (root, seed) = rest.split_at(set.n());
        Ok(Self::new(set.supported()?, root, seed))
    }

    /// Returns OID ‖ root ‖ SEED.
    ///
    /// # Panics
    /// Panics if the set has no OID; only sets for tests have none.
    pub fn to_bytes(&self) -> Vec<u8> {
        let oid = self.set.oid().expect("a set of the standards");
        [&oid.to_be_bytes()[..], self.root(), self.seed()].concat()
    }

    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }
    /// Returns the root of the (uppermost) tree.
    pub fn root(&self) -> &[u8] {
        &self.root_and_seed[..self.set.n()]
    }
    /// Returns SEED.
    pub fn seed(&self) -> &[u8] {
        &self.root_and_seed[self.set.n()..2 * self.set.n()]
    }

    /// Returns the kernel that handles all calls, if one was selected.
    pub(crate) fn kernel(&self) -> Option<&'static str> {
        self.kernel
    }

    /// Selects one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64) for all calls.
    ///
    /// # Errors
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub fn set_kernel(&mut self, name: &str) -> Result<(), Error> {
        self.kernel = Some(kernel_named(&self.set, name)?);
        Ok(())
    }

    /// Verifies that `signature` is valid for `message`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid; [`Error::SignatureLength`] and [`Error::Index`] if it cannot be
    /// a signature of this key.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_claims(&[(message, signature)]).swap_remove(0)
    }

    /// Verifies a message that is read once, part by part: it is never in memory as a whole.
    ///
    /// ```
    /// # use hashlanes_hbs::{Error, Scheme, VerifyingKey};
    /// # let mut bytes = vec![0; 68];
    /// # bytes[3] = 1;
    /// # let key = VerifyingKey::from_bytes(Scheme::Xmss, &bytes)?;
    /// let firmware = &b"from a file"[..];
    /// assert_eq!(key.verify_reader(firmware, &[0; 2500]), Err(Error::Invalid));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`VerifyingKey::verify`] (a wrong length or index before the message is read);
    /// [`Error::Message`] if the message cannot be read.
    #[cfg(feature = "std")]
    pub fn verify_reader(&self, mut message: impl std::io::Read, signature: &[u8]) -> Result<(), Error> {
        with_suite!(self.set, S => {
            let lanes = Lanes::named(self.kernel).expect("it was there when it was set");
            xmss_mt::verify_fed::<S, _>(&self.set, lanes, (self.root(), self.seed()), signature, |sink| {
                let read = crate::hash::feed(&mut message, sink);
                read.map_err(|error| Error::Message(alloc::string::ToString::to_string(&error)))
            })
        })
    }

    /// Verifies many messages, each with its signature, in lanes. Returns the results in their order.
    ///
    /// ```
    /// # use hashlanes_hbs::{Error, Scheme, VerifyingKey};
    /// # let mut bytes = vec![0; 68];
    /// # bytes[3] = 1;
    /// # let key = VerifyingKey::from_bytes(Scheme::Xmss, &bytes)?;
    /// let results = key.verify_many(&[(b"one", &[0; 2500]), (b"two", &[1; 2500])]);
    /// assert!(results.iter().all(Result::is_err));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify_many(&self, claims: &[(&[u8], &[u8])]) -> Vec<Result<(), Error>> {
        #[cfg(feature = "rayon")]
        if crate::lanes::has_threads() {
            use rayon::prelude::*;
            /// Signatures for one thread: as many as go through the lanes together.
            const TOGETHER: usize = 16;
            return claims.par_chunks(TOGETHER).flat_map_iter(|claims| self.verify_claims(claims)).collect();
        }
        self.verify_claims(claims)
    }

    fn verify_claims(&self, claims: &[(&[u8], &[u8])]) -> Vec<Result<(), Error>> {
        with_suite!(self.set, S => {
            let lanes = Lanes::named(self.kernel).expect("it was there when it was set");
            xmss_mt::verify_many::<S>(&self.set, lanes, (self.root(), self.seed()), claims)
        })
    }
}

/// The name of a kernel in the table of the set's hash.
pub(crate) fn kernel_named(set: &ParameterSet, name: &str) -> Result<&'static str, Error> {
    with_suite!(set, S => {
        let lanes = Lanes::<<S as crate::hash::Suite>::Function>::named(Some(name))?;
        Ok(lanes.only().expect("one was named").name())
    })
}

/// A signature's bytes, in the encoding of its standard: RFC 8391 or FIPS 205.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Box<[u8]>);

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Signature {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

/// Accepts any bytes: the length of a signature depends on the key.
impl From<&[u8]> for Signature {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Self {
        signature.0
    }
}

#[cfg(feature = "signature")]
impl signature::SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

#[cfg(feature = "signature")]
impl signature::Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        self.verify(message, signature.as_ref()).map_err(|_| signature::Error::new())
    }
}
