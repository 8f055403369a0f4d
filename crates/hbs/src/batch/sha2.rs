//! SHA-256 and SHA-512 of an address and a message.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use hashlanes_isa::{Start, Types, Word};
use hashlanes_sha::{Algorithm, State};

use super::{Addressed, Layout, Node};
use crate::lanes::Lanes;

/// SHA-256 or SHA-512, after a block or from its beginning.
pub(crate) struct Sha2<A: Algorithm, L> {
    lanes: Lanes<A::Function>,
    start: State<A>,
    /// Bytes before the address.
    n_before: usize,
    layout: PhantomData<L>,
}

impl<A: Algorithm, L> Sha2<A, L> {
    /// Starts the message with the address.
    #[cfg(feature = "lms")]
    pub(crate) fn plain() -> Self {
        let lanes = Lanes::named(None).expect("no kernel was named");
        Self { lanes, start: A::H0, n_before: 0, layout: PhantomData }
    }

    #[cfg(feature = "slh-dsa")]
    /// Starts the message with a block of `start` and zeros, then the address.
    pub(crate) fn after_block(start: &[u8]) -> Self {
        let lanes = Lanes::named(None).expect("no kernel was named");
        let (mut state, mut block) = (A::H0, <A::Function as Types>::ZERO_BLOCK);
        block.as_mut()[..start.len()].copy_from_slice(start);
        lanes.compress_constant(&mut state, &block);
        Self { lanes, start: state, n_before: A::BLOCK_BYTES, layout: PhantomData }
    }
}

impl<A: Algorithm, L: Layout> Addressed for Sha2<A, L> {
    type Layout = L;
    type Block = <A::Function as Types>::Block;
    type Value = State<A>;

    const ADDRESS_AT: usize = 0;
    const ZERO_BLOCK: Self::Block = <A::Function as Types>::ZERO_BLOCK;
    const ZERO_VALUE: Self::Value = <A::Function as Types>::ZERO_STATE;

    fn template(&self, m_bytes: usize) -> Vec<Self::Block> {
        let n_bytes = Self::M_AT + m_bytes;
        let word_bytes = <A::Function as Types>::Word::BYTES;
        let mut blocks = vec![Self::ZERO_BLOCK; (n_bytes + 2 * word_bytes) / A::BLOCK_BYTES + 1];
        let bytes = Self::bytes_of_mut(&mut blocks);
        bytes[n_bytes] = 0x80;
        let length = (8 * (self.n_before + n_bytes) as u64).to_be_bytes();
        let at = bytes.len() - length.len();
        bytes[at..].copy_from_slice(&length);
        blocks
    }

    #[inline]
    fn hash(&self, blocks: &[Self::Block], n_blocks: usize, values: &mut [Self::Value]) {
        let start = Start::Shared(&self.start);
        if n_blocks == 1 {
            return self.lanes.continue_many(start, blocks, None, None, values);
        }
        // The messages' first blocks together, then their second ones, and so on.
        let mut together = vec![Self::ZERO_BLOCK; values.len()];
        for i in 0..n_blocks {
            for (to, message) in together.iter_mut().zip(blocks.chunks_exact(n_blocks)) {
                *to = message[i];
            }
            let start = if i == 0 { Start::Shared(&self.start) } else { Start::Each };
            self.lanes.continue_many(start, &together, None, None, values);
        }
    }

    #[inline(always)]
    fn put<V: Node>(value: &Self::Value, to: &mut [u8]) {
        type WordOf<A> = <<A as Algorithm>::Function as Types>::Word;
        let word_bytes = WordOf::<A>::BYTES;
        let (pairs, _) = value.as_ref().as_chunks::<2>();
        let (in_pairs, rest) = to[..V::BYTES].split_at_mut(V::BYTES / (2 * word_bytes) * (2 * word_bytes));
        for (to, pair) in in_pairs.chunks_exact_mut(2 * word_bytes).zip(pairs) {
            WordOf::<A>::put_be_pair(*pair, to);
        }
        if !rest.is_empty() {
            value.as_ref()[V::BYTES / word_bytes - 1].put_be(rest);
        }
    }

    fn bytes_of_mut(blocks: &mut [Self::Block]) -> &mut [u8] {
        A::Function::bytes_of_mut(blocks)
    }
}
