//! The tree modes by their definitions (the documentation of the crate `hashlanes-tree`), with one line for
//! each rule.

use super::{Hash, State, by_name};

/// The prefix blocks of the hashes of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixes {
    /// `v1`: a different one for each hash.
    Own,
    /// `v1s`: the same for all.
    Same,
    /// `v1n`: none.
    None,
}

/// How a message is split: the field `type` of a prefix block.
#[derive(Clone, Copy)]
enum Slicing {
    Lanes = 0,
    Pointers = 1,
}

/// Pre(j, i, type), or nothing.
fn prefix(hash: &Hash, prefixes: Prefixes, j: usize, i: usize, slicing: Slicing) -> Vec<u8> {
    let i = match prefixes {
        Prefixes::Own => i,
        Prefixes::Same => 0,
        Prefixes::None => return Vec::new(),
    };
    let mut block = Vec::new();
    for field in [j, i, slicing as usize] {
        block.extend((field as u32).to_be_bytes());
    }
    block.extend(hash.name.to_uppercase().bytes());
    block.resize(hash.block_bytes, 0);
    block
}

/// HASH(Pre(j, j, type) ‖ HASH(Pre(j, 0, type) ‖ slice 0) ‖ …).
fn of_slices(hash: &Hash, prefixes: Prefixes, slicing: Slicing, slices: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let j = slices.len();
    let mut last = prefix(hash, prefixes, j, j, slicing);
    for (i, slice) in slices.iter().enumerate() {
        let mut message = prefix(hash, prefixes, j, i, slicing);
        message.extend(slice.as_ref());
        last.extend(hash.digest(&message));
    }
    hash.digest(&last)
}

/// `jlanes-…-<hash>-<j>`.
pub fn j_lanes(hash: &Hash, prefixes: Prefixes, j: usize, message: &[u8]) -> Vec<u8> {
    let mut lanes = vec![Vec::new(); j];
    for (i, word) in message.chunks(hash.block_bytes / 16).enumerate() {
        lanes[i % j].extend(word);
    }
    of_slices(hash, prefixes, Slicing::Lanes, &lanes)
}

/// `jpointers-…-<hash>-<j>` of a message in one buffer.
pub fn j_pointers(hash: &Hash, prefixes: Prefixes, j: usize, message: &[u8]) -> Vec<u8> {
    let slice_bytes = hash.block_bytes * message.len().div_ceil(j * hash.block_bytes);
    let border = |i: usize| message.len().min(i * slice_bytes);
    let slices: Vec<_> = (0..j).map(|i| &message[border(i)..border(i + 1)]).collect();
    scattered(hash, prefixes, &slices)
}

/// Computes the same for a message in slices of any lengths.
pub fn scattered(hash: &Hash, prefixes: Prefixes, slices: &[&[u8]]) -> Vec<u8> {
    of_slices(hash, prefixes, Slicing::Pointers, slices)
}

/// `mh_sha1`, `mh_sha256`: the result's words, each big-endian.
pub fn mh(hash: &Hash, message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 1024 != 1024 - 8 {
        padded.push(0);
    }
    padded.extend((8 * message.len() as u64).to_be_bytes());
    let lanes: Vec<Vec<u32>> = (0..16)
        .map(|lane| {
            let words = padded.chunks(4).skip(lane).step_by(16);
            let bytes: Vec<u8> = words.flatten().copied().collect();
            let mut state = hash.initial();
            state.compress(&bytes);
            match state {
                State::Sha1(words) => words.to_vec(),
                State::Sha256(words) => words.to_vec(),
                State::Sha512(_) => unreachable!("words of 32 bits"),
            }
        })
        .collect();
    let n_words = lanes[0].len();
    let words = (0..n_words).flat_map(|i| lanes.iter().map(move |lane| lane[i]));
    let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    hash.digest(&bytes)
}

/// `parallel_hash`, of 888 bytes at least.
pub fn parallel_hash(message: &[u8]) -> Vec<u8> {
    let alpha = (message.len() / 8 - 111) / 128;
    let ls = 128 * alpha + 111;
    let mut last: Vec<u8> = (0..8).flat_map(|i| super::sha384(&message[i * ls..(i + 1) * ls])).collect();
    last.extend(&message[8 * ls..]);
    super::sha384(&last)
}

/// Returns the digest of `message` by the mode of that name; `None` if the name is unknown.
pub fn digest(mode: &str, message: &[u8]) -> Option<Vec<u8>> {
    match mode {
        "mh_sha1" => return Some(mh(by_name("sha1")?, message)),
        "mh_sha256" => return Some(mh(by_name("sha256")?, message)),
        "parallel_hash" => return Some(parallel_hash(message)),
        _ => {}
    }
    let fields: Vec<&str> = mode.split('-').collect();
    let [family, variant, hash, j] = fields[..] else { return None };
    let prefixes = match variant {
        "v1" => Prefixes::Own,
        "v1s" => Prefixes::Same,
        "v1n" => Prefixes::None,
        _ => return None,
    };
    let (hash, j) = (by_name(hash)?, j.parse().ok()?);
    match family {
        "jlanes" => Some(j_lanes(hash, prefixes, j, message)),
        "jpointers" => Some(j_pointers(hash, prefixes, j, message)),
        _ => None,
    }
}

/// Returns the root of all chunks of 32 bytes (SimpleSerialize, `merkleize`).
pub fn ssz(message: &[u8]) -> Vec<u8> {
    let mut nodes: Vec<Vec<u8>> = message.chunks(32).map(<[u8]>::to_vec).collect();
    if let Some(last) = nodes.last_mut() {
        last.resize(32, 0);
    }
    nodes.resize(nodes.len().next_power_of_two(), vec![0; 32]);
    while nodes.len() > 1 {
        nodes = nodes.chunks(2).map(|pair| super::sha256(&pair.concat()).to_vec()).collect();
    }
    nodes.remove(0)
}

/// fs-verity's root with SHA-256, blocks of 4096 bytes and no salt.
pub fn fs_verity_root(message: &[u8]) -> Vec<u8> {
    let digests = |bytes: &[u8]| -> Vec<u8> {
        let block = |block: &[u8]| super::sha256(&[block, &vec![0; 4096 - block.len()]].concat());
        bytes.chunks(4096).flat_map(block).collect()
    };
    let mut level = digests(message);
    while level.len() > 32 {
        level = digests(&level);
    }
    if level.is_empty() { vec![0; 32] } else { level }
}
