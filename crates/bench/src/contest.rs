//! A contest: one work, several contestants, each asked and checked before it is timed.

use crate::candidate::{Candidate, NotApplicable, Presence};
use crate::check::{Fault, check};
use crate::contestants;
use crate::input::Input;
use crate::session::Session;
use crate::work::Work;
use hashlanes_clock::{Contestant, Race, Report};
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
