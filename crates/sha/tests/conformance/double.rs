//! Double SHA-256: known digests, and all its functions against the oracle.

use hashlanes_sha::*;
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::pattern;

use crate::suite::{Suite, panic_of};

pub(crate) fn add(suite: &mut Suite) {
    suite.one("sha256d", "known digests", known);
    suite.one("sha256d", "many, fixed, pairs", all_forms);
    suite.one("sha256d", "wrong use", wrong_use);
}

fn expected(message: &[u8]) -> Vec<u8> {
    oracle::SHA256.digest(&oracle::SHA256.digest(message))
}

/// Bitcoin's first block: the header's digest, whose bytes are shown in reverse order, and the digest of
/// "hello" that its documentation gives.
fn known() {
    let mut header = [0; 80];
    header[0] = 1;
    let root = b"\x3b\xa3\xed\xfd\x7a\x7b\x12\xb2\x7a\xc7\x2c\x3e\x67\x76\x8f\x61\x7f\xc8\x1b\xc3\x88\x8a\x51\x32\x3a\x9f\xb8\xaa\x4b\x1e\x5e\x4a";
    header[36..68].copy_from_slice(root);
    header[68..].copy_from_slice(b"\x29\xab\x5f\x49\xff\xff\x00\x1d\x1d\xac\x2b\x7c");
    let mut digest = sha256d(&header);
    digest.reverse();
    assert_eq!(Hex(digest).to_string(), "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
    assert_eq!(
        Hex(sha256d(b"hello")).to_string(),
        "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"
    );
}

fn all_forms() {
    for n in [0, 1, 2, 7, 16, 33, 256, 257, 600] {
        let messages: Vec<Vec<u8>> = (0..n).map(|i| pattern(i * i % 301, i)).collect();
        let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
        let mut digests = vec![[0; 32]; n];
        sha256d_many(&slices, &mut digests);
        for (message, digest) in slices.iter().zip(&digests) {
            assert_eq!(digest[..], expected(message), "{n} messages, {} bytes", message.len());
            assert_eq!(*digest, sha256d(message));
        }
        for len in [0, 32, 64, 80] {
            let messages = pattern(n * len, n);
            sha256d_fixed(&messages, len, &mut digests);
            for (i, digest) in digests.iter().enumerate() {
                assert_eq!(digest[..], expected(&messages[i * len..][..len]), "{n} of {len} bytes: {i}");
            }
        }
        let nodes: Vec<[u8; 64]> = (0..n).map(|i| pattern(64, i).try_into().expect("64 bytes")).collect();
        sha256d_pairs(&nodes, &mut digests);
        assert!(nodes.iter().zip(&digests).all(|(node, digest)| digest[..] == expected(node)), "{n} nodes");
    }
}

fn wrong_use() {
    let mut digests = [[7; 32]; 2];
    let count = |of| ShapeError::Count { of, inputs: 1, into: "digests", results: 2 };
    assert_eq!(try_sha256d_many(&[b"abc"], &mut digests), Err(count("messages")));
    assert_eq!(try_sha256d_pairs(&[[0; 64]], &mut digests), Err(count("nodes")));
    let (buffer, into) = ("messages", "digests");
    let length = ShapeError::BufferLength { buffer, buffer_bytes: 81, len_bytes: 80, into, results: 2 };
    assert_eq!(try_sha256d_fixed(&[0; 81], 80, &mut digests), Err(length));
    let many = panic_of("many", || sha256d_many(&[b"abc"], &mut digests));
    assert_eq!(many, count("messages").to_string());
    let pairs = panic_of("pairs", || sha256d_pairs(&[[0; 64]], &mut digests));
    assert_eq!(pairs, count("nodes").to_string());
    let fixed = panic_of("fixed", || sha256d_fixed(&[0; 81], 80, &mut digests));
    assert_eq!(fixed, length.to_string());
    assert_eq!(digests, [[7; 32]; 2], "nothing is written");
}
