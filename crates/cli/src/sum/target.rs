//! `--output FILE`: where a manifest goes, and what must not be lost by it.
//!
//! | FILE is | becomes |
//! |---|---|
//! | not there | a new file |
//! | empty, or a manifest | written anew from the first result on, so that it stays if there is none; gone on with by `--resume` |
//! | a file to hash by its name, their list, the cache | an error before anything is done |
//! | another regular file | an error: it stays as it is |
//! | a pipe, a device | written to; an error with `--resume` |

use std::fs::{File as StdFile, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use super::format::{Form, Format};
use super::request::{Request, Target};
use crate::files::Identity;
use crate::given::Given;
use crate::lists::is_list;
use crate::message::io_reason;

/// Bytes of a file that tell whether it is a manifest.
const START: u64 = 64 << 10;

/// Opens the file that a manifest goes to.
///
/// # Errors
/// Why it must not be written, or cannot, in words.
pub(super) fn open(target: &Target, request: &Request, form: &Form) -> Result<StdFile, String> {
    let cannot_write = |error: io::Error| format!("cannot write: {}", io_reason(&error));
    let mut options = OpenOptions::new();
    options.write(true);
    let stat = match rustix::fs::stat(&target.path) {
        Err(Errno::NOENT) => return options.read(true).create(true).open(&target.path).map_err(cannot_write),
        Err(error) => return Err(cannot_write(error.into())),
        Ok(stat) => stat,
    };
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return match target.resume {
            Given::Yes => Err("--resume: not a regular file".into()),
            Given::No => options.open(&target.path).map_err(cannot_write),
        };
    }
    if let Some(what) = also(&stat, request) {
        return Err(format!("cannot write: it is {what}"));
    }
    let file = options.read(true).open(&target.path).map_err(cannot_write)?;
    let mut start = Vec::new();
    (&file).take(START).read_to_end(&mut start).map_err(cannot_write)?;
    let is_digest = matches!(form.format, Format::Raw) && start.len() == form.hashes[0].digest_bytes();
    if !start.is_empty() && !is_list(&start) && !is_digest {
        return Err("cannot write: it is there and no manifest; it stays as it is".into());
    }
    rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0)).map_err(|error| cannot_write(error.into()))?;
    Ok(file)
}

/// What else the file is in this job.
fn also(target: &Stat, request: &Request) -> Option<&'static str> {
    let is_it =
        |path: &[u8]| rustix::fs::stat(path).is_ok_and(|stat| Identity::of(&stat) == Identity::of(target));
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

/// Ends a manifest without results, of which all went well: nothing of an older one is left.
pub(super) fn end_empty(file: &StdFile) -> io::Result<()> {
    let is_regular = file.metadata()?.is_file();
    if is_regular && rustix::fs::tell(file)? == 0 { file.set_len(0) } else { Ok(()) }
}
