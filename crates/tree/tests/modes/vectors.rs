//! The published vectors: the specification's, and those of foreign tools.

use std::collections::HashMap;

use hashlanes_sha::algorithms;
use hashlanes_testkit::vectors;
use hashlanes_tree::{HashName, JPointers, Mode, Tree, TreeAlgorithm, Variant};

use crate::{has_few_cases, message};

/// Modes of `spec/tree.py` that other modules are to have.
const ELSEWHERE: [&str; 1] = ["glacier"];

#[test]
fn digests() {
    let most = if has_few_cases() { 5000 } else { usize::MAX };
    let mut trees: HashMap<String, Tree> = HashMap::new();
    let mut n = 0;
    for vector in vectors::tree_digests() {
        if ELSEWHERE.contains(&vector.mode.as_str()) || vector.length > most {
            continue;
        }
        let tree = trees.entry(vector.mode).or_insert_with_key(|name| {
            let mode: Mode = name.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(mode.to_string(), *name);
            Tree::new(mode)
        });
        let (mode, message) = (tree.mode(), message(vector.length));
        let digest = tree.digest(&message).ok().map(|digest| digest.as_ref().to_vec());
        assert_eq!(digest, vector.digest, "{mode}, {} bytes", vector.length);
        // The same in parts.
        let in_parts = tree.hasher(Some(vector.length as u64)).and_then(|mut hasher| {
            message.chunks(997).try_for_each(|part| hasher.update(part))?;
            hasher.finish()
        });
        let in_parts = in_parts.ok().map(|digest| digest.as_ref().to_vec());
        assert_eq!(in_parts, vector.digest, "{mode}, {} bytes in parts", vector.length);
        n += 1;
    }
    assert!(n > 4500, "{n} vectors");
}

#[test]
fn scattered() {
    fn digest<A: TreeAlgorithm>(j: usize, variant: Variant, slices: &[&[u8]]) -> Vec<u8> {
        JPointers::<A>::with_variant(j, variant).digest_slices(slices).as_ref().to_vec()
    }
    let vectors = vectors::tree_scattered();
    assert!(vectors.len() > 20);
    for vector in vectors {
        let Ok(Mode::JPointers { variant, hash, j }) = vector.mode.parse() else { panic!("{}", vector.mode) };
        let whole = message(vector.slices.iter().sum());
        let mut rest = &whole[..];
        let slices: Vec<&[u8]> = vector
            .slices
            .iter()
            .map(|len| {
                let slice;
                (slice, rest) = rest.split_at(*len);
                slice
            })
            .collect();
        let digest = match hash {
            HashName::Sha1 => digest::<algorithms::Sha1>,
            HashName::Sha256 => digest::<algorithms::Sha256>,
            HashName::Sha384 => digest::<algorithms::Sha384>,
            HashName::Sha512 => digest::<algorithms::Sha512>,
        };
        let digest = digest(usize::from(j.get()), variant, &slices);
        assert_eq!(digest, vector.digest, "{}, {:?}", vector.mode, vector.slices);
    }
}

/// A value that was published before this project's specification.
#[test]
fn mh_sha256_of_nothing() {
    let words = hashlanes_tree::mh_sha256(b"").map(|word| format!("{word:08x}")).concat();
    assert_eq!(words, "7ec5da16ca2ac87a3d69f3a413e2882d45b25f8ff16275406b7d1bf557a61348");
}
