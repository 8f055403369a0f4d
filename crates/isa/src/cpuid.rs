//! The CPU's features by the instructions CPUID and XGETBV: Intel SDM volume 2, and volume 1, sections 14.3
//! and 15.2.

use core::arch::x86_64::{__cpuid_count, CpuidResult};

/// Whether CPUID may be executed. SGX enclaves and Miri have none.
const CAN_ASK: bool = cfg!(not(any(target_env = "sgx", miri)));

/// Returns the manufacturer of the CPU: `GenuineIntel`.
pub(crate) fn vendor() -> [u8; 12] {
    let CpuidResult { ebx, ecx, edx, .. } = leaf(0);
    let mut vendor = [0; 12];
    for (bytes, word) in vendor.as_chunks_mut().0.iter_mut().zip([ebx, edx, ecx]) {
        *bytes = word.to_le_bytes();
    }
    vendor
}

/// Returns the CPU's family and model, with their extensions.
pub(crate) fn family_and_model() -> (u32, u32) {
    let eax = leaf(1).eax;
    let (family, model) = (eax >> 8 & 0xf, eax >> 4 & 0xf | eax >> 12 & 0xf0);
    (if family == 0xf { family + (eax >> 20 & 0xff) } else { family }, model)
}

/// Returns whether it has AVX-512 and AVX-VNNI: of Intel's cores Golden Cove and its successors in servers.
pub(crate) fn has_avx512_and_avx_vnni() -> bool {
    let CpuidResult { eax: last_subleaf, ebx, .. } = leaf(7);
    let has_avx512 = ebx >> 16 & 1 == 1;
    has_avx512 && last_subleaf >= 1 && subleaf(7, 1).eax >> 4 & 1 == 1
}

/// The registers that have bits for features.
#[cfg(any(test, not(feature = "std")))]
pub(crate) struct Registers {
    /// A register of leaf 1.
    pub(crate) ecx_1: u32,
    /// A register of leaf 7.
    pub(crate) ebx_7: u32,
    /// A register of leaf 7.
    pub(crate) ecx_7: u32,
}

/// Reads them, without the bits of AVX and AVX-512F if the operating system does not save the registers of
/// these.
#[cfg(any(test, not(feature = "std")))]
pub(crate) fn registers() -> Registers {
    const AVX_OF_ECX_1: u32 = 1 << 28;
    const AVX512F_OF_EBX_7: u32 = 1 << 16;
    /// Bits of XCR0: xmm and ymm registers.
    const AVX_STATE: u64 = 0b110;
    /// The same with mask registers, the upper halves of zmm0 to zmm15, and zmm16 to zmm31.
    const AVX512_STATE: u64 = 0b1110_0110;
    let (mut ecx_1, CpuidResult { ebx: mut ebx_7, ecx: ecx_7, .. }) = (leaf(1).ecx, leaf(7));
    let saved = xcr0(ecx_1);
    if saved & AVX_STATE != AVX_STATE {
        ecx_1 &= !AVX_OF_ECX_1;
    }
    if saved & AVX512_STATE != AVX512_STATE {
        ebx_7 &= !AVX512F_OF_EBX_7;
    }
    Registers { ecx_1, ebx_7, ecx_7 }
}

/// Returns the state components that the operating system saves; 0 if it uses no XSAVE.
#[cfg(any(test, not(feature = "std")))]
fn xcr0(ecx_1: u32) -> u64 {
    const OSXSAVE_OF_ECX_1: u32 = 1 << 27;
    if ecx_1 & OSXSAVE_OF_ECX_1 == 0 {
        return 0;
    }
    let (low, high): (u32, u32);
    // SAFETY: OSXSAVE says that XGETBV may be executed; register 0 always exists, and reading it changes
    // nothing.
    unsafe {
        core::arch::asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// A leaf, its subleaf 0; zeros if it does not exist.
fn leaf(number: u32) -> CpuidResult {
    subleaf(number, 0)
}

/// A leaf's subleaf; zeros if there is no such leaf.
fn subleaf(number: u32, subleaf: u32) -> CpuidResult {
    #[allow(unused_unsafe, reason = "safe since Rust 1.93")]
    // SAFETY: every x86-64 CPU has CPUID, and `CAN_ASK` excludes the targets where it cannot be executed.
    let ask = |number, subleaf| unsafe { __cpuid_count(number, subleaf) };
    if CAN_ASK && number <= ask(0, 0).eax {
        ask(number, subleaf)
    } else {
        CpuidResult { eax: 0, ebx: 0, ecx: 0, edx: 0 }
    }
}
