//! Building the test programs once, and running them natively, masked, emulated.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The crates that hold kernels, and those that depend on them only.
pub(super) const OF_KERNELS: [&str; 6] =
    ["hashlanes-isa", "hashlanes-schedule", "hashlanes-sha", "hashlanes-aes", "hashlanes-tree", "hashlanes"];

/// The programs that cargo built.
#[derive(Default)]
pub(crate) struct Build {
    tests: Vec<TestProgram>,
    /// The examples of the crate `hashlanes`.
    examples: Vec<PathBuf>,
    /// The library `hashlanes`, as crates that use it link it.
    pub(crate) facade: Option<PathBuf>,
}

/// A test program.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    /// Such as `sha conformance`: the crate's directory and the program's name.
    name: String,
    pub(super) path: PathBuf,
    /// The working directory, that of the crate.
    directory: PathBuf,
    /// Which of its tests run; empty for all.
    arguments: Vec<&'static str>,
}

impl Build {
    /// All test programs.
    pub(crate) fn all(&self) -> Vec<&TestProgram> {
        self.tests.iter().collect()
    }

    /// The test programs of [`OF_KERNELS`].
    pub(crate) fn of_kernels(&self) -> Vec<&TestProgram> {
        self.of_crates(&OF_KERNELS.map(|name| name.strip_prefix("hashlanes-").unwrap_or(name)))
    }

    /// The test programs of the crates that hold kernels.
    pub(crate) fn with_kernels(&self) -> Vec<&TestProgram> {
        self.of_crates(&["isa", "sha", "aes"])
    }

    /// The test programs of these crates, named by their directories.
    pub(crate) fn of_crates(&self, crates: &[&str]) -> Vec<&TestProgram> {
        self.tests.iter().filter(|test| crates.contains(&test.of())).collect()
    }

    /// The test programs of all crates but these.
    pub(crate) fn of_other_crates(&self, crates: &[&str]) -> Vec<&TestProgram> {
        self.tests.iter().filter(|test| !crates.contains(&test.of())).collect()
    }

    /// The directory of the programs.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.tests.first()?.path.parent()
    }

    /// The test program of this name, as `sha conformance`.
    pub(crate) fn named(&self, name: &str) -> Option<&TestProgram> {
        self.tests.iter().find(|test| test.name == name)
    }
}

impl TestProgram {
    /// The directory of its crate, as `sha`.
    fn of(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }

    /// The same with arguments, which choose its tests.
    pub(crate) fn with_arguments(&self, arguments: &[&'static str]) -> Self {
        Self { arguments: arguments.to_vec(), ..self.clone() }
    }

    /// Runs it, perhaps by another program such as an emulator.
    pub(crate) fn command(&self, runner: &[&str]) -> Command {
        let mut command = match runner {
            [] => Command::new(&self.path),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(&self.path);
                command
            }
        };
        workspace::unforced(&mut command);
        command.args(&self.arguments).current_dir(&self.directory);
        command
    }
}

/// Builds the libraries for other languages, with the features with which the tests' build has compiled
/// their crates already; returns their directory.
///
/// # Errors
/// If something does not compile.
pub(crate) fn libraries() -> Result<PathBuf, String> {
    process::run(workspace::cargo_for_all("build").args(["--lib", "--tests"]))?.checked()?;
    Ok(workspace::target().join("debug"))
}

/// Builds the test programs that `cargo test …` would run.
///
/// # Errors
/// If something does not compile.
pub(crate) fn build(cargo_test: &mut Command) -> Result<Build, String> {
    cargo_test.args(["--no-run", "--message-format=json-render-diagnostics"]);
    let messages = process::stdout(cargo_test)?;
    let mut build = Build::default();
    for line in messages.split(|byte| *byte == b'\n') {
        let Ok(message) = serde_json::from_slice::<serde_json::Value>(line) else { continue };
        if message["reason"] != "compiler-artifact" {
            continue;
        }
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
        let directory = manifest.parent().unwrap_or(Path::new(""));
        if let (Some(path), Some(true)) =
            (message["executable"].as_str(), message["profile"]["test"].as_bool())
        {
            let of = directory.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{of} {name}");
            let (path, directory) = (path.into(), directory.into());
            build.tests.push(TestProgram { name, path, directory, arguments: Vec::new() });
        } else if let (Some(path), "example") =
            (message["executable"].as_str(), message["target"]["kind"][0].as_str().unwrap_or_default())
        {
            if directory.ends_with("crates/hashlanes") {
                build.examples.push(path.into());
            }
        } else if name == "hashlanes" && message["target"]["kind"][0] == "lib" {
            let files =
                message["filenames"].as_array().into_iter().flatten().filter_map(|file| file.as_str());
            build.facade =
                files.map(PathBuf::from).find(|file| file.extension().is_some_and(|e| e == "rlib"));
        }
    }
    if build.tests.is_empty() {
        return Err("cargo built no test program".into());
    }
    Ok(build)
}

/// Runs the examples of the crate `hashlanes`, without arguments.
///
/// # Errors
/// If one fails; the text contains its output.
pub(crate) fn run_examples(build: &Build) -> Result<Tests, String> {
    for path in &build.examples {
        let finished = process::run(&mut Command::new(path))?;
        finished.checked().map_err(|output| format!("{}\n{output}", path.display()))?;
    }
    match build.examples.len() {
        0 => Err("cargo built no example".into()),
        passed => Ok(Tests { passed, ..Tests::default() }),
    }
}

/// Runs test programs, perhaps each by another program such as an emulator, with these variables. Several run
/// at once, as many as there are CPUs: the tests of one program wait for disks and for each other.
///
/// Returns the tests of those that passed, and the outputs of the others.
pub(crate) fn run_all(
    tests: &[&TestProgram],
    runner: &[&str],
    variables: &[(&str, &str)],
) -> (Tests, Vec<String>) {
    let (next, results) = (AtomicUsize::new(0), Mutex::new((Tests::default(), Vec::new())));
    let work = || {
        while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = run(test, runner, variables);
            let (sum, failures) = &mut *results.lock().expect("no thread panics");
            match result {
                Ok(tests) => *sum += tests,
                Err(failure) => failures.push(failure),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    results.into_inner().expect("no thread panicked")
}

/// Runs test programs on this CPU as it is.
///
/// # Errors
/// The outputs of those that failed.
pub(crate) fn run_here(tests: &[&TestProgram]) -> Result<Done, String> {
    let (tests, failures) = run_all(tests, &[], &[]);
    if failures.is_empty() { Ok(Done::Tests(tests)) } else { Err(failures.join("\n")) }
}

/// Runs a test program, perhaps by another program such as an emulator, with these variables.
///
/// # Errors
/// If a test fails; the text contains the output.
pub(crate) fn run(test: &TestProgram, runner: &[&str], variables: &[(&str, &str)]) -> Result<Tests, String> {
    let mut command = test.command(runner);
    let finished = process::run(command.envs(variables.iter().copied()))?;
    let tests = Tests::of(&finished.output);
    if finished.succeeded {
        return Ok(tests);
    }
    let named = |(name, value): &(&str, &str)| format!("{name}='{value}' ");
    let line: String = variables.iter().map(named).collect();
    let by = runner.iter().map(|word| format!("{word} ")).collect::<String>();
    let (output, status) = (finished.output, finished.status);
    let arguments = test.arguments.iter().map(|word| format!(" {word}")).collect::<String>();
    let path = test.path.display();
    Err(format!("{output}\n{}: {status}\nagain: {line}{by}{path}{arguments}", test.name))
}
