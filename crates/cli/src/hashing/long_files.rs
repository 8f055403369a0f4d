//! Files too long for one read, and which worker advances them.
//!
//! A worker advances up to 16 long files together, so that they fill the lanes; but lanes should not be
//! filled while other CPUs have nothing to do. So every long file begins in a common store, and each
//! worker takes its fair share of all there are: with 2 workers and 6 files, 3 each. At the end of a
//! job a worker that has nothing left is given half the files of one that has several.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Condvar, Mutex, PoisonError};

use super::function::{Begun, Function, Results};
use super::{Reporter, Sum, lock};
use crate::files::{File, read};
use crate::limits::Limits;
use crate::output::{Lines, Output};

/// A file read in part.
pub(crate) struct LongFile<T> {
    pub(crate) number: u64,
    pub(crate) file: File,
    pub(crate) tag: T,
    pub(crate) fd: OwnedFd,
    pub(crate) begun: Begun,
    /// Bytes that were read.
    pub(crate) n_bytes: u64,
}

/// The store of long files that no worker advances yet, and who is at work.
pub(crate) struct LongFiles<T> {
    board: Mutex<Board<T>>,
    changed: Condvar,
}

struct Board<T> {
    store: VecDeque<LongFile<T>>,
    /// Long files in all workers' windows.
    in_windows: usize,
    workers: usize,
    /// Workers that wait.
    idle: usize,
    source: Supply,
    job: Job,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Supply {
    HasMore,
    Ended,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    UnderWay,
    Done,
}

/// What a worker does next.
pub(crate) enum Step {
    /// Take files from the source.
    Take,
    /// Advance the long files in the window.
    Advance,
    End,
}

impl<T> LongFiles<T> {
    pub(crate) fn new() -> Self {
        let board = Board {
            store: VecDeque::new(),
            in_windows: 0,
            workers: 0,
            idle: 0,
            source: Supply::HasMore,
            job: Job::UnderWay,
        };
        LongFiles { board: Mutex::new(board), changed: Condvar::new() }
    }

    /// A worker begins.
    pub(crate) fn enter(&self) {
        lock(&self.board).workers += 1;
    }

    /// Puts files into the store.
    pub(crate) fn give(&self, files: Vec<LongFile<T>>) {
        if !files.is_empty() {
            lock(&self.board).store.extend(files);
            self.changed.notify_all();
        }
    }

    /// There is nothing more to take from the source.
    pub(crate) fn source_ended(&self) {
        lock(&self.board).source = Supply::Ended;
        self.changed.notify_all();
    }

    /// A result came from somebody who is none of the workers: there may be room in the output again.
    pub(crate) fn output_changed(&self) {
        let _board = lock(&self.board); // nobody is between looking at the output and waiting
        self.changed.notify_all();
    }

    /// Fills the worker's window with its share and says what to do; waits while there is nothing.
    ///
    /// While the output is full nothing is taken: then some file before all that wait is still being
    /// read, in a window or in the store, so there is a worker that goes on; or it is awaited elsewhere.
    pub(crate) fn next_step(
        &self,
        window: &mut Window<T>,
        limits: &Limits,
        output: &Mutex<Output<'_>>,
    ) -> Step {
        let mut board = lock(&self.board);
        board.in_windows -= window.counted;
        board.share(window, limits.advanced);
        if board.idle > 0 && (!board.store.is_empty() || board.source == Supply::HasMore) {
            // Whoever waits may find something now: files just given back, or room in the output.
            self.changed.notify_all();
        }
        let step = loop {
            if board.job == Job::Done {
                break Step::End;
            }
            let may_take = board.source == Supply::HasMore && board.store.is_empty();
            if may_take && window.files.len() < limits.advanced && !lock(output).is_full() {
                break Step::Take;
            }
            if !window.is_empty() {
                break Step::Advance;
            }
            if board.source == Supply::Ended && board.store.is_empty() && board.idle + 1 == board.workers {
                board.job = Job::Done;
                self.changed.notify_all();
                break Step::End;
            }
            lock(output).flush();
            board.idle += 1;
            board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
            board.idle -= 1;
            board.share(window, limits.advanced);
        };
        window.counted = window.files.len();
        board.in_windows += window.counted;
        step
    }
}

impl<T> Board<T> {
    /// Moves files between the store and a window that is not counted in `in_windows`.
    fn share(&mut self, window: &mut Window<T>, most: usize) {
        let all = self.store.len() + self.in_windows + window.files.len();
        let share = all.div_ceil(self.workers).min(most);
        while window.files.len() < share
            && let Some(file) = self.store.pop_front()
        {
            window.files.push(file);
        }
        if self.idle > 0 && self.store.is_empty() && window.files.len() > 1 {
            self.store.extend(window.files.drain(window.files.len().div_ceil(2)..));
        }
    }
}

/// The long files that one worker advances together.
pub(crate) struct Window<T> {
    files: Vec<LongFile<T>>,
    /// As many files as the board counts here.
    counted: usize,
    buffer: Vec<u8>,
}

impl<T> Window<T> {
    pub(crate) fn new() -> Self {
        Window { files: Vec::new(), counted: 0, buffer: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads on in every file and hashes that in lanes. The lines of the files that ended.
    pub(crate) fn advance(
        &mut self,
        function: &dyn Function,
        read_bytes: usize,
        reporter: &impl Reporter<T>,
    ) -> Vec<(u64, Lines)> {
        let stride = read_bytes + 64; // see the engine's buffer
        self.buffer.resize(self.buffer.len().max(stride * self.files.len()), 0);
        let mut reads = Vec::with_capacity(self.files.len());
        let mut parts: Vec<(&mut Begun, &[u8])> = Vec::with_capacity(self.files.len());
        for (file, room) in self.files.iter_mut().zip(self.buffer.chunks_exact_mut(stride)) {
            let read = read(file.fd.as_fd(), &mut room[..read_bytes]);
            file.n_bytes += read.unwrap_or(0) as u64;
            parts.push((&mut file.begun, &room[..read.unwrap_or(0)]));
            reads.push(read);
        }
        function.update_many(&mut parts);

        let mut ended = Vec::new();
        let mut at = 0;
        self.files = std::mem::take(&mut self.files)
            .into_iter()
            .filter_map(|file| {
                let read = reads[at];
                at += 1;
                if matches!(read, Ok(n) if n > 0) {
                    return Some(file);
                }
                ended.push((file, read.err()));
                None
            })
            .collect();
        let result_bytes = function.result_bytes();
        let mut results = vec![0; ended.len() * result_bytes];
        let mut begun: Vec<&mut Begun> = ended.iter_mut().map(|(file, _)| &mut file.begun).collect();
        function.finish_many(&mut begun, &mut Results::new(&mut results, result_bytes));
        let report = |((file, error), results): ((LongFile<T>, Option<_>), _)| {
            let sum = error.map_or(Ok(Sum { results, n_bytes: file.n_bytes }), Err);
            (file.number, reporter.report(&file.file, file.tag, sum))
        };
        ended.into_iter().zip(results.chunks_exact(result_bytes)).map(report).collect()
    }
}
