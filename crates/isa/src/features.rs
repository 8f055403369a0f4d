//! The CPU's features, without those that `HASHLANES_DISABLE` masks.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
#[cfg(all(feature = "std", target_arch = "aarch64"))]
use std::arch::is_aarch64_feature_detected as is_detected;
#[cfg(all(feature = "std", target_arch = "x86_64", target_feature = "sse2"))]
use std::arch::is_x86_feature_detected as is_detected;

#[cfg(all(any(test, not(feature = "std")), target_arch = "aarch64"))]
use crate::auxv::registers;
#[cfg(all(any(test, not(feature = "std")), target_arch = "x86_64", target_feature = "sse2"))]
use crate::cpuid::registers;

/// A set of CPU features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features(u32);

/// Each feature with those that it requires, and its bits in a register of CPUID or in Linux's AT_HWCAP:
/// masking one masks all that require it.
macro_rules! features {
    ($($name:tt [$($needs:literal),*] $register:ident $($bit:literal)+;)*) => {
        const NAMES: &[&str] = &[$($name),*];
        const NEEDS: &[&[&str]] = &[$(&[$($needs),*]),*];
        /// Uses only the features known at compile time.
        #[allow(unused_mut)] // Other architectures have no features here.
        const COMPILED: Features = {
            let mut set = 0;
            let mut i = 0;
            $(
                if cfg!(target_feature = $name) {
                    set |= 1 << i;
                }
                i += 1;
            )*
            assert!(i == NAMES.len());
            Features(set)
        };
        /// Asks the standard library, which handles the quirks of CPUs and systems.
        #[cfg(all(feature = "std", any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
        fn ask() -> Features {
            let mut set = COMPILED.0;
            let mut i = 0;
            $(
                if is_detected!($name) {
                    set |= 1 << i;
                }
                i += 1;
            )*
            assert!(i == NAMES.len());
            Features(set)
        }
        /// Asks the CPU, or Linux on Arm.
        #[cfg(all(any(test, not(feature = "std")), any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
        fn ask_directly() -> Features {
            let registers = registers();
            let mut set = COMPILED;
            let mut i = 0;
            // A feature follows all features that it requires.
            $(
                if [$($bit),+].iter().all(|bit| registers.$register >> bit & 1 == 1) && set.contains(Features::of(&[$($needs),*])) {
                    set.0 |= 1 << i;
                }
                i += 1;
            )*
            assert!(i == NAMES.len());
            set
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
features! {
    "ssse3" [] ecx_1 9;
    "sse4.1" ["ssse3"] ecx_1 19;
    "sha" [] ebx_7 29;
    "bmi1" [] ebx_7 3;
    "bmi2" [] ebx_7 8;
    "movbe" [] ecx_1 22;
    "avx" ["sse4.1"] ecx_1 28;
    "avx2" ["avx"] ebx_7 5;
    "avx512f" ["avx2"] ebx_7 16;
    "avx512bw" ["avx512f"] ebx_7 30;
    "avx512dq" ["avx512f"] ebx_7 17;
    "avx512vl" ["avx512f"] ebx_7 31;
    "avx512vbmi" ["avx512bw"] ecx_7 1;
    "aes" [] ecx_1 25;
    "vaes" ["avx2", "aes"] ecx_7 9;
    "pclmulqdq" [] ecx_1 1;
    "vpclmulqdq" ["avx2", "pclmulqdq"] ecx_7 10;
    "gfni" [] ecx_7 8;
}
// "sha2" is FEAT_SHA1 and FEAT_SHA256, "sha3" FEAT_SHA512 and FEAT_SHA3, "aes" FEAT_AES and FEAT_PMULL, as
// for rustc.
#[cfg(target_arch = "aarch64")]
features! {
    "neon" [] hwcap 1;
    "aes" ["neon"] hwcap 3 4;
    "sha2" ["neon"] hwcap 5 6;
    "sha3" ["sha2"] hwcap 17 21;
}
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
features! {}

#[cfg(all(
    not(feature = "std"),
    any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")
))]
use ask_directly as ask;
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
fn ask() -> Features {
    COMPILED
}

impl Features {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the features of these names, as the compiler spells them.
    ///
    /// # Panics
    /// On a name that this crate does not know: at compile time, where the set is a constant.
    pub const fn of(names: &[&str]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < names.len() {
            match position(names[i]) {
                Some(bit) => set |= 1 << bit,
                None => panic!("no such CPU feature in isa/src/features.rs"),
            }
            i += 1;
        }
        Self(set)
    }

    /// Returns whether all of `other` are in the set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the names, as the compiler spells them.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().enumerate().filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, name)| *name)
    }

    /// Returns this CPU's features, without those that `HASHLANES_DISABLE` masks; detected once.
    #[inline]
    pub fn available() -> Self {
        static CACHE: AtomicU32 = AtomicU32::new(0);
        Self(once(&CACHE, detect))
    }
}

/// Detects this CPU's features, without the masked ones.
#[cold]
#[inline(never)]
fn detect() -> u32 {
    // The kernels for Arm expect words in little-endian order.
    let ask = || if cfg!(target_endian = "big") { Features::NONE } else { ask() };
    ask().0 & !disabled().unwrap_or_else(|error| panic!("{error}")).0
}

/// Returns the answer in `cache`, below bit 31, which is set once the answer is known; concurrent threads
/// compute the same answer.
#[inline]
pub(crate) fn once(cache: &AtomicU32, ask: impl FnOnce() -> u32) -> u32 {
    const KNOWN: u32 = 1 << 31;
    match cache.load(Relaxed) {
        0 => {
            let answer = ask();
            cache.store(answer | KNOWN, Relaxed);
            answer
        }
        known => known & !KNOWN,
    }
}

/// Returns the features that `HASHLANES_DISABLE` names (separated by commas), and all that require them.
pub(crate) fn disabled() -> Result<Features, crate::EnvError> {
    #[cfg(feature = "env-override")]
    if let Some(list) = std::env::var_os("HASHLANES_DISABLE") {
        let unknown = |name: &str| {
            let names = NAMES.join(", ");
            let text = "HASHLANES_DISABLE: unknown CPU feature";
            crate::EnvError(std::format!("{text} {name:?}; expected one of {names}"))
        };
        let mut set = 0;
        for name in list.to_str().ok_or_else(|| unknown(&list.to_string_lossy()))?.split(',') {
            if !name.is_empty() {
                set |= 1 << position(name).ok_or_else(|| unknown(name))?;
            }
        }
        // A feature follows all features that it requires, so one pass is enough.
        for (bit, needs) in NEEDS.iter().enumerate() {
            if set & Features::of(needs).0 != 0 {
                set |= 1 << bit;
            }
        }
        return Ok(Features(set));
    }
    let _ = NEEDS;
    Ok(Features::NONE)
}

/// Returns whether the CPU itself has AVX, masked or not: `vzeroupper` is valid only with AVX.
#[inline]
pub fn has_avx() -> bool {
    #[cfg(all(feature = "std", target_arch = "x86_64", target_feature = "sse2"))]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
    {
        static CACHE: AtomicU32 = AtomicU32::new(0);
        Features(once(&CACHE, || ask().0)).contains(const { Features::of(&["avx"]) })
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    false
}

/// Returns whether `row`, features as named in a table, suffices for a proof that needs `proof`.
///
/// A feature implies those that it requires.
pub const fn covers(row: &[&str], proof: Features) -> bool {
    let mut set = Features::of(row).0;
    let mut bit = NAMES.len();
    while bit > 0 {
        bit -= 1;
        if set >> bit & 1 == 1 {
            set |= Features::of(NEEDS[bit]).0;
        }
    }
    Features(set).contains(proof)
}

const fn position(name: &str) -> Option<usize> {
    let mut i = 0;
    while i < NAMES.len() {
        if same(NAMES[i].as_bytes(), name.as_bytes()) {
            return Some(i);
        }
        i += 1;
    }
    None
}

pub(crate) const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(all(test, any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[test]
    fn a_feature_comes_after_all_it_rests_on() {
        for (bit, needs) in NEEDS.iter().enumerate() {
            for name in *needs {
                assert!(position(name).unwrap() < bit, "{} rests on {name}", NAMES[bit]);
            }
        }
    }

    /// Also on emulated CPUs.
    #[cfg(feature = "std")]
    #[test]
    fn the_cpu_answers_as_the_standard_library() {
        let names = |features: Features| features.names().collect::<std::vec::Vec<_>>();
        assert_eq!(names(ask_directly()), names(ask()));
    }

    #[cfg(target_arch = "aarch64")]
    #[test]
    fn a_row_covers_implied_features() {
        assert!(covers(&["sha3"], Features::of(&["sha2", "neon"])));
        assert!(!covers(&["sha2"], Features::of(&["sha3"])));
        assert!(!covers(&["sha3"], Features::of(&["aes"])));
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[test]
    fn a_row_covers_implied_features() {
        assert!(covers(&["avx512vl"], Features::of(&["avx2", "ssse3"])));
        assert!(covers(&[], Features::NONE));
        assert!(!covers(&["avx2"], Features::of(&["avx512f"])));
        assert!(!covers(&["sha"], Features::of(&["sha", "sse4.1"])));
    }
}
