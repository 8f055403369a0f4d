//! Kernels of equal short messages: the kinds of messages, and the parameters of a call.

use super::sha2::Sha2;

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Message {
    /// A block.
    Block,
    /// A block, and one more that is the same for all.
    BlockAndConstant,
    /// Half a block and padding.
    Half,
}

impl Message {
    pub(crate) const fn bytes(self, sha2: &Sha2) -> usize {
        let block_bytes = 16 * sha2.word();
        if matches!(self, Self::Half) { block_bytes / 2 } else { block_bytes }
    }
}

// The offsets of the parameters.
/// The byte shuffle of what comes out.
pub(crate) const SHUFFLE: usize = 0;
/// The address of the initial states, a state for each lane; and its step for each turn.
pub(crate) const START: usize = 16;
pub(crate) const START_STEP: usize = 24;
/// K + W of a half block's padding, words 8..16.
pub(crate) const PADDING: usize = 32;
/// K + W of the constant block.
pub(crate) const CONSTANT: usize = 128;
