//! `hashlanes sum` without `-c`: every file, in the chosen format.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::{self, Cache, Key};
use super::cached_files::{Cached, InUse};
use super::check;
use super::manifest_format::Form;
use super::output_file::{Opened, Trouble};
use super::recorded_roots::Recorded;
use super::request::{Request, Task};
use super::resume::Resumed;
use crate::files::{Change, Entry, File, Names, Source, Walk};
use crate::hashing::{self, Counted, Counters, Function, Reporter, Sum, function_of};
use crate::message::{io_reason, reason, say};
use crate::output::{Lines, Output};
use crate::platform::ffi::OsStrExt;
use crate::platform::io::Errno;
use crate::progress::{self, Found};

impl Request {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let all_well = match &self.task {
            Task::Print(form) => print(&self, form),
            Task::Check(options, forms) => check::check(&self, *options, *forms),
        };
        if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Prints all files. Whether all could be read.
fn print(request: &Request, form: &Form) -> bool {
    match try_print(request, form) {
        Ok(all_well) => all_well,
        Err((name, words)) => {
            say(&request.speaker.about_file(&name, &words));
            false
        }
    }
}

fn try_print(request: &Request, form: &Form) -> Result<bool, Trouble> {
    let speaker = &request.speaker;
    let counters = Counters::default();
    let function =
        Counted { function: function_of(&request.hashes, request.key.as_deref()), counters: &counters };
    let names = names(request)?;
    let open = |target| Opened::new(target, request, form);
    let target = request.output.as_ref().map(open).transpose()?;
    let cache =
        request.cache.as_deref().map(|path| cache(request, path, function.result_bytes())).transpose()?;

    let mut walk = Walk::new(speaker, names, &request.directories, request.limits.open_directories);
    if let Some(in_use) = &cache {
        walk = walk.with_own(in_use.cache.file(), "the cache");
    }
    let mut output = Output::new(speaker, request.order);
    if let Some(target) = &target {
        walk = walk.with_own(&target.file, "the output");
        output = target.output(output);
    }
    let walk = Recorded::new(walk, form);
    let source = match target.as_ref().filter(|target| target.is_resumed()) {
        None => Resumed::not(speaker, walk),
        Some(target) => {
            let line_of = |file: &File| {
                hashing::hash_alone(&function, file, |sum| form.file(file, sum).unwrap_or_default())
            };
            let resumed = Resumed::new(speaker, walk, &target.file, form.line_reader(), Box::new(line_of));
            resumed.map_err(|error| target.cannot_go_on(&error))?
        }
    };
    let output = output.with_frame(&form.head(), form.between(), form.tail());
    let mut source = Cached { source, cache: cache.as_ref(), form, counters: &counters };
    let reporter = Manifest { form, request, cache: cache.as_ref(), failed: AtomicBool::new(false) };
    progress::watched(
        request.progress,
        &counters,
        |found| find(request, found),
        || {
            hashing::run(&function, &mut source, &reporter, output, request.reading(), request.limits);
        },
    );
    let all_well = !source.source.walk.walk.failed && !reporter.failed.into_inner();
    if let Some(target) = &target {
        target.end(source.source.failure.as_ref(), all_well)?;
    }
    if let (Some(cache), Some(path)) = (cache, &request.cache) {
        cache
            .end()
            .map_err(|error| about(path, &format!("cannot write the cache: {}", io_reason(&error))))?;
    }
    Ok(all_well)
}

fn about(path: &Path, words: &str) -> Trouble {
    (path.as_os_str().as_bytes().to_vec(), words.into())
}

/// The names to begin with.
fn names(request: &Request) -> Result<Names<'_>, Trouble> {
    match &request.names_from {
        None => Ok(Names::of_arguments(request.files.clone())),
        Some(list) => Names::listed(list, &request.speaker)
            .map_err(|error| (list.clone(), format!("cannot open the list of names: {}", reason(error)))),
    }
}

/// Opens the cache; damage is reported.
fn cache(request: &Request, path: &Path, result_bytes: usize) -> Result<InUse, Trouble> {
    let cache = Cache::open(path, &request.hashes, result_bytes).map_err(|trouble| match trouble {
        cache::Trouble::Io(error) => about(path, &format!("cannot use the cache: {}", io_reason(&error))),
        cache::Trouble::NotACache => about(path, "not a cache; not overwritten (choose another --cache)"),
        cache::Trouble::OfOthers(names) => {
            about(path, &format!("a cache of {names}; choose another file for other hashes"))
        }
    })?;
    if cache.n_damaged > 0 {
        let records = if cache.n_damaged == 1 { "record is" } else { "records are" };
        let words = format!("{} {records} damaged; those files are hashed", cache.n_damaged);
        say(&request.speaker.about_file(path.as_os_str().as_bytes(), &words));
    }
    Ok(InUse::new(cache))
}

/// Reads the lengths of all files that will be hashed. Not for a list, which may come from a program, and can
/// be read only once.
fn find(request: &Request, found: &Found) {
    if request.names_from.is_some() {
        return;
    }
    // It opens nothing but directories, one at a time.
    let names = Names::of_arguments(request.files.clone());
    let mut walk = Walk::new(&request.speaker, names, &request.directories, 1);
    while let Some(entry) = walk.next() {
        if let Entry::File(file, ()) = entry
            && !found.file(file.n_bytes())
        {
            return;
        }
    }
    found.is_all();
}

struct Manifest<'a> {
    form: &'a Form,
    request: &'a Request,
    cache: Option<&'a InUse>,
    failed: AtomicBool,
}

impl Reporter<Option<Key>> for Manifest<'_> {
    fn report(&self, file: &File, key: Option<Key>, sum: Result<Sum<'_>, Errno>) -> Lines {
        let not_listed = |why: &str| {
            self.failed.store(true, Ordering::Relaxed);
            Lines { err: self.request.speaker.about_file(&file.name, why), ..Lines::default() }
        };
        let sum = match sum {
            Ok(sum) => sum,
            Err(error) => return not_listed(&reason(error)),
        };
        if let (Some(cache), Some(key), Change::NotSeen) = (self.cache, key, sum.change) {
            cache.remember(file, &key, sum);
        }
        match self.form.file(file, sum) {
            Ok(out) => {
                let warning = self.request.warning(file, sum.change, &self.failed);
                Lines { out, warning, ..Lines::default() }
            }
            Err(why) => not_listed(why),
        }
    }
}
