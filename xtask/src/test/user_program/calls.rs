//! The calls of a user's crate: every public function of the hashes, and AES-GCM. The modules of the hashes
//! are written from `hash.rs` and `sponge.rs`.

use std::hint::black_box;

use hashlanes::*;

/// A call and its name.
pub type Call = (&'static str, Box<dyn FnMut()>);

/// Arguments of the calls.
pub struct Inputs {
    pub long: Vec<u8>,
    pub messages: Vec<&'static [u8]>,
    pub strings: Vec<String>,
    /// Of rows of 20 bytes.
    pub offsets32: Vec<i32>,
    pub offsets64: Vec<i64>,
    pub validity: Vec<u8>,
    pub views: Vec<[u8; 16]>,
    pub nodes: Vec<[u8; 64]>,
    pub digests: Vec<[u8; 32]>,
}

/// Rows of a column, and messages of one length.
pub const ROWS: usize = 200;

impl Inputs {
    fn new() -> &'static Self {
        let long: &'static [u8] = vec![b'7'; 1 << 14].leak();
        Box::leak(Box::new(Self {
            long: long.to_vec(),
            messages: long[..10_000].chunks(100).collect(),
            strings: vec!["7".repeat(100); 100],
            offsets32: (0..=ROWS as i32).map(|i| i * 20).collect(),
            offsets64: (0..=ROWS as i64).map(|i| i * 20).collect(),
            validity: vec![0xff; ROWS],
            views: vec![*b"\x05\0\0\0short\0\0\0\0\0\0\0"; ROWS],
            nodes: vec![[7; 64]; ROWS],
            digests: vec![[7; 32]; ROWS],
        }))
    }
}

macro_rules! modules {
    ($($module:ident)*) => {
        $(mod $module;)*

        /// All calls.
        pub fn calls() -> Vec<Call> {
            let inputs = Inputs::new();
            let mut calls = others(inputs);
            $(calls.extend($module::calls(inputs));)*
            calls
        }
    };
}
modules! { MODULES }

/// The functions that only some hashes have, and AES-GCM.
fn others(inputs: &'static Inputs) -> Vec<Call> {
    use aes::gcm::{Aes128Gcm, Aes256Gcm};

    let (long, short) = (&inputs.long[..], &inputs.long[..64]);
    let mut results = [(); 12].map(|()| vec![[0; 32]; ROWS]).into_iter();
    let mut digests = || results.next().expect("enough");
    let (mut pairs, mut of_32, mut double_pairs) = (digests(), digests(), digests());
    let (mut double_many, mut double_fixed) = (digests(), digests());
    let (mut sha3_pairs, mut keccak_pairs) = (digests(), digests());
    let (mut shaken, mut outputs128, mut outputs256) = ([0; 500], [[0; 40]; 100], [[0; 40]; 100]);
    let gcm = Aes128Gcm::new(&[1; 16]);
    let sealed = gcm.seal(&[0; 12], b"", long).expect("short enough");
    let (other_gcm, mut ciphertext) = (Aes256Gcm::new(&[1; 32]), vec![0; long.len()]);
    vec![
        ("sha256_pairs", Box::new(move || sha256_pairs(black_box(&inputs.nodes), &mut pairs))),
        ("sha256_32", Box::new(move || sha256_32(black_box(&inputs.digests), &mut of_32))),
        ("sha256d", Box::new(|| drop(black_box(sha256d(black_box(short)))))),
        (
            "sha256d_many",
            Box::new(move || sha256d_many(black_box(&inputs.messages), &mut double_many[..100])),
        ),
        ("sha256d_fixed", Box::new(move || sha256d_fixed(&long[..ROWS * 80], 80, &mut double_fixed))),
        ("sha256d_pairs", Box::new(move || sha256d_pairs(black_box(&inputs.nodes), &mut double_pairs))),
        ("sha3_256_pairs", Box::new(move || sha3_256_pairs(black_box(&inputs.nodes), &mut sha3_pairs))),
        ("keccak256_pairs", Box::new(move || keccak256_pairs(black_box(&inputs.nodes), &mut keccak_pairs))),
        ("shake128", Box::new(move || shake128(black_box(short), &mut shaken))),
        ("shake256", Box::new(move || shake256(black_box(short), &mut shaken))),
        (
            "shake128_many",
            Box::new(move || shake128_many(&inputs.messages, 40, outputs128.as_flattened_mut())),
        ),
        (
            "shake256_many",
            Box::new(move || shake256_many(&inputs.messages, 40, outputs256.as_flattened_mut())),
        ),
        (
            "Shake128: update, finish_xof, read",
            Box::new(move || {
                let mut hasher = Shake128::new();
                hasher.update(black_box(short));
                hasher.finish_xof().read(black_box(&mut [0; 500]));
            }),
        ),
        ("Aes128Gcm::new", Box::new(|| drop(black_box(Aes128Gcm::new(black_box(&[1; 16])))))),
        ("Aes128Gcm: seal", {
            let gcm = gcm.clone();
            Box::new(move || drop(black_box(gcm.seal(&[0; 12], b"", black_box(long)))))
        }),
        ("Aes128Gcm: open", Box::new(move || drop(black_box(gcm.open(&[0; 12], b"", black_box(&sealed)))))),
        (
            "Aes256Gcm: encrypt",
            Box::new(move || drop(black_box(other_gcm.encrypt(&[0; 12], b"", long, &mut ciphertext)))),
        ),
    ]
}
