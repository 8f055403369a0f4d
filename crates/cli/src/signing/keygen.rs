//! `hashlanes keygen`: a key in a new directory; and what any command shows while the trees of one are computed.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hashlanes::hbs::ParameterSet;
use hashlanes::hbs::store::{Error, KeyDirectory, KeyGeneration, SigningKey};
use zeroize::Zeroizing;

use super::exit_status::Status;
use super::interruption::interruptible;
use super::key_options::Witness;
use super::keygen_progress::Watched;
use super::parameter_sets;
use super::refusal::Refusal;
use crate::encoding::{escape, hex};
use crate::message::{Speaker, io_reason, say};
use crate::output::print_bytes;
use crate::progress::Shown;

/// Makes a key for signatures: XMSS and XMSS^MT (RFC 8391, NIST SP 800-208).
///
/// The key is a directory. A set's name tells how many signatures its keys make and how long that takes: 2^10, 2^16,
/// 2^20, 2^40 or 2^60 signatures (XMSS-SHA2_10_256 … XMSSMT-SHA2_60/12_256), of which XMSS^MT spreads the work over d
/// layers (20/4: 4 layers). With XMSS-SHA2_20_256 a million leaves are computed first: minutes on all cores.
/// Interrupted, it goes on with --resume.
///
/// Sets: XMSS-SHA2_{10,16,20}_{192,256,512}, XMSSMT-SHA2_{20/2,20/4,40/2,40/4,40/8,60/3,60/6,60/12}_{192,256,512};
/// the last number is the hash's length in bits, 256 is the usual one.
///
/// The public key is DIR/public.pem. How to keep a key (backups, moving, what must never be done) is told by
/// `hashlanes key --help`.
#[derive(Args)]
#[command(after_long_help = super::exit_status::table())]
pub(crate) struct KeygenArgs {
    /// The parameter set, such as XMSSMT-SHA2_20/4_256
    #[arg(long, value_name = "NAME", value_parser = parameter_sets::parser(), hide_possible_values = true, required_unless_present = "resume")]
    scheme: Option<ParameterSet>,

    /// The directory that is made for the key
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Go on with a generation in DIR that was interrupted
    #[arg(long, conflicts_with_all = ["scheme", "seeds"])]
    resume: bool,

    /// Take the secret seeds (S_XMSS, SK_PRF, SEED, of n bytes each) from FILE instead of the system's source of
    /// random numbers. The same seeds make the same key: two directories of one key sign twice with one index, and
    /// anybody can forge then
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,

    #[command(flatten)]
    witness: Witness,

    /// Show how far it is: a bar on a terminal, lines of JSON for programs
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", num_args = 1)]
    progress: Shown,
}

impl KeygenArgs {
    /// Does what is asked.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        match self.make(speaker) {
            Ok(key) => print_made(speaker, &self.out, &key),
            Err(refusal) => {
                refusal.say(speaker);
                refusal.status.code()
            }
        }
    }

    fn make(&self, speaker: &Speaker) -> Result<SigningKey, Refusal> {
        let directory = self.witness.new_or_known(&self.out);
        let making = Making { speaker, directory: &directory, progress: self.progress };
        let Some(set) = self.scheme else { return making.resume() };
        let generation = match &self.seeds {
            Some(path) => KeyGeneration::new(set, &seeds(path)?)
                .map_err(|error| Refusal::new(Status::WrongUse, path, error.to_string()))?,
            None => {
                is_new(&directory)?;
                KeyGeneration::random(set)
                    .map_err(|error| Refusal::new(Status::Failed, &self.out, error.to_string()))?
            }
        };
        let indices = 0..set.signatures();
        making.make(generation, indices)
    }
}

/// There is nothing yet where the key is to be made, or nothing that matters.
fn is_new(directory: &KeyDirectory) -> Result<(), Refusal> {
    if directory.path().symlink_metadata().is_err() {
        // If it is not to be looked at, it is not to be made either, with the system's reason.
        return Ok(());
    }
    let words = match directory.unfinished() {
        Ok(None) if is_begun_alone(directory.path()) => return Ok(()),
        Err(error @ Error::Unsafe { .. }) if is_begun_alone(directory.path()) => {
            return Err(Refusal::of_key(directory.path(), &error));
        }
        Ok(Some(_)) => {
            "the generation of its key was interrupted; `hashlanes keygen --resume --out DIR` goes on with it"
        }
        _ => "it is there already; a key is made in a new directory",
    };
    Err(Refusal::new(Status::WrongUse, directory.path(), words))
}

/// Nothing is there but what a generation makes before its seeds are kept: it failed then, on a full disk. Nothing rests on
/// these seeds, and others do as well.
fn is_begun_alone(path: &Path) -> bool {
    let Ok(entries) = path.read_dir() else { return false };
    let mut names: Vec<_> = entries.map_while(|entry| entry.ok().map(|entry| entry.file_name())).collect();
    names.sort();
    names.is_empty() || names == ["lock"] || names == ["lock", "unfinished.new"]
}

/// How a key is made in its directory.
pub(super) struct Making<'a> {
    pub(super) speaker: &'a Speaker,
    pub(super) directory: &'a KeyDirectory,
    pub(super) progress: Shown,
}

impl Making<'_> {
    /// Makes the key, which uses these indices.
    pub(super) fn make(
        &self,
        generation: KeyGeneration<'_>,
        indices: Range<u64>,
    ) -> Result<SigningKey, Refusal> {
        self.watched(|watched| self.directory.create_within(watched.on(generation), indices)).map_err(
            |error| {
                // Begun with other seeds, or with another first index.
                if matches!(error, Error::Exists(_)) && matches!(self.directory.unfinished(), Ok(Some(_))) {
                    return self.refusal("the generation of another key was interrupted here");
                }
                Refusal::of_key(self.directory.path(), &error)
            },
        )
    }

    /// Goes on with what was interrupted.
    fn resume(&self) -> Result<SigningKey, Refusal> {
        let of_key = |error| Refusal::of_key(self.directory.path(), &error);
        let key = self.watched(|watched| self.directory.resume(|generation| watched.on(generation)));
        if let Some(key) = key.map_err(of_key)? {
            return Ok(key);
        }
        // There is nothing to go on with: a key that is finished, or none at all.
        self.directory.status().map_err(of_key)?;
        Err(self.refusal("the key is finished already; `hashlanes sign` signs with it"))
    }

    /// Shows how far it is, and says how it goes on if it is interrupted.
    fn watched<T>(&self, work: impl FnOnce(&Watched) -> T) -> T {
        let words = "nothing is lost: `hashlanes keygen --resume --out DIR` goes on with it";
        let _signals = interruptible(self.speaker, self.directory.path(), words);
        let watched = Watched::new(self.progress);
        let result = work(&watched);
        watched.end();
        result
    }

    fn refusal(&self, words: &str) -> Refusal {
        Refusal::new(Status::WrongUse, self.directory.path(), words)
    }
}

/// Prints which key was made.
pub(super) fn print_made(speaker: &Speaker, path: &Path, key: &SigningKey) -> ExitCode {
    use std::os::unix::ffi::OsStrExt;
    let id = hashlanes::sha256(&key.verifying_key().to_bytes());
    let name = escape(path.as_os_str().as_bytes()).into_owned();
    let text = format!(": {}, {} signatures, key-id {}\n", key.set(), key.left(), hex(&id));
    print_bytes(speaker, &[&name[..], text.as_bytes()].concat());
    let words =
        "keep it safe, and alone: a copy that signs, too, breaks it; `hashlanes key --help` tells how";
    say(&speaker.about_file(path.as_os_str().as_bytes(), words));
    ExitCode::SUCCESS
}

/// The seeds that a file holds.
fn seeds(path: &Path) -> Result<Zeroizing<Vec<u8>>, Refusal> {
    /// Longer than those of any set: 3 · 64 bytes.
    const MOST_BYTES: u64 = 193;
    let mut seeds = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize));
    let read = std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut seeds));
    read.map_err(|error| {
        Refusal::new(Status::WrongUse, path, format!("cannot read the seeds: {}", io_reason(&error)))
    })?;
    Ok(seeds)
}
