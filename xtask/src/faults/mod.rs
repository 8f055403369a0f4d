//! `cargo xtask faults`: planted faults, each of which the tests must catch and name.
//!
//! Passing tests are worth little unless it is known that they fail when they must. Each fault of the list
//! (`list.rs`) is planted alone, in a copy of the sources below cargo's target directory. The tests that
//! should catch it are run there: those of the core crates, of ciphers or of kept keys. The failed tests must
//! be those in the list: the kernels that contain the changed line and no others, or tests whose names
//! identify the place.

mod list;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hashlanes_sha::kernels::{self, Row};

use crate::steps::{Done, Steps};
use crate::test::{aarch64, levels};
use crate::{process, workspace};
use list::{Caught, FAULTS, Fault};

/// Plants the faults whose files or names hold `part`.
///
/// # Errors
/// If a fault is not caught, or cannot be planted because its text is no longer in its file; all are
/// reported.
pub(crate) fn command(part: &str) -> Result<(), String> {
    let mut steps = Steps::new(false, None);
    add_steps(&mut steps, part);
    println!("\n{}\n{}", steps.table(), steps.count());
    if steps.failed() { Err(String::new()) } else { Ok(()) }
}

/// Plants faults, a step each, after the tests have passed without any.
pub(crate) fn add_steps(steps: &mut Steps, part: &str) {
    let chosen = || FAULTS.iter().filter(|fault| fault.title().contains(part));
    if chosen().next().is_none() {
        return steps.check("faults", || Err(format!("no fault's file or name holds {part:?}")));
    }
    let copy = workspace::scratch("faults/sources");
    let mut sound = false;
    steps.step("no fault", || {
        workspace::copy_sources(&copy)?;
        for tests in [Tests::Core, Tests::Ciphers, Tests::Arm, Tests::KeptKeys] {
            if chosen().any(|fault| fault.tests() == tests) {
                test(&copy, tests, None)?.checked()?;
            }
        }
        sound = true;
        Ok(Done::Check)
    });
    if !sound {
        return;
    }
    for fault in chosen() {
        steps.check(&fault.title(), || planted(fault, &copy));
    }
}

/// The tests that are run with a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tests {
    /// Tests of the core crates.
    Core,
    /// Tests of AES and AEGIS.
    Ciphers,
    /// Tests of kernels for Arm, emulated.
    Arm,
    /// Tests of signing keys that never use an index twice.
    KeptKeys,
}

impl Fault {
    fn tests(&self) -> Tests {
        const OF: [(&str, Tests); 7] = [
            ("crates/isa/src/neon.rs", Tests::Arm),
            ("crates/isa/src/arm_", Tests::Arm),
            ("crates/isa/src/cipher/arm.rs", Tests::Arm),
            ("crates/sha/src/sha256/arm_", Tests::Arm),
            ("crates/hbs/", Tests::KeptKeys),
            ("crates/aes/", Tests::Ciphers),
            ("crates/isa/src/cipher/", Tests::Ciphers),
        ];
        let of = OF.into_iter().find(|(folder, _)| self.file.starts_with(folder));
        of.map_or(Tests::Core, |(_, tests)| tests)
    }

    fn title(&self) -> String {
        format!("fault in {}: {}", self.file, self.name)
    }
}

/// Plants a fault, sees that it is caught, and takes it out again.
fn planted(fault: &Fault, copy: &Path) -> Result<(), String> {
    let place = copy.join(fault.file);
    let failed = |error| format!("{}: {error}", place.display());
    let sound = fs::read_to_string(&place).map_err(failed)?;
    fs::write(&place, with_fault(&sound, fault)?).map_err(failed)?;
    let without = if let Caught::TestsWithout(feature, _) = fault.caught { Some(feature) } else { None };
    let finished = test(copy, fault.tests(), without);
    fs::write(&place, sound).map_err(failed)?;
    judge(fault, &finished?.output)
}

/// The file's text with the fault in it.
fn with_fault(sound: &str, fault: &Fault) -> Result<String, String> {
    match sound.matches(fault.text).count() {
        1 => Ok(sound.replacen(fault.text, fault.replacement, 1)),
        0 => Err(format!("{} no longer holds the text\n{}\nplant the fault anew", fault.file, fault.text)),
        n => Err(format!("{} holds the text {n} times\n{}\nname one of them", fault.file, fault.text)),
    }
}

/// Runs tests in the copy, perhaps without a feature of the CPU.
fn test(copy: &Path, tests: Tests, without: Option<&str>) -> Result<process::Finished, String> {
    const CORE: [&str; 4] = ["hashlanes-isa", "hashlanes-schedule", "hashlanes-sha", "hashlanes-tree"];
    let mut command = if tests == Tests::Arm { aarch64::cargo("test")?? } else { workspace::cargo("test") };
    match tests {
        Tests::Core => command.args(CORE.iter().flat_map(|name| ["-p", name])).args(["--lib", "--tests"]),
        Tests::Ciphers => command.args(["-p", "hashlanes-aes", "--tests"]),
        Tests::Arm => {
            let runner = levels::ARM[0].runner.join(" ");
            command.env("HASHLANES_TEST_RUNNER", &runner).env(aarch64::RUNNER, &runner);
            command.args(["-p", "hashlanes-sha", "-p", "hashlanes-aes", "--tests"])
        }
        Tests::KeptKeys => command.args(["-p", "hashlanes-hbs", "--test", "store"]),
    };
    command.args(["--all-features", "--no-fail-fast"]).current_dir(copy);
    let build = if tests == Tests::Arm { "faults/build-arm" } else { "faults/build" };
    command.env("CARGO_TARGET_DIR", workspace::scratch(build));
    command.envs(without.map(|feature| ("HASHLANES_DISABLE", feature)));
    process::run(&mut command)
}

/// Whether the tests that failed name the fault's place.
fn judge(fault: &Fault, output: &str) -> Result<(), String> {
    let failed = failed_tests(output);
    let wrong = match fault.caught {
        _ if failed.is_empty() => Some("was not caught".into()),
        Caught::Kernels(kernels) => not_named(&failed, &|_, row| kernels.contains(&row.name), &|_, _| false),
        Caught::LanesOf(of) => not_named(
            &failed,
            &|hash, row| hash == of && row.verbs().any(|verb| verb == "compress_lanes"),
            &|_, _| false,
        ),
        Caught::Over { types, assembly } => {
            let bodies = Bodies::read()?;
            not_named(
                &failed,
                &|hash, row| assembly.contains(&row.name) || bodies.over_one_of(types, hash, row),
                &|hash, row| bodies.in_assembly(hash, row),
            )
        }
        Caught::Tests(tests) | Caught::TestsWithout(_, tests) => {
            let silent = tests.iter().find(|part| !failed.iter().any(|test| test.contains(**part)));
            silent.map(|part| format!("made no test fail that is named {part}"))
        }
    };
    wrong.map_or(Ok(()), |wrong| Err(format!("{output}\n{}: {wrong}", fault.title())))
}

/// Returns an error if the kernels named by failed tests are not the expected ones that this CPU can run, or
/// are neither expected nor permitted.
fn not_named(
    failed: &[&str],
    is_expected: &dyn Fn(&str, &Row) -> bool,
    is_permitted: &dyn Fn(&str, &Row) -> bool,
) -> Option<String> {
    let of = |is: &dyn Fn(&str, &Row) -> bool| -> BTreeSet<&str> {
        let rows = kernels::every_row().filter(|(hash, row)| row.supported && is(hash, row));
        rows.map(|(_, row)| row.name).collect()
    };
    let named: BTreeSet<&str> = failed.iter().filter_map(|test| kernel_of(test)).collect();
    let (expected, permitted) = (of(is_expected), of(is_permitted));
    let wrong = !expected.is_subset(&named)
        || named.iter().any(|name| !expected.contains(name) && !permitted.contains(name));
    wrong.then(|| format!("named the kernels {named:?}, not {expected:?}"))
}

/// The bodies of all rows, as the tables' sources have them.
struct Bodies(Vec<(&'static str, String)>);

impl Bodies {
    /// Reads the tables.
    fn read() -> Result<Self, String> {
        let hashes: BTreeSet<&str> = kernels::every_row().map(|(hash, _)| hash).collect();
        let table = |hash| {
            let place = workspace::root().join(format!("crates/sha/src/{hash}/kernels.rs"));
            let text = fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))?;
            Ok((hash, text))
        };
        hashes.into_iter().map(table).collect::<Result<_, String>>().map(Self)
    }

    /// Whether a row's body is over one of the lane types.
    fn over_one_of(&self, types: &[&str], hash: &str, row: &Row) -> bool {
        self.lines(hash, row).any(|line| types.iter().any(|name| line.contains(name)))
    }

    /// Whether a row's body is neither the definition over lanes nor over the streams of an instruction set.
    fn in_assembly(&self, hash: &str, row: &Row) -> bool {
        !self.lines(hash, row).any(|line| line.contains("Over"))
    }

    /// The lines of the rows of this name: one for each architecture.
    fn lines(&self, hash: &str, row: &Row) -> impl Iterator<Item = &str> {
        let identifier = row.name.replace('-', "_");
        let tables = self.0.iter().filter(move |(of, _)| *of == hash);
        let lines = tables.flat_map(|(_, text)| text.lines().map(str::trim_start));
        lines.filter(move |line| line.split(' ').next() == Some(&*identifier))
    }
}

/// The names of the tests that failed: `test  verbs::sha256::avx2-x8::compress  ... FAILED`, and those of the
/// lists at the end of programs' runs, because the output of several failing tests can split such lines.
fn failed_tests(output: &str) -> Vec<&str> {
    fn failed(line: &str) -> Option<&str> {
        let name = line.trim().strip_prefix("test ")?.strip_suffix("FAILED")?;
        Some(name.trim_end().strip_suffix("...")?.trim())
    }
    let lists = output.split("\nfailures:\n").skip(1);
    let listed = lists.flat_map(|list| list.lines().map_while(|line| line.strip_prefix("    ")));
    output.lines().filter_map(failed).chain(listed).collect()
}

/// Returns the kernel in a test's name: `verbs::sha256::avx2-x8::compress` is of `avx2-x8`.
fn kernel_of(test: &str) -> Option<&str> {
    let known = |part: &&str| kernels::every_row().any(|(_, row)| row.name == *part);
    test.split("::").find(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_can_be_planted() {
        for fault in FAULTS {
            let sound = fs::read_to_string(workspace::root().join(fault.file)).unwrap();
            with_fault(&sound, fault).unwrap();
        }
    }

    #[test]
    fn a_missing_text_is_reported() {
        let error = with_fault("nothing of it", &FAULTS[0]).unwrap_err();
        assert!(error.contains("no longer holds the text"), "{error}");
    }

    #[test]
    fn lane_types_of_faults_have_rows() {
        let bodies = Bodies::read().unwrap();
        for fault in FAULTS {
            let Caught::Over { types, .. } = fault.caught else { continue };
            for name in types {
                let n = kernels::every_row().filter(|(of, row)| bodies.over_one_of(&[name], of, row)).count();
                assert_ne!(n, 0, "{}: no row is over {name}", fault.title());
            }
        }
        let lines = |name| {
            let (hash, row) = kernels::every_row().find(|(_, row)| row.name == name).unwrap();
            (bodies.over_one_of(&["avx2::U32x8"], hash, &row), bodies.in_assembly(hash, &row))
        };
        assert_eq!(
            ["avx2-x8", "sse-x4", "avx512-x16-asm"].map(lines),
            [(true, false), (false, false), (false, true)]
        );
    }

    #[test]
    fn the_kernels_that_failed_must_be_those_of_the_fault() {
        const FAULT: Fault = Fault {
            name: "a fault",
            file: "a file",
            text: "",
            replacement: "",
            caught: Caught::Kernels(&["scalar"]),
        };
        let scalar = "test   verbs::sha1::scalar::compress  ... FAILED\n";
        let sse = "test   verbs::sha1::sse-x4::compress  ... FAILED\n";
        let whole = "test many::sha1::all of them ... FAILED\n";
        assert_eq!(judge(&FAULT, &[scalar, whole].concat()), Ok(()));
        assert!(
            judge(&FAULT, "test verbs::sha1::scalar::compress ... ok\n")
                .unwrap_err()
                .ends_with("was not caught")
        );
        assert!(judge(&FAULT, &[scalar, sse].concat()).unwrap_err().contains("named the kernels"));
        assert!(judge(&FAULT, whole).unwrap_err().contains("named the kernels {}"));
        let listed =
            "failures:\n\n---- a::b ----\n    no name\n\nfailures:\n    verbs::sha1::scalar::compress\n\n";
        assert_eq!(failed_tests(&format!("test a ... ok\n\n{listed}")), ["verbs::sha1::scalar::compress"]);
    }
}
