//! Tags of AEGIS and AES-GCM, and what is left of a message that is not authentic.

use subtle::ConstantTimeEq;

/// Compares two tags in a time that does not depend on where they differ: all differences are one number,
/// which is compared with zero. (Byte by byte it takes as long as a message of 64 bytes.)
#[inline]
pub(crate) fn same_tag<Bytes: AsRef<[u8]>>(expected: &Bytes, tag: &Bytes) -> bool {
    let (expected, tag) = (expected.as_ref().as_chunks::<8>().0, tag.as_ref().as_chunks::<8>().0);
    let differences = expected
        .iter()
        .zip(tag)
        .fold(0, |differences, (a, b)| differences | (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)));
    differences.ct_eq(&0).into()
}

/// Overwrites an expected tag: it would let its reader forge the message. (`zeroize` goes byte by byte, and
/// takes as long as a message of 64 bytes.)
#[inline]
pub(crate) fn forget<Bytes: Default>(tag: &mut Bytes) {
    *tag = Bytes::default();
    core::hint::black_box(tag);
}

/// Overwrites the decrypted bytes of a message that is not authentic, even if the compiler considers them
/// unused.
#[inline]
pub(crate) fn blank(message: &mut [u8]) {
    message.fill(0);
    core::hint::black_box(message);
}
