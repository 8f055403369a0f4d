//! The digests of rows: short ones padded next to each other, the others as many messages.

use core::ops::Range;

use arrayvec::ArrayVec;
use hashlanes_isa::{FEW, Function, Plan, Start, wipe_stack};
use zeroize::Zeroize;

use super::column::Column;
use super::rows::{FixedSize, Layout, Offsets, Rows, Views, value};
use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::compiled::Compiled;
use crate::hasher::{Hasher, Midstate};
use crate::hex::put_hex;
use crate::many::{InPlace, Secrecy, Sink, Starts, digest_all, digest_blocks};
use crate::padding::{
    InLines, LONGEST_DIGEST, digest_inlined, digest_one, n_blocks, one_block_ends, pad_within, put_length,
};

impl Column<'_> {
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
        if n == 1 && self.prefix.rest.is_empty() {
            if !self.column.is_null(0) {
                self.one(value(rows, 0));
            }
            return;
        }
        if n <= FEW && self.prefix.rest.is_empty() {
            // No `ArrayVec`: it would be moved, which takes 40 cycles.
            let (mut numbers, mut values, mut n_few) = ([0; FEW], [&[][..]; FEW], 0);
            for i in (0..n).filter(|i| !self.column.is_null(*i)) {
                (numbers[n_few], values[n_few]) = (i, value(rows, i));
                n_few += 1;
            }
            return self.values(&numbers[..n_few], &values[..n_few]);
        }
        let mut long = Long { rows: ArrayVec::new(), values: ArrayVec::new() };
        let mut next = 0;
        while next < n {
            next = self.long_ones(next..n, rows, &mut long);
            if next < n && !long.rows.is_full() {
                next = self.short_ones(next..n, rows, &mut long);
            }
            if !long.rows.is_empty() {
                self.long(&long);
                long.rows.clear();
                long.values.clear();
            }
        }
    }

    /// Computes the digest of a column's only row: what several need would take a tenth of the time of a
    /// short one.
    #[inline(never)]
    fn one(&mut self, value: &[u8]) {
        let Prefix { state, n_bytes, .. } = self.prefix;
        let kernel = Plan::<F>::BEST.kernel(1, n_blocks::<F>(value.len()));
        if let Some(digest) = self.results.place(0..1) {
            return digest_inlined(kernel, state, n_bytes, value, digest);
        }
        let mut digest = [0; LONGEST_DIGEST];
        let digest = &mut digest[..self.digest_bytes];
        digest_one(kernel, state, n_bytes, value, digest);
        self.results.put(&[0], digest);
    }

    /// Puts the rows before the first one of one block into `long` until it is full; returns the number of
    /// the row after these.
    fn long_ones(&self, numbers: Range<usize>, rows: &impl Rows<'a>, long: &mut Long<'a>) -> usize {
        let end = numbers.end;
        for i in numbers {
            if self.column.is_null(i) {
                continue;
            }
            let value = value(rows, i);
            if self.prefix.rest.len() + value.len() < one_block_ends::<F>() {
                return i;
            }
            long.rows.push(i);
            long.values.push(value);
            if long.rows.is_full() {
                return i + 1;
            }
        }
        end
    }

    /// Computes the digests of the rows of one block, and puts the others into `long` until it is full;
    /// returns the number of the row after these. A function of its own, so that the buffer is not on the
    /// stack while the long ones are hashed, and not cleared where no row is short.
    #[inline(never)]
    fn short_ones(&mut self, numbers: Range<usize>, rows: &impl Rows<'a>, long: &mut Long<'a>) -> usize {
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
            long.rows.push(i);
            long.values.push(&values[value]);
            if long.rows.is_full() {
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
    fn long(&mut self, long: &Long<'_>) {
        if self.prefix.rest.is_empty() {
            return self.values(&long.rows, &long.values);
        }
        for (rows, values) in long.rows.chunks(PREFIXED).zip(long.values.chunks(PREFIXED)) {
            self.prefixed(rows, values);
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
        // Not as a tuple: Rust 1.89 would put both on the stack twice.
        let mut heads = [F::ZERO_BLOCK; PREFIXED];
        let mut states = [*start; PREFIXED];
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

/// Longer rows, which are hashed as messages: their numbers, and their values.
struct Long<'a> {
    rows: ArrayVec<usize, LONG_ROWS>,
    values: ArrayVec<&'a [u8], LONG_ROWS>,
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
