//! A session: how everything is measured that one start of the program measures.

use crate::contest::{Contest, Holding, Standings, hold};
use crate::interrupt::Interrupt;
use crate::processes;
use crate::progress::Bar;
use crate::record;
use hashlanes_clock::{Clock, Environment, Options};
use std::path::PathBuf;
use std::rc::Rc;

/// What the command line says about measuring, whatever the command.
#[derive(Clone, Debug)]
pub(crate) struct Wishes {
    /// How races are held.
    pub(crate) options: Options,
    /// A contestant whose digest is made wrong: for tests of the bench itself.
    pub(crate) fault: Option<String>,
    /// Fresh processes that everything is measured in; 1: this one.
    pub(crate) processes: u32,
    /// Where to keep a record.
    pub(crate) record: Option<PathBuf>,
    /// Whether holdings go to standard output as JSON, for the process that started this one.
    pub(crate) emit: bool,
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
    /// Starts the clock and looks around.
    pub(crate) fn new(wishes: Wishes) -> Self {
        let mut clock = Clock::new();
        let environment = Environment::with_clock(&mut clock);
        Session { wishes, clock, environment, interrupt: Interrupt::listen(), bar: Rc::new(Bar::new(1)) }
    }

    /// The machine, the system and the compiler.
    pub(crate) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The clock of all races.
    pub(crate) fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// How races are held.
    pub(crate) fn options(&self) -> Options {
        self.wishes.options
    }

    /// The contestant that is to be wrong.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.wishes.fault.as_deref()
    }

    /// Whether the user asked to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.asked()
    }

    /// The user's wish to stop.
    pub(crate) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// The bar, at the beginning of a contest.
    pub(crate) fn bar(&self, id: &str) -> Rc<Bar> {
        self.bar.begin(id);
        self.bar.clone()
    }

    /// Holds all contests, in as many processes as wished, and keeps the record. Those that the user's interrupt
    /// prevented are missing.
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
                for holding in processes::run_again()? {
                    gather(&mut standings, holding);
                }
            }
        } else {
            self.bar = Rc::new(Bar::new(contests.len()));
            for contest in contests {
                if self.interrupted() {
                    break;
                }
                let holding = hold(self, contest);
                if self.wishes.emit {
                    println!("{}", serde_json::to_string(&holding).map_err(|e| e.to_string())?);
                }
                gather(&mut standings, holding);
                self.bar.end();
            }
            self.bar.clear();
        }
        if let (Some(folder), false) = (&self.wishes.record, self.wishes.emit) {
            let file = record::write(folder, &self.environment, &standings)?;
            eprintln!("recorded in {}", file.display());
        }
        Ok(standings)
    }

    /// Whether somebody else shows the results: this process was started for its holdings.
    pub(crate) fn is_silent(&self) -> bool {
        self.wishes.emit
    }
}

/// Puts a holding to those of the same contest.
fn gather(standings: &mut Vec<Standings>, holding: Holding) {
    match standings.iter_mut().find(|s| s.id() == holding.id) {
        Some(standing) => standing.holdings.push(holding),
        None => standings.push(Standings { holdings: vec![holding] }),
    }
}
