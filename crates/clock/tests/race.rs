//! Races with a simulated clock, so that order, counts, gate and methods are exact.

use hashlanes_clock::{
    Clock, Contestant, Footprint, Lap, Method, Options, Pin, Quality, Race, Rejected, Report, Threads,
    TimeSource, Unit, Verdict,
};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::Duration;

/// A core of 4 GHz under a counter of 2 GHz: half a tick a cycle.
const TICKS_PER_CYCLE: f64 = 0.5;
const TICKS_PER_SECOND: f64 = 2e9;

/// The simulated machine, which the test and the contestants change.
struct World {
    now: Cell<u64>,
    /// Time that the thread was on the processor.
    present: Cell<u64>,
    ticks_per_cycle: Cell<f64>,
    cycles_per_group: Cell<f64>,
    has_loops: bool,
    log: RefCell<String>,
}

impl World {
    fn new() -> Self {
        World {
            now: Cell::new(0),
            present: Cell::new(0),
            ticks_per_cycle: Cell::new(TICKS_PER_CYCLE),
            cycles_per_group: Cell::new(1.25),
            has_loops: true,
            log: RefCell::default(),
        }
    }

    /// Time passes, with the thread on the processor.
    fn pass(&self, ticks: u64) {
        self.now.set(self.now.get() + ticks);
        self.present.set(self.present.get() + ticks);
    }

    fn note(&self, c: char) {
        self.log.borrow_mut().push(c);
    }
}

struct Fake<'a>(&'a World);

impl TimeSource for Fake<'_> {
    fn ticks(&mut self) -> u64 {
        self.0.now.get()
    }
    fn ticks_per_second(&self) -> f64 {
        TICKS_PER_SECOND
    }
    fn chain(&mut self, adds: u64) -> Option<u64> {
        self.0.has_loops.then(|| self.0.pass((adds as f64 * self.0.ticks_per_cycle.get()) as u64))?;
        Some(adds)
    }
    fn dispatch(&mut self, groups: u64) -> Option<u64> {
        let ticks = groups as f64 * self.0.cycles_per_group.get() * self.0.ticks_per_cycle.get();
        self.0.has_loops.then(|| self.0.pass(ticks as u64))?;
        Some(groups)
    }
    fn thread_seconds(&mut self) -> Option<f64> {
        Some(self.0.present.get() as f64 / TICKS_PER_SECOND)
    }
    fn part(&mut self) {
        self.0.note('|');
    }
}

/// Samples of 80 µs: 160,000 ticks in eight timings of 20,000.
fn options(samples: u32) -> Options {
    Options { sample: Duration::from_micros(80), samples, pin: Pin::No, ..Options::default() }
}

const KIB: Footprint = Footprint::contiguous(1024);

fn run(race: Race<'_>, world: &World) -> Report {
    race.run_with(&mut Clock::with_time(Fake(world)))
}

#[test]
fn cycles_are_cycles_of_the_core() {
    let world = World::new();
    // 2000 ticks = 4000 cycles = 1 µs.
    let report = run(Race::new(options(4)).contestant("a", KIB, || world.pass(2000)), &world);
    let a = report.outcome("a").unwrap();
    assert_eq!(
        (a.unit, a.quality(), a.accepted(), a.repetitions),
        (Unit::CoreCycles, Quality::Steady, 4, 10)
    );
    assert_eq!(a.rejected(), Rejected::default());
    assert_eq!(a.figure_cycles(), Some(4000.0));
    assert_eq!(a.figure_cycles_per_byte(), Some(4000.0 / 1024.0));
    assert_eq!(a.cycles_per_message().unwrap().minimum, 4000.0);
    assert!((a.figure_nanoseconds().unwrap() - 1000.0).abs() < 1e-9);
    assert!((a.gigabytes_per_second().unwrap() - 1.024).abs() < 1e-9);
    assert!((a.messages_per_second().unwrap() - 1e6).abs() < 1e-3);
    assert!((a.core_ghz().unwrap() - 4.0).abs() < 1e-9);
    assert_eq!((report.best_probe, report.stopped), (Some(1.25), false));
}

#[test]
fn bytes_and_messages_of_a_call() {
    let world = World::new();
    let footprint = Footprint { bytes: 8 << 20, stride: 8256 };
    let race = Race::new(options(2))
        .enter(Contestant::new("many", footprint, || world.pass(500)).bytes(2000).messages(4))
        .enter(Contestant::new("none", footprint, || world.pass(500)).bytes(0));
    let report = run(race, &world);
    let many = report.outcome("many").unwrap();
    assert_eq!((many.footprint, many.bytes, many.messages), (footprint, 2000, 4));
    assert_eq!(many.cycles_per_byte().unwrap().median, 0.5);
    assert_eq!(many.cycles_per_message().unwrap().median, 250.0);
    assert!(many.to_string().starts_with("many [8 MiB / 8256] median: 0.5000 cycles/byte"), "{many}");
    let none = report.outcome("none").unwrap();
    assert_eq!((none.cycles_per_byte(), none.gigabytes_per_second()), (None, None));
    assert_eq!(none.figure_cycles(), Some(1000.0));
    assert!(none.to_string().contains("1000.0000 cycles (min"), "{none}");
}

/// A B C, C B A, A B C, C B A; a part before each. Long calls are done once a timing, here one timing a
/// sample: every letter is a call, and each contestant calls once to warm up.
#[test]
fn contestants_alternate_forward_and_backward() {
    let world = World::new();
    let work = |c: char| {
        let world = &world;
        move || {
            world.note(c);
            world.pass(1_000_000);
        }
    };
    let race = Race::new(options(4))
        .contestant("a", KIB, work('a'))
        .contestant("b", KIB, work('b'))
        .contestant("c", KIB, work('c'));
    let report = run(race, &world);
    let log = world.log.borrow();
    let turns = log.split_once('|').unwrap().1;
    assert_eq!(turns, "aa|bb|cc|cc|bb|aa|aa|bb|cc|cc|bb|aa");
    assert!(report.outcomes.iter().all(|o| o.repetitions == 1));
    assert_eq!(report.outcomes.iter().map(|o| o.name.as_str()).collect::<String>(), "abc");
    let turns: Vec<u32> = report.outcomes[1].samples.iter().map(|s| s.turn).collect();
    assert_eq!(turns, [0, 1, 2, 3]);
}

/// A contestant with one call for each timing and sample; `trouble(n)` changes the machine in its nth timed
/// call.
fn troubled(world: &World, samples: u32, trouble: impl Fn(u32)) -> Report {
    let calls = Cell::new(0);
    let warm = Cell::new(true);
    let work = || {
        world.pass(1_000_000);
        // The first four calls find the duration; then each timed call has one to warm up before it.
        calls.set(calls.get() + 1);
        if calls.get() > 4 {
            warm.set(!warm.get());
            if warm.get() {
                trouble((calls.get() - 6) / 2);
            }
        }
    };
    run(Race::new(options(samples)).contestant("a", KIB, work), world)
}

#[test]
fn noise_is_rejected_counted_and_made_good() {
    let world = World::new();
    // Another program runs during calls 2 and 3 and ends before call 4: it affects the readings after 2 and
    // before 3, after 3 and before 4.
    let report =
        troubled(&world, 6, |n| world.cycles_per_group.set(if n == 2 || n == 3 { 2.1 } else { 1.25 }));
    let a = &report.outcomes[0];
    assert_eq!(a.rejected(), Rejected { noise: 3, drift: 0, preempted: 0 });
    assert_eq!((a.accepted(), a.samples.len(), a.quality()), (6, 9, Quality::Steady));
    let noisy: Vec<u32> = a.samples.iter().filter(|s| s.verdict == Verdict::Noise).map(|s| s.turn).collect();
    assert_eq!(noisy, [2, 3, 4]);
    assert_eq!(a.samples[3].probe, Some(2.1));
}

#[test]
fn the_gate_has_a_tolerance_of_12_per_cent() {
    for (probe, noise) in [(1.25 * 1.11, 0), (1.25 * 1.13, 2)] {
        let world = World::new();
        let report = troubled(&world, 4, |n| world.cycles_per_group.set(if n == 1 { probe } else { 1.25 }));
        assert_eq!(report.outcomes[0].rejected().noise, noise, "probe {probe}");
    }
}

#[test]
fn a_probe_that_is_too_good_rejects_nothing() {
    let world = World::new();
    // The reading after call 1 and the one before call 2 see an impossible dispatch.
    let report = troubled(&world, 8, |n| world.cycles_per_group.set(if n == 1 { 0.8 } else { 1.25 }));
    let a = &report.outcomes[0];
    assert_eq!(report.best_probe, Some(1.25));
    assert_eq!((a.rejected().noise, a.accepted()), (0, 8));
}

#[test]
fn a_better_probe_seen_late_judges_all() {
    let world = World::new();
    world.cycles_per_group.set(2.0);
    // The other program runs from the start and ends during call 3 of 4.
    let report = troubled(&world, 4, |n| {
        if n == 2 {
            world.cycles_per_group.set(1.25);
        }
    });
    let a = &report.outcomes[0];
    assert_eq!(report.best_probe, Some(1.25));
    // The first two were accepted when they were taken; two more turns make up for them.
    assert_eq!((a.rejected().noise, a.accepted()), (3, 4));
    assert_eq!(a.quality(), Quality::Steady);
}

#[test]
fn drift_and_preemption_are_rejected() {
    let world = World::new();
    let report = troubled(&world, 8, |n| match n {
        1 => world.ticks_per_cycle.set(TICKS_PER_CYCLE * 1.05),
        3 => world.now.set(world.now.get() + 20_000),
        _ => (),
    });
    let a = &report.outcomes[0];
    assert_eq!(a.rejected(), Rejected { noise: 0, drift: 1, preempted: 1 });
    assert_eq!((a.samples[1].verdict, a.samples[3].verdict), (Verdict::Drift, Verdict::Preempted));
    assert_eq!(a.rejected().total(), 2);
    assert_eq!(a.samples.len(), 10);
}

#[test]
fn patience_ends() {
    let world = World::new();
    let report = troubled(&world, 3, |_| world.now.set(world.now.get() + 500_000));
    let a = &report.outcomes[0];
    assert_eq!((a.samples.len(), a.rejected().preempted, a.quality()), (12, 12, Quality::Noisy));
    // 500,000 ticks that the thread did not run are in the figure, and it is marked.
    assert_eq!(a.figure_cycles(), Some(3_000_000.0));
    assert!(a.to_string().contains("TOO NOISY"), "{a}");
}

#[test]
fn five_samples_are_a_thin_basis() {
    let world = World::new();
    let report = troubled(&world, 8, |n| {
        if n >= 5 {
            world.now.set(world.now.get() + 500_000);
        }
    });
    let a = &report.outcomes[0];
    assert_eq!((a.accepted(), a.samples.len(), a.quality()), (5, 32, Quality::Thin));
    assert_eq!(a.figure_cycles(), Some(2_000_000.0), "of the accepted ones only");
    assert!(a.to_string().contains("FEWER SAMPLES"), "{a}");
}

#[test]
fn ratios_pair_turns_that_count() {
    let world = World::new();
    let (a_calls, b_calls) = (Cell::new(0), Cell::new(0));
    // Both slow down steadily, a to b stays 3 to 2; a's 5th sample is interrupted.
    let race = Race::new(options(6))
        .contestant("a", KIB, || {
            a_calls.set(a_calls.get() + 1);
            world.pass(300_000 * (1 + a_calls.get() / 4));
            if a_calls.get() == 14 {
                world.now.set(world.now.get() + 800_000);
            }
        })
        .contestant("b", KIB, || {
            b_calls.set(b_calls.get() + 1);
            world.pass(200_000 * (1 + b_calls.get() / 4));
        });
    let report = run(race, &world);
    assert_eq!(report.outcome("a").unwrap().rejected().preempted, 1);
    assert_eq!(report.outcome("b").unwrap().samples.len(), 7);
    let ratio = report.ratio("a", "b").unwrap();
    assert_eq!(ratio.pairs, 6);
    assert!((ratio.median - 1.5).abs() < 1e-9 && (ratio.high - ratio.low).abs() < 1e-9, "{ratio}");
    assert_eq!(report.ratio("a", "c"), None);
}

/// Eight timings a sample, one of which the system's timer hits: the sample is their median.
#[test]
fn one_interrupted_timing_of_eight_does_not_move_a_sample() {
    let world = World::new();
    let calls = Cell::new(0);
    let work = || {
        calls.set(calls.get() + 1);
        world.pass(if calls.get() % 9 == 0 { 20_200 } else { 20_000 });
    };
    let report = run(Race::new(options(10)).contestant("a", KIB, work), &world);
    let a = &report.outcomes[0];
    assert_eq!((a.repetitions, a.samples.len()), (1, 10));
    assert!(a.samples.iter().all(|s| s.cycles == Some(40_000.0)));
    assert!(calls.get() >= 10 * 9, "eight timings and a warm-up call each: {}", calls.get());
}

#[test]
fn gueron_calls_as_often_as_in_the_paper() {
    let world = World::new();
    let calls = Cell::new(0_u64);
    // The warm-up calls are slow; so is every experiment but the third.
    let work = || {
        let at = calls.get() % 125_000;
        let experiment = calls.get() / 125_000;
        calls.set(calls.get() + 1);
        world.pass(match (at, experiment) {
            (..25_000, _) => 1000,
            (_, 2) => 10,
            _ => 14,
        });
    };
    let race = Race::new(Options { method: Method::Gueron, ..options(30) });
    let report = run(race.contestant("a", KIB, work), &world);
    let a = &report.outcomes[0];
    assert_eq!(calls.get(), 5 * 125_000);
    assert_eq!((a.samples.len(), a.repetitions, a.wanted, a.quality()), (5, 100_000, 5, Quality::Steady));
    assert_eq!(a.figure_cycles(), Some(20.0));
    assert_eq!(a.cycles().unwrap().median, 28.0);
}

#[test]
fn quartile_takes_1024_timings() {
    let world = World::new();
    let calls = Cell::new(0_u64);
    // 40,000 ticks = 20 µs, longer than a timing must be; one call in ten is hit by something.
    let work = || {
        calls.set(calls.get() + 1);
        world.pass(if calls.get().is_multiple_of(10) { 90_000 } else { 40_000 });
    };
    let race = Race::new(Options { method: Method::Quartile, ..options(30) });
    let report = run(race.contestant("a", KIB, work), &world);
    let a = &report.outcomes[0];
    assert_eq!((a.samples.len(), a.wanted, a.repetitions), (1024, 1024, 1));
    assert_eq!(a.figure_cycles(), Some(80_000.0));
    assert_eq!(a.cycles().unwrap().maximum, 180_000.0);
    // Short calls are timed several at once: 10 µs are 20,000 ticks.
    let race = Race::new(Options { method: Method::Quartile, ..options(30) });
    let report = run(race.contestant("short", KIB, || world.pass(100)), &world);
    assert_eq!((report.outcomes[0].repetitions, report.outcomes[0].figure_cycles()), (200, Some(200.0)));
}

#[test]
fn waiting_for_own_threads_is_not_preemption() {
    for (threads, verdict) in [(Threads::Caller, Verdict::Preempted), (Threads::Own, Verdict::Accepted)] {
        let world = World::new();
        let work = || {
            world.pass(10_000);
            world.now.set(world.now.get() + 10_000);
        };
        let race = Race::new(Options { method: Method::Once, ..options(3) });
        let report = run(race.enter(Contestant::new("a", KIB, work).threads(threads)), &world);
        assert!(report.outcomes[0].samples.iter().all(|s| s.verdict == verdict), "{threads:?}");
    }
}

#[test]
fn once_makes_no_call_that_does_not_count() {
    let world = World::new();
    let calls = Cell::new(0_u64);
    let work = || {
        calls.set(calls.get() + 1);
        world.pass(if calls.get() == 2 { 9_000_000 } else { 6_000_000 });
    };
    let race = Race::new(Options { method: Method::Once, ..options(3) });
    let report = run(race.contestant("a", KIB, work), &world);
    let a = &report.outcomes[0];
    assert_eq!((calls.get(), a.samples.len(), a.repetitions, a.wanted), (3, 3, 1, 3));
    assert_eq!(a.figure_cycles(), Some(12_000_000.0));
}

#[test]
fn without_a_core_clock_times_are_marked_as_wall_times() {
    let world = World { has_loops: false, ..World::new() };
    let race = Race::new(options(8))
        .contestant("a", KIB, || world.pass(2000))
        .contestant("b", KIB, || world.pass(1000));
    let report = run(race, &world);
    let a = report.outcome("a").unwrap();
    assert_eq!((a.unit, a.cycles(), a.figure_cycles(), a.core_ghz()), (Unit::WallTime, None, None, None));
    assert!((a.figure_nanoseconds().unwrap() - 1000.0).abs() < 1e-9);
    assert_eq!(a.quality(), Quality::Steady);
    assert!(a.to_string().contains("wall time, no core clock"), "{a}");
    assert_eq!(report.ratio("a", "b").unwrap().median, 2.0);
    assert_eq!(report.best_probe, None);
}

#[test]
fn a_stopped_race_keeps_its_results() {
    let world = World::new();
    let race = Race::new(options(10))
        .contestant("a", KIB, || world.pass(1000))
        .contestant("b", KIB, || world.pass(1000))
        .watch(|p| {
            assert_eq!((p.wanted, p.at_most, p.rejected), (20, 80, 0));
            if p.done == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    let report = run(race, &world);
    assert!(report.stopped);
    let taken: Vec<usize> = report.outcomes.iter().map(|o| o.samples.len()).collect();
    assert_eq!(taken, [1, 2], "a, b, and b again in the backward turn");
    assert_eq!(report.ratio("a", "b").unwrap().pairs, 1);
    // Stopped before any contestant ran: no figures, no panic.
    let race = Race::new(options(10)).contestant("a", KIB, || world.pass(1000));
    let report = run(race.contestant("b", KIB, || ()).watch(|_| ControlFlow::Break(())), &world);
    let b = &report.outcomes[1];
    assert_eq!((b.cycles(), b.figure_nanoseconds(), b.figure_cycles()), (None, None, None));
    assert!(b.to_string().ends_with("no samples"), "{b}");
    assert_eq!(report.ratio("a", "b"), None);
}

#[test]
fn a_race_without_contestants_ends() {
    let world = World::new();
    assert_eq!(run(Race::new(options(10)), &world).outcomes, []);
}

/// Work that takes no time is not repeated for ever.
#[test]
fn idle_work_ends() {
    let world = World::new();
    let race = Race::new(Options { patience: 1, ..options(1) });
    let report = run(race.contestant("idle", KIB, || ()), &world);
    assert!(report.outcomes[0].repetitions <= 1 << 22);
}

#[test]
fn a_lap_is_timed_once() {
    let world = World::new();
    let mut clock = Clock::with_time(Fake(&world));
    assert_eq!(clock.core_hz(), Some(4e9));
    let lap = clock.lap(|| world.pass(2000));
    let expected = Lap { seconds: 1e-6, cycles: Some(4000.0), probe: Some(1.25), verdict: Verdict::Accepted };
    assert_eq!(lap, expected);
}
