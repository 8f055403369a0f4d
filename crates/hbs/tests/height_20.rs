//! A tree of height 20: interrupted, continued, in little memory.
//!
//! In a program of its own, because it measures the memory of the whole process.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use hashlanes_hbs::hazmat::{KeyGeneration, Progress};
use hashlanes_hbs::{Error, ParameterSet};

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_tree_of_height_20_is_interrupted_and_continued() {
    let set: ParameterSet = "XMSS-SHA2_20_256".parse().unwrap();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("leaves-20");
    let _ = fs::remove_file(&file);
    let generation = || KeyGeneration::new(set, &[5; 96]).unwrap().nodes_file(&file);
    let stop_at = |leaves: u64| {
        move |progress: Progress| {
            if progress.done >= leaves { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    };
    assert_eq!(generation().progress(stop_at(300_000)).run().map(drop), Err(Error::Stopped));
    let mut first = 0;
    let resumed = generation().progress(|progress| {
        first = if first == 0 { progress.done } else { first };
        ControlFlow::Continue(())
    });
    let mut key = resumed.run().unwrap();
    assert!((300_000..310_000).contains(&first), "{first}");
    #[cfg(target_os = "linux")]
    {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kib < 200 << 10, "{kib} KiB");
    }
    for index in [0, 1, 524_287, 524_288, (1 << 20) - 1] {
        key.advance_to(index).unwrap();
        let signature = key.try_sign(b"message").unwrap();
        assert_eq!(key.verifying_key().verify(b"message", signature.as_ref()), Ok(()));
    }
    assert_eq!(key.try_sign(b"one more"), Err(Error::Exhausted));
    fs::remove_file(&file).unwrap();
}
