//! `hashlanes sign` with a key of SLH-DSA: nothing is counted, so a file that cannot be signed costs nothing.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use hashlanes::hbs::Signature;
use hashlanes::hbs::slh_dsa::{Error, Message, Randomness, SigningKey};

use super::cms_options::Cms;
use super::input::Input;
use super::refusal::Refusal;
use super::signature_files::{Destination, Destinations};
use super::signed_line;
use crate::message::{Speaker, io_reason, reason, say};
use crate::new_file::Existing;
use crate::output::{Lines, Order, Output};
use crate::platform::ffi::OsStringExt;
use crate::signing::cms::digest;
use crate::signing::exit_status::Status;
use crate::signing::slh_dsa_message::MessageForm;

/// A file to sign, and where its signature goes.
pub(super) struct Job {
    pub(super) name: OsString,
    pub(super) to: PathBuf,
    pub(super) input: Input,
}

/// A key, and how it signs.
pub(super) struct Signer<'a> {
    pub(super) key: &'a SigningKey,
    pub(super) form: &'a MessageForm,
    pub(super) cms: Option<Cms>,
}

impl Signer<'_> {
    /// Returns the bytes of a file's signature, after it was verified.
    ///
    /// # Errors
    /// Those of [`Signer::signed_raw`].
    fn signed(&self, input: &mut Input) -> Result<Vec<u8>, Error> {
        let Self { key, cms, .. } = self;
        let Some(cms) = cms else { return Ok(self.signed_raw(input)?.as_ref().to_vec()) };
        let unsigned = cms.read(input).map_err(|error| Error::Message(io_reason(&error)))?;
        let message = Message::new(&unsigned.to_sign);
        let signature = key.sign(&message, Randomness::System)?;
        key.verifying_key().verify(&message, signature.as_ref())?;
        Ok(unsigned.finish(signature.as_ref()))
    }

    /// Signs a file, and verifies the signature.
    ///
    /// # Errors
    /// The file cannot be read. [`Error::Invalid`] if the signature did not verify: the file changed
    /// meanwhile, or the machine computes wrongly.
    fn signed_raw(&self, input: &mut Input) -> Result<Signature, Error> {
        let (Self { key, .. }, context) = (self, self.form.context());
        let unread = |error: io::Error| Error::Message(error.to_string());
        let Some(function) = self.form.pre_hash else {
            let signature = key.sign_reader(&mut *input, context, Randomness::System)?;
            io::Seek::rewind(input).map_err(unread)?;
            key.verifying_key().verify_reader(input, context, signature.as_ref())?;
            return Ok(signature);
        };
        let message = Message::of_digest(digest(function, input).map_err(unread)?);
        let message = message.with_context(context)?;
        let signature = key.sign(&message, Randomness::System)?;
        key.verifying_key().verify(&message, signature.as_ref())?;
        Ok(signature)
    }
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Print {
    Lines,
    Json,
    Nothing,
}

/// Signs files one after another. Returns the worst that went wrong with single files.
pub(super) fn sign(
    speaker: &Speaker,
    signer: &Signer<'_>,
    jobs: Vec<Job>,
    existing: Existing,
    print: Print,
) -> Option<Status> {
    let mut output = Output::new(speaker, Order::Kept).dropping_unwritten();
    if print == Print::Json {
        output = output.with_frame(b"[", b",", b"\n]\n");
    }
    let (mut n_printed, mut worst) = (0, None);
    for job in jobs {
        match sign_one(signer, job, existing) {
            Ok(Some((name, to))) if print != Print::Nothing => {
                let name = name.into_vec();
                let out = if print == Print::Json {
                    let object = signed_line::object(&name, &to, signer.key.set().name(), None);
                    format!("\n{object}").into_bytes()
                } else {
                    signed_line::line(&name, None)
                };
                output.deliver(n_printed, Lines { out, ..Lines::default() });
                n_printed += 1;
            }
            Ok(_) => {}
            Err(refusal) => {
                output.flush();
                refusal.say(speaker);
                worst = worst.max(Some(refusal.status));
            }
        }
    }
    output.end();
    if let Some(error) = output.unwritten() {
        let words = format!("standard output: cannot write: {}; the signatures are written", reason(error));
        say(&speaker.line(&words));
        worst = worst.max(Some(Status::Failed));
    }
    worst
}

/// Signs a file, verifies the signature, and writes it. Returns the names, unless the signature itself was
/// printed.
fn sign_one(
    signer: &Signer<'_>,
    mut job: Job,
    existing: Existing,
) -> Result<Option<(OsString, PathBuf)>, Refusal> {
    let failed = |path: &Path, words: String| Refusal::new(Status::Failed, path, words);
    let unwritten = |error| failed(&job.to, format!("cannot write: {}", io_reason(&error)));
    let mut destinations = Destinations::default();
    let to = destinations.open(&job.to, signer.key.set().signature_bytes(), existing).map_err(unwritten)?;
    let is_printed = matches!(to, Destination::StandardOutput);
    let of_file = |error: Error| failed(Path::new(&job.name), format!("cannot sign: {error}"));
    // A signature that a fault changed could let an attacker forge others, so it is not released.
    let signature = match signer.signed(&mut job.input) {
        Err(Error::Invalid) => {
            let words = "the signature made did not verify and is not released: the file changed meanwhile, or the \
                         machine computes wrongly";
            return Err(Refusal::new(Status::Fault, Path::new(&job.name), words));
        }
        result => result.map_err(of_file)?,
    };
    let released = destinations.release(vec![(to, &signature[..])]).swap_remove(0);
    released.map_err(unwritten)?;
    Ok((!is_printed).then_some((job.name, job.to)))
}
