//! Columns with offsets, views, bitmaps and prefixes of any shape: a column inside its buffers gets the
//! digests of its rows, any other one an error.

use hashlanes::{Column, HmacKey, Offset, ShapeError, algorithms, sha256_column_hex};
use hashlanes::{try_keccak256_column, try_sha256_column, try_sha256_column_hex};
use hashlanes_testkit::oracle;
use sha2::Digest;

use crate::input::Input;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 4 {
        0 => offsets::<i32>(&mut input, |offset| offset as i32),
        1 => offsets::<i64>(&mut input, |offset| offset),
        2 => views(&mut input),
        _ => fixed_size(&mut input),
    }
}

/// What is added to a column: nulls, and bytes before each value.
struct Around {
    bitmap: Option<(Vec<u8>, usize)>,
    prefix: Vec<u8>,
    /// Results that are more or fewer than the rows.
    n_wrong: isize,
}

impl Around {
    fn new(input: &mut Input<'_>, n: usize) -> Self {
        let bitmap = input.is().then(|| {
            let (first_bit, is_short) = (input.below(300), input.byte() == 7);
            let n_bytes = (first_bit + n).div_ceil(8).saturating_sub(usize::from(is_short));
            (input.random(n_bytes), first_bit)
        });
        let prefix = if input.is() { input.some(300) } else { Vec::new() };
        let n_wrong = match input.byte() {
            1 => 1,
            2 => -1,
            _ => 0,
        };
        Self { bitmap, prefix, n_wrong }
    }

    /// The bit of a row; `None` if the bitmap is too short for it.
    fn is_null(&self, i: usize) -> Option<bool> {
        let Some((bitmap, first_bit)) = &self.bitmap else { return Some(false) };
        let bit = first_bit + i;
        Some(bitmap.get(bit / 8)? >> (bit % 8) & 1 == 0)
    }
}

/// Checks the results for a column: `rows` are its values, `None` for one outside the buffers; `is_right`
/// says whether the whole column is inside them.
fn check(column: Column<'_>, rows: &[Option<&[u8]>], is_right: bool, around: &Around) {
    let mut column = column.prefix(&around.prefix);
    if let Some((bitmap, first_bit)) = &around.bitmap {
        column = column.validity(bitmap, *first_bit);
    }
    let n_results = rows.len().saturating_add_signed(around.n_wrong);
    // A column without rows begins inside its bitmap, or at its end.
    let has_bits =
        around.bitmap.as_ref().is_none_or(|(bitmap, first)| first + rows.len() <= 8 * bitmap.len());
    // Null rows may be anywhere.
    let are_inside =
        has_bits && rows.iter().enumerate().all(|(i, row)| row.is_some() || around.is_null(i) == Some(true));
    let is_right = is_right && are_inside && n_results == rows.len();

    let mut digests = vec![[0xee; 32]; n_results];
    let got = try_sha256_column(&column, &mut digests);
    assert_eq!(got.is_ok(), is_right, "{column:?} with {} rows for {n_results}: {got:?}", rows.len());
    let mut hex = vec![[b'x'; 64]; n_results];
    assert_eq!(try_sha256_column_hex(&column, &mut hex).is_ok(), is_right);
    let mut other_digests = vec![[0xee; 32]; n_results];
    assert_eq!(try_keccak256_column(&column, &mut other_digests), got);
    if let Err(error) = got {
        // Nothing is written, and the error has words.
        assert!(digests.iter().all(|digest| *digest == [0xee; 32]) && !error.to_string().is_empty());
        return;
    }
    let key = HmacKey::<algorithms::Sha256>::new(b"a key");
    let mut macs = vec![[0xee; 32]; n_results];
    let of_macs: Result<(), ShapeError> = key.try_mac_column(&column, &mut macs);
    of_macs.expect("a right column");
    sha256_column_hex(&column, &mut hex);
    for (i, row) in rows.iter().enumerate() {
        let Some(row) = row.filter(|_| around.is_null(i) == Some(false)) else {
            assert_eq!((digests[i], other_digests[i], macs[i]), ([0; 32], [0; 32], [0; 32]), "null row {i}");
            assert_eq!(hex[i], [b'0'; 64]);
            continue;
        };
        let message = [&around.prefix, row].concat();
        let expected: [u8; 32] = sha2::Sha256::digest(&message).into();
        assert_eq!(digests[i], expected, "row {i} of {}", rows.len());
        assert_eq!(hex[i], *hashlanes::Hex(expected).to_string().as_bytes(), "row {i} of {}", rows.len());
        assert_eq!(macs[i], *oracle::SHA256.hmac(b"a key", &message), "row {i} of {}", rows.len());
        assert_eq!(other_digests[i], *sha3::Keccak256::digest(&message), "row {i} of {}", rows.len());
    }
}

fn offsets<O: Offset>(input: &mut Input<'_>, offset: fn(i64) -> O) {
    let n = input.below(90);
    let values = input.some(4000);
    let mut at = if input.is() { 0 } else { input.length(values.len() + 2) as i64 };
    let mut all = Vec::new();
    for _ in 0..input.below(2).max(usize::from(n > 0)) * n + usize::from(input.byte() != 3) {
        all.push(at);
        at = match input.byte() {
            255 => input.u64() as i32 as i64,
            254 => at - 1,
            step if step >= 200 => at + i64::from(step) * 3,
            step => at + i64::from(step % 70),
        };
    }
    // Most columns end inside their values.
    if input.byte() < 200 {
        all.iter_mut().for_each(|at| *at = (*at).min(values.len() as i64));
    }
    let is_right = !all.is_empty()
        && all[0] >= 0
        && all.is_sorted()
        && all.last().is_some_and(|last| *last <= values.len() as i64);
    let row = |ends: &[i64]| values.get(usize::try_from(ends[0]).ok()?..usize::try_from(ends[1]).ok()?);
    let rows: Vec<Option<&[u8]>> = all.windows(2).map(row).collect();
    let around = Around::new(input, rows.len());
    let offsets: Vec<O> = all.iter().map(|at| offset(*at)).collect();
    // With offsets, null rows are inside the values, too.
    check(Column::binary(&values, &offsets), &rows, is_right, &around);
}

fn views(input: &mut Input<'_>) {
    let buffers: Vec<Vec<u8>> = (0..input.below(4)).map(|_| input.some(900)).collect();
    let buffers: Vec<&[u8]> = buffers.iter().map(Vec::as_slice).collect();
    let mut views = Vec::new();
    for _ in 0..input.below(80) {
        let mut view = [0; 16];
        let len_bytes = match input.byte() {
            255 => input.u64() as i32,
            byte => i32::from(byte % 100),
        };
        view[..4].copy_from_slice(&len_bytes.to_le_bytes());
        if (0..=12).contains(&len_bytes) {
            let value = input.random(12);
            view[4..].copy_from_slice(&value);
        } else {
            let number = |input: &mut Input<'_>, most: usize| match input.byte() {
                255 => input.u64() as i32,
                byte => (usize::from(byte) % most.max(1)) as i32,
            };
            view[8..12].copy_from_slice(&number(input, buffers.len()).to_le_bytes());
            view[12..].copy_from_slice(&number(input, 256).to_le_bytes());
        }
        views.push(view);
    }
    let row = |view: &[u8; 16]| -> Option<Vec<u8>> {
        let word = |at: usize| i32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
        let len_bytes = usize::try_from(word(0)).ok()?;
        if len_bytes <= 12 {
            return Some(view[4..4 + len_bytes].to_vec());
        }
        let (buffer, at) = (usize::try_from(word(8)).ok()?, usize::try_from(word(12)).ok()?);
        Some(buffers.get(buffer)?.get(at..)?.get(..len_bytes)?.to_vec())
    };
    let rows: Vec<Option<Vec<u8>>> = views.iter().map(row).collect();
    let rows: Vec<Option<&[u8]>> = rows.iter().map(Option::as_deref).collect();
    let around = Around::new(input, rows.len());
    check(Column::views(&views, &buffers), &rows, true, &around);
}

fn fixed_size(input: &mut Input<'_>) {
    let (n, len_bytes) = (input.below(90), input.length(300));
    let excess = if input.byte() == 1 { 1 } else { 0 };
    let values = input.random(n * len_bytes + excess);
    let rows: Vec<Option<&[u8]>> = (0..n).map(|i| values.get(i * len_bytes..(i + 1) * len_bytes)).collect();
    let mut around = Around::new(input, n);
    // Values of no bytes fit any number of results.
    around.n_wrong = if len_bytes == 0 { 0 } else { around.n_wrong };
    check(Column::fixed_size(&values, len_bytes), &rows, excess == 0, &around);
}
