//! XMSS_keyGen and XMSSMT_keyGen (RFC 8391, sections 4.1.7 and 4.2.2, algorithms 10 and 15) from given seeds.
//!
//! The first tree of every layer is built, although the root needs the uppermost alone: a signature needs them all, and 1 / d of the time is
//! saved by leaving them out for 1 / d of the time lost at the first signature.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

use zeroize::Zeroizing;

use crate::Error;
use crate::address::Tree;
use crate::hash::{Suite, Worker, with_suite};
use crate::hazmat::part::Part;
use crate::hazmat::{Context, Derivation, SigningKey};
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

type Callback<'a> = Box<dyn FnMut(Progress) -> ControlFlow<()> + 'a>;

/// The generation of a key from its seeds.
///
/// ```
/// # use hashlanes_hbs as hbs;
/// use hbs::ParameterSet;
/// use hbs::hazmat::KeyGeneration;
///
/// let set: ParameterSet = "XMSSMT-SHA2_60/12_256".parse()?;
/// let seeds = [7; 96]; // Of a real key: from the system's source of random numbers.
/// let mut key = KeyGeneration::new(set, &seeds)?.run()?;
/// let signature = key.try_sign(b"message")?;
/// assert_eq!(key.next_index(), 1);
/// key.verifying_key().verify(b"message", signature.as_ref())?;
/// # Ok::<(), hbs::Error>(())
/// ```
pub struct KeyGeneration<'a> {
    pub(super) set: ParameterSet,
    pub(super) seeds: Zeroizing<Vec<u8>>,
    pub(super) derivation: Derivation,
    pub(super) kernel: Option<&'static str>,
    root: Option<Vec<u8>>,
    progress: Callback<'a>,
    #[cfg(feature = "std")]
    nodes_file: Option<std::path::PathBuf>,
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyGeneration").field("set", &self.set).finish_non_exhaustive()
    }
}

impl<'a> KeyGeneration<'a> {
    /// Parts between two calls of the progress: 4096 leaves, 0.3 s of a core (n = 32, Golden Cove).
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
        Ok(Self {
            set: set.supported()?,
            seeds: Zeroizing::new(seeds.to_vec()),
            derivation: Derivation::default(),
            kernel: None,
            root: None,
            progress: Box::new(|_| ControlFlow::Continue(())),
            #[cfg(feature = "std")]
            nodes_file: None,
        })
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
        self.nodes_file = Some(path.into());
        self
    }

    /// Generates the key, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// [`Error::Stopped`] by the progress; [`Error::OtherRoot`] if another one was expected; [`Error::File`],
    /// [`Error::OtherNodes`] of the file of nodes.
    pub fn run(self) -> Result<SigningKey, Error> {
        with_suite!(self.set, S => self.run_with::<S>())
    }

    fn run_with<S: Suite>(mut self) -> Result<SigningKey, Error> {
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
        drop(keys);
        let key = SigningKey::new(&context, self.kernel, trees);
        hashlanes_isa::wipe_stack();
        Ok(key)
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
        let parts = match &self.nodes_file {
            None => &mut parts[..],
            Some(path) => {
                let (opened, n) = super::nodes_file::NodesFile::open(path, context, &mut parts)?;
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

/// Works on all of them, on rayon's threads if the feature is there; a thread's worker serves several.
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
    {
        use rayon::prelude::*;
        items.par_iter_mut().for_each_init(|| context.worker(), work);
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut worker = context.worker();
        items.iter_mut().for_each(|item| work(&mut worker, item));
    }
}
