//! `hashlanes keygen`: creates a key in a new directory, and shows progress while its trees are computed.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hashlanes::hbs::store::{Error, Generation, KeyDirectory, KeyGeneration, KeySet, SigningKey};
use hashlanes::hbs::{lms, slh_dsa};
use zeroize::Zeroizing;

use super::key_options::Access;
use super::key_sets::{self, Set};
use super::keygen_progress::Watched;
use super::passphrase_options::Encryption;
use super::refusal::Refusal;
use super::slh_dsa_key;
use crate::help_text::list;
use crate::interruption::interruptible;
use crate::message::{Speaker, io_reason, say};
use crate::output::print_bytes;
use crate::progress::Shown;
use crate::signing::exit_status::Status;
use hashlanes_formats::encoding::{escape, hex};

const EXAMPLES: &[(&str, &str)] = &[
    ("hashlanes keygen --scheme SLH-DSA-SHA2-128s --out key", "Create a key without state"),
    (
        "hashlanes keygen --scheme XMSSMT-SHA2_20/4_256 --out release-key",
        "Create a key for a million signatures",
    ),
    (
        "hashlanes keygen --scheme SLH-DSA-SHA2-128s --encrypt --passphrase-file pass.txt --out secret",
        "Create an encrypted key; without --passphrase-file, ask for the passphrase",
    ),
];

fn after_long_help() -> String {
    let sets = list(
        "Parameter sets:",
        &[
            (
                "SLH-DSA-{SHA2,SHAKE}-{128,192,256}{s,f}",
                "No state; security level in bits; small or fast signatures",
            ),
            ("XMSS-SHA2_{10,16,20}_{192,256,512}", "Height; length of the hash in bits, usually 256"),
            (
                "XMSSMT-SHA2_{20/2,20/4,40/2,40/4,40/8,60/3,60/6,60/12}_{192,256,512}",
                "Height and layers; length of the hash",
            ),
            (
                "LMS_{SHA256,SHAKE}_{M24,M32}_H{5,10,15,20,25}_W{1,2,4,8}",
                "Length of the hash in bytes; height; a greater w makes signatures shorter",
            ),
            ("SET/SET…", "HSS: up to eight levels of LMS, the topmost first"),
        ],
    );
    format!("{sets}\n{}\n{}", list("Examples:", EXAMPLES), crate::signing::exit_status::table())
}

/// Creates a key for signatures: SLH-DSA (FIPS 205), XMSS or XMSS^MT (RFC 8391), LMS or HSS (RFC 8554).
///
/// The key is a new directory; DIR/public.pem is the public key.
///
/// Keys of SLH-DSA have no state. They may be copied and sign without limit. Signatures have 8 to 50 KB;
/// small ones (s) take a tenth of a second, fast ones (f) milliseconds. DIR also has private.pem.
///
/// Keys of XMSS, XMSS^MT, LMS and HSS count their signatures and must never be copied. `hashlanes help key`
/// describes how to keep them. The first number in the name of a parameter set of XMSS, and H in one of LMS,
/// is the height: a key has 2^height signatures. Levels of HSS multiply their signatures:
/// LMS_SHA256_M32_H10_W4/LMS_SHA256_M32_H10_W4 has 2^20. XMSS^MT spreads the work over layers (20/4: 4
/// layers). XMSS-SHA2_20_256 computes a million leaves first, which takes minutes on all cores. An
/// interrupted generation continues with --resume.
#[derive(Args)]
#[command(after_help = list("Examples:", EXAMPLES), after_long_help = after_long_help())]
pub(crate) struct KeygenArgs {
    /// Parameter set, such as SLH-DSA-SHA2-128s or XMSSMT-SHA2_20/4_256
    #[arg(long, value_name = "NAME", value_parser = key_sets::parser(), hide_possible_values = true, required_unless_present = "resume")]
    scheme: Option<Set>,

    /// New directory for the key
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Continue an interrupted generation in DIR
    #[arg(long, conflicts_with_all = ["scheme", "seeds", "encrypt"])]
    resume: bool,

    /// Read the secret seeds (S_XMSS, SK_PRF, SEED, n bytes each; LMS: SEED, n bytes, and I, 16 bytes) from
    /// FILE instead of the system's random number generator. The same seeds give the same key: two
    /// directories of one XMSS or LMS key use indices twice, and then an attacker can forge signatures
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,

    #[command(flatten)]
    encryption: Encryption,

    #[command(flatten)]
    access: Access,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", num_args = 1)]
    progress: Shown,
}

impl KeygenArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let made = match self.scheme {
            Some(Set::SlhDsa(set)) => self.make_slh_dsa(speaker, set),
            Some(Set::Stateful(set)) => self.make(speaker, Some(set)),
            None => self.make(speaker, None),
        };
        match made {
            Ok(code) => code,
            Err(refusal) => {
                refusal.say(speaker);
                refusal.status.code()
            }
        }
    }

    fn make_slh_dsa(&self, speaker: &Speaker, set: slh_dsa::ParameterSet) -> Result<ExitCode, Refusal> {
        self.access.without_witness(&self.out)?;
        let seeds = self.seeds.as_deref().map(seeds).transpose()?;
        let passphrase = || self.encryption.of_new_key(self.access.passphrase(), &self.out);
        slh_dsa_key::generate(speaker, set, seeds.as_ref().map(|seeds| &seeds[..]), &self.out, passphrase)
    }

    fn make(&self, speaker: &Speaker, set: Option<KeySet>) -> Result<ExitCode, Refusal> {
        let mut directory = self.access.new_or_known(&self.out)?;
        let progress = self.progress;
        let Some(set) = set else {
            let making = Making { speaker, directory: &directory, progress };
            return Ok(print_made(speaker, &self.out, &making.resume()?));
        };
        let generation = match &self.seeds {
            Some(path) => of_seeds(set, &seeds(path)?)
                .map_err(|error| Refusal::new(Status::WrongUse, path, error.to_string()))?,
            None => {
                is_new(&directory)?;
                at_random(set).map_err(|error| Refusal::new(Status::Failed, &self.out, error.to_string()))?
            }
        };
        if let Some(passphrase) = self.encryption.of_new_key(self.access.passphrase(), &self.out)? {
            directory = directory.passphrase(passphrase);
        }
        let making = Making { speaker, directory: &directory, progress };
        let indices = 0..set.signatures();
        Ok(print_made(speaker, &self.out, &making.make(generation, indices)?))
    }
}

/// Returns the generation of a key of given seeds.
fn of_seeds(set: KeySet, seeds: &[u8]) -> Result<Generation<'static>, hashlanes::hbs::Error> {
    Ok(match set {
        KeySet::Xmss(set) => KeyGeneration::new(set, seeds)?.into(),
        KeySet::Lms(set) => lms::KeyGeneration::new(set, seeds)?.into(),
    })
}

/// Returns the generation of a key of random seeds.
fn at_random(set: KeySet) -> Result<Generation<'static>, hashlanes::hbs::Error> {
    Ok(match set {
        KeySet::Xmss(set) => KeyGeneration::random(set)?.into(),
        KeySet::Lms(set) => lms::KeyGeneration::random(set)?.into(),
    })
}

/// Checks that nothing, or nothing that matters, exists where the key will be made.
fn is_new(directory: &KeyDirectory) -> Result<(), Refusal> {
    if directory.path().symlink_metadata().is_err() {
        // A missing directory, or one that cannot be examined: creating it succeeds, or reports the system's
        // reason.
        return Ok(());
    }
    let words = match directory.unfinished() {
        Ok(None) if is_begun_alone(directory.path()) => return Ok(()),
        Err(error @ Error::Unsafe { .. }) if is_begun_alone(directory.path()) => {
            return Err(Refusal::of_key(directory.path(), &error));
        }
        Ok(Some(_)) => {
            "the generation of its key was interrupted; `hashlanes keygen --resume --out DIR` continues it"
        }
        _ => "exists already; choose a new directory for the key",
    };
    Err(Refusal::new(Status::WrongUse, directory.path(), words))
}

/// The directory contains only the files that a generation creates before its seeds are stored: it failed
/// then, on a full disk. Nothing depends on these seeds, and new ones are as good.
fn is_begun_alone(path: &Path) -> bool {
    let Ok(entries) = path.read_dir() else { return false };
    let mut names: Vec<_> = entries.map_while(|entry| entry.ok().map(|entry| entry.file_name())).collect();
    names.sort();
    names.is_empty() || names == ["lock"] || names == ["lock", "unfinished.new"]
}

/// The creation of a key in its directory.
pub(super) struct Making<'a> {
    pub(super) speaker: &'a Speaker,
    pub(super) directory: &'a KeyDirectory,
    pub(super) progress: Shown,
}

impl Making<'_> {
    /// Creates the key, which uses these indices.
    pub(super) fn make(
        &self,
        generation: Generation<'_>,
        indices: Range<u64>,
    ) -> Result<SigningKey, Refusal> {
        self.watched(|watched| self.directory.create_within(watched.on(generation), indices)).map_err(
            |error| {
                // Begun with other seeds, or with another first index.
                if matches!(error, Error::Exists(_)) && matches!(self.directory.unfinished(), Ok(Some(_))) {
                    return self.refusal("holds the interrupted generation of another key");
                }
                Refusal::of_key(self.directory.path(), &error)
            },
        )
    }

    /// Continues the interrupted generation.
    fn resume(&self) -> Result<SigningKey, Refusal> {
        let of_key = |error| Refusal::of_key(self.directory.path(), &error);
        let key = self.watched(|watched| self.directory.resume(|generation| watched.on(generation)));
        if let Some(key) = key.map_err(of_key)? {
            return Ok(key);
        }
        // The generation cannot be continued: the key is complete, or there is no key.
        self.directory.status().map_err(of_key)?;
        Err(self.refusal("the key is complete; `hashlanes sign` signs with it"))
    }

    /// Shows the progress, and prints how to continue if it is interrupted.
    fn watched<T>(&self, work: impl FnOnce(&Watched) -> T) -> T {
        let words = "nothing is lost: `hashlanes keygen --resume --out DIR` continues it";
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
    use crate::platform::ffi::OsStrExt;
    let id = hashlanes::sha256(&key.verifying_key().to_bytes());
    let name = escape(path.as_os_str().as_bytes()).into_owned();
    let text = format!(": {}, {} signatures, key-id {}\n", key.set(), key.left(), hex(&id));
    print_bytes(speaker, &[&name[..], text.as_bytes()].concat());
    let words = "protect this directory and never copy it; read `hashlanes help key`";
    say(&speaker.about_file(path.as_os_str().as_bytes(), words));
    ExitCode::SUCCESS
}

/// Returns the seeds that a file holds.
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
