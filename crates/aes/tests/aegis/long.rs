//! Tests that take minutes: `cargo xtask test --slow`, or `-- --ignored long::`.

use std::hint::black_box;
use std::time::UNIX_EPOCH;

use hashlanes_aes::aegis::{
    Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, AegisMac128L, AegisMac256,
    C128, C128L, C256, Tag128, Tag256,
};
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::Rng;
use hashlanes_testkit::times::assert_constant;

use crate::many::ragged;
use crate::subjects::{Of, random};
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.long("a million messages as the crate aegis encrypts them", foreign);
    suite.long("a hundred thousand ragged sets", || {
        ragged::<Of<C128L, Tag256>>(None, fresh_seed(), 5_000);
        ragged::<Of<C256, Tag256>>(None, fresh_seed(), 5_000);
        ragged::<Of<C128, Tag128>>(None, fresh_seed(), 5_000);
    });
    suite.long("tags are compared in constant time", tags_in_constant_time);
    suite.long("keys and texts are encrypted in constant time", keys_in_constant_time);
}

/// The seed from the environment, or a new one each time; it is printed.
fn fresh_seed() -> u64 {
    let asked_for = std::env::var_os("HASHLANES_TEST_SEED").is_some();
    let now = || UNIX_EPOCH.elapsed().expect("a clock after 1970").as_nanos() as u64;
    let seed = if asked_for { seed() } else { now() };
    println!("HASHLANES_TEST_SEED={seed:#x}");
    seed
}

/// One of nine constructions each time; AEGIS-128, which that crate has not, as the oracle.
fn foreign() {
    let rng = &mut Rng::new(fresh_seed());
    for case in 0..1_000_000 {
        let (ad_bytes, message_bytes) =
            (rng.below(80), if case % 100 == 0 { rng.below(4000) } else { rng.below(300) });
        let [key, nonce, ad, message] = random(rng, 32, ad_bytes, message_bytes);
        let short = |bytes: &[u8]| <[u8; 16]>::try_from(&bytes[..16]).expect("16 bytes");
        let long = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).expect("32 bytes");
        macro_rules! compare {
            ($ours:ident $module:ident $theirs:ident $of:ident) => {{
                let (key, nonce) = ($of(&key), $of(&nonce));
                let (mut expected, tag) =
                    aegis::$module::$theirs::<32>::new(&key, &nonce).encrypt(&message, &ad);
                expected.extend_from_slice(&tag);
                let cipher = $ours::new(&key);
                assert_eq!(cipher.seal(&nonce, &ad, &message).as_ref(), Ok(&expected), "case {case}");
                assert_eq!(cipher.open(&nonce, &ad, &expected).as_ref(), Ok(&message), "case {case}");
                let (mut expected, tag) =
                    aegis::$module::$theirs::<16>::new(&key, &nonce).encrypt(&message, &ad);
                expected.extend_from_slice(&tag);
                let cipher = $ours::<Tag128>::with_tag(&key);
                assert_eq!(cipher.seal(&nonce, &ad, &message).as_ref(), Ok(&expected), "case {case}");
            }};
        }
        match case % 9 {
            0 => compare!(Aegis128L aegis128l Aegis128L short),
            1 => compare!(Aegis256 aegis256 Aegis256 long),
            2 => compare!(Aegis128X2 aegis128x2 Aegis128X2 short),
            3 => compare!(Aegis128X4 aegis128x4 Aegis128X4 short),
            4 => compare!(Aegis256X2 aegis256x2 Aegis256X2 long),
            5 => compare!(Aegis256X4 aegis256x4 Aegis256X4 long),
            // Without data that crate absorbs a block of zeros, and RFC 10032 (section 8) absorbs none.
            6 | 7 if message.is_empty() => {}
            6 => {
                let mut theirs =
                    aegis::aegis128l::Aegis128LMac::<32>::new_with_nonce(&short(&key), &short(&nonce));
                theirs.update(&message);
                let ours = AegisMac128L::<Tag256>::mac(&short(&key), &short(&nonce), &message);
                assert_eq!(ours, Ok(theirs.finalize()), "case {case}");
            }
            7 => {
                let mut theirs =
                    aegis::aegis256::Aegis256Mac::<32>::new_with_nonce(&long(&key), &long(&nonce));
                theirs.update(&message);
                let ours = AegisMac256::<Tag256>::mac(&long(&key), &long(&nonce), &message);
                assert_eq!(ours, Ok(theirs.finalize()), "case {case}");
            }
            _ => {
                let cipher = oracle::Aegis::by_name("aegis-128").expect("an oracle");
                let (ct, tag) = cipher.encrypt(&key[..16], &nonce[..16], &ad, &message, 16);
                let sealed = Aegis128::new(&short(&key)).seal(&short(&nonce), &ad, &message);
                assert_eq!(sealed, Ok([ct, tag].concat()), "case {case}");
            }
        }
    }
}

/// Tags that differ in the first bit, and in the last.
fn tags_in_constant_time() {
    let cipher = Aegis128L::new(&[1; 16]);
    let mut text = [5; 64];
    let tag = cipher.encrypt_in_place(&[2; 16], b"", &mut text).unwrap();
    let mut tags = [tag; 2];
    tags[0][0] ^= 1;
    tags[1][31] ^= 0x80;
    assert_constant("tags", seed(), |class| {
        let mut text = black_box(text);
        let _ = black_box(cipher.decrypt_in_place(&[2; 16], b"", &mut text, black_box(&tags[class])));
    });
}

/// A key and a text, whose place in a cache line is always the same.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Inputs {
    key: [u8; 16],
    text: [u8; 128],
}

/// Zeros, and any other key and text.
fn keys_in_constant_time() {
    for kernel in hashlanes_aes::kernels::aegis().filter(|kernel| kernel.degree() == 1) {
        let mut others = Inputs { key: [0; 16], text: [0; 128] };
        let rng = &mut Rng::new(seed());
        rng.fill(&mut others.key);
        rng.fill(&mut others.text);
        let inputs = [Inputs { key: [0; 16], text: [0; 128] }, others];
        assert_constant(kernel.name(), seed(), |class| {
            // Copied, so that no kernel sees which one it is by its place.
            let Inputs { key, mut text } = *black_box(&inputs[class]);
            let cipher = Aegis128L::new(&key).on(kernel);
            black_box(cipher.encrypt_in_place(&[2; 16], b"", &mut text)).expect("a short message");
            black_box(text);
        });
    }
}
