//! A contest: one work, several contestants, each asked and checked before it is timed.

use crate::candidate::{Candidate, NotApplicable, Presence};
use crate::check::{Fault, check};
use crate::contestants;
use crate::input::Input;
use crate::session::Session;
use crate::work::Work;
use hashlanes_clock::{Contestant, Outcome, Race, Ratio, Report};
use serde::{Deserialize, Serialize};

/// What is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    /// What its results are found by, later.
    pub(crate) id: String,
    /// Contestants and what each is to do; mostly one work for all.
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

    /// The same by another name.
    pub(crate) fn named(self, id: impl Into<String>) -> Self {
        Contest { id: id.into(), ..self }
    }

    /// The same in a process started with this variable, `NAME=VALUE`.
    pub(crate) fn with(self, environment: &'static str) -> Self {
        Contest { environment, ..self }
    }
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

/// What all processes measured of a contest: one, or as many as were wished.
#[derive(Clone, Debug)]
pub(crate) struct Standings {
    /// One a process.
    pub(crate) holdings: Vec<Holding>,
}

impl Standings {
    /// The contest's.
    pub(crate) fn id(&self) -> &str {
        self.holdings.first().map_or("", |h| &h.id)
    }

    /// The names of those timed in every process, in the order in which they entered.
    pub(crate) fn timed(&self) -> Vec<&str> {
        let Some(first) = self.holdings.first() else { return Vec::new() };
        let names = first.report.outcomes.iter().map(|o| o.name.as_str());
        names.filter(|name| self.outcome(name).is_some()).collect()
    }

    /// The outcome of that name: of several processes the one with the worst figure.
    pub(crate) fn outcome(&self, name: &str) -> Option<&Outcome> {
        let outcomes = self.holdings.iter().filter_map(|h| h.report.outcome(name));
        outcomes.filter(|o| figure(o).is_some()).max_by(|a, b| figure(a).total_cmp_some(figure(b)))
    }

    /// The figure of that name in core cycles a call (nanoseconds without a core clock), of the worst process.
    pub(crate) fn figure(&self, name: &str) -> Option<f64> {
        figure(self.outcome(name)?)
    }

    /// `a` over `b`: of several processes the worst for `a`.
    pub(crate) fn ratio(&self, a: &str, b: &str) -> Option<Ratio> {
        let ratios = self.holdings.iter().filter_map(|h| h.report.ratio(a, b));
        ratios.max_by(|x, y| x.median.total_cmp(&y.median))
    }

    /// The fastest of the timed that `wanted` accepts.
    pub(crate) fn best(&self, wanted: impl Fn(&str) -> bool) -> Option<&str> {
        let timed = self.timed().into_iter().filter(|name| wanted(name));
        timed.min_by(|a, b| self.figure(a).total_cmp_some(self.figure(b)))
    }

    /// Why a contestant was not timed (in the first process where that was so).
    pub(crate) fn absence(&self, name: &str) -> Option<&Absence> {
        let mut absent = self.holdings.iter().flat_map(|h| &h.absent);
        absent.find(|(n, _)| n == name).map(|(_, absence)| absence)
    }

    /// All who were not timed, and why.
    pub(crate) fn absent(&self) -> impl Iterator<Item = &(String, Absence)> {
        self.holdings.first().into_iter().flat_map(|h| &h.absent)
    }
}

/// A contestant's one figure.
fn figure(outcome: &Outcome) -> Option<f64> {
    outcome.figure_cycles().or_else(|| outcome.figure_nanoseconds())
}

/// Orders figures; those that there are not come first.
trait TotalOrder {
    fn total_cmp_some(self, other: Self) -> std::cmp::Ordering;
}

impl TotalOrder for Option<f64> {
    fn total_cmp_some(self, other: Self) -> std::cmp::Ordering {
        self.unwrap_or(f64::NEG_INFINITY).total_cmp(&other.unwrap_or(f64::NEG_INFINITY))
    }
}

/// Holds a contest in this process.
pub(crate) fn hold(session: &mut Session, contest: &Contest) -> Holding {
    // Whoever does the same work shares its input.
    let mut inputs: Vec<Input> = Vec::new();
    for (_, work) in &contest.entries {
        if !inputs.iter().any(|input| input.work() == *work) {
            inputs.push(Input::new(*work));
        }
    }
    let mut absent = Vec::new();
    let candidates: Vec<(Box<dyn Candidate>, Work)> = contest
        .entries
        .iter()
        .filter_map(|(name, work)| match contestants::named(name) {
            Ok(candidate) => Some((candidate, *work)),
            Err(error) => {
                absent.push((name.clone(), Absence::NotApplicable(error)));
                None
            }
        })
        .collect();
    let (mut works, mut versions, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    for (candidate, work) in &candidates {
        let input = inputs.iter().find(|input| input.work() == *work).expect("made above");
        match admit(session, candidate.as_ref(), input) {
            Ok((contestant, version)) => {
                works.push(*work);
                versions.push(version);
                ready.push(contestant);
            }
            Err(absence) => absent.push((candidate.name().to_owned(), absence)),
        }
    }
    let id = contest.id.clone();
    let report = race(session, &id, ready);
    Holding { id, report, works, versions, absent }
}

/// Asks a candidate whether it is here and can do it, and checks that it does it right.
fn admit<'a>(
    session: &Session,
    candidate: &'a dyn Candidate,
    input: &'a Input,
) -> Result<(Contestant<'a>, String), Absence> {
    let version = match candidate.presence() {
        Presence::Here(version) => version,
        Presence::Missing(install) => return Err(Absence::Missing(install)),
    };
    let mut entry = candidate.enter(input).map_err(|NotApplicable(why)| Absence::NotApplicable(why))?;
    if session.interrupted() {
        return Err(Absence::Interrupted);
    }
    let fault = if session.fault() == Some(candidate.name()) { Fault::OneBit } else { Fault::None };
    check(candidate, &mut entry, input, fault).map_err(Absence::Wrong)?;
    Ok((entry.contestant, version))
}

fn race<'a>(session: &mut Session, id: &str, ready: Vec<Contestant<'a>>) -> Report {
    let bar = session.bar(id);
    let interrupt = session.interrupt();
    let mut race = Race::new(session.options()).watch(|progress| {
        bar.tell(progress);
        interrupt.flow()
    });
    for contestant in ready {
        race = race.enter(contestant);
    }
    race.run_with(session.clock())
}
