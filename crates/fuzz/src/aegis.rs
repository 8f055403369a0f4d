//! AEGIS and its codes on every kernel, compared with an oracle; a changed bit is an error.

use hashlanes::aes::aegis::{
    Aegis, AegisMac, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Cipher, Error, Message, Rfc10032,
    Tag, Tag128, Tag256, aegis128_decrypt_many, aegis128_encrypt_many, aegis128l_decrypt_many,
    aegis128l_encrypt_many, aegis128x2_decrypt_many, aegis128x2_encrypt_many, aegis128x4_decrypt_many,
    aegis128x4_encrypt_many, aegis256_decrypt_many, aegis256_encrypt_many, aegis256x2_decrypt_many,
    aegis256x2_encrypt_many, aegis256x4_decrypt_many, aegis256x4_encrypt_many,
};
use hashlanes::aes::{Buffer, kernels};
use hashlanes_testkit::oracle;

use crate::input::{Input, parts};

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 21 {
        0 => one::<C128, Tag128>(&mut input),
        1 => one::<C128L, Tag128>(&mut input),
        2 => one::<C128L, Tag256>(&mut input),
        3 => one::<C128X2, Tag128>(&mut input),
        4 => one::<C128X2, Tag256>(&mut input),
        5 => one::<C128X4, Tag256>(&mut input),
        6 => one::<C256, Tag256>(&mut input),
        7 => one::<C256, Tag128>(&mut input),
        8 => one::<C256X2, Tag256>(&mut input),
        9 => one::<C256X4, Tag128>(&mut input),
        10 => code::<C128L, Tag256>(&mut input),
        11 => code::<C128X2, Tag128>(&mut input),
        12 => code::<C128X4, Tag256>(&mut input),
        13 => code::<C256X2, Tag256>(&mut input),
        14 => many::<C128, Tag128>(&mut input, aegis128_encrypt_many, aegis128_decrypt_many),
        15 => many::<C128L, Tag256>(&mut input, aegis128l_encrypt_many, aegis128l_decrypt_many),
        16 => many::<C256, Tag256>(&mut input, aegis256_encrypt_many, aegis256_decrypt_many),
        17 => many::<C128X2, Tag256>(&mut input, aegis128x2_encrypt_many, aegis128x2_decrypt_many),
        18 => many::<C128X4, Tag128>(&mut input, aegis128x4_encrypt_many, aegis128x4_decrypt_many),
        19 => many::<C256X2, Tag128>(&mut input, aegis256x2_encrypt_many, aegis256x2_decrypt_many),
        _ => many::<C256X4, Tag256>(&mut input, aegis256x4_encrypt_many, aegis256x4_decrypt_many),
    }
}

fn of<C: Cipher>() -> oracle::Aegis {
    oracle::Aegis::by_name(&C::NAME.to_lowercase()).expect("every cipher has an oracle")
}

fn one<C: Cipher, T: Tag<C>>(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aegis());
    let (key, nonce) = (input.random(C::KEY_BYTES), input.random(C::KEY_BYTES));
    let (ad, message) = (input.some(500), input.some(900));
    let (expected, expected_tag) = of::<C>().encrypt(&key, &nonce, &ad, &message, T::TAG_BYTES);
    let cipher = Aegis::<C, T>::from_slice(&key).expect("a key").on(kernel);
    let nonce = Aegis::<C, T>::nonce(&nonce).expect("a nonce");
    let what = format!("{} {}", C::NAME, kernel.name());

    let mut output = vec![0; message.len()];
    let tag = cipher.encrypt(&nonce, &ad, &message, &mut output).expect("few bytes");
    assert_eq!((&output, tag.as_ref()), (&expected, &expected_tag[..]), "{what}");
    let mut in_parts = message.clone();
    let mut encryptor = cipher.encryptor(&nonce, &ad).expect("few bytes");
    let mut rest = &mut in_parts[..];
    for part in parts(&message, &input.cuts(message.len())) {
        let (now, others) = rest.split_at_mut(part.len());
        encryptor.update(part, now).expect("few bytes");
        rest = others;
    }
    assert_eq!(encryptor.finish(), tag, "{what}, in parts");
    assert_eq!(in_parts, expected, "{what}, in parts");

    let mut text = vec![1; message.len()];
    assert_eq!(cipher.decrypt(&nonce, &ad, &expected, &tag, &mut text), Ok(()), "{what}");
    assert_eq!(text, message, "{what}");
    // One changed bit of the ciphertext, the tag or the data.
    let mut sealed = [&expected[..], tag.as_ref(), &ad].concat();
    let at = input.below(sealed.len());
    sealed[at] ^= 1 << input.below(8);
    let (changed, rest) = sealed.split_at(expected.len());
    let (wrong, ad) = rest.split_at(T::TAG_BYTES);
    let wrong = Aegis::<C, T>::tag(wrong).expect("a tag");
    assert_eq!(
        cipher.decrypt(&nonce, ad, changed, &wrong, &mut text),
        Err(Error::Forged),
        "{what}: byte {at}"
    );
    assert!(text.iter().all(|byte| *byte == 0), "{what}: no text of a forgery");
}

fn code<C: Rfc10032, T: Tag<C>>(input: &mut Input<'_>) {
    let kernel = input.one_of(kernels::aegis());
    let (key, nonce) = (input.random(C::KEY_BYTES), input.random(C::KEY_BYTES));
    let data = input.some(1200);
    let expected = of::<C>().mac(&key, &nonce, &data, T::TAG_BYTES);
    let read = |bytes: &[u8]| Aegis::<C, T>::nonce(bytes).expect("a key's length");
    let (key, nonce) = (read(&key), read(&nonce));
    let got = AegisMac::<C, T>::mac_on(kernel, &key, &nonce, &data).expect("few bytes");
    assert_eq!(got.as_ref(), expected, "{} {}", C::NAME, kernel.name());
    let begun = || {
        let mut mac = AegisMac::<C, T>::with_tag_on(kernel, &key, &nonce);
        parts(&data, &[data.len() / 3, data.len() / 2])
            .into_iter()
            .for_each(|part| mac.update(part).expect("few bytes"));
        mac
    };
    assert_eq!(begun().verify(&got), Ok(()));
    let mut wrong = expected;
    wrong[input.below(T::TAG_BYTES)] ^= 1 << input.below(8);
    let wrong = AegisMac::<C, T>::tag(&wrong).expect("a tag");
    assert_eq!(begun().verify(&wrong), Err(Error::Forged));
}

type Encrypt<C, T> = fn(&mut [Message<'_, '_, C, T>]) -> Result<(), Error>;
type Decrypt<C, T> = fn(&mut [Message<'_, '_, C, T>], &mut [Result<(), Error>]) -> Result<(), Error>;

/// Many messages in lanes; some of them with a changed tag.
fn many<C: Cipher, T: Tag<C>>(input: &mut Input<'_>, encrypt: Encrypt<C, T>, decrypt: Decrypt<C, T>) {
    let kernel = input.one_of(kernels::aegis());
    let keys: Vec<Vec<u8>> = (0..1 + input.below(3)).map(|_| input.random(C::KEY_BYTES)).collect();
    let ciphers: Vec<Aegis<C, T>> =
        keys.iter().map(|key| Aegis::from_slice(key).expect("a key").on(kernel)).collect();
    struct Case {
        key: usize,
        nonce: Vec<u8>,
        ad: Vec<u8>,
        message: Vec<u8>,
        is_wrong: bool,
    }
    let cases: Vec<Case> = (0..input.below(50))
        .map(|_| Case {
            key: input.below(keys.len()),
            nonce: input.random(C::KEY_BYTES),
            ad: input.some(200),
            message: input.some(500),
            is_wrong: input.byte() == 1,
        })
        .collect();
    let mut texts: Vec<Vec<u8>> = cases.iter().map(|case| case.message.clone()).collect();
    let mut messages: Vec<Message<'_, '_, C, T>> = cases
        .iter()
        .zip(&mut texts)
        .map(|(case, text)| Message {
            cipher: &ciphers[case.key],
            nonce: Aegis::<C, T>::nonce(&case.nonce).expect("a nonce"),
            ad: &case.ad,
            buffer: Buffer::in_place(text),
            tag: T::Bytes::default(),
        })
        .collect();
    encrypt(&mut messages).expect("few bytes");
    let tags: Vec<T::Bytes> = messages.iter().map(|message| message.tag).collect();
    for (i, case) in cases.iter().enumerate() {
        let Case { key, nonce, ad, message, .. } = case;
        let (expected, tag) = of::<C>().encrypt(&keys[*key], nonce, ad, message, T::TAG_BYTES);
        assert_eq!((texts[i].as_slice(), tags[i].as_ref()), (&expected[..], &tag[..]), "{} of many", C::NAME);
    }
    let mut messages: Vec<Message<'_, '_, C, T>> = Vec::new();
    for ((case, text), tag) in cases.iter().zip(&mut texts).zip(&tags) {
        let mut tag = *tag;
        tag.as_mut()[0] ^= u8::from(case.is_wrong);
        messages.push(Message {
            cipher: &ciphers[case.key],
            nonce: Aegis::<C, T>::nonce(&case.nonce).expect("a nonce"),
            ad: &case.ad,
            buffer: Buffer::in_place(text),
            tag,
        });
    }
    let mut results = vec![Ok(()); messages.len()];
    let all = decrypt(&mut messages, &mut results);
    assert_eq!(all.is_ok() || !cases.iter().any(|case| case.is_wrong), all.is_ok());
    for (i, case) in cases.iter().enumerate() {
        let expected = if case.is_wrong { vec![0; case.message.len()] } else { case.message.clone() };
        assert_eq!((results[i].is_err(), &texts[i]), (case.is_wrong, &expected), "{} of many", C::NAME);
    }
}
