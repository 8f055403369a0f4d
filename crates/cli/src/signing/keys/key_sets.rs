//! Parameter sets of keys that are made or imported, on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hashlanes::hbs::store::KeySet;
use hashlanes::hbs::{Error, HashFamily, ParameterSet, slh_dsa};

use crate::signing::parameter_sets::{Levels, Wanted, lms_names, slh_dsa_names, stateful, stateful_names};

/// A set of a key to be generated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    /// XMSS, XMSS^MT, LMS or HSS: its keys count their signatures.
    Stateful(KeySet),
    SlhDsa(slh_dsa::ParameterSet),
}

/// Sets by name: those of XMSS over SHAKE are known, and refused with the reason.
pub(super) fn parser() -> impl TypedValueParser<Value = Set> {
    let value = |set: ParameterSet| PossibleValue::new(set.to_string()).hide(set.hash() != HashFamily::Sha2);
    let names = ParameterSet::all().map(value).chain(lms_names()).chain(slh_dsa_names());
    let set_of = |name: String| {
        if let Ok(set) = name.parse() {
            return Ok(Set::SlhDsa(set));
        }
        let set: ParameterSet = name.parse()?;
        if set.hash() == HashFamily::Sha2 { Ok(Set::Stateful(set.into())) } else { Err(Error::Shake(set)) }
    };
    Levels {
        others: PossibleValuesParser::new(names).try_map(set_of),
        of_lms: |set| Set::Stateful(set.into()),
    }
}

/// `XMSS`, `XMSSMT`, or a set of them.
pub(super) fn wanted_parser() -> impl TypedValueParser<Value = Wanted> {
    PossibleValuesParser::new(stateful_names()).map(|name| stateful(&name))
}
