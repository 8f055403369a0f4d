//! `hashlanes-bench`: the papers' figures and today's competitors, measured next to hashlanes in one process.
//!
//! | file | holds |
//! |---|---|
//! | `arguments.rs` | the command line |
//! | `work.rs` `shape.rs` `input.rs` | workloads: a hash, a shape; the bytes, and the expected digests |
//! | `signatures.rs` | workloads of signatures, and the expected keys and signatures |
//! | `candidate.rs` `contestants/` | the common interface of all contestants, and each of them |
//! | `library/` | rivals that are shared libraries, opened while the program runs |
//! | `contest.rs` `standings.rs` `noise.rs` | which contestant does what, and the results; those not to be trusted |
//! | `costs.rs` | whether our library chooses by the tables' costs or by measured ones |
//! | `session.rs` `check.rs` `fresh_process.rs` | contestants are checked and timed, in one process or several |
//! | `record.rs` `recorded.rs` | writes records of measurements, and reads them |
//! | `terminal.rs` `interrupt.rs` | the output for the user (tables and charts: crate `chart`) |
//! | `targets/` `figures/` `report/` `count/` `instructions/` `commands/` | the commands |

#[macro_use]
mod terminal;

mod aegis;
mod arguments;
mod candidate;
mod check;
mod cipher;
mod commands;
mod contest;
mod contestants;
mod costs;
mod count;
mod figures;
mod fresh_process;
mod gcm;
mod hash_based;
mod input;
mod instructions;
mod interrupt;
mod library;
mod noise;
mod programs;
mod record;
mod recorded;
mod report;
mod session;
mod shape;
mod signatures;
mod standings;
mod summary;
mod targets;
mod work;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // The library is measured as it is without the feature `calibrate`.
    hashlanes::kernels::set_costs(&[]);
    if let Err(error) = hashlanes::kernels::check_env() {
        eprintln!("hashlanes-bench: {error}");
        return ExitCode::from(2);
    }
    match run(arguments) {
        Ok(()) if interrupt::came() => ExitCode::from(interrupt::STATUS),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hashlanes-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<(), String> {
    let pace = arguments.command.pace();
    let noise = |is_allowed| if is_allowed { noise::Noise::Shown } else { noise::Noise::LeftOut };
    let session =
        || -> Result<session::Session, String> { session::Session::new(arguments.measuring.wishes(pace)?) };
    match &arguments.command {
        Command::List => {
            commands::list();
            Ok(())
        }
        Command::Compare { contestants, works } => {
            commands::compare::run(&mut session()?, contestants, works)
        }
        Command::Rank { hashes, len, write } => commands::rank::run(&mut session()?, hashes, *len, *write),
        Command::Targets { filter, against } => {
            targets::run(&mut session()?, filter.as_deref(), against.as_deref())
        }
        Command::Programs { folder, turns, .. } => programs::run(&mut session()?, folder, turns.get()),
        Command::Sweep(sweep) => {
            let run = match (sweep.forecast, sweep.calibrated) {
                (true, _) => commands::forecast::run,
                (_, true) => commands::calibrated::run,
                _ => commands::sweep::run,
            };
            run(&mut session()?, &sweep.wish())
        }
        Command::Cliffs { functions, .. } => commands::cliffs::run(&mut session()?, functions),
        Command::Speed(speed) => commands::speed::run(&mut session()?, &speed.wish()),
        Command::Figure { names, .. } if names.is_empty() => {
            figures::list();
            Ok(())
        }
        Command::Figure { names, out, allow_noise, .. } => {
            figures::run(&mut session()?, names, out, noise(*allow_noise))
        }
        Command::Report { from: Some(file), out, allow_noise, .. } => {
            let is_recorded = arguments.measuring.is_recorded();
            report::from(file, out, noise(*allow_noise), is_recorded)
        }
        Command::Report { names, out, allow_noise, .. } => {
            report::measure(&mut session()?, names, out, noise(*allow_noise))
        }
        Command::Instructions => instructions::run(&mut session()?),
        Command::Siblings { next_to } => {
            let mut wishes = arguments.measuring.wishes(pace)?;
            wishes.options = commands::siblings::options(wishes.options);
            commands::siblings::run(&mut session::Session::new(wishes)?, *next_to)
        }
        Command::Record { folder } => commands::record::run(folder),
        Command::Count(count) => match (count.known_loop, count.inside) {
            (Some(n), false) => count::run_known_loop(n),
            (Some(n), true) => {
                count::inside_known_loop(n);
                Ok(())
            }
            (None, false) => count::run(&count.contestants, &count.works),
            (None, true) => count::inside(&count.contestants[0], count.works[0]),
        },
    }
}
