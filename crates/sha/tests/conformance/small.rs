//! SHA-256 and SHA-512 in little code, against the oracle.

use hashlanes_sha::small::{Sha256, Sha512, SmallHash};
use hashlanes_testkit::oracle;

use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.one("sha256", "every length", || every_length::<Sha256>(&oracle::SHA256));
    suite.one("sha512", "every length", || every_length::<Sha512>(&oracle::SHA512));
}

fn every_length<H: SmallHash>(oracle: &oracle::Hash) {
    let message: [u8; 300] = core::array::from_fn(|i| (i % 251) as u8);
    for length in 0..message.len() {
        let message = &message[..length];
        let mut hash = H::new();
        message.chunks(7).for_each(|part| hash.update(part));
        assert_eq!(hash.finish().as_ref(), oracle.digest(message), "{length}");
    }
}
