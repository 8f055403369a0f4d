//! The figures of Faz-Hernández, López, de Oliveira 2018: SHA-NI, AES-NI and signatures.

pub(super) mod aegis;
pub(super) mod aegis_many;
pub(super) mod aes_in_flight;
pub(super) mod cbc_encryption;
pub(super) mod pipelined_sha_ni;
pub(super) mod sha_ni;
mod signatures;
pub(super) mod vector_lanes;
pub(super) mod xmss_by_kernel;
pub(super) mod xmss_signing;
