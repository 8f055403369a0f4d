//! Every length from 0 to four blocks and a byte. This covers padding of one and two blocks, the border
//! between them, and the last whole block at each position. Lengths whose bit count exceeds a word are
//! reached by starting from a midstate.

use hashlanes_sha::kernels::Kernel;
use hashlanes_sha::{Algorithm, Hasher, LastBlock, Midstate};
use hashlanes_testkit::ragged::{Rng, pattern};

use crate::hashes::{Named, Tested, assert_digests, each_algorithm, expected, unwritten};
use crate::suite::{Suite, seed};

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "every length", every_length::<A>);
        suite.one(A::NAME, "every split", every_split::<A>);
        suite.one(A::NAME, "midstates", midstates::<A>);
        suite.one(A::NAME, "great lengths", great_lengths_alone::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "every length", every_length_on::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "great lengths", great_lengths_on::<A>);
        suite.each_kernel::<<A as Algorithm>::Function>(A::NAME, "last blocks", last_blocks_on::<A>);
    });
}

/// A message of each length, all different, and their digests.
fn messages<A: Named>() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let messages: Vec<Vec<u8>> = (0..=4 * A::BLOCK_BYTES + 1).map(|len| pattern(len, len)).collect();
    let expected = expected::<A>(messages.iter().map(|message| &message[..]));
    (messages, expected)
}

fn every_length<A: Named>() {
    let (messages, expected) = messages::<A>();
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let one: Vec<A::Digest> = slices.iter().map(|message| A::one(message)).collect();
    assert_digests(&one, &expected, "one by one");

    let mut many = unwritten::<A>(slices.len());
    A::many(&slices, &mut many);
    assert_digests(&many, &expected, "many");
    A::try_many(&slices, &mut many).expect("as many digests as messages");
    assert_digests(&many, &expected, "try_many");

    // Alone, and with one other message: the least that the many-message engine does.
    for len in 0..slices.len() {
        let mut few = unwritten::<A>(2);
        A::many(&slices[len..=len], &mut few[..1]);
        assert_digests(&few[..1], &expected[len..=len], format!("{len} bytes as a batch"));
        let two = [slices[len], slices[slices.len() - 1 - len]];
        A::many(&two, &mut few);
        let of_two = [expected[len].clone(), expected[slices.len() - 1 - len].clone()];
        assert_digests(&few, &of_two, format!("{len} bytes beside another"));
    }
}

/// Two parts, split at every place; three, where the first leaves the buffer as full as it can be; and a
/// byte at a time.
fn every_split<A: Named>() {
    let (messages, expected) = messages::<A>();
    for (len, message) in messages.iter().enumerate() {
        for split in 0..=len {
            let mut hasher = Hasher::<A>::new();
            hasher.update(&message[..split]);
            let rest = &message[split..];
            let middle = rest.len() * (split % 3) / 2;
            hasher.update(&rest[..middle]);
            hasher.update(&rest[middle..]);
            let digest = hasher.finish();
            assert!(digest.as_ref() == &expected[len][..], "{len} bytes, split at {split}, then {middle}");
        }
        let mut hasher = Hasher::<A>::default();
        message.iter().for_each(|byte| hasher.update(std::slice::from_ref(byte)));
        assert!(hasher.clone().finish().as_ref() == &expected[len][..], "{len} bytes one at a time");
        assert!(hasher.finish().as_ref() == &expected[len][..], "{len} bytes, after a clone ended");
    }
}

/// A midstate exists only after whole blocks, and a message can continue from it.
fn midstates<A: Named>() {
    let (messages, expected) = messages::<A>();
    for (message, expected) in messages.iter().zip(&expected) {
        for split in 0..=message.len() {
            let mut hasher = Hasher::<A>::new();
            hasher.update(&message[..split]);
            let Some(midstate) = hasher.midstate() else {
                assert_ne!(split % A::BLOCK_BYTES, 0, "no midstate after {split} bytes");
                continue;
            };
            assert_eq!((split % A::BLOCK_BYTES, midstate.n_bytes()), (0, split as u64));
            let same = Midstate::<A>::new(*midstate.state(), split as u64);
            assert_eq!((same.state(), same.n_bytes()), (midstate.state(), midstate.n_bytes()));
            let mut hasher = Hasher::from_midstate(same);
            hasher.update(&message[split..]);
            assert!(hasher.finish().as_ref() == &expected[..], "{} bytes from {split}", message.len());
        }
    }
}

/// In one batch, shortest first and longest first; incrementally on one lane; in parts together.
fn every_length_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    let (messages, mut expected) = messages::<A>();
    let mut slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    for (len, message) in slices.iter().enumerate() {
        let mut hasher = Hasher::<A>::with_kernel(kernel);
        assert!(std::ptr::eq(hasher.kernel(), kernel));
        let split = (len * 7919) % (len + 1);
        hasher.update(&message[..split]);
        hasher.update(&message[split..]);
        assert!(hasher.finish().as_ref() == &expected[len][..], "{len} bytes, split at {split}");
    }
    for what in ["ascending", "descending"] {
        let mut digests = unwritten::<A>(slices.len());
        Hasher::<A>::digest_many_on(kernel, &slices, &mut digests);
        assert_digests(&digests, &expected, what);

        let mut hashers = vec![Hasher::<A>::with_kernel(kernel); slices.len()];
        for half in 0..2 {
            let part = |message: &&'_ [u8]| {
                if half == 0 { 0..message.len() / 3 } else { message.len() / 3..message.len() }
            };
            let parts =
                hashers.iter_mut().zip(&slices).map(|(hasher, message)| (hasher, &message[part(message)]));
            Hasher::update_many_on(kernel, &mut parts.collect::<Vec<_>>());
        }
        let mut digests = unwritten::<A>(slices.len());
        Hasher::finish_many_on(kernel, &mut hashers, &mut digests);
        assert_digests(&digests, &expected, format!("{what}, in two parts"));
        // Ended hashers are as new.
        let empty = A::ORACLE.digest(b"");
        let afterwards: Vec<_> = hashers.into_iter().map(Hasher::finish).collect();
        assert!(afterwards.iter().all(|digest| digest.as_ref() == &empty[..]), "{what}: hashers as new");
        slices.reverse();
        expected.reverse();
    }
}

/// A last block without message bytes, expanded in advance and not: for messages of whole blocks and of a few
/// bytes fewer, up to the last length with such a block.
fn last_blocks_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    let lens =
        (1..=2048 / A::BLOCK_BYTES + 1).flat_map(|n| [9, 8, 1, 0].map(|less| n * A::BLOCK_BYTES - less));
    for len in lens {
        let message = pattern(len, len);
        let expected = A::ORACLE.digest(&message);
        for last in [LastBlock::PreExpanded, LastBlock::Expanded] {
            let digest = Hasher::<A>::digest_on(kernel, &message, last);
            assert!(digest.as_ref() == &expected[..], "{len} bytes, last block {last:?}");
        }
    }
}

/// A midstate after a number of bytes, and the messages that continue it, with their digests.
struct Behind<A: Named> {
    midstate: Midstate<A>,
    rests: Vec<Vec<u8>>,
    expected: Vec<Vec<u8>>,
}

/// Bytes that are hashed already, in front of messages of a few blocks: the count of bits passes 2^32 (at
/// 2^29 bytes), that of bytes 2^32; and the greatest that each algorithm allows, for 128-byte blocks beyond
/// 2^64 bits.
fn great_lengths<A: Named>() -> Vec<Behind<A>> {
    let mut rng = Rng::new(seed());
    let block = A::BLOCK_BYTES as u64;
    let mut borders = vec![1 << 29, 1 << 32, 1 << 40];
    // The last whole block of a message of 2^61 - 1 bytes; or any number of bytes that a u64 counts.
    borders.extend(if block == 64 { vec![(1 << 61) - 4 * block] } else { vec![1 << 61, 1 << 63] });
    let absorbed = borders.into_iter().flat_map(|border| [border - 2 * block, border - block, border]);
    let behind = absorbed.map(|absorbed| {
        let state = <A::Function as Tested>::states(&mut rng, 1)[0];
        let lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 191, 192, 193];
        let rests = lengths.map(|len| pattern(len, len)).to_vec();
        let expected = rests.iter().map(|rest| A::ORACLE.resume(state, absorbed.into(), rest)).collect();
        Behind { midstate: Midstate::new(state, absorbed), rests, expected }
    });
    behind.collect()
}

/// One by one, by the kernel that is chosen for one message.
fn great_lengths_alone<A: Named>() {
    for Behind { midstate, rests, expected } in great_lengths::<A>() {
        let one_by_one = rests.iter().map(|rest| {
            let mut hasher = Hasher::from_midstate(midstate);
            hasher.update(rest);
            hasher.finish()
        });
        let what = format!("{} bytes before", midstate.n_bytes());
        assert_digests(&one_by_one.collect::<Vec<_>>(), &expected, what);
    }
}

/// Together in parts, and as equal messages.
fn great_lengths_on<A: Named>(kernel: &'static Kernel<A::Function>) {
    for Behind { midstate, rests, expected } in great_lengths::<A>() {
        let absorbed = midstate.n_bytes();
        let mut hashers = vec![Hasher::from_midstate(midstate); rests.len()];
        let mut parts: Vec<_> = hashers.iter_mut().zip(rests.iter().map(|rest| &rest[..])).collect();
        Hasher::update_many_on(kernel, &mut parts);
        let mut digests = unwritten::<A>(rests.len());
        Hasher::finish_many_on(kernel, &mut hashers, &mut digests);
        assert_digests(&digests, &expected, format!("{absorbed} bytes before, together"));

        for (rest, expected) in rests.iter().zip(&expected).filter(|(rest, _)| rest.len() <= A::BLOCK_BYTES) {
            let mut digests = unwritten::<A>(3);
            Hasher::digest_fixed_on(kernel, midstate, &rest.repeat(3), rest.len(), &mut digests);
            let expected = vec![expected.clone(); 3];
            assert_digests(&digests, &expected, format!("{absorbed} bytes before {} fixed", rest.len()));
        }
    }
}
