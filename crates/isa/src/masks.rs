//! Loads under a mask: any number of bytes at once, where no branch depends on the number.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::Features;

/// Bytes that are loaded at once.
const LINE: usize = 64;

/// Returns whether the CPU has such loads: AVX-512's.
#[inline(always)]
pub(crate) fn has_masks() -> bool {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    return Features::available().contains(const { Features::of(&["avx512bw", "bmi2"]) });
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    false
}

/// If the CPU has such loads, and there are bytes, copies these into `block`, with zeros after them, and
/// returns `true`.
///
/// A load of no bytes takes 60 cycles where no memory is, as at the address of an empty vector (Raptor Cove).
/// A copy that branches on the number of bytes takes 5 cycles as well if the branch is predicted, but 25
/// where lengths differ.
///
/// # Panics
/// Panics unless `block` has one line or two, of 64 bytes, and room for the bytes.
#[inline(always)]
#[doc(hidden)]
pub fn copy_by_masks(block: &mut [u8], bytes: &[u8]) -> bool {
    if bytes.is_empty() || !has_masks() {
        return false;
    }
    assert!((block.len() == LINE || block.len() == 2 * LINE) && bytes.len() <= block.len());
    // SAFETY: the CPU has masks. These are at most 128 bytes, which may be read, and written.
    unsafe { fill_by_masks(block.as_mut_ptr(), block.len(), bytes.as_ptr(), bytes.len()) }
    true
}

/// Writes the first `n` bytes at `from`, or as many as there is room for, and zeros after them, into `n_to`
/// bytes at `to`, which are whole lines.
///
/// # Safety
/// [`has_masks`] returned true. `n` is less than 256. The first `n` bytes at `from` may be read, or as many
/// as there is room for, and the `n_to` bytes at `to` written.
#[inline(always)]
pub(crate) unsafe fn fill_by_masks(to: *mut u8, n_to: usize, from: *const u8, n: usize) {
    for at in (0..n_to / LINE).map(|i| LINE * i) {
        // SAFETY: the caller's contract.
        unsafe { load(from.wrapping_add(at), n.saturating_sub(at), to.add(at)) }
    }
}

/// Writes the first `n` bytes at `from`, or a line if they are more, and zeros after them, into the line at
/// `to`.
///
/// These are instructions, not intrinsics: a function that is compiled for AVX-512 would not be inlined into
/// others. They use a register that SSE does not have. SSE is slow while one of its own has upper parts.
///
/// # Safety
/// As for [`fill_by_masks`].
#[inline(always)]
unsafe fn load(from: *const u8, n: usize, to: *mut u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: the caller's contract. Bytes that the mask leaves out are not read: their page may be missing.
    // `bzhi` keeps as many bits as the low 8 bits of `n` say, or all of them from 64 on.
    unsafe {
        core::arch::asm!(
            "bzhi {mask}, {all}, {n}",
            "kmovq k1, {mask}",
            "vmovdqu8 zmm16{{k1}}{{z}}, [{from}]",
            "vmovdqu64 [{to}], zmm16",
            all = in(reg) !0_u64,
            n = in(reg) n,
            from = in(reg) from,
            to = in(reg) to,
            mask = out(reg) _,
            out("k1") _,
            out("xmm16") _,
            options(nostack),
        );
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    unreachable!("{from:p} {n} {to:p}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_then_zeros() {
        let bytes = core::array::from_fn::<u8, { 2 * LINE }, _>(|i| i as u8 + 1);
        for room in [LINE, 2 * LINE] {
            for n in 0..=room {
                let mut block = [0xa5; 2 * LINE];
                if !copy_by_masks(&mut block[..room], &bytes[..n]) {
                    assert!((n == 0 || !has_masks()) && block == [0xa5; 2 * LINE]);
                    continue;
                }
                assert_eq!(block[..n], bytes[..n]);
                assert!(block[n..room].iter().all(|byte| *byte == 0), "{n} of {room}");
                assert!(block[room..].iter().all(|byte| *byte == 0xa5), "{n} of {room}");
            }
        }
    }
}
