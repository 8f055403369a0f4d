//! Manifests as data: records of any format that `sum` prints.

mod read;

pub(crate) use read::{Record, Trouble, read};
