//! Sets of messages, of different lengths and of one, in lanes.

use std::fmt::Display;

use hashlanes_aes::Buffer;
use hashlanes_aes::aegis::{
    Aegis as Cipher, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Error, Message, Tag, Tag128, Tag256,
    aegis128_decrypt_many, aegis128_decrypt_many_on, aegis128_encrypt_many, aegis128_encrypt_many_on,
    aegis128l_decrypt_many, aegis128l_decrypt_many_on, aegis128l_encrypt_many, aegis128l_encrypt_many_on,
    aegis128x2_decrypt_many, aegis128x2_decrypt_many_on, aegis128x2_encrypt_many, aegis128x2_encrypt_many_on,
    aegis128x4_decrypt_many, aegis128x4_decrypt_many_on, aegis128x4_encrypt_many, aegis128x4_encrypt_many_on,
    aegis256_decrypt_many, aegis256_decrypt_many_on, aegis256_encrypt_many, aegis256_encrypt_many_on,
    aegis256x2_decrypt_many, aegis256x2_decrypt_many_on, aegis256x2_encrypt_many, aegis256x2_encrypt_many_on,
    aegis256x4_decrypt_many, aegis256x4_decrypt_many_on, aegis256x4_encrypt_many, aegis256x4_encrypt_many_on,
};
use hashlanes_testkit::ragged::{Rng, batches};
use hashlanes_testkit::vectors;

use crate::subjects::{Of, Subject, random};
use crate::suite::{Aegis, Suite, cases, seed};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("many", "ragged sets", |kernel| {
        ragged::<Of<C128, Tag128>>(Some(kernel), seed(), cases(60));
        ragged::<Of<C128L, Tag256>>(Some(kernel), seed() + 1, cases(60));
        ragged::<Of<C128L, Tag128>>(Some(kernel), seed() + 2, cases(20));
        ragged::<Of<C256, Tag256>>(Some(kernel), seed() + 5, cases(60));
        ragged::<Of<C256, Tag128>>(Some(kernel), seed() + 6, cases(20));
        ragged::<Of<C128X2, Tag256>>(Some(kernel), seed() + 8, cases(20));
        ragged::<Of<C128X4, Tag128>>(Some(kernel), seed() + 9, cases(20));
        ragged::<Of<C256X2, Tag128>>(Some(kernel), seed() + 10, cases(20));
        ragged::<Of<C256X4, Tag256>>(Some(kernel), seed() + 11, cases(20));
    });
    suite.each_kernel("many", "sets of one length", |kernel| {
        equal::<Of<C128, Tag128>>(Some(kernel), seed() + 16, cases(40));
        equal::<Of<C128L, Tag256>>(Some(kernel), seed() + 17, cases(40));
        equal::<Of<C256, Tag128>>(Some(kernel), seed() + 18, cases(40));
    });
    suite.each_kernel("many", "published vectors", |kernel| {
        published::<Of<C128, Tag128>>(kernel);
        published::<Of<C128L, Tag128>>(kernel);
        published::<Of<C256, Tag128>>(kernel);
    });
    suite.one("many::the table's choice", || {
        // For these numbers and lengths some sets use lanes and some do not.
        ragged::<Of<C128, Tag128>>(None, seed() + 3, cases(100));
        ragged::<Of<C128L, Tag256>>(None, seed() + 4, cases(100));
        ragged::<Of<C256, Tag256>>(None, seed() + 7, cases(100));
        ragged::<Of<C128X2, Tag128>>(None, seed() + 12, cases(20));
        ragged::<Of<C128X4, Tag256>>(None, seed() + 13, cases(20));
        ragged::<Of<C256X2, Tag256>>(None, seed() + 14, cases(20));
        ragged::<Of<C256X4, Tag128>>(None, seed() + 15, cases(20));
        equal::<Of<C128, Tag128>>(None, seed() + 19, cases(100));
        equal::<Of<C128L, Tag256>>(None, seed() + 20, cases(100));
        equal::<Of<C256, Tag256>>(None, seed() + 21, cases(100));
    });
    suite.one("many::wrong numbers of results", || {
        let cipher = Cipher::<C128L, Tag256>::new(&[1; 16]);
        let mut text = [1; 3];
        let buffer = Buffer::in_place(&mut text);
        let mut messages = [Message { cipher: &cipher, nonce: [0; 16], ad: &[], buffer, tag: [0; 32] }];
        let error = Error::Count { messages: 1, results: 2 };
        assert_eq!(aegis128l_decrypt_many(&mut messages, &mut [Ok(()); 2]), Err(error));
        assert_eq!(text, [1; 3], "nothing is decrypted");
        assert_eq!(error.to_string(), "results: 2 for 1 messages; there must be one for each");
    });
}

/// A cipher with functions of many messages.
pub(crate) trait Many: Subject {
    fn encrypt(kernel: Option<&'static Aegis>, messages: &mut [Message<'_, '_, Self::C, Self::T>]);
    fn decrypt(
        kernel: Option<&'static Aegis>,
        messages: &mut [Message<'_, '_, Self::C, Self::T>],
        results: &mut [Result<(), Error>],
    );
}

macro_rules! many {
    ($($cipher:ident $encrypt:ident $encrypt_on:ident $decrypt:ident $decrypt_on:ident;)*) => {$(
        impl<T: Tag<$cipher>> Many for Of<$cipher, T> {
            fn encrypt(kernel: Option<&'static Aegis>, messages: &mut [Message<'_, '_, $cipher, T>]) {
                match kernel {
                    Some(kernel) => $encrypt_on(kernel, messages),
                    None => $encrypt(messages),
                }
                .expect("lengths below the limit");
            }
            fn decrypt(
                kernel: Option<&'static Aegis>,
                messages: &mut [Message<'_, '_, $cipher, T>],
                results: &mut [Result<(), Error>],
            ) {
                match kernel {
                    Some(kernel) => $decrypt_on(kernel, messages, results),
                    None => $decrypt(messages, results),
                }
                .expect("lengths below the limit");
            }
        }
    )*};
}
many! {
    C128 aegis128_encrypt_many aegis128_encrypt_many_on aegis128_decrypt_many aegis128_decrypt_many_on;
    C128L aegis128l_encrypt_many aegis128l_encrypt_many_on aegis128l_decrypt_many aegis128l_decrypt_many_on;
    C128X2 aegis128x2_encrypt_many aegis128x2_encrypt_many_on aegis128x2_decrypt_many aegis128x2_decrypt_many_on;
    C128X4 aegis128x4_encrypt_many aegis128x4_encrypt_many_on aegis128x4_decrypt_many aegis128x4_decrypt_many_on;
    C256 aegis256_encrypt_many aegis256_encrypt_many_on aegis256_decrypt_many aegis256_decrypt_many_on;
    C256X2 aegis256x2_encrypt_many aegis256x2_encrypt_many_on aegis256x2_decrypt_many aegis256x2_decrypt_many_on;
    C256X4 aegis256x4_encrypt_many aegis256x4_encrypt_many_on aegis256x4_decrypt_many aegis256x4_decrypt_many_on;
}

/// Lengths of associated data.
const AD_BYTES: &[usize] = &[0, 0, 1, 16, 31, 32, 100];

/// Messages of different lengths.
pub(crate) fn ragged<S: Many>(kernel: Option<&'static Aegis>, seed: u64, n: usize) {
    let rng = &mut Rng::new(seed);
    for batch in batches(seed, n, 40, 1500) {
        let texts: Vec<&[u8]> = batch.messages().collect();
        let ads: Vec<Vec<u8>> = texts
            .iter()
            .map(|_| {
                let n = rng.choose(AD_BYTES);
                random(rng, 16, n, 0)[2].clone()
            })
            .collect();
        there_and_back::<S>(kernel, rng, &batch, &texts, &ads);
    }
}

/// Messages of one length, or of lengths that are one number of rates.
fn equal<S: Many>(kernel: Option<&'static Aegis>, seed: u64, n: usize) {
    let rng = &mut Rng::new(seed);
    for i in 0..n {
        let (count, ad_bytes) = (rng.choose(&[2, 3, 4, 5, 7, 8, 9, 12, 17, 33, 40]), rng.choose(AD_BYTES));
        let most: usize = rng.choose(&[0, 1, 16, 32, 64, 96, 256, 257, 1500]);
        // Every other set has shorter ones, too, with as many rates of 16 bytes.
        let least = if i % 2 == 0 { most } else { (most.div_ceil(16) * 16).saturating_sub(15).min(most) };
        let (mut texts, mut ads) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let n = least + rng.below(most - least + 1);
            let [.., ad, text] = random(rng, 16, ad_bytes, n);
            ads.push(ad);
            texts.push(text);
        }
        let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
        let what =
            format!("set {i} of {seed}: {count} messages of {least} to {most} bytes, {ad_bytes} of data");
        there_and_back::<S>(kernel, rng, &what, &texts, &ads);
    }
}

/// Encrypts the messages of `set`, every third with the key of the first, some in place; then decrypts them,
/// some of them forged.
fn there_and_back<S: Many>(
    kernel: Option<&'static Aegis>,
    rng: &mut Rng,
    set: &dyn Display,
    texts: &[&[u8]],
    ads: &[Vec<u8>],
) {
    let keys: Vec<[Vec<u8>; 4]> = texts.iter().map(|_| random(rng, S::KEY_BYTES, 0, 0)).collect();
    let ciphers: Vec<_> = (0..keys.len())
        .map(|i| Cipher::<S::C, S::T>::from_slice(&keys[if i % 3 == 0 { 0 } else { i }][0]).unwrap())
        .collect();
    let mut outputs: Vec<Vec<u8>> = texts
        .iter()
        .enumerate()
        .map(|(i, text)| if i % 2 == 0 { text.to_vec() } else { vec![7; text.len()] })
        .collect();

    let tags = through::<S>(&ciphers, &keys, ads, texts, &mut outputs, None, |messages| {
        S::encrypt(kernel, messages);
    });
    for i in 0..texts.len() {
        let key = &keys[if i % 3 == 0 { 0 } else { i }][0];
        let expected = S::oracle().encrypt(key, &keys[i][1], &ads[i], texts[i], S::TAG_BYTES);
        assert!((&outputs[i], &tags[i]) == (&expected.0, &expected.1), "{set}: message {i}");
    }

    // Every fifth tag is not the right one.
    let forged = |i: usize| i % 5 == 4;
    let mut given = tags.clone();
    given.iter_mut().enumerate().filter(|(i, _)| forged(*i)).for_each(|(i, tag)| tag[i % 16] ^= 1 << (i % 8));
    let ciphertexts = outputs.clone();
    let inputs: Vec<&[u8]> = ciphertexts.iter().map(|text| &text[..]).collect();
    let mut results = vec![Ok(()); texts.len()];
    through::<S>(&ciphers, &keys, ads, &inputs, &mut outputs, Some(&given), |messages| {
        S::decrypt(kernel, messages, &mut results);
    });
    for i in 0..texts.len() {
        assert_eq!(results[i].is_err(), forged(i), "{set}: message {i}");
        let right = if forged(i) { outputs[i].iter().all(|byte| *byte == 0) } else { outputs[i] == texts[i] };
        assert!(right, "{set}: message {i}, decrypted");
    }
}

/// Creates the messages, those of even number in place, passes them to `body`, and returns their tags.
fn through<S: Many>(
    ciphers: &[Cipher<S::C, S::T>],
    keys: &[[Vec<u8>; 4]],
    ads: &[Vec<u8>],
    texts: &[&[u8]],
    outputs: &mut [Vec<u8>],
    tags: Option<&[Vec<u8>]>,
    body: impl FnOnce(&mut [Message<'_, '_, S::C, S::T>]),
) -> Vec<Vec<u8>> {
    let mut messages: Vec<Message<'_, '_, S::C, S::T>> = outputs
        .iter_mut()
        .enumerate()
        .map(|(i, output)| Message {
            cipher: &ciphers[i],
            nonce: S::nonce(&keys[i][1]),
            ad: &ads[i],
            buffer: if i % 2 == 0 { Buffer::in_place(output) } else { Buffer::new(texts[i], output) },
            tag: tags.map_or_else(Default::default, |tags| S::tag(&tags[i])),
        })
        .collect();
    body(&mut messages);
    messages.iter().map(|message| message.tag.as_ref().to_vec()).collect()
}

/// All claims with a tag of 128 bits in one call.
fn published<S: Many>(kernel: &'static Aegis) {
    let claims: Vec<_> = vectors::aegis_claims()
        .into_iter()
        .filter(|claim| claim.cipher == S::name() && claim.ct.is_some() && claim.tag128.is_some())
        .collect();
    let ciphers: Vec<_> = claims.iter().map(|claim| S::on(kernel, &claim.key)).collect();
    let keys: Vec<[Vec<u8>; 4]> =
        claims.iter().map(|claim| [claim.key.clone(), claim.nonce.clone(), vec![], vec![]]).collect();
    let ads: Vec<Vec<u8>> = claims.iter().map(|claim| claim.ad.clone()).collect();
    let cts: Vec<Vec<u8>> = claims.iter().map(|claim| claim.ct.clone().expect("a ciphertext")).collect();
    let tags: Vec<Vec<u8>> = claims.iter().map(|claim| claim.tag128.clone().expect("a tag")).collect();
    let mut outputs = cts.clone();
    let mut results = vec![Ok(()); claims.len()];
    let inputs: Vec<&[u8]> = cts.iter().map(|ct| &ct[..]).collect();
    through::<S>(&ciphers, &keys, &ads, &inputs, &mut outputs, Some(&tags), |messages| {
        S::decrypt(Some(kernel), messages, &mut results);
    });
    for (i, claim) in claims.iter().enumerate() {
        assert_eq!(results[i].is_ok(), claim.valid, "{}", claim.name);
        if claim.valid {
            assert_eq!(Some(&outputs[i]), claim.msg.as_ref(), "{}", claim.name);
        } else {
            assert!(outputs[i].iter().all(|byte| *byte == 0), "{}: zeros", claim.name);
        }
    }
}
