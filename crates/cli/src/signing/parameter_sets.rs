//! Parameter sets of public keys on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use hashlanes::hbs::{Error, HashFamily, ParameterSet, Scheme, lms, slh_dsa};

/// Reads sets of LMS and HSS: names of levels with `/` between them. All other names are those of `others`.
#[derive(Clone)]
pub(super) struct Levels<P: TypedValueParser> {
    pub(super) others: P,
    pub(super) of_lms: fn(lms::ParameterSet) -> P::Value,
}

impl<P: TypedValueParser> TypedValueParser for Levels<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let Some(name) = value.to_str().filter(|name| name.starts_with("LMS_") && is_lms(name)) else {
            return self.others.parse_ref(command, arg, value);
        };
        let set = name.parse().map_err(|error: Error| {
            let words = format!("set {name:?}: {error}\n");
            clap::Error::raw(ErrorKind::ValueValidation, words).with_cmd(command)
        })?;
        Ok((self.of_lms)(set))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.others.possible_values()
    }
}

/// Whether all levels of a name are known: if not, the nearest name is suggested.
fn is_lms(name: &str) -> bool {
    name.contains('/') || name.parse::<lms::Level>().is_ok()
}

pub(super) fn lms_names() -> impl Iterator<Item = PossibleValue> {
    lms::Level::all().map(|level| PossibleValue::new(level.to_string()))
}

pub(super) fn slh_dsa_names() -> impl Iterator<Item = PossibleValue> {
    slh_dsa::ParameterSet::all().map(|set| PossibleValue::new(set.name()))
}

/// A restriction for a raw public key, which has only the number of its parameter set.
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

/// The requirement for a public key.
#[derive(Clone, Copy, Debug)]
pub(super) enum WantedKey {
    Stateful(Wanted),
    /// LMS or HSS: a set, or any.
    Lms(Option<lms::ParameterSet>),
    /// SLH-DSA: a set, or any.
    SlhDsa(Option<slh_dsa::ParameterSet>),
}

impl WantedKey {
    pub(super) fn name(self) -> String {
        match self {
            WantedKey::Stateful(wanted) => wanted.name(),
            WantedKey::Lms(set) => set.map_or("HSS".into(), |set| set.to_string()),
            WantedKey::SlhDsa(set) => set.map_or("SLH-DSA", slh_dsa::ParameterSet::name).into(),
        }
    }
}

/// `XMSS`, `XMSSMT`, `HSS`, `SLH-DSA`, or a set.
pub(super) fn wanted_key_parser() -> impl TypedValueParser<Value = WantedKey> {
    let schemes = ["HSS", "SLH-DSA"].map(PossibleValue::new);
    let names = stateful_names().chain(schemes).chain(lms_names()).chain(slh_dsa_names());
    let others = PossibleValuesParser::new(names).map(|name| match name.parse() {
        Ok(set) => WantedKey::SlhDsa(Some(set)),
        Err(_) if name == "SLH-DSA" => WantedKey::SlhDsa(None),
        Err(_) if name == "HSS" => WantedKey::Lms(None),
        Err(_) => WantedKey::Stateful(stateful(&name)),
    });
    Levels { others, of_lms: |set| WantedKey::Lms(Some(set)) }
}

pub(super) fn stateful_names() -> impl Iterator<Item = PossibleValue> {
    let schemes = [Scheme::Xmss, Scheme::XmssMt].map(|scheme| PossibleValue::new(scheme.name()));
    let sets = ParameterSet::all().filter(|set| set.hash() == HashFamily::Sha2);
    schemes.into_iter().chain(sets.map(|set| PossibleValue::new(set.to_string())))
}

pub(super) fn stateful(name: &str) -> Wanted {
    match name {
        "XMSS" => Wanted::Scheme(Scheme::Xmss),
        "XMSSMT" => Wanted::Scheme(Scheme::XmssMt),
        set => Wanted::Set(set.parse().expect("one of the names")),
    }
}
