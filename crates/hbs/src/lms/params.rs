//! Parameter sets: RFC 8554, sections 4.1, 5.1 and 6; SP 800-208, section 4.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::Error;

/// The maximum number of levels of an HSS key: section 6.
pub(crate) const MAX_LEVELS: usize = 8;
/// The greatest height of a key that signs: files and interfaces hold its index in 64 bits.
const MAX_HEIGHT: u32 = 60;
/// The longest hash: n = 32.
pub(crate) const MAX_N: usize = 32;
/// Length of I, a tree's identifier, in bytes.
pub(crate) const IDENTIFIER_BYTES: usize = 16;

/// The hash function of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashFamily {
    /// SHA-256, truncated for n = 24.
    Sha256,
    /// SHAKE256.
    Shake256,
}

/// Hashes and n, in the order of the typecodes.
const FAMILIES: [(HashFamily, u8); 4] = [
    (HashFamily::Sha256, 32),
    (HashFamily::Sha256, 24),
    (HashFamily::Shake256, 32),
    (HashFamily::Shake256, 24),
];
/// Heights of trees, in the order of the typecodes.
const HEIGHTS: [u8; 5] = [5, 10, 15, 20, 25];
/// Bits of a message that one chain encodes, in the order of the typecodes.
const WIDTHS: [u8; 4] = [1, 2, 4, 8];
/// The typecode of the first LMS set; the typecode of the first LM-OTS set is 1.
const FIRST_LMS: u32 = 5;
const FIRST_LMOTS: u32 = 1;

/// The parameters of one tree: an LMS set, and an LM-OTS set with the same hash and n.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::lms::Level;
///
/// let level: Level = "LMS_SHA256_M24_H20_W8".parse()?;
/// assert_eq!((level.n(), level.height(), level.w()), (24, 20, 8));
/// assert_eq!((level.lms_type(), level.lmots_type()), (0x0d, 0x08));
/// # Ok::<(), hashlanes::hbs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    hash: HashFamily,
    n: u8,
    height: u8,
    w: u8,
}

impl Level {
    /// Returns all of them, in the order of their typecodes.
    pub fn all() -> impl Iterator<Item = Self> {
        FAMILIES.into_iter().flat_map(|(hash, n)| {
            HEIGHTS.into_iter().flat_map(move |height| WIDTHS.map(|w| Self { hash, n, height, w }))
        })
    }

    /// Returns the level of two typecodes.
    ///
    /// # Errors
    /// [`Error::Typecode`] if one is unknown, or they differ in their hash or n.
    pub fn from_types(lms: u32, lmots: u32) -> Result<Self, Error> {
        let mut levels = Self::all();
        let found = levels.find(|level| (level.lms_type(), level.lmots_type()) == (lms, lmots));
        found.ok_or(Error::Typecode { lms, lmots })
    }

    fn family(self) -> u32 {
        FAMILIES.iter().position(|family| *family == (self.hash, self.n)).expect("one of them") as u32
    }

    /// Returns the typecode of the LMS set.
    pub fn lms_type(self) -> u32 {
        FIRST_LMS + self.family() * HEIGHTS.len() as u32 + u32::from(self.height / 5 - 1)
    }
    /// Returns the typecode of the LM-OTS set.
    pub fn lmots_type(self) -> u32 {
        FIRST_LMOTS + self.family() * WIDTHS.len() as u32 + self.w.ilog2()
    }
    /// Returns the hash function.
    pub fn hash(self) -> HashFamily {
        self.hash
    }
    /// Returns n, which is also m: the length of a hash in bytes.
    pub fn n(self) -> usize {
        self.n.into()
    }
    /// Returns h: the height of the tree.
    pub fn height(self) -> u32 {
        self.height.into()
    }
    /// Returns w: the bits of a message that one chain encodes.
    pub fn w(self) -> u32 {
        self.w.into()
    }
    /// Returns p: the chains of a one-time key, appendix B.
    pub fn n_chains(self) -> usize {
        self.message_chains() + self.checksum_chains()
    }
    /// Returns u: the chains for the message's hash.
    fn message_chains(self) -> usize {
        8 * self.n() / usize::from(self.w)
    }
    /// Returns v: the chains for the checksum.
    fn checksum_chains(self) -> usize {
        let most = self.max_steps() * self.message_chains();
        (most.ilog2() + 1).div_ceil(self.w()) as usize
    }
    /// Returns ls: how far the checksum is shifted to the left.
    pub(crate) fn checksum_shift(self) -> u32 {
        16 - self.checksum_chains() as u32 * self.w()
    }
    /// Returns 2^w − 1: the steps of a whole chain.
    pub(crate) fn max_steps(self) -> usize {
        (1 << self.w) - 1
    }
    /// Returns the length of a public key of LMS in bytes: section 5.3.
    pub fn public_key_bytes(self) -> usize {
        8 + IDENTIFIER_BYTES + self.n()
    }
    /// Returns the length of an LM-OTS signature in bytes: section 4.5.
    pub(crate) fn ots_bytes(self) -> usize {
        4 + self.n() + self.n_chains() * self.n()
    }
    /// Returns the length of an LMS signature in bytes: section 5.4.
    pub fn signature_bytes(self) -> usize {
        4 + self.ots_bytes() + 4 + self.height() as usize * self.n()
    }
}

/// Writes a name such as `LMS_SHA256_M24_H20_W8`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = match self.hash {
            HashFamily::Sha256 => "SHA256",
            HashFamily::Shake256 => "SHAKE",
        };
        write!(f, "LMS_{hash}_M{}_H{}_W{}", self.n, self.height, self.w)
    }
}

impl FromStr for Level {
    type Err = Error;

    /// # Errors
    /// [`Error::UnknownSet`] if the name is unknown.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::all().find(|level| level.to_string() == name).ok_or_else(|| Error::UnknownSet(name.into()))
    }
}

/// The parameters of a key: one tree, or up to eight levels of them (HSS), the topmost first.
///
/// All levels have the same hash and n (SP 800-208, section 4), and make at most 2^60 signatures.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::lms::ParameterSet;
///
/// let set: ParameterSet = "LMS_SHA256_M32_H10_W4/LMS_SHA256_M32_H10_W4".parse()?;
/// assert_eq!((set.levels().len(), set.signatures()), (2, 1 << 20));
/// # Ok::<(), hashlanes::hbs::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterSet {
    levels: [Level; MAX_LEVELS],
    n_levels: u8,
}

impl ParameterSet {
    /// Returns the set of these levels, the topmost first.
    ///
    /// # Errors
    /// [`Error::Levels`] if there are none or more than eight, if their hashes or n differ, or if they make
    /// more than 2^60 signatures.
    pub fn new(levels: &[Level]) -> Result<Self, Error> {
        let [top, ..] = levels else { return Err(Error::Levels("no level; expected one to eight")) };
        if levels.len() > MAX_LEVELS {
            return Err(Error::Levels("more than eight levels"));
        }
        if levels.iter().any(|level| (level.hash, level.n) != (top.hash, top.n)) {
            return Err(Error::Levels("levels of different hashes; all must have the same hash and length"));
        }
        if levels.iter().map(|level| level.height()).sum::<u32>() > MAX_HEIGHT {
            return Err(Error::Levels("levels of a height above 60 together"));
        }
        // Unused levels are equal, so that sets can be compared.
        let mut all = [*top; MAX_LEVELS];
        all[..levels.len()].copy_from_slice(levels);
        Ok(Self { levels: all, n_levels: levels.len() as u8 })
    }

    /// Returns the levels, the topmost first.
    pub fn levels(&self) -> &[Level] {
        &self.levels[..self.n_levels.into()]
    }
    /// Returns the hash function.
    pub fn hash(&self) -> HashFamily {
        self.levels[0].hash
    }
    /// Returns n: the length in bytes of a hash, and of the secret seed.
    pub fn n(&self) -> usize {
        self.levels[0].n()
    }
    /// Returns the height of all levels together.
    pub fn height(&self) -> u32 {
        self.levels().iter().map(|level| level.height()).sum()
    }
    /// Returns the number of signatures that a key can make.
    pub fn signatures(&self) -> u64 {
        1 << self.height()
    }
    /// Returns the length of a public key of HSS in bytes: section 6.1.
    pub fn public_key_bytes(&self) -> usize {
        4 + self.levels[0].public_key_bytes()
    }
    /// Returns the length of a signature of HSS in bytes: section 6.2.
    pub fn signature_bytes(&self) -> usize {
        let signatures: usize = self.levels().iter().map(|level| level.signature_bytes()).sum();
        let keys: usize = self.levels()[1..].iter().map(|level| level.public_key_bytes()).sum();
        4 + signatures + keys
    }
}

impl fmt::Debug for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes the names of the levels, with `/` between them.
impl fmt::Display for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, level) in self.levels().iter().enumerate() {
            let separator = if i == 0 { "" } else { "/" };
            write!(f, "{separator}{level}")?;
        }
        Ok(())
    }
}

impl FromStr for ParameterSet {
    type Err = Error;

    /// # Errors
    /// [`Error::UnknownSet`] if a name is unknown; [`Error::Levels`] if the levels cannot be combined.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::new(&name.split('/').map(str::parse).collect::<Result<Vec<Level>, Error>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chains_are_those_of_the_standards() {
        // RFC 8554, table 1, and SP 800-208, table 1: p, ls, length of a signature.
        let of_32 = [(265, 7, 8516), (133, 6, 4292), (67, 4, 2180), (34, 0, 1124)];
        let of_24 = [(200, 8, 4828), (101, 6, 2452), (51, 4, 1252), (26, 0, 652)];
        for level in Level::all() {
            let expected = if level.n() == 32 { of_32 } else { of_24 }[level.w().ilog2() as usize];
            let (p, ls, bytes) = expected;
            assert_eq!(
                (level.n_chains(), level.checksum_shift(), level.ots_bytes()),
                (p, ls, bytes),
                "{level}"
            );
        }
    }

    #[test]
    fn typecodes_are_those_of_the_standards() {
        for (name, lms, lmots) in [
            ("LMS_SHA256_M32_H5_W1", 0x05, 0x01),
            ("LMS_SHA256_M32_H25_W8", 0x09, 0x04),
            ("LMS_SHA256_M24_H5_W1", 0x0a, 0x05),
            ("LMS_SHA256_M24_H25_W8", 0x0e, 0x08),
            ("LMS_SHAKE_M32_H5_W1", 0x0f, 0x09),
            ("LMS_SHAKE_M32_H25_W8", 0x13, 0x0c),
            ("LMS_SHAKE_M24_H5_W1", 0x14, 0x0d),
            ("LMS_SHAKE_M24_H25_W8", 0x18, 0x10),
        ] {
            let level: Level = name.parse().unwrap();
            assert_eq!((level.lms_type(), level.lmots_type()), (lms, lmots), "{name}");
            assert_eq!(Level::from_types(lms, lmots), Ok(level));
        }
        assert_eq!(Level::all().count(), 80);
        // The hash differs, then n, then both are unknown.
        for (lms, lmots) in [(0x05, 0x09), (0x05, 0x05), (0, 0), (0x19, 0x11)] {
            assert_eq!(Level::from_types(lms, lmots), Err(Error::Typecode { lms, lmots }));
        }
    }

    #[test]
    fn sets_that_cannot_be_are_refused_with_the_reason() {
        let set = |name: &str| name.parse::<ParameterSet>();
        let tall = ["LMS_SHA256_M32_H25_W8"; 3].join("/");
        let nine = ["LMS_SHA256_M32_H5_W8"; 9].join("/");
        for (name, why) in [
            ("LMS_SHA256_M32_H5_W8/LMS_SHA256_M24_H5_W8", "different hashes"),
            (&tall, "above 60"),
            (&nine, "more than eight"),
            ("LMS_SHA256_M32_H6_W8", "LMS_SHA256_M32_H6_W8"),
            ("", "\"\""),
        ] {
            assert!(set(name).unwrap_err().to_string().contains(why), "{name}: {}", set(name).unwrap_err());
        }
        let eight = ["LMS_SHAKE_M24_H5_W8"; 8].join("/");
        assert_eq!(set(&eight).unwrap().to_string(), eight);
        assert_eq!(set(&eight).unwrap().signatures(), 1 << 40);
    }
}
