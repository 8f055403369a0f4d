//! A session: the conditions of all measurements of one run of the program.

use crate::candidate::{Candidate, NotApplicable, Presence};
use crate::check::{Fault, check};
use crate::contest::{Absence, Contest, Holding};
use crate::contestants;
use crate::fresh_process;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::record;
use crate::standings::Standings;
use crate::terminal::Bar;
use crate::work::Work;
use hashlanes_chart::Chart;
use hashlanes_clock::{Clock, Contestant, Environment, Options, Pin, PinGuard, Pinning, Race, Report};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The options for measuring, of every command.
#[derive(Clone, Debug)]
pub(crate) struct Wishes {
    /// The options of races.
    pub(crate) options: Options,
    /// A contestant whose digest is made wrong, to test this program itself.
    pub(crate) fault: Option<String>,
    /// Number of fresh processes that measure everything; 1: only this process.
    pub(crate) processes: u32,
    /// Where to keep a record.
    pub(crate) record: Option<PathBuf>,
    /// The program's arguments, for the record.
    pub(crate) arguments: String,
    /// How thoroughly.
    pub(crate) pace: Pace,
    /// Whether results are written to standard output as JSON, for the process that started this one.
    pub(crate) emit: bool,
}

/// How thoroughly figures are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As thoroughly as the options require.
    Full,
    /// Short runs, without the longest messages: a preview of the figures in minutes.
    Quick,
}

impl Pace {
    /// The options of races at this pace.
    pub(crate) fn options(self, wished: Options) -> Options {
        match self {
            Pace::Full => wished,
            Pace::Quick => Options {
                sample: wished.sample.min(Duration::from_micros(400)),
                samples: wished.samples.min(7),
                patience: wished.patience.min(2),
                ..wished
            },
        }
    }
}

/// A session.
pub(crate) struct Session {
    wishes: Wishes,
    clock: Clock,
    environment: Environment,
    interrupt: Interrupt,
    bar: Rc<Bar>,
}

impl Session {
    /// Starts the clock and reads the environment.
    ///
    /// # Errors
    /// If the program cannot stay on the requested CPU.
    pub(crate) fn new(wishes: Wishes) -> Result<Self, String> {
        if let (Pin::Cpu(_), Pinning::Failed(why)) =
            (wishes.options.pin, PinGuard::new(wishes.options.pin).pinning())
        {
            return Err(format!("--cpu: {why}"));
        }
        let mut clock = Clock::new();
        let environment = Environment::with_clock(&mut clock);
        let (interrupt, bar) = (Interrupt::listen(), Rc::new(Bar::new(1)));
        Ok(Session { wishes, clock, environment, interrupt, bar })
    }

    /// The machine, the system and the compiler.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The clock of all races.
    pub(crate) fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// The options of races.
    pub(crate) fn options(&self) -> Options {
        self.wishes.options
    }

    /// How thoroughly figures are measured.
    pub(crate) fn pace(&self) -> Pace {
        self.wishes.pace
    }

    /// The folder of records; `None` in a process that was started only to measure.
    pub(crate) fn record(&self) -> Option<&Path> {
        self.wishes.record.as_deref().filter(|_| !self.wishes.emit)
    }

    /// The contestant whose digest is made wrong.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.wishes.fault.as_deref()
    }

    /// Whether the user asked to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }

    /// The user's wish to stop.
    pub(crate) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Updates the bar at the beginning of a contest.
    pub(crate) fn bar(&self, id: &str) -> Rc<Bar> {
        self.bar.begin(id);
        self.bar.clone()
    }

    /// Runs all contests, in the requested number of processes, and writes the record. Contests that an
    /// interrupt prevented are missing from the results.
    ///
    /// # Errors
    /// If a process cannot be started or the record not be written.
    pub(crate) fn measure(&mut self, contests: &[Contest]) -> Result<Vec<Standings>, String> {
        let mut standings: Vec<Standings> = Vec::new();
        if self.wishes.processes > 1 && !self.wishes.emit {
            for process in 0..self.wishes.processes {
                if self.interrupted() {
                    break;
                }
                eprintln!("process {} of {}", process + 1, self.wishes.processes);
                for holding in fresh_process::run_again("")? {
                    gather(&mut standings, holding);
                }
            }
        } else {
            let here = fresh_process::environment();
            self.hold_all(contests.iter().filter(|c| c.environment == here).collect(), &mut standings)?;
            let mut elsewhere: Vec<_> =
                contests.iter().map(|c| c.environment).filter(|e| !e.is_empty()).collect();
            elsewhere.sort_unstable();
            elsewhere.dedup();
            for environment in elsewhere {
                if here.is_empty() && !self.interrupted() {
                    for holding in fresh_process::run_again(environment)? {
                        self.keep(holding, &mut standings)?;
                    }
                }
            }
        }
        if let Some(folder) = self.record() {
            let file = record::write(folder, &self.wishes.arguments, &self.environment, &standings)?;
            eprintln!("recorded in {}", file.display());
        }
        if standings.len() < contests.len() && !self.wishes.emit {
            outln!("interrupted: {} of {} contests were measured", standings.len(), contests.len());
        }
        Ok(standings)
    }

    /// Measures some of the command's works once more, in a fresh process: what depends on addresses is
    /// different there.
    ///
    /// # Errors
    /// If the process cannot be started, or fails.
    pub(crate) fn measure_afresh(&self, works: &[Work]) -> Result<Vec<Standings>, String> {
        let mut standings = Vec::new();
        for holding in fresh_process::run_for(works)? {
            gather(&mut standings, holding);
        }
        Ok(standings)
    }

    /// Runs contests in this process.
    fn hold_all(&mut self, contests: Vec<&Contest>, standings: &mut Vec<Standings>) -> Result<(), String> {
        self.bar = Rc::new(Bar::new(contests.len()));
        for contest in contests {
            if self.interrupted() {
                break;
            }
            let holding = hold(self, contest);
            self.keep(holding, standings)?;
            self.bar.end();
        }
        self.bar.clear();
        Ok(())
    }

    fn keep(&self, holding: Holding, standings: &mut Vec<Standings>) -> Result<(), String> {
        if self.wishes.emit {
            outln!("{}", serde_json::to_string(&holding).map_err(|e| e.to_string())?);
        }
        gather(standings, holding);
        Ok(())
    }

    /// Returns the conditions in one line: the CPU, its clock, the method, the commit.
    pub(crate) fn note(&self) -> String {
        let Environment { cpu, core_ghz, .. } = &self.environment;
        let clock = core_ghz.map_or_else(|| "wall times".into(), |ghz| format!("{ghz:.2} GHz"));
        let (method, commit) = (self.wishes.options.method.name(), env!("HASHLANES_BENCH_COMMIT"));
        let pace = match self.wishes.pace {
            Pace::Full => "",
            Pace::Quick => ", short runs",
        };
        format!("{cpu}, {clock}; method {method}{pace}; hashlanes {commit}")
    }

    /// Writes a chart, unless part of it is missing because the user stopped: an older, complete one is more
    /// useful.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write_svg(&self, file: &Path, chart: &Chart) -> Result<(), String> {
        if self.interrupted() {
            outln!("not drawn: {}", file.display());
            return Ok(());
        }
        let wrong = |error| format!("{}: {error}", file.display());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(wrong)?;
        }
        fs::write(file, chart.to_svg()).map_err(wrong)?;
        outln!("drawn: {}", file.display());
        Ok(())
    }

    /// Whether another process shows the results: this one was started only to measure.
    pub(crate) fn is_silent(&self) -> bool {
        self.wishes.emit
    }
}

/// Adds results to those of the same contest.
fn gather(standings: &mut Vec<Standings>, holding: Holding) {
    match standings.iter_mut().find(|s| s.id() == holding.id) {
        Some(standing) => standing.holdings.push(holding),
        None => standings.push(Standings { holdings: vec![holding] }),
    }
}

/// Runs a contest in this process: each contestant is checked before it is timed.
fn hold(session: &mut Session, contest: &Contest) -> Holding {
    // Contestants with the same workload share its input.
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
                absent.push((contest.label(name, *work), Absence::NotApplicable(error)));
                None
            }
        })
        .collect();
    let (mut works, mut versions, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    for (candidate, work) in &candidates {
        let input = inputs.iter().find(|input| input.work() == *work).expect("made above");
        let label = contest.label(candidate.name(), *work);
        match admit(session, candidate.as_ref(), input) {
            Ok((contestant, version)) => {
                works.push(*work);
                versions.push(version);
                ready.push(contestant.named(label));
            }
            Err(absence) => absent.push((label, absence)),
        }
    }
    let id = contest.id.clone();
    let report = race(session, contest, ready);
    Holding { id, report, works, versions, absent }
}

/// Checks that a candidate is available, supports the workload, and gives correct results.
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

fn race<'a>(session: &mut Session, contest: &Contest, ready: Vec<Contestant<'a>>) -> Report {
    let bar = session.bar(&contest.id);
    let interrupt = session.interrupt();
    let mut race = Race::new(contest.options(session.options())).watch(|progress| {
        bar.tell(progress);
        interrupt.flow()
    });
    for contestant in ready {
        race = race.enter(contestant);
    }
    race.run_with(session.clock())
}
