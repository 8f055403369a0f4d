//! The modes by their definitions, a line a rule, over a hash function that shares no code with the library.

use hashlanes_testkit::oracle::{self, Hash, State};
use hashlanes_tree::Variant;

/// Pre(j, i, type), or nothing.
fn prefix(hash: &Hash, variant: Variant, j: usize, i: usize, slicing: u32) -> Vec<u8> {
    let i = match variant {
        Variant::V1 => i,
        Variant::V1SinglePrefix => 0,
        Variant::V1NoPrefix => return Vec::new(),
    };
    let mut block = Vec::new();
    block.extend((j as u32).to_be_bytes());
    block.extend((i as u32).to_be_bytes());
    block.extend(slicing.to_be_bytes());
    block.extend(hash.name.to_uppercase().bytes());
    block.resize(hash.block_bytes, 0);
    block
}

/// HASH(Pre(j, j, type) ‖ HASH(Pre(j, 0, type) ‖ slice 0) ‖ …).
fn of_slices(hash: &Hash, variant: Variant, slicing: u32, slices: &[Vec<u8>]) -> Vec<u8> {
    let j = slices.len();
    let mut last = prefix(hash, variant, j, j, slicing);
    for (i, slice) in slices.iter().enumerate() {
        let mut message = prefix(hash, variant, j, i, slicing);
        message.extend(slice);
        last.extend(hash.digest(&message));
    }
    hash.digest(&last)
}

pub(crate) fn j_lanes(hash: &Hash, variant: Variant, j: usize, message: &[u8]) -> Vec<u8> {
    let mut lanes = vec![Vec::new(); j];
    for (k, byte) in message.iter().enumerate() {
        lanes[k / (hash.block_bytes / 16) % j].push(*byte);
    }
    of_slices(hash, variant, 0, &lanes)
}

pub(crate) fn j_pointers(hash: &Hash, variant: Variant, j: usize, message: &[u8]) -> Vec<u8> {
    let slice_bytes = hash.block_bytes * message.len().div_ceil(j * hash.block_bytes);
    let border = |i: usize| message.len().min(i * slice_bytes);
    let slices: Vec<_> = (0..j).map(|i| message[border(i)..border(i + 1)].to_vec()).collect();
    of_slices(hash, variant, 1, &slices)
}

pub(crate) fn scattered(hash: &Hash, variant: Variant, slices: &[&[u8]]) -> Vec<u8> {
    let slices: Vec<_> = slices.iter().map(|slice| slice.to_vec()).collect();
    of_slices(hash, variant, 1, &slices)
}

/// mh_sha1, mh_sha256: the result's words, each big-endian.
pub(crate) fn mh(hash: &Hash, message: &[u8]) -> Vec<u8> {
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

pub(crate) fn parallel_hash(message: &[u8]) -> Vec<u8> {
    let alpha = (message.len() / 8 - 111) / 128;
    let ls = 128 * alpha + 111;
    let mut last: Vec<u8> = (0..8).flat_map(|i| oracle::sha384(&message[i * ls..(i + 1) * ls])).collect();
    last.extend(&message[8 * ls..]);
    oracle::sha384(&last)
}
