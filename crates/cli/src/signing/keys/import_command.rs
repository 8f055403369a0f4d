//! `hashlanes key import`: secret keys of other programs.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hashlanes::hbs::store::{Derivation, import};
use hashlanes::hbs::{Error, Scheme};
use zeroize::Zeroizing;

use super::key_options::Access;
use super::key_sets::wanted_parser;
use super::keygen::{Making, print_made};
use super::passphrase_options::Encryption;
use super::refusal::Refusal;
use crate::help_text::list;
use crate::message::{Speaker, io_reason};
use crate::progress::Shown;
use crate::signing::exit_status::Status;
use crate::signing::parameter_sets::Wanted;

/// Creates a key directory from the secret key of another program.
///
/// The format of FILE is detected: PKCS#8, PEM or DER, of BouncyCastle (XMSS, XMSS^MT) or Botan 2 and 3
/// (XMSS), without a passphrase; the raw key of Botan; the raw key of the reference code of RFC 8391 (OID,
/// index, S_XMSS, SK_PRF, root, SEED).
///
/// The trees are computed again and must give the root in FILE. The new key starts at the index in FILE. A
/// shard of a BouncyCastle key keeps its last index. If another copy of the key may have signed more than
/// FILE records, give the first unused index with --first.
///
/// Afterwards, only the new key may sign: delete FILE and all its copies.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes key import botan.pem --out key", "Import a key of Botan or BouncyCastle"),
    ("hashlanes key import --scheme XMSSMT --first 500 reference.key --out new-key", "Import a raw key, and start at index 500 or higher"),
]))]
pub(super) struct ImportArgs {
    /// The secret key
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// XMSS, XMSSMT, or a parameter set; required for raw keys
    #[arg(long, value_name = "NAME", value_parser = wanted_parser(), hide_possible_values = true)]
    scheme: Option<Wanted>,

    /// New directory for the key
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Derivation of one-time keys: sp800-208 or legacy [default: by format; legacy for BouncyCastle and
    /// Botan 2, recorded in FILE for Botan 3, sp800-208 for the reference code]
    #[arg(long, value_name = "HOW", value_parser = derivation_parser(), hide_possible_values = true)]
    derivation: Option<Derivation>,

    /// Start at index N, or at the index in FILE if that is higher
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,

    #[command(flatten)]
    encryption: Encryption,

    #[command(flatten)]
    access: Access,

    /// Show progress: a bar on a terminal, or lines of JSON
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
        // Before the secret key is read.
        super::key_options::protect_memory();
        let wrong = |words: String| Refusal::new(Status::WrongUse, &self.file, words);
        let bytes = secret(&self.file);
        let bytes =
            bytes.map_err(|error| wrong(format!("cannot read the secret key: {}", io_reason(&error))))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(wrong("not a secret key: the file is longer than 1 MiB".into()));
        }
        let scheme = self.scheme.map(|wanted| match wanted {
            Wanted::Scheme(scheme) => scheme,
            Wanted::Set(set) => set.scheme(),
        });
        let imported = import(scheme, &bytes, self.derivation);
        let imported =
            imported.map_err(|error| wrong(format!("not a secret key: {}", in_scheme(&error, scheme))))?;
        drop(bytes);
        let set = imported.generation.set();
        if let Some(wanted) = self.scheme
            && !wanted.admits(set)
        {
            return Err(wrong(format!("not a secret key of {}: its parameter set is {set}", wanted.name())));
        }
        let indices = imported.indices.start.max(self.first)..imported.indices.end;
        let mut directory = self.access.new_or_known(&self.out)?;
        if let Some(passphrase) = self.encryption.of_new_key(self.access.passphrase(), &self.out)? {
            directory = directory.passphrase(passphrase);
        }
        let making = Making { speaker, directory: &directory, progress: self.progress };
        let key = making.make(imported.generation.into(), indices)?;
        Ok(print_made(speaker, &self.out, &key))
    }
}

/// Longer than the secret key of any set.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a file up to the byte that makes it too long, into one buffer that is overwritten when it is
/// dropped.
fn secret(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(MOST_BYTES as usize + 1));
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Adds a hint if the key may be one of the other scheme.
fn in_scheme(error: &Error, scheme: Option<Scheme>) -> String {
    let other = match scheme {
        None => return error.to_string(),
        Some(Scheme::Xmss) => Scheme::XmssMt,
        Some(Scheme::XmssMt) => Scheme::Xmss,
    };
    match error {
        Error::UnknownOid { .. } => format!("{error}; is it one of {}?", other.name()),
        _ => error.to_string(),
    }
}
