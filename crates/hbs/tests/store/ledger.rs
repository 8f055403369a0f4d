//! The ledger of all released signatures: it judges all tests.

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

/// Returns a file system with a key in `/key`.
pub(crate) fn with_key() -> Simulated {
    let simulated = Simulated::new();
    drop(place(&simulated, "/key").create(generation()).unwrap());
    simulated
}

/// Opens a key, without its value, for `unwrap_err`.
pub(crate) fn opened<F: FileSystem>(place: &KeyDirectory<F>) -> Result<(), Error> {
    place.open().map(drop)
}

/// All indices that were released under one public key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    released: BTreeMap<u64, Vec<u8>>,
    /// The indices that were released twice.
    pub(crate) reused: Vec<u64>,
}

impl Ledger {
    /// Signs a new message, enters the signature, and returns its index.
    ///
    /// The key verifies the signature; tests that do not sign thousands of times verify it again.
    pub(crate) fn sign<S: StateStore>(&mut self, key: &mut SigningKey<S>) -> Result<u64, Error> {
        let message = format!("message {}", self.released.len()).into_bytes();
        let signature = key.try_sign(&message[..])?;
        Ok(self.enter(key.verifying_key(), &message, &signature))
    }

    /// Signs, and verifies the signature again.
    pub(crate) fn sign_verified<S: StateStore>(&mut self, key: &mut SigningKey<S>) -> Result<u64, Error> {
        let message = format!("verified {}", self.released.len()).into_bytes();
        let signature = key.try_sign(&message[..])?;
        key.verifying_key().verify(&message, signature.as_ref()).unwrap();
        Ok(self.enter(key.verifying_key(), &message, &signature))
    }

    /// Signs several messages, and verifies the signatures again.
    pub(crate) fn sign_some<S: StateStore>(&mut self, key: &mut SigningKey<S>, signatures: usize) {
        for _ in 0..signatures {
            self.sign_verified(key).unwrap();
        }
    }

    /// Enters a released signature; returns its index.
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
