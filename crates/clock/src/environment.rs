//! The environment of a measurement. Records of different environments are never mixed.

use crate::clock::Clock;
use crate::cpu;
use std::fmt;

/// The machine, the system and the compiler.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Environment {
    /// The CPU's own name.
    pub cpu: String,
    /// CPUID vendor, e.g. `AuthenticAMD`; empty on other architectures than x86-64.
    pub vendor: String,
    /// CPUID display family; `None` on other architectures than x86-64, like the next two.
    pub family: Option<u32>,
    /// CPUID display model.
    pub model: Option<u32>,
    /// CPUID stepping.
    pub stepping: Option<u32>,
    /// Whether CPUID reports a hypervisor: then other programs on the core are likely.
    pub virtualised: bool,
    /// Features of the CPU and the system that the kernels use, in Rust's spelling.
    pub features: Vec<String>,
    /// CPUs this process may use.
    pub cpus: usize,
    /// The core's frequency in GHz, measured now; `None` without a core clock.
    pub core_ghz: Option<f64>,
    /// The time-stamp counter's rate in GHz; `None` if the clock is not the time-stamp counter.
    pub tsc_ghz: Option<f64>,
    /// The best dispatch probe in cycles per group (four additions, two no-operations); `None` without one.
    pub probe: Option<f64>,
    /// Architecture, e.g. `x86_64`.
    pub arch: String,
    /// Operating system, e.g. `linux`.
    pub os: String,
    /// The kernel's release; empty if unknown.
    pub kernel: String,
    /// The compiler that built this crate; empty if unknown.
    pub rustc: String,
    /// The optimisation level this crate was built with, e.g. `3`; empty if unknown.
    pub opt_level: String,
}

impl Environment {
    /// Reads the environment; starts a clock (about 30 ms).
    pub fn measure() -> Self {
        Self::with_clock(&mut Clock::new())
    }

    /// Reads the environment, with a running clock.
    pub fn with_clock(clock: &mut Clock) -> Self {
        let [family, model, stepping] = signature().map_or([None; 3], |s| s.map(Some));
        Environment {
            cpu: cpu_name(),
            vendor: vendor(),
            family,
            model,
            stepping,
            virtualised: cpuid_bit(1, 2, 31),
            features: features(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            core_ghz: clock.core_hz().map(|hz| hz / 1e9),
            tsc_ghz: clock.time().time_stamp_hz().map(|hz| hz / 1e9),
            probe: clock.best_probe(),
            arch: std::env::consts::ARCH.into(),
            os: std::env::consts::OS.into(),
            kernel: kernel(),
            rustc: option_env!("HASHLANES_CLOCK_RUSTC").unwrap_or_default().into(),
            opt_level: option_env!("HASHLANES_CLOCK_OPT_LEVEL").unwrap_or_default().into(),
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.cpu)?;
        if let (Some(family), Some(model), Some(stepping)) = (self.family, self.model, self.stepping) {
            write!(f, " (family {family}, model {model}, stepping {stepping})")?;
        }
        if let Some(ghz) = self.core_ghz {
            write!(f, ", core {ghz:.3} GHz")?;
        }
        if let Some(ghz) = self.tsc_ghz {
            write!(f, ", TSC {ghz:.3} GHz")?;
        }
        if let Some(probe) = self.probe {
            write!(f, ", probe {probe:.3}")?;
        }
        write!(f, "; {} {} {}; {} -O{}", self.os, self.kernel, self.arch, self.rustc, self.opt_level)
    }
}

/// Bit `bit` of register `register` (0..4: eax, ebx, ecx, edx) of a leaf.
fn cpuid_bit(leaf: u32, register: usize, bit: u32) -> bool {
    cpu::cpuid(leaf).is_some_and(|r| r[register] >> bit & 1 == 1)
}

/// Registers as the text they hold, without padding.
fn text(registers: impl IntoIterator<Item = u32>) -> String {
    let bytes: Vec<u8> = registers.into_iter().flat_map(u32::to_le_bytes).filter(|b| *b != 0).collect();
    String::from_utf8_lossy(&bytes).trim().to_owned()
}

fn vendor() -> String {
    cpu::cpuid(0).map_or_else(String::new, |[_, ebx, ecx, edx]| text([ebx, edx, ecx]))
}

/// [family, model, stepping] as the manuals display them (Intel SDM volume 2, CPUID leaf 01h, figure 3-6).
fn signature() -> Option<[u32; 3]> {
    let [eax, ..] = cpu::cpuid(1)?;
    Some(display_signature(eax))
}

fn display_signature(eax: u32) -> [u32; 3] {
    let (base_family, base_model) = (eax >> 8 & 0xf, eax >> 4 & 0xf);
    let family = if base_family == 0xf { base_family + (eax >> 20 & 0xff) } else { base_family };
    let extended = base_family == 0xf || base_family == 6;
    let model = if extended { (eax >> 16 & 0xf) << 4 | base_model } else { base_model };
    [family, model, eax & 0xf]
}

/// Returns the brand string of CPUID, or the system's name of the CPU, or the architecture.
fn cpu_name() -> String {
    let leaves = (0x8000_0002..=0x8000_0004).filter_map(cpu::cpuid);
    let name = text(leaves.flatten());
    if !name.is_empty() {
        return name;
    }
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        let line = info.lines().find(|l| l.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let part = || Some(format!("implementer {} part {}", field("CPU implementer")?, field("CPU part")?));
    field("model name").or_else(part).unwrap_or_else(|| std::env::consts::ARCH.into())
}

/// Lists the named features that are present.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! present {
    ($detected:ident: $($feature:tt)*) => {
        [$(($feature, std::arch::$detected!($feature))),*]
    };
}

fn features() -> Vec<String> {
    #[cfg(target_arch = "x86_64")]
    let all = present!(is_x86_feature_detected:
        "sse2" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "adx" "movbe" "rdrand" "rdseed"
        "aes" "pclmulqdq" "sha" "sha512" "gfni" "vaes" "vpclmulqdq" "avx512f" "avx512bw" "avx512cd"
        "avx512dq" "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg"
        "avx512vpopcntdq");
    #[cfg(target_arch = "aarch64")]
    let all = present!(is_aarch64_feature_detected: "neon" "aes" "pmull" "sha2" "sha3" "sve" "sve2");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let all: [(&str, bool); 0] = [];
    all.into_iter().filter(|(_, present)| *present).map(|(name, _)| name.to_owned()).collect()
}

fn kernel() -> String {
    #[cfg(target_os = "linux")]
    return rustix::system::uname().release().to_string_lossy().into_owned();
    #[cfg(not(target_os = "linux"))]
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples are CPUID words of real CPUs.
    #[test]
    fn signatures_display_as_the_manuals_do() {
        assert_eq!(display_signature(0x00a1_0f11), [25, 17, 1], "EPYC Genoa, Zen 4");
        assert_eq!(display_signature(0x000c_06f2), [6, 207, 2], "Emerald Rapids");
        assert_eq!(display_signature(0x0000_06fb), [6, 15, 11], "Core 2");
    }

    #[test]
    fn text_of_registers() {
        assert_eq!(text([0x756e_6547, 0x4965_6e69, 0x6c65_746e]), "GenuineIntel");
        assert_eq!(text([0x2020_2041, 0]), "A");
    }
}
