//! Whether there are threads to work on.

use core::error::Error;
use std::sync::OnceLock;

use rayon::ThreadPoolBuilder;

/// Starts rayon's threads, if they do not run yet. If the system refuses to start them, the work is done on one thread:
/// rayon would panic.
pub(crate) fn are_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    // A caller may have made a pool of its own.
    rayon::current_thread_index().is_some()
        || *AVAILABLE.get_or_init(|| match ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // Without a source: the pool exists already.
            Err(error) => error.source().is_none(),
        })
}
