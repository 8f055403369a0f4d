//! Ciphers' kernels timed on this CPU, for `hashlanes bench`.

use std::cell::RefCell;
use std::hint::black_box;
use std::slice::ChunksExactMut;

use hashlanes::aes::aegis::{
    Aegis, C128L, C128X2, C128X4, C256, C256X2, C256X4, Message, Rfc10032, Tag256, aegis128l_encrypt_many_on,
};
use hashlanes::aes::gcm::Aes128Gcm;
use hashlanes::aes::gcm_siv::Aes128GcmSiv;
use hashlanes::aes::kernels::{self, AegisVerbs, Kernel, Row};
use hashlanes::aes::{
    Buffer, CbcMessage, CounterBits, Ctr, InFlight, Key, cbc_decrypt_raw_on, cbc_encrypt_raw_many_on,
};
use hashlanes_clock::{Clock, Outcome};

use crate::kernel_timing::{Buffer as Memory, race};

/// The key of AES-128; it does not change the time, nor do the nonces.
const KEY: [u8; 16] = [0x5a; 16];

/// A cipher or a mode, and its kernels that this CPU can run.
pub(crate) struct Timed {
    pub(crate) name: &'static str,
    pub(crate) kernels: Vec<(Row, Outcome)>,
}

impl Timed {
    /// Returns whether some kernels advance several messages.
    pub(crate) fn has_lanes(&self) -> bool {
        self.kernels.iter().any(|(row, _)| row.degree > 1)
    }
}

/// Times the encryption, and in CBC the decryption, of `len` bytes a message by every kernel of a table, all
/// lanes busy.
///
/// # Panics
/// Panics unless `len` is whole blocks, and the table is one of [`kernels::all`].
pub(crate) fn of_table(table: &str, len: usize, clock: &mut Clock) -> Vec<Timed> {
    match table {
        "aes" => aes(len, clock),
        "gcm" => vec![gcm(len, clock), gcm_siv(len, clock)],
        "aegis" => vec![
            aegis128l(len, clock),
            aegis::<C128X2>("aegis-128x2", "aegis128x2", len, clock),
            aegis::<C128X4>("aegis-128x4", "aegis128x4", len, clock),
            aegis::<C256>("aegis-256", "aegis256", len, clock),
            aegis::<C256X2>("aegis-256x2", "aegis256x2", len, clock),
            aegis::<C256X4>("aegis-256x4", "aegis256x4", len, clock),
        ],
        _ => panic!("no table {table}"),
    }
}

fn aes(len: usize, clock: &mut Clock) -> Vec<Timed> {
    let key = &Key::new(&KEY).expect("a key of 16 bytes");
    let encrypt = kernels::aes().map(|kernel| {
        let work = move |texts: Texts<'_>| {
            let message = |text| CbcMessage { key, iv: [0; 16], buffer: Buffer::in_place(text) };
            let mut messages: Vec<_> = texts.map(message).collect();
            cbc_encrypt_raw_many_on(kernel, black_box(&mut messages)).expect("whole blocks");
        };
        (kernel.row_data(), work)
    });
    let decrypt = kernels::aes().map(|kernel| {
        let work = move |texts: Texts<'_>| {
            for text in texts {
                let buffer = Buffer::in_place(black_box(text));
                cbc_decrypt_raw_on(kernel, InFlight::Best, key, &mut [0; 16], buffer).expect("whole blocks");
            }
        };
        (kernel.row_data(), work)
    });
    let ctr = kernels::aes().map(|kernel| {
        let work = move |texts: Texts<'_>| {
            for text in texts {
                let mut ctr = Ctr::new(key, &[0; 16], CounterBits::Bits128);
                let buffer = Buffer::in_place(black_box(text));
                ctr.apply_on(kernel, InFlight::Best, buffer).expect("far below the limit");
            }
        };
        (kernel.row_data(), work)
    });
    vec![
        timed("aes-128-cbc-encrypt", &["cbc_encrypt"], encrypt, len, clock),
        timed("aes-128-cbc-decrypt", &["cbc_decrypt"], decrypt, len, clock),
        timed("aes-128-ctr", &["ctr"], ctr, len, clock),
    ]
}

fn gcm(len: usize, clock: &mut Clock) -> Timed {
    let works = kernels::gcm().map(|kernel| {
        let key = Aes128Gcm::new(&KEY).on(kernel);
        let work = move |texts: Texts<'_>| {
            for text in texts {
                black_box(key.encrypt_in_place(&[0; 12], b"", black_box(text)).expect("far below the limit"));
            }
        };
        (kernel.row_data(), work)
    });
    timed("aes-128-gcm", &["gcm_encrypt"], works, len, clock)
}

fn gcm_siv(len: usize, clock: &mut Clock) -> Timed {
    let works = kernels::gcm().map(|kernel| {
        let key = Aes128GcmSiv::new(&KEY).on(kernel);
        let work = move |texts: Texts<'_>| {
            for text in texts {
                black_box(key.encrypt_in_place(&[0; 12], b"", black_box(text)).expect("far below the limit"));
            }
        };
        (kernel.row_data(), work)
    });
    timed("aes-128-gcm-siv", &["gcm_siv_encrypt"], works, len, clock)
}

/// AEGIS-128L, which has kernels of several messages.
fn aegis128l(len: usize, clock: &mut Clock) -> Timed {
    let works = kernels::aegis().map(|kernel| {
        let (one, cipher) = (one_by_one::<C128L>(kernel), Aegis::<C128L, Tag256>::new(&KEY));
        let work = move |texts: Texts<'_>| {
            if kernel.degree() == 1 {
                return one(texts);
            }
            let message = |text| {
                let (nonce, tag) = ([0; 16], [0; 32]);
                Message { cipher: &cipher, nonce, ad: b"", buffer: Buffer::in_place(text), tag }
            };
            let mut messages: Vec<_> = texts.map(message).collect();
            aegis128l_encrypt_many_on(kernel, black_box(&mut messages)).expect("far below the limit");
        };
        (kernel.row_data(), work)
    });
    timed("aegis-128l", &["aegis128l", "aegis128l_many"], works, len, clock)
}

/// A member of the family, one message after another.
fn aegis<C: Rfc10032>(name: &'static str, verb: &str, len: usize, clock: &mut Clock) -> Timed {
    let works = kernels::aegis().map(|kernel| (kernel.row_data(), one_by_one::<C>(kernel)));
    timed(name, &[verb], works, len, clock)
}

fn one_by_one<C: Rfc10032>(kernel: &'static Kernel<AegisVerbs>) -> impl Fn(Texts<'_>) {
    let nonce = Aegis::<C, Tag256>::nonce(&[0x5a; 32][..C::KEY_BYTES]).expect("a nonce of its length");
    let cipher = Aegis::<C, Tag256>::with_tag(&nonce).on(kernel);
    move |texts| {
        for text in texts {
            black_box(cipher.encrypt_in_place(&nonce, b"", black_box(text)).expect("far below the limit"));
        }
    }
}

/// The messages of a call, which are encrypted in place.
struct Texts<'t> {
    places: ChunksExactMut<'t, u8>,
    len: usize,
}

impl<'t> Iterator for Texts<'t> {
    type Item = &'t mut [u8];

    fn next(&mut self) -> Option<&'t mut [u8]> {
        self.places.next().map(|place| &mut place[..self.len])
    }
}

/// Times the kernels that have one of the verbs, each on as many messages as it advances at once. `works` has
/// a call for each kernel.
fn timed<W: Fn(Texts<'_>)>(
    name: &'static str,
    verbs: &[&str],
    works: impl Iterator<Item = (Row, W)>,
    len: usize,
    clock: &mut Clock,
) -> Timed {
    let works: Vec<_> = works.filter(|(row, _)| row.verbs().any(|own| verbs.contains(&own))).collect();
    let most = works.iter().map(|(row, _)| row.degree).max().unwrap_or(0);
    let memory = RefCell::new(Memory::new(most, len));
    let contestants = works.iter().map(|(row, work)| {
        let (n, shared) = (row.degree, &memory);
        memory.borrow().contestant(row.name, n, len, move || {
            work(Texts { places: shared.borrow_mut().places(n, len), len });
        })
    });
    let outcomes = race(name, contestants.collect(), clock);
    Timed { name, kernels: works.iter().map(|(row, _)| *row).zip(outcomes).collect() }
}
