//! The project's targets.
//!
//! Limits, rivals and musts are those of one Zen 4 core; on other CPUs their ratios count. A row on a named
//! kernel is skipped if the kernel is missing.

use crate::aegis::{Aegis, Cipher as AegisCipher};
use crate::cipher::{Cipher, Mode as CipherMode};
use crate::gcm::Gcm;
use crate::hash_based::Set;
use crate::signatures::Operation;
use crate::work::{Hash, Shape, Text, Work};
use hashlanes::hbs::{ParameterSet, Scheme};
use hashlanes::tree::{HashName, Mode, Variant};
use std::num::NonZeroU8;

/// The unit of a row's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Core cycles per byte; less is better.
    CyclesPerByte,
    /// Core cycles per message; less is better.
    CyclesPerMessage,
    /// 10^6 messages per second; more is better.
    MillionsPerSecond,
    /// Milliseconds per call; less is better.
    Milliseconds,
    /// 10^6 core cycles per call; less is better.
    MillionCycles,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The name in tables.
    pub(crate) what: &'static str,
    /// The measured workload.
    pub(crate) work: Work,
    /// Our contestant.
    pub(crate) ours: &'static str,
    /// The others; all of them if empty. `NAME=WORK` computes another function of a message of the same
    /// length.
    pub(crate) rivals: &'static [&'static str],
    /// The variable that restricts rivals as the row requires; see [`crate::contest::Contest`].
    pub(crate) environment: &'static str,
    /// The unit of the figures.
    pub(crate) unit: Unit,
    /// The limit by the measured instructions on Zen 4.
    pub(crate) limit: Option<f64>,
    /// The best rival on Zen 4.
    pub(crate) rival: Option<f64>,
    /// The required figure on Zen 4.
    pub(crate) must: f64,
    /// The required fraction of the best rival's figure on other CPUs, if it is not must over rival.
    pub(crate) fraction: Option<f64>,
}

/// The rivals of every row that names none.
pub(crate) const RIVALS: [&str; 14] = [
    "sha1",
    "sha2",
    "ring",
    "libgcrypt",
    "tape-sha256",
    "hashtree-rs",
    "libcrypto",
    "libcrypto:context",
    "libipsec-mb",
    "libipsec-mb:sha-ni",
    "libipsec-mb:avx512",
    "aws-lc-rs",
    "graviola",
    "openssl",
];

/// A message that is so long that its ends hardly count, and stays in the second-level cache.
const LONG: Shape = Shape::One { len: 64 << 10 };
/// 9 KiB a lane, 16 lanes.
const LANES: Shape = Shape::Lanes { count: 16, len: 9 << 10 };

const fn row(
    what: &'static str,
    (hash, shape): (Hash, Shape),
    ours: &'static str,
    (limit, rival, must): (Option<f64>, Option<f64>, f64),
) -> Target {
    let work = Work::new(hash, shape);
    Target {
        what,
        work,
        ours,
        rivals: &[],
        environment: "",
        unit: Unit::CyclesPerByte,
        limit,
        rival,
        must,
        fraction: None,
    }
}

const fn sha256(
    what: &'static str,
    shape: Shape,
    limit: Option<f64>,
    rival: Option<f64>,
    must: f64,
) -> Target {
    row(what, (Hash::Sha256, shape), "hashlanes", (limit, rival, must))
}

const fn sha256_few(what: &'static str, count: usize, rival: Option<f64>, must: f64) -> Target {
    sha256(what, Shape::many(count, 1024), None, rival, must)
}

const fn sha512(
    what: &'static str,
    shape: Shape,
    limit: Option<f64>,
    rival: Option<f64>,
    must: f64,
) -> Target {
    row(what, (Hash::Sha512, shape), "hashlanes", (limit, rival, must))
}

const fn sha1(what: &'static str, shape: Shape, limit: Option<f64>, rival: Option<f64>, must: f64) -> Target {
    row(what, (Hash::Sha1, shape), "hashlanes", (limit, rival, must))
}

/// The rivals of ciphers whose messages come in parts.
const IN_PARTS: &[&str] = &["libcrypto:context", "aes+cbc+ctr", "openssl"];

/// The rivals of ciphers.
const CIPHER_RIVALS: &[&str] = &["libcrypto:context", "libipsec-mb", "aes+cbc+ctr", "aws-lc-rs", "openssl"];

const fn aes128(
    what: &'static str,
    mode: CipherMode,
    shape: Shape,
    limit: Option<f64>,
    rival: Option<f64>,
    must: f64,
) -> Target {
    let mut target =
        row(what, (Hash::Cipher(Cipher::aes128(mode)), shape), "hashlanes", (limit, rival, must));
    target.rivals = CIPHER_RIVALS;
    target
}

/// AES-128-GCM. There is no known limit; the rivals' best figures were measured together with ours.
const fn gcm(what: &'static str, shape: Shape, rival: f64, must: f64) -> Target {
    let mut target = row(what, (Hash::Gcm(Gcm::Aes128), shape), "hashlanes", (None, Some(rival), must));
    target.rivals = &["libcrypto:context", "libipsec-mb", "ring", "aws-lc-rs", "graviola", "openssl"];
    target
}

/// AES-128-GCM-SIV, which few rivals have; their best figures, and those that ours must reach, are of Granite
/// Rapids.
const fn gcm_siv(what: &'static str, shape: Shape, rival: f64, must: f64) -> Target {
    let mut target = row(what, (Hash::Gcm(Gcm::Aes128Siv), shape), "hashlanes", (None, Some(rival), must));
    target.rivals = &["aws-lc-rs", "aes-gcm-siv"];
    target
}

/// For ciphers: several messages, together no more than a second-level cache.
const SHORT: usize = 16 << 10;

/// A message beyond every second-level cache, of all trees.
const TREE: Shape = Shape::One { len: 16 << 20 };
const SIXTEEN: NonZeroU8 = NonZeroU8::new(16).expect("not 0");
const J_LANES: Mode = Mode::JLanes { variant: Variant::V1, hash: HashName::Sha256, j: SIXTEEN };
const J_LANES_SHA1: Mode = Mode::JLanes { variant: Variant::V1, hash: HashName::Sha1, j: SIXTEEN };
const J_POINTERS: Mode = Mode::JPointers { variant: Variant::V1, hash: HashName::Sha256, j: SIXTEEN };
const J_POINTERS_SHA1: Mode = Mode::JPointers { variant: Variant::V1, hash: HashName::Sha1, j: SIXTEEN };

/// A cipher of AEGIS against the rivals that have it, with messages that almost fit into the first-level
/// cache.
const fn aegis(
    what: &'static str,
    cipher: AegisCipher,
    rivals: &'static [&'static str],
    figures: (Option<f64>, Option<f64>, f64),
) -> Target {
    let mut target =
        row(what, (Hash::Aegis(Aegis::of(cipher)), Shape::One { len: 16 << 10 }), "hashlanes", figures);
    target.rivals = rivals;
    target
}

/// A mode against these only: no other library has it.
const fn tree(
    what: &'static str,
    mode: Mode,
    rivals: &'static [&'static str],
    figures: (Option<f64>, Option<f64>, f64),
) -> Target {
    let mut target = row(what, (Hash::Tree(mode), TREE), "hashlanes", figures);
    target.rivals = rivals;
    target
}

/// An operation of a set over SHA-256, n = 32, with this height and number of layers, against Botan, the only
/// library with XMSS that can be opened here; it lacks XMSS^MT.
const fn signatures(
    what: &'static str,
    (scheme, height, layers): XmssSet,
    operation: Operation,
    figures: (Option<f64>, Option<f64>, f64),
) -> Target {
    let set = ParameterSet::of_height(scheme, 32, height, layers);
    let mut target = row(what, (Hash::Xmss(set), Shape::Signatures(operation)), "hashlanes", figures);
    target.rivals = &["botan"];
    target.unit = Unit::Milliseconds;
    target
}

/// An operation of a set of SLH-DSA, LMS or HSS, against crates: the required figure on Zen 4, and the
/// fraction of the fastest crate's.
const fn hash_based(
    what: &'static str,
    set: &'static str,
    operation: Operation,
    (must, fraction): (f64, f64),
) -> Target {
    let work = (Hash::SlhDsaOrLms(Set::named(set)), Shape::Signatures(operation));
    let mut target = row(what, work, "hashlanes", (None, None, must));
    target.rivals = &["slh-dsa", "fips205", "lms-signature", "hbs-lms"];
    target.unit = Unit::Milliseconds;
    target.fraction = Some(fraction);
    target
}

impl Target {
    /// Ours on this kernel, against these.
    const fn kernel(mut self, ours: &'static str, rivals: &'static [&'static str]) -> Self {
        self.ours = ours;
        self.rivals = rivals;
        self
    }

    /// The environment restricts the rivals.
    const fn with(mut self, environment: &'static str) -> Self {
        self.environment = environment;
        self
    }

    /// The same rows with another shape.
    const fn shape(mut self, shape: Shape) -> Self {
        self.work.shape = shape;
        self
    }

    const fn unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }
}

/// Sets of signatures: the scheme, the height of all layers together, the layers.
type XmssSet = (Scheme, u8, u8);
const XMSS_10: XmssSet = (Scheme::Xmss, 10, 1);
const XMSS_16: XmssSet = (Scheme::Xmss, 16, 1);
const XMSSMT_20_2: XmssSet = (Scheme::XmssMt, 20, 2);
const XMSSMT_20_4: XmssSet = (Scheme::XmssMt, 20, 4);
const XMSSMT_40_8: XmssSet = (Scheme::XmssMt, 40, 8);
const XMSSMT_60_6: XmssSet = (Scheme::XmssMt, 60, 6);
const XMSSMT_60_12: XmssSet = (Scheme::XmssMt, 60, 12);
const KEYGEN: Operation = Operation::KeyGeneration;
const SIGN: Operation = Operation::Sign;
const CHECKED: Operation = Operation::SignChecked;
const VERIFY: Operation = Operation::Verify;

const WITH_SHA: &[&str] = &["libipsec-mb:sha-ni"];
const WITH_AVX512: &[&str] = &["libipsec-mb:avx512"];
const WITH_AVX2: &[&str] = &["libipsec-mb:avx2"];
const WITH_SSE: &[&str] = &["libipsec-mb:sse"];

/// OpenSSL's, of this process or of a library that it opens.
const OPENSSLS: &[&str] = &["libcrypto:context", "openssl"];
/// OpenSSL without SHA extensions: bit 29 of EBX of CPUID leaf 7 (OPENSSL_ia32cap(3)).
pub(crate) const OPENSSL_NO_SHA_NI: &str = "OPENSSL_ia32cap=:~0x20000000";
/// OpenSSL with SSSE3 at most: without AVX (bit 60 of leaf 1) and AVX2 (bit 5 of leaf 7) too.
pub(crate) const OPENSSL_SSSE3: &str = "OPENSSL_ia32cap=~0x1000000000000000:~0x20000020";

/// The rows.
#[rustfmt::skip]
pub(crate) const TARGETS: &[Target] = &[
    sha256("one message, long", LONG, Some(2.00), Some(2.02), 2.03),
    sha256("one message of 64 B, whole call", Shape::One { len: 64 }, Some(2.0), Some(4.04), 3.0),
    sha256("one message, long, no SHA-NI, AVX-512VL", LONG, Some(5.5), Some(7.3), 6.5).kernel("hashlanes:stitched-avx512", OPENSSLS).with(OPENSSL_NO_SHA_NI),
    sha256("one message, long, no SHA-NI, AVX2", LONG, Some(5.5), Some(7.3), 6.5).kernel("hashlanes:stitched-avx2", OPENSSLS).with(OPENSSL_NO_SHA_NI),
    sha256("1024 of 8 KiB, 8256 apart", Shape::many(1024, 8192), Some(0.50), Some(1.04), 0.64),
    sha256("1024 of 8 KiB, page-aligned", Shape::Many { count: 1024, len: 8192, stride: 8192 }, Some(0.50), Some(1.04), 0.68),
    sha256("1024 of 1 KiB", Shape::many(1024, 1024), None, Some(1.19), 0.80),
    sha256("1024 of 256 B", Shape::many(1024, 256), None, Some(1.73), 1.05),
    sha256("1024 of 64 B", Shape::many(1024, 64), None, Some(3.85), 1.6),
    sha256("64-byte messages, contiguous (nodes)", Shape::Fixed { count: 4096, len: 64 }, Some(64.0), Some(116.0), 80.0).unit(Unit::CyclesPerMessage),
    sha256("32-byte messages, contiguous", Shape::Fixed { count: 4096, len: 32 }, Some(32.0), None, 45.0).unit(Unit::CyclesPerMessage),
    sha256("64 one-block continuations of one state", Shape::Continue { count: 64, len: 64 }, None, None, 45.0).unit(Unit::CyclesPerMessage),
    sha256_few("2 of 1 KiB", 2, Some(1.18), 1.10),
    sha256_few("3 of 1 KiB", 3, Some(1.55), 1.08),
    sha256_few("4 of 1 KiB", 4, Some(1.17), 0.80),
    sha256_few("5 of 1 KiB", 5, None, 0.90),
    sha256_few("6 of 1 KiB", 6, None, 0.88),
    sha256_few("8 of 1 KiB", 8, Some(1.16), 0.80),
    sha256_few("9 of 1 KiB", 9, None, 0.85),
    sha256_few("16 of 1 KiB", 16, Some(1.16), 0.80),
    sha256("1024 of random length 1..256", Shape::Random { count: 1024, max: 256 }, None, Some(2.27), 1.6),
    sha256("1024 of random length 1..2048", Shape::Random { count: 1024, max: 2048 }, None, Some(1.21), 0.90),
    sha256("1024 of random length 1..16384", Shape::Random { count: 1024, max: 16384 }, None, Some(1.16), 0.78),
    // So many that the CPU cannot learn their lengths, as it does those of 1024.
    sha256("100,000 of random length 1..55", Shape::Random { count: 100_000, max: 55 }, None, None, 80.0).unit(Unit::CyclesPerMessage),
    sha256("SHA-NI x2, SSE code", LANES, Some(1.0), Some(1.16), 1.03).kernel("hashlanes:sha-ni-x2", WITH_SHA),
    sha256("SHA-NI x4, AVX code", LANES, Some(0.65), Some(1.16), 1.05).kernel("hashlanes:sha-ni-x4-avx", WITH_SHA),
    sha256("SHA-NI x6, assembly", Shape::Lanes { count: 18, len: 9 << 10 }, Some(0.65), Some(1.16), 0.90).kernel("hashlanes:sha-ni-x6-asm", WITH_SHA),
    sha256("SHA-NI x4, AVX-512VL registers", LANES, Some(0.65), None, 0.91).kernel("hashlanes:sha-ni-x4-vl", WITH_SHA),
    sha256("SHA-NI x8, AVX-512VL registers", LANES, Some(0.65), None, 0.89).kernel("hashlanes:sha-ni-x8-vl", WITH_SHA),
    sha256("AVX-512 x16", LANES, Some(0.83), Some(1.01), 0.98).kernel("hashlanes:avx512-x16", WITH_AVX512),
    sha256("AVX2 x8", LANES, Some(1.62), Some(1.98), 1.90).kernel("hashlanes:avx2-x8", WITH_AVX2),
    sha256("SSE x4", LANES, None, Some(4.07), 3.9).kernel("hashlanes:sse-x4", WITH_SSE),
    sha256("rows: 10^6 values of 20 B", Shape::Rows { count: 1_000_000, len: 20, text: Text::Bytes }, None, Some(17.0), 50.0).unit(Unit::MillionsPerSecond),
    sha256("rows, digests in hexadecimal", Shape::Rows { count: 1_000_000, len: 20, text: Text::Hex }, None, None, 40.0).unit(Unit::MillionsPerSecond),

    sha512("one message, long", LONG, Some(3.1), Some(4.11), 3.75),
    sha512("one message, AVX2 + BMI2 only", LONG, Some(3.44), Some(4.15), 4.0).kernel("hashlanes:stitched-avx2", &[]),
    sha512("one message of 64 B, whole digest", Shape::One { len: 64 }, None, Some(9.56), 8.0),
    sha512("64 messages of 8 KiB", Shape::many(64, 8192), Some(0.93), Some(1.28), 1.18),
    sha512("8 messages of 8 KiB", Shape::many(8, 8192), Some(0.93), Some(1.28), 1.18),
    sha512("4 messages of 8 KiB", Shape::many(4, 8192), Some(1.04), Some(2.95), 1.35),
    sha512("2 messages of 8 KiB", Shape::many(2, 8192), Some(1.56), Some(5.7), 2.1),
    sha512("AVX2 x4", LANES, Some(2.10), Some(2.46), 2.45).kernel("hashlanes:avx2-x4", WITH_AVX2),

    sha1("one message, SHA-NI", LONG, Some(1.875), Some(1.89), 1.91),
    sha1("one message, SSSE3", LONG, Some(2.5), Some(3.21), 3.2).kernel("hashlanes:ssse3", OPENSSLS).with(OPENSSL_SSSE3),
    sha1("one message, AVX2", LONG, Some(2.5), Some(2.97), 2.95).kernel("hashlanes:avx2", OPENSSLS).with(OPENSSL_NO_SHA_NI),
    sha1("1024 of 8 KiB", Shape::many(1024, 8192), Some(0.416), Some(0.53), 0.49),
    sha1("2 messages, SHA-NI", Shape::Lanes { count: 2, len: 9 << 10 }, Some(0.94), Some(1.10), 1.05).kernel("hashlanes:sha-ni-x2", &[]),
    sha1("3 messages, SHA-NI", Shape::Lanes { count: 3, len: 9 << 10 }, Some(0.63), Some(1.10), 0.80).kernel("hashlanes:sha-ni-x3-asm", &[]),
    sha1("4 messages, SHA-NI", Shape::Lanes { count: 4, len: 9 << 10 }, Some(0.63), Some(1.10), 0.75).kernel("hashlanes:sha-ni-x4-asm", &[]),

    tree("one core, long; BLAKE3's speed is the aim", J_LANES, &["blake3=blake3:16M"], (Some(0.50), Some(0.55), 0.64)),
    tree("beside j-lanes: 8 % for the transposition", J_POINTERS, &["hashlanes=jlanes-v1-sha256-16:16M"], (Some(0.50), Some(0.64), 0.69)),
    tree("one core, long; BLAKE3 beside it", J_LANES_SHA1, &["blake3=blake3:16M"], (Some(0.416), Some(0.55), 0.49)),
    tree("beside j-lanes: 8 % for the transposition", J_POINTERS_SHA1, &["hashlanes=jlanes-v1-sha1-16:16M"], (Some(0.416), Some(0.49), 0.53)),
    aes128("CBC encryption, 1 message", CipherMode::CbcEncrypt, Shape::One { len: SHORT }, Some(2.50), Some(2.56), 2.52),
    aes128("CBC encryption, 2 messages", CipherMode::CbcEncrypt, Shape::many(2, SHORT), Some(1.25), Some(1.28), 1.26),
    aes128("CBC encryption, 4 messages", CipherMode::CbcEncrypt, Shape::many(4, SHORT), Some(0.625), Some(0.64), 0.63),
    aes128("CBC encryption, 8 messages", CipherMode::CbcEncrypt, Shape::many(8, SHORT), Some(0.3125), Some(0.33), 0.33),
    aes128("CBC encryption, 16 messages", CipherMode::CbcEncrypt, Shape::many(16, SHORT), Some(0.156), Some(0.24), 0.20),
    aes128("CBC encryption, 24 messages", CipherMode::CbcEncrypt, Shape::many(24, SHORT), Some(0.156), Some(0.24), 0.20),
    aes128("CBC encryption, 16 messages, page-aligned", CipherMode::CbcEncrypt, Shape::Many { count: 16, len: SHORT, stride: SHORT }, Some(0.156), Some(0.29), 0.26),
    // The known figure on Zen 4 is OpenSSL's, by AES-NI; others have VAES, too.
    aes128("CBC decryption, beside OpenSSL", CipherMode::CbcDecrypt, Shape::One { len: SHORT }, Some(0.156), Some(0.33), 0.165).kernel("hashlanes", &["libcrypto:context"]),
    aes128("CBC decryption, beside all", CipherMode::CbcDecrypt, Shape::One { len: SHORT }, Some(0.156), None, 0.165),
    aes128("CTR, beside OpenSSL", CipherMode::Ctr, Shape::One { len: SHORT }, Some(0.156), Some(0.39), 0.165).kernel("hashlanes", &["libcrypto:context"]),
    aes128("CTR, beside all", CipherMode::Ctr, Shape::One { len: SHORT }, Some(0.156), None, 0.165),
    aes128("CTR, 4 KiB in parts of 16 bytes", CipherMode::CtrParts(16), Shape::One { len: 4096 }, None, None, 4.0).kernel("hashlanes", IN_PARTS),
    aes128("CTR, 4 KiB in parts of 64 bytes", CipherMode::CtrParts(64), Shape::One { len: 4096 }, None, None, 1.4).kernel("hashlanes", IN_PARTS),
    aes128("CTR, 1 MiB", CipherMode::Ctr, Shape::One { len: 1 << 20 }, None, Some(0.39), 0.135),

    gcm("a record of 16 bytes", Shape::One { len: 16 }, 158.0, 150.0).unit(Unit::CyclesPerMessage),
    gcm("a record of 1,420 bytes", Shape::One { len: 1420 }, 557.0, 540.0).unit(Unit::CyclesPerMessage),
    gcm("a record of 16 KiB", Shape::One { len: SHORT }, 0.297, 0.288),
    gcm("32 records of 256 bytes", Shape::many(32, 256), 210.0, 168.0).unit(Unit::CyclesPerMessage),
    gcm("32 records of 1,420 bytes", Shape::many(32, 1420), 549.0, 533.0).unit(Unit::CyclesPerMessage),
    gcm_siv("a record of 16 bytes", Shape::One { len: 16 }, 335.0, 240.0).unit(Unit::CyclesPerMessage),
    gcm_siv("a record of 1,420 bytes", Shape::One { len: 1420 }, 1403.0, 650.0).unit(Unit::CyclesPerMessage),
    gcm_siv("a record of 16 KiB", Shape::One { len: SHORT }, 0.649, 0.28),
    gcm_siv("32 records of 256 bytes", Shape::many(32, 256), 587.0, 205.0).unit(Unit::CyclesPerMessage),
    gcm_siv("32 records of 1,420 bytes", Shape::many(32, 1420), 1476.0, 520.0).unit(Unit::CyclesPerMessage),

    // The best rival of AEGIS-128 is the original form of the update, which is one of our kernels.
    aegis("one message of 16 KiB", AegisCipher::C128, &["hashlanes:aes-ni-original"], (Some(0.281), Some(0.322), 0.29)),
    aegis("one message of 16 KiB", AegisCipher::C128L, &["aegis", "aegis-rust"], (None, Some(0.216), 0.19)),
    aegis("one message of 16 KiB", AegisCipher::C128X2, &["aegis"], (None, Some(0.117), 0.105)),
    aegis("one message of 16 KiB", AegisCipher::C128X4, &["aegis"], (None, Some(0.088), 0.085)),
    aegis("one message of 16 KiB", AegisCipher::C256, &["aegis", "aegis-rust"], (None, None, 0.295)),
    aegis("8 messages of 16 KiB; one by one beside them", AegisCipher::C128, &["hashlanes:vaes-avx512vl"], (Some(0.078), None, 0.135)).shape(Shape::many(8, 16 << 10)),
    // A node of 64 bytes for every chunk of 32: the nodes' own figures, halved.
    row("root of 32,768 chunks", (Hash::Ssz, Shape::One { len: 1 << 20 }), "hashlanes", (Some(2.0), Some(3.63), 2.6)).kernel("hashlanes", &["hashtree-rs"]),
    row("root, blocks of 4096 bytes", (Hash::FsVerity, TREE), "hashlanes", (Some(0.51), Some(2.05), 0.68)).kernel("hashlanes", &["sha2"]),

    // Limits are 43 cycles a compression. Of h = 20 the key takes 16 times that of h = 16: figure
    // faz-hernandez-2018-xmss-by-kernel generates one.
    signatures("key generation", XMSS_10, KEYGEN, (Some(55.0), Some(368.0), 66.0)),
    signatures("signing, the tree kept", XMSS_10, SIGN, (Some(0.025), Some(375.0), 0.04)),
    signatures("signing and its check", XMSS_10, CHECKED, (Some(0.054), None, 0.085)),
    signatures("verification", XMSS_10, VERIFY, (Some(0.029), Some(0.22), 0.045)),
    signatures("key generation", XMSS_16, KEYGEN, (Some(3518.0), None, 4200.0)),
    signatures("signing, the tree kept", XMSS_16, SIGN, (Some(0.025), None, 0.04)),
    signatures("verification", XMSS_16, VERIFY, (Some(0.030), None, 0.045)),
    signatures("key generation", XMSSMT_20_2, KEYGEN, (Some(110.0), None, 132.0)),
    signatures("signing", XMSSMT_20_2, SIGN, (Some(0.08), None, 0.12)),
    signatures("signing and its check", XMSSMT_20_2, CHECKED, (Some(0.138), None, 0.21)),
    signatures("verification", XMSSMT_20_2, VERIFY, (Some(0.058), None, 0.085)),
    signatures("key generation", XMSSMT_20_4, KEYGEN, (Some(6.9), None, 8.5)),
    signatures("signing", XMSSMT_20_4, SIGN, (Some(0.19), None, 0.25)),
    signatures("signing and its check", XMSSMT_20_4, CHECKED, (Some(0.307), None, 0.42)),
    signatures("verification", XMSSMT_20_4, VERIFY, (Some(0.117), None, 0.16)),
    signatures("key generation", XMSSMT_40_8, KEYGEN, (Some(13.9), None, 17.0)),
    signatures("signing", XMSSMT_40_8, SIGN, (None, None, 0.30)),
    signatures("verification", XMSSMT_40_8, VERIFY, (Some(0.22), None, 0.30)),
    signatures("key generation", XMSSMT_60_12, KEYGEN, (Some(20.9), None, 26.0)),
    signatures("signing", XMSSMT_60_12, SIGN, (None, None, 0.35)),
    signatures("verification", XMSSMT_60_12, VERIFY, (Some(0.35), None, 0.48)),
    signatures("key generation", XMSSMT_60_6, KEYGEN, (Some(1200.0), None, 1500.0)).unit(Unit::MillionCycles),
    signatures("signing", XMSSMT_60_6, SIGN, (None, None, 0.8)).unit(Unit::MillionCycles),
    signatures("verification", XMSSMT_60_6, VERIFY, (Some(0.6), None, 0.9)).unit(Unit::MillionCycles),

    // The best signature of SLH-DSA-SHA2-128s of any library took 71.5 ms on Zen 4. Keys of LMS: 43 cycles a
    // compression, and a fifth more.
    hash_based("key generation", "SLH-DSA-SHA2-128s", KEYGEN, (5.0, 0.33)),
    hash_based("signing", "SLH-DSA-SHA2-128s", SIGN, (28.0, 0.45)),
    hash_based("verification", "SLH-DSA-SHA2-128s", VERIFY, (0.1, 0.7)),
    hash_based("key generation", "SLH-DSA-SHA2-128f", KEYGEN, (0.1, 0.33)),
    hash_based("signing", "SLH-DSA-SHA2-128f", SIGN, (1.5, 0.45)),
    hash_based("verification", "SLH-DSA-SHA2-128f", VERIFY, (0.21, 0.7)),
    hash_based("signing", "SLH-DSA-SHAKE-128s", SIGN, (150.0, 0.5)),
    hash_based("verification", "SLH-DSA-SHAKE-128s", VERIFY, (0.22, 0.5)),
    hash_based("signing", "SLH-DSA-SHAKE-128f", SIGN, (7.5, 0.5)),
    hash_based("verification", "SLH-DSA-SHAKE-128f", VERIFY, (0.55, 0.5)),
    hash_based("key generation", "LMS_SHA256_M32_H10_W4", KEYGEN, (16.0, 0.33)),
    hash_based("key generation", "LMS_SHA256_M32_H10_W8", KEYGEN, (130.0, 0.33)),
    // Ours builds the tree of the second level, too.
    hash_based("key generation", "LMS_SHA256_M32_H10_W4/LMS_SHA256_M32_H10_W4", KEYGEN, (32.0, 0.33)),
];
