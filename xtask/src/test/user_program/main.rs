//! A user's program: prints how long each call takes in crates of the three optimisation levels.
//!
//! The step `user_crate` builds it in separate packages; it is not part of xtask. The crates have the same
//! source, `calls.rs`, and their calls alternate.

use std::time::{Duration, Instant};

/// The time of a sample: long against the clock's resolution.
const SAMPLE: Duration = Duration::from_micros(40);

/// Samples of each call, of which the least counts. They are taken in rounds over all calls: a busy machine
/// is busy for longer than the samples of one call.
const SAMPLES: usize = 15;
const ROUNDS: usize = 8;

fn main() {
    let mut levels = [at_0::calls(), at_s::calls(), at_3::calls()];
    let mut least = vec![[f64::INFINITY; 3]; levels[0].len()];
    for _ in 0..ROUNDS {
        for (i, least) in least.iter_mut().enumerate() {
            let call = &mut levels[2][i].1;
            call();
            let start = Instant::now();
            call();
            let n_calls = SAMPLE.as_nanos() / start.elapsed().as_nanos().max(1) + 1;
            for _ in 0..SAMPLES {
                for (calls, least) in levels.iter_mut().zip(&mut *least) {
                    let call = &mut calls[i].1;
                    let start = Instant::now();
                    for _ in 0..n_calls {
                        call();
                    }
                    *least = least.min(start.elapsed().as_nanos() as f64 / n_calls as f64);
                }
            }
        }
    }
    for ((name, _), [at_0, at_s, at_3]) in levels[0].iter().zip(least) {
        println!("{name}\t{at_0:.0}\t{at_s:.0}\t{at_3:.0}");
    }
}
