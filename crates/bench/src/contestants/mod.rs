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
mod trees;
mod xmss;

use arrayvec::ArrayVec;

use crate::candidate::Candidate;

pub(crate) use hash_based::expected as expected_of_hash_based;
pub(crate) use ours::{OURS, kernel_name, rows, tables};

/// All contestants by name except our kernels; our library is the first.
pub(crate) fn all() -> Vec<Box<dyn Candidate>> {
    let mut all: Vec<Box<dyn Candidate>> = vec![Box::new(ours::Ours::new(None))];
    all.extend(rustcrypto::all());
    all.extend(keccak::crates());
    all.push(Box::new(ciphers::RustCrypto));
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
            Err(format!("there is no {name:?}; there is {}, and {OURS}:KERNEL", names.join(", ")))
        }
    }
}

/// Calls a function of many messages with a list of them, and copies their tags to the results. Few are in a
/// list on the stack: a caller has such a list already, and the heap takes longer than a short message.
fn with_tags<'r, R, M, T: 'r>(
    results: &'r mut [R],
    message: impl Fn(usize, &'r mut R) -> (M, &'r mut T),
    run: impl FnOnce(&mut [M]),
    tag: impl Fn(&M) -> T,
) {
    const FEW: usize = 64;
    // Lists are filled where they are: a move copies the whole room.
    macro_rules! with {
        ($messages:expr, $places:expr) => {{
            let (mut messages, mut places) = ($messages, $places);
            for (i, result) in results.iter_mut().enumerate() {
                let (message, place) = message(i, result);
                messages.push(message);
                places.push(place);
            }
            run(&mut messages);
            messages.iter().zip(&mut places).for_each(|(message, place)| **place = tag(message));
        }};
    }
    if results.len() <= FEW {
        with!(ArrayVec::<M, FEW>::new(), ArrayVec::<&mut T, FEW>::new());
    } else {
        with!(Vec::new(), Vec::new());
    }
}
