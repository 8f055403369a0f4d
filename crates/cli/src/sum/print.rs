//! `hashlanes sum` without `-c`: every file, as the format has it.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

use super::check;
use super::format::Form;
use super::request::{Request, Task};
use crate::files::{Entry, File, Names, Source, Walk};
use crate::hashing::{self, Counted, Counters, Reporter, Sum, function_of};
use crate::message::{Speaker, reason, say};
use crate::output::{Lines, Output};
use crate::progress::{self, Found};

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
    let reporter = Manifest { form, speaker, failed: AtomicBool::new(false) };
    let names = match &request.names_from {
        None => Names::given(request.files.clone()),
        Some(list) => match Names::listed(list, speaker) {
            Ok(names) => names,
            Err(error) => {
                say(&speaker.about_file(list, &format!("cannot open the list of names: {}", reason(error))));
                return false;
            }
        },
    };
    let mut walk = Walk::new(speaker, names, &request.directories, limits.open_directories);
    let counters = Counters::default();
    let function =
        Counted { function: function_of(&request.hashes, request.key.as_deref()), counters: &counters };
    let output = Output::new(speaker, request.order).with_frame(&form.head(), form.between(), form.tail());
    // It opens nothing but directories, one at a time. A list of names may come from a program, and but once.
    let is_listed = request.names_from.is_some();
    let ahead = (!is_listed)
        .then(|| Walk::new(speaker, Names::given(request.files.clone()), &request.directories, 1));
    progress::watched(
        request.progress,
        &counters,
        |found| ahead.into_iter().for_each(|ahead| find(ahead, found)),
        || {
            hashing::run(&function, &mut walk, &reporter, output, *limits);
        },
    );
    !walk.failed && !reporter.failed.into_inner()
}

/// Looks at all files that will be hashed, for their lengths.
fn find(mut walk: Walk<'_>, found: &Found) {
    while let Some(entry) = walk.next() {
        if let Entry::File(file, ()) = entry
            && !found.file(file.n_bytes().unwrap_or(0))
        {
            return;
        }
    }
    found.is_all();
}

struct Manifest<'a> {
    form: &'a Form,
    speaker: &'a Speaker,
    failed: AtomicBool,
}

impl Reporter<()> for Manifest<'_> {
    fn report(&self, file: &File, _: (), sum: Result<Sum<'_>, Errno>) -> Lines {
        match sum {
            Ok(sum) => Lines { out: self.form.file(&file.name, sum), err: Vec::new() },
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                Lines { err: self.speaker.about_file(&file.name, &reason(error)), out: Vec::new() }
            }
        }
    }
}
