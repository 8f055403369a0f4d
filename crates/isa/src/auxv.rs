//! The features of an Arm CPU from Linux's and Android's auxiliary vector, and its model from the register
//! MIDR_EL1, which both systems let programs read.

/// The words that have bits for features.
#[cfg(any(test, not(feature = "std")))]
pub(crate) struct Registers {
    /// The entry AT_HWCAP; 0 on other systems, where only features that were assumed at compile time are
    /// known.
    pub(crate) hwcap: u64,
}

#[cfg(any(test, not(feature = "std")))]
pub(crate) fn registers() -> Registers {
    Registers { hwcap: hwcap() }
}

/// Returns the CPU's implementer and part number; zeros if the system does not report them.
pub(crate) fn implementer_and_part() -> (u32, u32) {
    /// The system emulates reads of the CPU's identification registers.
    const CPUID: u64 = 1 << 11;
    let midr: u64;
    if hwcap() & CPUID == 0 {
        return (0, 0);
    }
    // SAFETY: the flag says that the register may be read; reading it changes nothing.
    unsafe {
        core::arch::asm!("mrs {}, midr_el1", out(reg) midr, options(nomem, nostack, preserves_flags));
    }
    ((midr >> 24 & 0xff) as u32, (midr >> 4 & 0xfff) as u32)
}

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn hwcap() -> u64 {
    use core::ffi::c_ulong;
    unsafe extern "C" {
        /// The C library's function on Linux: the value of an entry of the auxiliary vector, or 0.
        safe fn getauxval(entry: c_ulong) -> c_ulong;
    }
    const AT_HWCAP: c_ulong = 16;
    getauxval(AT_HWCAP)
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
fn hwcap() -> u64 {
    0
}
