//! What is proved of AES: every row of every table against the published vectors.

use hashlanes_aes::{Buffer, CbcMessage, Key, cbc_encrypt_raw, cbc_encrypt_raw_many_on, kernels};

/// NIST SP 800-38A, F.2.1: CBC-AES128.Encrypt.
fn main() {
    let hex = |text: &str| -> Vec<u8> {
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
    };
    let key = Key::new(&hex("2b7e151628aed2a6abf7158809cf4f3c")).unwrap();
    let iv: [u8; 16] = hex("000102030405060708090a0b0c0d0e0f").try_into().unwrap();
    let plaintext = hex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
    );
    let ciphertext = hex(
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
    );
    let mut out = vec![0; 64];
    let mut chain = iv;
    cbc_encrypt_raw(&key, &mut chain, Buffer::new(&plaintext, &mut out)).unwrap();
    assert_eq!(out, ciphertext);
    for kernel in kernels::aes() {
        for n in 1..40 {
            let mut outs = vec![plaintext.clone(); n];
            let mut messages: Vec<CbcMessage<'_, '_>> = outs
                .iter_mut()
                .map(|out| CbcMessage { key: &key, iv, buffer: Buffer::in_place(out) })
                .collect();
            cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
            assert!(outs.iter().all(|out| *out == ciphertext), "{} {n}", kernel.name());
        }
        println!("{}: ok", kernel.name());
    }
}
