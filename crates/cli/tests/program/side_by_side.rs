//! Runs our program and GNU's with the same arguments and compares their output and exit status.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The program: the one that is released where `cargo xtask test` compiles the tests, which starts in a third
/// of the time; otherwise the one of the tests' build.
pub(crate) const OURS: &str = match option_env!("HASHLANES_TEST_PROGRAM") {
    Some(released) => released,
    None => env!("CARGO_BIN_EXE_hashlanes"),
};

/// The tools both sides have.
pub(crate) const TOOLS: [&str; 5] = ["sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"];

/// One run: a tool, its arguments, and where it runs.
pub(crate) struct Run<'a> {
    pub(crate) tool: &'a str,
    pub(crate) args: Vec<OsString>,
    pub(crate) stdin: &'a [u8],
    pub(crate) directory: &'a Path,
    pub(crate) env: Vec<(&'a str, &'a str)>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        tool: &'a str,
        args: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Run { tool, args, stdin: b"", directory, env: vec![("LC_ALL", "C.UTF-8")] }
    }

    pub(crate) fn stdin(mut self, stdin: &'a [u8]) -> Self {
        self.stdin = stdin;
        self
    }

    pub(crate) fn env(mut self, name: &'a str, value: &'a str) -> Self {
        self.env.push((name, value));
        self
    }

    fn start(&self, command: &mut Command) -> Output {
        command.current_dir(self.directory).envs(self.env.iter().copied());
        feed(command, self.stdin)
    }

    fn gnu(&self) -> Output {
        self.start(Command::new(self.tool).args(&self.args))
    }

    /// Under GNU's name, by the name of the file.
    pub(crate) fn named(&self) -> Output {
        self.start(Command::new(OURS).arg0(self.tool).args(&self.args))
    }

    fn subcommand(&self) -> Output {
        self.start(Command::new(OURS).arg(self.tool).args(&self.args))
    }

    /// `hashlanes sum`, reading in one of its ways; its name replaced in the messages.
    fn sum(&self, way: &str) -> Output {
        let hash = self.tool.strip_suffix("sum").unwrap();
        let asked = ["sum", way, "--algorithm", hash];
        let mut output = self.start(Command::new(OURS).args(asked).args(&self.args));
        let mut stderr = Vec::new();
        for line in output.stderr.split_inclusive(|b| *b == b'\n') {
            match line.strip_prefix(b"hashlanes: ") {
                Some(rest) => stderr.extend([self.tool.as_bytes(), b": ", rest].concat()),
                None => stderr.extend(line),
            }
        }
        let asked = format!("Try '{} --help'", self.tool);
        output.stderr = replace(&stderr, b"Try 'hashlanes sum --help'", asked.as_bytes());
        output
    }

    /// GNU, our personality by name and as a subcommand: all the same.
    pub(crate) fn compare(&self) {
        if let Some(gnu) = self.gnu_if_here() {
            self.assert_same("by name", &self.named(), &gnu);
            self.assert_same("as a subcommand", &self.subcommand(), &gnu);
        }
    }

    /// [`Run::compare`], and `hashlanes sum` too.
    pub(crate) fn compare_sum(&self) {
        if let Some(gnu) = self.gnu_if_here() {
            self.compare();
            for way in ways() {
                self.assert_same(way, &self.sum(way), &gnu);
            }
        }
    }

    fn is_check(&self) -> bool {
        let is_check = |arg: &OsString| {
            let arg = arg.to_string_lossy();
            arg.starts_with("--c") || (arg.starts_with('-') && !arg.starts_with("--") && arg.contains('c'))
        };
        self.args.iter().any(is_check)
    }

    fn gnu_if_here(&self) -> Option<Output> {
        gnu_is_here().then(|| self.gnu())
    }

    fn assert_same(&self, how: &str, ours: &Output, gnu: &Output) {
        let differing = |ours: &[u8], gnu: &[u8]| {
            let lines = |text: &[u8]| -> Vec<String> {
                text.split(|b| *b == b'\n').map(|line| line.escape_ascii().to_string()).collect()
            };
            let (ours, gnu) = (lines(ours), lines(gnu));
            let at = (0..).find(|k| ours.get(*k) != gnu.get(*k) || *k > ours.len()).expect("a line");
            format!("from line {at} on: ours {:?}, GNU's {:?}", ours.get(at), gnu.get(at))
        };
        let expected_of_9_1;
        let ours_as_gnu = match is_9_1() && self.is_check() {
            true => {
                expected_of_9_1 = verdicts_of_9_1(&ours.stdout);
                &expected_of_9_1[..]
            }
            false => &ours.stdout[..],
        };
        assert!(
            ours_as_gnu == gnu.stdout && ours.stderr == gnu.stderr && ours.status == gnu.status,
            "{} {:?} <<< {} ({how})\n{} {}\nstdout {}\nstderr {}",
            self.tool,
            self.args,
            self.stdin.escape_ascii(),
            ours.status,
            gnu.status,
            differing(ours_as_gnu, &gnu.stdout),
            differing(&ours.stderr, &gnu.stderr),
        );
    }
}

/// Returns the first line of the output of `sha256sum --version`.
fn version() -> &'static str {
    static VERSION: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    VERSION.get_or_init(|| {
        let version =
            Command::new("sha256sum").arg("--version").output().map(|o| o.stdout).unwrap_or_default();
        String::from_utf8_lossy(&version).lines().next().unwrap_or("absent").to_owned()
    })
}

fn is_9_1() -> bool {
    version().ends_with("(GNU coreutils) 9.1")
}

/// Returns the verdicts as 9.1 prints them: it escapes only names with a newline.
fn verdicts_of_9_1(verdicts: &[u8]) -> Vec<u8> {
    let line_of_9_1 = |line: &[u8]| {
        let Some(escaped) = line.strip_prefix(b"\\") else { return line.to_vec() };
        let mut name = Vec::new();
        let mut bytes = escaped.iter();
        while let Some(&byte) = bytes.next() {
            name.push(match (byte, byte == b'\\') {
                (_, true) => match bytes.next() {
                    Some(b'n') => return line.to_vec(),
                    Some(b'r') => b'\r',
                    other => *other.unwrap_or(&b'\\'),
                },
                (byte, false) => byte,
            });
        }
        name
    };
    verdicts.split_inclusive(|byte| *byte == b'\n').flat_map(line_of_9_1).collect()
}

/// Returns whether the tools to compare with have the versions whose texts ours equal. If not, the tests
/// print it and compare nothing.
pub(crate) fn gnu_is_here() -> bool {
    static HERE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *HERE.get_or_init(|| {
        let first = version();
        let here = is_9_1() || first.ends_with("(GNU coreutils) 9.7");
        if !here {
            eprintln!(
                "SKIPPED, not compared: sha256sum here is not that of GNU coreutils 9.7 or 9.1 but: {first}"
            );
        }
        here
    })
}

/// Runs a command to its end with this standard input.
pub(crate) fn feed(command: &mut Command, stdin: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input is not an error here.
            let _ = input.write_all(stdin);
        });
        child.wait_with_output().unwrap()
    })
}

/// `hashlanes` with these arguments, in a directory. `hashlanes sum` runs once in each of its ways to read
/// files; all must print and return the same.
pub(crate) fn hashlanes(directory: &Path, args: impl IntoIterator<Item = impl Into<OsString>>) -> Output {
    let mut args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    if args.first().is_none_or(|command| command != "sum") {
        return hashlanes_once(directory, &args);
    }
    let mut outputs = ways().iter().map(|way| {
        args.insert(1, way.into());
        let output = hashlanes_once(directory, &args);
        args.remove(1);
        (args.contains(&"--unordered".into()), output)
    });
    let first = outputs.next().expect("plain reads").1;
    for (is_unordered, other) in outputs {
        let printed = |output: &Output| {
            let mut lines: Vec<Vec<u8>> = output.stdout.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            if is_unordered {
                lines.sort();
            }
            lines
        };
        let same = printed(&first) == printed(&other) && first.stderr == other.stderr;
        assert!(same && first.status == other.status, "{first:?}\n{other:?}");
    }
    first
}

/// `hashlanes` with these arguments, in a directory: one run.
pub(crate) fn hashlanes_once(
    directory: &Path,
    args: impl IntoIterator<Item = impl Into<OsString>>,
) -> Output {
    let args = args.into_iter().map(Into::into);
    feed(Command::new(OURS).current_dir(directory).args(args).env("LC_ALL", "C.UTF-8"), b"")
}

/// The methods of `hashlanes sum` to read files on this machine.
pub(crate) fn ways() -> &'static [&'static str] {
    const WAYS: [&str; 2] = ["--io=read", "--io=uring"];
    static HERE: std::sync::OnceLock<&[&str]> = std::sync::OnceLock::new();
    HERE.get_or_init(|| {
        let tried = Command::new(OURS).args(["sum", WAYS[1], "/dev/null"]).output().unwrap();
        if tried.status.success() {
            return &WAYS;
        }
        eprintln!("SKIPPED, not tested: {}", String::from_utf8_lossy(&tried.stderr));
        &WAYS[..1]
    })
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|w| w == from) {
        out.extend([&rest[..at], to].concat());
        rest = &rest[at + from.len()..];
    }
    out.extend(rest);
    out
}

/// The most memory that a process has had so far; nothing once it has ended.
pub(crate) fn peak_kib(process: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok()
}
