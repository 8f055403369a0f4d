//! Bytes of messages that wait on the heap: overwritten before their memory is given back.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A vector of bytes that overwrites its memory when it grows into another place and when it is dropped.
#[derive(Clone, Default)]
pub(crate) struct Wiped(Vec<u8>);

impl Wiped {
    pub(crate) fn zeros(n_bytes: usize) -> Self {
        Self(vec![0; n_bytes])
    }

    pub(crate) fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn extend_zeros(&mut self, n_bytes: usize) {
        self.reserve(n_bytes);
        self.0.resize(self.0.len() + n_bytes, 0);
    }

    fn reserve(&mut self, n_more: usize) {
        let needed = self.0.len() + n_more;
        if needed > self.0.capacity() {
            // `Vec` would free the old memory without wiping it.
            let mut roomy = Vec::with_capacity(needed.max(self.0.capacity().saturating_mul(2)));
            roomy.extend_from_slice(&self.0);
            *self = Self(roomy);
        }
    }

    /// Forgets the first bytes, and keeps the others and the room.
    pub(crate) fn forget_first(&mut self, n_bytes: usize) {
        let n_rest = self.0.len() - n_bytes;
        self.0.copy_within(n_bytes.., 0);
        self.0.truncate(n_rest);
    }

    /// Forgets the bytes and keeps their room.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.clear();
        // Within its capacity it stays where it is.
        self.0.resize(self.0.capacity(), 0);
        core::hint::black_box(&mut self.0);
    }
}

impl Deref for Wiped {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Wiped {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Prints their number.
impl fmt::Debug for Wiped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}
