//! The traits of the crates `cipher` and `aead`: generic code accepts ours and the crates `cbc`, `ctr` and
//! `aes`, with equal results.
#![cfg(all(feature = "cipher", feature = "aead"))]

use aead::{Aead, KeyInit, Payload};
use cipher::block_padding::Pkcs7;
use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, IvState, KeyIvInit, KeySizeUser, StreamCipher, StreamCipherSeek,
};
use hashlanes::aes::aegis::{
    Aegis, Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X4, C128L, Tag128,
};
use hashlanes::aes::gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm};
use hashlanes::aes::gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};
use hashlanes::aes::{self as ours, CbcDecryptor, CbcEncryptor, Ctr32BE, Ctr64BE, Ctr128BE};

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 29 + 3) as u8).collect()
}

fn with_key<C: KeyIvInit>(iv: [u8; 16]) -> C {
    C::new_from_slices(&bytes(C::key_size()), &iv).expect("their lengths")
}

fn encrypted<C: BlockModeEncrypt + KeyIvInit>(message: &[u8]) -> Vec<u8> {
    with_key::<C>([9; 16]).encrypt_padded_vec::<Pkcs7>(message)
}

fn decrypted<C: BlockModeDecrypt + KeyIvInit>(ciphertext: &[u8]) -> Vec<u8> {
    with_key::<C>([9; 16]).decrypt_padded_vec::<Pkcs7>(ciphertext).expect("padded")
}

/// CBC with keys of one length: padded messages, and blocks by every method.
macro_rules! cbc_alike {
    ($length:ident) => {
        for n in [0, 1, 15, 16, 17, 100, 1000] {
            let ciphertext = encrypted::<CbcEncryptor<ours::$length>>(&bytes(n));
            assert_eq!(ciphertext, encrypted::<cbc::Encryptor<aes::$length>>(&bytes(n)), "{n} bytes");
            assert_eq!(decrypted::<CbcDecryptor<ours::$length>>(&ciphertext), bytes(n));
        }
        let mut whole = [[3; 16].into(); 7];
        let mut in_parts = whole;
        with_key::<cbc::Encryptor<aes::$length>>([5; 16]).encrypt_blocks(&mut whole);
        let mut parts: CbcEncryptor<ours::$length> = with_key([5; 16]);
        let (first, rest) = in_parts.split_first_mut().expect("seven");
        parts.encrypt_block(first);
        parts.encrypt_blocks(&mut rest[..2]);
        parts.encrypt_block_b2b(&rest[2].clone(), &mut rest[2]);
        parts.encrypt_blocks_b2b(&[[3; 16].into(); 3], &mut rest[3..]).expect("as many");
        assert_eq!(in_parts, whole);
        assert_eq!(parts.iv_state(), whole[6]);
        let mut decryptor: CbcDecryptor<ours::$length> = with_key([5; 16]);
        let (first, rest) = in_parts.split_first_mut().expect("seven");
        decryptor.decrypt_block(first);
        decryptor.decrypt_block_b2b(&rest[0].clone(), &mut rest[0]);
        decryptor.decrypt_blocks(&mut rest[1..3]);
        decryptor.decrypt_blocks_b2b(&whole[4..], &mut rest[3..]).expect("as many");
        assert_eq!(in_parts, [[3; 16]; 7]);
    };
}

#[test]
fn cbc_is_the_same() {
    cbc_alike!(Aes128);
    cbc_alike!(Aes192);
    cbc_alike!(Aes256);
}

/// A message in parts, then parts of it again from other places.
fn stream<C: StreamCipher + StreamCipherSeek + KeyIvInit>(iv: [u8; 16]) -> Vec<u8> {
    let mut cipher: C = with_key(iv);
    let mut message = bytes(700);
    let (first, rest) = message.split_at_mut(333);
    cipher.apply_keystream(first);
    assert_eq!(cipher.current_pos::<u64>(), 333);
    let input = rest.to_vec();
    cipher.apply_keystream_b2b(&input, rest);
    for position in [0_u32, 1, 16, 47, 333] {
        cipher.seek(position);
        assert_eq!(cipher.current_pos::<u32>(), position);
        let mut part = [0; 40];
        cipher.write_keystream(&mut part);
        message.extend(part);
    }
    message
}

macro_rules! ctr_alike {
    ($($counter:ident $length:ident)*) => {$(
        for iv in [[0; 16], [0xff; 16]] {
            let (ours, theirs) = (stream::<$counter<ours::$length>>(iv), stream::<ctr::$counter<aes::$length>>(iv));
            assert_eq!(ours, theirs, concat!(stringify!($counter), " ", stringify!($length)));
        }
    )*};
}

#[test]
fn ctr_is_the_same() {
    ctr_alike!(Ctr32BE Aes128 Ctr32BE Aes192 Ctr32BE Aes256 Ctr64BE Aes128 Ctr64BE Aes256 Ctr128BE Aes128 Ctr128BE Aes256);
    // The keystream ends where the counter comes round.
    let mut cipher: Ctr32BE<ours::Aes128> = with_key([0; 16]);
    let end = 16_u64 << 32;
    cipher.try_seek(end - 5).expect("inside");
    cipher.try_apply_keystream(&mut [0; 6]).expect_err("past the end");
    cipher.try_apply_keystream(&mut [0; 5]).expect("all that is left");
    cipher.try_seek(end + 1).expect_err("past the end");
}

/// The methods of `aead` and the cipher's own methods give the same results.
fn aead_alike<C: Aead + KeyInit + KeySizeUser>(seal: impl Fn(&[u8], &[u8]) -> Vec<u8>) {
    let cipher = C::new_from_slice(&bytes(C::key_size())).expect("its length");
    let nonce = aead::Nonce::<C>::default();
    for n in [0, 1, 31, 32, 33, 1000] {
        let (msg, aad) = (&bytes(n)[..], &bytes(20)[..]);
        let mut sealed = cipher.encrypt(&nonce, Payload { msg, aad }).expect("short enough");
        assert_eq!(sealed, seal(msg, aad), "{n} bytes");
        assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad }).expect("as sealed"), msg);
        sealed[n / 2] ^= 1;
        cipher.decrypt(&nonce, Payload { msg: &sealed, aad }).expect_err("changed");
        cipher.decrypt(&nonce, &sealed[..5]).expect_err("shorter than a tag");
    }
}

#[test]
fn aegis_is_an_aead() {
    macro_rules! alike {
        ($($cipher:ident $key:literal;)*) => {$(
            let cipher = $cipher::new(&bytes($key).try_into().expect("its length"));
            aead_alike::<$cipher>(|m, ad| cipher.seal(&[0; $key], ad, m).expect("short enough"));
        )*};
    }
    alike! { Aegis128L 16; Aegis256 32; Aegis128 16; Aegis128X2 16; Aegis128X4 16; Aegis256X4 32; }
    let cipher = Aegis::<C128L, Tag128>::with_tag(&bytes(16).try_into().expect("its length"));
    aead_alike::<Aegis<C128L, Tag128>>(|m, ad| cipher.seal(&[0; 16], ad, m).expect("short enough"));
}

#[test]
fn gcm_is_an_aead() {
    macro_rules! alike {
        ($($cipher:ident $key:literal;)*) => {$(
            let cipher = $cipher::new(&bytes($key).try_into().expect("its length"));
            aead_alike::<$cipher>(|m, ad| cipher.seal(&[0; 12], ad, m).expect("short enough"));
        )*};
    }
    alike! { Aes128Gcm 16; Aes192Gcm 24; Aes256Gcm 32; Aes128GcmSiv 16; Aes256GcmSiv 32; }
}
