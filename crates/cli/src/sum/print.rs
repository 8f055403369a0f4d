//! `hashlanes sum` without `-c`: every file, as the format has it.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

use super::check;
use super::format::Form;
use super::request::{Request, Task};
use crate::files::{File, Walk};
use crate::hashing::{self, Reporter, Sum, function_of};
use crate::message::reason;
use crate::output::{Lines, Output};

impl Request {
    /// Does what is asked.
    pub(crate) fn run(self) -> ExitCode {
        let all_well = match &self.task {
            Task::Print(form) => print(&self, form),
            Task::Check(options) => check::check(&self, options),
        };
        if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Prints all files. Whether all could be read.
fn print(request: &Request, form: &Form) -> bool {
    let Request { speaker, limits, .. } = request;
    let reporter = Manifest { form, request, failed: AtomicBool::new(false) };
    let mut walk = Walk::new(speaker, request.files.clone(), request.directories, limits.open_directories);
    let function = function_of(&request.hashes, request.key.as_deref());
    let output = Output::new(speaker, request.order).with_frame(&form.head(), form.between(), form.tail());
    hashing::run(&*function, &mut walk, &reporter, output, request.reading(), *limits);
    !walk.failed && !reporter.failed.into_inner()
}

struct Manifest<'a> {
    form: &'a Form,
    request: &'a Request,
    failed: AtomicBool,
}

impl Reporter<()> for Manifest<'_> {
    fn report(&self, file: &File, _: (), sum: Result<Sum<'_>, Errno>) -> Lines {
        match sum {
            Ok(sum) => {
                let warning = self.request.warning(file, sum.change, &self.failed);
                Lines { out: self.form.file(&file.name, sum), warning, ..Lines::default() }
            }
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                let err = self.request.speaker.about_file(&file.name, &reason(error));
                Lines { err, ..Lines::default() }
            }
        }
    }
}
