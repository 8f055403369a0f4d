//! Signatures in messages of CMS: the options of `sign`.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hashlanes::hbs::pki::{self, CERTIFICATE_LABELS, SignedMessage};
use hashlanes::hbs::slh_dsa::Digest;

use super::refusal::Refusal;
use crate::message::io_reason;
use crate::signing::cms::{bounded, digest};
use crate::signing::exit_status::Status;

/// The longest file that a message may contain: it is loaded into memory.
const MOST_CONTENT: u64 = 1 << 30;
const MOST_CERTIFICATE: u64 = 1 << 20;

// No doc comment: it would replace the help of the command.
#[derive(Args, Debug)]
pub(super) struct CmsOptions {
    /// raw, as the standard of the key has it, to FILE.sig; cms, a message of CMS (RFC 5652, 9708, 9814), to
    /// FILE.p7s
    #[arg(long, value_name = "FORM", value_enum, default_value = "raw")]
    format: Format,

    /// Include FILE in the message, which goes to FILE.p7m
    #[arg(long)]
    attached: bool,

    /// Include the certificate of the key in the message; it names the signer
    #[arg(long, value_name = "PATH")]
    certificate: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Raw,
    Cms,
}

/// How files are signed in messages.
pub(super) struct Cms {
    message: SignedMessage,
    is_attached: bool,
}

/// A message that is not signed yet.
pub(super) struct Unsigned<'c> {
    cms: &'c Cms,
    digest: Digest,
    content: Option<Vec<u8>>,
    /// The bytes to sign.
    pub(super) to_sign: Vec<u8>,
}

impl CmsOptions {
    /// Returns what is wrong with the options.
    pub(super) fn wrong_use(&self) -> Option<&'static str> {
        match self.format {
            Format::Raw if self.attached => Some("--attached requires --format cms"),
            Format::Raw if self.certificate.is_some() => Some("--certificate requires --format cms"),
            _ => None,
        }
    }

    pub(super) fn is_cms(&self) -> bool {
        self.format == Format::Cms
    }

    /// Returns the end of the names of signatures.
    pub(super) fn suffix(&self) -> &'static str {
        match (self.format, self.attached) {
            (Format::Raw, _) => ".sig",
            (Format::Cms, false) => ".p7s",
            (Format::Cms, true) => ".p7m",
        }
    }

    /// Returns the form of messages of a key; `None` for raw signatures.
    ///
    /// # Errors
    /// The key has no standard for messages, or the certificate cannot be read or is of another key.
    pub(super) fn of_key(&self, key: &Path, spki_der: &[u8]) -> Result<Option<Cms>, Refusal> {
        if self.format == Format::Raw {
            return Ok(None);
        }
        let wrong = |path: &Path, error: pki::Error| Refusal::new(Status::WrongUse, path, error.to_string());
        let mut message = SignedMessage::new(spki_der).map_err(|error| wrong(key, error))?;
        if let Some(path) = &self.certificate {
            let file = bounded(path, MOST_CERTIFICATE).map_err(|error| {
                let words = format!("cannot read the certificate: {}", io_reason(&error));
                Refusal::new(Status::WrongUse, path, words)
            })?;
            let with = pki::der_of(&file, CERTIFICATE_LABELS).and_then(|der| message.certificate(&der));
            message = with.map_err(|error| wrong(path, error))?;
        }
        Ok(Some(Cms { message, is_attached: self.attached }))
    }
}

impl Cms {
    /// Reads a file.
    pub(super) fn read(&self, input: &mut impl Read) -> io::Result<Unsigned<'_>> {
        let function = self.message.digest_function();
        let (digest, content) = if self.is_attached {
            let mut content = Vec::new();
            input.take(MOST_CONTENT + 1).read_to_end(&mut content)?;
            if content.len() as u64 > MOST_CONTENT {
                return Err(io::Error::other(
                    "longer than 1 GiB, which --attached loads into memory at most",
                ));
            }
            (Digest::of(function, &content), Some(content))
        } else {
            (digest(function, input)?, None)
        };
        let to_sign = self.message.to_sign(&digest).expect("a digest of its function");
        Ok(Unsigned { cms: self, digest, content, to_sign })
    }
}

impl Unsigned<'_> {
    /// Returns the message with its signature.
    pub(super) fn finish(&self, signature: &[u8]) -> Vec<u8> {
        self.cms.message.finish(&self.digest, signature, self.content.as_deref())
    }
}
