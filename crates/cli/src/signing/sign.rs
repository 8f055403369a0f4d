//! `hashlanes sign`: signatures of files, each with an index of its own.
//!
//! ```text
//!   every FILE can be read, every FILE.sig written    else nothing is done
//!   a window of files:  room for their signatures  ->  their indices, committed to disk  ->  signed, verified
//!                       ->  each FILE.sig on the disk  ->  its line printed
//! ```
//!
//! From the commit on, what has no signature in the end is burned, and said to be.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64ct::{Base64, Encoding};
use clap::Args;
use hashlanes::hbs::store::{Message, SigningKey};
use hashlanes::hbs::{ParameterSet, Signature};
use serde_json::{Map, Value};

use super::exit_status::Status;
use super::input::Input;
use super::interruption::interruptible;
use super::key_options::Opening;
use super::refusal::Refusal;
use super::refusal::indices;
use super::signature_files::{Destination, Destinations};
use super::signature_targets::Targets;
use super::verify::signature_path;
use crate::encoding::line_with_name;
use crate::limits::open_files;
use crate::message::{Speaker, io_reason, reason, say};
use crate::new_file::Existing;
use crate::output::{Lines, Order, Output};

/// Files that are signed with one commit: one then costs next to nothing a file, and as many signatures of the
/// longest set take 27 MiB.
const WINDOW: u64 = 256;

/// Signs files with a kept key: XMSS and XMSS^MT (RFC 8391, NIST SP 800-208).
///
/// The signature of FILE, in the standard's encoding, is written to FILE.sig. Each takes an index of the key, which
/// is never used again: it is on the disk as used before anything is computed with it. A signature is verified before
/// it is written, and it is on the disk before its line is printed. What is there already is not written over without --force; what is to be signed, and the files of the
/// key, not even with it.
///
/// Files are signed in windows: the indices of one are committed to disk together. If the program is interrupted, or a
/// signature cannot be written, indices of its window are burned: no harm, but they are gone. The program says which. If
/// its lines cannot be written (a full disk, a closed pipe), it signs no further window, and a message tells which indices
/// are in the signatures that are there: status 3.
#[derive(Args)]
#[command(after_long_help = super::exit_status::table())]
pub(crate) struct SignArgs {
    /// Regular files to sign; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<OsString>,

    /// The directory of the key
    #[arg(short, long, value_name = "DIR")]
    key: PathBuf,

    #[command(flatten)]
    opening: Opening,

    /// Sign at most N files with one commit: fewer indices are burned by a crash, but each commit takes milliseconds
    #[arg(long, value_name = "N", default_value_t = WINDOW, value_parser = clap::value_parser!(u64).range(1..=1024))]
    window: u64,

    /// Write the signature of the one FILE to PATH; - is standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Write over signatures that are there
    #[arg(short, long)]
    force: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// A file to sign.
struct Job {
    name: OsString,
    to: PathBuf,
    input: Input,
}

/// What was done, and what went wrong.
struct Done<'a> {
    speaker: &'a Speaker,
    output: Output<'a>,
    next: u64,
    /// Behind the indices that were reserved.
    reserved_end: u64,
    /// From the first index that is in a written signature to the last one.
    released: Option<RangeInclusive<u64>>,
    worst: Option<Status>,
}

impl SignArgs {
    /// Does what is asked.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        if let Some(words) = self.wrong_use() {
            say(&[speaker.line(words), speaker.try_help(" sign")].concat());
            return Status::WrongUse.code();
        }
        match self.sign(speaker) {
            Ok(None) => ExitCode::SUCCESS,
            Ok(Some(status)) => status.code(),
            Err(refusal) => {
                refusal.say(speaker);
                refusal.status.code()
            }
        }
    }

    fn wrong_use(&self) -> Option<&'static str> {
        let to_standard_output = self.output.as_deref() == Some(Path::new("-"));
        if self.output.is_some() && self.files.len() > 1 {
            Some("--output is for one FILE")
        } else if self.output.is_none() && self.files.iter().any(|name| name == "-") {
            Some("of standard input, --output is needed: where the signature goes")
        } else if to_standard_output && self.json {
            Some("--output -: the signature is what is printed, and no JSON")
        } else {
            None
        }
    }

    /// The worst that went wrong with single files.
    ///
    /// # Errors
    /// What kept the rest from being signed.
    fn sign(&self, speaker: &Speaker) -> Result<Option<Status>, Refusal> {
        let words = "what has its signature is signed; indices that were reserved for the rest are burned, which is no harm: \
                     `hashlanes key status` tells the next one";
        let _signals = interruptible(speaker, &self.key, words);
        let mut jobs = self.jobs()?;
        let of_key = |error| Refusal::of_key(&self.key, &error);
        let mut key = self.opening.directory(&self.key)?.open().map_err(of_key)?;
        let n_asked = jobs.len() as u64;
        if n_asked > key.left() && key.left() > 0 {
            let words = format!(
                "{n_asked} signatures are asked for, {} are left; nothing was signed, no index was used up",
                key.left()
            );
            return Err(Refusal::new(Status::Exhausted, &self.key, words));
        }
        let mut output = Output::new(speaker, Order::Kept).dropping_unwritten();
        if self.json {
            output = output.with_frame(b"[", b",", b"\n]\n");
        }
        let mut done = Done { speaker, output, next: 0, reserved_end: 0, released: None, worst: None };
        let mut result = Ok(());
        while !jobs.is_empty() {
            let window: Vec<Job> = jobs.drain(..jobs.len().min(self.n_together())).collect();
            result = self.window(&mut key, window, &mut done);
            // Signatures that nobody is told of are not what was asked for.
            if result.is_err() || done.output.unwritten().is_some() {
                break;
            }
        }
        done.output.end();
        done.untold(jobs.len());
        // Where a file's turn came to nothing before it took its index, the next file took it; the last ones are left
        // over.
        if key.next_index() < done.reserved_end {
            let burned = indices(key.next_index(), done.reserved_end);
            let words = format!("{burned} burned: reserved, and not taken");
            done.failed(&Refusal::new(Status::Burned, &self.key, words));
        }
        // If it went wrong, the reason is what is said last.
        if result.is_ok() && key.is_nearly_exhausted() {
            say(&speaker.about_file(self.key.as_os_str().as_bytes(), &nearly_exhausted(&key)));
        }
        result.map(|()| done.worst)
    }

    /// Files that are signed together: each signature has its descriptor until it has its name, and perhaps a directory.
    fn n_together(&self) -> usize {
        /// Standard streams, the files of the key, a file that is read, and a few to spare.
        const OTHERS: usize = 24;
        (open_files().saturating_sub(OTHERS) / 2).clamp(1, self.window as usize)
    }

    /// Every file can be read, and its signature's place is free.
    fn jobs(&self) -> Result<Vec<Job>, Refusal> {
        let inputs = self.files.iter().map(Path::new);
        let mut targets = Targets::new(inputs, &self.key, self.opening.witness());
        for name in &self.files {
            targets.take(Path::new(name), &self.target(name))?;
        }
        let job = |name: &OsString| {
            let path = Path::new(name);
            let to = self.target(name);
            let unread = |error| {
                let words =
                    format!("cannot read: {}; nothing was signed, no index was used up", io_reason(&error));
                Refusal::new(Status::Failed, path, words)
            };
            // Room is made later, for a window of files; but what is there already is known at once.
            if !self.force && self.output.is_none() && to.symlink_metadata().is_ok() {
                let words =
                    "it is there already; --force writes over it; nothing was signed, no index was used up";
                return Err(Refusal::new(Status::Failed, &to, words));
            }
            Ok(Job { name: name.clone(), to, input: Input::new(path).map_err(unread)? })
        };
        self.files.iter().map(job).collect()
    }

    /// Where the signature of a file goes.
    fn target(&self, name: &OsString) -> PathBuf {
        self.output.clone().unwrap_or_else(|| signature_path(name.as_bytes()))
    }

    /// Signs some files with one commit.
    ///
    /// # Errors
    /// None of them was signed, and none of the following can be.
    fn window(&self, key: &mut SigningKey, jobs: Vec<Job>, done: &mut Done<'_>) -> Result<(), Refusal> {
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let n_bytes = key.set().signature_bytes();
        let mut destinations = Destinations::default();
        let mut places = Vec::with_capacity(jobs.len());
        for job in &jobs {
            let unwritten = |error| {
                let words = format!("cannot write: {}; no index was used up for it", io_reason(&error));
                Refusal::new(Status::Failed, &job.to, words)
            };
            places.push(destinations.open(&job.to, n_bytes, existing).map_err(unwritten)?);
        }
        let (mut inputs, names): (Vec<Input>, Vec<(OsString, PathBuf)>) =
            jobs.into_iter().map(|job| (job.input, (job.name, job.to))).unzip();
        let mut messages: Vec<Message<'_>> = inputs.iter_mut().map(Message::from).collect();
        let reserved_end = key.next_index() + names.len() as u64;
        let results = key.sign_many(&mut messages).map_err(|error| self.unsigned(&names, &error))?;
        done.reserved_end = reserved_end;
        let is_printed = matches!(places[..], [Destination::StandardOutput]);
        let signed =
            results.iter().zip(places).filter_map(|(result, place)| Some((place, result.as_ref().ok()?)));
        let mut released = destinations
            .release(signed.map(|(place, signature)| (place, signature.as_ref())).collect())
            .into_iter();
        for (result, (name, to)) in results.iter().zip(names) {
            match result {
                Ok(signature) => {
                    let released = released.next().expect("one for each signature");
                    let name = if is_printed { None } else { Some(name) };
                    self.tell(key.set(), signature, released, (name, to), done);
                }
                Err(error) => {
                    let refusal = Refusal { path: name.into(), ..Refusal::of_key(&self.key, error) };
                    done.failed(&refusal);
                }
            }
        }
        Ok(())
    }

    /// What is said if a whole window was not signed.
    fn unsigned(&self, names: &[(OsString, PathBuf)], error: &hashlanes::hbs::store::Error) -> Refusal {
        use hashlanes::hbs::store::Error;
        match error {
            Error::Message { number, why } => {
                let words = format!("cannot read: {why}; it was not signed, no index was used up for it");
                Refusal::new(Status::Failed, Path::new(&names[*number].0), words)
            }
            error => Refusal::of_key(&self.key, error),
        }
    }

    /// Prints a line for a signature that was released, or why it was not. Without a name the signature itself was printed.
    fn tell(
        &self,
        set: ParameterSet,
        signature: &Signature,
        released: std::io::Result<()>,
        (name, to): (Option<OsString>, PathBuf),
        done: &mut Done<'_>,
    ) {
        let bytes = signature.as_ref();
        let index = bytes[..set.index_bytes()].iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
        if let Err(error) = released {
            let words = format!(
                "cannot write: {}; index {index} is burned: it has no signature and is not used again",
                io_reason(&error)
            );
            return done.failed(&Refusal::new(Status::Burned, &to, words));
        }
        let first = done.released.as_ref().map_or(index, |released| *released.start());
        done.released = Some(first..=index);
        let Some(name) = name.map(OsStringExt::into_vec) else { return };
        if self.json {
            let text = object(&name, to.as_os_str().as_bytes(), set, index).to_string();
            done.print(format!("\n{text}").into_bytes());
        } else if !self.quiet {
            done.print(line_with_name(b"", &name, format!(": signed with index {index}").as_bytes()));
        }
    }
}

/// What is said of a key that has signed nearly all that it can, or all.
fn nearly_exhausted(key: &SigningKey) -> String {
    match key.left() {
        0 => "the key is exhausted now: it signs nothing more; sign with the next one".into(),
        left => format!(
            "over 90 % of the key are used up: {left} of {} signatures are left; make the next key known in time",
            key.range().end - key.range().start
        ),
    }
}

impl Done<'_> {
    fn print(&mut self, out: Vec<u8>) {
        self.output.deliver(self.next, Lines { out, ..Lines::default() });
        self.next += 1;
    }

    /// Tells what the lines would have told, if they could not be written; `n_left` files were not begun then.
    fn untold(&mut self, n_left: usize) {
        let (Some(error), Some(released)) = (self.output.unwritten(), self.released.clone()) else { return };
        let written = indices(*released.start(), released.end() + 1);
        let mut words = format!(
            "standard output: cannot write: {}; the signatures are written, with {written}: what is missing is the lines that tell it",
            reason(error)
        );
        if n_left > 0 {
            words.push_str(&format!("; {n_left} FILEs behind them were not signed"));
        }
        say(&self.speaker.line(&words));
        self.worst = self.worst.max(Some(Status::Burned));
    }

    fn failed(&mut self, refusal: &Refusal) {
        self.output.flush();
        refusal.say(self.speaker);
        self.worst = self.worst.max(Some(refusal.status));
    }
}

/// `{"name": "fw.bin", "signature": "fw.bin.sig", "set": "XMSS-SHA2_10_256", "index": 7}`; a name that is no UTF-8
/// stands as `name_base64`.
fn object(name: &[u8], signature: &[u8], set: ParameterSet, index: u64) -> Value {
    let mut object = Map::new();
    for (key, bytes) in [("name", name), ("signature", signature)] {
        match std::str::from_utf8(bytes) {
            Ok(text) => object.insert(key.into(), text.into()),
            Err(_) => object.insert(format!("{key}_base64"), Base64::encode_string(bytes).into()),
        };
    }
    object.insert("set".into(), set.to_string().into());
    object.insert("index".into(), index.into());
    object.into()
}
