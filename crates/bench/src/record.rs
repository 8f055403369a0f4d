//! Records of measurements with all samples: one file for each machine and day, in lines of JSON.
//!
//! ```text
//! record/<cpu>/<date>.ndjson
//!   {"kind":"session", …}    how everything was measured that follows: [`SessionLine`]
//!   {"kind":"outcome", …}    a contestant of a contest in a process, with all samples: [`OutcomeLine`]
//!   {"kind":"absent", …}     who was not measured, and why: [`AbsentLine`]
//! ```
//! Samples are columns; a verdict is a letter: Accepted, Noise, Drift, Preempted. A file holds only one CPU's
//! sessions, because its folder is named after the CPU.

use crate::contest::{Absence, Holding};
use crate::standings::Standings;
use crate::work::Work;
use hashlanes_clock::{Environment, Footprint, Method, Outcome, Pinning, Quality, Sample, Unit, Verdict};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The schema's number: changes when a field's meaning does.
const SCHEMA: u32 = 1;

/// A line of a record.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line<'a> {
    Session(SessionLine<'a>),
    Outcome(Box<OutcomeLine<'a>>),
    Absent(AbsentLine<'a>),
}

/// The conditions of all following measurements.
#[derive(Serialize)]
struct SessionLine<'a> {
    schema: u32,
    time: &'a str,
    /// Followed by `+` if the sources were changed since.
    commit: &'a str,
    arguments: &'a str,
    environment: &'a Environment,
}

/// The results of a contestant in a process.
#[derive(Serialize)]
struct OutcomeLine<'a> {
    /// The session's time.
    session: &'a str,
    contest: &'a str,
    process: usize,
    work: Work,
    contestant: &'a str,
    version: &'a str,
    unit: Unit,
    method: Method,
    footprint: Footprint,
    bytes: u64,
    messages: u64,
    repetitions: u64,
    /// Core cycles per call, or nanoseconds where there is no core clock.
    figure: Option<f64>,
    /// Core cycles per byte.
    cpb: Option<f64>,
    quality: Quality,
    pinning: &'a Pinning,
    best_probe: Option<f64>,
    stopped: bool,
    samples: Samples,
}

/// All samples, rejected ones too, as columns.
#[derive(Serialize, Deserialize)]
pub(crate) struct Samples {
    pub(crate) turn: Vec<u32>,
    pub(crate) cycles: Vec<Option<f64>>,
    pub(crate) ns: Vec<Option<f64>>,
    pub(crate) probe: Vec<Option<f64>>,
    pub(crate) verdict: String,
}

/// A contestant that was not measured.
#[derive(Serialize)]
struct AbsentLine<'a> {
    session: &'a str,
    contest: &'a str,
    process: usize,
    contestant: &'a str,
    why: &'a Absence,
}

/// Appends a session, measured by the program with these arguments, to the file of this CPU and day; returns
/// the file's name.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(
    folder: &Path,
    arguments: &str,
    environment: &Environment,
    standings: &[Standings],
) -> Result<PathBuf, String> {
    let time = utc(SystemTime::now());
    let file = folder.join(cpu_folder(environment)).join(format!("{}.ndjson", &time[..10]));
    let mut lines = vec![session(&time, arguments, environment)];
    for standing in standings {
        for (process, holding) in standing.holdings.iter().enumerate() {
            lines.extend(holding_lines(&time, process, holding));
        }
    }
    let mut text = String::new();
    for line in &lines {
        text += &serde_json::to_string(line).map_err(|error| error.to_string())?;
        text.push('\n');
    }
    let wrong = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(file.parent().expect("in a folder")).map_err(wrong)?;
    let mut out = OpenOptions::new().create(true).append(true).open(&file).map_err(wrong)?;
    out.write_all(text.as_bytes()).map_err(wrong)?;
    Ok(file)
}

fn session<'a>(time: &'a str, arguments: &'a str, environment: &'a Environment) -> Line<'a> {
    Line::Session(SessionLine {
        schema: SCHEMA,
        time,
        commit: env!("HASHLANES_BENCH_COMMIT"),
        arguments,
        environment,
    })
}

fn holding_lines<'a>(time: &'a str, process: usize, holding: &'a Holding) -> Vec<Line<'a>> {
    let timed = holding.report.outcomes.iter().zip(&holding.works).zip(&holding.versions);
    let timed = timed.map(|((outcome, work), version)| {
        Line::Outcome(Box::new(OutcomeLine {
            session: time,
            contest: &holding.id,
            process,
            work: *work,
            contestant: &outcome.name,
            version,
            unit: outcome.unit,
            method: outcome.method,
            footprint: outcome.footprint,
            bytes: outcome.bytes,
            messages: outcome.messages,
            repetitions: outcome.repetitions,
            figure: outcome.figure_cycles().or_else(|| outcome.figure_nanoseconds()).map(short),
            cpb: outcome.figure_cycles_per_byte().map(short),
            quality: outcome.quality(),
            pinning: &holding.report.pinning,
            best_probe: holding.report.best_probe.map(short),
            stopped: holding.report.stopped,
            samples: samples(outcome),
        }))
    });
    let absent = holding.absent.iter().map(|(contestant, why)| {
        Line::Absent(AbsentLine { session: time, contest: &holding.id, process, contestant, why })
    });
    timed.chain(absent).collect()
}

fn samples(outcome: &Outcome) -> Samples {
    let column = |value: fn(&Sample) -> Option<f64>| -> Vec<Option<f64>> {
        outcome.samples.iter().map(|s| value(s).map(short)).collect()
    };
    let letter = |verdict| VERDICTS.iter().find(|(_, of)| *of == verdict).map_or('?', |(letter, _)| *letter);
    Samples {
        turn: outcome.samples.iter().map(|s| s.turn).collect(),
        cycles: column(|s| s.cycles),
        ns: column(|s| Some(s.seconds * 1e9)),
        probe: column(|s| s.probe),
        verdict: outcome.samples.iter().map(|s| letter(s.verdict)).collect(),
    }
}

/// The letters of verdicts.
const VERDICTS: [(char, Verdict); 4] =
    [('A', Verdict::Accepted), ('N', Verdict::Noise), ('D', Verdict::Drift), ('P', Verdict::Preempted)];

/// The verdict of a letter; an unknown letter is noise.
pub(crate) fn verdict_of(letter: char) -> Verdict {
    VERDICTS.iter().find(|(of, _)| *of == letter).map_or(Verdict::Noise, |(_, verdict)| *verdict)
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

/// Returns a time in the format of RFC 3339, in seconds, UTC.
pub(crate) fn utc(time: SystemTime) -> String {
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
