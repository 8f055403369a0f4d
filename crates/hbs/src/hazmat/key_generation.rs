//! XMSS_keyGen and XMSSMT_keyGen (RFC 8391, sections 4.1.7 and 4.2.2, algorithms 10 and 15) from given seeds.

#[cfg(feature = "std")]
use alloc::format;
use alloc::vec::Vec;
#[cfg(feature = "getrandom")]
use alloc::{string::ToString, vec};
use core::fmt;
use core::ops::ControlFlow;

use zeroize::Zeroizing;

use crate::Error;
use crate::hash::{Suite, with_suite};
use crate::hazmat::first_trees::{FirstTrees, Progress};
#[cfg(feature = "std")]
use crate::hazmat::nodes_file::{FileOwner, NodesPlace};
use crate::hazmat::{Context, Derivation};
use crate::params::ParameterSet;
use crate::tree_cache::Nodes;
use crate::verifying_key::kernel_named;

/// The result of a generation: the first tree of each layer.
pub(crate) struct Generated {
    pub(crate) set: ParameterSet,
    pub(crate) derivation: Derivation,
    pub(crate) kernel: Option<&'static str>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    pub(crate) seeds: Zeroizing<Vec<u8>>,
    pub(crate) trees: Vec<Nodes>,
}

/// The generation of a key from its seeds.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::ParameterSet;
/// use hashlanes::hbs::hazmat::KeyGeneration;
///
/// let set: ParameterSet = "XMSSMT-SHA2_60/12_256".parse()?;
/// let seeds = [7; 96]; // Of a real key: from the system's source of random numbers.
/// let mut key = KeyGeneration::new(set, &seeds)?.run()?;
/// let signature = key.try_sign(b"message")?;
/// assert_eq!(key.next_index(), 1);
/// key.verifying_key().verify(b"message", signature.as_ref())?;
/// # Ok::<(), hashlanes::hbs::Error>(())
/// ```
pub struct KeyGeneration<'a> {
    pub(crate) set: ParameterSet,
    pub(crate) seeds: Zeroizing<Vec<u8>>,
    pub(crate) derivation: Derivation,
    kernel: Option<&'static str>,
    pub(crate) root: Option<Vec<u8>>,
    first_trees: FirstTrees<'a>,
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyGeneration").field("set", &self.set).finish_non_exhaustive()
    }
}

impl<'a> KeyGeneration<'a> {
    /// Starts a key of `set` from `seeds`, S_XMSS ‖ SK_PRF ‖ SEED of n bytes each, in the order of the
    /// reference code.
    ///
    /// # Errors
    /// [`Error::SeedsLength`] if the seeds have another length; [`Error::Shake`] if the set is unsupported.
    pub fn new(set: ParameterSet, seeds: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (seeds.len(), 3 * set.n());
        if given != expected {
            return Err(Error::SeedsLength { given, expected });
        }
        Ok(Self::with_seeds(set.supported()?, Zeroizing::new(seeds.to_vec())))
    }

    /// Starts a key of `set` from seeds of the system's source of random numbers.
    ///
    /// Every call draws new seeds. Only this value and the key hold them, and both overwrite them when
    /// dropped.
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
    /// use hashlanes::hbs::hazmat::KeyGeneration;
    ///
    /// let set = "XMSSMT-SHA2_60/12_256".parse()?;
    /// let (one, other) = (KeyGeneration::random(set)?.run()?, KeyGeneration::random(set)?.run()?);
    /// assert_ne!(one.verifying_key(), other.verifying_key());
    /// # Ok::<(), hashlanes::hbs::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Random`] if the system has no such source, or it fails; [`Error::Shake`] if the set is
    /// unsupported.
    #[cfg(feature = "getrandom")]
    pub fn random(set: ParameterSet) -> Result<Self, Error> {
        Self::random_from(set, getrandom::fill)
    }

    #[cfg(feature = "getrandom")]
    fn random_from(
        set: ParameterSet,
        source: impl FnOnce(&mut [u8]) -> Result<(), getrandom::Error>,
    ) -> Result<Self, Error> {
        let set = set.supported()?;
        let mut seeds = Zeroizing::new(vec![0; 3 * set.n()]);
        source(&mut seeds).map_err(|error| Error::Random(error.to_string()))?;
        Ok(Self::with_seeds(set, seeds))
    }

    fn with_seeds(set: ParameterSet, seeds: Zeroizing<Vec<u8>>) -> Self {
        Self {
            set,
            seeds,
            derivation: Derivation::default(),
            kernel: None,
            root: None,
            first_trees: FirstTrees::default(),
        }
    }

    /// Returns the parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }

    /// Sets the derivation of the one-time keys.
    ///
    /// # Errors
    /// [`Error::NoLegacy`] if the derivation is not defined for the set.
    pub fn derivation(mut self, derivation: Derivation) -> Result<Self, Error> {
        if derivation == Derivation::Legacy && self.set.n() == 24 {
            return Err(Error::NoLegacy(self.set));
        }
        self.derivation = derivation;
        Ok(self)
    }

    /// Selects one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64), for the generation and the key's
    /// signatures.
    ///
    /// # Errors
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub fn kernel(mut self, name: &str) -> Result<Self, Error> {
        self.kernel = Some(kernel_named(&self.set, name)?);
        Ok(self)
    }

    /// Sets the expected root of an imported key.
    pub fn expecting_root(mut self, root: &[u8]) -> Self {
        self.root = Some(root.to_vec());
        self
    }

    /// Sets a progress function, called after every few thousand leaves; `Break` stops the generation.
    pub fn progress(mut self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'a) -> Self {
        self.first_trees.set_progress(progress);
        self
    }

    /// Keeps finished leaves in a file and starts with the leaves in it, so that an interrupted generation
    /// continues.
    ///
    /// The leaves are public; codes bind the file to this key. A changed file is detected, and the changed
    /// part is computed again. The file may be deleted when the key is complete.
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

    fn generate_with<S: Suite>(mut self) -> Result<Generated, Error> {
        let seeds = core::mem::take(&mut self.seeds);
        let context = Context::<S>::new(self.set, self.kernel, &seeds, self.derivation);
        let first_trees = core::mem::take(&mut self.first_trees);
        #[cfg(feature = "std")]
        let first_trees = first_trees.of_owner(FileOwner {
            magic: b"hashlanes XMSS leaves, version 1\n",
            secret: Zeroizing::new(seeds[..2 * S::N].to_vec()),
            public: [format!("{} {:?} ", self.set, self.derivation).as_bytes(), &seeds[2 * S::N..]].concat(),
        });
        let trees = first_trees.build(&context)?;
        let root = trees.last().expect("a layer").root();
        if self.root.as_ref().is_some_and(|expected| expected != root) {
            return Err(Error::OtherRoot);
        }
        let (set, derivation, kernel) = (self.set, self.derivation, self.kernel);
        drop(context);
        hashlanes_isa::wipe_stack();
        Ok(Generated { set, derivation, kernel, seeds, trees })
    }
}

#[cfg(all(test, feature = "getrandom"))]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_fails_is_named_and_gives_no_key() {
        let set: ParameterSet = "XMSS-SHA2_10_192".parse().unwrap();
        let fails = |bytes: &mut [u8]| {
            bytes[..24].fill(9);
            Err(getrandom::Error::UNSUPPORTED)
        };
        let error = KeyGeneration::random_from(set, fails).unwrap_err();
        assert_eq!(error, Error::Random(getrandom::Error::UNSUPPORTED.to_string()));
        assert!(
            error.to_string().starts_with("no seeds from the system's source of random numbers: "),
            "{error}"
        );
    }

    #[test]
    fn seeds_are_three_times_n_bytes_of_the_source() {
        for name in ["XMSS-SHA2_10_192", "XMSS-SHA2_10_256", "XMSS-SHA2_10_512"] {
            let set: ParameterSet = name.parse().unwrap();
            let counts = |bytes: &mut [u8]| {
                (0..).zip(bytes).for_each(|(i, byte)| *byte = i);
                Ok(())
            };
            let generation = KeyGeneration::random_from(set, counts).unwrap();
            assert!(generation.seeds.iter().copied().eq(0..3 * set.n() as u8), "{name}");
        }
        let shake = "XMSS-SHAKE_10_256".parse().unwrap();
        let never = |_: &mut [u8]| unreachable!("refused before");
        assert_eq!(KeyGeneration::random_from(shake, never).unwrap_err(), Error::Shake(shake));
    }
}
