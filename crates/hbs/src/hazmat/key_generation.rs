//! XMSS_keyGen and XMSSMT_keyGen (RFC 8391, sections 4.1.7 and 4.2.2, algorithms 10 and 15) from given seeds.
//!
//! The first tree of every layer is built, although the root needs the uppermost alone: a signature needs them all, and 1 / d of the time is
//! saved by leaving them out for 1 / d of the time lost at the first signature.

use alloc::boxed::Box;
use alloc::vec::Vec;
#[cfg(feature = "getrandom")]
use alloc::{string::ToString, vec};
use core::fmt;
use core::ops::ControlFlow;

use zeroize::Zeroizing;

use crate::Error;
use crate::address::Tree;
use crate::hash::{Suite, Worker, with_suite};
#[cfg(feature = "std")]
use crate::hazmat::nodes_file::NodesPlace;
use crate::hazmat::{Context, Derivation, Part};
use crate::one_time_keys::OneTimeKeys;
use crate::params::ParameterSet;
use crate::tree_cache::{LEAVES, Nodes, fill, leaves};
use crate::verifying_key::kernel_named;

/// How far the generation of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Leaves that are there, of all trees.
    pub done: u64,
    /// Leaves that there will be.
    pub total: u64,
}

/// What a generation gives: the first tree of each layer.
pub(crate) struct Generated {
    pub(crate) set: ParameterSet,
    pub(crate) derivation: Derivation,
    pub(crate) kernel: Option<&'static str>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    pub(crate) seeds: Zeroizing<Vec<u8>>,
    pub(crate) trees: Vec<Nodes>,
}

type Callback<'a> = Box<dyn FnMut(Progress) -> ControlFlow<()> + 'a>;

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
    progress: Callback<'a>,
    #[cfg(feature = "std")]
    nodes_file: Option<NodesPlace>,
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyGeneration").field("set", &self.set).finish_non_exhaustive()
    }
}

impl<'a> KeyGeneration<'a> {
    /// Parts between two calls of the progress: 4096 leaves, 0.3 s of a core (n = 32, Cypress Cove).
    const ROUND: usize = 4096 / LEAVES;

    /// A key of `set` from `seeds`, S_XMSS ‖ SK_PRF ‖ SEED of n bytes each, as the reference code lays them out.
    ///
    /// # Errors
    /// [`Error::SeedsLength`], [`Error::Shake`].
    pub fn new(set: ParameterSet, seeds: &[u8]) -> Result<Self, Error> {
        let (given, expected) = (seeds.len(), 3 * set.n());
        if given != expected {
            return Err(Error::SeedsLength { given, expected });
        }
        Ok(Self::with_seeds(set.supported()?, Zeroizing::new(seeds.to_vec())))
    }

    /// A key of `set` from seeds of the system's source of random numbers: a new one at every call. They are in this value
    /// and in the key alone, and overwritten with them.
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
    /// [`Error::Random`] if the system has no such source, or it fails; [`Error::Shake`].
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
            progress: Box::new(|_| ControlFlow::Continue(())),
            #[cfg(feature = "std")]
            nodes_file: None,
        }
    }

    /// The parameter set.
    pub fn set(&self) -> ParameterSet {
        self.set
    }

    /// With this derivation of the one-time keys.
    ///
    /// # Errors
    /// [`Error::NoLegacy`].
    pub fn derivation(mut self, derivation: Derivation) -> Result<Self, Error> {
        if derivation == Derivation::Legacy && self.set.n() == 24 {
            return Err(Error::NoLegacy(self.set));
        }
        self.derivation = derivation;
        Ok(self)
    }

    /// On one kernel of SHA-256 (n = 24 and 32) or SHA-512 (n = 64); the key signs on it, too.
    ///
    /// # Errors
    /// [`Error::Kernel`] if there is none of that name, or this CPU cannot run it.
    pub fn kernel(mut self, name: &str) -> Result<Self, Error> {
        self.kernel = Some(kernel_named(&self.set, name)?);
        Ok(self)
    }

    /// An import: the root is known.
    pub fn expecting_root(mut self, root: &[u8]) -> Self {
        self.root = Some(root.to_vec());
        self
    }

    /// Calls `progress` after some thousand leaves each; `Break` stops the generation.
    pub fn progress(mut self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Keeps the leaves that are done in a file, and begins with those that are in it: an interrupted generation goes on. What
    /// it holds is public, but for a code by which it is known as this key's: a file that was changed is noticed, and what was
    /// changed is computed anew. It may be deleted when the key is there.
    #[cfg(feature = "std")]
    pub fn nodes_file(mut self, path: impl Into<std::path::PathBuf>) -> Self {
        self.nodes_file = Some(NodesPlace::Path(path.into()));
        self
    }

    /// The same with a file that is open; messages show `name`.
    #[cfg(feature = "store")]
    pub(crate) fn opened_nodes_file(mut self, file: std::fs::File, name: alloc::string::String) -> Self {
        self.nodes_file = Some(NodesPlace::File(file, name.into()));
        self
    }

    pub(crate) fn generate(self) -> Result<Generated, Error> {
        with_suite!(self.set, S => self.generate_with::<S>())
    }

    fn generate_with<S: Suite>(mut self) -> Result<Generated, Error> {
        let seeds = core::mem::take(&mut self.seeds);
        let context = Context::<S>::new(self.set, self.kernel, &seeds, self.derivation);
        let keys: Vec<_> =
            (0..self.set.layers()).map(|layer| context.keys(Tree { layer, tree: 0 })).collect();
        let mut trees: Vec<_> = keys.iter().map(|_| Nodes::new(self.set.tree_height(), S::N)).collect();
        self.all_leaves(&context, &keys, &mut trees)?;
        for (keys, tree) in keys.iter().zip(&mut trees) {
            fill(&mut context.worker(), keys.tree(), tree);
        }
        let root = trees.last().expect("a layer").root();
        if self.root.as_ref().is_some_and(|expected| expected != root) {
            return Err(Error::OtherRoot);
        }
        let (set, derivation, kernel) = (self.set, self.derivation, self.kernel);
        drop((keys, context));
        hashlanes_isa::wipe_stack();
        Ok(Generated { set, derivation, kernel, seeds, trees })
    }

    /// The leaves of all trees, part by part, those first that the file holds.
    fn all_leaves<S: Suite>(
        &mut self,
        context: &Context<'_, S>,
        keys: &[OneTimeKeys<S>],
        trees: &mut [Nodes],
    ) -> Result<(), Error> {
        let mut parts = Vec::new();
        for (layer, tree) in trees.iter_mut().enumerate() {
            for (number, leaves) in tree.leaves().chunks_mut(LEAVES * S::N).enumerate() {
                parts.push(Part { layer, first: (number * LEAVES) as u32, leaves });
            }
        }
        let total = self.set.layers() as u64 * (1 << self.set.tree_height());
        let mut done = 0;
        let mut told = |parts: &[Part<'_>], progress: &mut Callback<'_>| {
            done += parts.iter().map(|part| part.leaves.len() / S::N).sum::<usize>() as u64;
            if progress(Progress { done, total }).is_break() { Err(Error::Stopped) } else { Ok(()) }
        };
        #[cfg(feature = "std")]
        let mut file = None;
        #[cfg(feature = "std")]
        let parts = match self.nodes_file.take() {
            None => &mut parts[..],
            Some(place) => {
                let (opened, n) = super::nodes_file::NodesFile::open(place, context, &mut parts)?;
                file = Some(opened);
                let (there, parts) = parts.split_at_mut(n);
                told(there, &mut self.progress)?;
                parts
            }
        };
        for round in parts.chunks_mut(Self::ROUND) {
            each(round, context, |worker, part| {
                leaves(worker, &keys[part.layer], part.first, part.leaves);
            });
            #[cfg(feature = "std")]
            if let Some(file) = &mut file {
                file.append(round)?;
            }
            told(round, &mut self.progress)?;
        }
        Ok(())
    }
}

/// Works on all of them, on rayon's threads if the feature is on and the system starts them; a thread's worker serves several.
pub(super) fn each<S: Suite, T: Send>(
    items: &mut [T],
    context: &Context<'_, S>,
    work: impl Fn(&mut Worker<'_, S>, &mut T) + Send + Sync,
) {
    let work = |worker: &mut Worker<'_, S>, item: &mut T| {
        work(worker, item);
        hashlanes_isa::wipe_stack();
    };
    #[cfg(feature = "rayon")]
    if crate::lanes::has_threads() {
        use rayon::prelude::*;
        return items.par_iter_mut().for_each_init(|| context.worker(), work);
    }
    let mut worker = context.worker();
    items.iter_mut().for_each(|item| work(&mut worker, item));
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
    fn seeds_are_what_the_source_gives_three_times_n_bytes() {
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
