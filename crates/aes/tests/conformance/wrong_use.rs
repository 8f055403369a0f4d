//! Wrong arguments are errors that name them, and nothing is lost by them.

use hashlanes_aes::{
    Buffer, CbcCiphertext, CbcMessage, CbcPlaintext, CounterBits, Ctr, Error, Key, cbc_decrypt,
    cbc_decrypt_many, cbc_decrypt_raw, cbc_decrypt_raw_many, cbc_encrypt, cbc_encrypt_raw,
    cbc_encrypt_raw_many, iv,
};

use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.one("aes", "keys and IVs of wrong lengths", lengths);
    suite.one("aes", "no whole blocks", no_whole_blocks);
    suite.one("aes", "no padding", no_padding);
    suite.one("aes", "past the counter's end", past_the_counter);
    suite.one("aes", "neither keys nor messages are printed", printed);
    suite.one("aes", "every error says what is wrong", texts);
}

fn printed() {
    let key = Key::new(&[77; 16]).unwrap();
    let plaintext = CbcPlaintext { key: &key, iv: [9; 16], message: &[66; 5] };
    let text = format!("{plaintext:?}");
    assert!(text.contains("Key(AES-128)") && text.contains("5 bytes") && !text.contains("66"), "{text}");
    assert!(!text.contains("77"), "{text}");
    let mut bytes = [66; 5];
    let buffer = Buffer::in_place(&mut bytes);
    assert_eq!(format!("{buffer:?}"), "Buffer(5 bytes, in place)");
    let buffer = Buffer::new(&[66; 5], &mut bytes);
    assert_eq!(format!("{buffer:?}"), "Buffer(5 bytes, apart)");
}

fn lengths() {
    for n in (0..70).filter(|n| ![16, 24, 32].contains(n)) {
        assert_eq!(Key::new(&vec![0; n]).unwrap_err(), Error::KeyLength(n));
    }
    for n in (0..40).filter(|n| *n != 16) {
        assert_eq!(iv(&vec![0; n]), Err(Error::IvLength(n)));
    }
}

fn no_whole_blocks() {
    let key = Key::new(&[1; 16]).unwrap();
    for n in (0..100).filter(|n| n % 16 != 0) {
        let expected = Err(Error::NotWholeBlocks(n));
        let (mut bytes, mut chain) = (vec![7; n], [9; 16]);
        assert_eq!(cbc_encrypt_raw(&key, &mut chain, Buffer::in_place(&mut bytes)), expected);
        assert_eq!(cbc_decrypt_raw(&key, &mut chain, Buffer::in_place(&mut bytes)), expected);
        assert_eq!(cbc_decrypt(&key, &chain, &bytes).map(drop), expected);
        // A right ciphertext after a wrong one.
        let right = cbc_encrypt(&key, &chain, b"right");
        let of = |ciphertext| CbcCiphertext { key: &key, iv: chain, ciphertext };
        let results = cbc_decrypt_many(&[of(&bytes), of(&right), of(&[])]);
        let nothing = Err(Error::NotWholeBlocks(0));
        assert_eq!(results, [Err(Error::NotWholeBlocks(n)), Ok(b"right".to_vec()), nothing]);
        // A wrong message after a right one: neither is changed.
        let mut right = [7; 32];
        let mut messages = [&mut right[..], &mut bytes].map(|bytes| CbcMessage {
            key: &key,
            iv: [9; 16],
            buffer: Buffer::in_place(bytes),
        });
        assert_eq!(cbc_encrypt_raw_many(&mut messages), expected);
        assert_eq!(cbc_decrypt_raw_many(&mut messages), expected);
        assert!(messages.iter().all(|message| message.iv == [9; 16]));
        assert!(right == [7; 32] && bytes == vec![7; n] && chain == [9; 16]);
    }
}

/// Every last block that may be a padding or not, of a block and of two.
fn no_padding() {
    let key = Key::new(&[1; 32]).unwrap();
    for n in 0..=17u8 {
        for wrong_at in 0..=16 {
            let mut message = [n; 32];
            message[..31 - usize::from(n)].fill(99);
            if wrong_at < 16 {
                message[16 + wrong_at] ^= 0x80;
            }
            let is_touched = wrong_at < 16 && wrong_at >= 16 - usize::from(n.min(16)) || wrong_at == 15;
            let is_padded = (1..=16).contains(&n) && !is_touched;
            for start in [0, 16] {
                let mut ciphertext = message[start..].to_vec();
                cbc_encrypt_raw(&key, &mut [5; 16], Buffer::in_place(&mut ciphertext)).unwrap();
                let expected = match is_padded {
                    true => Ok(message[start..32 - usize::from(n)].to_vec()),
                    false => Err(Error::Padding),
                };
                assert_eq!(cbc_decrypt(&key, &[5; 16], &ciphertext), expected, "{n}, wrong at {wrong_at}");
                let one = CbcCiphertext { key: &key, iv: [5; 16], ciphertext: &ciphertext };
                assert_eq!(cbc_decrypt_many(&[one, one]), [expected.clone(), expected]);
            }
        }
    }
    assert_eq!(cbc_decrypt(&key, &[5; 16], &[]), Err(Error::NotWholeBlocks(0)));
}

/// A counter of 32 bits ends after 2^32 blocks, for every first block; the cipher reports it before it does
/// anything.
fn past_the_counter() {
    let key = Key::new(&[1; 16]).unwrap();
    let mut keystream = Ctr::new(&key, &[0xff; 16], CounterBits::Bits32);
    keystream.skip_blocks((1 << 32) - 3).unwrap();
    let mut bytes = [0; 48];
    keystream.apply(Buffer::in_place(&mut bytes[..17])).unwrap();
    let before = bytes;
    assert_eq!(keystream.apply(Buffer::in_place(&mut bytes[..32])), Err(Error::CounterRepeats(32)));
    assert_eq!(bytes, before, "nothing is done");
    keystream.apply(Buffer::in_place(&mut bytes[17..48])).unwrap();
    assert_eq!(keystream.apply(Buffer::in_place(&mut bytes[..1])), Err(Error::CounterRepeats(1)));
    keystream.apply(Buffer::in_place(&mut [])).unwrap();
    assert_eq!(keystream.skip_blocks(1), Err(Error::CounterRepeats(16)));
    Ctr::new(&key, &[0; 16], CounterBits::Bits64).skip_blocks(1 << 40).unwrap();
    // The end is a place to go to; no byte after it is.
    keystream.seek(5).unwrap();
    for byte in [(1 << 36) + 1, (1 << 36) + 16, (1 << 36) + 17, 1 << 70] {
        assert_eq!(keystream.seek(byte), Err(Error::AfterKeystream(byte)));
        assert_eq!(keystream.position(), 5);
    }
    keystream.seek(1 << 36).unwrap();
}

fn texts() {
    for (error, text) in [
        (Error::KeyLength(5), "key: 5 bytes; AES takes 16, 24 or 32"),
        (Error::IvLength(12), "iv: 12 bytes; AES takes 16"),
        (Error::NotWholeBlocks(17), "message: 17 bytes are no whole blocks of 16"),
        (
            Error::CounterRepeats(9),
            "message: 9 bytes more, and the counter would come round to where it began",
        ),
        (Error::NotWholeBlocks(0), "ciphertext: 0 bytes; padding makes it 16 at least"),
        (
            Error::AfterKeystream(17),
            "n_bytes: byte 17 is after the end of the keystream, where the counter repeats",
        ),
        (Error::Padding, "ciphertext: it does not decrypt to a padded message"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}
