//! Wrong lengths are errors that name them.

use hashlanes_aes::gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, Error, check_lengths};

use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.one("wrong_use::lengths", lengths);
    suite.one("wrong_use::limits", limits);
    suite.one("wrong_use::nothing of a key is printed", printed);
}

fn lengths() {
    for (of, expected, result) in [
        ("key", 16, Aes128Gcm::from_slice(&[1; 15]).map(drop)),
        ("key", 24, Aes192Gcm::from_slice(&[1; 15]).map(drop)),
        ("key", 32, Aes256Gcm::from_slice(&[1; 15]).map(drop)),
        ("nonce", 12, Aes128Gcm::nonce(&[1; 15]).map(drop)),
        ("tag", 16, Aes128Gcm::tag(&[1; 15]).map(drop)),
    ] {
        assert_eq!(result, Err(Error::Length { of, n_bytes: 15, expected }));
        assert_eq!(result.unwrap_err().to_string(), format!("{of}: 15 bytes; this cipher takes {expected}"));
    }
    let cipher = Aes128Gcm::new(&[1; 16]);
    let wrong = Error::Output { input_bytes: 3, output_bytes: 4 };
    assert_eq!(cipher.encrypt(&[0; 12], b"", b"abc", &mut [0; 4]), Err(wrong));
    assert_eq!(cipher.decrypt(&[0; 12], b"", b"abc", &[0; 16], &mut [0; 4]), Err(wrong));
    assert_eq!(cipher.open(&[0; 12], b"", &[0; 15]), Err(Error::NoTag(15)));
    assert_eq!(cipher.open(&[0; 12], b"", &[0; 16]), Err(Error::Forged));
}

/// SP 800-38D, section 5.2.1.1.
fn limits() {
    assert_eq!(check_lengths((1 << 61) - 1, (1 << 36) - 32), Ok(()));
    assert_eq!(check_lengths(0, (1 << 36) - 31), Err(Error::MessageTooLong));
    assert_eq!(check_lengths(1 << 61, 0), Err(Error::DataTooLong));
    assert_eq!(Error::MessageTooLong.to_string(), "message: more than 2^36 - 32 bytes");
    assert_eq!(Error::DataTooLong.to_string(), "associated data: more than 2^61 - 1 bytes");
}

fn printed() {
    assert_eq!(format!("{:?}", Aes256Gcm::new(&[0xab; 32])), "AesGcm(AES-256)");
}
