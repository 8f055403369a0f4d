//! `--output FILE`: the destination of a manifest, and the protection of existing files.
//!
//! | FILE is | becomes |
//! |---|---|
//! | not there | a new file |
//! | empty, or a manifest | rewritten from the first result on, so it is kept if there is no result; continued with `--resume` |
//! | a file to hash by its name, their list, the cache | an error before anything is done |
//! | another regular file | an error: it stays as it is |
//! | a pipe, a device | written to; an error with `--resume` |
//! | a link | followed, if it belongs to this user or to root |

use std::fs::File as StdFile;
use std::io::{self, Read};
use std::path::Path;

use super::manifest_format::{Form, Format};
use super::request::{Request, Target};
use crate::files::Identity;
use crate::message::io_reason;
use crate::new_file::{Found, Place, stream};
use crate::output::Output;
use crate::platform;
use crate::platform::ffi::OsStrExt;
use crate::platform::fs::{FileType, Stat};
use crate::shared_options::Given;
use hashlanes_formats::lists::is_list;

/// The number of bytes of a file that show whether it is a manifest.
const START: u64 = 64 << 10;

/// The error that prevents a manifest: the file, and the message.
pub(super) type Trouble = (Vec<u8>, String);

/// The file, open.
pub(super) struct Opened<'r> {
    pub(super) file: StdFile,
    target: &'r Target,
}

impl<'r> Opened<'r> {
    /// # Errors
    /// Why it must not be written, or cannot.
    pub(super) fn new(target: &'r Target, request: &Request, form: &Form) -> Result<Self, Trouble> {
        match open(target, request, form) {
            Ok(file) => Ok(Opened { file, target }),
            Err(words) => Err((target.path.as_os_str().as_bytes().to_vec(), words)),
        }
    }

    fn name(&self) -> &[u8] {
        self.target.path.as_os_str().as_bytes()
    }

    pub(super) fn is_resumed(&self) -> bool {
        self.target.resume == Given::Yes
    }

    /// Returns the output, to this file.
    pub(super) fn output<'o>(&'o self, output: Output<'o>) -> Output<'o> {
        match self.target.resume {
            Given::Yes => output.to(&self.file, self.name()),
            Given::No => output.in_place_of(&self.file, self.name()),
        }
    }

    pub(super) fn cannot_go_on(&self, error: &io::Error) -> Trouble {
        (self.name().to_vec(), format!("cannot continue: {}", io_reason(error)))
    }

    /// The manifest is complete. If the job succeeded without results, an older manifest is removed.
    ///
    /// # Errors
    /// `failure`, the reason why it cannot be continued; or it cannot be written.
    pub(super) fn end(&self, failure: Option<&io::Error>, all_well: bool) -> Result<(), Trouble> {
        if let Some(error) = failure {
            return Err(self.cannot_go_on(error));
        }
        if !all_well || self.is_resumed() {
            return Ok(());
        }
        let empty = || {
            let is_regular = self.file.metadata()?.is_file();
            if is_regular && platform::fs::tell(&self.file)? == 0 { self.file.set_len(0) } else { Ok(()) }
        };
        empty().map_err(|error: io::Error| {
            (self.name().to_vec(), format!("cannot write: {}", io_reason(&error)))
        })
    }
}

/// Opens the file; returns a message for a fault.
fn open(target: &Target, request: &Request, form: &Form) -> Result<StdFile, String> {
    let cannot_write = |error: io::Error| format!("cannot write: {}", io_reason(&error));
    if target.resume == Given::Yes {
        // Asked before it is opened: a pipe would be waited for.
        let is_regular = |stat: Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if platform::fs::stat(&target.path).is_ok_and(|stat| !is_regular(stat)) {
            return Err("--resume: not a regular file".into());
        }
    } else if let Some(stream) = stream(&target.path).map_err(cannot_write)? {
        return Ok(stream);
    }
    let place = Place::following(&target.path).map_err(cannot_write)?;
    let (file, found) = place.open_or_create().map_err(cannot_write)?;
    if found == Found::New {
        return Ok(file);
    }
    // Only the open file is examined: its name may refer to another file by now.
    let stat = platform::fs::fstat(&file).map_err(|error| cannot_write(error.into()))?;
    if let Some(what) = also(&stat, request) {
        return Err(format!("cannot write: it is {what}"));
    }
    let mut start = Vec::new();
    (&file).take(START).read_to_end(&mut start).map_err(cannot_write)?;
    let is_digest = matches!(form.format, Format::Raw) && start.len() == form.hashes[0].digest_bytes();
    if !start.is_empty() && !is_list(&start) && !is_digest {
        return Err("exists and is not a manifest; not overwritten (choose another --output)".into());
    }
    platform::fs::seek(&file, platform::fs::SeekFrom::Start(0))
        .map_err(|error| cannot_write(error.into()))?;
    Ok(file)
}

/// Returns the other role of the file in this job.
fn also(target: &Stat, request: &Request) -> Option<&'static str> {
    let is_it =
        |path: &[u8]| platform::fs::stat(path).is_ok_and(|stat| Identity::of(&stat) == Identity::of(target));
    let path_is_it = |path: &Path| is_it(path.as_os_str().as_bytes());
    let files = request.files.iter().filter(|name| *name != b"-");
    if request.cache.as_deref().is_some_and(path_is_it) {
        Some("the cache")
    } else if request.names_from.as_deref().is_some_and(is_it) {
        Some("the list of names")
    } else {
        files.map(Vec::as_slice).any(is_it).then_some("one of the files to hash")
    }
}
