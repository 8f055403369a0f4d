//! Arrow-shaped columns: many values in few buffers.
//!
//! | Arrow's layout | made by | row i |
//! |---|---|---|
//! | Binary, Utf8, and their large forms | [`Column::binary`] | `values[offsets[i]..offsets[i + 1]]` |
//! | FixedSizeBinary | [`Column::fixed_size`] | `values[i * len_bytes..][..len_bytes]` |
//! | BinaryView, Utf8View | [`Column::views`] | in the view itself, or in one of the buffers |
//!
//! Rows that fit into one block, with the prefix and the padding, are padded next to each other, and go
//! through a kernel as equal messages of a block. The others are hashed as many messages. The loop over rows
//! is compiled for each layout; the code that handles digests is not, so it gets them through a `dyn`
//! function, 32 at a time.

use core::fmt;
use core::ops::Range;

use arrayvec::ArrayVec;
use hashlanes_isa::{FEW, Function, Plan, Start, wipe_stack};
use zeroize::Zeroize;

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::compiled::Compiled;
use crate::error::{same_count, same_length};
use crate::hasher::{Hasher, Midstate};
use crate::hex::put_hex;
use crate::many::{InPlace, Secrecy, Sink, Starts, digest_all, digest_blocks};
use crate::padding::{InLines, LONGEST_DIGEST, one_block_ends, pad_within, put_length};

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
use sealed::Layout;

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
    layout: Layout<'a>,
    validity: Option<Validity<'a>>,
    prefix: &'a [u8],
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
            let is_wrong = |i: usize| is_outside(&views[i], buffers) & !self.is_null(i);
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
            Layout::Views(..) => n * INLINE as usize,
        }
    }

    /// Calls `each` with the number and the value of every row that is not null, of `n` rows of a checked
    /// column.
    #[cfg(feature = "sha3")]
    pub(crate) fn each_value(&self, n: usize, each: &mut dyn FnMut(usize, &'a [u8])) {
        fn all<'a>(
            column: &Column<'a>,
            n: usize,
            rows: &impl Rows<'a>,
            each: &mut dyn FnMut(usize, &'a [u8]),
        ) {
            for i in (0..n).filter(|i| !column.is_null(*i)) {
                let (values, value) = rows.row(i);
                each(i, &values[value]);
            }
        }
        match self.layout {
            Layout::Offsets32(values, offsets) => all(self, n, &Offsets { values, offsets }, each),
            Layout::Offsets64(values, offsets) => all(self, n, &Offsets { values, offsets }, each),
            Layout::FixedSize(values, len_bytes) => all(self, n, &FixedSize { values, len_bytes }, each),
            Layout::Views(views, buffers) => all(self, n, &Views { views, buffers }, each),
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

    /// Computes the digests of the `n` rows that are not null, after `start` and the prefix, for `results`.
    pub(crate) fn digest<A: Algorithm>(
        &self,
        n: usize,
        start: &Midstate<A>,
        secrecy: Secrecy,
        results: &mut dyn Results,
    ) {
        let Midstate { state, n_bytes } = start;
        self.digest_rows::<A::Function>(n, (state, *n_bytes), A::DIGEST_BYTES, secrecy, results);
    }

    /// The body of [`digest`](Self::digest), which is compiled once for all hashes with this function.
    fn digest_rows<F: Compiled>(
        &self,
        n: usize,
        (mut state, mut n_bytes): (&F::State, u64),
        digest_bytes: usize,
        secrecy: Secrecy,
        results: &mut dyn Results,
    ) {
        let (blocks, rest) = self.prefix.split_at(self.prefix.len() / F::BLOCK_BYTES * F::BLOCK_BYTES);
        let mut after;
        if !blocks.is_empty() {
            after = *state;
            Plan::<F>::BEST.one(blocks.len() / F::BLOCK_BYTES).compress_one(&mut after, blocks);
            (state, n_bytes) = (&after, n_bytes + blocks.len() as u64);
        }
        let prefix = Prefix { state, n_bytes, rest };
        let mut call = Digesting::<F> { column: self, prefix, digest_bytes, secrecy, results };
        match self.layout {
            Layout::Offsets32(values, offsets) => call.all(n, &Offsets { values, offsets }),
            Layout::Offsets64(values, offsets) => call.all(n, &Offsets { values, offsets }),
            Layout::FixedSize(values, len_bytes) => call.all(n, &FixedSize { values, len_bytes }),
            Layout::Views(views, buffers) => call.all(n, &Views { views, buffers }),
        }
        if secrecy == Secrecy::Secret {
            wipe_stack();
        }
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

/// Checked rows of one layout: a buffer and each row's place in it. So the bytes after a row may be read
/// along with it.
trait Rows<'a> {
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>);
}

struct Offsets<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
}

impl<'a, O: Offset> Rows<'a> for Offsets<'a, O> {
    #[inline(always)]
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>) {
        let index = |i: usize| self.offsets[i].index().expect("not below zero");
        (self.values, index(i)..index(i + 1))
    }
}

struct FixedSize<'a> {
    values: &'a [u8],
    len_bytes: usize,
}

impl<'a> Rows<'a> for FixedSize<'a> {
    #[inline(always)]
    fn row(&self, i: usize) -> (&'a [u8], Range<usize>) {
        (self.values, i * self.len_bytes..(i + 1) * self.len_bytes)
    }
}

struct Views<'a> {
    views: &'a [[u8; 16]],
    buffers: &'a [&'a [u8]],
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
const INLINE: u32 = 12;

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
fn is_outside(view: &[u8; 16], buffers: &[&[u8]]) -> bool {
    let ViewWords { len_bytes, index, offset } = ViewWords::of(view);
    let is_negative = (len_bytes | index | offset) >> 31 == 1;
    let buffer_bytes = buffers.get(index as usize).map_or(0, |buffer| buffer.len()) as u64;
    let end = u64::from(offset) + u64::from(len_bytes);
    (len_bytes > INLINE) & (is_negative | (end > buffer_bytes))
}

/// The prefix of each value: the state after its whole blocks, and a remainder of less than a block.
struct Prefix<'p, F: Function> {
    state: &'p F::State,
    /// Number of bytes that led to `state`.
    n_bytes: u64,
    rest: &'p [u8],
}

/// Where digests of rows go, as bytes.
pub(crate) trait Results {
    /// Takes the digests of the rows with these numbers, one after another.
    fn put(&mut self, rows: &[usize], digests: &[u8]);
    /// Returns where the digests of rows that follow one another are to be written, if nothing else has to be
    /// done with them: cache lines of the results then arrive while the next rows are hashed (10^6 rows of 20
    /// bytes by SHA-256, Zen 4, 128 at a time: 20 % faster).
    fn place(&mut self, rows: Range<usize>) -> Option<&mut [u8]>;
}

impl<C: FnMut(&[usize], &[u8])> Results for C {
    fn put(&mut self, rows: &[usize], digests: &[u8]) {
        self(rows, digests);
    }
    fn place(&mut self, _: Range<usize>) -> Option<&mut [u8]> {
        None
    }
}

/// The results are the digests themselves.
impl Results for InPlace<'_> {
    fn put(&mut self, rows: &[usize], digests: &[u8]) {
        for (row, digest) in rows.iter().zip(digests.chunks_exact(self.digest_bytes())) {
            Sink::put(self, *row, |place| place.copy_from_slice(digest));
        }
    }
    fn place(&mut self, rows: Range<usize>) -> Option<&mut [u8]> {
        Sink::place(self, rows)
    }
}

/// Digests of messages to the results of the rows with these numbers.
struct ToRows<'r> {
    rows: &'r [usize],
    results: &'r mut dyn Results,
    digest_bytes: usize,
}

impl Sink for ToRows<'_> {
    #[inline(always)]
    fn digest_bytes(&self) -> usize {
        self.digest_bytes
    }
    #[inline(always)]
    fn put(&mut self, index: usize, write: impl FnOnce(&mut [u8])) {
        let row = self.rows[index];
        let mut digest = [0; LONGEST_DIGEST];
        match self.results.place(row..row + 1) {
            Some(place) => write(place),
            None => {
                let digest = &mut digest[..self.digest_bytes];
                write(digest);
                self.results.put(&[row], digest);
            }
        }
    }
    #[inline(always)]
    fn place(&mut self, messages: Range<usize>) -> Option<&mut [u8]> {
        let (first, last) = (self.rows[messages.start], self.rows[messages.end - 1]);
        (last - first < messages.len()).then(|| self.results.place(first..last + 1))?
    }
}

/// A call on a column.
struct Digesting<'c, 'a, F: Compiled> {
    column: &'c Column<'a>,
    prefix: Prefix<'c, F>,
    digest_bytes: usize,
    secrecy: Secrecy,
    results: &'c mut dyn Results,
}

impl<'a, F: Compiled> Digesting<'_, 'a, F> {
    fn all(&mut self, n: usize, rows: &impl Rows<'a>) {
        if n <= FEW && self.prefix.rest.is_empty() {
            // No `ArrayVec`: it would be moved, which takes 40 cycles.
            let (mut numbers, mut values, mut n_few) = ([0; FEW], [&[][..]; FEW], 0);
            for i in (0..n).filter(|i| !self.column.is_null(*i)) {
                (numbers[n_few], values[n_few]) = (i, value(rows, i));
                n_few += 1;
            }
            return self.values(&numbers[..n_few], &values[..n_few]);
        }
        let mut long = ArrayVec::<usize, LONG_ROWS>::new();
        let mut next = 0;
        while next < n {
            next = self.short_ones(next..n, rows, &mut long);
            if !long.is_empty() {
                self.long(&long, rows);
                long.clear();
            }
        }
    }

    /// Computes the digests of the rows of one block, and puts the others into `long` until it is full;
    /// returns the number of the row after these. A function of its own, so that the buffer is not on the
    /// stack while the long ones are hashed.
    #[inline(never)]
    fn short_ones(
        &mut self,
        numbers: Range<usize>,
        rows: &impl Rows<'a>,
        long: &mut ArrayVec<usize, LONG_ROWS>,
    ) -> usize {
        let Prefix { n_bytes, rest, .. } = self.prefix;
        let mut short = Short { blocks: InLines([0; SHORT_BYTES]), rows: ArrayVec::new() };
        let mut next = numbers.end;
        for i in numbers {
            if self.column.is_null(i) {
                continue;
            }
            let (values, value) = rows.row(i);
            let len_bytes = rest.len() + value.len();
            if len_bytes < one_block_ends::<F>() {
                let n_bytes = n_bytes + len_bytes as u64;
                let block = &mut short.blocks.0[short.rows.len() * F::BLOCK_BYTES..][..F::BLOCK_BYTES];
                match rest {
                    [] => pad_within::<F>(block, values, value, n_bytes),
                    _ => join::<F>(block, rest, &values[value], n_bytes),
                }
                short.rows.push(i);
                if short.rows.len() == SHORT_BYTES / F::BLOCK_BYTES {
                    self.short(&mut short);
                }
                continue;
            }
            long.push(i);
            if long.is_full() {
                next = i + 1;
                break;
            }
        }
        if !short.rows.is_empty() {
            self.short(&mut short);
        }
        next
    }

    /// Computes the digests of rows of one block, and removes the rows.
    #[inline(never)]
    fn short(&mut self, short: &mut Short) {
        let Short { blocks, rows } = short;
        let blocks = &mut blocks.0[..rows.len() * F::BLOCK_BYTES];
        let (start, digest_bytes) = (self.prefix.state, self.digest_bytes);
        if let (Some(first), Some(last)) = (rows.first(), rows.last())
            && last - first < rows.len()
            && let Some(digests) = self.results.place(*first..last + 1)
        {
            digest_blocks::<F>(start, blocks, digests, digest_bytes);
        } else {
            let mut digests = [0; NOT_IN_PLACE * LONGEST_DIGEST];
            for (blocks, rows) in blocks.chunks(NOT_IN_PLACE * F::BLOCK_BYTES).zip(rows.chunks(NOT_IN_PLACE))
            {
                let digests = &mut digests[..rows.len() * digest_bytes];
                digest_blocks::<F>(start, blocks, digests, digest_bytes);
                self.results.put(rows, digests);
            }
            if self.secrecy == Secrecy::Secret {
                digests.zeroize();
            }
        }
        if self.secrecy == Secrecy::Secret {
            blocks.zeroize();
        }
        rows.clear();
    }

    /// Computes the digests of these rows, of any lengths.
    #[inline(never)] // Its list is long.
    fn long(&mut self, numbers: &[usize], rows: &impl Rows<'a>) {
        let mut values: [&[u8]; LONG_ROWS] = [&[]; LONG_ROWS];
        for (to, i) in values.iter_mut().zip(numbers) {
            *to = value(rows, *i);
        }
        let values = &values[..numbers.len()];
        if self.prefix.rest.is_empty() {
            return self.values(numbers, values);
        }
        for (numbers, values) in numbers.chunks(PREFIXED).zip(values.chunks(PREFIXED)) {
            self.prefixed(numbers, values);
        }
    }

    /// Hashes values after whole blocks: many messages from one start.
    #[inline(never)]
    fn values(&mut self, rows: &[usize], values: &[&[u8]]) {
        let Prefix { state, n_bytes, .. } = self.prefix;
        let sink = &mut ToRows { rows, results: self.results, digest_bytes: self.digest_bytes };
        digest_all(Plan::<F>::BEST, Starts::One(state, n_bytes), values, self.secrecy, sink);
    }

    /// Hashes values after the remainder of a prefix: their first block is made here, the others are the
    /// value's own.
    #[inline(never)]
    fn prefixed(&mut self, rows: &[usize], values: &[&[u8]]) {
        let Prefix { state: start, n_bytes, rest } = self.prefix;
        let n_first = F::BLOCK_BYTES - rest.len();
        let (mut heads, mut states) = ([F::ZERO_BLOCK; PREFIXED], [*start; PREFIXED]);
        for (head, value) in heads.iter_mut().zip(values) {
            let value = &value[..value.len().min(n_first)];
            head.as_mut()[..rest.len()].copy_from_slice(rest);
            head.as_mut()[rest.len()..][..value.len()].copy_from_slice(value);
        }
        Plan::<F>::BEST.each_group(values.len(), 1, |kernel, some| {
            let states = &mut states[some.clone()];
            kernel.continue_many(Start::Shared(start), &heads[some], None, states);
        });
        // A value that does not fill the first block is a message with the prefix, in place.
        let fills = |value: &[u8]| value.len() >= n_first;
        let mut messages: [&[u8]; PREFIXED] = [&[]; PREFIXED];
        for ((message, head), value) in messages.iter_mut().zip(&heads).zip(values) {
            *message = match fills(value) {
                true => &value[n_first..],
                false => &head.as_ref()[..rest.len() + value.len()],
            };
        }
        let starts = |k: usize| match fills(values[k]) {
            true => (&states[k], n_bytes + F::BLOCK_BYTES as u64),
            false => (start, n_bytes),
        };
        let sink = &mut ToRows { rows, results: self.results, digest_bytes: self.digest_bytes };
        digest_all(Plan::<F>::BEST, Starts::Each(&starts), &messages[..values.len()], self.secrecy, sink);
        if self.secrecy == Secrecy::Secret {
            heads.iter_mut().for_each(|head| head.as_mut().zeroize());
            states.iter_mut().for_each(|state| state.as_mut().zeroize());
        }
    }
}

/// Returns the value of row `i`.
#[inline(always)]
fn value<'a>(rows: &impl Rows<'a>, i: usize) -> &'a [u8] {
    let (values, value) = rows.row(i);
    &values[value]
}

/// Writes a prefix and a value, padded to one block: the end of a message of `n_bytes` bytes.
fn join<F: Function>(block: &mut [u8], prefix: &[u8], value: &[u8], n_bytes: u64) {
    block.fill(0);
    block[..prefix.len()].copy_from_slice(prefix);
    block[prefix.len()..][..value.len()].copy_from_slice(value);
    block[prefix.len() + value.len()] = 0x80;
    put_length::<F>(block, n_bytes);
}

/// Bytes of rows of one block each that are hashed at a time: so many that the call of a kernel is a small
/// part (10^4 rows of 20 bytes by SHA-256, Zen 4: 64 at a time take 11 % longer than 128).
const SHORT_BYTES: usize = 5 << 10;
/// The shortest block.
const LEAST_BLOCK: usize = 64;

/// Digests at a time that are not written where they go.
const NOT_IN_PLACE: usize = SHORT_BYTES / LEAST_BLOCK / 2;

/// Longer rows that are hashed at a time: no more, so that a column takes 64 KiB of the stack.
const LONG_ROWS: usize = 128;

/// Longer rows with a prefix that are hashed at a time.
const PREFIXED: usize = 32;

/// Rows of one block each, padded next to each other: equal messages of a whole block, which a kernel hashes
/// in one call.
struct Short {
    blocks: InLines<[u8; SHORT_BYTES]>,
    /// The number of each one's row.
    rows: ArrayVec<usize, { SHORT_BYTES / LEAST_BLOCK }>,
}

impl<A: Algorithm> Hasher<A> {
    /// Computes the digests of a column's rows. Null rows get zeros.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_digest_column(column: &Column<'_>, digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        column.check("digests", digests.len())?;
        Self::digest_checked_column(column, digests);
        Ok(())
    }

    pub(crate) fn digest_checked_column(column: &Column<'_>, digests: &mut [A::Digest]) {
        if column.has_validity() {
            digests.fill(A::ZERO_DIGEST);
        }
        column.digest::<A>(
            digests.len(),
            &Self::START,
            Secrecy::Public,
            &mut InPlace::new(A::bytes_of(digests), A::DIGEST_BYTES),
        );
    }

    /// Like [`Hasher::try_digest_column`], with each digest in lower-case hexadecimal: `2 * DIGEST_BYTES`
    /// bytes of `hex` per row; those of a null row are zeros.
    pub(crate) fn try_digest_column_hex<const HEX: usize>(
        column: &Column<'_>,
        hex: &mut [[u8; HEX]],
    ) -> Result<(), ShapeError> {
        const { assert!(HEX == 2 * A::DIGEST_BYTES) };
        column.check("hex", hex.len())?;
        if column.has_validity() {
            hex.fill([b'0'; HEX]);
        }
        column.digest::<A>(hex.len(), &Self::START, Secrecy::Public, &mut |rows: &[usize], some: &[u8]| {
            for (row, digest) in rows.iter().zip(some.chunks_exact(A::DIGEST_BYTES)) {
                put_hex(digest, &mut hex[*row]);
            }
        });
        Ok(())
    }
}
