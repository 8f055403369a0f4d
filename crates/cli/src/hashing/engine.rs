//! Many files at once: read, hashed in lanes, reported in order.
//!
//! Each worker repeats the first possible of these steps:
//!
//! ```text
//!   take    up to 64 files from the source; read the start of each into one buffer, one after another.
//!           Those that ended there (most files of most trees) are hashed by one `digest_many`; the
//!           others become long files, and their starts are hashed by one `update_many`.
//!   advance its long files: a read of each, one `update_many`; those that ended: one `finish_many`.
//!   wait    for long files that another worker has to give, for room in the output, or for the end.
//! ```
//!
//! There is no reader thread and no queue: a worker takes files from the source itself, under its lock, when
//! it has use for them. Nothing runs ahead, and one thread on one CPU never waits for another. A thread that
//! reads one long file ahead of its hasher was tried: 2 GiB in memory take 1.48 s then instead of 1.36 s (a
//! Xeon with AMX), as every line has to come from another core's cache. Which long files a worker advances is
//! `long_files`' business; files that may keep their reader waiting are handed over to `waiting_files`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};

use super::file_starts::{Start, Starts, Taken};
use super::function::{Function, Results};
use super::long_files::{LongFile, LongFiles, Step, Window};
use super::read_method::Rings;
use super::waiting_files::{self, Awaited, Numbered, Reader};
use super::{Reading, Reporter, Sum, lock};
use crate::files::{Entry, Identity, Source};
use crate::limits::Limits;
use crate::output::{Lines, Output};

/// Hashes all files of `source` with `function`, prints what `reporter` returns for them, and closes the
/// output.
pub(crate) fn run<S: Source, R: Reporter<S::Tag>>(
    function: &dyn Function,
    source: &mut S,
    reporter: &R,
    output: Output<'_>,
    reading: Reading,
    limits: Limits,
) {
    let at_most = source.at_most();
    let jobs = at_most.map_or(limits.jobs, |files| limits.jobs.min(files.max(1)));
    // A single file delays no other.
    let awaited = if at_most == Some(1) { 0 } else { limits.awaited };
    let engine = Engine::<S, R> {
        function,
        source: Mutex::new(InOrder { source, next: 0, ended: false }),
        long_files: LongFiles::new(),
        awaited: Awaited::new(awaited),
        reporter,
        output: Mutex::new(output),
        reading,
        limits,
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // If a thread cannot be started, the work continues with fewer.
            let _ = Builder::new().spawn_scoped(scope, || engine.work(scope));
        }
        engine.work(scope);
    });
    engine.output.into_inner().unwrap_or_else(PoisonError::into_inner).end();
}

struct Engine<'a, S: Source, R> {
    function: &'a dyn Function,
    source: Mutex<InOrder<'a, S>>,
    long_files: LongFiles<S::Tag>,
    awaited: Awaited<S::Tag>,
    reporter: &'a R,
    output: Mutex<Output<'a>>,
    reading: Reading,
    limits: Limits,
}

struct InOrder<'a, S> {
    source: &'a mut S,
    next: u64,
    ended: bool,
}

impl<S: Source, R: Reporter<S::Tag>> Engine<'_, S, R> {
    /// One worker, to the end.
    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let Limits { advanced, read_bytes, .. } = self.limits;
        or_exit(|| {
            let mut worker = Worker {
                engine: self,
                scope,
                starts: Starts::new(advanced.max(4), read_bytes, self.reading.changes),
                window: Window::new(),
                rings: Rings::new(self.reading.io),
            };
            worker.run();
        });
        // Awaited files may take longer; files known not to wait come first.
        lock(&self.output).flush();
    }

    /// Reads the files of that identity that are waited for, as long as there are any.
    fn await_files(&self, identity: Identity) {
        let mut buffer = vec![0; self.limits.read_bytes];
        while let Some((number, file, tag)) = self.awaited.next(identity) {
            lock(&self.output).flush();
            let read = waiting_files::hash(self.function, &file, &mut buffer);
            let sum = read.as_ref().map(waiting_files::Read::sum);
            let lines = self.reporter.report(&file, tag, sum.map_err(|error| *error));
            self.deliver(vec![(number, lines)]);
            self.long_files.output_changed();
        }
    }

    fn deliver(&self, lines: Vec<(u64, Lines)>) {
        let mut output = lock(&self.output);
        for (number, lines) in lines {
            output.deliver(number, lines);
        }
        output.flush_if_due();
    }

    /// Hashes the files' data in the buffer.
    fn hash_starts(&self, starts: Vec<(Taken<S::Tag>, Start)>, buffer: &[u8], outcome: &mut Outcome<S::Tag>) {
        let (mut whole, mut begun) = (Vec::with_capacity(starts.len()), Vec::new());
        for (taken, start) in starts {
            match start {
                Start::Failed(error) => {
                    let lines = self.reporter.report(&taken.file, taken.tag, Err(error));
                    outcome.lines.push((taken.number, lines));
                }
                Start::Whole { at, change } => whole.push((taken, at, change)),
                Start::Begun { at, fd, stamp } => {
                    let n_bytes = at.len() as u64;
                    let file = LongFile { taken, fd, stamp, begun: self.function.begin(), n_bytes };
                    begun.push((file, at));
                }
            }
        }
        let messages: Vec<&[u8]> = whole.iter().map(|(_, at, _)| &buffer[at.clone()]).collect();
        let result_bytes = self.function.result_bytes();
        let mut results = vec![0; messages.len() * result_bytes];
        self.function.digest_many(&messages, &mut Results::new(&mut results, result_bytes));
        for ((taken, at, change), results) in whole.into_iter().zip(results.chunks_exact(result_bytes)) {
            let sum = Sum { results, n_bytes: at.len() as u64, change };
            outcome.lines.push((taken.number, self.reporter.report(&taken.file, taken.tag, Ok(sum))));
        }
        let parts = begun.iter_mut().map(|(file, at)| (&mut file.begun, &buffer[at.clone()]));
        self.function.update_many(&mut parts.collect::<Vec<_>>());
        outcome.long.extend(begun.into_iter().map(|(file, _)| file));
    }
}

/// A panic is a bug; it must end the program and not leave others waiting.
fn or_exit(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        std::process::exit(101);
    }
}

struct Worker<'s, 'e, 'a, S: Source, R> {
    engine: &'s Engine<'a, S, R>,
    /// The place where threads for awaited files are started.
    scope: &'s Scope<'s, 'e>,
    starts: Starts,
    window: Window<S::Tag>,
    rings: Rings,
}

/// The results of starts: lines of files that ended, and files that continue.
struct Outcome<T> {
    lines: Vec<(u64, Lines)>,
    long: Vec<LongFile<T>>,
}

impl<S: Source, R: Reporter<S::Tag>> Worker<'_, '_, '_, S, R> {
    fn run(&mut self) {
        let engine = self.engine;
        engine.long_files.enter();
        loop {
            match engine.long_files.next_step(&mut self.window, &engine.limits, &engine.output) {
                Step::Take => self.take(),
                Step::Advance => self.advance(),
                Step::End => return,
            }
        }
    }

    fn advance(&mut self) {
        let Engine { function, limits, reporter, .. } = self.engine;
        let lines = self.window.advance(*function, limits.read_bytes, &mut self.rings, *reporter);
        self.engine.deliver(lines);
    }

    fn take(&mut self) {
        let limits = &self.engine.limits;
        let mut entries = Vec::new();
        let mut source = self.engine.source.try_lock().ok();
        if source.is_none() && self.window.is_empty() {
            // Another worker is taking, and may have to wait for its input.
            lock(&self.engine.output).flush();
            source = Some(lock(&self.engine.source));
        }
        if let Some(mut source) = source {
            while entries.len() < limits.taken && !source.ended {
                if source.source.next_may_wait() {
                    if !entries.is_empty() {
                        break;
                    }
                    lock(&self.engine.output).flush();
                }
                match source.source.next() {
                    Some(entry) => {
                        entries.push((source.next, entry));
                        source.next += 1;
                    }
                    None => source.ended = true,
                }
            }
            if source.ended {
                self.engine.long_files.source_ended();
            }
        }
        if !entries.is_empty() {
            self.hash_entries(entries);
        } else if !self.window.is_empty() {
            self.advance();
        }
    }

    fn hash_entries(&mut self, entries: Vec<(u64, Entry<S::Tag>)>) {
        let engine = self.engine;
        let mut outcome = Outcome { lines: Vec::with_capacity(entries.len()), long: Vec::new() };
        let (mut files, mut ours) = (Vec::with_capacity(entries.len()), Vec::new());
        for (number, entry) in entries {
            let (file, tag) = match entry {
                Entry::Said(said) => {
                    outcome.lines.push((number, said));
                    continue;
                }
                Entry::File(file, tag) => (file, tag),
            };
            match file.awaited() {
                None => files.push(Taken { number, file, tag }),
                Some(identity) => {
                    if self.hand_over(identity, (number, file, tag)) == Reader::Caller {
                        ours.push(identity);
                    }
                }
            }
        }
        self.hash_files(files, &mut outcome);
        engine.deliver(outcome.lines);
        engine.long_files.give(outcome.long);
        for identity in ours {
            engine.await_files(identity);
        }
    }

    /// Reads a file that may wait.
    fn hand_over(&self, identity: Identity, file: Numbered<S::Tag>) -> Reader {
        let engine = self.engine;
        let reader = engine.awaited.join(identity, file);
        if reader != Reader::NewThread {
            return reader;
        }
        let thread = Builder::new().spawn_scoped(self.scope, move || {
            or_exit(|| engine.await_files(identity));
            engine.awaited.thread_ended();
        });
        if thread.is_err() {
            engine.awaited.thread_ended();
            return Reader::Caller;
        }
        reader
    }

    /// Reads the starts of files and hashes them, a buffer-full at a time.
    fn hash_files(&mut self, files: Vec<Taken<S::Tag>>, outcome: &mut Outcome<S::Tag>) {
        let engine = self.engine;
        if !files.is_empty() {
            self.starts.read(files, &mut self.rings, &mut |starts, buffer| {
                engine.hash_starts(starts, buffer, outcome);
            });
        }
    }
}
