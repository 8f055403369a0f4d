//! Measures LMS on one core: generating a key, signing, verifying one signature and 16 together.
//!
//! `cargo run --release -p hashlanes-hbs --features lms,hazmat --example lms_speed -- [SET…]`. The best of a
//! few runs counts. The crates `lms-signature` and `hbs-lms` generate a key of the same set, alternating with
//! this crate, if they support it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hashlanes_hbs::lms::{KeyGeneration, Level, ParameterSet};
use lms_signature::{lms, ots};

const DEFAULT: [&str; 5] = [
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M24_H10_W8",
    "LMS_SHAKE_M32_H10_W4",
    "LMS_SHA256_M32_H10_W4/LMS_SHA256_M32_H10_W4",
];
const RUNS: usize = 5;

fn best(mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..RUNS).map(run).min().expect("a run")
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let names = if names.is_empty() { DEFAULT.map(String::from).to_vec() } else { names };
    println!(
        "milliseconds                     keygen     sign   verify  of many | keygen: lms-signature  hbs-lms"
    );
    for name in names {
        let set: ParameterSet = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let seeds: Vec<u8> = (0..set.n() as u8 + 16).collect();
        let generate =
            || KeyGeneration::new(set, &seeds).and_then(KeyGeneration::run).expect("seeds of its length");
        let mut keygen = Duration::MAX;
        let mut rivals = [None; 2];
        for _ in 0..RUNS {
            let start = Instant::now();
            black_box(generate());
            keygen = keygen.min(start.elapsed());
            if let [level] = set.levels() {
                let times = [lms_signature_keygen(level, &seeds), hbs_lms_keygen(level)];
                for (rival, time) in rivals.iter_mut().zip(times) {
                    *rival = time.map(|time| rival.map_or(time, |best: Duration| best.min(time)));
                }
            }
        }
        let mut key = generate();
        let mut signature = None;
        let sign = best(|| signature = Some(key.sign_unchecked(b"message").expect("an index")));
        let (public, signature) = (key.verifying_key(), signature.expect("signed"));
        let claim = (&b"message"[..], signature.as_ref());
        let verify = best(|| assert_eq!(public.verify(claim.0, claim.1), Ok(())));
        let of_many = best(|| assert!(public.verify_many(&[claim; 16]).iter().all(Result::is_ok))) / 16;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let rival = |time: Option<Duration>| {
            time.map_or("–".into(), |time| format!("{:.1} ({:.2})", ms(time), ms(keygen) / ms(time)))
        };
        let [sign, verify, of_many] = [sign, verify, of_many].map(ms);
        println!(
            "{name:30} {:8.2} {sign:8.3} {verify:8.3} {of_many:8.3} | {:>22} {:>14}",
            ms(keygen),
            rival(rivals[0]),
            rival(rivals[1]),
        );
    }
}

fn lms_signature_keygen(level: &Level, seeds: &[u8]) -> Option<Duration> {
    fn of<M: lms::LmsMode>(seeds: &[u8]) -> Duration {
        let (seed, id) = seeds.split_at(32);
        let start = Instant::now();
        let key = lms::SigningKey::<M>::new_from_seed(id.try_into().expect("16 bytes"), seed);
        black_box(key.expect("a seed of its length").public());
        start.elapsed()
    }
    match level.to_string().as_str() {
        "LMS_SHA256_M32_H10_W4" => Some(of::<lms::LmsSha256M32H10<ots::LmsOtsSha256N32W4>>(seeds)),
        "LMS_SHA256_M32_H10_W8" => Some(of::<lms::LmsSha256M32H10<ots::LmsOtsSha256N32W8>>(seeds)),
        _ => None,
    }
}

fn hbs_lms_keygen(level: &Level) -> Option<Duration> {
    use hbs_lms::{HssParameter, LmotsAlgorithm, LmsAlgorithm, Seed};

    fn of<H: hbs_lms::HashChain>(w: LmotsAlgorithm) -> Duration {
        let parameters = [HssParameter::<H>::new(w, LmsAlgorithm::LmsH10)];
        let start = Instant::now();
        black_box(hbs_lms::keygen::<H>(&parameters, &Seed::<H>::default(), None).expect("a key"));
        start.elapsed()
    }
    let w = if level.w() == 4 { LmotsAlgorithm::LmotsW4 } else { LmotsAlgorithm::LmotsW8 };
    match level.to_string().as_str() {
        "LMS_SHA256_M32_H10_W4" | "LMS_SHA256_M32_H10_W8" => Some(of::<hbs_lms::Sha256_256>(w)),
        "LMS_SHA256_M24_H10_W8" => Some(of::<hbs_lms::Sha256_192>(w)),
        "LMS_SHAKE_M32_H10_W4" => Some(of::<hbs_lms::Shake256_256>(w)),
        _ => None,
    }
}
