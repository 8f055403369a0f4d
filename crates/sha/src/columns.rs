//! Arrow-shaped columns: the values of all rows in one buffer, and where each begins.
//!
//! Row i is `values[offsets[i]..offsets[i + 1]]`; n rows have n + 1 offsets, the first of which need not be 0 (a
//! sliced array). A validity bitmap has bit i of byte i / 8, lowest first; a row whose bit is 0 is null. That is the
//! layout of Arrow's variable-size binary arrays, "Binary" and "Utf8" (i32) and their large forms (i64).

use core::ops::Range;

use arrayvec::ArrayVec;
use hashlanes_isa::{FEW, Plan, Types, wipe_stack};
use zeroize::Zeroize;

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::error::same_count;
use crate::fixed::digest_blocks;
use crate::hasher::{Hasher, Midstate};
use crate::many::{BATCH, Call, Secrecy, Starts, digest_all};
use crate::padding::{one_block_ends, padded_within};

/// An offset into a column's values: `i32` or `i64`.
pub trait Offset: Copy + Send + Sync + 'static + sealed::Sealed {
    /// The offset as an index, `usize::MAX` if it exceeds all addresses; `None` if it is less than zero.
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
        (self >= 0).then(|| usize::try_from(self).unwrap_or(usize::MAX))
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
        if self.n_rows() <= FEW {
            let valid = (0..self.n_rows()).filter(|i| !self.is_null(*i));
            let rows: ArrayVec<usize, FEW> = valid.collect();
            self.digest_some(start, &rows, secrecy, &mut done);
            return;
        }
        let mut short = Short::<A>::new(secrecy);
        let mut long = ArrayVec::<usize, BATCH>::new();
        let mut at = index(self.offsets[0]);
        for (i, offset) in self.offsets[1..].iter().enumerate() {
            let value = at..index(*offset);
            at = value.end;
            if self.is_null(i) {
                continue;
            }
            if value.len() < one_block_ends::<A::Function>() {
                short.push(start, self.values, value, i);
                if short.rows.is_full() {
                    short.digest(start, &mut done);
                }
                continue;
            }
            long.push(i);
            if long.is_full() {
                self.digest_some(start, &long, secrecy, &mut done);
                long.clear();
            }
        }
        short.digest(start, &mut done);
        if secrecy == Secrecy::Secret {
            wipe_stack();
        }
        self.digest_some(start, &long, secrecy, &mut done);
    }

    /// As [`Column::digest`], of these rows, null or not.
    fn digest_some<A: Algorithm>(
        &self,
        start: Midstate<A>,
        rows: &[usize],
        secrecy: Secrecy,
        done: &mut impl FnMut(usize, A::Digest),
    ) {
        if !rows.is_empty() {
            // The engine numbers the messages that it gets.
            let values: ArrayVec<&[u8], BATCH> = rows.iter().map(|i| self.value(*i)).collect();
            let done = &mut Call(|k: usize, digest| done(rows[k], digest));
            digest_all::<A>(Plan::BEST, Starts::One(&start.state, start.n_bytes), &values, secrecy, done);
        }
    }

    /// Row `i`, null or not.
    #[inline]
    fn value(&self, i: usize) -> &'a [u8] {
        &self.values[index(self.offsets[i])..index(self.offsets[i + 1])]
    }
}

/// An offset of a column, which was checked when it was made.
#[inline]
fn index(offset: impl Offset) -> usize {
    offset.index().expect("not below zero")
}

/// Rows of one block that are hashed at a time: enough that a kernel overlaps one group's end with the next one's begin.
const SHORT_ROWS: usize = 64;

/// Rows of one block each, padded side by side: equal messages of a whole block then, that a kernel takes in one call.
struct Short<A: Algorithm> {
    blocks: ArrayVec<<A::Function as Types>::Block, SHORT_ROWS>,
    digests: ArrayVec<A::Digest, SHORT_ROWS>,
    /// Each one's row.
    rows: ArrayVec<usize, SHORT_ROWS>,
    secrecy: Secrecy,
}

impl<A: Algorithm> Short<A> {
    fn new(secrecy: Secrecy) -> Self {
        Self { blocks: ArrayVec::new(), digests: ArrayVec::new(), rows: ArrayVec::new(), secrecy }
    }

    /// Takes row `row` in, which is `values[value]`.
    #[inline(always)]
    fn push(&mut self, start: Midstate<A>, values: &[u8], value: Range<usize>, row: usize) {
        let n_bytes = start.n_bytes + value.len() as u64;
        self.blocks.push(padded_within::<A::Function>(values, value, n_bytes));
        self.rows.push(row);
    }

    /// The digests of all rows that are in; lets them go.
    fn digest(&mut self, start: Midstate<A>, done: &mut impl FnMut(usize, A::Digest)) {
        let Self { blocks, digests, rows, secrecy } = self;
        digests.extend(rows.iter().map(|_| A::ZERO_DIGEST));
        digest_blocks::<A>(&start.state, blocks, digests);
        for (row, digest) in rows.iter().zip(&*digests) {
            done(*row, *digest);
        }
        if *secrecy == Secrecy::Secret {
            blocks.iter_mut().for_each(|block| block.as_mut().zeroize());
            digests.iter_mut().for_each(|digest| digest.as_mut().zeroize());
        }
        blocks.clear();
        digests.clear();
        rows.clear();
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
                *two = [hex_digit(byte >> 4), hex_digit(byte & 15)];
            }
        });
        Ok(())
    }
}

/// A digit in lower case. Arithmetic, unlike a table, is compiled to vector instructions.
#[inline(always)]
fn hex_digit(value: u8) -> u8 {
    value + if value < 10 { b'0' } else { b'a' - 10 }
}
