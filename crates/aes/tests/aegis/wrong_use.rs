//! Wrong lengths are errors that name them, and change nothing.

use hashlanes_aes::aegis::{Aegis128L, Aegis256, AegisMac128L, Error, Tag128};

use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.one("wrong_use::keys, nonces, tags", keys_nonces_tags);
    suite.one("wrong_use::outputs", outputs);
    suite.one("wrong_use::ciphertext without a tag", no_tag);
    suite.one("wrong_use::forged", forged);
    suite.one("wrong_use::over the limit", over_the_limit);
}

fn keys_nonces_tags() {
    for n in [0, 15, 17, 32] {
        let text = format!("{n} bytes; AEGIS-128L takes 16");
        let error = |of| Error::Length { of, cipher: "AEGIS-128L", n_bytes: n, expected: 16 };
        let bytes = &[0; 32][..n];
        assert_eq!(Aegis128L::<Tag128>::from_slice(bytes).err(), Some(error("key")));
        assert_eq!(Aegis128L::<Tag128>::nonce(bytes), Err(error("nonce")));
        assert_eq!(Aegis128L::<Tag128>::tag(bytes), Err(error("tag")));
        assert_eq!(AegisMac128L::<Tag128>::tag(bytes), Err(error("tag")));
        assert_eq!(error("key").to_string(), format!("key: {text}"));
        assert_eq!(error("nonce").to_string(), format!("nonce: {text}"));
    }
    assert_eq!(
        Aegis256::<Tag128>::from_slice(&[0; 16]).err().map(|error| error.to_string()).as_deref(),
        Some("key: 16 bytes; AEGIS-256 takes 32")
    );
}

fn outputs() {
    let cipher = Aegis128L::new(&[1; 16]);
    for (n_in, n_out) in [(3, 2), (2, 3), (0, 1), (64, 63)] {
        let (input, mut output) = (vec![9; n_in], vec![7; n_out]);
        let error = Error::Output { input_bytes: n_in, output_bytes: n_out };
        assert_eq!(cipher.encrypt(&[0; 16], b"", &input, &mut output), Err(error));
        assert_eq!(cipher.decrypt(&[0; 16], b"", &input, &[0; 32], &mut output), Err(error));
        let mut encryptor = cipher.encryptor(&[0; 16], b"").unwrap();
        assert_eq!(encryptor.update(&input, &mut output), Err(error));
        assert_eq!(output, vec![7; n_out], "nothing is written");
        // Refused parts were not processed.
        let (mut text, mut parts) = ([5; 3], [5; 3]);
        encryptor.update(&[5; 3], &mut parts).unwrap();
        let tag = cipher.encrypt_in_place(&[0; 16], b"", &mut text).unwrap();
        assert_eq!((encryptor.finish(), parts), (tag, text));
        assert_eq!(error.to_string(), format!("output: {n_out} bytes for a result of {n_in}"));
    }
}

fn no_tag() {
    let error = Aegis128L::new(&[1; 16]).open(&[0; 16], b"", &[0; 31]).unwrap_err();
    assert_eq!(error, Error::NoTag { n_bytes: 31, tag_bytes: 32 });
    assert_eq!(error.to_string(), "ciphertext with tag: 31 bytes, less than the tag's 32");
}

/// No machine has so much memory, so the test sets the count of bytes.
fn over_the_limit() {
    const MOST: u64 = (1 << 61) - 1;
    let cipher = Aegis128L::new(&[1; 16]);
    let mut encryptor = cipher.encryptor(&[0; 16], b"").unwrap();
    encryptor.count_from(MOST - 1);
    let mut output = [7; 2];
    assert_eq!(encryptor.update(&[0; 2], &mut output), Err(Error::TooLong { of: "message" }));
    assert_eq!(output, [7; 2], "nothing is written");
    assert_eq!(encryptor.update(&[0; 1], &mut output[..1]), Ok(()));
    assert_eq!(encryptor.update(&[0; 1], &mut output[..1]), Err(Error::TooLong { of: "message" }));

    let mut mac = AegisMac128L::new(&[1; 16], &[0; 16]);
    mac.count_from(MOST);
    assert_eq!(mac.update(&[]), Ok(()));
    let error = mac.update(&[0]).unwrap_err();
    assert_eq!(error.to_string(), "data: more than 2^61 - 1 bytes");
}

/// The text is right for codes, where nothing is decrypted, and for parts, which are decrypted before.
fn forged() {
    let told = "tag: not that of this key, nonce and data; they are not authentic";
    let cipher = Aegis128L::<Tag128>::with_tag(&[1; 16]);
    let error = cipher.open(&[0; 16], b"", &[0; 20]).unwrap_err();
    assert_eq!(error.to_string(), told);
    let mac = AegisMac128L::<Tag128>::with_tag(&[1; 16], &[0; 16]);
    assert_eq!(mac.verify(&[0; 16]).unwrap_err().to_string(), told);
}
