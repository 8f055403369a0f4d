//! Messages that are read part by part; keys of other implementations.

use std::io::{Cursor, Read, Seek, SeekFrom};

use hashlanes_hbs::store::{Derivation, KeyGeneration, import};
use hashlanes_hbs::{Error, ParameterSet, Scheme};
use hashlanes_testkit::vectors;

use crate::ledger::{place, with_key};
use crate::simulated::Simulated;

/// Returns a few bytes for each call, and reports interruptions in between.
struct Slow(Cursor<Vec<u8>>, bool);

impl Read for Slow {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let most = to.len().min(977);
        self.0.read(&mut to[..most])
    }
}
impl Seek for Slow {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn streams_are_signed_and_verified_as_bytes() {
    for length in [0, 1, 976, 977, 100_000, 300_000] {
        let message: Vec<u8> = (0..length).map(|i: u32| (i % 251) as u8).collect();
        let simulated = with_key();
        let disk = simulated.disk();
        let of_bytes = place(&simulated, "/key").open().unwrap().try_sign(&message[..]).unwrap();
        let mut stream = Slow(Cursor::new(message.clone()), false);
        // From any position.
        stream.seek(SeekFrom::Start(5)).unwrap();
        let mut key = place(&Simulated::with(&disk), "/key").open().unwrap();
        assert_eq!(key.try_sign(&mut stream).unwrap(), of_bytes, "{length} bytes");
        stream.rewind().unwrap();
        let public = key.verifying_key();
        public.verify(&message, of_bytes.as_ref()).unwrap();
        public.verify_reader(&mut stream, of_bytes.as_ref()).unwrap();
        assert_eq!(public.verify_reader(&b"another"[..], of_bytes.as_ref()), Err(Error::Invalid));
    }
}

#[test]
fn an_impossible_signature_is_refused_before_the_message_is_read() {
    struct Never;
    impl Read for Never {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("it was read"))
        }
    }
    let simulated = with_key();
    let mut key = place(&simulated, "/key").open().unwrap();
    let mut signature = key.try_sign(b"message").unwrap().as_ref().to_vec();
    let public = key.verifying_key();
    assert_eq!(public.verify_reader(Never, &signature), Err(Error::Message("it was read".into())));
    signature[3] = 16;
    assert!(matches!(public.verify_reader(Never, &signature), Err(Error::Index { index: 16, .. })));
    assert!(matches!(public.verify_reader(Never, &[]), Err(Error::SignatureLength { .. })));
}

/// Returns the reference code's secret key of a vector, at an index.
fn reference_key(set: ParameterSet, seeds: &[u8], public_key: &[u8], index: u64) -> Vec<u8> {
    let n = set.n();
    let index = &index.to_be_bytes()[8 - set.index_bytes()..];
    // OID ‖ idx ‖ S_XMSS ‖ SK_PRF ‖ root ‖ SEED.
    [&public_key[..4], index, &seeds[..2 * n], &public_key[4..4 + n], &seeds[2 * n..]].concat()
}

#[test]
fn keys_of_other_implementations_sign_on() {
    let mut n = 0;
    for vector in vectors::xmss() {
        let set: ParameterSet = vector.name.parse().unwrap();
        let derivation = match vector.derivation.as_deref() {
            Some("sp800-208") => Derivation::Sp800_208,
            Some("legacy") => Derivation::Legacy,
            _ => continue,
        };
        let is_short = set.tree_height() <= 5 || set.height() == 10 && set.n() == 32;
        let (Some(seeds), true) = (&vector.seeds, is_short && !vector.name.contains("SHAKE")) else {
            continue;
        };
        for expected in vector.signatures.iter().take(2) {
            let bytes = reference_key(set, seeds, &vector.public_key, expected.index);
            let imported =
                import(Some(set.scheme()), &[&bytes[..], b"its traversal"].concat(), Some(derivation))
                    .unwrap();
            assert_eq!(imported.indices.start, expected.index);
            let here = place(&Simulated::new(), "/key");
            let mut key = here.create_within(imported.generation, imported.indices).unwrap();
            assert_eq!(key.range(), expected.index..set.signatures());
            let signature = key.try_sign(&expected.message[..]).unwrap();
            assert_eq!(hashlanes_sha::sha256(signature.as_ref())[..], expected.sha256[..], "{}", vector.name);
            n += 1;
        }
    }
    assert!(n >= 6, "{n} signatures");
}

#[test]
fn invalid_keys_of_other_implementations_are_named() {
    let set: ParameterSet = "XMSSMT-SHA2_60/12_192".parse().unwrap();
    let key = KeyGeneration::new(set, &[5; 72]).unwrap().run().unwrap();
    let bytes = reference_key(set, &[5; 72], &key.verifying_key().to_bytes(), 7);
    let error = |bytes: &[u8]| import(Some(Scheme::XmssMt), bytes, None).map(drop).unwrap_err();
    assert_eq!(error(&bytes[..107]).to_string(), "secret key: 107 bytes instead of 108 at least");
    assert_eq!(error(&bytes[..3]).to_string(), "secret key: 3 bytes instead of 104 at least");
    assert!(matches!(error(&[0xff; 200]), Error::UnknownOid { .. }));
    let mut beyond = bytes.clone();
    beyond[4] = 0x20;
    assert!(matches!(error(&beyond), Error::Index { .. }));
    assert!(matches!(
        import(Some(Scheme::XmssMt), &bytes, Some(Derivation::Legacy)),
        Err(Error::NoLegacy(_))
    ));
    // Seeds that do not belong to the root.
    let mut other = bytes.clone();
    other[20] ^= 1;
    let imported = import(Some(Scheme::XmssMt), &other, None).unwrap();
    let here = place(&Simulated::new(), "/key");
    let created = here.create_within(imported.generation, imported.indices);
    assert!(matches!(created.map(drop), Err(hashlanes_hbs::store::Error::Key(Error::OtherRoot))));
    // The mismatch is recorded.
    let resumed = here.resume(|generation| generation);
    assert!(matches!(resumed.map(drop), Err(hashlanes_hbs::store::Error::Key(Error::OtherRoot))));
    // An interrupted import continues, with its first index.
    let imported = import(Some(Scheme::XmssMt), &bytes, None).unwrap();
    let here = place(&Simulated::new(), "/key");
    let stopped = imported.generation.progress(|_| std::ops::ControlFlow::Break(()));
    assert!(here.create_within(stopped, imported.indices).is_err());
    let mut resumed = here.resume(|generation| generation).unwrap().unwrap();
    assert_eq!((resumed.next_index(), resumed.range().start), (7, 7));
    resumed.try_sign(b"message").unwrap();
    assert!(here.resume(|generation| generation).unwrap().is_none());
}
