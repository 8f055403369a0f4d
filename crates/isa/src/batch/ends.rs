//! The ends of messages: the bytes after their bodies, copied into blocks of the batch.

use crate::Function;
use crate::masks::fill_by_masks;

/// Writes the last `n_rest` bytes of `message`, and zeros after them, into `n_end` blocks at `edge`; returns
/// these. `by_masks` says whether loads under a mask read them, or pieces of a fixed length.
///
/// # Panics
/// Panics unless `n_end` is 1 or 2, and the bytes and one more have room.
///
/// # Safety
/// The message has at least this many bytes. The blocks, which live for `'e`, and [`LAST`] bytes before them
/// may be written. `by_masks` is set only if [`has_masks`](crate::masks::has_masks) says so.
#[inline(always)]
pub(super) unsafe fn write_end<'e, F: Function>(
    edge: *mut F::Block,
    message: &[u8],
    n_rest: usize,
    n_end: usize,
    by_masks: bool,
) -> &'e mut [F::Block] {
    assert!((1..=2).contains(&n_end) && n_rest < n_end * F::BLOCK_BYTES);
    let (first, to) = (message.len() - n_rest, edge.cast::<u8>());
    // A load of no bytes can be slow.
    if by_masks && n_rest > 0 {
        let from = message.as_ptr().wrapping_add(first);
        // Block by block: a loop over both takes 20 instructions more.
        // SAFETY: the caller's contract.
        unsafe {
            fill_by_masks(to, F::BLOCK_BYTES, from, n_rest);
            if n_end == 2 {
                let (from, n_rest) =
                    (from.wrapping_add(F::BLOCK_BYTES), n_rest.saturating_sub(F::BLOCK_BYTES));
                fill_by_masks(to.add(F::BLOCK_BYTES), F::BLOCK_BYTES, from, n_rest);
            }
            return core::slice::from_raw_parts_mut(edge, n_end);
        }
    }
    // Pieces that a rest has if it is almost a block or more.
    let n_certain = F::BLOCK_BYTES / PIECE - 1;
    // SAFETY: the caller's contract. The first pieces are inside the message, because the rest has them.
    unsafe {
        if n_end == 2 && n_rest >= n_certain * PIECE {
            for i in 0..n_certain {
                copy_piece::<PIECE>(message, first + PIECE * i, first, to);
            }
            let n_others = 2 * F::BLOCK_BYTES / PIECE - n_certain;
            to.add(PIECE * n_certain).cast::<[u8; PIECE]>().write_bytes(0, n_others);
            copy_rest(message, n_rest, to, n_certain, 2 * F::BLOCK_BYTES);
        } else {
            edge.write(F::ZERO_BLOCK);
            if n_end == 2 {
                edge.add(1).write(F::ZERO_BLOCK);
            }
            if n_rest > 0 {
                copy_rest(message, n_rest, to, 0, F::BLOCK_BYTES);
            }
        }
        core::slice::from_raw_parts_mut(edge, n_end)
    }
}

/// Bytes that are copied at once.
const PIECE: usize = 16;

/// Bytes at the end of a message that are copied wherever they begin: as many as may be written before a
/// rest.
pub(super) const LAST: usize = 64;

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

/// Copies the last `n` bytes of `message` to `to`: all of them, or those from piece `from` on.
///
/// From 16 bytes on, no branch depends on `n`, because branches would be mispredicted where lengths differ:
/// pieces of 16 bytes are copied that end where the message ends at the latest, and begin before the last `n`
/// bytes at times.
///
/// # Safety
/// The message has at least `n` bytes, and `room` as many or more, of which the message has those before
/// piece `from`. These may be written at `to`, and [`LAST`] bytes before it.
#[inline(always)]
unsafe fn copy_rest(message: &[u8], n: usize, to: *mut u8, from: usize, room: usize) {
    let (len, first) = (message.len(), message.len() - n);
    // SAFETY: reads are inside the message. Writes are at or after `to`, or before it by as much as a piece
    // begins before the last `n` bytes.
    unsafe {
        match len {
            LAST.. => {
                for i in from..(room - LAST) / PIECE {
                    copy_piece::<PIECE>(message, (first + PIECE * i).min(len - PIECE), first, to);
                }
                for i in 0..LAST / PIECE {
                    copy_piece::<PIECE>(message, len - LAST + PIECE * i, first, to);
                }
            }
            PIECE.. => {
                for i in from..LAST / PIECE {
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
