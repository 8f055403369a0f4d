//! `--output FILE --resume`: continues a manifest that an interrupted run began.
//!
//! ```text
//!   FILE     line  line  line  line  li          what was written, the last line perhaps not whole
//!   walk     file  file  file  new   file  …     the same files in the same order, until something is other
//!            └── kept ───────┘ └── FILE is cut here, and everything from here on hashed
//! ```
//!
//! A line is kept if its file did not change since FILE was created: then it did not change since it was
//! hashed. (The times of the file system's clock are compared, so a file that changed in the same tick is
//! hashed again.) A file that cannot be read has no line; it is tried again, and its error is reported again.
//!
//! The first line must be one of this form. A line does not distinguish SHA-256 from SHA-512/256, nor a
//! digest from an HMAC under some key. So the first file that is kept is hashed nevertheless, and must give
//! the existing line.

use std::fs::File as StdFile;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::time::SystemTime;

use super::recorded_roots::Recorded;
use crate::files::{Entry, File, Source, long_paths};
use crate::message::{Speaker, reason};
use crate::output::Lines;
use crate::platform::fs::{CWD, OFlags};
use crate::platform::io::Errno;
use hashlanes_formats::lists::LineReader;

/// A walk from which the files go that FILE has already.
pub(super) struct Resumed<'a> {
    speaker: &'a Speaker,
    pub(super) walk: Recorded<'a>,
    kept: Option<Kept<'a>>,
    /// Computes a file's line, until the first kept line was compared.
    line_of: Option<LineOf<'a>>,
    /// The first failure to read FILE or to cut it.
    pub(super) failure: Option<io::Error>,
}

/// Why FILE stays as it is.
const OTHER_FORM: &str =
    "its lines have another hash, key or format; not overwritten (choose another --output)";

/// Hashes a file and returns its line.
pub(super) type LineOf<'a> = Box<dyn Fn(&File) -> Result<Vec<u8>, Errno> + Send + 'a>;

/// FILE, up to the kept part.
struct Kept<'a> {
    file: &'a StdFile,
    lines: BufReader<&'a StdFile>,
    reader: LineReader,
    /// When it came into being: seconds and nanoseconds.
    born: (i64, u32),
    /// Bytes of the lines that are kept.
    n_bytes: u64,
    /// The next line's name, and the line. A comment has no name.
    next: Option<(Option<Vec<u8>>, Vec<u8>)>,
}

impl<'a> Resumed<'a> {
    /// Returns the walk unchanged.
    pub(super) fn not(speaker: &'a Speaker, walk: Recorded<'a>) -> Self {
        Resumed { speaker, walk, kept: None, line_of: None, failure: None }
    }

    /// Continues `file`, whose lines `reader` reads; it must be open for reading and writing.
    pub(super) fn new(
        speaker: &'a Speaker,
        walk: Recorded<'a>,
        file: &'a StdFile,
        reader: LineReader,
        line_of: LineOf<'a>,
    ) -> io::Result<Self> {
        let birth = file.metadata()?.created().ok();
        let since_1970 = birth.and_then(|birth| birth.duration_since(SystemTime::UNIX_EPOCH).ok());
        // Without a time no older line is kept: everything is hashed again.
        let born = since_1970.map_or((i64::MIN, 0), |time| (time.as_secs() as i64, time.subsec_nanos()));
        let mut kept = Kept { file, lines: BufReader::new(file), reader, born, n_bytes: 0, next: None };
        kept.begin()?;
        Ok(Resumed { speaker, walk, kept: Some(kept), line_of: Some(line_of), failure: None })
    }

    /// Truncates FILE after the kept lines, and writes from there.
    fn stop_keeping(&mut self) {
        if let Some(kept) = self.kept.take() {
            let cut = kept.file.set_len(kept.n_bytes);
            let result = cut.and_then(|()| (&mut &*kept.file).seek(SeekFrom::End(0)).map(drop));
            self.failure = self.failure.take().or(result.err());
        }
    }
}

impl Kept<'_> {
    /// Reads the first line.
    ///
    /// # Errors
    /// It cannot be read, or is whole and not of this form.
    fn begin(&mut self) -> io::Result<()> {
        let is_whole = self.read()?;
        let is_listed = matches!(self.next, Some((Some(_), _)));
        if is_whole && !is_listed { Err(io::Error::other(OTHER_FORM)) } else { Ok(()) }
    }

    /// Reads the next line; one that is not whole, or none, is not kept. Returns whether it is whole.
    fn read(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        self.lines.read_until(b'\n', &mut line)?;
        let is_whole = line.ends_with(b"\n");
        let listed = line.strip_suffix(b"\n").and_then(|line| self.reader.read(line));
        self.next = match listed {
            Some(listed) => Some((Some(listed.name), line)),
            None => line.starts_with(b"#").then_some((None, line)),
        };
        Ok(is_whole)
    }

    /// Returns whether the next line is this file's, and right.
    fn has(&self, file: &File) -> bool {
        let is_next = self.next.as_ref().is_some_and(|(name, _)| name.as_ref() == Some(&file.name));
        is_next && {
            #[allow(clippy::unnecessary_cast)] // On other systems than Linux they have other types.
            file.stat().is_ok_and(|stat| (stat.st_ctime as i64, stat.st_ctime_nsec as u32) < self.born)
        }
    }
}

/// Returns why a file cannot be opened, without waiting.
fn cannot_be_read(name: &[u8]) -> Option<Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    long_paths::open(CWD, name, flags).err()
}

impl Source for Resumed<'_> {
    type Tag = ();

    fn next(&mut self) -> Option<Entry<()>> {
        loop {
            if self.failure.is_some() {
                return None;
            }
            let entry = self.walk.next();
            let Some(kept) = &mut self.kept else { return entry };
            match &entry {
                Some(Entry::File(file, ())) if kept.has(file) => {
                    let line = kept.next.take().map(|(_, line)| line).unwrap_or_default();
                    if let Some(line_of) = &self.line_of
                        && let Ok(right) = line_of(file)
                    {
                        if right != line {
                            self.failure = Some(io::Error::other(OTHER_FORM));
                            return None;
                        }
                        self.line_of = None;
                    }
                    kept.n_bytes += line.len() as u64;
                    self.failure = kept.read().err();
                }
                // A file without a line, because it cannot be read, does not require hashing all following
                // files again.
                Some(Entry::File(file, ())) => match cannot_be_read(&file.name) {
                    Some(error) => {
                        self.walk.walk.failed = true;
                        let err = self.speaker.about_file(&file.name, &reason(error));
                        return Some(Entry::Said(Lines { err, ..Lines::default() }));
                    }
                    None => {
                        self.stop_keeping();
                        return entry;
                    }
                },
                Some(Entry::Said(said)) if said.comment.is_empty() => return entry,
                Some(Entry::Said(said)) => match kept.next.take() {
                    Some((None, line)) if line == said.comment => {
                        kept.n_bytes += line.len() as u64;
                        self.failure = kept.read().err();
                    }
                    _ => {
                        self.stop_keeping();
                        return entry;
                    }
                },
                None => {
                    self.stop_keeping();
                    return None;
                }
            }
        }
    }

    fn at_most(&self) -> Option<usize> {
        self.walk.at_most()
    }

    fn next_may_wait(&self) -> bool {
        self.walk.next_may_wait()
    }
}
