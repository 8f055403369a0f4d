//! Whether times depend on secrets, by Welch's t-test, as dudect does (Reparaz, Balasch, Verbauwhede, 2017).

use std::time::Instant;

use crate::ragged::Rng;

/// Runs `run` with inputs of class 0 and of class 1, in random order; panics if their times differ.
///
/// `what` is the name in messages.
///
/// # Panics
/// If |t| is 10 or more, from which on that paper calls a difference proved, in each of three runs: a
/// machine's other work comes and goes, a leak stays.
pub fn assert_constant(what: &str, seed: u64, mut run: impl FnMut(usize)) {
    let rng = &mut Rng::new(seed);
    let t = (0..3).map(|_| welch(rng, &mut run).abs()).fold(f64::MAX, f64::min);
    println!("{what}: t = {t:.2}");
    assert!(t < 10.0, "{what}: t = {t}");
}

/// Returns Welch's t of the times of both classes, without the slowest tenth: those are interrupts.
fn welch(rng: &mut Rng, mut run: impl FnMut(usize)) -> f64 {
    const SAMPLES: usize = 200_000;
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..SAMPLES {
        let class = rng.below(2);
        let start = Instant::now();
        run(class);
        times[class].push(start.elapsed().as_nanos() as f64);
    }
    let mut all = times.concat();
    all.sort_by(f64::total_cmp);
    let limit = all[all.len() * 9 / 10];
    let [a, b] = times.map(|times| {
        let kept: Vec<f64> = times.into_iter().filter(|time| *time <= limit).collect();
        let n = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / n;
        let variance = kept.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n)
    });
    (a.0 - b.0) / (a.1 + b.1).sqrt()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    #[ignore = "long: cargo xtask test --slow"]
    fn a_comparison_that_stops_at_a_difference_is_noticed() {
        let codes = [[1_u8; 32], [0; 32]];
        let compare = |class: usize| {
            let code: &[u8; 32] = black_box(&codes[class]);
            assert!(code.iter().take_while(|byte| black_box(**byte) == 0).count() < 40);
        };
        let leak = std::panic::catch_unwind(|| assert_constant("stops", 1, compare));
        assert!(leak.is_err());
    }
}
