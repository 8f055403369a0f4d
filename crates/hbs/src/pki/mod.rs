//! Certificates, certificate requests and signed messages, in DER.
//!
//! A key is given by its SubjectPublicKeyInfo, whose algorithm also identifies its signatures: RFC 9802
//! (XMSS, XMSS^MT, HSS), RFC 9708 (HSS in CMS), RFC 9909 and RFC 9814 (SLH-DSA). These functions compute the
//! bytes to sign; the caller signs them, because keys with a state and keys without one sign differently.
//!
//! ```
//! # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
//! use hashlanes::hbs::pki::{Certificate, ReceivedMessage, SignedMessage, public_key_of};
//! use hashlanes::hbs::slh_dsa::{Digest, Message, Randomness, SigningKey};
//!
//! # let key = SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse()?, &[1; 48])?;
//! let public = key.verifying_key().to_spki_der();
//! let sign = |bytes: &[u8]| key.sign(&Message::new(bytes), Randomness::Deterministic);
//!
//! let (from, until) = (1_700_000_000, 1_900_000_000); // seconds since 1970
//! let certificate = Certificate::self_signed(&public, &"CN=Release key".parse()?, from, until)?;
//! let certificate = certificate.finish(sign(certificate.to_sign())?.as_ref());
//! assert_eq!(public_key_of(&certificate)?, public);
//!
//! let content = b"content of a file";
//! let message = SignedMessage::new(&public)?.certificate(&certificate)?;
//! let digest = Digest::of(message.digest_function(), content);
//! let to_sign = message.to_sign(&digest)?;
//! let message = message.finish(&digest, sign(&to_sign)?.as_ref(), None);
//!
//! let received = ReceivedMessage::from_der(&message)?;
//! let signer = &received.signers()[0];
//! assert_eq!(signer.signed(&digest), Some(&to_sign[..]));
//! key.verifying_key().verify(&Message::new(&to_sign), signer.signature())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// | file | holds |
// |---|---|
// | `certificate.rs` | `Certificate`: self-signed, X.509 (RFC 5280); the public key in a certificate |
// | `request.rs` | `Request`: certificate requests, PKCS#10 (RFC 2986) |
// | `name.rs` | `Name`: distinguished names (RFC 4514) |
// | `signed_message.rs` | `SignedMessage`: writes CMS's SignedData (RFC 5652) |
// | `received_message.rs` | `ReceivedMessage`: reads it |
// | `digest_algorithm.rs` | the hash functions of messages |
// | `pem.rs` | `der_of`, `to_pem` |
// | `writing.rs`, `reading.rs` | elements of DER |
// | `error.rs` | `Error` |

mod certificate;
mod digest_algorithm;
mod error;
mod name;
mod pem;
mod reading;
mod received_message;
mod request;
mod signed_message;
mod writing;

pub use certificate::{Certificate, public_key_of};
pub use error::Error;
pub use name::Name;
pub use pem::{CERTIFICATE_LABELS, MESSAGE_LABELS, REQUEST_LABELS, der_of, to_pem};
pub use received_message::{ReceivedMessage, Signer};
pub use request::Request;
pub use signed_message::SignedMessage;
