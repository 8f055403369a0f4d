//! Records: what was measured, with all samples, one file a machine and day, in lines of JSON.
//!
//! ```text
//! record/<cpu>/<date>.ndjson
//!   {"kind":"session","schema":1,"time":…,"commit":…,"arguments":…,"environment":{…}}
//!   {"kind":"outcome","session":<time>,"contest":…,"process":…,"work":…,"contestant":…,"version":…,"unit":…,
//!    "method":…,"footprint":{…},"bytes":…,"messages":…,"repetitions":…,"figure":…,"cpb":…,"quality":…,
//!    "samples":{"turn":[…],"cycles":[…],"ns":[…],"probe":[…],"verdict":"A…"}}
//!   {"kind":"absent","session":<time>,"contest":…,"process":…,"contestant":…,"why":{…}}
//! ```
//! Samples are columns; a verdict is a letter: Accepted, Noise, Drift, Preempted. A file holds one CPU's sessions and
//! no other's, because its folder is named for the CPU.

use crate::contest::{Holding, Standings};
use hashlanes_clock::{Environment, Outcome, Verdict};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The schema's number: changes when a field's meaning does.
const SCHEMA: u32 = 1;

/// Appends a session to the file of this CPU and day; gives the file's name.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(
    folder: &Path,
    environment: &Environment,
    standings: &[Standings],
) -> Result<PathBuf, String> {
    let time = utc(SystemTime::now());
    let file = folder.join(cpu_folder(environment)).join(format!("{}.ndjson", &time[..10]));
    let mut lines = vec![session(&time, environment)];
    for standing in standings {
        for (process, holding) in standing.holdings.iter().enumerate() {
            lines.extend(holding_lines(&time, process, holding));
        }
    }
    let wrong = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(file.parent().expect("in a folder")).map_err(wrong)?;
    let mut out = OpenOptions::new().create(true).append(true).open(&file).map_err(wrong)?;
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    out.write_all(text.as_bytes()).map_err(wrong)?;
    Ok(file)
}

fn session(time: &str, environment: &Environment) -> Value {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    json!({
        "kind": "session",
        "schema": SCHEMA,
        "time": time,
        "commit": env!("HASHLANES_BENCH_COMMIT"),
        "arguments": arguments.join(" "),
        "environment": environment,
    })
}

fn holding_lines(time: &str, process: usize, holding: &Holding) -> Vec<Value> {
    let timed = holding.report.outcomes.iter().zip(&holding.works).zip(&holding.versions);
    let timed = timed.map(|((outcome, work), version)| {
        json!({
            "kind": "outcome",
            "session": time,
            "contest": holding.id,
            "process": process,
            "work": work,
            "contestant": outcome.name,
            "version": version,
            "unit": outcome.unit,
            "method": outcome.method,
            "footprint": outcome.footprint,
            "bytes": outcome.bytes,
            "messages": outcome.messages,
            "repetitions": outcome.repetitions,
            "figure": outcome.figure_cycles().or_else(|| outcome.figure_nanoseconds()).map(short),
            "cpb": outcome.figure_cycles_per_byte().map(short),
            "quality": outcome.quality(),
            "pinning": holding.report.pinning,
            "best_probe": holding.report.best_probe.map(short),
            "stopped": holding.report.stopped,
            "samples": samples(outcome),
        })
    });
    let absent = holding.absent.iter().map(|(name, absence)| {
        json!({
            "kind": "absent",
            "session": time,
            "contest": holding.id,
            "process": process,
            "contestant": name,
            "why": absence,
        })
    });
    timed.chain(absent).collect()
}

fn samples(outcome: &Outcome) -> Value {
    let column = |value: fn(&hashlanes_clock::Sample) -> Option<f64>| -> Vec<Option<f64>> {
        outcome.samples.iter().map(|s| value(s).map(short)).collect()
    };
    let verdict = |v| match v {
        Verdict::Accepted => 'A',
        Verdict::Noise => 'N',
        Verdict::Drift => 'D',
        Verdict::Preempted => 'P',
    };
    json!({
        "turn": outcome.samples.iter().map(|s| s.turn).collect::<Vec<_>>(),
        "cycles": column(|s| s.cycles),
        "ns": column(|s| Some(s.seconds * 1e9)),
        "probe": column(|s| s.probe),
        "verdict": outcome.samples.iter().map(|s| verdict(s.verdict)).collect::<String>(),
    })
}

/// Six significant digits: more than any sample has.
fn short(value: f64) -> f64 {
    format!("{value:.5e}").parse().expect("a number as written")
}

/// The folder of a CPU: its name and signature in small letters and digits.
pub(crate) fn cpu_folder(environment: &Environment) -> String {
    let mut name = environment.cpu.to_lowercase();
    for noise in ["(r)", "(tm)", "processor", "cpu"] {
        name = name.replace(noise, " ");
    }
    if let (Some(family), Some(model), Some(stepping)) =
        (environment.family, environment.model, environment.stepping)
    {
        name += &format!(" f{family} m{model} s{stepping}");
    }
    let letters = name.split(|c: char| !c.is_ascii_alphanumeric());
    letters.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// A time as in RFC 3339, in seconds, UTC.
fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days as i64);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a day counted from 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms", `civil_from_days`): years begin in March, so that leap days come last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_are_of_the_calendar() {
        let at = |seconds| utc(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_767_225_599), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn six_digits_are_kept() {
        assert_eq!(short(1_234_567.8), 1_234_570.0);
        assert_eq!(short(0.012_345_678), 0.012_345_7);
    }
}
