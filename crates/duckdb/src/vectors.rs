//! The rows of DuckDB's vectors as a column of Arrow views, without a copy of long values.
//!
//! A string of DuckDB has 16 bytes: its length, then up to 12 bytes of a short value, or the first 4 bytes of
//! a longer one and a pointer. A view has the number of a buffer and an offset in place of the pointer, so
//! each long value becomes a buffer.
//!
//! # Safety
//! DuckDB calls a function with flat vectors of strings that nothing changes during the call, of as many rows
//! as the chunk has. A validity mask has a bit for each row. The values of null rows are not read.
#![allow(unsafe_code)] // The argument is above.

use std::ops::Range;
use std::slice;

use hashlanes::Column;

use crate::api::{DataChunk, Vector, api};

/// Bytes of a value that is in the string itself, after its length.
const INLINE: usize = 12;

/// Rows of strings.
pub(crate) struct Strings<'a> {
    views: Vec<[u8; 16]>,
    /// The values that are not inline.
    buffers: Vec<&'a [u8]>,
    /// Bit i mod 8 of byte i / 8 is 1 if row i is not null; empty if no row is.
    validity: Vec<u8>,
}

impl<'a> Strings<'a> {
    /// Returns the rows of an argument.
    ///
    /// # Safety
    /// The chunk is the arguments of a call, has this argument, and outlives the result.
    pub(crate) unsafe fn of_argument(chunk: DataChunk, number: u64) -> Self {
        let api = api();
        // SAFETY: the caller's promise; see the head of this file.
        let (strings, mask) = unsafe {
            let n_rows = (api.data_chunk_get_size)(chunk) as usize;
            let vector = (api.data_chunk_get_vector)(chunk, number);
            let strings = slice::from_raw_parts((api.vector_get_data)(vector).cast::<[u64; 2]>(), n_rows);
            let mask = (api.vector_get_validity)(vector);
            let mask =
                if mask.is_null() { &[][..] } else { slice::from_raw_parts(mask, n_rows.div_ceil(64)) };
            (strings, mask)
        };
        let mut rows = Self {
            views: Vec::with_capacity(strings.len()),
            buffers: Vec::new(),
            validity: mask.iter().flat_map(|word| word.to_le_bytes()).collect(),
        };
        for (row, string) in strings.iter().enumerate() {
            if rows.is_null(row) {
                rows.views.push([0; 16]);
                continue;
            }
            let [first, second] = string.map(u64::to_ne_bytes);
            let n_bytes = u32::from_ne_bytes(*first.first_chunk().expect("4 bytes"));
            let mut view = [0; 16];
            view[..4].copy_from_slice(&n_bytes.to_le_bytes());
            view[4..8].copy_from_slice(&first[4..]);
            if n_bytes as usize <= INLINE {
                view[8..].copy_from_slice(&second);
            } else {
                view[8..12].copy_from_slice(&(rows.buffers.len() as u32).to_le_bytes());
                let start = string[1] as usize as *const u8;
                // SAFETY: the pointer and the length of a string of DuckDB.
                rows.buffers.push(unsafe { slice::from_raw_parts(start, n_bytes as usize) });
            }
            rows.views.push(view);
        }
        rows
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.views.len()
    }

    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.validity.get(row / 8).is_some_and(|byte| byte >> (row % 8) & 1 == 0)
    }

    /// Also makes those rows null that are null in `others`.
    pub(crate) fn add_nulls(&mut self, others: &Self) {
        if self.validity.is_empty() {
            self.validity.clone_from(&others.validity);
        } else {
            self.validity.iter_mut().zip(&others.validity).for_each(|(byte, other)| *byte &= other);
        }
    }

    /// Returns the value of a row, which is not null.
    pub(crate) fn value(&self, row: usize) -> &[u8] {
        let view = &self.views[row];
        let [n_bytes, _, buffer, _] = view.as_chunks().0 else { unreachable!("16 bytes") };
        match u32::from_le_bytes(*n_bytes) as usize {
            n_bytes @ ..=INLINE => &view[4..][..n_bytes],
            _ => self.buffers[u32::from_le_bytes(*buffer) as usize],
        }
    }

    /// Calls `work` with some of the rows as a column.
    pub(crate) fn with_column<R>(&self, rows: Range<usize>, work: impl FnOnce(&Column<'_>) -> R) -> R {
        let column = Column::views(&self.views[rows.clone()], &self.buffers);
        if self.validity.is_empty() {
            work(&column)
        } else {
            work(&column.validity(&self.validity, rows.start))
        }
    }

    /// Writes results of these rows, null where a row is null.
    ///
    /// # Safety
    /// The vector is the result of a call with as many rows, of a type that may hold the results.
    pub(crate) unsafe fn return_to(&self, vector: Vector, results: impl Iterator<Item: AsRef<[u8]>>) {
        let api = api();
        // SAFETY: the caller's promise; DuckDB copies the results.
        unsafe {
            if !self.validity.is_empty() {
                (api.vector_ensure_validity_writable)(vector);
                let mask = (api.vector_get_validity)(vector);
                for (i, word) in self.validity.as_chunks().0.iter().enumerate() {
                    mask.add(i).write(u64::from_le_bytes(*word));
                }
            }
            for (row, result) in results.enumerate().filter(|(row, _)| !self.is_null(*row)) {
                let result = result.as_ref();
                let text = result.as_ptr().cast();
                (api.vector_assign_string_element_len)(vector, row as u64, text, result.len() as u64);
            }
        }
    }
}
