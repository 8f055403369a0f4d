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

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use hashlanes::{Algorithm, Hasher};
use rustix::io::Errno;

use super::long_files::{LongFile, LongFiles, Step, Window};
use super::{Reporter, lock};
use crate::files::{End, Entry, File, Origin, Source, read};
use crate::limits::Limits;
use crate::message::Speaker;
use crate::output::{Lines, Order, Output};

/// Hashes all files of `source` and prints what `reporter` makes of them.
pub(crate) fn run<A: Algorithm, S: Source, R: Reporter<S::Tag>>(
    source: &mut S,
    reporter: &R,
    speaker: &Speaker,
    order: Order,
    limits: Limits,
) {
    let jobs = source.at_most().map_or(limits.jobs, |files| limits.jobs.min(files.max(1)));
    let engine = Engine::<A, S, R> {
        source: Mutex::new(Numbered { source, next: 0, ended: false }),
        long_files: LongFiles::new(),
        standard_input: StandardInput { turn: Mutex::new(0), changed: Condvar::new() },
        reporter,
        output: Mutex::new(Output::new(speaker, order)),
        limits,
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            // A thread that cannot be had is one fewer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || engine.work());
        }
        engine.work();
    });
    lock(&engine.output).flush();
}

struct Engine<'a, A: Algorithm, S: Source, R> {
    source: Mutex<Numbered<'a, S>>,
    long_files: LongFiles<A, S::Tag>,
    standard_input: StandardInput,
    reporter: &'a R,
    output: Mutex<Output<'a>>,
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

impl<A: Algorithm, S: Source, R: Reporter<S::Tag>> Engine<'_, A, S, R> {
    /// One worker, to the end. A panic is a bug; it must end the program and not leave others waiting.
    fn work(&self) {
        let mut worker = Worker { engine: self, buffer: Vec::new(), window: Window::new() };
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
}

struct Worker<'e, 'a, A: Algorithm, S: Source, R> {
    engine: &'e Engine<'a, A, S, R>,
    /// Starts of files, one behind the other.
    buffer: Vec<u8>,
    window: Window<A, S::Tag>,
}

/// Files whose starts are in the buffer.
struct Taken<A: Algorithm, T> {
    whole: Vec<(u64, File, T, Range<usize>)>,
    begun: Vec<(LongFile<A, T>, Range<usize>)>,
    used: usize,
}

impl<A: Algorithm, S: Source, R: Reporter<S::Tag>> Worker<'_, '_, A, S, R> {
    fn run(&mut self) {
        let engine = self.engine;
        engine.long_files.enter();
        loop {
            match engine.long_files.next_step(&mut self.window, &engine.limits, &engine.output) {
                Step::Take => self.take(),
                Step::Advance => {
                    let lines = self.window.advance(engine.limits.read_bytes, engine.reporter);
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
            let lines = self.window.advance(limits.read_bytes, self.engine.reporter);
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
        for (number, entry) in entries {
            let (file, tag) = match entry {
                Entry::Said(said) => {
                    lines.push((number, said));
                    continue;
                }
                Entry::File(file, tag) => (file, tag),
            };
            if let Origin::StandardInput(turn) = file.origin {
                // It may keep us waiting: first say what is known.
                self.hash_buffer(&mut taken, &mut lines, &mut long);
                engine.deliver(std::mem::take(&mut lines));
                lock(&engine.output).flush();
                let digest = engine.standard_input.hash::<A>(turn, &mut self.buffer[..read_bytes]);
                let digest = digest.as_ref().map(AsRef::as_ref).map_err(|error| *error);
                lines.push((number, engine.reporter.report(&file, tag, digest)));
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
                            let file = LongFile { number, file, tag, fd, hasher: Hasher::new() };
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
    }

    /// Hashes what the buffer holds; it is free then.
    fn hash_buffer(
        &self,
        taken: &mut Taken<A, S::Tag>,
        lines: &mut Vec<(u64, Lines)>,
        long: &mut Vec<LongFile<A, S::Tag>>,
    ) {
        let messages: Vec<&[u8]> = taken.whole.iter().map(|(.., at)| &self.buffer[at.clone()]).collect();
        let mut digests = vec![A::ZERO_DIGEST; messages.len()];
        Hasher::<A>::digest_many(&messages, &mut digests);
        for ((number, file, tag, _), digest) in taken.whole.drain(..).zip(&digests) {
            lines.push((number, self.engine.reporter.report(&file, tag, Ok(digest.as_ref()))));
        }
        let mut parts: Vec<(&mut Hasher<A>, &[u8])> =
            taken.begun.iter_mut().map(|(file, at)| (&mut file.hasher, &self.buffer[at.clone()])).collect();
        Hasher::update_many(&mut parts);
        long.extend(taken.begun.drain(..).map(|(file, _)| file));
        taken.used = 0;
    }
}

impl StandardInput {
    /// The digest of standard input from here to its end, when it is our turn.
    fn hash<A: Algorithm>(&self, turn: u64, buffer: &mut [u8]) -> Result<A::Digest, Errno> {
        let mut now = lock(&self.turn);
        while *now != turn {
            now = self.changed.wait(now).unwrap_or_else(PoisonError::into_inner);
        }
        let mut hasher = Hasher::<A>::new();
        let digest = loop {
            match read(rustix::stdio::stdin(), buffer) {
                Ok(0) => break Ok(hasher.finish()),
                Ok(n) => hasher.update(&buffer[..n]),
                Err(error) => break Err(error),
            }
        };
        *now += 1;
        self.changed.notify_all();
        digest
    }
}
