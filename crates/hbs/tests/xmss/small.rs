//! Small keys, every index: against `spec/xmss.py`.

use hashlanes_hbs::hazmat::{Derivation, KeyGeneration, SigningKey};
use hashlanes_hbs::{Error, ParameterSet, Scheme};
use hashlanes_sha::sha256;
use hashlanes_testkit::vectors::{SmallXmssVector, small_xmss};

fn key(vector: &SmallXmssVector) -> SigningKey {
    let scheme = if vector.d.is_some() { Scheme::XmssMt } else { Scheme::Xmss };
    let set = ParameterSet::of_height(scheme, vector.n, vector.h, vector.d.unwrap_or(1));
    let derivation = match vector.derivation.as_str() {
        "sp800-208" => Derivation::Sp800_208,
        "legacy" => Derivation::Legacy,
        other => panic!("{other}"),
    };
    let generation = KeyGeneration::new(set, &vector.seeds).unwrap().derivation(derivation).unwrap();
    generation.expecting_root(&vector.root).run().unwrap()
}

#[test]
fn every_signature_is_the_specifications() {
    for vector in small_xmss() {
        let mut key = key(&vector);
        for (index, expected) in vector.signatures_sha256.iter().enumerate() {
            let message = vec![index as u8; index];
            let signature = key.try_sign(&message).unwrap();
            if let (0, Some(first)) = (index, &vector.first_signature) {
                assert_eq!(signature.as_ref(), first);
            }
            assert_eq!(
                sha256(signature.as_ref())[..],
                expected[..],
                "n = {}, h = {}, d = {:?}, index {index}",
                vector.n,
                vector.h,
                vector.d
            );
        }
        assert_eq!(key.try_sign(b""), Err(Error::Exhausted));
    }
}
