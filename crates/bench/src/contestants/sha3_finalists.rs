//! The finalists of SHA-3 except Keccak, as crates (Gueron, Krasnov 2012, Fig. 7): other hashes, for
//! comparison. The cargo feature `sha3-finalists` includes them; without it they are listed but not measured.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
#[cfg(feature = "sha3-finalists")]
use crate::work::Hash;

/// The crates, included or not.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    ["blake-hash", "groestl", "jh", "skein"]
        .map(|name| Box::new(Finalist { name }) as Box<dyn Candidate>)
        .into()
}

struct Finalist {
    name: &'static str,
}

impl Candidate for Finalist {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        format!("the crate {}, of a finalist of the SHA-3 competition: one message", self.name)
    }

    fn presence(&self) -> Presence {
        if cfg!(feature = "sha3-finalists") {
            Presence::Here(crate::candidate::crate_version(self.name))
        } else {
            Presence::Missing("cargo build --release -p hashlanes-bench --features sha3-finalists".into())
        }
    }

    #[cfg(feature = "sha3-finalists")]
    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        use blake_hash::Digest as _;
        use sha2::digest::{Digest, consts::U64};
        let name = self.name;
        match (name, input.work().hash) {
            ("blake-hash", Hash::Blake256) => {
                Ok(Entry::one_by_one::<32>(name, input, |m| blake_hash::Blake256::digest(m).into()))
            }
            // Its digests have another array type, which does not convert to an array of 64 bytes.
            ("blake-hash", Hash::Blake512) => Ok(Entry::one_by_one::<64>(name, input, |m| {
                blake_hash::Blake512::digest(m)[..].try_into().expect("64 bytes")
            })),
            ("groestl", Hash::Groestl256) => {
                Ok(Entry::one_by_one::<32>(name, input, |m| groestl::Groestl256::digest(m).into()))
            }
            ("groestl", Hash::Groestl512) => {
                Ok(Entry::one_by_one::<64>(name, input, |m| groestl::Groestl512::digest(m).into()))
            }
            ("jh", Hash::Jh256) => Ok(Entry::one_by_one::<32>(name, input, |m| jh::Jh256::digest(m).into())),
            ("skein", Hash::Skein512) => {
                Ok(Entry::one_by_one::<64>(name, input, |m| skein::Skein512::<U64>::digest(m).into()))
            }
            (_, hash) => Err(NotApplicable::hash(hash)),
        }
    }

    #[cfg(not(feature = "sha3-finalists"))]
    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        Err(NotApplicable::hash(input.work().hash))
    }
}
