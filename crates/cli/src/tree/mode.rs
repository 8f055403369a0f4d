//! A mode with its parameters, applied to a file.

use super::input::Failure;
use super::objects::Objects;
use super::reading::Reading;
use crate::hashing::Counters;

/// Computes the result for a file, which the program prints before its name.
type Run = Box<dyn Fn(&Reading<'_>) -> Result<String, Failure> + Sync>;

/// A mode with its parameters.
pub(super) struct Function {
    run: Run,
    pub(super) threads: Threads,
    /// For modes that also name directories.
    objects: Option<Objects>,
}

/// How a mode uses several threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Threads {
    /// Threads share the chunks or slices of a file.
    ShareFiles,
    /// A file is one chain; a second thread reads for the first.
    ReadAhead,
}

impl Function {
    /// Returns the same mode, which also names directories.
    pub(super) fn of_objects(self, objects: Objects) -> Function {
        Function { objects: Some(objects), ..self }
    }

    /// Computes the result for a file.
    pub(super) fn of(&self, reading: &Reading<'_>) -> Result<String, Failure> {
        (self.run)(reading)
    }

    /// Computes the result for a path, if the mode is one of files and directories.
    pub(super) fn of_path(
        &self,
        name: &[u8],
        jobs: usize,
        counters: &Counters,
    ) -> Option<Result<String, Failure>> {
        let objects = self.objects.filter(|_| name != b"-")?;
        Some(objects.name_of(name, jobs, counters))
    }
}

/// A mode whose threads share files.
pub(super) fn sharing(run: impl Fn(&Reading<'_>) -> Result<String, Failure> + Sync + 'static) -> Function {
    Function { run: Box::new(run), threads: Threads::ShareFiles, objects: None }
}

/// A mode that reads ahead.
pub(super) fn chained(run: impl Fn(&Reading<'_>) -> Result<String, Failure> + Sync + 'static) -> Function {
    Function { run: Box::new(run), threads: Threads::ReadAhead, objects: None }
}
