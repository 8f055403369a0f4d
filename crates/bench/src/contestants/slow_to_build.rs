//! Rivals that take minutes to build. Cargo features include them; without these they are listed but not
//! measured.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
#[cfg(any(feature = "aws-lc-rs", feature = "graviola", feature = "openssl", feature = "tape-sha256"))]
use crate::work::Hash;

/// All of them, built or not.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    let heavy = [
        ("aws-lc-rs", "the crate aws-lc-rs (AWS-LC): one message"),
        ("graviola", "the crate graviola (s2n-bignum's and its own assembly): one message"),
        ("openssl", "OpenSSL, newest, by the crate openssl's feature vendored: one message"),
        ("tape-sha256", "the crate tape-sha256: many messages in lanes"),
    ];
    heavy.into_iter().map(|(name, about)| Box::new(Heavy { name, about }) as Box<dyn Candidate>).collect()
}

struct Heavy {
    name: &'static str,
    about: &'static str,
}

impl Candidate for Heavy {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        self.about.into()
    }

    fn presence(&self) -> Presence {
        match built(self.name) {
            Some(version) => Presence::Here(version),
            None => Presence::Missing(format!(
                "cargo build --release -p hashlanes-bench --features {}",
                self.name
            )),
        }
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match self.name {
            #[cfg(feature = "aws-lc-rs")]
            "aws-lc-rs" => aws_lc(input),
            #[cfg(feature = "graviola")]
            "graviola" => graviola(input),
            #[cfg(feature = "openssl")]
            "openssl" => openssl(input),
            #[cfg(feature = "tape-sha256")]
            "tape-sha256" => tape(input),
            _ => Err(NotApplicable::hash(input.work().hash)),
        }
    }
}

/// The version of a rival that was built in.
fn built(name: &str) -> Option<String> {
    match name {
        #[cfg(feature = "aws-lc-rs")]
        "aws-lc-rs" => Some(crate::candidate::crate_version(name)),
        #[cfg(feature = "graviola")]
        "graviola" => Some(crate::candidate::crate_version(name)),
        #[cfg(feature = "openssl")]
        "openssl" => Some(openssl::version::version().to_owned()),
        #[cfg(feature = "tape-sha256")]
        "tape-sha256" => {
            Some(format!("{} ({})", crate::candidate::crate_version(name), tape_sha256::backend()))
        }
        _ => None,
    }
}

#[cfg(feature = "aws-lc-rs")]
fn aws_lc(input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use aws_lc_rs::digest::{self, Algorithm};
    fn entry<'a, const N: usize>(
        input: &'a Input,
        of: &'static Algorithm,
    ) -> Result<Entry<'a>, NotApplicable> {
        Ok(Entry::one_by_one::<N>("aws-lc-rs", input, move |m| {
            digest::digest(of, m).as_ref().try_into().expect("a digest of the algorithm's length")
        }))
    }
    match input.work().hash {
        Hash::Sha1 => entry::<20>(input, &digest::SHA1_FOR_LEGACY_USE_ONLY),
        Hash::Sha224 => entry::<28>(input, &digest::SHA224),
        Hash::Sha256 => entry::<32>(input, &digest::SHA256),
        Hash::Sha384 => entry::<48>(input, &digest::SHA384),
        Hash::Sha512 => entry::<64>(input, &digest::SHA512),
        Hash::Sha512_256 => entry::<32>(input, &digest::SHA512_256),
        Hash::Sha3_256 => entry::<32>(input, &digest::SHA3_256),
        Hash::Gcm(gcm) => super::gcm::aws_lc(gcm, input),
        hash => Err(NotApplicable::hash(hash)),
    }
}

#[cfg(feature = "graviola")]
fn graviola(input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use graviola::hashing::{Hash as _, HashOutput, Sha256, Sha384, Sha512};
    fn bytes<const N: usize>(output: HashOutput) -> [u8; N] {
        output.as_ref().try_into().expect("a digest of the algorithm's length")
    }
    match input.work().hash {
        Hash::Sha256 => Ok(Entry::one_by_one("graviola", input, |m| bytes::<32>(Sha256::hash(m)))),
        Hash::Sha384 => Ok(Entry::one_by_one("graviola", input, |m| bytes::<48>(Sha384::hash(m)))),
        Hash::Sha512 => Ok(Entry::one_by_one("graviola", input, |m| bytes::<64>(Sha512::hash(m)))),
        Hash::Gcm(gcm) if !gcm.is_siv() => Ok(super::gcm::graviola(gcm, input)),
        hash => Err(NotApplicable::hash(hash)),
    }
}

#[cfg(feature = "openssl")]
fn openssl(input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use openssl::sha;
    match input.work().hash {
        Hash::Sha1 => Ok(Entry::one_by_one("openssl", input, sha::sha1)),
        Hash::Sha224 => Ok(Entry::one_by_one("openssl", input, sha::sha224)),
        Hash::Sha256 => Ok(Entry::one_by_one("openssl", input, sha::sha256)),
        Hash::Sha384 => Ok(Entry::one_by_one("openssl", input, sha::sha384)),
        Hash::Sha512 => Ok(Entry::one_by_one("openssl", input, sha::sha512)),
        Hash::Cipher(cipher) => super::cipher_rivals::openssl(cipher, input),
        Hash::Gcm(gcm) if !gcm.is_siv() => super::gcm::openssl(gcm, input),
        hash => Err(NotApplicable::hash(hash)),
    }
}

#[cfg(feature = "tape-sha256")]
fn tape(input: &Input) -> Result<Entry<'_>, NotApplicable> {
    use crate::work::{Shape, Text};
    let name = "tape-sha256";
    if input.work().hash != Hash::Sha256 {
        return Err(NotApplicable::hash(input.work().hash));
    }
    let one = |message: &[u8]| {
        let mut hasher = tape_sha256::Sha256::new();
        hasher.update(message);
        hasher.finish()
    };
    match input.work().shape {
        Shape::One { .. } | Shape::Rows { text: Text::Hex, .. } => Ok(Entry::one_by_one(name, input, one)),
        _ => {
            let messages: std::rc::Rc<[&[u8]]> = input.messages().into();
            Ok(Entry::new(name, input, [0; 32], move |out| {
                tape_sha256::hash_many(std::hint::black_box(&messages), out);
            }))
        }
    }
}
