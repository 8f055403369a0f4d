//! This machine's clock. Machines under test are slow, shared and interrupted: nothing here depends on a
//! speed.

use hashlanes_clock::{
    Clock, Environment, Footprint, Method, Options, Pin, PinGuard, Pinning, Race, TimeSource, Unit,
};
use std::hint::black_box;
use std::time::Duration;

fn sum(words: &[u32]) {
    black_box(black_box(words).iter().fold(0u32, |x, w| x.rotate_left(5) ^ w));
}

#[test]
fn a_real_race_yields_finite_numbers() {
    let words = [7u32; 1024];
    for method in [Method::Median, Method::Quartile] {
        let options = Options {
            method,
            sample: Duration::from_micros(500),
            samples: 6,
            patience: 2,
            ..Options::default()
        };
        let report = Race::new(options)
            .contestant("whole", Footprint::contiguous(4096), || sum(&words))
            .contestant("half", Footprint::contiguous(2048), || sum(&words[..512]))
            .run();
        for o in &report.outcomes {
            let ns = o.nanoseconds().unwrap();
            assert!(ns.minimum > 0.0 && ns.maximum.is_finite(), "{o}");
            assert!(ns.minimum <= ns.median && ns.median <= ns.maximum);
            assert!(o.gigabytes_per_second().unwrap().is_finite());
            assert_eq!(o.accepted() + o.rejected().total(), o.samples.len());
            assert!(o.samples.len() >= o.wanted);
            if o.unit == Unit::CoreCycles {
                let cycles = o.cycles_per_byte().unwrap();
                assert!(cycles.minimum > 0.0 && cycles.maximum.is_finite(), "{o}");
                assert!(o.core_ghz().unwrap().is_finite());
            }
        }
        let ratio = report.ratio("whole", "half").unwrap();
        assert!(ratio.low <= ratio.median && ratio.median <= ratio.high && ratio.high.is_finite(), "{ratio}");
    }
}

#[test]
fn assembly_counts_its_work() {
    let mut clock = Clock::new();
    let known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    assert_eq!(clock.reading().ticks_per_cycle.is_some(), known);
    assert_eq!(clock.best_probe().is_some(), known);
    let time = clock.time_mut();
    time.part();
    if known {
        assert_eq!((time.chain(0), time.chain(65)), (Some(64), Some(128)));
        assert_eq!((time.dispatch(0), time.dispatch(17)), (Some(16), Some(32)));
    }
    let (a, b) = (time.ticks(), time.ticks());
    assert!(a <= b);
    assert!(time.ticks_per_second().is_finite() && time.ticks_per_second() > 0.0);
}

#[test]
fn a_long_work_is_timed_by_one_lap() {
    let mut clock = Clock::new();
    let lap = clock.lap(|| std::thread::sleep(Duration::from_millis(5)));
    assert!(lap.seconds >= 0.004, "{lap:?}");
    // A sleeping thread is not on the processor.
    #[cfg(target_os = "linux")]
    assert_eq!(lap.verdict, hashlanes_clock::Verdict::Preempted);
}

#[test]
fn an_impossible_pin_is_reported() {
    for cpu in [1 << 20, 1000] {
        let guard = PinGuard::new(Pin::Cpu(cpu));
        assert!(matches!(guard.pinning(), Pinning::Failed(_)), "{:?}", guard.pinning());
    }
    assert_eq!(*PinGuard::new(Pin::No).pinning(), Pinning::No);
    let options = Options { pin: Pin::Cpu(1 << 20), samples: 1, patience: 1, ..Options::default() };
    let report = Race::new(options).contestant("a", Footprint::contiguous(4), || sum(&[1])).run();
    assert!(matches!(report.pinning, Pinning::Failed(_)));
    assert_eq!(report.outcomes[0].samples.len(), 1, "it ran all the same");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pin_ends_with_its_guard() {
    let allowed = || {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find(|l| l.starts_with("Cpus_allowed_list")).unwrap();
        line.split_once(':').unwrap().1.trim().to_owned()
    };
    let before = allowed();
    let guard = PinGuard::new(Pin::Current);
    let Pinning::Cpu(cpu) = *guard.pinning() else { panic!("{:?}", guard.pinning()) };
    assert_eq!(allowed(), cpu.to_string());
    drop(guard);
    assert_eq!(allowed(), before);
}

#[test]
fn the_environment_is_described() {
    let e = Environment::measure();
    assert!(!e.cpu.is_empty() && e.cpus >= 1);
    assert_eq!((e.arch.as_str(), e.os.as_str()), (std::env::consts::ARCH, std::env::consts::OS));
    assert!(e.rustc.starts_with("rustc "), "{}", e.rustc);
    #[cfg(target_arch = "x86_64")]
    {
        assert!(e.features.iter().any(|f| f == "sse2"));
        assert!(!e.vendor.is_empty() && e.family.is_some() && e.core_ghz.unwrap() > 0.0);
    }
    assert!(e.to_string().contains(&e.cpu));
}
