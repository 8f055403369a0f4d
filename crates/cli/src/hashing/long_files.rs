//! Files too long for one read, and which worker advances them.
//!
//! A worker advances up to 16 long files together, so that they fill the lanes; but lanes should not be
//! filled while other CPUs have nothing to do. So every long file begins in a common store, and each
//! worker takes its fair share of all there are: with 2 workers and 6 files, 3 each. At the end of a
//! job a worker that has nothing left is given half the files of one that has several.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::Part;
use super::file_starts::Taken;
use super::function::{Begun, Function, Results};
use super::read_method::{Pace, Rings};
use super::{Reporter, Sum, lock};
use crate::files::{Change, Stamp};
use crate::limits::Limits;
use crate::output::{Lines, Output};
use crate::platform::fd::{AsFd, OwnedFd};
use crate::platform::io::Errno;

/// A file read in part.
pub(crate) struct LongFile<T> {
    pub(super) taken: Taken<T>,
    pub(crate) fd: OwnedFd,
    /// The stamp of a regular file from before it was read, or at least from before it was read on.
    pub(crate) stamp: Option<Stamp>,
    pub(crate) begun: Begun,
    /// Bytes that were read.
    pub(crate) n_bytes: u64,
}

/// Long files that no worker advances yet, and the workers that are busy.
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

/// The next step of a worker.
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

    /// A result came from outside the workers: the output may have room again.
    pub(crate) fn output_changed(&self) {
        let _board = lock(&self.board); // no worker is between examining the output and waiting
        self.changed.notify_all();
    }

    /// Fills the worker's window with its share and returns the next action; waits while there is no work.
    ///
    /// While the output is full, no file is accepted: then some file before all that wait is still being
    /// read, in a window or in the store, so another worker continues; or it is awaited elsewhere.
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
            // Wakes waiting workers: files were given back, or the output has room.
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
    pace: Pace,
}

impl<T> Window<T> {
    pub(crate) fn new() -> Self {
        Window { files: Vec::new(), counted: 0, buffer: Vec::new(), pace: Pace::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads on in every file and hashes that in lanes. The lines of the files that ended.
    pub(crate) fn advance(
        &mut self,
        function: &dyn Function,
        read_bytes: usize,
        rings: &mut Rings,
        reporter: &impl Reporter<T>,
    ) -> Vec<(u64, Lines)> {
        let stride = read_bytes + 64; // see `file_starts::start_after`
        self.buffer.resize(self.buffer.len().max(stride * self.files.len()), 0);
        let reads = self.read(read_bytes, stride, rings);
        let mut parts: Vec<(&mut Begun, &[u8])> = Vec::with_capacity(self.files.len());
        for ((file, room), read) in self.files.iter_mut().zip(self.buffer.chunks_exact(stride)).zip(&reads) {
            let n_bytes = read.unwrap_or(0);
            file.n_bytes += n_bytes as u64;
            parts.push((&mut file.begun, &room[..n_bytes]));
        }
        function.update_many(&mut parts);
        self.report_ended(&reads, function, reporter)
    }

    /// One read in every file, into the rooms of the buffer; no bytes are the end.
    fn read(&mut self, read_bytes: usize, stride: usize, rings: &mut Rings) -> Vec<Result<usize, Errno>> {
        let rooms = self.buffer.chunks_exact_mut(stride).map(|room| &mut room[..read_bytes]);
        let files = self.files.iter().zip(rooms);
        let mut parts: Vec<Part<'_>> = files.map(|(file, room)| Part::new(file.fd.as_fd(), room)).collect();
        let in_ring = rings.serve(&self.pace);
        let since = Instant::now();
        if in_ring {
            // A pipe may keep the others waiting.
            let with_files = parts.iter_mut().zip(&self.files);
            let regular = with_files.filter(|(_, file)| file.stamp.is_some()).map(|(part, _)| part);
            rings.read_many(&mut regular.collect::<Vec<_>>(), &mut self.pace);
        }
        let reads: Vec<_> = parts.into_iter().map(Part::finish).collect();
        if !in_ring {
            self.pace.took(since.elapsed(), reads.len(), reads.iter().flatten().sum());
        }
        reads
    }

    /// Returns the lines of the files whose reads were their last; they leave the window.
    fn report_ended(
        &mut self,
        reads: &[Result<usize, Errno>],
        function: &dyn Function,
        reporter: &impl Reporter<T>,
    ) -> Vec<(u64, Lines)> {
        let mut ended = Vec::new();
        let files = std::mem::take(&mut self.files);
        for (file, read) in files.into_iter().zip(reads) {
            match read {
                Ok(n) if *n > 0 => self.files.push(file),
                _ => ended.push((file, read.err())),
            }
        }
        let result_bytes = function.result_bytes();
        let mut results = vec![0; ended.len() * result_bytes];
        let mut begun: Vec<&mut Begun> = ended.iter_mut().map(|(file, _)| &mut file.begun).collect();
        function.finish_many(&mut begun, &mut Results::new(&mut results, result_bytes));
        let report = |((file, error), results): ((LongFile<T>, Option<_>), _)| {
            let change = file.stamp.map_or(Change::NotSeen, |stamp| stamp.change(file.fd.as_fd()));
            let sum = error.map_or(Ok(Sum { results, n_bytes: file.n_bytes, change }), Err);
            (file.taken.number, reporter.report(&file.taken.file, file.taken.tag, sum))
        };
        ended.into_iter().zip(results.chunks_exact(result_bytes)).map(report).collect()
    }
}

// The files of these tests are /dev/null.
#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;
    use crate::files::{File, Origin};
    use crate::limits::HELD_BYTES;
    use crate::message::Speaker;
    use crate::output::Order;

    const N_FILES: u64 = 9;

    /// Turns until a file ends.
    fn n_turns(number: u64) -> u64 {
        [1, 4, 2, 3][number as usize % 4]
    }

    fn long_file(number: u64) -> LongFile<()> {
        let file = File { name: Vec::new(), origin: Origin::Named };
        LongFile {
            taken: Taken { number, file, tag: () },
            fd: std::fs::File::open("/dev/null").expect("it opens").into(),
            stamp: None,
            begun: Box::new(()),
            n_bytes: 0,
        }
    }

    /// A worker as the engine's, with turns that are only counted: `ended` has the files' turns.
    fn work(
        board: &LongFiles<()>,
        source: &Mutex<u64>,
        output: &Mutex<Output<'_>>,
        ended: &Mutex<Vec<(u64, u64)>>,
        limits: &Limits,
    ) {
        let mut window = Window::new();
        board.enter();
        loop {
            match board.next_step(&mut window, limits, output) {
                Step::Take => {
                    let mut next = lock(source);
                    let numbers = *next..N_FILES.min(*next + 2);
                    *next = numbers.end;
                    drop(next);
                    if numbers.is_empty() {
                        board.source_ended();
                    }
                    board.give(numbers.map(long_file).collect());
                }
                Step::Advance => {
                    let files = std::mem::take(&mut window.files);
                    for mut file in files {
                        let number = file.taken.number;
                        file.n_bytes += 1;
                        if file.n_bytes < n_turns(number) {
                            window.files.push(file);
                            continue;
                        }
                        lock(ended).push((number, file.n_bytes));
                        // Lines that wait for those of an earlier file fill the output.
                        let lines = Lines { comment: Vec::with_capacity(HELD_BYTES), ..Lines::default() };
                        lock(output).deliver(number, lines);
                    }
                }
                Step::End => return,
            }
        }
    }

    /// However workers share the files out, each file is advanced to its end once, and all workers end. Miri
    /// runs this test in many orders of the threads.
    #[test]
    fn each_file_is_advanced_to_its_end() {
        let speaker = Speaker::new(b"test");
        for n_workers in [1, 2, 3] {
            let (board, source) = (LongFiles::new(), Mutex::new(0));
            let output = Mutex::new(Output::new(&speaker, Order::Kept));
            let ended = Mutex::new(Vec::new());
            let limits = Limits {
                jobs: n_workers,
                taken: 2,
                advanced: 3,
                read_bytes: 1,
                awaited: 0,
                open_directories: 0,
            };
            thread::scope(|scope| {
                for _ in 0..n_workers {
                    scope.spawn(|| work(&board, &source, &output, &ended, &limits));
                }
            });
            let mut ended = ended.into_inner().expect("no panic");
            ended.sort_unstable();
            let expected: Vec<(u64, u64)> = (0..N_FILES).map(|number| (number, n_turns(number))).collect();
            assert_eq!(ended, expected, "{n_workers} workers");
        }
    }
}
