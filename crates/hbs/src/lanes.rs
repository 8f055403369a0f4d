//! The way to the kernels: which one takes how many continuations, and the count of compressions.

use hashlanes_isa::{Function, Kernel, KnownHalf, Plan, PreExpanded, Start};

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
pub(crate) struct Lanes<F: Function>(Plan<F>);

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
        kernel.map(|kernel| Self(kernel.into())).map_err(|error| Error::Kernel(error.to_string()))
    }

    /// The kernel that serves everything, if there is one.
    pub(crate) fn only(&self) -> Option<&'static Kernel<F>> {
        self.0.forced()
    }

    /// A message's next blocks, which are constant for a key: not counted.
    pub(crate) fn compress_constant(&self, state: &mut F::State, block: &F::Block) {
        self.0.kernel(1, 1).compress_one(state, block.as_ref());
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
        // A kernel that serves everything takes all of them at once.
        if let Some(kernel) = self.0.forced() {
            return kernel.continue_many_knowing(start, blocks, known, last, states);
        }
        self.0.each_group(blocks.len(), 1 + usize::from(last.is_some()), |kernel, some| {
            let (blocks, states) = (&blocks[some.clone()], &mut states[some]);
            kernel.continue_many_knowing(start, blocks, known, last, states);
        });
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
