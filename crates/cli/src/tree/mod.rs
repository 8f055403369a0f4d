//! `hashlanes tree`: files by a tree mode.
//!
//! | file | holds |
//! |---|---|
//! | `arguments.rs` | the command line, and which option is for which mode |
//! | `function.rs` | a mode with its parameters: what it makes of a file |
//! | `input.rs` `reading.rs` | a file, and the ways in which threads read it |
//! | `check.rs` | lists of results, read back |
//! | `proof.rs` `verifying.rs` | proofs of rfc6962: written, checked |
//! | `tree_out.rs` | levels and hash devices, written |
//!
//! Files are taken in batches: each thread hashes one after the other, alone. A long one whose chunks threads can share is put
//! aside and hashed by all of them together, when its turn comes to be printed.

mod arguments;
mod check;
mod function;
mod input;
mod proof;
mod reading;
mod tree_out;
mod verifying;

use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub(crate) use arguments::TreeArgs;
use rustix::fs::FileType;

use function::{Function, Threads, function};
use input::{Failure, Input};
use reading::Reading;
use verifying::{Leaf, Trusted};

use crate::escape::{escape, line_with_name};
use crate::hashing::Counters;
use crate::hex::bytes_of_hex;
use crate::limits::Limits;
use crate::message::{Speaker, say};
use crate::output::{Lines, Order, Output};
use crate::progress::{self, Found};

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
    if let Some(words) = args.useless() {
        return wrong(words);
    }
    let all_well = if args.parameters.verify_proof {
        match trusted(args) {
            Ok(trusted) => verify(speaker, args, &files, &trusted),
            Err(words) => return wrong(&words),
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
    let counters = Counters::default();
    let mut output = Output::new(hashing.speaker, Order::Kept);
    let mut number = 0;
    let mut all_well = true;
    let is_proof = args.parameters.prove.is_some();
    let mut report = |name: &[u8], (), result: Result<String, Failure>| {
        all_well &= result.is_ok();
        let lines = match result {
            Ok(text) if is_proof => Lines { out: format!("{text}\n").into_bytes(), ..Lines::default() },
            Ok(text) => Lines { out: line(&text, name, args.zero), ..Lines::default() },
            Err(failure) => {
                Lines { err: hashing.speaker.about_file(name, &failure.text()), ..Lines::default() }
            }
        };
        output.deliver(number, lines);
        output.flush_if_due();
        number += 1;
    };
    let mut named = files.iter().map(|name| (name.clone(), ()));
    progress::watched(
        args.progress,
        &counters,
        |found| find(&files, found),
        || {
            hashing.each(&mut named, &counters, &mut report);
        },
    );
    output.end();
    all_well
}

/// Looks at the lengths of all files, for progress.
fn find(files: &[Vec<u8>], found: &Found) {
    for name in files {
        let stat = if name == b"-" {
            rustix::fs::fstat(rustix::stdio::stdin())
        } else {
            rustix::fs::stat(&name[..])
        };
        let n_bytes = match stat {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile => None,
            Ok(stat) => Some(stat.st_size as u64),
            Err(_) => Some(0),
        };
        if !found.file(n_bytes) {
            return;
        }
    }
    found.is_all();
}

/// The line of a file.
fn line(text: &str, name: &[u8], zero: bool) -> Vec<u8> {
    if zero {
        return [text.as_bytes(), b"  ", name, b"\0"].concat();
    }
    line_with_name(format!("{text}  ").as_bytes(), name, b"")
}

/// What proofs are checked against.
fn trusted(args: &TreeArgs) -> Result<Trusted, String> {
    let digest = |option: &str, typed: &Option<String>| -> Result<Option<[u8; 32]>, String> {
        let Some(typed) = typed else { return Ok(None) };
        let digest = bytes_of_hex(typed).and_then(|digest| digest.try_into().ok());
        digest.map(Some).ok_or_else(|| format!("{option}: not 64 hexadecimal digits"))
    };
    let root =
        digest("--root", &args.parameters.root)?.ok_or("--root is needed: the root that is trusted")?;
    let new_root = digest("--new-root", &args.parameters.new_root)?;
    let leaf = args.parameters.leaf.as_deref().map(|name| {
        let name = name.as_os_str().as_bytes();
        Leaf::read(name).map_err(|failure| format!("--leaf {}: {}", shown(name), failure.text()))
    });
    let (n_leaves, index) = (args.parameters.tree_size, args.parameters.index);
    Ok(Trusted { root, n_leaves, new_root, leaf: leaf.transpose()?, index })
}

fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(&escape(name)).into_owned()
}

/// Checks proofs, and says what they show. Whether all hold.
fn verify(speaker: &Speaker, args: &TreeArgs, files: &[Vec<u8>], trusted: &Trusted) -> bool {
    let mut output = Output::new(speaker, Order::Kept);
    let mut all_well = true;
    for (number, name) in (0..).zip(files) {
        let result = verifying::verify(name, trusted);
        all_well &= result.is_ok();
        let shown = escape(name);
        let lines = match result {
            Ok(_) if args.quiet || args.status => Lines::default(),
            Ok(text) => {
                Lines { out: [&shown, &b": OK: "[..], text.as_bytes(), b"\n"].concat(), ..Lines::default() }
            }
            Err(_) if args.status => Lines::default(),
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
        counters: &Counters,
        report: Report<'_, T>,
    ) {
        loop {
            let batch: Vec<(Vec<u8>, T)> = files.take(BATCH).collect();
            if batch.is_empty() {
                return;
            }
            let (names, tags): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
            let mut outcomes = self.alone(&names, counters);
            for (name, tag) in names.iter().zip(tags) {
                let outcome = match outcomes.next() {
                    Some(outcome) => outcome,
                    None => self.begin(name, counters, names.len()),
                };
                let result = match outcome {
                    Outcome::Done(result) => result,
                    Outcome::Long(input) => self.hash(&input, counters, self.jobs),
                };
                report(name, tag, result);
            }
        }
    }

    /// What the threads make of a batch, each file on one of them. Nothing, if there is one thread: files are then begun as
    /// their turn comes.
    fn alone(&self, names: &[Vec<u8>], counters: &Counters) -> impl Iterator<Item = Outcome> + use<> {
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
                let outcome = self.begin(name, counters, names.len());
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

    /// Opens a file and hashes it on this thread; one that all threads share waits for them, if it is long or only reading
    /// tells its length.
    fn begin(&self, name: &[u8], counters: &Counters, n_files: usize) -> Outcome {
        let input = match Input::open(name) {
            Ok(input) => input,
            Err(failure) => return Outcome::Done(Err(failure)),
        };
        let is_shared = self.function.threads == Threads::ShareFiles || n_files == 1 || name == b"-";
        if is_shared && input.n_bytes().is_none_or(|n_bytes| n_bytes > LONG) {
            return Outcome::Long(input);
        }
        Outcome::Done(self.hash(&input, counters, 1))
    }

    fn hash(&self, input: &Input, counters: &Counters, jobs: usize) -> Result<String, Failure> {
        let result = self.function.of(&Reading { input, jobs, counters });
        counters.add(1, 0);
        result
    }
}
