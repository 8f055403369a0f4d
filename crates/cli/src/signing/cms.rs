//! Signatures in messages of CMS: what `verify` checks.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hashlanes::hbs::Error;
use hashlanes::hbs::pki::{self, MESSAGE_LABELS, ReceivedMessage};
use hashlanes::hbs::slh_dsa::{Digest, PreHash, PreHasher};

/// Longer than any message with a detached signature and a few certificates.
pub(super) const MOST_BYTES: u64 = 4 << 20;

/// Returns the digest of a file.
pub(super) fn digest(function: PreHash, input: &mut impl Read) -> io::Result<Digest> {
    let mut hasher = function.hasher();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(n) => hasher.update(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A file up to the byte that makes it too long.
pub(super) fn bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns whether a file begins like a message of CMS, in DER or PEM.
pub(super) fn is_message(file: &[u8]) -> bool {
    file.trim_ascii_start().starts_with(b"-----BEGIN ") || ReceivedMessage::is_one(file)
}

/// A signer of a message, for a file whose digest is not known yet.
#[derive(Debug)]
pub(super) struct Pending {
    hasher: PreHasher,
    /// The message in DER.
    der: Vec<u8>,
    /// The signer's number.
    number: usize,
}

/// What a message has for a key.
pub(super) enum Found {
    /// The signed attributes are signed.
    Attributes(Box<Pending>),
    /// The content itself is signed, by this signature.
    Content(Vec<u8>),
}

impl Pending {
    /// Finds the first signer of a key in a message.
    ///
    /// # Errors
    /// The message is malformed, or has no signer with an algorithm of the key.
    pub(super) fn find(file: &[u8], spki_der: &[u8]) -> Result<Found, pki::Error> {
        let der = pki::der_of(file, MESSAGE_LABELS)?.into_owned();
        let message = ReceivedMessage::from_der(&der)?;
        let number = message.signers().iter().position(|signer| signer.is_of(spki_der));
        let number = number.ok_or_else(|| pki::Error::Field {
            field: "SignedData: signerInfos".into(),
            why: "no signature by an algorithm of this key".into(),
        })?;
        let signer = &message.signers()[number];
        if signer.signs_content() {
            return Ok(Found::Content(signer.signature().to_vec()));
        }
        let hasher = signer.digest_function().hasher();
        Ok(Found::Attributes(Box::new(Self { hasher, der, number })))
    }

    /// Returns the signature in the message.
    pub(super) fn signature(&self) -> Vec<u8> {
        self.message().signers()[self.number].signature().to_vec()
    }

    pub(super) fn update(&mut self, part: &[u8]) {
        self.hasher.update(part);
    }

    /// Returns the signed bytes of the file that was read.
    ///
    /// # Errors
    /// The message is one of another file, or contains another one.
    pub(super) fn finish(self) -> Result<Vec<u8>, Error> {
        let digest = self.hasher.clone().finish();
        let message = self.message();
        let signer = &message.signers()[self.number];
        let contains_other =
            message.content().is_some_and(|content| Digest::of(digest.function(), content) != digest);
        match signer.signed(&digest) {
            Some(signed) if !contains_other => Ok(signed.to_vec()),
            _ => Err(Error::Invalid),
        }
    }

    fn message(&self) -> ReceivedMessage<'_> {
        ReceivedMessage::from_der(&self.der).expect("it was read before")
    }
}
