//! The figures of Guilford, Yap, Gopal 2012: fast SHA-256.

pub(super) mod fast_sha256;
