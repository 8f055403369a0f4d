//! Proofs of RFC 6962, checked against trusted values.
//!
//! The values in a proof prove nothing: the root must be known from elsewhere, and so must the leaf. A valid
//! proof of another leaf does not prove the requested one, so an inclusion is checked for the leaf of
//! `--leaf`, the index of `--index`, or both. A proof has the fields of its kind, each once, and no others;
//! their values must agree with the trusted ones.

use std::fmt;

use hashlanes::Hasher;
use hashlanes::algorithms::Sha256;
use hashlanes::tree::merkle::Rfc6962;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::encoding::{bytes_of_hex, hex};

/// A digest of SHA-256.
pub type Digest = [u8; 32];

/// The trusted values: a log signs its root together with its number of leaves.
pub struct Trusted {
    /// The root of the tree, or of the older one.
    pub root: Digest,
    /// Leaves of the tree, if they are known.
    pub n_leaves: Option<u64>,
    /// The root of the newer tree, if it is known.
    pub new_root: Option<Digest>,
    /// The leaf that is to be in the tree.
    pub leaf: Option<Leaf>,
    /// Its number.
    pub index: Option<u64>,
}

/// Why a proof does not hold.
#[derive(Debug, PartialEq, Eq)]
pub enum Error {
    /// It is not a proof, for this reason.
    Format(String),
    /// The proof does not prove the statement.
    Fails(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Format(text) | Self::Fails(text)) = self;
        f.write_str(text)
    }
}

/// The digests of a leaf.
pub struct Leaf {
    digest: Digest,
    /// Returns the leaf of the same bytes without the newline at their end, which is not part of a leaf that
    /// is a line.
    as_line: Option<Digest>,
}

impl Leaf {
    /// Returns the leaf with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut leaf = LeafHasher::new();
        leaf.update(bytes);
        leaf.finish()
    }
}

/// A leaf whose bytes arrive in parts.
pub struct LeafHasher {
    hasher: Hasher<Sha256>,
    as_line: Option<Digest>,
}

impl LeafHasher {
    /// Returns the empty leaf, to be continued.
    #[expect(clippy::new_without_default, reason = "a hasher, as the library's")]
    pub fn new() -> Self {
        Self { hasher: Rfc6962::leaf_hasher(), as_line: None }
    }

    /// Absorbs the next part.
    pub fn update(&mut self, part: &[u8]) {
        if part.is_empty() {
            return;
        }
        self.as_line = part.strip_suffix(b"\n").map(|line| {
            let mut of_line = self.hasher.clone();
            of_line.update(line);
            of_line.finish()
        });
        self.hasher.update(part);
    }

    /// Returns the digests of all that was absorbed.
    pub fn finish(self) -> Leaf {
        Leaf { digest: self.hasher.finish(), as_line: self.as_line }
    }
}

/// The fields of an object, in order; a field that is there twice is an error.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if fields.iter().any(|(other, _)| *other == name) {
                        return Err(de::Error::custom(format_args!("{name}: is there twice")));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

impl Fields {
    /// Only the fields of this kind of proof are there.
    fn check_names(&self, of_kind: &[&str]) -> Result<(), Error> {
        match self.0.iter().find(|(name, _)| !of_kind.contains(&&name[..])) {
            Some((name, _)) => Err(not_a_proof(format_args!("{name}: unknown field"))),
            None => Ok(()),
        }
    }

    fn get(&self, field: &str) -> Result<&Value, Error> {
        let found = self.0.iter().find(|(name, _)| name == field);
        found.map(|(_, value)| value).ok_or_else(|| not_a_proof(format_args!("{field}: is missing")))
    }

    fn text(&self, field: &str) -> Result<&str, Error> {
        self.get(field)?.as_str().ok_or_else(|| not_a_proof(format_args!("{field}: not a string")))
    }

    fn number(&self, field: &str) -> Result<u64, Error> {
        let wrong = || not_a_proof(format_args!("{field}: not a whole number from 0 to {}", u64::MAX));
        self.get(field)?.as_u64().ok_or_else(wrong)
    }

    fn digest(&self, field: &str) -> Result<Digest, Error> {
        digest(self.get(field)?, field)
    }

    fn digests(&self, field: &str) -> Result<Vec<Digest>, Error> {
        let list = self.get(field)?.as_array();
        let list = list.ok_or_else(|| not_a_proof(format_args!("{field}: not an array")))?;
        (0..).zip(list).map(|(at, value)| digest(value, &format!("{field}[{at}]"))).collect()
    }
}

fn digest(value: &Value, field: &str) -> Result<Digest, Error> {
    let bytes = value.as_str().and_then(bytes_of_hex).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| not_a_proof(format_args!("{field}: not a string of 64 hexadecimal digits")))
}

fn not_a_proof(why: impl fmt::Display) -> Error {
    Error::Format(format!("not a proof: {why}"))
}

fn fails(why: impl fmt::Display) -> Error {
    Error::Fails(why.to_string())
}

/// Checks whether a proof, as JSON, is valid for trusted values; returns the proven statement.
///
/// # Errors
/// Why it does not.
pub fn verify(text: &[u8], trusted: &Trusted) -> Result<String, Error> {
    let fields: Fields = serde_json::from_slice(text).map_err(not_a_proof)?;
    if fields.text("mode")? != "rfc6962" {
        return Err(not_a_proof("mode: not rfc6962"));
    }
    match fields.text("proof")? {
        "inclusion" => {
            fields.check_names(&["mode", "proof", "n_leaves", "root", "index", "leaf", "nodes"])?;
            inclusion(&fields, trusted)
        }
        "consistency" => {
            fields.check_names(&["mode", "proof", "n_leaves", "root", "first", "nodes"])?;
            consistency(&fields, trusted)
        }
        _ => Err(not_a_proof("proof: neither inclusion nor consistency")),
    }
}

/// Returns the number of leaves, which must be the one that is trusted.
fn n_leaves(fields: &Fields, trusted: &Trusted) -> Result<u64, Error> {
    let n_leaves = fields.number("n_leaves")?;
    match trusted.n_leaves.filter(|trusted| *trusted != n_leaves) {
        Some(trusted) => Err(fails(format!("the proof is of a tree of {n_leaves} leaves, not of {trusted}"))),
        None => Ok(n_leaves),
    }
}

fn inclusion(fields: &Fields, trusted: &Trusted) -> Result<String, Error> {
    if trusted.new_root.is_some() {
        return Err(fails("a proof of inclusion; --new-root is for proofs of consistency"));
    }
    let (n_leaves, index) = (n_leaves(fields, trusted)?, fields.number("index")?);
    let (leaf, nodes) = (fields.digest("leaf")?, fields.digests("nodes")?);
    if fields.digest("root")? != trusted.root {
        return Err(fails("root: the proof is of a tree with another root than --root"));
    }
    Rfc6962::check_inclusion(&leaf, index, n_leaves, &nodes, &trusted.root).map_err(fails)?;
    let shown = hex(&leaf);
    if let Some(expected) = trusted.index.filter(|expected| *expected != index) {
        return Err(fails(format!("index: the proof is of leaf {index}, not of --index {expected}")));
    }
    match &trusted.leaf {
        Some(expected) if expected.digest != leaf => {
            let is_line = expected.as_line == Some(leaf);
            let way_out = if is_line { "; without the newline at its end it would be this leaf" } else { "" };
            return Err(fails(format!("leaf: the proof is of another leaf than --leaf{way_out}")));
        }
        None if trusted.index.is_none() => {
            return Err(fails(format!(
                "the proof is of leaf {index} with the digest {shown}; give the leaf that is to be proved by --leaf FILE or --index N"
            )));
        }
        _ => {}
    }
    Ok(match trusted.n_leaves {
        Some(_) => format!("leaf {index} of {n_leaves} has the digest {shown}"),
        None => format!("if the tree has {n_leaves} leaves, leaf {index} has the digest {shown}"),
    })
}

fn consistency(fields: &Fields, trusted: &Trusted) -> Result<String, Error> {
    if trusted.leaf.is_some() || trusted.index.is_some() {
        return Err(fails("a proof of consistency; --leaf and --index are for proofs of inclusion"));
    }
    let (n_leaves, first) = (n_leaves(fields, trusted)?, fields.number("first")?);
    let (root, nodes) = (fields.digest("root")?, fields.digests("nodes")?);
    if trusted.new_root.is_some_and(|trusted| trusted != root) {
        return Err(fails("root: the proof is of a tree with another root than --new-root"));
    }
    Rfc6962::check_consistency(first, n_leaves, &nodes, &trusted.root, &root).map_err(fails)?;
    Ok(format!("the tree of {n_leaves} leaves with root {} begins with these {first}", hex(&root)))
}
