//! `hashlanes sum` without `-c`: every file, as the format has it.

use std::fs::{File as StdFile, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::Errno;

use super::check;
use super::format::Form;
use super::lines::Given;
use super::request::{Request, Target, Task};
use super::resume::Resumed;
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
    let file = match request.output.as_ref().map(open).transpose() {
        Ok(file) => file,
        Err((path, error)) => {
            say(&speaker
                .about_file(path.as_os_str().as_bytes(), &format!("cannot write: {}", io_reason(&error))));
            return false;
        }
    };
    let walk = Walk::new(speaker, names, &request.directories, limits.open_directories);
    let mut output = Output::new(speaker, request.order);
    let mut source = Resumed::not(speaker, walk);
    if let (Some(file), Some(target)) = (&file, &request.output) {
        let name = target.path.as_os_str().as_bytes();
        output = output.to(file, name);
        let walk = source.walk.with_output(file);
        let resumed = match target.resume {
            Given::No => Ok(Resumed::not(speaker, walk)),
            Given::Yes => Resumed::new(speaker, walk, file, form.line_reader()),
        };
        match resumed {
            Ok(resumed) => source = resumed,
            Err(error) => {
                say(&speaker.about_file(name, &format!("cannot go on: {}", io_reason(&error))));
                return false;
            }
        }
    }
    let counters = Counters::default();
    let function =
        Counted { function: function_of(&request.hashes, request.key.as_deref()), counters: &counters };
    let output = output.with_frame(&form.head(), form.between(), form.tail());
    // It opens nothing but directories, one at a time. A list of names may come from a program, and but once.
    let is_listed = request.names_from.is_some();
    let ahead = (!is_listed)
        .then(|| Walk::new(speaker, Names::given(request.files.clone()), &request.directories, 1));
    progress::watched(
        request.progress,
        &counters,
        |found| ahead.into_iter().for_each(|ahead| find(ahead, found)),
        || {
            hashing::run(&function, &mut source, &reporter, output, *limits);
        },
    );
    if let (Some(error), Some(target)) = (&source.failure, &request.output) {
        let name = target.path.as_os_str().as_bytes();
        say(&speaker.about_file(name, &format!("cannot go on: {}", io_reason(error))));
        return false;
    }
    !source.walk.failed && !reporter.failed.into_inner()
}

/// Opens the file that a manifest goes to: a new one, or what is there already.
fn open(target: &Target) -> Result<StdFile, (&Path, io::Error)> {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    match target.resume {
        Given::Yes => options.read(true),
        Given::No => options.truncate(true),
    };
    options.open(&target.path).map_err(|error| (&*target.path, error))
}

fn io_reason(error: &io::Error) -> String {
    Errno::from_io_error(error).map_or_else(|| error.to_string(), reason)
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
