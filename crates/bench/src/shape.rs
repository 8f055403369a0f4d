//! The shape of a workload's input: the number, lengths and layout of messages.

use crate::signatures::Operation;

/// The shape of the input. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// One message, the whole call.
    One {
        /// Its length.
        len: usize,
    },
    /// Equal messages in one call.
    Many {
        /// The number of messages.
        count: usize,
        /// The length of each.
        len: usize,
        /// The distance from the start of one to the start of the next.
        stride: usize,
    },
    /// Messages of random lengths in one call.
    Random {
        /// The number of messages.
        count: usize,
        /// The greatest length; the least is 1.
        max: usize,
    },
    /// Equal messages of a block at most, one after another, in one call.
    Fixed {
        /// The number of messages.
        count: usize,
        /// The length of each.
        len: usize,
    },
    /// A column of equal values in Arrow's layout.
    Rows {
        /// The number of values.
        count: usize,
        /// The length of each.
        len: usize,
        /// The encoding of digests.
        text: Text,
    },
    /// Messages that their padding fills up to whole blocks: kernels take the blocks, others the messages.
    Lanes {
        /// The number of messages.
        count: usize,
        /// The padded length of each.
        len: usize,
    },
    /// Messages of one block with its padding, by a call for one-block continuations; others take the
    /// messages.
    Continue {
        /// The number of messages.
        count: usize,
        /// The block's length.
        len: usize,
    },
    /// Keys and signatures.
    Signatures(Operation),
}

/// The encoding of digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Text {
    /// Binary.
    Bytes,
    /// In lower-case hexadecimal.
    Hex,
}

/// The default distance from the end of a message to the start of the next.
pub(crate) const GAP: usize = 64;

impl Shape {
    /// `count` messages of `len` bytes, a cache line apart.
    pub(crate) const fn many(count: usize, len: usize) -> Self {
        Shape::Many { count, len, stride: len + GAP }
    }

    /// Messages of the shape.
    pub(crate) fn count(self) -> usize {
        match self {
            Shape::One { .. } => 1,
            Shape::Many { count, .. }
            | Shape::Random { count, .. }
            | Shape::Fixed { count, .. }
            | Shape::Rows { count, .. }
            | Shape::Lanes { count, .. }
            | Shape::Continue { count, .. } => count,
            Shape::Signatures(operation) => operation.count(),
        }
    }

    /// The distance from the start of a message to the start of the next, in bytes; 0 if it varies.
    pub(crate) fn stride(self) -> usize {
        match self {
            Shape::One { len } | Shape::Fixed { len, .. } | Shape::Rows { len, .. } => len,
            Shape::Many { stride, .. } => stride,
            Shape::Random { .. } | Shape::Signatures(_) => 0,
            Shape::Lanes { len, .. } | Shape::Continue { len, .. } => len + GAP,
        }
    }

    /// The approximate total length of the messages; `None` if it overflows.
    pub(crate) fn memory_bytes(self) -> Option<usize> {
        match self {
            Shape::One { len } => Some(len),
            Shape::Many { count, stride, .. } => count.checked_mul(stride),
            Shape::Random { count, max: len }
            | Shape::Fixed { count, len }
            | Shape::Rows { count, len, .. }
            | Shape::Lanes { count, len }
            | Shape::Continue { count, len } => count.checked_mul(len + GAP),
            Shape::Signatures(_) => Some(0),
        }
    }
}
