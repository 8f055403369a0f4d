//! `hashlanes sign`: signs files, each with an index of its own.
//!
//! ```text
//!   every FILE can be read, every FILE.sig written    else nothing is done
//!   a window of files:  room for their signatures  ->  their indices, committed to disk  ->  signed, verified
//!                       ->  each FILE.sig on the disk  ->  its line printed
//! ```
//!
//! From the commit on, an index without a signature at the end is burned, and reported.

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hashlanes::hbs::Signature;
use hashlanes::hbs::store::{Message, SigningKey};

use super::cms_options::{Cms, CmsOptions, Unsigned};
use super::input::Input;
use super::key_options::Opening;
use super::refusal::Refusal;
use super::refusal::indices;
use super::signature_files::{Destination, Destinations};
use super::signature_targets::Targets;
use super::signed_line;
use super::slh_dsa_key;
use super::slh_dsa_sign::{self, Job, Print, Signer};
use crate::help_text::list;
use crate::interruption::interruptible;
use crate::message::{Speaker, io_reason, reason, say};
use crate::new_file::Existing;
use crate::output::{Lines, Order, Output};
use crate::platform::ffi::{OsStrExt, OsStringExt};
use crate::platform::open_files;
use crate::signing::exit_status::Status;
use crate::signing::slh_dsa_message::MessageForm;
use crate::signing::verify::signature_path;

/// Number of files that are signed with one commit: the commit then costs next to nothing for each file, and
/// the signatures of the longest set take 27 MiB.
const WINDOW: u64 = 256;

const EXAMPLES: &[(&str, &str)] = &[
    ("hashlanes sign -k key firmware.bin", "Write firmware.bin.sig"),
    ("hashlanes sign -k key --format cms firmware.bin", "Write firmware.bin.p7s, a message of CMS"),
    ("hashlanes sign -k key - -o - < firmware.bin > signature", "Sign standard input"),
];

/// Signs files with a key from keygen: SLH-DSA, XMSS, XMSS^MT, LMS or HSS.
///
/// The signature of FILE, in the encoding of the standard, is written to FILE.sig. Existing signatures are
/// overwritten only with --force; files to sign and the files of the key are never overwritten.
///
/// SLH-DSA: signatures are hedged; --context and --pre-hash select other forms of the message. --key may also
/// be a private key in PEM or DER (PKCS#8).
///
/// XMSS, XMSS^MT, LMS and HSS: each signature uses an index of the key. The index is marked as used on disk
/// before anything is computed with it, and never used again. A signature is verified before it is written,
/// and it is on disk before its line is printed. Files are signed in windows, whose indices are committed
/// together. If the program is interrupted, or a signature cannot be written, indices of the window are
/// burned: lost, but harmless. The program reports which. If its lines cannot be written (a full disk, a
/// closed pipe), it signs no further window and reports the indices of the written signatures: status 3.
#[derive(Args)]
#[command(after_help = list("Examples:", EXAMPLES))]
#[command(after_long_help = format!("{}\n{}", list("Examples:", EXAMPLES), crate::signing::exit_status::table()))]
pub(crate) struct SignArgs {
    /// Regular files to sign; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<OsString>,

    /// Directory of the key; for SLH-DSA also the file of the private key
    #[arg(short, long, value_name = "DIR")]
    key: PathBuf,

    #[command(flatten)]
    opening: Opening,

    /// Sign at most N files per commit: a crash burns fewer indices, but each commit takes milliseconds
    #[arg(long, value_name = "N", default_value_t = WINDOW, value_parser = clap::value_parser!(u64).range(1..=1024))]
    window: u64,

    #[command(flatten)]
    form: MessageForm,

    #[command(flatten)]
    cms: CmsOptions,

    /// Write the signature of one FILE to PATH; - is standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Overwrite existing signatures
    #[arg(short, long)]
    force: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

/// The results so far, and the worst error.
struct Done<'a> {
    speaker: &'a Speaker,
    output: Output<'a>,
    next: u64,
    /// The first index after those that were reserved.
    reserved_end: u64,
    /// From the first index that is in a written signature to the last one.
    released: Option<RangeInclusive<u64>>,
    worst: Option<Status>,
}

impl SignArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        if let Some(words) = self.wrong_use() {
            say(&[speaker.line(words), speaker.try_help(" sign")].concat());
            return Status::WrongUse.code();
        }
        let signed = match slh_dsa_key::private_key_at(&self.key) {
            Some(private) => self.sign_slh_dsa(speaker, &private),
            None => self.pure_only().and_then(|()| self.sign(speaker)),
        };
        match signed {
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
            Some("--output requires exactly one FILE")
        } else if self.output.is_none() && self.files.iter().any(|name| name == "-") {
            Some("standard input requires --output")
        } else if to_standard_output && self.json {
            Some("--output - cannot be used with --json: standard output gets the signature")
        } else if self.cms.is_cms() && self.form.given().is_some() {
            Some("--context and --pre-hash are for raw signatures; messages of CMS have neither")
        } else {
            self.cms.wrong_use()
        }
    }

    /// Checks that no option is given that only keys of SLH-DSA support.
    fn pure_only(&self) -> Result<(), Refusal> {
        let Some(option) = self.form.given() else { return Ok(()) };
        let words = format!("{option} is for keys of SLH-DSA");
        Err(Refusal::new(Status::WrongUse, &self.key, words))
    }

    /// With a key of SLH-DSA: the worst that went wrong with single files.
    ///
    /// # Errors
    /// If nothing was signed.
    fn sign_slh_dsa(&self, speaker: &Speaker, private: &Path) -> Result<Option<Status>, Refusal> {
        self.opening.access().without_witness(&self.key)?;
        let key = slh_dsa_key::read(private, self.opening.passphrase())?;
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let print = match (self.json, self.quiet) {
            (true, _) => Print::Json,
            (_, true) => Print::Nothing,
            _ => Print::Lines,
        };
        let cms = self.cms.of_key(&self.key, &key.verifying_key().to_spki_der())?;
        let signer = Signer { key: &key, form: &self.form, cms };
        Ok(slh_dsa_sign::sign(speaker, &signer, self.jobs()?, existing, print))
    }

    /// Returns the worst that went wrong with single files.
    ///
    /// # Errors
    /// If the remaining files were not signed.
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
                "{n_asked} signatures requested, {} left; nothing was signed, no index was used",
                key.left()
            );
            return Err(Refusal::new(Status::Exhausted, &self.key, words));
        }
        let spki_der = key.verifying_key().to_spki_der().expect("a kept key has one");
        let cms = self.cms.of_key(&self.key, &spki_der)?;
        let mut output = Output::new(speaker, Order::Kept).dropping_unwritten();
        if self.json {
            output = output.with_frame(b"[", b",", b"\n]\n");
        }
        let mut done = Done { speaker, output, next: 0, reserved_end: 0, released: None, worst: None };
        let mut result = Ok(());
        while !jobs.is_empty() {
            let window: Vec<Job> = jobs.drain(..jobs.len().min(self.n_together())).collect();
            result = self.window((&mut key, cms.as_ref()), window, &mut done);
            // Signatures without printed lines do not complete the task.
            if result.is_err() || done.output.unwritten().is_some() {
                break;
            }
        }
        done.output.end();
        done.report_unwritten(jobs.len());
        // If a file failed before it took its index, the next file took that index; the last indices are left
        // over.
        if key.next_index() < done.reserved_end {
            let burned = indices(key.next_index(), done.reserved_end);
            let words = format!("{burned} burned: reserved and not used");
            done.failed(&Refusal::new(Status::Burned, &self.key, words));
        }
        // If it failed, the reason comes last.
        if result.is_ok() && key.is_nearly_exhausted() {
            say(&speaker.about_file(self.key.as_os_str().as_bytes(), &nearly_exhausted(&key)));
        }
        result.map(|()| done.worst)
    }

    /// Files that are signed together: each signature has its descriptor until it has its name, and perhaps a
    /// directory.
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
                    format!("cannot read: {}; nothing was signed, no index was used", io_reason(&error));
                Refusal::new(Status::Failed, path, words)
            };
            // Space is reserved later, for a window of files; but existing files are detected at once.
            if !self.force && self.output.is_none() && to.symlink_metadata().is_ok() {
                let words = "exists already; --force overwrites it; nothing was signed, no index was used";
                return Err(Refusal::new(Status::Failed, &to, words));
            }
            Ok(Job { name: name.clone(), to, input: Input::new(path).map_err(unread)? })
        };
        self.files.iter().map(job).collect()
    }

    /// The destination of a file's signature.
    fn target(&self, name: &OsString) -> PathBuf {
        self.output.clone().unwrap_or_else(|| signature_path(name.as_bytes(), self.cms.suffix()))
    }

    /// Signs some files with one commit.
    ///
    /// # Errors
    /// If no file of the window was signed, and no further one can be.
    fn window(
        &self,
        (key, cms): (&mut SigningKey, Option<&Cms>),
        jobs: Vec<Job>,
        done: &mut Done<'_>,
    ) -> Result<(), Refusal> {
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let n_bytes = key.set().signature_bytes();
        let mut destinations = Destinations::default();
        let mut places = Vec::with_capacity(jobs.len());
        for job in &jobs {
            let unwritten = |error| {
                let words = format!("cannot write: {}; no index was used for it", io_reason(&error));
                Refusal::new(Status::Failed, &job.to, words)
            };
            places.push(destinations.open(&job.to, n_bytes, existing).map_err(unwritten)?);
        }
        let (mut inputs, names): (Vec<Input>, Vec<(OsString, PathBuf)>) =
            jobs.into_iter().map(|job| (job.input, (job.name, job.to))).unzip();
        let unsigned = cms.map(|cms| read_all(cms, &mut inputs, &names)).transpose()?;
        let mut messages: Vec<Message<'_>> = match &unsigned {
            None => inputs.iter_mut().map(Message::from).collect(),
            Some(unsigned) => unsigned.iter().map(|unsigned| unsigned.to_sign.as_slice().into()).collect(),
        };
        let reserved_end = key.next_index() + names.len() as u64;
        let results = key.sign_many(&mut messages).map_err(|error| self.unsigned(&names, &error))?;
        done.reserved_end = reserved_end;
        let is_printed = matches!(places[..], [Destination::StandardOutput]);
        let bytes = results.iter().enumerate().map(|(number, result)| {
            let signature = result.as_ref().ok()?.as_ref();
            Some(match &unsigned {
                None => signature.into(),
                Some(unsigned) => Cow::Owned(unsigned[number].finish(signature)),
            })
        });
        let bytes: Vec<Option<Cow<'_, [u8]>>> = bytes.collect();
        let signed = bytes.iter().zip(places).filter_map(|(bytes, place)| Some((place, bytes.as_deref()?)));
        let mut released = destinations.release(signed.collect()).into_iter();
        for (result, (name, to)) in results.iter().zip(names) {
            match result {
                Ok(signature) => {
                    let released = released.next().expect("one for each signature");
                    let name = if is_printed { None } else { Some(name) };
                    self.tell(key, signature, released, (name, to), done);
                }
                Err(error) => {
                    let refusal = Refusal { path: name.into(), ..Refusal::of_key(&self.key, error) };
                    done.failed(&refusal);
                }
            }
        }
        Ok(())
    }

    /// Returns the message if a whole window was not signed.
    fn unsigned(&self, names: &[(OsString, PathBuf)], error: &hashlanes::hbs::store::Error) -> Refusal {
        use hashlanes::hbs::store::Error;
        match error {
            Error::Message { number, why } => {
                let words = format!("cannot read: {why}; it was not signed, no index was used for it");
                Refusal::new(Status::Failed, Path::new(&names[*number].0), words)
            }
            error => Refusal::of_key(&self.key, error),
        }
    }

    /// Prints a line for a signature that was released, or why it was not. Without a name the signature
    /// itself was printed.
    fn tell(
        &self,
        key: &SigningKey,
        signature: &Signature,
        released: std::io::Result<()>,
        (name, to): (Option<OsString>, PathBuf),
        done: &mut Done<'_>,
    ) {
        let index = key.verifying_key().index_of(signature.as_ref()).expect("a signature of this key");
        if let Err(error) = released {
            let words = format!(
                "cannot write: {}; index {index} is burned: it has no signature and will not be reused",
                io_reason(&error)
            );
            return done.failed(&Refusal::new(Status::Burned, &to, words));
        }
        let first = done.released.as_ref().map_or(index, |released| *released.start());
        done.released = Some(first..=index);
        let Some(name) = name.map(OsStringExt::into_vec) else { return };
        if self.json {
            let object = signed_line::object(&name, &to, &key.set().to_string(), Some(index));
            done.print(format!("\n{object}").into_bytes());
        } else if !self.quiet {
            done.print(signed_line::line(&name, Some(index)));
        }
    }
}

/// Reads the files of a window that are signed in messages.
///
/// # Errors
/// One of them cannot be read. No index was used.
fn read_all<'c>(
    cms: &'c Cms,
    inputs: &mut [Input],
    names: &[(OsString, PathBuf)],
) -> Result<Vec<Unsigned<'c>>, Refusal> {
    let read = |(input, (name, _)): (&mut Input, &(OsString, PathBuf))| {
        cms.read(input).map_err(|error| {
            let words = format!("cannot read: {}; nothing was signed, no index was used", io_reason(&error));
            Refusal::new(Status::Failed, Path::new(name), words)
        })
    };
    inputs.iter_mut().zip(names).map(read).collect()
}

/// Returns the warning for a key that has few or no signatures left.
fn nearly_exhausted(key: &SigningKey) -> String {
    match key.left() {
        0 => "the key is exhausted; sign with the next key".into(),
        left => {
            let all = key.range().end - key.range().start;
            let (used, advice) = match key.is_in_last_percent() {
                true => ("99 %", "sign with the next key from now on"),
                false => ("90 %", "publish the next key in time"),
            };
            format!("over {used} of the key is used: {left} of {all} signatures are left; {advice}")
        }
    }
}

impl Done<'_> {
    fn print(&mut self, out: Vec<u8>) {
        self.output.deliver(self.next, Lines { out, ..Lines::default() });
        self.next += 1;
    }

    /// Reports the content of lines that could not be written; `n_left` files were not begun.
    fn report_unwritten(&mut self, n_left: usize) {
        let (Some(error), Some(released)) = (self.output.unwritten(), self.released.clone()) else { return };
        let written = indices(*released.start(), released.end() + 1);
        let mut words = format!(
            "standard output: cannot write: {}; the signatures are written, with {written}; only their lines are missing",
            reason(error)
        );
        if n_left > 0 {
            words.push_str(&format!("; {n_left} FILEs after them were not signed"));
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
