//! SHAKE256 of an address and a message.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use hashlanes_sha::keccak::{self, Head, MAX_DEGREE, Rate, Row, States};

use super::{Addressed, Layout, Node};

const RATE: Rate = Rate::Bytes136;
const BLOCK_BYTES: usize = RATE.bytes();

/// SHAKE256 of messages that begin with the same `N` bytes.
pub(crate) struct Shake<const N: usize, L> {
    start: [u8; N],
    layout: PhantomData<L>,
}

impl<const N: usize, L> Shake<N, L> {
    /// Puts `start` before the address.
    #[cfg(feature = "slh-dsa")]
    pub(crate) fn new(start: [u8; N]) -> Self {
        Self { start, layout: PhantomData }
    }
}

#[cfg(feature = "lms")]
impl<L> Shake<0, L> {
    /// Starts the message with the address.
    pub(crate) fn plain() -> Self {
        Self { start: [], layout: PhantomData }
    }
}

impl<const N: usize, L: Layout> Addressed for Shake<N, L> {
    type Layout = L;
    type Block = [u8; BLOCK_BYTES];
    type Value = Head;

    const ADDRESS_AT: usize = N;
    const ZERO_BLOCK: Self::Block = [0; BLOCK_BYTES];
    const ZERO_VALUE: Head = [0; 8];

    fn template(&self, m_bytes: usize) -> Vec<Self::Block> {
        let n_bytes = Self::M_AT + m_bytes;
        let mut blocks = vec![Self::ZERO_BLOCK; n_bytes / BLOCK_BYTES + 1];
        let bytes = blocks.as_flattened_mut();
        bytes[..N].copy_from_slice(&self.start);
        // FIPS 202, sections 6.2 and 5.1: 1111, then pad10*1.
        bytes[n_bytes] = 0x1f;
        *bytes.last_mut().expect("a block") |= 0x80;
        blocks
    }

    fn hash(&self, blocks: &[Self::Block], n_blocks: usize, mut heads: &mut [Head]) {
        let mut messages = blocks.as_flattened();
        let message_bytes = n_blocks * BLOCK_BYTES;
        while !heads.is_empty() {
            let kernel = keccak::table().best_of_group(heads.len(), n_blocks);
            let (degree, n) = (kernel.degree(), kernel.degree().min(heads.len()));
            // Idle lanes have the blocks of the first.
            let mut rows = [row(&messages[..message_bytes]); MAX_DEGREE];
            for (to, message) in rows.iter_mut().zip(messages.chunks_exact(message_bytes)).take(n) {
                *to = row(message);
            }
            let rows = &rows[..degree];
            let (now, later) = heads.split_at_mut(n);
            if n == degree {
                kernel.absorb(RATE, States::Whole(now), rows, BLOCK_BYTES, n_blocks - 1);
            } else {
                let mut all = [[0; 8]; MAX_DEGREE];
                kernel.absorb(RATE, States::Whole(&mut all[..degree]), rows, BLOCK_BYTES, n_blocks - 1);
                now.copy_from_slice(&all[..n]);
            }
            (messages, heads) = (&messages[n * message_bytes..], later);
        }
    }

    #[inline(always)]
    fn put<V: Node>(head: &Head, to: &mut [u8]) {
        for (to, word) in to[..V::BYTES].as_chunks_mut::<8>().0.iter_mut().zip(head) {
            *to = word.to_le_bytes();
        }
    }

    fn bytes_of_mut(blocks: &mut [Self::Block]) -> &mut [u8] {
        blocks.as_flattened_mut()
    }
}

/// A message in one lane: its last block is separate.
fn row(message: &[u8]) -> Row<'_> {
    let (blocks, last) = message.split_at(message.len() - BLOCK_BYTES);
    Row { blocks, last }
}
