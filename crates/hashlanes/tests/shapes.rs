//! The shapes that users have, by name, for each hash: anything that yields bytes, columns, queues, threads,
//! derived keys. They are compared with the functions of one message, and derived keys with the crates
//! `pbkdf2` and `hkdf`.
#![cfg(feature = "rayon")]

use hashlanes::*;

macro_rules! hash {
    (
        $test:ident $bytes:literal $theirs:path, $one:ident $all:ident $many_parallel:ident $queue:ident $fixed:ident
        $column:ident $column_hex:ident $column_parallel:ident
        $hmac:ident $hmac_all:ident $hmac_column:ident $hmac_column_hex:ident $pbkdf2_many:ident $hkdf_many:ident
    ) => {
        #[test]
        fn $test() {
            let lines: Vec<String> = (0..3000).map(|i| format!("{i}").repeat(i % 50)).collect();
            let digests: Vec<[u8; $bytes]> = lines.iter().map(|line| $one(line.as_bytes())).collect();
            // Strings, vectors, arrays, and the items of an iterator.
            assert_eq!($all(&lines), digests);
            assert_eq!($all(lines.iter().map(|line| line.as_bytes().to_vec())), digests);
            assert_eq!($all(&[[7; 40]; 3]), [$one(&[7; 40]); 3]);
            assert!($all(Vec::<String>::new()).is_empty());
            let macs: Vec<[u8; $bytes]> = lines.iter().map(|line| $hmac(b"key", line.as_bytes())).collect();
            assert_eq!($hmac_all(b"key", &lines), macs);

            let slices: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
            let mut got = vec![[0; $bytes]; slices.len()];
            $many_parallel(&slices, &mut got);
            assert_eq!(got, digests);

            // Owned messages, which come back with their digests, in order.
            let mut queue = $queue::<String>::new();
            let mut done: Vec<(String, [u8; $bytes])> = Vec::new();
            for line in lines.clone() {
                done.extend(queue.submit(line));
            }
            done.extend(std::iter::from_fn(|| queue.flush()));
            assert!(done.iter().map(|(line, _)| line).eq(&lines));
            assert!(done.iter().map(|(_, digest)| digest).eq(&digests));

            let values = lines.concat();
            let mut offsets = vec![0_i64];
            for line in &lines {
                offsets.push(offsets[offsets.len() - 1] + line.len() as i64);
            }
            let column = Column::binary(values.as_bytes(), &offsets);
            $column_parallel(&column, &mut got);
            assert_eq!(got, digests);
            got.fill([0; $bytes]);
            $column(&column, &mut got);
            assert_eq!(got, digests);
            $hmac_column(b"key", &column, &mut got);
            assert_eq!(got, macs);
            // Text, with nulls: rows 0, 2, 4, …
            let validity = vec![0b1010_1010; lines.len() / 8];
            let column = column.validity(&validity, 0);
            let texts = |digests: &[[u8; $bytes]]| -> Vec<String> {
                let digest = |i: usize| if i % 2 == 0 { [0; $bytes] } else { digests[i] };
                (0..digests.len()).map(|i| Hex(digest(i)).to_string()).collect()
            };
            let mut hex = vec![[0; 2 * $bytes]; lines.len()];
            $column_hex(&column, &mut hex);
            assert!(hex.iter().map(|hex| &hex[..]).eq(texts(&digests).iter().map(String::as_bytes)));
            $hmac_column_hex(b"key", &column, &mut hex);
            assert!(hex.iter().map(|hex| &hex[..]).eq(texts(&macs).iter().map(String::as_bytes)));

            // Pages.
            let mut pages = [[0; $bytes]; 5];
            $fixed(&[3; 5 * 4096], 4096, &mut pages);
            assert_eq!(pages, [$one(&[3; 4096]); 5]);

            derived!($theirs, $pbkdf2_many, $hkdf_many, 1 20 32 48 64 100 129);
        }
    };
}

/// Keys of these lengths, derived from passwords of many lengths.
macro_rules! derived {
    ($theirs:path, $pbkdf2_many:ident, $hkdf_many:ident, $($bytes:literal)*) => {$(
        let secrets: Vec<Vec<u8>> = (0..70).map(|i| vec![i as u8; 3 * i]).collect();
        let salts: Vec<Vec<u8>> = (0..70).map(|i| vec![!i as u8; i]).collect();
        let secrets: Vec<&[u8]> = secrets.iter().map(|secret| &secret[..]).collect();
        let salts: Vec<&[u8]> = salts.iter().map(|salt| &salt[..]).collect();
        for n in [0, 1, 2, 33, 70] {
            let mut keys = vec![[0; $bytes]; n];
            $pbkdf2_many(&secrets[..n], &salts[..n], 3, &mut keys);
            let mut expected = [0; $bytes];
            for i in 0..n {
                pbkdf2::pbkdf2_hmac::<$theirs>(secrets[i], salts[i], 3, &mut expected);
                assert_eq!(keys[i], expected, "PBKDF2, {n} keys of {} bytes, key {i}", $bytes);
            }
            $hkdf_many(b"salt", &secrets[..n], b"info", &mut keys);
            for i in 0..n {
                let hkdf = hkdf::Hkdf::<$theirs>::new(Some(b"salt"), secrets[i]);
                hkdf.expand(b"info", &mut expected).expect("short enough");
                assert_eq!(keys[i], expected, "HKDF, {n} keys of {} bytes, key {i}", $bytes);
            }
        }
    )*};
}

hash! {
    sha1_shapes 20 ::sha1::Sha1, sha1 sha1_all sha1_many_parallel Sha1Queue sha1_fixed
    sha1_column sha1_column_hex sha1_column_parallel
    hmac_sha1 hmac_sha1_all hmac_sha1_column hmac_sha1_column_hex pbkdf2_sha1_many hkdf_sha1_many
}
hash! {
    sha224_shapes 28 ::sha2::Sha224, sha224 sha224_all sha224_many_parallel Sha224Queue sha224_fixed
    sha224_column sha224_column_hex sha224_column_parallel
    hmac_sha224 hmac_sha224_all hmac_sha224_column hmac_sha224_column_hex pbkdf2_sha224_many hkdf_sha224_many
}
hash! {
    sha256_shapes 32 ::sha2::Sha256, sha256 sha256_all sha256_many_parallel Sha256Queue sha256_fixed
    sha256_column sha256_column_hex sha256_column_parallel
    hmac_sha256 hmac_sha256_all hmac_sha256_column hmac_sha256_column_hex pbkdf2_sha256_many hkdf_sha256_many
}
hash! {
    sha384_shapes 48 ::sha2::Sha384, sha384 sha384_all sha384_many_parallel Sha384Queue sha384_fixed
    sha384_column sha384_column_hex sha384_column_parallel
    hmac_sha384 hmac_sha384_all hmac_sha384_column hmac_sha384_column_hex pbkdf2_sha384_many hkdf_sha384_many
}
hash! {
    sha512_shapes 64 ::sha2::Sha512, sha512 sha512_all sha512_many_parallel Sha512Queue sha512_fixed
    sha512_column sha512_column_hex sha512_column_parallel
    hmac_sha512 hmac_sha512_all hmac_sha512_column hmac_sha512_column_hex pbkdf2_sha512_many hkdf_sha512_many
}
hash! {
    sha512_224_shapes 28 ::sha2::Sha512_224, sha512_224 sha512_224_all sha512_224_many_parallel Sha512_224Queue sha512_224_fixed
    sha512_224_column sha512_224_column_hex sha512_224_column_parallel
    hmac_sha512_224 hmac_sha512_224_all hmac_sha512_224_column hmac_sha512_224_column_hex pbkdf2_sha512_224_many hkdf_sha512_224_many
}
hash! {
    sha512_256_shapes 32 ::sha2::Sha512_256, sha512_256 sha512_256_all sha512_256_many_parallel Sha512_256Queue sha512_256_fixed
    sha512_256_column sha512_256_column_hex sha512_256_column_parallel
    hmac_sha512_256 hmac_sha512_256_all hmac_sha512_256_column hmac_sha512_256_column_hex pbkdf2_sha512_256_many hkdf_sha512_256_many
}

/// One derived key: RFC 7914, section 11, and RFC 5869, appendix A.1.
#[test]
fn published_keys() {
    let mut keys = [[0; 64]];
    pbkdf2_sha256_many(&[b"Password"], &[b"NaCl"], 80_000, &mut keys);
    assert!(
        Hex(keys[0])
            .to_string()
            .starts_with("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56")
    );
    let mut keys = [[0; 42]];
    let salt: Vec<u8> = (0..13).collect();
    let info: Vec<u8> = (0xf0..0xfa).collect();
    hkdf_sha256_many(&salt, &[&[0x0b; 22]], &info, &mut keys);
    let expected = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865";
    assert_eq!(Hex(keys[0]).to_string(), expected);
}

#[test]
fn wrong_counts_are_errors() {
    let mut keys = [[0; 16]; 2];
    let error = try_pbkdf2_sha256_many(&[b"one", b"two"], &[b"salt"], 1, &mut keys).unwrap_err();
    assert_eq!(error.to_string(), "salts: 1 for 2 passwords; there must be one for each");
    let error = try_pbkdf2_sha256_many(&[b"one"], &[b"salt"], 1, &mut keys).unwrap_err();
    assert_eq!(error.to_string(), "keys: 2 for 1 passwords; there must be one for each");
    let error = try_hkdf_sha256_many(b"", &[b"one"], b"", &mut keys).unwrap_err();
    assert_eq!(error.to_string(), "keys: 2 for 1 secrets; there must be one for each");
    let mut digests = [[0; 32]; 2];
    let error = try_sha256_many_parallel(&[b"one"], &mut digests).unwrap_err();
    assert_eq!(error.to_string(), "digests: 2 for 1 messages; there must be one for each");
    let error = try_sha256_column_parallel(&Column::fixed_size(b"abc", 2), &mut digests).unwrap_err();
    assert_eq!(error.to_string(), "values: 3 bytes, not 2 (digests) times 2");
}

/// Hashers, queues and keys can be sent and shared; a queue where its messages can.
#[test]
fn values_are_send_and_sync() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Sha256Queue::<Vec<u8>>::new());
    shared(&Sha512Queue::<Tagged<usize, &[u8]>>::new());
    shared(&Sha256::new());
    shared(&HmacSha256Key::new(b"key"));
    shared(&HmacSha256::new(b"key"));
    shared(&hashlanes::Shake128::new());
    let key = hashlanes::aes::Key::new(&[7; 16]).unwrap();
    shared(&key);
    shared(&hashlanes::aes::Ctr::new(&key, &[0; 16], hashlanes::aes::CounterBits::Bits32));
    shared(&hashlanes::aes::aegis::Aegis128L::new(&[7; 16]));
    shared(&hashlanes::aes::gcm::Aes128Gcm::new(&[7; 16]));
    shared(&hashlanes::aes::gcm_siv::Aes128GcmSiv::new(&[7; 16]));
    shared(&hashlanes::tree::JLanesSha256::new(8));
}

/// HKDF's longest keys: their number of blocks is the greatest byte.
#[test]
fn the_longest_derived_keys() {
    let (mut long, mut short) = ([[0; 255 * 32]], [[0; 32]]);
    hkdf_sha256_many(b"salt", &[b"secret"], b"info", &mut long);
    hkdf_sha256_many(b"salt", &[b"secret"], b"info", &mut short);
    assert_eq!(long[0][..32], short[0]);
    assert_ne!(long[0][254 * 32..], [0; 32]);
}
