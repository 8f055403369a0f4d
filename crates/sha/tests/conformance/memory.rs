//! Addresses of data. Any alignment gives the same digests. With an unmapped page directly after or before
//! the data (`testkit::guarded`), a kernel that reads or writes a byte outside of them ends the process, so
//! each test has a separate process.

use hashlanes_isa::{Batch, PreExpanded, Start, Types};
use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher};
use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::ragged::pattern;

use crate::hashes::{Named, Tested, assert_digests, each_algorithm, expected, unwritten};
use crate::suite::{Suite, every};
use crate::verbs::{lane, shape};

/// A state of an algorithm's compression function.
type State<A> = <<A as Algorithm>::Function as Types>::State;

/// Beyond two blocks of 128 bytes and a padding that no longer fits.
const MAX_LEN: usize = 260;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        type F = <A as Algorithm>::Function;
        suite.each_kernel_apart::<F>(A::NAME, "any alignment", any_alignment::<A>);
        suite.each_kernel_apart::<F>(A::NAME, "page borders, digest_many_on", digest_many_at_borders::<A>);
        suite.each_kernel_apart::<F>(A::NAME, "page borders, digest_fixed_on", digest_fixed_at_borders::<A>);
        suite.each_kernel_apart::<F>(A::NAME, "page borders, verbs", verbs_at_borders::<A>);
        suite.one_apart(A::NAME, "page borders, rows and one", rows_at_borders::<A>);
    });
}

/// Messages of all lanes with the same offset from a multiple of 64 (and of 4096: the same cache set, where
/// the buffer begins so), and digests with that offset too.
fn any_alignment<A: Named>(kernel: &'static Kernel<A::Function>) {
    const PAGE: usize = 4096;
    let n = kernel.degree() + 1;
    let data = pattern((n + 2) * PAGE, 1);
    let base = data.as_ptr().align_offset(64);
    let mut room = vec![0; n * A::DIGEST_BYTES + 256];
    let room_base = room.as_ptr().align_offset(64);
    let mut states_room = vec![0_u8; kernel.degree() * size_of::<State<A>>() + 256];
    let states_base = states_room.as_ptr().align_offset(64);
    for align in (0..=64).step_by(every()) {
        let at = |k: usize, len: usize| &data[base + k * PAGE + align..][..len];
        let messages: Vec<&[u8]> = (0..n).map(|k| at(k, A::BLOCK_BYTES * (1 + k % 3) + align)).collect();
        let digests = A::digests_in(&mut room[room_base + align..][..n * A::DIGEST_BYTES]);
        Hasher::<A>::digest_many_on(kernel, &messages, digests);
        assert_digests(digests, &expected::<A>(messages), format!("offset {align}"));

        let len = align.min(A::BLOCK_BYTES);
        let equal = at(0, n * len);
        Hasher::<A>::digest_fixed_on(kernel, Hasher::<A>::new().midstate().unwrap(), equal, len, digests);
        let of_equal = expected::<A>((0..n).map(|i| &equal[i * len..][..len]));
        assert_digests(digests, &of_equal, format!("{len} bytes fixed at offset {align}"));

        let words = at(0, n * A::BLOCK_BYTES);
        let mut states = vec![A::H0; n];
        kernel.compress_lanes(&mut states, words);
        for k in 0..n {
            let expected = <A::Function as Tested>::expected(A::H0, &lane::<A::Function>(words, n, k));
            assert!(states[k].into() == expected, "lane {k} of {n} at offset {align}");
        }
        // States at every multiple of their own alignment.
        let beginning = states_base + align.next_multiple_of(align_of::<State<A>>());
        let states: &mut [State<A>] = bytemuck::cast_slice_mut(
            &mut states_room[beginning..][..kernel.degree() * size_of::<State<A>>()],
        );
        states.fill(A::H0);
        let blocks: Vec<&[u8]> = (0..kernel.degree()).map(|k| at(k, 2 * A::BLOCK_BYTES)).collect();
        kernel.compress(states, &blocks);
        for (state, blocks) in states.iter().zip(blocks) {
            let expected = <A::Function as Tested>::expected(A::H0, blocks);
            assert!((*state).into() == expected, "compress at offset {align}");
        }
    }
}

/// The last `len` bytes before an unmapped page, and the first `len` after one.
fn borders<'a>(ends: &'a Guarded, starts: &'a Guarded, len: usize) -> [&'a [u8]; 2] {
    [&ends[ends.len() - len..], &starts[..len]]
}

/// A buffer of patterned bytes before an unmapped page, and one after it.
fn guarded(len: usize) -> [Guarded; 2] {
    let content = pattern(len, 1);
    [Guarded::at_end(len).holding(&content), Guarded::at_start(len).holding(&content)]
}

fn digest_many_at_borders<A: Named>(kernel: &'static Kernel<A::Function>) {
    let [ends, starts] = guarded(MAX_LEN);
    let n = kernel.degree() + 1;
    let mut rooms = [Guarded::at_end(n * A::DIGEST_BYTES), Guarded::at_start(n * A::DIGEST_BYTES)];
    for len in (0..=MAX_LEN).step_by(every()) {
        for (message, room) in borders(&ends, &starts, len).into_iter().zip(&mut rooms) {
            // Every lane at the border: which one reads too far does not matter.
            let digests = A::digests_in(room);
            Hasher::<A>::digest_many_on(kernel, &vec![message; n], digests);
            assert_digests(digests, &vec![A::ORACLE.digest(message); n], format!("{len} bytes"));
        }
    }
}

fn digest_fixed_at_borders<A: Named>(kernel: &'static Kernel<A::Function>) {
    let n = 2 * kernel.degree() + 1;
    let [ends, starts] = guarded(n * A::BLOCK_BYTES);
    let start = Hasher::<A>::new().midstate().expect("nothing is whole blocks");
    for len in (0..=A::BLOCK_BYTES).step_by(every()) {
        for n in [kernel.degree(), n] {
            let mut rooms = [Guarded::at_end(n * A::DIGEST_BYTES), Guarded::at_start(n * A::DIGEST_BYTES)];
            for (messages, room) in borders(&ends, &starts, n * len).into_iter().zip(&mut rooms) {
                let digests = A::digests_in(room);
                Hasher::<A>::digest_fixed_on(kernel, start, messages, len, digests);
                let expected = expected::<A>((0..n).map(|i| &messages[i * len..][..len]));
                assert_digests(digests, &expected, format!("{n} of {len} bytes"));
            }
        }
    }
}

/// The verbs on states that end right before an unmapped page, then on states that begin right after one.
fn verbs_at_borders<A: Named>(kernel: &'static Kernel<A::Function>) {
    for side in [Guarded::at_end, Guarded::at_start] {
        compress_at_borders::<A>(kernel, side);
        compress_lanes_at_borders::<A>(kernel, side);
        continue_many_at_borders::<A>(kernel, side);
        finish_fixed_at_borders::<A>(kernel, side);
    }
}

/// `n` states H(0) in guarded bytes.
fn guarded_states<A: Named>(side: fn(usize) -> Guarded, n: usize) -> Guarded {
    let states = vec![A::H0; n];
    let bytes: &[u8] = bytemuck::cast_slice(&states);
    side(bytes.len()).holding(bytes)
}

fn compress_at_borders<A: Named>(kernel: &'static Kernel<A::Function>, side: fn(usize) -> Guarded) {
    let degree = kernel.degree();
    let [ends, starts] = guarded(15 * A::BLOCK_BYTES);
    // From eight on some kernels take blocks in pairs.
    for n_blocks in [0, 1, 2, 3, 12, 15] {
        let len = n_blocks * A::BLOCK_BYTES;
        for message in borders(&ends, &starts, len) {
            let expected = <A::Function as Tested>::expected(A::H0, message);
            let mut room = guarded_states::<A>(side, degree);
            let states: &mut [State<A>] = bytemuck::cast_slice_mut(&mut room);
            kernel.compress(states, &vec![message; degree]);
            assert!(states.iter().all(|state| (*state).into() == expected), "compress, {n_blocks} blocks");

            // In turns of all lengths.
            let blocks = A::blocks_in(message);
            let mut batch = Batch::new();
            let mut open = batch.open();
            let places: Vec<u8> = (0..degree as u8).collect();
            for &place in &places {
                open.insert_part(place.into(), &A::H0, None, message);
            }
            let mut left = n_blocks;
            while left > 0 {
                let n_now = left.div_ceil(2);
                open.advance(kernel, &places, n_now);
                left -= n_now;
            }
            for &place in &places {
                assert!((*open.state(place.into())).into() == expected, "turns, {n_blocks} blocks");
            }

            let mut room = guarded_states::<A>(side, 1);
            let states: &mut [State<A>] = bytemuck::cast_slice_mut(&mut room);
            kernel.compress_one(&mut states[0], message);
            assert!(states[0].into() == expected, "compress_one, {n_blocks} blocks");

            states.fill(A::H0);
            let (body, end) = message.split_at(len - blocks.len().min(2) * A::BLOCK_BYTES);
            kernel.compress_body_and_end(&mut states[0], body, A::blocks_in(end));
            assert!(states[0].into() == expected, "compress_body_and_end, {n_blocks} blocks");

            for block in blocks.iter().take(1) {
                states.fill(A::H0);
                kernel.rounds(&mut states[0], &PreExpanded::new(*block));
                let expected = <A::Function as Tested>::expected(A::H0, block.as_ref());
                assert!(states[0].into() == expected, "rounds");
            }
        }
    }
}

fn compress_lanes_at_borders<A: Named>(kernel: &'static Kernel<A::Function>, side: fn(usize) -> Guarded) {
    let [ends, starts] = guarded(33 * 3 * A::BLOCK_BYTES);
    for j in (1..=17).step_by(every()).chain([32, 33]) {
        for n_blocks in 0..=3 {
            for words in borders(&ends, &starts, j * n_blocks * A::BLOCK_BYTES) {
                let mut room = guarded_states::<A>(side, j);
                let states: &mut [State<A>] = bytemuck::cast_slice_mut(&mut room);
                kernel.compress_lanes(states, words);
                let last = <A::Function as Tested>::expected(A::H0, &lane::<A::Function>(words, j, j - 1));
                assert!(states[j - 1].into() == last, "compress_lanes, {n_blocks} blocks of {j} lanes");
            }
        }
    }
}

fn continue_many_at_borders<A: Named>(kernel: &'static Kernel<A::Function>, side: fn(usize) -> Guarded) {
    let (most, h0) = (2 * kernel.degree() + 1, A::H0);
    let [ends, starts] = guarded(most * A::BLOCK_BYTES);
    for n in [1, kernel.degree(), most] {
        let starts_of = |bytes| [(bytes, Start::Shared(&h0)), (bytes, Start::Each)];
        for (bytes, start) in borders(&ends, &starts, n * A::BLOCK_BYTES).into_iter().flat_map(starts_of) {
            let blocks = A::blocks_in(bytes);
            let last = PreExpanded::<A::Function>::new(blocks[0]);
            let mut room = guarded_states::<A>(side, n);
            let states: &mut [State<A>] = bytemuck::cast_slice_mut(&mut room);
            kernel.continue_many(start, blocks, Some(&last), states);
            for (state, block) in states.iter().zip(blocks) {
                let both = [block.as_ref(), blocks[0].as_ref()].concat();
                let expected = <A::Function as Tested>::expected(A::H0, &both);
                assert!((*state).into() == expected, "continue_many, {n}, {start:?}");
            }
        }
    }
}

/// Digests as long as a state or shorter, the last of them at the border.
fn finish_fixed_at_borders<A: Named>(kernel: &'static Kernel<A::Function>, side: fn(usize) -> Guarded) {
    let message = pattern(9, 1);
    for n in [kernel.degree(), 2 * kernel.degree() + 1] {
        let messages = message.repeat(n);
        for digest_bytes in (1..=size_of_val(&A::H0)).step_by(every()) {
            let mut room = side(n * digest_bytes);
            let shape = shape::<A::Function>(message.len(), 0);
            kernel.finish_fixed(&A::H0, &shape, &messages, &mut room, digest_bytes);
            let (first, n_common) = (A::ORACLE.digest(&message), digest_bytes.min(A::DIGEST_BYTES));
            for digest in room.chunks(digest_bytes) {
                assert_eq!(digest[..n_common], first[..n_common], "{n} of {digest_bytes} bytes");
            }
        }
    }
}

/// Columns whose values end or begin at a border, and single messages.
fn rows_at_borders<A: Named>() {
    let [ends, starts] = guarded(MAX_LEN);
    for len in (0..=MAX_LEN).step_by(every()) {
        for values in borders(&ends, &starts, len) {
            assert_digests(&[A::one(values)], &[A::ORACLE.digest(values)], format!("{len} bytes"));
            // Few rows, and more than are taken one by one; to the end of the values, and not so far.
            let few = [0, 0, len / 3, len / 2, len, len];
            let more = [0, 0, 1, 2, 5, 9, 17, 33, 55, 80, 120, 121, len, len].map(|at| at.min(len));
            let not_so_far = more.map(|at| at.min(len - len.min(40)));
            for offsets in [&few[..], &more, &not_so_far] {
                let offsets: Vec<i64> = offsets.iter().map(|at| *at as i64).collect();
                let mut digests = unwritten::<A>(offsets.len() - 1);
                A::rows(values, &offsets, &mut digests);
                let rows = offsets.windows(2).map(|at| &values[at[0] as usize..at[1] as usize]);
                assert_digests(&digests, &expected::<A>(rows), format!("rows of {len} bytes"));
            }
        }
    }
}
