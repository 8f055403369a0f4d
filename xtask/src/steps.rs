//! Steps: announced, timed, their output shown if they fail; and the count of their tests.

use std::fs;
use std::io::Write;
use std::ops::AddAssign;
use std::time::{Duration, Instant};

use hashlanes_testkit::table::Table;

use crate::workspace;

/// The number of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tests {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Too long for every day, or unsupported on this CPU level.
    pub(crate) ignored: usize,
}

impl AddAssign for Tests {
    fn add_assign(&mut self, o: Self) {
        self.passed += o.passed;
        self.failed += o.failed;
        self.ignored += o.ignored;
    }
}

impl Tests {
    /// The sum of the lines with which test programs end:
    /// `test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.31s`.
    pub(crate) fn of(output: &str) -> Self {
        let mut sum = Self::default();
        for line in output.lines().filter_map(|line| line.trim_start().strip_prefix("test result: ")) {
            let count = |word: &str| {
                let (before, _) = line.split_once(word)?;
                before.rsplit([' ', '.']).find(|part| !part.is_empty())?.parse::<usize>().ok()
            };
            sum += Self {
                passed: count(" passed").unwrap_or(0),
                failed: count(" failed").unwrap_or(0),
                ignored: count(" ignored").unwrap_or(0),
            };
        }
        sum
    }
}

/// The result of a step that did not fail.
pub(crate) enum Done {
    /// A check that has no tests to count.
    Check,
    Tests(Tests),
    /// What it needs and this machine lacks. In CI that is an error: there every tool is installed.
    NotRun(String),
    /// Why it would show nothing on this machine.
    Inapplicable(String),
}

#[derive(Default)]
struct Step {
    name: String,
    result: String,
    tests: Tests,
    took: Duration,
    /// Processor time of the step's programs in seconds: other work on the machine does not increase it.
    cpu_seconds: f64,
    failed: bool,
}

/// Returns whether this is a run of CI: the hosted services and `.ci/run` set the variable.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The steps so far.
pub(crate) struct Steps {
    in_ci: bool,
    fail_fast: bool,
    /// A part of the names of the steps that are wanted, unless all are.
    only: Option<String>,
    /// The names alone are kept.
    is_list: bool,
    done: Vec<Step>,
}

impl Steps {
    pub(crate) fn new(fail_fast: bool, only: Option<String>) -> Self {
        Self { in_ci: in_ci(), fail_fast, only, is_list: false, done: Vec::new() }
    }

    /// Returns steps that are not run.
    pub(crate) fn listed() -> Self {
        Self { is_list: true, ..Self::new(false, None) }
    }

    /// The names of the steps so far.
    pub(crate) fn names(&self) -> Vec<String> {
        self.done.iter().map(|step| step.name.clone()).collect()
    }

    /// Whether no step ran.
    pub(crate) fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Whether a step failed.
    pub(crate) fn failed(&self) -> bool {
        self.done.iter().any(|step| step.failed)
    }

    /// Runs a step that has no tests to count.
    pub(crate) fn check(&mut self, name: &str, body: impl FnOnce() -> Result<(), String>) {
        self.step(name, || body().map(|()| Done::Check));
    }

    /// Runs a step; its error is the output to show.
    pub(crate) fn step(&mut self, name: &str, body: impl FnOnce() -> Result<Done, String>) {
        let is_wanted = self.only.as_ref().is_none_or(|part| name.contains(part.as_str()));
        if !is_wanted || self.fail_fast && self.failed() {
            return;
        }
        if self.is_list {
            self.done.push(Step { name: name.into(), ..Step::default() });
            return;
        }
        print!("{name} … ");
        // The announcement comes before the work; a closed output is not a reason to stop.
        let _ = std::io::stdout().flush();
        let (start, cpu_before) = (Instant::now(), children_cpu_seconds());
        let done = match body() {
            Ok(Done::NotRun(why)) if self.in_ci => Err(format!("{why}: in CI, every step must run")),
            done => done,
        };
        let (took, cpu_seconds) = (start.elapsed(), children_cpu_seconds() - cpu_before);
        let one = Tests { passed: 1, ..Tests::default() };
        let (result, tests) = match &done {
            Ok(Done::Check) => ("passed".into(), one),
            Ok(Done::Tests(tests)) => ("passed".into(), *tests),
            Ok(Done::NotRun(why) | Done::Inapplicable(why)) => {
                (format!("not run: {why}"), Tests { ignored: 1, ..Tests::default() })
            }
            Err(output) => {
                let tests = Tests::of(output);
                ("FAILED".into(), Tests { failed: tests.failed.max(1), ..tests })
            }
        };
        println!("{result}{} in {:.1} s", counted(&done, tests), took.as_secs_f64());
        if let Err(output) = &done {
            show(name, output);
        }
        let failed = done.is_err();
        self.done.push(Step { name: name.into(), result, tests, took, cpu_seconds, failed });
    }

    /// The steps with their times.
    pub(crate) fn table(&self) -> String {
        let mut table =
            Table::new(["step", "passed", "failed", "skipped", "seconds", "CPU seconds", "result"]);
        for Step { name, result, tests, took, cpu_seconds, .. } in &self.done {
            let counts = [tests.passed, tests.failed, tests.ignored].map(|n| n.to_string());
            let times = [took.as_secs_f64(), *cpu_seconds].map(|seconds| format!("{seconds:.1}"));
            table.row([&[name.clone()][..], &counts, &times, std::slice::from_ref(result)].concat());
        }
        table.to_string()
    }

    /// `N passed, N failed, N skipped`
    pub(crate) fn count(&self) -> String {
        let mut sum = Tests::default();
        for step in &self.done {
            sum += step.tests;
        }
        format!("{} passed, {} failed, {} skipped", sum.passed, sum.failed, sum.ignored)
    }
}

fn counted(done: &Result<Done, String>, tests: Tests) -> String {
    match done {
        Ok(Done::Tests(_)) => format!(" ({} tests, {} skipped)", tests.passed, tests.ignored),
        _ => String::new(),
    }
}

/// Returns the processor seconds of all ended child processes; 0 where the system does not report them.
fn children_cpu_seconds() -> f64 {
    /// Ticks per second, for any tick of the kernel (proc(5), USER_HZ).
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the program's name, in parentheses, come the fields from the third on; 16 and 17 are the
    // children's times.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

/// Prints the end of an output, with the failures, without the tests that passed; the whole is in a file.
fn show(name: &str, output: &str) {
    const LINES: usize = 400;
    let file = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-") + ".txt";
    let path = workspace::scratch("logs").join(file);
    let tells =
        |line: &&str| !(line.starts_with("test ") && (line.ends_with(" ok") || line.contains("... ignored")));
    let lines: Vec<&str> = output.lines().filter(tells).collect();
    if lines.len() < output.lines().count() || lines.len() > LINES {
        match fs::write(&path, output) {
            Ok(()) => println!("    (whole: {})", path.display()),
            Err(error) => println!("    ({}: {error})", path.display()),
        }
    }
    for line in &lines[lines.len().saturating_sub(LINES)..] {
        println!("    {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_in_every_programs_last_line() {
        let output = "\
            running 2 tests\n\
            test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.31s\n\n\
            test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s\n";
        assert_eq!(Tests::of(output), Tests { passed: 17, failed: 3, ignored: 1 });
        assert_eq!(Tests::of("signal: 4 (SIGILL)"), Tests::default());
    }

    #[test]
    fn a_step_that_failed_without_a_count_counts_as_one() {
        let mut steps = Steps::new(false, None);
        steps.check("this fails", || Err("why".into()));
        steps.step("tests", || Ok(Done::Tests(Tests { passed: 4, failed: 0, ignored: 2 })));
        assert!(steps.failed());
        assert_eq!(steps.count(), "4 passed, 1 failed, 2 skipped");
    }

    #[test]
    fn a_missing_tool_is_an_error_in_ci() {
        for (in_ci, expected) in
            [(false, "0 passed, 0 failed, 2 skipped"), (true, "0 passed, 1 failed, 1 skipped")]
        {
            let mut steps = Steps { in_ci, ..Steps::new(false, None) };
            steps.step("this needs a tool", || Ok(Done::NotRun("there is no tool".into())));
            steps.step("this is for others", || Ok(Done::Inapplicable("this is another machine".into())));
            assert_eq!(steps.count(), expected);
        }
    }

    #[test]
    fn failing_fast_runs_no_step_after_the_first_that_failed() {
        let mut steps = Steps::new(true, None);
        steps.check("this fails", || Err("why".into()));
        steps.check("never run", || panic!("it was"));
        assert_eq!(steps.count(), "0 passed, 1 failed, 0 skipped");
    }
}
