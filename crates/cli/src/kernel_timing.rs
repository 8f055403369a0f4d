//! Kernels timed on this CPU, for `hashlanes bench` and `hashlanes kernels --measure`. Ciphers' are timed in
//! `cipher_timing.rs`.
//!
//! One race per hash: the kernels take turns on one CPU, samples disturbed by other programs are discarded,
//! and times are in core cycles (crate `clock`).

use std::hint::black_box;
use std::ops::ControlFlow;
use std::slice::ChunksExactMut;
use std::time::{Duration, Instant};

use hashlanes::algorithms::{Sha1, Sha256, Sha512};
use hashlanes::kernels::{self, Kernel};
use hashlanes::{Algorithm, Hasher};
use hashlanes_clock::{Clock, Contestant, Footprint, Options, Outcome, Race};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Bytes between the messages of a group: without them messages of 8 KiB would lie at one place of a page
/// each, and the first-level cache would hold eight of their lines only.
const GAP: usize = 64;

/// Messages of a call, in bytes all together, at most: they are allocated, and timed many times.
pub(crate) const MOST_BYTES: u64 = 16 << 20;

/// The library's own choice among the contestants of [`calls`].
pub(crate) const CHOSEN: &str = "(chosen)";

/// Every kernel of a table that this CPU can run, in the table's order: its `compress` of `len` bytes a
/// message, all lanes busy.
///
/// # Panics
/// Panics unless `len` is whole blocks, and the table is one of [`kernels::all`].
pub(crate) fn blocks(table: &str, len: usize, clock: &mut Clock) -> Vec<Outcome> {
    match table {
        "sha1" => blocks_of::<Sha1>(kernels::sha1(), len, clock),
        "sha256" => blocks_of::<Sha256>(kernels::sha256(), len, clock),
        "sha512" => blocks_of::<Sha512>(kernels::sha512(), len, clock),
        _ => panic!("no table {table}"),
    }
}

/// Returns the whole call for `n` messages of `len` bytes: the library's choice of kernels, and each kernel
/// alone.
///
/// # Panics
/// Panics unless the table is one of [`kernels::all`].
pub(crate) fn calls(table: &str, n: usize, len: usize, clock: &mut Clock) -> Vec<Outcome> {
    match table {
        "sha1" => calls_of::<Sha1>(kernels::sha1(), n, len, clock),
        "sha256" => calls_of::<Sha256>(kernels::sha256(), n, len, clock),
        "sha512" => calls_of::<Sha512>(kernels::sha512(), n, len, clock),
        _ => panic!("no table {table}"),
    }
}

fn blocks_of<A: Algorithm>(
    kernels: impl Iterator<Item = &'static Kernel<A::Function>>,
    len: usize,
    clock: &mut Clock,
) -> Vec<Outcome> {
    let kernels: Vec<_> = kernels.collect();
    let buffer = Buffer::new(kernels.iter().map(|kernel| kernel.degree()).max().unwrap_or(0), len);
    let contestants = kernels.into_iter().map(|kernel| {
        let messages = buffer.messages(kernel.degree(), len);
        let mut states = vec![A::H0; kernel.degree()];
        buffer.contestant(kernel.name(), kernel.degree(), len, move || {
            kernel.compress(black_box(&mut states), black_box(&messages));
        })
    });
    race(A::NAME, contestants.collect(), clock)
}

fn calls_of<A: Algorithm>(
    kernels: impl Iterator<Item = &'static Kernel<A::Function>>,
    n: usize,
    len: usize,
    clock: &mut Clock,
) -> Vec<Outcome> {
    let buffer = Buffer::new(n, len);
    let messages = buffer.messages(n, len);
    let messages = &messages;
    let mut digests = vec![A::ZERO_DIGEST; n];
    let chosen = buffer.contestant(CHOSEN, n, len, move || {
        Hasher::<A>::digest_many(black_box(messages), black_box(&mut digests));
    });
    let alone = kernels.map(|kernel| {
        let mut digests = vec![A::ZERO_DIGEST; n];
        buffer.contestant(kernel.name(), n, len, move || {
            Hasher::<A>::digest_many_on(kernel, black_box(messages), black_box(&mut digests));
        })
    });
    race(A::NAME, [chosen].into_iter().chain(alone).collect(), clock)
}

/// Messages, each at the start of a cache line.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    pub(crate) fn new(n: usize, len: usize) -> Buffer {
        // The content does not change the time.
        let bytes = vec![0xa5; n * (len + GAP) + GAP];
        let start = bytes.as_ptr().align_offset(GAP);
        Buffer { bytes, start }
    }

    fn messages(&self, n: usize, len: usize) -> Vec<&[u8]> {
        (0..n).map(|k| &self.bytes[self.start + k * (len + GAP)..][..len]).collect()
    }

    /// Returns the first `n` messages of `len` bytes, each with the gap after it.
    pub(crate) fn places(&mut self, n: usize, len: usize) -> ChunksExactMut<'_, u8> {
        self.bytes[self.start..][..n * (len + GAP)].chunks_exact_mut(len + GAP)
    }

    /// Returns a contestant that processes the first `n` messages.
    pub(crate) fn contestant<'a>(
        &self,
        name: &str,
        n: usize,
        len: usize,
        work: impl FnMut() + 'a,
    ) -> Contestant<'a> {
        let footprint = Footprint { bytes: n * len, stride: len + GAP };
        Contestant::new(name, footprint, work).messages(n as u64)
    }
}

/// Times contestants in turns.
pub(crate) fn race(name: &str, contestants: Vec<Contestant<'_>>, clock: &mut Clock) -> Vec<Outcome> {
    // 30 ms for each kernel, up to three times as much on a noisy machine. In builds of tests the figures say
    // nothing: there they need only exist.
    let samples = if cfg!(debug_assertions) { 5 } else { 15 };
    let options = Options { samples, sample: Duration::from_millis(2), patience: 3, ..Options::default() };
    let bar = bar(name);
    let started = Instant::now();
    let mut race = Race::new(options).watch(|progress| {
        if bar.is_hidden() && started.elapsed() > Duration::from_millis(500) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_length(progress.wanted.max(progress.done) as u64);
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    });
    for contestant in contestants {
        race = race.enter(contestant);
    }
    let report = race.run_with(clock);
    bar.finish_and_clear();
    report.outcomes
}

/// A progress bar, drawn if it takes longer than a moment, and to a terminal only.
fn bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %, {eta} left  {msg}");
    bar.set_style(style.expect("a template that indicatif knows"));
    bar.with_message(name.to_owned())
}
