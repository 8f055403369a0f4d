//! Parameter sets: FIPS 205, section 11, table 2.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use super::error::Error;

/// The hash functions of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// SHA-256; sets of n = 24 and 32 also use SHA-512: section 11.2.
    Sha2,
    /// SHAKE256: section 11.1.
    Shake,
}

/// A parameter set of FIPS 205, by its name.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::slh_dsa::ParameterSet;
///
/// let set: ParameterSet = "SLH-DSA-SHA2-128s".parse()?;
/// assert_eq!((set.n(), set.signature_bytes()), (16, 7856));
/// assert_eq!(set.to_string(), "SLH-DSA-SHA2-128s");
/// # Ok::<(), hashlanes::hbs::slh_dsa::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterSet(&'static Row);

/// A row of table 2.
#[derive(PartialEq, Eq, Hash)]
struct Row {
    name: &'static str,
    /// The last number of the object identifier (RFC 9909, section 3); those of the pre-hash form are 15
    /// greater.
    oid: u8,
    family: Family,
    n: usize,
    /// d.
    layers: u32,
    /// h'.
    tree_height: u32,
    /// a.
    fors_height: u32,
    /// k.
    fors_trees: u32,
}

macro_rules! rows {
    ($($name:literal $oid:literal $family:ident n $n:literal d $d:literal h1 $h1:literal a $a:literal k $k:literal;)*) => {
        const ROWS: &[Row] = &[$(Row {
            name: $name,
            oid: $oid,
            family: Family::$family,
            n: $n,
            layers: $d,
            tree_height: $h1,
            fors_height: $a,
            fors_trees: $k,
        }),*];
    };
}
rows! {
    "SLH-DSA-SHA2-128s"  20 Sha2  n 16 d  7 h1 9 a 12 k 14;
    "SLH-DSA-SHA2-128f"  21 Sha2  n 16 d 22 h1 3 a  6 k 33;
    "SLH-DSA-SHA2-192s"  22 Sha2  n 24 d  7 h1 9 a 14 k 17;
    "SLH-DSA-SHA2-192f"  23 Sha2  n 24 d 22 h1 3 a  8 k 33;
    "SLH-DSA-SHA2-256s"  24 Sha2  n 32 d  8 h1 8 a 14 k 22;
    "SLH-DSA-SHA2-256f"  25 Sha2  n 32 d 17 h1 4 a  9 k 35;
    "SLH-DSA-SHAKE-128s" 26 Shake n 16 d  7 h1 9 a 12 k 14;
    "SLH-DSA-SHAKE-128f" 27 Shake n 16 d 22 h1 3 a  6 k 33;
    "SLH-DSA-SHAKE-192s" 28 Shake n 24 d  7 h1 9 a 14 k 17;
    "SLH-DSA-SHAKE-192f" 29 Shake n 24 d 22 h1 3 a  8 k 33;
    "SLH-DSA-SHAKE-256s" 30 Shake n 32 d  8 h1 8 a 14 k 22;
    "SLH-DSA-SHAKE-256f" 31 Shake n 32 d 17 h1 4 a  9 k 35;
}

impl ParameterSet {
    /// Returns all sets, in the order of their object identifiers.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(Self)
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.0.name
    }
    /// Returns the hash functions.
    pub fn family(self) -> Family {
        self.0.family
    }
    /// Returns n: the length in bytes of a hash, and of each seed.
    pub fn n(self) -> usize {
        self.0.n
    }
    /// Returns h: the height of all layers' trees together.
    pub fn height(self) -> u32 {
        self.0.layers * self.0.tree_height
    }
    /// Returns d: the number of layers of trees.
    pub fn layers(self) -> u32 {
        self.0.layers
    }
    /// Returns h': the height of each tree of the hypertree.
    pub fn tree_height(self) -> u32 {
        self.0.tree_height
    }
    /// Returns a: the height of each tree of FORS.
    pub fn fors_height(self) -> u32 {
        self.0.fors_height
    }
    /// Returns k: the number of trees of FORS.
    pub fn fors_trees(self) -> u32 {
        self.0.fors_trees
    }
    /// Returns the length of a public key in bytes.
    pub fn public_key_bytes(self) -> usize {
        2 * self.n()
    }
    /// Returns the length of a private key in bytes.
    pub fn private_key_bytes(self) -> usize {
        4 * self.n()
    }
    /// Returns the length of a signature in bytes.
    pub fn signature_bytes(self) -> usize {
        self.n() + self.fors_bytes() + self.layers() as usize * self.layer_bytes()
    }

    /// Returns the length in bytes of the FORS signature in a signature.
    pub(super) fn fors_bytes(self) -> usize {
        self.fors_trees() as usize * (1 + self.fors_height() as usize) * self.n()
    }
    /// Returns the length in bytes of one layer in a signature.
    pub(super) fn layer_bytes(self) -> usize {
        (2 * self.n() + 3 + self.tree_height() as usize) * self.n()
    }
    /// Returns the number of bytes of a message's hash that select nodes of FORS.
    pub(super) fn md_bytes(self) -> usize {
        (self.fors_height() * self.fors_trees()).div_ceil(8) as usize
    }
    /// Returns the number of bytes of a message's hash that select a tree of the lowest layer.
    pub(super) fn tree_index_bytes(self) -> usize {
        (self.height() - self.tree_height()).div_ceil(8) as usize
    }
    /// Returns m: the length of a message's hash in bytes.
    pub(super) fn digest_bytes(self) -> usize {
        self.md_bytes() + self.tree_index_bytes() + self.tree_height().div_ceil(8) as usize
    }
    /// Returns the last number of the object identifier.
    pub(super) fn oid(self) -> u8 {
        self.0.oid
    }
}

impl fmt::Display for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Debug for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl FromStr for ParameterSet {
    type Err = Error;

    /// # Errors
    /// [`Error::UnknownSet`] if the name is unknown.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::all().find(|set| set.name() == name).ok_or_else(|| Error::UnknownSet(name.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_standard() {
        // m, public key, signature: the last columns of table 2, in its order.
        let sizes = [
            (30, 32, 7856),
            (34, 32, 17088),
            (39, 48, 16224),
            (42, 48, 35664),
            (47, 64, 29792),
            (49, 64, 49856),
        ];
        for (set, (m, public_key, signature)) in ParameterSet::all().zip([sizes, sizes].concat()) {
            assert_eq!(set.digest_bytes(), m, "{set}");
            assert_eq!(set.public_key_bytes(), public_key, "{set}");
            assert_eq!(set.signature_bytes(), signature, "{set}");
        }
    }
}
