//! Parameter sets on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hashlanes::hbs::{Error, HashFamily, ParameterSet, Scheme};

/// Sets by name: those over SHA-2 are offered; those over SHAKE are known, and refused with the reason.
pub(super) fn parser() -> impl TypedValueParser<Value = ParameterSet> {
    let value = |set: ParameterSet| PossibleValue::new(set.to_string()).hide(set.hash() != HashFamily::Sha2);
    PossibleValuesParser::new(ParameterSet::all().map(value)).try_map(|name| {
        let set: ParameterSet = name.parse()?;
        if set.hash() == HashFamily::Sha2 { Ok(set) } else { Err(Error::Shake(set)) }
    })
}

/// What is said of a raw public key, which tells the number of its set alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Scheme(Scheme),
    Set(ParameterSet),
}

impl Wanted {
    pub(super) fn admits(self, set: ParameterSet) -> bool {
        match self {
            Wanted::Scheme(scheme) => set.scheme() == scheme,
            Wanted::Set(wanted) => set == wanted,
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Wanted::Scheme(scheme) => scheme.name().into(),
            Wanted::Set(set) => set.to_string(),
        }
    }
}

/// `XMSS`, `XMSSMT`, or a set.
pub(super) fn wanted_parser() -> impl TypedValueParser<Value = Wanted> {
    let schemes = [Scheme::Xmss, Scheme::XmssMt].map(|scheme| PossibleValue::new(scheme.name()));
    let sets = ParameterSet::all().filter(|set| set.hash() == HashFamily::Sha2);
    let sets = sets.map(|set| PossibleValue::new(set.to_string()));
    PossibleValuesParser::new(schemes.into_iter().chain(sets)).map(|name| match &name[..] {
        "XMSS" => Wanted::Scheme(Scheme::Xmss),
        "XMSSMT" => Wanted::Scheme(Scheme::XmssMt),
        set => Wanted::Set(set.parse().expect("one of the names")),
    })
}
