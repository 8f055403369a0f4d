//! Pinning to one CPU. It is optional: the result reports if it was not possible.

/// The CPU of a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Any CPU.
    No,
    /// The CPU on which it starts.
    #[default]
    Current,
    /// The CPU with this number.
    Cpu(usize),
}

/// The result of pinning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Pinning {
    /// Not requested.
    No,
    /// The thread stayed on this CPU.
    Cpu(usize),
    /// Pinning failed, for this reason.
    Failed(String),
}

/// Keeps the calling thread on one CPU until it is dropped.
#[derive(Debug)]
pub struct PinGuard {
    pinning: Pinning,
    #[cfg(target_os = "linux")]
    before: Option<rustix::thread::CpuSet>,
}

impl PinGuard {
    /// Pins the calling thread as requested, if possible.
    #[cfg(target_os = "linux")]
    pub fn new(wish: Pin) -> Self {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        let cpu = match wish {
            Pin::No => return PinGuard { pinning: Pinning::No, before: None },
            Pin::Current => sched_getcpu(),
            Pin::Cpu(cpu) => cpu,
        };
        let pin = || {
            if cpu >= CpuSet::MAX_CPU {
                return Err(rustix::io::Errno::INVAL);
            }
            let before = sched_getaffinity(None)?;
            let mut set = CpuSet::new();
            set.set(cpu);
            sched_setaffinity(None, &set)?;
            Ok(before)
        };
        match pin() {
            Ok(before) => PinGuard { pinning: Pinning::Cpu(cpu), before: Some(before) },
            Err(e) => PinGuard { pinning: Pinning::Failed(format!("CPU {cpu}: {e}")), before: None },
        }
    }

    /// Does not pin: not supported on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn new(wish: Pin) -> Self {
        let pinning = match wish {
            Pin::No => Pinning::No,
            _ => Pinning::Failed("threads cannot be pinned on this system".into()),
        };
        PinGuard { pinning }
    }

    /// Returns the result of pinning.
    pub fn pinning(&self) -> &Pinning {
        &self.pinning
    }
}

impl Drop for PinGuard {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        if let Some(before) = self.before.take() {
            // An error cannot be reported here, and the thread also works on one CPU.
            let _ = rustix::thread::sched_setaffinity(None, &before);
        }
    }
}
