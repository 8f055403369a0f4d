//! Arrow-shaped columns: their rows are hashed as any many messages are.

use arrayvec::ArrayVec;
use hashlanes_isa::sponge::{MAX_DEGREE, Row, State, States};

use super::algorithm::{MAX_RATE, Parameters, SpongeHash, digest_of};
use super::hasher::SpongeHasher;
use super::many::{Done, Kept, Many, kernel_of_group};
use super::one::{PLACES, absorb_one, kernel_of_one};
use crate::ShapeError;
use crate::columns::Column;
use crate::hex::put_hex;
use crate::many::BATCH;

/// The prefix of each value: the state after its whole blocks, and a remainder of less than a block.
struct Prefix<'a> {
    parameters: Parameters,
    state: State,
    has_begun: bool,
    rest: &'a [u8],
}

impl<'a> Prefix<'a> {
    fn new(parameters: Parameters, prefix: &'a [u8]) -> Self {
        let mut state = [0; 25];
        let (body, rest) = parameters.split(prefix);
        if let Some(before_last) = body.len().checked_sub(parameters.rate.bytes()) {
            let (blocks, last) = body.split_at(before_last);
            absorb_one(kernel_of_one(), parameters.rate, &mut state, Row { blocks, last });
        }
        Self { parameters, state, has_begun: !body.is_empty(), rest }
    }

    /// Hashes the values; `done` gets each one's index and the first words of its last state.
    fn absorb(&self, values: &[&[u8]], done: &mut Done<'_>) {
        let (parameters, kept, only) = (self.parameters, Kept::Head, None);
        if self.rest.is_empty() {
            let start = |_| &self.state;
            let start = if self.has_begun { Some(&start as _) } else { None };
            return Many { parameters, only, messages: values, start, kept }.absorb_all(done);
        }
        for (from, values) in (0..).step_by(PREFIXED).zip(values.chunks(PREFIXED)) {
            let mut heads = [[0; MAX_RATE]; PREFIXED];
            let n_first = parameters.rate.bytes() - self.rest.len();
            for (head, value) in heads.iter_mut().zip(values) {
                let value = &value[..value.len().min(n_first)];
                head[..self.rest.len()].copy_from_slice(self.rest);
                head[self.rest.len()..][..value.len()].copy_from_slice(value);
            }
            let states = self.after_heads(&heads[..values.len()]);
            // A value that does not fill the first block is a message with the rest of the prefix before it.
            let fills = |k: usize| values[k].len() >= n_first;
            let messages: ArrayVec<&[u8], PREFIXED> = (0..values.len())
                .map(|k| match fills(k) {
                    true => &values[k][n_first..],
                    false => &heads[k][..self.rest.len() + values[k].len()],
                })
                .collect();
            let start = |k: usize| if fills(k) { &states[k] } else { &self.state };
            Many { parameters, only, messages: &messages, start: Some(&start), kept }
                .absorb_all(&mut |k, words| done(from + k, words));
        }
    }

    /// Returns the states after one more block each.
    fn after_heads(&self, heads: &[[u8; MAX_RATE]]) -> [State; PREFIXED] {
        let mut states = [self.state; PREFIXED];
        let mut from = 0;
        while from < heads.len() {
            let n_left = heads.len() - from;
            let kernel = kernel_of_group(None, n_left);
            let (degree, n_lanes) = (kernel.degree(), kernel.degree().min(n_left));
            let mut after = [self.state; MAX_DEGREE];
            let mut rows = [Row { blocks: &[], last: &heads[from] }; MAX_DEGREE];
            for (row, head) in rows.iter_mut().zip(&heads[from..from + n_lanes]) {
                row.last = head;
            }
            let lanes = States::Advance(&mut after, &PLACES[..degree]);
            kernel.absorb(self.parameters.rate, lanes, &rows[..degree], 0, 0);
            states[from..from + n_lanes].copy_from_slice(&after[..n_lanes]);
            from += n_lanes;
        }
        states
    }
}

/// Values with a prefix that are hashed at a time.
const PREFIXED: usize = 32;

/// Hashes the `n` rows of a column that was checked, except null ones; `done` gets a row's number and the
/// first words of its last state.
fn absorb_column(column: &Column<'_>, n: usize, parameters: Parameters, done: &mut Done<'_>) {
    let prefix = Prefix::new(parameters, column.prefix_bytes());
    let mut numbers = ArrayVec::<usize, BATCH>::new();
    let mut values = ArrayVec::<&[u8], BATCH>::new();
    let mut absorb = |numbers: &[usize], values: &[&[u8]]| {
        prefix.absorb(values, &mut |k, words| done(numbers[k], words));
    };
    column.each_value(n, &mut |i, value| {
        numbers.push(i);
        values.push(value);
        if values.is_full() {
            absorb(&numbers, &values);
            numbers.clear();
            values.clear();
        }
    });
    absorb(&numbers, &values);
}

impl<S: SpongeHash> SpongeHasher<S> {
    /// Computes the digests of a column's rows. Null rows get zeros.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_digest_column(column: &Column<'_>, digests: &mut [S::Digest]) -> Result<(), ShapeError> {
        column.check("digests", digests.len())?;
        Self::digest_checked_column(column, digests);
        Ok(())
    }

    pub(crate) fn digest_checked_column(column: &Column<'_>, digests: &mut [S::Digest]) {
        if column.has_validity() {
            digests.fill(S::ZERO_DIGEST);
        }
        let n = digests.len();
        absorb_column(column, n, S::PARAMETERS, &mut |i, words| {
            digests[i] = digest_of::<S>(words);
        });
    }

    /// Like [`SpongeHasher::try_digest_column`], each digest in lower-case hexadecimal: `2 * DIGEST_BYTES`
    /// bytes of `hex` a row, zeros of a null row.
    pub(crate) fn try_digest_column_hex<const HEX: usize>(
        column: &Column<'_>,
        hex: &mut [[u8; HEX]],
    ) -> Result<(), ShapeError> {
        const { assert!(HEX == 2 * S::DIGEST_BYTES) };
        column.check("hex", hex.len())?;
        if column.has_validity() {
            hex.fill([b'0'; HEX]);
        }
        let n = hex.len();
        absorb_column(column, n, S::PARAMETERS, &mut |i, words| {
            put_hex(digest_of::<S>(words).as_ref(), &mut hex[i]);
        });
        Ok(())
    }
}
