//! `--verify-tree`: the digests of a tree, compared with those in a file as they come into being.
//!
//! The data decide: if their root is the trusted one, they are right, and a difference is a fault of the
//! file. If it is not, the blocks whose digests differ from the file's are wrong.

use std::path::Path;

use hashlanes::tree::merkle::{BlockLayout, Nodes};
use hashlanes_formats::encoding::hex;

use super::input::{Failure, Input};

/// A tree in a file.
pub(super) struct Stored<'p> {
    pub(super) path: &'p Path,
    /// The byte at which the levels begin.
    pub(super) from: u64,
    pub(super) layout: BlockLayout,
    /// Blocks of the data.
    pub(super) n_chunks: u64,
    pub(super) chunk_bytes: u64,
    /// Bytes that a digest takes.
    pub(super) slot_bytes: usize,
    /// Bytes of a block of digests.
    pub(super) node_bytes: u64,
}

/// The comparison with a [`Stored`] tree.
pub(super) struct TreeCheck<'p> {
    stored: Stored<'p>,
    file: &'p Input,
    buffer: Vec<u8>,
    /// The first block of the data whose digest differs, and the number of such blocks.
    chunks: Option<(u64, u64)>,
    /// The place in the file of the first other difference.
    at: Option<u64>,
    failure: Option<Failure>,
}

impl<'p> TreeCheck<'p> {
    /// # Errors
    /// If the file ends within the tree.
    pub(super) fn begin(stored: Stored<'p>, file: &'p Input) -> Result<Self, Failure> {
        let end = stored.from.saturating_add(stored.layout.n_bytes);
        if file.n_bytes().is_none_or(|n_bytes| n_bytes < end) {
            let words = format!("{}: must be a file of at least {end} bytes", stored.path.display());
            return Err(Failure::Message(words));
        }
        Ok(TreeCheck { stored, file, buffer: Vec::new(), chunks: None, at: None, failure: None })
    }

    /// Compares digests with those at their places.
    pub(super) fn compare(&mut self, nodes: Nodes<'_>) {
        let Some(at) = self.stored.layout.place(&nodes) else { return };
        let at = self.stored.from + at;
        if !self.read(at, nodes.digests.len()) || self.buffer == nodes.digests {
            return;
        }
        let slots = |bytes| <[u8]>::chunks(bytes, self.stored.slot_bytes);
        let differ =
            slots(&self.buffer).zip(slots(nodes.digests)).map(|(stored, computed)| stored != computed);
        let mut differing = (0..).zip(differ).filter(|(_, differs)| *differs).map(|(k, _)| k);
        let first: u64 = differing.next().expect("they differ");
        let n = 1 + differing.count() as u64;
        if nodes.level == 0 {
            let (first, before) = self.chunks.unwrap_or((nodes.index + first, 0));
            self.chunks = Some((first, before + n));
        } else {
            self.differs_at(at + first * self.stored.slot_bytes as u64);
        }
    }

    /// Reports the result: `computed` is the root of the data, `trusted` the one that it should be.
    ///
    /// # Errors
    /// If they differ, or data and file do.
    pub(super) fn end(mut self, computed: &[u8], trusted: &[u8]) -> Result<(), Failure> {
        if trusted.len() != computed.len() {
            let (given, expected) = (trusted.len(), computed.len());
            return Err(Failure::message(format!("--root has {given} bytes; expected {expected}")));
        }
        self.compare_fillers();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let (path, chunk_bytes) = (self.stored.path.display(), self.stored.chunk_bytes);
        let of_chunk = |chunk: u64| {
            self.stored.from + self.stored.layout.levels[0].start + chunk * self.stored.slot_bytes as u64
        };
        let first_in_file = self.at.into_iter().chain(self.chunks.map(|(chunk, _)| of_chunk(chunk))).min();
        match (computed == trusted, self.chunks, first_in_file) {
            (true, _, None) => Ok(()),
            (true, _, Some(at)) => {
                Err(Failure::message(format!("the data match the root, but {path} does not, at byte {at}")))
            }
            (false, Some((chunk, n)), _) => {
                let at = chunk * chunk_bytes;
                let others = match n {
                    1 => String::new(),
                    _ => format!("; {n} blocks differ in total"),
                };
                Err(Failure::message(format!("block {chunk}, at byte {at}, does not match {path}{others}")))
            }
            (false, None, _) => Err(Failure::message(format!("the root is {}", hex(computed)))),
        }
    }

    /// Checks that each level is filled up with zeros.
    fn compare_fillers(&mut self) {
        let mut n_digests = self.stored.n_chunks;
        for level in self.stored.layout.levels.clone() {
            let filler = level.start + n_digests * self.stored.slot_bytes as u64..level.end;
            let at = self.stored.from + filler.start;
            if self.read(at, (filler.end - filler.start) as usize)
                && let Some(k) = self.buffer.iter().position(|&byte| byte != 0)
            {
                self.differs_at(at + k as u64);
            }
            n_digests = (level.end - level.start) / self.stored.node_bytes;
        }
    }

    fn differs_at(&mut self, at: u64) {
        self.at = Some(self.at.map_or(at, |first| first.min(at)));
    }

    /// Reads bytes of the file into the buffer; whether it could be read.
    fn read(&mut self, at: u64, n_bytes: usize) -> bool {
        self.buffer.resize(n_bytes, 0);
        match self.file.read_at(at, &mut self.buffer) {
            Ok(()) => self.failure.is_none(),
            Err(failure) => {
                let path = self.stored.path;
                self.failure.get_or_insert_with(|| cannot_read(path, &failure));
                false
            }
        }
    }
}

pub(super) fn cannot_read(path: &Path, failure: &Failure) -> Failure {
    Failure::message(format!("cannot read {}: {}", path.display(), failure.text()))
}
