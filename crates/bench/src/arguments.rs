//! The command line.

use crate::commands::compare::{Entrant, parse_entrant};
use crate::commands::speed::{SECONDS, SIZES, Speed};
use crate::commands::sweep::Sweep;
use crate::contestants::{self, OURS};
use crate::figures::ALL;
use crate::session::{Pace, Wishes};
use crate::work::{Hash, Work, parse_size};
use clap::{Args, Parser, Subcommand};
use hashlanes_clock::{Clock, Method, Options, Pin};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Where records are kept in the project's tree.
const RECORD: &str = "crates/bench/record";

/// Measures hashlanes beside today's rivals, in core cycles, in one process.
///
/// A work is HASH:SHAPE. Shapes: 64 (one message of 64 bytes), 1024x8K (so many messages, 64 bytes apart), 1024x8K/8K
/// (8 KiB from start to start), random:1024x16K, fixed:4096x64, rows:1000000x20, rows-hex:1000000x20, lanes:16x9K,
/// continue:64x64. Tree modes are hashes too: jlanes-v1-sha256-16:16M, mh_sha256:1M. Of signatures a work
/// is SET:OPERATION, such as XMSS-SHA2_10_256:keygen; there are sign, sign-checked, verify and verify-many:16, too.
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
        hashes: Vec<Hash>,
        /// Bytes a lane: whole blocks
        #[arg(long, default_value = "9K", value_parser = parse_size)]
        len: usize,
        /// Write this CPU's column of costs into the tables' source files: calls of two blocks are measured, too
        #[arg(long)]
        write: bool,
    },
    /// The project's targets whose pieces exist
    Targets {
        /// Only rows in whose name this occurs
        filter: Option<String>,
        /// Tell how far the ratios are from those of an earlier run: its targets.json
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Whole programs on files, ours beside others that are installed
    Programs {
        /// Turns of all of them
        #[arg(long, default_value = "7")]
        turns: NonZeroUsize,
        /// A folder that is made for the files, of 2 GiB at most, and removed
        #[arg(long, default_value = "target/programs")]
        folder: PathBuf,
        /// A sixteenth of the files
        #[arg(long)]
        quick: bool,
    },
    /// Numbers of messages × lengths; table and SVG
    Sweep(SweepArguments),
    /// As `openssl speed`: 1000s of bytes per second
    Speed(SpeedArguments),
    /// Figures of the papers, table and SVG; without a name, what there is
    Figure {
        /// A paper and its figure, such as gueron-2014-s-hash; all
        names: Vec<String>,
        /// Short runs, without messages over 1 MiB: all figures in minutes
        #[arg(long)]
        quick: bool,
        /// The folder of the pictures
        #[arg(long, default_value = "target/figures")]
        out: PathBuf,
    },
    /// The papers' figures as one page of HTML: plots, tables, method, data
    Report {
        /// As of figure
        #[arg(default_value = ALL)]
        names: Vec<String>,
        /// Short runs, without messages over 1 MiB
        #[arg(long)]
        quick: bool,
        /// Measure nothing: make the page of the data that was saved beside another
        #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "quick"])]
        from: Option<PathBuf>,
        /// The page; its data are saved beside it, ending in .json
        #[arg(long, value_name = "FILE", default_value = "target/report.html")]
        out: PathBuf,
    },
    /// Instructions of a call, counted by single-stepping a child process
    Count(CountArguments),
}

impl Command {
    /// How thoroughly it is to measure.
    pub(crate) fn pace(&self) -> Pace {
        match self {
            Command::Figure { quick: true, .. }
            | Command::Programs { quick: true, .. }
            | Command::Report { quick: true, .. } => Pace::Quick,
            _ => Pace::Full,
        }
    }
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    /// Whom to measure
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    contestants: Vec<String>,
    /// What is computed
    #[arg(long, default_value = "sha256")]
    hash: Hash,
    /// Numbers of messages
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,6,8,9,12,16,17,24,32,64")]
    messages: Vec<NonZeroUsize>,
    /// Lengths in bytes
    #[arg(long, value_delimiter = ',', default_value = "64,256,1K,8K", value_parser = parse_size)]
    len: Vec<usize>,
    /// Draw it there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl SweepArguments {
    /// The same for the command.
    pub(crate) fn wish(&self) -> Sweep {
        Sweep {
            contestants: self.contestants.clone(),
            hash: self.hash,
            counts: self.messages.iter().map(|n| n.get()).collect(),
            lens: self.len.clone(),
            svg: self.svg.clone(),
        }
    }
}

/// Arguments of `speed`.
#[derive(Debug, Args)]
pub(crate) struct SpeedArguments {
    /// Whom to measure
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    contestants: Vec<String>,
    /// What is computed
    #[arg(long, default_value = "sha256")]
    hash: Hash,
    /// Lengths in bytes
    #[arg(long, value_delimiter = ',', default_values_t = SIZES, value_parser = parse_size)]
    sizes: Vec<usize>,
    /// Seconds a size and contestant
    #[arg(long, default_value_t = SECONDS)]
    seconds: f64,
}

impl SpeedArguments {
    /// The same for the command.
    pub(crate) fn wish(&self) -> Speed {
        Speed {
            contestants: self.contestants.clone(),
            hash: self.hash,
            sizes: self.sizes.clone(),
            seconds: self.seconds,
        }
    }
}

/// Arguments of `count`.
#[derive(Debug, Args)]
pub(crate) struct CountArguments {
    /// Whose calls
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    pub(crate) contestants: Vec<String>,
    /// What they do; again for more works
    #[arg(short = 'w', long = "work", default_value = "sha256:512")]
    pub(crate) works: Vec<Work>,
    /// Count a loop of 1 + 2N instructions instead: the counter's own check
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) known_loop: Option<u32>,
    /// Be the child that is stepped
    #[arg(long, hide = true)]
    pub(crate) inside: bool,
}

/// How to measure.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct Measuring {
    /// median, gueron (Gueron, Krasnov 2012), quartile (Guilford, Yap, Gopal 2012)
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
    /// Keep a record, in FOLDER/CPU/DATE.ndjson
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
    /// The same, checked, for measuring at this pace.
    pub(crate) fn wishes(&self, pace: Pace) -> Result<Wishes, String> {
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
            options: pace.options(options),
            pace,
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

fn parse_contestant(name: &str) -> Result<String, String> {
    contestants::named(name).map(|_| name.to_owned())
}
