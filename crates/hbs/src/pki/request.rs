//! Certificate requests: PKCS#10, RFC 2986, section 4.

use alloc::vec::Vec;

use super::certificate::KeyInfo;
use super::error::Error;
use super::name::Name;
use super::writing::{CONTEXT_CONSTRUCTED, SEQUENCE, bit_string, element, integer};

/// A certificate request that is not signed yet. It has no attributes.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::pki::Request;
/// use hashlanes::hbs::slh_dsa::{Message, Randomness, SigningKey};
///
/// # let key = SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse()?, &[1; 48])?;
/// let request = Request::new(&key.verifying_key().to_spki_der(), &"CN=Release key".parse()?)?;
/// let signature = key.sign(&Message::new(request.to_sign()), Randomness::Deterministic)?;
/// let der = request.finish(signature.as_ref());
/// # let _ = der;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    to_sign: Vec<u8>,
    algorithm: Vec<u8>,
}

impl Request {
    /// Begins a request for a certificate of the key `spki_der`.
    ///
    /// # Errors
    /// [`Error::Field`] if the key is malformed.
    pub fn new(spki_der: &[u8], subject: &Name) -> Result<Self, Error> {
        let algorithm = KeyInfo::of(spki_der)?.algorithm.to_vec();
        let attributes = element(CONTEXT_CONSTRUCTED, &[]);
        let to_sign = element(SEQUENCE, &[&integer(0), subject.as_der(), spki_der, &attributes]);
        Ok(Self { to_sign, algorithm })
    }

    /// Returns the bytes to sign.
    pub fn to_sign(&self) -> &[u8] {
        &self.to_sign
    }

    /// Returns the request in DER, with its signature.
    #[must_use]
    pub fn finish(&self, signature: &[u8]) -> Vec<u8> {
        element(SEQUENCE, &[&self.to_sign, &self.algorithm, &bit_string(signature)])
    }
}
