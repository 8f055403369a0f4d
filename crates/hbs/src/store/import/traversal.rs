//! The numbers in BouncyCastle's traversal state: the lowest tree's next leaf, and the key's last index.
//!
//! Later versions write them in a format of their own, which begins with `BDS` (XMSS) or `BDM` (XMSS^MT) and
//! ends with a checksum: SHA-256 of SEED and all before it.
//!
//! Earlier versions write a serialized Java object (Java Object Serialization Specification, section 6.4).
//! The state of one tree is an object of a class `….xmss.BDS` with the field `int index`. The state of
//! XMSS^MT is a sorted map of them, lowest layer first. In both, the last index follows as block data at the
//! end; the earliest versions have none.

use hashlanes_sha::sha256;

use super::secret::big_endian;

/// The beginnings of the two later formats, with their version.
const TREE: [u8; 8] = *b"BDS\0\0\0\0\x01";
const TREES: [u8; 8] = *b"BDM\0\0\0\0\x01";
const CHECKSUM_BYTES: usize = 32;

/// The class of the state of one tree.
const CLASS: &[u8] = b".xmss.BDS";

/// TC_CLASSDESC, TC_REFERENCE, TC_STRING, TC_ENDBLOCKDATA, TC_NULL and TC_BLOCKDATA.
const CLASS_DESCRIPTION: u8 = 0x72;
const REFERENCE: u8 = 0x71;
const STRING: u8 = 0x74;
const END: u8 = 0x78;
const NULL: u8 = 0x70;
const BLOCK: u8 = 0x77;

/// The data on the key's indices in the state.
pub(super) struct Traversal {
    /// The next leaf of the lowest tree.
    pub(super) leaf: u64,
    /// The last index that the key may use; `None` if that is not recorded.
    pub(super) last: Option<u64>,
}

/// `None` if the state is damaged or of an unknown version.
pub(super) fn read(state: &[u8], seed: &[u8]) -> Option<Traversal> {
    let (body, checksum) = state.split_last_chunk::<CHECKSUM_BYTES>()?;
    let is_sound = || sha256(&[seed, body].concat()) == *checksum;
    let number = |at: usize, bytes: usize| body.get(at..at + bytes).map(big_endian);
    match state.first_chunk()? {
        // Height, k, last index, index.
        &TREE if is_sound() => Some(Traversal { leaf: number(20, 4)?, last: Some(number(16, 4)?) }),
        // Last index, number of layers; layer 0: its number, height, k, last index, index.
        &TREES if is_sound() && number(20, 4) == Some(0) => {
            Some(Traversal { leaf: number(36, 4)?, last: Some(number(8, 8)?) })
        }
        &TREE | &TREES => None,
        _ => Some(Traversal { leaf: index_of(state)?, last: last_index_of(state) }),
    }
}

/// The field `index` of the first tree's state, in a Java object.
fn index_of(stream: &[u8]) -> Option<u64> {
    let starts = (0..stream.len()).filter(|&at| stream[at] == CLASS_DESCRIPTION);
    let mut fields = starts.map(|at| Cursor(&stream[at + 1..])).find_map(|mut description| {
        let is_tree = description.name().is_some_and(|name| name.ends_with(CLASS));
        is_tree.then_some(description)
    })?;
    // serialVersionUID and flags.
    fields.take(8 + 1)?;
    let (mut values_before, mut index_at) = (0, None);
    for _ in 0..fields.short()? {
        let kind = fields.byte()?;
        if fields.name()? == b"index" && kind == b'I' {
            index_at = Some(values_before);
        }
        match kind {
            b'B' | b'Z' => values_before += 1,
            b'C' | b'S' => values_before += 2,
            b'I' | b'F' => values_before += 4,
            b'J' | b'D' => values_before += 8,
            // Objects follow all numbers; their type is named here.
            b'L' | b'[' => match fields.byte()? {
                STRING => drop(fields.name()?),
                REFERENCE => drop(fields.take(4)?),
                _ => return None,
            },
            _ => return None,
        }
    }
    if (fields.byte()?, fields.byte()?) != (END, NULL) {
        return None;
    }
    fields.take(index_at?)?;
    let index = fields.take(4)?;
    Some(big_endian(index)).filter(|&index| index <= i32::MAX as u64)
}

/// The block data at the end.
fn last_index_of(stream: &[u8]) -> Option<u64> {
    match stream {
        [.., BLOCK, 4, a, b, c, d, END] => Some(big_endian(&[*a, *b, *c, *d])),
        [.., BLOCK, 8, a, b, c, d, e, f, g, h, END] => Some(big_endian(&[*a, *b, *c, *d, *e, *f, *g, *h])),
        _ => None,
    }
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn short(&mut self) -> Option<usize> {
        self.take(2).map(|bytes| usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
    }

    /// A text with its length before it.
    fn name(&mut self) -> Option<&'a [u8]> {
        let length = self.short()?;
        self.take(length)
    }
}
