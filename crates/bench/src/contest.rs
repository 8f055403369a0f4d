//! A contest: one workload and several contestants; and the results of one process.

use crate::signatures::{Operation, leaves};
use crate::work::{Hash, Shape, Work};
use hashlanes_clock::{Method, Options, Report};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Number of leaves that a contestant computes in all when it generates keys: 2^10 leaves seven times, or
/// 2^16 once.
const KEYGEN_LEAVES: u64 = 1 << 13;

/// A measurement.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    /// The key of its results.
    pub(crate) id: String,
    /// The contestants and their workloads, usually the same for all. The hash of the first one is the
    /// subject of the contest.
    pub(crate) entries: Vec<(String, Work)>,
    /// An environment variable for rivals, `NAME=VALUE`, usually empty: everything is measured in a process
    /// started with it.
    pub(crate) environment: &'static str,
    /// The duration of each contestant's only sample; usually `None`, and the session's options apply.
    pub(crate) seconds: Option<f64>,
}

impl Contest {
    /// Creates a contest with a workload for each contestant.
    pub(crate) fn new(id: impl Into<String>, entries: Vec<(String, Work)>) -> Self {
        Contest { id: id.into(), entries, environment: "", seconds: None }
    }

    /// Creates a contest with one workload for all contestants.
    pub(crate) fn of(work: Work, contestants: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let entries = contestants.into_iter().map(|name| (name.into(), work)).collect();
        Contest::new(work.to_string(), entries)
    }

    /// Creates a contest with one sample of the given duration, like `openssl speed`.
    pub(crate) fn lasting(self, seconds: f64) -> Self {
        Contest { seconds: Some(seconds), ..self }
    }

    /// Returns the race options for a session. Key generation takes longer than a usual sample, so every call
    /// is a sample; the more leaves, the fewer samples.
    pub(crate) fn options(&self, session: Options) -> Options {
        let leaves = match self.entries.first() {
            Some((_, Work { hash, shape: Shape::Signatures(Operation::KeyGeneration) })) => match hash {
                Hash::Xmss(set) => Some(leaves(set)),
                Hash::SlhDsaOrLms(set) => Some(set.leaves()),
                _ => None,
            },
            _ => None,
        };
        if let Some(leaves) = leaves {
            let samples = (KEYGEN_LEAVES / leaves).clamp(1, 7) as u32;
            let (samples, patience) = (session.samples.min(samples), session.patience.min(2));
            return Options { method: Method::Once, samples, patience, ..session };
        }
        let Some(seconds) = self.seconds else { return session };
        let sample = Duration::from_secs_f64(seconds);
        Options { method: Method::Median, sample, samples: 1, patience: 1, ..session }
    }

    /// The key of a contestant's results: its name, or `NAME=WORK` if it computes another function than the
    /// first one, or was entered before with another workload. A contestant with another function is a
    /// yardstick: its digests are checked for its own workload.
    pub(crate) fn label(&self, name: &str, work: Work) -> String {
        let is_another = self.entries.first().is_some_and(|(_, first)| first.hash != work.hash);
        let before = self.entries.iter().find(|(entered, _)| entered == name);
        match is_another || before.is_some_and(|(_, entered)| *entered != work) {
            true => format!("{name}={work}"),
            false => name.to_owned(),
        }
    }

    /// Sets another name.
    pub(crate) fn named(self, id: impl Into<String>) -> Self {
        Contest { id: id.into(), ..self }
    }

    /// Sets the environment variable `NAME=VALUE` of its process.
    pub(crate) fn with(self, environment: &'static str) -> Self {
        Contest { environment, ..self }
    }
}

/// Why a contestant was not timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Absence {
    /// It is not installed, or not built in; this command installs it.
    Missing(String),
    /// It does not support the workload.
    NotApplicable(String),
    /// Its digest is wrong.
    Wrong(String),
    /// The user stopped before its turn.
    Interrupted,
}

impl Absence {
    /// Returns a short text, for tables.
    pub(crate) fn short(&self) -> &'static str {
        match self {
            Absence::Missing(_) => "not installed",
            Absence::NotApplicable(_) => "not applicable",
            Absence::Wrong(_) => "WRONG",
            Absence::Interrupted => "interrupted",
        }
    }

    /// Returns the full text.
    pub(crate) fn text(&self) -> String {
        match self {
            Absence::Missing(install) => format!("not installed: {install}"),
            Absence::NotApplicable(why) => format!("not applicable: {why}"),
            Absence::Wrong(how) => format!("WRONG RESULT, not ranked: {how}"),
            Absence::Interrupted => "interrupted".into(),
        }
    }
}

/// The results of a contest in one process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Holding {
    /// The contest's.
    pub(crate) id: String,
    /// Timed contestants, whose names stand in the outcomes.
    pub(crate) report: Report,
    /// The works of the timed contestants.
    pub(crate) works: Vec<Work>,
    /// The versions of the timed contestants.
    pub(crate) versions: Vec<String>,
    /// The contestants that were not timed, with the reasons.
    pub(crate) absent: Vec<(String, Absence)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_entries_apart() {
        let work = |text: &str| text.parse::<Work>().unwrap();
        let entries = [
            ("hashlanes", "jlanes-v1-sha256-16:1K", "hashlanes"),
            ("hashlanes:sha-ni", "jlanes-v1-sha256-16:1K", "hashlanes:sha-ni"),
            ("hashlanes", "jlanes-v1-sha256-16:2K", "hashlanes=jlanes-v1-sha256-16:2K"),
            ("hashlanes", "sha256:1K", "hashlanes=sha256:1K"),
            ("blake3", "blake3:1K", "blake3=blake3:1K"),
        ];
        let contest = Contest::new("", entries.map(|(name, text, _)| (name.to_owned(), work(text))).into());
        for (name, text, label) in entries {
            assert_eq!(contest.label(name, work(text)), label);
        }
    }
}
