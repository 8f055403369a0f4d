//! Options for the messages of SLH-DSA: a context string, and a hash function before signing.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use hashlanes::hbs::slh_dsa::{Claim, Error, PreHash, VerifyingKey};

use crate::platform::ffi::OsStrExt;

// No doc comment: it would replace the help of the command.
#[derive(Args, Debug, Default)]
pub(super) struct MessageForm {
    /// Context string of SLH-DSA, at most 255 bytes: a signature is valid only with the same one
    #[arg(long, value_name = "TEXT", value_parser = context_parser())]
    context: Option<OsString>,

    /// Function of a pre-hashed signature (HashSLH-DSA); sign and verify must use the same one
    #[arg(long, value_name = "FUNCTION", value_parser = pre_hash_parser())]
    pub(super) pre_hash: Option<PreHash>,
}

fn context_parser() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|text| match text.len() {
        0..=255 => Ok(text),
        n => Err(format!("{n} bytes; expected 255 at most")),
    })
}

fn pre_hash_parser() -> impl TypedValueParser<Value = PreHash> {
    let function = |name: String| PreHash::ALL.iter().copied().find(|function| function.name() == name);
    PossibleValuesParser::new(PreHash::ALL.iter().map(|function| function.name()))
        .map(move |name| function(name).expect("a possible value"))
}

impl MessageForm {
    /// Returns the option that only keys of SLH-DSA support, if one is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        match (&self.context, self.pre_hash) {
            (Some(_), _) => Some("--context"),
            (None, Some(_)) => Some("--pre-hash"),
            (None, None) => None,
        }
    }

    pub(super) fn context(&self) -> &[u8] {
        self.context.as_ref().map_or(b"", |text| text.as_bytes())
    }

    /// Begins the claim of a signature.
    ///
    /// # Errors
    /// The signature has a wrong length.
    pub(super) fn claim<'k>(&self, key: &'k VerifyingKey, signature: &[u8]) -> Result<Claim<'k>, Error> {
        match self.pre_hash {
            None => Claim::new(key, self.context(), signature),
            Some(function) => Claim::pre_hashed(key, function, self.context(), signature),
        }
    }
}
