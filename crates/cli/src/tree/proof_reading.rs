//! Proofs of RFC 6962 and leaves, read from files.

use hashlanes_formats::proof::{Leaf, LeafHasher, Trusted, verify};

use super::input::{Failure, Input};

/// Reads the leaf's bytes.
pub(super) fn leaf(name: &[u8]) -> Result<Leaf, Failure> {
    let input = Input::open(name)?;
    let mut leaf = LeafHasher::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let n = input.read(&mut buffer)?;
        if n == 0 {
            return Ok(leaf.finish());
        }
        leaf.update(&buffer[..n]);
    }
}

/// Checks whether the proof in a file is valid for the trusted values; returns the proven statement.
pub(super) fn verify_file(name: &[u8], trusted: &Trusted) -> Result<String, Failure> {
    verify(&read(name)?, trusted).map_err(Failure::message)
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
            return Err(Failure::message("too long for a proof"));
        }
        if n == 0 {
            return Ok(text);
        }
    }
}
