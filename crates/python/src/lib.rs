//! The native module of the Python package `hashlanes`.
//!
//! | file | holds |
//! |---|---|
//! | `bytes.rs` | the bytes of Python objects |
//! | `arguments.rs` | numbers, strings and paths as arguments |
//! | `algorithms.rs` | the hashes by name |
//! | `hash.rs` | hash objects like those of `hashlib` |
//! | `object.rs` | their type, and the functions of one message, for Python's C interface |
//! | `shared.rs` | sharing of hash objects between threads |
//! | `keyed.rs` | HMAC and PBKDF2 |
//! | `files.rs` | files |
//! | `steps.rs` | signals and progress during long work |
//! | `lists.rs` | lists of digests, audits |
//! | `tree.rs` | tree modes, proofs |
//! | `xmss.rs` | signatures |
//! | `aegis.rs` | authenticated encryption |
//! | `errors.rs` | the package's own exceptions |
//! | `many.rs` | many messages |
//! | `column.rs` | columns |
//! | `digests.rs` | digests of columns: binary, hexadecimal, Base64 |
//! | `arrow.rs` | Arrow's C data interface |
//!
//! The package's Python files are in `python/hashlanes`, its tests in `tests`.

mod aegis;
mod algorithms;
mod arguments;
mod arrow;
mod bytes;
mod column;
mod digests;
mod errors;
mod files;
mod hash;
mod keyed;
mod lists;
mod many;
mod object;
mod shared;
mod steps;
mod tree;
mod xmss;

/// The native module; `python/hashlanes/__init__.py` re-exports its public names.
#[pyo3::pymodule(gil_used = true)]
mod _hashlanes {
    #[pymodule_export]
    use crate::aegis::{aegis_open, aegis_seal};
    #[pymodule_export]
    use crate::algorithms::algorithm_names;
    #[pymodule_export]
    use crate::column::{DigestColumn, sha256_column};
    #[pymodule_export]
    use crate::errors::{FormatError, VerificationError};
    #[pymodule_export]
    use crate::files::digest_files;
    #[pymodule_export]
    use crate::keyed::{hmac_sha256, pbkdf2_hmac};
    #[pymodule_export]
    use crate::lists::{audit_files, read_list};
    #[pymodule_export]
    use crate::many::sha256_many;
    #[pymodule_export]
    use crate::object::new;
    #[pymodule_export]
    use crate::tree::{tree_digest, verify_proof};
    #[pymodule_export]
    use crate::xmss::{xmss_verify, xmss_verify_file};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::object::add_to(module)
    }
}
