//! The digests of a column with nulls, in the layouts of Arrow: values, offsets, a validity bitmap; views.

use hashlanes::{Column, sha256_column, sha256_column_hex};

fn main() {
    // The parts of an Arrow array: `values()`, `offsets()`, `nulls()`. Row 2 is null. Arrays that are slices
    // of others have bitmaps that do not begin at bit 0.
    let values = b"alicebobdave";
    let offsets = [0_i32, 5, 8, 8, 12];
    let (validity, first_bit) = ([0b1011_0000], 4);
    let column = Column::binary(values, &offsets).validity(&validity, first_bit);

    let mut digests = [[0; 32]; 4];
    sha256_column(&column, &mut digests);
    assert_eq!(digests[2], [0; 32]);

    // Pseudonyms, as a column of fixed-width text: each value after a salt.
    let mut text = [[0; 64]; 4];
    sha256_column_hex(&column.prefix(b"salt"), &mut text);
    for (row, text) in text.iter().enumerate() {
        let is_null = validity[0] >> (first_bit + row) & 1 == 0;
        println!("{row} {}", if is_null { "null" } else { str::from_utf8(text).expect("digits") });
    }

    // The views contain strings up to 12 bytes.
    let views = [*b"\x05\0\0\0alice\0\0\0\0\0\0\0", *b"\x03\0\0\0bob\0\0\0\0\0\0\0\0\0"];
    let mut same = [[0; 32]; 2];
    sha256_column(&Column::views(&views, &[]), &mut same);
    assert_eq!(same, digests[..2]);
}
