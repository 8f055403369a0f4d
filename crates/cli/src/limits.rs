//! The limits of files, threads and bytes that the program holds at once.
//!
//! All resources of the program are bounded here, so that memory stays below 64 MiB and descriptors below the
//! process's limit for every input:
//!
//! | what | bound |
//! |---|---|
//! | reading buffers of all workers | [`READ_BYTES`], shared out among them |
//! | names of directories being walked | [`LISTED_BYTES`] |
//! | an ignore file, of each directory above the one being walked | [`IGNORE_FILE_BYTES`] |
//! | finished lines that wait for an earlier file | [`HELD_BYTES`] |
//! | open files, open directories, rings | `Limits`, from `RLIMIT_NOFILE` |

use crate::platform;

/// Bytes of reading buffers, all workers together.
const READ_BYTES: usize = 16 << 20;
/// Bytes of directory names held for sorting, all levels of a walk together.
pub(crate) const LISTED_BYTES: usize = 24 << 20;
/// Bytes of a .gitignore or the like: ten times the longest that are met.
pub(crate) const IGNORE_FILE_BYTES: usize = 256 << 10;
/// Bytes of output that may wait for the result of an earlier file.
pub(crate) const HELD_BYTES: usize = 8 << 20;

/// Most threads: more CPUs than most machines have, and their buffers still fit.
const MOST_JOBS: usize = 512;
/// Most files a worker takes at once: enough for four rounds of the widest kernel (16 lanes).
const MOST_TAKEN: usize = 64;
/// Most long files a worker advances together: the lanes of the widest kernel.
const MOST_ADVANCED: usize = 16;
/// Most files that are waited for at once, each by a thread.
const MOST_AWAITED: usize = 32;
/// Descriptors that are not ours to spend: standard streams, the list, a directory being read.
const RESERVED_FILES: usize = 12;

/// The bounds of this process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Worker threads.
    pub(crate) jobs: usize,
    /// Files a worker takes from the source at once.
    pub(crate) taken: usize,
    /// Long files a worker advances together.
    pub(crate) advanced: usize,
    /// Bytes read from a file before it counts as long, and per turn from then on.
    pub(crate) read_bytes: usize,
    /// Files that threads besides the workers wait for.
    pub(crate) awaited: usize,
    /// Directories kept open for opening files relative to them.
    pub(crate) open_directories: usize,
}

impl Limits {
    /// For `jobs` threads, or for all of the process's CPUs. Raises the soft limit of open files to the hard
    /// one: many threads have a few hundred files open.
    pub(crate) fn of_process(jobs: Option<usize>) -> Limits {
        let cpus = || std::thread::available_parallelism().map_or(1, |n| n.get());
        Limits::new(jobs.unwrap_or_else(cpus), platform::open_files())
    }

    /// One descriptor a worker for its ring; of the others a quarter for directories and files that are
    /// waited for, half for files just opened, a quarter for files being advanced.
    fn new(jobs: usize, files: usize) -> Limits {
        let files = files.saturating_sub(RESERVED_FILES);
        let jobs = jobs.clamp(1, (files / 4).clamp(1, MOST_JOBS));
        let files = files.saturating_sub(jobs); // each worker may have a ring
        let taken = (files / 2 / jobs).clamp(1, MOST_TAKEN);
        let advanced = (files / 4 / jobs).clamp(1, MOST_ADVANCED);
        // A worker has one buffer of `advanced` reads for files just opened and one for long files.
        let read_bytes = (READ_BYTES / jobs / 2 / MOST_ADVANCED).clamp(4 << 10, 64 << 10) & !4095;
        let awaited = (files / 16).min(MOST_AWAITED);
        let open_directories = (files / 4 - awaited).min(128);
        Limits { jobs, taken, advanced, read_bytes, awaited, open_directories }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_for_any_machine() {
        for jobs in [1, 2, 3, 16, 64, 500, 100_000] {
            for files in [0, 3, 20, 64, 256, 1024, 65_536] {
                let l = Limits::new(jobs, files);
                assert!(l.jobs >= 1 && l.taken >= 1 && l.advanced >= 1 && l.read_bytes >= 4096, "{l:?}");
                if files >= 64 {
                    let open =
                        l.jobs * (l.taken + l.advanced + 1) + l.awaited + l.open_directories + RESERVED_FILES;
                    assert!(open <= files, "{l:?}: {open} files of {files}");
                }
                if l.jobs <= 64 {
                    assert!(l.jobs * 2 * MOST_ADVANCED * l.read_bytes <= READ_BYTES, "{l:?}");
                }
            }
        }
    }
}
