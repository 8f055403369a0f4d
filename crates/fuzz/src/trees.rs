//! Tree modes and Merkle trees: the same whole and in parts, and by an oracle; hash devices and proofs of
//! RFC 6962, right ones and changed ones.

use std::fmt::Debug;

use hashlanes::algorithms::{Sha1, Sha512};
use hashlanes::tree::merkle::{
    Bep52, DmVerity, FsVerity, Glacier, MerkleError, Preset, Rfc6962, Rfc6962Leaves, Rfc6962Proof,
    S3Composite, Ssz,
};
use hashlanes::tree::{Mode, Tree};
use hashlanes_testkit::oracle;

use crate::input::{Input, parts};

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 8 {
        0 => mode_by_name(input.rest()),
        1 => mode(&mut input),
        2 => merkle(&mut input),
        3 => hash_device::<Sha1>(&mut input),
        4 => hash_device::<Sha512>(&mut input),
        5 => inclusion(&mut input),
        6 => consistency(&mut input),
        _ => any_proof(&mut input),
    }
}

/// A mode has one name.
fn mode_by_name(name: &[u8]) {
    let Ok(name) = std::str::from_utf8(name) else { return };
    match name.parse::<Mode>() {
        Ok(mode) => {
            assert_eq!(mode.to_string(), name);
            compare(mode, &[7; 1000], &[3, 64, 900]);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn mode(input: &mut Input<'_>) {
    let name = match input.byte() % 8 {
        0 => "mh_sha1".to_owned(),
        1 => "mh_sha256".to_owned(),
        2 => "parallel_hash".to_owned(),
        _ => {
            let family = input.choose(&["jlanes", "jpointers"]);
            let variant = input.choose(&["v1", "v1s", "v1n"]);
            let hash = input.choose(&["sha1", "sha256", "sha384", "sha512"]);
            format!("{family}-{variant}-{hash}-{}", 1 + input.below(255))
        }
    };
    let message = input.some(6000);
    let cuts = input.cuts(message.len());
    compare(name.parse().expect("a name"), &message, &cuts);
}

fn compare(mode: Mode, message: &[u8], cuts: &[usize]) {
    let tree = Tree::new(mode);
    let whole = tree.digest(message);
    let in_parts = || {
        let mut hasher = tree.hasher(Some(message.len() as u64))?;
        for part in parts(message, cuts) {
            hasher.update(part)?;
        }
        hasher.finish()
    };
    match (&whole, in_parts()) {
        (Ok(whole), Ok(in_parts)) => {
            assert_eq!(whole.as_ref(), in_parts.as_ref(), "{mode} in parts");
            let expected =
                oracle::tree::digest(&mode.to_string(), message).expect("the oracle has all modes");
            assert_eq!(whole.as_ref(), expected, "{mode}");
        }
        (Err(error), Err(in_parts)) => assert_eq!(*error, in_parts, "{mode}"),
        (whole, in_parts) => panic!("{mode}: {whole:?}, and in parts {in_parts:?}"),
    }
}

fn merkle(input: &mut Input<'_>) {
    let message = input.some(40_000);
    let cuts = input.cuts(message.len());
    let salt = input.some(40);
    match input.byte() % 7 {
        0 => preset(Bep52::new(u64::from(input.u16())), &message, &cuts),
        1 => preset(
            FsVerity::<hashlanes::algorithms::Sha256>::new(1 << input.below(18), &salt),
            &message,
            &cuts,
        ),
        2 => preset(FsVerity::<Sha512>::new(usize::from(input.u16()), &salt), &message, &cuts),
        3 => preset(Ok(Glacier::new()), &message, &cuts),
        4 => preset(Rfc6962::with_leaf_bytes(input.below(2000)), &message, &cuts),
        5 => preset(S3Composite::new(input.below(5000)), &message, &cuts),
        _ => {
            let ssz = match input.byte() % 3 {
                0 => Ssz::new(),
                1 => Ssz::with_limit(u64::from(input.u16())),
                _ => Ssz::with_limit(input.u64()).mix_in_length(input.u64()),
            };
            preset(Ok(ssz), &message, &cuts);
            if !message.is_empty() {
                assert_eq!(
                    Ssz::new().digest(&message).expect("chunks").to_vec(),
                    oracle::tree::ssz(&message)
                );
            }
        }
    }
}

fn preset<P: Preset<Output: Debug + PartialEq>>(
    preset: Result<P, MerkleError>,
    message: &[u8],
    cuts: &[usize],
) {
    let preset = match preset {
        Ok(preset) => preset,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut hasher = preset.hasher();
    parts(message, cuts).into_iter().for_each(|part| hasher.update(part));
    assert_eq!(preset.digest(message), hasher.finish(), "in parts");
}

/// A hash device of dm-verity, as it is and with a changed byte.
fn hash_device<A: hashlanes::Algorithm>(input: &mut Input<'_>) {
    let salt = input.some(300);
    let block_bytes = input.choose(&[512, 512, 1024, 4096, 0, 500, 1 << 20]);
    let verity = match DmVerity::<A>::new(block_bytes, &salt) {
        Ok(verity) => verity,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let n_blocks = input.below(120);
    let data = input.random(n_blocks * block_bytes);
    let (Ok(root), Ok(mut device)) = (verity.digest(&data), verity.hash_file(&data)) else {
        return assert_eq!(n_blocks, 0, "whole blocks");
    };
    let n_blocks = n_blocks as u64;
    assert_eq!(verity.check_hash_file(&device, n_blocks, &root), Ok(()));
    let any = input.u64();
    if any != n_blocks && any < 1 << 40 {
        assert!(
            verity.check_hash_file(&device, any, &root).is_err()
                || verity.layout(any).n_bytes == device.len() as u64
        );
    }
    if let Some(last) = device.len().checked_sub(1) {
        let at = usize::from(input.u16()) % (last + 1);
        device[at] ^= 1 << input.below(8);
        assert!(verity.check_hash_file(&device, n_blocks, &root).is_err(), "byte {at} was changed");
        device.truncate(at);
        assert!(verity.check_hash_file(&device, n_blocks, &root).is_err(), "{at} bytes");
    }
}

/// The leaves of a log, and the proof that its hasher keeps.
fn log(leaves: &[Vec<u8>], mut proof: Rfc6962Proof) -> ([u8; 32], Result<Vec<[u8; 32]>, MerkleError>) {
    let mut hasher = Rfc6962Leaves::keeping(|nodes| proof.keep(&nodes));
    leaves.iter().for_each(|leaf| hasher.push(leaf));
    let tree = hasher.finish();
    (tree.root, proof.finish(tree.n_leaves))
}

fn inclusion(input: &mut Input<'_>) {
    let leaves = input.messages(150, 60);
    let (n, index) = (leaves.len() as u64, input.below(160));
    let (root, proof) = log(&leaves, Rfc6962Proof::of_inclusion(index as u64));
    let Some(leaf) = leaves.get(index) else { return assert!(proof.is_err(), "leaf {index} of {n}") };
    let mut proof = proof.expect("the hasher kept everything");
    let (mut leaf, mut number) = (Rfc6962::leaf_digest(leaf), index as u64);
    assert_eq!(Rfc6962::check_inclusion(&leaf, number, n, &proof, &root), Ok(()));
    let byte = input.below(32);
    match input.byte() % 4 {
        0 if !proof.is_empty() => {
            let at = input.below(proof.len());
            proof[at][byte] ^= 1;
        }
        1 => leaf[byte] ^= 1,
        2 if n > 1 => number = (number + 1 + input.u64() % (n - 1)) % n,
        _ => proof.push([0; 32]),
    }
    // Equal leaves may have equal proofs.
    let is_true = number != index as u64 && leaves[number as usize] == leaves[index];
    let result = Rfc6962::check_inclusion(&leaf, number, n, &proof, &root);
    assert!(result.is_err() || is_true, "a changed proof, {n} leaves");
}

fn consistency(input: &mut Input<'_>) {
    let leaves = input.messages(150, 60);
    let (n, first) = (leaves.len(), input.below(160));
    let (root, proof) = log(&leaves, Rfc6962Proof::of_consistency(first as u64));
    if !(1..=n).contains(&first) {
        return assert!(proof.is_err(), "{first} of {n} leaves");
    }
    let (first_root, _) = log(&leaves[..first], Rfc6962Proof::of_inclusion(0));
    let mut proof = proof.expect("the hasher kept everything");
    let (first, n) = (first as u64, n as u64);
    assert_eq!(Rfc6962::check_consistency(first, n, &proof, &first_root, &root), Ok(()), "{first} of {n}");
    let mut wrong = root;
    wrong[input.below(32)] ^= 1;
    assert!(Rfc6962::check_consistency(first, n, &proof, &first_root, &wrong).is_err(), "another root");
    let at = input.below(proof.len() + 1);
    match proof.get_mut(at) {
        Some(node) => node[input.below(32)] ^= 1,
        None => proof.push([0; 32]),
    }
    assert!(Rfc6962::check_consistency(first, n, &proof, &first_root, &root).is_err(), "a changed proof");
}

/// Numbers and nodes of any kind: an answer, without a panic.
fn any_proof(input: &mut Input<'_>) {
    let (a, b) = (input.u64() >> input.below(64), input.u64() >> input.below(64));
    let nodes: Vec<[u8; 32]> = (0..input.below(70)).map(|i| [i as u8; 32]).collect();
    let root = [input.byte(); 32];
    let _ = Rfc6962::check_inclusion(&[1; 32], a, b, &nodes, &root);
    let _ = Rfc6962::check_consistency(a, b, &nodes, &[1; 32], &root);
    for proof in [Rfc6962Proof::of_inclusion(a), Rfc6962Proof::of_consistency(a)] {
        if let Ok(nodes) = proof.finish(b) {
            assert!(nodes.is_empty(), "no node was kept");
        }
    }
}
