//! Proofs of RFC 6962, checked against what is trusted.
//!
//! A proof's own words prove nothing: the root must be known from elsewhere, and so must the leaf. A valid proof of another leaf
//! is no proof of the one that is asked for, so an inclusion is checked for the leaf of `--leaf`, the index of `--index`, or both.
//! A proof has the fields of its kind, each once, and no others; what they say must agree with what is trusted.

use std::fmt;

use hashlanes::Hasher;
use hashlanes::algorithms::Sha256;
use hashlanes::tree::merkle::Rfc6962;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::input::{Failure, Input};
use crate::encoding::{bytes_of_hex, hex};

pub(super) type Digest = [u8; 32];

/// What is known from elsewhere: a log signs its root together with its number of leaves.
pub(super) struct Trusted {
    /// The root of the tree, or of the older one.
    pub(super) root: Digest,
    /// Leaves of the tree, if they are known.
    pub(super) n_leaves: Option<u64>,
    /// The root of the newer tree, if it is known.
    pub(super) new_root: Option<Digest>,
    /// The leaf that is to be in the tree.
    pub(super) leaf: Option<Leaf>,
    /// Its number.
    pub(super) index: Option<u64>,
}

/// The digests of a leaf.
pub(super) struct Leaf {
    digest: Digest,
    /// Of the same bytes without the newline at their end, which is no part of a leaf that is a line.
    as_line: Option<Digest>,
}

impl Leaf {
    /// Reads the leaf's bytes.
    pub(super) fn read(name: &[u8]) -> Result<Self, Failure> {
        let input = Input::open(name)?;
        let mut hasher: Hasher<Sha256> = Rfc6962::leaf_hasher();
        let mut as_line = None;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let n = input.read(&mut buffer)?;
            if n == 0 {
                return Ok(Self { digest: hasher.finish(), as_line });
            }
            as_line = buffer[..n].strip_suffix(b"\n").map(|line| {
                let mut of_line = hasher.clone();
                of_line.update(line);
                of_line.finish()
            });
            hasher.update(&buffer[..n]);
        }
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
    fn check_names(&self, of_kind: &[&str]) -> Result<(), Failure> {
        match self.0.iter().find(|(name, _)| !of_kind.contains(&&name[..])) {
            Some((name, _)) => Err(not_a_proof(format_args!("{name}: unknown field"))),
            None => Ok(()),
        }
    }

    fn get(&self, field: &str) -> Result<&Value, Failure> {
        let found = self.0.iter().find(|(name, _)| name == field);
        found.map(|(_, value)| value).ok_or_else(|| not_a_proof(format_args!("{field}: is missing")))
    }

    fn text(&self, field: &str) -> Result<&str, Failure> {
        self.get(field)?.as_str().ok_or_else(|| not_a_proof(format_args!("{field}: not a string")))
    }

    fn number(&self, field: &str) -> Result<u64, Failure> {
        let wrong = || not_a_proof(format_args!("{field}: not a whole number from 0 to {}", u64::MAX));
        self.get(field)?.as_u64().ok_or_else(wrong)
    }

    fn digest(&self, field: &str) -> Result<Digest, Failure> {
        digest(self.get(field)?, field)
    }

    fn digests(&self, field: &str) -> Result<Vec<Digest>, Failure> {
        let list = self.get(field)?.as_array();
        let list = list.ok_or_else(|| not_a_proof(format_args!("{field}: not an array")))?;
        (0..).zip(list).map(|(at, value)| digest(value, &format!("{field}[{at}]"))).collect()
    }
}

fn digest(value: &Value, field: &str) -> Result<Digest, Failure> {
    let bytes = value.as_str().and_then(bytes_of_hex).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| not_a_proof(format_args!("{field}: not a string of 64 hexadecimal digits")))
}

fn not_a_proof(why: impl fmt::Display) -> Failure {
    Failure::said(format!("not a proof: {why}"))
}

/// Whether the proof in a file holds under what is trusted: what it shows, or why it does not.
pub(super) fn verify(name: &[u8], trusted: &Trusted) -> Result<String, Failure> {
    let fields: Fields = serde_json::from_slice(&read(name)?).map_err(not_a_proof)?;
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

/// All of a file that is short enough for a proof.
fn read(name: &[u8]) -> Result<Vec<u8>, Failure> {
    /// No proof is longer: 64 nodes.
    const LONGEST: usize = 64 << 10;
    let input = Input::open(name)?;
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let n = input.read(&mut buffer)?;
        text.extend_from_slice(&buffer[..n]);
        if text.len() > LONGEST {
            return Err(Failure::said("too long for a proof"));
        }
        if n == 0 {
            return Ok(text);
        }
    }
}

/// The number of leaves, which must be the one that is trusted.
fn n_leaves(fields: &Fields, trusted: &Trusted) -> Result<u64, Failure> {
    let n_leaves = fields.number("n_leaves")?;
    match trusted.n_leaves.filter(|trusted| *trusted != n_leaves) {
        Some(trusted) => {
            Err(Failure::said(format!("the proof is of a tree of {n_leaves} leaves, not of {trusted}")))
        }
        None => Ok(n_leaves),
    }
}

fn inclusion(fields: &Fields, trusted: &Trusted) -> Result<String, Failure> {
    if trusted.new_root.is_some() {
        return Err(Failure::said("a proof of inclusion; --new-root is for proofs of consistency"));
    }
    let (n_leaves, index) = (n_leaves(fields, trusted)?, fields.number("index")?);
    let (leaf, nodes) = (fields.digest("leaf")?, fields.digests("nodes")?);
    if fields.digest("root")? != trusted.root {
        return Err(Failure::said("root: the proof is of a tree with another root than --root"));
    }
    Rfc6962::check_inclusion(&leaf, index, n_leaves, &nodes, &trusted.root).map_err(Failure::said)?;
    let shown = hex(&leaf);
    if let Some(expected) = trusted.index.filter(|expected| *expected != index) {
        return Err(Failure::said(format!("index: the proof is of leaf {index}, not of --index {expected}")));
    }
    match &trusted.leaf {
        Some(expected) if expected.digest != leaf => {
            let is_line = expected.as_line == Some(leaf);
            let way_out = if is_line { "; without the newline at its end it would be this leaf" } else { "" };
            return Err(Failure::said(format!("leaf: the proof is of another leaf than --leaf{way_out}")));
        }
        None if trusted.index.is_none() => {
            return Err(Failure::said(format!(
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

fn consistency(fields: &Fields, trusted: &Trusted) -> Result<String, Failure> {
    if trusted.leaf.is_some() || trusted.index.is_some() {
        return Err(Failure::said("a proof of consistency; --leaf and --index are for proofs of inclusion"));
    }
    let (n_leaves, first) = (n_leaves(fields, trusted)?, fields.number("first")?);
    let (root, nodes) = (fields.digest("root")?, fields.digests("nodes")?);
    if trusted.new_root.is_some_and(|trusted| trusted != root) {
        return Err(Failure::said("root: the proof is of a tree with another root than --new-root"));
    }
    Rfc6962::check_consistency(first, n_leaves, &nodes, &trusted.root, &root).map_err(Failure::said)?;
    Ok(format!("the tree of {n_leaves} leaves with root {} begins with these {first}", hex(&root)))
}
