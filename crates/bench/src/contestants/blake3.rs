//! The crate `blake3`: another hash, to be looked at beside ours.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::Hash;

/// `blake3`, one thread.
pub(crate) struct Blake3;

impl Candidate for Blake3 {
    fn name(&self) -> &str {
        "blake3"
    }

    fn about(&self) -> String {
        "the crate blake3: one message, a tree in its lanes".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("blake3"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Blake3 => Ok(Entry::one_by_one("blake3", input, |m| *blake3::hash(m).as_bytes())),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}
