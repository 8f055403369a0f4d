//! What is fuzzed: each target is a function of any bytes that panics if something is wrong.
//!
//! | file | target | compares or checks |
//! |---|---|---|
//! | `hashes.rs` | `hashes` | SHA-1, SHA-2 and HMAC in every form, on every kernel, with other implementations |
//! | `sponges.rs` | `sponges` | SHA-3, SHAKE and Keccak-256 likewise |
//! | `columns.rs` | `columns` | Arrow columns of any shape: right digests, or an error |
//! | `ciphers.rs` | `ciphers` | AES-CBC, AES-CTR, AES-GCM and AES-GCM-SIV on every kernel, with an oracle; paddings |
//! | `aegis.rs` | `aegis` | AEGIS and its codes on every kernel, with an oracle; forgeries |
//! | `trees.rs` | `trees` | tree modes and Merkle trees, whole and in parts; hash devices; proofs |
//! | `lists.rs` | `lists` | lists of every format, read whole and in pieces; manifests; sets of known files |
//! | `ignore_rules.rs` | `ignore_rules` | rules of a .gitignore, with a matcher that takes the manual literally |
//! | `proofs.rs` | `proofs` | proofs of RFC 6962 as JSON |
//! | `keys.rs` | `keys` | public and secret keys of every scheme and encoding: what is read is written the same |
//! | `signatures.rs` | `signatures` | signatures: all ways to verify agree |
//! | `c_border.rs` | `c_border` | functions of the C library on memory of any places and lengths: results, or an error that fits |
//!
//! `input.rs` draws numbers and messages from the bytes; `mutation.rs` changes bytes, the same in every run.
//!
//! `corpus/TARGET` holds the inputs of a target. `tests/corpus.rs` runs every target over its corpus and over
//! changed copies of it, with any compiler. The programs for libFuzzer are in the directory `fuzz` of the
//! workspace; `cargo xtask test --only fuzz` builds and runs them. An input that made a target fail is added
//! to the corpus.

pub mod aegis;
pub mod c_border;
pub mod ciphers;
pub mod columns;
pub mod hashes;
pub mod ignore_rules;
mod input;
pub mod keys;
pub mod lists;
pub mod mutation;
pub mod proofs;
pub mod signatures;
pub mod sponges;
pub mod trees;

/// A function of any bytes, by name.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its corpus and of its program.
    pub name: &'static str,
    /// Panics if something is wrong.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    Target { name: "hashes", run: hashes::run },
    Target { name: "sponges", run: sponges::run },
    Target { name: "columns", run: columns::run },
    Target { name: "ciphers", run: ciphers::run },
    Target { name: "aegis", run: aegis::run },
    Target { name: "trees", run: trees::run },
    Target { name: "lists", run: lists::run },
    Target { name: "ignore_rules", run: ignore_rules::run },
    Target { name: "proofs", run: proofs::run },
    Target { name: "keys", run: keys::run },
    Target { name: "signatures", run: signatures::run },
    Target { name: "c_border", run: c_border::run },
];
