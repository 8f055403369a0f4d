//! Reads a CPU's record: the results of earlier sessions, of which figures are drawn again.

use crate::contest::{Absence, Holding};
use crate::record::{Samples, verdict_of};
use crate::standings::Standings;
use crate::work::Work;
use hashlanes_clock::{
    Clock, Environment, Footprint, Method, Outcome, Pinning, Quality, Report, Sample, Unit, Verdict,
};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// The results of all sessions of figures; of a contest those of the newest session that held it.
pub(crate) struct Recorded {
    /// The newest session: its time, its environment, and how it measured.
    pub(crate) time: String,
    pub(crate) environment: Environment,
    pub(crate) method: Method,
    pub(crate) samples: u32,
    pub(crate) sample_ms: f64,
    /// The sources of all sessions that results are taken from.
    pub(crate) commits: Vec<String>,
    pub(crate) standings: Vec<Standings>,
}

/// The defaults of `--samples` and `--sample`.
const SAMPLES: u32 = 30;
const SAMPLE_MS: f64 = 3.0;

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Session(Box<SessionLine>),
    Outcome(Box<OutcomeLine>),
    Absent(AbsentLine),
}

#[derive(Deserialize)]
struct SessionLine {
    time: String,
    commit: String,
    arguments: String,
    environment: Environment,
}

#[derive(Deserialize)]
struct OutcomeLine {
    contest: String,
    process: usize,
    work: Work,
    contestant: String,
    version: String,
    unit: Unit,
    method: Method,
    footprint: Footprint,
    bytes: u64,
    messages: u64,
    repetitions: u64,
    quality: Quality,
    pinning: Pinning,
    best_probe: Option<f64>,
    stopped: bool,
    samples: Samples,
}

#[derive(Deserialize)]
struct AbsentLine {
    contest: String,
    process: usize,
    contestant: String,
    why: Absence,
}

/// Reads the sessions of `figure` and `report` in the record of a CPU.
///
/// # Errors
/// If a file cannot be read, a line is not a record's, or there is no such session.
pub(crate) fn read(folder: &Path) -> Result<Recorded, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut files: Vec<_> = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    files.retain(|file| file.path().extension().is_some_and(|extension| extension == "ndjson"));
    files.sort_by_key(fs::DirEntry::file_name);
    let mut sessions: Vec<(SessionLine, Vec<Standings>)> = Vec::new();
    for file in files {
        let file = file.path();
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| wrong(&error))?;
        add(&mut sessions, &text).map_err(|why| wrong(&why))?;
    }
    sessions.retain(|(session, _)| is_of_figures(&session.arguments));
    sessions.sort_by(|a, b| a.0.time.cmp(&b.0.time));
    recorded(sessions).ok_or_else(|| format!("{}: no session of figures", folder.display()))
}

/// Whether a session measured figures at full length.
fn is_of_figures(arguments: &str) -> bool {
    let command = arguments.split(' ').next().unwrap_or_default();
    matches!(command, "figure" | "report") && !arguments.contains("--quick")
}

/// The contests of all sessions, from the oldest to the newest.
fn recorded(sessions: Vec<(SessionLine, Vec<Standings>)>) -> Option<Recorded> {
    let mut standings: Vec<Standings> = Vec::new();
    let mut commits = Vec::new();
    for (session, held) in &sessions {
        if !commits.contains(&session.commit) {
            commits.push(session.commit.clone());
        }
        for standing in held {
            match standings.iter_mut().find(|other| other.id() == standing.id()) {
                Some(older) => *older = standing.clone(),
                None => standings.push(standing.clone()),
            }
        }
    }
    let outcomes = || standings.iter().flat_map(|s| &s.holdings).flat_map(|h| &h.report.outcomes);
    let method = outcomes().next()?.method;
    let (newest, _) = sessions.into_iter().next_back()?;
    Some(Recorded {
        samples: option(&newest.arguments, "--samples").unwrap_or(SAMPLES),
        sample_ms: option(&newest.arguments, "--sample").unwrap_or(SAMPLE_MS),
        time: newest.time,
        environment: newest.environment,
        method,
        commits,
        standings,
    })
}

/// The value of an option in the arguments of a session.
fn option<T: FromStr>(arguments: &str, name: &str) -> Option<T> {
    let mut words = arguments.split(' ').skip_while(|word| *word != name);
    words.nth(1)?.parse().ok()
}

/// Adds the sessions of a file.
fn add(sessions: &mut Vec<(SessionLine, Vec<Standings>)>, text: &str) -> Result<(), String> {
    for (i, line) in text.lines().enumerate() {
        let at = |why: &dyn std::fmt::Display| format!("line {}: {why}", i + 1);
        match serde_json::from_str(line).map_err(|error| at(&error))? {
            Line::Session(session) => sessions.push((*session, Vec::new())),
            line => {
                let (session, standings) =
                    sessions.last_mut().ok_or_else(|| at(&"a result before the first session"))?;
                // Works of other sessions may be of an older program.
                if is_of_figures(&session.arguments) {
                    result(standings, line);
                }
            }
        }
    }
    Ok(())
}

/// Adds a line of results to its contest and process.
fn result(standings: &mut Vec<Standings>, line: Line) {
    match line {
        Line::Session(_) => {}
        Line::Outcome(line) => {
            let OutcomeLine { contest, process, work, version, pinning, best_probe, stopped, .. } = &*line;
            let holding = holding(standings, contest, *process);
            holding.report.pinning = pinning.clone();
            (holding.report.best_probe, holding.report.stopped) = (*best_probe, *stopped);
            holding.works.push(*work);
            holding.versions.push(version.clone());
            holding.report.outcomes.push(outcome(*line));
        }
        Line::Absent(AbsentLine { contest, process, contestant, why }) => {
            holding(standings, &contest, process).absent.push((contestant, why));
        }
    }
}

/// The results of a contest in a process; empty ones are added if there are none yet.
fn holding<'s>(standings: &'s mut Vec<Standings>, contest: &str, process: usize) -> &'s mut Holding {
    let empty = || Holding {
        id: contest.to_owned(),
        report: Report {
            outcomes: Vec::new(),
            pinning: Pinning::No,
            best_probe: None,
            tolerance: Clock::TOLERANCE,
            stopped: false,
        },
        works: Vec::new(),
        versions: Vec::new(),
        absent: Vec::new(),
    };
    let at = standings.iter().position(|standing| standing.id() == contest).unwrap_or_else(|| {
        standings.push(Standings { holdings: vec![empty()] });
        standings.len() - 1
    });
    let holdings = &mut standings[at].holdings;
    holdings.resize_with(holdings.len().max(process + 1), empty);
    &mut holdings[process]
}

fn outcome(line: OutcomeLine) -> Outcome {
    let columns = line.samples;
    let samples: Vec<Sample> = (columns.turn.iter().zip(columns.verdict.chars()).enumerate())
        .map(|(i, (turn, letter))| {
            let at = |column: &[Option<f64>]| column.get(i).copied().flatten();
            Sample {
                turn: *turn,
                seconds: at(&columns.ns).unwrap_or_default() / 1e9,
                cycles: at(&columns.cycles),
                probe: at(&columns.probe),
                verdict: verdict_of(letter),
            }
        })
        .collect();
    // The record does not hold the number of wanted samples, but whether there were as many.
    let accepted = samples.iter().filter(|sample| sample.verdict == Verdict::Accepted).count();
    let wanted = if line.quality == Quality::Steady { accepted } else { accepted + 1 };
    Outcome {
        name: line.contestant,
        footprint: line.footprint,
        bytes: line.bytes,
        messages: line.messages,
        method: line.method,
        repetitions: line.repetitions,
        wanted,
        unit: line.unit,
        samples,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(time: &str, arguments: &str) -> String {
        let environment = serde_json::to_string(&Environment::measure()).unwrap();
        format!(
            "{{\"kind\":\"session\",\"schema\":1,\"time\":\"{time}\",\"commit\":\"{time}\",\
             \"arguments\":\"{arguments}\",\"environment\":{environment}}}\n"
        )
    }

    fn outcome(contest: &str, cycles: f64) -> String {
        format!(
            "{{\"kind\":\"outcome\",\"session\":\"\",\"contest\":\"{contest}\",\"process\":0,\
             \"work\":\"sha256:64\",\"contestant\":\"hashlanes\",\"version\":\"1\",\"unit\":\"core_cycles\",\
             \"method\":\"median\",\"footprint\":{{\"bytes\":64,\"stride\":64}},\"bytes\":64,\"messages\":1,\
             \"repetitions\":1,\"figure\":1.0,\"cpb\":1.0,\"quality\":\"steady\",\"pinning\":{{\"cpu\":0}},\
             \"best_probe\":1.0,\"stopped\":false,\"samples\":{{\"turn\":[0,1],\"cycles\":[{cycles},1e9],\
             \"ns\":[1.0,1.0],\"probe\":[1.0,1.0],\"verdict\":\"AN\"}}}}\n"
        )
    }

    #[test]
    fn the_newest_results_of_a_contest_count() {
        let mut sessions = Vec::new();
        for (time, arguments, contests) in [
            ("2", "report all --samples 9", &[("a", 64.0)][..]),
            ("1", "figure all", &[("a", 128.0), ("b", 192.0)]),
            ("3", "report --quick", &[("a", 1.0)]),
            ("4", "targets", &[("b", 1.0)]),
        ] {
            let results: String =
                contests.iter().map(|(contest, cycles)| outcome(contest, *cycles)).collect();
            add(&mut sessions, &(session(time, arguments) + &results)).unwrap();
        }
        sessions.retain(|(session, _)| is_of_figures(&session.arguments));
        sessions.sort_by(|a, b| a.0.time.cmp(&b.0.time));
        let recorded = recorded(sessions).unwrap();
        let of = |id| recorded.standings.iter().find(|s| s.id() == id).unwrap().outcome("hashlanes").unwrap();
        assert_eq!([of("a"), of("b")].map(|o| o.figure_cycles_per_byte()), [Some(1.0), Some(3.0)]);
        assert_eq!(of("a").quality(), Quality::Steady);
        assert_eq!((recorded.samples, recorded.time.as_str()), (9, "2"));
        assert_eq!(recorded.commits, ["1", "2"]);
    }

    #[test]
    fn results_without_a_session_are_refused() {
        let error = add(&mut Vec::new(), &outcome("a", 1.0)).unwrap_err();
        assert!(error.contains("line 1: a result before the first session"), "{error}");
        assert!(add(&mut Vec::new(), "{}").unwrap_err().starts_with("line 1: "));
    }
}
