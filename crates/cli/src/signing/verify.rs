//! `hashlanes verify`: signatures of files.
//!
//! A worker accepts some files, reads all of them piece by piece, hashes the pieces in lanes, and verifies
//! the signatures in lanes. A file whose reading may wait is the last one of its group.

use std::ffi::OsString;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use hashlanes::hbs::Error;
use serde_json::{Map, Value};

use super::cms;
use super::exit_status::Status;
use super::parameter_sets::{WantedKey, wanted_key_parser};
use super::public_key::{Claim, PublicKey, Signed, Unfit};
use super::slh_dsa_message::MessageForm;
use crate::closed_descriptors;
use crate::files::{Directories, End, Entry, File, Names, Origin, Source, Walk, fill};
use crate::hashing::Counters;
use crate::help_text::list;
use crate::limits::Limits;
use crate::message::{Speaker, io_reason, reason, say};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::platform::ffi::OsStrExt;
use crate::platform::io::Errno;
use crate::progress::{self, Found, Shown};
use crate::verdicts::Verbosity;
use hashlanes_formats::encoding::{insert_name, line_with_name};

const EXAMPLES: &[(&str, &str)] = &[
    ("hashlanes verify -k key/public.pem firmware.bin", "Verify firmware.bin.sig"),
    ("hashlanes verify -k key/public.pem --json firmware.bin", "The same as JSON, with the index"),
];

/// Verifies signatures of files: SLH-DSA (FIPS 205), XMSS and XMSS^MT (RFC 8391), LMS and HSS (RFC 8554).
///
/// The signature of FILE is FILE.sig: raw, or a message of CMS; if it does not exist, FILE.p7s. Prints one
/// line per file, in the order of the arguments: "OK" if the signature is valid under the public key, "OK
/// (CMS)" if it is in a message of CMS, "FAILED" and a message if it is not valid.
///
/// A public key in PEM or DER (RFC 9802, RFC 9909, and an older encoding of XMSS) names its parameter set. A
/// raw key (OID, root, SEED) has an OID that both XMSS and XMSS^MT use: the length of the signature decides,
/// or --scheme.
#[derive(Args)]
#[command(after_help = list("Examples:", EXAMPLES))]
#[command(after_long_help = format!("{}\n{}", list("Examples:", EXAMPLES), super::exit_status::table()))]
pub(crate) struct VerifyArgs {
    /// Files that were signed; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "files0_from")]
    files: Vec<OsString>,

    /// Public key in PEM, DER or raw form, such as public.pem of a key directory; or a trusted certificate,
    /// of which only the public key is used
    #[arg(short, long, value_name = "PUBLIC")]
    key: PathBuf,

    /// Signature of one FILE [default: FILE.sig]
    #[arg(short, long, value_name = "PATH", conflicts_with = "files0_from")]
    signature: Option<PathBuf>,

    /// Require this parameter set, or any set of XMSS, XMSSMT, HSS or SLH-DSA
    #[arg(long, value_name = "NAME", value_parser = wanted_key_parser(), hide_possible_values = true)]
    scheme: Option<WantedKey>,

    #[command(flatten)]
    form: MessageForm,

    /// Print JSON
    #[arg(long, conflicts_with_all = ["quiet", "status"])]
    json: bool,

    /// Do not print OK for each file
    #[arg(short, long, conflicts_with = "status")]
    quiet: bool,

    /// Print nothing; report by the exit status
    #[arg(long)]
    status: bool,

    /// End lines with NUL and leave file names unescaped
    #[arg(short, long, conflicts_with = "json")]
    zero: bool,

    /// Read the names of files from FILE, each ended by NUL, at least one; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    files0_from: Option<OsString>,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", num_args = 1)]
    progress: Shown,
}

/// The form of the results.
#[derive(Clone, Copy)]
enum Form {
    Lines { end: u8, verbosity: Verbosity },
    Json,
}

impl VerifyArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let wrong = |text: &str| {
            say(&[speaker.line(text), speaker.try_help(" verify")].concat());
            Status::WrongUse.code()
        };
        if self.signature.is_some() && self.files.len() != 1 {
            return wrong("--signature requires exactly one FILE");
        }
        if self.signature.is_none() && self.files.iter().any(|name| name == "-") {
            return wrong("standard input requires --signature");
        }
        let public_key = match PublicKey::read(&self.key, self.scheme) {
            Ok(key) => key,
            Err(words) => {
                say(&speaker.about_file(self.key.as_os_str().as_bytes(), &words));
                return Status::WrongUse.code();
            }
        };
        if let Some(option) = self.form.given()
            && !matches!(public_key, PublicKey::SlhDsa(_))
        {
            return wrong(&format!("{option} is for keys of SLH-DSA"));
        }
        let form = match (self.json, self.quiet, self.status) {
            (true, ..) => Form::Json,
            (_, quiet, status) => {
                let verbosity = match (quiet, status) {
                    (true, _) => Verbosity::Quiet,
                    (_, true) => Verbosity::Status,
                    _ => Verbosity::Plain,
                };
                Form::Lines { end: if self.zero { 0 } else { b'\n' }, verbosity }
            }
        };
        let limits = Limits::of_process(self.jobs.map(NonZeroUsize::get));
        let verification = Verification {
            speaker,
            public_key: &public_key,
            signature: self.signature.as_deref(),
            message_form: &self.form,
            form,
            limits,
            counters: Counters::default(),
        };
        match verification.run(&self) {
            Ok(None) => ExitCode::SUCCESS,
            Ok(Some(status)) => status.code(),
            Err((name, error)) => {
                say(&speaker.about_file(&name, &reason(error)));
                Status::Failed.code()
            }
        }
    }

    /// Returns the names of the files.
    fn names<'a>(&'a self, speaker: &'a Speaker) -> Result<Names<'a>, (Vec<u8>, Errno)> {
        match &self.files0_from {
            None => Ok(Names::of_arguments(self.files.iter().map(platform::typed_name).collect())),
            Some(list) => {
                Names::listed(list.as_bytes(), speaker).map_err(|error| (list.as_bytes().to_vec(), error))
            }
        }
    }
}

/// One run of the command.
struct Verification<'a> {
    speaker: &'a Speaker,
    public_key: &'a PublicKey,
    /// The signature of one file, if not next to it.
    signature: Option<&'a Path>,
    message_form: &'a MessageForm,
    form: Form,
    limits: Limits,
    counters: Counters,
}

/// Returns the path of a file's signature: next to the file.
pub(super) fn signature_path(name: &[u8], suffix: &str) -> PathBuf {
    let mut path = platform::os_str(name).into_owned();
    path.push(suffix);
    path.into()
}

/// Returns the path of a file's signature: FILE.sig, or FILE.p7s if that is the one that exists.
fn existing_signature(name: &[u8]) -> PathBuf {
    let [raw, cms] = [".sig", ".p7s"].map(|suffix| signature_path(name, suffix));
    if !raw.exists() && cms.exists() { cms } else { raw }
}

/// Why a file's signature was not found valid.
enum Trouble {
    /// About the file itself.
    Unreadable(Errno),
    /// About the file of its signature.
    NoSignature(String),
    /// The signature is not that of the file.
    Invalid(Error),
    /// The message of CMS has no signature of the key.
    Message(String),
}

/// A file whose claim is being read.
struct Reading<'k> {
    at: usize,
    input: Input,
    claim: Claim<'k>,
    end: End,
}

enum Input {
    Standard,
    File(OwnedFd),
}

impl Input {
    fn open(file: &File) -> Result<Self, Errno> {
        match file.origin {
            Origin::StandardInput(_) => closed_descriptors::standard_input().map(|()| Self::Standard),
            _ => file.open().map(Self::File),
        }
    }

    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Standard => platform::stdio::stdin(),
            Self::File(fd) => fd.as_fd(),
        }
    }
}

/// The results for a file when its turn to be printed comes.
struct Outcome {
    signature_path: PathBuf,
    /// The claims of the signature, if it could be one.
    signed: Option<Signed>,
    result: Result<(), Trouble>,
}

impl Verification<'_> {
    /// Returns the error, unless all signatures are valid.
    ///
    /// # Errors
    /// The list of names cannot be read.
    fn run(&self, args: &VerifyArgs) -> Result<Option<Status>, (Vec<u8>, Errno)> {
        let directories = Directories::Refuse;
        let walk = |names| Walk::new(self.speaker, names, &directories, self.limits.open_directories);
        let source = Mutex::new((0_u64, walk(args.names(self.speaker)?)));
        let mut output = Output::new(self.speaker, Order::Kept);
        if matches!(self.form, Form::Json) {
            output = output.with_frame(b"[", b",", b"\n]\n");
        }
        let output = Mutex::new(output);
        let all_valid = AtomicBool::new(true);
        let worker = || {
            while let Some(batch) = self.take(&source) {
                for (number, lines, is_valid) in self.batch(batch) {
                    all_valid.fetch_and(is_valid, Ordering::Relaxed);
                    output.lock().unwrap_or_else(PoisonError::into_inner).deliver(number, lines);
                }
            }
        };
        let find = |found: &Found| match &args.files0_from {
            // The total is unknown until the list is read.
            Some(_) => {
                found.file(None);
            }
            None => self.find(walk(Names::of_arguments(self.arguments(args))), found),
        };
        progress::watched(args.progress, &self.counters, find, || {
            std::thread::scope(|scope| {
                let n_files = if args.files0_from.is_some() { usize::MAX } else { args.files.len() };
                for _ in 1..self.limits.jobs.min(n_files) {
                    // If a thread cannot be started, the work continues with fewer.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, worker);
                }
                worker();
            });
        });
        let (n_entries, walk) = source.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (0, Some(list)) = (n_entries, &args.files0_from) {
            // Without a file, nothing is valid: the author of the list meant some file.
            say(&self.speaker.about_file(list.as_bytes(), "lists no file; nothing was verified"));
            return Ok(Some(Status::WrongUse));
        }
        output.into_inner().unwrap_or_else(PoisonError::into_inner).end();
        Ok((!all_valid.into_inner() || walk.failed).then_some(Status::Failed))
    }

    fn arguments(&self, args: &VerifyArgs) -> Vec<Vec<u8>> {
        args.files.iter().map(platform::typed_name).collect()
    }

    /// Reads the lengths of all files, for progress.
    fn find(&self, mut walk: Walk<'_>, found: &Found) {
        while let Some(entry) = walk.next() {
            if let Entry::File(file, ()) = entry
                && !found.file(file.n_bytes())
            {
                return;
            }
        }
        found.is_all();
    }

    /// Returns the next files, with their numbers, up to one that may keep its reader waiting.
    fn take(&self, source: &Mutex<(u64, Walk<'_>)>) -> Option<Vec<(u64, Entry<()>)>> {
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, walk) = &mut *source;
        let share = walk.at_most().map_or(self.limits.advanced, |n| n.div_ceil(self.limits.jobs));
        let mut batch = Vec::new();
        while batch.len() < share.clamp(1, self.limits.advanced) {
            let Some(entry) = walk.next() else { break };
            let waits = matches!(&entry, Entry::File(file, ()) if file.awaited().is_some());
            batch.push((*number, entry));
            *number += 1;
            if waits || walk.next_may_wait() {
                break;
            }
        }
        (!batch.is_empty()).then_some(batch)
    }

    /// The output for each file, and whether its signature is valid.
    fn batch(&self, batch: Vec<(u64, Entry<()>)>) -> Vec<(u64, Lines, bool)> {
        let (mut said, mut files) = (Vec::new(), Vec::new());
        for (number, entry) in batch {
            match entry {
                Entry::Said(lines) => said.push((number, lines, false)),
                Entry::File(file, ()) => files.push((number, file)),
            }
        }
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut readings = Vec::new();
        for (at, (_, file)) in files.iter().enumerate() {
            let (outcome, reading) = self.begin(at, file);
            outcomes.push(outcome);
            readings.extend(reading);
        }
        let unreadable = self.read(&mut readings);
        for (at, error) in unreadable {
            outcomes[at].result = Err(Trouble::Unreadable(error));
        }
        let (ats, claims): (Vec<_>, Vec<_>) =
            readings.into_iter().map(|reading| (reading.at, reading.claim)).unzip();
        for (at, result) in ats.into_iter().zip(Claim::finish_many(claims)) {
            outcomes[at].result = result.map_err(Trouble::Invalid);
        }
        self.counters.add(files.len(), 0);
        let told = files.iter().zip(outcomes).map(|((number, file), outcome)| {
            (*number, self.lines(&file.name, &outcome), outcome.result.is_ok())
        });
        said.into_iter().chain(told).collect()
    }

    /// Reads a signature, and opens the signed file. The outcome is preliminary if the file must be read.
    fn begin(&self, at: usize, file: &File) -> (Outcome, Option<Reading<'_>>) {
        let signature_path = self.signature.map_or_else(|| existing_signature(&file.name), Path::to_owned);
        // Not valid until it is known to be.
        let result = Err(Trouble::Invalid(Error::Invalid));
        let mut outcome = Outcome { signature_path, signed: None, result };
        match self.open(at, file, &mut outcome) {
            Ok(reading) => (outcome, Some(reading)),
            Err(trouble) => (Outcome { result: Err(trouble), ..outcome }, None),
        }
    }

    fn open(&self, at: usize, file: &File, outcome: &mut Outcome) -> Result<Reading<'_>, Trouble> {
        let input = Input::open(file).map_err(Trouble::Unreadable)?;
        let no_signature = |error: io::Error| Trouble::NoSignature(io_reason(&error));
        let mut signature = Vec::new();
        let most = self.public_key.longest_signature() as u64 + 1;
        let opened = std::fs::File::open(&outcome.signature_path).map_err(no_signature)?;
        let mut opened = opened.take(most);
        opened.read_to_end(&mut signature).map_err(no_signature)?;
        if signature.len() as u64 == most && cms::is_message(&signature) {
            opened.set_limit(cms::MOST_BYTES);
            opened.read_to_end(&mut signature).map_err(no_signature)?;
        }
        let claimed = self.public_key.claim_of_file(&signature, self.message_form);
        let (claim, signed) = claimed.map_err(|why| match why {
            Unfit::Signature(error) => Trouble::Invalid(error),
            Unfit::Message(why) => Trouble::Message(why),
        })?;
        outcome.signed = Some(signed);
        Ok(Reading { at, input, claim, end: End::NotSeen })
    }

    /// Reads all to their ends, each piece through the lanes with the others'. Those that cannot be read are
    /// taken out, and returned.
    fn read(&self, readings: &mut Vec<Reading<'_>>) -> Vec<(usize, Errno)> {
        let piece = self.limits.read_bytes;
        let mut buffer = vec![0; piece * readings.len()];
        let mut unreadable = Vec::new();
        while readings.iter().any(|reading| reading.end == End::NotSeen) {
            let mut filled = Vec::with_capacity(readings.len());
            readings.retain_mut(|reading| {
                if reading.end == End::Seen {
                    filled.push(0);
                    return true;
                }
                match fill(reading.input.fd(), &mut buffer[filled.len() * piece..][..piece], 0, None) {
                    Ok(read) => {
                        reading.end = read.end;
                        filled.push(read.n_bytes);
                        true
                    }
                    Err(error) => {
                        unreadable.push((reading.at, error));
                        false
                    }
                }
            });
            let pieces = buffer.chunks(piece).zip(&filled).map(|(buffer, n_bytes)| &buffer[..*n_bytes]);
            let claims = readings.iter_mut().map(|reading| &mut reading.claim);
            Claim::update_many(claims.zip(pieces).collect());
            self.counters.add(0, filled.iter().sum());
        }
        unreadable
    }

    fn lines(&self, name: &[u8], outcome: &Outcome) -> Lines {
        let signature_path = outcome.signature_path.as_os_str().as_bytes();
        let err = match &outcome.result {
            Ok(()) => Vec::new(),
            Err(Trouble::Unreadable(error)) => self.speaker.about_file(name, &reason(*error)),
            Err(Trouble::NoSignature(why)) => {
                self.speaker.about_file(signature_path, &format!("cannot read the signature: {why}"))
            }
            Err(Trouble::Invalid(Error::Invalid)) => self.speaker.about_file(
                signature_path,
                "not valid: made by another key or for another file, or changed since",
            ),
            Err(Trouble::Invalid(why)) => {
                self.speaker.about_file(signature_path, &format!("not a signature of this key: {why}"))
            }
            Err(Trouble::Message(why)) => {
                self.speaker.about_file(signature_path, &format!("not a signature of this key: CMS: {why}"))
            }
        };
        let is_cms = outcome.signed.as_ref().is_some_and(|signed| signed.is_cms);
        let Form::Lines { end, verbosity } = self.form else {
            return Lines {
                err,
                out: format!("\n{}", object(name, outcome)).into_bytes(),
                ..Lines::default()
            };
        };
        let words: &[u8] = match &outcome.result {
            Ok(()) if verbosity != Verbosity::Plain => return Lines::default(),
            Err(_) if verbosity == Verbosity::Status => return Lines::default(),
            Ok(()) if is_cms => b": OK (CMS)",
            Ok(()) => b": OK",
            Err(Trouble::Invalid(_) | Trouble::Message(_)) => b": FAILED",
            Err(Trouble::Unreadable(_) | Trouble::NoSignature(_)) => b": FAILED open or read",
        };
        let line = if end == 0 { [name, words, &[0]].concat() } else { line_with_name(b"", name, words) };
        Lines { err, out: line, ..Lines::default() }
    }
}

/// `{"name": "fw.bin", "signature": "fw.bin.sig", "valid": true, "format": "raw", "set": "XMSS-SHA2_10_256",
/// "index": 7}`; a name that is not UTF-8 is in `name_base64`; `error` is the reason why a signature could
/// not be checked.
fn object(name: &[u8], outcome: &Outcome) -> Value {
    let mut object = Map::new();
    for (key, bytes) in [("name", name), ("signature", outcome.signature_path.as_os_str().as_bytes())] {
        insert_name(&mut object, key, bytes);
    }
    object.insert("valid".into(), outcome.result.is_ok().into());
    if let Some(Signed { set, index, is_cms }) = &outcome.signed {
        object.insert("format".into(), if *is_cms { "cms" } else { "raw" }.into());
        object.insert("set".into(), set[..].into());
        if let Some(index) = index {
            object.insert("index".into(), (*index).into());
        }
    }
    match &outcome.result {
        Ok(()) => {}
        Err(Trouble::Unreadable(error)) => {
            object.insert("error".into(), reason(*error).into());
        }
        Err(Trouble::NoSignature(why)) => {
            object.insert("error".into(), format!("cannot read the signature: {why}").into());
        }
        Err(Trouble::Invalid(why)) => {
            object.insert("error".into(), why.to_string().into());
        }
        Err(Trouble::Message(why)) => {
            object.insert("error".into(), format!("CMS: {why}").into());
        }
    }
    object.into()
}
