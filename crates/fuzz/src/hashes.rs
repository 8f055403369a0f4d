//! SHA-1, SHA-2 and HMAC: all forms of a batch on one kernel and on those that are chosen, compared with
//! other implementations.

use hashlanes::{Algorithm, Hasher, HmacKey, Midstate, Queue, Queued, Tagged, algorithms};
use hashlanes_isa::Function;
use hashlanes_testkit::oracle;
use sha2::Digest;

use crate::input::{Input, parts};

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 7 {
        0 => check::<algorithms::Sha1>(&mut input, |message| sha1::Sha1::digest(message).to_vec()),
        1 => check::<algorithms::Sha224>(&mut input, |message| sha2::Sha224::digest(message).to_vec()),
        2 => check::<algorithms::Sha256>(&mut input, |message| sha2::Sha256::digest(message).to_vec()),
        3 => check::<algorithms::Sha384>(&mut input, |message| sha2::Sha384::digest(message).to_vec()),
        4 => check::<algorithms::Sha512>(&mut input, |message| sha2::Sha512::digest(message).to_vec()),
        5 => {
            check::<algorithms::Sha512_224>(&mut input, |message| sha2::Sha512_224::digest(message).to_vec())
        }
        _ => {
            check::<algorithms::Sha512_256>(&mut input, |message| sha2::Sha512_256::digest(message).to_vec())
        }
    }
}

fn check<A: Algorithm + Queued>(input: &mut Input<'_>, other: fn(&[u8]) -> Vec<u8>) {
    let kernel = input.one_of(<A::Function as Function>::table().kernels());
    match input.byte() % 4 {
        0 => fixed::<A>(input, other),
        1 => codes::<A>(input),
        2 => queue::<A>(input, other),
        _ => {
            let messages = input.messages(70, 1000);
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let expected: Vec<Vec<u8>> = slices.iter().map(|message| other(message)).collect();
            let what = |way: &str| format!("{} {}: {way}", A::NAME, kernel.name());

            let mut digests = vec![A::ZERO_DIGEST; slices.len()];
            Hasher::<A>::digest_many(&slices, &mut digests);
            same::<A>(&digests, &expected, &what("many"));
            digests.fill(A::ZERO_DIGEST);
            Hasher::<A>::digest_many_on(kernel, &slices, &mut digests);
            same::<A>(&digests, &expected, &what("many on one kernel"));

            // In parts: some hashers together, then the rest.
            let cuts: Vec<usize> = slices.iter().map(|message| input.length(message.len() + 1)).collect();
            let mut hashers = vec![Hasher::<A>::new(); slices.len()];
            for is_end in [false, true] {
                let part = |i: usize| if is_end { &slices[i][cuts[i]..] } else { &slices[i][..cuts[i]] };
                let mut both: Vec<_> =
                    hashers.iter_mut().enumerate().map(|(i, hasher)| (hasher, part(i))).collect();
                Hasher::update_many_on(kernel, &mut both);
            }
            digests.fill(A::ZERO_DIGEST);
            Hasher::finish_many_on(kernel, &mut hashers, &mut digests);
            same::<A>(&digests, &expected, &what("in parts"));

            if let Some((message, expected)) = slices.last().zip(expected.last()) {
                assert_eq!(Hasher::<A>::digest(message).as_ref(), expected, "{}", what("one"));
                let mut hasher = Hasher::<A>::with_kernel(kernel);
                for part in parts(message, &input.cuts(message.len())) {
                    hasher.update(part);
                }
                assert_eq!(hasher.finish().as_ref(), expected, "{}", what("one in parts"));
            }
        }
    }
}

fn same<A: Algorithm>(digests: &[A::Digest], expected: &[Vec<u8>], what: &str) {
    for (i, (digest, expected)) in digests.iter().zip(expected).enumerate() {
        assert_eq!(digest.as_ref(), expected, "{what}, message {i} of {}", digests.len());
    }
}

/// Messages of one length, after a prefix of whole blocks.
fn fixed<A: Algorithm>(input: &mut Input<'_>, other: fn(&[u8]) -> Vec<u8>) {
    let kernel = input.one_of(<A::Function as Function>::table().kernels());
    let (n, len_bytes) = (input.below(70), input.length(600));
    let prefix = input.units(A::BLOCK_BYTES, 3);
    let messages = input.random(n * len_bytes);
    let message = |i: usize| &messages[i * len_bytes..][..len_bytes];
    let mut digests = vec![A::ZERO_DIGEST; n];
    Hasher::<A>::digest_fixed(&messages, len_bytes, &mut digests);
    let expected: Vec<Vec<u8>> = (0..n).map(|i| other(message(i))).collect();
    same::<A>(&digests, &expected, "fixed");
    let mut start = Hasher::<A>::new();
    start.update(&prefix);
    let start: Midstate<A> = start.midstate().expect("whole blocks");
    Hasher::digest_fixed_on(kernel, start, &messages, len_bytes, &mut digests);
    let expected: Vec<Vec<u8>> = (0..n).map(|i| other(&[&prefix, message(i)].concat())).collect();
    same::<A>(&digests, &expected, &format!("{}: fixed after a prefix", kernel.name()));
    // Lengths that do not fit are errors.
    let wrong = Hasher::<A>::try_digest_fixed(&messages, len_bytes + 1, &mut digests);
    assert_eq!(wrong.is_err(), n > 0, "{n} messages of {len_bytes} bytes");
}

/// HMAC: one, many, in parts; and a code that is wrong.
fn codes<A: Algorithm>(input: &mut Input<'_>) {
    let oracle = oracle::by_name(&A::NAME.replace('-', "_")).expect("every hash has an oracle");
    let key = input.some(300);
    let messages = input.messages(40, 500);
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let expected: Vec<Vec<u8>> = slices.iter().map(|message| oracle.hmac(&key, message)).collect();
    let key = HmacKey::<A>::new(&key);
    let mut macs = vec![A::ZERO_DIGEST; slices.len()];
    key.mac_many(&slices, &mut macs);
    same::<A>(&macs, &expected, "HMAC of many");
    let Some((message, expected)) = slices.last().zip(expected.last()) else { return };
    let cuts = input.cuts(message.len());
    let begun = || {
        let mut mac = key.begin();
        parts(message, &cuts).into_iter().for_each(|part| mac.update(part));
        mac
    };
    assert_eq!(begun().finish().as_ref(), expected, "HMAC in parts");
    assert!(begun().verify(expected));
    let mut wrong = expected.clone();
    wrong[input.below(A::DIGEST_BYTES)] ^= 1 << input.below(8);
    assert!(!begun().verify(&wrong) && !begun().verify(&expected[1..]), "a wrong code");
}

/// Messages submitted one by one, with some flushed: they come back in order.
fn queue<A: Algorithm + Queued>(input: &mut Input<'_>, other: fn(&[u8]) -> Vec<u8>) {
    let messages = input.messages(200, 400);
    let mut queue = Queue::<A, Tagged<usize, &[u8]>>::new();
    let mut n_done = 0;
    let mut take = |(Tagged { tag, message }, digest): (Tagged<usize, &[u8]>, A::Digest)| {
        assert_eq!(tag, n_done, "messages come in order");
        assert_eq!(digest.as_ref(), other(message), "{}: message {tag} of a queue", A::NAME);
        n_done += 1;
    };
    for (tag, message) in messages.iter().enumerate() {
        if let Some(done) = queue.submit(Tagged { tag, message }) {
            take(done);
        }
        if input.byte() == 1 {
            queue.flush().into_iter().for_each(&mut take);
        }
    }
    std::iter::from_fn(|| queue.flush()).for_each(&mut take);
    assert_eq!(n_done, messages.len());
}
