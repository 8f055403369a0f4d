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
        "the crate hashtree-rs: SHA-256 of 64-byte nodes, one after the other; roots of them, level by level"
            .into()
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
            (Hash::Ssz, Shape::One { len }) if len >= 64 && len.is_power_of_two() => {
                hashtree_rs::init();
                let chunks = input.buffer();
                let (mut level, mut above) = (vec![0; len / 2], vec![0; len / 2]);
                Ok(Entry::new(self.name(), input, [0u8; 32], move |out| {
                    let mut n_nodes = len / 64;
                    hashtree_rs::hash(&mut level[..32 * n_nodes], black_box(chunks), n_nodes);
                    while n_nodes > 1 {
                        n_nodes /= 2;
                        hashtree_rs::hash(&mut above[..32 * n_nodes], &level[..64 * n_nodes], n_nodes);
                        std::mem::swap(&mut level, &mut above);
                    }
                    out[0].copy_from_slice(&level[..32]);
                }))
            }
            (Hash::Ssz, _) => Err(NotApplicable("trees of a power of two of chunks only".into())),
            (Hash::Sha256, _) => Err(NotApplicable("hashes contiguous 64-byte nodes only".into())),
            (hash, _) => Err(NotApplicable::hash(hash)),
        }
    }
}
