//! A part of the work of a key generation.

/// Some leaves of a tree: what a thread computes at once.
pub(super) struct Part<'n> {
    pub(super) layer: usize,
    pub(super) first: u32,
    pub(super) leaves: &'n mut [u8],
}
