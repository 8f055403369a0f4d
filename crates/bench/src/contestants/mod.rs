//! The contestants. A new rival is a file and a line here.

mod aegis;
mod botan;
mod cipher_rivals;
mod ciphers;
mod gcm;
mod hash_based;
mod hashtree;
mod ipsec_mb;
mod keccak;
mod libcrypto;
mod libgcrypt;
mod other_hashes;
mod ours;
mod ring;
mod rustcrypto;
mod sha3_finalists;
mod slow_to_build;
mod tags;
mod trees;
mod xmss;

use crate::candidate::Candidate;

pub(crate) use hash_based::expected as expected_of_hash_based;
pub(crate) use ours::{CALIBRATED, OURS, kernel_name, rows, tables};

/// All contestants by name except our kernels; our library is the first.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    let mut all: Vec<Box<dyn Candidate>> = vec![Box::new(ours::Ours::new(None))];
    all.extend(rustcrypto::all());
    all.extend(keccak::crates());
    all.push(Box::new(ciphers::RustCrypto));
    all.push(Box::new(gcm::AesGcmSivCrate));
    all.push(Box::new(ring::Ring));
    all.push(Box::new(hashtree::Hashtree));
    all.extend(libcrypto::all());
    all.push(Box::new(libgcrypt::Libgcrypt));
    all.extend(ipsec_mb::all());
    all.extend(slow_to_build::all());
    all.push(Box::new(other_hashes::Blake3));
    all.push(Box::new(other_hashes::Kt128));
    all.extend(sha3_finalists::all());
    all.push(Box::new(botan::Xmss));
    all.extend(aegis::crates());
    all.extend(hash_based::crates());
    all
}

/// The candidate of that name; `hashlanes:KERNEL` is one of our kernels.
///
/// # Errors
/// Lists the contestants if the name is unknown.
pub(crate) fn named(name: &str) -> Result<Box<dyn Candidate>, String> {
    if let Some(kernel) = kernel_name(name) {
        return Ok(Box::new(ours::Ours::new(Some(kernel))));
    }
    let mut all = all();
    match all.iter().position(|c| c.name() == name) {
        Some(i) => Ok(all.swap_remove(i)),
        None => {
            let names: Vec<_> = all.iter().map(|c| c.name()).collect();
            Err(format!(
                "unknown contestant {name:?}; expected one of {}, and {OURS}:KERNEL",
                names.join(", ")
            ))
        }
    }
}
