//! `speed`: measures like `openssl speed` (Gueron, Krasnov 2012, §6 and Fig. 4): sizes in columns, each
//! hashed repeatedly for a few seconds, 1000s of bytes per second.
//!
//! Departures from it: the seconds are eight equal parts whose median counts, and wall time is counted, not
//! the process' time: on shared machines both reduce the influence of other programs.

use crate::contest::Contest;
use crate::session::Session;
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::TextTable;

/// The sizes of `openssl speed`, in bytes.
pub(crate) const SIZES: [usize; 5] = [16, 64, 256, 1024, 8192];
/// Its time for each size, in seconds.
pub(crate) const SECONDS: f64 = 3.0;

/// The measured functions.
#[derive(Clone, Debug)]
pub(crate) struct Speed {
    /// Contestants.
    pub(crate) contestants: Vec<String>,
    /// The hash.
    pub(crate) hash: Hash,
    /// Lengths in bytes.
    pub(crate) sizes: Vec<usize>,
    /// Time for each size, in seconds.
    pub(crate) seconds: f64,
}

/// Measures and shows.
pub(crate) fn run(session: &mut Session, speed: &Speed) -> Result<(), String> {
    if !(0.001..=3600.0).contains(&speed.seconds) {
        return Err("--seconds: 0.001 to 3600".into());
    }
    let work = |len| Work::new(speed.hash, Shape::One { len });
    let contest = |len: &usize| Contest::of(work(*len), &speed.contestants).lasting(speed.seconds);
    let contests: Vec<_> = speed.sizes.iter().map(contest).collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}", session.environment());
    outln!("The 'numbers' are in 1000s of bytes per second processed ({} s a size).", speed.seconds);
    let heads = speed.sizes.iter().map(|len| format!("{len} bytes"));
    let mut table = TextTable::new(std::iter::once(speed.hash.name().into_owned()).chain(heads));
    for name in &speed.contestants {
        let cell = |len: &usize| {
            let standing = standings.iter().find(|s| s.id() == work(*len).to_string())?;
            Some(format!("{:.2}k", thousands_per_second(standing, name)?))
        };
        let cells = speed.sizes.iter().map(|len| cell(len).unwrap_or_else(|| "–".into()));
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    out!("{table}");
    super::sweep::tell_absent(&standings);
    Ok(())
}

/// 1000s of bytes that a contestant hashed per second, by wall time.
pub(crate) fn thousands_per_second(standing: &Standings, name: &str) -> Option<f64> {
    Some(standing.outcome(name)?.gigabytes_per_second()? * 1e6)
}
