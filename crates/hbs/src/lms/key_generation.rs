//! Keys from their seeds: RFC 8554, sections 5.3 and 6.1.

use alloc::vec::Vec;
#[cfg(feature = "getrandom")]
use alloc::{string::ToString, vec};
use core::fmt;
use core::ops::ControlFlow;

use zeroize::Zeroizing;

use super::hash::{Suite, with_suite};
use super::params::{IDENTIFIER_BYTES, ParameterSet};
use super::secret_trees::Context;
use crate::Error;
use crate::hazmat::Progress;
use crate::hazmat::first_trees::FirstTrees;
#[cfg(feature = "std")]
use crate::hazmat::nodes_file::{FileOwner, NodesPlace};
use crate::tree_cache::Nodes;

/// The result of a generation: the first tree of each layer, the lowest first.
pub(crate) struct Generated {
    pub(crate) set: ParameterSet,
    /// SEED ‖ I.
    pub(crate) seeds: Zeroizing<Vec<u8>>,
    pub(crate) trees: Vec<Nodes>,
}

/// The generation of a key of LMS or HSS.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// # #[cfg(feature = "hazmat")] {
/// use hashlanes::hbs::lms::{KeyGeneration, ParameterSet};
///
/// let set: ParameterSet = "LMS_SHA256_M32_H5_W4/LMS_SHA256_M32_H5_W4".parse()?;
/// let seeds = [7; 32 + 16]; // Of a real key: from the system's source of random numbers.
/// let mut key = KeyGeneration::new(set, &seeds)?.run()?;
/// let signature = key.try_sign(b"message")?;
/// key.verifying_key().verify(b"message", signature.as_ref())?;
/// # }
/// # Ok::<(), hashlanes_hbs::Error>(())
/// ```
pub struct KeyGeneration<'a> {
    pub(crate) set: ParameterSet,
    pub(crate) seeds: Zeroizing<Vec<u8>>,
    first_trees: FirstTrees<'a>,
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyGeneration").field("set", &self.set).finish_non_exhaustive()
    }
}

impl<'a> KeyGeneration<'a> {
    /// Starts a key of `set` from SEED ‖ I of the topmost tree: n and 16 bytes.
    ///
    /// # Errors
    /// [`Error::SeedsLength`] if the seeds have another length.
    pub fn new(set: ParameterSet, seeds: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (seeds.len(), seeds_bytes(&set));
        if given != expected {
            return Err(Error::SeedsLength { given, expected });
        }
        Ok(Self { set, seeds: Zeroizing::new(seeds.to_vec()), first_trees: FirstTrees::default() })
    }

    /// Starts a key of `set` from seeds of the system's source of random numbers.
    ///
    /// # Errors
    /// [`Error::Random`] if the system has no such source, or it fails.
    #[cfg(feature = "getrandom")]
    pub fn random(set: ParameterSet) -> Result<Self, Error> {
        let mut seeds = Zeroizing::new(vec![0; seeds_bytes(&set)]);
        getrandom::fill(&mut seeds).map_err(|error| Error::Random(error.to_string()))?;
        Self::new(set, &seeds)
    }

    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }

    /// Sets a progress function, called after every few thousand leaves; `Break` stops the generation.
    pub fn progress(mut self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'a) -> Self {
        self.first_trees.set_progress(progress);
        self
    }

    /// Keeps finished leaves in a file and starts with the leaves in it, like
    /// [`crate::hazmat::KeyGeneration::nodes_file`].
    #[cfg(feature = "std")]
    pub fn nodes_file(mut self, path: impl Into<std::path::PathBuf>) -> Self {
        self.first_trees.nodes_file = Some(NodesPlace::Path(path.into()));
        self
    }

    /// Uses an open file of leaves; messages show `name`.
    #[cfg(feature = "store")]
    pub(crate) fn opened_nodes_file(mut self, file: std::fs::File, name: alloc::string::String) -> Self {
        self.first_trees.nodes_file = Some(NodesPlace::File(file, name.into()));
        self
    }

    pub(crate) fn generate(self) -> Result<Generated, Error> {
        with_suite!(self.set, S => self.generate_with::<S>())
    }

    fn generate_with<S: Suite>(self) -> Result<Generated, Error> {
        let Self { set, seeds, first_trees } = self;
        #[cfg(feature = "std")]
        let first_trees = first_trees.of_owner(FileOwner {
            magic: b"hashlanes LMS leaves, version 1\n",
            secret: Zeroizing::new(seeds[..S::N].to_vec()),
            public: [alloc::format!("{set} ").as_bytes(), &seeds[S::N..]].concat(),
        });
        let trees = first_trees.build(&Context::<S>::new(&set, &seeds))?;
        hashlanes_isa::wipe_stack();
        Ok(Generated { set, seeds, trees })
    }
}

/// Length of SEED ‖ I in bytes.
pub(crate) fn seeds_bytes(set: &ParameterSet) -> usize {
    set.n() + IDENTIFIER_BYTES
}
