//! The functions by name, a file for each hash. Each function is one line over the generic form.
//!
//! The files say the same of each hash; only [`sha256`](sha256::sha256) has more: `sha256_pairs` and `sha256_32`.

mod sha1;
mod sha224;
mod sha256;
mod sha384;
mod sha512;
mod sha512_224;
mod sha512_256;

pub use sha1::*;
pub use sha224::*;
pub use sha256::*;
pub use sha384::*;
pub use sha512::*;
pub use sha512_224::*;
pub use sha512_256::*;
