//! The signed messages (FIPS 205, section 10): a message and its context string, encoded; pure or pre-hashed.

use alloc::vec;
use alloc::vec::Vec;

use hashlanes_sha::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
use hashlanes_sha::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

use super::error::Error;

/// A message to sign or to verify: its bytes in one part or several, or its digest, with a context string.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::slh_dsa::{Message, PreHash};
///
/// let one = Message::new(b"a message");
/// // The same message, and a context that keeps its signatures apart from those of other uses.
/// let parts: [&[u8]; 2] = [b"a ", b"message"];
/// let apart = Message::of_parts(&parts).with_context(b"firmware")?;
///
/// // HashSLH-DSA: another signature, of a message that is hashed before.
/// let mut hash = PreHash::Sha512.hasher();
/// hash.update(b"a ");
/// hash.update(b"message");
/// let hashed = Message::of_digest(hash.finish());
/// # let _ = (one, apart, hashed);
/// # Ok::<(), hashlanes::hbs::slh_dsa::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Message<'a> {
    context: &'a [u8],
    content: Content<'a>,
}

#[derive(Clone, Debug)]
enum Content<'a> {
    Whole(&'a [u8]),
    Parts(&'a [&'a [u8]]),
    Digest(Digest),
    /// A message that the caller encoded.
    Internal(&'a [u8]),
}

impl<'a> Message<'a> {
    /// Creates a message in one part.
    pub fn new(message: &'a [u8]) -> Self {
        Self { context: &[], content: Content::Whole(message) }
    }

    /// Creates a message in parts, which follow one another.
    pub fn of_parts(parts: &'a [&'a [u8]]) -> Self {
        Self { context: &[], content: Content::Parts(parts) }
    }

    /// Creates a pre-hashed message, for HashSLH-DSA: its signatures differ from those of the message itself.
    pub fn of_digest(digest: Digest) -> Self {
        Self { context: &[], content: Content::Digest(digest) }
    }

    /// Creates an encoded message, M' of section 9: for test vectors of the internal functions.
    #[doc(hidden)]
    pub fn internal(encoded: &'a [u8]) -> Self {
        Self { context: &[], content: Content::Internal(encoded) }
    }

    /// Returns the same message with a context string.
    ///
    /// # Errors
    /// [`Error::ContextLength`] if it is longer than 255 bytes.
    pub fn with_context(self, context: &'a [u8]) -> Result<Self, Error> {
        if context.len() > 255 {
            return Err(Error::ContextLength(context.len()));
        }
        Ok(Self { context, ..self })
    }

    /// Passes the parts of M' to `take`: algorithms 22 (line 8) and 23 (line 24).
    pub(super) fn encoded<T>(&self, take: impl FnOnce(&[&[u8]]) -> T) -> T {
        let head = |is_hashed: u8| [is_hashed, self.context.len() as u8];
        match &self.content {
            Content::Whole(message) => take(&[&head(0), self.context, message]),
            Content::Parts(parts) => {
                let head = head(0);
                let before: [&[u8]; 2] = [&head, self.context];
                take(&[&before, *parts].concat())
            }
            Content::Digest(digest) => {
                take(&[&head(1), self.context, &digest.function.oid(), digest.bytes()])
            }
            Content::Internal(encoded) => take(&[encoded]),
        }
    }
}

impl<'a> From<&'a [u8]> for Message<'a> {
    fn from(message: &'a [u8]) -> Self {
        Self::new(message)
    }
}

macro_rules! pre_hashes {
    ($($(#[$doc:meta])* $name:ident $text:literal $oid:literal $bytes:literal $hasher:ident $(($ending:ident))?;)*) => {
        /// The hash functions of HashSLH-DSA: FIPS 205, section 10.2.2.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum PreHash {
            $($(#[$doc])* $name,)*
        }

        /// A [`PreHash`] of a message that arrives in parts.
        #[derive(Clone, Debug)]
        pub struct PreHasher(Hasher);

        #[derive(Clone, Debug)]
        enum Hasher {
            $($name($hasher),)*
        }

        impl PreHash {
            /// All functions, in the order of their object identifiers.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the name: `SHA2-256`, `SHAKE-128`, …
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the length of a digest in bytes.
            pub fn digest_bytes(self) -> usize {
                match self { $(Self::$name => $bytes,)* }
            }

            /// Returns the last number of the object identifier, 2.16.840.1.101.3.4.2.
            pub(crate) fn number(self) -> u8 {
                match self { $(Self::$name => $oid,)* }
            }

            /// Begins a message.
            pub fn hasher(self) -> PreHasher {
                PreHasher(match self { $(Self::$name => Hasher::$name($hasher::new()),)* })
            }
        }

        impl PreHasher {
            /// Absorbs the next part of the message.
            pub fn update(&mut self, part: &[u8]) {
                match &mut self.0 { $(Hasher::$name(hasher) => hasher.update(part),)* }
            }

            /// Returns the digest of the message.
            pub fn finish(self) -> Digest {
                match self.0 {
                    $(Hasher::$name(hasher) => {
                        Digest { function: PreHash::$name, bytes: pre_hashes!(@finish hasher $bytes $($ending)?) }
                    })*
                }
            }
        }
    };
    (@finish $hasher:ident $bytes:literal) => { $hasher.finish().to_vec() };
    (@finish $hasher:ident $bytes:literal xof) => {{
        let mut bytes = vec![0; $bytes];
        $hasher.finish_xof().read(&mut bytes);
        bytes
    }};
}
pre_hashes! {
    /// SHA-256.
    Sha256 "SHA2-256" 1 32 Sha256;
    /// SHA-384.
    Sha384 "SHA2-384" 2 48 Sha384;
    /// SHA-512.
    Sha512 "SHA2-512" 3 64 Sha512;
    /// SHA-224.
    Sha224 "SHA2-224" 4 28 Sha224;
    /// SHA-512/224.
    Sha512_224 "SHA2-512/224" 5 28 Sha512_224;
    /// SHA-512/256.
    Sha512_256 "SHA2-512/256" 6 32 Sha512_256;
    /// SHA3-224.
    Sha3_224 "SHA3-224" 7 28 Sha3_224;
    /// SHA3-256.
    Sha3_256 "SHA3-256" 8 32 Sha3_256;
    /// SHA3-384.
    Sha3_384 "SHA3-384" 9 48 Sha3_384;
    /// SHA3-512.
    Sha3_512 "SHA3-512" 10 64 Sha3_512;
    /// SHAKE128 with 256 bits of output.
    Shake128 "SHAKE-128" 11 32 Shake128 (xof);
    /// SHAKE256 with 512 bits of output.
    Shake256 "SHAKE-256" 12 64 Shake256 (xof);
}

impl PreHash {
    /// Returns the object identifier in DER.
    fn oid(self) -> [u8; 11] {
        [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, self.number()]
    }
}

/// A message digest, and the function that computed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    function: PreHash,
    bytes: Vec<u8>,
}

impl Digest {
    /// Computes the digest of a whole message.
    pub fn of(function: PreHash, message: &[u8]) -> Self {
        let mut hasher = function.hasher();
        hasher.update(message);
        hasher.finish()
    }

    /// Returns the function.
    pub fn function(&self) -> PreHash {
        self.function
    }

    /// Returns the digest's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
