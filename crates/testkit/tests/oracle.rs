//! The oracle against the published vectors, and against itself where no vectors exist.

use hashlanes_testkit::oracle::{self, State};
use hashlanes_testkit::ragged::{Rng, pattern};
use hashlanes_testkit::vectors;

#[test]
fn vectors_and_oracle_name_the_same_hashes() {
    assert_eq!(oracle::ALL.map(|hash| hash.name), vectors::HASHES);
    assert!(oracle::by_name("sha512/256").is_none());
    for hash in oracle::ALL {
        assert_eq!(oracle::by_name(hash.name).unwrap().name, hash.name);
        assert_eq!(hash.block_bytes, hash.initial().block_bytes(), "{}", hash.name);
    }
}

#[test]
fn short_and_long() {
    for hash in oracle::ALL {
        let messages = vectors::short_and_long(hash.name);
        // CAVP: the lengths 0..=block, then as many longer ones as a block has bytes; fewer could be a
        // reader's fault.
        assert_eq!(messages.len(), 2 * hash.block_bytes + 1, "{}", hash.name);
        for vector in messages {
            assert_eq!(
                hash.digest(&vector.message),
                vector.digest,
                "{}: {} bytes",
                hash.name,
                vector.message.len()
            );
        }
    }
}

#[test]
fn monte() {
    for hash in oracle::ALL {
        let vector = vectors::monte(hash.name);
        assert_eq!(vector.checkpoints.len(), 100, "{}", hash.name);
        assert_eq!(vector.run(|message| hash.digest(message)), vector.checkpoints, "{}", hash.name);
    }
}

#[test]
fn hmac() {
    for name in vectors::HMAC_HASHES {
        let (hash, vectors) = (oracle::by_name(name).unwrap(), vectors::hmac(name));
        assert_eq!(vectors.len(), 7, "{name}");
        for vector in vectors {
            assert_eq!(vector.mac.len(), if vector.truncated { 16 } else { hash.digest_bytes }, "{name}");
            assert!(vector.matches(&hash.hmac(&vector.key, &vector.message)), "{name}: {vector:02x?}");
        }
    }
}

#[test]
fn functions_by_name() {
    let functions = [
        oracle::sha1,
        oracle::sha224,
        oracle::sha256,
        oracle::sha384,
        oracle::sha512,
        oracle::sha512_224,
        oracle::sha512_256,
    ];
    for (hash, function) in oracle::ALL.into_iter().zip(functions) {
        assert_eq!(function(b"abc"), hash.digest(b"abc"), "{}", hash.name);
    }
}

/// Any whole number of blocks may be taken from the front.
#[test]
fn resuming_is_hashing() {
    for hash in oracle::ALL {
        // Up to 5 blocks; 37 is prime, so that every place within a block occurs.
        for len in (0..=5 * hash.block_bytes).step_by(37) {
            let message = pattern(len, len);
            let mut midstate = hash.initial();
            for absorbed in (0..=len).step_by(hash.block_bytes) {
                let digest = hash.resume(midstate, absorbed as u128, &message[absorbed..]);
                assert_eq!(digest, hash.digest(&message), "{}: {absorbed} of {len} bytes", hash.name);
                if let Some(block) = message[absorbed..].get(..hash.block_bytes) {
                    midstate.compress(block);
                }
            }
        }
    }
}

/// Where the length field's words change: the last block is written out by hand here, most significant byte
/// first.
#[test]
fn lengths_beyond_32_bits() {
    let mut rng = Rng::new(4);
    for (absorbed, length_field) in [
        (1u128 << 29, [0, 0, 0, 1, 0, 0, 0, 24]),
        (1 << 32, [0, 0, 0, 8, 0, 0, 0, 24]),
        ((1 << 32) - 128, [0, 0, 0, 7, 0xff, 0xff, 0xfc, 24]),
        ((1 << 61) - 128, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc, 24]),
    ] {
        for hash in oracle::ALL {
            let midstate: State = match hash.initial() {
                State::Sha1(_) => rng.words32::<5>().into(),
                State::Sha256(_) => rng.words32::<8>().into(),
                State::Sha512(_) => rng.words64::<8>().into(),
            };
            let mut block = vec![0; hash.block_bytes];
            block[..4].copy_from_slice(b"abc\x80");
            block[hash.block_bytes - 8..].copy_from_slice(&length_field);
            let mut state = midstate;
            state.compress(&block);
            let expected = &state.to_bytes()[..hash.digest_bytes];
            assert_eq!(
                hash.resume(midstate, absorbed, b"abc"),
                expected,
                "{}: {absorbed} bytes + 3",
                hash.name
            );
        }
    }
}

#[test]
fn sha512_counts_128_bits() {
    let mut block = [0; 128];
    block[0] = 0x80;
    block[128 - 9] = 1; // 2⁶⁴ bits
    let mut h = [1; 8];
    oracle::sha512_compress(&mut h, &block);
    assert_eq!(oracle::SHA512.resume([1u64; 8], 1 << 61, b""), State::Sha512(h).to_bytes());
}

#[test]
#[should_panic(expected = "a message of fewer than 2^64 bits")]
fn sha256_counts_64_bits() {
    oracle::SHA256.resume([0u32; 8], 1 << 61, b"");
}

#[test]
#[should_panic(expected = "no whole blocks")]
fn absorbed_bytes_are_whole_blocks() {
    oracle::SHA512.resume([0u64; 8], 64, b"");
}

#[test]
#[should_panic(expected = "a midstate of another hash than sha1")]
fn a_midstate_belongs_to_its_hash() {
    oracle::SHA1.resume([0u32; 8], 64, b"");
}

/// 2³² + 1 zero bytes; the digests are those of GNU coreutils (sha1sum, sha256sum, sha512sum).
#[test]
#[ignore = "12 GiB of hashing: about a minute"]
fn a_true_run_beyond_4_gib() {
    let zeros = vec![0; 1 << 24];
    for (hash, expected) in [
        (&oracle::SHA1, "e7d747b75f76e0e41e83b75bce4642816136304f"),
        (&oracle::SHA256, "fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c"),
        (
            &oracle::SHA512,
            "89fdc1f5c95f86d177144bc417b3513a669dae7f60c9e57fc2b39e0bfcd6dbb9\
             efdf6b339d1762fe3f5e7914f1b64abb6a97a2ceec1bbb2a381e3eb0d3c43781",
        ),
    ] {
        let mut midstate = hash.initial();
        for _ in 0..1 << 8 {
            midstate.compress(&zeros);
        }
        let digest = hash.resume(midstate, 1 << 32, &[0]);
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digits, expected, "{}", hash.name);
    }
}
