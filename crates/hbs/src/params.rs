//! Parameter sets: RFC 8391, sections 5.3 and 5.4 and 8 (OIDs), and SP 800-208, section 5.

use core::fmt;

/// Bits of a message that one WOTS+ chain encodes: w = 16 in every set.
pub(crate) const LOG_W: u32 = 4;
/// Steps of a whole chain: w − 1.
pub(crate) const MAX_STEPS: u32 = (1 << LOG_W) - 1;
/// The length of the longest value: n = 64.
pub(crate) const MAX_N: usize = 64;

/// XMSS or XMSS^MT.
///
/// Both number their sets from 1, so an OID alone does not identify the scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// One tree (RFC 8391, section 4.1).
    Xmss,
    /// Trees of several layers (section 4.2).
    XmssMt,
}

/// The hash functions of the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashFamily {
    /// SHA-256 for n = 24 and 32, SHA-512 for n = 64.
    Sha2,
    /// SHAKE128 for n = 32, SHAKE256 for n = 64 (RFC 8391).
    Shake,
    /// SHAKE256 for n = 24 and 32 (SP 800-208).
    Shake256,
}

/// A parameter set by its name or OID.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{ParameterSet, Scheme};
///
/// let set: ParameterSet = "XMSSMT-SHA2_20/4_256".parse()?;
/// assert_eq!((set.oid(), set.n(), set.height(), set.layers()), (Some(2), 32, 20, 4));
/// assert_eq!(set.signature_bytes(), 9251);
/// assert_eq!(ParameterSet::from_oid(Scheme::XmssMt, 2)?, set);
/// # Ok::<(), hashlanes::hbs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterSet {
    scheme: Scheme,
    hash: HashFamily,
    n: u8,
    height: u8,
    layers: u8,
}

/// Hashes and n, in the order of the OIDs.
const FAMILIES: [(HashFamily, u8); 7] = [
    (HashFamily::Sha2, 32),
    (HashFamily::Sha2, 64),
    (HashFamily::Shake, 32),
    (HashFamily::Shake, 64),
    (HashFamily::Sha2, 24),
    (HashFamily::Shake256, 32),
    (HashFamily::Shake256, 24),
];
/// Heights and layers of XMSS, in the order of the OIDs.
const XMSS: [(u8, u8); 3] = [(10, 1), (16, 1), (20, 1)];
/// Heights and layers of XMSS^MT, in the order of the OIDs.
const XMSS_MT: [(u8, u8); 8] = [(20, 2), (20, 4), (40, 2), (40, 4), (40, 8), (60, 3), (60, 6), (60, 12)];

impl Scheme {
    fn shapes(self) -> &'static [(u8, u8)] {
        match self {
            Self::Xmss => &XMSS,
            Self::XmssMt => &XMSS_MT,
        }
    }

    /// Returns the name as it occurs in sets' names: `XMSS`, `XMSSMT`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xmss => "XMSS",
            Self::XmssMt => "XMSSMT",
        }
    }
}

impl ParameterSet {
    /// Returns all sets that have an OID, including those over SHAKE, in the order of their OIDs.
    pub fn all() -> impl Iterator<Item = Self> {
        [Scheme::Xmss, Scheme::XmssMt].into_iter().flat_map(|scheme| {
            FAMILIES.into_iter().flat_map(move |(hash, n)| {
                let of = move |&(height, layers)| Self { scheme, hash, n, height, layers };
                scheme.shapes().iter().map(of)
            })
        })
    }

    /// Returns a set over SHA-2 of any height, usually without an OID.
    ///
    /// For tests, because the standards' sets take long.
    ///
    /// # Panics
    /// Panics unless n is 24, 32 or 64, each layer has a height of 1 to 20, and the layers together a height
    /// of 60 at most.
    #[doc(hidden)]
    pub const fn of_height(scheme: Scheme, n: u8, height: u8, layers: u8) -> Self {
        Self::checked_of_height(scheme, n, height, layers).expect("there is no such set")
    }

    /// Returns the same set, or `None` instead of a panic.
    pub(crate) const fn checked_of_height(scheme: Scheme, n: u8, height: u8, layers: u8) -> Option<Self> {
        let is_known = matches!(n, 24 | 32 | 64) && layers > 0 && height <= 60;
        let is_even = is_known && height.is_multiple_of(layers) && matches!(height / layers, 1..=20);
        if is_even && (matches!(scheme, Scheme::XmssMt) || layers == 1) {
            Some(Self { scheme, hash: HashFamily::Sha2, n, height, layers })
        } else {
            None
        }
    }

    /// Returns the OID in keys, or `None` for a set that the standards do not define.
    pub fn oid(&self) -> Option<u32> {
        let family = FAMILIES.iter().position(|&family| family == (self.hash, self.n))?;
        let shapes = self.scheme.shapes();
        let shape = shapes.iter().position(|&shape| shape == (self.height, self.layers))?;
        Some((family * shapes.len() + shape + 1) as u32)
    }

    /// Returns the scheme: XMSS or XMSS^MT.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }
    /// Returns the hash functions.
    pub fn hash(&self) -> HashFamily {
        self.hash
    }
    /// Returns n: the length in bytes of a node, a seed and a message's hash.
    pub fn n(&self) -> usize {
        self.n.into()
    }
    /// Returns h: the height of all layers together.
    pub fn height(&self) -> u32 {
        self.height.into()
    }
    /// Returns d: the layers; 1 for XMSS.
    pub fn layers(&self) -> u32 {
        self.layers.into()
    }
    /// Returns h / d: the height of a tree.
    pub fn tree_height(&self) -> u32 {
        self.height() / self.layers()
    }
    /// Returns len: the chains of a one-time key, section 3.1.1.
    pub fn n_chains(&self) -> usize {
        2 * self.n() + 3
    }
    /// Returns 2^h: the number of signatures that a key can make.
    pub fn signatures(&self) -> u64 {
        1 << self.height
    }
    /// Returns the length in bytes of the index in a signature: sections 4.1.8 and 4.2.3.
    pub fn index_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Xmss => 4,
            Scheme::XmssMt => self.height().div_ceil(8) as usize,
        }
    }
    /// Returns the length of a signature in bytes.
    pub fn signature_bytes(&self) -> usize {
        self.index_bytes() + self.n() + self.layers() as usize * self.layer_bytes()
    }
    /// Returns the length in bytes of one layer of a signature: a one-time signature and an authentication
    /// path.
    pub(crate) fn layer_bytes(&self) -> usize {
        (self.n_chains() + self.tree_height() as usize) * self.n()
    }
    /// Returns the length in bytes of a raw public key: OID ‖ root ‖ SEED, sections 4.1.7 and 4.2.2.
    pub fn public_key_bytes(&self) -> usize {
        4 + 2 * self.n()
    }
}

/// Writes a name such as `XMSS-SHA2_10_256` or `XMSSMT-SHA2_20/4_256`.
impl fmt::Display for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = match self.hash {
            HashFamily::Sha2 => "SHA2",
            HashFamily::Shake => "SHAKE",
            HashFamily::Shake256 => "SHAKE256",
        };
        write!(f, "{}-{hash}_{}", self.scheme.name(), self.height)?;
        if self.scheme == Scheme::XmssMt {
            write!(f, "/{}", self.layers)?;
        }
        write!(f, "_{}", 8 * self.n())
    }
}
