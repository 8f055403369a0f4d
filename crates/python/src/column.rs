//! SHA-256 of columns: Arrow's arrays and streams, and the rows of an array.

use std::ops::Range;
use std::sync::Arc;

use hashlanes::{
    ShapeError, try_hmac_sha256_column, try_hmac_sha256_column_hex, try_sha256_column, try_sha256_column_hex,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::arrow::{self, Chunk, Encoded, Fault, Imported};
use crate::bytes::{Buffer, OutBuffer, bytes_of, has_buffer};
use crate::digests::{self, Digests, Encoding, encode_base64};

/// Digests of a column, as an Arrow array of type FixedSizeBinary(32), or Utf8 if they are text.
///
/// Every library with the Arrow PyCapsule interface imports it without a copy: `pyarrow.array(column)`.
#[pyclass(frozen, module = "hashlanes", name = "Column")]
pub(crate) struct DigestColumn(Arc<Digests>);

#[pymethods]
impl DigestColumn {
    fn __len__(&self) -> usize {
        self.0.n_rows()
    }

    /// The column's type, for Arrow libraries.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::export_schema(py, &self.0)
    }

    /// The column's type and values, for Arrow libraries.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // A producer may ignore it; the consumer casts.
        arrow::export(py, &self.0)
    }
}

/// Returns the SHA-256 digests of a column's rows.
#[pyfunction]
#[pyo3(
    signature = (values, *, out=None, encoding=Encoding::Binary, key=None, prefix=None),
    text_signature = "(values, *, out=None, encoding='binary', key=None, prefix=None)",
)]
pub(crate) fn sha256_column<'py>(
    values: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = Encoding::given)] encoding: Encoding,
    key: Option<&Bound<'py, PyAny>>,
    prefix: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = values.py();
    let (mut held_key, mut held_prefix) = (None, None);
    let hash = RowHash {
        encoding,
        key: key.map(|key| bytes_of(key, "key", &mut held_key)).transpose()?,
        prefix: prefix.map(|prefix| bytes_of(prefix, "prefix", &mut held_prefix)).transpose()?.unwrap_or(&[]),
    };
    let (imported, rows);
    let parts = match Imported::of(values, "values")? {
        Some(arrow) => {
            imported = arrow;
            let chunks = imported.chunks().map_err(|fault| fault.of("values"))?;
            chunks.into_iter().map(Part::of).collect::<Result<_, _>>().map_err(|fault| fault.of("values"))?
        }
        None => {
            rows = rows_of(values)?;
            vec![Part::Rows {
                values: rows.bytes(),
                len_bytes: rows.bytes().len() / rows.shape()[0].max(1),
                n_rows: rows.shape()[0],
            }]
        }
    };
    let n_bytes = parts.iter().map(Part::n_rows).sum::<usize>() * hash.encoding.width();
    if let Some(out) = out {
        let mut buffer = OutBuffer::of(out, "out")?;
        buffer.check_len(n_bytes, "out")?;
        for part in &parts {
            for range in part.memory().map_err(|fault| fault.of("values"))? {
                buffer.check_apart("out", range, "values")?;
            }
        }
        buffer.check_apart("out", hash.key.unwrap_or(&[]).as_ptr_range(), "key")?;
        buffer.check_apart("out", hash.prefix.as_ptr_range(), "prefix")?;
        let results = buffer.bytes_mut();
        py.detach(|| hash.digest_all(&parts, results)).map_err(|fault| fault.of("values"))?;
        return Ok(out.clone());
    }
    let digests = py.detach(|| hash.digests(&parts, n_bytes)).map_err(|fault| fault.of("values"))?;
    Ok(Bound::new(py, DigestColumn(Arc::new(digests)))?.into_any())
}

/// An array of two dimensions, whose rows are messages.
fn rows_of(values: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    if !has_buffer(values) {
        let found = values.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "values: expected an Arrow column or an array of rows, not {found}"
        )));
    }
    let rows = Buffer::of(values, "values")?;
    match rows.shape().len() {
        2 => Ok(rows),
        1 => Err(PyValueError::new_err("values: 1 dimension; rows have two")),
        n => Err(PyValueError::new_err(format!("values: {n} dimensions; rows have two"))),
    }
}

/// Rows of one buffer.
enum Part<'a> {
    Arrow(Chunk<'a>),
    /// Indices of values; each value is hashed only once.
    Dictionary(Encoded<'a>),
    Rows {
        values: &'a [u8],
        len_bytes: usize,
        n_rows: usize,
    },
    /// A number of rows, all of them null.
    Nulls(usize),
}

impl<'a> Part<'a> {
    fn of(chunk: Chunk<'a>) -> Result<Self, Fault> {
        Ok(match chunk.encoded()? {
            Some(encoded) if !encoded.values.is_of_nulls() => Part::Dictionary(encoded),
            None if !chunk.is_of_nulls() => Part::Arrow(chunk),
            _ => Part::Nulls(chunk.n_rows()),
        })
    }

    fn n_rows(&self) -> usize {
        match self {
            Part::Arrow(chunk) => chunk.n_rows(),
            Part::Dictionary(encoded) => encoded.n_rows(),
            Part::Rows { n_rows, .. } | Part::Nulls(n_rows) => *n_rows,
        }
    }

    /// Returns the addresses of the memory that is read.
    fn memory(&self) -> Result<Vec<Range<*const u8>>, Fault> {
        match self {
            Part::Arrow(chunk) => chunk.memory(),
            Part::Dictionary(encoded) => encoded.memory(),
            Part::Rows { values, .. } => Ok(vec![values.as_ptr_range()]),
            Part::Nulls(_) => Ok(Vec::new()),
        }
    }
}

/// The function computed for each row.
struct RowHash<'k> {
    encoding: Encoding,
    key: Option<&'k [u8]>,
    prefix: &'k [u8],
}

impl RowHash<'_> {
    /// Digests in memory of their own.
    fn digests(&self, parts: &[Part<'_>], n_bytes: usize) -> Result<Digests, Fault> {
        let width = self.encoding.width();
        let offsets = match self.encoding {
            Encoding::Binary => None,
            Encoding::Hex | Encoding::Base64 => {
                let most = i32::MAX as usize / width;
                let n_rows = n_bytes / width;
                if n_rows > most {
                    return Err(Fault::Value(format!("more than {most} rows; hash them in batches")));
                }
                // Vectorized; a range with a step is not.
                Some((0..=n_rows as i32).map(|row| row * width as i32).collect())
            }
        };
        let mut values = digests::memory(n_bytes);
        self.digest_all(parts, &mut values)?;
        Ok(Digests { encoding: self.encoding, values, offsets, validity: validity(parts)? })
    }

    /// Writes the digests of all parts, one after the other.
    fn digest_all(&self, parts: &[Part<'_>], results: &mut [u8]) -> Result<(), Fault> {
        let mut rest = results;
        for part in parts {
            let (results, others) = rest.split_at_mut(part.n_rows() * self.encoding.width());
            self.digest(part, results)?;
            rest = others;
        }
        Ok(())
    }

    fn digest(&self, part: &Part<'_>, results: &mut [u8]) -> Result<(), Fault> {
        let digested = match part {
            _ if part.n_rows() == 0 => Ok(()),
            Part::Arrow(chunk) => self.digest_chunk(chunk, results)?,
            Part::Rows { values, len_bytes, .. } => {
                self.digest_column(&hashlanes::Column::fixed_size(values, *len_bytes), results)
            }
            Part::Nulls(_) => {
                results
                    .chunks_exact_mut(self.encoding.width())
                    .for_each(|row| self.encoding.encode_null(row));
                Ok(())
            }
            Part::Dictionary(encoded) => {
                let (values, width) = (&encoded.values, self.encoding.width());
                // One more value, for nulls.
                let mut digests = vec![0; (values.n_rows() + 1) * width];
                let (of_values, of_null) = digests.split_at_mut(values.n_rows() * width);
                self.encoding.encode_null(of_null);
                if values.n_rows() > 0 {
                    self.digest_chunk(values, of_values)?.map_err(|error| Fault::Value(error.to_string()))?;
                }
                encoded.each_index(|row, index| {
                    let from = index.unwrap_or(values.n_rows()) * width;
                    results[row * width..][..width].copy_from_slice(&digests[from..][..width]);
                })?;
                Ok(())
            }
        };
        digested.map_err(|error| Fault::Value(error.to_string()))
    }

    fn digest_chunk(&self, chunk: &Chunk<'_>, results: &mut [u8]) -> Result<Result<(), ShapeError>, Fault> {
        chunk.with_column(|column| match chunk.validity() {
            Some((bitmap, first)) => self.digest_column(&column.validity(bitmap, first), results),
            None => self.digest_column(&column, results),
        })
    }

    fn digest_column(&self, column: &hashlanes::Column<'_>, results: &mut [u8]) -> Result<(), ShapeError> {
        let column = &column.prefix(self.prefix);
        match (self.encoding, self.key) {
            (Encoding::Binary, _) => self.digest_binary(column, results.as_chunks_mut().0),
            (Encoding::Hex, None) => try_sha256_column_hex(column, results.as_chunks_mut().0),
            (Encoding::Hex, Some(key)) => try_hmac_sha256_column_hex(key, column, results.as_chunks_mut().0),
            (Encoding::Base64, _) => {
                // The digests are at the end of the results; the text reaches them at the last row.
                let n_rows = results.len() / Encoding::Base64.width();
                let at = results.len() - 32 * n_rows;
                self.digest_binary(column, results[at..].as_chunks_mut().0)?;
                for row in 0..n_rows {
                    let digest: [u8; 32] = *results[at + 32 * row..].first_chunk().expect("a digest");
                    encode_base64(&digest, &mut results[44 * row..][..44]);
                }
                Ok(())
            }
        }
    }

    fn digest_binary(
        &self,
        column: &hashlanes::Column<'_>,
        digests: &mut [[u8; 32]],
    ) -> Result<(), ShapeError> {
        match self.key {
            None => try_sha256_column(column, digests),
            Some(key) => try_hmac_sha256_column(key, column, digests),
        }
    }
}

/// Returns the bitmap of all rows and the number of nulls, if there are any.
///
/// # Errors
/// If an index is not in its dictionary.
fn validity(parts: &[Part<'_>]) -> Result<Option<(Vec<u8>, usize)>, Fault> {
    let n_rows = parts.iter().map(Part::n_rows).sum::<usize>();
    let (mut bitmap, mut n_nulls, mut start) = (Vec::new(), 0, 0);
    for part in parts {
        let mut null = |row: usize| {
            if bitmap.is_empty() {
                bitmap = vec![0xff; n_rows.div_ceil(8)];
            }
            bitmap[(start + row) / 8] &= !(1 << ((start + row) % 8));
            n_nulls += 1;
        };
        match part {
            Part::Arrow(chunk) => chunk.null_rows().for_each(&mut null),
            Part::Dictionary(encoded) => encoded.each_index(|row, index| {
                if index.is_none() {
                    null(row);
                }
            })?,
            Part::Nulls(n_rows) => (0..*n_rows).for_each(null),
            Part::Rows { .. } => {}
        }
        start += part.n_rows();
    }
    Ok((n_nulls > 0).then_some((bitmap, n_nulls)))
}
