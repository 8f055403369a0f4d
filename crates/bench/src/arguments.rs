//! The command line.

use crate::commands::compare::{Entrant, parse_entrant};
use crate::session::Wishes;
use crate::work::{Hash, Work, parse_size};
use clap::{Args, Parser, Subcommand};
use hashlanes_clock::{Clock, Method, Options, Pin};
use std::path::PathBuf;
use std::time::Duration;

/// Where records are kept in the project's tree.
const RECORD: &str = "crates/bench/record";

/// Measures hashlanes beside today's rivals, in core cycles, in one process.
///
/// A work is HASH:SHAPE. Shapes: 64 (one message of 64 bytes), 1024x8K (so many messages, 64 bytes apart), 1024x8K/8K
/// (8 KiB from start to start), random:1024x16K, fixed:4096x64, rows:1000000x20, rows-hex:1000000x20, lanes:16x9K.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// How to measure.
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Who can be measured here, and what brings the others
    List,
    /// How many times as long as the others the first takes
    Compare {
        /// hashlanes, hashlanes:KERNEL, or a rival's name; NAME=HASH:SHAPE gives it a work of its own
        #[arg(required = true, num_args = 1.., value_parser = parse_entrant)]
        contestants: Vec<Entrant>,
        /// What they do; again for more works
        #[arg(short = 'w', long = "work", default_value = "sha256:1024x8K")]
        works: Vec<Work>,
    },
    /// Our kernels on this CPU, against the cycles in their tables and the choice that rests on them
    Rank {
        /// sha1, sha256, sha512; all, if none is named
        #[arg(value_parser = parse_hash)]
        hashes: Vec<Hash>,
        /// Bytes a lane: whole blocks
        #[arg(long, default_value = "9K", value_parser = parse_size)]
        len: usize,
    },
    /// The rows of TARGETS.md whose pieces exist
    Targets {
        /// Only rows in whose name this occurs
        filter: Option<String>,
    },
}

/// How to measure.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct Measuring {
    /// median, gueron (papers/000), quartile (papers/001)
    #[arg(long, global = true, default_value = "median", value_parser = parse_method)]
    method: Method,
    /// Samples of each contestant that must pass the noise gate
    #[arg(long, global = true, default_value_t = 30)]
    samples: u32,
    /// Milliseconds of a sample
    #[arg(long, global = true, default_value_t = 3.0, value_name = "MS")]
    sample: f64,
    /// A race ends after so many times the wanted turns whatever the gate says
    #[arg(long, global = true, default_value_t = 4)]
    patience: u32,
    /// The share by which a dispatch probe may be slower than the best
    #[arg(long, global = true, default_value_t = Clock::TOLERANCE)]
    tolerance: f64,
    /// The CPU to stay on [default: the one it starts on]
    #[arg(long, global = true)]
    cpu: Option<usize>,
    /// Measure in so many fresh processes and show the worst median
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    process: u32,
    /// Keep a record, in FOLDER/<cpu>/<date>.ndjson
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = RECORD,
        value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Make this contestant's digest wrong, to test the bench itself
    #[arg(long, global = true, hide = true)]
    fault: Option<String>,
    /// Write holdings as JSON for the process that started this one
    #[arg(long, global = true, hide = true)]
    emit: bool,
}

impl Measuring {
    /// The same, checked.
    pub(crate) fn wishes(&self) -> Result<Wishes, String> {
        if !(0.01..=10_000.0).contains(&self.sample) {
            return Err(format!("--sample {}: 0.01 to 10000 milliseconds", self.sample));
        }
        if self.samples == 0 || self.process == 0 || self.patience == 0 {
            return Err("--samples, --patience and --process are 1 at least".into());
        }
        let options = Options {
            method: self.method,
            sample: Duration::from_secs_f64(self.sample / 1e3),
            samples: self.samples,
            patience: self.patience,
            tolerance: self.tolerance,
            pin: self.cpu.map_or(Pin::Current, Pin::Cpu),
        };
        Ok(Wishes {
            options,
            fault: self.fault.clone(),
            processes: self.process,
            record: self.record.clone(),
            emit: self.emit,
        })
    }
}

fn parse_method(name: &str) -> Result<Method, String> {
    Method::from_name(name).ok_or_else(|| "there is median, gueron, quartile".into())
}

fn parse_hash(name: &str) -> Result<Hash, String> {
    Hash::ALL.into_iter().find(|h| h.name() == name).ok_or_else(|| format!("there is no hash {name:?}"))
}
