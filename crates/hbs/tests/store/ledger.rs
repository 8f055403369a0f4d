//! What was released, whoever released it: the judge of all tests.

use std::collections::BTreeMap;

use hashlanes_hbs::Signature;
use hashlanes_hbs::store::file_system::FileSystem;
use hashlanes_hbs::store::{Error, FileStore, KeyDirectory, PublicKey, SigningKey, StateStore};

pub(crate) use crate::fixture::{
    HEIGHT, OF_A_TREE, SIGNATURES, generation, generation_of_layers, other_generation,
};
use crate::simulated::Simulated;

pub(crate) type Key = SigningKey<FileStore<Simulated>>;

pub(crate) fn place(simulated: &Simulated, path: &str) -> KeyDirectory<Simulated> {
    KeyDirectory::on(path, simulated.clone())
}

/// A file system with a key in `/key`.
pub(crate) fn with_key() -> Simulated {
    let simulated = Simulated::new();
    drop(place(&simulated, "/key").create(generation()).unwrap());
    simulated
}

/// A key without its file system, for `unwrap_err`.
pub(crate) fn opened<F: FileSystem>(place: &KeyDirectory<F>) -> Result<(), Error> {
    place.open().map(drop)
}

/// All indices that were released under one public key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    released: BTreeMap<u64, Vec<u8>>,
    /// Indices that were released twice.
    pub(crate) reused: Vec<u64>,
}

impl Ledger {
    /// Signs a message that no other has, and enters what was released: its index. The key verifies it; where tests do not count
    /// by the thousand, they do, too.
    pub(crate) fn sign<S: StateStore>(&mut self, key: &mut SigningKey<S>) -> Result<u64, Error> {
        let message = format!("message {}", self.released.len()).into_bytes();
        let signature = key.try_sign(&message[..])?;
        Ok(self.enter(key.verifying_key(), &message, &signature))
    }

    /// The same, verified.
    pub(crate) fn sign_verified<S: StateStore>(&mut self, key: &mut SigningKey<S>) -> Result<u64, Error> {
        let message = format!("verified {}", self.released.len()).into_bytes();
        let signature = key.try_sign(&message[..])?;
        key.verifying_key().verify(&message, signature.as_ref()).unwrap();
        Ok(self.enter(key.verifying_key(), &message, &signature))
    }

    /// So many, verified.
    pub(crate) fn sign_some<S: StateStore>(&mut self, key: &mut SigningKey<S>, signatures: usize) {
        for _ in 0..signatures {
            self.sign_verified(key).unwrap();
        }
    }

    /// Enters a signature that was released: its index.
    pub(crate) fn enter(&mut self, key: &PublicKey, message: &[u8], signature: &Signature) -> u64 {
        let index = key.index_of(signature.as_ref()).unwrap();
        if self.released.insert(index, message.to_vec()).is_some() {
            self.reused.push(index);
        }
        index
    }

    pub(crate) fn len(&self) -> usize {
        self.released.len()
    }

    pub(crate) fn is_released(&self, index: u64) -> bool {
        self.released.contains_key(&index)
    }
}
