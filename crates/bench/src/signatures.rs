//! Workloads of signatures: an operation of a parameter set of XMSS or XMSS^MT, and its expected result.
//!
//! | operation | means |
//! |---|---|
//! | `keygen` | the first tree of every layer, from seeds; every call is a sample, because it takes long |
//! | `sign` | one signature, with its part of the work for later trees |
//! | `sign-checked` | the same, and the verification before its release |
//! | `verify` | one signature |
//! | `verify-many:16` | 16 signatures of a key in one call |
//!
//! The known keys and signatures are those of other implementations (`spec/vectors/xmss.json`).

use hashlanes::hbs::hazmat::KeyGeneration;
use hashlanes::hbs::{Error, ParameterSet};
use hashlanes_testkit::vectors::{self, XmssVector};
use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

/// The operation on a parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    /// The first tree of every layer from seeds: XMSS_keyGen and XMSSMT_keyGen (RFC 8391, algorithms 10 and
    /// 15).
    KeyGeneration,
    /// One signature: algorithms 12 and 16.
    Sign,
    /// One signature, and its verification.
    SignChecked,
    /// One verification: algorithms 14 and 17.
    Verify,
    /// Verifications in one call.
    VerifyMany {
        /// The number of signatures.
        count: usize,
    },
}

/// Signatures in one call at most.
const MOST_SIGNATURES: usize = 1024;

impl Operation {
    /// Signatures that a call makes or verifies; 1 of a key generation.
    pub(crate) fn count(self) -> usize {
        match self {
            Operation::VerifyMany { count } => count,
            _ => 1,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::KeyGeneration => f.write_str("keygen"),
            Operation::Sign => f.write_str("sign"),
            Operation::SignChecked => f.write_str("sign-checked"),
            Operation::Verify => f.write_str("verify"),
            Operation::VerifyMany { count } => write!(f, "verify-many:{count}"),
        }
    }
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, count) = text.split_once(':').map_or((text, None), |(name, count)| (name, Some(count)));
        match (name, count) {
            ("keygen", None) => Ok(Operation::KeyGeneration),
            ("sign", None) => Ok(Operation::Sign),
            ("sign-checked", None) => Ok(Operation::SignChecked),
            ("verify", None) => Ok(Operation::Verify),
            ("verify-many", Some(count)) => match count.parse() {
                Ok(count) if (1..=MOST_SIGNATURES).contains(&count) => Ok(Operation::VerifyMany { count }),
                _ => Err(format!("{count:?} is no number of signatures: 1 to {MOST_SIGNATURES}")),
            },
            _ => Err(format!(
                "unknown operation {text:?}; expected one of keygen, sign, sign-checked, verify, verify-many:COUNT"
            )),
        }
    }
}

/// Leaves of all trees that generating a key builds.
pub(crate) fn leaves(set: &ParameterSet) -> u64 {
    u64::from(set.layers()) << set.tree_height()
}

/// A signature of a message under a public key.
pub(crate) struct Claim {
    /// The message.
    pub(crate) message: Vec<u8>,
    /// In the encoding of RFC 8391.
    pub(crate) signature: Vec<u8>,
}

/// Signatures of one key.
pub(crate) struct Claims {
    /// OID ‖ root ‖ SEED.
    pub(crate) public_key: Vec<u8>,
    /// Different messages, all of them valid.
    pub(crate) claims: Vec<Claim>,
}

/// The start of an operation of a set, and the expected result.
pub(crate) struct Signatures {
    /// The set.
    pub(crate) set: ParameterSet,
    operation: Operation,
    vectors: Vec<XmssVector>,
    claims: OnceCell<Result<Claims, Error>>,
}

impl Signatures {
    /// Searches the known keys and signatures for the set.
    pub(crate) fn new(set: ParameterSet, operation: Operation) -> Self {
        let mut vectors = vectors::xmss();
        let name = set.to_string();
        vectors.retain(|vector| vector.name == name && !vector.signatures.is_empty());
        Signatures { set, operation, vectors, claims: OnceCell::new() }
    }

    /// A key from whose seeds another implementation made a signature with index 0.
    fn known(&self) -> Option<&XmssVector> {
        let is_it = |vector: &&XmssVector| {
            vector.seeds.is_some()
                && vector.derivation.as_deref() == Some("sp800-208")
                && vector.signatures[0].index == 0
        };
        self.vectors.iter().find(is_it)
    }

    /// S_XMSS ‖ SK_PRF ‖ SEED.
    pub(crate) fn seeds(&self) -> Vec<u8> {
        let told = self.known().and_then(|vector| vector.seeds.clone());
        told.unwrap_or_else(|| (0..3 * self.set.n()).map(|i| i as u8).collect())
    }

    /// The signed message.
    pub(crate) fn message(&self) -> Vec<u8> {
        self.known().map_or_else(|| vec![0; 32], |vector| vector.signatures[0].message.clone())
    }

    /// Returns the signatures to verify: one signature of another implementation, if all of its bytes are
    /// known; otherwise new ones.
    ///
    /// # Errors
    /// If the set is not supported.
    pub(crate) fn claims(&self) -> Result<&Claims, Error> {
        self.claims.get_or_init(|| self.make_claims()).as_ref().map_err(Clone::clone)
    }

    fn make_claims(&self) -> Result<Claims, Error> {
        let count = self.operation.count();
        let told = self.vectors.iter().find_map(|vector| {
            let signature = vector.signatures[0].signature.clone()?;
            let claims = vec![Claim { message: vector.signatures[0].message.clone(), signature }];
            Some(Claims { public_key: vector.public_key.clone(), claims })
        });
        if let (1, Some(told)) = (count, told) {
            return Ok(told);
        }
        let mut key = KeyGeneration::new(self.set, &self.seeds())?.run()?;
        let mut claims = Vec::new();
        for i in 0..count {
            let message = [&self.message()[..], &i.to_be_bytes()[..]].concat();
            let signature = key.try_sign(&message)?.as_ref().to_vec();
            claims.push(Claim { message, signature });
        }
        Ok(Claims { public_key: key.verifying_key().to_bytes(), claims })
    }

    /// Returns the expected result: the public key; SHA-256 of the signature of [`Signatures::message`] with
    /// index 0; for verifications a byte each, 1 for valid, and after them 0 for the first one with a bit
    /// changed. `None` if it is unknown.
    pub(crate) fn expected(&self) -> Option<Vec<u8>> {
        match self.operation {
            Operation::KeyGeneration => Some(self.known()?.public_key.clone()),
            Operation::Sign | Operation::SignChecked => Some(self.known()?.signatures[0].sha256.clone()),
            Operation::Verify | Operation::VerifyMany { .. } => {
                Some([&vec![1; self.operation.count()][..], &[0]].concat())
            }
        }
    }

    /// The set with a known key that replaces a set without one: the lowest with nodes of the same length.
    pub(crate) fn stand_in(&self) -> ParameterSet {
        let name = format!("XMSS-SHA2_10_{}", 8 * self.set.n());
        name.parse().expect("a set of the standards")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_the_papers_sets_has_a_known_result() {
        for set in ParameterSet::all() {
            let over_sha2 = set.to_string().contains("-SHA2_");
            let is_told = over_sha2 && set.n() == 32 && set.tree_height() <= 16;
            for operation in ["keygen", "sign", "sign-checked"] {
                let known = Signatures::new(set, operation.parse().unwrap()).expected();
                assert!(known.is_some() || !is_told, "{set}:{operation}");
            }
            if over_sha2 {
                let keygen = Operation::KeyGeneration;
                let stand_in = Signatures::new(Signatures::new(set, keygen).stand_in(), keygen);
                assert!(stand_in.expected().is_some(), "{set}");
            }
        }
    }
}
