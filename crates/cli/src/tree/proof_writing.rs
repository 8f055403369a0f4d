//! Proofs of RFC 6962, written as JSON.
//!
//! ```json
//! {"mode": "rfc6962", "proof": "inclusion", "n_leaves": 8, "root": "5dc9…", "index": 3, "leaf": "bcdd…", "nodes": ["7fc8…", …]}
//! {"mode": "rfc6962", "proof": "consistency", "n_leaves": 8, "root": "5dc9…", "first": 3, "nodes": ["…", …]}
//! ```
//!
//! `leaf` is the leaf's digest, SHA-256(0x00 ‖ leaf). They are checked by `hashlanes_formats::proof`.

use hashlanes::tree::merkle::{Rfc6962, Rfc6962Leaves, Rfc6962Proof};
use serde_json::json;

use super::input::Failure;
use super::reading::Reading;
use hashlanes_formats::encoding::hex;

/// The statement to prove.
#[derive(Clone, Copy)]
pub(super) enum Proving {
    Inclusion { index: u64 },
    Consistency { first: u64 },
}

impl Proving {
    /// `inclusion=3`, `consistency=5`.
    pub(super) fn of(typed: &str) -> Result<Self, String> {
        let wrong =
            || format!("--prove {typed}: expected inclusion=INDEX or consistency=FIRST, with a number");
        let (what, number) = typed.split_once('=').ok_or_else(wrong)?;
        let number = number.parse().map_err(|_| wrong())?;
        match what {
            "inclusion" => Ok(Self::Inclusion { index: number }),
            "consistency" => Ok(Self::Consistency { first: number }),
            _ => Err(wrong()),
        }
    }
}

/// Returns the proof, as a line of JSON.
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
            reading.lines(&mut leaves)?;
            leaves.finish()
        }
    };
    let leaf = proof.leaf();
    let nodes = proof.finish(tree.n_leaves).map_err(Failure::message)?;
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
