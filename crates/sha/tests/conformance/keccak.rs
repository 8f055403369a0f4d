//! SHA-3, SHAKE and Keccak-256: every row's verbs, and all functions on every row, against the oracle, other
//! libraries, NIST's vectors and those of `spec/keccak.py`.

use hashlanes_sha::keccak::{self, Head, Kernel, MAX_DEGREE, Rate, Row, State, States};
use hashlanes_sha::*;
use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::ragged::{Rng, batches, pattern};
use hashlanes_testkit::{oracle, vectors};

use crate::suite::{Suite, cases, every, panic_of, seed};
use crate::verbs::counts;

/// A function as the tests see it: by the standard's parameters, and by name.
trait Tested: Sponge {
    /// The name in functions and in files of vectors.
    const FUNCTION: &'static str;
    /// Bytes of the capacity, and the bits after a message.
    const CAPACITY_AND_SUFFIX: (usize, u8);

    /// Another library's result.
    fn other(message: &[u8], output: &mut [u8]);

    /// The oracle's result.
    fn expected(message: &[u8], n_bytes: usize) -> Vec<u8> {
        let (capacity, suffix) = Self::CAPACITY_AND_SUFFIX;
        oracle::keccak(200 - capacity, suffix, message, n_bytes)
    }
}

/// A [`SpongeHash`] by the names of its functions.
trait Named: Tested + SpongeHash {
    fn one(message: &[u8]) -> Self::Digest;
    fn many(messages: &[&[u8]], digests: &mut [Self::Digest]);
    fn all(messages: &[&[u8]]) -> Vec<Self::Digest>;
    fn fixed(messages: &[u8], len_bytes: usize, digests: &mut [Self::Digest]);
    fn rows(values: &[u8], offsets: &[i32], digests: &mut [Self::Digest]);
    fn column(column: &Column<'_>, digests: &mut [Self::Digest]);
    /// The text of each row's digest.
    fn column_hex(column: &Column<'_>, n: usize) -> Vec<String>;
    fn many_parallel(messages: &[&[u8]], digests: &mut [Self::Digest]);
    fn column_parallel(column: &Column<'_>, digests: &mut [Self::Digest]);
}

macro_rules! tested {
    ($name:ident $function:ident $capacity:literal $suffix:literal $other:path) => {
        impl Tested for algorithms::$name {
            const FUNCTION: &'static str = stringify!($function);
            const CAPACITY_AND_SUFFIX: (usize, u8) = ($capacity, $suffix);

            fn other(message: &[u8], output: &mut [u8]) {
                let mut hasher = $other();
                tiny_keccak::Hasher::update(&mut hasher, message);
                tiny_keccak::Hasher::finalize(hasher, output);
            }
        }
    };
}
macro_rules! named {
    ($(
        $name:ident $capacity:literal $suffix:literal $other:path: $function:ident $many:ident $all:ident $fixed:ident $rows:ident
        $column:ident $column_hex:ident $many_parallel:ident $column_parallel:ident;
    )*) => {$(
        tested!($name $function $capacity $suffix $other);
        impl Named for algorithms::$name {
            fn one(message: &[u8]) -> Self::Digest {
                $function(message)
            }
            fn many(messages: &[&[u8]], digests: &mut [Self::Digest]) {
                $many(messages, digests);
            }
            fn all(messages: &[&[u8]]) -> Vec<Self::Digest> {
                $all(messages)
            }
            fn fixed(messages: &[u8], len_bytes: usize, digests: &mut [Self::Digest]) {
                $fixed(messages, len_bytes, digests);
            }
            fn rows(values: &[u8], offsets: &[i32], digests: &mut [Self::Digest]) {
                $rows(values, offsets, digests);
            }
            fn column(column: &Column<'_>, digests: &mut [Self::Digest]) {
                $column(column, digests);
            }
            fn column_hex(column: &Column<'_>, n: usize) -> Vec<String> {
                let mut hex = vec![[b'?'; 2 * Self::DIGEST_BYTES]; n];
                $column_hex(column, &mut hex);
                hex.into_iter().map(|hex| String::from_utf8(hex.to_vec()).expect("digits")).collect()
            }
            #[cfg(feature = "rayon")]
            fn many_parallel(messages: &[&[u8]], digests: &mut [Self::Digest]) {
                $many_parallel(messages, digests);
            }
            #[cfg(not(feature = "rayon"))]
            fn many_parallel(messages: &[&[u8]], digests: &mut [Self::Digest]) {
                $many(messages, digests);
            }
            #[cfg(feature = "rayon")]
            fn column_parallel(column: &Column<'_>, digests: &mut [Self::Digest]) {
                $column_parallel(column, digests);
            }
            #[cfg(not(feature = "rayon"))]
            fn column_parallel(column: &Column<'_>, digests: &mut [Self::Digest]) {
                $column(column, digests);
            }
        }
    )*};
}
named! {
    Sha3_224 56 0x06 tiny_keccak::Sha3::v224: sha3_224 sha3_224_many sha3_224_all sha3_224_fixed sha3_224_rows
    sha3_224_column sha3_224_column_hex sha3_224_many_parallel sha3_224_column_parallel;
    Sha3_256 64 0x06 tiny_keccak::Sha3::v256: sha3_256 sha3_256_many sha3_256_all sha3_256_fixed sha3_256_rows
    sha3_256_column sha3_256_column_hex sha3_256_many_parallel sha3_256_column_parallel;
    Sha3_384 96 0x06 tiny_keccak::Sha3::v384: sha3_384 sha3_384_many sha3_384_all sha3_384_fixed sha3_384_rows
    sha3_384_column sha3_384_column_hex sha3_384_many_parallel sha3_384_column_parallel;
    Sha3_512 128 0x06 tiny_keccak::Sha3::v512: sha3_512 sha3_512_many sha3_512_all sha3_512_fixed sha3_512_rows
    sha3_512_column sha3_512_column_hex sha3_512_many_parallel sha3_512_column_parallel;
    Keccak256 64 0x01 tiny_keccak::Keccak::v256: keccak256 keccak256_many keccak256_all keccak256_fixed keccak256_rows
    keccak256_column keccak256_column_hex keccak256_many_parallel keccak256_column_parallel;
}
tested!(Shake128 shake128 32 0x1f tiny_keccak::Shake::v128);
tested!(Shake256 shake256 64 0x1f tiny_keccak::Shake::v256);

/// Runs a block for every hash.
macro_rules! each_hash {
    ($S:ident => $body:block) => {
        each_hash!(@ $S $body Sha3_224 Sha3_256 Sha3_384 Sha3_512 Keccak256)
    };
    (@ $S:ident $body:block $($name:ident)*) => {$({
        type $S = algorithms::$name;
        $body
    })*};
}

/// Runs a block for every function with output of any length.
macro_rules! each_xof {
    ($S:ident => $body:block) => {
        each_hash!(@ $S $body Shake128 Shake256)
    };
}

pub(crate) fn add(suite: &mut Suite) {
    suite.each_keccak_kernel("permute", permute);
    suite.each_keccak_kernel("permute zeros", permute_zeros);
    suite.each_keccak_kernel("absorb", absorb);
    each_hash!(S => {
        suite.each_keccak_kernel(&format!("every length, {}", S::NAME), every_length::<S>);
        suite.each_keccak_kernel_apart(&format!("page borders, {}", S::NAME), page_borders::<S>);
        suite.one(S::NAME, "many", many_by_choice::<S>);
        suite.one(S::NAME, "other libraries", by_others::<S>);
        suite.one(S::NAME, "hasher", hasher::<S>);
        suite.one(S::NAME, "fixed", fixed::<S>);
        suite.one(S::NAME, "columns", columns::<S>);
        suite.one(S::NAME, "wrong use", wrong_use::<S>);
    });
    each_xof!(S => {
        suite.each_keccak_kernel(&format!("outputs, {}", S::NAME), outputs::<S>);
        suite.one(S::NAME, "reader", reader::<S>);
        suite.one(S::NAME, "NIST", nist_xof::<S>);
        suite.one(S::NAME, "wrong use", wrong_outputs::<S>);
    });
    suite.each_keccak_kernel("many", many);
    suite.each_keccak_kernel("tree", tree);
    suite.one("sha3", "NIST", nist);
    suite.one("keccak256", "Ethereum", ethereum);
    suite.one("shake", "by name", shake_by_name);
    suite.one("pairs", "nodes", pairs);
    suite.one("tree", "vectors", tree_vectors);
    suite.one("keccak", "wrong shapes", wrong_shapes);
    #[cfg(feature = "digest")]
    suite.one("keccak", "traits of digest", digest_traits);
    #[cfg(all(feature = "count-calls", feature = "env-override"))]
    suite.one("keccak", "a forced kernel serves everything", forced);
}

fn states(rng: &mut Rng, n: usize) -> Vec<State> {
    (0..n).map(|_| std::array::from_fn(|_| rng.next_u64())).collect()
}

/// Lanes have different states, so that one that takes another's is seen.
fn permute(kernel: &'static Kernel) {
    let mut rng = Rng::new(seed());
    for _ in 0..20 {
        let before = states(&mut rng, kernel.degree());
        let mut after = before.clone();
        kernel.permute(&mut after);
        for (k, mut expected) in before.into_iter().enumerate() {
            oracle::keccak_f(&mut expected);
            assert_eq!(after[k], expected, "lane {k}");
        }
    }
}

/// Keccak-f of zeros and of the result, as the Keccak team publishes them
/// (KeccakF-1600-IntermediateValues.txt): the first and the last word.
fn permute_zeros(kernel: &'static Kernel) {
    let mut states = vec![[0; 25]; kernel.degree()];
    for (first, last) in
        [(0xf125_8f79_40e1_dde7, 0xeaf1_ff7b_5cec_a249), (0x2d5c_954d_f96e_cb3c, 0x20d0_6cd2_6a8f_bf5c)]
    {
        kernel.permute(&mut states);
        for (k, state) in states.iter().enumerate() {
            assert_eq!((state[0], state[24]), (first, last), "lane {k}");
        }
    }
}

/// Blocks that follow each other, and blocks with something between them; rows that end with their last
/// block; states in other places than their lanes, and heads of states from zeros.
fn absorb(kernel: &'static Kernel) {
    let (mut rng, degree) = (Rng::new(seed()), kernel.degree());
    for rate in Rate::ALL {
        for n_blocks in [0, 1, 2, 3, 7] {
            for step in [rate.bytes(), rate.bytes() + 9, 4 * rate.bytes()] {
                let len = if n_blocks == 0 { 0 } else { (n_blocks - 1) * step + rate.bytes() };
                // Lanes at odd distances: no two have the same alignment.
                let each = len + rate.bytes() + 7;
                let mut data = vec![0; degree * each];
                rng.fill(&mut data);
                let row = |row: &'_ [u8]| -> (Vec<u8>, Vec<u8>) {
                    (row[..len].to_vec(), row[len..len + rate.bytes()].to_vec())
                };
                let owned: Vec<_> = data.chunks(each).map(row).collect();
                let rows: Vec<Row<'_>> = owned.iter().map(|(blocks, last)| Row { blocks, last }).collect();
                let expected = |mut state: State, k: usize| {
                    for block in owned[k].0.chunks(step).chain([&owned[k].1[..]]) {
                        for (word, bytes) in state.iter_mut().zip(block[..rate.bytes()].as_chunks().0) {
                            *word ^= u64::from_le_bytes(*bytes);
                        }
                        oracle::keccak_f(&mut state);
                    }
                    state
                };
                let what = format!("{rate:?}, {n_blocks} blocks in steps of {step}");
                let before = states(&mut rng, 2 * degree + 1);
                let mut after = before.clone();
                // From the last place down, every other one.
                let places: Vec<u8> = (0..degree).map(|k| 2 * (degree - k) as u8).collect();
                kernel.absorb(rate, States::Advance(&mut after, &places), &rows, step, n_blocks);
                for (place, before) in before.into_iter().enumerate() {
                    let lane = places.iter().position(|other| usize::from(*other) == place);
                    let expected = lane.map_or(before, |k| expected(before, k));
                    assert_eq!(after[place], expected, "{what}: place {place}");
                }
                let mut heads = vec![[0; 8]; degree];
                kernel.absorb(rate, States::Whole(&mut heads), &rows, step, n_blocks);
                for (k, head) in heads.into_iter().enumerate() {
                    assert_eq!(head, expected([0; 25], k)[..8], "{what}: head {k}");
                }
            }
        }
    }
}

/// So many messages together that lanes end at different lengths, and each separately.
fn every_length<S: Named>(kernel: &'static Kernel) {
    let messages: Vec<Vec<u8>> =
        (0..=3 * S::BLOCK_BYTES + 1).step_by(every()).map(|len| pattern(len, len)).collect();
    let what = format!("{} on {}", S::NAME, kernel.name());
    check::<S>(|messages, out| SpongeHasher::<S>::digest_many_on(kernel, messages, out), &messages, &what);
    for message in messages.iter().step_by(7) {
        let mut digest = [S::ZERO_DIGEST];
        SpongeHasher::<S>::digest_many_on(kernel, &[message], &mut digest);
        assert_eq!(digest[0].as_ref(), S::expected(message, S::DIGEST_BYTES), "{} bytes", message.len());
    }
}

/// Counts about whole groups; lengths as they come, and equal ones.
fn many(kernel: &'static Kernel) {
    type S = algorithms::Sha3_256;
    let many = |messages: &[&[u8]], out: &mut [_]| SpongeHasher::<S>::digest_many_on(kernel, messages, out);
    let mut rng = Rng::new(seed());
    for n in counts(kernel.degree()) {
        let messages: Vec<Vec<u8>> = (0..n).map(|i| pattern(i, rng.below(1000))).collect();
        check::<S>(many, &messages, n);
        for len in [10, 136, 300, 2000] {
            check::<S>(many, &(0..n).map(|i| pattern(len, i)).collect::<Vec<_>>(), n);
        }
    }
    for batch in batches(seed(), cases(40), 40, 2000) {
        let messages: Vec<Vec<u8>> = batch.messages().map(<[u8]>::to_vec).collect();
        check::<S>(many, &messages, &batch);
    }
}

/// The default choice: more messages than are sorted together, too; all forms.
fn many_by_choice<S: Named>() {
    for batch in batches(seed(), cases(30), 40, 2000) {
        let messages: Vec<Vec<u8>> = batch.messages().map(<[u8]>::to_vec).collect();
        check::<S>(S::many, &messages, &batch);
    }
    for n in (0..=40).step_by(every()) {
        for len in [0, 32, S::BLOCK_BYTES, 700] {
            let messages: Vec<Vec<u8>> = (0..n).map(|i| pattern(len, i)).collect();
            check::<S>(S::many, &messages, format!("{n} messages of {len} bytes"));
        }
    }
    // More than are taken together, all of one number of blocks, or only the first 256.
    let alike: Vec<Vec<u8>> = (0..300).map(|i| pattern(32, i)).collect();
    check::<S>(S::many, &alike, "300 messages of 32 bytes");
    let mixed = (0..44).map(|i| pattern(i * i, i));
    let messages: Vec<Vec<u8>> = alike[..256].iter().cloned().chain(mixed).collect();
    check::<S>(S::many, &messages, "256 messages of 32 bytes and others");
    // Of one number of blocks, each shorter than the one before.
    let messages: Vec<Vec<u8>> = (0..S::BLOCK_BYTES).rev().map(|len| pattern(len, len)).collect();
    check::<S>(S::many, &messages, "falling lengths");
    let messages: Vec<Vec<u8>> = (0..600).map(|i| pattern(i * i % 401, i)).collect();
    check::<S>(S::many, &messages, "600 messages");
    check::<S>(S::many_parallel, &messages, "600 messages in parallel");
    check::<S>(|messages, digests| digests.copy_from_slice(&S::all(messages)), &messages, "all");
    for message in messages.iter().step_by(9) {
        assert_eq!(S::one(message).as_ref(), S::expected(message, S::DIGEST_BYTES));
    }
}

fn check<S: Named>(
    many: impl Fn(&[&[u8]], &mut [S::Digest]),
    messages: &[Vec<u8>],
    what: impl std::fmt::Display,
) {
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut digests = vec![S::ZERO_DIGEST; slices.len()];
    many(&slices, &mut digests);
    for (i, (message, digest)) in slices.iter().zip(digests).enumerate() {
        assert_eq!(digest.as_ref(), S::expected(message, S::DIGEST_BYTES), "{what}: digest {i}");
    }
}

/// Messages before an unmapped page and after one, in all lanes.
fn page_borders<S: Named>(kernel: &'static Kernel) {
    let most = 2 * S::BLOCK_BYTES + 1;
    let content = pattern(most, 1);
    let (ends, starts) = (Guarded::at_end(most).holding(&content), Guarded::at_start(most).holding(&content));
    let n = kernel.degree() + 1;
    for len in (0..=most).step_by(every()) {
        for message in [&ends[most - len..], &starts[..len]] {
            let mut digests = vec![S::ZERO_DIGEST; n];
            SpongeHasher::<S>::digest_many_on(kernel, &vec![message; n], &mut digests);
            let expected = S::expected(message, S::DIGEST_BYTES);
            assert!(digests.iter().all(|digest| digest.as_ref() == expected), "{len} bytes");
        }
    }
}

/// Random lengths by the crates `sha3` and `tiny-keccak`.
fn by_others<S: Named>() {
    use sha3::Digest;
    let mut rng = Rng::new(seed());
    for i in 0..cases(400) {
        let message = pattern(rng.below(5000), i);
        let mut expected = vec![0; S::DIGEST_BYTES];
        S::other(&message, &mut expected);
        assert_eq!(S::one(&message).as_ref(), expected, "tiny-keccak, {} bytes", message.len());
        let expected = match S::FUNCTION {
            "sha3_224" => sha3::Sha3_224::digest(&message).to_vec(),
            "sha3_256" => sha3::Sha3_256::digest(&message).to_vec(),
            "sha3_384" => sha3::Sha3_384::digest(&message).to_vec(),
            "sha3_512" => sha3::Sha3_512::digest(&message).to_vec(),
            _ => sha3::Keccak256::digest(&message).to_vec(),
        };
        assert_eq!(S::one(&message).as_ref(), expected, "sha3, {} bytes", message.len());
    }
}

/// Parts of all lengths, a clone, a reset.
fn hasher<S: Named>() {
    for len in [0, 1, S::BLOCK_BYTES - 1, S::BLOCK_BYTES, S::BLOCK_BYTES + 1, 5 * S::BLOCK_BYTES + 3] {
        let message = pattern(len, 5);
        let expected = S::expected(&message, S::DIGEST_BYTES);
        for part in [1, 7, S::BLOCK_BYTES - 1, S::BLOCK_BYTES, S::BLOCK_BYTES + 1, 1000] {
            let mut hasher = SpongeHasher::<S>::default();
            for part in message.chunks(part) {
                hasher.update(part);
            }
            let clone = hasher.clone();
            assert_eq!(hasher.finish_reset().as_ref(), expected, "{len} bytes in parts of {part}");
            assert_eq!(hasher.finish().as_ref(), S::expected(b"", S::DIGEST_BYTES));
            let mut again = clone.clone();
            assert_eq!(clone.finish().as_ref(), expected, "a clone");
            again.reset();
            again.update(&message);
            assert_eq!(again.finish().as_ref(), expected, "after a reset");
        }
        for split in (0..=len.min(2 * S::BLOCK_BYTES)).step_by(every()) {
            let mut hasher = SpongeHasher::<S>::new();
            hasher.update(&message[..split]);
            hasher.update(&message[split..]);
            assert_eq!(hasher.finish().as_ref(), expected, "{len} bytes, split after {split}");
        }
    }
    let text = format!("{:?}", SpongeHasher::<S>::new());
    assert!(text.contains(S::NAME) && !text.contains("state"), "{text}");
}

fn fixed<S: Named>() {
    for n in [0, 1, 2, 5, 9, 300] {
        for len in [0, 1, 32, 64, S::BLOCK_BYTES - 1, S::BLOCK_BYTES, S::BLOCK_BYTES + 1, 500] {
            let messages = pattern(n * len, n);
            let mut digests = vec![S::ZERO_DIGEST; n];
            S::fixed(&messages, len, &mut digests);
            for (i, digest) in digests.iter().enumerate() {
                let expected = S::expected(&messages[i * len..][..len], S::DIGEST_BYTES);
                assert_eq!(digest.as_ref(), expected, "{n} of {len} bytes: digest {i}");
            }
        }
    }
}

/// All layouts, with nulls, after prefixes of all lengths about a block.
fn columns<S: Named>() {
    let lens = |i: usize| [0, 1, 12, 13, 40, 135, 136, 137, 300, 1000][i % 10];
    let n = 300;
    let offsets: Vec<i32> = (0..=n).scan(3, |at, i| Some(std::mem::replace(at, *at + lens(i)))).collect();
    let values = pattern(offsets[n] as usize, 4);
    let value = |i: usize| &values[offsets[i] as usize..offsets[i + 1] as usize];
    let bitmap: Vec<u8> = (0..n / 8 + 2).map(|i| !(i as u8).wrapping_mul(37)).collect();
    let is_null = |i: usize| bitmap[(i + 3) / 8] >> ((i + 3) % 8) & 1 == 0;
    let views: Vec<[u8; 16]> = (0..n)
        .map(|i| {
            let mut view = [0; 16];
            view[..4].copy_from_slice(&(value(i).len() as i32).to_le_bytes());
            match value(i) {
                short if short.len() <= 12 => view[4..4 + short.len()].copy_from_slice(short),
                _ => view[12..].copy_from_slice(&offsets[i].to_le_bytes()),
            }
            view
        })
        .collect();
    let mut digests = vec![S::ZERO_DIGEST; n];
    S::rows(&values, &offsets, &mut digests);
    for (i, digest) in digests.iter().enumerate() {
        assert_eq!(digest.as_ref(), S::expected(value(i), S::DIGEST_BYTES), "row {i}");
    }
    let block = S::BLOCK_BYTES;
    for prefix_bytes in [0, 1, block - 1, block, block + 1, 2 * block, 3 * block - 1] {
        let prefix = pattern(prefix_bytes, 9);
        let expected: Vec<Vec<u8>> = (0..n)
            .map(|i| match is_null(i) {
                true => vec![0; S::DIGEST_BYTES],
                false => S::expected(&[&prefix, value(i)].concat(), S::DIGEST_BYTES),
            })
            .collect();
        for column in [Column::binary(&values, &offsets), Column::views(&views, &[&values])] {
            let column = column.prefix(&prefix).validity(&bitmap, 3);
            let what = format!("{column:?} after {prefix_bytes} bytes");
            for function in [S::column, S::column_parallel] {
                S::ZERO_DIGEST.clone_into(&mut digests[0]);
                function(&column, &mut digests);
                assert!(digests.iter().zip(&expected).all(|(a, b)| a.as_ref() == b), "{what}");
            }
            let hex = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            assert!(S::column_hex(&column, n).into_iter().eq(expected.iter().map(hex)), "{what}, hex");
        }
        let mut digests = vec![S::ZERO_DIGEST; 50];
        S::column(&Column::fixed_size(&values[..1000], 20).prefix(&prefix), &mut digests);
        for (i, digest) in digests.iter().enumerate() {
            let message = [&prefix, &values[20 * i..][..20]].concat();
            assert_eq!(digest.as_ref(), S::expected(&message, S::DIGEST_BYTES), "fixed size, row {i}");
        }
    }
}

fn wrong_use<S: Named>() {
    for (inputs, results) in [(0, 1), (1, 0), (3, 2), (100, 99)] {
        let messages = vec![&b"abc"[..]; inputs];
        let mut digests = vec![S::ZERO_DIGEST; results];
        let error = ShapeError::Count { of: "messages", inputs, into: "digests", results };
        assert_eq!(SpongeHasher::<S>::try_digest_many(&messages, &mut digests), Err(error));
        assert_eq!(panic_of("many", || S::many(&messages, &mut digests)), error.to_string());
        assert_eq!(panic_of("parallel", || S::many_parallel(&messages, &mut digests)), error.to_string());
        let error = ShapeError::Count { of: "rows", inputs, into: "digests", results };
        let offsets = vec![0_i32; inputs + 1];
        assert_eq!(panic_of("rows", || S::rows(b"", &offsets, &mut digests)), error.to_string());
    }
    let mut digests = [S::ZERO_DIGEST; 2];
    for (buffer_bytes, len_bytes) in [(5, 2), (5, 3), (1, 0), (0, 1), (0, usize::MAX)] {
        let (buffer, into) = ("messages", "digests");
        let error = ShapeError::BufferLength { buffer, buffer_bytes, len_bytes, into, results: 2 };
        let messages = vec![0; buffer_bytes];
        assert_eq!(panic_of("fixed", || S::fixed(&messages, len_bytes, &mut digests)), error.to_string());
    }
    for (offsets, error) in [
        (&[][..], ShapeError::NoOffsets),
        (&[0, 2, 1], ShapeError::OffsetFalls { index: 2 }),
        (&[0, 1, 4], ShapeError::OffsetPassesEnd { index: 2, values_bytes: 3 }),
    ] {
        let column = Column::binary(b"abc", offsets);
        assert_eq!(SpongeHasher::<S>::try_digest_column(&column, &mut digests), Err(error));
        assert_eq!(panic_of("column", || S::column(&column, &mut digests)), error.to_string());
    }
    assert_eq!(digests, [S::ZERO_DIGEST; 2], "nothing is written");
}

/// Outputs of lengths about the head of a state, and about blocks.
fn outputs<S: Tested + Xof>(kernel: &'static Kernel) {
    let block = S::BLOCK_BYTES;
    for len_bytes in [0, 1, 32, 63, 64, 65, block - 1, block, block + 1, 2 * block, 3 * block + 5] {
        for n in [0, 1, 2, kernel.degree(), kernel.degree() + 1, 19] {
            let messages: Vec<Vec<u8>> = (0..n).map(|i| pattern(i * i * 3 % 700, i)).collect();
            let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
            let mut out = vec![0; n * len_bytes];
            SpongeHasher::<S>::output_many_on(kernel, &slices, len_bytes, &mut out);
            for (i, message) in slices.iter().enumerate() {
                let expected = S::expected(message, len_bytes);
                assert_eq!(out[i * len_bytes..][..len_bytes], expected, "{n} of {len_bytes} bytes: {i}");
            }
        }
    }
}

/// Output in parts, in one, by other libraries; `Read`.
fn reader<S: Tested + Xof>() {
    for len in [0, 1, S::BLOCK_BYTES - 1, S::BLOCK_BYTES, 1000] {
        let message = pattern(len, 2);
        let expected = S::expected(&message, 1000);
        let mut of_other = vec![0; 1000];
        S::other(&message, &mut of_other);
        assert_eq!(of_other, expected);
        let mut hasher = SpongeHasher::<S>::new();
        hasher.update(&message);
        for part in [1, 3, 8, 9, S::BLOCK_BYTES - 1, S::BLOCK_BYTES, 400, 1000] {
            let mut reader = hasher.clone().finish_xof();
            let mut out = vec![0; 1000];
            for part in out.chunks_mut(part) {
                reader.read(part);
            }
            assert_eq!(out, expected, "in parts of {part}");
        }
        let mut reader = hasher.finish_xof_reset();
        let mut out = vec![0; 1000];
        std::io::Read::read_exact(&mut reader, &mut out).expect("never fails");
        assert_eq!(out, expected);
        hasher.finish_xof().read(&mut out);
        assert_eq!(out, S::expected(b"", 1000), "after a reset");
    }
}

fn wrong_outputs<S: Tested + Xof>() {
    for (n, len_bytes, buffer_bytes) in [(2, 3, 5), (0, 3, 1), (2, 0, 1), (2, usize::MAX, 0)] {
        let error = ShapeError::OutputLength { buffer_bytes, len_bytes, messages: n };
        let mut out = vec![0; buffer_bytes];
        let messages = vec![&b"abc"[..]; n];
        let tried = SpongeHasher::<S>::try_output_many(&messages, len_bytes, &mut out);
        assert_eq!(tried, Err(error));
        let text = panic_of("many", || match S::FUNCTION {
            "shake128" => shake128_many(&messages, len_bytes, &mut out),
            _ => shake256_many(&messages, len_bytes, &mut out),
        });
        assert_eq!(text, error.to_string());
    }
}

fn tree(kernel: &'static Kernel) {
    for vector in vectors::keccak_digests().iter().filter(|vector| vector.leaves > 0) {
        let message: Vec<u8> = (0..vector.length).map(|i| (i % 251) as u8).collect();
        let digest = keccak::tree_sha3_256_on(kernel, vector.leaves, &message);
        assert_eq!(digest[..], vector.digest, "{} leaves, {} bytes", vector.leaves, vector.length);
    }
}

fn nist() {
    fn of<S: Named>() {
        for vector in vectors::sha3(S::FUNCTION) {
            let n = vector.message.len();
            let expected = S::expected(&vector.message, S::DIGEST_BYTES);
            assert_eq!(expected, vector.digest, "the oracle, {n} bytes");
            assert_eq!(S::one(&vector.message).as_ref(), vector.digest, "{n} bytes");
        }
    }
    of::<algorithms::Sha3_224>();
    of::<algorithms::Sha3_256>();
    of::<algorithms::Sha3_384>();
    of::<algorithms::Sha3_512>();
}

fn nist_xof<S: Tested + Xof>() {
    for vector in vectors::sha3(S::FUNCTION) {
        let (n, n_bytes) = (vector.message.len(), vector.digest.len());
        assert_eq!(S::expected(&vector.message, n_bytes), vector.digest, "the oracle, {n} bytes");
        let mut out = vec![0; n_bytes];
        SpongeHasher::<S>::try_output_many(&[&vector.message], n_bytes, &mut out).expect("as long");
        assert_eq!(out, vector.digest, "{n} bytes, {n_bytes} of output");
    }
}

/// The digests of the empty string and of the encoding of the empty list (Ethereum's yellow paper, appendix F
/// and section 4.3).
fn ethereum() {
    for (message, digest) in [
        (&b""[..], "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        (b"\xc0", "1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347"),
    ] {
        assert_eq!(Hex(keccak256(message)).to_string(), digest);
    }
}

fn shake_by_name() {
    let messages: Vec<Vec<u8>> = (0..=2 * 168 + 1).map(|n| pattern(n, n)).collect();
    for message in &messages {
        let mut out = vec![0; 2 * 168 + 1 - message.len()];
        shake128(message, &mut out);
        assert_eq!(out, algorithms::Shake128::expected(message, out.len()));
        shake256(message, &mut out);
        assert_eq!(out, algorithms::Shake256::expected(message, out.len()));
    }
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut out = vec![0; 100 * slices.len()];
    shake128_many(&slices, 100, &mut out);
    for (message, out) in slices.iter().zip(out.chunks(100)) {
        assert_eq!(out, algorithms::Shake128::expected(message, 100));
    }
    shake256_many(&slices, 100, &mut out);
    for (message, out) in slices.iter().zip(out.chunks(100)) {
        assert_eq!(out, algorithms::Shake256::expected(message, 100));
    }
}

fn pairs() {
    let nodes: Vec<[u8; 64]> = (0..21).map(|i| pattern(64, i).try_into().expect("64 bytes")).collect();
    let mut digests = vec![[0; 32]; 21];
    sha3_256_pairs(&nodes, &mut digests);
    assert!(nodes.iter().zip(&digests).all(|(node, digest)| *digest == sha3_256(node)));
    keccak256_pairs(&nodes, &mut digests);
    assert!(nodes.iter().zip(&digests).all(|(node, digest)| *digest == keccak256(node)));
    let error = ShapeError::Count { of: "nodes", inputs: 21, into: "digests", results: 3 };
    assert_eq!(try_sha3_256_pairs(&nodes, &mut digests[..3]), Err(error));
    assert_eq!(try_keccak256_pairs(&nodes, &mut digests[..3]), Err(error));
}

/// The default choice, SHA3-256's of `spec/keccak.py` among them.
fn tree_vectors() {
    for vector in vectors::keccak_digests() {
        let message: Vec<u8> = (0..vector.length).map(|i| (i % 251) as u8).collect();
        let digest = match vector.leaves {
            0 => sha3_256(&message),
            j => {
                assert_eq!(oracle::sha3_256_tree(j, &message), vector.digest, "the oracle, {j} leaves");
                keccak::tree_sha3_256(j, &message)
            }
        };
        assert_eq!(digest[..], vector.digest, "{} leaves, {} bytes", vector.leaves, vector.length);
    }
}

fn wrong_shapes() {
    let scalar = keccak::table().named("scalar").expect("scalar runs everywhere");
    let zeros = [0; 400];
    let row = |len: usize, last: usize| Row { blocks: &zeros[..len], last: &zeros[..last] };
    let absorb = |places: &[u8], rows: &[Row<'_>], step: usize, n_blocks: usize| {
        let mut states = vec![[0; 25]; 2];
        panic_of("absorb", || {
            scalar.absorb(Rate::Bytes136, States::Advance(&mut states, places), rows, step, n_blocks);
        })
    };
    assert!(absorb(&[0, 1], &[row(136, 136)], 136, 1).contains("2 states, not 1"));
    assert!(absorb(&[2], &[row(136, 136)], 136, 1).contains("state 2 of 2"));
    assert!(absorb(&[0], &[], 136, 1).contains("0 rows, not 1"));
    assert!(absorb(&[0], &[row(135, 136)], 136, 1).contains("1 blocks take 136 bytes of 135"));
    assert!(absorb(&[0], &[row(300, 136)], 165, 2).contains("2 blocks take 301 bytes of 300"));
    assert!(absorb(&[0], &[row(300, 136)], usize::MAX, 2).contains("an address"));
    assert!(absorb(&[0], &[row(300, 135)], 136, 2).contains("the last block has 135 bytes"));
    for kernel in keccak::kernels().filter(|kernel| kernel.degree() > 1) {
        let n = kernel.degree();
        let (rows, mut states) = ([row(136, 136); MAX_DEGREE], [[0; 25]; MAX_DEGREE]);
        let same = panic_of("absorb", || {
            let states = States::Advance(&mut states, &[3; MAX_DEGREE][..n]);
            kernel.absorb(Rate::Bytes136, states, &rows[..n], 0, 0);
        });
        assert!(same.contains("state 3 of 8"), "{same}");
        let few = panic_of("absorb", || {
            let mut heads: Vec<Head> = vec![[0; 8]; n - 1];
            kernel.absorb(Rate::Bytes136, States::Whole(&mut heads), &rows[..n], 0, 0);
        });
        assert!(few.contains(&format!("{} states, not {n}", n - 1)), "{few}");
    }
    for j in [0, keccak::MAX_LEAVES + 1] {
        let tree = panic_of("tree", || keccak::tree_sha3_256(j, b""));
        assert!(tree.contains(&format!("{j} leaves")), "{tree}");
    }
}

/// Generic code with a hash and an extendable output; HMAC with the crate `hmac` is in the facade's tests.
#[cfg(feature = "digest")]
fn digest_traits() {
    use hashlanes_sha::digest::common::BlockSizeUser;
    use hashlanes_sha::digest::const_oid::AssociatedOid;
    use hashlanes_sha::digest::{
        Digest, ExtendableOutput, ExtendableOutputReset, FixedOutputReset, Update, XofReader,
    };
    fn digest<D: Digest + FixedOutputReset>(message: &[u8]) -> Vec<u8> {
        let mut hasher = D::new_with_prefix(&message[..1]);
        Digest::update(&mut hasher, &message[1..]);
        let digest = hasher.finalize_reset().to_vec();
        assert_eq!(hasher.finalize(), D::digest(b""));
        digest
    }
    each_hash!(S => {
        assert_eq!(digest::<SpongeHasher<S>>(b"abc"), S::expected(b"abc", S::DIGEST_BYTES));
        assert_eq!(SpongeHasher::<S>::block_size(), S::BLOCK_BYTES);
    });
    each_xof!(S => {
        let mut hasher = SpongeHasher::<S>::default();
        Update::update(&mut hasher, b"abc");
        let (mut one, mut other) = ([0; 77], [0; 77]);
        XofReader::read(&mut hasher.finalize_xof_reset(), &mut one);
        Update::update(&mut hasher, b"abc");
        XofReader::read(&mut hasher.finalize_xof(), &mut other);
        assert_eq!([one, other], [&S::expected(b"abc", 77)[..]; 2]);
    });
    // NIST's registry of hash functions: 7 to 12.
    let oids = [Sha3_224::OID, Sha3_256::OID, Sha3_384::OID, Sha3_512::OID, Shake128::OID, Shake256::OID];
    for (i, oid) in (7..).zip(oids) {
        assert_eq!(oid.to_string(), format!("2.16.840.1.101.3.4.2.{i}"));
    }
}

/// One message, many, the tree, and more output than a block.
#[cfg(all(feature = "count-calls", feature = "env-override"))]
fn forced() {
    for kernel in keccak::kernels() {
        let role = format!("forced-keccak {}", kernel.name());
        crate::child::output(&role, &[(keccak::KERNEL_VARIABLE, kernel.name())]);
    }
}

/// Does everything once: no other kernel may have been entered.
#[cfg(all(feature = "count-calls", feature = "env-override"))]
pub(crate) fn play_forced(name: &str) {
    type S = algorithms::Sha3_256;
    let messages: Vec<Vec<u8>> = (0..19).map(|i| pattern(100 * i, i)).collect();
    check::<S>(sha3_256_many, &messages, name);
    assert_eq!(sha3_256(&messages[18])[..], S::expected(&messages[18], 32));
    let mut hasher = Sha3_256::new();
    messages.iter().for_each(|message| hasher.update(message));
    assert_eq!(hasher.finish()[..], S::expected(&messages.concat(), 32));
    let mut out = [0; 200];
    shake256(&messages[3], &mut out);
    assert_eq!(out[..], algorithms::Shake256::expected(&messages[3], 200));
    columns::<S>();
    outputs_by_choice();
    keccak::tree_sha3_256(4, &messages[18]);
    for kernel in keccak::kernels() {
        assert_eq!(kernel.calls() > 0, kernel.name() == name, "{}: {} calls", kernel.name(), kernel.calls());
    }
}

#[cfg(all(feature = "count-calls", feature = "env-override"))]
fn outputs_by_choice() {
    let mut out = [0; 400];
    shake128_many(&[b"abc", b""], 200, &mut out);
    assert_eq!(out[200..], algorithms::Shake128::expected(b"", 200));
}
