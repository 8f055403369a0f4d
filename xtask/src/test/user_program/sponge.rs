//! The calls of Keccak-256. The step `user_crate` writes those of the other sponges from this text.

use std::hint::black_box;

use hashlanes::*;

use super::{Call, Inputs, ROWS};

pub fn calls(inputs: &'static Inputs) -> Vec<Call> {
    let (short, long) = (&inputs.long[..64], &inputs.long[..]);
    let (messages, strings, offsets) = (&inputs.messages[..], &inputs.strings, &inputs.offsets32[..]);
    let mut results = [(); 5].map(|()| vec![[0; 32]; ROWS]).into_iter();
    let mut digests = || results.next().expect("enough");
    let (mut of_many, mut of_fixed, mut of_rows, mut of_column) =
        (digests(), digests(), digests(), digests());
    let mut hex = vec![[0; 2 * 32]; ROWS];
    vec![
        ("keccak256", Box::new(move || drop(black_box(keccak256(black_box(short)))))),
        (
            "Keccak256: new, update, finish",
            Box::new(move || {
                let mut hasher = Keccak256::new();
                hasher.update(black_box(short));
                drop(black_box(hasher.finish()));
            }),
        ),
        ("keccak256_many", Box::new(move || keccak256_many(messages, &mut of_many[..messages.len()]))),
        ("keccak256_all", Box::new(move || drop(black_box(keccak256_all(black_box(strings)))))),
        ("keccak256_fixed", Box::new(move || keccak256_fixed(&long[..ROWS * 50], 50, &mut of_fixed))),
        ("keccak256_rows", Box::new(move || keccak256_rows(long, black_box(offsets), &mut of_rows))),
        (
            "keccak256_column",
            Box::new(move || keccak256_column(&Column::binary(long, offsets), &mut of_column)),
        ),
        (
            "keccak256_column_hex",
            Box::new(move || keccak256_column_hex(&Column::binary(long, offsets), &mut hex)),
        ),
    ]
}
