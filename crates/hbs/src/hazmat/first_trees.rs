//! The first tree of each layer, for key generation: part by part, with progress, and in a file so that an
//! interrupted generation continues.
//!
//! The first tree of every layer is built, although the root needs only the uppermost one: the first
//! signature needs them all. Skipping the lower trees would save no time overall, only move the work to the
//! first signature.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::Error;
use crate::address::Tree;
use crate::hazmat::forest::{Forest, Part, each};
#[cfg(feature = "std")]
use crate::hazmat::nodes_file::{FileOwner, NodesFile, NodesPlace};
use crate::tree_cache::{LEAVES, Nodes};

/// The progress of a key generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Leaves computed so far, of all trees.
    pub done: u64,
    /// Leaves in total.
    pub total: u64,
}

/// The builder of the trees.
pub(crate) struct FirstTrees<'a> {
    progress: Box<dyn FnMut(Progress) -> ControlFlow<()> + 'a>,
    #[cfg(feature = "std")]
    pub(crate) nodes_file: Option<NodesPlace>,
    /// The owner of the file.
    #[cfg(feature = "std")]
    owner: Option<FileOwner>,
}

impl Default for FirstTrees<'_> {
    fn default() -> Self {
        Self {
            progress: Box::new(|_| ControlFlow::Continue(())),
            #[cfg(feature = "std")]
            nodes_file: None,
            #[cfg(feature = "std")]
            owner: None,
        }
    }
}

impl<'a> FirstTrees<'a> {
    /// Leaves computed between two calls of the progress function: 4096, about 0.3 s of a core (XMSS, n = 32,
    /// Redwood Cove).
    const ROUND: usize = 4096 / LEAVES;

    /// Sets a progress function, called after every few thousand leaves; `Break` stops the generation.
    pub(crate) fn set_progress(&mut self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'a) {
        self.progress = Box::new(progress);
    }

    /// Sets the owner of the file of leaves.
    #[cfg(feature = "std")]
    pub(crate) fn of_owner(self, owner: FileOwner) -> Self {
        Self { owner: Some(owner), ..self }
    }

    /// Builds the trees.
    pub(crate) fn build<F: Forest>(mut self, forest: &F) -> Result<Vec<Nodes>, Error> {
        let shape = forest.shape();
        let keys: Vec<_> = (0..shape.n_layers()).map(|layer| forest.keys(Tree { layer, tree: 0 })).collect();
        let mut trees: Vec<_> =
            (0..shape.n_layers()).map(|layer| Nodes::new(shape.height(layer), shape.n())).collect();
        let mut parts = Vec::new();
        for (layer, tree) in trees.iter_mut().enumerate() {
            for (number, leaves) in tree.leaves().chunks_mut(LEAVES * shape.n()).enumerate() {
                parts.push(Part { layer, first: (number * LEAVES) as u32, leaves });
            }
        }
        let total = (0..shape.n_layers()).map(|layer| 1 << shape.height(layer)).sum();
        let mut done = 0;
        let mut report = |parts: &[Part<'_>]| {
            done += parts.iter().map(|part| part.leaves.len() / shape.n()).sum::<usize>() as u64;
            if (self.progress)(Progress { done, total }).is_break() { Err(Error::Stopped) } else { Ok(()) }
        };
        #[cfg(feature = "std")]
        let mut file = None;
        #[cfg(feature = "std")]
        let parts = match self.nodes_file.take() {
            None => &mut parts[..],
            Some(place) => {
                let owner = self.owner.as_ref().expect("set by each scheme");
                let (opened, n) = NodesFile::open(place, owner, &mut parts)?;
                file = Some(opened);
                let (there, parts) = parts.split_at_mut(n);
                report(there)?;
                parts
            }
        };
        for round in parts.chunks_mut(Self::ROUND) {
            each(forest, round, |worker, part| {
                forest.leaves(worker, &keys[part.layer], part.first, part.leaves);
            });
            #[cfg(feature = "std")]
            if let Some(file) = &mut file {
                file.append(round)?;
            }
            report(round)?;
        }
        for (keys, tree) in keys.iter().zip(&mut trees) {
            forest.fill(keys, tree);
        }
        Ok(trees)
    }
}
