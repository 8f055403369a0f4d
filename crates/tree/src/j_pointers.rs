//! j-pointers v1: a message cut into j contiguous slices, which are hashed as independent messages.

use core::fmt;

use arrayvec::ArrayVec;
use hashlanes_sha::{Hasher, Midstate, algorithms};

use crate::algorithm::{Forced, TreeAlgorithm};
use crate::error::{MAX_J, TreeError, expect};
use crate::last_hash::{hasher_from, wrap};
use crate::mode::Variant;
use crate::prefix::{Prefixes, Slicing};
use crate::slices::SlicesHasher;

/// j-pointers v1 over SHA-1.
pub type JPointersSha1 = JPointers<algorithms::Sha1>;
/// j-pointers v1 over SHA-256.
pub type JPointersSha256 = JPointers<algorithms::Sha256>;
/// j-pointers v1 over SHA-384.
pub type JPointersSha384 = JPointers<algorithms::Sha384>;
/// j-pointers v1 over SHA-512.
pub type JPointersSha512 = JPointers<algorithms::Sha512>;

/// The function `jpointers-v1-<hash>-<j>`: one message in j contiguous slices that are hashed at once.
///
/// A buffer of N bytes is cut into slices of B·ceil(N / (j·B)) bytes, where B is the hash's block length; the
/// last ones are shorter, perhaps empty. The result is the hash of the slices' digests; every hash begins
/// with a prefix block (see the crate's documentation). Slices are independent: threads, machines and
/// programs may hash them ([`JPointers::slice_hasher`]), and [`JPointers::wrap`] accepts the digests. A value
/// holds the states after the prefix blocks: create it once and use it for many messages. Clones share them.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::JPointersSha256;
///
/// let jpointers = JPointersSha256::new(2);
/// let message = [7; 100];
/// let digest = jpointers.digest(&message);
///
/// // The same slices from anywhere, or hashed elsewhere.
/// let [first, second] = [&message[..64], &message[64..]];
/// assert_eq!(jpointers.digest_slices(&[first, second]), digest);
/// let digests = [(0, first), (1, second)].map(|(i, slice)| {
///     let mut hasher = jpointers.slice_hasher(i);
///     hasher.update(slice);
///     hasher.finish()
/// });
/// assert_eq!(jpointers.wrap(&digests), digest);
/// ```
#[derive(Clone)]
pub struct JPointers<A: TreeAlgorithm> {
    prefixes: Prefixes<A>,
    variant: Variant,
    kernel: Forced<A>,
}

impl<A: TreeAlgorithm> JPointers<A> {
    /// Creates the function with `j` slices, 1 to 255.
    ///
    /// # Panics
    /// Panics unless `j` is 1 to 255.
    #[track_caller]
    pub fn new(j: usize) -> Self {
        Self::with_variant(j, Variant::V1)
    }

    /// Like [`JPointers::new`], with other prefix blocks than v1's, which are not secure: see [`Variant`].
    ///
    /// # Panics
    /// Like [`JPointers::new`].
    #[track_caller]
    pub fn with_variant(j: usize, variant: Variant) -> Self {
        expect(Self::try_new(j, variant))
    }

    /// Like [`JPointers::with_variant`], but returns an error instead of panicking.
    ///
    /// # Errors
    /// [`TreeError::J`].
    pub fn try_new(j: usize, variant: Variant) -> Result<Self, TreeError> {
        let prefixes = Prefixes::new(Slicing::Pointers, variant, j)?;
        Ok(Self { prefixes, variant, kernel: None })
    }

    /// Returns the same function on this kernel only; results are the same.
    pub fn on(self, kernel: &'static hashlanes_sha::kernels::Kernel<A::Function>) -> Self {
        Self { kernel: Some(kernel), ..self }
    }

    /// Returns the number of slices.
    pub fn j(&self) -> usize {
        self.prefixes.j()
    }

    /// Returns the variant of the prefix blocks.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the state after prefix block `i`: that of slice i, or of the last hash for i = j.
    ///
    /// # Panics
    /// Panics if `i` exceeds j.
    #[track_caller]
    pub fn prefix(&self, i: usize) -> Midstate<A> {
        self.prefixes.number(i)
    }

    /// Returns the length of the slices of a message of `n_bytes` bytes, except the last ones: B·ceil(N /
    /// (j·B)).
    pub fn slice_bytes(&self, n_bytes: u64) -> u64 {
        let block_bytes = A::BLOCK_BYTES as u64;
        n_bytes.div_ceil(self.j() as u64 * block_bytes) * block_bytes
    }

    /// Returns the slices of a buffer.
    pub fn slices<'m>(&self, message: &'m [u8]) -> impl ExactSizeIterator<Item = &'m [u8]> + use<'m, A> {
        let slice_bytes = self.slice_bytes(message.len() as u64) as usize;
        let mut rest = message;
        (0..self.j()).map(move |_| {
            let slice;
            (slice, rest) = rest.split_at(slice_bytes.min(rest.len()));
            slice
        })
    }

    /// Returns the digest of a whole message in one buffer.
    pub fn digest(&self, message: &[u8]) -> A::Digest {
        let slices: ArrayVec<&[u8], MAX_J> = self.slices(message).collect();
        self.digest_slices(&slices)
    }

    /// Returns the digest of a message whose slices are anywhere and have any lengths. The padding of each
    /// slice binds its length, so the same bytes, cut at other places, are another message.
    ///
    /// # Panics
    /// Panics unless there are j slices.
    #[track_caller]
    pub fn digest_slices(&self, slices: &[&[u8]]) -> A::Digest {
        expect(self.try_digest_slices(slices))
    }

    /// Like [`JPointers::digest_slices`], but returns an error instead of panicking.
    ///
    /// # Errors
    /// [`TreeError::Slices`].
    pub fn try_digest_slices(&self, slices: &[&[u8]]) -> Result<A::Digest, TreeError> {
        self.count(slices.len())?;
        let mut digests: ArrayVec<A::Digest, MAX_J> = slices.iter().map(|_| A::ZERO_DIGEST).collect();
        Hasher::digest_many_from(self.kernel, self.prefixes.of_slices(), slices, &mut digests);
        self.try_wrap(&digests)
    }

    /// Like [`JPointers::digest`], with slices on rayon's threads.
    #[cfg(feature = "rayon")]
    pub fn digest_parallel(&self, message: &[u8]) -> A::Digest {
        let slices: ArrayVec<&[u8], MAX_J> = self.slices(message).collect();
        self.digest_slices_parallel(&slices)
    }

    /// Like [`JPointers::digest_slices`], with slices on rayon's threads.
    ///
    /// # Panics
    /// Panics unless there are j slices.
    #[cfg(feature = "rayon")]
    #[track_caller]
    pub fn digest_slices_parallel(&self, slices: &[&[u8]]) -> A::Digest {
        expect(self.try_digest_slices_parallel(slices))
    }

    /// Like [`JPointers::try_digest_slices`], with slices on rayon's threads.
    ///
    /// # Errors
    /// [`TreeError::Slices`].
    #[cfg(feature = "rayon")]
    pub fn try_digest_slices_parallel(&self, slices: &[&[u8]]) -> Result<A::Digest, TreeError> {
        use rayon::prelude::*;
        self.count(slices.len())?;
        let mut digests: ArrayVec<A::Digest, MAX_J> = slices.iter().map(|_| A::ZERO_DIGEST).collect();
        let n_slices = self.j().div_ceil(rayon::current_num_threads());
        let starts = self.prefixes.of_slices().par_chunks(n_slices);
        let some = starts.zip(slices.par_chunks(n_slices)).zip(digests.par_chunks_mut(n_slices));
        some.for_each(|((starts, slices), digests)| {
            Hasher::digest_many_from(self.kernel, starts, slices, digests);
        });
        self.try_wrap(&digests)
    }

    /// Returns a plain hasher after the prefix block of slice `i`; updated with the slice, it gives the
    /// slice's digest.
    ///
    /// # Panics
    /// Panics unless `i` < j.
    #[track_caller]
    pub fn slice_hasher(&self, i: usize) -> Hasher<A> {
        assert!(i < self.j(), "slice {i} of {}", self.j());
        hasher_from(self.kernel, self.prefixes.number(i))
    }

    /// Returns the digest of a message from those of its slices, in order.
    ///
    /// # Panics
    /// Panics unless there are j of them.
    #[track_caller]
    pub fn wrap(&self, digests: &[A::Digest]) -> A::Digest {
        expect(self.try_wrap(digests))
    }

    /// Like [`JPointers::wrap`], but returns an error instead of panicking.
    ///
    /// # Errors
    /// [`TreeError::Slices`].
    pub fn try_wrap(&self, digests: &[A::Digest]) -> Result<A::Digest, TreeError> {
        self.count(digests.len())?;
        Ok(wrap(self.kernel, self.prefixes.of_wrap(), digests.iter().copied()))
    }

    /// Begins a message of `n_bytes` bytes in parts, from its first byte to its last. Its slices are hashed
    /// one after another, so this is not faster than one message: where j places can be read at once, read
    /// them.
    pub fn with_length(&self, n_bytes: u64) -> SlicesHasher<A> {
        SlicesHasher::new(self.kernel, self.prefixes.clone(), self.slice_bytes(n_bytes), n_bytes)
    }

    fn count(&self, given: usize) -> Result<(), TreeError> {
        let j = self.j();
        if given == j { Ok(()) } else { Err(TreeError::Slices { given, j }) }
    }
}

impl<A: TreeAlgorithm> fmt::Debug for JPointers<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "jpointers-{}-{}-{}", self.variant, A::HASH, self.j())
    }
}
