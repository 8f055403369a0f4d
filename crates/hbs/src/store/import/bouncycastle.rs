//! The layouts of BouncyCastle.
//!
//! Keys under its own identifiers have parameters, and this content:
//!
//! ```text
//! XMSSKeyParams, XMSSMTKeyParams ::= SEQUENCE {
//!     version INTEGER (0), height INTEGER, layers INTEGER (XMSS^MT only), treeDigest AlgorithmIdentifier }
//! XMSSPrivateKey, XMSSMTPrivateKey ::= SEQUENCE {
//!     version INTEGER (1 with maxIndex, else 0),
//!     keyData SEQUENCE {
//!         index INTEGER, secretKeySeed OCTET STRING, secretKeyPRF OCTET STRING, publicSeed OCTET STRING,
//!         root OCTET STRING, maxIndex [0] IMPLICIT INTEGER OPTIONAL },
//!     bdsState [0] EXPLICIT OCTET STRING }
//! ```
//!
//! Later versions write the standard sets under the identifiers of RFC 9802, without parameters, as an OCTET
//! STRING: OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ SEED ‖ root ‖ bdsState.
//!
//! A shard of a key (`extractKeyShard`) may sign up to maxIndex, which is inclusive. The traversal state
//! bdsState is not needed, except for the index and the last index in it: see `traversal.rs`.

use alloc::format;
use alloc::string::ToString;

use der::asn1::{AnyRef, ContextSpecific, OctetStringRef};
use der::{Decode, Reader, SliceReader, TagNumber};
use spki::{AlgorithmIdentifierRef, ObjectIdentifier};

use super::secret::{Fault, Secret, big_endian, set_of};
use super::traversal::{self, Traversal};
use crate::hazmat::Derivation;
use crate::{Error, HashFamily, ParameterSet, Scheme};

const SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const SHA512: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.3");
const SHAKE128: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.11");
const SHAKE256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.12");

/// A key under BouncyCastle's own identifiers.
pub(super) fn read<'a>(
    scheme: Scheme,
    parameters: Option<AnyRef<'a>>,
    key: &'a [u8],
) -> Result<Secret<'a>, Fault> {
    let parameters =
        parameters.ok_or_else(|| fault("the algorithm has no parameters; expected its height"))?;
    let set = set(scheme, parameters)?;
    let mut reader = SliceReader::new(key)?;
    let (mut secret, last, state) = reader.sequence(|reader| {
        let version: u8 = reader.decode()?;
        if version > 1 {
            return Err(fault(&format!("unknown version {version} of the key; expected 0 or 1")));
        }
        let (secret, last) = reader.sequence(|reader| key_data(set, reader))?;
        if last.is_some() != (version == 1) {
            return Err(fault("the version of the key contradicts its content"));
        }
        let state = ContextSpecific::<&OctetStringRef>::decode_explicit(reader, TagNumber(0))?;
        let state = state.ok_or_else(|| fault("the traversal state is missing"))?;
        Ok::<_, Fault>((secret, last, state.value.as_bytes()))
    })?;
    reader.finish()?;
    if let Some(last) = last {
        secret.indices.end = end(&set, last)?;
    }
    check(&mut secret, state)?;
    Ok(secret)
}

/// A key under the identifiers of RFC 9802.
pub(super) fn read_raw(scheme: Scheme, bytes: &[u8]) -> Result<Secret<'_>, Error> {
    let (set, rest) = set_of(scheme, bytes)?;
    let (n, index_bytes) = (set.n(), set.index_bytes());
    let expected = 4 + index_bytes + 4 * n + 1;
    if bytes.len() < expected {
        return Err(Error::SecretKeyLength { given: bytes.len(), expected });
    }
    let (index, rest) = rest.split_at(index_bytes);
    let (parts, state) = rest.split_at(4 * n);
    let mut secret = Secret {
        set,
        derivation: Derivation::Legacy,
        indices: big_endian(index)..set.signatures(),
        secret_seed: &parts[..n],
        prf: &parts[n..2 * n],
        seed: &parts[2 * n..3 * n],
        root: &parts[3 * n..],
    };
    check(&mut secret, state)?;
    Ok(secret)
}

/// The set that the parameters of the algorithm name.
fn set(scheme: Scheme, parameters: AnyRef<'_>) -> Result<ParameterSet, Fault> {
    let (height, layers, digest) = parameters.sequence(|reader| {
        let version: u8 = reader.decode()?;
        if version != 0 {
            return Err(fault(&format!("unknown version {version} of the parameters; expected 0")));
        }
        let height: u32 = reader.decode()?;
        let layers: u32 = if scheme == Scheme::XmssMt { reader.decode()? } else { 1 };
        let digest: AlgorithmIdentifierRef<'_> = reader.decode()?;
        Ok((height, layers, digest.oid))
    })?;
    let (hash, n) = match digest {
        SHA256 => (HashFamily::Sha2, 32),
        SHA512 => (HashFamily::Sha2, 64),
        SHAKE128 => (HashFamily::Shake, 32),
        SHAKE256 => (HashFamily::Shake, 64),
        oid => return Err(fault(&format!("unknown tree digest {oid}; expected SHA-256 or SHA-512"))),
    };
    let is_it = |set: &ParameterSet| {
        (set.scheme(), set.hash(), set.n()) == (scheme, hash, n)
            && (set.height(), set.layers()) == (height, layers)
    };
    let set = ParameterSet::all().find(is_it);
    let unknown = || fault(&format!("no {} set has height {height} and {layers} layers", scheme.name()));
    Ok(set.ok_or_else(unknown)?.supported()?)
}

/// `keyData`, and its maxIndex.
fn key_data<'a>(set: ParameterSet, reader: &mut SliceReader<'a>) -> Result<(Secret<'a>, Option<u64>), Fault> {
    let index: u64 = reader.decode()?;
    let mut part = || -> Result<&'a [u8], Fault> {
        let part = <&OctetStringRef>::decode(reader)?.as_bytes();
        if part.len() == set.n() {
            Ok(part)
        } else {
            Err(fault(&format!("a seed has {} bytes; expected {} for {set}", part.len(), set.n())))
        }
    };
    let (secret_seed, prf, seed, root) = (part()?, part()?, part()?, part()?);
    let last = ContextSpecific::<u64>::decode_implicit(reader, TagNumber(0))?;
    let indices = index..set.signatures();
    let secret = Secret { set, derivation: Derivation::Legacy, indices, secret_seed, prf, seed, root };
    Ok((secret, last.map(|last| last.value)))
}

/// Returns the end of the indices, `last` included.
fn end(set: &ParameterSet, last: u64) -> Result<u64, Error> {
    let signatures = set.signatures();
    if last < signatures { Ok(last + 1) } else { Err(Error::Index { index: last, signatures }) }
}

/// Compares the indices with those in the traversal state. When in doubt, the key is refused.
fn check(secret: &mut Secret<'_>, state: &[u8]) -> Result<(), Error> {
    let unknown = || Error::SecretKey("the traversal state is damaged or of an unknown version".to_string());
    let Traversal { leaf, last } = traversal::read(state, secret.seed).ok_or_else(unknown)?;
    if let Some(last) = last {
        secret.indices.end = secret.indices.end.min(end(&secret.set, last)?);
    }
    // For XMSS^MT the index in the lowest tree. After the last leaf of a tree it stays there until the next
    // signature.
    let index = secret.indices.start;
    let leaves = 1 << secret.set.tree_height();
    let is_behind = match secret.set.scheme() {
        Scheme::Xmss => index < leaf,
        Scheme::XmssMt => {
            index % leaves < leaf && !(index > 0 && index.is_multiple_of(leaves) && leaf == leaves - 1)
        }
    };
    if is_behind {
        return Err(Error::SecretKey(format!(
            "damaged: its index is {index}, but its traversal state is at leaf {leaf}; restore it from the last export"
        )));
    }
    Ok(())
}

fn fault(words: &str) -> Fault {
    Fault::Key(Error::SecretKey(words.to_string()))
}
