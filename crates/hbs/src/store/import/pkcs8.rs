//! PrivateKeyInfo of PKCS#8 (RFC 5208, RFC 5958), which wraps the keys of BouncyCastle and Botan.

use alloc::format;
use alloc::string::ToString;

use der::asn1::{AnyRef, OctetStringRef};
use der::{Decode, Reader, SliceReader, Tagged};
use spki::{AlgorithmIdentifierRef, ObjectIdentifier};

use super::secret::{Fault, Secret, set_of};
use super::{bouncycastle, raw};
use crate::spki::{OLD_XMSS, OLD_XMSS_MT, XMSS, XMSS_MT};
use crate::{Error, Scheme};

/// The first byte of any PKCS#8 in DER.
pub(super) const SEQUENCE: u8 = 0x30;

/// XMSS by Botan's own arc, from before it had another identifier.
const BOTAN_XMSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.25258.1.8");
/// XMSS by BouncyCastle's own arc, with parameters.
const BC_XMSS: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.22554.2.2");
/// XMSS^MT by the same.
const BC_XMSS_MT: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.22554.2.3");

pub(super) fn read(bytes: &[u8]) -> Result<Secret<'_>, Error> {
    parse(bytes).map_err(|fault| match fault {
        Fault::Der(error) => Error::SecretKey(format!("damaged PKCS#8: {error}")),
        Fault::Key(error) => error,
    })
}

fn parse(bytes: &[u8]) -> Result<Secret<'_>, Fault> {
    let mut reader = SliceReader::new(bytes)?;
    let (algorithm, key) = reader.sequence(|reader| {
        let version: u8 = reader.decode()?;
        if version > 1 {
            return Err(other(format!("unknown PKCS#8 version {version}; expected 0 or 1")));
        }
        let algorithm: AlgorithmIdentifierRef<'_> = reader.decode()?;
        let key: &OctetStringRef = reader.decode()?;
        // Attributes [0] and the public key [1].
        while !reader.is_finished() {
            let tag = AnyRef::decode(reader)?.tag();
            if !tag.is_context_specific() {
                return Err(other(format!("unexpected {tag} after the key")));
            }
        }
        Ok::<_, Fault>((algorithm, key.as_bytes()))
    })?;
    reader.finish()?;
    let scheme = match algorithm.oid {
        BC_XMSS => return bouncycastle::read(Scheme::Xmss, algorithm.parameters, key),
        BC_XMSS_MT => return bouncycastle::read(Scheme::XmssMt, algorithm.parameters, key),
        XMSS | OLD_XMSS | BOTAN_XMSS => Scheme::Xmss,
        XMSS_MT | OLD_XMSS_MT => Scheme::XmssMt,
        oid => {
            return Err(other(format!("algorithm {oid}; expected XMSS or XMSS^MT of BouncyCastle or Botan")));
        }
    };
    if algorithm.parameters.is_some() {
        return Err(other("the algorithm has parameters; expected none".to_string()));
    }
    // Early versions of Botan wrote the raw key without the OCTET STRING; it begins with 0, as all OIDs do.
    let bytes = if key.first() == Some(&0) { key } else { <&OctetStringRef>::from_der(key)?.as_bytes() };
    let (set, _) = set_of(scheme, bytes)?;
    if scheme == Scheme::Xmss && raw::is_length_of_botan(&set, bytes.len()) {
        return Ok(raw::read_botan(bytes)?);
    }
    Ok(bouncycastle::read_raw(scheme, bytes)?)
}

fn other(words: alloc::string::String) -> Fault {
    Fault::Key(Error::SecretKey(words))
}
