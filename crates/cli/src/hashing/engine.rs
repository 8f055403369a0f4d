//! Many files at once: read, hashed in lanes, reported in order.
//!
//! Each worker repeats the first of these that there is to do:
//!
//! ```text
//!   take    up to 64 files from the source; read the start of each into one buffer, one behind the other.
//!           Those that ended there (most files of most trees) are hashed by one `digest_many`; the
//!           others become long files, and their starts are hashed by one `update_many`.
//!   advance its long files: a read of each, one `update_many`; those that ended: one `finish_many`.
//!   wait    for long files that another worker has to give, for room in the output, or for the end.
//! ```
//!
//! There is no reader thread and no queue: a worker takes files from the source itself, under its lock, when
//! it has use for them. Nothing runs ahead, and one thread on one CPU never waits for another.
//! Which long files a worker advances is `long_files`' business.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use rustix::io::Errno;

use super::function::{Function, Results};
use super::long_files::{LongFile, LongFiles, Step, Window};
use super::pace::Rings;
use super::starts::{Start, Starts, Taken};
use super::{Reading, Reporter, Sum, lock};
use crate::files::{Change, Entry, Origin, Source, Stamp, read};
use crate::limits::Limits;
use crate::output::{Lines, Output};

/// Hashes all files of `source` by `function`, prints what `reporter` makes of them, and ends the output.
pub(crate) fn run<S: Source, R: Reporter<S::Tag>>(
    function: &dyn Function,
    source: &mut S,
    reporter: &R,
    output: Output<'_>,
    reading: Reading,
    limits: Limits,
) {
    let jobs = source.at_most().map_or(limits.jobs, |files| limits.jobs.min(files.max(1)));
    let engine = Engine::<S, R> {
        function,
        source: Mutex::new(Numbered { source, next: 0, ended: false }),
        long_files: LongFiles::new(),
        standard_input: StandardInput { turn: Mutex::new(0), changed: Condvar::new() },
        reporter,
        output: Mutex::new(output),
        reading,
        limits,
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // A thread that cannot be had is one fewer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || engine.work());
        }
        engine.work();
    });
    engine.output.into_inner().unwrap_or_else(PoisonError::into_inner).end();
}

struct Engine<'a, S: Source, R> {
    function: &'a dyn Function,
    source: Mutex<Numbered<'a, S>>,
    long_files: LongFiles<S::Tag>,
    standard_input: StandardInput,
    reporter: &'a R,
    output: Mutex<Output<'a>>,
    reading: Reading,
    limits: Limits,
}

struct Numbered<'a, S> {
    source: &'a mut S,
    next: u64,
    ended: bool,
}

/// Files named `-` read standard input one after the other, in order.
struct StandardInput {
    turn: Mutex<u64>,
    changed: Condvar,
}

impl<S: Source, R: Reporter<S::Tag>> Engine<'_, S, R> {
    /// One worker, to the end. A panic is a bug; it must end the program and not leave others waiting.
    fn work(&self) {
        let Limits { advanced, read_bytes, .. } = self.limits;
        let mut worker = Worker {
            engine: self,
            starts: Starts::new(advanced.max(4), read_bytes, self.reading.changes),
            window: Window::new(),
            rings: Rings::new(self.reading.io),
        };
        if catch_unwind(AssertUnwindSafe(|| worker.run())).is_err() {
            std::process::exit(101);
        }
    }

    fn deliver(&self, lines: Vec<(u64, Lines)>) {
        let mut output = lock(&self.output);
        for (number, lines) in lines {
            output.deliver(number, lines);
        }
        output.flush_if_due();
    }

    /// Hashes what the buffer holds of files.
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

struct Worker<'e, 'a, S: Source, R> {
    engine: &'e Engine<'a, S, R>,
    starts: Starts,
    window: Window<S::Tag>,
    rings: Rings,
}

/// What comes out of starts: lines of files that ended, and files that go on.
struct Outcome<T> {
    lines: Vec<(u64, Lines)>,
    long: Vec<LongFile<T>>,
}

impl<S: Source, R: Reporter<S::Tag>> Worker<'_, '_, S, R> {
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
        let mut files = Vec::with_capacity(entries.len());
        for (number, entry) in entries {
            match entry {
                Entry::Said(said) => outcome.lines.push((number, said)),
                Entry::File(file, tag) => {
                    let taken = Taken { number, file, tag };
                    let Origin::StandardInput(turn) = taken.file.origin else {
                        files.push(taken);
                        continue;
                    };
                    // It may keep us waiting: first say what is known.
                    self.hash_files(std::mem::take(&mut files), &mut outcome);
                    engine.deliver(std::mem::take(&mut outcome.lines));
                    lock(&engine.output).flush();
                    outcome.lines.push((number, self.hash_standard_input(taken, turn)));
                }
            }
        }
        self.hash_files(files, &mut outcome);
        engine.deliver(outcome.lines);
        engine.long_files.give(outcome.long);
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

    fn hash_standard_input(&mut self, taken: Taken<S::Tag>, turn: u64) -> Lines {
        let Engine { function, limits, reporter, standard_input, .. } = self.engine;
        let buffer = &mut self.starts.buffer()[..limits.read_bytes];
        let read = standard_input.hash(*function, turn, buffer);
        let sum = read.as_ref().map(StandardInputRead::sum).map_err(|error| *error);
        reporter.report(&taken.file, taken.tag, sum)
    }
}

/// What standard input gave.
struct StandardInputRead {
    results: Vec<u8>,
    n_bytes: u64,
    change: Change,
}

impl StandardInputRead {
    fn sum(&self) -> Sum<'_> {
        Sum { results: &self.results, n_bytes: self.n_bytes, change: self.change }
    }
}

impl StandardInput {
    /// What standard input gives from here to its end, when it is our turn.
    fn hash(
        &self,
        function: &dyn Function,
        turn: u64,
        buffer: &mut [u8],
    ) -> Result<StandardInputRead, Errno> {
        let mut now = lock(&self.turn);
        while *now != turn {
            now = self.changed.wait(now).unwrap_or_else(PoisonError::into_inner);
        }
        let stamp = Stamp::of_regular(rustix::stdio::stdin());
        let mut begun = function.begin();
        let mut n_bytes = 0;
        let read = loop {
            match read(rustix::stdio::stdin(), buffer) {
                Ok(0) => break Ok(()),
                Ok(n) => {
                    n_bytes += n as u64;
                    function.update_many(&mut [(&mut begun, &buffer[..n])]);
                }
                Err(error) => break Err(error),
            }
        };
        let change = stamp.map_or(Change::NotSeen, |stamp| stamp.change(rustix::stdio::stdin()));
        let mut results = vec![0; function.result_bytes()];
        function.finish_many(&mut [&mut begun], &mut Results::new(&mut results, function.result_bytes()));
        *now += 1;
        self.changed.notify_all();
        read.map(|()| StandardInputRead { results, n_bytes, change })
    }
}
