//! The instructions of the clock: the crate's only `unsafe`.
//!
//! Two loops measure the core itself:
//!
//! - **chain**: each `add` needs the one before it, so `n` of them take `n` cycles, even on a wide core, and
//!   hardly longer when another program shares it. Both operands are registers: cores since Golden Cove fold
//!   `add reg, 1` into register renaming and run 5.7 of *those* a cycle (measured, Granite Rapids), so a
//!   clock based on them is wrong by that factor.
//! - **dispatch**: groups of four independent `add`s and two `nop`s, six slots. Zen 4 and Golden Cove
//!   dispatch six a cycle, so a group takes one cycle on an unshared core, and about two when another program
//!   takes every other slot. Cores of other widths have another ideal value; the gate determines it.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use core::arch::asm;

/// Additions in one pass of the chain's loop.
pub(crate) const CHAIN_UNROLL: u64 = 64;
/// Groups in one pass of the dispatch loop.
pub(crate) const GROUP_UNROLL: u64 = 16;

/// Runs `passes` ≥ 1 times [`CHAIN_UNROLL`] dependent additions. False if this architecture has no chain.
#[inline(never)]
pub(crate) fn chain(passes: u64) -> bool {
    debug_assert!(passes > 0);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: changes the registers it declares, and flags; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 64", "add {x}, {y}", ".endr", "dec {n}", "jnz 2b",
            x = inout(reg) 1u64 => _, y = in(reg) 3u64, n = inout(reg) passes => _,
            options(nomem, nostack)
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: changes the registers it declares, and flags; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 64", "add {x}, {x}, {y}", ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            x = inout(reg) 1u64 => _, y = in(reg) 3u64, n = inout(reg) passes => _,
            options(nomem, nostack)
        );
    }
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

/// Runs `passes` ≥ 1 times [`GROUP_UNROLL`] groups of four additions and two `nop`s. False if this
/// architecture has no such loop.
#[inline(never)]
pub(crate) fn dispatch(passes: u64) -> bool {
    debug_assert!(passes > 0);
    #[cfg(target_arch = "x86_64")]
    // SAFETY: changes the registers it declares, and flags; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 16",
            "add {a}, {y}", "add {b}, {y}", "nop", "add {c}, {y}", "add {d}, {y}", "nop",
            ".endr", "dec {n}", "jnz 2b",
            a = inout(reg) 1u64 => _, b = inout(reg) 1u64 => _, c = inout(reg) 1u64 => _,
            d = inout(reg) 1u64 => _, y = in(reg) 3u64, n = inout(reg) passes => _,
            options(nomem, nostack)
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: changes the registers it declares, and flags; no memory, no stack.
    unsafe {
        asm!(
            "2:", ".rept 16",
            "add {a}, {a}, {y}", "add {b}, {b}, {y}", "nop", "add {c}, {c}, {y}", "add {d}, {d}, {y}", "nop",
            ".endr", "subs {n}, {n}, #1", "b.ne 2b",
            a = inout(reg) 1u64 => _, b = inout(reg) 1u64 => _, c = inout(reg) 1u64 => _,
            d = inout(reg) 1u64 => _, y = in(reg) 3u64, n = inout(reg) passes => _,
            options(nomem, nostack)
        );
    }
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}

/// Clears the upper halves of the vector registers. Contestants may leave them dirty, which slows legacy SSE
/// code after them. Does nothing on a CPU without AVX.
pub(crate) fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the CPU has AVX; every vector register is declared as clobbered.
        unsafe { asm!("vzeroupper", clobber_abi("sysv64"), options(nomem, nostack, preserves_flags)) }
    }
}

/// Returns the time-stamp counter, after all earlier instructions and before all later ones.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn time_stamp() -> u64 {
    use core::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: SSE2 and the counter are part of x86-64.
    unsafe {
        _mm_lfence();
        let t = _rdtsc();
        _mm_lfence();
        t
    }
}

/// Returns whether the time-stamp counter runs at one rate in every state of the CPU (CPUID 8000_0007h, EDX
/// bit 8).
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_constant_time_stamp() -> bool {
    cpuid(0x8000_0007).is_some_and(|[_, _, _, edx]| edx >> 8 & 1 == 1)
}

/// `[eax, ebx, ecx, edx]` of a CPUID leaf (sub-leaf 0), if the CPU has that leaf.
#[allow(unused_unsafe)] // `__cpuid` is unsafe in older compilers
pub(crate) fn cpuid(leaf: u32) -> Option<[u32; 4]> {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::__cpuid;
        // SAFETY: every x86-64 CPU has CPUID with leaf 0 and leaf 8000_0000h.
        let highest = unsafe { __cpuid(leaf & 0x8000_0000) }.eax;
        if leaf > highest {
            return None;
        }
        // SAFETY: as above; the leaf exists.
        let r = unsafe { __cpuid(leaf) };
        Some([r.eax, r.ebx, r.ecx, r.edx])
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = leaf;
        None
    }
}
