//! The statistics, exactly, on samples whose figures are known.

use hashlanes_clock::{Method, Ratio, Summary, median, median_interval, midmean, quantile};

#[test]
fn quantiles_are_linear_between_samples() {
    let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
    for (q, expected) in [(0.0, 1.0), (0.25, 2.0), (0.5, 4.0), (0.75, 8.0), (0.875, 12.0), (1.0, 16.0)] {
        assert_eq!(quantile(&sorted, q), Some(expected), "q = {q}");
    }
    assert_eq!(quantile(&[7.0], 0.3), Some(7.0));
    assert_eq!(quantile(&[], 0.5), None);
    assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
}

#[test]
fn a_summary_sorts() {
    let s = Summary::of(&[5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
    let expected = Summary {
        count: 5,
        minimum: 1.0,
        first_quartile: 2.0,
        median: 3.0,
        third_quartile: 4.0,
        maximum: 5.0,
    };
    assert_eq!(s, expected);
    assert_eq!(Summary::of(&[]), None);
}

/// 16 timings: 2 and 4 go at each end, ranks 6..10 stay. Outliers have no influence, however large.
#[test]
fn quartile_method_keeps_the_middle_quarter() {
    let mut timings: Vec<f64> = (0..16).map(f64::from).collect();
    assert_eq!(midmean(&timings), Some(7.5));
    timings[15] = 1e12;
    timings[0] = -1e12;
    timings.reverse();
    assert_eq!(midmean(&timings), Some(7.5));
    assert_eq!(Method::Quartile.figure(&timings), Some(7.5));
    // 1024 timings, squares: ranks 384..640 remain.
    let squares: Vec<f64> = (0..1024).map(|i| f64::from(i * i)).collect();
    let sum: i64 = (384..640).map(|i: i64| i * i).sum();
    assert_eq!(midmean(&squares), Some(sum as f64 / 256.0));
    // Some timings remain for any number except zero.
    for n in 1..100 {
        assert_eq!(midmean(&vec![3.0; n]), Some(3.0), "{n} timings");
    }
    assert_eq!(midmean(&[]), None);
}

#[test]
fn gueron_method_is_the_minimum_of_the_first_five() {
    assert_eq!(Method::Gueron.figure(&[5.0, 3.0, 4.0, 6.0, 7.0]), Some(3.0));
    assert_eq!(Method::Gueron.figure(&[5.0, 3.0, 4.0, 6.0, 7.0, 1.0]), Some(3.0));
    assert_eq!(Method::Gueron.figure(&[]), None);
    assert_eq!(Method::Median.figure(&[9.0, 1.0, 2.0]), Some(2.0));
}

/// Ranks and coverages computed with exact integers: the largest k with 2·(C(n,0) + … + C(n,k−1)) ≤ 0.05·2^n;
/// and a number of samples for which 2^-n is not an f64.
#[test]
fn interval_of_the_median_by_ranks() {
    for (n, low, coverage) in
        [(5, 1, 0.9375), (6, 1, 0.96875), (9, 2, 0.9609), (20, 6, 0.9586), (30, 10, 0.9572)]
    {
        let samples: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        let (l, h, c) = median_interval(&samples).unwrap();
        assert_eq!((l, h), (f64::from(low), f64::from(n + 1 - low)), "{n} samples");
        assert!((c - coverage).abs() < 5e-5, "{n} samples: {c}");
    }
    let samples: Vec<f64> = (1..=2000).map(f64::from).collect();
    let (l, h, c) = median_interval(&samples).unwrap();
    assert_eq!((l, h), (956.0, 1045.0));
    assert!((c - 0.953_447).abs() < 1e-6, "{c}");
    assert_eq!(median_interval(&[2.0]), Some((2.0, 2.0, 0.0)));
    assert_eq!(median_interval(&[]), None);
}

#[test]
fn a_ratio_is_taken_pair_by_pair() {
    // The machine becomes ten times slower half-way, which does not change the ratio.
    let pairs: Vec<(f64, f64)> = (0..10).map(|i| if i < 5 { (2.0, 4.0) } else { (20.0, 40.0) }).collect();
    let ratio = Ratio::of_pairs(&pairs).unwrap();
    assert_eq!((ratio.median, ratio.low, ratio.high, ratio.pairs), (0.5, 0.5, 0.5, 10));
    assert!(ratio.coverage >= 0.95);
    // One bad pair of nine is outside the interval.
    let mut pairs = vec![(1.0, 1.0); 9];
    pairs[3] = (100.0, 1.0);
    let ratio = Ratio::of_pairs(&pairs).unwrap();
    assert_eq!((ratio.median, ratio.high), (1.0, 1.0));
    // A pair with a zero divisor does not count.
    assert_eq!(Ratio::of_pairs(&[(1.0, 0.0)]), None);
    assert_eq!(Ratio::of_pairs(&[]), None);
}

#[test]
fn methods_have_names() {
    for method in [Method::Median, Method::Gueron, Method::Quartile, Method::Once] {
        assert_eq!(Method::from_name(method.name()), Some(method));
    }
    assert_eq!(Method::from_name("mean"), None);
}
