//! Staying on one CPU. This is a wish, not a condition: the result reports what was not possible.

/// Where a race is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Wherever the system puts it.
    No,
    /// On the CPU on which it happens to be when it starts.
    #[default]
    Current,
    /// On the CPU with this number.
    Cpu(usize),
}

/// The result of the wish to stay on one CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Pinning {
    /// Nobody asked.
    No,
    /// The thread stayed on this CPU.
    Cpu(usize),
    /// It could not be done, and why.
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
    /// Pins the calling thread as wished, if it can be done.
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

    /// Pins the calling thread as wished, if it can be done: not on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn new(wish: Pin) -> Self {
        let pinning = match wish {
            Pin::No => Pinning::No,
            _ => Pinning::Failed("threads cannot be pinned on this system".into()),
        };
        PinGuard { pinning }
    }

    /// Returns the result of the wish.
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
