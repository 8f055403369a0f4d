//! The file `key`: written when the key is created, and read-only (mode 0400). A change of the passphrase
//! replaces it. With a passphrase these bytes are encrypted: see `secret_file.rs`.
//!
//! ```text
//! bytes    field
//! 16       "hashlanes key" and zeros; for an unfinished generation "hashlanes begun" and a zero
//! 4        version, 1
//! 4        scheme (1 XMSS, 2 XMSS^MT, 3 HSS), n, h, d: a byte each
//! 4        OID; 0 for HSS, and for sets of the tests, which have none
//! 4        derivation: 1 SP 800-208, 2 the older one
//! 8d       only HSS: typecodes of each level's LMS and LM-OTS sets, 4 bytes each, the topmost level first
//! 8        lo, the first index of the range
//! 8        hi, the first index after the range
//! 16       instance: distinguishes the parts of a split key
//! 32       key-id = SHA-256(OID ‖ root ‖ SEED), for HSS SHA-256(public key); zeros for an unfinished generation
//! n        root; for an unfinished generation the expected root, or zeros
//! 3n       S_XMSS ‖ SK_PRF ‖ SEED; for HSS n + 16: SEED ‖ I
//! 32       HMAC
//! ```

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hashlanes_sha::sha256;
use zeroize::Zeroizing;

use crate::hazmat::shelf::Shelf;
use crate::hazmat::{Derivation, KeyGeneration, signer};
use crate::lms::{self, Level};
use crate::params::MAX_N;
use crate::passphrase::Passphrase;
use crate::store::fields::{MacKeys, Reader, Writer};
use crate::store::file_system::FileSystem;
use crate::store::open_directory::Directory;
use crate::store::scheme::Signer;
use crate::store::{Error, Generation, KeySet, PublicKey, secret_file};
use crate::{ParameterSet, Scheme, VerifyingKey};

pub(super) const NAME: &str = "key";
const MAGIC: &[u8; 16] = b"hashlanes key\0\0\0";
const MAGIC_UNFINISHED: &[u8; 16] = b"hashlanes begun\0";
const VERSION: u32 = 1;
/// The maximum number of levels of HSS.
const MAX_LEVELS: u8 = 8;

/// The identity of a key's files: distinguishes them from those of other keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) key_id: [u8; 32],
    pub(super) instance: [u8; 16],
}

/// Returns whether the directory contains a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Unfinished,
    Finished,
}

/// The content of `key`.
pub(super) struct KeyFile {
    pub(super) set: KeySet,
    /// The derivation of XMSS and XMSS^MT.
    pub(super) derivation: Derivation,
    pub(super) range: Range<u64>,
    pub(super) instance: [u8; 16],
    pub(super) stage: Stage,
    /// The root of a finished key; for an unfinished generation the expected root, if there is one.
    pub(super) root: Option<Vec<u8>>,
    /// S_XMSS ‖ SK_PRF ‖ SEED, or SEED ‖ I.
    pub(super) seeds: Zeroizing<Vec<u8>>,
}

impl KeyFile {
    /// SHA-256 of the public key; zeros before it is known.
    pub(super) fn key_id(&self) -> [u8; 32] {
        match self.stage {
            Stage::Unfinished => [0; 32],
            Stage::Finished => key_id(&self.public_key()),
        }
    }

    pub(super) fn identity(&self) -> Identity {
        Identity { key_id: self.key_id(), instance: self.instance }
    }

    /// Returns the root of a finished key.
    pub(super) fn finished_root(&self) -> &[u8] {
        self.root.as_deref().expect("it is finished")
    }

    /// Returns the public key of a finished key.
    pub(super) fn public_key(&self) -> PublicKey {
        self.set.public_key(&self.seeds, self.finished_root())
    }

    /// Returns the keys of the codes of its files.
    pub(super) fn mac_keys(&self) -> MacKeys {
        MacKeys::new(self.set.secret(&self.seeds))
    }

    /// Returns the generation of an unfinished key.
    pub(super) fn generation(&self) -> Result<Generation<'static>, crate::Error> {
        match self.set {
            KeySet::Xmss(set) => {
                let generation = KeyGeneration::new(set, &self.seeds)?.derivation(self.derivation)?;
                Ok(Generation::Xmss(match &self.root {
                    Some(root) => generation.expecting_root(root),
                    None => generation,
                }))
            }
            KeySet::Lms(set) => Ok(Generation::Lms(lms::KeyGeneration::new(set, &self.seeds)?)),
        }
    }

    /// Returns the signer of a key whose trees are kept on `shelf`, or rebuilt when they are needed.
    pub(super) fn signer(&self, shelf: Box<dyn Shelf>) -> Signer {
        let (seeds, root) = (self.seeds.clone(), self.finished_root());
        match self.set {
            KeySet::Xmss(set) => {
                let public = VerifyingKey::new(set, root, &seeds[2 * set.n()..]);
                Signer::Xmss(signer::Signer::new(seeds, self.derivation, public, shelf))
            }
            KeySet::Lms(set) => Signer::Lms(lms::signer::Signer::new(set, seeds, root, shelf)),
        }
    }

    /// Returns the index of a signature that this key made: see [`Signer::index_of`].
    pub(super) fn index_of(&self, signature: &[u8]) -> Result<u64, crate::Error> {
        match self.set {
            KeySet::Xmss(set) => signer::index_of(set, self.derivation, &self.seeds, signature),
            KeySet::Lms(set) => {
                let public = lms::VerifyingKey::of_seeds(&set, &self.seeds, self.finished_root());
                lms::signer::index_of(&set, &self.seeds, &public, signature)
            }
        }
    }

    /// Creates the content for a new generation.
    pub(super) fn begun(generation: &Generation<'_>, range: Range<u64>) -> Self {
        let (derivation, root, seeds) = match generation {
            Generation::Xmss(xmss) => (xmss.derivation, xmss.root.clone(), xmss.seeds.clone()),
            Generation::Lms(lms) => (Derivation::default(), None, lms.seeds.clone()),
        };
        let instance = instance_of(None, &range);
        Self { set: generation.set(), derivation, range, instance, stage: Stage::Unfinished, root, seeds }
    }

    pub(super) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let magic = match self.stage {
            Stage::Unfinished => MAGIC_UNFINISHED,
            Stage::Finished => MAGIC,
        };
        let (set, zeros) = (&self.set, [0; MAX_N]);
        let (scheme, height, layers, oid, levels) = match set {
            KeySet::Xmss(set) => {
                let scheme = if set.scheme() == Scheme::Xmss { 1 } else { 2 };
                (scheme, set.height(), set.layers() as usize, set.oid().unwrap_or(0), &[][..])
            }
            KeySet::Lms(set) => (3, set.height(), set.levels().len(), 0, set.levels()),
        };
        let types = levels.iter().flat_map(|level| [level.lms_type(), level.lmots_type()]);
        let types: Vec<u8> = types.flat_map(u32::to_be_bytes).collect();
        let derivation = match self.derivation {
            Derivation::Sp800_208 => 1_u32,
            Derivation::Legacy => 2,
        };
        Writer::new(magic, VERSION)
            .put(&[scheme, set.n() as u8, height as u8, layers as u8])
            .put(&oid.to_be_bytes())
            .put(&derivation.to_be_bytes())
            .put(&types)
            .number(self.range.start)
            .number(self.range.end)
            .put(&self.instance)
            .put(&self.key_id())
            .put(self.root.as_deref().unwrap_or(&zeros[..set.n()]))
            .put(&self.seeds)
            .finish(&self.mac_keys().key)
    }

    pub(super) fn from_bytes(file: String, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Reader::new(file, bytes, MAGIC, VERSION)?).and_then(|(key, key_id, reader)| {
            if key.key_id() != key_id {
                return Err(reader.damaged("has another key-id than its key"));
            }
            reader.finish(&key.mac_keys().key)?;
            Ok(key)
        })
    }

    pub(super) fn unfinished_from_bytes(file: String, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Reader::new(file, bytes, MAGIC_UNFINISHED, VERSION)?).and_then(|(key, _, reader)| {
            reader.finish(&key.mac_keys().key)?;
            let root = key.root.filter(|root| root.iter().any(|byte| *byte != 0));
            Ok(Self { root, stage: Stage::Unfinished, ..key })
        })
    }

    /// Reads everything except the code. Returns the fields, the recorded key-id, and the rest of the reader.
    fn read(mut reader: Reader<'_>) -> Result<(Self, [u8; 32], Reader<'_>), Error> {
        let [scheme, n, height, layers] = reader.array()?;
        if scheme == 3 {
            return Self::read_hss(reader, [n, height, layers]);
        }
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
        Self::read_rest(reader, set.into(), derivation)
    }

    /// Reads the fields after the scheme for a key of HSS.
    fn read_hss(
        mut reader: Reader<'_>,
        [n, height, n_levels]: [u8; 3],
    ) -> Result<(Self, [u8; 32], Reader<'_>), Error> {
        // The OID, and the derivation.
        if reader.array()? != [0; 4] || reader.array()? != 1_u32.to_be_bytes() {
            return Err(reader.damaged("has no such parameter set"));
        }
        let mut levels = Vec::new();
        for _ in 0..n_levels.min(MAX_LEVELS) {
            let (lms, lmots) = (u32::from_be_bytes(reader.array()?), u32::from_be_bytes(reader.array()?));
            levels.extend(Level::from_types(lms, lmots));
        }
        let set = lms::ParameterSet::new(&levels).ok().filter(|set| {
            (set.n(), set.height(), set.levels().len()) == (n.into(), height.into(), n_levels.into())
        });
        let set = set.ok_or_else(|| reader.damaged("has no such parameter set"))?;
        Self::read_rest(reader, set.into(), Derivation::default())
    }

    /// Reads the fields from the range on.
    fn read_rest(
        mut reader: Reader<'_>,
        set: KeySet,
        derivation: Derivation,
    ) -> Result<(Self, [u8; 32], Reader<'_>), Error> {
        let range = reader.number()?..reader.number()?;
        if range.start > range.end || range.end > set.signatures() {
            return Err(reader.damaged("has no such range of indices"));
        }
        let instance = reader.array()?;
        let key_id = reader.array()?;
        let root = Some(reader.take(set.n())?.to_vec());
        let seeds = Zeroizing::new(reader.take(set.seeds_bytes())?.to_vec());
        let stage = Stage::Finished;
        Ok((Self { set, derivation, range, instance, stage, root, seeds }, key_id, reader))
    }
}

/// SHA-256 of the public key.
pub(super) fn key_id(key: &PublicKey) -> [u8; 32] {
    sha256(&key.identity())
}

/// Returns the instance of a part that is split off; each part of a key has another one.
pub(super) fn instance_of(parent: Option<(&Identity, u64)>, range: &Range<u64>) -> [u8; 16] {
    let mut what = [&range.start.to_be_bytes()[..], &range.end.to_be_bytes()].concat();
    if let Some((parent, generation)) = parent {
        what.extend_from_slice(&parent.instance);
        what.extend_from_slice(&generation.to_be_bytes());
    }
    *sha256(&what).first_chunk().expect("32 bytes")
}

/// Reads the file `key`.
pub(super) fn read_key<F: FileSystem>(
    directory: &Directory<F>,
    passphrase: Option<&Passphrase>,
) -> Result<KeyFile, Error> {
    let (bytes, facts) = directory.read_with_facts(NAME)?;
    if facts.mode & 0o077 != 0 {
        let why = format!("others may read it (mode {:o} instead of 400)", facts.mode);
        return Err(directory.is_unsafe(NAME, why));
    }
    let bytes = secret_file::from_file(passphrase, directory.path_of(NAME), bytes)?;
    KeyFile::from_bytes(directory.path_of(NAME), &bytes)
}
