//! Tree modes, which hash one long message in lanes with functions of their own; the Merkle trees and proofs
//! of RFC 6962.

use std::ffi::{CStr, c_char, c_void};

use hashlanes::tree::merkle::{MerkleError, Rfc6962, Rfc6962Leaves, Rfc6962Proof};
use hashlanes::tree::{Tree, TreeDigest, TreeError, TreeHasher};

use crate::border::{Result, check, guarded, handle, input, items, output};
use crate::error::hashlanes_error::{self, *};
use crate::many::iovec;

/// A length that is not known in advance.
pub const HASHLANES_UNKNOWN_LENGTH: u64 = u64::MAX;

/// A message that a tree mode hashes in parts. Only one thread at a time may use it.
pub struct hashlanes_tree(Option<TreeHasher>);

impl From<TreeError> for hashlanes_error {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::TooShort { .. } | TreeError::Length { .. } | TreeError::LengthUnknown(_) => {
                HASHLANES_MESSAGE_LENGTH
            }
            _ => HASHLANES_UNKNOWN_MODE,
        }
    }
}

impl From<MerkleError> for hashlanes_error {
    fn from(error: MerkleError) -> Self {
        match error {
            MerkleError::NoLeaf { .. } | MerkleError::NoBeginning { .. } => HASHLANES_NO_LEAF,
            MerkleError::ProofLength { .. } | MerkleError::WrongProof { .. } => HASHLANES_WRONG_PROOF,
            _ => HASHLANES_INTERNAL,
        }
    }
}

/// Returns the mode with a name.
///
/// # Safety
/// `mode` is null or a string that ends with a zero.
unsafe fn tree(mode: *const c_char) -> Result<Tree> {
    check(mode, 1)?;
    // SAFETY: the caller guarantees it; not null.
    let name = unsafe { CStr::from_ptr(mode) }.to_str().map_err(|_| HASHLANES_UNKNOWN_MODE)?;
    Ok(Tree::new(name.parse()?))
}

/// Writes a digest and its length.
///
/// # Safety
/// Both are null or valid for writes, `digest` of HASHLANES_MAX_DIGEST_BYTES bytes.
unsafe fn put(result: &TreeDigest, digest: *mut u8, digest_bytes: *mut usize) -> Result {
    let bytes = result.as_ref();
    check(digest, 1)?;
    check(digest_bytes, 1)?;
    // SAFETY: the caller guarantees it; not null, aligned.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), digest, bytes.len());
        digest_bytes.write(bytes.len());
    }
    Ok(())
}

/// Hashes `len` bytes at `data` with a tree mode, which splits one long message into lanes. The result is NOT
/// that of the plain hash.
///
/// `mode` is "jlanes-v1-HASH-J" or "jpointers-v1-HASH-J" (HASH: sha1, sha256, sha384, sha512; J: 1 to 255),
/// such as "jlanes-v1-sha256-16", or "mh_sha1", "mh_sha256", "parallel_hash". `digest` has room for
/// HASHLANES_MAX_DIGEST_BYTES bytes; `digest_bytes` receives the number of bytes written: 20 to 64. Errors:
/// HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_UNKNOWN_MODE; HASHLANES_MESSAGE_LENGTH if the mode has no
/// result for so short a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_tree_digest(
    mode: *const c_char,
    data: *const c_void,
    len: usize,
    digest: *mut u8,
    digest_bytes: *mut usize,
) -> hashlanes_error {
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { put(&tree(mode)?.digest(input(data, len)?)?, digest, digest_bytes) })
}

/// Begins a message of `len` bytes that arrives in parts, and writes its handle to `tree`;
/// hashlanes_tree_free() frees it.
///
/// `len` may be HASHLANES_UNKNOWN_LENGTH, except with jpointers and parallel_hash, which split a message by
/// its length. Errors: HASHLANES_NULL, HASHLANES_UNKNOWN_MODE, HASHLANES_MESSAGE_LENGTH.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_tree_new(
    mode: *const c_char,
    len: u64,
    tree: *mut *mut hashlanes_tree,
) -> hashlanes_error {
    guarded(|| {
        check(tree, 1)?;
        // SAFETY: the C contract guarantees it.
        let mode = unsafe { self::tree(mode)? };
        let hasher = mode.hasher((len != HASHLANES_UNKNOWN_LENGTH).then_some(len))?;
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { tree.write(Box::into_raw(Box::new(hashlanes_tree(Some(hasher))))) };
        Ok(())
    })
}

/// Absorbs the next `len` bytes of the message.
///
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG; HASHLANES_MESSAGE_LENGTH if there are more bytes than
/// announced; HASHLANES_NOT_INITIALISED after hashlanes_tree_finish().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_tree_update(
    tree: *mut hashlanes_tree,
    data: *const c_void,
    len: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (tree, part) = unsafe { (handle(tree)?, input(data, len)?) };
        Ok(tree.0.as_mut().ok_or(HASHLANES_NOT_INITIALISED)?.update(part)?)
    })
}

/// Writes the digest of the message and its length, like hashlanes_tree_digest(). The handle may then only be
/// freed.
///
/// Errors: HASHLANES_NULL; HASHLANES_MESSAGE_LENGTH if there were fewer bytes than announced;
/// HASHLANES_NOT_INITIALISED the second time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_tree_finish(
    tree: *mut hashlanes_tree,
    digest: *mut u8,
    digest_bytes: *mut usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let tree = unsafe { handle(tree)? };
        check(digest, 1)?;
        check(digest_bytes, 1)?;
        let result = tree.0.take().ok_or(HASHLANES_NOT_INITIALISED)?.finish()?;
        // SAFETY: the C contract guarantees it.
        unsafe { put(&result, digest, digest_bytes) }
    })
}

/// Frees a handle from hashlanes_tree_new(); NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_tree_free(tree: *mut hashlanes_tree) {
    if !tree.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(tree) });
    }
}

/// Passes each leaf to `each`, after all were checked.
///
/// # Safety
/// The caller must keep the C contract for arrays of messages.
unsafe fn leaves(leaves: *const iovec, n: usize, mut each: impl FnMut(&[u8])) -> Result {
    // SAFETY: the caller guarantees it.
    let leaves = unsafe { items(leaves, n)? };
    for leaf in leaves {
        // SAFETY: the caller guarantees it; the slice is not used here.
        unsafe { input(leaf.iov_base, leaf.iov_len)? };
    }
    for leaf in leaves {
        // SAFETY: the caller guarantees it.
        each(unsafe { input(leaf.iov_base, leaf.iov_len)? });
    }
    Ok(())
}

/// Writes the root of the Merkle tree of RFC 6962 (Certificate Transparency) over `n` leaves, 32 bytes, to
/// `root`.
///
/// Leaf i is `leaves[i].iov_len` bytes at `leaves[i].iov_base`. The root of no leaves is the SHA-256 of no
/// bytes. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_TOO_LONG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rfc6962_root(
    leaves: *const iovec,
    n: usize,
    root: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        check(root, 1)?;
        let mut tree = Rfc6962Leaves::new();
        // SAFETY: the C contract guarantees it.
        unsafe { self::leaves(leaves, n, |leaf| tree.push(leaf))? };
        // SAFETY: the C contract guarantees it; not null.
        unsafe { root.cast::<[u8; 32]>().write(tree.finish().root) };
        Ok(())
    })
}

/// Writes the proof that leaf `index`, from 0, is in the tree of these `n` leaves: `*n_nodes` nodes of 32
/// bytes to `nodes`.
///
/// On entry `*n_nodes` is the number of nodes that fit; a tree of n leaves needs the binary logarithm of n,
/// rounded up, at most 64. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_TOO_LONG,
/// HASHLANES_NO_LEAF; HASHLANES_BUFFER_TOO_SMALL, then `*n_nodes` is the number of nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rfc6962_prove(
    leaves: *const iovec,
    n: usize,
    index: u64,
    nodes: *mut u8,
    n_nodes: *mut usize,
) -> hashlanes_error {
    guarded(|| {
        check(n_nodes, 1)?;
        let mut proof = Rfc6962Proof::of_inclusion(index);
        let mut tree = Rfc6962Leaves::keeping(|nodes| proof.keep(&nodes));
        // SAFETY: the C contract guarantees it.
        unsafe { self::leaves(leaves, n, |leaf| tree.push(leaf))? };
        let n_leaves = tree.finish().n_leaves;
        let proof = proof.finish(n_leaves)?;
        // SAFETY: the C contract guarantees it; not null, aligned.
        let room = unsafe { n_nodes.replace(proof.len()) };
        if proof.len() > room {
            return Err(HASHLANES_BUFFER_TOO_SMALL);
        }
        // SAFETY: the C contract guarantees it.
        unsafe { output(nodes, 32 * proof.len())?.copy_from_slice(proof.as_flattened()) };
        Ok(())
    })
}

/// Checks the proof that a leaf is leaf `index` of the tree of `n_leaves` leaves with this root, 32 bytes:
/// HASHLANES_OK, or HASHLANES_WRONG_PROOF. Root and number of leaves must both be trusted.
///
/// `nodes` holds `n_nodes` nodes of 32 bytes. Other errors: HASHLANES_NULL, HASHLANES_TOO_LONG,
/// HASHLANES_NO_LEAF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rfc6962_check(
    leaf: *const c_void,
    leaf_bytes: usize,
    index: u64,
    n_leaves: u64,
    nodes: *const u8,
    n_nodes: usize,
    root: *const u8,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (leaf, nodes, root) = unsafe {
            (input(leaf, leaf_bytes)?, items(nodes.cast::<[u8; 32]>(), n_nodes)?, items(root.cast(), 1)?)
        };
        Ok(Rfc6962::check_inclusion(&Rfc6962::leaf_digest(leaf), index, n_leaves, nodes, &root[0])?)
    })
}

/// Checks the proof that the tree of `n_leaves` leaves with `root` begins with the `first` leaves of the tree
/// with `first_root`: HASHLANES_OK, or HASHLANES_WRONG_PROOF.
///
/// `nodes` holds `n_nodes` nodes of 32 bytes, the roots have 32 bytes. Other errors: HASHLANES_NULL,
/// HASHLANES_NO_LEAF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rfc6962_check_consistency(
    first: u64,
    n_leaves: u64,
    nodes: *const u8,
    n_nodes: usize,
    first_root: *const u8,
    root: *const u8,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (nodes, first_root, root) = unsafe {
            (items(nodes.cast::<[u8; 32]>(), n_nodes)?, items(first_root.cast(), 1)?, items(root.cast(), 1)?)
        };
        Ok(Rfc6962::check_consistency(first, n_leaves, nodes, &first_root[0], &root[0])?)
    })
}
