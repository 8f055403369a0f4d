//! The names that programs, bindings and benches agree on, with their types, for the
//! SHA family. Their results are proved where they are made, in `hashlanes-sha`.

use std::io::Write;

use hashlanes::*;

/// The seven hashes alike.
macro_rules! hash {
    (
        $test:ident $bytes:literal $hasher:ident $hmac_hasher:ident $hmac_key:ident
        $one:ident $many:ident $update_many:ident $finish_many:ident
        $rows:ident $rows_valid:ident $rows_hex:ident $fixed:ident
        $hmac:ident $hmac_many:ident $hmac_rows:ident
    ) => {
        #[test]
        fn $test() {
            let one: fn(&[u8]) -> [u8; $bytes] = $one;
            let many: fn(&[&[u8]], &mut [[u8; $bytes]]) = $many;
            let update_many: fn(&mut [(&mut $hasher, &[u8])]) = $update_many;
            let finish_many: fn(&mut [$hasher], &mut [[u8; $bytes]]) = $finish_many;
            let rows: fn(&[u8], &[i64], &mut [[u8; $bytes]]) = $rows;
            let rows_valid: fn(&[u8], &[i32], Option<&[u8]>, &mut [[u8; $bytes]]) = $rows_valid;
            let rows_hex: fn(&[u8], &[i32], &mut [[u8; 2 * $bytes]]) = $rows_hex;
            let fixed: fn(&[u8], usize, &mut [[u8; $bytes]]) = $fixed;
            let hmac: fn(&[u8], &[u8]) -> [u8; $bytes] = $hmac;
            let hmac_many: fn(&[u8], &[&[u8]], &mut [[u8; $bytes]]) = $hmac_many;
            let hmac_rows: fn(&[u8], &[u8], &[i64], &mut [[u8; $bytes]]) = $hmac_rows;

            // One message of three bytes by every one of them.
            let expected = one(b"abc");
            let mut digests = [[0; $bytes]; 4];
            many(&[b"abc"], &mut digests[..1]);
            rows(b"abc", &[0, 3], &mut digests[1..2]);
            rows_valid(b"abc", &[0, 3], Some(&[1]), &mut digests[2..3]);
            fixed(b"abc", 3, &mut digests[3..]);
            assert_eq!(digests, [expected; 4]);
            let mut hex = [[0; 2 * $bytes]];
            rows_hex(b"abc", &[0, 3], &mut hex);
            let text: String = expected.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex[0], text.as_bytes());

            let mut hasher = $hasher::default();
            hasher.write_all(b"a").expect("never fails");
            let mut hashers = [hasher.clone()];
            update_many(&mut [(&mut hashers[0], b"bc")]);
            finish_many(&mut hashers, &mut digests[..1]);
            hasher.update(b"bc");
            assert_eq!([hasher.finish(), digests[0]], [expected; 2]);

            let code = hmac(b"key", b"abc");
            hmac_many(b"key", &[b"abc"], &mut digests[..1]);
            hmac_rows(b"key", b"abc", &[0, 3], &mut digests[1..2]);
            assert_eq!(digests[..2], [code; 2]);
            let mut in_parts = $hmac_hasher::new(b"key");
            in_parts.update(b"abc");
            assert!(in_parts.verify(&$hmac_key::new(b"key").mac(b"abc")) && digests[0] == code);
        }
    };
}
hash! {
    sha1_names 20 Sha1 HmacSha1 HmacSha1Key sha1 sha1_many sha1_update_many sha1_finish_many
    sha1_rows sha1_rows_valid sha1_rows_hex sha1_fixed hmac_sha1 hmac_sha1_many hmac_sha1_rows
}
hash! {
    sha224_names 28 Sha224 HmacSha224 HmacSha224Key sha224 sha224_many sha224_update_many sha224_finish_many
    sha224_rows sha224_rows_valid sha224_rows_hex sha224_fixed hmac_sha224 hmac_sha224_many hmac_sha224_rows
}
hash! {
    sha256_names 32 Sha256 HmacSha256 HmacSha256Key sha256 sha256_many sha256_update_many sha256_finish_many
    sha256_rows sha256_rows_valid sha256_rows_hex sha256_fixed hmac_sha256 hmac_sha256_many hmac_sha256_rows
}
hash! {
    sha384_names 48 Sha384 HmacSha384 HmacSha384Key sha384 sha384_many sha384_update_many sha384_finish_many
    sha384_rows sha384_rows_valid sha384_rows_hex sha384_fixed hmac_sha384 hmac_sha384_many hmac_sha384_rows
}
hash! {
    sha512_names 64 Sha512 HmacSha512 HmacSha512Key sha512 sha512_many sha512_update_many sha512_finish_many
    sha512_rows sha512_rows_valid sha512_rows_hex sha512_fixed hmac_sha512 hmac_sha512_many hmac_sha512_rows
}
hash! {
    sha512_224_names 28 Sha512_224 HmacSha512_224 HmacSha512_224Key
    sha512_224 sha512_224_many sha512_224_update_many sha512_224_finish_many
    sha512_224_rows sha512_224_rows_valid sha512_224_rows_hex sha512_224_fixed
    hmac_sha512_224 hmac_sha512_224_many hmac_sha512_224_rows
}
hash! {
    sha512_256_names 32 Sha512_256 HmacSha512_256 HmacSha512_256Key
    sha512_256 sha512_256_many sha512_256_update_many sha512_256_finish_many
    sha512_256_rows sha512_256_rows_valid sha512_256_rows_hex sha512_256_fixed
    hmac_sha512_256 hmac_sha512_256_many hmac_sha512_256_rows
}

#[test]
fn of_sha256_alone() {
    let pairs: fn(&[[u8; 64]], &mut [[u8; 32]]) = sha256_pairs;
    let of_32: fn(&[[u8; 32]], &mut [[u8; 32]]) = sha256_32;
    let mut digests = [[0; 32]; 2];
    pairs(&[[1; 64]], &mut digests[..1]);
    of_32(&[[1; 32]], &mut digests[1..]);
    assert_eq!(digests, [sha256(&[1; 64]), sha256(&[1; 32])]);
}

#[test]
fn double_sha256() {
    let one: fn(&[u8]) -> [u8; 32] = sha256d;
    let many: fn(&[&[u8]], &mut [[u8; 32]]) = sha256d_many;
    let fixed: fn(&[u8], usize, &mut [[u8; 32]]) = sha256d_fixed;
    let pairs: fn(&[[u8; 64]], &mut [[u8; 32]]) = sha256d_pairs;
    let mut digests = [[0; 32]; 3];
    many(&[&[1; 64]], &mut digests[..1]);
    fixed(&[1; 64], 64, &mut digests[1..2]);
    pairs(&[[1; 64]], &mut digests[2..]);
    assert_eq!(digests, [one(&[1; 64]); 3]);
}

/// SHA-3's hashes and Keccak-256 alike.
#[cfg(feature = "sha3")]
macro_rules! sponge {
    (
        $test:ident $bytes:literal $hasher:ident
        $one:ident $many:ident $all:ident $fixed:ident $rows:ident $column:ident $column_hex:ident
    ) => {
        #[test]
        fn $test() {
            let one: fn(&[u8]) -> [u8; $bytes] = $one;
            let many: fn(&[&[u8]], &mut [[u8; $bytes]]) = $many;
            let fixed: fn(&[u8], usize, &mut [[u8; $bytes]]) = $fixed;
            let rows: fn(&[u8], &[i64], &mut [[u8; $bytes]]) = $rows;
            let column: fn(&Column<'_>, &mut [[u8; $bytes]]) = $column;
            let column_hex: fn(&Column<'_>, &mut [[u8; 2 * $bytes]]) = $column_hex;

            let expected = one(b"abc");
            let mut digests = [[0; $bytes]; 4];
            many(&[b"abc"], &mut digests[..1]);
            fixed(b"abc", 3, &mut digests[1..2]);
            rows(b"abc", &[0, 3], &mut digests[2..3]);
            column(&Column::fixed_size(b"abc", 3), &mut digests[3..]);
            assert_eq!(digests, [expected; 4]);
            assert_eq!($all(["abc"]), [expected]);
            let mut hex = [[0; 2 * $bytes]];
            column_hex(&Column::fixed_size(b"abc", 3), &mut hex);
            assert_eq!(hex[0], Hex(expected).to_string().as_bytes());

            let mut hasher = $hasher::default();
            hasher.write_all(b"a").expect("never fails");
            hasher.update("bc");
            assert_eq!([hasher.clone().finish(), hasher.finish_reset()], [expected; 2]);
        }
    };
}
#[cfg(feature = "sha3")]
sponge! {
    sha3_224_names 28 Sha3_224 sha3_224 sha3_224_many sha3_224_all sha3_224_fixed sha3_224_rows sha3_224_column sha3_224_column_hex
}
#[cfg(feature = "sha3")]
sponge! {
    sha3_256_names 32 Sha3_256 sha3_256 sha3_256_many sha3_256_all sha3_256_fixed sha3_256_rows sha3_256_column sha3_256_column_hex
}
#[cfg(feature = "sha3")]
sponge! {
    sha3_384_names 48 Sha3_384 sha3_384 sha3_384_many sha3_384_all sha3_384_fixed sha3_384_rows sha3_384_column sha3_384_column_hex
}
#[cfg(feature = "sha3")]
sponge! {
    sha3_512_names 64 Sha3_512 sha3_512 sha3_512_many sha3_512_all sha3_512_fixed sha3_512_rows sha3_512_column sha3_512_column_hex
}
#[cfg(feature = "sha3")]
sponge! {
    keccak256_names 32 Keccak256
    keccak256 keccak256_many keccak256_all keccak256_fixed keccak256_rows keccak256_column keccak256_column_hex
}

#[cfg(feature = "sha3")]
#[test]
fn sponges_of_pairs() {
    let sha3: fn(&[[u8; 64]], &mut [[u8; 32]]) = sha3_256_pairs;
    let keccak: fn(&[[u8; 64]], &mut [[u8; 32]]) = keccak256_pairs;
    let mut digests = [[0; 32]; 2];
    sha3(&[[1; 64]], &mut digests[..1]);
    keccak(&[[1; 64]], &mut digests[1..]);
    assert_eq!(digests, [sha3_256(&[1; 64]), keccak256(&[1; 64])]);
}

#[cfg(feature = "sha3")]
macro_rules! shake {
    ($test:ident $hasher:ident $reader:ident $one:ident $many:ident) => {
        #[test]
        fn $test() {
            let one: fn(&[u8], &mut [u8]) = $one;
            let many: fn(&[&[u8]], usize, &mut [u8]) = $many;
            let mut outputs = [[0; 300]; 3];
            one(b"abc", &mut outputs[0]);
            many(&[b"abc"], 300, &mut outputs[1]);
            let mut hasher = $hasher::new();
            hasher.update(b"abc");
            let mut reader: $reader = hasher.finish_xof();
            reader.read(&mut outputs[2]);
            assert_eq!(outputs, [outputs[0]; 3]);
        }
    };
}
#[cfg(feature = "sha3")]
shake! { shake128_names Shake128 Shake128Reader shake128 shake128_many }
#[cfg(feature = "sha3")]
shake! { shake256_names Shake256 Shake256Reader shake256 shake256_many }

/// A hasher on a kernel that the caller chose, and one after a prefix that was hashed once.
#[test]
fn kernels_and_midstates() {
    assert!(kernels::check_env().is_ok());
    for kernel in kernels::sha256() {
        let mut hasher = Sha256::with_kernel(kernel);
        hasher.update([7; 64]);
        let midstate = hasher.midstate().expect("whole blocks");
        let mut behind = Sha256::from_midstate(midstate);
        behind.update(b"rest");
        hasher.update(b"rest");
        assert_eq!(behind.finish(), hasher.finish(), "{}", kernel.name());
    }
    // The fallback kernel.
    let portable = if cfg!(target_arch = "x86_64") { "serial-ror" } else { "scalar" };
    assert!(kernels::sha1().any(|kernel| kernel.name() == portable && kernel.degree() == 1));
    assert!(kernels::sha512().any(|kernel| kernel.name() == portable && kernel.features().is_empty()));
}

/// Tree modes, in a module of their own.
#[cfg(feature = "tree")]
#[test]
fn tree_modes() {
    use hashlanes::tree::{JLanesSha256, JPointersSha512, Mode, Tree, TreeDigest, TreeError};
    let lanes: [u8; 32] = JLanesSha256::new(16).digest(b"abc");
    let pointers: [u8; 64] = JPointersSha512::new(4).digest_slices(&[b"a", b"b", b"c", b""]);
    assert_ne!((lanes, &pointers[..32]), (sha256(b"abc"), &lanes[..]));
    let words: ([u32; 5], [u32; 8]) = (tree::mh_sha1(b"abc"), tree::mh_sha256(b"abc"));
    let parallel: Result<[u8; 48], TreeError> = tree::parallel_hash(&[0; 888]);
    assert!(words.0[0] != words.1[0] && parallel.is_ok());
    let mode: Mode = "jlanes-v1-sha256-16".parse().expect("a mode");
    let digest: TreeDigest = Tree::new(mode).digest(b"abc").expect("any length");
    assert_eq!(digest.as_ref(), lanes);
}

#[test]
fn errors_are_values() {
    let error = try_sha256_many(&[b"abc"], &mut []).unwrap_err();
    let text = "digests: 0 for 1 messages; there must be one for each";
    assert_eq!(
        (error, error.to_string()),
        (ShapeError::Count { of: "messages", inputs: 1, into: "digests", results: 0 }, text.into())
    );
    let _: &dyn std::error::Error = &error;
}
