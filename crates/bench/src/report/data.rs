//! The saved data of a report: figures with their tables and panels, how and where they were measured, and
//! the contestants. The page can be created again from them.

use crate::contest::Absence;
use crate::figures::{self, Gathered};
use crate::noise::{Counts, Noise};
use crate::recorded::Recorded;
use crate::session::Session;
use crate::standings::Standings;
use hashlanes_chart::Figure;
use hashlanes_clock::Environment;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// The schema's number: changes when a field's meaning does.
const SCHEMA: u32 = 1;

/// A report.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Data {
    schema: u32,
    /// When it was measured, RFC 3339.
    pub(crate) time: String,
    /// Followed by `+` if the sources were changed since.
    pub(crate) commit: String,
    pub(crate) environment: Environment,
    pub(crate) method: MethodData,
    /// Contestants and their versions.
    pub(crate) versions: Vec<(String, String)>,
    /// Contestants that were not measured, with the reason.
    pub(crate) absent: Vec<(String, String)>,
    pub(crate) figures: Vec<Figure>,
}

/// How it was measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MethodData {
    pub(crate) name: String,
    /// Samples of each contestant that were to pass the noise gate, and milliseconds of each.
    pub(crate) samples: u32,
    pub(crate) sample_ms: f64,
    /// Numbers of outcomes with all requested samples, with fewer, and with too few to be trusted.
    pub(crate) steady: usize,
    pub(crate) thin: usize,
    pub(crate) noisy: usize,
}

impl Data {
    /// The results of a session.
    pub(crate) fn new(session: &Session, gathered: Gathered) -> Self {
        let options = session.options();
        let method = MethodData {
            name: options.method.name().into(),
            samples: options.samples,
            sample_ms: options.sample.as_secs_f64() * 1e3,
            ..MethodData::of(gathered.counts)
        };
        let commit = env!("HASHLANES_BENCH_COMMIT").into();
        let time = crate::record::utc(SystemTime::now());
        Data::of(gathered, time, commit, session.environment().clone(), method)
    }

    /// The results of a record.
    pub(crate) fn recorded(recorded: Recorded, noise: Noise) -> Self {
        let Recorded { time, environment, method, samples, sample_ms, commits, standings } = recorded;
        let gathered = figures::of_record(standings, noise);
        let name = method.name().into();
        let method = MethodData { name, samples, sample_ms, ..MethodData::of(gathered.counts) };
        Data::of(gathered, time, commits.join(", "), environment, method)
    }

    fn of(
        gathered: Gathered,
        time: String,
        commit: String,
        environment: Environment,
        method: MethodData,
    ) -> Self {
        let Gathered { figures, standings, .. } = gathered;
        let (versions, absent) = (versions(&standings), absent(&standings));
        Data { schema: SCHEMA, time, commit, environment, method, versions, absent, figures }
    }

    /// Reads a saved file.
    ///
    /// # Errors
    /// If it is not such a file, or has another schema.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let data: Data =
            serde_json::from_str(text).map_err(|error| format!("no data of a report: {error}"))?;
        match data.schema {
            SCHEMA => Ok(data),
            other => Err(format!("data of schema {other}; this program reads {SCHEMA}")),
        }
    }
}

impl MethodData {
    fn of(Counts { steady, thin, noisy }: Counts) -> Self {
        MethodData { steady, thin, noisy, ..Self::default() }
    }

    pub(super) fn counts(&self) -> Counts {
        Counts { steady: self.steady, thin: self.thin, noisy: self.noisy }
    }
}

/// The contestants that were timed, each once: without its kernel and without its work.
fn versions(standings: &[Standings]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for holding in standings.iter().flat_map(|s| &s.holdings) {
        for (outcome, version) in holding.report.outcomes.iter().zip(&holding.versions) {
            let name = outcome.name.split([':', '=']).next().unwrap_or_default();
            if !all.iter().any(|(known, _)| known == name) {
                all.push((name.to_owned(), version.clone()));
            }
        }
    }
    all.sort();
    all
}

/// Returns the contestants that were left out of any contest, with the reason, each once.
fn absent(standings: &[Standings]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, absence) in standings.iter().flat_map(Standings::absent) {
        let line = (name.clone(), Absence::text(absence));
        if !all.contains(&line) {
            all.push(line);
        }
    }
    all
}
