//! The files of a directory.

use std::fs;
use std::path::{Path, PathBuf};

/// Copies a file into a directory; returns the copy's path.
pub(super) fn copy_into(directory: &Path, file: &Path) -> Result<PathBuf, String> {
    let to = directory.join(file.file_name().ok_or_else(|| format!("{}: is no file", file.display()))?);
    fs::copy(file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(to)
}

/// The files of a directory in the order of their names.
pub(super) fn files_of(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

/// The files whose names hold a part.
pub(super) fn named(directory: &Path, part: &str) -> Result<Vec<PathBuf>, String> {
    let mut files = files_of(directory)?;
    files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().contains(part)));
    if files.is_empty() {
        Err(format!("{}: no file is named {part}", directory.display()))
    } else {
        Ok(files)
    }
}
