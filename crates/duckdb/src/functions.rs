//! The functions of SQL.
//!
//! # Safety
//! DuckDB calls a body with arguments and a result of the types that [`ALL`] lists for it. No body unwinds:
//! each is `extern "C"`, so a panic ends the process.
#![allow(unsafe_code)] // The argument is above.

use std::ffi::CStr;

use hashlanes::{ShapeError, try_hmac_sha256_column_hex, try_sha256_column, try_sha256_column_hex};

use crate::api::{Body, DataChunk, FunctionInfo, Type, Vector, api};
use crate::vectors::Strings;

/// A function: its name, its parameters, each text or bytes, and its result.
pub(crate) struct Function {
    pub(crate) name: &'static CStr,
    pub(crate) n_parameters: u32,
    pub(crate) result: Type,
    pub(crate) body: Body,
}

pub(crate) static ALL: [Function; 3] = [
    Function { name: c"sha256_lanes", n_parameters: 1, result: Type::Varchar, body: sha256_hex },
    Function { name: c"sha256_lanes_blob", n_parameters: 1, result: Type::Blob, body: sha256_blob },
    Function { name: c"hmac_sha256_lanes", n_parameters: 2, result: Type::Varchar, body: hmac_sha256_hex },
];

unsafe extern "C" fn sha256_hex(info: FunctionInfo, arguments: DataChunk, result: Vector) {
    // SAFETY: see the head of this file.
    unsafe {
        let values = Strings::of_argument(arguments, 0);
        let mut hex = vec![[0; 64]; values.n_rows()];
        let hashed = values.with_column(0..values.n_rows(), |column| try_sha256_column_hex(column, &mut hex));
        finish(hashed, info, || values.return_to(result, hex.iter()));
    }
}

unsafe extern "C" fn sha256_blob(info: FunctionInfo, arguments: DataChunk, result: Vector) {
    // SAFETY: see the head of this file.
    unsafe {
        let values = Strings::of_argument(arguments, 0);
        let mut digests = vec![[0; 32]; values.n_rows()];
        let hashed = values.with_column(0..values.n_rows(), |column| try_sha256_column(column, &mut digests));
        finish(hashed, info, || values.return_to(result, digests.iter()));
    }
}

/// Consecutive rows with the same key are hashed together; usually the key is a constant.
unsafe extern "C" fn hmac_sha256_hex(info: FunctionInfo, arguments: DataChunk, result: Vector) {
    // SAFETY: see the head of this file.
    unsafe {
        let keys = Strings::of_argument(arguments, 0);
        let mut values = Strings::of_argument(arguments, 1);
        values.add_nulls(&keys);
        let key_of = |row: usize| if values.is_null(row) { None } else { Some(keys.value(row)) };
        let n_rows = values.n_rows();
        let (mut hex, mut start, mut hashed) = (vec![[0; 64]; n_rows], 0, Ok(()));
        while start < n_rows && hashed.is_ok() {
            let key = (start..n_rows).find_map(key_of).unwrap_or(&[]);
            let other = (start..n_rows).find(|row| key_of(*row).is_some_and(|other| other != key));
            let end = other.unwrap_or(n_rows);
            hashed = values.with_column(start..end, |column| {
                try_hmac_sha256_column_hex(key, column, &mut hex[start..end])
            });
            start = end;
        }
        finish(hashed, info, || values.return_to(result, hex.iter()));
    }
}

/// Writes the results, or reports the error.
///
/// # Safety
/// It is the function's call.
unsafe fn finish(hashed: Result<(), ShapeError>, info: FunctionInfo, write: impl FnOnce()) {
    match hashed {
        Ok(()) => write(),
        // SAFETY: DuckDB copies the text. The views are made here, so only their length can be wrong.
        Err(_) => unsafe {
            (api().scalar_function_set_error)(info, c"hashlanes: a value of 2 GiB or more".as_ptr());
        },
    }
}
