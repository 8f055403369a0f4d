//! The hashes by the names that `hashlib` uses.

use hashlanes::algorithms::{Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use hashlanes::{Hasher, HmacKey};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::text_of;

/// The properties of a hash in Python, selected by its name.
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    pub(crate) block_bytes: usize,
    pub(crate) digest_bytes: usize,
    /// Returns a hasher of the empty message.
    pub(crate) hasher: fn() -> AnyHasher,
    /// Derives one key from a password and a salt, with `iterations` iterations.
    pub(crate) pbkdf2: fn(&[u8], &[u8], u32, &mut [u8]),
}

impl Algorithm {
    const fn of<A: hashlanes::Algorithm>(name: &'static str, hasher: fn() -> AnyHasher) -> Self {
        Self { name, block_bytes: A::BLOCK_BYTES, digest_bytes: A::DIGEST_BYTES, hasher, pbkdf2: pbkdf2::<A> }
    }

    /// Returns the hash that an argument names, in lower or upper case.
    ///
    /// # Errors
    /// With the argument's name: `TypeError` if it is not a string, `ValueError` if the name is unknown.
    pub(crate) fn given(object: &Bound<'_, PyAny>, argument: &str) -> PyResult<&'static Self> {
        let name = text_of(object, argument)?;
        Self::named(name).ok_or_else(|| {
            let names = algorithm_names().join(", ");
            PyValueError::new_err(format!(
                "{argument}: unsupported hash type {name:?}; expected one of {names}"
            ))
        })
    }

    /// Returns the hash with this name, in lower or upper case.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALGORITHMS.into_iter().find(|algorithm| algorithm.name.eq_ignore_ascii_case(name))
    }
}

fn pbkdf2<A: hashlanes::Algorithm>(password: &[u8], salt: &[u8], iterations: u32, key: &mut [u8]) {
    let key_bytes = key.len();
    HmacKey::<A>::try_pbkdf2_many(&[password], &[salt], iterations, key, key_bytes).expect("one of each");
}

macro_rules! algorithms {
    ($($variant:ident($type:ty) $constant:ident $name:literal;)*) => {
        /// A hasher of any of the hashes. The large ones are boxed; moves of the others dominate the cost of
        /// small messages.
        #[derive(Clone)]
        pub(crate) enum AnyHasher {
            $($variant($type),)*
        }

        $(pub(crate) static $constant: Algorithm =
            Algorithm::of::<$variant>($name, || AnyHasher::$variant(Default::default()));)*

        static ALGORITHMS: [&Algorithm; [$($name),*].len()] = [$(&$constant),*];

        /// `with_hasher!(any, hasher => expression)`: the expression with the [`Hasher`] that `any` holds.
        macro_rules! with_hasher {
            ($any:expr, $hasher:ident => $body:expr) => {
                match $any {
                    $($crate::algorithms::AnyHasher::$variant($hasher) => $body,)*
                }
            };
        }
        pub(crate) use with_hasher;
    };
}
algorithms! {
    Sha1(Hasher<Sha1>) SHA1 "sha1";
    Sha224(Hasher<Sha224>) SHA224 "sha224";
    Sha256(Hasher<Sha256>) SHA256 "sha256";
    Sha384(Box<Hasher<Sha384>>) SHA384 "sha384";
    Sha512(Box<Hasher<Sha512>>) SHA512 "sha512";
    Sha512_224(Box<Hasher<Sha512_224>>) SHA512_224 "sha512_224";
    Sha512_256(Box<Hasher<Sha512_256>>) SHA512_256 "sha512_256";
}

/// The names of the hashes.
#[pyfunction]
pub(crate) fn algorithm_names() -> Vec<&'static str> {
    ALGORITHMS.iter().map(|algorithm| algorithm.name).collect()
}
