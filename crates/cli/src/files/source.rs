//! Where files come from: what the walk, lists and arguments have in common.

use super::file::File;
use crate::output::Lines;

/// Where files come from, in order. `Tag` is what the source knows of a file beyond its name.
pub(crate) trait Source: Send {
    type Tag: Send;

    /// The next entry; after `None` it is not asked again.
    fn next(&mut self) -> Option<Entry<Self::Tag>>;

    /// How many entries there are at most, if that is known.
    fn at_most(&self) -> Option<usize>;

    /// Whether `next` may wait for somebody's input.
    fn next_may_wait(&self) -> bool;
}

/// What a source gives: a file, or something to be said at this place of the results.
pub(crate) enum Entry<T> {
    File(File, T),
    Said(Lines),
}
