//! The bytes of a workload in the layout of its shape, the expected digests, and room for results.

use crate::signatures::{Operation, Signatures};
use crate::work::{Hash, Shape, Text, Work};
use hashlanes_clock::Footprint;
use hashlanes_testkit::oracle;
use std::cell::OnceCell;

/// Bytes of a page: inputs begin at the start of one.
const PAGE: usize = 4096;

/// The input of a [`Work`].
pub(crate) struct Input {
    work: Work,
    memory: Vec<u8>,
    /// The offset of the input in `memory`.
    start: usize,
    /// The offset of each message from `start`, and the end of the last one.
    starts: Vec<usize>,
    /// The length of message `i`, if it is not the distance to the next.
    len: Option<usize>,
    /// The columns' offsets.
    offsets: Vec<i32>,
    /// The data of signatures.
    signatures: Option<Signatures>,
    expected: OnceCell<Option<Vec<u8>>>,
}

impl Input {
    /// Creates the input: pseudo-random bytes, the same each time.
    pub(crate) fn new(work: Work) -> Self {
        let mut random = Random::new();
        let shape = work.shape;
        let count = shape.count();
        let mut offsets = Vec::new();
        let (starts, len): (Vec<usize>, _) = match shape {
            Shape::Random { max, .. } => {
                let mut at = 0;
                let lengths = (0..count).map(|_| 1 + random.next() as usize % max);
                let starts = std::iter::once(0).chain(lengths.map(|len| {
                    at += len;
                    at
                }));
                (starts.collect(), None)
            }
            Shape::One { len } | Shape::Many { len, .. } | Shape::Fixed { len, .. } => {
                ((0..=count).map(|i| i * shape.stride()).collect(), Some(len))
            }
            Shape::Rows { len, .. } => {
                offsets =
                    (0..=count).map(|i| i32::try_from(i * len).expect("a column under 2 GiB")).collect();
                ((0..=count).map(|i| i * len).collect(), Some(len))
            }
            Shape::Lanes { len, .. } | Shape::Continue { len, .. } => {
                let (_, padding) = work.hash.block_and_padding().expect("lanes have blocks");
                ((0..=count).map(|i| i * shape.stride()).collect(), Some(len - padding))
            }
            Shape::Signatures(_) => (vec![0; count + 1], Some(0)),
        };
        let bytes = *starts.last().expect("count + 1 starts");
        let mut memory = vec![0; bytes + 2 * PAGE];
        let start = memory.as_ptr().align_offset(PAGE).min(PAGE);
        for word in memory[start..start + bytes].chunks_mut(8) {
            word.copy_from_slice(&random.next().to_le_bytes()[..word.len()]);
        }
        let signatures = match (work.hash, shape) {
            (Hash::Xmss(set), Shape::Signatures(operation)) => Some(Signatures::new(set, operation)),
            _ => None,
        };
        let expected = OnceCell::new();
        let mut input = Input { work, memory, start, starts, len, offsets, signatures, expected };
        input.pad_lanes();
        input
    }

    /// One given message.
    pub(crate) fn of_message(hash: Hash, message: &[u8]) -> Self {
        let mut input = Input::new(Work::new(hash, Shape::One { len: message.len() }));
        let start = input.start;
        input.memory[start..][..message.len()].copy_from_slice(message);
        input
    }

    /// The length of a message with its padding, if that is in memory.
    fn padded_len(&self) -> Option<usize> {
        match self.work.shape {
            Shape::Lanes { len, .. } | Shape::Continue { len, .. } => Some(len),
            _ => None,
        }
    }

    /// Writes FIPS 180-4's padding (section 5.1) after the messages of shapes that have it.
    fn pad_lanes(&mut self) {
        let Some(len) = self.padded_len() else { return };
        let (_, padding) = self.work.hash.block_and_padding().expect("lanes have blocks");
        let bits = 8 * (len - padding) as u64;
        for i in 0..self.count() {
            let end = self.start + self.starts[i] + len;
            let pad = &mut self.memory[end - padding..end];
            pad.fill(0);
            pad[0] = 0x80;
            pad[padding - 8..].copy_from_slice(&bits.to_be_bytes());
        }
    }

    /// The workload of this input.
    pub(crate) fn work(&self) -> Work {
        self.work
    }

    /// Number of messages.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Message `i`.
    #[inline(always)]
    pub(crate) fn message(&self, i: usize) -> &[u8] {
        let start = self.starts[i];
        let len = self.len.unwrap_or(self.starts[i + 1] - start);
        &self.memory[self.start + start..][..len]
    }

    /// All messages.
    pub(crate) fn messages(&self) -> Vec<&[u8]> {
        (0..self.count()).map(|i| self.message(i)).collect()
    }

    /// Message `i` with its padding, if that is in memory: whole blocks.
    pub(crate) fn padded(&self, i: usize) -> &[u8] {
        let Some(len) = self.padded_len() else { return self.message(i) };
        &self.memory[self.start + self.starts[i]..][..len]
    }

    /// The whole buffer, for contiguous shapes.
    pub(crate) fn buffer(&self) -> &[u8] {
        &self.memory[self.start..][..self.starts[self.count()]]
    }

    /// The offsets of a column: one more than values.
    pub(crate) fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// The start of a workload of signatures, and its operation.
    pub(crate) fn signatures(&self) -> Option<(&Signatures, Operation)> {
        match self.work.shape {
            Shape::Signatures(operation) => Some((self.signatures.as_ref()?, operation)),
            _ => None,
        }
    }

    /// The memory that a contestant reads.
    pub(crate) fn footprint(&self) -> Footprint {
        let bytes = self.starts[self.count()];
        Footprint { bytes, stride: self.work.shape.stride() }
    }

    /// Number of hashed bytes, for figures per byte: without gaps; for lanes the padded length.
    pub(crate) fn bytes(&self) -> u64 {
        match self.padded_len() {
            Some(len) => (self.count() * len) as u64,
            None => (0..self.count()).map(|i| self.message(i).len() as u64).sum(),
        }
    }

    /// The digests (in hexadecimal, if the shape says so), one after another, by an oracle that shares no
    /// code with any contestant; `None` if the hash is not from FIPS 180-4 or 202, nor a tree over such a
    /// hash. For signatures of XMSS see [`Signatures::expected`].
    pub(crate) fn expected(&self) -> Option<&[u8]> {
        let compute = || {
            if let Some(signatures) = &self.signatures {
                return signatures.expected();
            }
            let hash = self.work.hash;
            if matches!(hash, Hash::SlhDsaOrLms(_)) {
                return None;
            }
            let digest = |i| match (hash, self.message(i)) {
                (Hash::Aegis(aegis), message) => Some(aegis.expected(i, message)),
                (Hash::Gcm(gcm), message) => Some(gcm.expected(i, message)),
                (Hash::Cipher(cipher), message) => Some(cipher.expected(i, message)),
                (Hash::Ssz, message) => Some(oracle::tree::ssz(message)),
                (Hash::FsVerity, message) => Some(oracle::tree::fs_verity_root(message)),
                (Hash::Tree(_), message) => oracle::tree::digest(&hash.name(), message),
                (Hash::Sha3_256, message) => Some(oracle::sha3_256(message)),
                (Hash::Keccak256, message) => Some(oracle::keccak(136, 1, message, 32)),
                (Hash::Sha3Tree(leaves), message) => Some(oracle::sha3_256_tree(leaves.into(), message)),
                (Hash::Sha512_256, message) => Some(oracle::SHA512_256.digest(message)),
                (_, message) => Some(oracle::by_name(&hash.name())?.digest(message)),
            };
            let digests: Option<Vec<Vec<u8>>> = (0..self.count()).map(digest).collect();
            let digests = digests?.concat();
            Some(match self.work.shape {
                Shape::Rows { text: Text::Hex, .. } => hex(&digests),
                _ => digests,
            })
        };
        self.expected.get_or_init(compute).as_deref()
    }
}

/// Memory for the results of an input's messages, with the same layout, so at the same offsets in pages.
#[derive(Clone)]
pub(crate) struct Outputs {
    memory: Vec<u8>,
    stride: usize,
    len: usize,
    count: usize,
}

impl Outputs {
    /// Returns the input of equal messages.
    pub(crate) fn of(input: &Input) -> Self {
        // Empty messages have places, too.
        let (stride, count) = (input.work().shape.stride().max(1), input.count());
        Outputs { memory: vec![0; stride * count + PAGE], stride, len: input.message(0).len(), count }
    }

    /// The place of message `i`, followed by a block that some contestants require and none writes.
    #[cfg(feature = "openssl")]
    pub(crate) fn place_and_a_block(&mut self, i: usize) -> &mut [u8] {
        let start = self.memory.as_ptr().align_offset(PAGE) + i * self.stride;
        &mut self.memory[start..][..self.len + 16]
    }

    /// A place for each message.
    pub(crate) fn messages(&mut self) -> impl ExactSizeIterator<Item = &mut [u8]> {
        let start = self.memory.as_ptr().align_offset(PAGE);
        let len = self.len;
        self.memory[start..].chunks_mut(self.stride).take(self.count).map(move |chunk| &mut chunk[..len])
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| hex_of(*byte)).collect()
}

/// The two digits of a byte.
#[inline(always)]
pub(crate) fn hex_of(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

/// Marsaglia's xorshift64 (Journal of Statistical Software 8(14), 2003): the triple 13, 7, 17.
pub(crate) struct Random(u64);

impl Random {
    /// The same numbers each time.
    pub(crate) fn new() -> Self {
        Random(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(text: &str) -> Input {
        Input::new(text.parse().unwrap())
    }

    #[test]
    fn inputs_have_their_shape() {
        let apart = input("sha256:3x100");
        assert_eq!(apart.messages().iter().map(|m| m.len()).collect::<Vec<_>>(), [100; 3]);
        assert_eq!((apart.bytes(), apart.footprint()), (300, Footprint { bytes: 492, stride: 164 }));
        assert_eq!(apart.message(1).as_ptr() as usize - apart.message(0).as_ptr() as usize, 164);

        let aligned = input("sha256:3x8K/8K");
        assert!(aligned.messages().iter().all(|m| (m.as_ptr() as usize).is_multiple_of(PAGE)));

        let random = input("sha256:random:100x50");
        assert!(random.messages().iter().all(|m| (1..=50).contains(&m.len())));
        assert_eq!(random.bytes(), random.buffer().len() as u64);

        let rows = input("sha256:rows:5x20");
        assert_eq!((rows.offsets(), rows.buffer().len()), (&[0, 20, 40, 60, 80, 100][..], 100));
    }

    #[test]
    fn lanes_are_padded() {
        let lanes = input("sha512:lanes:2x256");
        let (message, padded) = (lanes.message(1), lanes.padded(1));
        assert_eq!((message.len(), padded.len()), (239, 256));
        let mut state = oracle::by_name("sha512").unwrap().initial();
        state.compress(padded);
        assert_eq!(state.to_bytes(), oracle::sha512(message));
    }

    #[test]
    fn digests_are_expected_of_known_hashes() {
        let rows = input("sha256:rows-hex:2x3");
        let expected = rows.expected().unwrap();
        assert_eq!((expected.len(), expected), (128, &hex(input("sha256:rows:2x3").expected().unwrap())[..]));
        assert!(input("blake3:64").expected().is_none());
    }
}
