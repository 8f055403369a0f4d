//! SLH-DSA over SHA-2 without an allocator: FIPS 205, algorithms 8, 11, 13, 17, 20 and 24; section 11.2. One
//! hash after the other. Lists of nodes are not stored: their hash absorbs each when it is known.

use hashlanes_sha::small::{Sha256, Sha512, SmallHash};

use crate::Error;

const MAX_N: usize = 32;
/// The longest digest of a message, m.
const MAX_DIGEST: usize = 49;
/// ADRS, compressed: layer, tree, type, and three words.
const ADDRESS_BYTES: usize = 22;

const WOTS_HASH: u8 = 0;
const WOTS_PK: u8 = 1;
const TREE: u8 = 2;
const FORS_TREE: u8 = 3;
const FORS_ROOTS: u8 = 4;

/// A parameter set of SLH-DSA over SHA-2, as a type: a program contains the code of the sets that it names.
pub trait SlhDsaSet: private::Sealed {}

mod private {
    use hashlanes_sha::small::SmallHash;

    /// FIPS 205, table 2.
    pub trait Sealed {
        const N: usize;
        /// Layers, and the height of each tree.
        const D: usize;
        const HEIGHT: u32;
        /// Height of the trees of FORS, and their number.
        const A: u32;
        const K: usize;
        /// The hash of messages and of several values.
        type Wide: SmallHash;
    }
}
use private::Sealed;

macro_rules! sets {
    ($($(#[$doc:meta])* $name:ident $n:literal $d:literal $height:literal $a:literal $k:literal $wide:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl SlhDsaSet for $name {}

        impl Sealed for $name {
            const N: usize = $n;
            const D: usize = $d;
            const HEIGHT: u32 = $height;
            const A: u32 = $a;
            const K: usize = $k;
            type Wide = $wide;
        }
    )*};
}

/// The parameter sets of SLH-DSA over SHA-2.
pub mod sets {
    use super::{Sealed, Sha256, Sha512, SlhDsaSet};

    sets! {
        /// SLH-DSA-SHA2-128s.
        Sha2_128s 16 7 9 12 14 Sha256;
        /// SLH-DSA-SHA2-128f.
        Sha2_128f 16 22 3 6 33 Sha256;
        /// SLH-DSA-SHA2-192s.
        Sha2_192s 24 7 9 14 17 Sha512;
        /// SLH-DSA-SHA2-192f.
        Sha2_192f 24 22 3 8 33 Sha512;
        /// SLH-DSA-SHA2-256s.
        Sha2_256s 32 8 8 14 22 Sha512;
        /// SLH-DSA-SHA2-256f.
        Sha2_256f 32 17 4 9 35 Sha512;
    }
}

/// Verifies that `signature` is valid for `message` with a context string, under PK.seed ‖ PK.root.
///
/// Gives the same answers as the feature `slh-dsa` without an allocator, with less than 8 KiB of stack.
/// Hashes one value at a time.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{Error, slh_dsa_sets::Sha2_128s, verify_slh_dsa_no_alloc};
///
/// let answer = verify_slh_dsa_no_alloc::<Sha2_128s>(&[7; 32], b"", b"message", &[0; 7856]);
/// assert_eq!(answer, Err(Error::Invalid));
/// ```
///
/// # Errors
/// [`Error::Invalid`] if it is not valid, or the context string is longer than 255 bytes;
/// [`Error::PublicKeyLength`] and [`Error::SignatureLength`].
pub fn verify_slh_dsa_no_alloc<S: SlhDsaSet>(
    public_key: &[u8],
    context: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let (given, expected) = (public_key.len(), 2 * S::N);
    if given != expected {
        return Err(Error::PublicKeyLength { given, expected });
    }
    let n_fors = S::K * (1 + S::A as usize);
    let n_layer = 2 * S::N + 3 + S::HEIGHT as usize;
    let (given, expected) = (signature.len(), S::N * (1 + n_fors + S::D * n_layer));
    if given != expected {
        return Err(Error::SignatureLength { given, expected });
    }
    let Ok(context_bytes) = u8::try_from(context.len()) else { return Err(Error::Invalid) };
    let (seed, root) = public_key.split_at(S::N);
    let (r, rest) = signature.split_at(S::N);
    let (fors, layers) = rest.split_at(S::N * n_fors);
    let verifier = Verifier::<S>::new(seed);

    let digest = message_digest::<S>([r, seed, root], [&[0, context_bytes], context, message]);
    let md_bytes = (S::K * S::A as usize).div_ceil(8);
    let of_tree = S::HEIGHT * (S::D as u32 - 1);
    let (tree_bytes, leaf_bytes) = (of_tree.div_ceil(8) as usize, S::HEIGHT.div_ceil(8) as usize);
    let number = |bytes: &[u8], bits: u32| {
        bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)) & (u64::MAX >> (64 - bits))
    };
    let mut tree = number(&digest[md_bytes..][..tree_bytes], of_tree);
    let mut leaf = number(&digest[md_bytes + tree_bytes..][..leaf_bytes], S::HEIGHT) as u32;

    let mut node = verifier.fors_key(tree, leaf, &digest[..md_bytes], fors);
    for (layer, signature) in layers.chunks_exact(S::N * n_layer).enumerate() {
        node = verifier.tree_root(layer as u8, tree, leaf, &node, signature);
        leaf = (tree & ((1 << S::HEIGHT) - 1)) as u32;
        tree >>= S::HEIGHT;
    }
    if node[..S::N] == *root { Ok(()) } else { Err(Error::Invalid) }
}

/// H_msg: MGF1 (RFC 8017, appendix B.2.1) of R ‖ PK.seed ‖ Hash(R ‖ PK.seed ‖ PK.root ‖ M).
fn message_digest<S: SlhDsaSet>(key: [&[u8]; 3], message: [&[u8]; 3]) -> [u8; MAX_DIGEST] {
    let mut inner = S::Wide::new();
    key.iter().chain(&message).for_each(|part| inner.update(part));
    let inner = inner.finish();
    let mut digest = [0; MAX_DIGEST];
    for (counter, block) in (0_u32..).zip(digest.chunks_mut(inner.as_ref().len())) {
        let mut hash = S::Wide::new();
        for part in [key[0], key[1], inner.as_ref(), &counter.to_be_bytes()] {
            hash.update(part);
        }
        block.copy_from_slice(&hash.finish().as_ref()[..block.len()]);
    }
    digest
}

/// A value: its first n bytes count.
type Value = [u8; MAX_N];

/// The position of a hash: section 4.2, compressed as in section 11.2.
#[derive(Clone, Copy)]
struct Address([u8; ADDRESS_BYTES]);

impl Address {
    fn new(layer: u8, tree: u64, kind: u8, words: [u32; 3]) -> Self {
        let mut bytes = [0; ADDRESS_BYTES];
        bytes[0] = layer;
        bytes[1..9].copy_from_slice(&tree.to_be_bytes());
        bytes[9] = kind;
        for (place, word) in bytes[10..].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_be_bytes());
        }
        Self(bytes)
    }
}

/// The hashes under one PK.seed.
struct Verifier<S: SlhDsaSet> {
    /// PK.seed and zeros up to a block, for F.
    f: Sha256,
    /// The same for H and T_l.
    wide: S::Wide,
}

impl<S: SlhDsaSet> Verifier<S> {
    fn new(seed: &[u8]) -> Self {
        Self { f: of_block::<Sha256>(seed), wide: of_block::<S::Wide>(seed) }
    }

    fn f(&self, address: Address, value: &Value) -> Value {
        let mut hash = self.f.clone();
        hash.update(&address.0);
        hash.update(&value[..S::N]);
        first::<Sha256, S>(hash)
    }

    fn begin(&self, address: Address) -> S::Wide {
        let mut hash = self.wide.clone();
        hash.update(&address.0);
        hash
    }

    /// H of a node and its sibling; bit 0 of `number` says which is left.
    fn parent(&self, address: Address, number: u32, node: &Value, sibling: &[u8]) -> Value {
        let mut hash = self.begin(address);
        let (left, right) = if number & 1 == 0 { (&node[..S::N], sibling) } else { (sibling, &node[..S::N]) };
        hash.update(left);
        hash.update(right);
        first::<S::Wide, S>(hash)
    }

    /// fors_pkFromSig: algorithm 17.
    fn fors_key(&self, tree: u64, leaf: u32, md: &[u8], signature: &[u8]) -> Value {
        let mut roots = self.begin(Address::new(0, tree, FORS_ROOTS, [leaf, 0, 0]));
        let each = signature.chunks_exact(S::N * (1 + S::A as usize));
        for (number, signature) in (0_u32..).zip(each) {
            let bit = |i: u32| u32::from(md[i as usize / 8] >> (7 - i % 8) & 1);
            let index = (0..S::A).fold(0, |index, i| index << 1 | bit(number * S::A + i));
            let (secret, path) = signature.split_at(S::N);
            let mut place = (number << S::A) + index;
            let at = |height, place| Address::new(0, tree, FORS_TREE, [leaf, height, place]);
            let mut node = self.f(at(0, place), &value(secret));
            for (height, sibling) in (1..).zip(path.chunks_exact(S::N)) {
                let number = place;
                place >>= 1;
                node = self.parent(at(height, place), number, &node, sibling);
            }
            roots.update(&node[..S::N]);
        }
        first::<S::Wide, S>(roots)
    }

    /// xmss_pkFromSig: algorithm 11, with wots_pkFromSig, algorithm 8.
    fn tree_root(&self, layer: u8, tree: u64, leaf: u32, signed: &Value, signature: &[u8]) -> Value {
        let (chains, path) = signature.split_at(S::N * (2 * S::N + 3));
        let digit = |i: usize| u32::from(signed[i / 2] >> (4 - 4 * (i % 2)) & 15);
        let checksum: u32 = (0..2 * S::N).map(|i| 15 - digit(i)).sum();
        let mut key = self.begin(Address::new(layer, tree, WOTS_PK, [leaf, 0, 0]));
        for (chain, start) in chains.chunks_exact(S::N).enumerate() {
            let digit = match chain.checked_sub(2 * S::N) {
                None => digit(chain),
                Some(i) => checksum >> (4 * (2 - i as u32)) & 15,
            };
            let mut node = value(start);
            for step in digit..15 {
                let address = Address::new(layer, tree, WOTS_HASH, [leaf, chain as u32, step]);
                node = self.f(address, &node);
            }
            key.update(&node[..S::N]);
        }
        let mut node = first::<S::Wide, S>(key);
        for (height, sibling) in (1..).zip(path.chunks_exact(S::N)) {
            let address = Address::new(layer, tree, TREE, [0, height, leaf >> height]);
            node = self.parent(address, leaf >> (height - 1), &node, sibling);
        }
        node
    }
}

/// Absorbs PK.seed and zeros up to a block.
fn of_block<H: SmallHash>(seed: &[u8]) -> H {
    let mut block = [0; 128];
    block[..seed.len()].copy_from_slice(seed);
    let mut hash = H::new();
    hash.update(&block[..H::BLOCK_BYTES]);
    hash
}

fn value(bytes: &[u8]) -> Value {
    let mut value = [0; MAX_N];
    value[..bytes.len()].copy_from_slice(bytes);
    value
}

fn first<H: SmallHash, S: SlhDsaSet>(hash: H) -> Value {
    value(&hash.finish().as_ref()[..S::N])
}
