//! Buffers next to unmapped pages: a kernel that reads or writes one byte too far ends the process at once,
//! in the test that called it.
//!
//! ```text
//!                 no access │        readable, writable        │ no access
//! at_end(n)                 │ slack ········ │ n bytes ········│▓ first byte beyond faults
//! at_start(n)  last before ▓│ n bytes ········ │ slack ········│
//! ```
//!
//! Both ends cannot touch a guard at once unless n is a multiple of the page; the slack at the other end is
//! filled with a pattern, and dropping a buffer whose slack was changed panics. Unix only: elsewhere the
//! buffer is an ordinary allocation without slack.

#[cfg(unix)]
mod pages;

#[cfg(unix)]
use pages::Pages;
use std::ops::{Deref, DerefMut, Range};
#[cfg(not(unix))]
use unguarded::Pages;

/// The content of the slack: not 0, which tests expect in too many places.
const SLACK: u8 = 0xa5;

/// A buffer of bytes, at first zero, one end of which lies exactly at an unmapped page. It is a `[u8]` by
/// `Deref`.
#[derive(Debug)]
pub struct Guarded {
    pages: Pages,
    /// The buffer's place in the pages; the rest is slack.
    place: Range<usize>,
}

impl Guarded {
    /// `n` zero bytes; the first byte after them faults. Their start has the alignment that −n has.
    ///
    /// # Panics
    /// Panics if the system gives no memory.
    pub fn at_end(n: usize) -> Guarded {
        let pages = Pages::new(n);
        let end = pages.bytes().len();
        Guarded::new(pages, end - n..end)
    }

    /// `n` zero bytes; the last byte before them faults. They start at a page.
    ///
    /// # Panics
    /// Panics if the system gives no memory.
    pub fn at_start(n: usize) -> Guarded {
        Guarded::new(Pages::new(n), 0..n)
    }

    /// Returns the buffer with the content `bytes`: `Guarded::at_end(3).holding(b"abc")`.
    ///
    /// # Panics
    /// Panics if `bytes` is not as long as the buffer.
    pub fn holding(mut self, bytes: &[u8]) -> Guarded {
        self.copy_from_slice(bytes);
        self
    }

    fn new(mut pages: Pages, place: Range<usize>) -> Guarded {
        pages.bytes_mut().fill(SLACK);
        pages.bytes_mut()[place.clone()].fill(0);
        Guarded { pages, place }
    }
}

impl Deref for Guarded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.pages.bytes()[self.place.clone()]
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.pages.bytes_mut()[self.place.clone()]
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let (before, after) =
            (&self.pages.bytes()[..self.place.start], &self.pages.bytes()[self.place.end..]);
        let whole = before.iter().chain(after).all(|&byte| byte == SLACK);
        assert!(whole || std::thread::panicking(), "written outside of a guarded buffer");
    }
}

#[cfg(not(unix))]
mod unguarded {
    /// An ordinary allocation of the requested length.
    #[derive(Debug)]
    pub(super) struct Pages(Vec<u8>);

    impl Pages {
        pub(super) fn new(n: usize) -> Pages {
            Pages(vec![0; n])
        }

        pub(super) fn bytes(&self) -> &[u8] {
            &self.0
        }

        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Guarded;

    #[test]
    fn keeps_written_bytes() {
        for n in [0, 1, 63, 64, 65, 4095, 4096, 4097, 10_000] {
            let content = crate::ragged::pattern(n, n);
            for mut buffer in [Guarded::at_end(n), Guarded::at_start(n)] {
                assert_eq!(*buffer, *vec![0; n], "{n} bytes, new");
                buffer.copy_from_slice(&content);
                assert_eq!(*buffer, *content, "{n} bytes, written");
            }
            assert_eq!(*Guarded::at_end(n).holding(&content), *content, "{n} bytes");
        }
    }

    #[test]
    #[should_panic(expected = "written outside of a guarded buffer")]
    #[cfg(unix)]
    fn a_changed_slack_is_seen() {
        let mut buffer = Guarded::at_end(10);
        let outside = buffer.place.start - 1;
        buffer.pages.bytes_mut()[outside] = 0;
    }
}
