//! How long a kept key takes: to be made, opened, and to sign, with the commits to the disk and without.
//!
//! `cargo run --release -p hashlanes-hbs --features store,rayon --example kept_key -- SET DIRECTORY`: a key of the set is made
//! in a directory that is not there, used, and left there; one that is there is opened. The disk is the directory's.

use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use hashlanes_hbs::ParameterSet;
use hashlanes_hbs::store::{KeyDirectory, KeyGeneration, SigningKey};

/// Signatures that are timed, four times: a key of height 10 has as many.
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
    // All of this window is reserved before the clock starts.
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
