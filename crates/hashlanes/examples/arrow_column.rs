//! The digests of a column with nulls, in the layout of Arrow: values, offsets, and a validity bitmap.

use hashlanes::{sha256_rows_hex, sha256_rows_valid};

fn main() {
    // As an Arrow array returns them: `values()`, `offsets()`, `nulls()`. Row 2 is null.
    let values = b"alicebobdave";
    let offsets = [0_i32, 5, 8, 8, 12];
    let validity = [0b1011_u8];

    let mut digests = [[0; 32]; 4];
    sha256_rows_valid(values, &offsets, Some(&validity), &mut digests);
    assert_eq!(digests[2], [0; 32]);

    // A column of fixed-width text.
    let mut text = [[0; 64]; 4];
    sha256_rows_hex(values, &offsets, &mut text);
    for (row, text) in text.iter().enumerate() {
        let is_valid = validity[row / 8] >> (row % 8) & 1 == 1;
        println!("{row} {}", if is_valid { str::from_utf8(text).expect("digits") } else { "null" });
    }
}
