//! The DuckDB extension `hashlanes`: SHA-256 and HMAC-SHA-256 of the rows of a column, as functions of SQL.
//!
//! | function | result |
//! |---|---|
//! | `sha256_lanes(value)` | the SHA-256 digest in hexadecimal, as DuckDB's own `sha256` |
//! | `sha256_lanes_blob(value)` | the digest as 32 bytes |
//! | `hmac_sha256_lanes(key, value)` | the HMAC-SHA-256 code in hexadecimal |
//!
//! Values and keys are `VARCHAR` or `BLOB`; the result of a null is null.
//!
//! | file | holds |
//! |---|---|
//! | `api.rs` | DuckDB's C extension interface |
//! | `vectors.rs` | the rows of DuckDB's vectors |
//! | `functions.rs` | the functions |
//! | `registration.rs` | the entry, which registers them |
//!
//! `cargo xtask duckdb` builds the library and appends DuckDB's description of an extension.

mod api;
mod functions;
mod registration;
mod vectors;
