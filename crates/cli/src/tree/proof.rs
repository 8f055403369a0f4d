//! Proofs of RFC 6962: written as JSON, and checked against a root that is trusted.
//!
//! ```json
//! {"mode": "rfc6962", "proof": "inclusion", "n_leaves": 8, "root": "5dc9…", "index": 3, "leaf": "bcdd…", "nodes": ["7fc8…", …]}
//! {"mode": "rfc6962", "proof": "consistency", "n_leaves": 8, "root": "5dc9…", "first": 3, "nodes": ["…", …]}
//! ```
//!
//! `leaf` is the leaf's digest, SHA-256(0x00 ‖ leaf). Who checks an inclusion must have the tree's root from elsewhere, and who
//! checks a consistency that of the older tree: a proof's own words prove nothing.

use hashlanes::tree::merkle::{Rfc6962, Rfc6962Leaves, Rfc6962Proof};
use serde_json::{Value, json};

use super::input::{Failure, Input};
use super::reading::Reading;
use crate::hex::{bytes_of_hex, hex};

type Digest = [u8; 32];

/// What is to be proved.
#[derive(Clone, Copy)]
pub(super) enum Proving {
    Inclusion { index: u64 },
    Consistency { first: u64 },
}

impl Proving {
    /// `inclusion=3`, `consistency=5`.
    pub(super) fn of(typed: &str) -> Result<Self, String> {
        let wrong = || format!("--prove {typed}: inclusion=INDEX or consistency=FIRST, both numbers");
        let (what, number) = typed.split_once('=').ok_or_else(wrong)?;
        let number = number.parse().map_err(|_| wrong())?;
        match what {
            "inclusion" => Ok(Self::Inclusion { index: number }),
            "consistency" => Ok(Self::Consistency { first: number }),
            _ => Err(wrong()),
        }
    }
}

/// The proof, as a line of JSON.
pub(super) fn prove(
    reading: &Reading<'_>,
    preset: Option<&Rfc6962>,
    proving: Proving,
) -> Result<String, Failure> {
    let mut proof = match proving {
        Proving::Inclusion { index } => Rfc6962Proof::of_inclusion(index),
        Proving::Consistency { first } => Rfc6962Proof::of_consistency(first),
    };
    let tree = match preset {
        Some(preset) => reading.leaves(preset, |nodes| proof.keep(&nodes))?,
        None => {
            let mut leaves = Rfc6962Leaves::keeping(|nodes| proof.keep(&nodes));
            reading.lines(&mut |line| leaves.push(line))?;
            leaves.finish()
        }
    };
    let leaf = proof.leaf();
    let nodes = proof.finish(tree.n_leaves).map_err(Failure::said)?;
    let nodes: Vec<String> = nodes.iter().map(|node| hex(node)).collect();
    let (n_leaves, root) = (tree.n_leaves, hex(&tree.root));
    Ok(match proving {
        Proving::Inclusion { index } => {
            let leaf = leaf.map(|leaf| hex(&leaf));
            json!({"mode": "rfc6962", "proof": "inclusion", "n_leaves": n_leaves, "root": root, "index": index,
                   "leaf": leaf, "nodes": nodes})
        }
        Proving::Consistency { first } => {
            json!({"mode": "rfc6962", "proof": "consistency", "n_leaves": n_leaves, "root": root, "first": first,
                   "nodes": nodes})
        }
    }
    .to_string())
}

/// Whether the proof in a file holds under a root that is trusted: what it shows, or why it does not.
pub(super) fn verify(name: &[u8], trusted: &Digest) -> Result<String, Failure> {
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
            break;
        }
    }
    let proof: Value =
        serde_json::from_slice(&text).map_err(|error| Failure::said(format!("no proof: {error}")))?;
    if proof["mode"] != "rfc6962" {
        return Err(Failure::said("no proof of rfc6962: mode"));
    }
    let nodes = proof["nodes"].as_array().ok_or_else(|| missing("nodes"))?;
    let nodes: Option<Vec<Digest>> = nodes.iter().map(digest).collect();
    let nodes = nodes.ok_or_else(|| missing("nodes"))?;
    let n_leaves = number(&proof, "n_leaves")?;
    match proof["proof"].as_str() {
        Some("inclusion") => {
            let index = number(&proof, "index")?;
            let leaf = digest(&proof["leaf"]).ok_or_else(|| missing("leaf"))?;
            Rfc6962::check_inclusion(&leaf, index, n_leaves, &nodes, trusted).map_err(Failure::said)?;
            Ok(format!("leaf {index} of {n_leaves} has the digest {}", hex(&leaf)))
        }
        Some("consistency") => {
            let first = number(&proof, "first")?;
            let root = digest(&proof["root"]).ok_or_else(|| missing("root"))?;
            Rfc6962::check_consistency(first, n_leaves, &nodes, trusted, &root).map_err(Failure::said)?;
            Ok(format!("the tree of {n_leaves} leaves with root {} begins with these {first}", hex(&root)))
        }
        _ => Err(missing("proof")),
    }
}

fn missing(field: &str) -> Failure {
    Failure::said(format!("no proof: {field} is missing or wrong"))
}

fn number(proof: &Value, field: &str) -> Result<u64, Failure> {
    proof[field].as_u64().ok_or_else(|| missing(field))
}

fn digest(value: &Value) -> Option<Digest> {
    bytes_of_hex(value.as_str()?)?.try_into().ok()
}
