//! The way to the kernels: which one takes how many continuations, and the count of compressions.

use hashlanes_isa::{Function, Kernel, KnownHalf, MAX_DEGREE, PreExpanded, Start};

use crate::Error;

#[cfg(feature = "count-calls")]
static COMPRESSIONS: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(0);

/// Blocks that went through the lanes so far. What is computed once a key (states behind constant blocks) and once a
/// message (H_msg) is not counted.
#[cfg(feature = "count-calls")]
#[doc(hidden)]
pub fn compressions() -> u64 {
    COMPRESSIONS.load(core::sync::atomic::Ordering::Relaxed)
}

/// The kernels of `F`: those of the table's choice, or one.
#[derive(Debug)]
pub(crate) struct Lanes<F: Function>(Option<&'static Kernel<F>>);

impl<F: Function> Clone for Lanes<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Function> Copy for Lanes<F> {}

impl<F: Function> Lanes<F> {
    /// # Errors
    /// [`Error::Kernel`].
    pub(crate) fn named(name: Option<&str>) -> Result<Self, Error> {
        use alloc::string::ToString;
        let kernel = name.map(|name| F::table().named(name)).transpose();
        kernel.map(Self).map_err(|error| Error::Kernel(error.to_string()))
    }

    /// The kernel that serves everything, if there is one.
    pub(crate) fn only(&self) -> Option<&'static Kernel<F>> {
        self.0
    }

    /// A message's next blocks, which are constant for a key: not counted.
    pub(crate) fn compress_constant(&self, state: &mut F::State, block: &F::Block) {
        let kernel = self.0.unwrap_or_else(|| F::table().best(1, 1));
        kernel.compress_one(state, block.as_ref());
    }

    /// `blocks[i]`, of all of which a half may be `known`, then `last` if there is one, into `states[i]`, from `start` on.
    #[inline]
    pub(crate) fn continue_many(
        &self,
        start: Start<'_, F>,
        blocks: &[F::Block],
        known: Option<&KnownHalf<F>>,
        last: Option<&PreExpanded<F>>,
        states: &mut [F::State],
    ) {
        #[cfg(feature = "count-calls")]
        {
            let n_blocks = (1 + usize::from(last.is_some())) * blocks.len();
            COMPRESSIONS.fetch_add(n_blocks as u64, core::sync::atomic::Ordering::Relaxed);
        }
        if let Some(kernel) = self.0 {
            return kernel.continue_many_knowing(start, blocks, known, last, states);
        }
        // Whole groups of the widest kernel that pays, then what is left over in smaller ones.
        let n_blocks = 1 + usize::from(last.is_some());
        let mut from = 0;
        while from < blocks.len() {
            let n_left = blocks.len() - from;
            let kernel = F::table().best_of_group(n_left, n_blocks * n_left.div_ceil(MAX_DEGREE));
            let in_whole_groups = n_left / kernel.degree() * kernel.degree();
            let some = from..from + if in_whole_groups > 0 { in_whole_groups } else { n_left };
            let (blocks, states) = (&blocks[some.clone()], &mut states[some.clone()]);
            kernel.continue_many_knowing(start, blocks, known, last, states);
            from = some.end;
        }
    }
}

/// Starts rayon's threads, if they do not run yet. If the system refuses to start them, the work is done on one thread:
/// rayon would panic.
#[cfg(feature = "rayon")]
pub(crate) fn has_threads() -> bool {
    use core::error::Error;
    use std::sync::OnceLock;

    use rayon::ThreadPoolBuilder;

    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    // A caller may have made a pool of its own.
    rayon::current_thread_index().is_some()
        || *AVAILABLE.get_or_init(|| match ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // Without a source: the pool exists already.
            Err(error) => error.source().is_none(),
        })
}
