//! RustCrypto's crates `sha1`, `sha2`, `sha3`.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::Hash;
use sha2::Digest;

/// The three crates.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    ["sha1", "sha2", "sha3"].map(|name| Box::new(RustCrypto { name }) as Box<dyn Candidate>).into()
}

struct RustCrypto {
    name: &'static str,
}

impl Candidate for RustCrypto {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        format!("RustCrypto's crate {}: one message", self.name)
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version(self.name))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        let name = self.name;
        match (name, input.work().hash) {
            ("sha1", Hash::Sha1) => Ok(Entry::one_by_one(name, input, |m| sha1::Sha1::digest(m).into())),
            ("sha2", Hash::Sha224) => Ok(Entry::one_by_one(name, input, |m| sha2::Sha224::digest(m).into())),
            ("sha2", Hash::Sha256) => Ok(Entry::one_by_one(name, input, |m| sha2::Sha256::digest(m).into())),
            ("sha2", Hash::Sha384) => Ok(Entry::one_by_one(name, input, |m| sha2::Sha384::digest(m).into())),
            ("sha2", Hash::Sha512) => Ok(Entry::one_by_one(name, input, |m| sha2::Sha512::digest(m).into())),
            ("sha2", Hash::Sha512_256) => {
                Ok(Entry::one_by_one(name, input, |m| sha2::Sha512_256::digest(m).into()))
            }
            // Code without lanes: one block after another.
            ("sha2", Hash::FsVerity) => Ok(Entry::one_by_one(name, input, fs_verity_root)),
            ("sha3", Hash::Sha3_256) => {
                Ok(Entry::one_by_one(name, input, |m| sha3::Sha3_256::digest(m).into()))
            }
            ("sha3", Hash::Keccak256) => {
                Ok(Entry::one_by_one(name, input, |m| sha3::Keccak256::digest(m).into()))
            }
            ("sha3", Hash::Keccak512) => {
                Ok(Entry::one_by_one(name, input, |m| sha3::Keccak512::digest(m).into()))
            }
            (_, hash) => Err(NotApplicable::hash(hash)),
        }
    }
}

/// See [`Hash::FsVerity`].
fn fs_verity_root(message: &[u8]) -> [u8; 32] {
    const ZEROS: [u8; 4096] = [0; 4096];
    let digests = |bytes: &[u8]| -> Vec<u8> {
        let block = |block: &[u8]| {
            let mut hasher = sha2::Sha256::new();
            hasher.update(block);
            hasher.update(&ZEROS[block.len()..]);
            hasher.finalize()
        };
        bytes.chunks(4096).flat_map(block).collect()
    };
    let mut level = digests(message);
    while level.len() > 32 {
        level = digests(&level);
    }
    level.try_into().unwrap_or([0; 32])
}
