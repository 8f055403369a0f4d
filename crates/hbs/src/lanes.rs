//! Calls of the kernels: the choice of a kernel for a number of continuations, and the count of compressions.

use hashlanes_isa::{Function, Kernel, KnownHalf, Plan, PreExpanded, Start};

use crate::Error;

#[cfg(feature = "count-calls")]
static COMPRESSIONS: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(0);

/// Number of blocks that went through the lanes so far. Work done once per key (states after constant blocks)
/// or once per message (H_msg) is not counted.
#[cfg(feature = "count-calls")]
#[doc(hidden)]
pub fn compressions() -> u64 {
    COMPRESSIONS.load(core::sync::atomic::Ordering::Relaxed)
}

/// The kernels of `F`: those that the table chooses, or one.
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
    /// [`Error::Kernel`] if the kernel is unknown, or this CPU cannot run it.
    pub(crate) fn named(name: Option<&str>) -> Result<Self, Error> {
        use alloc::string::ToString;
        let kernel = name.map(|name| F::table().named(name)).transpose();
        kernel.map(|kernel| Self(kernel.into())).map_err(|error| Error::Kernel(error.to_string()))
    }

    /// Returns the kernel that handles all calls, if one was selected.
    pub(crate) fn only(&self) -> Option<&'static Kernel<F>> {
        self.0.forced()
    }

    /// Processes a message's next block, which is constant for a key and not counted.
    pub(crate) fn compress_constant(&self, state: &mut F::State, block: &F::Block) {
        self.0.kernel(1, 1).compress_one(state, block.as_ref());
    }

    /// Processes `blocks[i]`, then `last` if there is one, from the state `start`; writes the result to
    /// `states[i]`. Half of each block may be `known`.
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
        // A selected kernel processes all blocks in one call.
        if let Some(kernel) = self.0.forced() {
            return kernel.continue_many_knowing(start, blocks, known, last, states);
        }
        self.0.each_group(blocks.len(), 1 + usize::from(last.is_some()), |kernel, some| {
            let (blocks, states) = (&blocks[some.clone()], &mut states[some]);
            kernel.continue_many_knowing(start, blocks, known, last, states);
        });
    }
}

/// Starts rayon's threads, if they do not run yet. If the system refuses to start them, the work is done on
/// one thread; rayon itself would panic.
#[cfg(feature = "rayon")]
pub(crate) fn has_threads() -> bool {
    use core::error::Error;
    use std::sync::OnceLock;

    use rayon::ThreadPoolBuilder;

    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    // The caller may have created a pool of its own.
    rayon::current_thread_index().is_some()
        || *AVAILABLE.get_or_init(|| match ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // An error without a source means that the pool already exists.
            Err(error) => error.source().is_none(),
        })
}
