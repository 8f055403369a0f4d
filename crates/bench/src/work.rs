//! Workloads: a hash, and the shape of its input; or a parameter set of signatures, and the operation.
//!
//! Written on command lines and in records as `HASH:SHAPE`:
//!
//! | shape | means |
//! |---|---|
//! | `64` | one message of 64 bytes, the whole call |
//! | `1024x8K` | 1024 messages of 8 KiB, a cache line from the end of one to the start of the next |
//! | `1024x8K/8K` | the same, 8 KiB from start to start: all begin at one place of a page |
//! | `random:1024x16K` | 1024 messages of random lengths 1..=16 KiB, one after another |
//! | `fixed:4096x64` | 4096 messages of 64 bytes, one after another, by a call for equal short messages |
//! | `rows:1000000x20` | a column of 10^6 values of 20 bytes, Arrow's layout |
//! | `rows-hex:1000000x20` | the same, digests in hexadecimal |
//! | `continue:64x64` | 64 messages of one block with its padding: one-block continuations of one state |
//! | `lanes:16x9K` | 16 messages whose padded length is 9 KiB: whole blocks only, for single kernels |
//!
//! `K` is 1024, `M` 1024². A tree mode is a hash too, by its name: `jlanes-v1-sha256-16:16M`; so are the
//! roots of Merkle trees `ssz:1M` and `fs-verity:16M`, and ciphers: `aes-128-cbc-encrypt:8x16K`,
//! `aes-256-ctr:1M`, the same in parts of 16 bytes `aes-256-ctr-parts-16:1M`, `aes-128-gcm:1420`,
//! `aegis-128l:16K`, `aegis-128-decrypt:8x16K`. For a parameter set of XMSS or XMSS^MT, the shape is an
//! operation: `XMSS-SHA2_10_256:keygen`, `:sign`, `:sign-checked`, `:verify`, `:verify-many:16` (see
//! [`crate::signatures`]).

use crate::aegis::Aegis;
use crate::cipher::Cipher;
use crate::gcm::Gcm;
use crate::hash_based::Set;
use crate::shape::GAP;
use hashlanes::hbs::ParameterSet;
use hashlanes::tree::Mode;
use hashlanes_chart::size_text;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

pub(crate) use crate::shape::{Shape, Text};

/// A hash: one of ours, or one for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Hash {
    /// FIPS 180-4.
    Sha1,
    /// FIPS 180-4.
    Sha224,
    /// FIPS 180-4.
    Sha256,
    /// FIPS 180-4.
    Sha384,
    /// FIPS 180-4.
    Sha512,
    /// FIPS 180-4.
    Sha512_256,
    /// FIPS 202.
    Sha3_256,
    /// The Keccak submission to the SHA-3 competition, version 3: before the padding that FIPS 202 gave it.
    Keccak256,
    /// The same submission with 512 bits.
    Keccak512,
    /// Other finalists of the competition, in their last versions.
    Blake256,
    /// BLAKE-512.
    Blake512,
    /// Grøstl-256.
    Groestl256,
    /// Grøstl-512.
    Groestl512,
    /// JH-256.
    Jh256,
    /// Skein-512-512.
    Skein512,
    /// A tree over SHA3-256 with this number of leaves, for comparison: `spec/keccak.py`.
    Sha3Tree(u8),
    /// The BLAKE3 paper, 32 bytes of output.
    Blake3,
    /// RFC 9861, 32 bytes of output.
    Kt128,
    /// A tree mode of this or another project, over SHA-1 or SHA-2.
    Tree(Mode),
    /// Not a hash: authenticated encryption, or decryption.
    Aegis(Aegis),
    /// Not a hash: authenticated encryption.
    Gcm(Gcm),
    /// Ethereum's Merkle tree: the root of chunks of 32 bytes.
    Ssz,
    /// Not a hash: a cipher.
    Cipher(Cipher),
    /// Linux's fs-verity with SHA-256, blocks of 4096 bytes, no salt: the root.
    FsVerity,
    /// Signatures of a parameter set of XMSS or XMSS^MT.
    Xmss(ParameterSet),
    /// Signatures of a parameter set of SLH-DSA, LMS or HSS.
    SlhDsaOrLms(Set),
}

impl Hash {
    /// All of them except the tree modes over SHA-1 and SHA-2, and signatures.
    pub(crate) const PLAIN: [Hash; 22] = [
        Hash::Sha1,
        Hash::Sha224,
        Hash::Sha256,
        Hash::Sha384,
        Hash::Sha512,
        Hash::Sha512_256,
        Hash::Sha3_256,
        Hash::Keccak256,
        Hash::Keccak512,
        Hash::Blake256,
        Hash::Blake512,
        Hash::Groestl256,
        Hash::Groestl512,
        Hash::Jh256,
        Hash::Skein512,
        Hash::Sha3Tree(2),
        Hash::Sha3Tree(4),
        Hash::Sha3Tree(8),
        Hash::Blake3,
        Hash::Kt128,
        Hash::Ssz,
        Hash::FsVerity,
    ];

    /// The name on command lines.
    pub(crate) fn name(self) -> Cow<'static, str> {
        let name = match self {
            Hash::Sha1 => "sha1",
            Hash::Sha224 => "sha224",
            Hash::Sha256 => "sha256",
            Hash::Sha384 => "sha384",
            Hash::Sha512 => "sha512",
            Hash::Sha512_256 => "sha512-256",
            Hash::Sha3_256 => "sha3-256",
            Hash::Keccak256 => "keccak-256",
            Hash::Keccak512 => "keccak-512",
            Hash::Blake256 => "blake-256",
            Hash::Blake512 => "blake-512",
            Hash::Groestl256 => "groestl-256",
            Hash::Groestl512 => "groestl-512",
            Hash::Jh256 => "jh-256",
            Hash::Skein512 => "skein-512",
            Hash::Sha3Tree(leaves) => return format!("sha3-256-tree-{leaves}").into(),
            Hash::Blake3 => "blake3",
            Hash::Kt128 => "kt128",
            Hash::Aegis(aegis) => return aegis.name().into(),
            Hash::Gcm(gcm) => gcm.name(),
            Hash::Cipher(cipher) => return cipher.name(),
            Hash::Tree(mode) => return mode.to_string().into(),
            Hash::Ssz => "ssz",
            Hash::FsVerity => "fs-verity",
            Hash::Xmss(set) => return set.to_string().into(),
            Hash::SlhDsaOrLms(set) => set.name(),
        };
        name.into()
    }

    /// Whether it is a cipher, whose results are as long as the messages.
    pub(crate) fn is_cipher(self) -> bool {
        matches!(self, Hash::Aegis(_) | Hash::Gcm(_) | Hash::Cipher(_))
    }

    /// Bytes of a block and of the padding's marker and length; `None` if the hash is not from FIPS 180-4.
    pub(crate) fn block_and_padding(self) -> Option<(usize, usize)> {
        match self {
            Hash::Sha1 | Hash::Sha224 | Hash::Sha256 => Some((64, 9)),
            Hash::Sha384 | Hash::Sha512 | Hash::Sha512_256 => Some((128, 17)),
            _ => None,
        }
    }
}

impl FromStr for Hash {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let plain = Hash::PLAIN.into_iter().find(|hash| hash.name() == name);
        let tree = || name.parse().ok().map(Hash::Tree);
        let cipher = || name.parse().ok().map(Hash::Cipher);
        let aegis = || name.parse().ok().map(Hash::Aegis);
        let gcm = || name.parse().ok().map(Hash::Gcm);
        let xmss = || name.parse().ok().map(Hash::Xmss);
        let signatures = || xmss().or_else(|| Set::parse(name).map(Hash::SlhDsaOrLms));
        plain.or_else(tree).or_else(cipher).or_else(aegis).or_else(gcm).or_else(signatures).ok_or_else(|| {
            let names = Hash::PLAIN.map(Hash::name).join(", ");
            format!(
                "unknown hash {name:?}; expected one of {names}, tree modes such as jlanes-v1-sha256-16, ciphers such as \
                 aes-128-cbc-encrypt, aes-128-gcm and aegis-128l, and sets of signatures such as XMSS-SHA2_10_256 and SLH-DSA-SHA2-128s"
            )
        })
    }
}

/// A hash and the shape of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Work {
    /// The function.
    pub(crate) hash: Hash,
    /// The input.
    pub(crate) shape: Shape,
}

impl Work {
    /// `hash` of `shape`.
    pub(crate) const fn new(hash: Hash, shape: Shape) -> Self {
        Work { hash, shape }
    }
}

/// The opposite of [`size_text`].
pub(crate) fn parse_size(text: &str) -> Result<usize, String> {
    let wrong = || format!("{text:?} is no size: a number, perhaps with K or M");
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        _ => (text, 0),
    };
    let number: usize = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes <= 1 << 36).ok_or_else(wrong)
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.hash.name())?;
        let size = size_text;
        match self.shape {
            Shape::One { len } => write!(f, "{}", size(len)),
            Shape::Many { count, len, stride } if stride == len + GAP => write!(f, "{count}x{}", size(len)),
            Shape::Many { count, len, stride } => write!(f, "{count}x{}/{}", size(len), size(stride)),
            Shape::Random { count, max } => write!(f, "random:{count}x{}", size(max)),
            Shape::Fixed { count, len } => write!(f, "fixed:{count}x{}", size(len)),
            Shape::Rows { count, len, text: Text::Bytes } => write!(f, "rows:{count}x{}", size(len)),
            Shape::Rows { count, len, text: Text::Hex } => write!(f, "rows-hex:{count}x{}", size(len)),
            Shape::Lanes { count, len } => write!(f, "lanes:{count}x{}", size(len)),
            Shape::Continue { count, len } => write!(f, "continue:{count}x{}", size(len)),
            Shape::Signatures(operation) => operation.fmt(f),
        }
    }
}

/// The maximum memory of a workload's messages.
const MOST_BYTES: usize = 4 << 30;

impl FromStr for Work {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (hash, shape) = text.split_once(':').ok_or("a work is HASH:SHAPE, such as sha256:1024x8K")?;
        let hash: Hash = hash.parse()?;
        if let Hash::Xmss(_) | Hash::SlhDsaOrLms(_) = hash {
            return Ok(Work { hash, shape: Shape::Signatures(shape.parse()?) });
        }
        let (kind, sizes) = shape.split_once(':').unwrap_or(("", shape));
        let counted = || -> Result<(usize, &str), String> {
            let (count, len) = sizes.split_once('x').ok_or("COUNTxLENGTH is missing")?;
            match count.parse() {
                Ok(count) if count > 0 => Ok((count, len)),
                _ => Err(format!("{count:?} is not a number of messages")),
            }
        };
        let pair = || counted().and_then(|(count, len)| Ok((count, parse_size(len)?)));
        let shape = match kind {
            "" if !sizes.contains('x') => Shape::One { len: parse_size(sizes)? },
            "" => {
                let (count, rest) = counted()?;
                let (len, stride) = rest.split_once('/').unwrap_or((rest, ""));
                let len = parse_size(len)?;
                let stride = if stride.is_empty() { len + GAP } else { parse_size(stride)? };
                if stride < len {
                    return Err(format!("messages of {len} bytes are no {stride} bytes apart"));
                }
                Shape::Many { count, len, stride }
            }
            "random" => pair().map(|(count, max)| Shape::Random { count, max: max.max(1) })?,
            "fixed" => pair().map(|(count, len)| Shape::Fixed { count, len })?,
            "rows" => pair().map(|(count, len)| Shape::Rows { count, len, text: Text::Bytes })?,
            "rows-hex" => pair().map(|(count, len)| Shape::Rows { count, len, text: Text::Hex })?,
            "lanes" => {
                let (count, len) = pair()?;
                let (block, _) = hash.block_and_padding().ok_or("lanes are of FIPS 180-4's hashes")?;
                if len == 0 || !len.is_multiple_of(block) {
                    return Err(format!("{len} bytes are not whole blocks"));
                }
                Shape::Lanes { count, len }
            }
            "continue" => match (pair()?, hash.block_and_padding()) {
                ((count, len), Some((block, _))) if len == block => Shape::Continue { count, len },
                _ => return Err("one-block continuations are of a block of FIPS 180-4's hashes".into()),
            },
            _ => {
                return Err(format!(
                    "unknown shape {kind:?}; expected one of random, fixed, rows, rows-hex, lanes, continue"
                ));
            }
        };
        let of_messages = matches!(shape, Shape::One { .. } | Shape::Many { .. } | Shape::Random { .. });
        let is_tree = matches!(hash, Hash::Tree(_) | Hash::Sha3Tree(_) | Hash::Ssz | Hash::FsVerity);
        if matches!(hash, Hash::Aegis(_)) && !Aegis::takes(shape) {
            return Err(format!("{text}: AEGIS is of whole messages"));
        }
        if matches!(hash, Hash::Gcm(_)) && !Gcm::takes(shape) {
            return Err(format!("{text}: {} is of whole messages", hash.name()));
        }
        if matches!(hash, Hash::Cipher(_)) && !Cipher::takes(shape) {
            return Err(format!("{text}: ciphers are of one message or equal ones, of whole blocks"));
        }
        if is_tree && !of_messages {
            return Err(format!("{text}: tree modes are of whole messages"));
        }
        match shape.memory_bytes() {
            Some(bytes) if bytes <= MOST_BYTES => Ok(Work { hash, shape }),
            _ => Err(format!("{text}: more than {} of messages", size_text(MOST_BYTES))),
        }
    }
}

impl TryFrom<String> for Work {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Work> for String {
    fn from(work: Work) -> String {
        work.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_is_parsed_as_written() {
        for text in [
            "sha256:64",
            "sha1:16K",
            "sha512:1024x8K",
            "sha256:1024x8K/8K",
            "sha256:random:1024x16K",
            "sha256:fixed:4096x64",
            "sha256:rows:1000000x20",
            "sha512-256:rows-hex:1000x20",
            "sha256:lanes:16x9K",
            "sha512:continue:64x128",
            "blake3:8M",
            "sha3-256-tree-4:1M",
            "jlanes-v1-sha256-16:16M",
            "jpointers-v1s-sha512-255:3x100",
            "mh_sha1:random:20x1M",
            "parallel_hash:888",
            "XMSS-SHA2_10_256:keygen",
            "XMSSMT-SHA2_20/4_512:sign",
            "XMSS-SHA2_16_192:sign-checked",
            "XMSS-SHA2_10_256:verify",
            "XMSSMT-SHA2_60/12_256:verify-many:16",
            "aegis-128l:16K",
            "aegis-128-decrypt:random:20x1K",
            "aegis-256x4:8x16K",
            "aes-128-gcm:1420",
            "aes-256-gcm:64x256",
            "aes-128-gcm-siv:1420",
            "aes-128-cbc-encrypt:8x16K",
            "aes-192-cbc-decrypt:16K",
            "aes-256-ctr:4x8K/8K",
            "aes-128-ctr-parts-16:4K",
        ] {
            assert_eq!(text.parse::<Work>().unwrap().to_string(), text);
        }
        let spelled_out: Work = "sha256:1024x8192/8256".parse().unwrap();
        assert_eq!(spelled_out.to_string(), "sha256:1024x8K");
    }

    #[test]
    fn invalid_workloads_are_refused() {
        for text in [
            "",
            "sha256",
            "md5:64",
            "sha256:x",
            "sha256:0x64",
            "sha256:3x",
            "sha256:2x64/32",
            "sha256:lanes:4x100",
            "blake3:lanes:4x64",
            "sha512:continue:4x64",
            "sha256:odd:3x4",
            "jlanes-v2-sha256-16:64",
            "jlanes-v1-sha256-0:64",
            "mh_sha256:lanes:16x1K",
            "aegis-128l:fixed:4x64",
            "aegis-512:64",
            "aes-128-gcm:fixed:4x64",
            "aes-128-cbc-encrypt:17",
            "aes-512-ctr:64",
            "aes-128-ctr-parts-17:64",
            "aes-128-ecb:64",
            "aes-128-ctr:fixed:4x64",
            "sha256:1K1",
            "sha256:99999999999999999999M",
            "sha256:99999999x1M",
            "sha256:1000000000x10000000000",
            "sha256:keygen",
            "XMSS-SHA2_11_256:keygen",
            "XMSS-SHA2_10_256:64",
            "XMSS-SHA2_10_256:sign:3",
            "XMSS-SHA2_10_256:verify-many:0",
            "XMSS-SHA2_10_256:verify-many",
        ] {
            assert!(text.parse::<Work>().is_err(), "{text}");
        }
    }
}
