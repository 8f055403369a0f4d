//! Three ways to read a file for a tree mode, each on all of its threads.
//!
//! ```text
//!   stream    from its first byte to its last; read on a thread of its own during the hashing
//!   leaves    runs of chunks, each thread the next one; their digests go to the tree in order
//!   slices    as many places as there are slices, a piece of each, so that long slices fill the lanes
//! ```
//!
//! Memory is [`READ_BYTES`] for all threads together, for files of any length.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};

use hashlanes::algorithms::Sha256;
use hashlanes::tree::merkle::{Nodes, Preset, Rfc6962, Rfc6962Leaves};
use hashlanes::{Algorithm, Hasher};

use super::input::{Failure, Input};
use crate::hashing::Counters;

/// Bytes of reading buffers, all threads together.
const READ_BYTES: usize = 16 << 20;
/// Bytes that a stream is read by: more than the levels of a cache, less than what costs memory.
const PART: usize = 1 << 20;
/// Bytes of a run of chunks.
const RUN: usize = 256 << 10;
/// Chunks up to this length are read in runs; longer ones are slices of one piece each.
const LONGEST_IN_RUNS: usize = 64 << 10;
/// Slices that one thread advances together: the lanes of the widest kernel.
const LANES: usize = 16;
/// Bytes of a piece of a slice.
const PIECE: usize = 64 << 10;
/// Between the pieces of two slices: pieces whose addresses have equal low bits evict each other from the
/// first cache.
const GAP: usize = 256;

/// A piece of work by its number, with a buffer that is used again.
type Work<'w, R> = &'w (dyn Fn(u64, &mut Vec<u8>) -> Result<R, Failure> + Sync);

/// A file to be read by a number of threads.
pub(super) struct Reading<'a> {
    pub(super) input: &'a Input,
    pub(super) jobs: usize,
    pub(super) counters: &'a Counters,
}

impl Reading<'_> {
    /// Passes the whole file to `take`, part by part.
    pub(super) fn stream(&self, take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut n_bytes = 0;
        self.all(&mut |part| {
            n_bytes += part.len() as u64;
            take(part)
        })?;
        match self.input.n_bytes() {
            Some(known) if n_bytes < known => Err(Failure::message("became shorter while it was read")),
            Some(known) if n_bytes > known => Err(Failure::message("became longer while it was read")),
            _ => Ok(()),
        }
    }

    fn all(&self, take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let is_short = self.input.n_bytes().is_some_and(|n_bytes| n_bytes <= PART as u64);
        if self.jobs == 1 || is_short {
            return self.stream_alone(take);
        }
        std::thread::scope(|scope| {
            /// One that is read, one that is hashed, one between.
            const BUFFERS: usize = 3;
            let (filled, parts) = sync_channel::<Result<Vec<u8>, Failure>>(BUFFERS);
            let (emptied, buffers) = sync_channel::<Vec<u8>>(BUFFERS);
            for _ in 0..BUFFERS {
                emptied.send(vec![0; PART]).expect("room for all");
            }
            let reader = move || {
                // Ends when the file ends, or when the consumer stops.
                while let Ok(mut buffer) = buffers.recv() {
                    buffer.resize(PART, 0);
                    let read = self.fill(&mut buffer);
                    let is_last = !matches!(read, Ok(PART));
                    let part = read.map(|n| {
                        buffer.truncate(n);
                        buffer
                    });
                    if filled.send(part).is_err() || is_last {
                        return;
                    }
                }
            };
            if std::thread::Builder::new().spawn_scoped(scope, reader).is_err() {
                return self.stream_alone(take);
            }
            while let Ok(part) = parts.recv() {
                let part = part?;
                take(&part)?;
                // The reader is gone after the last part.
                let _ = emptied.send(part);
            }
            Ok(())
        })
    }

    /// Adds the lines of a file, without their ends, to a tree as leaves. Bytes after the last line end are a
    /// line if there are any. A long line is not kept in memory.
    pub(super) fn lines<K: FnMut(Nodes<'_>)>(&self, leaves: &mut Rfc6962Leaves<K>) -> Result<(), Failure> {
        /// Bytes of a line that are kept until it ends.
        const KEPT: usize = 64 << 10;
        let mut begun: Vec<u8> = Vec::new();
        let mut long: Option<Hasher<Sha256>> = None;
        let mut end = |begun: &mut Vec<u8>, long: &mut Option<Hasher<Sha256>>, last: &[u8]| {
            if let Some(mut hasher) = long.take() {
                hasher.update(last);
                leaves.push_digest(&hasher.finish());
            } else if begun.is_empty() {
                leaves.push(last);
            } else {
                begun.extend_from_slice(last);
                leaves.push(begun);
                begun.clear();
            }
        };
        self.stream(&mut |part| {
            let mut part = part;
            while let Some(at) = part.iter().position(|&byte| byte == b'\n') {
                end(&mut begun, &mut long, &part[..at]);
                part = &part[at + 1..];
            }
            if let Some(hasher) = &mut long {
                hasher.update(part);
            } else if begun.len() + part.len() > KEPT {
                let mut hasher = Rfc6962::leaf_hasher();
                hasher.update(&begun);
                hasher.update(part);
                begun.clear();
                long = Some(hasher);
            } else {
                begun.extend_from_slice(part);
            }
            Ok(())
        })?;
        if long.is_some() || !begun.is_empty() {
            end(&mut begun, &mut long, b"");
        }
        Ok(())
    }

    /// [`Reading::stream`] on this thread.
    fn stream_alone(&self, take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let room = self.input.n_bytes().map_or(PART as u64, |n_bytes| n_bytes + 1);
        let mut buffer = vec![0; room.min(PART as u64) as usize];
        loop {
            let n = self.fill(&mut buffer)?;
            take(&buffer[..n])?;
            if n < buffer.len() {
                return Ok(());
            }
        }
    }

    /// Reads until the buffer is full or the file ends.
    fn fill(&self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let mut filled = 0;
        while filled < buffer.len() {
            let n = self.input.read(&mut buffer[filled..])?;
            if n == 0 {
                break;
            }
            filled += n;
        }
        self.counters.add(0, filled);
        Ok(filled)
    }

    /// Returns the result of a Merkle tree; `keep` sees its digests.
    pub(super) fn leaves<P: Preset, K: FnMut(Nodes<'_>) + Send>(
        &self,
        preset: &P,
        keep: K,
    ) -> Result<P::Output, Failure> {
        let mut tree = preset.hasher_keeping(keep);
        let chunk_bytes = preset.chunk_bytes() as u64;
        match self.input.n_bytes() {
            // Chunks that are their own digests leave nothing to other threads.
            Some(n_bytes) if n_bytes > RUN as u64 && preset.chunk_hasher().is_some() => {
                let n_chunks = n_bytes / chunk_bytes;
                let in_runs = chunk_bytes <= LONGEST_IN_RUNS as u64;
                let run = if in_runs {
                    (RUN as u64 / chunk_bytes).max(LANES as u64)
                } else {
                    n_chunks.div_ceil(self.jobs as u64).clamp(1, LANES as u64)
                };
                let n_runs = n_chunks / run;
                let digests_of_run = |number: u64, buffer: &mut Vec<u8>| {
                    let first = number * run;
                    if in_runs {
                        self.run(preset, first * chunk_bytes, run as usize, buffer)
                    } else {
                        let slices = (first..first + run).map(|i| i * chunk_bytes..(i + 1) * chunk_bytes);
                        let begin = |_| preset.chunk_hasher().expect("long chunks are hashed");
                        self.advance(slices.clone().map(begin).collect(), &slices.collect::<Vec<_>>(), buffer)
                    }
                };
                self.in_order(n_runs, &digests_of_run, &mut |digests: Vec<_>| tree.push(&digests))?;
                self.rest(n_runs * run * chunk_bytes..n_bytes, &mut |part| tree.update(part))?;
                self.input.check_end()?;
            }
            Some(n_bytes) if self.input.is_part() => self.rest(0..n_bytes, &mut |part| tree.update(part))?,
            _ => self.stream(&mut |part| {
                tree.update(part);
                Ok(())
            })?,
        }
        tree.finish().map_err(Failure::message)
    }

    /// Returns the digests of whole chunks that follow each other.
    fn run<P: Preset>(
        &self,
        preset: &P,
        at: u64,
        n_chunks: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<<P::Algorithm as Algorithm>::Digest>, Failure> {
        buffer.resize(n_chunks * preset.chunk_bytes(), 0);
        self.input.read_at(at, buffer)?;
        let mut digests = vec![P::Algorithm::ZERO_DIGEST; n_chunks];
        preset.digest_chunks(buffer, &mut digests);
        self.counters.add(0, buffer.len());
        Ok(digests)
    }

    /// The remainder of a file of known length.
    pub(super) fn rest(&self, bytes: Range<u64>, take: &mut dyn FnMut(&[u8])) -> Result<(), Failure> {
        let mut at = bytes.start;
        let mut buffer = vec![0; (bytes.end - at).min(PART as u64) as usize];
        while at < bytes.end {
            let n = (bytes.end - at).min(PART as u64) as usize;
            self.input.read_at(at, &mut buffer[..n])?;
            take(&buffer[..n]);
            self.counters.add(0, n);
            at += n as u64;
        }
        Ok(())
    }

    /// Computes the digests of slices anywhere in a file of known length; each slice begins with the hasher
    /// next to it.
    pub(super) fn slices<A: Algorithm>(
        &self,
        hashers: Vec<Hasher<A>>,
        slices: &[Range<u64>],
    ) -> Result<Vec<A::Digest>, Failure> {
        let n_each = slices.len().div_ceil(self.jobs).max(1);
        let n_groups = slices.len().div_ceil(n_each) as u64;
        let mut digests = Vec::with_capacity(slices.len());
        let group = |number: u64, buffer: &mut Vec<u8>| {
            let from = number as usize * n_each;
            let to = (from + n_each).min(slices.len());
            self.advance(hashers[from..to].to_vec(), &slices[from..to], buffer)
        };
        self.in_order(n_groups, &group, &mut |some: Vec<A::Digest>| digests.extend(some))?;
        Ok(digests)
    }

    /// The same on this thread: a piece of every slice, then the next piece of every slice.
    fn advance<A: Algorithm>(
        &self,
        mut hashers: Vec<Hasher<A>>,
        slices: &[Range<u64>],
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<A::Digest>, Failure> {
        let room = READ_BYTES / self.jobs / slices.len();
        let longest = slices.iter().map(|slice| slice.end - slice.start).max().unwrap_or(0);
        let piece = PIECE.min(room & !4095).min(longest.next_multiple_of(4096) as usize).max(4096);
        buffer.resize(slices.len() * (piece + GAP), 0);
        for done in (0..longest).step_by(piece) {
            let mut parts = Vec::with_capacity(slices.len());
            for ((slice, hasher), room) in slices.iter().zip(&mut hashers).zip(buffer.chunks_mut(piece + GAP))
            {
                let left = (slice.end - slice.start).saturating_sub(done);
                let part = &mut room[..left.min(piece as u64) as usize];
                self.input.read_at(slice.start + done, part)?;
                self.counters.add(0, part.len());
                parts.push((hasher, &*part));
            }
            Hasher::update_many(&mut parts);
        }
        let mut digests = vec![A::ZERO_DIGEST; slices.len()];
        Hasher::finish_many(&mut hashers, &mut digests);
        Ok(digests)
    }

    /// Does pieces of work on all threads, the next one each, and gives their results to `take` in order.
    fn in_order<R: Send>(
        &self,
        n: u64,
        work: Work<'_, R>,
        take: &mut (dyn FnMut(R) + Send),
    ) -> Result<(), Failure> {
        if self.jobs == 1 || n <= 1 {
            let mut buffer = Vec::new();
            return (0..n).try_for_each(|number| work(number, &mut buffer).map(&mut *take));
        }
        let next = AtomicU64::new(0);
        let order = Mutex::new(InOrder { next: 0, waiting: BTreeMap::new(), take, failure: None });
        let one = || {
            let mut buffer = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= n {
                    return;
                }
                let done = work(number, &mut buffer);
                if order.lock().unwrap_or_else(PoisonError::into_inner).is_over(number, done) {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n.min(self.jobs as u64) {
                // If a thread cannot be started, the work continues with fewer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, one);
            }
            one();
        });
        let order = order.into_inner().unwrap_or_else(PoisonError::into_inner);
        order.failure.map_or(Ok(()), Err)
    }
}

/// Results that arrive in any order and are returned in theirs.
struct InOrder<'t, R> {
    next: u64,
    waiting: BTreeMap<u64, R>,
    take: &'t mut (dyn FnMut(R) + Send),
    failure: Option<Failure>,
}

impl<R> InOrder<'_, R> {
    /// Accepts a result, and whether the work has ended.
    fn is_over(&mut self, number: u64, done: Result<R, Failure>) -> bool {
        match done {
            Ok(result) => {
                self.waiting.insert(number, result);
                while let Some(result) = self.waiting.remove(&self.next) {
                    (self.take)(result);
                    self.next += 1;
                }
            }
            Err(failure) => self.failure = self.failure.take().or(Some(failure)),
        }
        self.failure.is_some()
    }
}
