//! The functions by name, a file for each hash. Each function is one line over the generic form.
//!
//! The files say the same of each hash; only [`sha256`](sha256::sha256) has more: `sha256_pairs` and `sha256_32`.

#[cfg(feature = "sha1")]
mod sha1;
#[cfg(feature = "sha2")]
mod sha224;
#[cfg(feature = "sha2")]
mod sha256;
#[cfg(feature = "sha2")]
mod sha384;
#[cfg(feature = "sha2")]
mod sha512;
#[cfg(feature = "sha2")]
mod sha512_224;
#[cfg(feature = "sha2")]
mod sha512_256;

#[cfg(feature = "sha1")]
pub use sha1::*;
#[cfg(feature = "sha2")]
pub use {sha224::*, sha256::*, sha384::*, sha512::*, sha512_224::*, sha512_256::*};
