//! Trees upon trees (RFC 8391, section 4.2). XMSS is XMSS^MT of one layer, except for the length of its
//! index.

use alloc::vec;
use alloc::vec::Vec;

use crate::Error;
use crate::address::Tree;
#[cfg(feature = "std")]
use crate::hash::HMsg;
use crate::hash::{Prf, Secrecy, State, Suite, Worker, h_msg, put};
use crate::lanes::Lanes;
use crate::params::{MAX_N, ParameterSet};
use crate::xmss::roots_from_signatures;

/// Returns the tree and the leaf on layer `layer` that index `index` of a key uses.
pub(crate) fn place(set: &ParameterSet, index: u64, layer: u32) -> (Tree, u32) {
    let height = set.tree_height();
    let of_layer = index >> (layer * height);
    (Tree { layer, tree: of_layer >> height }, (of_layer & ((1 << height) - 1)) as u32)
}

/// The parts of a signature: idx_sig, r, the layers.
pub(crate) struct Parts<'a> {
    pub(crate) index: u64,
    pub(crate) r: &'a [u8],
    layers: &'a [u8],
}

impl<'a> Parts<'a> {
    /// Parses a signature: sections 4.1.8 and 4.2.3.
    pub(crate) fn of(set: &ParameterSet, signature: &'a [u8]) -> Result<Self, Error> {
        let (given, expected) = (signature.len(), set.signature_bytes());
        if given != expected {
            return Err(Error::SignatureLength { given, expected });
        }
        let (index, rest) = signature.split_at(set.index_bytes());
        let (r, layers) = rest.split_at(set.n());
        let index = index.iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
        if index >= set.signatures() {
            return Err(Error::Index { index, signatures: set.signatures() });
        }
        Ok(Self { index, r, layers })
    }
}

/// Signatures that are processed together: the prepared steps of their chains, about 32 KB each, then stay in
/// the second-level cache.
const TOGETHER: usize = 16;

/// XMSS_verify and XMSSMT_verify (sections 4.1.10 and 4.2.5, algorithms 14 and 17) of any number of
/// signatures under one public key: layer by layer, all of them in lanes.
pub(crate) fn verify_many<S: Suite>(
    set: &ParameterSet,
    lanes: Lanes<S::Function>,
    (root, seed): (&[u8], &[u8]),
    claims: &[(&[u8], &[u8])],
) -> Vec<Result<(), Error>> {
    let prf = Prf::<S>::new(lanes, seed);
    let mut results = vec![Ok(()); claims.len()];
    // One worker for all calls: its memory is allocated once.
    let mut worker = Worker::new(lanes, &prf, Secrecy::Public);
    for (claims, results) in claims.chunks(TOGETHER).zip(results.chunks_mut(TOGETHER)) {
        let mut parts = Vec::with_capacity(claims.len());
        for (which, (&(message, signature), result)) in claims.iter().zip(&mut *results).enumerate() {
            match Parts::of(set, signature) {
                Ok(of) => parts.push((which, message, of)),
                Err(error) => *result = Err(error),
            }
        }
        let messages: Vec<_> = parts.iter().map(|(_, message, of)| (of.r, of.index, *message)).collect();
        let mut nodes = h_msg::<S>(lanes, root, &messages);
        let parts_alone: Vec<_> = parts.iter().map(|(_, _, of)| of).collect();
        roots(set, &mut worker, &parts_alone, &mut nodes);
        for ((which, _, _), node) in parts.iter().zip(&nodes) {
            results[*which] = is_root::<S>(node, root);
        }
    }
    results
}

/// Computes the roots from the signed values and the signatures, layer by layer, all of them in lanes.
fn roots<S: Suite>(
    set: &ParameterSet,
    worker: &mut Worker<'_, S>,
    parts: &[&Parts<'_>],
    nodes: &mut Vec<State<S>>,
) {
    for layer in 0..set.layers() {
        let at = layer as usize * set.layer_bytes();
        let layers = parts.iter().map(|of| &of.layers[at..at + set.layer_bytes()]);
        let signed: Vec<(Tree, u32, State<S>)> = parts
            .iter()
            .zip(&*nodes)
            .map(|(of, node)| {
                let (tree, leaf) = place(set, of.index, layer);
                (tree, leaf, *node)
            })
            .collect();
        *nodes = roots_from_signatures(worker, &signed, &layers.collect::<Vec<_>>());
    }
}

fn is_root<S: Suite>(node: &State<S>, root: &[u8]) -> Result<(), Error> {
    let mut bytes = [0; MAX_N];
    put::<S>(node, &mut bytes);
    if bytes[..S::N] == *root { Ok(()) } else { Err(Error::Invalid) }
}

/// XMSS_verify and XMSSMT_verify of one message, which `feed` passes part by part, after the signature's
/// length and index are checked.
#[cfg(feature = "std")]
pub(crate) fn verify_fed<S: Suite, E: From<Error>>(
    set: &ParameterSet,
    lanes: Lanes<S::Function>,
    (root, seed): (&[u8], &[u8]),
    signature: &[u8],
    feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
) -> Result<(), E> {
    let parts = Parts::of(set, signature)?;
    let mut hash = HMsg::<S>::new(lanes, parts.r, root, parts.index);
    feed(&mut |part| hash.update(part))?;
    Ok(verify_hashed::<S>(set, lanes, (root, seed), &parts, hash.finish())?)
}

/// Verifies a message whose hash is computed.
#[cfg(any(feature = "std", feature = "hazmat"))]
pub(crate) fn verify_hashed<S: Suite>(
    set: &ParameterSet,
    lanes: Lanes<S::Function>,
    (root, seed): (&[u8], &[u8]),
    parts: &Parts<'_>,
    hash: State<S>,
) -> Result<(), Error> {
    let prf = Prf::<S>::new(lanes, seed);
    let mut nodes = vec![hash];
    roots(set, &mut Worker::new(lanes, &prf, Secrecy::Public), &[parts], &mut nodes);
    is_root::<S>(&nodes[0], root)
}

/// Verifies any number of messages whose hashes are computed.
pub(crate) fn verify_all_hashed<S: Suite>(
    set: &ParameterSet,
    lanes: Lanes<S::Function>,
    (root, seed): (&[u8], &[u8]),
    parts: &[Parts<'_>],
    hashes: &[State<S>],
) -> Vec<Result<(), Error>> {
    let prf = Prf::<S>::new(lanes, seed);
    let mut worker = Worker::new(lanes, &prf, Secrecy::Public);
    let mut results = Vec::with_capacity(parts.len());
    for (parts, hashes) in parts.chunks(TOGETHER).zip(hashes.chunks(TOGETHER)) {
        let mut nodes = hashes.to_vec();
        roots(set, &mut worker, &parts.iter().collect::<Vec<_>>(), &mut nodes);
        results.extend(nodes.iter().map(|node| is_root::<S>(node, root)));
    }
    results
}
