//! Public keys in files: in the encoding of X.509 (RFC 9802 and 9909, PEM or DER), and raw (RFC 8391: OID ‖
//! root ‖ SEED; RFC 8554), or in certificates; and the claims of signatures under them.

use std::path::Path;

use hashlanes::hbs::pki::{self, CERTIFICATE_LABELS};
use hashlanes::hbs::{self, Error, VerifyingKey, lms, slh_dsa};
use hashlanes_formats::public_key;

use super::cms::{self, Found, Pending};
use super::parameter_sets::WantedKey;
use super::slh_dsa_message::MessageForm;
use crate::message::io_reason;

/// Longer than any public key (raw ones have 132 bytes at most), or certificate with one signature.
const MOST_BYTES: u64 = 64 << 10;

/// A public key.
#[derive(Debug)]
pub(super) enum PublicKey {
    /// XMSS or XMSS^MT, of two sets at most.
    Stateful(Vec<VerifyingKey>),
    /// HSS, or LMS alone.
    Lms(lms::VerifyingKey),
    SlhDsa(slh_dsa::VerifyingKey),
}

/// The claims of a signature.
#[derive(Debug)]
pub(super) struct Signed {
    /// The set of its key.
    pub(super) set: String,
    /// Its index, if it has one.
    pub(super) index: Option<u64>,
    /// Whether it is in a message of CMS.
    pub(super) is_cms: bool,
}

/// The claim that a signature belongs to a message that arrives in parts.
#[derive(Debug)]
pub(super) enum Claim<'k> {
    Stateful(hbs::Claim<'k>),
    Lms(lms::Claim<'k>),
    SlhDsa(Box<slh_dsa::Claim<'k>>),
    /// In a message of CMS, whose attributes are signed.
    Cms(&'k PublicKey, Box<Pending>),
}

/// Why a file cannot hold a signature of a key.
#[derive(Debug)]
pub(super) enum Unfit {
    Signature(Error),
    Message(String),
}

impl Claim<'_> {
    /// Absorbs the next part of each message; those of XMSS and LMS in lanes.
    pub(super) fn update_many(parts: Vec<(&mut Self, &[u8])>) {
        let (mut in_lanes, mut of_lms) = (Vec::with_capacity(parts.len()), Vec::new());
        for (claim, part) in parts {
            match claim {
                Claim::Stateful(claim) => in_lanes.push((claim, part)),
                Claim::Lms(claim) => of_lms.push((claim, part)),
                Claim::SlhDsa(claim) => claim.update(part),
                Claim::Cms(_, pending) => pending.update(part),
            }
        }
        lms::Claim::update_many(&mut of_lms);
        hbs::Claim::update_many(&mut in_lanes);
    }

    /// Ends the messages, all of one kind of key. The results in their order.
    pub(super) fn finish_many(claims: Vec<Self>) -> Vec<Result<(), Error>> {
        let (mut stateful, mut of_lms, mut of_slh_dsa) = (Vec::new(), Vec::new(), Vec::new());
        let mut sort = |claim: Self| {
            match claim.of_attributes()? {
                Claim::Stateful(claim) => stateful.push(claim),
                Claim::Lms(claim) => of_lms.push(claim),
                Claim::SlhDsa(claim) => of_slh_dsa.push(*claim),
                Claim::Cms(..) => unreachable!("it was replaced"),
            }
            Ok(())
        };
        let fits: Vec<Result<(), Error>> = claims.into_iter().map(&mut sort).collect();
        let mut results = hbs::Claim::finish_many(stateful);
        results.extend(lms::Claim::finish_many(of_lms));
        let of_slh_dsa = slh_dsa::Claim::finish_many(of_slh_dsa).into_iter();
        results.extend(of_slh_dsa.map(|result| result.map_err(|_| Error::Invalid)));
        let mut results = results.into_iter();
        fits.into_iter().map(|fits| fits.and_then(|()| results.next().expect("one for each"))).collect()
    }

    /// Returns the claim about the attributes, in place of that about the file whose digest they hold.
    fn of_attributes(self) -> Result<Self, Error> {
        let Claim::Cms(key, pending) = self else { return Ok(self) };
        let (mut claim, _) = key.claim(&pending.signature(), &MessageForm::default())?;
        let attributes = pending.finish()?;
        Self::update_many(vec![(&mut claim, &attributes)]);
        Ok(claim)
    }
}

impl PublicKey {
    /// Reads it from a file; of a key directory, from `public.pem` in it.
    ///
    /// # Errors
    /// If it is not a public key; the message gives the reason.
    pub(super) fn read(path: &Path, wanted: Option<WantedKey>) -> Result<Self, String> {
        let bytes = match cms::bounded(path, MOST_BYTES) {
            Err(_) if path.is_dir() => cms::bounded(&path.join("public.pem"), MOST_BYTES),
            other => other,
        };
        let bytes = bytes.map_err(|error| format!("cannot read the public key: {}", io_reason(&error)))?;
        let key = of_certificate(&bytes).map_err(|why| format!("not a certificate: {why}"))?;
        Self::of_bytes(key.as_ref().unwrap_or(&bytes), wanted)
            .map_err(|why| format!("not a public key: {why}"))
    }

    fn of_bytes(bytes: &[u8], wanted: Option<WantedKey>) -> Result<Self, String> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err("the file is longer than 64 KiB".into());
        }
        let other = |names: &str, wanted: WantedKey| {
            Err(format!("its parameter set is {names}, not {}", wanted.name()))
        };
        if let Some(key) = of_slh_dsa(bytes) {
            return match wanted {
                Some(WantedKey::SlhDsa(set)) if set.is_none_or(|set| set == key.set()) => {
                    Ok(Self::SlhDsa(key))
                }
                Some(wanted) => other(key.set().name(), wanted),
                None => Ok(Self::SlhDsa(key)),
            };
        }
        if let Some(key) = of_lms(bytes) {
            let is_of = |set: &lms::ParameterSet| {
                key.n_levels() == set.levels().len() as u32 && key.top() == set.levels()[0]
            };
            return match wanted {
                Some(WantedKey::Lms(set)) if set.as_ref().is_none_or(is_of) => Ok(Self::Lms(key)),
                Some(wanted) => other(&set_name(&key), wanted),
                None => Ok(Self::Lms(key)),
            };
        }
        let keys = public_key::of_bytes(bytes)?;
        let names: Vec<String> = keys.iter().map(|key| key.set().to_string()).collect();
        let of_wanted = |key: &VerifyingKey| match wanted {
            None => true,
            Some(WantedKey::Stateful(wanted)) => wanted.admits(key.set()),
            Some(WantedKey::Lms(_) | WantedKey::SlhDsa(_)) => false,
        };
        let keys: Vec<VerifyingKey> = keys.into_iter().filter(of_wanted).collect();
        match wanted {
            Some(wanted) if keys.is_empty() => other(&names.join(" or "), wanted),
            _ => Ok(Self::Stateful(keys)),
        }
    }

    /// Returns the claim of a signature, raw or in a message of CMS, and the values in the signature itself.
    ///
    /// # Errors
    /// It cannot be a signature of this key.
    pub(super) fn claim_of_file(
        &self,
        file: &[u8],
        form: &MessageForm,
    ) -> Result<(Claim<'_>, Signed), Unfit> {
        if !cms::is_message(file) {
            return self.claim(file, form).map_err(Unfit::Signature);
        }
        if let Some(option) = form.given() {
            return Err(Unfit::Message(format!(
                "{option} is for raw signatures, and this is a message of CMS"
            )));
        }
        let found =
            self.spki_der().and_then(|key| Pending::find(file, &key).map_err(|error| error.to_string()));
        let raw = |signature: &[u8]| self.claim(signature, form).map_err(Unfit::Signature);
        let (claim, signed) = match found.map_err(Unfit::Message)? {
            Found::Content(signature) => raw(&signature)?,
            Found::Attributes(pending) => {
                let (_, signed) = raw(&pending.signature())?;
                (Claim::Cms(self, pending), signed)
            }
        };
        Ok((claim, Signed { is_cms: true, ..signed }))
    }

    /// Returns the SubjectPublicKeyInfo.
    fn spki_der(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Stateful(keys) => Ok(keys[0].to_spki_der()),
            Self::Lms(key) => key.to_spki_der().map_err(|error| error.to_string()),
            Self::SlhDsa(key) => Ok(key.to_spki_der()),
        }
    }

    /// Returns the claim of a raw signature, and the values in the signature itself.
    ///
    /// # Errors
    /// It cannot be a signature of this key.
    pub(super) fn claim(&self, signature: &[u8], form: &MessageForm) -> Result<(Claim<'_>, Signed), Error> {
        match self {
            Self::Stateful(keys) => {
                let key = public_key::of_signature(keys, signature.len())?;
                let claim = key.claim(signature)?;
                let index = signature[..key.set().index_bytes()].iter();
                let index = index.fold(0, |index, byte| index << 8 | u64::from(*byte));
                Ok((
                    Claim::Stateful(claim),
                    Signed { set: key.set().to_string(), index: Some(index), is_cms: false },
                ))
            }
            Self::Lms(key) => {
                let claim = lms::Claim::new(key, signature)?;
                let index = Some(claim.index());
                Ok((Claim::Lms(claim), Signed { set: set_name(key), index, is_cms: false }))
            }
            Self::SlhDsa(key) => {
                let (given, expected) = (signature.len(), key.set().signature_bytes());
                let claim = form.claim(key, signature);
                let claim = claim.map_err(|_| Error::SignatureLength { given, expected })?;
                Ok((
                    Claim::SlhDsa(Box::new(claim)),
                    Signed { set: key.set().to_string(), index: None, is_cms: false },
                ))
            }
        }
    }

    /// Bytes of the longest signature.
    pub(super) fn longest_signature(&self) -> usize {
        match self {
            Self::Stateful(keys) => keys.iter().map(|key| key.set().signature_bytes()).max().expect("a key"),
            // Its signatures hold the parameters of the lower trees.
            Self::Lms(key) => key.longest_signature(),
            Self::SlhDsa(key) => key.set().signature_bytes(),
        }
    }
}

/// The public key in a certificate, if the bytes are one in PEM or DER. Nobody checks the certificate: the
/// user trusts this file.
fn of_certificate(bytes: &[u8]) -> Result<Option<Vec<u8>>, pki::Error> {
    if !bytes.trim_ascii_start().starts_with(b"-----BEGIN CERTIFICATE-----") {
        return Ok(pki::public_key_of(bytes).ok().map(<[u8]>::to_vec));
    }
    let der = pki::der_of(bytes, CERTIFICATE_LABELS)?;
    pki::public_key_of(&der).map(|key| Some(key.to_vec()))
}

/// The topmost tree's parameters, and the number of levels.
fn set_name(key: &lms::VerifyingKey) -> String {
    match key.n_levels() {
        1 => key.top().to_string(),
        n => format!("{}, {n} levels", key.top()),
    }
}

/// A key of LMS or HSS, if the bytes are one in PEM or DER, or raw.
fn of_lms(bytes: &[u8]) -> Option<lms::VerifyingKey> {
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.trim_ascii_start().starts_with(b"-----BEGIN") => {
            lms::VerifyingKey::from_spki_pem(text).ok()
        }
        _ => lms::VerifyingKey::from_spki_der(bytes).or_else(|_| lms::VerifyingKey::from_bytes(bytes)).ok(),
    }
}

/// A key of SLH-DSA, if the bytes are one in PEM or DER.
fn of_slh_dsa(bytes: &[u8]) -> Option<slh_dsa::VerifyingKey> {
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.trim_ascii_start().starts_with(b"-----BEGIN") => {
            slh_dsa::VerifyingKey::from_spki_pem(text).ok()
        }
        _ => slh_dsa::VerifyingKey::from_spki_der(bytes).ok(),
    }
}
