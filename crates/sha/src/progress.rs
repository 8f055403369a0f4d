//! One message in progress: a state, a buffer and a count, once for all hashes that share a compression
//! function (FIPS 180-4 section 5.2).

use hashlanes_isa::{Function, Kernel, Verb, put_digest};

use crate::padding::{digest_one, one_block_ends, put_length};

/// The progress of a message: its state, its buffered bytes, its length so far.
#[derive(Clone)]
pub struct Progress<F: Function> {
    pub(crate) kernel: &'static Kernel<F>,
    pub(crate) state: F::State,
    pub(crate) buffer: F::Block,
    /// Number of bytes absorbed so far. Bytes beyond whole blocks are in `buffer`.
    pub(crate) n_bytes: u64,
}

/// See [`Progress::take`].
pub(crate) struct Taken<'a, F: Function> {
    pub(crate) block: Option<F::Block>,
    pub(crate) body: &'a [u8],
}

impl<F: Function> Progress<F> {
    /// Begins after `n_bytes` bytes, whole blocks, that led to `state`.
    #[inline]
    pub(crate) fn new(kernel: &'static Kernel<F>, state: F::State, n_bytes: u64) -> Self {
        Self { kernel, state, buffer: F::ZERO_BLOCK, n_bytes }
    }

    /// Bytes in `buffer`.
    #[inline]
    pub(crate) fn buffered(&self) -> usize {
        (self.n_bytes % F::BLOCK_BYTES as u64) as usize
    }

    /// Returns the bytes after the last whole block.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.buffer.as_ref()[..self.buffered()]
    }

    /// Drops what [`rest`](Self::rest) returns.
    #[cfg(feature = "digest")]
    pub(crate) fn forget_rest(&mut self) {
        self.n_bytes -= self.buffered() as u64;
    }

    /// Absorbs the next part of the message.
    #[inline]
    pub(crate) fn absorb(&mut self, part: &[u8]) {
        let buffered = self.buffered();
        self.n_bytes = self.n_bytes.wrapping_add(part.len() as u64);
        let mut part = part;
        if buffered > 0 {
            let (head, rest) = part.split_at(part.len().min(F::BLOCK_BYTES - buffered));
            self.buffer.as_mut()[buffered..][..head.len()].copy_from_slice(head);
            if buffered + head.len() < F::BLOCK_BYTES {
                return;
            }
            self.kernel.compress_one(&mut self.state, self.buffer.as_ref());
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / F::BLOCK_BYTES * F::BLOCK_BYTES);
        if !body.is_empty() {
            self.kernel.compress_one(&mut self.state, body);
        }
        if !rest.is_empty() {
            self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
        }
    }

    /// Counts and buffers a part that is compressed together with others: returns a copy of the buffer, if
    /// that filled, and the whole blocks that follow.
    #[inline]
    pub(crate) fn take<'a>(&mut self, part: &'a [u8]) -> Taken<'a, F> {
        let buffered = self.buffered();
        self.n_bytes = self.n_bytes.wrapping_add(part.len() as u64);
        let mut part = part;
        let mut block = None;
        if buffered > 0 {
            let missing = F::BLOCK_BYTES - buffered;
            if part.len() < missing {
                self.buffer.as_mut()[buffered..][..part.len()].copy_from_slice(part);
                return Taken { block, body: &[] };
            }
            let (head, rest) = part.split_at(missing);
            self.buffer.as_mut()[buffered..].copy_from_slice(head);
            block = Some(self.buffer);
            part = rest;
        }
        let (body, rest) = part.split_at(part.len() / F::BLOCK_BYTES * F::BLOCK_BYTES);
        self.buffer.as_mut()[..rest.len()].copy_from_slice(rest);
        Taken { block, body }
    }

    /// Writes the digest, all bytes of the final state that fit; the state cannot be used afterwards. The
    /// buffer is padded in place, so that no copy of it stays on the stack.
    #[inline]
    pub(crate) fn end(&mut self, digest: &mut [u8]) {
        let (kernel, n_rest) = (self.kernel, self.buffered());
        let last = match kernel.offers(Verb::Rounds) {
            true => F::pre_expanded_end(self.n_bytes),
            false => None,
        };
        // Not of SHA-512: the shape that a kernel is given would take 900 bytes of stack here, and few CPUs
        // have such a kernel.
        let is_small = F::BLOCK_BYTES <= 64;
        if is_small && n_rest < one_block_ends::<F>() && last.is_none() {
            let n_before = self.n_bytes - n_rest as u64;
            return digest_one(kernel, &self.state, n_before, &self.buffer.as_ref()[..n_rest], digest);
        }
        let buffer = self.buffer.as_mut();
        buffer[n_rest] = 0x80;
        buffer[n_rest + 1..].fill(0);
        if n_rest >= one_block_ends::<F>() {
            kernel.compress_one(&mut self.state, self.buffer.as_ref());
            self.buffer = F::ZERO_BLOCK;
        }
        // A block that is expanded in advance contains no message bytes.
        if let Some(last) = last {
            kernel.rounds(&mut self.state, last);
        } else {
            put_length::<F>(self.buffer.as_mut(), self.n_bytes);
            kernel.compress_one(&mut self.state, self.buffer.as_ref());
        }
        put_digest::<F>(&self.state, digest);
    }

    /// Starts again with the empty message, in a way that the compiler keeps.
    #[inline]
    pub(crate) fn wipe(&mut self, h0: &F::State) {
        (self.state, self.buffer, self.n_bytes) = (*h0, F::ZERO_BLOCK, 0);
        core::hint::black_box(self);
    }
}
