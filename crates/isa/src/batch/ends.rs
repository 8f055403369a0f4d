//! Messages of groups, and the ends of all messages: the bytes after their bodies, copied into blocks of the
//! batch.

use crate::Function;

/// A message of a group, from its start to its end: a body of whole blocks, and the blocks in which it ends.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'s, 'a, F: Function> {
    /// Its initial state.
    pub state: &'s F::State,
    /// Its bytes.
    pub message: &'a [u8],
    /// Blocks of the body.
    pub n_body: usize,
    /// Blocks of the end, 1 or 2: they hold the bytes after the body, and the padding.
    pub n_end: usize,
    /// Number of bytes for the padding.
    pub n_bytes: u64,
}

impl<F: Function> Whole<'_, '_, F> {
    /// Bytes after the body.
    #[inline(always)]
    pub fn n_rest(&self) -> usize {
        self.message.len() - self.n_body * F::BLOCK_BYTES
    }
}

/// Writes the state and the end of a message of a group: the bytes after its body, then what `end` adds.
///
/// # Panics
/// Panics unless the message has the blocks of its body, and ends in 1 or 2 blocks that have room for the
/// rest.
///
/// # Safety
/// The state, two blocks at `edge` and 16 bytes before them may be written.
#[inline(always)]
pub(super) unsafe fn write_whole<'s, 'a, F: Function>(
    state: *mut F::State,
    edge: *mut F::Block,
    whole: &Whole<'s, 'a, F>,
    end: impl Fn(&Whole<'s, 'a, F>, &mut [F::Block]),
) {
    assert!(whole.n_body <= whole.message.len() / F::BLOCK_BYTES);
    // SAFETY: the caller's contract.
    unsafe {
        state.write(*whole.state);
        end(whole, write_end::<F>(edge, whole.message, whole.n_rest(), whole.n_end));
    }
}

/// Writes the last `n_rest` bytes of `message`, and zeros after them, into `n_end` blocks at `edge`; returns
/// these.
///
/// # Panics
/// Panics unless `n_end` is 1 or 2, and the bytes have room.
///
/// # Safety
/// The message has at least this many bytes. The blocks, which live for `'e`, and 16 bytes before them may be
/// written.
#[inline(always)]
pub(super) unsafe fn write_end<'e, F: Function>(
    edge: *mut F::Block,
    message: &[u8],
    n_rest: usize,
    n_end: usize,
) -> &'e mut [F::Block] {
    assert!((1..=2).contains(&n_end) && n_rest <= n_end * F::BLOCK_BYTES);
    // SAFETY: the caller's contract.
    unsafe {
        if n_end == 2 && n_rest >= F::BLOCK_BYTES - PIECE {
            copy_rest_of_two::<F>(message, n_rest, edge.cast());
        } else {
            edge.write(F::ZERO_BLOCK);
            if n_end == 2 {
                edge.add(1).write(F::ZERO_BLOCK);
            }
            if n_rest > 0 {
                copy_rest::<F>(message, n_rest, edge.cast());
            }
        }
        core::slice::from_raw_parts_mut(edge, n_end)
    }
}

/// Bytes that are copied at once.
const PIECE: usize = 16;

/// Copies the piece of `message` that begins at `from` to where it belongs if the byte at `first` goes to
/// `to`.
///
/// # Safety
/// The message has the piece, which may be written there.
#[inline(always)]
unsafe fn copy_piece<const BYTES: usize>(message: &[u8], from: usize, first: usize, to: *mut u8) {
    let to = to.wrapping_add(from).wrapping_sub(first).cast::<[u8; BYTES]>();
    // SAFETY: the caller's contract.
    unsafe { to.write_unaligned(message.as_ptr().add(from).cast::<[u8; BYTES]>().read_unaligned()) }
}

/// Copies the last `n` bytes of `message`, a block at most, to `to`.
///
/// From 16 bytes on, no branch depends on `n`, because branches would be mispredicted where lengths differ:
/// pieces of 16 bytes are copied, and the last piece ends where the message ends. The first piece may begin
/// before the last `n` bytes.
///
/// # Safety
/// The message has at least `n` bytes. A block may be written at `to`, and 16 bytes before it.
#[inline(always)]
unsafe fn copy_rest<F: Function>(message: &[u8], n: usize, to: *mut u8) {
    let (len, first) = (message.len(), message.len() - n);
    // SAFETY: reads are inside the message. Writes are at or after `to`, or before it by as much as the piece
    // begins before the last `n` bytes: at most 16.
    unsafe {
        match len {
            PIECE.. => {
                for i in 0..F::BLOCK_BYTES / PIECE {
                    copy_piece::<PIECE>(message, (first + PIECE * i).min(len - PIECE), first, to);
                }
            }
            8.. => {
                copy_piece::<8>(message, 0, first, to);
                copy_piece::<8>(message, len - 8, first, to);
            }
            4.. => {
                copy_piece::<4>(message, 0, first, to);
                copy_piece::<4>(message, len - 4, first, to);
            }
            1.. => {
                copy_piece::<1>(message, 0, first, to);
                copy_piece::<1>(message, len / 2, first, to);
                copy_piece::<1>(message, len - 1, first, to);
            }
            0 => {}
        }
    }
}

/// Copies the last `n` bytes of `message` to `to`: from a piece less than a block to two blocks, which end in
/// zeros. No branch depends on `n`.
///
/// # Safety
/// The message has at least `n` bytes. Two blocks may be written at `to`.
#[inline(always)]
unsafe fn copy_rest_of_two<F: Function>(message: &[u8], n: usize, to: *mut u8) {
    let (len, first) = (message.len(), message.len() - n);
    let n_certain = F::BLOCK_BYTES / PIECE - 1;
    // SAFETY: reads are inside the message: the first pieces, because it has so many bytes. Writes are inside
    // the blocks, because `n` bytes are, and no piece begins before them.
    unsafe {
        for i in 0..n_certain {
            copy_piece::<PIECE>(message, first + PIECE * i, first, to);
        }
        let n_others = 2 * F::BLOCK_BYTES / PIECE - n_certain;
        to.add(PIECE * n_certain).cast::<[u8; PIECE]>().write_bytes(0, n_others);
        for i in n_certain..n_certain + n_others {
            copy_piece::<PIECE>(message, (first + PIECE * i).min(len - PIECE), first, to);
        }
    }
}
