//! The internal functions (FIPS 205, section 9): keys, and signatures of an encoded message.

use alloc::vec;
use alloc::vec::Vec;

use super::address::ForsKey;
use super::error::Error;
use super::message_hash::{Feed, MessageHash};
use super::params::ParameterSet;
use super::suite::{Functions, Suite};
use super::{fors, hypertree};

/// slh_keygen_internal (algorithm 18): PK.root.
pub(super) fn root<S: Suite>(set: ParameterSet, sk_seed: &[u8], pk_seed: &[u8]) -> Vec<u8> {
    let functions = Functions::<S>::new(pk_seed);
    let root = hypertree::root(set, &functions, sk_seed).as_ref().to_vec();
    hashlanes_isa::wipe_stack();
    root
}

/// The parts of a message's hash.
struct Selected<'d> {
    md: &'d [u8],
    /// idx_tree and idx_leaf.
    leaf: (u64, u32),
}

impl<'d> Selected<'d> {
    /// Splits the hash: within algorithms 19 and 20.
    fn of(set: ParameterSet, digest: &'d [u8]) -> Self {
        let (md, rest) = digest.split_at(set.md_bytes());
        let (tree, leaf) = rest.split_at(set.tree_index_bytes());
        let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        let low = |number: u64, n_bits: u32| number & (u64::MAX >> (64 - n_bits));
        let height = set.tree_height();
        let tree = low(number(tree), set.height() - height);
        Self { md, leaf: (tree, low(number(leaf), height) as u32) }
    }

    fn fors_key(&self) -> ForsKey {
        ForsKey { tree: self.leaf.0, leaf: self.leaf.1 }
    }
}

/// slh_sign_internal (algorithm 19) of a message, which `feed` passes twice. `key` is SK.seed ‖ SK.prf ‖
/// PK.seed ‖ PK.root.
///
/// # Errors
/// The errors of `feed`.
pub(super) fn sign<S: Suite, E>(
    set: ParameterSet,
    key: &[u8],
    opt_rand: &[u8],
    feed: &mut Feed<'_, E>,
) -> Result<Vec<u8>, E> {
    let parts: Vec<&[u8]> = key.chunks_exact(S::N).collect();
    let &[sk_seed, sk_prf, pk_seed, pk_root] = &parts[..] else { unreachable!("a key has four parts") };
    let mut signature = Vec::with_capacity(set.signature_bytes());
    signature.resize(S::N, 0);
    S::Message::prf_msg(sk_prf, opt_rand, feed, &mut signature)?;
    let mut hash = S::Message::new(&signature, pk_seed, pk_root);
    feed(&mut |part| hash.update(part))?;
    let mut digest = vec![0; set.digest_bytes()];
    hash.finish(&mut digest);

    let selected = Selected::of(set, &digest);
    let functions = Functions::<S>::new(pk_seed);
    let fors_key = selected.fors_key();
    let fors_root = fors::sign(set, &functions, sk_seed, fors_key, selected.md, &mut signature);
    hypertree::sign(set, &functions, sk_seed, &fors_root, selected.leaf, &mut signature);
    hashlanes_isa::wipe_stack();
    Ok(signature)
}

/// Begins the hash of a message to be verified: H_msg within algorithm 20. `key` is PK.seed ‖ PK.root.
pub(super) fn begin<S: Suite>(key: &[u8], signature: &[u8]) -> S::Message {
    let (pk_seed, pk_root) = key.split_at(S::N);
    S::Message::new(&signature[..S::N], pk_seed, pk_root)
}

/// Ends a message's hash.
pub(super) fn end<S: Suite>(set: ParameterSet, hash: S::Message) -> Vec<u8> {
    let mut digest = vec![0; set.digest_bytes()];
    hash.finish(&mut digest);
    digest
}

/// slh_verify_internal (algorithm 20) of several signatures of the right length, each with its message's
/// hash.
pub(super) fn verify_hashed<S: Suite>(
    set: ParameterSet,
    key: &[u8],
    claims: &[(Vec<u8>, &[u8])],
) -> Vec<Result<(), Error>> {
    /// Signatures that go through the lanes together.
    const TOGETHER: usize = 16;
    let (pk_seed, pk_root) = key.split_at(S::N);
    let functions = Functions::<S>::new(pk_seed);
    let mut results = Vec::with_capacity(claims.len());
    for claims in claims.chunks(TOGETHER) {
        let selected: Vec<_> = claims.iter().map(|(digest, _)| Selected::of(set, digest)).collect();
        let (fors, layers): (Vec<&[u8]>, Vec<&[u8]>) =
            claims.iter().map(|(_, signature)| signature[S::N..].split_at(set.fors_bytes())).unzip();
        let keys: Vec<_> = selected.iter().map(Selected::fors_key).collect();
        let mds: Vec<_> = selected.iter().map(|selected| selected.md).collect();
        let nodes = fors::public_keys_from_signatures(set, &functions, &keys, &mds, &fors);
        let leaves: Vec<_> = selected.iter().map(|selected| selected.leaf).collect();
        let roots = hypertree::roots_from_signatures(set, &functions, &leaves, nodes, &layers);
        results.extend(
            roots.iter().map(|root| if root.as_ref() == pk_root { Ok(()) } else { Err(Error::Invalid) }),
        );
    }
    results
}
