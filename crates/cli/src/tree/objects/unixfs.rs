//! UnixFS of IPFS (specs.ipfs.tech/unixfs): the CID, version 1, of a file or a directory, as `ipfs add
//! --cid-version=1 --recursive --hidden` prints it: raw leaves of 256 KiB, at most 174 links in a node.
//!
//! ```text
//!   CID     "b" and base 32 of 1, codec (0x55 raw, 0x70 dag-pb), 0x12 (SHA-256), 32, digest
//!   node    {0x12 LENGTH link} 0x0a LENGTH data          protocol buffers: links first
//!   link    0x0a LENGTH CID   0x12 LENGTH name   0x18 total size
//!   data    0x08 type   [0x12 LENGTH target]   [0x18 size   {0x20 size of a link's content}]
//! ```
//!
//! A file of one chunk is that chunk. The leaves of a longer file are the lowest level of a tree in which
//! each node except the last of its level is full.

use std::fmt;

use hashlanes::{sha256, sha256_many};

use super::contents::{Format, SHORT};
use super::paths::Node;
use crate::tree::input::Failure;
use crate::tree::reading::Reading;

/// The format.
pub(super) struct UnixFs;

/// Bytes of a leaf.
const CHUNK: usize = SHORT;
/// The most links of a node of a file.
const LINKS: usize = 174;
/// A directory with more bytes of names and CIDs is sharded.
const MOST_OF_DIRECTORY: usize = 256 << 10;

/// The content of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Codec {
    Raw = 0x55,
    DagPb = 0x70,
}

/// The types of UnixFS data.
#[derive(Clone, Copy)]
enum Type {
    Directory = 1,
    File = 2,
    Symlink = 4,
}

/// A block, by its CID.
pub(super) struct Block {
    codec: Codec,
    digest: [u8; 32],
    /// Bytes of the content of the file.
    n_bytes: u64,
    /// Bytes of this block and of all blocks below it.
    total_bytes: u64,
}

impl Block {
    fn raw(digest: [u8; 32], n_bytes: usize) -> Block {
        Block { codec: Codec::Raw, digest, n_bytes: n_bytes as u64, total_bytes: n_bytes as u64 }
    }

    /// Creates a node over links with names.
    fn node(links: &[(&[u8], &Block)], data: &[u8], n_bytes: u64) -> Block {
        let mut bytes = Vec::new();
        for (name, block) in links {
            let mut link = Vec::new();
            field(&mut link, 1, &block.cid());
            field(&mut link, 2, name);
            number(&mut link, 3, block.total_bytes);
            field(&mut bytes, 2, &link);
        }
        field(&mut bytes, 1, data);
        let below: u64 = links.iter().map(|(_, block)| block.total_bytes).sum();
        let total_bytes = bytes.len() as u64 + below;
        Block { codec: Codec::DagPb, digest: sha256(&bytes), n_bytes, total_bytes }
    }

    fn cid(&self) -> [u8; 36] {
        let mut cid = [1, self.codec as u8, 0x12, 32].into_iter().chain(self.digest);
        std::array::from_fn(|_| cid.next().expect("36 bytes"))
    }
}

impl fmt::Display for Block {
    /// RFC 4648 in lower case, without padding, after the letter for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let cid = self.cid();
        let mut text = String::from("b");
        for at in (0..8 * cid.len()).step_by(5) {
            let high = u16::from(cid[at / 8]) << 8 | cid.get(at / 8 + 1).copied().map_or(0, u16::from);
            text.push(char::from(DIGITS[usize::from(high >> (11 - at % 8) & 31)]));
        }
        f.write_str(&text)
    }
}

/// A node of a file over the blocks of the level below.
fn file_node(blocks: &[Block]) -> Block {
    let n_bytes = blocks.iter().map(|block| block.n_bytes).sum();
    let mut data = Vec::new();
    number(&mut data, 1, Type::File as u64);
    number(&mut data, 3, n_bytes);
    blocks.iter().for_each(|block| number(&mut data, 4, block.n_bytes));
    let links: Vec<(&[u8], &Block)> = blocks.iter().map(|block| (&b""[..], block)).collect();
    Block::node(&links, &data, n_bytes)
}

/// A number as a protocol buffer, 7 bits a byte.
fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(bytes: &mut Vec<u8>, field: u8, number: u64) {
    bytes.push(field << 3);
    varint(bytes, number);
}

fn field(bytes: &mut Vec<u8>, field: u8, content: &[u8]) {
    bytes.push(field << 3 | 2);
    varint(bytes, content.len() as u64);
    bytes.extend_from_slice(content);
}

impl Format for UnixFs {
    type Id = Block;

    fn head(&self, _: usize, _: &mut Vec<u8>) {}

    fn short(&self, files: &[&[u8]]) -> Vec<Block> {
        let mut digests = vec![[0; 32]; files.len()];
        sha256_many(files, &mut digests);
        digests.into_iter().zip(files).map(|(digest, file)| Block::raw(digest, file.len())).collect()
    }

    fn long(&self, reading: &Reading<'_>, _: u64) -> Result<Block, Failure> {
        // The last part of the content, and the levels of the tree from the leaves on, without full nodes.
        let (mut waiting, mut leaves) = (Vec::new(), Vec::new());
        let mut hash = |content: &[u8]| {
            let chunks: Vec<&[u8]> = content.chunks(CHUNK).collect();
            leaves.extend(self.short(&chunks));
        };
        reading.stream(&mut |part| {
            waiting.extend_from_slice(part);
            // Chunks of 16 lanes.
            if waiting.len() >= 16 * CHUNK {
                let whole = waiting.len() / CHUNK * CHUNK;
                hash(&waiting[..whole]);
                waiting.drain(..whole);
            }
            Ok(())
        })?;
        hash(&waiting);
        if leaves.is_empty() {
            return Ok(Block::raw(sha256(b""), 0));
        }
        let mut level = leaves;
        while level.len() > 1 {
            level = level.chunks(LINKS).map(file_node).collect();
        }
        Ok(level.remove(0))
    }

    fn link(&self, target: &[u8]) -> Block {
        let mut data = Vec::new();
        number(&mut data, 1, Type::Symlink as u64);
        field(&mut data, 2, target);
        Block::node(&[], &data, 0)
    }

    fn directory(&self, entries: &[(&[u8], &Node, Block)]) -> Result<Block, Failure> {
        let n_bytes: usize = entries.iter().map(|(name, _, block)| name.len() + block.cid().len()).sum();
        if n_bytes > MOST_OF_DIRECTORY {
            return Err(Failure::message(
                "too many entries: IPFS shards directories over 256 KiB, which is not supported",
            ));
        }
        let links: Vec<(&[u8], &Block)> = entries.iter().map(|(name, _, block)| (*name, block)).collect();
        let mut data = Vec::new();
        number(&mut data, 1, Type::Directory as u64);
        Ok(Block::node(&links, &data, 0))
    }

    fn records_empty_directories(&self) -> bool {
        true
    }
}
