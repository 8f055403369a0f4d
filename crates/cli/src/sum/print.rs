//! `hashlanes sum` without `-c`: one line for each file.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use hashlanes::Algorithm;
use rustix::io::Errno;

use super::check;
use super::lines::LineForm;
use super::request::{Request, Task};
use crate::files::{File, Walk};
use crate::hash::with_algorithm;
use crate::hashing::{self, Reporter};
use crate::message::{Speaker, reason};
use crate::output::Lines;

impl Request {
    /// Does what is asked.
    pub(crate) fn run(self) -> ExitCode {
        let all_well = with_algorithm!(self.hash, A => match &self.task {
            Task::Print(form) => print::<A>(&self, form),
            Task::Check(options) => check::check::<A>(&self, options),
        });
        if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Prints the lines of all files. Whether all could be read.
fn print<A: Algorithm>(request: &Request, form: &LineForm) -> bool {
    let Request { speaker, limits, .. } = request;
    let reporter = Manifest { form, tag: request.hash.tag(), speaker, failed: AtomicBool::new(false) };
    let mut walk = Walk::new(speaker, request.files.clone(), request.directories, limits.open_directories);
    hashing::run::<A, _, _>(&mut walk, &reporter, speaker, request.order, *limits);
    !walk.failed && !reporter.failed.into_inner()
}

struct Manifest<'a> {
    form: &'a LineForm,
    tag: &'static str,
    speaker: &'a Speaker,
    failed: AtomicBool,
}

impl Reporter<()> for Manifest<'_> {
    fn report(&self, file: &File, _: (), digest: Result<&[u8], Errno>) -> Lines {
        match digest {
            Ok(digest) => Lines { out: self.form.line(self.tag, &file.name, digest), err: Vec::new() },
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                Lines { err: self.speaker.about_file(&file.name, &reason(error)), out: Vec::new() }
            }
        }
    }
}
