//! AEGIS by our library and by the crate `aegis`.

use std::hint::black_box;

use hashlanes::aes::Buffer;
use hashlanes::aes::aegis::{
    self as ours, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Message, Tag128,
};
use hashlanes::aes::kernels::{AegisVerbs, Kernel, aegis_table};

use super::tags::with_tags;
use crate::aegis::{Aegis, Cipher, Direction};
use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::input::Input;
use crate::work::{Hash, Shape};

type OurKernel = Option<&'static Kernel<AegisVerbs>>;

/// Prepares our library for an input, with its own choice of kernels, or on one kernel.
///
/// # Errors
/// If this CPU has no such kernel.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    aegis: Aegis,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let named = |kernel| aegis_table().named(kernel).map_err(|error| NotApplicable(error.to_string()));
    let kernel = kernel.map(named).transpose()?;
    let several = kernel.is_some_and(|kernel| kernel.degree() > 1);
    let is_one = matches!(input.work().shape, Shape::One { .. });
    Ok(match aegis.cipher {
        _ if several && !matches!(aegis.cipher, Cipher::C128 | Cipher::C128L | Cipher::C256) => {
            return Err(NotApplicable("its lanes are for AEGIS-128, AEGIS-128L and AEGIS-256".into()));
        }
        Cipher::C128 if is_one && !several => one_by_one::<C128>(name, kernel, aegis, input),
        Cipher::C128L if is_one && !several => one_by_one::<C128L>(name, kernel, aegis, input),
        Cipher::C128X2 if is_one && !several => one_by_one::<C128X2>(name, kernel, aegis, input),
        Cipher::C128X4 if is_one && !several => one_by_one::<C128X4>(name, kernel, aegis, input),
        Cipher::C256 if is_one && !several => one_by_one::<C256>(name, kernel, aegis, input),
        Cipher::C256X2 if is_one && !several => one_by_one::<C256X2>(name, kernel, aegis, input),
        Cipher::C256X4 if is_one && !several => one_by_one::<C256X4>(name, kernel, aegis, input),
        Cipher::C128 => many_128(name, kernel, aegis, input),
        Cipher::C128L => many_128l(name, kernel, aegis, input),
        Cipher::C128X2 => many_128x2(name, kernel, aegis, input),
        Cipher::C128X4 => many_128x4(name, kernel, aegis, input),
        Cipher::C256 => many_256(name, kernel, aegis, input),
        Cipher::C256X2 => many_256x2(name, kernel, aegis, input),
        Cipher::C256X4 => many_256x4(name, kernel, aegis, input),
    })
}

/// The key, on a given kernel.
fn key_of<C: ours::Cipher>(aegis: Aegis, kernel: OurKernel) -> ours::Aegis<C, Tag128> {
    let key = ours::Aegis::from_slice(aegis.key()).expect("a key of its length");
    match kernel {
        Some(kernel) => key.on(kernel),
        None => key,
    }
}

/// Creates an entry whose work changes the messages' texts.
fn of_texts<'a>(
    name: &str,
    aegis: Aegis,
    input: &'a Input,
    work: impl Fn(&mut [Text]) + Clone + 'a,
) -> Entry<'a> {
    let texts = texts(aegis, input);
    // Results begin empty; the first call, before the clock, gives them their texts.
    Entry::of_results(name, input, Text::default(), Text::put, move |results: &mut [Text]| {
        if results[0].nonce.is_empty() {
            results.clone_from_slice(&texts);
        }
        work(black_box(results));
    })
}

fn one_by_one<'a, C: ours::Cipher>(
    name: &str,
    kernel: OurKernel,
    aegis: Aegis,
    input: &'a Input,
) -> Entry<'a> {
    let key = key_of::<C>(aegis, kernel);
    of_texts(name, aegis, input, move |texts| {
        for Text { nonce, input, output, tag } in texts {
            let nonce = ours::Aegis::<C, Tag128>::nonce(nonce).expect("a nonce of its length");
            let (input, output) = (input.bytes(), output.bytes_mut());
            match aegis.direction {
                Direction::Encrypt => *tag = key.encrypt(&nonce, b"", input, output).expect("as long"),
                Direction::Decrypt => {
                    key.decrypt(&nonce, b"", input, tag, output).expect("the right tag");
                }
            }
        }
    })
}

/// What the lengths of works are.
const BELOW: &str = "lengths below the limit";

/// Many messages in a call.
macro_rules! many {
    ($($function:ident $cipher:ident $encrypt:ident $encrypt_on:ident $decrypt:ident $decrypt_on:ident;)*) => {$(
        fn $function<'a>(name: &str, kernel: OurKernel, aegis: Aegis, input: &'a Input) -> Entry<'a> {
            let key = key_of::<$cipher>(aegis, None);
            of_texts(name, aegis, input, move |texts| {
                let run = |messages: &mut [Message<'_, '_, $cipher, Tag128>]| match (aegis.direction, kernel) {
                    (Direction::Encrypt, None) => ours::$encrypt(messages).expect(BELOW),
                    (Direction::Encrypt, Some(kernel)) => ours::$encrypt_on(kernel, messages).expect(BELOW),
                    (Direction::Decrypt, kernel) => {
                        let mut results = vec![Ok(()); messages.len()];
                        match kernel {
                            None => ours::$decrypt(messages, &mut results).expect(BELOW),
                            Some(kernel) => ours::$decrypt_on(kernel, messages, &mut results).expect(BELOW),
                        }
                        assert!(results.iter().all(Result::is_ok), "the right tags");
                    }
                };
                with_tags!(texts, |_, Text { nonce, input, output, tag }| {
                    let nonce = nonce[..].try_into().expect("a nonce of its length");
                    let buffer = Buffer::new(input.bytes(), output.bytes_mut());
                    (Message { cipher: &key, nonce, ad: b"", buffer, tag: *tag }, tag)
                }, run)
            })
        }
    )*};
}
many! {
    many_128 C128 aegis128_encrypt_many aegis128_encrypt_many_on aegis128_decrypt_many aegis128_decrypt_many_on;
    many_128l C128L aegis128l_encrypt_many aegis128l_encrypt_many_on aegis128l_decrypt_many aegis128l_decrypt_many_on;
    many_128x2 C128X2 aegis128x2_encrypt_many aegis128x2_encrypt_many_on aegis128x2_decrypt_many aegis128x2_decrypt_many_on;
    many_128x4 C128X4 aegis128x4_encrypt_many aegis128x4_encrypt_many_on aegis128x4_decrypt_many aegis128x4_decrypt_many_on;
    many_256 C256 aegis256_encrypt_many aegis256_encrypt_many_on aegis256_decrypt_many aegis256_decrypt_many_on;
    many_256x2 C256X2 aegis256x2_encrypt_many aegis256x2_encrypt_many_on aegis256x2_decrypt_many aegis256x2_decrypt_many_on;
    many_256x4 C256X4 aegis256x4_encrypt_many aegis256x4_encrypt_many_on aegis256x4_decrypt_many aegis256x4_decrypt_many_on;
}

/// The crate `aegis`: libaegis in C; an older version is pure Rust.
pub(super) struct Crate {
    name: &'static str,
    about: &'static str,
    /// The name of the package, and the beginning of its version.
    package: &'static str,
}

/// Both of them.
pub(super) fn crates() -> [Box<dyn Candidate>; 2] {
    [
        Box::new(Crate {
            name: "aegis",
            about: "the crate aegis (libaegis, in C): one message",
            package: "aegis 0.9",
        }),
        Box::new(Crate {
            name: "aegis-rust",
            about: "the crate aegis 0.8 with its feature pure-rust, without AES instructions: one message",
            package: "aegis 0.8",
        }),
    ]
}

impl Candidate for Crate {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        self.about.into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version(self.package))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        let Hash::Aegis(aegis) = input.work().hash else {
            return Err(NotApplicable::hash(input.work().hash));
        };
        macro_rules! by_crate {
            ($crate_name:ident $($variant:ident $module:ident $cipher:ident;)*) => {
                match aegis.cipher {
                    $(Cipher::$variant => of_texts(self.name, aegis, input, move |texts| {
                        let key = aegis.key().try_into().expect("a key of its length");
                        for text in texts {
                            let nonce = text.nonce[..].try_into().expect("a nonce of its length");
                            let cipher = $crate_name::$module::$cipher::<16>::new(&key, &nonce);
                            // In place, because this copy is then the only one; it takes 2 %.
                            let output = text.output.bytes_mut();
                            output.copy_from_slice(text.input.bytes());
                            match aegis.direction {
                                Direction::Encrypt => text.tag = cipher.encrypt_in_place(output, b""),
                                Direction::Decrypt => {
                                    cipher.decrypt_in_place(output, &text.tag, b"").expect("the right tag");
                                }
                            }
                        }
                    }),)*
                    _ => return Err(NotApplicable::hash(input.work().hash)),
                }
            };
        }
        Ok(if self.name == "aegis" {
            by_crate! { aegis_c
                C128L aegis128l Aegis128L;
                C128X2 aegis128x2 Aegis128X2;
                C128X4 aegis128x4 Aegis128X4;
                C256 aegis256 Aegis256;
                C256X2 aegis256x2 Aegis256X2;
                C256X4 aegis256x4 Aegis256X4;
            }
        } else {
            by_crate! { aegis_rust
                C128L aegis128l Aegis128L;
                C256 aegis256 Aegis256;
            }
        })
    }
}

/// Bytes of a page.
const PAGE: usize = 4096;

/// Bytes that begin at this offset after the start of a page.
#[derive(Default)]
struct Place {
    memory: Vec<u8>,
    offset: usize,
    len: usize,
}

impl Place {
    fn new(len: usize, offset: usize) -> Self {
        Place { memory: vec![0; len + offset + PAGE], offset, len }
    }

    /// Empty buffers have no page.
    fn start(&self) -> usize {
        if self.len == 0 { 0 } else { self.memory.as_ptr().align_offset(PAGE) + self.offset }
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.start()..][..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let (start, len) = (self.start(), self.len);
        &mut self.memory[start..][..len]
    }
}

/// A message being processed.
#[derive(Default)]
struct Text {
    nonce: Vec<u8>,
    input: Place,
    output: Place,
    /// The tag: encryption writes it, decryption compares it.
    tag: [u8; 16],
}

/// Places keep their offsets, so their bytes move.
impl Clone for Text {
    fn clone(&self) -> Self {
        let mut copy = Text { nonce: self.nonce.clone(), tag: self.tag, ..Text::default() };
        for (place, of) in [(&mut copy.input, &self.input), (&mut copy.output, &self.output)] {
            *place = Place::new(of.len, of.offset);
            place.bytes_mut().copy_from_slice(of.bytes());
        }
        copy
    }
}

impl Text {
    /// Appends the result.
    fn put(&self, result: &mut Vec<u8>) {
        result.extend_from_slice(self.output.bytes());
        result.extend_from_slice(&self.tag);
    }
}

/// The input and the place of the output of all messages, laid out in pages as the input is.
fn texts(aegis: Aegis, input: &Input) -> Vec<Text> {
    let stride = input.work().shape.stride();
    let text = |(i, message): (usize, &[u8])| {
        let (bytes, tag) = match aegis.direction {
            Direction::Encrypt => (message.to_vec(), [0; 16]),
            Direction::Decrypt => {
                let (ciphertext, tag) = aegis.sealed(i, message);
                (ciphertext, tag.try_into().expect("16 bytes"))
            }
        };
        let place = || Place::new(bytes.len(), i * stride % PAGE);
        let mut text = Text { nonce: aegis.nonce(i), input: place(), output: place(), tag };
        text.input.bytes_mut().copy_from_slice(&bytes);
        text
    };
    input.messages().into_iter().enumerate().map(text).collect()
}
