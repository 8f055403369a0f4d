//! Wrong shapes: `try_…` returns the error, the plain call panics with its text, which begins with the
//! argument's name; nothing is written. And the kernels' own verbs, whose checks keep them inside their data.

use hashlanes_isa::{Batch, Blocks, Half, Next, Open, PLACES, PreExpanded, Start, Whole, Word};
use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Column, Hasher, HmacKey, Midstate, ShapeError};

use crate::hashes::{Named, Tested, each_algorithm, each_function, unwritten};
use crate::suite::{Suite, panic_of};
use crate::verbs::shape;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "counts", wrong_counts::<A>);
        suite.one(A::NAME, "columns", wrong_columns::<A>);
        suite.one(A::NAME, "layouts", wrong_layouts::<A>);
        suite.one(A::NAME, "fixed", wrong_fixed::<A>);
        suite.one(A::NAME, "midstate", wrong_midstate::<A>);
    });
    each_function!(F => {
        suite.each_kernel::<F>(<F as hashlanes_isa::Function>::NAME, "verbs", wrong_verbs::<F>);
    });
    suite.one("sha256", "pairs", wrong_pairs);
}

/// `plain` panics with the text of what `tried` returned, which begins with `argument`.
#[track_caller]
fn same_text<T>(
    tried: Result<(), ShapeError>,
    expected: ShapeError,
    argument: &str,
    plain: impl FnOnce() -> T,
) {
    assert_eq!(tried, Err(expected));
    let text = expected.to_string();
    assert!(text.starts_with(&format!("{argument}:")), "{text}");
    assert_eq!(panic_of(&text, plain), text);
}

fn wrong_counts<A: Named>() {
    let key = HmacKey::<A>::new(b"key");
    for (inputs, digests) in [(0, 1), (1, 0), (3, 2), (2, 3), (100, 99)] {
        let messages = vec![&b"abc"[..]; inputs];
        let mut out = unwritten::<A>(digests);
        let counts = |of, into| ShapeError::Count { of, inputs, into, results: digests };
        let error = |of| counts(of, "digests");
        let tried = A::try_many(&messages, &mut out);
        same_text(tried, error("messages"), "digests", || A::many(&messages, &mut out.clone()));
        let tried = A::try_hmac_many(b"key", &messages, &mut out);
        same_text(tried, counts("messages", "macs"), "macs", || {
            A::hmac_many(b"key", &messages, &mut out.clone())
        });
        let tried = key.try_mac_many(&messages, &mut out);
        assert_eq!(tried, Err(counts("messages", "macs")));
        let mut hashers = vec![Hasher::<A>::new(); inputs];
        let tried = A::try_finish_many(&mut hashers, &mut out);
        same_text(tried, error("hashers"), "digests", || A::finish_many(&mut hashers, &mut out.clone()));
        for kernel in A::Function::kernels() {
            let text = panic_of(kernel.name(), || Hasher::<A>::digest_many_on(kernel, &messages, &mut out));
            assert_eq!(text, error("messages").to_string());
            let text = panic_of(kernel.name(), || Hasher::finish_many_on(kernel, &mut hashers, &mut out));
            assert_eq!(text, error("hashers").to_string());
        }
        assert!(out == unwritten::<A>(digests), "something was written");
    }
}

/// All functions of a column on one that is wrong.
#[track_caller]
fn wrong_column<A: Named>(
    values: &[u8],
    offsets: &[i64],
    validity: Option<&[u8]>,
    n: usize,
    expected: ShapeError,
    argument: &str,
) {
    let mut out = unwritten::<A>(n);
    // The argument that takes the results has its own name in each function.
    let into = |name| match expected {
        ShapeError::Count { of, inputs, results, .. } => {
            (ShapeError::Count { of, inputs, into: name, results }, name)
        }
        other => (other, argument),
    };
    let tried = A::try_rows_valid(values, offsets, validity, &mut out);
    same_text(tried, expected, argument, || A::rows_valid(values, offsets, validity, &mut out.clone()));
    let column = Column::binary(values, offsets);
    let column = validity.map_or(column, |bitmap| column.validity(bitmap, 0));
    let tried = HmacKey::<A>::new(b"key").try_mac_column(&column, &mut out);
    assert_eq!(tried, Err(into("macs").0));
    if validity.is_none() {
        let tried = A::try_rows(values, offsets, &mut out);
        same_text(tried, expected, argument, || A::rows(values, offsets, &mut out.clone()));
        let tried = A::try_rows_hex(values, offsets, n).map(drop);
        let (error, argument) = into("hex");
        same_text(tried, error, argument, || A::rows_hex(values, offsets, n));
        let tried = A::try_hmac_rows(b"key", values, offsets, &mut out);
        let (error, argument) = into("macs");
        same_text(tried, error, argument, || A::hmac_rows(b"key", values, offsets, &mut out.clone()));
    }
    assert!(out == unwritten::<A>(n), "something was written");
}

fn wrong_columns<A: Named>() {
    let wrong = wrong_column::<A>;
    let (values, values_bytes) = (&[7; 10][..], 10);
    wrong(values, &[], None, 0, ShapeError::NoOffsets, "offsets");
    wrong(values, &[-1, 3], None, 1, ShapeError::OffsetFalls { index: 0 }, "offsets[0]");
    wrong(values, &[0, -1], None, 1, ShapeError::OffsetFalls { index: 1 }, "offsets[1]");
    wrong(values, &[0, 5, 4, 9], None, 3, ShapeError::OffsetFalls { index: 2 }, "offsets[2]");
    wrong(values, &[i64::MIN], None, 0, ShapeError::OffsetFalls { index: 0 }, "offsets[0]");
    let passes = |index| ShapeError::OffsetPassesEnd { index, values_bytes };
    wrong(values, &[11], None, 0, passes(0), "offsets[0]");
    wrong(values, &[0, 10, 11], None, 2, passes(2), "offsets[2]");
    wrong(values, &[0, 11, 12, i64::MAX], None, 3, passes(1), "offsets[1]");
    let count = |inputs, results| ShapeError::Count { of: "rows", inputs, into: "digests", results };
    wrong(values, &[0, 1, 2], None, 1, count(2, 1), "digests");
    wrong(values, &[0], None, 1, count(0, 1), "digests");
    wrong(values, &[0, 1], Some(&[255]), 2, count(1, 2), "digests");
    for (rows, validity_bytes) in [(1, 0), (8, 0), (9, 1), (16, 1), (17, 2)] {
        let error = ShapeError::ValidityShort { validity_bytes, first_bit: 0, rows };
        wrong(values, &vec![3; rows + 1], Some(&vec![255; validity_bytes]), rows, error, "validity");
    }
    // The same in i32.
    let tried = A::try_rows(values, &[0_i32, 4, 3], &mut unwritten::<A>(2));
    same_text(tried, ShapeError::OffsetFalls { index: 2 }, "offsets[2]", || {
        A::rows(values, &[0_i32, 4, 3], &mut unwritten::<A>(2));
    });
    let tried = A::try_rows(values, &[0, i32::MAX], &mut unwritten::<A>(1));
    assert_eq!(tried, Err(passes(1)));
    // Right to the last byte.
    assert_eq!(A::try_rows(values, &[10_i32, 10], &mut unwritten::<A>(1)), Ok(()));
}

fn wrong_fixed<A: Named>() {
    let start = Hasher::<A>::new().midstate().expect("nothing is whole blocks");
    let block_bytes = A::BLOCK_BYTES;
    let (buffer, into) = ("messages", "digests");
    let length = |buffer_bytes, len_bytes, results| ShapeError::BufferLength {
        buffer,
        buffer_bytes,
        len_bytes,
        into,
        results,
    };
    for (buffer_bytes, len_bytes, digests, error) in [
        (2 * block_bytes + 1, block_bytes + 1, 2, length(2 * block_bytes + 1, block_bytes + 1, 2)),
        (7, usize::MAX, 0, length(7, usize::MAX, 0)),
        (7, usize::MAX, 2, length(7, usize::MAX, 2)),
        (0, 32, 1, length(0, 32, 1)),
        (31, 32, 1, length(31, 32, 1)),
        (65, 32, 2, length(65, 32, 2)),
        (32, 32, 0, length(32, 32, 0)),
        (1, 0, 3, length(1, 0, 3)),
    ] {
        let messages = vec![1; buffer_bytes];
        let mut out = unwritten::<A>(digests);
        let tried = A::try_fixed(&messages, len_bytes, &mut out);
        same_text(tried, error, "messages", || A::fixed(&messages, len_bytes, &mut out.clone()));
        for kernel in A::Function::kernels() {
            let call = || Hasher::digest_fixed_on(kernel, start, &messages, len_bytes, &mut out.clone());
            assert_eq!(panic_of(kernel.name(), call), error.to_string());
        }
        assert!(out == unwritten::<A>(digests), "something was written");
    }
}

/// Bitmaps that begin amid a byte, equal values, and views.
fn wrong_layouts<A: Named>() {
    let wrong = |column: Column<'_>, n: usize, error: ShapeError| {
        let mut out = unwritten::<A>(n);
        assert_eq!(Hasher::<A>::try_digest_column(&column, &mut out), Err(error));
        assert!(out == unwritten::<A>(n), "something was written");
    };
    let of_8 = Column::fixed_size(&[1; 16], 2);
    for (validity_bytes, first_bit) in [(0, 0), (1, 1), (2, 9), (2, usize::MAX), (2, usize::MAX - 8)] {
        let bitmap = vec![255; validity_bytes];
        let error = ShapeError::ValidityShort { validity_bytes, first_bit, rows: 8 };
        wrong(of_8.validity(&bitmap, first_bit), 8, error);
    }
    // A column without rows may begin at the end of its bitmap, not after it.
    let of_0 = Column::binary(&[], &[0_i32]);
    assert_eq!(Hasher::<A>::try_digest_column(&of_0.validity(&[255], 8), &mut []), Ok(()));
    let error = ShapeError::ValidityShort { validity_bytes: 1, first_bit: 9, rows: 0 };
    wrong(of_0.validity(&[255], 9), 0, error);
    for (buffer_bytes, len_bytes, results) in [(16, 2, 7), (16, 3, 5), (1, 0, 1), (16, usize::MAX, 16)] {
        let values = vec![1; buffer_bytes];
        let (buffer, into) = ("values", "digests");
        let error = ShapeError::BufferLength { buffer, buffer_bytes, len_bytes, into, results };
        wrong(Column::fixed_size(&values, len_bytes), results, error);
    }
    let view = |words: [i32; 4]| -> [u8; 16] {
        words.map(i32::to_le_bytes).as_flattened().try_into().expect("four words")
    };
    let (right, buffers) = (view([13, 0, 1, 7]), [&[1; 40][..], &[2; 20][..]]);
    for words in [
        [-1, 0, 0, 0],
        [i32::MIN, 0, 0, 0],
        [13, 0, 2, 0],
        [13, 0, -1, 0],
        [13, 0, 1, 8],
        [13, 0, 1, -1],
        [i32::MAX, 0, 1, i32::MAX],
    ] {
        let views = [right, right, view(words)];
        wrong(Column::views(&views, &buffers), 3, ShapeError::ViewOutside { index: 2 });
        // A null row's view is not read.
        let with_null = Column::views(&views, &buffers).validity(&[0b1101_1111], 3);
        assert_eq!(Hasher::<A>::try_digest_column(&with_null, &mut unwritten::<A>(3)), Ok(()));
    }
    let count = ShapeError::Count { of: "rows", inputs: 1, into: "digests", results: 2 };
    wrong(Column::views(&[right], &buffers), 2, count);
}

fn wrong_midstate<A: Named>() {
    let block = A::BLOCK_BYTES as u64;
    let most = if block == 64 { (1 << 61) - block } else { 1 << 63 };
    for n_bytes in [1, block - 1, block + 1, most + block, u64::MAX] {
        let tried = Midstate::<A>::try_new(A::H0, n_bytes);
        let error = tried.expect_err("amid a block, or too many");
        assert_eq!(error, ShapeError::Midstate { n_bytes, block_bytes: A::BLOCK_BYTES });
        let text = panic_of("a wrong midstate", || Midstate::<A>::new(A::H0, n_bytes));
        assert!(text == error.to_string() && text.contains(&format!("{n_bytes} bytes")), "{text}");
    }
    assert_eq!(Midstate::<A>::new(A::H0, most).n_bytes(), most);
    // Neither state nor buffer is printed.
    let mut hasher = Hasher::<A>::new();
    hasher.update(vec![0xa5; 2 * A::BLOCK_BYTES]);
    let midstate = hasher.midstate().expect("whole blocks");
    let text = format!("Midstate {{ algorithm: {:?}, n_bytes: {}, .. }}", A::NAME, 2 * block);
    assert_eq!(format!("{midstate:?}"), text);
}

fn wrong_pairs() {
    let error = |of| ShapeError::Count { of, inputs: 2, into: "digests", results: 1 };
    let (nodes, messages, mut out) = ([[0; 64]; 2], [[0; 32]; 2], [[0; 32]; 1]);
    let tried = hashlanes_sha::try_sha256_pairs(&nodes, &mut out);
    same_text(tried, error("nodes"), "digests", || hashlanes_sha::sha256_pairs(&nodes, &mut out.clone()));
    let tried = hashlanes_sha::try_sha256_32(&messages, &mut out);
    same_text(tried, error("messages"), "digests", || hashlanes_sha::sha256_32(&messages, &mut out.clone()));
}

/// The documented panics of each verb.
fn wrong_verbs<F: Tested>(kernel: &'static Kernel<F>) {
    let (degree, block) = (kernel.degree(), F::BLOCK_BYTES);
    let bytes = vec![0; 3 * block * (degree + 1)];
    let start = F::State::default();
    let states = |n| vec![start; n];
    let name = kernel.name();

    let compress =
        |n_states, messages: &[&[u8]]| panic_of(name, || kernel.compress(&mut states(n_states), messages));
    let two = &bytes[..2 * block];
    let text = compress(degree + 1, &vec![two; degree + 1]);
    assert!(text.starts_with(&format!("{name}: ")), "{text}");
    compress(degree, &vec![two; degree + 1]);
    compress(degree, &vec![two; degree - 1]);
    compress(degree - 1, &vec![two; degree]);
    compress(0, &[]);
    compress(degree, &vec![&bytes[..block + 1]; degree]);
    if degree > 1 {
        let mut unequal = vec![two; degree];
        unequal[degree - 1] = &bytes[..block];
        compress(degree, &unequal);
    }

    let zero = F::ZERO_BLOCK;
    let advance = |chosen: &[u8], n_blocks| {
        panic_of(name, || {
            let mut batch = Batch::new();
            let mut open = batch.open();
            for place in 0..=degree {
                open.insert(place, &start, &bytes[..block], 1);
            }
            open.advance(kernel, chosen, n_blocks);
        })
    };
    let places: Vec<u8> = (0..=degree as u8).collect();
    advance(&places, 1);
    advance(&[], 1);
    advance(&[0], 3);
    advance(&[degree as u8 + 1], 1);
    advance(&[PLACES as u8], 1);
    if degree > 1 {
        advance(&[0, 0], 1);
    }
    // Parts of messages on lanes.
    let nothing = |_: &mut Open<'_, '_, F>, _: &[u8]| ();
    type InBetween<'f, F> = &'f dyn for<'a> Fn(&mut Open<'_, 'a, F>, &'a [u8]);
    let serve = |parts: &[(usize, usize)], in_between: InBetween<'_, F>| {
        panic_of(name, || {
            let message = &bytes[..block];
            let mut batch = Batch::new();
            let mut open = batch.open();
            for place in 0..=degree {
                open.insert(place, &start, message, 1);
            }
            let mut parts = parts.iter();
            open.serve(kernel, &mut |open, _| match parts.next() {
                Some(&(place, n_blocks)) => Some(Next { place, n_blocks }),
                None => {
                    in_between(open, message);
                    None
                }
            });
        })
    };
    serve(&[(0, 0)], &nothing);
    serve(&[(0, 3)], &nothing);
    serve(&[(0, usize::MAX)], &nothing);
    serve(&[(degree + 1, 1)], &nothing);
    serve(&[(PLACES, 1)], &nothing);
    if degree > 1 {
        serve(&[(0, 1), (0, 1)], &nothing);
        serve(&[(0, 1)], &|open, message| {
            open.insert(0, &start, message, 1);
        });
        serve(&[(0, 1)], &|open, message| open.insert_part(0, &start, None, message));
        serve(&[(0, 1)], &|open, _| open.advance(kernel, &[0], 1));
        serve(&[(0, 1)], &|open, message| {
            let blocks = Blocks { n_body: 1, n_end: 1, n_longer: 0, one_end: false };
            open.groups(
                kernel,
                (0, 1),
                blocks,
                |_| Whole { state: &start, message, n_bytes: 0 },
                |_, _, _| (),
            );
        });
    }
    for (place, n_end) in [(PLACES, 1), (0, 0), (0, 3)] {
        panic_of(name, || {
            Batch::<F>::new().open().insert(place, &start, &bytes[..block], n_end);
        });
    }
    for (place, body) in [(PLACES, block), (0, block - 1)] {
        panic_of(name, || Batch::<F>::new().open().insert_part(place, &start, None, &bytes[..body]));
    }
    let long = vec![0; 64 * block];
    let whole = |len| Whole { state: &start, message: &long[..len], n_bytes: 0 };
    // Messages of these lengths, and blocks of their bodies and ends, and the messages that are longer.
    let group = |first, n, lens: [usize; 2], (n_body, n_end, n_longer)| {
        panic_of(name, || {
            let blocks = Blocks { n_body, n_end, n_longer, one_end: false };
            let whole = |k: usize| whole(lens[k % 2]);
            Batch::<F>::new().open().groups(kernel, (first, n), blocks, whole, |_, _, _| ());
        });
    };
    let alone_in = |n, lens: [usize; 2], (n_body, n_end), one_end| {
        panic_of(name, || {
            let blocks = Blocks { n_body, n_end, n_longer: 0, one_end };
            kernel.groups_alone(n, blocks, |k| whole(lens[k % 2]), |_, _, _| (), |_| ());
        });
    };
    let alone = |n, lens, blocks| alone_in(n, lens, blocks, false);
    for n in [0, PLACES + 1, PLACES + 1 - PLACES % degree, usize::MAX] {
        group(0, n, [block; 2], (1, 1, 0));
    }
    let around = |first, n, (n_body, n_end, n_longer)| {
        panic_of(name, || {
            let blocks = Blocks { n_body, n_end, n_longer, one_end: false };
            Batch::<F>::new().open().around(kernel, (first, n), blocks, |_| whole(block), |_, _, _| ());
        });
    };
    let around_alone = |n, (n_body, n_end, n_longer)| {
        panic_of(name, || {
            let blocks = Blocks { n_body, n_end, n_longer, one_end: false };
            kernel.around_alone(n, blocks, |_| whole(block), |_, _, _| (), |_| ());
        });
    };
    for n in [0, 1, degree, 2 * degree, usize::MAX] {
        around(0, n, (1, 1, 0));
        around_alone(n, (1, 1, 0));
    }
    if degree > 1 {
        for first in [PLACES - degree, usize::MAX] {
            around(first, degree + 1, (1, 1, 0));
        }
        for blocks in [(1, 1, 1), (2, 1, 0), (0, 0, 0), (0, 3, 0), (usize::MAX / block + 2, 1, 0)] {
            around(0, degree + 1, blocks);
            around_alone(degree + 1, blocks);
        }
    }
    for one_end in [false, true] {
        let most = Blocks { n_body: 1, n_end: 1, n_longer: 0, one_end }.most_alone();
        for n in [0, most + 1, most + 1 - most % degree, usize::MAX] {
            alone_in(n, [block; 2], (1, 1), one_end);
        }
    }
    group(PLACES - degree + 1, 1, [block; 2], (1, 1, 0));
    group(usize::MAX, 1, [block; 2], (1, 1, 0));
    // More blocks in the body than there are, no room for the rest, and no, or too many, blocks of the end.
    let wrong = [
        (block, 2, 1),
        (block - 1, 1, 1),
        (block + 1, 0, 1),
        (2 * block + 1, 0, 2),
        (block, usize::MAX, 1),
        (block, usize::MAX / block + 2, 1),
        (block, 1, 0),
        (block, 1, 3),
        (block, 1, usize::MAX),
    ];
    for (len, n_body, n_end) in wrong {
        group(0, 1, [len; 2], (n_body, n_end, 0));
        alone(1, [len; 2], (n_body, n_end));
    }
    alone(2, [block, 2 * block + 1], (1, 1));
    // None is a block longer, or as many as lanes are.
    group(0, 1, [block; 2], (1, 1, 1));
    group(0, degree, [2 * block; 2], (1, 1, degree));
    panic_of(name, || {
        let _: F::State = *Batch::<F>::new().open().state(0);
    });
    panic_of(name, || {
        let _: usize = Batch::<F>::new().open().states(0..1).len();
    });

    panic_of(name, || kernel.compress_one(&mut start.clone(), &bytes[1..2 * block]));
    for n_bytes in [1, block - 1, block + 1, 9 * block + 1] {
        let body = vec![0; n_bytes];
        panic_of(name, || kernel.compress_body_and_end(&mut start.clone(), &body, &[zero]));
    }

    panic_of(name, || kernel.compress_lanes(&mut [], &bytes));
    panic_of(name, || kernel.compress_lanes(&mut states(2), &bytes[..block]));
    panic_of(name, || kernel.compress_lanes(&mut states(degree), &bytes[..degree * block - 1]));

    let fixed = |len, messages: usize, digests: usize, digest_bytes| {
        let (messages, mut digests) = (vec![0; messages], vec![0; digests]);
        panic_of(name, || {
            kernel.finish_fixed(&start, &shape::<F>(len, 0), &messages, &mut digests, digest_bytes)
        })
    };
    fixed(8, 8, 20, 0);
    fixed(8, 8, size_of::<F::State>() + 1, size_of::<F::State>() + 1);
    fixed(8, 8, 40, 20);
    fixed(8, 9, 20, 20);
    fixed(8, 16, 20, 20);
    fixed(8, 8, 21, 20);

    let last = PreExpanded::<F>::new(zero);
    panic_of(name, || kernel.continue_many(Start::Each, &[zero; 2], Some(&last), &mut states(1)));
    panic_of(name, || kernel.continue_many(Start::Shared(&start), &[zero], None, &mut states(2)));
    // Known of another start, and of starts of their own; and not known at all, which debug assertions find.
    let mut other = start;
    other.as_mut()[0] = F::Word::from_be(&[1; 8][..F::Word::BYTES]);
    for (half, known_of, from, block) in [
        (Half::First, other, Start::Shared(&start), zero),
        (Half::First, start, Start::Each, zero),
        (Half::Second, start, Start::Each, {
            let mut block = zero;
            block.as_mut()[F::BLOCK_BYTES - 1] = 1;
            block
        }),
    ] {
        if half == Half::Second && !cfg!(debug_assertions) {
            continue;
        }
        let Some(known) = F::known_half(half, &zero, &known_of) else { continue };
        panic_of(name, || kernel.continue_many_knowing(from, &[block], Some(&known), None, &mut states(1)));
    }
}
