//! Files below the paths on a command line, hashed and reported: what `audit` and `match` do with them.

use std::num::NonZeroUsize;

use crate::files::{Directories, Names, Rules, Walk};
use crate::hashing::{self, Changes, Counted, Counters, Io, Reading, Reporter, function_of};
use crate::limits::Limits;
use crate::message::Speaker;
use crate::output::Output;
use crate::progress::{self, Shown};
use hashlanes_formats::hash::Hash;

/// The files to hash, and how.
pub(crate) struct Search {
    pub(crate) paths: Vec<Vec<u8>>,
    pub(crate) rules: Rules,
    /// Number of threads, if it was chosen.
    pub(crate) jobs: Option<NonZeroUsize>,
    pub(crate) progress: Shown,
}

impl Search {
    /// Hashes the files. Returns whether a path or a directory could not be read; the errors were printed.
    pub(crate) fn run(
        self,
        speaker: &Speaker,
        hashes: &[Hash],
        key: Option<&[u8]>,
        output: Output<'_>,
        reporter: &impl Reporter<()>,
    ) -> bool {
        let counters = Counters::default();
        let function = Counted { function: function_of(hashes, key), counters: &counters };
        let limits = Limits::of_process(self.jobs.map(NonZeroUsize::get));
        let directories = Directories::Walk(Box::new(self.rules));
        let names = Names::of_arguments(self.paths);
        let mut walk = Walk::new(speaker, names, &directories, limits.open_directories);
        let reading = Reading { io: Io::Auto, changes: Changes::Watched };
        let hash = || {
            hashing::run(&function, &mut walk, reporter, output, reading, limits);
        };
        progress::watched(self.progress, &counters, |_| (), hash);
        walk.failed
    }
}
