//! Wrong lengths and names give errors that name them.

use hashlanes_hbs::slh_dsa::{Error, Message, ParameterSet, Randomness, SigningKey, VerifyingKey};

use crate::outside::set;

#[test]
fn wrong_lengths_are_refused() {
    let set = set("SLH-DSA-SHAKE-128f");
    assert_eq!(
        SigningKey::from_seeds(set, &[0; 47]).unwrap_err(),
        Error::PrivateKeyLength { given: 47, expected: 48 }
    );
    assert_eq!(
        SigningKey::from_bytes(set, &[0; 65]).unwrap_err(),
        Error::PrivateKeyLength { given: 65, expected: 64 }
    );
    assert_eq!(
        VerifyingKey::from_bytes(set, &[0; 31]).unwrap_err(),
        Error::PublicKeyLength { given: 31, expected: 32 }
    );
    let message = Message::new(b"");
    assert_eq!(message.clone().with_context(&[0; 256]).unwrap_err(), Error::ContextLength(256));
    let longest = message.clone().with_context(&[0; 255]).unwrap();
    let key = SigningKey::from_seeds(set, &[0; 48]).unwrap();
    assert_eq!(
        key.sign(&longest, Randomness::Given(&[0; 15])).unwrap_err(),
        Error::RandomLength { given: 15, expected: 16 }
    );
    let signature = key.sign(&longest, Randomness::Given(&[0; 16])).unwrap();
    assert_eq!(key.verifying_key().verify(&longest, signature.as_ref()), Ok(()));
    assert_eq!(
        "SLH-DSA-SHA2-128".parse::<ParameterSet>().unwrap_err().to_string(),
        r#"unknown parameter set "SLH-DSA-SHA2-128"; expected SLH-DSA-SHA2-128s, SLH-DSA-SHAKE-256f, …"#
    );
}

#[test]
fn no_secret_is_printed() {
    let key = SigningKey::from_seeds(set("SLH-DSA-SHA2-128f"), &[0xab; 48]).unwrap();
    assert_eq!(format!("{key:?}"), "SigningKey { set: SLH-DSA-SHA2-128f, .. }");
}
