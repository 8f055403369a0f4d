//! Merkle trees: the published vectors, messages in parts, proofs and their check, trees that are damaged.

use hashlanes_sha::algorithms::{Sha1, Sha256, Sha384, Sha512};
use hashlanes_testkit::vectors::{self, tree_vectors};
use hashlanes_tree::merkle::{
    Bep52, DmVerity, FsVerity, FsVerityAlgorithm, Glacier, MerkleError, Nodes, Preset, Rfc6962,
    Rfc6962Leaves, Rfc6962Proof, S3Composite, Ssz,
};

use crate::{has_few_cases, message};

/// Longer messages are skipped under an emulator.
fn is_skipped(len_bytes: usize) -> bool {
    has_few_cases() && len_bytes > 20_000
}

fn sha256(message: &[u8]) -> Vec<u8> {
    hashlanes_sha::sha256(message).to_vec()
}

/// The result for a message, whichever way it is taken.
fn digest_of<P: Preset<Output: PartialEq + std::fmt::Debug>>(
    preset: &P,
    message: &[u8],
) -> Result<P::Output, MerkleError> {
    let whole = preset.digest(message);
    for part_bytes in [997, 50_000] {
        let mut hasher = preset.hasher();
        message.chunks(part_bytes).for_each(|part| hasher.update(part));
        assert_eq!(hasher.finish(), whole, "{} bytes in parts of {part_bytes}", message.len());
    }
    // Whole chunks hashed apart, then the rest.
    let chunk_bytes = preset.chunk_bytes();
    let (chunks, last) = message.split_at(message.len() / chunk_bytes * chunk_bytes);
    let mut hasher = preset.hasher();
    for some in chunks.chunks(5 * chunk_bytes) {
        let mut digests =
            vec![<P::Algorithm as hashlanes_sha::Algorithm>::ZERO_DIGEST; some.len() / chunk_bytes];
        preset.digest_chunks(some, &mut digests);
        hasher.push(&digests);
    }
    hasher.update(last);
    assert_eq!(hasher.finish(), whole, "{} bytes, chunks hashed apart", message.len());
    #[cfg(feature = "rayon")]
    assert_eq!(preset.digest_parallel(message), whole, "{} bytes on threads", message.len());
    whole
}

#[test]
fn fs_verity() {
    fn check<A: FsVerityAlgorithm>(vector: &vectors::FsVerityVector) {
        let message = message(vector.length);
        let preset = FsVerity::<A>::new(vector.block_size, &vector.salt).ok();
        let file = preset.as_ref().map(|preset| digest_of(preset, &message).expect("every file has a root"));
        let hex = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
        let what = format!("{vector:?}");
        assert_eq!(hex(file.as_ref().map(|file| file.digest.as_ref())), vector.digest, "{what}");
        // The tool does not print the root.
        if vector.root.is_some() {
            assert_eq!(hex(file.as_ref().map(|file| file.root.as_ref())), vector.root, "{what}");
        }
        if let (Some(preset), Some(expected)) = (preset, &vector.tree_sha256) {
            let mut levels: Vec<Vec<u8>> = Vec::new();
            let mut hasher = preset.hasher_keeping(|Nodes { level, index, digests }| {
                levels.resize(levels.len().max(level as usize + 1), Vec::new());
                let level = &mut levels[level as usize];
                assert_eq!(level.len() as u64, index * A::DIGEST_BYTES as u64, "{what}");
                level.extend_from_slice(digests);
            });
            hasher.update(&message);
            hasher.finish().expect("every file has a root");
            // Without the root, the levels fill blocks.
            levels.pop();
            for level in &mut levels {
                level.resize(level.len().next_multiple_of(vector.block_size), 0);
            }
            levels.reverse();
            assert_eq!(sha256(&levels.concat()), *expected, "{what}");
        }
    }
    let vectors = tree_vectors::<vectors::FsVerityVector>("fs-verity");
    assert!(vectors.len() > 500);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        match vector.hash.as_str() {
            "sha256" => check::<Sha256>(vector),
            "sha512" => check::<Sha512>(vector),
            // Other hashes cannot be named.
            _ => assert_eq!(vector.digest, None),
        }
    }
}

#[test]
fn dm_verity() {
    fn check<A: hashlanes_sha::Algorithm>(vector: &vectors::DmVerityVector) {
        let what = format!("{vector:?}");
        let message = message(vector.length);
        let preset = DmVerity::<A>::new(vector.block_size, &vector.salt).expect("valid parameters");
        let root = digest_of(&preset, &message);
        let Some(expected) = &vector.root else {
            let (len_bytes, block_bytes) = (vector.length as u64, vector.block_size);
            assert_eq!(root, Err(MerkleError::NotWholeBlocks { len_bytes, block_bytes }), "{what}");
            return;
        };
        let root = root.expect("whole blocks");
        assert_eq!(root.as_ref(), &expected[..], "{what}");
        let n_blocks = (vector.length / vector.block_size) as u64;
        let levels = preset.hash_file(&message).expect("whole blocks");
        preset.check_hash_file(&levels, n_blocks, &root).unwrap_or_else(|error| panic!("{what}: {error}"));
        let mut hash_file = Vec::new();
        if let Some(uuid) = &vector.uuid {
            let digits: String = uuid.chars().filter(|&digit| digit != '-').collect();
            let uuid = u128::from_str_radix(&digits, 16).expect("a UUID").to_be_bytes();
            hash_file.extend_from_slice(&preset.superblock(uuid, n_blocks));
            hash_file.resize(vector.block_size, 0);
        }
        hash_file.extend_from_slice(&levels);
        assert_eq!(Some(sha256(&hash_file)), vector.hash_file_sha256, "{what}");
    }
    let vectors = tree_vectors::<vectors::DmVerityVector>("dm-verity");
    assert!(vectors.len() > 300);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        match vector.hash.as_str() {
            "sha1" => check::<Sha1>(vector),
            "sha256" => check::<Sha256>(vector),
            "sha384" => check::<Sha384>(vector),
            "sha512" => check::<Sha512>(vector),
            hash => panic!("{hash}"),
        }
    }
}

/// A hash device that is damaged, or not all there.
#[test]
fn damaged_hash_devices() {
    let preset = DmVerity::<Sha1>::new(512, b"salt").expect("valid parameters");
    let data = message(700 * 512);
    let root = preset.digest(&data).expect("whole blocks");
    let whole = preset.hash_file(&data).expect("whole blocks");
    let given = whole.len() as u64;
    assert_eq!(given, (1 + 3 + 44) * 512, "16 digests of 32 bytes in a block");
    let check = |levels: &[u8]| preset.check_hash_file(levels, 700, &root);
    assert_eq!(check(&whole), Ok(()));
    for length in [0, 1, 512, whole.len() - 512, whole.len() - 1] {
        let error = check(&whole[..length]).expect_err("too short");
        assert_eq!(error, MerkleError::TreeLength { given: length as u64, expected: given });
        assert_eq!(error.to_string(), format!("the tree has {length} bytes; it must have {given}"));
    }
    assert!(preset.check_hash_file(&whole, 800, &root).is_err());
    // Numbers from a superblock that is not trusted.
    for n_blocks in [1 << 54, 558_446_353_793_941_472, 1 << 60, u64::MAX] {
        let error = preset.check_hash_file(&[], n_blocks, &root).expect_err("too many");
        assert!(matches!(error, MerkleError::TreeLength { given: 0, .. }), "{n_blocks}: {error}");
    }
    let none = MerkleError::NotWholeBlocks { len_bytes: 0, block_bytes: 512 };
    assert_eq!(preset.check_hash_file(&[], 0, &root), Err(none));
    for len_bytes in [1, 32 * 512 + 1, 33 * 512 - 1, 700 * 512 - 1] {
        let error = MerkleError::NotWholeBlocks { len_bytes: len_bytes as u64, block_bytes: 512 };
        assert_eq!(preset.hash_file(&data[..len_bytes]), Err(error));
    }
    assert_eq!(preset.check_hash_file(&whole, 700, &[0; 20]), Err(MerkleError::WrongBlock { at: 0 }));
    // A digest, what fills its slot, and what fills a block.
    for at in [0, 19, 20, 31, 512, 511, 3 * 512 + 31, 5 * 512, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert_eq!(
            check(&damaged),
            Err(MerkleError::WrongBlock { at: (at / 512 * 512) as u64 }),
            "byte {at}"
        );
    }
}

#[test]
fn bep52() {
    let vectors = tree_vectors::<vectors::Bep52Vector>("bep52");
    assert!(vectors.len() > 80);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        let file =
            Bep52::new(vector.piece_length).and_then(|preset| digest_of(&preset, &message(vector.length)));
        let root = file.as_ref().ok().map(|file| file.root.to_vec());
        assert_eq!(root, vector.root, "{vector:?}");
        let layer = file.ok().map(|file| file.piece_layer.concat());
        assert_eq!(layer, vector.piece_layer, "{vector:?}");
    }
    assert_eq!(Bep52::new(1 << 14).expect("a block").digest(&[]), Err(MerkleError::Empty));
}

#[test]
fn glacier() {
    let mut n = 0;
    for vector in vectors::tree_digests().iter().filter(|vector| vector.mode == "glacier") {
        n += 1;
        if !is_skipped(vector.length) {
            let root = digest_of(&Glacier::new(), &message(vector.length)).expect("every archive has a root");
            assert_eq!(Some(root.to_vec()), vector.digest, "{} bytes", vector.length);
        }
    }
    assert!(n > 20, "{n} vectors");
}

#[test]
fn s3_composite() {
    let vectors = tree_vectors::<vectors::S3CompositeVector>("s3-composite");
    assert!(vectors.len() > 20);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        let checksum =
            S3Composite::new(vector.part_size).and_then(|preset| digest_of(&preset, &message(vector.length)));
        assert_eq!(checksum.ok().map(|checksum| checksum.to_string()), vector.checksum, "{vector:?}");
    }
}

/// Parts that are too long to wait for others, in parts of their own.
#[test]
fn long_parts() {
    let part_bytes = (1 << 20) + 1;
    let message = message(if has_few_cases() { part_bytes + 5 } else { 5 * part_bytes + 77 });
    let checksum = digest_of(&S3Composite::new(part_bytes).expect("a size"), &message).expect("a checksum");
    let digests: Vec<u8> = message.chunks(part_bytes).flat_map(sha256).collect();
    assert_eq!((checksum.digest.to_vec(), checksum.n_parts), (sha256(&digests), digests.len() as u64 / 32));
}

#[test]
fn ssz() {
    let vectors = tree_vectors::<vectors::SszVector>("ssz");
    assert!(vectors.len() > 250);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        let preset = vector.limit.map_or_else(Ssz::new, Ssz::with_limit);
        let preset = match vector.mix_in_length {
            Some(length) => preset.mix_in_length(length),
            None => preset,
        };
        let root = digest_of(&preset, &message(vector.length));
        assert_eq!(root.ok().map(|root| root.to_vec()), vector.root, "{vector:?}");
    }
    // The roots of zeros, each of the one before.
    let mut zeros = [0; 32];
    for depth in 0..=63 {
        assert_eq!(Ssz::with_limit(1 << depth).digest(b""), Ok(zeros), "2^{depth} zeros");
        assert_eq!(Ssz::with_limit(1 << depth).hasher().finish(), Ok(zeros), "2^{depth} zeros");
        zeros = hashlanes_sha::sha256(&[zeros, zeros].concat());
    }
    assert_eq!(Ssz::with_limit(u64::MAX).digest(b""), Ok(zeros), "2^64 zeros");
    // Sizes below and above the limit of small trees, with every number of chunks.
    let message = message(if has_few_cases() { 300 } else { 3000 });
    for len in 0..message.len() {
        let preset = if len % 2 == 0 { Ssz::new() } else { Ssz::with_limit(1 << 7) };
        let mut hasher = preset.hasher();
        hasher.update(&message[..len]);
        assert_eq!(preset.digest(&message[..len]), hasher.finish(), "{len} bytes");
    }
    let error = Ssz::with_limit(2).digest(&[0; 65]).expect_err("three chunks");
    assert_eq!(error.to_string(), "3 chunks are above the limit of 2");
}

#[test]
fn rfc6962_roots() {
    let vectors = tree_vectors::<vectors::Rfc6962Vector>("rfc6962");
    assert!(vectors.len() > 60);
    for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
        let preset = Rfc6962::with_leaf_bytes(vector.leaf_size).expect("a size");
        let tree = digest_of(&preset, &message(vector.length)).expect("every tree has a root");
        assert_eq!(tree.root.to_vec(), vector.root, "{vector:?}");
        assert_eq!(tree.n_leaves, vector.length.div_ceil(vector.leaf_size) as u64);
    }
    for vector in tree_vectors::<vectors::Rfc6962LeavesVector>("rfc6962-leaves") {
        let mut leaves = Rfc6962Leaves::new();
        vector.leaves.iter().for_each(|leaf| leaves.push(leaf));
        assert_eq!(leaves.finish().root.to_vec(), vector.root, "{vector:?}");
    }
}

/// Leaves of lengths below and above the limits of copying and of waiting.
#[test]
fn rfc6962_leaves_of_any_length() {
    let lengths = [0, 1, 54, 55, 56, 63, 64, 255, 256, 257, 5000, 65_535, 65_536, 100_000];
    let long = message(if has_few_cases() { 5000 } else { 100_000 });
    for n in [1, 2, 63, 64, 65, 200] {
        let leaves: Vec<&[u8]> = (0..n).map(|i| &long[..lengths[(i * 5) % 14].min(long.len())]).collect();
        let mut tree = Rfc6962Leaves::new();
        leaves.iter().for_each(|leaf| tree.push(leaf));
        let mut level: Vec<Vec<u8>> = leaves.iter().map(|leaf| sha256(&[&[0], *leaf].concat())).collect();
        while level.len() > 1 {
            let node = |pair: &[Vec<u8>]| match pair {
                [left, right] => sha256(&[&[1], &left[..], right].concat()),
                [single] => single.clone(),
                _ => unreachable!(),
            };
            level = level.chunks(2).map(node).collect();
        }
        let tree = tree.finish();
        assert_eq!((tree.root.to_vec(), tree.n_leaves), (level.remove(0), n as u64), "{n} leaves");
    }
}

#[test]
fn rfc6962_proofs() {
    for (table, of) in [
        ("rfc6962-inclusion", Rfc6962Proof::of_inclusion as fn(u64) -> Rfc6962Proof),
        ("rfc6962-consistency", Rfc6962Proof::of_consistency),
    ] {
        let vectors = tree_vectors::<vectors::Rfc6962ProofVector>(table);
        assert!(vectors.len() > 200);
        for vector in vectors.iter().filter(|vector| !is_skipped(vector.length)) {
            let (_, proof) = proof(of(vector.number), vector.leaf_size, &message(vector.length));
            let proof = proof.ok().map(|proof| proof.iter().map(|node| node.to_vec()).collect::<Vec<_>>());
            assert_eq!(proof, vector.proof, "{table} {vector:?}");
        }
    }
}

type Proof = Result<Vec<[u8; 32]>, MerkleError>;

/// The tree's root and the proof.
fn proof(mut proof: Rfc6962Proof, leaf_bytes: usize, message: &[u8]) -> ([u8; 32], Proof) {
    let preset = Rfc6962::with_leaf_bytes(leaf_bytes).expect("a size");
    let mut hasher = preset.hasher_keeping(|nodes| proof.keep(&nodes));
    hasher.update(message);
    let tree = hasher.finish().expect("every tree has a root");
    (tree.root, proof.finish(tree.n_leaves))
}

/// Every proof in trees of up to 20 leaves is valid; it is invalid with a node changed, omitted or added, or
/// with another number or root.
#[test]
fn rfc6962_checks() {
    let most = if has_few_cases() { 6 } else { 20 };
    let message = message(10 * most);
    let roots: Vec<[u8; 32]> =
        (0..=most).map(|n| proof(Rfc6962Proof::of_inclusion(0), 10, &message[..10 * n]).0).collect();
    let wrong_proofs = |right: &[[u8; 32]]| {
        let mut wrong = vec![[right, &[[7; 32]]].concat()];
        for k in 0..right.len() {
            wrong.push(right.to_vec());
            wrong.last_mut().expect("the one pushed")[k][k] ^= 1;
        }
        if !right.is_empty() {
            wrong.push(right[1..].to_vec());
            wrong.push(right[..right.len() - 1].to_vec());
        }
        wrong
    };
    for n in 1..=most as u64 {
        let (root, tree) = (roots[n as usize], &message[..10 * n as usize]);
        for index in 0..n {
            let leaf = Rfc6962::leaf_digest(&tree[10 * index as usize..][..10]);
            let right = proof(Rfc6962Proof::of_inclusion(index), 10, tree).1.expect("a leaf of the tree");
            let check = |index, n, proof: &[_], root| Rfc6962::check_inclusion(&leaf, index, n, proof, &root);
            assert_eq!(check(index, n, &right, root), Ok(()), "leaf {index} of {n}");
            for wrong in wrong_proofs(&right) {
                assert!(check(index, n, &wrong, root).is_err(), "leaf {index} of {n}");
            }
            assert!(n == 1 || check((index + 1) % n, n, &right, root).is_err(), "leaf {index} of {n}");
            assert!(check(index, n, &right, [0; 32]).is_err());
            assert_eq!(check(n, n, &right, root), Err(MerkleError::NoLeaf { index: n, n_leaves: n }));
        }
        for first in 1..=n {
            let right = proof(Rfc6962Proof::of_consistency(first), 10, tree).1.expect("a beginning");
            let old = roots[first as usize];
            let check =
                |first, proof: &[_], old, new| Rfc6962::check_consistency(first, n, proof, &old, &new);
            assert_eq!(check(first, &right, old, root), Ok(()), "{first} of {n}");
            for wrong in wrong_proofs(&right) {
                assert!(check(first, &wrong, old, root).is_err(), "{first} of {n}");
            }
            assert!(check(first, &right, [0; 32], root).is_err(), "{first} of {n}");
            assert!(check(first, &right, old, [0; 32]).is_err(), "{first} of {n}");
        }
        // A tree that was not seen.
        let unseen = Rfc6962Proof::of_inclusion(0).finish(n);
        assert_eq!(unseen, if n == 1 { Ok(vec![]) } else { Err(MerkleError::NotSeen) });
        let beginning = MerkleError::NoBeginning { first: n + 1, n_leaves: n };
        assert_eq!(Rfc6962::check_consistency(n + 1, n, &[], &root, &root), Err(beginning.clone()));
        assert_eq!(proof(Rfc6962Proof::of_consistency(n + 1), 10, tree).1, Err(beginning));
    }
}

/// Parts that end before, at and after the borders at which chunks go to the lanes.
#[test]
fn parts() {
    let message = message(if has_few_cases() { 9_000 } else { 40_000 });
    let (ssz, verity) = (Ssz::with_limit(1 << 12), FsVerity::<Sha256>::new(1024, b"").expect("a size"));
    let whole = (ssz.digest(&message), verity.digest(&message));
    for first in [1, 31, 32, 33, 1023, 1024, 1025, 8191, 8192, 8193, 16_384, 17_000, 39_999] {
        let (head, rest) = message.split_at(first.min(message.len()));
        for second in [0, 1, 32, 1024, 8192, 16_384] {
            let (middle, tail) = rest.split_at(second.min(rest.len()));
            let (mut of_ssz, mut of_verity) = (ssz.hasher(), verity.hasher());
            for part in [head, middle, tail] {
                of_ssz.update(part);
                of_verity.update(part);
            }
            assert_eq!((of_ssz.finish(), of_verity.finish()), whole, "{first}, {second}");
        }
    }
}

#[test]
fn wrong_parameters() {
    let text = |error: MerkleError| error.to_string();
    for (given, salt, expected) in [
        (1023, 0, "block size: 1023; it is a power of two from 1024 to 1073741824"),
        (512, 0, "block size: 512; it is a power of two from 1024 to 1073741824"),
        (4096, 33, "salt: 33 bytes; at most 32"),
    ] {
        let error = FsVerity::<Sha256>::new(given, &vec![0; salt]).expect_err("refused");
        assert_eq!(text(error), expected);
    }
    for (given, salt, expected) in [
        (256, 0, "block size: 256; it is a power of two from 512 to 524288"),
        (1 << 20, 0, "block size: 1048576; it is a power of two from 512 to 524288"),
        (4096, 257, "salt: 257 bytes; at most 256"),
    ] {
        let error = DmVerity::<Sha256>::new(given, &vec![0; salt]).expect_err("refused");
        assert_eq!(text(error), expected);
    }
    let verity = DmVerity::<Sha256>::new(4096, b"").expect("valid parameters");
    assert_eq!(text(verity.digest(&[]).expect_err("nothing")), "no data: there must be a block or more");
    let error = verity.digest(&[0; 5000]).expect_err("a part of a block");
    assert_eq!(text(error), "5000 bytes of data: not a multiple of the block size, 4096");
    let error = Bep52::new(10_000).expect_err("no power of two");
    assert_eq!(text(error), "piece length: 10000; it is a power of two from 16384");
    assert_eq!(text(S3Composite::new(0).expect_err("no bytes")), "part size: 0; it is one byte or more");
    assert_eq!(text(Rfc6962::with_leaf_bytes(0).expect_err("none")), "leaf size: 0; it is one byte or more");
    let behind = std::panic::catch_unwind(|| {
        let mut hasher = Glacier::new().hasher();
        hasher.update(b"a");
        hasher.push(&[[0; 32]]);
    });
    assert!(behind.is_err(), "digests of chunks within a chunk");
}
