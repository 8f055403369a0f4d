//! The crate `k12`: KT128 (RFC 9861), another hash, to be looked at beside ours.

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
