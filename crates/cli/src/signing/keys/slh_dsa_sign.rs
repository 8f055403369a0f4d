//! `hashlanes sign` with a key of SLH-DSA: nothing is counted, so a file that cannot be signed costs nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hashlanes::hbs::slh_dsa::{Error, Randomness, SigningKey};

use super::input::Input;
use super::refusal::Refusal;
use super::signature_files::{Destination, Destinations};
use super::signed_line;
use crate::message::{Speaker, io_reason, reason, say};
use crate::new_file::Existing;
use crate::output::{Lines, Order, Output};
use crate::platform::ffi::OsStringExt;
use crate::signing::exit_status::Status;

/// A file to sign, and where its signature goes.
pub(super) struct Job {
    pub(super) name: OsString,
    pub(super) to: PathBuf,
    pub(super) input: Input,
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
    key: &SigningKey,
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
        match sign_one(key, job, existing) {
            Ok(Some((name, to))) if print != Print::Nothing => {
                let name = name.into_vec();
                let out = if print == Print::Json {
                    let object = signed_line::object(&name, &to, key.set().name(), None);
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
    key: &SigningKey,
    mut job: Job,
    existing: Existing,
) -> Result<Option<(OsString, PathBuf)>, Refusal> {
    let failed = |path: &Path, words: String| Refusal::new(Status::Failed, path, words);
    let unwritten = |error| failed(&job.to, format!("cannot write: {}", io_reason(&error)));
    let mut destinations = Destinations::default();
    let to = destinations.open(&job.to, key.set().signature_bytes(), existing).map_err(unwritten)?;
    let is_printed = matches!(to, Destination::StandardOutput);
    let of_file = |error: Error| failed(Path::new(&job.name), format!("cannot sign: {error}"));
    let signature = key.sign_reader(&mut job.input, b"", Randomness::System).map_err(of_file)?;
    // A signature that a fault changed could let an attacker forge others, so it is not released.
    std::io::Seek::rewind(&mut job.input)
        .map_err(|error| failed(Path::new(&job.name), format!("cannot read: {}", io_reason(&error))))?;
    match key.verifying_key().verify_reader(&mut job.input, b"", signature.as_ref()) {
        Ok(()) => {}
        Err(Error::Invalid) => {
            let words = "the signature made did not verify and is not released: the file changed meanwhile, or the \
                         machine computes wrongly";
            return Err(Refusal::new(Status::Fault, Path::new(&job.name), words));
        }
        Err(error) => return Err(of_file(error)),
    }
    let released = destinations.release(vec![(to, signature.as_ref())]).swap_remove(0);
    released.map_err(unwritten)?;
    Ok((!is_printed).then_some((job.name, job.to)))
}
