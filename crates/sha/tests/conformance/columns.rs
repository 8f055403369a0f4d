//! Columns of every layout against their rows one by one: equal values, views, bitmaps from any bit on,
//! prefixes of any length; digests, text, HMAC, and on threads. `rows` tests the layout with offsets, and
//! `wrong_use` wrong columns.

use hashlanes_sha::{Algorithm, Column, Hasher, HmacKey};
use hashlanes_testkit::ragged::Rng;

use crate::hashes::{Named, assert_digests, each_algorithm, unwritten};
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "fixed size", fixed_size::<A>);
        suite.one(A::NAME, "views", views::<A>);
        suite.one(A::NAME, "offsets", offsets::<A>);
        suite.one(A::NAME, "prefixes", prefixes::<A>);
    });
}

/// One column with these rows: as it is, with nulls from some bit on, and after a prefix.
fn check<A: Named>(rng: &mut Rng, column: Column<'_>, rows: &[&[u8]], prefix: &[u8], what: &str) {
    let n = rows.len();
    let after = |row: &&[u8]| [prefix, row].concat();
    let digests: Vec<Vec<u8>> = rows.iter().map(|row| A::ORACLE.digest(&after(row))).collect();
    let column = column.prefix(prefix);
    let mut got = unwritten::<A>(n);
    Hasher::<A>::try_digest_column(&column, &mut got).expect("a right column");
    assert_digests(&got, &digests, format!("{what}, {n} rows after {} bytes", prefix.len()));

    let first_bit = rng.below(20);
    let mut bitmap = vec![0; (first_bit + n).div_ceil(8)];
    rng.fill(&mut bitmap);
    let is_null = |i: usize| bitmap[(first_bit + i) / 8] >> ((first_bit + i) % 8) & 1 == 0;
    let or_zeros = |all: &[Vec<u8>]| -> Vec<Vec<u8>> {
        (0..n).map(|i| if is_null(i) { vec![0; A::DIGEST_BYTES] } else { all[i].clone() }).collect()
    };
    let column = column.validity(&bitmap, first_bit);
    let mut got = unwritten::<A>(n);
    Hasher::<A>::try_digest_column(&column, &mut got).expect("a right column");
    assert_digests(&got, &or_zeros(&digests), format!("{what}, nulls from bit {first_bit}"));
    #[cfg(feature = "rayon")]
    {
        let mut got = unwritten::<A>(n);
        Hasher::<A>::try_digest_column_parallel(&column, &mut got).expect("a right column");
        assert_digests(&got, &or_zeros(&digests), format!("{what}, on threads"));
    }

    let macs: Vec<Vec<u8>> = rows.iter().map(|row| A::ORACLE.hmac(b"a key", &after(row))).collect();
    let mut got = unwritten::<A>(n);
    HmacKey::<A>::new(b"a key").try_mac_column(&column, &mut got).expect("a right column");
    assert_digests(&got, &or_zeros(&macs), format!("{what}, codes"));
}

/// Numbers of rows about those that go through at a time.
const COUNTS: [usize; 8] = [0, 1, 3, 20, 64, 65, 130, 600];

fn fixed_size<A: Named>() {
    let mut rng = Rng::new(seed());
    for len_bytes in [0, 1, 16, 32, A::BLOCK_BYTES - 9, A::BLOCK_BYTES, 200] {
        for n in COUNTS {
            let mut values = vec![0; n * len_bytes];
            rng.fill(&mut values);
            let rows: Vec<&[u8]> = (0..n).map(|i| &values[i * len_bytes..][..len_bytes]).collect();
            let prefix = rng.choose(&[&b""[..], b"salt"]);
            let column = Column::fixed_size(&values, len_bytes);
            check::<A>(&mut rng, column, &rows, prefix, &format!("{len_bytes} bytes each"));
        }
    }
}

/// A view of a value at an offset of a buffer.
fn view(value: &[u8], buffer: usize, offset: usize) -> [u8; 16] {
    let mut view = [0; 16];
    let word = |n: usize| i32::try_from(n).expect("a short column").to_le_bytes();
    view[..4].copy_from_slice(&word(value.len()));
    if value.len() <= 12 {
        view[4..][..value.len()].copy_from_slice(value);
    } else {
        view[4..8].copy_from_slice(&value[..4]);
        view[8..12].copy_from_slice(&word(buffer));
        view[12..].copy_from_slice(&word(offset));
    }
    view
}

/// Values in the views and in three buffers, which share bytes.
fn views<A: Named>() {
    let mut rng = Rng::new(seed());
    let buffers: [Vec<u8>; 3] = std::array::from_fn(|i| {
        let mut buffer = vec![0; 1000 * (i + 1)];
        rng.fill(&mut buffer);
        buffer
    });
    let slices: Vec<&[u8]> = buffers.iter().map(|buffer| &buffer[..]).collect();
    for n in COUNTS {
        let mut views = Vec::new();
        let mut rows: Vec<&[u8]> = Vec::new();
        for _ in 0..n {
            let (buffer, most) = (rng.below(3), rng.choose(&[13, 40, 140, 500]));
            let (offset, len_bytes) = (rng.below(500), rng.below(most));
            rows.push(&slices[buffer][offset..][..len_bytes]);
            views.push(view(rows[rows.len() - 1], buffer, offset));
        }
        // The last byte of a buffer.
        if let Some(last) = views.last_mut() {
            let row = &slices[2][2900..];
            (*last, rows[n - 1]) = (view(row, 2, 2900), row);
        }
        let prefix = rng.choose(&[&b""[..], b"salt"]);
        check::<A>(&mut rng, Column::views(&views, &slices), &rows, prefix, "views");
    }
}

fn offsets<A: Named>() {
    let mut rng = Rng::new(seed());
    for n in COUNTS {
        let mut values = vec![0; 400 * n + 400];
        rng.fill(&mut values);
        let mut offsets = vec![rng.below(400) as i64];
        for i in 0..n {
            let most = rng.choose(&[40, 400]);
            offsets.push(offsets[i] + rng.below(most) as i64);
        }
        let rows: Vec<&[u8]> =
            offsets.windows(2).map(|two| &values[two[0] as usize..two[1] as usize]).collect();
        check::<A>(&mut rng, Column::binary(&values, &offsets), &rows, b"", "offsets");
    }
}

/// Prefixes and values of all lengths about a block's end.
fn prefixes<A: Named>() {
    let mut rng = Rng::new(seed());
    let block = A::BLOCK_BYTES;
    let mut bytes = vec![0; 3 * block];
    rng.fill(&mut bytes);
    let mut values = vec![0; 20_000];
    rng.fill(&mut values);
    for prefix_bytes in
        [1, 8, 16, block / 2, block - 9, block - 1, block, block + 1, 2 * block, 2 * block + 20]
    {
        // Values of 0, 1, 2, … bytes.
        let mut offsets = vec![0_i32];
        for i in 0..2 * block as i32 / 3 * 2 {
            offsets.push(offsets[i as usize] + i);
        }
        let rows: Vec<&[u8]> =
            offsets.windows(2).map(|two| &values[two[0] as usize..two[1] as usize]).collect();
        let column = Column::binary(&values, &offsets);
        check::<A>(&mut rng, column, &rows, &bytes[..prefix_bytes], "values of all lengths");
    }
}
