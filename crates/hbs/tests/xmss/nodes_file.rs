//! Key generation: progress, stopping, continuing from a file.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use hashlanes_hbs::hazmat::{Derivation, KeyGeneration, Progress};
use hashlanes_hbs::{Error, ParameterSet, Scheme};

/// Returns a path for one test's file that does not exist.
fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn set() -> ParameterSet {
    ParameterSet::of_height(Scheme::Xmss, 32, 13, 1)
}

fn generation(seed: u8) -> KeyGeneration<'static> {
    KeyGeneration::new(set(), &[seed; 96]).unwrap()
}

/// Generates until the first call of the progress function.
fn stopped(seed: u8, file: &PathBuf) -> Progress {
    let mut last = Progress { done: 0, total: 0 };
    let result = generation(seed)
        .nodes_file(file)
        .progress(|progress| {
            last = progress;
            if progress.done > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .run();
    assert_eq!(result.map(drop), Err(Error::Stopped));
    last
}

#[test]
fn a_stopped_generation_continues() {
    let file = path("leaves");
    let first = stopped(1, &file);
    assert_eq!(first, Progress { done: 4096, total: 8192 });
    let mut reported = Vec::new();
    let resumed = generation(1).nodes_file(&file).progress(|progress| {
        reported.push(progress.done);
        ControlFlow::Continue(())
    });
    let root = resumed.run().unwrap().verifying_key().root().to_vec();
    assert_eq!(reported, [4096, 8192]);
    assert_eq!(root, generation(1).run().unwrap().verifying_key().root());

    // The whole file: no work is left.
    let again = generation(1).nodes_file(&file).progress(|progress| {
        assert_eq!(progress.done, 8192);
        ControlFlow::Continue(())
    });
    assert_eq!(again.run().unwrap().verifying_key().root(), root);

    // Truncated at any place, or changed: everything after that place is computed again.
    let whole = fs::read(&file).unwrap();
    for length in [0, 1, 64, 65, 66, 65 + 1024, 65 + 1055, 65 + 1056, 65 + 1057, whole.len() - 1] {
        fs::write(&file, &whole[..length]).unwrap();
        let key = generation(1).nodes_file(&file).run().unwrap();
        assert_eq!(key.verifying_key().root(), root, "{length} bytes");
        assert_eq!(fs::read(&file).unwrap(), whole, "{length} bytes");
    }
    for at in [65, 65 + 1024, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&file, &changed).unwrap();
        assert_eq!(generation(1).nodes_file(&file).run().unwrap().verifying_key().root(), root);
    }

    // A file of another key, also if only the secrets differ; and a missing file.
    assert_eq!(generation(2).nodes_file(&file).run().map(drop), Err(Error::OtherNodes));
    let mut seeds = [1; 96];
    seeds[0] = 2;
    let other = KeyGeneration::new(set(), &seeds).unwrap().nodes_file(&file);
    assert_eq!(other.run().map(drop), Err(Error::OtherNodes));
    let legacy = generation(1).derivation(Derivation::Legacy).unwrap().nodes_file(&file);
    assert_eq!(legacy.run().map(drop), Err(Error::OtherNodes));
    fs::write(&file, "a letter").unwrap();
    assert_eq!(generation(1).nodes_file(&file).run().map(drop), Err(Error::OtherNodes));
    assert_eq!(fs::read(&file).unwrap(), b"a letter");
    let no_directory = file.with_file_name("none").join("leaves");
    let error = generation(1).nodes_file(no_directory).run().map(drop).unwrap_err();
    assert!(error.to_string().starts_with("file of nodes: "), "{error}");
}
