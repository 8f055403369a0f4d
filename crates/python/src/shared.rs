//! A value that is protected by the GIL, and by a lock while a thread uses it without the GIL.
//!
//! Threads hardly ever share a hash object, and most parts of messages are short. A lock around each of them
//! takes as long as the rest of a call: its atomic instructions prevent the CPU from overlapping successive
//! calls. So a thread that holds the GIL uses the value without a lock, unless another thread has it on loan.
//!
//! # Safety
//! At most one thread has a reference to `value` at a time:
//! - `on_loan` is read and written only by threads that hold the GIL, so these see each other's writes.
//! - [`Shared::with`] makes its reference while the thread holds the GIL and `on_loan` is false. The closure
//!   does not run Python code and does not release the GIL, so neither another thread nor this one reaches
//!   `value` before it returns.
//! - [`Shared::with_detached`] sets `on_loan` under the same condition, and clears it when it holds the GIL
//!   again.
//!
//! This module always has a GIL: it declares `gil_used`, so free-threaded Python enables the GIL.
#![allow(unsafe_code)] // The argument is above.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

/// See the head of this file.
pub(crate) struct Shared<T> {
    on_loan: AtomicBool,
    /// Held by the borrowing thread; others wait for it.
    loan: Mutex<()>,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time has a reference to the value; see above.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T: Send> Shared<T> {
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        Self { on_loan: AtomicBool::new(false), loan: Mutex::new(()), value: UnsafeCell::new(value) }
    }

    /// Uses the value under the GIL. `work` must not run Python code: it would release the GIL.
    #[inline]
    pub(crate) fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> R {
        if self.on_loan.load(Relaxed) {
            self.wait(py);
        }
        // SAFETY: the thread holds the GIL, and the value is not on loan.
        work(unsafe { &mut *self.value.get() })
    }

    /// Uses the value without the GIL.
    pub(crate) fn with_detached<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R + Send) -> R {
        if self.on_loan.load(Relaxed) {
            self.wait(py);
        }
        // Waiting threads release the lock at once, without the GIL.
        let _lock = self.lock();
        let _loan = Loan::begin(&self.on_loan);
        // SAFETY: only this thread has the value on loan.
        let value = unsafe { &mut *self.value.get() };
        py.detach(|| work(value))
    }

    /// Returns when the value is not on loan.
    #[cold]
    fn wait(&self, py: Python<'_>) {
        while self.on_loan.load(Relaxed) {
            py.detach(|| drop(self.lock()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.loan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a loan, also when the work panics.
struct Loan<'a>(&'a AtomicBool);

impl<'a> Loan<'a> {
    fn begin(on_loan: &'a AtomicBool) -> Self {
        on_loan.store(true, Relaxed);
        Self(on_loan)
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.0.store(false, Relaxed);
    }
}
