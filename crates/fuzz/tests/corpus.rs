//! Every target over its corpus, and over changed copies of it.
//!
//! `HASHLANES_TEST_SEED` is the seed of the changes, as failures print it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, panic};

use hashlanes_fuzz::mutation::mutated;
use hashlanes_fuzz::{TARGETS, Target, signatures};
use hashlanes_testkit::ragged::Rng;

/// Changed copies for each target, unless they take too long: on emulators.
const N_CHANGED: usize = 4000;
const LONGEST: Duration = Duration::from_secs(20);

fn corpus(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let entries = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort_unstable();
    files.into_iter().map(|file| (file.clone(), fs::read(&file).expect("a file"))).collect()
}

/// Runs a target; prints how to repeat the input if it fails.
fn run(target: Target, input: &[u8], what: &str) {
    let result = panic::catch_unwind(|| (target.run)(input));
    if let Err(reason) = result {
        let path = env::temp_dir().join(format!("hashlanes-fuzz-{}-{}", target.name, std::process::id()));
        fs::write(&path, input).expect("the temporary directory is writable");
        eprintln!("target {}, {what}: the input is in {}", target.name, path.display());
        panic::resume_unwind(reason);
    }
}

fn test(name: &str) {
    let target = TARGETS.into_iter().find(|target| target.name == name).expect("a target");
    let corpus = corpus(target);
    assert!(corpus.len() >= 4, "{name}: a corpus of {} files", corpus.len());
    for (path, input) in &corpus {
        run(target, input, &path.display().to_string());
    }
    run(target, b"", "no bytes");
    let seed = env::var("HASHLANES_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut rng, start) = (Rng::new(seed), Instant::now());
    for i in 0..N_CHANGED {
        if start.elapsed() > LONGEST {
            println!("{name}: {i} changed inputs in {LONGEST:?}; the others are skipped");
            break;
        }
        let (one, other) = (&corpus[i % corpus.len()].1, &corpus[rng.below(corpus.len())].1);
        let input = mutated(&mut rng, one, other);
        run(target, &input, &format!("changed input {i} of HASHLANES_TEST_SEED={seed}"));
    }
}

/// The way from a right signature to a changed one is short.
#[test]
fn the_corpus_has_valid_signatures_of_every_scheme() {
    let target = TARGETS.into_iter().find(|target| target.name == "signatures");
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    for (path, input) in corpus(target.expect("a target")) {
        assert_eq!(signatures::is_valid(&input), name(&path).starts_with("valid-"), "{}", path.display());
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            test(stringify!($name));
        })*

        #[test]
        fn every_target_has_a_test_and_a_program() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
            for target in TARGETS {
                let program = fs::read_to_string(programs.join(target.name).with_extension("rs")).expect("a program");
                assert!(program.contains(&format!("hashlanes_fuzz::{}::run", target.name)), "{program}");
            }
        }
    };
}
tests!(hashes sponges columns ciphers aegis trees lists ignore_rules proofs keys signatures c_border);
