//! The system's OpenSSL: one call, or a context used again.

use super::cipher_rivals;
use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
use crate::library::libcrypto::{Fetched, open};
use crate::work::Hash;
use std::ffi::CStr;
use std::rc::Rc;

/// Both ways to use it.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    vec![Box::new(Libcrypto { name: "libcrypto" }), Box::new(Libcrypto { name: "libcrypto:context" })]
}

struct Libcrypto {
    name: &'static str,
}

impl Candidate for Libcrypto {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        match self.name {
            "libcrypto" => "the system's OpenSSL by EVP_Digest: one message".into(),
            _ => "the system's OpenSSL by a context that is used again: one message".into(),
        }
    }

    fn presence(&self) -> Presence {
        match open() {
            Ok(library) => Presence::Here(library.version().to_owned()),
            Err(install) => Presence::Missing(install),
        }
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Sha1 => self.enter_as::<20>(input, c"SHA1"),
            Hash::Sha224 => self.enter_as::<28>(input, c"SHA224"),
            Hash::Sha256 => self.enter_as::<32>(input, c"SHA256"),
            Hash::Sha384 => self.enter_as::<48>(input, c"SHA384"),
            Hash::Sha512 => self.enter_as::<64>(input, c"SHA512"),
            Hash::Sha512_256 => self.enter_as::<32>(input, c"SHA512-256"),
            Hash::Sha3_256 => self.enter_as::<32>(input, c"SHA3-256"),
            Hash::Cipher(cipher) if self.name != "libcrypto" => {
                cipher_rivals::libcrypto(self.name, cipher, input)
            }
            Hash::Gcm(gcm) if self.name != "libcrypto" && !gcm.is_siv() => {
                super::gcm::libcrypto(self.name, gcm, input)
            }
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

impl Libcrypto {
    fn enter_as<'a, const N: usize>(
        &'a self,
        input: &'a Input,
        algorithm: &CStr,
    ) -> Result<Entry<'a>, NotApplicable> {
        let library = open().map_err(NotApplicable)?;
        let fetched: Fetched<N> =
            library.algorithm(algorithm).ok_or_else(|| NotApplicable::hash(input.work().hash))?;
        if self.name == "libcrypto" {
            return Ok(Entry::one_by_one(self.name, input, move |m| fetched.one_shot(m)));
        }
        let context = Rc::new(fetched.context());
        Ok(Entry::one_by_one(self.name, input, move |m| context.digest(m)))
    }
}
