//! The constants follow from their definitions. Here they are checked, not computed: x is the first b bits of
//! the fractional part of a root of p just if (i·2^b + x)^n ≤ p·2^(b·n) < (i·2^b + x + 1)^n, where i is the
//! root's integral part. The oracle computes them, in another way.

use hashlanes_isa::Function;
use hashlanes_sha::{Algorithm, keccak, sha1, sha256, sha512};
use hashlanes_testkit::oracle;

use crate::hashes::{Named, Tested, each_algorithm, each_function};
use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    each_algorithm!(A => {
        suite.one(A::NAME, "H0 is the oracle's", || {
            assert_eq!(oracle::State::from(A::H0), A::ORACLE.initial());
        });
    });
    each_function!(F => {
        suite.one(F::NAME, "two-block shapes", two_block_shapes::<F>);
        suite.one(F::NAME, "pre-expanded ends", pre_expanded_ends::<F>);
    });
    suite.one("sha1", "constants", of_sha1);
    suite.one("sha256", "constants", of_sha256);
    suite.one("sha512", "constants", of_sha512);
    suite.one("sha512", "H0 of SHA-512/t", of_sha512_t);
    suite.one("keccak", "constants", of_keccak);
}

/// K of each round: the schedule of a block of zeros is zero, and K is added to it.
fn k<F: Function>() -> F::Schedule {
    F::schedule(&F::ZERO_BLOCK)
}

/// The kept blocks are section 5.1's padding, and exist exactly for the lengths whose second block contains
/// no message bytes.
fn two_block_shapes<F: Tested>() {
    for len_bytes in 0..=3 * F::BLOCK_BYTES {
        let padded = padded_zeros::<F>(len_bytes);
        let blocks: Vec<&[u8]> = padded.chunks(F::BLOCK_BYTES).collect();
        let has_one = blocks.len() == 2 && len_bytes <= F::BLOCK_BYTES;
        let Some(shape) = F::two_block_shape(len_bytes) else {
            assert!(!has_one, "{len_bytes} bytes");
            continue;
        };
        let second = shape.second.as_ref().expect("two blocks");
        assert!(has_one && shape.len_bytes == len_bytes, "{len_bytes} bytes");
        assert_eq!([shape.first.as_ref(), second.block().as_ref()], blocks[..], "{len_bytes} bytes");
        assert_eq!(second.schedule().as_ref(), F::schedule(second.block()).as_ref(), "{len_bytes} bytes");
    }
}

/// The last blocks that are kept are section 5.1's padding, and hold nothing of the message. There is one for
/// every length of whole blocks up to 2 KiB, and for those that end in the last eighth of their first block
/// or of their second.
fn pre_expanded_ends<F: Tested>() {
    for len_bytes in 0..=3000 {
        let (n_blocks, over) = (len_bytes / F::BLOCK_BYTES, len_bytes % F::BLOCK_BYTES);
        let of_whole_blocks = over == 0 && (1..=2048).contains(&len_bytes);
        let has_one = of_whole_blocks || over >= F::BLOCK_BYTES * 7 / 8 && n_blocks < 2;
        let Some(end) = F::pre_expanded_end(len_bytes as u64) else {
            assert!(!has_one, "{len_bytes} bytes");
            continue;
        };
        assert!(has_one, "{len_bytes} bytes");
        let padded = padded_zeros::<F>(len_bytes);
        assert_eq!(end.block().as_ref(), &padded[padded.len() - F::BLOCK_BYTES..], "{len_bytes} bytes");
        assert_eq!(end.schedule().as_ref(), F::schedule(end.block()).as_ref(), "{len_bytes} bytes");
    }
    assert!(F::pre_expanded_end(1 << 40).is_none());
}

/// A message of zeros, padded.
fn padded_zeros<F: Tested>(len_bytes: usize) -> Vec<u8> {
    let mut padded = vec![0; len_bytes];
    padded.push(0x80);
    while padded.len() % F::BLOCK_BYTES != F::BLOCK_BYTES * 7 / 8 {
        padded.push(0);
    }
    padded.resize(padded.len() + F::BLOCK_BYTES / 8 - 8, 0);
    padded.extend((8 * len_bytes as u64).to_be_bytes());
    padded
}

fn primes(n: usize) -> Vec<u64> {
    let is_prime = |p: &u64| (2..*p).take_while(|d| d * d <= *p).all(|d| !p.is_multiple_of(d));
    (2..).filter(is_prime).take(n).collect()
}

/// Whether `fraction` is the first `bits` bits of the fractional part of the `degree`th root of `p`.
fn is_root_fraction(p: u64, degree: u32, bits: u32, fraction: u64) -> bool {
    let integral = (1..).take_while(|i: &u64| i.pow(degree) <= p).last().expect("a root of 1 or more");
    let root = u128::from(integral) << bits | u128::from(fraction);
    let power = |x: u128| (1..degree).fold(limbs(x), |power, _| product(&power, &limbs(x)));
    let mut scaled = vec![0; (bits * degree / 32) as usize];
    scaled.push(p as u32);
    at_most(&power(root), &scaled) && !at_most(&power(root + 1), &scaled)
}

/// In limbs of 32 bits, least significant first.
fn limbs(x: u128) -> Vec<u32> {
    (0..4).map(|i| (x >> (32 * i)) as u32).collect()
}

fn product(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut product = vec![0; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0;
        for (j, &y) in b.iter().enumerate() {
            let sum = u64::from(x) * u64::from(y) + u64::from(product[i + j]) + carry;
            (product[i + j], carry) = (sum as u32, sum >> 32);
        }
        product[i + b.len()] = carry as u32;
    }
    product
}

fn at_most(a: &[u32], b: &[u32]) -> bool {
    let limb = |x: &[u32], i: usize| x.get(i).copied().unwrap_or(0);
    let places = (0..a.len().max(b.len())).rev();
    places.clone().map(|i| limb(a, i)).le(places.map(|i| limb(b, i)))
}

/// Section 5.3.1: the digits counted up and down; section 4.2.1: 2^30 times the roots of 2, 3, 5 and 10.
fn of_sha1() {
    let bytes: Vec<u8> = sha1::H0.iter().flat_map(|word| word.to_le_bytes()).collect();
    let up: Vec<u8> = (0..8).map(|i| 0x01 + 0x22 * i).collect();
    let down: Vec<u8> = up.iter().map(|byte| !byte).collect();
    assert_eq!(bytes, [&up[..], &down, &[0xf0, 0xe1, 0xd2, 0xc3]].concat());
    for (t, k) in k::<sha1::Compression>().into_iter().enumerate() {
        let (n, k) = ([2, 3, 5, 10][t / 20], u128::from(k));
        assert!(k * k <= n << 60 && n << 60 < (k + 1) * (k + 1), "K[{t}]");
    }
}

/// Sections 4.2.2, 5.3.2 and 5.3.3.
fn of_sha256() {
    for (t, (k, p)) in k::<sha256::Compression>().into_iter().zip(primes(64)).enumerate() {
        assert!(is_root_fraction(p, 3, 32, k.into()), "K[{t}]");
    }
    let primes = primes(16);
    for i in 0..8 {
        assert!(is_root_fraction(primes[i], 2, 32, sha256::H0[i].into()), "H0[{i}]");
        // The second 32 bits: those after the first ones, which are those of SHA-384.
        let both = sha512::H0_384[i] & !0xffff_ffff | u64::from(sha256::H0_224[i]);
        assert!(is_root_fraction(primes[8 + i], 2, 64, both), "H0[{i}] of SHA-224");
    }
}

/// Sections 4.2.3, 5.3.4 and 5.3.5.
fn of_sha512() {
    for (t, (k, p)) in k::<sha512::Compression>().into_iter().zip(primes(80)).enumerate() {
        assert!(is_root_fraction(p, 3, 64, k), "K[{t}]");
    }
    let primes = primes(16);
    for i in 0..8 {
        assert!(is_root_fraction(primes[i], 2, 64, sha512::H0[i]), "H0[{i}]");
        assert!(is_root_fraction(primes[8 + i], 2, 64, sha512::H0_384[i]), "H0[{i}] of SHA-384");
    }
}

/// Section 5.3.6: SHA-512 of the name, begun with H(0) xor a5a5…, by the kernels themselves.
fn of_sha512_t() {
    use hashlanes_sha::{Hasher, Midstate, algorithms::Sha512};
    let start = Midstate::<Sha512>::new(sha512::H0.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5), 0);
    for (name, h0) in [("SHA-512/224", sha512::H0_512_224), ("SHA-512/256", sha512::H0_512_256)] {
        let mut hasher = Hasher::from_midstate(start);
        hasher.update(name.as_bytes());
        let bytes: Vec<u8> = h0.iter().flat_map(|word| word.to_be_bytes()).collect();
        assert_eq!(hasher.finish()[..], bytes, "{name}");
    }
}

/// FIPS 202, section 3.2.5, by a register whose bit i is R\[i\]; section 3.2.2.
fn of_keccak() {
    let mut register = 1_u16;
    for (i, constant) in keccak::RC.into_iter().enumerate() {
        let mut expected = 0;
        for j in 0..7 {
            expected |= u64::from(register & 1) << ((1 << j) - 1);
            register <<= 1;
            register ^= if register >> 8 == 1 { 0b1_0111_0001 } else { 0 };
        }
        assert_eq!(constant, expected, "RC[{i}]");
    }
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        assert_eq!(keccak::RHO[5 * y + x], (t + 1) * (t + 2) / 2 % 64, "[{x}, {y}]");
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    assert_eq!((x, y, keccak::RHO[0]), (1, 0, 0));
}
