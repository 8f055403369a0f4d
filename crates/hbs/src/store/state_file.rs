//! The files `state` and witness, which are replaced with each commit.
//!
//! ```text
//! bytes    field of `state`                                    of a witness
//! 16       "hashlanes state" and a zero                        "hashlanes seen" and zeros
//! 4        version, 1                                          the same
//! 32       key-id                                              the same
//! 16       instance                                            the same
//! 8        generation                                          the same
//! 8        next                                                the same
//! 4        status: 1 active, 2 exhausted, 3 poisoned           –
//! 32       SHA-256 of the machine's id                         –
//! 8        device of the file `lock`                           –
//! 8        inode of the file `lock`                            –
//! 8        when the file `lock` was made, in nanoseconds       –
//! 8        inode of this file                                  –
//! 8        when this file was made; 0 where that is not kept   –
//! 32       HMAC                                                the same
//! ```

use alloc::string::String;
use alloc::vec::Vec;

use hashlanes_sha::sha256;
use zeroize::Zeroizing;

use crate::store::fields::{MacKeys, Reader, Writer};
use crate::store::file_system::{Facts, FileSystem};
use crate::store::key_file::Identity;
use crate::store::{Error, State, Status};

const MAGIC: &[u8; 16] = b"hashlanes state\0";
const MAGIC_WITNESS: &[u8; 16] = b"hashlanes seen\0\0";

/// Where a state was written: by which machine, beside which lock, to which file. The inode alone does not tell a file from
/// its copy: where a directory was removed before the copy was put back, ext4 gives the new `lock` the old one's number,
/// and what is copied over `state` has the number that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    machine: [u8; 32],
    device: u64,
    lock: FileId,
    state: FileId,
}

/// What a file has and its copy has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileId {
    inode: u64,
    made: u64,
}

impl Binding {
    pub(super) fn new(file_system: &impl FileSystem, lock: &Facts, state: &Facts) -> Self {
        // Where no birth is kept: nothing changes the status of `lock`, but the renaming of `state` does.
        let of_lock = FileId { inode: lock.inode, made: lock.born.unwrap_or(lock.changed) };
        let of_state = FileId { inode: state.inode, made: state.born.unwrap_or(0) };
        let machine = sha256(&file_system.machine());
        Self { machine, device: lock.device, lock: of_lock, state: of_state }
    }

    /// What differs.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.machine != other.machine {
            Some("the machine")
        } else if self.device != other.device {
            Some("the device")
        } else if self.lock != other.lock {
            Some("the file lock")
        } else if self.state != other.state {
            Some("the file state")
        } else {
            None
        }
    }
}

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
    Writer::new(MAGIC)
        .put(&identity.key_id)
        .put(&identity.instance)
        .number(state.generation)
        .number(state.next)
        .put(&status.to_be_bytes())
        .put(&binding.machine)
        .number(binding.device)
        .number(binding.lock.inode)
        .number(binding.lock.made)
        .number(binding.state.inode)
        .number(binding.state.made)
        .finish(&keys.state)
}

pub(super) fn from_bytes(
    keys: &MacKeys,
    identity: &Identity,
    file: String,
    bytes: &[u8],
) -> Result<(State, Binding), Error> {
    let mut reader = Reader::new(file, bytes, MAGIC)?;
    check_identity(&mut reader, identity)?;
    let (generation, next) = (reader.number()?, reader.number()?);
    let status = match u32::from_be_bytes(reader.array()?) {
        1 => Status::Active,
        2 => Status::Exhausted,
        3 => Status::Poisoned,
        _ => return Err(reader.damaged("has no such status")),
    };
    let machine = reader.array()?;
    let device = reader.number()?;
    let lock = FileId { inode: reader.number()?, made: reader.number()? };
    let state = FileId { inode: reader.number()?, made: reader.number()? };
    let binding = Binding { machine, device, lock, state };
    reader.finish(&keys.state)?;
    Ok((State { key_id: identity.key_id, generation, next, status }, binding))
}

/// What a witness knows of a state.
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
    Writer::new(MAGIC_WITNESS)
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
    let mut reader = Reader::new(file, bytes, MAGIC_WITNESS)?;
    check_identity(&mut reader, identity)?;
    let seen = Seen { generation: reader.number()?, next: reader.number()? };
    reader.finish(&keys.witness)?;
    Ok(seen)
}

fn check_identity(reader: &mut Reader<'_>, identity: &Identity) -> Result<(), Error> {
    let found = Identity { key_id: reader.array()?, instance: reader.array()? };
    if found == *identity { Ok(()) } else { Err(reader.other_key()) }
}
