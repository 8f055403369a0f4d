//! Manifests as data: `read.rs`, records of any format that `sum` prints; `shards.rs`, jobs cut into shards and joined again.

mod read;
mod shards;

pub(crate) use read::{Record, Trouble, read};
pub(crate) use shards::ManifestArgs;
