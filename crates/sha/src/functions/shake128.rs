//! The functions of SHAKE128, by name.

use crate::error::expect;
use crate::{ShapeError, SpongeHasher, XofReader, algorithms};

/// An incremental SHAKE128: accepts a message in parts, then returns output of any length. See
/// [`SpongeHasher`].
pub type Shake128 = SpongeHasher<algorithms::Shake128>;
/// The output of SHAKE128. See [`XofReader`].
pub type Shake128Reader = XofReader<algorithms::Shake128>;

/// Fills `output` with the SHAKE128 output for `message`.
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// let mut output = [0; 100];
/// hashlanes::shake128(b"abc", &mut output);
/// assert_eq!(output[..4], [0x58, 0x81, 0x09, 0x2d]);
/// ```
#[inline]
pub fn shake128(message: &[u8], output: &mut [u8]) {
    Shake128::output(message, output);
}

/// Computes the SHAKE128 outputs, `len_bytes` bytes each, for any number of messages of any lengths.
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
/// use hashlanes::{shake128, shake128_many};
///
/// let mut outputs = [[0; 100]; 2];
/// shake128_many(&[b"one", b"two"], 100, outputs.as_flattened_mut());
/// let mut expected = [0; 100];
/// shake128(b"two", &mut expected);
/// assert_eq!(outputs[1], expected);
/// ```
#[track_caller]
pub fn shake128_many(messages: &[&[u8]], len_bytes: usize, outputs: &mut [u8]) {
    expect(try_shake128_many(messages, len_bytes, outputs));
}

/// Like [`shake128_many`], but returns an error instead of panicking.
///
/// # Errors
/// [`ShapeError::OutputLength`] if `outputs` is not `len_bytes` times as long as `messages`.
pub fn try_shake128_many(messages: &[&[u8]], len_bytes: usize, outputs: &mut [u8]) -> Result<(), ShapeError> {
    Shake128::try_output_many(messages, len_bytes, outputs)
}
