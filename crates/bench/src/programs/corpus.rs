//! The files: pseudo-random, in folders of a thousand, as deep as typical trees.

use crate::input::Random;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Files of a folder.
const FOLDER: usize = 1000;

/// A folder of files, removed when this is dropped.
#[derive(Debug)]
pub(super) struct Corpus {
    root: PathBuf,
    /// Number and length of the existing files.
    filled: (usize, u64),
}

impl Corpus {
    /// An empty one.
    ///
    /// # Errors
    /// If the name exists already, or the folder cannot be created.
    pub(super) fn new(root: &Path) -> Result<Self, String> {
        let wrong = |error| format!("{}: {error}", root.display());
        if let Some(parent) = root.parent() {
            fs::create_dir_all(parent).map_err(wrong)?;
        }
        fs::create_dir(root).map_err(wrong)?;
        let root = root.canonicalize().map_err(wrong)?;
        Ok(Corpus { root, filled: (0, 0) })
    }

    /// Returns its path.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The number of its files.
    pub(super) fn files(&self) -> usize {
        self.filled.0
    }

    /// Creates this number of files of `len` bytes, and removes all others.
    ///
    /// # Errors
    /// If one cannot be written.
    pub(super) fn fill(&mut self, files: usize, len: u64) -> Result<(), String> {
        if self.filled == (files, len) {
            return Ok(());
        }
        let wrong = |path: &Path, error| format!("{}: {error}", path.display());
        fs::remove_dir_all(&self.root).map_err(|error| wrong(&self.root, error))?;
        let mut random = Random::new();
        for file in 0..files {
            let folder = self.root.join(format!("folder-{:03}", file / FOLDER));
            fs::create_dir_all(&folder).map_err(|error| wrong(&folder, error))?;
            let path = folder.join(format!("file-{file:05}.bin"));
            write(&path, len, &mut random).map_err(|error| wrong(&path, error))?;
        }
        self.filled = (files, len);
        Ok(())
    }
}

fn write(path: &Path, len: u64, random: &mut Random) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for _ in 0..len / 8 {
        file.write_all(&random.next().to_le_bytes())?;
    }
    file.flush()
}

impl Drop for Corpus {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.root) {
            eprintln!("{}: left there: {error}", self.root.display());
        }
    }
}
