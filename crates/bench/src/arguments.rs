//! The command line.

use crate::commands::compare::{Entrant, parse_entrant};
use crate::commands::speed::{SECONDS, SIZES, Speed};
use crate::commands::sweep::Sweep;
use crate::contestants::{self, OURS};
use crate::figures::ALL;
use crate::session::{Pace, Wishes};
use crate::work::{Hash, Work, parse_size};
use clap::{Args, CommandFactory, Parser, Subcommand};
use hashlanes_clock::{Clock, Method, Options, Pin};
use std::any::TypeId;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The directory of the project's records.
const RECORD: &str = "crates/bench/record";

/// Measures hashlanes next to today's competitors, in core cycles, in one process.
///
/// A workload is HASH:SHAPE. Shapes: 64 (one message of 64 bytes), 1024x8K (1024 messages of 8 KiB, 64 bytes
/// apart), 1024x8K/8K (8 KiB from start to start), random:1024x16K, fixed:4096x64, rows:1000000x20,
/// rows-hex:1000000x20, lanes:16x9K, continue:64x64. Tree modes are hashes too: jlanes-v1-sha256-16:16M,
/// mh_sha256:1M. For signatures, a workload is SET:OPERATION, such as XMSS-SHA2_10_256:keygen; the other
/// operations are sign, sign-checked, verify and verify-many:16.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// Command
    #[command(subcommand)]
    pub(crate) command: Command,
    /// How to measure.
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the rivals that can be measured here, and how to install the others
    List,
    /// Compares the first contestant with the others: figures, and ratios of the times
    Compare {
        /// hashlanes, hashlanes:KERNEL, or a rival's name; NAME=HASH:SHAPE gives it another workload
        #[arg(required = true, num_args = 1.., value_parser = parse_entrant)]
        contestants: Vec<Entrant>,
        /// Workload; may be repeated
        #[arg(short = 'w', long = "work", default_value = "sha256:1024x8K")]
        works: Vec<Work>,
    },
    /// Measures our kernels, and compares them with the costs in their tables and the choice based on these
    Rank {
        /// sha1, sha256, sha512 [default: all]
        hashes: Vec<Hash>,
        /// Bytes per lane, whole blocks
        #[arg(long, default_value = "9K", value_parser = parse_size)]
        len: usize,
        /// Also measure calls of two blocks, and write this CPU's column of costs into the tables' source
        /// files
        #[arg(long)]
        write: bool,
    },
    /// Measures the project's targets
    Targets {
        /// Only rows whose name contains this text
        filter: Option<String>,
        /// Report how far the ratios are from those of an earlier run, in its targets.json
        #[arg(long, value_name = "FILE")]
        against: Option<PathBuf>,
    },
    /// Whole programs on files: this project's and others that are installed
    Programs {
        /// Number of runs of each program
        #[arg(long, default_value = "7")]
        turns: NonZeroUsize,
        /// New directory for the files, at most 2 GiB, removed at the end
        #[arg(long, default_value = "target/programs")]
        folder: PathBuf,
        /// Use a sixteenth of the files
        #[arg(long)]
        quick: bool,
    },
    /// Measures numbers of messages × lengths, as a table and SVG
    Sweep(SweepArguments),
    /// Lists lengths and numbers of messages at which a rival, a call for each message, or one message less
    /// and one alone take less time
    Cliffs {
        /// Functions, such as sha256 or aes-128-gcm [default: all]
        functions: Vec<Hash>,
        /// Short runs of fewer points
        #[arg(long)]
        quick: bool,
    },
    /// Measures as `openssl speed` does: 1000s of bytes per second
    Speed(SpeedArguments),
    /// Measures figures of the papers, as table and SVG; without a name, lists them
    Figure {
        /// A paper and its figure, such as gueron-2014-s-hash, or all
        names: Vec<String>,
        /// Short runs, without messages over 1 MiB: all figures in minutes
        #[arg(long)]
        quick: bool,
        /// Directory for the pictures
        #[arg(long, default_value = "target/figures")]
        out: PathBuf,
        /// Show values of which too few samples passed the noise gate, too; without this option they are left
        /// out, and the command fails if they are more than 5 %
        #[arg(long)]
        allow_noise: bool,
    },
    /// Creates one page of HTML with the papers' figures: plots, tables, method, data
    Report {
        /// The same as for figure
        #[arg(default_value = ALL)]
        names: Vec<String>,
        /// Short runs, without messages over 1 MiB
        #[arg(long)]
        quick: bool,
        /// Measure nothing: create the page from data that an earlier run saved, or draw the figures again
        /// from the record of a CPU, a directory; with --record, save them there as figures.json
        #[arg(long, value_name = "PATH", conflicts_with_all = ["names", "quick"])]
        from: Option<PathBuf>,
        /// The page; its data are saved in a file of the same name, ending in .json
        #[arg(long, value_name = "FILE", default_value = "target/report.html")]
        out: PathBuf,
        /// The same as for figure
        #[arg(long)]
        allow_noise: bool,
    },
    /// Measures targets, figures, numbers of messages and programs; packs this CPU's record into one file
    Record {
        /// Directory for the record
        #[arg(default_value = "target/record")]
        folder: PathBuf,
    },
    /// Measures one message and many while the core's other hardware thread hashes
    Siblings {
        /// CPU of the other process [default: the core's other hardware thread]
        #[arg(long, value_name = "CPU")]
        next_to: Option<usize>,
    },
    /// Measures latency and throughput of the CPU's SHA and AES instructions
    Instructions,
    /// Counts the instructions of a call, by single-stepping a child process
    Count(CountArguments),
}

impl Command {
    /// How thoroughly to measure.
    pub(crate) fn pace(&self) -> Pace {
        match self {
            Command::Cliffs { quick: true, .. }
            | Command::Figure { quick: true, .. }
            | Command::Programs { quick: true, .. }
            | Command::Report { quick: true, .. } => Pace::Quick,
            _ => Pace::Full,
        }
    }
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    /// Contestants
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    contestants: Vec<String>,
    /// Hash or other function
    #[arg(long, default_value = "sha256")]
    hash: Hash,
    /// Numbers of messages
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,6,8,9,12,16,17,24,32,64")]
    messages: Vec<NonZeroUsize>,
    /// Lengths in bytes
    #[arg(long, value_delimiter = ',', default_value = "64,256,1K,8K", value_parser = parse_size)]
    len: Vec<usize>,
    /// Draw the results as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Show the cycles of the plan next to the measured ones, and each kernel alone next to the chosen ones
    #[arg(long, conflicts_with_all = ["contestants", "svg"])]
    pub(crate) forecast: bool,
    /// Compare the choice by the tables' costs with the choice by costs measured now, where they differ
    #[arg(long, conflicts_with_all = ["contestants", "svg", "forecast"])]
    pub(crate) calibrated: bool,
}

impl SweepArguments {
    /// Converts the arguments for the command.
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
    /// Contestants
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    contestants: Vec<String>,
    /// Hash or other function
    #[arg(long, default_value = "sha256")]
    hash: Hash,
    /// Lengths in bytes
    #[arg(long, value_delimiter = ',', default_values_t = SIZES, value_parser = parse_size)]
    sizes: Vec<usize>,
    /// Seconds per size and contestant
    #[arg(long, default_value_t = SECONDS)]
    seconds: f64,
}

impl SpeedArguments {
    /// Converts the arguments for the command.
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
    /// Contestants
    #[arg(default_value = OURS, value_parser = parse_contestant)]
    pub(crate) contestants: Vec<String>,
    /// Workload; may be repeated
    #[arg(short = 'w', long = "work", default_value = "sha256:512")]
    pub(crate) works: Vec<Work>,
    /// Count a loop of 1 + 2N instructions instead, to check the counter
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) known_loop: Option<u32>,
    /// Be the child process that is stepped
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
    /// End a race after this many times the wanted turns, whatever the gate reports
    #[arg(long, global = true, default_value_t = 4)]
    patience: u32,
    /// The share by which a dispatch probe may be slower than the best
    #[arg(long, global = true, default_value_t = Clock::TOLERANCE)]
    tolerance: f64,
    /// CPU to stay on [default: the one on which the program starts]
    #[arg(long, global = true)]
    cpu: Option<usize>,
    /// Measure in this many fresh processes, and show the worst median
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    process: u32,
    /// Keep a record, in FOLDER/CPU/DATE.ndjson
    #[arg(long, global = true, num_args = 0..=1, require_equals = true, default_missing_value = RECORD,
        value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Corrupt the digest of this contestant, to test the bench itself
    #[arg(long, global = true, hide = true)]
    fault: Option<String>,
    /// Write the measurements as JSON for the process that started this one
    #[arg(long, global = true, hide = true)]
    emit: bool,
}

impl Measuring {
    /// Whether a record is kept.
    pub(crate) fn is_recorded(&self) -> bool {
        self.record.is_some()
    }

    /// Converts and checks the options, for measuring at this pace.
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
            arguments: without_paths(std::env::args().skip(1)),
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

/// Joins the program's arguments without the options that name files: records are published, and paths
/// contain names of users.
fn without_paths(arguments: impl IntoIterator<Item = String>) -> String {
    let command = Arguments::command();
    let all = || command.get_arguments().chain(command.get_subcommands().flat_map(|sub| sub.get_arguments()));
    let of_path = |name: &str| {
        all().find(|option| {
            option.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
                && option.get_value_parser().type_id() == TypeId::of::<PathBuf>()
        })
    };
    let (mut kept, mut arguments) = (Vec::new(), arguments.into_iter());
    while let Some(argument) = arguments.next() {
        let (name, value) = argument.split_once('=').map_or((&*argument, None), |(name, v)| (name, Some(v)));
        match of_path(name) {
            None => kept.push(argument),
            Some(option) if value.is_none() && !option.is_require_equals_set() => drop(arguments.next()),
            Some(_) => {}
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_hold_no_paths() {
        let of = |line: &str| without_paths(line.split(' ').map(str::to_owned));
        assert_eq!(of("targets --record --cpu 1"), "targets --cpu 1");
        assert_eq!(of("targets --record=/home/a/b 2 of --samples 3"), "targets 2 of --samples 3");
        assert_eq!(of("figure all --out /home/a --quick"), "figure all --quick");
        assert_eq!(of("report --out=/home/a --from /home/b --cpu=1"), "report --cpu=1");
        assert_eq!(of("sweep --svg /home/a.svg --len 64"), "sweep --len 64");
        assert_eq!(of("compare blake3=blake3:16M -w sha256:64"), "compare blake3=blake3:16M -w sha256:64");
    }
}
