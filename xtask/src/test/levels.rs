//! The CPU levels, and the kernels that must run on each.
//!
//! The test programs append the result of every row to the file that `HASHLANES_TEST_REPORT` names. The
//! results are compared with the kernels that must have run. The features of each level are listed here,
//! independently of the library's detection. So a kernel that is not detected is a failure, and so is one
//! that runs where it must not.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use hashlanes_aes::kernels as ciphers;
use hashlanes_sha::kernels::{self as hashes, Row};
use hashlanes_testkit::table::Table;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::test::binaries::{self, TestProgram};
use crate::{process, workspace};

/// A CPU that the tests run on.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    /// The name as the head of a column.
    name: &'static str,
    /// The level's features among those of the rows.
    has: Has,
    /// The runner of its programs.
    pub(crate) runner: &'static [&'static str],
    /// The value of `HASHLANES_DISABLE`.
    disable: &'static str,
}

#[derive(Clone, Copy)]
enum Has {
    /// The features of this machine.
    All,
    /// The same without these.
    AllBut(&'static [&'static str]),
    /// The features of this machine that are among these.
    AllAmong(&'static [&'static str]),
    /// Only these features.
    Only(&'static [&'static str]),
    /// An Arm CPU with only these features.
    Arm(&'static [&'static str]),
    /// Another architecture: x86-64's rows without features may be assembly.
    OtherArchitecture,
}

/// This machine's CPU, unmasked.
pub(crate) const NATIVE: Level = Level { name: "this CPU", has: Has::All, runner: &[], disable: "" };

/// The same with features masked. A masked feature also masks all features that require it.
pub(crate) const MASKED: &[Level] = &[
    masked("avx512f", &["avx512f", "avx512bw", "avx512dq", "avx512vl"]),
    masked("avx2", &["avx2", "vaes", "avx512f", "avx512bw", "avx512dq", "avx512vl"]),
    masked("avx,aes", &["avx", "avx2", "aes", "vaes", "avx512f", "avx512bw", "avx512dq", "avx512vl"]),
    masked("sha,vaes", &["sha", "vaes"]),
    masked("sha,avx", &["sha", "avx", "avx2", "vaes", "avx512f", "avx512bw", "avx512dq", "avx512vl"]),
    masked(
        "ssse3,aes,bmi1,bmi2",
        &[
            "ssse3", "aes", "bmi1", "bmi2", "sse4.1", "avx", "avx2", "vaes", "avx512f", "avx512bw",
            "avx512dq", "avx512vl",
        ],
    ),
];

const fn masked(disable: &'static str, gone: &'static [&'static str]) -> Level {
    Level { name: disable, has: Has::AllBut(gone), runner: &[], disable }
}

/// Other CPUs, emulated: there the instructions beyond them do not exist.
pub(crate) const EMULATED: &[Level] = &[
    Level {
        name: "Nehalem",
        has: Has::Only(&["ssse3", "sse4.1"]),
        runner: &["qemu-x86_64", "-cpu", "Nehalem"],
        disable: "",
    },
    Level {
        name: "Haswell",
        has: Has::Only(HASWELL),
        runner: &["qemu-x86_64", "-cpu", "Haswell-noTSX"],
        disable: "",
    },
];
const HASWELL: &[&str] = &["ssse3", "sse4.1", "avx", "avx2", "bmi1", "bmi2", "movbe", "aes", "pclmulqdq"];

/// This machine's CPU as valgrind emulates it, without instructions after AVX2 and without those for SHA.
pub(crate) const VALGRIND: Level = Level {
    name: "valgrind",
    has: Has::AllAmong(HASWELL),
    runner: &["valgrind", "--quiet", "--error-exitcode=99"],
    disable: "",
};

/// Arm CPUs, emulated: one with all instructions, one without those for SHA-512 and SHA-3, and one without
/// any for cryptography, like the Raspberry Pi 4.
pub(crate) const ARM: &[Level] = &[
    Level {
        name: "Arm",
        has: Has::Arm(&["neon", "aes", "sha2", "sha3"]),
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-cpu", "max"],
        disable: "",
    },
    Level { name: "Cortex-A57", has: Has::Arm(&["neon", "aes", "sha2"]), runner: A57, disable: "" },
    Level { name: "Cortex-A57", has: Has::Arm(&["neon"]), runner: A57, disable: "aes,sha2" },
];
const A57: &[&str] = &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-cpu", "cortex-a57"];

/// The feature that an Arm kernel needs, by its name; empty for kernels that every CPU runs.
fn needs_of_arm(kernel: &str) -> Option<&'static [&'static str]> {
    const NEEDS: [(&str, &[&str]); 5] = [
        ("neon-", &["neon"]),
        ("arm-aes", &["aes"]),
        ("arm-sha512", &["sha3"]),
        ("arm-sha3", &["sha3"]),
        ("arm-sha", &["sha2"]),
    ];
    if ["scalar", "portable"].contains(&kernel) {
        return Some(&[]);
    }
    NEEDS.iter().find(|(start, _)| kernel.starts_with(start)).map(|(_, needs)| *needs)
}

/// This machine's CPU, unmasked, under another system, whose calling convention differs: the kernels in
/// assembly always have System V's.
pub(crate) const WINDOWS: Level = Level { name: "Windows", has: Has::All, runner: &["wine"], disable: "" };

/// This machine's CPU in 32-bit mode, where all kernels are the scalar ones.
pub(crate) const I686: Level = Level { name: "i686", has: Has::OtherArchitecture, runner: &[], disable: "" };

/// A big-endian machine, emulated.
pub(crate) const S390X: Level = Level {
    name: "s390x",
    has: Has::OtherArchitecture,
    runner: &["qemu-s390x", "-L", "/usr/s390x-linux-gnu"],
    disable: "",
};

impl Level {
    /// The name of a step.
    pub(crate) fn title(&self) -> String {
        match (self.runner, self.disable) {
            ([], "") => format!("tests on {}", self.name),
            ([], disable) => format!("tests without {disable}"),
            (_, disable) if !disable.is_empty() => {
                format!("tests on {} without {disable}, emulated", self.name)
            }
            _ => format!("tests on {}, emulated", self.name),
        }
    }

    /// Whether its CPU can run the kernel.
    fn can_run(&self, hash: &str, kernel: &str) -> bool {
        let row =
            || rows().into_iter().find(|(of, row)| (*of, row.name) == (hash, kernel)).map(|(_, row)| row);
        match self.has {
            Has::All => row().is_some_and(|row| row.supported),
            Has::AllBut(gone) => row().is_some_and(|row| {
                row.supported && !row.features.iter().any(|feature| gone.contains(feature))
            }),
            Has::AllAmong(has) => row()
                .is_some_and(|row| row.supported && row.features.iter().all(|feature| has.contains(feature))),
            Has::Only(has) => {
                row().is_some_and(|row| row.features.iter().all(|feature| has.contains(feature)))
            }
            Has::Arm(has) => {
                needs_of_arm(kernel).is_some_and(|needs| needs.iter().all(|feature| has.contains(feature)))
            }
            Has::OtherArchitecture => ["scalar", "portable"].contains(&kernel),
        }
    }

    /// Installs the runner of its programs; returns why it is not there, if apt is not.
    ///
    /// # Errors
    /// If apt works, and does not install it.
    pub(super) fn missing_runner(&self) -> Result<Option<String>, String> {
        let package = match self.runner {
            [] => return Ok(None),
            [runner, ..] if process::on_path(runner) => return Ok(None),
            ["wine", ..] => Package { name: "wine64", holds: "/usr/lib/wine/wine64" },
            ["valgrind", ..] => Package { name: "valgrind", holds: "/usr/bin/valgrind" },
            _ => Package { name: "qemu-user", holds: "/usr/bin/qemu-x86_64" },
        };
        match debian::install(&[package]) {
            Ok(()) => Ok(None),
            Err(Missing::NoApt(why)) => Ok(Some(why)),
            Err(Missing::Failed(why)) => Err(why),
        }
    }

    /// Whether it has the same kernels as this CPU unmasked, which lacks the masked features anyway.
    fn masks_nothing(&self) -> bool {
        let Has::AllBut(gone) = self.has else { return false };
        rows().iter().all(|(_, row)| !row.supported || !row.features.iter().any(|f| gone.contains(f)))
    }

    /// The column's head: masked features after a minus sign.
    fn head(&self) -> String {
        match (self.runner, self.disable) {
            (_, "") => self.name.into(),
            ([], disable) => format!("-{disable}"),
            (_, disable) => format!("{} -{disable}", self.name),
        }
    }
}

/// The result of a row on a level, by hash and kernel.
type Results = BTreeMap<(String, String), String>;

/// The levels that were run.
#[derive(Default)]
pub(crate) struct Levels(Vec<(Level, Results)>);

impl Levels {
    /// Runs test programs on a level.
    ///
    /// # Errors
    /// If a test fails, if a kernel that the level has did not run or another did, or if the emulator cannot
    /// be installed though apt works.
    pub(crate) fn run(&mut self, level: &Level, tests: &[&TestProgram]) -> Result<Done, String> {
        if let Some(why) = level.missing_runner()? {
            return Ok(Done::NotRun(why));
        }
        if level.masks_nothing() {
            return Ok(Done::Inapplicable(format!(
                "this CPU has none of {}, so its kernels are those of the step \"tests\"",
                level.disable
            )));
        }
        let report = new_report(level)?;
        // Under wine, programs start others of their system as they do there.
        let runner = if level.runner == ["wine"] { String::new() } else { level.runner.join(" ") };
        let report_path = report.to_string_lossy();
        let mut variables = vec![("HASHLANES_TEST_REPORT", &*report_path)];
        let others = [("HASHLANES_TEST_RUNNER", &*runner), ("HASHLANES_DISABLE", level.disable)];
        variables.extend(others.into_iter().filter(|(_, value)| !value.is_empty()));
        let (sum, mut wrong) = binaries::run_all(tests, level.runner, &variables);
        wrong.extend(self.judge(*level, &report).err());
        if wrong.is_empty() { Ok(Done::Tests(sum)) } else { Err(wrong.join("\n")) }
    }

    /// Compares the kernels in a level's test report with the required ones, and keeps the report.
    fn judge(&mut self, level: Level, report: &PathBuf) -> Result<(), String> {
        let results = results(&fs::read_to_string(report).unwrap_or_default());
        let wrong: Vec<String> = kernels([&results])
            .iter()
            .filter_map(|(hash, kernel)| misfit(&level, hash, kernel, &results))
            .collect();
        self.0.push((level, results));
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }

    /// Kernel × CPU level × ran or skipped.
    pub(crate) fn table(&self) -> String {
        let heads = self.0.iter().map(|(level, _)| level.head());
        let mut table = Table::new(["hash".into(), "kernel".into()].into_iter().chain(heads));
        for kernel in kernels(self.0.iter().map(|(_, results)| results)) {
            let mut cells = vec![kernel.0.clone(), kernel.1.clone()];
            for (level, results) in &self.0 {
                let result = results.get(&kernel);
                cells.push(match (misfit(level, &kernel.0, &kernel.1, results), result) {
                    (Some(_), None) => "NOT RUN".into(),
                    (Some(_), Some(result)) => result.to_uppercase(),
                    (None, Some(result)) => result.clone(),
                    (None, None) => "skipped".into(),
                });
            }
            table.row(cells);
        }
        format!("{table}(skipped: the CPU level lacks what the kernel needs)\n")
    }
}

/// Returns the fault of a kernel on a level.
fn misfit(level: &Level, hash: &str, kernel: &str, results: &Results) -> Option<String> {
    let result = results.get(&(hash.into(), kernel.into())).map_or("not reported", String::as_str);
    let wrong = match (level.can_run(hash, kernel), result) {
        (true, "ran") | (false, "skipped" | "not reported") => return None,
        (true, result) => format!("must run, and {result}"),
        (false, result) => format!("cannot run, and {result}"),
    };
    Some(format!("{}: {hash} {kernel} {wrong}", level.head()))
}

/// All kernels by hash and name: of this machine's tables, and those of other architectures that tests
/// reported.
fn kernels<'a>(results: impl IntoIterator<Item = &'a Results>) -> Vec<(String, String)> {
    let mut all: Vec<_> = rows().iter().map(|(hash, row)| ((*hash).into(), row.name.into())).collect();
    for kernel in results.into_iter().flat_map(Results::keys) {
        if !all.contains(kernel) {
            all.push(kernel.clone());
        }
    }
    all
}

/// All rows of this machine's tables.
fn rows() -> Vec<(&'static str, Row)> {
    hashes::every_row().chain(ciphers::every_row()).collect()
}

/// A new, empty file for the report of a level.
fn new_report(level: &Level) -> Result<PathBuf, String> {
    let path = workspace::scratch("reports").join(level.head().replace(' ', "-") + ".txt");
    fs::write(&path, "").map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Reads `hash kernel cpu-level result reason…` lines. Of several programs' results for a row, failure counts
/// most and skipping least.
fn results(report: &str) -> Results {
    const RANK: [&str; 3] = ["skipped", "ran", "failed"];
    let rank = |result: &str| RANK.iter().position(|known| *known == result);
    let mut results = Results::new();
    for line in report.lines() {
        let [hash, kernel, _, result, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else { continue };
        let kept = results.entry((hash.into(), kernel.into())).or_insert_with(|| result.to_owned());
        if rank(result) > rank(kept) {
            result.clone_into(kept);
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sha256(level: &Level, kernel: &str) -> bool {
        level.can_run("sha256", kernel)
    }

    #[test]
    fn levels_run_their_kernels() {
        let [nehalem, haswell] = EMULATED else { panic!("two levels") };
        assert!(sha256(nehalem, "sse-x4") && !sha256(nehalem, "avx2-x8"));
        assert!(sha256(haswell, "avx2-x8") && !sha256(haswell, "sha-ni"));
        assert!(sha256(&I686, "scalar") && !sha256(&I686, "sse-x4"));
        assert!(!sha256(&I686, "serial-ror") && sha256(nehalem, "serial-ror"));
        let [all, a57, bare] = ARM else { panic!("three levels") };
        assert!(sha256(all, "arm-sha2-x3") && all.can_run("sha512", "arm-sha512") && !sha256(all, "sse-x4"));
        assert!(sha256(a57, "arm-sha2") && !a57.can_run("sha512", "arm-sha512-x2"));
        assert!(all.can_run("keccak", "scalar") && !all.can_run("keccak", "scalar-bmi"));
        assert!(!sha256(bare, "arm-sha2") && sha256(bare, "neon-x4") && sha256(bare, "scalar"));
        let bare = MASKED.last().unwrap();
        assert!(rows().iter().all(|(hash, row)| bare.can_run(hash, row.name) == row.features.is_empty()));
    }

    #[test]
    fn a_kernel_that_did_not_run_is_a_misfit() {
        let [nehalem, _] = EMULATED else { panic!("two levels") };
        let of = |report: &str, name: &str| misfit(nehalem, "sha256", name, &results(report));
        assert_eq!(of("sha256 sse-x4 x86-64-v2 ran 12 tests", "sse-x4"), None);
        assert_eq!(of("sha256 avx2-x8 x86-64-v2 skipped lacks avx2", "avx2-x8"), None);
        assert_eq!(of("", "sse-x4").unwrap(), "Nehalem: sha256 sse-x4 must run, and not reported");
        assert_eq!(
            of("sha256 sse-x4 x86-64-v2 skipped lacks ssse3", "sse-x4").unwrap(),
            "Nehalem: sha256 sse-x4 must run, and skipped"
        );
        assert_eq!(
            of("sha256 avx2-x8 x86-64-v3 ran 1 tests", "avx2-x8").unwrap(),
            "Nehalem: sha256 avx2-x8 cannot run, and ran"
        );
    }

    #[test]
    fn of_several_programs_results_the_worst_counts() {
        let report =
            "sha1 scalar l skipped filtered\nsha1 scalar l ran 1 tests\nsha1 scalar l failed 1 of 2 tests\n";
        assert_eq!(results(report)[&("sha1".into(), "scalar".into())], "failed");
    }
}
