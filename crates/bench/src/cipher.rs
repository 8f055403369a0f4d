//! Ciphers as workloads: `aes-128-cbc-encrypt`, `aes-256-ctr`, …. The result of a message is as long as the
//! message.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use hashlanes_testkit::oracle::Aes;

use crate::shape::Shape;

/// AES with a key length, a mode and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cipher {
    /// 128, 192 or 256.
    pub(crate) bits: usize,
    pub(crate) mode: Mode,
}

/// A mode of NIST SP 800-38A, and a direction. Messages are whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    CbcEncrypt,
    CbcDecrypt,
    /// All 128 bits count.
    Ctr,
    /// The same with a message that comes in parts of this number of bytes.
    CtrParts(usize),
}

const MODES: [(Mode, &str); 5] = [
    (Mode::CbcEncrypt, "cbc-encrypt"),
    (Mode::CbcDecrypt, "cbc-decrypt"),
    (Mode::Ctr, "ctr"),
    (Mode::CtrParts(16), "ctr-parts-16"),
    (Mode::CtrParts(64), "ctr-parts-64"),
];

impl Mode {
    /// The parts in which a message of so many bytes comes: at least one, which is the whole unless the mode
    /// says otherwise.
    pub(crate) fn parts(self, n_bytes: usize) -> impl Iterator<Item = Range<usize>> {
        let most = if let Mode::CtrParts(most) = self { most } else { n_bytes.max(1) };
        (0..n_bytes.div_ceil(most).max(1)).map(move |k| k * most..n_bytes.min((k + 1) * most))
    }
}

/// The key, truncated to the cipher's key length.
const KEY: [u8; 32] = *b"the key of all works, 32 bytes..";

impl Cipher {
    /// AES-128 in a mode.
    pub(crate) const fn aes128(mode: Mode) -> Self {
        Cipher { bits: 128, mode }
    }

    /// The name on command lines.
    pub(crate) fn name(self) -> Cow<'static, str> {
        let (_, mode) = MODES.iter().find(|(mode, _)| *mode == self.mode).expect("every mode has a name");
        format!("aes-{}-{mode}", self.bits).into()
    }

    /// The key of all messages.
    pub(crate) fn key(self) -> &'static [u8] {
        &KEY[..self.bits / 8]
    }

    /// The initialization vector of message `i`, or its first counter block.
    pub(crate) fn iv(self, i: usize) -> [u8; 16] {
        let mut iv = *b"an iv, and no. \0";
        iv[8..].copy_from_slice(&(i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
        iv
    }

    /// The result for a message, by the oracle.
    pub(crate) fn expected(self, i: usize, message: &[u8]) -> Vec<u8> {
        let (aes, iv) = (Aes::new(self.key()), self.iv(i));
        match self.mode {
            Mode::CbcEncrypt => aes.cbc_encrypt(&iv, message),
            Mode::CbcDecrypt => aes.cbc_decrypt(&iv, message),
            Mode::Ctr | Mode::CtrParts(_) => aes.ctr(&iv, 128, message),
        }
    }

    /// Returns whether ciphers support messages of this shape.
    pub(crate) fn takes(shape: Shape) -> bool {
        match shape {
            Shape::One { len } | Shape::Many { len, .. } => len.is_multiple_of(16),
            _ => false,
        }
    }
}

impl FromStr for Cipher {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let (bits, mode) = name.strip_prefix("aes-").and_then(|rest| rest.split_once('-')).ok_or(())?;
        let bits = bits.parse().ok().filter(|bits| [128, 192, 256].contains(bits)).ok_or(())?;
        let (mode, _) = MODES.into_iter().find(|(_, name)| *name == mode).ok_or(())?;
        Ok(Cipher { bits, mode })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole_message() {
        let parts =
            |mode: Mode, n_bytes| mode.parts(n_bytes).map(|part| (part.start, part.end)).collect::<Vec<_>>();
        assert_eq!(parts(Mode::CtrParts(16), 40), [(0, 16), (16, 32), (32, 40)]);
        for mode in [Mode::Ctr, Mode::CtrParts(16)] {
            assert_eq!(parts(mode, 16), [(0, 16)], "{mode:?}");
            assert_eq!(parts(mode, 0), [(0, 0)], "{mode:?}");
        }
        assert_eq!(parts(Mode::CbcEncrypt, 4096), [(0, 4096)]);
    }
}
