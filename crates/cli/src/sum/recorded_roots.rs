//! The roots of a manifest, recorded in comments at its end where its names do not show them.
//!
//! An audit searches the longest common directory of the names. `sum -r photos` needs no comment if a file
//! lies in `photos` itself, or if files lie in two of its directories.

use std::vec::IntoIter;

use super::manifest_format::Form;
use crate::files::{Entry, File, Source, Walk};
use crate::output::Lines;
use hashlanes_formats::roots::{Shown, is_in};

/// A walk; at its end come the comments.
pub(super) struct Recorded<'a> {
    pub(super) walk: Walk<'a>,
    form: &'a Form,
    /// The directories among the arguments in which files were found.
    roots: Vec<Vec<u8>>,
    /// The directories that the names show, and the bytes before the name in the last one.
    shown: Shown,
    last: Vec<u8>,
    comments: Option<IntoIter<Vec<u8>>>,
}

impl<'a> Recorded<'a> {
    pub(super) fn new(walk: Walk<'a>, form: &'a Form) -> Self {
        Recorded { walk, form, roots: Vec::new(), shown: Shown::default(), last: Vec::new(), comments: None }
    }

    fn add(&mut self, file: &File) {
        let directory = file.name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        if self.last != file.name[..directory] {
            self.last.clear();
            self.last.extend_from_slice(&file.name[..directory]);
            self.shown.add(&file.name);
        }
        if let Some(root) = file.root()
            && self.roots.last().is_none_or(|last| last != root)
        {
            self.roots.push(root.to_vec());
        }
    }

    /// Returns the comments: for each root that the names do not show, and that is in no other root.
    fn comments(&mut self) -> IntoIter<Vec<u8>> {
        self.roots.sort_unstable();
        self.roots.dedup();
        let directories = self.shown.directories().unwrap_or_default();
        let is_shown = |root: &[u8]| directories.iter().any(|shown| is_in(shown, root) && is_in(root, shown));
        let is_inner = |root: &[u8]| self.roots.iter().any(|other| is_in(root, other) && !is_in(other, root));
        let roots = self.roots.iter().filter(|root| !is_shown(root) && !is_inner(root));
        roots.filter_map(|root| self.form.root(root)).collect::<Vec<_>>().into_iter()
    }
}

impl Source for Recorded<'_> {
    type Tag = ();

    fn next(&mut self) -> Option<Entry<()>> {
        if self.comments.is_none() {
            if let Some(entry) = self.walk.next() {
                if let Entry::File(file, ()) = &entry {
                    self.add(file);
                }
                return Some(entry);
            }
            self.comments = Some(self.comments());
        }
        let comment = self.comments.as_mut()?.next()?;
        Some(Entry::Said(Lines { comment, ..Lines::default() }))
    }

    fn at_most(&self) -> Option<usize> {
        self.walk.at_most()
    }

    fn next_may_wait(&self) -> bool {
        self.comments.is_none() && self.walk.next_may_wait()
    }
}
