//! Measures how steady the clock is: one contestant enters twice, as A and as B. The true ratio is 1; the
//! deviation of the measured one shows the accuracy of all ratios on this machine. Also reports the share of
//! samples that the noise gate rejected, and times a chain whose length in cycles is known.
//!
//! `cargo run --release -p hashlanes-clock --example self [races]`

use hashlanes_clock::{Environment, Footprint, Method, Options, Race};
use std::hint::black_box;

/// Rounds of xor, shift and multiply over words: latency-bound, as a hash is.
fn work(words: &[u64]) {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    for w in black_box(words) {
        x = (x ^ w).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 29;
    }
    black_box(x);
}

/// Steps of a chain that runs on from call to call: a multiplication (3 cycles) and a xor (1).
const STEPS: usize = 4096;

/// The cycles of a step of that chain; 4 on any x86-64 or aarch64 core with a 3-cycle multiplication.
fn known_chain() -> Option<f64> {
    let (mut x, y) = (3u64, black_box(5u64));
    let work = || {
        for _ in 0..STEPS {
            x = x.wrapping_mul(y) ^ y;
        }
        x = black_box(x);
    };
    let report = Race::new(Options::default()).contestant("chain", Footprint::contiguous(0), work).run();
    Some(report.outcomes[0].figure_cycles()? / STEPS as f64)
}

fn main() {
    let races = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5);
    println!("{}", Environment::measure());
    let words = vec![7u64; 1024];
    let footprint = Footprint::contiguous(8 * words.len());
    let mut worst = 0.0_f64;
    for race in 0..races {
        for method in [Method::Median, Method::Quartile] {
            let report = Race::new(Options { method, ..Options::default() })
                .contestant("A", footprint, || work(&words))
                .contestant("B", footprint, || work(&words))
                .run();
            if race == 0 {
                println!("pinning {:?}, best probe {:.4?}", report.pinning, report.best_probe);
            }
            report.outcomes.iter().for_each(|o| println!("  {o}"));
            let Some(ratio) = report.ratio("A", "B") else { continue };
            println!("  A / B = {ratio}");
            worst = worst.max((ratio.median - 1.0).abs());
        }
    }
    if let Some(cycles) = known_chain() {
        println!("a chain of known length: {cycles:.4} cycles a step (4 with a 3-cycle multiplication)");
    }
    let verdict = if worst <= 0.02 { "steady: within 2 %" } else { "NOT STEADY: more than 2 %" };
    println!("worst A / B is off by {:.3} % ({verdict})", 100.0 * worst);
}
