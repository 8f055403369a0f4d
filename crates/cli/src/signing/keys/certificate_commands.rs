//! `hashlanes key certificate` and `key request`: self-signed certificates and certificate requests.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use hashlanes::hbs::pki::{self, CERTIFICATE_LABELS, Certificate, Name, REQUEST_LABELS, Request};
use hashlanes::hbs::slh_dsa::{Message, Randomness};

use super::key_options::Opening;
use super::refusal::Refusal;
use super::slh_dsa_key;
use crate::help_text::list;
use crate::message::{Speaker, io_reason};
use crate::new_file::{Destination, Existing};
use crate::output::print_bytes;
use crate::signing::exit_status::Status;

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Writes a self-signed certificate of a key (X.509, RFC 5280).
///
/// XMSS, XMSS^MT, LMS and HSS: the certificate's signature uses an index of the key. The key is named by its
/// identifier (RFC 7093); it may sign data, and with --authority certificates.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key certificate key --subject 'CN=Release key,O=Example' -o key.crt", "Write a certificate in PEM"),
]))]
pub(super) struct CertificateArgs {
    #[command(flatten)]
    document: Document,

    /// Number of days that the certificate is valid from now on
    #[arg(long, value_name = "N", default_value_t = 3650, value_parser = clap::value_parser!(u64).range(1..=2_000_000))]
    days: u64,

    /// For a key that signs certificates
    #[arg(long)]
    authority: bool,
}

/// Writes a request for a certificate of a key (PKCS#10, RFC 2986).
///
/// XMSS, XMSS^MT, LMS and HSS: the request's signature uses an index of the key.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key request key --subject 'CN=Release key,O=Example' -o key.csr", "Write a request in PEM"),
]))]
pub(super) struct RequestArgs {
    #[command(flatten)]
    document: Document,
}

// No doc comment: it would replace the help of the command.
#[derive(Args)]
struct Document {
    /// The directory of the key; for SLH-DSA also the file of the private key
    #[arg(value_name = "DIR")]
    key: PathBuf,

    /// Name of the key's owner: CN, O, OU, L, ST and C, such as 'CN=Release key,O=Example'
    #[arg(long, value_name = "NAME", value_parser = |text: &str| text.parse::<Name>())]
    subject: Name,

    /// Write to the new file FILE [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    opening: Opening,
}

/// The bytes to sign, of a public key.
type ToSign<T> = dyn Fn(&[u8]) -> Result<T, pki::Error>;

impl CertificateArgs {
    pub(super) fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let from = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let until = from + self.days * SECONDS_OF_A_DAY;
        let (subject, authority) = (self.document.subject.clone(), self.authority);
        let new = move |spki_der: &[u8]| match authority {
            true => Certificate::self_signed_authority(spki_der, &subject, from, until),
            false => Certificate::self_signed(spki_der, &subject, from, until),
        };
        let der = self.document.signed(&new, Certificate::to_sign, Certificate::finish)?;
        self.document.write(speaker, CERTIFICATE_LABELS, &der)
    }
}

impl RequestArgs {
    pub(super) fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let subject = self.document.subject.clone();
        let new = move |spki_der: &[u8]| Request::new(spki_der, &subject);
        let der = self.document.signed(&new, Request::to_sign, Request::finish)?;
        self.document.write(speaker, REQUEST_LABELS, &der)
    }
}

impl Document {
    /// Signs a document with the key.
    fn signed<T>(
        &self,
        new: &ToSign<T>,
        to_sign: impl Fn(&T) -> &[u8],
        finish: impl Fn(&T, &[u8]) -> Vec<u8>,
    ) -> Result<Vec<u8>, Refusal> {
        let path = &*self.key;
        let wrong = |error: pki::Error| Refusal::new(Status::WrongUse, path, error.to_string());
        if let Some(output) = self.output.as_deref().filter(|output| output.symlink_metadata().is_ok()) {
            return Err(Refusal::new(Status::Failed, output, "exists already; nothing was signed"));
        }
        if let Some(private) = slh_dsa_key::private_key_at(path) {
            self.opening.access().without_witness(path)?;
            let key = slh_dsa_key::read(&private, self.opening.passphrase())?;
            let public = key.verifying_key();
            let document = new(&public.to_spki_der()).map_err(wrong)?;
            let message = Message::new(to_sign(&document));
            // A signature that a fault changed is not released.
            let signed = key
                .sign(&message, Randomness::System)
                .and_then(|signature| public.verify(&message, signature.as_ref()).map(|()| signature));
            let signature =
                signed.map_err(|error| Refusal::new(Status::Fault, path, format!("cannot sign: {error}")))?;
            return Ok(finish(&document, signature.as_ref()));
        }
        let of_key = |error| Refusal::of_key(path, &error);
        let mut key = self.opening.directory(path)?.open().map_err(of_key)?;
        let spki_der = key.verifying_key().to_spki_der().expect("a kept key has one");
        let document = new(&spki_der).map_err(wrong)?;
        let signature = key.try_sign(to_sign(&document)).map_err(of_key)?;
        Ok(finish(&document, signature.as_ref()))
    }

    fn write(&self, speaker: &Speaker, labels: &[&'static str], der: &[u8]) -> Result<ExitCode, Refusal> {
        write_new(speaker, self.output.as_deref(), pki::to_pem(labels, der).as_bytes())
    }
}

/// Writes a new file, or prints the bytes.
///
/// # Errors
/// The file exists, or cannot be written.
pub(super) fn write_new(speaker: &Speaker, path: Option<&Path>, bytes: &[u8]) -> Result<ExitCode, Refusal> {
    let Some(path) = path else { return Ok(print_bytes(speaker, bytes)) };
    let written = Destination::open(path, Existing::Kept).and_then(|file| file.write(bytes));
    written.map_err(|error| {
        Refusal::new(Status::Failed, path, format!("cannot write: {}", io_reason(&error)))
    })?;
    Ok(ExitCode::SUCCESS)
}
