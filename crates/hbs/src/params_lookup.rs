//! Lookup of parameter sets by name and OID, and which of them are supported.

#[cfg(feature = "alloc")]
use alloc::string::{String, ToString};
#[cfg(feature = "alloc")]
use core::str::FromStr;

use crate::params::HashFamily;
use crate::{Error, ParameterSet, Scheme};

impl ParameterSet {
    /// Returns the set with an OID.
    ///
    /// # Errors
    /// [`Error::UnknownOid`] if no set has it.
    pub fn from_oid(scheme: Scheme, oid: u32) -> Result<Self, Error> {
        let found = Self::all().find(|set| set.scheme() == scheme && set.oid() == Some(oid));
        found.ok_or(Error::UnknownOid { scheme, oid })
    }

    /// Returns the set itself, if this crate supports its hash.
    ///
    /// # Errors
    /// [`Error::Shake`] if its hash is SHAKE.
    pub(crate) fn supported(self) -> Result<Self, Error> {
        if self.hash() == HashFamily::Sha2 { Ok(self) } else { Err(Error::Shake(self)) }
    }
}

#[cfg(feature = "alloc")]
impl FromStr for ParameterSet {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::all().find(|set| set.to_string() == name);
        found.ok_or_else(|| Error::UnknownSet(String::from(name)))
    }
}
