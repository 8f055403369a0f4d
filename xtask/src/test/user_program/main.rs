//! A user's program: prints how long each call takes in crates of the three optimisation levels.
//!
//! The step `user_crate` builds it in separate packages; it is not part of xtask. The crates have the same
//! source, `calls.rs`, and their calls alternate.

use std::time::{Duration, Instant};

/// The time of a sample: long against the clock's resolution.
const SAMPLE: Duration = Duration::from_micros(40);

/// Samples of each call, of which the least counts.
const SAMPLES: usize = 60;

fn main() {
    let mut levels = [at_0::calls(), at_s::calls(), at_3::calls()];
    for i in 0..levels[0].len() {
        let call = &mut levels[2][i].1;
        call();
        let start = Instant::now();
        call();
        let n_calls = SAMPLE.as_nanos() / start.elapsed().as_nanos().max(1) + 1;
        let mut least = [f64::INFINITY; 3];
        for _ in 0..SAMPLES {
            for (calls, least) in levels.iter_mut().zip(&mut least) {
                let call = &mut calls[i].1;
                let start = Instant::now();
                for _ in 0..n_calls {
                    call();
                }
                *least = least.min(start.elapsed().as_nanos() as f64 / n_calls as f64);
            }
        }
        let [at_0, at_s, at_3] = least;
        println!("{}\t{at_0:.0}\t{at_s:.0}\t{at_3:.0}", levels[0][i].0);
    }
}
