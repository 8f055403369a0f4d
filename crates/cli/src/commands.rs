//! The subcommands of `hashlanes`, as the command line shows them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::audit::AuditArgs;
use crate::bench::Bench;
use crate::kernel_timing;
use crate::kernels::{self, Figures, Question};
use crate::man_and_completions::{CompletionsArgs, ManArgs, cannot_write, completions, man};
use crate::manifest::ManifestArgs;
use crate::message::{Speaker, say};
use crate::new_file::{Destination, Existing};
use crate::output::print_text;
use crate::signing::{KeyCommandArgs, KeygenArgs, SignArgs, VerifyArgs};
use crate::sum::SumArgs;
use crate::tree::{self, TreeArgs};

/// Hashes many files at once, as fast as the CPU can, with standard results; signs and verifies files by hashes alone.
#[derive(Parser)]
#[command(name = "hashlanes", version, infer_long_args = true, after_help = AFTER)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const AFTER: &str = "\
To begin with:
  hashlanes sum -r photos > SHA256SUMS    the checksums of a directory tree, as sha256sum prints them
  hashlanes sum -c SHA256SUMS             whether they still hold
  hashlanes audit SHA256SUMS              what changed, moved, is new, is missing
  hashlanes verify -k public.pem fw.bin   whether fw.bin.sig is a signature of fw.bin; keygen and sign make them

GNU's sha1sum, sha224sum, sha256sum, sha384sum and sha512sum are here too, as `hashlanes sha256sum …`
or under their own names (a link sha256sum -> hashlanes), with GNU's options and texts.";

#[derive(Subcommand)]
enum Command {
    Sum(Box<SumArgs>),
    Audit(AuditArgs),
    Manifest(ManifestArgs),
    Tree(Box<TreeArgs>),
    Keygen(KeygenArgs),
    Sign(Box<SignArgs>),
    Verify(Box<VerifyArgs>),
    Key(Box<KeyCommandArgs>),
    Kernels(KernelsArgs),
    Bench(BenchArgs),
    Man(ManArgs),
    Completions(CompletionsArgs),
}

/// Tells which kernels this CPU has, and which are chosen for how many messages.
///
/// A kernel is one compiled way to compute a hash's compression function, of one message or of several
/// at once. Unless --measure is given nothing is timed: the cycles are those of the tables, measured on a
/// CPU like this one.
#[derive(Args)]
struct KernelsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Tell which kernels N messages go through, of LENGTH bytes each [default length: 8192]
    #[arg(long, value_names = ["N", "LENGTH"], num_args = 1..=2, action = clap::ArgAction::Set, value_parser = clap::value_parser!(u64))]
    explain: Option<Vec<u64>>,

    /// Time the kernels on this CPU; with --explain the whole call, on each kernel that could do it
    #[arg(long)]
    measure: bool,
}

/// Measures the kernels on this CPU, in a few seconds.
///
/// Every kernel hashes as many messages as it takes at once, again and again; the kernels take turns,
/// and samples beside a busy neighbour are thrown away. A speed is that of one core.
#[derive(Args)]
struct BenchArgs {
    /// Hashes [default: all]
    #[arg(value_name = "HASH", ignore_case = true, value_parser = table_parser())]
    hashes: Vec<String>,

    /// Bytes a message, a multiple of 128
    #[arg(short, long, value_name = "BYTES", default_value = "8192", value_parser = length_of_blocks)]
    length: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Draw the speeds into FILE, too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn table_parser() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(hashlanes::kernels::all().map(|table| table.name()))
        .map(|typed| typed.to_lowercase())
}

fn length_of_blocks(typed: &str) -> Result<usize, String> {
    /// Blocks of every hash.
    const BLOCK: usize = 128;
    /// A megabyte a message is beyond every cache already.
    const MOST: usize = 1 << 20;
    let len: usize = typed.parse().map_err(|_| String::from("not a number of bytes"))?;
    match len {
        0 => Err("no bytes".into()),
        _ if !len.is_multiple_of(BLOCK) => Err(format!("not a multiple of {BLOCK}")),
        _ if len > MOST => Err(format!("more than {MOST}")),
        _ => Ok(len),
    }
}

/// Runs the command that the arguments (with the program's name) ask for.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let speaker = Speaker::new(b"hashlanes");
    match CommandLine::try_parse_from(args) {
        Ok(CommandLine { command: Command::Sum(args) }) => args.run(speaker),
        Ok(CommandLine { command: Command::Audit(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Manifest(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Tree(args) }) => tree::run(&speaker, &args),
        Ok(CommandLine { command: Command::Keygen(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Sign(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Verify(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Key(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Kernels(args) }) => kernels(speaker, args),
        Ok(CommandLine { command: Command::Bench(args) }) => bench(speaker, args),
        Ok(CommandLine { command: Command::Man(args) }) => man(&speaker, CommandLine::command(), &args),
        Ok(CommandLine { command: Command::Completions(args) }) => {
            completions(&speaker, CommandLine::command(), &args)
        }
        Err(error) if error.use_stderr() => {
            say(error.render().to_string().as_bytes());
            ExitCode::from(2)
        }
        Err(help) => print_text(&speaker, &help.render().to_string()),
    }
}

fn kernels(speaker: Speaker, args: KernelsArgs) -> ExitCode {
    /// A schedule of more messages is the same again and again; told call by call it would take minutes.
    const MOST: u64 = 1_000_000;
    /// 1 PiB: longer messages are not the question.
    const LONGEST: u64 = 1 << 50;
    let figures = if args.measure { Figures::Measured } else { Figures::Tables };
    let text = match args.explain.as_deref() {
        None if args.json => kernels::list_json(figures),
        None => kernels::list(figures),
        Some(&[n, ..]) if n > MOST => {
            say(&speaker.line(&format!("--explain {n}: at most {MOST} messages")));
            return ExitCode::from(2);
        }
        Some(&[_, length]) if length > LONGEST => {
            say(&speaker.line(&format!("--explain: a LENGTH of {length} bytes: at most {LONGEST}")));
            return ExitCode::from(2);
        }
        Some(&[n, ref length @ ..]) => {
            let len_bytes = length.first().copied().unwrap_or(8192);
            if args.measure && n.saturating_mul(len_bytes) > kernel_timing::MOST_BYTES {
                let most = kernel_timing::MOST_BYTES;
                say(&speaker
                    .line(&format!("--measure: {n} messages of {len_bytes} bytes: at most {most} bytes")));
                return ExitCode::from(2);
            }
            let question = Question { n: n as usize, len_bytes, figures };
            if args.json { question.json() } else { question.text() }
        }
        Some([]) => unreachable!("at least one value"),
    };
    print_text(&speaker, &text)
}

fn bench(speaker: Speaker, args: BenchArgs) -> ExitCode {
    // Before anything is measured: a picture that cannot be written is known at once.
    let picture = args.svg.as_deref().map(|path| (path, Destination::open(path, Existing::Replaced)));
    if let Some((path, Err(error))) = &picture {
        return cannot_write(&speaker, path, error);
    }
    let bench = Bench::measure(&args.hashes, args.length);
    if let Some((path, Ok(file))) = picture
        && let Err(error) = file.write(bench.svg().as_bytes())
    {
        return cannot_write(&speaker, path, &error);
    }
    print_text(&speaker, &if args.json { bench.json() } else { bench.text() })
}
