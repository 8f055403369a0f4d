//! One message in progress, and its output: absorbing and squeezing (FIPS 202, section 4).
//!
//! Nothing here is generic over the function, so it is compiled here and not in the user's crate; see the
//! module `compiled`.

use hashlanes_isa::sponge::{Row, State};

use super::algorithm::{MAX_RATE, Parameters, put_words};
use super::one::{absorb_one, digest_one, kernel_of_one, permute_one};

/// The progress of a message.
#[derive(Clone)]
pub(super) struct Progress {
    pub(super) state: State,
    /// The bytes that do not fill a block yet.
    buffer: [u8; MAX_RATE],
    n_buffered: usize,
}

impl Progress {
    #[inline]
    pub(super) fn new() -> Self {
        Self { state: [0; 25], buffer: [0; MAX_RATE], n_buffered: 0 }
    }

    /// Absorbs the next part of the message.
    pub(super) fn absorb(&mut self, parameters: Parameters, part: &[u8]) {
        let block_bytes = parameters.rate.bytes();
        let missing = block_bytes - self.n_buffered;
        let mut part = part;
        if self.n_buffered > 0 && part.len() >= missing {
            let (head, rest) = part.split_at(missing);
            self.buffer[self.n_buffered..block_bytes].copy_from_slice(head);
            let row = Row { blocks: &[], last: &self.buffer[..block_bytes] };
            absorb_one(kernel_of_one(), parameters.rate, &mut self.state, row);
            (self.n_buffered, part) = (0, rest);
        }
        if self.n_buffered == 0 {
            let (body, rest) = parameters.split(part);
            if let Some(last) = body.len().checked_sub(block_bytes) {
                let (blocks, last) = body.split_at(last);
                absorb_one(kernel_of_one(), parameters.rate, &mut self.state, Row { blocks, last });
            }
            part = rest;
        }
        self.buffer[self.n_buffered..][..part.len()].copy_from_slice(part);
        self.n_buffered += part.len();
    }

    /// Absorbs the end of the message: the buffer, padded in place, so that no copy of it stays on the stack.
    pub(super) fn end(&mut self, parameters: Parameters) {
        self.buffer[self.n_buffered..].fill(0);
        parameters.pad(&mut self.buffer, self.n_buffered);
        let row = Row { blocks: &[], last: &self.buffer };
        absorb_one(kernel_of_one(), parameters.rate, &mut self.state, row);
    }

    /// Writes the digest; the state cannot be used afterwards.
    pub(super) fn finish(&mut self, parameters: Parameters, digest: &mut [u8]) {
        self.end(parameters);
        put_words(&self.state, digest);
    }

    /// Starts again with the empty message, in a way that the compiler keeps.
    pub(super) fn wipe(&mut self) {
        *self = Self::new();
        core::hint::black_box(self);
    }
}

/// Writes the digest of a whole message.
pub(super) fn digest(parameters: Parameters, message: &[u8], digest: &mut [u8]) {
    let (blocks, rest) = parameters.split(message);
    let mut last = [0; MAX_RATE];
    parameters.put_end(rest, &mut last);
    let head = digest_one(kernel_of_one(), parameters.rate, Row { blocks, last: &last });
    last.fill(0);
    core::hint::black_box(&last);
    put_words(&head, digest);
}

/// The output of a function of any output length.
#[derive(Clone)]
pub(super) struct Output {
    state: State,
    /// Bytes read of the state's first block of output.
    n_read: usize,
}

impl Output {
    /// The result of the state after the end of a message.
    #[inline]
    pub(super) fn of(state: State) -> Self {
        Self { state, n_read: 0 }
    }

    /// Fills `output` with the bytes of output that follow those read before.
    pub(super) fn read(&mut self, block_bytes: usize, output: &mut [u8]) {
        let mut output = output;
        while !output.is_empty() {
            if self.n_read == block_bytes {
                permute_one(kernel_of_one(), &mut self.state);
                self.n_read = 0;
            }
            let n_now = output.len().min(block_bytes - self.n_read);
            let (now, later) = output.split_at_mut(n_now);
            put_from(&self.state, self.n_read, now);
            self.n_read += n_now;
            output = later;
        }
    }

    /// Overwrites the state, in a way that the compiler keeps.
    #[cfg(feature = "zeroize")]
    pub(super) fn wipe(&mut self) {
        self.state = [0; 25];
        core::hint::black_box(self);
    }
}

/// Writes the bytes of a state from number `from` on.
fn put_from(state: &State, from: usize, out: &mut [u8]) {
    let (words, n_before) = (&state[from / 8..], from % 8);
    if n_before == 0 {
        return put_words(words, out);
    }
    let (first, others) = out.split_at_mut(out.len().min(8 - n_before));
    first.copy_from_slice(&words[0].to_le_bytes()[n_before..][..first.len()]);
    put_words(&words[1..], others);
}
