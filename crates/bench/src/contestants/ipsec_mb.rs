//! Intel's `libipsec-mb`: many messages, submitted as jobs. Its own choice, and each of its implementations.

use super::cipher_rivals;
use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
use crate::library::ipsec_mb::{Algorithm, Architecture, Manager, version};
use crate::work::{Hash, Shape, Text};
use std::hint::black_box;
use std::rc::Rc;

/// The library's choice first.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    let all = [
        ("libipsec-mb", Architecture::Auto),
        ("libipsec-mb:sha-ni", Architecture::ShaNi),
        ("libipsec-mb:avx512", Architecture::Avx512),
        ("libipsec-mb:avx2", Architecture::Avx2),
        ("libipsec-mb:sse", Architecture::Sse),
    ];
    all.into_iter().map(|(name, arch)| Box::new(IpsecMb { name, arch }) as Box<dyn Candidate>).collect()
}

struct IpsecMb {
    name: &'static str,
    arch: Architecture,
}

impl Candidate for IpsecMb {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        let which = match self.arch {
            Architecture::Auto => "its own choice",
            Architecture::ShaNi => "SSE and SHA extensions",
            Architecture::Sse => "SSE without SHA extensions",
            Architecture::Avx2 => "AVX2 without SHA extensions",
            Architecture::Avx512 => "AVX-512 without SHA extensions",
        };
        format!("Intel's libipsec-mb: many messages as jobs ({which})")
    }

    fn presence(&self) -> Presence {
        match version() {
            Ok(version) => Presence::Here(version.to_owned()),
            Err(install) => Presence::Missing(install),
        }
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Sha1 => self.enter_as::<20>(input, Algorithm::Sha1),
            Hash::Sha224 => self.enter_as::<28>(input, Algorithm::Sha224),
            Hash::Sha256 => self.enter_as::<32>(input, Algorithm::Sha256),
            Hash::Sha384 => self.enter_as::<48>(input, Algorithm::Sha384),
            Hash::Sha512 => self.enter_as::<64>(input, Algorithm::Sha512),
            // Its lanes count in 16 bits: longer jobs give a wrong result without an error.
            Hash::Cipher(_) if input.message(0).len() > 0xffff => {
                Err(NotApplicable("takes jobs of 65,535 bytes at most".into()))
            }
            Hash::Cipher(cipher) => {
                let manager = Manager::new(self.arch).map_err(NotApplicable)?;
                cipher_rivals::ipsec_mb(self.name, manager, cipher, input)
            }
            Hash::Gcm(gcm) if self.arch == Architecture::Auto && !gcm.is_siv() => {
                super::gcm::ipsec_mb(self.name, gcm, input)
            }
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

impl IpsecMb {
    fn enter_as<'a, const N: usize>(
        &'a self,
        input: &'a Input,
        algorithm: Algorithm,
    ) -> Result<Entry<'a>, NotApplicable> {
        let manager = Rc::new(Manager::new(self.arch).map_err(NotApplicable)?);
        match input.work().shape {
            Shape::One { .. } => {
                Ok(Entry::one_by_one(self.name, input, move |m| manager.digest::<N>(algorithm, m)))
            }
            Shape::Rows { text: Text::Hex, .. } => Err(NotApplicable("writes no hexadecimal".into())),
            _ => {
                let messages: Rc<[&[u8]]> = input.messages().into();
                Ok(Entry::new(self.name, input, [0; N], move |out| {
                    manager.digest_many(algorithm, black_box(&messages), out);
                }))
            }
        }
    }
}
