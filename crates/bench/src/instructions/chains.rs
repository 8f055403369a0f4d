//! Instructions repeated in assembly: each one in a chain that waits for its result, and on twelve registers
//! that do not wait for each other.
//!
//! # Safety
//!
//! A chain is executed only if the CPU has the instruction ([`Chain::wait`], [`Chain::fill`] ask). The code
//! reads and writes vector registers, all of which are declared, and no memory.

#![allow(unsafe_code)] // Argued above.

/// Executions of the instruction in a call.
pub(super) const EXECUTED: u64 = N_BODIES * 48;
/// The loop's turns; a body holds 48 executions.
const N_BODIES: u64 = 16;

/// An instruction that can be timed.
pub(super) struct Chain {
    /// Its mnemonic and registers.
    pub(super) name: &'static str,
    is_present: fn() -> bool,
    waiting: unsafe fn(),
    independent: unsafe fn(),
}

impl Chain {
    /// Whether this CPU has it.
    pub(super) fn is_present(&self) -> bool {
        (self.is_present)()
    }

    /// Executes it [`EXECUTED`] times, each time on the result of the time before.
    pub(super) fn wait(&self) {
        assert!(self.is_present());
        // SAFETY: the CPU has the instruction, and the code changes no more than registers that it declares.
        unsafe { (self.waiting)() }
    }

    /// Executes it as often, on registers that do not wait for each other.
    pub(super) fn fill(&self) {
        assert!(self.is_present());
        // SAFETY: as in `wait`.
        unsafe { (self.independent)() }
    }
}

/// The instructions: name; CPU features; the one that waits; one for `\r` of twelve registers.
#[cfg(target_arch = "x86_64")]
macro_rules! chains {
    ($($name:literal [$($feature:tt)*] $waiting:literal $independent:literal;)*) => {
        /// All instructions.
        pub(super) const CHAINS: &[Chain] = &[$({
            fn is_present() -> bool {
                true $(&& std::arch::is_x86_feature_detected!($feature))*
            }
            unsafe fn waiting() {
                repeated!(".rept 48\n", $waiting, "\n.endr")
            }
            unsafe fn independent() {
                repeated!(
                    ".rept 4\n.irp r,1,2,3,4,5,6,7,8,9,10,11,12\n", $independent, "\n.endr\n.endr"
                )
            }
            Chain { name: $name, is_present, waiting, independent }
        },)*];
    };
}

/// A loop over code that changes vector registers only. Their upper halves are zero at its beginning, because
/// instructions in the encoding of SSE are slow otherwise, and at its end.
#[cfg(target_arch = "x86_64")]
macro_rules! repeated {
    ($($code:literal),*) => {{
        let has_avx = std::arch::is_x86_feature_detected!("avx");
        if has_avx {
            // SAFETY: the CPU has AVX; the registers are declared.
            unsafe { core::arch::asm!("vzeroupper", clobber_abi("sysv64")) };
        }
        for _ in 0..N_BODIES {
            // SAFETY: the caller ensures that the CPU has the instruction. It reads and writes vector
            // registers, which are declared, and no memory.
            unsafe {
                core::arch::asm!(concat!($($code),*), clobber_abi("sysv64"), options(nomem, nostack));
            }
        }
        if has_avx {
            // SAFETY: as above.
            unsafe { core::arch::asm!("vzeroupper", clobber_abi("sysv64")) };
        }
    }};
}

#[cfg(target_arch = "x86_64")]
chains! {
    "sha1msg1 xmm" ["sha"] "sha1msg1 xmm1, xmm15" "sha1msg1 xmm\\r, xmm15";
    "sha1msg2 xmm" ["sha"] "sha1msg2 xmm1, xmm15" "sha1msg2 xmm\\r, xmm15";
    "sha1nexte xmm" ["sha"] "sha1nexte xmm1, xmm15" "sha1nexte xmm\\r, xmm15";
    "sha1rnds4 xmm" ["sha"] "sha1rnds4 xmm1, xmm15, 0" "sha1rnds4 xmm\\r, xmm15, 0";
    "sha256msg1 xmm" ["sha"] "sha256msg1 xmm1, xmm15" "sha256msg1 xmm\\r, xmm15";
    "sha256msg2 xmm" ["sha"] "sha256msg2 xmm1, xmm15" "sha256msg2 xmm\\r, xmm15";
    "sha256rnds2 xmm" ["sha"] "sha256rnds2 xmm1, xmm15" "sha256rnds2 xmm\\r, xmm15";
    "aesenc xmm" ["aes"] "aesenc xmm1, xmm15" "aesenc xmm\\r, xmm15";
    "aesenclast xmm" ["aes"] "aesenclast xmm1, xmm15" "aesenclast xmm\\r, xmm15";
    "aesdec xmm" ["aes"] "aesdec xmm1, xmm15" "aesdec xmm\\r, xmm15";
    "aesdeclast xmm" ["aes"] "aesdeclast xmm1, xmm15" "aesdeclast xmm\\r, xmm15";
    "aesimc xmm" ["aes"] "aesimc xmm1, xmm1" "aesimc xmm\\r, xmm15";
    "aeskeygenassist xmm" ["aes"] "aeskeygenassist xmm1, xmm1, 1" "aeskeygenassist xmm\\r, xmm15, 1";
    "vaesenc ymm" ["vaes"] "vaesenc ymm1, ymm1, ymm15" "vaesenc ymm\\r, ymm\\r, ymm15";
    "vaesdec ymm" ["vaes"] "vaesdec ymm1, ymm1, ymm15" "vaesdec ymm\\r, ymm\\r, ymm15";
    "vaesenc zmm" ["vaes" "avx512f"] "vaesenc zmm1, zmm1, zmm15" "vaesenc zmm\\r, zmm\\r, zmm15";
    "vaesdec zmm" ["vaes" "avx512f"] "vaesdec zmm1, zmm1, zmm15" "vaesdec zmm\\r, zmm\\r, zmm15";
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) const CHAINS: &[Chain] = &[];
