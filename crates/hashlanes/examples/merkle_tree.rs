//! A log with the Merkle tree of RFC 6962: its root, and a proof that an entry is in it.

use hashlanes::tree::merkle::{MerkleError, Rfc6962, Rfc6962Leaves, Rfc6962Proof};

fn main() -> Result<(), MerkleError> {
    let entries: Vec<String> = (0..1000).map(|i| format!("entry {i}")).collect();

    // The log's owner computes the root, and the proof for one entry in the same pass.
    let mut proof = Rfc6962Proof::of_inclusion(123);
    let mut leaves = Rfc6962Leaves::keeping(|nodes| proof.keep(&nodes));
    for entry in &entries {
        leaves.push(entry.as_bytes());
    }
    let log = leaves.finish();
    let proof = proof.finish(log.n_leaves)?;
    println!("{} entries, root {}", log.n_leaves, hex(&log.root));
    println!("proof of {}: {} digests", entries[123], proof.len());

    // A reader knows the root, the entry and the proof.
    let leaf = Rfc6962::leaf_digest(b"entry 123");
    Rfc6962::check_inclusion(&leaf, 123, log.n_leaves, &proof, &log.root)?;
    let forged = Rfc6962::leaf_digest(b"entry 124");
    let refused = Rfc6962::check_inclusion(&forged, 123, log.n_leaves, &proof, &log.root).unwrap_err();
    println!("another entry: {refused}");
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
