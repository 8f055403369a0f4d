//! The measuring core of hashlanes: measures the cost of work in cycles of its core.
//!
//! Shared machines change their frequency and run other programs, so a time alone means little. Four methods
//! make figures repeatable:
//!
//! 1. **Core cycles.** A chain of dependent additions takes one cycle each on every core. Timed before and
//!    after each sample, it gives the length of a cycle at that moment ([`Clock`]). Without such a chain
//!    (architectures other than x86-64 and aarch64), results are wall times ([`Outcome::unit`] shows it).
//! 2. **A noise gate.** A loop that needs all of the core's dispatch width slows down when another program
//!    shares the core. A sample next to a slow probe is rejected; so is one during which the clock changed or
//!    the thread was not running. Rejections are counted and reported ([`Rejected`]).
//! 3. **Contestants in turns**, forward then backward (A B C C B A …), in one process, with `vzeroupper`
//!    between them ([`Race`]): disturbances affect all alike, and a ratio is computed turn by turn
//!    ([`Ratio`]).
//! 4. **Robust statistics**: minimum, quartiles, an interval that assumes no distribution, and the two
//!    methods of the papers ([`Method`]).
//!
//! ```no_run
//! use hashlanes_clock::{Footprint, Options, Race};
//! use std::hint::black_box;
//!
//! let message = vec![1u8; 8192];
//! let report = Race::new(Options::default())
//!     .contestant("xor", Footprint::contiguous(8192), || {
//!         black_box(black_box(&message).iter().fold(0, |x, y| x ^ y));
//!     })
//!     .contestant("sum", Footprint::contiguous(8192), || {
//!         black_box(black_box(&message).iter().fold(0u8, |x, y| x.wrapping_add(*y)));
//!     })
//!     .run();
//! for outcome in &report.outcomes {
//!     println!("{outcome}");
//! }
//! if let Some(ratio) = report.ratio("xor", "sum") {
//!     println!("xor / sum = {ratio}");
//! }
//! ```
//!
//! Internal to hashlanes: no promise of stability.

mod clock;
mod cpu;
mod environment;
mod method;
mod outcome;
mod pin;
mod race;
mod statistics;
mod time;

pub use clock::{Clock, Lap, Reading};
pub use environment::Environment;
pub use method::Method;
pub use outcome::{Footprint, Outcome, Quality, Rejected, Report, Sample, Unit, Verdict};
pub use pin::{Pin, PinGuard, Pinning};
pub use race::{Contestant, Options, Progress, Race, Threads};
pub use statistics::{Ratio, Summary, median, median_interval, midmean, quantile};
pub use time::{CpuTime, TimeSource};
