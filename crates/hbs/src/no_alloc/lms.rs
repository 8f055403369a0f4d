//! LMS and HSS without an allocator: RFC 8554, algorithms 4b, 6a and section 6.3; SP 800-208 for n = 24. One
//! hash after the other. A one-time public key is not stored: its hash absorbs each value when its chain
//! ends.

use hashlanes_sha::small::{Sha256, SmallHash};

use crate::Error;

const MAX_N: usize = 32;
const D_PBLC: [u8; 2] = [0x80, 0x80];
const D_MESG: [u8; 2] = [0x81, 0x81];
const D_LEAF: [u8; 2] = [0x82, 0x82];
const D_INTR: [u8; 2] = [0x83, 0x83];
const I_BYTES: usize = 16;
/// The most levels of HSS.
const MAX_LEVELS: u32 = 8;

/// Verifies that `signature` is valid for `message` under a raw public key of HSS, or of LMS alone.
///
/// Gives the same answers as the feature `lms`, for sets over SHA-256, without an allocator and with less
/// than 8 KiB of stack. Hashes one value at a time.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{Error, verify_lms_no_alloc};
///
/// // LMS_SHA256_M24_H5 with LMOTS_SHA256_N24_W4, of one level.
/// let public_key = [&[0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 0, 7][..], &[7; 16 + 24]].concat();
/// let mut signature = vec![0; 4 + 4 + 4 + 24 * 52 + 4 + 24 * 5];
/// signature[11] = 7;
/// signature[4 + 4 + 4 + 24 * 52 + 3] = 10;
/// assert_eq!(verify_lms_no_alloc(&public_key, b"message", &signature), Err(Error::Invalid));
/// ```
///
/// # Errors
/// [`Error::Invalid`] if it is not valid, also if it cannot be a signature of this key.
/// [`Error::PublicKeyLength`] and [`Error::Typecode`] if the key cannot be read, or its sets are not over
/// SHA-256.
pub fn verify_lms_no_alloc(public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    // HSS puts the number of levels before the key of the topmost tree.
    let levels = match public_key.len() {
        52 | 60 => Some(u32::from_be_bytes(*public_key.first_chunk().expect("it is longer"))),
        48 | 56 => None,
        given => return Err(Error::PublicKeyLength { given, expected: 60 }),
    };
    let mut key = Key::read(&mut &public_key[if levels.is_some() { 4 } else { 0 }..])?;
    let mut rest = signature;
    if let Some(levels) = levels {
        let lower = u32::from_be_bytes(*take(&mut rest).ok_or(Error::Invalid)?);
        if levels == 0 || levels > MAX_LEVELS || lower != levels - 1 {
            return Err(Error::Invalid);
        }
        for _ in 0..lower {
            let of_tree = rest.split_off(..key.signature_bytes()).ok_or(Error::Invalid)?;
            let before = rest;
            let next = Key::read(&mut rest).map_err(|_| Error::Invalid)?;
            key.verify(&before[..before.len() - rest.len()], of_tree)?;
            key = next;
        }
    }
    key.verify(message, rest)
}

/// Splits an array off.
fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (head, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(head)
}

/// The public key of a tree.
#[derive(Clone, Copy)]
struct Key<'a> {
    lms: u32,
    lmots: u32,
    n: usize,
    height: u32,
    w: u32,
    id: &'a [u8; I_BYTES],
    root: &'a [u8],
}

impl<'a> Key<'a> {
    fn read(bytes: &mut &'a [u8]) -> Result<Self, Error> {
        let short = Error::PublicKeyLength { given: bytes.len(), expected: 56 };
        let parts = (take(bytes), take(bytes), take(bytes));
        let (Some(lms), Some(lmots), Some(id)) = parts else { return Err(short) };
        let (lms, lmots) = (u32::from_be_bytes(*lms), u32::from_be_bytes(*lmots));
        // SHA-256 of 32 and of 24 bytes: heights 5 to 25; w of 1, 2, 4, 8.
        let (n, height, w) = match (lms, lmots) {
            (5..=9, 1..=4) => (32, 5 * (lms - 4), 1 << (lmots - 1)),
            (10..=14, 5..=8) => (24, 5 * (lms - 9), 1 << (lmots - 5)),
            _ => return Err(Error::Typecode { lms, lmots }),
        };
        let root = bytes.split_off(..n).ok_or(short)?;
        Ok(Self { lms, lmots, n, height, w, id, root })
    }

    /// Returns the number of chains, those of the checksum among them, and the shift of the checksum
    /// (appendix B).
    fn chains(&self) -> (usize, u32) {
        let u = 8 * self.n as u32 / self.w;
        let bits = (((1 << self.w) - 1) * u).ilog2() + 1;
        let v = bits.div_ceil(self.w);
        ((u + v) as usize, 16 - v * self.w)
    }

    fn signature_bytes(&self) -> usize {
        4 + 4 + self.n * (1 + self.chains().0) + 4 + self.n * self.height as usize
    }

    /// Algorithm 6a.
    fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        if signature.len() != self.signature_bytes() {
            return Err(Error::Invalid);
        }
        let (n_chains, _) = self.chains();
        let (q, rest) = signature.split_at(4);
        let (lmots, rest) = rest.split_at(4);
        let (one_time, rest) = rest.split_at(self.n * (1 + n_chains));
        let (lms, path) = rest.split_at(4);
        let index = u32::from_be_bytes(*q.first_chunk().expect("4 bytes"));
        if lmots != self.lmots.to_be_bytes() || lms != self.lms.to_be_bytes() || index >> self.height != 0 {
            return Err(Error::Invalid);
        }
        let mut number = (1 << self.height) + index;
        let key = self.one_time_key(q, message, one_time);
        let mut node = self.hash(&[&number.to_be_bytes(), &D_LEAF, &key[..self.n]]);
        for sibling in path.chunks_exact(self.n) {
            let is_right = number & 1 == 1;
            number /= 2;
            let (left, right) =
                if is_right { (sibling, &node[..self.n]) } else { (&node[..self.n], sibling) };
            node = self.hash(&[&number.to_be_bytes(), &D_INTR, left, right]);
        }
        if node[..self.n] == *self.root { Ok(()) } else { Err(Error::Invalid) }
    }

    /// Algorithm 4b: the public key of the one-time key `q`.
    fn one_time_key(&self, q: &[u8], message: &[u8], signature: &[u8]) -> [u8; MAX_N] {
        let (n_chains, shift) = self.chains();
        let (c, values) = signature.split_at(self.n);
        let digest = self.hash(&[q, &D_MESG, c, message]);
        let digest = &digest[..self.n];
        let last = (1 << self.w) - 1;
        let n_digits = 8 * self.n / self.w as usize;
        let checksum: u32 = (0..n_digits).map(|i| last - self.digit(digest, i)).sum();
        let checksum = ((checksum << shift) as u16).to_be_bytes();
        let mut key = self.begin(&[q, &D_PBLC]);
        for (chain, value) in values.chunks_exact(self.n).take(n_chains).enumerate() {
            let digit = match chain.checked_sub(n_digits) {
                None => self.digit(digest, chain),
                Some(i) => self.digit(&checksum, i),
            };
            let mut node = [0; MAX_N];
            node[..self.n].copy_from_slice(value);
            for step in digit..last {
                node = self.hash(&[q, &(chain as u16).to_be_bytes(), &[step as u8], &node[..self.n]]);
            }
            key.update(&node[..self.n]);
        }
        key.finish()
    }

    /// coef(bytes, i, w): section 3.1.3.
    fn digit(&self, bytes: &[u8], i: usize) -> u32 {
        let bit = i * self.w as usize;
        u32::from(bytes[bit / 8]) >> (8 - self.w - bit as u32 % 8) & ((1 << self.w) - 1)
    }

    /// SHA-256 of the key's identifier and these parts; the first n bytes count.
    fn hash(&self, parts: &[&[u8]]) -> [u8; MAX_N] {
        self.begin(parts).finish()
    }

    fn begin(&self, parts: &[&[u8]]) -> Sha256 {
        let mut hash = Sha256::new();
        hash.update(self.id);
        parts.iter().for_each(|part| hash.update(part));
        hash
    }
}
