//! The commands that need no more than a file.

pub(crate) mod compare;
pub(crate) mod list;
pub(crate) mod rank;
pub(crate) mod speed;
pub(crate) mod sweep;
