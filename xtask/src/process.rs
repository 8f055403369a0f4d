//! Running a program and keeping its output.

use std::io::{self, Read};
use std::process::{Command, Stdio};

/// The end of a program, and its output.
pub(crate) struct Finished {
    pub(crate) succeeded: bool,
    /// Such as `exit status: 1` or `signal: 4 (SIGILL)`.
    pub(crate) status: String,
    /// Standard output and standard error, in the order in which they were printed.
    pub(crate) output: String,
}

impl Finished {
    /// Returns the output, or an error with it.
    pub(crate) fn checked(self) -> Result<String, String> {
        if self.succeeded { Ok(self.output) } else { Err(format!("{}\n{}", self.output, self.status)) }
    }
}

/// Runs a command without standard input; its two outputs come through one pipe, so they keep their order.
///
/// # Errors
/// If it cannot be started; the text names it.
pub(crate) fn run(command: &mut Command) -> Result<Finished, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start = |command: &mut Command| -> io::Result<Finished> {
        let (mut reader, writer) = io::pipe()?;
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // The command holds the writer's last copies of this process: the pipe must end with the child's.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut output = Vec::new();
        reader.read_to_end(&mut output)?;
        let status = child.wait()?;
        let output = String::from_utf8_lossy(&output).into_owned();
        Ok(Finished { succeeded: status.success(), status: status.to_string(), output })
    };
    start(command).map_err(|error| format!("{name}: {error}"))
}

/// Returns the standard output of a command.
///
/// # Errors
/// If it cannot be started or fails; the text contains its output to standard error.
pub(crate) fn stdout(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}\n{name}: {}", String::from_utf8_lossy(&output.stderr), output.status));
    }
    Ok(output.stdout)
}

/// Returns whether a program of this name is in PATH.
pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}
