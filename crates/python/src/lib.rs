//! The native module of the Python package `hashlanes`.
//!
//! | file | holds |
//! |---|---|
//! | `bytes.rs` | the bytes of Python objects |
//! | `algorithms.rs` | the hashes by name |
//! | `hash.rs` | hash objects, as `hashlib` has them |
//! | `shared.rs` | what lets threads share a hash object |
//! | `keyed.rs` | HMAC and PBKDF2 |
//! | `files.rs` | files |
//! | `many.rs` | many messages |
//! | `column.rs` | columns |
//! | `digests.rs` | digests of columns: binary, in hexadecimal, in Base64 |
//! | `arrow.rs` | Arrow's C data interface |
//!
//! The package's Python files are in `python/hashlanes`, its tests in `tests`.

mod algorithms;
mod arrow;
mod bytes;
mod column;
mod digests;
mod files;
mod hash;
mod keyed;
mod many;
mod shared;

/// The native module; `python/hashlanes/__init__.py` re-exports its public names.
#[pyo3::pymodule(gil_used = true)]
mod _hashlanes {
    #[pymodule_export]
    use crate::algorithms::algorithm_names;
    #[pymodule_export]
    use crate::column::{DigestColumn, sha256_column};
    #[pymodule_export]
    use crate::files::digest_files;
    #[pymodule_export]
    use crate::hash::{
        Hash, new, sha1, sha224, sha256, sha256_digest, sha256_hexdigest, sha384, sha512, sha512_224,
        sha512_256,
    };
    #[pymodule_export]
    use crate::keyed::{hmac_sha256, pbkdf2_hmac};
    #[pymodule_export]
    use crate::many::sha256_many;
}
