//! Our SHA3-256, Keccak-256 and a tree over SHA3-256, with their own choice of kernels and on one kernel; and
//! other libraries.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::{Hash, Shape};
use hashlanes::{SpongeHash, SpongeHasher, keccak};
use std::hint::black_box;
use std::rc::Rc;
use tiny_keccak::Hasher;

/// Prepares a hash of the input's messages.
pub(super) fn enter<'a, S: SpongeHash>(
    name: &str,
    kernel: Option<&str>,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let kernel = kernel.map(named).transpose()?;
    match input.work().shape {
        Shape::One { .. } => {
            let message = input.message(0);
            Ok(Entry::new(name, input, S::ZERO_DIGEST, move |out| match kernel {
                None => out[0] = SpongeHasher::<S>::digest(black_box(message)),
                Some(kernel) => SpongeHasher::<S>::digest_many_on(kernel, &[black_box(message)], out),
            }))
        }
        Shape::Many { .. } | Shape::Random { .. } => {
            let messages: Rc<[&[u8]]> = input.messages().into();
            Ok(Entry::new(name, input, S::ZERO_DIGEST, move |out| match kernel {
                None => SpongeHasher::<S>::digest_many(black_box(&messages), out),
                Some(kernel) => SpongeHasher::<S>::digest_many_on(kernel, black_box(&messages), out),
            }))
        }
        Shape::Fixed { len, .. } if kernel.is_none() => {
            Ok(Entry::new(name, input, S::ZERO_DIGEST, move |out| {
                SpongeHasher::<S>::try_digest_fixed(black_box(input.buffer()), len, out)
                    .expect("as many messages as digests");
            }))
        }
        _ => Err(NotApplicable(format!("has {} of whole messages only", input.work().hash.name()))),
    }
}

/// Prepares the tree over SHA3-256 with the given number of leaves.
pub(super) fn enter_tree<'a>(
    name: &str,
    kernel: Option<&str>,
    leaves: u8,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let kernel = kernel.map(named).transpose()?;
    let j = usize::from(leaves);
    Ok(Entry::one_by_one(name, input, move |message| match kernel {
        None => keccak::tree_sha3_256(j, message),
        Some(kernel) => keccak::tree_sha3_256_on(kernel, j, message),
    }))
}

fn named(kernel: &str) -> Result<&'static keccak::Kernel, NotApplicable> {
    keccak::table().named(kernel).map_err(|error| NotApplicable(error.to_string()))
}

/// The crates `tiny-keccak` and `keccak-asm`.
pub(crate) fn crates() -> Vec<Box<dyn Candidate>> {
    vec![Box::new(TinyKeccak), Box::new(KeccakAsm)]
}

struct TinyKeccak;

impl Candidate for TinyKeccak {
    fn name(&self) -> &str {
        "tiny-keccak"
    }

    fn about(&self) -> String {
        "the crate tiny-keccak: one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("tiny-keccak"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        fn digest(mut hasher: impl Hasher, message: &[u8]) -> [u8; 32] {
            let mut digest = [0; 32];
            hasher.update(message);
            hasher.finalize(&mut digest);
            digest
        }
        match input.work().hash {
            Hash::Sha3_256 => {
                Ok(Entry::one_by_one(self.name(), input, |m| digest(tiny_keccak::Sha3::v256(), m)))
            }
            Hash::Keccak256 => {
                Ok(Entry::one_by_one(self.name(), input, |m| digest(tiny_keccak::Keccak::v256(), m)))
            }
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

struct KeccakAsm;

impl Candidate for KeccakAsm {
    fn name(&self) -> &str {
        "keccak-asm"
    }

    fn about(&self) -> String {
        "the crate keccak-asm, OpenSSL's assembly: one message".into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version("keccak-asm"))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Sha3_256 => {
                Ok(Entry::one_by_one(self.name(), input, |m| keccak_asm::Sha3_256::digest(m).into()))
            }
            Hash::Keccak256 => {
                Ok(Entry::one_by_one(self.name(), input, |m| keccak_asm::Keccak256::digest(m).into()))
            }
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}
