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
//! Which long files a worker advances is `long_files`' business; files that may keep their reader waiting are handed over
//! to `awaited`.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};

use super::awaited::{self, Awaited, Numbered, Reader};
use super::function::{Function, Results};
use super::long_files::{LongFile, LongFiles, Step, Window};
use super::{Reporter, Sum, lock};
use crate::files::{End, Entry, File, Identity, Source};
use crate::limits::Limits;
use crate::output::{Lines, Output};

/// Hashes all files of `source` by `function`, prints what `reporter` makes of them, and ends the output.
pub(crate) fn run<S: Source, R: Reporter<S::Tag>>(
    function: &dyn Function,
    source: &mut S,
    reporter: &R,
    output: Output<'_>,
    limits: Limits,
) {
    let at_most = source.at_most();
    let jobs = at_most.map_or(limits.jobs, |files| limits.jobs.min(files.max(1)));
    // One file alone holds up no other.
    let awaited = if at_most == Some(1) { 0 } else { limits.awaited };
    let engine = Engine::<S, R> {
        function,
        source: Mutex::new(InOrder { source, next: 0, ended: false }),
        long_files: LongFiles::new(),
        awaited: Awaited::new(awaited),
        reporter,
        output: Mutex::new(output),
        limits,
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // A thread that cannot be had is one fewer.
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
        or_exit(|| Worker { engine: self, scope, buffer: Vec::new(), window: Window::new() }.run());
        // Awaited files may take longer; what is known is not to wait for them.
        lock(&self.output).flush();
    }

    /// Reads the files of that identity that are waited for, as long as there are any.
    fn await_files(&self, identity: Identity) {
        let mut buffer = vec![0; self.limits.read_bytes];
        while let Some((number, file, tag)) = self.awaited.next(identity) {
            lock(&self.output).flush();
            let read = awaited::hash(self.function, &file, &mut buffer);
            let sum = read.as_ref().map(|(results, n_bytes)| Sum { results, n_bytes: *n_bytes });
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
}

/// A panic is a bug; it must end the program and not leave others waiting.
fn or_exit(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        std::process::exit(101);
    }
}

struct Worker<'s, 'e, 'a, S: Source, R> {
    engine: &'s Engine<'a, S, R>,
    /// Where threads for awaited files are begun.
    scope: &'s Scope<'s, 'e>,
    /// Starts of files, one behind the other.
    buffer: Vec<u8>,
    window: Window<S::Tag>,
}

/// Files whose starts are in the buffer.
struct Taken<T> {
    whole: Vec<(u64, File, T, Range<usize>)>,
    begun: Vec<(LongFile<T>, Range<usize>)>,
    used: usize,
}

impl<S: Source, R: Reporter<S::Tag>> Worker<'_, '_, '_, S, R> {
    fn run(&mut self) {
        let engine = self.engine;
        engine.long_files.enter();
        loop {
            match engine.long_files.next_step(&mut self.window, &engine.limits, &engine.output) {
                Step::Take => self.take(),
                Step::Advance => {
                    let lines =
                        self.window.advance(engine.function, engine.limits.read_bytes, engine.reporter);
                    engine.deliver(lines);
                }
                Step::End => return,
            }
        }
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
            self.hash_starts(entries);
        } else if !self.window.is_empty() {
            let lines = self.window.advance(self.engine.function, limits.read_bytes, self.engine.reporter);
            self.engine.deliver(lines);
        }
    }

    fn hash_starts(&mut self, entries: Vec<(u64, Entry<S::Tag>)>) {
        let engine = self.engine;
        let read_bytes = engine.limits.read_bytes;
        self.buffer.resize(read_bytes * engine.limits.advanced.max(4), 0);
        let mut taken = Taken { whole: Vec::new(), begun: Vec::new(), used: 0 };
        let mut lines = Vec::with_capacity(entries.len());
        let mut long = Vec::new();
        let mut ours = Vec::new();
        for (number, entry) in entries {
            let (file, tag) = match entry {
                Entry::Said(said) => {
                    lines.push((number, said));
                    continue;
                }
                Entry::File(file, tag) => (file, tag),
            };
            if let Some(identity) = file.awaited() {
                if self.hand_over(identity, (number, file, tag)) == Reader::Caller {
                    ours.push(identity);
                }
                continue;
            }
            if self.buffer.len() - taken.used < read_bytes {
                self.hash_buffer(&mut taken, &mut lines, &mut long);
            }
            let start = taken.used;
            let room = &mut self.buffer[start..start + read_bytes];
            let read = file.open().and_then(|fd| Ok((file.read_start(&fd, room)?, fd)));
            match read {
                Err(error) => lines.push((number, engine.reporter.report(&file, tag, Err(error)))),
                Ok(((n, end), fd)) => {
                    match end {
                        End::Seen => taken.whole.push((number, file, tag, start..start + n)),
                        End::NotSeen => {
                            let file = LongFile {
                                number,
                                file,
                                tag,
                                fd,
                                begun: engine.function.begin(),
                                n_bytes: n as u64,
                            };
                            taken.begun.push((file, start..start + n));
                        }
                    }
                    // Whole cache lines, and never a multiple of 4 KiB apart: lanes that read the same
                    // offsets of different pages fight over one set of the first-level cache.
                    taken.used = (start + n).next_multiple_of(64) + 64;
                    taken.used = taken.used.min(self.buffer.len());
                }
            }
        }
        self.hash_buffer(&mut taken, &mut lines, &mut long);
        engine.deliver(lines);
        engine.long_files.give(long);
        for identity in ours {
            engine.await_files(identity);
        }
    }

    /// Has a file read that may keep us waiting.
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

    /// Hashes what the buffer holds; it is free then.
    fn hash_buffer(
        &self,
        taken: &mut Taken<S::Tag>,
        lines: &mut Vec<(u64, Lines)>,
        long: &mut Vec<LongFile<S::Tag>>,
    ) {
        let function = self.engine.function;
        let messages: Vec<&[u8]> = taken.whole.iter().map(|(.., at)| &self.buffer[at.clone()]).collect();
        let result_bytes = function.result_bytes();
        let mut results = vec![0; messages.len() * result_bytes];
        function.digest_many(&messages, &mut Results::new(&mut results, result_bytes));
        for ((number, file, tag, at), results) in
            taken.whole.drain(..).zip(results.chunks_exact(result_bytes))
        {
            let sum = Sum { results, n_bytes: at.len() as u64 };
            lines.push((number, self.engine.reporter.report(&file, tag, Ok(sum))));
        }
        let parts = taken.begun.iter_mut().map(|(file, at)| (&mut file.begun, &self.buffer[at.clone()]));
        function.update_many(&mut parts.collect::<Vec<_>>());
        long.extend(taken.begun.drain(..).map(|(file, _)| file));
        taken.used = 0;
    }
}
