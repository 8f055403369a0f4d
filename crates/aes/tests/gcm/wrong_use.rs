//! Wrong lengths are errors that name them.

use hashlanes_aes::gcm::{self, Aes128Gcm, Aes192Gcm, Aes256Gcm, Error};
use hashlanes_aes::gcm_siv::{self, Aes128GcmSiv, Aes256GcmSiv};

use crate::subjects::{Subject, each};
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
        ("key", 16, Aes128GcmSiv::from_slice(&[1; 15]).map(drop)),
        ("key", 32, Aes256GcmSiv::from_slice(&[1; 15]).map(drop)),
        ("nonce", 12, Aes128GcmSiv::nonce(&[1; 15]).map(drop)),
        ("tag", 16, Aes128GcmSiv::tag(&[1; 15]).map(drop)),
    ] {
        assert_eq!(result, Err(Error::Length { of, n_bytes: 15, expected }));
        assert_eq!(result.unwrap_err().to_string(), format!("{of}: 15 bytes; this cipher takes {expected}"));
    }
    each!(C => {
        let cipher = C::new(&[1; <C as Subject>::KEY_BYTES]);
        let wrong = Error::Output { input_bytes: 3, output_bytes: 4 };
        assert_eq!(cipher.encrypt(&[0; 12], b"", b"abc", &mut [0; 4]), Err(wrong));
        assert_eq!(cipher.decrypt(&[0; 12], b"", b"abc", &[0; 16], &mut [0; 4]), Err(wrong));
        assert_eq!(cipher.open(&[0; 12], b"", &[0; 15]), Err(Error::NoTag(15)));
        assert_eq!(cipher.open(&[0; 12], b"", &[0; 16]), Err(Error::Forged));
    });
}

/// SP 800-38D, section 5.2.1.1; RFC 8452, section 6.
fn limits() {
    use gcm::check_lengths;
    assert_eq!(check_lengths((1 << 61) - 1, (1 << 36) - 32), Ok(()));
    assert_eq!(check_lengths(0, (1 << 36) - 31), Err(Error::MessageTooLong));
    assert_eq!(check_lengths(1 << 61, 0), Err(Error::DataTooLong));
    use gcm_siv::check_lengths as check_siv;
    assert_eq!(check_siv(1 << 36, 1 << 36), Ok(()));
    assert_eq!(check_siv(0, (1 << 36) + 1), Err(Error::MessageTooLong));
    assert_eq!(check_siv((1 << 36) + 1, 0), Err(Error::DataTooLong));
    let text = "message: too long; the limit is 2^36 - 32 bytes with AES-GCM, 2^36 with AES-GCM-SIV";
    assert_eq!(Error::MessageTooLong.to_string(), text);
    let text = "associated data: too long; the limit is 2^61 - 1 bytes with AES-GCM, 2^36 with AES-GCM-SIV";
    assert_eq!(Error::DataTooLong.to_string(), text);
}

fn printed() {
    assert_eq!(format!("{:?}", Aes256Gcm::new(&[0xab; 32])), "AesGcm(AES-256)");
    assert_eq!(format!("{:?}", Aes128GcmSiv::new(&[0xab; 16])), "AesGcmSiv(AES-128)");
}
