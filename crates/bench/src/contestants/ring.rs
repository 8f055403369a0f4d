//! The crate `ring`: BoringSSL's assembly.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::Hash;
use ring::digest::{self, Algorithm};

/// `ring`.
pub(crate) struct Ring;

impl Candidate for Ring {
    fn name(&self) -> &str {
        "ring"
    }

    fn about(&self) -> String {
        "the crate ring (BoringSSL's assembly): one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("ring"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        fn entry<'a, const N: usize>(input: &'a Input, of: &'static Algorithm) -> Entry<'a> {
            Entry::one_by_one::<N>("ring", input, move |m| {
                digest::digest(of, m).as_ref().try_into().expect("a digest of the algorithm's length")
            })
        }
        match input.work().hash {
            Hash::Sha1 => Ok(entry::<20>(input, &digest::SHA1_FOR_LEGACY_USE_ONLY)),
            Hash::Sha256 => Ok(entry::<32>(input, &digest::SHA256)),
            Hash::Sha384 => Ok(entry::<48>(input, &digest::SHA384)),
            Hash::Sha512 => Ok(entry::<64>(input, &digest::SHA512)),
            Hash::Sha512_256 => Ok(entry::<32>(input, &digest::SHA512_256)),
            Hash::Gcm(gcm) => super::gcm::ring(gcm, input),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}
