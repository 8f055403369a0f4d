//! Measures a kept key: the time to create and open it, and to sign with and without commits to the disk.
//!
//! `cargo run --release -p hashlanes-hbs --features store,rayon --example kept_key -- SET DIRECTORY` creates
//! a key of the set in a new directory, uses it, and leaves it there; an existing key is opened. The measured
//! disk is that of the directory.

use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use hashlanes_hbs::ParameterSet;
use hashlanes_hbs::store::{KeyDirectory, KeyGeneration, SigningKey};

/// Number of timed signatures, in each of four runs: a key of height 10 has enough for all.
const SIGNATURES: u32 = 192;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(set), Some(path)) = (arguments.next(), arguments.next().map(PathBuf::from)) else {
        return Err("usage: kept_key SET DIRECTORY".into());
    };
    let set: ParameterSet = set.parse()?;
    let here = KeyDirectory::new(&path);
    if !path.exists() {
        let begin = Instant::now();
        let generation =
            KeyGeneration::new(set, &vec![7; 3 * set.n()])?.progress(|_| ControlFlow::Continue(()));
        drop(here.create(generation)?);
        println!("made       {:>10.3} ms", milliseconds(begin, 1));
    }
    let begin = Instant::now();
    let mut key = here.open()?;
    println!("opened     {:>10.3} ms", milliseconds(begin, 1));
    let begin = Instant::now();
    key.try_sign(b"the first")?;
    println!("first      {:>10.3} ms, with its commit", milliseconds(begin, 1));

    println!("signing, {SIGNATURES} times each, the mean:");
    time("window 1", &mut key, 1)?;
    time("window 64", &mut key, 64)?;
    time("one window", &mut key, u64::from(SIGNATURES))?;
    key.advance_to(key.next_index() + 1)?;
    // The whole window is reserved before the clock starts.
    key.set_window(u64::from(SIGNATURES) + 1);
    key.try_sign(b"which commits")?;
    time("no commit", &mut key, 1)?;
    #[cfg(target_os = "linux")]
    {
        let status = fs::read_to_string("/proc/self/status")?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("?").trim();
        println!("memory     {peak} at most");
    }
    Ok(())
}

fn time(what: &str, key: &mut SigningKey, window: u64) -> Result<(), Box<dyn Error>> {
    key.set_window(window);
    let begin = Instant::now();
    for number in 0..SIGNATURES {
        key.try_sign(&number.to_be_bytes()[..])?;
    }
    println!("{what:<10} {:>10.3} ms", milliseconds(begin, SIGNATURES));
    Ok(())
}

fn milliseconds(begin: Instant, times: u32) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3 / f64::from(times)
}
