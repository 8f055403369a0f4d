//! Measures SLH-DSA on one core: generating a key, signing, verifying one signature and 16 together.
//!
//! `cargo run --release -p hashlanes-hbs --features slh-dsa --example slh_dsa_speed -- [SET…]`; all sets by
//! default. The best of a few runs counts. The crate `slh-dsa` signs the same message, alternating with this
//! crate.

use std::error::Error;
use std::time::{Duration, Instant};

use hashlanes_hbs::slh_dsa::{Message, ParameterSet, Randomness, SigningKey};

const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!("milliseconds           keygen     sign   verify  of many | slh-dsa: sign   verify");
    for set in
        ParameterSet::all().filter(|set| names.is_empty() || names.iter().any(|name| name == set.name()))
    {
        let seeds = vec![7; 3 * set.n()];
        let key = SigningKey::from_seeds(set, &seeds)?;
        let public = key.verifying_key();
        let message = Message::new(b"a message");
        let signature = key.sign(&message, Randomness::Deterministic)?;
        let claims = vec![(message.clone(), signature.as_ref()); 16];
        let mut best = [Duration::MAX; 6];
        for _ in 0..RUNS {
            let times = [
                time(|| drop(SigningKey::from_seeds(set, &seeds))),
                time(|| drop(key.sign(&message, Randomness::Deterministic))),
                time(|| public.verify(&message, signature.as_ref()).expect("valid")),
                time(|| assert!(public.verify_many(&claims).iter().all(Result::is_ok))) / 16,
            ];
            let theirs = rival(set, key.as_bytes(), signature.as_ref());
            for (best, time) in best.iter_mut().zip(times.into_iter().chain(theirs)) {
                *best = time.min(*best);
            }
        }
        let [keygen, sign, verify, of_many, their_sign, their_verify] =
            best.map(|time| time.as_secs_f64() * 1e3);
        println!(
            "{set:<18} {keygen:>10.3} {sign:>8.3} {verify:>8.4} {of_many:>8.4} | {their_sign:>13.3} {their_verify:>8.4}   {:.2} {:.2}",
            sign / their_sign,
            verify / their_verify
        );
    }
    Ok(())
}

fn time(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// The crate `slh-dsa`: signing and verifying.
fn rival(set: ParameterSet, key: &[u8], signature: &[u8]) -> [Duration; 2] {
    fn of<P: slh_dsa::ParameterSet>(key: &[u8], signature: &[u8]) -> [Duration; 2] {
        let key = slh_dsa::SigningKey::<P>::try_from(key).expect("a key");
        let public =
            slh_dsa::VerifyingKey::<P>::try_from(&key.to_bytes()[key.to_bytes().len() / 2..]).expect("a key");
        let read = slh_dsa::Signature::<P>::try_from(signature).expect("a signature");
        [
            time(|| drop(key.try_sign_with_context(b"a message", b"", None))),
            time(|| public.try_verify_with_context(b"a message", b"", &read).expect("valid")),
        ]
    }
    match set.name() {
        "SLH-DSA-SHA2-128s" => of::<slh_dsa::Sha2_128s>(key, signature),
        "SLH-DSA-SHA2-128f" => of::<slh_dsa::Sha2_128f>(key, signature),
        "SLH-DSA-SHA2-192s" => of::<slh_dsa::Sha2_192s>(key, signature),
        "SLH-DSA-SHA2-192f" => of::<slh_dsa::Sha2_192f>(key, signature),
        "SLH-DSA-SHA2-256s" => of::<slh_dsa::Sha2_256s>(key, signature),
        "SLH-DSA-SHA2-256f" => of::<slh_dsa::Sha2_256f>(key, signature),
        "SLH-DSA-SHAKE-128s" => of::<slh_dsa::Shake128s>(key, signature),
        "SLH-DSA-SHAKE-128f" => of::<slh_dsa::Shake128f>(key, signature),
        "SLH-DSA-SHAKE-192s" => of::<slh_dsa::Shake192s>(key, signature),
        "SLH-DSA-SHAKE-192f" => of::<slh_dsa::Shake192f>(key, signature),
        "SLH-DSA-SHAKE-256s" => of::<slh_dsa::Shake256s>(key, signature),
        _ => of::<slh_dsa::Shake256f>(key, signature),
    }
}
