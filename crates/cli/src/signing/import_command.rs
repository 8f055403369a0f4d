//! `hashlanes key import`: secret keys of other implementations.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hashlanes::hbs::store::{Derivation, import};
use hashlanes::hbs::{Error, Scheme};
use zeroize::Zeroizing;

use super::keygen::{Making, print_made};
use super::opening::Witness;
use super::public_key::bounded;
use super::refusal::Refusal;
use super::sets::{Wanted, wanted_parser};
use super::status::Status;
use crate::message::{Speaker, io_reason};
use crate::progress::Shown;

/// Makes a key directory from the secret key of another implementation.
///
/// FILE is laid out as the reference code of RFC 8391 writes it: OID, index, S_XMSS, SK_PRF, root, SEED; what follows
/// is not needed. The trees are computed anew, and must give the same root.
///
/// From then on nothing else may sign with that key: delete FILE and all its copies. Its index is where the new key
/// begins; if it may have signed more than FILE knows, say so with --first.
#[derive(Args)]
pub(super) struct ImportArgs {
    /// The secret key
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which it is of: XMSS, XMSSMT, or the parameter set
    #[arg(long, value_name = "NAME", value_parser = wanted_parser(), hide_possible_values = true)]
    scheme: Wanted,

    /// The directory that is made for the key
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// How one-time keys come from the seed: sp800-208 (the reference code today, Botan 3), legacy (BouncyCastle,
    /// Botan 2, and before)
    #[arg(long, value_name = "HOW", default_value = "sp800-208", value_parser = derivation_parser())]
    derivation: Derivation,

    /// Begin with index N, if FILE's is not above it
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,

    #[command(flatten)]
    witness: Witness,

    /// Show how far it is: a bar on a terminal, lines of JSON for programs
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", num_args = 1)]
    progress: Shown,
}

fn derivation_parser() -> impl TypedValueParser<Value = Derivation> {
    PossibleValuesParser::new(["sp800-208", "legacy"]).map(|name| match &name[..] {
        "legacy" => Derivation::Legacy,
        _ => Derivation::Sp800_208,
    })
}

impl ImportArgs {
    pub(super) fn run(self, speaker: &Speaker) -> Result<ExitCode, Refusal> {
        let wrong = |words: String| Refusal::new(Status::WrongUse, &self.file, words);
        let bytes = bounded(&self.file).map(Zeroizing::new);
        let bytes =
            bytes.map_err(|error| wrong(format!("cannot read the secret key: {}", io_reason(&error))))?;
        let scheme = match self.scheme {
            Wanted::Scheme(scheme) => scheme,
            Wanted::Set(set) => set.scheme(),
        };
        let imported = import(scheme, &bytes, self.derivation);
        let imported =
            imported.map_err(|error| wrong(format!("no secret key: {}", in_scheme(&error, scheme))))?;
        if let Wanted::Set(set) = self.scheme
            && imported.generation.set() != set
        {
            return Err(wrong(format!("no secret key of {set}: it is of {}", imported.generation.set())));
        }
        let first = imported.next.max(self.first);
        let directory = self.witness.new_or_known(&self.out);
        let making = Making { speaker, directory: &directory, progress: self.progress };
        let key = making.make(imported.generation, first)?;
        Ok(print_made(speaker, &self.out, &key))
    }
}

/// An error of a key that may be one of the other scheme.
fn in_scheme(error: &Error, scheme: Scheme) -> String {
    let other = match scheme {
        Scheme::Xmss => Scheme::XmssMt,
        Scheme::XmssMt => Scheme::Xmss,
    };
    match error {
        Error::UnknownOid { .. } => format!("{error}; is it one of {}?", other.name()),
        _ => error.to_string(),
    }
}
