//! Order statistics: figures that a few bad samples do not move.

use std::fmt;

/// The five numbers that describe a set of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Summary {
    /// The number of samples.
    pub count: usize,
    /// The smallest.
    pub minimum: f64,
    /// The lower quartile.
    pub first_quartile: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub third_quartile: f64,
    /// The largest.
    pub maximum: f64,
}

impl Summary {
    /// Describes `samples`, in any order; `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let sorted = sorted(samples);
        Some(Summary {
            count: sorted.len(),
            minimum: *sorted.first()?,
            first_quartile: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            third_quartile: quantile(&sorted, 0.75)?,
            maximum: *sorted.last()?,
        })
    }
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the value below which the share `q` (0..=1) of the `sorted` samples lies, linear between
/// neighbours.
///
/// (Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996, definition 7.) `None` if there are no
/// samples.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64))
}

/// Returns the median of samples in any order; `None` if there are none.
pub fn median(samples: &[f64]) -> Option<f64> {
    quantile(&sorted(samples), 0.5)
}

/// Returns the mean of the middle quarter.
///
/// Guilford, Yap, Gopal 2012, "Performance": the timings are sorted, the top and bottom eighth dropped, then
/// the largest and smallest quarter (of all), and the remaining quarter averaged. Shares are rounded down, so
/// that something remains of any number of timings. `None` if there are none.
pub fn midmean(samples: &[f64]) -> Option<f64> {
    let sorted = sorted(samples);
    let drop = sorted.len() / 8 + sorted.len() / 4;
    let middle = &sorted[drop..sorted.len() - drop];
    (!middle.is_empty()).then(|| middle.iter().sum::<f64>() / middle.len() as f64)
}

/// Returns an interval for the true median that assumes nothing of the distribution.
///
/// It consists of ranks `k` and `n + 1 - k` (1-based) of n samples, with the largest k for which the interval
/// covers at least 95 % (the number of samples under the true median is binomial with p = 1/2). Under six
/// samples no interval reaches 95 %; then it is the whole range. Returns (low, high, coverage); `None` if
/// there are no samples.
pub fn median_interval(samples: &[f64]) -> Option<(f64, f64, f64)> {
    let sorted = sorted(samples);
    let n = sorted.len();
    if n == 0 {
        return None;
    }
    // tail = P(fewer than k samples lie under the median), summed term by term; logarithms because 2^-n
    // leaves the range of f64 at n = 1075.
    let mut ln_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = ln_term.exp();
    let mut k = 1;
    loop {
        ln_term += ((n - k + 1) as f64 / k as f64).ln();
        let wider_tail = tail + ln_term.exp();
        if wider_tail > 0.025 || 2 * (k + 1) > n {
            break;
        }
        tail = wider_tail;
        k += 1;
    }
    Some((sorted[k - 1], sorted[n - k], (1.0 - 2.0 * tail).max(0.0)))
}

/// The comparison of two contestants: the median of their ratios turn by turn, and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ratio {
    /// The median of the pairwise ratios.
    pub median: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Probability that the interval holds the true median, if turns are independent (0.95 or a little more;
    /// less only for fewer than six pairs).
    pub coverage: f64,
    /// Turns in which both samples count.
    pub pairs: usize,
}

impl Ratio {
    /// Computes a / b from the pairs (a, b), each of one turn. `None` without pairs. Values must be positive.
    pub fn of_pairs(pairs: &[(f64, f64)]) -> Option<Self> {
        let ratios: Vec<f64> = pairs.iter().map(|(a, b)| a / b).filter(|r| r.is_finite()).collect();
        let (low, high, coverage) = median_interval(&ratios)?;
        Some(Ratio { median: median(&ratios)?, low, high, coverage, pairs: ratios.len() })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ratio { median, low, high, coverage, pairs } = self;
        write!(f, "{median:.4} [{low:.4}, {high:.4}] ({:.1} %, {pairs} turns)", 100.0 * coverage)
    }
}
