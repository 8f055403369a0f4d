//! Arrow-shaped columns against the rows one by one: offsets of both kinds, columns that are slices of longer
//! ones, nulls, text, empty columns; digests and HMAC.

use hashlanes_sha::{Algorithm, HmacKey, Offset};
use hashlanes_testkit::ragged::{Rng, batches};

use crate::hashes::{Named, assert_digests, each_algorithm, hex, unwritten};
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "i32", ragged::<A, i32>);
        suite.one(A::NAME, "i64", ragged::<A, i64>);
        suite.one(A::NAME, "empty columns", empty::<A>);
        suite.one(A::NAME, "thousands with nulls", thousands::<A>);
    });
}

/// An offset that a test can make.
trait Made: Offset {
    fn make(at: usize) -> Self;
}

impl Made for i32 {
    fn make(at: usize) -> i32 {
        i32::try_from(at).expect("a short column")
    }
}

impl Made for i64 {
    fn make(at: usize) -> i64 {
        i64::try_from(at).expect("a column")
    }
}

/// A column that is a slice of a longer one, and which of its rows are null.
struct Column<O> {
    values: Vec<u8>,
    offsets: Vec<O>,
    rows: Vec<Vec<u8>>,
    validity: Vec<u8>,
}

impl<O: Made> Column<O> {
    /// These rows between others; a row is null with probability `nulls` / 4.
    fn new(rng: &mut Rng, rows: Vec<Vec<u8>>, nulls: usize) -> Self {
        let mut values = vec![0x5a; rng.below(200)];
        let mut offsets = vec![O::make(values.len())];
        for row in &rows {
            values.extend_from_slice(row);
            offsets.push(O::make(values.len()));
        }
        values.extend(std::iter::repeat_n(0x5a, rng.below(200)));
        // Bits beyond the last row may have any value, and a bitmap may be longer than needed.
        let mut validity = vec![0; rows.len().div_ceil(8) + rng.below(3)];
        rng.fill(&mut validity);
        for i in 0..rows.len() {
            let is_null = rng.below(4) < nulls;
            validity[i / 8] = validity[i / 8] & !(1 << (i % 8)) | u8::from(!is_null) << (i % 8);
        }
        Self { values, offsets, rows, validity }
    }

    fn is_valid(&self, i: usize) -> bool {
        self.validity[i / 8] >> (i % 8) & 1 == 1
    }
}

/// Every function of columns on one column.
fn check<A: Named, O: Made>(column: &Column<O>, what: &str) {
    let n = column.rows.len();
    let (values, offsets) = (&column.values[..], &column.offsets[..]);
    let digests: Vec<Vec<u8>> = column.rows.iter().map(|row| A::ORACLE.digest(row)).collect();
    let zeros = || vec![0; A::DIGEST_BYTES];
    let or_zeros = |all: &[Vec<u8>]| -> Vec<Vec<u8>> {
        (0..n).map(|i| if column.is_valid(i) { all[i].clone() } else { zeros() }).collect()
    };

    let mut got = unwritten::<A>(n);
    A::rows(values, offsets, &mut got);
    assert_digests(&got, &digests, format!("{what}, rows"));
    let mut got = unwritten::<A>(n);
    A::try_rows(values, offsets, &mut got).expect("a right column");
    assert_digests(&got, &digests, format!("{what}, try_rows"));

    let mut got = unwritten::<A>(n);
    A::rows_valid(values, offsets, None, &mut got);
    assert_digests(&got, &digests, format!("{what}, rows_valid without a bitmap"));
    let mut got = unwritten::<A>(n);
    A::rows_valid(values, offsets, Some(&column.validity), &mut got);
    assert_digests(&got, &or_zeros(&digests), format!("{what}, rows_valid"));
    let mut got = unwritten::<A>(n);
    A::try_rows_valid(values, offsets, Some(&column.validity), &mut got).expect("a right column");
    assert_digests(&got, &or_zeros(&digests), format!("{what}, try_rows_valid"));

    let texts: Vec<String> = digests.iter().map(|digest| hex(digest)).collect();
    assert_eq!(A::rows_hex(values, offsets, n), texts, "{what}, rows_hex");
    assert_eq!(A::try_rows_hex(values, offsets, n), Ok(texts), "{what}, try_rows_hex");

    let key = b"a key";
    let macs: Vec<Vec<u8>> = column.rows.iter().map(|row| A::ORACLE.hmac(key, row)).collect();
    let mut got = unwritten::<A>(n);
    A::hmac_rows(key, values, offsets, &mut got);
    assert_digests(&got, &macs, format!("{what}, hmac_rows"));
    let mut got = unwritten::<A>(n);
    A::try_hmac_rows(key, values, offsets, &mut got).expect("a right column");
    assert_digests(&got, &macs, format!("{what}, try_hmac_rows"));
    let mut got = unwritten::<A>(n);
    let schedule = HmacKey::<A>::new(key);
    let with_nulls = hashlanes_sha::Column::binary(values, offsets).validity(&column.validity, 0);
    schedule.try_mac_column(&with_nulls, &mut got).expect("a right column");
    assert_digests(&got, &or_zeros(&macs), format!("{what}, try_mac_column"));
}

/// Without nulls, with some, with many, with nothing else.
fn ragged<A: Named, O: Made>() {
    let mut rng = Rng::new(seed());
    for (batch, nulls) in batches(seed(), 60, 90, 6 * A::BLOCK_BYTES).zip((0..=4).cycle()) {
        let rows = batch.messages().map(<[u8]>::to_vec).collect();
        check::<A, O>(&Column::new(&mut rng, rows, nulls), &batch.to_string());
    }
}

/// Values of 0 to 300 bytes, a quarter of them null.
pub(crate) fn million_rows<A: Named>(seed: u64) {
    let mut rng = Rng::new(seed);
    let row = |rng: &mut Rng| {
        let mut row = vec![0; rng.below(301)];
        rng.fill(&mut row);
        row
    };
    let rows = (0..1_000_000).map(|_| row(&mut rng)).collect();
    check::<A, i64>(&Column::new(&mut rng, rows, 1), "a million rows");
}

/// No rows, with values or without; rows of no bytes.
fn empty<A: Named>() {
    let mut rng = Rng::new(seed());
    for n in [0, 1, 2, 17, 70] {
        check::<A, i32>(&Column::new(&mut rng, vec![Vec::new(); n], 1), "rows of no bytes");
    }
    A::rows::<i32>(&[], &[0], &mut []);
    A::rows::<i64>(b"values", &[6], &mut []);
    A::rows_valid::<i64>(b"values", &[3], Some(&[]), &mut []);
    let mut digests = unwritten::<A>(3);
    A::rows::<i64>(&[], &[0; 4], &mut digests);
    assert_digests(&digests, &vec![A::ORACLE.digest(b""); 3], "rows of no bytes in no values");
}

/// More rows than are taken at a time: 80 of one block of 64 bytes, 128 longer ones.
fn thousands<A: Named>() {
    let mut rng = Rng::new(seed());
    for (n, nulls) in [(63, 0), (64, 0), (65, 0), (257, 1), (512, 0), (2000, 1), (2000, 3), (1500, 4)] {
        let row = |rng: &mut Rng| {
            let most = rng.choose(&[1, 20, 40, 300]);
            let mut row = vec![0; rng.below(most)];
            rng.fill(&mut row);
            row
        };
        let rows = (0..n).map(|_| row(&mut rng)).collect();
        check::<A, i32>(&Column::new(&mut rng, rows, nulls), &format!("{n} rows, nulls {nulls} of 4"));
    }
}
