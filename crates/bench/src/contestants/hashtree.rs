//! The crate `hashtree-rs`: Merkle nodes, 64 bytes to 32, in assembly.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::{Hash, Shape};
use std::hint::black_box;

/// `hashtree-rs`.
pub(crate) struct Hashtree;

impl Candidate for Hashtree {
    fn name(&self) -> &str {
        "hashtree-rs"
    }

    fn about(&self) -> String {
        "the crate hashtree-rs: SHA-256 of 64-byte nodes, one after the other".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("hashtree-rs"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match (input.work().hash, input.work().shape) {
            (Hash::Sha256, Shape::Fixed { count, len: 64 }) => {
                hashtree_rs::init();
                let nodes = input.buffer();
                Ok(Entry::new(self.name(), input, [0u8; 32], move |out| {
                    hashtree_rs::hash(out.as_flattened_mut(), black_box(nodes), count);
                }))
            }
            (Hash::Sha256, _) => Err(NotApplicable("hashes contiguous 64-byte nodes only".into())),
            (hash, _) => Err(NotApplicable::hash(hash)),
        }
    }
}
