//! Addresses of data, and leftovers of keys.
#![allow(unsafe_code)] // What a dropped value leaves is looked at in place.

use core::mem::ManuallyDrop;

use hashlanes_aes::Buffer;
use hashlanes_aes::aegis::{Aegis128L, Aegis256, AegisMac128L, C128L, C256, Message, Tag256};
use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::ragged::{Rng, pattern};

use crate::many::Many;
use crate::subjects::{Of, Subject, each, random};
use crate::suite::{Aegis, Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("memory", "page borders", page_borders);
    suite.each_kernel("memory", "page borders, many", |kernel| {
        many_at_borders::<Of<C128L, Tag256>>(kernel);
        many_at_borders::<Of<C256, Tag256>>(kernel);
    });
    suite.each_kernel("memory", "any alignment", any_alignment);
    suite.one("memory::keys are gone", keys_are_overwritten);
}

/// All buffers directly before an unmapped page, then directly after one.
fn page_borders(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    each!(S => {
        for n in [0, 1, 15, 16, 17, S::RATE_BYTES - 1, S::RATE_BYTES, 3 * S::RATE_BYTES + 5] {
            let [key, nonce, ad, message] = random(rng, S::KEY_BYTES, n / 2, n);
            let (ct, _) = S::oracle().encrypt(&key, &nonce, &ad, &message, S::TAG_BYTES);
            let (cipher, nonce) = (S::on(kernel, &key), S::nonce(&nonce));
            for side in [Guarded::at_end as fn(usize) -> Guarded, Guarded::at_start] {
                let (ad, message) = (side(ad.len()).holding(&ad), side(n).holding(&message));
                let mut text = side(n);
                let tag = cipher.encrypt(&nonce, &ad, &message, &mut text).unwrap();
                assert_eq!(text[..], ct, "{} bytes of {}", n, S::name());
                cipher.decrypt_in_place(&nonce, &ad, &mut text, &tag).unwrap();
                assert_eq!(text[..], message[..], "{} bytes of {}, back", n, S::name());
            }
        }
    });
}

fn many_at_borders<S: Many>(kernel: &'static Aegis) {
    let rng = &mut Rng::new(seed());
    let key = vec![9; S::KEY_BYTES];
    let cipher = S::on(kernel, &key);
    let n_messages = kernel.degree() + 1;
    for n in [0, 1, 15, 16, 17, 31, 32, 33, 64, 100] {
        let [_, nonce, ad, message] = random(rng, S::KEY_BYTES, n / 2, n);
        let (ct, tag) = S::oracle().encrypt(&key, &nonce, &ad, &message, S::TAG_BYTES);
        for side in [Guarded::at_end as fn(usize) -> Guarded, Guarded::at_start] {
            let (ad, message) = (side(ad.len()).holding(&ad), side(n).holding(&message));
            let mut outputs: Vec<Guarded> = (0..n_messages).map(|_| side(n)).collect();
            let mut messages: Vec<_> = outputs
                .iter_mut()
                .map(|output| Message {
                    cipher: &cipher,
                    nonce: S::nonce(&nonce),
                    ad: &ad,
                    buffer: Buffer::new(&message, output),
                    tag: Default::default(),
                })
                .collect();
            S::encrypt(Some(kernel), &mut messages);
            assert!(messages.iter().all(|message| message.tag.as_ref() == tag), "{n} bytes");
            drop(messages);
            assert!(outputs.iter().all(|output| output[..] == ct), "{n} bytes");
        }
    }
}

/// Text and result at any distance from a multiple of 64, not the same.
fn any_alignment(kernel: &'static Aegis) {
    const BYTES: usize = 300;
    let (data, mut room) = (pattern(BYTES + 128, 1), vec![0; BYTES + 128]);
    each!(S => {
        let (key, nonce) = (vec![3; S::KEY_BYTES], S::nonce(&[5; S::KEY_BYTES]));
        let cipher = S::on(kernel, &key);
        for at in 0..64 {
            let (message, output) = (&data[at..at + BYTES], &mut room[64 - at..64 - at + BYTES]);
            cipher.encrypt(&nonce, &data[at..at + 40], message, output).unwrap();
            let expected = S::oracle().encrypt(&key, nonce.as_ref(), &data[at..at + 40], message, 16).0;
            assert!(*output == expected[..], "{} at {at}", S::name());
        }
    });
}

/// The bytes of a value before and after it is dropped.
fn before_and_after<T>(value: T) -> [Vec<u8>; 2] {
    let mut value = ManuallyDrop::new(value);
    let bytes = |value: &ManuallyDrop<T>| {
        let start = std::ptr::from_ref(value).cast::<u8>();
        // Byte by byte, as padding has no value that a slice could have.
        (0..size_of::<T>())
            // SAFETY: within the value, which is not moved; padding reads as anything, and is volatile here.
            .map(|i| unsafe { start.add(i).read_volatile() })
            .collect::<Vec<u8>>()
    };
    let before = bytes(&value);
    // SAFETY: only its bytes are used again.
    unsafe { ManuallyDrop::drop(&mut value) };
    [before, bytes(&value)]
}

fn keys_are_overwritten() {
    let key: [u8; 32] = pattern(32, 77).try_into().expect("32 bytes");
    let short: [u8; 16] = key[..16].try_into().expect("16 bytes");
    let holds = |bytes: &[u8], secret: &[u8]| bytes.windows(secret.len()).any(|window| window == secret);
    let [before, after] = before_and_after(Aegis256::new(&key));
    assert!(holds(&before, &key) && !holds(&after, &key[..8]), "AEGIS-256");
    let [before, after] = before_and_after(Aegis128L::new(&short));
    assert!(holds(&before, &short) && !holds(&after, &short[..8]), "AEGIS-128L");

    // States: no 8 bytes of them are left.
    let mut mac = AegisMac128L::new(&short, &[1; 16]);
    mac.update(b"the message's beginning").unwrap();
    let mut encryptor = Aegis128L::new(&short).encryptor(&[1; 16], b"").unwrap();
    encryptor.update(b"the message's beginning", &mut [0; 23]).unwrap();
    let forgotten = |[before, after]: [Vec<u8>; 2], n_secret: usize, of: &str| {
        let n = before
            .chunks(8)
            .filter(|bytes| bytes.iter().all(|byte| *byte != 0))
            .filter(|bytes| holds(&after, bytes))
            .count();
        assert!(before.len() >= n_secret, "{of}");
        assert_eq!(n, 0, "{of}: {n} words of its secrets are left");
    };
    forgotten(before_and_after(mac), 128, "AegisMac128L");
    forgotten(before_and_after(encryptor), 128, "Encryptor");
}
