//! A column: its layout, its nulls, its prefix; the check of its shape.

use core::fmt;
use core::ops::Range;

use super::rows::{self, Layout, Offset};
use crate::ShapeError;
use crate::error::{same_count, same_length};

/// A column of values in one of Arrow's layouts, optionally with nulls, and with a prefix for each value.
///
/// It borrows all parts. The functions that hash it check its shape: [`sha256_column`](crate::sha256_column),
/// [`sha256_column_hex`](crate::sha256_column_hex), [`hmac_sha256_column`](crate::hmac_sha256_column) and
/// those of other hashes.
///
/// # Examples
/// Values after a salt, the second of them null, in a column that is a slice of a longer one:
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, sha256, sha256_column};
///
/// let (values, offsets) = (b"onetwothree", [3_i32, 6, 6, 11]);
/// let column = Column::binary(values, &offsets).validity(&[0b1010_0000], 5).prefix(b"salt");
/// let mut digests = [[0xff; 32]; 3];
/// sha256_column(&column, &mut digests);
/// assert_eq!(digests, [sha256(b"salttwo"), [0; 32], sha256(b"saltthree")]);
/// ```
///
/// Equal values, and views:
///
/// ```
/// # use hashlanes_sha as hashlanes;
/// use hashlanes::{Column, sha256, sha256_column};
///
/// let mut digests = [[0; 32]; 2];
/// sha256_column(&Column::fixed_size(b"abcxyz", 3), &mut digests);
/// assert_eq!(digests, [sha256(b"abc"), sha256(b"xyz")]);
///
/// // A length of 4 bytes, then up to 12 bytes of the value; or its first 4 bytes, the number of a buffer, an offset.
/// let views = [*b"\x03\0\0\0abc\0\0\0\0\0\0\0\0\0", *b"\x0e\0\0\0long\0\0\0\0\x02\0\0\0"];
/// sha256_column(&Column::views(&views, &[b"a longer value in"]), &mut digests);
/// assert_eq!(digests, [sha256(b"abc"), sha256(b"longer value i")]);
/// ```
#[derive(Clone, Copy)]
pub struct Column<'a> {
    pub(super) layout: Layout<'a>,
    validity: Option<Validity<'a>>,
    pub(super) prefix: &'a [u8],
}

/// Prints neither the values nor the prefix.
impl fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = match self.layout {
            Layout::Offsets32(..) => "binary, i32",
            Layout::Offsets64(..) => "binary, i64",
            Layout::FixedSize(..) => "fixed size",
            Layout::Views(..) => "views",
        };
        f.debug_struct("Column").field("layout", &layout).finish_non_exhaustive()
    }
}

/// Bit (`first_bit` + i) mod 8 of byte (`first_bit` + i) / 8, lowest first, is 1 if row i is not null.
#[derive(Clone, Copy)]
struct Validity<'a> {
    bitmap: &'a [u8],
    first_bit: usize,
}

impl Validity<'_> {
    #[inline]
    fn is_null(&self, i: usize) -> bool {
        let bit = self.first_bit + i;
        self.bitmap[bit / 8] >> (bit % 8) & 1 == 0
    }
}

impl<'a> Column<'a> {
    /// Creates a column whose row i is `values[offsets[i]..offsets[i + 1]]`: Arrow's Binary, Utf8,
    /// LargeBinary, LargeUtf8.
    ///
    /// There is one offset more than rows. Offsets are `i32` or `i64` and do not decrease. The first need not
    /// be 0.
    #[inline]
    pub fn binary<O: Offset>(values: &'a [u8], offsets: &'a [O]) -> Self {
        Self::of(O::layout(values, offsets))
    }

    /// Creates a column of values of `len_bytes` bytes each, one after another: Arrow's FixedSizeBinary.
    ///
    /// It has as many rows as there are results.
    #[inline]
    pub fn fixed_size(values: &'a [u8], len_bytes: usize) -> Self {
        Self::of(Layout::FixedSize(values, len_bytes))
    }

    /// Creates a column of views: Arrow's BinaryView and Utf8View.
    ///
    /// A view begins with the length as a little-endian `i32`. A value of up to 12 bytes follows; for a
    /// longer value, its first 4 bytes, the index of its buffer, and its offset there, both little-endian
    /// `i32`. Views of null rows are not read. The first 4 bytes of a longer value are not compared with
    /// those in its buffer.
    #[inline]
    pub fn views(views: &'a [[u8; 16]], buffers: &'a [&'a [u8]]) -> Self {
        Self::of(Layout::Views(views, buffers))
    }

    #[inline]
    fn of(layout: Layout<'a>) -> Self {
        Self { layout, validity: None, prefix: &[] }
    }

    /// Returns the column with nulls: bit `first_bit + i` of `bitmap` is 1 if row i is not null.
    ///
    /// Bits are counted from the lowest one of the first byte. Null rows are not hashed; their results are
    /// zeros, in hexadecimal the digit `0`.
    #[inline]
    #[must_use]
    pub fn validity(self, bitmap: &'a [u8], first_bit: usize) -> Self {
        Self { validity: Some(Validity { bitmap, first_bit }), ..self }
    }

    /// Returns the column with a bitmap from its first bit on, if given.
    #[inline]
    pub(crate) fn maybe_validity(self, bitmap: Option<&'a [u8]>) -> Self {
        Self { validity: bitmap.map(|bitmap| Validity { bitmap, first_bit: 0 }), ..self }
    }

    /// Returns the column with a prefix: each value is hashed as if it followed these bytes, such as a salt.
    #[inline]
    #[must_use]
    pub fn prefix(self, prefix: &'a [u8]) -> Self {
        Self { prefix, ..self }
    }

    /// Checks that everything is inside the buffers, and that there are `results` rows.
    pub(crate) fn check(&self, into: &'static str, results: usize) -> Result<(), ShapeError> {
        let rows = match self.layout {
            Layout::Offsets32(values, offsets) => check_offsets(values, offsets)?,
            Layout::Offsets64(values, offsets) => check_offsets(values, offsets)?,
            Layout::FixedSize(values, len_bytes) => {
                same_length(("values", values.len()), len_bytes, (into, results))?;
                results
            }
            Layout::Views(views, _) => views.len(),
        };
        if let Some(Validity { bitmap, first_bit }) = self.validity
            && first_bit.checked_add(rows).is_none_or(|n_bits| bitmap.len() < n_bits.div_ceil(8))
        {
            return Err(ShapeError::ValidityShort { validity_bytes: bitmap.len(), first_bit, rows });
        }
        if let Layout::Views(views, buffers) = self.layout {
            let is_wrong = |i: usize| rows::is_outside(&views[i], buffers) & !self.is_null(i);
            // No branch depends on a length (Xeon, rows of 0 to 24 bytes: 0.9 instead of 3.3 ns each, of 20
            // bytes 0.9 instead of 1.2). The first wrong row is found afterwards.
            if (0..rows).fold(false, |any, i| any | is_wrong(i)) {
                let index = (0..rows).find(|i| is_wrong(*i)).expect("at least one");
                return Err(ShapeError::ViewOutside { index });
            }
        }
        same_count("rows", rows, into, results)
    }

    /// Some rows of a checked column.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        let layout = match self.layout {
            Layout::Offsets32(values, offsets) => Layout::Offsets32(values, &offsets[rows.start..=rows.end]),
            Layout::Offsets64(values, offsets) => Layout::Offsets64(values, &offsets[rows.start..=rows.end]),
            Layout::FixedSize(values, len_bytes) => {
                Layout::FixedSize(&values[len_bytes * rows.start..len_bytes * rows.end], len_bytes)
            }
            Layout::Views(views, buffers) => Layout::Views(&views[rows.clone()], buffers),
        };
        let shifted = |Validity { bitmap, first_bit }| Validity { bitmap, first_bit: first_bit + rows.start };
        Self { layout, validity: self.validity.map(shifted), prefix: self.prefix }
    }

    /// Returns the number of bytes of the `n` rows of a checked column, null or not, as far as it is known
    /// without reading them.
    #[cfg(feature = "rayon")]
    pub(crate) fn n_bytes(&self, n: usize) -> usize {
        match self.layout {
            Layout::Offsets32(_, offsets) => span(offsets),
            Layout::Offsets64(_, offsets) => span(offsets),
            Layout::FixedSize(values, _) => values.len(),
            Layout::Views(..) => n * rows::INLINE as usize,
        }
    }

    /// Calls `each` with the number and the value of every row that is not null, of `n` rows of a checked
    /// column.
    #[cfg(feature = "sha3")]
    pub(crate) fn each_value(&self, n: usize, each: &mut dyn FnMut(usize, &'a [u8])) {
        fn all<'a>(
            column: &Column<'a>,
            n: usize,
            rows: &impl rows::Rows<'a>,
            each: &mut dyn FnMut(usize, &'a [u8]),
        ) {
            for i in (0..n).filter(|i| !column.is_null(*i)) {
                let (values, value) = rows.row(i);
                each(i, &values[value]);
            }
        }
        match self.layout {
            Layout::Offsets32(values, offsets) => all(self, n, &rows::Offsets { values, offsets }, each),
            Layout::Offsets64(values, offsets) => all(self, n, &rows::Offsets { values, offsets }, each),
            Layout::FixedSize(values, len_bytes) => {
                all(self, n, &rows::FixedSize { values, len_bytes }, each)
            }
            Layout::Views(views, buffers) => all(self, n, &rows::Views { views, buffers }, each),
        }
    }

    /// Returns the number of bytes before each value.
    #[cfg(feature = "sha3")]
    pub(crate) fn prefix_bytes(&self) -> &'a [u8] {
        self.prefix
    }

    pub(crate) fn has_validity(&self) -> bool {
        self.validity.is_some()
    }

    /// Returns whether row `i` is null.
    #[inline]
    pub(crate) fn is_null(&self, i: usize) -> bool {
        self.validity.is_some_and(|validity| validity.is_null(i))
    }
}

/// Returns the number of bytes between the first and the last offset.
#[cfg(feature = "rayon")]
fn span<O: Offset>(offsets: &[O]) -> usize {
    let at = |offset: Option<&O>| offset.and_then(|offset| offset.index()).unwrap_or(0);
    at(offsets.last()) - at(offsets.first())
}

/// Checks offsets into `values`; returns the number of rows.
fn check_offsets<O: Offset>(values: &[u8], offsets: &[O]) -> Result<usize, ShapeError> {
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
    Ok(others.len())
}
