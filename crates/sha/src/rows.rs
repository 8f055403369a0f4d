//! Arrow-shaped columns: the values of all rows in one buffer, and where each begins.
//!
//! Row i is `values[offsets[i]..offsets[i + 1]]`; n rows have n + 1 offsets, the first of which need not be 0 (a
//! sliced array). A validity bitmap has bit i of byte i / 8, lowest first; a row whose bit is 0 is null. That is the
//! layout of Arrow's variable-size binary arrays, "Binary" and "Utf8" (i32) and their large forms (i64).

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::engine::{Best, Secrecy};
use crate::error::same_count;
use crate::md::{Hasher, Midstate};
use crate::whole::{Source, digest_all};

/// An offset into a column's values: `i32` or `i64`.
pub trait Offset: Copy + Send + Sync + 'static + sealed::Sealed {
    /// The offset as an index; `None` if it is less than zero or more than a `usize` holds.
    fn index(self) -> Option<usize>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

impl Offset for i32 {
    #[inline]
    fn index(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

impl Offset for i64 {
    #[inline]
    fn index(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

/// A column whose shape was checked.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
    validity: Option<&'a [u8]>,
}

impl<'a, O: Offset> Column<'a, O> {
    pub(crate) fn new(
        values: &'a [u8],
        offsets: &'a [O],
        validity: Option<&'a [u8]>,
    ) -> Result<Self, ShapeError> {
        let Some((first, others)) = offsets.split_first() else { return Err(ShapeError::NoOffsets) };
        let mut before = first.index().ok_or(ShapeError::OffsetFalls { index: 0 })?;
        for (index, offset) in (1..).zip(others) {
            match offset.index() {
                Some(at) if at >= before => before = at,
                _ => return Err(ShapeError::OffsetFalls { index }),
            }
        }
        if before > values.len() {
            let passes = |offset: &O| offset.index().is_some_and(|at| at > values.len());
            let index = offsets.iter().position(passes).expect("the last one does");
            return Err(ShapeError::OffsetPassesEnd { index, values_bytes: values.len() });
        }
        let rows = others.len();
        if let Some(validity) = validity
            && validity.len() < rows.div_ceil(8)
        {
            return Err(ShapeError::ValidityShort { validity_bytes: validity.len(), rows });
        }
        Ok(Self { values, offsets, validity })
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether row `i` is null.
    #[inline]
    fn is_null(&self, i: usize) -> bool {
        self.validity.is_some_and(|validity| validity[i / 8] >> (i % 8) & 1 == 0)
    }

    /// The digests of rows that are not null, behind `start`; `done` gets a row's number and its digest.
    pub(crate) fn digest<A: Algorithm>(
        &self,
        start: Midstate<A>,
        secrecy: Secrecy,
        mut done: impl FnMut(usize, A::Digest),
    ) {
        if self.validity.is_none() {
            digest_all(Best, start, self, secrecy, done);
            return;
        }
        // The engine numbers the messages it gets; among nulls, their rows are found by this.
        /// Rows whose numbers are kept at a time.
        const BATCH: usize = 512;
        let mut i = 0;
        while i < self.n_rows() {
            let mut row_of = [0; BATCH];
            let mut n = 0;
            while i < self.n_rows() && n < BATCH {
                if !self.is_null(i) {
                    row_of[n] = i;
                    n += 1;
                }
                i += 1;
            }
            let some = SomeRows { column: self, rows: &row_of[..n] };
            digest_all(Best, start, &some, secrecy, |k, digest| done(row_of[k], digest));
        }
    }

    /// Row `i`, null or not.
    #[inline]
    fn value(&self, i: usize) -> &'a [u8] {
        let index = |offset: O| offset.index().expect("checked when the column was made");
        &self.values[index(self.offsets[i])..index(self.offsets[i + 1])]
    }
}

impl<'a, O: Offset> Source<'a> for Column<'a, O> {
    #[inline]
    fn n_messages(&self) -> usize {
        self.n_rows()
    }
    #[inline]
    fn message(&self, index: usize) -> &'a [u8] {
        self.value(index)
    }
}

/// Rows of a column by their numbers.
struct SomeRows<'r, 'a, O> {
    column: &'r Column<'a, O>,
    rows: &'r [usize],
}

impl<'a, O: Offset> Source<'a> for SomeRows<'_, 'a, O> {
    #[inline]
    fn n_messages(&self) -> usize {
        self.rows.len()
    }
    #[inline]
    fn message(&self, index: usize) -> &'a [u8] {
        self.column.value(self.rows[index])
    }
}

impl<A: Algorithm> Hasher<A> {
    /// Digests of a column's rows; see the [crate's functions](crate::sha256_rows). Null rows get zeros.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_digest_rows<O: Offset>(
        values: &[u8],
        offsets: &[O],
        validity: Option<&[u8]>,
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        let column = Column::new(values, offsets, validity)?;
        same_count("rows", column.n_rows(), "digests", digests.len())?;
        if validity.is_some() {
            digests.fill(A::ZERO_DIGEST);
        }
        column.digest::<A>(Self::START, Secrecy::Public, |i, digest| digests[i] = digest);
        Ok(())
    }

    /// As [`Hasher::try_digest_rows`] without nulls, each digest in lower-case hexadecimal: `2 * DIGEST_BYTES` bytes
    /// of `hex` a row.
    pub(crate) fn try_digest_rows_hex<O: Offset, const HEX: usize>(
        values: &[u8],
        offsets: &[O],
        hex: &mut [[u8; HEX]],
    ) -> Result<(), ShapeError> {
        const { assert!(HEX == 2 * A::DIGEST_BYTES) };
        let column = Column::new(values, offsets, None)?;
        same_count("rows", column.n_rows(), "hex", hex.len())?;
        column.digest::<A>(Self::START, Secrecy::Public, |i, digest| {
            for (two, byte) in hex[i].as_chunks_mut().0.iter_mut().zip(digest.as_ref()) {
                *two = HEX_OF[*byte as usize];
            }
        });
        Ok(())
    }
}

/// Each byte's two digits.
static HEX_OF: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    table
};
