//! The programs that hash files: ours, and those in common use.

use super::corpus::Corpus;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// The function that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sha256,
    /// SHA-256 in sixteen lanes: a tree mode, which no other program has.
    JLanes,
    /// Linux's fs-verity digest.
    FsVerity,
}

impl Function {
    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Sha256 => "sha256",
            Function::JLanes => "jlanes-v1-sha256-16",
            Function::FsVerity => "fs-verity",
        }
    }
}

/// The form of a tool's command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// The form of our program.
    Ours,
    /// File names as arguments, passed by `xargs`, which starts the tool at least once for each CPU.
    Names(&'static str),
    /// The same; the tool computes only BLAKE3.
    Blake3(&'static str),
    /// File names as arguments, only for fs-verity.
    FsVerity(&'static str),
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    /// The command that installs it.
    pub(super) install: &'static str,
    program: PathBuf,
    call: Call,
}

/// Our program, from the same build directory as this one.
///
/// # Errors
/// If it is missing.
pub(super) fn ours() -> Result<Tool, String> {
    let install = "cargo build --release -p hashlanes-cli";
    let this = std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
    let program = this.with_file_name("hashlanes");
    if !program.is_file() {
        return Err(format!("{} is not there: {install}", program.display()));
    }
    Ok(Tool { name: "hashlanes".into(), install, program, call: Call::Ours })
}

/// The others.
pub(super) fn rivals() -> Vec<Tool> {
    let tool = |name: &str, install, call| Tool { name: name.into(), install, program: name.into(), call };
    vec![
        tool("sha256sum", "apt-get install coreutils", Call::Names("sha256sum")),
        tool("openssl", "apt-get install openssl", Call::Names("openssl dgst -sha256")),
        tool("rhash", "apt-get install rhash", Call::Names("rhash --sha256")),
        tool("hashdeep", "apt-get install hashdeep", Call::Names("hashdeep -s -c sha256")),
        tool("b3sum", "cargo install b3sum", Call::Blake3("b3sum --num-threads 1")),
        tool("fsverity", "apt-get install fsverity", Call::FsVerity("fsverity digest")),
    ]
}

impl Tool {
    /// Returns whether it takes part in a contest of `function`: BLAKE3 is a yardstick for every serial hash
    /// and every tree mode.
    pub(super) fn can(&self, function: Function) -> bool {
        match self.call {
            Call::Ours => true,
            Call::Names(_) => function == Function::Sha256,
            Call::Blake3(_) => function != Function::FsVerity,
            Call::FsVerity(_) => function == Function::FsVerity,
        }
    }

    /// Returns whether it computes that function.
    pub(super) fn computes(&self, function: Function) -> bool {
        self.can(function) && !matches!(self.call, Call::Blake3(_))
    }

    /// Returns its version if it is installed: the first word of its first line that looks like a version.
    pub(super) fn version(&self) -> Option<String> {
        let option = if self.name == "openssl" { "version" } else { "--version" };
        // hashdeep and others without the long option have a short one.
        let say = |option| Command::new(&self.program).arg(option).stdin(Stdio::null()).output();
        let said = [option, "-V"]
            .into_iter()
            .map(say)
            .find(|said| said.as_ref().map_or(true, |s| s.status.success()));
        let said = said?.ok()?;
        let text = String::from_utf8_lossy(&said.stdout);
        let mut words = text.lines().next().unwrap_or_default().split_whitespace();
        let number = |word: &str| word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        Some(words.find(|word| number(word)).unwrap_or_default().into())
    }

    /// Its command line for a shell, over the files below `root`.
    pub(super) fn shell(&self, function: Function, root: &str, files: usize, cpus: usize) -> String {
        let tool = match (self.call, function) {
            (Call::Ours, Function::Sha256) => return format!("hashlanes sum -r -j {cpus} {root}"),
            (Call::Ours, _) => return format!("hashlanes tree -m {} -j {cpus} {root}/*/*", function.name()),
            (Call::Names(tool) | Call::Blake3(tool) | Call::FsVerity(tool), _) => tool,
        };
        match cpus {
            1 => format!("find {root} -type f -print0 | xargs -0 {tool}"),
            // Enough parts that all CPUs end at about the same time.
            _ => format!(
                "find {root} -type f -print0 | xargs -0 -P {cpus} -n {} {tool}",
                files.div_ceil(8 * cpus)
            ),
        }
    }

    /// Returns the command, restricted to these CPUs.
    pub(super) fn command(&self, function: Function, corpus: &Corpus, cpus: &[usize]) -> Command {
        let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
        let root = format!("'{}'", corpus.root().display().to_string().replace('\'', "'\\''"));
        let mut shell = self.shell(function, &root, corpus.files(), cpus.len());
        if self.call == Call::Ours {
            let program = self.program.display().to_string().replace('\'', "'\\''");
            shell = shell.replacen("hashlanes", &format!("exec '{program}'"), 1);
        }
        let mut command = Command::new("taskset");
        command
            .args(["-c", &list.join(","), "sh", "-c", &shell])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit());
        command
    }

    /// Returns its output: the digests, sorted. On one CPU, because lines of several processes may be mixed.
    ///
    /// # Errors
    /// If it fails.
    pub(super) fn digests(
        &self,
        function: Function,
        corpus: &Corpus,
        cpu: usize,
    ) -> Result<Vec<String>, String> {
        let output = self.command(function, corpus, &[cpu]).output();
        let output = output.map_err(|error| format!("{}: {error}", self.name))?;
        ended_well(&self.name, Ok(output.status))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let is_digest = |word: &&str| word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
        let mut digests: Vec<String> = words.filter(is_digest).map(str::to_owned).collect();
        digests.sort_unstable();
        Ok(digests)
    }
}

/// Checks that a process succeeded.
///
/// # Errors
/// If it failed.
pub(super) fn ended_well(name: &str, status: io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: ended with {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
