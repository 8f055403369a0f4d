//! The source of time: a small trait, so that tests can supply their own clock.

use crate::cpu;
#[cfg(target_arch = "x86_64")]
use std::time::Duration;
use std::time::Instant;

/// A counter of time, and the two loops that measure the core.
pub trait TimeSource {
    /// Returns the counter now. It counts at a constant rate and does not go backward.
    fn ticks(&mut self) -> u64;

    /// Returns the counter's rate.
    fn ticks_per_second(&self) -> f64;

    /// Runs about `adds` dependent additions, and returns their number, which is the number of core cycles.
    /// `None` if not supported.
    fn chain(&mut self, adds: u64) -> Option<u64>;

    /// Runs about `groups` groups of four independent additions and two no-operations, and returns the number
    /// of groups. `None` if not supported.
    fn dispatch(&mut self, groups: u64) -> Option<u64>;

    /// Returns the seconds that this thread has been running on a processor; `None` where the system does not
    /// report it.
    fn thread_seconds(&mut self) -> Option<f64>;

    /// Called between two contestants: restores the processor's initial state.
    fn part(&mut self);
}

/// The real clock: the time-stamp counter if it has a constant rate, otherwise the system's monotonic clock;
/// loops in assembly on x86-64 and aarch64.
#[derive(Clone, Debug)]
pub struct CpuTime {
    start: Instant,
    ticks_per_second: f64,
    counter: Counter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counter {
    #[cfg(target_arch = "x86_64")]
    TimeStamp,
    /// Nanoseconds since `start`.
    System,
}

impl CpuTime {
    /// Starts the clock. Takes 20 ms if the time-stamp counter's rate has to be found.
    pub fn new() -> Self {
        let start = Instant::now();
        #[cfg(target_arch = "x86_64")]
        if cpu::has_constant_time_stamp() {
            let ticks_per_second = time_stamp_rate(Duration::from_millis(20));
            return CpuTime { start, ticks_per_second, counter: Counter::TimeStamp };
        }
        CpuTime { start, ticks_per_second: 1e9, counter: Counter::System }
    }

    /// Rate of the time-stamp counter in Hz, if that is what [`TimeSource::ticks`] reads.
    pub fn time_stamp_hz(&self) -> Option<f64> {
        (self.counter != Counter::System).then_some(self.ticks_per_second)
    }
}

impl Default for CpuTime {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts the time-stamp counter against the system's clock for at least `span`.
#[cfg(target_arch = "x86_64")]
fn time_stamp_rate(span: Duration) -> f64 {
    // An interruption between the two readings of a pair would count as a wrong rate: the closest pair wins.
    let pair = || {
        (0..8)
            .map(|_| {
                let before = cpu::time_stamp();
                let now = Instant::now();
                let after = cpu::time_stamp();
                (after.saturating_sub(before), before + after.saturating_sub(before) / 2, now)
            })
            .min_by_key(|&(width, ..)| width)
            .map(|(_, ticks, now)| (ticks, now))
            .expect("eight pairs")
    };
    let (t0, start) = pair();
    while start.elapsed() < span {
        core::hint::spin_loop();
    }
    let (t1, end) = pair();
    t1.saturating_sub(t0) as f64 / (end - start).as_secs_f64()
}

impl TimeSource for CpuTime {
    #[inline(always)]
    fn ticks(&mut self) -> u64 {
        match self.counter {
            #[cfg(target_arch = "x86_64")]
            Counter::TimeStamp => cpu::time_stamp(),
            Counter::System => self.start.elapsed().as_nanos() as u64,
        }
    }

    fn ticks_per_second(&self) -> f64 {
        self.ticks_per_second
    }

    fn chain(&mut self, adds: u64) -> Option<u64> {
        let passes = adds.div_ceil(cpu::CHAIN_UNROLL).max(1);
        cpu::chain(passes).then_some(passes * cpu::CHAIN_UNROLL)
    }

    fn dispatch(&mut self, groups: u64) -> Option<u64> {
        let passes = groups.div_ceil(cpu::GROUP_UNROLL).max(1);
        cpu::dispatch(passes).then_some(passes * cpu::GROUP_UNROLL)
    }

    fn thread_seconds(&mut self) -> Option<f64> {
        #[cfg(target_os = "linux")]
        {
            use rustix::time::{ClockId, clock_gettime};
            let t = clock_gettime(ClockId::ThreadCPUTime);
            Some(t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9)
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    fn part(&mut self) {
        cpu::clear_upper_halves();
    }
}
