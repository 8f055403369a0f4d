//! `hashlanes key`: everything about a key except signing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use hashlanes::hbs::store::{KeyDirectory, KeyStatus, SigningKey, Standing, Status as KeyState};
use serde_json::json;

use super::certificate_commands::{CertificateArgs, RequestArgs, write_new};
use super::import_command::ImportArgs;
use super::key_options::{Access, Opening};
use super::log_command::LogArgs;
use super::operator_manual::keeping;
use super::passphrase_command::PassphraseArgs;
use super::passphrase_options::PassphraseSource;
use super::refusal::{Refusal, indices, print_about};
use crate::help_text::list;
use crate::interruption::held_off;
use crate::message::{Speaker, io_reason};
use crate::output::print_text;
use crate::signing::exit_status::Status;
use hashlanes_formats::encoding::hex;

/// Shows, splits, advances, moves, encrypts, exports and imports keys.
///
/// How to keep a key safe is described below.
#[derive(Args)]
#[command(after_long_help = after_help())]
pub(crate) struct KeyCommandArgs {
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    let examples = list(
        "Examples:",
        &[
            ("hashlanes key status key", "Show how many signatures are left"),
            ("hashlanes key log key", "Print what was signed when"),
            ("hashlanes key split key --count 16 --out child", "Give indices to a key for another machine"),
        ],
    );
    format!("{}\n{}\n{examples}", keeping(), crate::signing::exit_status::table())
}

#[derive(Subcommand)]
enum Command {
    Status(StatusArgs),
    Log(LogArgs),
    Split(SplitArgs),
    Advance(AdvanceArgs),
    Adopt(AdoptArgs),
    ExportPublic(ExportPublicArgs),
    Certificate(CertificateArgs),
    Request(RequestArgs),
    Import(ImportArgs),
    Passphrase(PassphraseArgs),
}

/// Shows how many indices of a key are used, and whether its files are consistent.
///
/// The command also works while another program signs with the key.
///
/// Exit status: 0 if the key can sign, 1 if a file cannot be read, 2 if DIR is not a complete key, 4 if a
/// rollback is suspected, 5 if the key is exhausted, 6 if it is poisoned, 7 if a file of it is damaged or
/// unsafe.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key status key", "Show how many signatures are left"),
    ("hashlanes key status --json key", "The same for programs"),
]))]
struct StatusArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    #[command(flatten)]
    access: Access,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Gives the next indices of a key to a new directory with the same public key.
///
/// The key gives up the indices on disk before the child is written. If the command is interrupted, they are
/// burned. The child of an encrypted key has the same passphrase.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key split key --count 16 --out child", "Give the next 16 indices to a key for another machine"),
]))]
struct SplitArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Number of indices
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// New directory for the child
    #[arg(short, long, value_name = "CHILD")]
    out: PathBuf,

    #[command(flatten)]
    opening: Opening,
}

/// Skips indices of a key; a key never goes back.
///
/// For indices that may have been used elsewhere, such as by a copy. They are burned.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key advance key --to 100", "Burn all indices below 100"),
    ("hashlanes key advance key --from-signature firmware.bin.sig", "Burn the indices up to that of a signature"),
]))]
#[command(group(clap::ArgGroup::new("goal").required(true)))]
struct AdvanceArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Sign next with index N
    #[arg(long, value_name = "N", group = "goal")]
    to: Option<u64>,

    /// Sign next with an index above that of the signature in FILE. The signature must be from this key; its
    /// message is not needed
    #[arg(long, value_name = "FILE", group = "goal")]
    from_signature: Option<PathBuf>,

    /// Confirm that more than a tenth of the remaining indices are burned
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    opening: Opening,
}

/// Takes over a key that was moved, or whose state may be an older copy.
///
/// A key whose state was written elsewhere, or is older than its log or its witness, is refused: it may be a
/// copy of a key that signs elsewhere, or that signed since. No program can know whether it is. Give the
/// reason why it is safe:
///
/// --moved: the directory was moved or copied here, and the original was deleted and signed nothing since. A
/// restored backup is not such a case, unless the key was not used since the backup.
///
/// --at-least N, --from-signature FILE: a copy was restored, and no index from N on (above that of FILE) was
/// ever used, on any machine. The indices below are burned.
///
/// If you do not know, do not adopt the key. Create a new one.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key adopt key --moved", "Take over a key that was moved to this volume"),
]))]
#[command(group(clap::ArgGroup::new("reason").required(true)))]
struct AdoptArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// The directory was moved, and no other copy signed since
    #[arg(long, group = "reason")]
    moved: bool,

    /// No index from N on was ever used
    #[arg(long, value_name = "N", group = "reason")]
    at_least: Option<u64>,

    /// No index above that of the signature in FILE was ever used. The signature must be from this key; only
    /// you know whether it is the newest
    #[arg(long, value_name = "FILE", group = "reason")]
    from_signature: Option<PathBuf>,

    /// Confirm that more than a tenth of the remaining indices are burned
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    opening: Opening,
}

/// Writes a key's public key.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key export-public key", "Print the public key in PEM"),
    ("hashlanes key export-public key --format raw -o key.raw", "Write it as OID, root and SEED"),
]))]
struct ExportPublicArgs {
    /// The directory of the key
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// pem, der (RFC 9802), or raw: OID, root, SEED
    #[arg(long, value_name = "FORM", default_value = "pem", value_parser = PossibleValuesParser::new(["pem", "der", "raw"]))]
    format: String,

    /// Write to the new file FILE [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    passphrase: PassphraseSource,
}

impl KeyCommandArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let done = match self.command {
            Command::Status(args) => args.run(speaker),
            Command::Log(args) => args.run(speaker),
            Command::Split(args) => args.run(speaker),
            Command::Advance(args) => args.run(speaker),
            Command::Adopt(args) => args.run(speaker),
            Command::ExportPublic(args) => args.run(speaker),
            Command::Certificate(args) => args.run(speaker),
            Command::Request(args) => args.run(speaker),
            Command::Import(args) => args.run(speaker),
            Command::Passphrase(args) => args.run(speaker),
        };
        done.unwrap_or_else(|refusal| {
            refusal.say(speaker);
            refusal.status.code()
        })
    }
}

/// Describes the next index of a key that was changed.
fn next_index_text(key: &SigningKey) -> String {
    match key.left() {
        0 => "the key is exhausted: no index is left".into(),
        left => format!("the next signature gets index {}, {left} are left", key.next_index()),
    }
}

/// Describes the indices that a command skipped.
fn burned(before: u64, key: &SigningKey) -> String {
    match key.next_index().saturating_sub(before) {
        0 => "nothing to skip".into(),
        _ => format!("{} burned", indices(before, key.next_index())),
    }
}

/// Returns whether the indices from `before` to `next` are more than a tenth of those that were left: it may
/// be a typing error.
fn are_many(next: u64, before: u64, end: u64) -> bool {
    let (burned, was_left) = (next.saturating_sub(before), end.saturating_sub(before));
    // Widened: 10 · 2^60 does not fit.
    10 * u128::from(burned) > u128::from(was_left)
}

/// Refuses to burn many indices without `--yes`. An index after the end is refused elsewhere.
fn check_few(path: &Path, before: u64, next: u64, end: u64) -> Result<(), Refusal> {
    if next > end || !are_many(next, before, end) {
        return Ok(());
    }
    let words = format!(
        "{} would be burned, of {} that are left: nothing was changed; --yes does it",
        indices(before, next),
        end - before
    );
    Err(Refusal::new(Status::WrongUse, path, words))
}

/// A note about a signature whose message is unknown.
fn print_unknown_message(speaker: &Speaker, path: Option<&Path>) -> Result<(), Refusal> {
    let words = "its message is not known: only that it is a signature of this key was checked";
    path.map_or(Ok(()), |path| print_about(speaker, path, words))
}

impl StatusArgs {
    fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let directory = self.access.known(&self.directory)?;
        let status = directory.status().map_err(|error| Refusal::of_key(&self.directory, &error))?;
        let (word, words, code) = judged(&status);
        let text = if self.json { json(&status, word).to_string() + "\n" } else { text(&status, &words) };
        print_text(speaker, &text);
        Ok(code.map_or(ExitCode::SUCCESS, Status::code))
    }
}

/// Returns whether the key can sign: in a word, in words, and as a status.
fn judged(status: &KeyStatus) -> (&'static str, String, Option<Status>) {
    match &status.standing {
        Standing::RolledBack { witness } => (
            "rollback-suspected",
            format!(
                "rollback suspected: state and {witness} are of different generations; see `hashlanes key adopt --help`"
            ),
            Some(Status::Rollback),
        ),
        Standing::Moved { what } => (
            "moved",
            format!(
                "rollback suspected: {what} is another one than before; see `hashlanes key adopt --help`"
            ),
            Some(Status::Rollback),
        ),
        _ => match status.status {
            KeyState::Poisoned => (
                "poisoned",
                "poisoned: a fault was found while it signed; see `hashlanes key adopt --help`".into(),
                Some(Status::Poisoned),
            ),
            KeyState::Exhausted => {
                ("exhausted", "exhausted: it signs nothing more".into(), Some(Status::Exhausted))
            }
            KeyState::Active if status.standing == Standing::Interrupted => (
                "interrupted",
                "can sign; the last command was interrupted, and its indices are burned".into(),
                None,
            ),
            KeyState::Active if status.is_in_last_percent() => (
                "in-last-percent",
                "can sign; less than 1 % of its signatures are left: sign with the next key".into(),
                None,
            ),
            KeyState::Active if status.is_nearly_exhausted() => (
                "nearly-exhausted",
                "can sign; nearly exhausted: make the next key known in time".into(),
                None,
            ),
            KeyState::Active => ("active", "can sign".into(), None),
        },
    }
}

fn text(status: &KeyStatus, words: &str) -> String {
    let KeyStatus { set, key_id, range, next, generation, .. } = status;
    let used = next - range.start;
    let all = range.end - range.start;
    format!(
        "set         {set}\nkey-id      {}\nindices     {} to {}\nnext        {}\nused        {used} of {all} ({:.1} %)\nleft        {}\n\
         commits     {generation}\nstate       {words}\n",
        hex(key_id),
        range.start,
        range.end - 1,
        if *next < range.end { next.to_string() } else { "none".into() },
        100.0 * used as f64 / all as f64,
        status.left(),
    )
}

fn json(status: &KeyStatus, word: &str) -> serde_json::Value {
    json!({
        "set": status.set.to_string(),
        "key_id": hex(&status.key_id),
        "first": status.range.start,
        "end": status.range.end,
        "next": status.next,
        "left": status.left(),
        "generation": status.generation,
        "state": word,
    })
}

impl SplitArgs {
    fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let of_key = |error| Refusal::of_key(&self.directory, &error);
        let mut key = self.opening.directory(&self.directory)?.open().map_err(of_key)?;
        let first = key.next_index();
        // A signal comes before it or after it: no part of a directory is left.
        held_off(|| key.split(self.count, &KeyDirectory::new(&self.out))).map_err(of_key)?;
        let given = indices(first, first + self.count);
        print_about(speaker, &self.out, &format!("has {given} of {}", key.set()))?;
        print_about(speaker, &self.directory, &next_index_text(&key))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A signature's bytes, and its index.
fn signature(path: &Path, directory: &KeyDirectory) -> Result<(Vec<u8>, u64), Refusal> {
    let bytes = bounded_signature(path)?;
    let index = directory.index_of(&bytes).map_err(|error| match error {
        hashlanes::hbs::store::Error::Key(error) => {
            Refusal::new(Status::WrongUse, path, format!("not a signature of this key: {error}"))
        }
        error => Refusal::of_key(directory.path(), &error),
    })?;
    Ok((bytes, index))
}

fn bounded_signature(path: &Path) -> Result<Vec<u8>, Refusal> {
    use std::io::Read;
    /// Above the longest signature: 12 layers of n = 64.
    const MOST_BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| {
        Refusal::new(Status::WrongUse, path, format!("cannot read the signature: {}", io_reason(&error)))
    })?;
    Ok(bytes)
}

impl AdvanceArgs {
    fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let of_key = |error| Refusal::of_key(&self.directory, &error);
        let directory = self.opening.directory(&self.directory)?;
        let past = self.from_signature.as_deref().map(|path| signature(path, &directory)).transpose()?;
        let mut key = directory.open().map_err(of_key)?;
        let before = key.next_index();
        let goal = past.as_ref().map_or(self.to, |(_, index)| Some(index + 1)).unwrap_or(before);
        if !self.yes {
            check_few(&self.directory, before, goal, key.range().end)?;
        }
        match (self.to, past) {
            (_, Some((signature, _))) => key.advance_past(&signature),
            (Some(to), None) => key.advance_to(to),
            (None, None) => unreachable!("one of the two is required"),
        }
        .map_err(of_key)?;
        print_about(
            speaker,
            &self.directory,
            &format!("{}; {}", burned(before, &key), next_index_text(&key)),
        )?;
        print_unknown_message(speaker, self.from_signature.as_deref())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl AdoptArgs {
    fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let directory = self.opening.directory_to_adopt(&self.directory)?;
        let past = self.from_signature.as_deref().map(|path| signature(path, &directory)).transpose()?;
        let at_least = past.map_or(self.at_least.unwrap_or(0), |(_, index)| index + 1);
        // If a state cannot be read, the burned indices are unknown.
        let status = directory.status().ok();
        if let (false, Some(KeyStatus { next, range, .. })) = (self.yes, &status) {
            check_few(&self.directory, *next, at_least, range.end)?;
        }
        let before = status.map(|status| status.next);
        let key = directory.adopt(at_least).map_err(|error| Refusal::of_key(&self.directory, &error))?;
        let before = before.unwrap_or_else(|| key.next_index());
        let burned = match key.next_index().saturating_sub(before) {
            0 => String::new(),
            _ => burned(before, &key) + "; ",
        };
        print_about(speaker, &self.directory, &format!("taken over; {burned}{}", next_index_text(&key)))?;
        print_unknown_message(speaker, self.from_signature.as_deref())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl ExportPublicArgs {
    fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        // The public key is computed from the file of the secret key.
        super::key_options::protect_memory();
        let key = self.passphrase.unlocked(KeyDirectory::new(&self.directory))?.verifying_key();
        let key = key.map_err(|error| Refusal::of_key(&self.directory, &error))?;
        let bytes = match &self.format[..] {
            "der" => key.to_spki_der().expect("a kept key has one"),
            "raw" => key.to_bytes(),
            _ => key.to_spki_pem().expect("a kept key has one").into_bytes(),
        };
        write_new(speaker, self.output.as_deref(), &bytes)
    }
}
