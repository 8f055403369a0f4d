//! FIPS 180-4's padding, section 5.1.
//!
//! Messages of every hash end with it; so do the names from which SHA-512 makes the initial values of
//! SHA-512/t.

/// The last one or two blocks of the padded message (section 5.1), in `buffer`.
///
/// `rest` is the message without its first `absorbed_bytes` bytes; its whole blocks are omitted.
pub(super) fn pad<'a>(
    buffer: &'a mut [u8; 256],
    block_bytes: usize,
    absorbed_bytes: u128,
    rest: &[u8],
) -> &'a [u8] {
    assert!(absorbed_bytes.is_multiple_of(block_bytes as u128), "{absorbed_bytes} bytes are no whole blocks");
    let l = absorbed_bytes.checked_add(rest.len() as u128).and_then(|bytes| bytes.checked_mul(8));
    let l = l.expect("a message of fewer than 2^128 bits");
    assert!(block_bytes == 128 || l >> 64 == 0, "a message of fewer than 2^64 bits");

    // "Append the bit '1' to the end of the message, followed by k zero bits, where k is the smallest,
    // non-negative solution to the equation l + 1 + k = 448 mod 512", or 896 mod 1024. "Then append the
    // 64-bit block", or 128-bit, "that is equal to the number l expressed using a binary representation."
    let tail = &rest[rest.len() - rest.len() % block_bytes..];
    let length_bytes = block_bytes / 8;
    let end_bytes = (tail.len() + 1 + length_bytes).next_multiple_of(block_bytes);
    let end = &mut buffer[..end_bytes];
    end.fill(0);
    end[..tail.len()].copy_from_slice(tail);
    end[tail.len()] = 0x80;
    end[end_bytes - length_bytes..].copy_from_slice(&l.to_be_bytes()[16 - length_bytes..]);
    end
}
