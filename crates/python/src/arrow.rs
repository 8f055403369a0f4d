//! Arrow's C data interface and C stream interface: import columns of other libraries and export results
//! without a copy.
//!
//! The three structs are those of <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! `CStreamInterface.html`. They are defined here because nothing else is needed; a crate that has them
//! depends on over a hundred others.
//!
//! # Safety
//! A producer promises, as the specification says:
//! - A struct is valid until its `release` is called, which happens here when it is dropped. Moving a struct
//!   out of a capsule leaves a released one there.
//! - An array's buffers are those of its type, as long as its `length` and `offset` require, and nothing
//!   writes to them. The interface has no lengths of buffers to check, except those that views point into.
//! - Structs may be used and released on any thread, with or without the GIL.
//!
//! The contents of buffers are checked before use; [`hashlanes::Column`] checks offsets and views.
#![allow(unsafe_code)] // The argument is above.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::sync::Arc;
use std::{iter, mem, ptr, slice};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::digests::Digests;

/// A type.
#[repr(C)]
pub(crate) struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// Values of a type.
#[repr(C)]
pub(crate) struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// Arrays of one type, one after the other.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A struct of the interface.
trait Released: Sized {
    /// The name of its capsules.
    const CAPSULE: &'static CStr;
    /// The function that releases it, if it is not released.
    fn release(&self) -> Option<unsafe extern "C" fn(*mut Self)>;

    /// A released struct: all zero, as the specification requires.
    fn released() -> Self {
        // SAFETY: integers, pointers and optional functions.
        unsafe { mem::zeroed() }
    }

    /// Takes it out of its capsule.
    ///
    /// # Errors
    /// `ValueError` if it was taken before.
    fn of(capsule: &Bound<'_, PyCapsule>, argument: &str) -> PyResult<Self> {
        let pointer = capsule.pointer_checked(Some(Self::CAPSULE))?.cast::<Self>();
        // SAFETY: a capsule of this name holds such a struct. It is used under the GIL, so no other thread
        // takes it.
        let taken = unsafe { pointer.replace(Self::released()) };
        match taken.release() {
            Some(_) => Ok(taken),
            None => Err(PyValueError::new_err(format!("{argument}: the Arrow data was consumed before"))),
        }
    }
}

macro_rules! released {
    ($($struct:ident $name:literal;)*) => {$(
        // SAFETY: the specification allows every thread to use and release it; see the head of this file.
        unsafe impl Send for $struct {}

        impl Released for $struct {
            const CAPSULE: &'static CStr = $name;

            fn release(&self) -> Option<unsafe extern "C" fn(*mut Self)> {
                self.release
            }
        }

        impl Drop for $struct {
            fn drop(&mut self) {
                if let Some(release) = self.release() {
                    // SAFETY: it is not released yet.
                    unsafe { release(self) }
                }
            }
        }
    )*};
}
released! {
    Schema c"arrow_schema";
    Array c"arrow_array";
    Stream c"arrow_array_stream";
}

// SAFETY: shared references only read, and nothing writes.
unsafe impl Sync for Schema {}
// SAFETY: as above.
unsafe impl Sync for Array {}

/// An imported column: its type, and its values in chunks.
pub(crate) struct Imported {
    schema: Schema,
    chunks: Vec<Array>,
}

impl Imported {
    /// Returns the column of an object that supports the Arrow PyCapsule interface; `argument` names it in
    /// errors.
    pub(crate) fn of(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<Option<Self>> {
        if let Some(export) = object.getattr_opt("__arrow_c_array__")? {
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = export.call0()?.extract()?;
            let chunks = vec![Array::of(&array, argument)?];
            return Ok(Some(Self { schema: Schema::of(&schema, argument)?, chunks }));
        }
        let Some(export) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
        let mut stream = Stream::of(export.call0()?.cast::<PyCapsule>()?, argument)?;
        // The producer may now run a query on threads that need the GIL.
        let read = object.py().detach(|| stream.read());
        read.map(Some).map_err(|error| PyValueError::new_err(format!("{argument}: {error}")))
    }

    /// Returns the chunks, each with rows of one column.
    pub(crate) fn chunks(&self) -> Result<Vec<Chunk<'_>>, Fault> {
        self.schema.check()?; // Also of a column without chunks.
        let chunk = |array| Chunk::new(&self.schema, array, 0, array.length)?.only_column();
        self.chunks.iter().map(chunk).collect()
    }
}

impl Schema {
    /// Returns the type in the format of the interface.
    fn format(&self) -> &str {
        // SAFETY: a schema's format is a string that lives as long as it.
        unsafe { CStr::from_ptr(self.format) }.to_str().unwrap_or("?")
    }

    /// Checks that it is one column of bytes or text, or of a dictionary of these.
    fn check(&self) -> Result<(), Fault> {
        match self.format() {
            // SAFETY: it has one child.
            "+s" if self.n_children == 1 => unsafe { &**self.children }.check(),
            "+s" => Err(Fault::Value(format!("a table of {} columns; select one", self.n_children))),
            // SAFETY: a schema that lives as long as this one.
            _ if !self.dictionary.is_null() => unsafe { &*self.dictionary }.check(),
            "z" | "u" | "Z" | "U" | "vz" | "vu" | NULL => Ok(()),
            format if width_of(format).is_some() => Ok(()),
            format => Err(Fault::Type(format!(
                "Arrow type {} is neither binary nor text; cast it",
                name_of(format)
            ))),
        }
    }
}

/// The format of the type Null, whose values are all null.
const NULL: &str = "n";

/// Returns the name of a type, or its format in quotes if it is an unusual one.
fn name_of(format: &str) -> Cow<'static, str> {
    let name = match format {
        "b" => "bool",
        "c" => "int8",
        "C" => "uint8",
        "s" => "int16",
        "S" => "uint16",
        "i" => "int32",
        "I" => "uint32",
        "l" => "int64",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float32",
        "g" => "float64",
        "tdD" => "date32",
        "tdm" => "date64",
        "+l" => "list",
        "+L" => "large_list",
        "+m" => "map",
        _ => match format.get(..2) {
            Some("d:") => "decimal",
            Some("ts") => "timestamp",
            Some("tt") => "time",
            Some("tD") => "duration",
            Some("+w") => "fixed_size_list",
            _ => return format!("{format:?}").into(),
        },
    };
    name.into()
}

/// Returns the length of the values of the type FixedSizeBinary.
fn width_of(format: &str) -> Option<usize> {
    format.strip_prefix("w:")?.parse().ok()
}

impl Stream {
    /// Reads all arrays.
    fn read(&mut self) -> Result<Imported, String> {
        let (mut schema, mut chunks) = (Schema::released(), Vec::new());
        let functions = self.get_schema.zip(self.get_next);
        let (get_schema, get_next) = functions.ok_or("malformed Arrow stream")?;
        // SAFETY: it is not released, and writes a schema.
        let status = unsafe { get_schema(self, &mut schema) };
        self.check(status)?;
        if schema.release.is_none() {
            return Err("malformed Arrow stream".into());
        }
        loop {
            let mut array = Array::released();
            // SAFETY: it is not released, and writes an array.
            let status = unsafe { get_next(self, &mut array) };
            self.check(status)?;
            if array.release.is_none() {
                return Ok(Imported { schema, chunks });
            }
            chunks.push(array);
        }
    }

    fn check(&mut self, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: it is not released.
        let text = self.get_last_error.map(|get_last_error| unsafe { get_last_error(self) });
        Err(match text {
            // SAFETY: the text is valid until the next call.
            Some(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
            _ => format!("the Arrow stream failed with error {status}"),
        })
    }
}

/// A fault in an array.
pub(crate) enum Fault {
    /// Its type is unsupported.
    Type(String),
    /// Its shape or its contents are invalid.
    Value(String),
}

impl Fault {
    /// Returns the exception, with the argument's name.
    pub(crate) fn of(self, argument: &str) -> PyErr {
        match self {
            Fault::Type(text) => PyTypeError::new_err(format!("{argument}: {text}")),
            Fault::Value(text) => PyValueError::new_err(format!("{argument}: {text}")),
        }
    }
}

/// Consecutive rows of an array.
#[derive(Clone, Copy)]
pub(crate) struct Chunk<'a> {
    schema: &'a Schema,
    array: &'a Array,
    /// The number of the first row in the array.
    first: usize,
    n_rows: usize,
}

/// Rows of a dictionary type, whose indices were checked.
pub(crate) struct Encoded<'a> {
    /// The dictionary.
    pub(crate) values: Chunk<'a>,
    /// The indices.
    rows: Chunk<'a>,
}

impl<'a> Chunk<'a> {
    fn new(schema: &'a Schema, array: &'a Array, first: i64, n_rows: i64) -> Result<Self, Fault> {
        let row = |value: i64| usize::try_from(value).map_err(|_| malformed());
        let (first, n_rows) =
            (row(first)?.checked_add(row(array.offset)?).ok_or_else(malformed)?, row(n_rows)?);
        // A column has one more offset than rows.
        first.checked_add(n_rows).and_then(|end| end.checked_add(1)).ok_or_else(malformed)?;
        Ok(Self { schema, array, first, n_rows })
    }

    /// Returns the only column of a table, or the column itself.
    fn only_column(self) -> Result<Self, Fault> {
        if self.format() != "+s" {
            return Ok(self);
        }
        if self.array.n_children != 1 {
            return Err(malformed());
        }
        if self.validity().is_some() && self.array.null_count != 0 {
            return Err(Fault::Value("a struct with nulls; select its column".into()));
        }
        // SAFETY: each has one child: the schema was checked.
        let (schema, array) = unsafe { (&**self.schema.children, &**self.array.children) };
        Chunk::new(schema, array, self.first as i64, self.n_rows as i64)?.only_column()
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    fn format(&self) -> &'a str {
        self.schema.format()
    }

    /// Calls `work` with the values, without nulls and prefix. The array must not be empty.
    pub(crate) fn with_column<R>(&self, work: impl FnOnce(hashlanes::Column<'_>) -> R) -> Result<R, Fault> {
        let (first, end) = (self.first, self.first + self.n_rows);
        match self.format() {
            "z" | "u" => {
                let offsets: Cow<'a, [i32]> = self.buffer(1, end + 1)?;
                let n_bytes = usize::try_from(offsets[end]).unwrap_or(0);
                Ok(work(hashlanes::Column::binary(self.bytes(2, n_bytes)?, &offsets[first..])))
            }
            "Z" | "U" => {
                let offsets: Cow<'a, [i64]> = self.buffer(1, end + 1)?;
                let n_bytes = usize::try_from(offsets[end]).unwrap_or(0);
                Ok(work(hashlanes::Column::binary(self.bytes(2, n_bytes)?, &offsets[first..])))
            }
            "vz" | "vu" => {
                let views: Cow<'a, [[u8; 16]]> = self.buffer(1, end)?;
                let n_data = usize::try_from(self.array.n_buffers - 3).map_err(|_| malformed())?;
                let lengths: Cow<'a, [i64]> = self.buffer(2 + n_data, n_data)?;
                let data = (0..n_data).map(|i| self.bytes(2 + i, usize::try_from(lengths[i]).unwrap_or(0)));
                let data = data.collect::<Result<Vec<&[u8]>, _>>()?;
                Ok(work(hashlanes::Column::views(&views[first..], &data)))
            }
            format => {
                let width = width_of(format).ok_or_else(malformed)?;
                let values = self.bytes(1, end.checked_mul(width).ok_or_else(malformed)?)?;
                Ok(work(hashlanes::Column::fixed_size(&values[first * width..], width)))
            }
        }
    }

    /// Returns whether it is of the type Null, which has no buffers.
    pub(crate) fn is_of_nulls(&self) -> bool {
        self.format() == NULL
    }

    /// Returns the addresses of all memory that is read, of indices for a dictionary type.
    pub(crate) fn memory(&self) -> Result<Vec<Range<*const u8>>, Fault> {
        if self.n_rows == 0 {
            return Ok(Vec::new()); // Without rows, there may be no buffer.
        }
        let end = self.first + self.n_rows;
        let bytes = |len: usize, width: usize| len.checked_mul(width).ok_or_else(malformed);
        let lengths = match self.format() {
            "z" | "u" => {
                let offsets: Cow<'_, [i32]> = self.buffer(1, end + 1)?;
                vec![bytes(end + 1, 4)?, usize::try_from(offsets[end]).unwrap_or(0)]
            }
            "Z" | "U" => {
                let offsets: Cow<'_, [i64]> = self.buffer(1, end + 1)?;
                vec![bytes(end + 1, 8)?, usize::try_from(offsets[end]).unwrap_or(0)]
            }
            "vz" | "vu" => {
                let n_data = usize::try_from(self.array.n_buffers - 3).map_err(|_| malformed())?;
                let lengths: Cow<'_, [i64]> = self.buffer(2 + n_data, n_data)?;
                let data = lengths.iter().map(|len| usize::try_from(*len).unwrap_or(0));
                [bytes(end, 16)?].into_iter().chain(data).chain([bytes(n_data, 8)?]).collect()
            }
            "c" | "C" => vec![end],
            "s" | "S" => vec![bytes(end, 2)?],
            "i" | "I" => vec![bytes(end, 4)?],
            "l" | "L" => vec![bytes(end, 8)?],
            format => vec![bytes(end, width_of(format).ok_or_else(malformed)?)?],
        };
        let range = |start: *const u8, len| start..start.wrapping_add(len);
        let buffers = lengths.into_iter().zip(1..);
        let buffers = buffers.map(|(len, index)| Ok(range(self.address(index, len)?.cast(), len)));
        let validity = self.validity().map(|(bitmap, _)| Ok(bitmap.as_ptr_range()));
        buffers.chain(validity).collect()
    }

    /// Returns the bitmap and its bit of the first row, if there may be nulls.
    pub(crate) fn validity(&self) -> Option<(&'a [u8], usize)> {
        if self.array.null_count == 0 {
            return None;
        }
        let bitmap = self.bytes(0, (self.first + self.n_rows).div_ceil(8)).ok()?;
        Some((bitmap, self.first))
    }

    /// Returns the numbers of the null rows.
    pub(crate) fn null_rows(&self) -> impl Iterator<Item = usize> + use<'a> {
        let (bitmap, first, n_rows) = match self.validity() {
            Some((bitmap, first)) => (bitmap, first, self.n_rows),
            None => (&[][..], 0, 0),
        };
        let nulls_of = move |byte: usize| {
            let mut nulls = !bitmap[byte];
            iter::from_fn(move || {
                let bit = nulls.trailing_zeros() as usize;
                nulls &= nulls.checked_sub(1)?;
                Some(8 * byte + bit)
            })
        };
        let bits = (first / 8..(first + n_rows).div_ceil(8)).flat_map(nulls_of);
        bits.filter_map(move |bit| bit.checked_sub(first).filter(|row| *row < n_rows))
    }

    /// Returns a function that says whether a row is null.
    fn nulls(&self) -> impl Fn(usize) -> bool + use<'a> {
        let validity = self.validity();
        move |row| {
            validity.is_some_and(|(bitmap, first)| bitmap[(first + row) / 8] >> ((first + row) % 8) & 1 == 0)
        }
    }

    /// Returns the dictionary and the indices, if it has a dictionary type.
    pub(crate) fn encoded(&self) -> Result<Option<Encoded<'a>>, Fault> {
        if self.schema.dictionary.is_null() || self.array.dictionary.is_null() {
            return Ok(None);
        }
        // SAFETY: a schema and an array that live as long as this one.
        let (schema, array) = unsafe { (&*self.schema.dictionary, &*self.array.dictionary) };
        let encoded = Encoded { values: Chunk::new(schema, array, 0, array.length)?, rows: *self };
        encoded.each_index(|_, _| {})?;
        Ok(Some(encoded))
    }

    /// Returns a buffer of the array with `len` values; callers derive both from the type and the rows. A
    /// misaligned buffer is copied. The interface allows misaligned buffers, and columns from a network often
    /// have them.
    fn buffer<T: Plain>(&self, index: usize, len: usize) -> Result<Cow<'a, [T]>, Fault> {
        let start = self.address(index, len)?.cast::<T>();
        if start.is_aligned() {
            // SAFETY: the producer's promise; see the head of this file. Every pattern of bits is a value.
            return Ok(Cow::Borrowed(unsafe { slice::from_raw_parts(start, len) }));
        }
        // SAFETY: as above, without alignment.
        Ok((0..len).map(|i| unsafe { start.add(i).read_unaligned() }).collect())
    }

    /// Returns a buffer of bytes.
    fn bytes(&self, index: usize, len: usize) -> Result<&'a [u8], Fault> {
        let start = self.address(index, len)?.cast::<u8>();
        // SAFETY: the producer's promise; see the head of this file.
        Ok(unsafe { slice::from_raw_parts(start, len) })
    }

    /// Returns the start of a buffer of `len` values; a dangling pointer if it has none, because its pointer
    /// may then be null.
    fn address(&self, index: usize, len: usize) -> Result<*const c_void, Fault> {
        if index as i64 >= self.array.n_buffers {
            return Err(malformed());
        }
        // SAFETY: the array has this number of buffers.
        let buffer = unsafe { *self.array.buffers.add(index) };
        match (buffer.is_null(), len) {
            (_, 0) => Ok(ptr::NonNull::<u64>::dangling().as_ptr().cast_const().cast()),
            (true, _) => Err(malformed()),
            (false, _) => Ok(buffer),
        }
    }
}

impl Encoded<'_> {
    pub(crate) fn n_rows(&self) -> usize {
        self.rows.n_rows
    }

    /// Returns the addresses of all memory that is read.
    pub(crate) fn memory(&self) -> Result<Vec<Range<*const u8>>, Fault> {
        Ok([self.values.memory()?, self.rows.memory()?].concat())
    }

    /// Calls `each` with the number of every row and the index of its value; `None` is null.
    ///
    /// The indices are read in place: a copy of them would double the memory of a column of short values.
    ///
    /// # Errors
    /// If an index is not in the dictionary.
    pub(crate) fn each_index(&self, each: impl FnMut(usize, Option<usize>)) -> Result<(), Fault> {
        if self.rows.n_rows == 0 {
            return Ok(()); // Without rows, there may be no buffer.
        }
        match self.rows.format() {
            "c" => self.each_of::<i8>(each),
            "C" => self.each_of::<u8>(each),
            "s" => self.each_of::<i16>(each),
            "S" => self.each_of::<u16>(each),
            "i" => self.each_of::<i32>(each),
            "I" => self.each_of::<u32>(each),
            "l" => self.each_of::<i64>(each),
            _ => self.each_of::<u64>(each),
        }
    }

    fn each_of<I: Plain + TryInto<usize>>(
        &self,
        mut each: impl FnMut(usize, Option<usize>),
    ) -> Result<(), Fault> {
        let Self { values, rows } = self;
        let indices: Cow<'_, [I]> = rows.buffer(1, rows.first + rows.n_rows)?;
        let (is_null_row, is_null_value) = (rows.nulls(), values.nulls());
        for (row, index) in indices[rows.first..].iter().enumerate() {
            if is_null_row(row) {
                each(row, None);
                continue;
            }
            match (*index).try_into() {
                Ok(index) if index < values.n_rows => each(row, (!is_null_value(index)).then_some(index)),
                _ => return Err(Fault::Value(format!("row {row}: the index is not in the dictionary"))),
            }
        }
        Ok(())
    }
}

/// Types of buffers' values.
trait Plain: Copy {}
impl Plain for u8 {}
impl Plain for i8 {}
impl Plain for u16 {}
impl Plain for i16 {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for u64 {}
impl Plain for i64 {}
impl Plain for [u8; 16] {}

fn malformed() -> Fault {
    Fault::Value("malformed Arrow array".into())
}

/// An exported result: the target of an exported array's `private_data`.
struct Exported {
    buffers: [*const c_void; 3],
    /// The target of `buffers`.
    _digests: Arc<Digests>,
}

/// Returns the type of digests, as a capsule.
pub(crate) fn export_schema<'py>(py: Python<'py>, digests: &Digests) -> PyResult<Bound<'py, PyCapsule>> {
    const NULLABLE: i64 = 2;
    /// All strings are constants.
    unsafe extern "C" fn release(schema: *mut Schema) {
        // SAFETY: the consumer's own struct.
        unsafe { (*schema).release = None }
    }
    let (format, name) = (digests.format().as_ptr(), c"".as_ptr());
    let schema = Schema { format, name, flags: NULLABLE, release: Some(release), ..Schema::released() };
    PyCapsule::new_with_value(py, schema, Schema::CAPSULE)
}

/// Returns the type and the values of digests, as two capsules. The values are not copied.
pub(crate) fn export<'py>(py: Python<'py>, digests: &Arc<Digests>) -> PyResult<Bound<'py, PyTuple>> {
    unsafe extern "C" fn release(array: *mut Array) {
        // SAFETY: the consumer's own struct, with the box that was allocated for it.
        unsafe {
            drop(Box::from_raw((*array).private_data.cast::<Exported>()));
            (*array).release = None;
        }
    }
    let address = |buffer: Option<*const u8>| buffer.map_or(ptr::null(), <*const u8>::cast::<c_void>);
    let validity = address(digests.validity.as_ref().map(|(bitmap, _)| bitmap.as_ptr()));
    let offsets = address(digests.offsets.as_ref().map(|offsets| offsets.as_ptr().cast()));
    let values = address(Some(digests.values.as_ptr()));
    let (buffers, n_buffers) = if offsets.is_null() {
        ([validity, values, ptr::null()], 2)
    } else {
        ([validity, offsets, values], 3)
    };
    let exported = Box::new(Exported { buffers, _digests: Arc::clone(digests) });
    let private_data = Box::into_raw(exported);
    let array = Array {
        length: digests.n_rows() as i64,
        null_count: digests.validity.as_ref().map_or(0, |(_, n_nulls)| *n_nulls as i64),
        n_buffers,
        // SAFETY: it was created above.
        buffers: unsafe { &raw mut (*private_data).buffers }.cast(),
        release: Some(release),
        private_data: private_data.cast(),
        ..Array::released()
    };
    let schema = export_schema(py, digests)?;
    let array = PyCapsule::new_with_value(py, array, Array::CAPSULE)?;
    PyTuple::new(py, [schema, array])
}
