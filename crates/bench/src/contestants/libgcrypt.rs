//! The system's libgcrypt, by one call.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
use crate::library::libgcrypt::{Algorithm, open};
use crate::work::Hash;
use std::ffi::CStr;

const NAME: &str = "libgcrypt";

/// `libgcrypt`.
pub(crate) struct Libgcrypt;

impl Candidate for Libgcrypt {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> String {
        "the system's libgcrypt by gcry_md_hash_buffer: one message".into()
    }

    fn presence(&self) -> Presence {
        match open() {
            Ok(library) => Presence::Here(library.version().to_owned()),
            Err(install) => Presence::Missing(install),
        }
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Sha1 => enter_as::<20>(input, c"SHA1"),
            Hash::Sha224 => enter_as::<28>(input, c"SHA224"),
            Hash::Sha256 => enter_as::<32>(input, c"SHA256"),
            Hash::Sha384 => enter_as::<48>(input, c"SHA384"),
            Hash::Sha512 => enter_as::<64>(input, c"SHA512"),
            Hash::Sha512_256 => enter_as::<32>(input, c"SHA512_256"),
            Hash::Sha3_256 => enter_as::<32>(input, c"SHA3-256"),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

fn enter_as<'a, const N: usize>(input: &'a Input, name: &CStr) -> Result<Entry<'a>, NotApplicable> {
    let library = open().map_err(NotApplicable)?;
    let algorithm: Algorithm<N> =
        library.algorithm(name).ok_or_else(|| NotApplicable::hash(input.work().hash))?;
    Ok(Entry::one_by_one(NAME, input, move |message| algorithm.digest(message)))
}
