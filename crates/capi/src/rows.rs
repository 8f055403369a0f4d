//! Columns in the layout of Apache Arrow: values one after the other, and the offset of each.

use std::ffi::c_void;

use hashlanes::{Column, Offset, ShapeError};

use crate::border::{Result, apart, guarded, input, items, output, product};
use crate::error::hashlanes_error::{self, *};
use crate::hashes::{Hash, hashlanes_hash};

/// Hashes a column of `rows` values with 32-bit offsets: row i is the bytes `offsets[i]` to `offsets[i + 1]`
/// of `values`.
///
/// This is the layout of Arrow's Binary and Utf8. `offsets` holds `rows` + 1 integers, which do not decrease;
/// the first need not be 0, and none passes `values_bytes`. `validity` is NULL, or a bitmap: row i is null if
/// bit `first_bit` + i is 0, counted from the lowest bit of the first byte. Null rows are not hashed; their
/// digests are zeros. Digest i is written at `digests` + i * hashlanes_digest_bytes(hash). Nothing is
/// allocated. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_OVERLAP, HASHLANES_TOO_LONG,
/// HASHLANES_OFFSETS, HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rows32(
    hash: hashlanes_hash,
    values: *const c_void,
    values_bytes: usize,
    offsets: *const i32,
    rows: usize,
    validity: *const u8,
    first_bit: usize,
    digests: *mut u8,
) -> hashlanes_error {
    let source = Source { values, values_bytes, offsets, rows, validity, first_bit };
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { source.hash(Hash::of(hash)?, digests) })
}

/// Does the same as hashlanes_rows32() with 64-bit offsets: Arrow's LargeBinary and LargeUtf8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_rows64(
    hash: hashlanes_hash,
    values: *const c_void,
    values_bytes: usize,
    offsets: *const i64,
    rows: usize,
    validity: *const u8,
    first_bit: usize,
    digests: *mut u8,
) -> hashlanes_error {
    let source = Source { values, values_bytes, offsets, rows, validity, first_bit };
    // SAFETY: the C contract guarantees it.
    guarded(|| unsafe { source.hash(Hash::of(hash)?, digests) })
}

/// A column as C describes it.
pub(crate) struct Source<O> {
    pub(crate) values: *const c_void,
    pub(crate) values_bytes: usize,
    pub(crate) offsets: *const O,
    pub(crate) rows: usize,
    pub(crate) validity: *const u8,
    pub(crate) first_bit: usize,
}

impl<O: Offset> Source<O> {
    /// # Safety
    /// The caller must keep the C contract.
    unsafe fn hash(&self, hash: &Hash, digests: *mut u8) -> Result {
        // SAFETY: the caller guarantees it.
        unsafe { self.results(hash.digest_bytes, digests, hash.column) }
    }

    /// Passes the column and the places of its results, `result_bytes` bytes a row, to `compute`.
    ///
    /// # Safety
    /// The caller must keep the C contract.
    pub(crate) unsafe fn results(
        &self,
        result_bytes: usize,
        results: *mut u8,
        compute: impl Fn(&Column<'_>, &mut [u8]) -> std::result::Result<(), ShapeError>,
    ) -> Result {
        let n_bytes = product(self.rows, result_bytes)?;
        let n_offsets = self.rows.checked_add(1).ok_or(HASHLANES_TOO_LONG)?;
        // SAFETY: the caller guarantees it.
        let (values, offsets) =
            unsafe { (input(self.values, self.values_bytes)?, items(self.offsets, n_offsets)?) };
        apart((results, n_bytes), (values.as_ptr(), values.len()))?;
        apart((results, n_bytes), (offsets.as_ptr(), size_of_val(offsets)))?;
        let mut column = Column::binary(values, offsets);
        if !self.validity.is_null() {
            let n_bits = self.first_bit.checked_add(self.rows).ok_or(HASHLANES_TOO_LONG)?;
            // SAFETY: the caller guarantees it.
            let bitmap = unsafe { items(self.validity, n_bits.div_ceil(8))? };
            apart((results, n_bytes), (bitmap.as_ptr(), bitmap.len()))?;
            column = column.validity(bitmap, self.first_bit);
        }
        // SAFETY: the caller guarantees it; it overlaps no memory that is read.
        let results = unsafe { output(results, n_bytes)? };
        Ok(compute(&column, results)?)
    }
}
