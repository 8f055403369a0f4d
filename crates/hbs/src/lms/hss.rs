//! Levels of trees: RFC 8554, section 6.
//!
//! A signature holds, level by level, a signature of the key of the tree below. All of them are verified at
//! once, because the signature already contains each message.

use alloc::vec::Vec;

use super::hash::{MessageHash, Suite, with_suite};
use super::params::MAX_N;
use super::tree::{TreeKey, TreeSignature, verify_hashed};
use crate::Error;
use crate::batch::Node;

/// A parsed signature, level by level.
pub(crate) struct Parts<'a> {
    /// The signatures of the trees' keys, with these keys, the topmost first.
    upper: Vec<(TreeSignature<'a>, &'a [u8])>,
    /// The signature of the message.
    pub(crate) last: TreeSignature<'a>,
}

/// Takes bytes from the front of a signature.
struct Cursor<'a> {
    whole: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Error> {
        let expected = self.at + n;
        let taken = self.whole.get(self.at..expected);
        self.at = expected;
        taken.ok_or(Error::SignatureLength { given: self.whole.len(), expected })
    }
}

impl<'a> Parts<'a> {
    /// Reads a signature under the topmost tree's key: algorithm 10 up to its hashes. A signature of LMS
    /// alone has no number of levels.
    ///
    /// # Errors
    /// [`Error::SignatureLength`], [`Error::Index`]; [`Error::Invalid`] if its levels or types are not the
    /// key's.
    pub(crate) fn of(top: TreeKey<'a>, n_levels: Option<u32>, signature: &'a [u8]) -> Result<Self, Error> {
        let mut cursor = Cursor { whole: signature, at: 0 };
        if let Some(n_levels) = n_levels {
            let n_signed = cursor.take(4)?;
            if u32::from_be_bytes(n_signed.try_into().expect("4 bytes")) != n_levels - 1 {
                return Err(Error::Invalid);
            }
        }
        let (mut key, mut upper) = (top, Vec::new());
        for _ in 1..n_levels.unwrap_or(1) {
            let signed = TreeSignature::of(key, cursor.take(key.level.signature_bytes())?)?;
            let bytes = &signature[cursor.at..];
            // A truncated key means that the signature is truncated.
            let given = signature.len();
            let (next, length) = TreeKey::of_start(bytes).map_err(|error| match error {
                Error::PublicKeyLength { expected, .. } => {
                    Error::SignatureLength { given, expected: cursor.at + expected }
                }
                _ => Error::Invalid,
            })?;
            upper.push((signed, cursor.take(length)?));
            key = next;
        }
        let last = TreeSignature::of(key, cursor.take(key.level.signature_bytes())?)?;
        if cursor.at != signature.len() {
            return Err(Error::SignatureLength { given: signature.len(), expected: cursor.at });
        }
        Ok(Self { upper, last })
    }

    /// Returns the number of the signature among all of the key, computed from the q of its levels; the
    /// greatest number if it does not fit.
    pub(crate) fn index(&self) -> u64 {
        let signatures = self.upper.iter().map(|(signature, _)| signature).chain([&self.last]);
        signatures.fold(0_u64, |index, signature| {
            let height = signature.key.level.height();
            index.checked_mul(1 << height).map_or(u64::MAX, |index| index.saturating_add(signature.q.into()))
        })
    }

    /// Begins the hash of the message.
    pub(crate) fn begin(&self) -> MessageHash {
        begin(&self.last)
    }
}

fn begin(signature: &TreeSignature<'_>) -> MessageHash {
    MessageHash::of_message(signature.key.level, signature.key.identifier, signature.q, signature.c)
}

/// Algorithm 10 for several signatures, each with its message's hash. Returns the results in their order.
pub(crate) fn verify_many(claims: &[(Parts<'_>, [u8; MAX_N])]) -> Vec<Result<(), Error>> {
    let mut results = alloc::vec![Ok(()); claims.len()];
    let mut signatures = Vec::new();
    for (number, (parts, hash)) in claims.iter().enumerate() {
        for (signature, key) in &parts.upper {
            let mut hash = begin(signature);
            hash.update(key);
            signatures.push((number, *signature, hash.finish()));
        }
        signatures.push((number, parts.last, *hash));
    }
    // Signatures of one level's parameters go through the lanes together.
    while let Some(level) = signatures.last().map(|(_, signature, _)| signature.key.level) {
        let (same, others): (Vec<_>, Vec<_>) =
            signatures.into_iter().partition(|(_, signature, _)| signature.key.level == level);
        signatures = others;
        let of_level: Vec<_> = same.iter().map(|(_, signature, _)| *signature).collect();
        let valid = with_suite!(level, S => {
            let hashes: Vec<_> =
                same.iter().map(|(_, _, hash)| <S as Suite>::Node::of(&hash[..S::N])).collect();
            verify_hashed::<S>(level, &of_level, &hashes)
        });
        for ((number, ..), is_valid) in same.iter().zip(valid) {
            if !is_valid {
                results[*number] = Err(Error::Invalid);
            }
        }
    }
    results
}
