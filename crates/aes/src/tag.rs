//! Tags of AEGIS, AES-GCM and AES-GCM-SIV, the vectors that they end, and the overwriting of secrets.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// Compares two tags in a time that does not depend on where they differ: all differences are one number,
/// which is compared with zero. (Byte by byte it takes as long as a message of 64 bytes.)
#[inline]
fn same_tag<Bytes: AsRef<[u8]>>(expected: &Bytes, tag: &Bytes) -> bool {
    let (expected, tag) = (expected.as_ref().as_chunks::<8>().0, tag.as_ref().as_chunks::<8>().0);
    let differences = expected
        .iter()
        .zip(tag)
        .fold(0, |differences, (a, b)| differences | (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)));
    differences.ct_eq(&0).into()
}

/// Returns `n_bytes` zeros in a vector with room for a tag after them. Compiled here: without optimisation
/// the vector is filled byte by byte.
#[inline(never)]
pub(crate) fn zeros(n_bytes: usize, tag_bytes: usize) -> Vec<u8> {
    let mut zeros = Vec::with_capacity(n_bytes.saturating_add(tag_bytes));
    zeros.resize(n_bytes, 0);
    zeros
}

/// Returns whether a decrypted message has its tag. The expected tag is overwritten, and if the tag is wrong,
/// the message too: its bytes become zeros.
#[inline]
pub(crate) fn is_authentic<Bytes: AsRef<[u8]> + Default>(
    expected: &mut Bytes,
    tag: &Bytes,
    message: &mut [u8],
) -> bool {
    let is_right = is_right(expected, tag);
    if !is_right {
        message.fill(0);
        // Even if the compiler considers the bytes unused.
        core::hint::black_box(message);
    }
    is_right
}

/// Returns whether a tag is the expected one, which is overwritten.
#[inline]
pub(crate) fn is_right<Bytes: AsRef<[u8]> + Default>(expected: &mut Bytes, tag: &Bytes) -> bool {
    let is_right = same_tag(expected, tag);
    forget(expected);
    is_right
}

/// Overwrites a key or a state. Compiled here: without optimisation `zeroize` takes longer than a message.
#[inline(never)]
pub(crate) fn wipe(secret: &mut [u8]) {
    secret.zeroize();
}

/// Overwrites an expected tag: it would let its reader forge the message. (`zeroize` goes byte by byte, and
/// takes as long as a message of 64 bytes.)
#[inline]
pub(crate) fn forget<Bytes: Default>(tag: &mut Bytes) {
    *tag = Bytes::default();
    core::hint::black_box(tag);
}
