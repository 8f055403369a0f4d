//! A contest: one work, several contestants; and what one process measured of it.

use crate::work::Work;
use hashlanes_clock::Report;
use serde::{Deserialize, Serialize};

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    /// What its results are found by, later.
    pub(crate) id: String,
    /// Contestants and what each is to do; mostly one work for all. The first one's hash is what the contest is about.
    pub(crate) entries: Vec<(String, Work)>,
    /// A variable that rivals read, `NAME=VALUE`: all is measured in a process started with it. Mostly empty.
    pub(crate) environment: &'static str,
}

impl Contest {
    /// All of `contestants` do one work.
    pub(crate) fn of(work: Work, contestants: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let entries = contestants.into_iter().map(|name| (name.into(), work)).collect();
        Contest { id: work.to_string(), entries, environment: "" }
    }

    /// What a contestant's results are found by: its name, or `NAME=WORK` if it computes another function than the first
    /// one does. Such a one is a yardstick: its digests are checked as those of its own work, and it may stand beside
    /// itself.
    pub(crate) fn label(&self, name: &str, work: Work) -> String {
        match self.entries.first() {
            Some((_, first)) if first.hash != work.hash => yardstick(name, work),
            _ => name.to_owned(),
        }
    }

    /// The same by another name.
    pub(crate) fn named(self, id: impl Into<String>) -> Self {
        Contest { id: id.into(), ..self }
    }

    /// The same in a process started with this variable, `NAME=VALUE`.
    pub(crate) fn with(self, environment: &'static str) -> Self {
        Contest { environment, ..self }
    }
}

/// The label of a contestant that computes another function than the contest's first.
pub(crate) fn yardstick(name: &str, work: Work) -> String {
    format!("{name}={work}")
}

/// Why a contestant was not timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Absence {
    /// It is not installed, or not built in; this brings it.
    Missing(String),
    /// It cannot do this.
    NotApplicable(String),
    /// It gives a wrong digest.
    Wrong(String),
    /// The user stopped before its turn.
    Interrupted,
}

impl Absence {
    /// In tables, in a word or two.
    pub(crate) fn short(&self) -> &'static str {
        match self {
            Absence::Missing(_) => "not installed",
            Absence::NotApplicable(_) => "not applicable",
            Absence::Wrong(_) => "WRONG",
            Absence::Interrupted => "interrupted",
        }
    }

    /// In full.
    pub(crate) fn text(&self) -> String {
        match self {
            Absence::Missing(install) => format!("not installed: {install}"),
            Absence::NotApplicable(why) => format!("not applicable: {why}"),
            Absence::Wrong(how) => format!("WRONG RESULT, not ranked: {how}"),
            Absence::Interrupted => "interrupted".into(),
        }
    }
}

/// What one process measured of a contest.
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
    /// The others, and why.
    pub(crate) absent: Vec<(String, Absence)>,
}
