//! `cargo xtask test`: every check of a submission, on every CPU level that is available here.
//!
//! | file | holds |
//! |---|---|
//! | `binaries.rs` | building the test programs once, and running them natively, masked, emulated |
//! | `levels.rs` | the CPU levels, and the kernels that must run on each |
//! | `aarch64.rs` | a compiler and an emulator for aarch64, from Debian's packages |
//! | `backtraces.rs` `backtraces.py` | backtraces from inside the kernels in assembly |
//! | `builds.rs` | builds as users set them: optimisation levels, link-time optimisation, one CPU's instructions |
//! | `features.rs` | the crate `hashlanes` with each feature alone |
//! | `msrv.rs` | the published crates with the Rust version that they promise, and with the oldest dependencies |
//! | `no_std.rs` | the core crates without the standard library |
//! | `targets.rs` | the core crates' tests on i686, s390x and Windows; other targets, compiled |
//! | `python/` | the Python package: its wheels, and its tests |
//! | `c.rs` `bindings.rs` | the C library: installed, its tests and examples compiled and run; the Go and Node packages over it; DataFusion |
//! | `debian_root.rs` | the Debian packages, installed in a root directory of their own |
//! | `workflows.rs` | the workflows of the hosted service |
//! | `fuzz.rs` | the programs for libFuzzer, each a minute |
//! | `sanitizers.rs` | the library's tests with the address sanitizer and under Miri |
//! | `valgrind.rs` | the kernels' tests under valgrind |
//! | `policy.rs` | `cargo deny`: the policy of `deny.toml`, and known vulnerabilities |
//! | `publish.rs` | what crates.io would get of the published crates |
//! | `semver.rs` | the public interface compared with that of the last release |
//! | `user_crate.rs` `user_program/` | the parts of the library that are compiled in a user's crate |
//! | `pages.rs` | README.md and the handbook: commands and Rust examples |
//! | `links.rs` | links between pages |
//! | `words.rs` | the words and the width of comments, the words of pages |
//!
//! All steps are run before the end, so that one run reports everything; `--fail-fast` stops at the first
//! failure. A step of tests counts its tests; any other step counts as one test.

pub(crate) mod aarch64;
mod backtraces;
mod binaries;
pub(crate) mod bindings;
mod builds;
mod c;
pub(crate) mod debian_root;
mod device;
mod features;
mod fuzz;
pub(crate) mod levels;
mod links;
mod msrv;
mod no_std;
mod pages;
mod pki;
mod policy;
pub(crate) mod publish;
pub(crate) mod python;
mod sanitizers;
mod semver;
pub(crate) mod targets;
mod user_crate;
mod valgrind;
mod words;
mod workflows;

use std::cell::OnceCell;
use std::process::Command;
use std::thread;

use crate::debian::{self, Missing, Package};
use crate::steps::{Done, Steps, Tests};
use crate::{
    asm, book, dependencies, faults, figures, guard, kernel_table, process, prove, public_api, release,
    workspace,
};
use binaries::{Build, TestProgram};
use levels::Levels;

/// The options of the command line.
#[derive(Debug, Default)]
pub(crate) struct Options {
    slow: bool,
    fail_fast: bool,
    /// The steps are listed, not run.
    list: bool,
    only: Option<String>,
}

impl Options {
    /// `None` for an unknown option.
    pub(crate) fn parse(arguments: &[&str]) -> Option<Self> {
        let (mut options, mut arguments) = (Self::default(), arguments.iter());
        while let Some(argument) = arguments.next() {
            match *argument {
                "--slow" => options.slow = true,
                "--fail-fast" => options.fail_fast = true,
                "--list" => (options.list, options.slow) = (true, true),
                // A step of the slow ones as well: it is named, so it is wanted.
                "--only" => {
                    options.only = Some((*arguments.next()?).to_owned());
                    options.slow = true;
                }
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Runs all steps; prints the table kernel × CPU level, then the count of tests.
///
/// # Errors
/// If anything failed; all failures are printed, the count last.
pub(crate) fn command(options: &Options) -> Result<(), String> {
    if options.list {
        names().iter().for_each(|name| println!("{name}"));
        return Ok(());
    }
    let mut steps = Steps::new(options.fail_fast, options.only.clone());
    let mut levels = Levels::default();
    all(options, &mut steps, &mut levels);
    if options.only.is_none() {
        println!("\n{}", levels.table());
    }
    println!("{}", steps.table());
    println!("{}", steps.count());
    if steps.is_empty() {
        return Err(format!("no step is called {:?}; --list prints the names of all", options.only));
    }
    if steps.failed() { Err(String::new()) } else { Ok(()) }
}

/// The names of all steps, slow ones too.
fn names() -> Vec<String> {
    let options = Options { slow: true, ..Options::default() };
    let mut steps = Steps::listed();
    all(&options, &mut steps, &mut Levels::default());
    steps.names()
}

fn all(options: &Options, steps: &mut Steps, levels: &mut Levels) {
    steps.check("format", || cargo(&["fmt", "--all", "--check"]));
    steps.check("clippy", || {
        let mut command = workspace::cargo_for_all("clippy");
        process::run(command.args(["--all-targets", "--", "-D", "warnings"]))?.checked().map(drop)
    });

    // The first step that needs the test programs builds them.
    let build = OnceCell::new();
    let built = || {
        build
            .get_or_init(|| {
                let mut build = workspace::cargo_for_all("test");
                // The program that the guard inspects.
                binaries::build(build.env("HASHLANES_TEST_PROGRAM", workspace::release_program()))
            })
            .as_ref()
            .map_err(String::clone)
    };
    steps.check("build of the tests", || built().map(drop));
    steps.step("tests", || native(levels, built()?));
    for level in levels::MASKED {
        steps.step(&level.title(), || on_x86_64(|| levels.run(level, &built()?.of_kernels())));
    }
    for level in levels::EMULATED {
        steps.step(&level.title(), || {
            on_x86_64(|| {
                let build = built()?;
                levels.run(level, &if options.slow { build.of_kernels() } else { build.with_kernels() })
            })
        });
    }
    if options.slow {
        for target in targets::BARE {
            steps.step(&format!("check for {target}"), || targets::check_bare(target));
        }
        steps.step(&format!("check for {}", targets::I686), || targets::check_hosted(targets::I686));
        steps.step(&levels::I686.title(), || {
            on_x86_64(|| match targets::build_i686()? {
                Ok(build) => levels.run(&levels::I686, &build.all()),
                Err(not_run) => Ok(not_run),
            })
        });
        for target in targets::BARE {
            steps.step(&format!("build for {target}"), || targets::build_bare(target));
        }
        steps.step("static program", || on_x86_64(targets::static_program));
        steps.step("program: Debian package", debian_root::program);
        for target in targets::OF_PROGRAM {
            steps.step(&format!("program: check for {target}"), || targets::check_program(target));
        }
        steps.step("program: Windows", || on_x86_64(targets::program_on_windows));
        for target in targets::HOSTED {
            steps.step(&format!("check for {target}"), || targets::check_hosted(target));
        }
        steps.step(&levels::S390X.title(), || match targets::build_s390x()? {
            Ok(build) => levels.run(&levels::S390X, &build.all()),
            Err(not_run) => Ok(not_run),
        });
        steps.step(&levels::WINDOWS.title(), || {
            on_x86_64(|| match targets::build_windows()? {
                Ok(build) => levels.run(&levels::WINDOWS, &build.all()),
                Err(not_run) => Ok(not_run),
            })
        });
        let built_for_arm = OnceCell::new();
        for level in levels::ARM {
            steps.step(&level.title(), || match built_for_arm.get_or_init(aarch64::build) {
                Ok(Ok(build)) => levels.run(level, &build.all()),
                Ok(Err(why)) => Ok(Done::NotRun(why.clone())),
                Err(error) => Err(error.clone()),
            });
        }
        steps.step("program on Arm, emulated", aarch64::run_program);
    }
    steps.check("no_std", no_std::check);
    if options.slow {
        steps.check("features of hashlanes, each alone", features::check);
        steps.step(&format!("Rust {}: check", msrv::TOOLCHAIN), msrv::check);
        steps.step(&format!("Rust {}: tests", msrv::TOOLCHAIN), msrv::test);
        steps.step(&format!("Rust {}: oldest dependencies", msrv::TOOLCHAIN), msrv::check_minimal_versions);
    }
    steps.check("documentation", documentation);
    steps.check("assembly: as generated", || asm::command(asm::Action::Check));
    if options.slow {
        steps.step("specifications in Python", specifications);
    }
    steps.step("guard", || {
        on_x86_64(|| {
            let report = guard::of_release_program()?;
            report.verdict().map(|()| Done::Check).map_err(|faults| format!("{}\n{faults}", report.table))
        })
    });
    steps.step("proofs: changed kernels", || on_x86_64(prove::changed));
    steps.check("proofs: those that the program shows", prove::check_program);
    steps.step("pages: the table of kernels", || on_x86_64(|| kernel_table::check().map(|()| Done::Check)));
    steps.check("pages: figures", figures::check);
    steps.check("pages: links", links::check);
    steps.check("words of comments and pages", words::check);
    steps.step("workflows", || workflows::check(&names()));
    steps.step("examples", || binaries::run_examples(built()?).map(Done::Tests));
    steps.step("pages: examples", || pages::examples(built()?));
    steps.check("README: cargo run --release -- sum -r docs", pages::main_job);
    steps.check("pages: commands", pages::commands);
    steps.step("python", python::test);
    if options.slow {
        steps.step("python: wheels", || on_x86_64(python::test_wheels));
        steps.step("python: wheel on Arm, emulated", python::test_on_arm);
        steps.step("python: newer versions", python::test_newer);
        steps.step("python: engines", python::test_engines);
        steps.step("DataFusion: functions", bindings::datafusion);
    }
    c::add_steps(steps, options.slow);
    steps.check("licences and sources", dependencies::check);
    if options.slow {
        steps.step("cargo deny", policy::check);
        steps.step("advisories", policy::advisories);
        steps.check("cargo publish --dry-run", publish::dry_run);
        steps.step("release: dry run", release::test);
        steps.check("handbook: site", book::command);
        steps.step("public interface", public_api::check);
        steps.step("cargo semver-checks", semver::check);
        steps.step("user's crate at every level", user_crate::check);
        for settings in builds::OF_STACK {
            steps.step(&builds::title(settings), || builds::stack(settings));
        }
        steps.step("tests for this CPU alone", builds::for_this_cpu);
        steps.step("backtraces inside kernels", || on_x86_64(|| backtraces::check(built()?)));
        steps.step("proofs: all kernels", || on_x86_64(prove::all));
        steps.step("proofs: instructions on the CPU", || on_x86_64(|| prove::on_cpu().map(|()| Done::Check)));
        steps.step("signatures: devices", device::check);
        steps.step("signatures: pki", || on_x86_64(pki::exchange));
        add_long(steps);
        sanitizers::add_steps(steps);
        steps.step(&levels::VALGRIND.title(), || on_x86_64(|| valgrind::run(levels, built()?)));
        steps.step("secrets on valgrind", || on_x86_64(|| valgrind::follow_secrets(built()?)));
        fuzz::add_steps(steps);
        faults::add_steps(steps, "");
    }
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    let mut command = workspace::cargo(arguments[0]);
    process::run(command.args(&arguments[1..]))?.checked().map(drop)
}

/// A step about x86-64's kernels, skipped on other machines.
fn on_x86_64(body: impl FnOnce() -> Result<Done, String>) -> Result<Done, String> {
    if cfg!(target_arch = "x86_64") {
        body()
    } else {
        Ok(Done::Inapplicable("this machine is no x86-64".into()))
    }
}

/// The tests of all crates and, at the same time, of their documentation, on this CPU as it is. strace makes
/// calls fail, keys are tried on several file systems, and hash devices are compared with veritysetup's.
/// Tests whose tool is missing, or that need root, print that they are skipped.
fn native(levels: &mut Levels, build: &Build) -> Result<Done, String> {
    const TOOLS: &[Package] = &[
        Package { name: "strace", holds: "/usr/bin/strace" },
        Package { name: "e2fsprogs", holds: "/usr/sbin/mkfs.ext4" },
        Package { name: "xfsprogs", holds: "/usr/sbin/mkfs.xfs" },
        Package { name: "btrfs-progs", holds: "/usr/bin/btrfs" },
        Package { name: "rsync", holds: "/usr/bin/rsync" },
        Package { name: "cryptsetup-bin", holds: "/usr/sbin/veritysetup" },
    ];
    if let Err(Missing::Failed(why)) = debian::install(TOOLS) {
        return Err(why);
    }
    guard::program_with_symbols()?;
    let (of_crates, of_pages) = thread::scope(|scope| {
        let of_pages = scope.spawn(|| {
            process::run(workspace::cargo_for_all("test").args(["--doc", "--no-fail-fast"]))?.checked()
        });
        let of_crates = levels.run(&levels::NATIVE, &build.all());
        (of_crates, of_pages.join().expect("cargo's thread does not panic"))
    });
    match (of_crates, of_pages) {
        (Ok(Done::Tests(mut tests)), Ok(output)) => {
            tests += Tests::of(&output);
            Ok(Done::Tests(tests))
        }
        (of_crates, of_pages) => {
            Err([of_crates.err(), of_pages.err()].into_iter().flatten().collect::<Vec<_>>().join("\n"))
        }
    }
}

/// The crates whose long tests take many minutes, each a step; one more is that of all other crates.
const LONG: &[&str] = &["sha", "aes", "hbs", "cli", "bench"];

/// The tests that take minutes, and are ignored otherwise.
fn add_long(steps: &mut Steps) {
    let build = OnceCell::new();
    let built = || {
        build
            .get_or_init(|| binaries::build(workspace::cargo_for_all("test").arg("--release")))
            .as_ref()
            .map_err(String::clone)
    };
    // What ships: without debug assertions and overflow checks.
    steps.step("tests of the release build", || binaries::run_here(&built()?.all()));
    for of in LONG {
        steps.step(&format!("long tests: {of}"), || long(&built()?.of_crates(&[of])));
    }
    steps.step("long tests: other crates", || long(&built()?.of_other_crates(LONG)));
}

fn long(tests: &[&TestProgram]) -> Result<Done, String> {
    // Signatures go to and fro, and messages are encrypted by both. Tests whose tool is missing print that
    // they are skipped.
    const OTHERS: &[&[Package]] = &[
        &[Package { name: "python3-botan", holds: "/usr/lib/python3/dist-packages/botan2.py" }],
        &[Package { name: "openssl", holds: "/usr/bin/openssl" }],
        &[
            Package { name: "libbcprov-java", holds: "/usr/share/java/bcprov.jar" },
            Package { name: "default-jdk-headless", holds: "/usr/bin/javac" },
        ],
    ];
    for packages in OTHERS {
        if let Err(Missing::Failed(why)) = debian::install(packages) {
            return Err(why);
        }
    }
    let (mut passed, mut failures) = (Tests::default(), String::new());
    for test in tests {
        match binaries::run(&test.with_arguments(&["--ignored"]), &[], &[]) {
            Ok(tests) => passed += tests,
            Err(failure) => failures += &failure,
        }
    }
    if failures.is_empty() { Ok(Done::Tests(Tests { ignored: 0, ..passed })) } else { Err(failures) }
}

fn documentation() -> Result<(), String> {
    let mut command = workspace::cargo_for_all("doc");
    command.arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings");
    process::run(&mut command)?.checked().map(drop)
}

/// The specifications in Python, side by side, against the vectors made by them; that of the tree modes also
/// against those of foreign tools.
fn specifications() -> Result<Done, String> {
    const PYTHON: &str = "python3";
    const SCRIPTS: [&str; 4] = ["spec/tree.py", "spec/keccak.py", "spec/xmss.py", "spec/aegis.py"];
    if !process::on_path(PYTHON) {
        return Ok(Done::NotRun(format!("there is no {PYTHON}")));
    }
    let check = |script| {
        let mut command = Command::new(PYTHON);
        command.args(["-B", script, "--check"]).current_dir(workspace::root());
        process::run(&mut command)?.checked().map_err(|output| format!("{script}\n{output}"))
    };
    thread::scope(|scope| {
        let checks = SCRIPTS.map(|script| scope.spawn(move || check(script)));
        checks.into_iter().try_for_each(|check| check.join().expect("no check panics").map(drop))
    })?;
    Ok(Done::Tests(Tests { passed: SCRIPTS.len(), ..Tests::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_that_a_workflow_names_exists() {
        let names = names();
        assert!(names.len() > 50, "{names:?}");
        workflows::check_names(&names).unwrap();
        assert!(workflows::check_names(&[]).is_err());
    }
}
