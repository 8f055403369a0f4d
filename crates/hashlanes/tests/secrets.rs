//! Keys and messages decide no branch and no address: valgrind follows them as if they were never written,
//! and reports what depends on them. `cargo xtask test --only "secrets"` runs these tests under valgrind, on
//! several levels; without it they compare results.
//!
//! Whether a tag is right is public, and the call branches on it: decryption with tags is not followed here.
//! Of XMSS, SK_PRF is not secret here: the signature has what is derived from it.

use hashlanes::aes::aegis::{Aegis128, Aegis128L, Aegis256, AegisMac128L};
use hashlanes::aes::gcm::{Aes128Gcm, Aes256Gcm};
use hashlanes::aes::gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use hashlanes::aes::{Buffer, CbcPlaintext, CounterBits, Ctr, Key, cbc_encrypt_many, cbc_encrypt_raw};
use hashlanes::aes::{CbcMessage, CtrMessage, cbc_decrypt_raw, cbc_decrypt_raw_many, cbc_encrypt, ctr_many};
use hashlanes::hbs::hazmat::KeyGeneration;
use hashlanes::*;
use hashlanes_testkit::secrets::{Listing, are_followed, hide, hide_in_blocks, list_blocks, reveal};

#[global_allocator]
static ALLOCATOR: Listing = Listing;

/// Lengths of messages: less than a block, several blocks and a part, and enough for each loop.
const LENGTHS: [usize; 4] = [0, 13, 200, 5000];

/// Compares the results of a call with secret bytes, and with the same bytes as public ones.
#[track_caller]
fn follow<T: AsRef<[u8]>>(n_secret: usize, call: impl Fn(&[u8]) -> T) {
    let public: Vec<u8> = (0..n_secret).map(|i| (i * 7 + 1) as u8).collect();
    let expected = call(&public);
    let secret = public.clone();
    hide(&secret);
    let result = call(&secret);
    reveal(result.as_ref());
    assert_eq!(result.as_ref(), expected.as_ref());
}

#[test]
fn hashes() {
    for len in LENGTHS {
        follow(len, sha1);
        follow(len, sha256);
        follow(len, sha512);
        follow(len, sha3_256);
        for n in [2, 5, 17] {
            follow(len, |message| {
                let mut digests = vec![[0; 32]; n];
                sha256_many(&vec![message; n], &mut digests);
                digests.concat()
            });
            follow(len, |message| {
                let mut digests = vec![[0; 64]; n];
                sha512_many(&vec![message; n], &mut digests);
                digests.concat()
            });
        }
    }
}

#[test]
fn codes() {
    const KEY_BYTES: usize = 40;
    for len in LENGTHS {
        follow(KEY_BYTES + len, |secret| {
            let (key, message) = secret.split_at(KEY_BYTES);
            hmac_sha256(key, message)
        });
        follow(KEY_BYTES + len, |secret| {
            let (key, message) = secret.split_at(KEY_BYTES);
            let mut codes = [[0; 32]; 9];
            hmac_sha256_many(key, &[message; 9], &mut codes);
            codes.concat()
        });
        follow(KEY_BYTES + len, |secret| {
            let (key, message) = secret.split_at(KEY_BYTES);
            let mut code = HmacSha512::new(key);
            code.update(message);
            code.finish()
        });
        follow(16 + len, |secret| {
            let (key, message) = secret.split_at(16);
            <AegisMac128L>::mac(key.try_into().expect("16 bytes"), &[3; 16], message)
                .expect("a short message")
        });
    }
}

#[test]
fn modes_of_aes() {
    for key_bytes in [16, 24, 32] {
        for len in LENGTHS.map(|len| len.next_multiple_of(16)) {
            follow(key_bytes + len, |secret| {
                let (key, message) = secret.split_at(key_bytes);
                let (key, mut text) = (Key::new(key).expect("a length"), message.to_vec());
                let mut stream = Ctr::new(&key, &[9; 16], CounterBits::Bits32);
                stream.apply(Buffer::in_place(&mut text)).expect("a short message");
                text
            });
            follow(key_bytes + len, |secret| {
                let (key, message) = secret.split_at(key_bytes);
                let (key, mut text, mut iv) = (Key::new(key).expect("a length"), message.to_vec(), [4; 16]);
                cbc_encrypt_raw(&key, &mut iv, Buffer::in_place(&mut text)).expect("whole blocks");
                text
            });
            follow(key_bytes + len, |secret| {
                let (key, message) = secret.split_at(key_bytes);
                let (key, mut text, mut iv) = (Key::new(key).expect("a length"), message.to_vec(), [4; 16]);
                cbc_decrypt_raw(&key, &mut iv, Buffer::in_place(&mut text)).expect("whole blocks");
                text
            });
            follow(key_bytes + len, |secret| {
                let (key, message) = secret.split_at(key_bytes);
                let key = Key::new(key).expect("a length");
                let one = |n: u8| CbcPlaintext { key: &key, iv: [n; 16], message };
                let mut all = cbc_encrypt_many(&[one(1), one(2), one(3), one(4), one(5)]).concat();
                all.extend(cbc_encrypt(&key, &[6; 16], message));
                all
            });
            follow(key_bytes + len, |secret| {
                let (key, message) = secret.split_at(key_bytes);
                let (key, mut texts) =
                    (Key::new(key).expect("a length"), [message.to_vec(), message.to_vec()]);
                let mut messages = texts.each_mut().map(|text| CbcMessage {
                    key: &key,
                    iv: [4; 16],
                    buffer: Buffer::in_place(text),
                });
                cbc_decrypt_raw_many(&mut messages).expect("whole blocks");
                // Not whole blocks.
                let mut messages = texts.each_mut().map(|text| CtrMessage {
                    key: &key,
                    first: [9; 16],
                    counts: CounterBits::Bits32,
                    buffer: Buffer::in_place(&mut text[..len.saturating_sub(3)]),
                });
                ctr_many(&mut messages).expect("short messages");
                texts.concat()
            });
        }
    }
}

#[test]
fn encryption_with_tags() {
    macro_rules! of {
        ($($cipher:ty: $key_bytes:literal $nonce_bytes:literal;)*) => {$(for len in LENGTHS {
            follow($key_bytes + len, |secret| {
                let (key, message) = secret.split_at($key_bytes);
                let cipher = <$cipher>::from_slice(key).expect("a length");
                cipher.seal(&[8; $nonce_bytes], &message[..len / 2], message).expect("a short message")
            });
        })*};
    }
    of! {
        Aes128Gcm: 16 12;
        Aes256Gcm: 32 12;
        Aes128GcmSiv: 16 12;
        Aes256GcmSiv: 32 12;
        Aegis128: 16 16;
        Aegis128L: 16 16;
        Aegis256: 32 32;
    }
}

/// Signing: the one-time keys and their chains.
#[test]
fn signatures() {
    const N: usize = 32;
    let set = "XMSS-SHA2_10_256".parse().expect("a set");
    let seeds: [u8; 3 * N] = std::array::from_fn(|i| i as u8);
    let generate = || KeyGeneration::new(set, &seeds).expect("seeds").run().expect("a key");
    let expected = generate().sign_unchecked(b"message").expect("a signature");
    list_blocks(3 * N);
    let mut key = generate();
    assert_ne!(hide_in_blocks(&seeds[..N]), 0, "S_XMSS was not found in the key");
    let signature = key.sign_unchecked(b"message").expect("a signature");
    reveal(signature.as_ref());
    assert_eq!(signature.as_ref(), expected.as_ref());
}

/// Fails under valgrind, which shows that it follows secrets.
#[test]
#[ignore = "only fails under valgrind: cargo xtask test --only secrets"]
fn a_branch_on_a_secret_is_found() {
    assert!(are_followed() || std::env::var_os("VALGRIND").is_none());
    follow(16, |key| if std::hint::black_box(key[0]) == 1 { [1] } else { [0] });
}
