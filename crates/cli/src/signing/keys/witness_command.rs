//! A witness that is a command: its arguments, its answers, and its time limit. `hashlanes help key` has the
//! contract.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use hashlanes::hbs::store::{ExternalWitness, Witnessed};
use hashlanes_formats::encoding::hex;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::message::io_reason;

/// Two numbers of 20 digits, spaces and a line end are shorter.
const MOST_BYTES: u64 = 128;
/// The interval at which a command that closed its output is asked whether it ended.
const INTERVAL: Duration = Duration::from_millis(2);

/// A witness that is a command.
#[derive(Debug)]
pub(super) struct WitnessCommand {
    /// The command, for a shell.
    command: String,
    /// How long it may run.
    limit: Duration,
}

impl WitnessCommand {
    pub(super) fn new(command: String, limit: Duration) -> Self {
        Self { command, limit }
    }

    /// Runs the command with these arguments. Returns its standard output.
    fn run(&self, args: &[&str]) -> Result<String, String> {
        let action = args[0];
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("{} \"$@\"", self.command), "witness"]).args(args);
        // A group of its own, of which nothing is left after the time limit.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        let failed = |error| format!("{action}: cannot run: {}", io_reason(&error));
        let mut running = Running { child: command.spawn().map_err(failed)?, has_ended: false };
        let ends = Instant::now() + self.limit;
        let late =
            || format!("{action}: no answer within {} s (--witness-timeout)", self.limit.as_secs_f64());

        let (sender, receiver) = mpsc::channel();
        let pipe = running.child.stdout.take().expect("it is piped");
        let reading = move || {
            let mut output = Vec::new();
            let read = pipe.take(MOST_BYTES + 1).read_to_end(&mut output);
            // Nobody receives it after the time limit.
            let _ = sender.send(read.map(|_| output));
        };
        std::thread::Builder::new().spawn(reading).map_err(failed)?;
        let output = receiver.recv_timeout(self.limit).map_err(|_| late())?.map_err(failed)?;
        if output.len() as u64 > MOST_BYTES {
            return Err(format!("{action}: its output is longer than {MOST_BYTES} bytes"));
        }
        let status = loop {
            match running.ended().map_err(failed)? {
                Some(status) => break status,
                None if Instant::now() >= ends => return Err(late()),
                None => std::thread::sleep(INTERVAL),
            }
        };
        if !status.success() {
            return Err(format!("{action}: the command failed: {status}"));
        }
        String::from_utf8(output).map_err(|_| format!("{action}: its output is not text"))
    }
}

/// A running command. If it is not known to have ended, it is killed with all its processes when it is
/// dropped.
struct Running {
    child: Child,
    has_ended: bool,
}

impl Running {
    fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.has_ended = status.is_some();
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Until it is waited for, its number is its own, even if it has ended and left processes.
        if !self.has_ended
            && let Some(group) = Pid::from_raw(self.child.id().cast_signed())
        {
            let _ = kill_process_group(group, Signal::KILL);
            let _ = self.child.wait();
        }
    }
}

impl ExternalWitness for WitnessCommand {
    fn name(&self) -> String {
        format!("{:?}", self.command)
    }

    fn last(&self, key: &[u8; 32]) -> Result<Option<Witnessed>, String> {
        parsed(&self.run(&["read", &hex(key)])?)
    }

    fn record(&self, key: &[u8; 32], new: Witnessed) -> Result<(), String> {
        let numbers = [new.generation, new.next.unwrap_or_default()].map(|number| number.to_string());
        self.run(&["record", &hex(key), &numbers[0], &numbers[1]]).map(drop)
    }
}

/// The answer of `read`: nothing, `GENERATION`, or `GENERATION NEXT`.
fn parsed(output: &str) -> Result<Option<Witnessed>, String> {
    let garbage = || format!("read: expected GENERATION and NEXT, two numbers, but got {output:?}");
    let number = |word: &str| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| word.parse::<u64>().ok()).flatten().ok_or_else(garbage)
    };
    let words: Vec<&str> = output.split_ascii_whitespace().collect();
    match words[..] {
        [] => Ok(None),
        [generation] => Ok(Some(Witnessed { generation: number(generation)?, next: None })),
        [generation, next] => {
            Ok(Some(Witnessed { generation: number(generation)?, next: Some(number(next)?) }))
        }
        _ => Err(garbage()),
    }
}
