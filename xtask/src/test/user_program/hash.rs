//! The calls of SHA-256. The step `user_crate` writes those of the other hashes from this text.

use std::hint::black_box;
use std::io::Write;

use hashlanes::*;

use super::{Call, Inputs, ROWS};

pub fn calls(inputs: &'static Inputs) -> Vec<Call> {
    let (short, long) = (&inputs.long[..64], &inputs.long[..]);
    let (messages, strings) = (&inputs.messages[..], &inputs.strings);
    let (offsets32, offsets64) = (&inputs.offsets32[..], &inputs.offsets64[..]);
    let key = HmacSha256Key::new(b"key");
    let prefix = [7; 256];
    let mut before = Sha256::new();
    before.update(prefix);
    let midstate = before.midstate().expect("whole blocks");
    let mut calls: Vec<Call> = Vec::new();
    macro_rules! call {
        ($name:expr, $call:expr) => {
            calls.push(($name, Box::new($call)))
        };
    }
    /// A call that writes into results of its own.
    macro_rules! many {
        ($name:expr, $zero:expr, $n:expr, |$results:ident| $call:expr) => {{
            let mut results = vec![$zero; $n];
            call!($name, move || {
                let $results = &mut results[..];
                $call;
            });
        }};
    }

    call!("sha256", move || drop(black_box(sha256(black_box(short)))));
    call!("sha256, 16 KiB", move || drop(black_box(sha256(black_box(long)))));
    call!("Sha256::digest", move || drop(black_box(Sha256::digest(black_box(short)))));
    call!("Sha256: new, update, finish", move || {
        let mut hasher = Sha256::new();
        hasher.update(black_box(short));
        drop(black_box(hasher.finish()));
    });
    let mut hasher = Sha256::new();
    call!("Sha256: update", move || hasher.update(black_box(short)));
    let mut hasher = Sha256::new();
    call!("Sha256: write_all", move || hasher.write_all(black_box(long)).expect("never fails"));
    let mut hasher = Sha256::new();
    call!("Sha256: finish_reset", move || drop(black_box(hasher.finish_reset())));
    let hasher = Sha256::new();
    call!("Sha256: clone", move || drop(black_box(black_box(&hasher).clone())));
    call!("Sha256: from_midstate", move || {
        let mut hasher = Sha256::from_midstate(black_box(midstate));
        hasher.update(black_box(short));
        drop(black_box(hasher.finish()));
    });

    many!("sha256_many", [0; 32], messages.len(), |d| sha256_many(black_box(messages), d));
    call!("sha256_all, slices", move || drop(black_box(sha256_all(black_box(messages)))));
    call!("sha256_all, strings", move || drop(black_box(sha256_all(black_box(strings)))));
    let mut hashers = vec![Sha256::new(); 20];
    call!("sha256_update_many", move || {
        let mut parts: Vec<(&mut Sha256, &[u8])> =
            hashers.iter_mut().map(|hasher| (hasher, &long[..1024])).collect();
        sha256_update_many(black_box(&mut parts));
    });
    let mut hashers = vec![Sha256::new(); 20];
    many!("sha256_finish_many", [0; 32], 20, |d| sha256_finish_many(black_box(&mut hashers), d));
    let mut queue = Sha256Queue::new();
    call!("Sha256Queue: submit, flush", move || {
        for message in messages {
            drop(black_box(queue.submit(*message)));
        }
        while let Some(done) = queue.flush() {
            drop(black_box(done));
        }
    });

    many!("sha256_fixed", [0; 32], ROWS, |d| sha256_fixed(&long[..ROWS * 50], 50, d));
    many!("sha256_rows, i32", [0; 32], ROWS, |d| sha256_rows(long, black_box(offsets32), d));
    many!("sha256_rows, i64", [0; 32], ROWS, |d| sha256_rows(long, black_box(offsets64), d));
    many!("sha256_rows_valid", [0; 32], ROWS, |d| {
        sha256_rows_valid(long, offsets32, Some(black_box(&inputs.validity)), d)
    });
    many!("sha256_rows_hex", [0; 2 * 32], ROWS, |d| sha256_rows_hex(long, black_box(offsets32), d));
    many!("sha256_column, prefix", [0; 32], ROWS, |d| {
        sha256_column(&Column::binary(long, offsets32).validity(&inputs.validity, 3).prefix(b"salt"), d)
    });
    many!("sha256_column, fixed size", [0; 32], ROWS, |d| {
        sha256_column(&Column::fixed_size(&long[..ROWS * 20], 20), d)
    });
    many!("sha256_column, views", [0; 32], ROWS, |d| {
        sha256_column(&Column::views(black_box(&inputs.views), &[]), d)
    });
    many!("sha256_column_hex", [0; 2 * 32], ROWS, |d| {
        sha256_column_hex(&Column::binary(long, offsets64), d)
    });

    call!("hmac_sha256", move || drop(black_box(hmac_sha256(b"key", black_box(short)))));
    call!("HmacSha256Key::new", || drop(black_box(HmacSha256Key::new(black_box(b"key")))));
    let of_mac = key.clone();
    call!("HmacSha256Key: mac", move || drop(black_box(of_mac.mac(black_box(short)))));
    let of_many = key.clone();
    many!("HmacSha256Key: mac_many", [0; 32], messages.len(), |d| of_many.mac_many(messages, d));
    let of_parts = key.clone();
    call!("HmacSha256: begin, update, finish", move || {
        let mut hmac = of_parts.begin();
        hmac.update(black_box(short));
        drop(black_box(hmac.finish()));
    });
    call!("HmacSha256: new, update, verify", move || {
        let mut hmac = HmacSha256::new(b"key");
        hmac.update(black_box(short));
        black_box(hmac.verify(&[0; 32]));
    });
    let mut hmac = key.begin();
    call!("HmacSha256: finish_reset", move || drop(black_box(hmac.finish_reset())));
    many!("hmac_sha256_many", [0; 32], messages.len(), |d| hmac_sha256_many(b"key", messages, d));
    call!("hmac_sha256_all", move || drop(black_box(hmac_sha256_all(b"key", black_box(strings)))));
    let mut hmacs = vec![key.begin(); 20];
    call!("HmacSha256::update_many", move || {
        let mut parts: Vec<(&mut HmacSha256, &[u8])> =
            hmacs.iter_mut().map(|hmac| (hmac, &long[..1024])).collect();
        HmacSha256::update_many(black_box(&mut parts));
    });
    let mut hmacs = vec![key.begin(); 20];
    many!("HmacSha256::finish_many", [0; 32], 20, |d| HmacSha256::finish_many(&mut hmacs, d));
    many!("hmac_sha256_rows", [0; 32], ROWS, |d| hmac_sha256_rows(b"key", long, offsets32, d));
    many!("hmac_sha256_column", [0; 32], ROWS, |d| {
        hmac_sha256_column(b"key", &Column::binary(long, offsets32), d)
    });
    many!("hmac_sha256_column_hex", [0; 2 * 32], ROWS, |d| {
        hmac_sha256_column_hex(b"key", &Column::binary(long, offsets32), d)
    });
    many!("pbkdf2_sha256_many", [0; 40], 20, |d| {
        pbkdf2_sha256_many(&messages[..20], &messages[..20], 2, black_box(d))
    });
    many!("hkdf_sha256_many", [0; 40], 20, |d| {
        hkdf_sha256_many(b"salt", &messages[..20], b"info", black_box(d))
    });
    calls
}
