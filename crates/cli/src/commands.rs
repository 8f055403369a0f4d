//! The subcommands of `hashlanes`, as the command line shows them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::audit::AuditArgs;
use crate::bench::Bench;
use crate::dupes::DupesArgs;
use crate::help_text::list;
use crate::kernel_timing;
use crate::kernels::{self, Figures, Question};
use crate::known_files::MatchArgs;
use crate::man_and_completions::{CompletionsArgs, ManArgs, cannot_write, completions, man};
use crate::manifest::ManifestArgs;
use crate::message::{Speaker, say};
use crate::new_file::{Destination, Existing};
use crate::output::print_text;
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::proofs;
#[cfg(unix)]
use crate::signing::KeysCommand;
use crate::signing::VerifyArgs;
use crate::sum::SumArgs;
use crate::tree::{self, TreeArgs};

/// Hashes many files at once, as fast as the CPU can; signs and verifies files with hash-based signatures.
#[derive(Parser)]
#[command(name = "hashlanes", version, infer_long_args = true, after_help = after_help())]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    let examples = [
        ("hashlanes sum -r photos > SHA256SUMS", "Hash a directory tree, as sha256sum prints it"),
        ("hashlanes sum -c SHA256SUMS", "Check the files of a list"),
        ("hashlanes audit SHA256SUMS", "Report what changed, moved, is new, is missing"),
        ("hashlanes dupes photos", "List files with equal content"),
        ("hashlanes keygen --scheme SLH-DSA-SHA2-128f --out key", "Create a key for signatures"),
        ("hashlanes sign -k key firmware.bin", "Sign a file: writes firmware.bin.sig"),
        ("hashlanes verify -k key/public.pem firmware.bin", "Verify the signature"),
    ];
    let is_absent = |line: &str| {
        let command = line.split(' ').nth(1);
        platform::ABSENT.iter().any(|(absent, _)| command == Some(*absent))
    };
    let examples = examples.into_iter().filter(|(line, _)| !is_absent(line));
    let examples = list("Examples:", &Vec::from_iter(examples));
    format!(
        "{examples}\nGNU's sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, md5sum and cksum are included, with GNU's options \
         and messages: as `hashlanes sha256sum …`, or through a link named sha256sum to this program."
    )
}

#[derive(Subcommand)]
enum Command {
    Sum(Box<SumArgs>),
    Audit(AuditArgs),
    Match(MatchArgs),
    Dupes(DupesArgs),
    Manifest(ManifestArgs),
    Tree(Box<TreeArgs>),
    #[cfg(unix)]
    #[command(flatten)]
    WithKeys(KeysCommand),
    Verify(Box<VerifyArgs>),
    Kernels(KernelsArgs),
    Bench(BenchArgs),
    Man(ManArgs),
    Completions(CompletionsArgs),
}

/// Lists all kernels, marks those that this CPU cannot run, and shows which are chosen for how many messages.
///
/// A kernel is one compiled way to compute a hash's compression function, for one message or for several at
/// once. Without --measure nothing is timed: the cycles come from tables, which were measured on a CPU of the
/// same kind where possible.
#[derive(Args)]
#[command(after_help = after_kernels_help())]
struct KernelsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show which kernels hash N messages of LENGTH bytes each [default length: 8192]
    #[arg(long, value_names = ["N", "LENGTH"], num_args = 1..=2, action = clap::ArgAction::Set, value_parser = clap::value_parser!(u64))]
    explain: Option<Vec<u64>>,

    /// Time the kernels on this CPU; with --explain, time the whole call on each kernel
    #[arg(long)]
    measure: bool,

    /// Measure the costs of hashes' kernels first, and choose by these, as the library can on CPUs that are
    /// not in its tables
    #[arg(long)]
    calibrate: bool,

    /// List the proofs of the kernels' machine code instead
    #[arg(long, conflicts_with_all = ["explain", "measure", "calibrate"])]
    proofs: bool,
}

fn after_kernels_help() -> String {
    let environment = list(
        "Environment:",
        &[
            (
                "HASHLANES_HASH_KERNEL",
                "Use this kernel of HASH only, such as HASHLANES_SHA256_KERNEL=avx2-x8. An unknown kernel is an error",
            ),
            (
                "HASHLANES_DISABLE",
                "Do not use these CPU features, nor those that depend on them: avx512f,sha",
            ),
        ],
    );
    let examples = list(
        "Examples:",
        &[
            ("hashlanes kernels", "List the kernels"),
            ("hashlanes kernels --explain 5 1000", "Show which kernels hash five messages of 1000 bytes"),
            ("hashlanes kernels --proofs", "List the kernels whose machine code is proved"),
        ],
    );
    format!("{environment}\n{examples}")
}

/// Measures the kernels of hashes and ciphers on this CPU, in a few seconds.
///
/// The kernels take turns, each with as many messages as it hashes or encrypts at once. Samples that another
/// program disturbed are discarded. Speeds are those of one core.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes bench sha256", "Measure the kernels of SHA-256"),
    ("hashlanes bench aes gcm aegis", "Measure the kernels of AES-CBC, AES-CTR, AES-GCM, AES-GCM-SIV and AEGIS"),
]))]
struct BenchArgs {
    /// Hashes and ciphers [default: all]
    #[arg(value_name = "NAME", ignore_case = true, value_parser = table_parser())]
    names: Vec<String>,

    /// Bytes per message, a multiple of 128
    #[arg(short, long, value_name = "BYTES", default_value = "8192", value_parser = length_of_blocks)]
    length: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Also draw the speeds as SVG into FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Accepts the tables by name, and their functions in the usual spellings: SHA-256 and SHA-224 have one
/// table.
fn table_parser() -> impl TypedValueParser<Value = String> {
    let hashes = hashlanes::kernels::all().map(|table| {
        let hashes: &[&str] = match table.name() {
            "sha1" => &["1"],
            "sha256" => &["224", "256"],
            _ => &["384", "512", "512-224", "512-256", "512/224", "512/256"],
        };
        let spellings = hashes
            .iter()
            .flat_map(|bits| ["sha", "sha-", "sha_", "sha2-"].map(|before| format!("{before}{bits}")));
        PossibleValue::new(table.name()).aliases(spellings.filter(|spelling| spelling != table.name()))
    });
    let ciphers = hashlanes::aes::kernels::all().into_iter().map(|table| {
        let spellings: &[&str] = match table.name() {
            "aes" => &["aes-cbc", "aes-ctr"],
            "gcm" => &["aes-gcm", "aes-gcm-siv"],
            _ => &[],
        };
        PossibleValue::new(table.name()).aliases(spellings.iter().copied())
    });
    let values = hashes.chain(ciphers);
    let values: Vec<PossibleValue> = values.collect();
    PossibleValuesParser::new(values.clone()).map(move |typed| {
        let table = values.iter().find(|value| value.matches(&typed, true));
        table.expect("the parser accepts these only").get_name().to_owned()
    })
}

fn length_of_blocks(typed: &str) -> Result<usize, String> {
    /// A multiple of every hash's block.
    const BLOCK: usize = 128;
    /// Beyond every cache already.
    const MOST: usize = 1 << 20;
    let len: usize = typed.parse().map_err(|_| String::from("expected a number of bytes"))?;
    match len {
        0 => Err("must not be zero".into()),
        _ if !len.is_multiple_of(BLOCK) => Err(format!("must be a multiple of {BLOCK}")),
        _ if len > MOST => Err(format!("must be at most {MOST}")),
        _ => Ok(len),
    }
}

/// Runs the command of the command line `args`, which begins with the program's name.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    let speaker = Speaker::new(b"hashlanes");
    let first = args.get(1).cloned().unwrap_or_default();
    if let Some((command, why)) = platform::ABSENT.iter().find(|(command, _)| first == *command) {
        say(&speaker.line(&format!("{command}: {why}")));
        return ExitCode::from(2);
    }
    match parse(args) {
        Ok(CommandLine { command: Command::Sum(args) }) => args.run(speaker),
        Ok(CommandLine { command: Command::Audit(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Match(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Dupes(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Manifest(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Tree(args) }) => tree::run(&speaker, &args),
        #[cfg(unix)]
        Ok(CommandLine { command: Command::WithKeys(command) }) => command.run(&speaker),
        Ok(CommandLine { command: Command::Verify(args) }) => args.run(&speaker),
        Ok(CommandLine { command: Command::Kernels(args) }) => kernels(speaker, args),
        Ok(CommandLine { command: Command::Bench(args) }) => bench(speaker, args),
        Ok(CommandLine { command: Command::Man(args) }) => man(&speaker, CommandLine::command(), &args),
        Ok(CommandLine { command: Command::Completions(args) }) => {
            completions(&speaker, CommandLine::command(), &args)
        }
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand && Path::new(&first).exists() => {
            let (what, command) = match Path::new(&first).is_dir() {
                true => ("directory", "sum -r"),
                false => ("file", "sum"),
            };
            let words = format!("not a command; to hash this {what}, use `hashlanes {command}`");
            say(&[speaker.about_file(first.as_bytes(), &words), speaker.try_help("")].concat());
            ExitCode::from(2)
        }
        Err(error) if error.use_stderr() => {
            say(error.render().to_string().as_bytes());
            ExitCode::from(2)
        }
        Err(help) => print_text(&speaker, &help.render().to_string()),
    }
}

/// Parses the command line.
///
/// `sum` is often called for one small file, which is hashed in less time than the options of all commands
/// are defined: so it is parsed alone.
fn parse(args: Vec<OsString>) -> Result<CommandLine, clap::Error> {
    if args.get(1).is_none_or(|command| command != "sum") {
        return CommandLine::try_parse_from(args);
    }
    let mut sum = SumArgs::augment_args(clap::Command::new("hashlanes sum").infer_long_args(true));
    let mut matches = sum.try_get_matches_from_mut(&args[1..])?;
    match SumArgs::from_arg_matches_mut(&mut matches) {
        Ok(args) => Ok(CommandLine { command: Command::Sum(Box::new(args)) }),
        Err(error) => Err(error.format(&mut sum)),
    }
}

fn kernels(speaker: Speaker, args: KernelsArgs) -> ExitCode {
    /// The schedule of more messages repeats itself, and printing it call by call would take minutes.
    const MOST: u64 = 1_000_000;
    /// 1 PiB.
    const LONGEST: u64 = 1 << 50;
    if args.calibrate {
        hashlanes::kernels::calibrate();
    }
    let figures = if args.measure { Figures::Measured } else { Figures::Tables };
    let text = match args.explain.as_deref() {
        None if args.proofs && args.json => proofs::list_json(),
        None if args.proofs => proofs::list(),
        None if args.json => kernels::list_json(figures),
        None => kernels::list(figures),
        Some(&[n, ..]) if n > MOST => {
            say(&speaker.line(&format!("--explain {n}: too many messages; the limit is {MOST}")));
            return ExitCode::from(2);
        }
        Some(&[_, length]) if length > LONGEST => {
            say(&speaker
                .line(&format!("--explain: LENGTH {length} is too long; the limit is {LONGEST} bytes")));
            return ExitCode::from(2);
        }
        Some(&[n, ref length @ ..]) => {
            let len_bytes = length.first().copied().unwrap_or(8192);
            if args.measure && n.saturating_mul(len_bytes) > kernel_timing::MOST_BYTES {
                let most = kernel_timing::MOST_BYTES;
                say(&speaker.line(&format!(
                    "--measure: {n} messages of {len_bytes} bytes are too many; the limit is {most} bytes in total"
                )));
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
    // Opened before the measurement, so that an error is reported at once.
    let picture = args.svg.as_deref().map(|path| (path, Destination::open(path, Existing::Replaced)));
    if let Some((path, Err(error))) = &picture {
        return cannot_write(&speaker, path, error);
    }
    let bench = Bench::measure(&args.names, args.length);
    if let Some((path, Ok(file))) = picture
        && let Err(error) = file.write(bench.svg().as_bytes())
    {
        return cannot_write(&speaker, path, &error);
    }
    print_text(&speaker, &if args.json { bench.json() } else { bench.text() })
}
