//! Files that may keep their reader waiting: standard input, named pipes, terminals.
//!
//! A worker that read them would delay its other files, so they have threads of their own: other files are
//! hashed and printed in their turn while these threads wait for a writer. Each file has one thread, however
//! often it is named, even as `-` and as /dev/stdin: the first name gets the content, as if all were read one
//! after another, and two readers do not share it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, PoisonError};

use super::function::{Function, Results};
use super::{Sum, lock};
use crate::closed_descriptors;
use crate::files::{Change, File, Identity, Origin, Stamp, read};
use crate::platform;
use crate::platform::fd::AsFd;
use crate::platform::io::Errno;

/// The awaited files, and the files that are next to be awaited.
pub(super) struct Awaited<T> {
    queues: Mutex<Queues<T>>,
    changed: Condvar,
    /// Threads that read them.
    most: usize,
}

struct Queues<T> {
    /// For each file that is being read, the jobs that get it next.
    of: BTreeMap<Identity, VecDeque<Numbered<T>>>,
    threads: usize,
    /// The number of arguments that use standard input.
    standard_inputs: u64,
}

/// A file, with the number that it has among all.
pub(super) type Numbered<T> = (u64, File, T);

/// The reader of a file that was joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reader {
    /// Another thread reads it already.
    Another,
    /// A thread that is to be begun.
    NewThread,
    /// The caller, when nothing else is to be done: there are threads enough.
    Caller,
}

impl<T> Awaited<T> {
    /// With at most this number of threads.
    pub(super) fn new(most: usize) -> Self {
        let queues = Queues { of: BTreeMap::new(), threads: 0, standard_inputs: 0 };
        Awaited { queues: Mutex::new(queues), changed: Condvar::new(), most }
    }

    /// Adds a file after those with the same identity. Names of standard input are added in their order, on
    /// whichever worker they are.
    pub(super) fn join(&self, identity: Identity, numbered: Numbered<T>) -> Reader {
        let mut queues = lock(&self.queues);
        if let Origin::StandardInput(turn) = numbered.1.origin {
            while queues.standard_inputs != turn {
                queues = self.changed.wait(queues).unwrap_or_else(PoisonError::into_inner);
            }
            queues.standard_inputs += 1;
            self.changed.notify_all();
        }
        if let Some(queue) = queues.of.get_mut(&identity) {
            queue.push_back(numbered);
            return Reader::Another;
        }
        queues.of.insert(identity, VecDeque::from([numbered]));
        if queues.threads == self.most {
            return Reader::Caller;
        }
        queues.threads += 1;
        Reader::NewThread
    }

    /// Returns the next file of that identity; after `None`, the file is not read any more.
    pub(super) fn next(&self, identity: Identity) -> Option<Numbered<T>> {
        let mut queues = lock(&self.queues);
        let next = queues.of.get_mut(&identity)?.pop_front();
        if next.is_none() {
            queues.of.remove(&identity);
        }
        next
    }

    /// A thread is over.
    pub(super) fn thread_ended(&self) {
        lock(&self.queues).threads -= 1;
    }
}

/// The result of a file.
pub(super) struct Read {
    results: Vec<u8>,
    n_bytes: u64,
    change: Change,
}

impl Read {
    pub(super) fn sum(&self) -> Sum<'_> {
        Sum { results: &self.results, n_bytes: self.n_bytes, change: self.change }
    }
}

/// Reads a file to its end, however long that takes.
pub(super) fn hash(function: &dyn Function, file: &File, buffer: &mut [u8]) -> Result<Read, Errno> {
    let opened = match file.origin {
        Origin::StandardInput(_) => closed_descriptors::standard_input().map(|()| None)?,
        _ => Some(file.open()?),
    };
    let fd = opened.as_ref().map_or_else(|| platform::stdio::stdin(), |fd| fd.as_fd());
    // Standard input may be a regular file.
    let stamp = Stamp::of_regular(fd);
    let mut begun = function.begin();
    let mut n_bytes = 0;
    loop {
        match read(fd, buffer)? {
            0 => break,
            n => {
                n_bytes += n as u64;
                function.update_many(&mut [(&mut begun, &buffer[..n])]);
            }
        }
    }
    let change = stamp.map_or(Change::NotSeen, |stamp| stamp.change(fd));
    let mut results = vec![0; function.result_bytes()];
    function.finish_many(&mut [&mut begun], &mut Results::new(&mut results, function.result_bytes()));
    Ok(Read { results, n_bytes, change })
}

/// Hashes one file on this thread.
pub(crate) fn hash_alone<L>(
    function: &dyn Function,
    file: &File,
    lines: impl FnOnce(Sum<'_>) -> L,
) -> Result<L, Errno> {
    let mut buffer = vec![0; 64 << 10];
    hash(function, file, &mut buffer).map(|read| lines(read.sum()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    /// Names of standard input, handed over by several workers, are read in their order, each once, by the
    /// readers that were started for them. Miri runs this test in many orders of the threads.
    #[test]
    fn each_name_is_read_once_and_in_order() {
        const N_NAMES: u64 = 8;
        let identity = Identity { device: 0, inode: 0 };
        for most in [0, 1] {
            let (awaited, next) = (Awaited::new(most), AtomicU64::new(0));
            let read = Mutex::new(Vec::new());
            let read_all = || {
                while let Some((number, _, ())) = awaited.next(identity) {
                    lock(&read).push(number);
                }
            };
            let work = || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= N_NAMES {
                        return;
                    }
                    let file = File { name: Vec::new(), origin: Origin::StandardInput(number) };
                    match awaited.join(identity, (number, file, ())) {
                        Reader::Another => {}
                        Reader::Caller => read_all(),
                        Reader::NewThread => {
                            read_all();
                            awaited.thread_ended();
                        }
                    }
                }
            };
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(work);
                }
            });
            assert_eq!(read.into_inner().expect("no panic"), (0..N_NAMES).collect::<Vec<_>>());
        }
    }
}
