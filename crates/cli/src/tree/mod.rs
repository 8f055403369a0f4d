//! `hashlanes tree`: files by a tree mode.
//!
//! | file | holds |
//! |---|---|
//! | `arguments.rs` | the command line, and which option is for which mode |
//! | `function.rs` | a mode with its parameters: what it makes of a file |
//! | `input.rs` `reading.rs` | a file, and the ways in which threads read it |
//! | `check.rs` | lists of results, read back |
//! | `proof.rs` | proofs of rfc6962 |
//! | `progress.rs` | how much is read |
//!
//! Files are taken in batches: each thread hashes one after the other, alone. A long one is put aside and hashed by all
//! threads together, when its turn comes to be printed.

mod arguments;
mod check;
mod function;
mod input;
mod progress;
mod proof;
mod reading;

use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub(crate) use arguments::TreeArgs;
use function::{Function, function};
use input::{Failure, Input};
use progress::Progress;
use reading::Reading;

use crate::escape::escape;
use crate::hex::bytes_of_hex;
use crate::limits::Limits;
use crate::message::{Speaker, say};
use crate::output::{Lines, Order, Output};

/// Files that threads take from together.
const BATCH: usize = 256;
/// A longer file is hashed by all threads.
const LONG: u64 = 8 << 20;

/// Does what is asked.
pub(crate) fn run(speaker: &Speaker, args: &TreeArgs) -> ExitCode {
    let wrong = |text: &str| {
        say(&speaker.line(text));
        say(&speaker.try_help(" tree"));
        ExitCode::from(2)
    };
    let function = match function(args) {
        Ok(function) => function,
        Err(text) => return wrong(&text),
    };
    let files: Vec<Vec<u8>> = match args.files.is_empty() {
        true => vec![b"-".to_vec()],
        false => args.files.iter().cloned().map(OsStringExt::into_vec).collect(),
    };
    if args.parameters.tree_out.is_some() && (files.len() > 1 || args.check) {
        return wrong("--tree-out is for one file, whose tree it gets");
    }
    let all_well = if args.parameters.verify_proof {
        let root = args.parameters.root.as_deref().and_then(bytes_of_hex);
        match root.and_then(|root| root.try_into().ok()) {
            Some(root) => verify(speaker, &files, &root),
            None => return wrong("--root: not 64 hexadecimal digits"),
        }
    } else {
        let jobs = Limits::of_process(args.jobs.map(std::num::NonZero::get)).jobs;
        let hashing = Hashing { speaker, function: &function, jobs };
        if args.check { check::check(&hashing, args, &files) } else { print(&hashing, args, files) }
    };
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a line for each file. Whether all could be hashed.
fn print(hashing: &Hashing<'_>, args: &TreeArgs, files: Vec<Vec<u8>>) -> bool {
    let progress = Progress::of(bytes_of(&files));
    let mut output = Output::new(hashing.speaker, Order::Kept);
    let mut number = 0;
    let mut all_well = true;
    let is_proof = args.parameters.prove.is_some();
    let mut files = files.into_iter().map(|name| (name, ()));
    hashing.each(&mut files, &progress, &mut |name, (), result| {
        all_well &= result.is_ok();
        let lines = match result {
            Ok(text) if is_proof => Lines { out: format!("{text}\n").into_bytes(), ..Lines::default() },
            Ok(text) => Lines { out: line(&text, name, args.zero), ..Lines::default() },
            Err(failure) => {
                Lines { err: hashing.speaker.about_file(name, &failure.text()), ..Lines::default() }
            }
        };
        progress.suspend(|| {
            output.deliver(number, lines);
            output.flush_if_due();
        });
        number += 1;
    });
    progress.end();
    output.flush();
    all_well
}

/// Bytes of files that are known to have some.
fn bytes_of(files: &[Vec<u8>]) -> Option<u64> {
    let stat = |name: &Vec<u8>| Some(rustix::fs::stat(&name[..]).ok()?.st_size as u64).filter(|n| *n > 0);
    files.iter().filter(|name| *name != b"-").map(stat).try_fold(0u64, |sum, n| sum.checked_add(n?))
}

/// The line of a file.
fn line(text: &str, name: &[u8], zero: bool) -> Vec<u8> {
    if zero {
        return [text.as_bytes(), b"  ", name, b"\0"].concat();
    }
    let shown = escape(name);
    let mark: &[u8] = if shown.len() > name.len() { b"\\" } else { b"" };
    [mark, text.as_bytes(), b"  ", &shown, b"\n"].concat()
}

/// Checks proofs, and says what they show. Whether all hold.
fn verify(speaker: &Speaker, files: &[Vec<u8>], root: &[u8; 32]) -> bool {
    let mut output = Output::new(speaker, Order::Kept);
    let mut all_well = true;
    for (number, name) in (0..).zip(files) {
        let result = proof::verify(name, root);
        all_well &= result.is_ok();
        let shown = escape(name);
        let lines = match result {
            Ok(text) => {
                Lines { out: [&shown, &b": OK: "[..], text.as_bytes(), b"\n"].concat(), ..Lines::default() }
            }
            Err(failure) => Lines {
                out: [&shown, &b": FAILED\n"[..]].concat(),
                err: speaker.about_file(name, &failure.text()),
                ..Lines::default()
            },
        };
        output.deliver(number, lines);
    }
    output.flush();
    all_well
}

/// What is told of a file: its name, what its list knows of it, the result.
type Report<'r, T> = &'r mut dyn FnMut(&[u8], T, Result<String, Failure>);

/// How files are hashed.
struct Hashing<'a> {
    speaker: &'a Speaker,
    function: &'a Function,
    jobs: usize,
}

/// What becomes of a file in its batch.
enum Outcome {
    Done(Result<String, Failure>),
    /// For all threads.
    Long(Input),
}

impl Hashing<'_> {
    /// Hashes files, and reports them in order.
    fn each<T>(
        &self,
        files: &mut dyn Iterator<Item = (Vec<u8>, T)>,
        progress: &Progress,
        report: Report<'_, T>,
    ) {
        loop {
            let batch: Vec<(Vec<u8>, T)> = files.take(BATCH).collect();
            if batch.is_empty() {
                return;
            }
            let (names, tags): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
            let mut outcomes = self.alone(&names, progress);
            for (name, tag) in names.iter().zip(tags) {
                let outcome = match outcomes.next() {
                    Some(outcome) => outcome,
                    None => self.begin(name, progress),
                };
                let result = match outcome {
                    Outcome::Done(result) => result,
                    Outcome::Long(input) => self.hash(&input, progress, self.jobs),
                };
                report(name, tag, result);
            }
        }
    }

    /// What the threads make of a batch, each file on one of them. Nothing, if there is one thread: files are then begun as
    /// their turn comes.
    fn alone(&self, names: &[Vec<u8>], progress: &Progress) -> impl Iterator<Item = Outcome> + use<> {
        let n_threads = if names.len() == 1 { 1 } else { self.jobs.min(names.len()) };
        if n_threads == 1 {
            return Vec::new().into_iter();
        }
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        let one = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(name) = names.get(number) else { return };
                let outcome = self.begin(name, progress);
                outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((number, outcome));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                // A thread that cannot be had is one fewer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, one);
            }
            one();
        });
        let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        outcomes.sort_unstable_by_key(|(number, _)| *number);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect::<Vec<_>>().into_iter()
    }

    /// Opens a file and hashes it on this thread; a long one, and one of which only reading tells the length, waits for all
    /// threads.
    fn begin(&self, name: &[u8], progress: &Progress) -> Outcome {
        let input = match Input::open(name) {
            Ok(input) => input,
            Err(failure) => return Outcome::Done(Err(failure)),
        };
        if input.n_bytes().is_none_or(|n_bytes| n_bytes > LONG) {
            return Outcome::Long(input);
        }
        Outcome::Done(self.hash(&input, progress, 1))
    }

    fn hash(&self, input: &Input, progress: &Progress, jobs: usize) -> Result<String, Failure> {
        (self.function)(&Reading { input, jobs, progress })
    }
}
