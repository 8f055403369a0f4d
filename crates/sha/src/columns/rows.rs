//! The layouts, and the rows of each.

use core::ops::Range;

/// An offset into a column's values: `i32` or `i64`.
pub trait Offset: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Returns the offset as an index, `usize::MAX` if it exceeds all addresses; `None` if it is negative.
    fn index(self) -> Option<usize>;

    #[doc(hidden)]
    fn layout<'a>(values: &'a [u8], offsets: &'a [Self]) -> sealed::Layout<'a>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}

    /// The places of the rows.
    #[derive(Clone, Copy)]
    pub enum Layout<'a> {
        Offsets32(&'a [u8], &'a [i32]),
        Offsets64(&'a [u8], &'a [i64]),
        FixedSize(&'a [u8], usize),
        Views(&'a [[u8; 16]], &'a [&'a [u8]]),
    }
}
pub(super) use sealed::Layout;

impl Offset for i32 {
    #[inline]
    fn index(self) -> Option<usize> {
        usize::try_from(self).ok()
    }

    #[inline]
    fn layout<'a>(values: &'a [u8], offsets: &'a [Self]) -> Layout<'a> {
        Layout::Offsets32(values, offsets)
    }
}

impl Offset for i64 {
    #[inline]
    fn index(self) -> Option<usize> {
        (self >= 0).then(|| usize::try_from(self).unwrap_or(usize::MAX))
    }

    #[inline]
    fn layout<'a>(values: &'a [u8], offsets: &'a [Self]) -> Layout<'a> {
        Layout::Offsets64(values, offsets)
    }
}

/// Checked rows of one layout: a buffer and each row's place in it. So the bytes after a row may be read
/// along with it.
pub(super) trait Rows<'a> {
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>);
}

pub(super) struct Offsets<'a, O> {
    pub(super) values: &'a [u8],
    pub(super) offsets: &'a [O],
}

impl<'a, O: Offset> Rows<'a> for Offsets<'a, O> {
    #[inline(always)]
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>) {
        let index = |i: usize| self.offsets[i].index().expect("not below zero");
        (self.values, index(i)..index(i + 1))
    }
}

pub(super) struct FixedSize<'a> {
    pub(super) values: &'a [u8],
    pub(super) len_bytes: usize,
}

impl<'a> Rows<'a> for FixedSize<'a> {
    #[inline(always)]
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>) {
        (self.values, i * self.len_bytes..(i + 1) * self.len_bytes)
    }
}

pub(super) struct Views<'a> {
    pub(super) views: &'a [[u8; 16]],
    pub(super) buffers: &'a [&'a [u8]],
}

impl<'a> Rows<'a> for Views<'a> {
    /// Returns the views themselves as the buffer of a value that is in its view, so the bytes after it may
    /// be read there, too (values of 0 to 24 bytes, Xeon: 4 ns less a row).
    #[inline(always)]
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>) {
        let ViewWords { len_bytes, index, offset } = ViewWords::of(&self.views[i]);
        let (buffer, start) = match len_bytes <= INLINE {
            true => (self.views.as_flattened(), 16 * i + 4),
            false => (self.buffers[index as usize], offset as usize),
        };
        (buffer, start..start + len_bytes as usize)
    }
}

/// Longest value that is in the view itself, after its length.
pub(super) const INLINE: u32 = 12;

/// Three of the four words of a view; the last two have this meaning only in views of longer values.
struct ViewWords {
    len_bytes: u32,
    /// Index of the buffer.
    index: u32,
    offset: u32,
}

impl ViewWords {
    #[inline(always)]
    fn of(view: &[u8; 16]) -> Self {
        let word = |i: usize| u32::from_le_bytes(view.as_chunks().0[i]);
        Self { len_bytes: word(0), index: word(2), offset: word(3) }
    }
}

/// Returns whether a view's value is not inside its buffer.
#[inline(always)]
pub(super) fn is_outside(view: &[u8; 16], buffers: &[&[u8]]) -> bool {
    let ViewWords { len_bytes, index, offset } = ViewWords::of(view);
    let is_negative = (len_bytes | index | offset) >> 31 == 1;
    let buffer_bytes = buffers.get(index as usize).map_or(0, |buffer| buffer.len()) as u64;
    let end = u64::from(offset) + u64::from(len_bytes);
    (len_bytes > INLINE) & (is_negative | (end > buffer_bytes))
}

/// Returns the value of row `i`.
#[inline(always)]
pub(super) fn value<'a>(rows: &impl Rows<'a>, i: usize) -> &'a [u8] {
    let (values, value) = rows.row(i);
    &values[value]
}
