//! The file `key`: written once, when the key is made, and read-only (mode 0400).
//!
//! ```text
//! bytes    field
//! 16       "hashlanes key" and zeros; of a generation that is not finished "hashlanes begun" and a zero
//! 4        version, 1
//! 4        scheme (1 XMSS, 2 XMSS^MT), n, h, d: a byte each
//! 4        OID; 0 of the tests' sets, which have none
//! 4        derivation: 1 SP 800-208, 2 the older one
//! 8        lo, the first index of the range
//! 8        hi, the index behind its last one
//! 16       instance: tells the parts of a split key apart
//! 32       key-id = SHA-256(OID ‖ root ‖ SEED); zeros of a generation that is not finished
//! n        root; of a generation that is not finished the one that is expected, or zeros
//! 3n       S_XMSS ‖ SK_PRF ‖ SEED
//! 32       HMAC
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hashlanes_sha::sha256;
use zeroize::Zeroizing;

use crate::hazmat::Derivation;
use crate::params::MAX_N;
use crate::store::Error;
use crate::store::fields::{MacKeys, Reader, Writer};
use crate::store::file_system::FileSystem;
use crate::store::open_directory::Directory;
use crate::{ParameterSet, Scheme, VerifyingKey};

pub(super) const NAME: &str = "key";
const MAGIC: &[u8; 16] = b"hashlanes key\0\0\0";
const MAGIC_UNFINISHED: &[u8; 16] = b"hashlanes begun\0";
const VERSION: u32 = 1;

/// What tells a directory's files from those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) key_id: [u8; 32],
    pub(super) instance: [u8; 16],
}

/// Whether there is a key already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Unfinished,
    Finished,
}

/// What `key` holds.
pub(super) struct KeyFile {
    pub(super) set: ParameterSet,
    pub(super) derivation: Derivation,
    pub(super) range: Range<u64>,
    pub(super) instance: [u8; 16],
    pub(super) stage: Stage,
    /// Of a generation that is not finished the one that is expected, if any is.
    pub(super) root: Option<Vec<u8>>,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    pub(super) seeds: Zeroizing<Vec<u8>>,
}

impl KeyFile {
    /// SHA-256 of the public key; zeros if there is none yet.
    pub(super) fn key_id(&self) -> [u8; 32] {
        match self.stage {
            Stage::Unfinished => [0; 32],
            Stage::Finished => key_id(&self.verifying_key()),
        }
    }

    pub(super) fn identity(&self) -> Identity {
        Identity { key_id: self.key_id(), instance: self.instance }
    }

    /// Of a key that is finished.
    pub(super) fn verifying_key(&self) -> VerifyingKey {
        let root = self.root.as_deref().expect("it is finished");
        VerifyingKey::new(self.set, root, &self.seeds[2 * self.set.n()..])
    }

    pub(super) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let magic = match self.stage {
            Stage::Unfinished => MAGIC_UNFINISHED,
            Stage::Finished => MAGIC,
        };
        let (set, zeros) = (&self.set, [0; MAX_N]);
        let scheme = match set.scheme() {
            Scheme::Xmss => 1,
            Scheme::XmssMt => 2,
        };
        let derivation = match self.derivation {
            Derivation::Sp800_208 => 1_u32,
            Derivation::Legacy => 2,
        };
        Writer::new(magic, VERSION)
            .put(&[scheme, set.n() as u8, set.height() as u8, set.layers() as u8])
            .put(&set.oid().unwrap_or(0).to_be_bytes())
            .put(&derivation.to_be_bytes())
            .number(self.range.start)
            .number(self.range.end)
            .put(&self.instance)
            .put(&self.key_id())
            .put(self.root.as_deref().unwrap_or(&zeros[..set.n()]))
            .put(&self.seeds)
            .finish(&MacKeys::new(&self.seeds).key)
    }

    pub(super) fn from_bytes(file: String, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Reader::new(file, bytes, MAGIC, VERSION)?).and_then(|(key, key_id, reader)| {
            if key.key_id() != key_id {
                return Err(reader.damaged("has another key-id than its key"));
            }
            reader.finish(&MacKeys::new(&key.seeds).key)?;
            Ok(key)
        })
    }

    pub(super) fn unfinished_from_bytes(file: String, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Reader::new(file, bytes, MAGIC_UNFINISHED, VERSION)?).and_then(|(key, _, reader)| {
            reader.finish(&MacKeys::new(&key.seeds).key)?;
            let root = key.root.filter(|root| root.iter().any(|byte| *byte != 0));
            Ok(Self { root, stage: Stage::Unfinished, ..key })
        })
    }

    /// All but the code: the fields, the key-id that stands there, and what is left.
    fn read(mut reader: Reader<'_>) -> Result<(Self, [u8; 32], Reader<'_>), Error> {
        let [scheme, n, height, layers] = reader.array()?;
        let oid = u32::from_be_bytes(reader.array()?);
        let scheme = match scheme {
            1 => Scheme::Xmss,
            2 => Scheme::XmssMt,
            _ => return Err(reader.damaged("has no such scheme")),
        };
        let set = if oid == 0 {
            ParameterSet::checked_of_height(scheme, n, height, layers)
        } else {
            ParameterSet::from_oid(scheme, oid).and_then(ParameterSet::supported).ok()
        };
        let set = set
            .filter(|set| (set.n(), set.height(), set.layers()) == (n.into(), height.into(), layers.into()));
        let set = set.ok_or_else(|| reader.damaged("has no such parameter set"))?;
        let derivation = match u32::from_be_bytes(reader.array()?) {
            1 => Derivation::Sp800_208,
            2 if set.n() != 24 => Derivation::Legacy,
            _ => return Err(reader.damaged("has no such derivation")),
        };
        let range = reader.number()?..reader.number()?;
        if range.start > range.end || range.end > set.signatures() {
            return Err(reader.damaged("has no such range of indices"));
        }
        let instance = reader.array()?;
        let key_id = reader.array()?;
        let root = Some(reader.take(set.n())?.to_vec());
        let seeds = Zeroizing::new(reader.take(3 * set.n())?.to_vec());
        let stage = Stage::Finished;
        Ok((Self { set, derivation, range, instance, stage, root, seeds }, key_id, reader))
    }
}

/// SHA-256(OID ‖ root ‖ SEED).
pub(super) fn key_id(key: &VerifyingKey) -> [u8; 32] {
    let oid = key.set().oid().unwrap_or(0).to_be_bytes();
    sha256(&[&oid[..], key.root(), key.seed()].concat())
}

/// The instance of a part that is split off: no two of a key are the same.
pub(super) fn instance_of(parent: Option<(&Identity, u64)>, range: &Range<u64>) -> [u8; 16] {
    let mut what = [&range.start.to_be_bytes()[..], &range.end.to_be_bytes()].concat();
    if let Some((parent, generation)) = parent {
        what.extend_from_slice(&parent.instance);
        what.extend_from_slice(&generation.to_be_bytes());
    }
    *sha256(&what).first_chunk().expect("32 bytes")
}

/// Reads the file `key`.
pub(super) fn read_key<F: FileSystem>(directory: &Directory<F>) -> Result<KeyFile, Error> {
    let (bytes, facts) = directory.read_with_facts(NAME)?;
    if facts.mode & 0o077 != 0 {
        let why = format!("others may read it (mode {:o} instead of 400)", facts.mode);
        return Err(directory.is_unsafe(NAME, why));
    }
    KeyFile::from_bytes(directory.path_of(NAME), &bytes)
}
