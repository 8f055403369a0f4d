//! SHA-3, SHAKE and Keccak-256 on one kernel and on those that are chosen, compared with other
//! implementations.

use hashlanes::keccak::{self, Xof};
use hashlanes::{SpongeHash, SpongeHasher, algorithms};
use hashlanes_testkit::oracle;
use sha3::{Digest, Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512};

use crate::input::{Input, parts};

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 7 {
        0 => hash::<algorithms::Sha3_224>(&mut input, |message| Sha3_224::digest(message).to_vec()),
        1 => hash::<algorithms::Sha3_256>(&mut input, |message| Sha3_256::digest(message).to_vec()),
        2 => hash::<algorithms::Sha3_384>(&mut input, |message| Sha3_384::digest(message).to_vec()),
        3 => hash::<algorithms::Sha3_512>(&mut input, |message| Sha3_512::digest(message).to_vec()),
        4 => hash::<algorithms::Keccak256>(&mut input, |message| Keccak256::digest(message).to_vec()),
        5 => xof::<algorithms::Shake128>(&mut input, |message, output| {
            output.copy_from_slice(&oracle::keccak(168, 0x1f, message, output.len()));
        }),
        _ => xof::<algorithms::Shake256>(&mut input, |message, output| {
            output.copy_from_slice(&oracle::keccak(136, 0x1f, message, output.len()));
        }),
    }
}

fn hash<S: SpongeHash>(input: &mut Input<'_>, other: fn(&[u8]) -> Vec<u8>) {
    let kernel = input.one_of(keccak::kernels());
    if input.byte().is_multiple_of(4) {
        let (n, len_bytes) = (input.below(40), input.length(600));
        let messages = input.random(n * len_bytes);
        let mut digests = vec![S::ZERO_DIGEST; n];
        let wrong = SpongeHasher::<S>::try_digest_fixed(&messages, len_bytes + 1, &mut digests);
        assert_eq!(wrong.is_err(), n > 0, "{n} messages of {len_bytes} bytes");
        SpongeHasher::<S>::try_digest_fixed(&messages, len_bytes, &mut digests).expect("lengths that fit");
        for (i, digest) in digests.iter().enumerate() {
            assert_eq!(digest.as_ref(), other(&messages[i * len_bytes..][..len_bytes]), "message {i} of {n}");
        }
        return;
    }
    let messages = input.messages(40, 800);
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let expected: Vec<Vec<u8>> = slices.iter().map(|message| other(message)).collect();
    let mut digests = vec![S::ZERO_DIGEST; slices.len()];
    let check = |digests: &[S::Digest], way: &str| {
        for (i, (digest, expected)) in digests.iter().zip(&expected).enumerate() {
            assert_eq!(digest.as_ref(), expected, "{way}, message {i} of {}", digests.len());
        }
    };
    SpongeHasher::<S>::digest_many(&slices, &mut digests);
    check(&digests, "many");
    digests.fill(S::ZERO_DIGEST);
    SpongeHasher::<S>::digest_many_on(kernel, &slices, &mut digests);
    check(&digests, kernel.name());
    if let Some((message, expected)) = slices.last().zip(expected.last()) {
        assert_eq!(SpongeHasher::<S>::digest(message).as_ref(), expected, "one");
        let mut hasher = SpongeHasher::<S>::new();
        for part in parts(message, &input.cuts(message.len())) {
            hasher.update(part);
        }
        assert_eq!(hasher.finish().as_ref(), expected, "one in parts");
    }
}

fn xof<S: Xof>(input: &mut Input<'_>, other: fn(&[u8], &mut [u8])) {
    let kernel = input.one_of(keccak::kernels());
    let len_bytes = 1 + input.length(700);
    let messages = input.messages(40, 600);
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut expected = vec![0; slices.len() * len_bytes];
    for (message, output) in slices.iter().zip(expected.chunks_mut(len_bytes)) {
        other(message, output);
    }
    let mut outputs = vec![0; slices.len() * len_bytes];
    SpongeHasher::<S>::try_output_many(&slices, len_bytes, &mut outputs).expect("lengths that fit");
    assert_eq!(outputs, expected, "many, {len_bytes} bytes each");
    outputs.fill(0);
    SpongeHasher::<S>::output_many_on(kernel, &slices, len_bytes, &mut outputs);
    assert_eq!(outputs, expected, "{}: {len_bytes} bytes each", kernel.name());
    if let Some((message, expected)) = slices.last().zip(expected.chunks(len_bytes).last()) {
        let mut hasher = SpongeHasher::<S>::new();
        for part in parts(message, &input.cuts(message.len())) {
            hasher.update(part);
        }
        let (mut reader, mut output) = (hasher.finish_xof(), vec![0; len_bytes]);
        let cut = input.below(len_bytes + 1);
        reader.read(&mut output[..cut]);
        reader.read(&mut output[cut..]);
        assert_eq!(output, expected, "output in parts");
    }
}
