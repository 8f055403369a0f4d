//! Values that are not to be trusted, because too few of their samples passed the noise gate: figures leave
//! them out, and a command that has many of them fails.

use crate::standings::Standings;
use hashlanes_clock::{Outcome, Quality};

/// Whether values with too few samples are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noise {
    /// They are left out, and a command fails where many are.
    LeftOut,
    /// They are shown like others, and the note beneath says how many there are.
    Shown,
}

/// More of a hundred values than this must not be left out.
const MOST_IN_100: usize = 5;

/// The numbers of values: all requested samples passed the gate, fewer did, or too few to be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) steady: usize,
    pub(crate) thin: usize,
    pub(crate) noisy: usize,
}

impl Counts {
    /// Counts the values of the contests whose names begin with `prefix`.
    pub(crate) fn of(standings: &[Standings], prefix: &str) -> Self {
        let of_prefix = standings.iter().filter(|s| s.id().starts_with(prefix));
        Self::of_outcomes(of_prefix.flat_map(|s| &s.holdings).flat_map(|h| &h.report.outcomes))
    }

    /// Counts these values.
    pub(crate) fn of_outcomes<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        outcomes.into_iter().fold(Self::default(), |mut counts, outcome| {
            match outcome.quality() {
                Quality::Steady => counts.steady += 1,
                Quality::Thin => counts.thin += 1,
                Quality::Noisy => counts.noisy += 1,
            }
            counts
        })
    }

    fn all(&self) -> usize {
        self.steady + self.thin + self.noisy
    }

    /// Returns the footnote of a figure of these values; empty if all are to be trusted.
    pub(crate) fn footnote(&self, noise: Noise) -> String {
        let (noisy, all) = (self.noisy, self.all());
        match noise {
            _ if noisy == 0 => String::new(),
            Noise::LeftOut => {
                format!("{noisy} of {all} values left out: too few samples passed the noise gate")
            }
            Noise::Shown => format!("NOISE: of {noisy} of {all} values too few samples passed the gate"),
        }
    }

    /// Fails if too many values were left out.
    ///
    /// # Errors
    /// Says how many, and what to do.
    pub(crate) fn check(&self, noise: Noise) -> Result<(), String> {
        let (noisy, all) = (self.noisy, self.all());
        if noise == Noise::Shown || 100 * noisy <= MOST_IN_100 * all {
            return Ok(());
        }
        Err(format!(
            "of {noisy} of {all} values, {:.0} %, too few samples passed the noise gate: they are left out. Measure \
             on a quiet machine, or show them with --allow-noise",
            100.0 * noisy as f64 / all as f64
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_twentieth_fails() {
        let counts = |noisy| Counts { steady: 90, thin: 10 - noisy, noisy };
        assert_eq!(counts(5).check(Noise::LeftOut), Ok(()));
        let error = counts(6).check(Noise::LeftOut).unwrap_err();
        assert!(error.contains("6 of 100 values, 6 %") && error.contains("--allow-noise"), "{error}");
        assert_eq!(counts(6).check(Noise::Shown), Ok(()));
        assert_eq!(Counts::default().check(Noise::LeftOut), Ok(()));
    }

    #[test]
    fn footnotes_tell_of_noise() {
        let counts = Counts { steady: 7, thin: 1, noisy: 2 };
        assert!(counts.footnote(Noise::LeftOut).contains("2 of 10 values left out"));
        assert!(counts.footnote(Noise::Shown).starts_with("NOISE"));
        assert_eq!(Counts { noisy: 0, ..counts }.footnote(Noise::LeftOut), "");
    }
}
