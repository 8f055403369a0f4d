//! The files `state` and witness, which are replaced with each commit.
//!
//! ```text
//! bytes    field of `state`                                    of a witness
//! 16       "hashlanes state" and a zero                        "hashlanes seen" and zeros
//! 4        version, 2                                          1
//! 32       key-id                                              the same
//! 16       instance                                            the same
//! 8        generation                                          the same
//! 8        next                                                the same
//! 4        status: 1 active, 2 exhausted, 3 poisoned           –
//! 100      binding, see `file_identity.rs`                           –
//! 32       HMAC                                                the same
//! ```
//!
//! Version 1 of `state` is read by `old_format.rs`.

use alloc::string::String;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::store::fields::{MacKeys, Reader, Writer};
use crate::store::file_identity::Binding;
use crate::store::key_format::Identity;
use crate::store::{Error, State, Status};

pub(super) const NAME: &str = "state";
pub(super) const MAGIC: &[u8; 16] = b"hashlanes state\0";
const VERSION: u32 = 2;
const MAGIC_WITNESS: &[u8; 16] = b"hashlanes seen\0\0";
const VERSION_OF_WITNESS: u32 = 1;

pub(super) fn to_bytes(
    keys: &MacKeys,
    identity: &Identity,
    state: &State,
    binding: &Binding,
) -> Zeroizing<Vec<u8>> {
    let status = match state.status {
        Status::Active => 1_u32,
        Status::Exhausted => 2,
        Status::Poisoned => 3,
    };
    let writer = Writer::new(MAGIC, VERSION)
        .put(&identity.key_id)
        .put(&identity.instance)
        .number(state.generation)
        .number(state.next)
        .put(&status.to_be_bytes());
    binding.write(writer).finish(&keys.state)
}

pub(super) fn from_bytes(
    keys: &MacKeys,
    identity: &Identity,
    file: String,
    bytes: &[u8],
) -> Result<(State, Binding), Error> {
    let mut reader = Reader::new(file, bytes, MAGIC, VERSION)?;
    let state = read_state(&mut reader, identity)?;
    let binding = Binding::read(&mut reader)?;
    reader.finish(&keys.state)?;
    Ok((state, binding))
}

/// The fields that all versions have.
pub(super) fn read_state(reader: &mut Reader<'_>, identity: &Identity) -> Result<State, Error> {
    check_identity(reader, identity)?;
    let (generation, next) = (reader.number()?, reader.number()?);
    let status = match u32::from_be_bytes(reader.array()?) {
        1 => Status::Active,
        2 => Status::Exhausted,
        3 => Status::Poisoned,
        _ => return Err(reader.damaged("has an unknown status")),
    };
    Ok(State { key_id: identity.key_id, generation, next, status })
}

/// The data of a state that a witness keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) generation: u64,
    pub(super) next: u64,
}

impl Seen {
    pub(super) fn of(state: &State) -> Self {
        Self { generation: state.generation, next: state.next }
    }
}

pub(super) fn witness_to_bytes(keys: &MacKeys, identity: &Identity, seen: Seen) -> Zeroizing<Vec<u8>> {
    Writer::new(MAGIC_WITNESS, VERSION_OF_WITNESS)
        .put(&identity.key_id)
        .put(&identity.instance)
        .number(seen.generation)
        .number(seen.next)
        .finish(&keys.witness)
}

pub(super) fn witness_from_bytes(
    keys: &MacKeys,
    identity: &Identity,
    file: String,
    bytes: &[u8],
) -> Result<Seen, Error> {
    let mut reader = Reader::new(file, bytes, MAGIC_WITNESS, VERSION_OF_WITNESS)?;
    check_identity(&mut reader, identity)?;
    let seen = Seen { generation: reader.number()?, next: reader.number()? };
    reader.finish(&keys.witness)?;
    Ok(seen)
}

fn check_identity(reader: &mut Reader<'_>, identity: &Identity) -> Result<(), Error> {
    let found = Identity { key_id: reader.array()?, instance: reader.array()? };
    if found == *identity { Ok(()) } else { Err(reader.other_key()) }
}
