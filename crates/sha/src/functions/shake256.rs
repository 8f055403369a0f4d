//! The functions of SHAKE256, by name.

use crate::error::expect;
use crate::{ShapeError, SpongeHasher, XofReader, algorithms};

/// An incremental SHAKE256: accepts a message in parts, then returns output of any length. See
/// [`SpongeHasher`].
pub type Shake256 = SpongeHasher<algorithms::Shake256>;
/// The output of SHAKE256. See [`XofReader`].
pub type Shake256Reader = XofReader<algorithms::Shake256>;

/// Fills `output` with the SHAKE256 output for `message`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let mut output = [0; 100];
/// hashlanes::shake256(b"abc", &mut output);
/// assert_eq!(output[..4], [0x48, 0x33, 0x66, 0x60]);
/// ```
#[inline]
pub fn shake256(message: &[u8], output: &mut [u8]) {
    Shake256::output(message, output);
}

/// Computes the SHAKE256 outputs, `len_bytes` bytes each, for any number of messages of any lengths.
///
/// `outputs` holds the output for `messages[i]` from byte `i * len_bytes` on. The messages go through the
/// CPU's lanes together. Nothing is allocated, and only the end of each message is copied.
///
/// # Panics
/// Panics if `outputs` is not `len_bytes` times as long as `messages`.
///
/// # Examples
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{shake256, shake256_many};
///
/// let mut outputs = [[0; 100]; 2];
/// shake256_many(&[b"one", b"two"], 100, outputs.as_flattened_mut());
/// let mut expected = [0; 100];
/// shake256(b"two", &mut expected);
/// assert_eq!(outputs[1], expected);
/// ```
#[track_caller]
pub fn shake256_many(messages: &[&[u8]], len_bytes: usize, outputs: &mut [u8]) {
    expect(try_shake256_many(messages, len_bytes, outputs));
}

/// Like [`shake256_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::OutputLength`] if `outputs` is not `len_bytes` times as long as `messages`.
pub fn try_shake256_many(messages: &[&[u8]], len_bytes: usize, outputs: &mut [u8]) -> Result<(), ShapeError> {
    Shake256::try_output_many(messages, len_bytes, outputs)
}
