//! The table of kernels of AES-GCM and AES-GCM-SIV.

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use core::marker::PhantomData;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use hashlanes_isa::cipher::{AesNiPclmul, Multiply, Vaes512Vpclmul, VaesVpclmul, X1, X2, X4};
#[cfg(target_arch = "aarch64")]
use hashlanes_isa::cipher::{ArmAes, Multiply, X1};
use hashlanes_isa::kernels;
use hashlanes_isa::scalar::Scalar;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::ghash::Three;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use super::ghash::{Four, Products};
use super::job::{Direction, Fill, Job};
use super::portable;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use super::stitched::{crypt, fill};
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use crate::gcm_siv::staged;
use crate::gcm_siv::{self, job as siv};

/// Forces a kernel by name, with the cargo feature `env-override`.
pub(crate) const KERNEL_VARIABLE: &str = "HASHLANES_GCM_KERNEL";

// Columns as in `modes/kernels.rs`; Zen 4's are measured, with 13 bytes of associated data, the others are
// estimated. `vaes-avx512-karatsuba` is for Zen 5, which begins a product of 512 bits every other cycle: a
// record of 16 KiB takes 0.8 of the time there. It has seven instructions more for each register, of which
// three shuffles have one port on Intel's CPUs: an analysis for Ice Lake gives 1.24 of the time.
#[rustfmt::skip]
kernels! { cipher "gcm" KERNEL_VARIABLE {
        /// Encryption of messages, one after another, and their tags.
        gcm_encrypt(jobs: &mut [Option<Job<'_>>]);
        /// Decryption of messages, and the tags that they must have.
        gcm_decrypt(jobs: &mut [Option<Job<'_>>]);
        /// The powers of a key's H.
        gcm_powers(job: Fill<'_>);
        /// Encryption of messages by GCM-SIV, whose keys are all of one length, and their tags.
        gcm_siv_encrypt(jobs: &mut [Option<siv::Job<'_>>]);
        /// Decryption by GCM-SIV, and the tags that the messages must have.
        gcm_siv_decrypt(jobs: &mut [Option<siv::Job<'_>>]);
    }
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        vaes_avx512_karatsuba 1 ["vaes" "vpclmulqdq" "avx512f" "avx512bw" "avx512vl"] Vaes512Vpclmul One<X4, Three, 4> [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 100 + 6   95 + 4   65 + 5;
        vaes_avx512 1 ["vaes" "vpclmulqdq" "avx512f" "avx512bw" "avx512vl"] Vaes512Vpclmul One<X4, Four, 4> [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 95 + 5   95 + 5   60 + 4;
        vaes_avx2   1 ["vaes" "vpclmulqdq" "avx2"]                          VaesVpclmul    One<X2, Four, 4> [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 105 + 8   105 + 8   60 + 6;
        aes_ni      1 ["aes" "pclmulqdq" "ssse3"]                           AesNiPclmul    One<X1, Four, 8> [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 125 + 17   125 + 17   60 + 10;
    }
    one #[cfg(not(target_arch = "aarch64"))] {
        portable    1 []                                                    Scalar         Portable   [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 1800 + 230   1800 + 230   900 + 500;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_aes     1 ["aes"]                                               ArmAes         One<X1, Four, 8> [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 60 + 14   60 + 10   60 + 10   60 + 10;
        portable    1 []                                                    Scalar         Portable   [gcm_encrypt gcm_decrypt gcm_powers gcm_siv_encrypt gcm_siv_decrypt] 900 + 500  900 + 500   900 + 500   900 + 500;
    }
}

/// One message, `W` registers at once, hashed by `P`.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
struct One<B, P, const W: usize>(PhantomData<(B, P)>);

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
impl<B: Multiply, P: Products, const W: usize> Body for One<B, P, W> {
    type Proof = B::Multiplier;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn gcm_encrypt(isa: B::Multiplier, jobs: &mut [Option<Job<'_>>]) {
        crypt::<B, P, W>(isa, Direction::Encrypt, jobs);
    }
    #[inline(always)]
    fn gcm_decrypt(isa: B::Multiplier, jobs: &mut [Option<Job<'_>>]) {
        crypt::<B, P, W>(isa, Direction::Decrypt, jobs);
    }
    #[inline(always)]
    fn gcm_powers(isa: B::Multiplier, job: Fill<'_>) {
        fill::<B>(isa, job);
    }
    #[inline(always)]
    fn gcm_siv_encrypt(isa: B::Multiplier, jobs: &mut [Option<siv::Job<'_>>]) {
        staged::crypt::<B, P, W>(isa, Direction::Encrypt, jobs);
    }
    #[inline(always)]
    fn gcm_siv_decrypt(isa: B::Multiplier, jobs: &mut [Option<siv::Job<'_>>]) {
        staged::crypt::<B, P, W>(isa, Direction::Decrypt, jobs);
    }
}

/// One message, with no instructions of the CPU for it.
struct Portable;

impl Body for Portable {
    type Proof = Scalar;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn gcm_encrypt(_: Scalar, jobs: &mut [Option<Job<'_>>]) {
        portable::crypt(Direction::Encrypt, jobs);
    }
    #[inline(always)]
    fn gcm_decrypt(_: Scalar, jobs: &mut [Option<Job<'_>>]) {
        portable::crypt(Direction::Decrypt, jobs);
    }
    #[inline(always)]
    fn gcm_powers(_: Scalar, job: Fill<'_>) {
        portable::fill(job);
    }
    #[inline(always)]
    fn gcm_siv_encrypt(_: Scalar, jobs: &mut [Option<siv::Job<'_>>]) {
        gcm_siv::portable::crypt(Direction::Encrypt, jobs);
    }
    #[inline(always)]
    fn gcm_siv_decrypt(_: Scalar, jobs: &mut [Option<siv::Job<'_>>]) {
        gcm_siv::portable::crypt(Direction::Decrypt, jobs);
    }
}
