//! Functions of modes whose names are known at run time only.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use arrayvec::ArrayVec;
use hashlanes_isa::Function;
use hashlanes_sha::algorithms::{Sha1, Sha256, Sha384, Sha512};

use crate::algorithm::{HashName, TreeAlgorithm};
use crate::error::TreeError;
use crate::{
    JLanes, JLanesHasher, JPointers, Mh, Mode, SlicesHasher, parallel_hash, parallel_hash_with_length,
};

/// The function of a [`Mode`], created once for many messages; clones share it.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::{JLanesSha256, Tree};
///
/// let tree = Tree::new("jlanes-v1-sha256-16".parse()?);
/// let digest = tree.digest(b"a message")?;
/// assert_eq!(digest.as_ref(), JLanesSha256::new(16).digest(b"a message"));
///
/// let mut hasher = tree.hasher(None)?;
/// hasher.update(b"a message")?;
/// assert_eq!(hasher.finish()?.to_string(), digest.to_string());
/// # Ok::<(), hashlanes::tree::TreeError>(())
/// ```
#[derive(Clone)]
pub struct Tree {
    mode: Mode,
    function: Arc<dyn AnyTree>,
}

impl Tree {
    /// Returns the function of `mode`.
    pub fn new(mode: Mode) -> Self {
        /// `$value` with `$a` as the hash's type.
        macro_rules! of_hash {
            ($hash:ident, $a:ident => $value:expr) => {
                match $hash {
                    HashName::Sha1 => of_hash!(@ $a Sha1 $value),
                    HashName::Sha256 => of_hash!(@ $a Sha256 $value),
                    HashName::Sha384 => of_hash!(@ $a Sha384 $value),
                    HashName::Sha512 => of_hash!(@ $a Sha512 $value),
                }
            };
            (@ $a:ident $type:ident $value:expr) => {{
                type $a = $type;
                Arc::new($value)
            }};
        }
        let function: Arc<dyn AnyTree> = match mode {
            Mode::JLanes { variant, hash, j } => {
                of_hash!(hash, A => JLanes::<A>::with_variant(j.get().into(), variant))
            }
            Mode::JPointers { variant, hash, j } => {
                of_hash!(hash, A => JPointers::<A>::with_variant(j.get().into(), variant))
            }
            Mode::MhSha1 => Arc::new(Mh::<Sha1>::new()),
            Mode::MhSha256 => Arc::new(Mh::<Sha256>::new()),
            Mode::ParallelHash => Arc::new(ParallelHash),
        };
        Self { mode, function }
    }

    /// Returns the mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the digest of a whole message.
    ///
    /// # Errors
    /// [`TreeError::TooShort`] if the mode is not defined for so short a message.
    pub fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError> {
        self.function.digest(message)
    }

    /// Begins a message in parts, of `n_bytes` bytes if the length is known.
    ///
    /// # Errors
    /// [`TreeError::LengthUnknown`] if the mode requires the length ([`Mode::needs_length`]);
    /// [`TreeError::TooShort`].
    pub fn hasher(&self, n_bytes: Option<u64>) -> Result<TreeHasher, TreeError> {
        if n_bytes.is_none() && self.mode.needs_length() {
            return Err(TreeError::LengthUnknown(self.mode));
        }
        Ok(TreeHasher(self.function.hasher(n_bytes)?))
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({})", self.mode)
    }
}

/// The hasher of a message for a [`Tree`].
pub struct TreeHasher(Box<dyn AnyHasher>);

impl TreeHasher {
    /// Absorbs the next part of the message.
    ///
    /// # Errors
    /// [`TreeError::Length`] if the input becomes longer than the given length.
    pub fn update(&mut self, part: &[u8]) -> Result<(), TreeError> {
        self.0.update(part)
    }

    /// Returns the digest of the input.
    ///
    /// # Errors
    /// [`TreeError::Length`] if the input is shorter than the given length.
    pub fn finish(mut self) -> Result<TreeDigest, TreeError> {
        self.0.finish()
    }
}

impl fmt::Debug for TreeHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TreeHasher")
    }
}

/// The digest of a [`Tree`]: 20 to 64 bytes; words are big-endian. Displayed in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeDigest(ArrayVec<u8, 64>);

impl TreeDigest {
    fn of(bytes: &[u8]) -> Self {
        Self(bytes.iter().copied().collect())
    }
    fn of_words(words: &[u32]) -> Self {
        Self(words.iter().flat_map(|word| word.to_be_bytes()).collect())
    }
}

impl AsRef<[u8]> for TreeDigest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for TreeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A function of any type.
trait AnyTree: Send + Sync {
    fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError>;
    /// Modes that need a length are given one.
    fn hasher(&self, n_bytes: Option<u64>) -> Result<Box<dyn AnyHasher>, TreeError>;
}

/// A hasher of any type.
trait AnyHasher: Send + Sync {
    fn update(&mut self, part: &[u8]) -> Result<(), TreeError>;
    /// Accepts no value: a value that is moved out of a box leaves a copy in its memory.
    fn finish(&mut self) -> Result<TreeDigest, TreeError>;
}

impl<A: TreeAlgorithm> AnyTree for JLanes<A> {
    fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of(self.digest(message).as_ref()))
    }
    fn hasher(&self, _: Option<u64>) -> Result<Box<dyn AnyHasher>, TreeError> {
        Ok(Box::new(self.hasher()))
    }
}

impl<A: TreeAlgorithm> AnyHasher for JLanesHasher<A> {
    fn update(&mut self, part: &[u8]) -> Result<(), TreeError> {
        self.update(part);
        Ok(())
    }
    fn finish(&mut self) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of(self.end().as_ref()))
    }
}

impl<A: TreeAlgorithm> AnyTree for JPointers<A> {
    fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of(self.digest(message).as_ref()))
    }
    fn hasher(&self, n_bytes: Option<u64>) -> Result<Box<dyn AnyHasher>, TreeError> {
        Ok(Box::new(self.with_length(n_bytes.expect("a length"))))
    }
}

impl<A: TreeAlgorithm> AnyHasher for SlicesHasher<A> {
    fn update(&mut self, part: &[u8]) -> Result<(), TreeError> {
        self.update(part)
    }
    fn finish(&mut self) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of(self.end()?.as_ref()))
    }
}

impl<A: TreeAlgorithm<Function: Function<Word = u32>>> AnyTree for Mh<A> {
    fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of_words(Mh::<A>::digest(message).as_ref()))
    }
    fn hasher(&self, _: Option<u64>) -> Result<Box<dyn AnyHasher>, TreeError> {
        Ok(Box::new(self.clone()))
    }
}

impl<A: TreeAlgorithm<Function: Function<Word = u32>>> AnyHasher for Mh<A> {
    fn update(&mut self, part: &[u8]) -> Result<(), TreeError> {
        self.update(part);
        Ok(())
    }
    fn finish(&mut self) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of_words(self.end().as_ref()))
    }
}

/// [`parallel_hash`] as a type.
struct ParallelHash;

impl AnyTree for ParallelHash {
    fn digest(&self, message: &[u8]) -> Result<TreeDigest, TreeError> {
        Ok(TreeDigest::of(&parallel_hash(message)?))
    }
    fn hasher(&self, n_bytes: Option<u64>) -> Result<Box<dyn AnyHasher>, TreeError> {
        Ok(Box::new(parallel_hash_with_length(n_bytes.expect("a length"))?))
    }
}
