//! The crates `blake3` and `k12` (KT128, RFC 9861): other hashes, for comparison.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::Hash;
use k12::{ExtendableOutput, Update};

/// `k12`.
pub(crate) struct Kt128;

impl Candidate for Kt128 {
    fn name(&self) -> &str {
        "k12"
    }

    fn about(&self) -> String {
        "RustCrypto's crate k12: KT128 of one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("k12"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Kt128 => Ok(Entry::one_by_one("k12", input, |m| {
                let mut hasher = k12::Kt128::default();
                hasher.update(m);
                let mut digest = [0; 32];
                hasher.finalize_xof_into(&mut digest);
                digest
            })),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

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
