//! The contracts of AES-GCM's kernels: NIST SP 800-38D. The structures are those of the crate
//! `hashlanes-aes` (`gcm/job.rs`), in C's layout.

use super::aes::{ROUNDS, key};
use super::blocks::{free_block, free_bytes};
use crate::contract::{Case, Cases, Setting};
use crate::machine::Outcome;
use crate::standards::aes::Rounds;
use crate::standards::gcm::{self, Key};
use crate::terms::Term;

/// Powers of H that a key has.
const N_POWERS: usize = 36;
/// Zeros after them.
const N_ZEROS: usize = 4;
/// Blocks of associated data that are hashed together.
const AD_GROUP: usize = 16;

/// The cases of a verb of a row.
pub(super) fn cases(row: &str, verb: &str) -> Cases {
    // Blocks of text that a row hashes together.
    let group = if row.contains("avx512") { 16 } else { 8 };
    match verb {
        "gcm_encrypt" | "gcm_decrypt" => {
            let is_encryption = verb == "gcm_encrypt";
            let case = |n_rounds, lengths: &[(usize, usize)], in_place| -> Box<dyn Case> {
                Box::new(Crypt { n_rounds, group, lengths: lengths.into(), is_encryption, in_place })
            };
            let bytes = 16 * group;
            let all = ROUNDS.iter().flat_map(|&n_rounds| {
                [
                    case(n_rounds, &[(0, 0), (20, 3 * bytes + 5)], true),
                    case(n_rounds, &[(16 * AD_GROUP + 5, bytes)], false),
                    case(n_rounds, &[(1, bytes + 1), (0, 17)], false),
                    case(n_rounds, &[], true),
                ]
            });
            // The end of a text: by masks with AVX-512, otherwise in words of 8, 4, 2 and 1 bytes.
            let ends: &[usize] = if group == 16 { &[0, 7] } else { &[0, 1, 4, 11, 14, 15] };
            let until_covered = (1..=2 * group).flat_map(|n| {
                ROUNDS.into_iter().flat_map(move |n_rounds| {
                    ends.iter().flat_map(move |&less_ad| {
                        ends.iter()
                            .map(move |&less| case(n_rounds, &[(16 * n - less_ad, 16 * n - less)], false))
                    })
                })
            });
            // A group more than two, so that one is left; and the group in which the last byte of the
            // counter, 2 at first, overflows: the last one, of every number of blocks, or the first or second
            // of two.
            let overflows = 256 / group - 1;
            let whole = [2, overflows + 1, overflows + 2].map(|n| n * group + 1);
            let long = whole.into_iter().chain((1..=group).map(|n| overflows * group + n)).flat_map(|n| {
                let case = &case;
                ROUNDS.into_iter().map(move |n_rounds| case(n_rounds, &[(0, 16 * n)], false))
            });
            Cases { all: all.collect(), until_covered: until_covered.chain(long).collect() }
        }
        "gcm_powers" => {
            // Powers of a register.
            let degree = match row {
                _ if row.contains("avx512") => 4,
                _ if row.contains("avx2") => 2,
                _ => 1,
            };
            let case = |&n_rounds| -> Box<dyn Case> { Box::new(Powers { n_rounds, degree }) };
            Cases { all: ROUNDS.iter().map(case).collect(), ..Cases::default() }
        }
        _ => Cases::default(),
    }
}

/// The place of H^k.
fn power_at(powers: u64, k: usize) -> u64 {
    powers + 16 * (N_POWERS - k) as u64
}

// ---- The powers of H ----

struct Powers {
    n_rounds: usize,
    /// Powers that are computed together, from as many before.
    degree: usize,
}

impl Case for Powers {
    fn name(&self) -> String {
        format!("{} rounds", self.n_rounds)
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        let (key, w) = key(s, 0, self.n_rounds);
        let at = s.read_write("powers", 64, 16 * (N_POWERS + N_ZEROS) as u64);
        let zero = [s.terms().constant(0, 32); 4];
        let h = Rounds::Whole.cipher(s.terms(), &w, &zero);
        let first = gcm::first_power(s.terms(), &h);
        // H^k is the product of any two powers that make it.
        let mut powers = vec![first];
        for k in 2..=N_POWERS {
            let b = if k <= self.degree { k - k / 2 } else { self.degree };
            let pair = (powers[k - b - 1], powers[b - 1]);
            powers.push(gcm::dots(s.terms(), &[pair]));
        }
        for (i, power) in powers.into_iter().enumerate() {
            let power = gcm::in_memory(s.terms(), power);
            s.afterwards(move |s| s.expect_block(power_at(at, i + 1), &power, &format!("H^{}", i + 1)));
        }
        // A structure of two pointers is passed in two registers.
        s.call(&[key, at])
    }
}

// ---- Messages ----

struct Crypt {
    n_rounds: usize,
    /// Blocks that are hashed together.
    group: usize,
    /// Of each message: bytes of associated data and of text.
    lengths: Vec<(usize, usize)>,
    is_encryption: bool,
    in_place: bool,
}

impl Case for Crypt {
    fn name(&self) -> String {
        let place = if self.in_place { ", in place" } else { "" };
        format!("{} rounds, bytes of associated data and text: {:?}{place}", self.n_rounds, self.lengths)
    }

    fn run(&self, s: &mut Setting<'_, '_>) -> Outcome {
        const JOB_WORDS: usize = 9;
        // A place without a job comes first.
        let mut jobs = vec![0; JOB_WORDS];
        for (i, &(ad_bytes, n_bytes)) in self.lengths.iter().enumerate() {
            let (key_at, w) = key(s, i, self.n_rounds);
            let powers_at = s.read_only("powers", 64, 16 * (N_POWERS + N_ZEROS) as u64);
            let mut powers = Vec::new();
            for k in 1..=N_POWERS {
                let power = free_block(s.terms(), "powers", i, k);
                s.set_block(power_at(powers_at, k), &power);
                powers.push(gcm::from_memory(s.terms(), &power));
            }
            let zero = [s.terms().constant(0, 32); 4];
            for k in 0..N_ZEROS {
                s.set_block(power_at(powers_at, 0) + 16 * k as u64, &zero);
            }
            let nonce_at = s.read_only("the nonce", 1, 12);
            let nonce: [Term; 3] = core::array::from_fn(|j| s.terms().free(32, "nonce", i, j));
            s.set_first_bytes(nonce_at, &nonce, 12);
            let ad_at = s.read_only("associated data", 1, ad_bytes as u64);
            let ad = free_bytes(s, "associated data", i, ad_at, ad_bytes);
            let dst = s.read_write("the output", 1, n_bytes as u64);
            let src = if self.in_place { dst } else { s.read_only("the input", 1, n_bytes as u64) };
            let text = free_bytes(s, "text", i, src, n_bytes);
            let tag_at = s.read_write("the tag", 1, 16);
            let message = gcm::crypt(
                s.terms(),
                &Key { w, powers },
                &nonce,
                (&ad, ad_bytes, AD_GROUP),
                (&text, n_bytes, self.group),
                self.is_encryption,
            );
            s.afterwards(move |s| {
                s.expect_first_bytes(dst, message.output.as_flattened(), n_bytes, "the output")?;
                s.expect_block(tag_at, &message.tag, "the tag")
            });
            let text = [src, dst, n_bytes as u64];
            jobs.extend(
                [&[key_at, powers_at, nonce_at, ad_at, ad_bytes as u64], &text[..], &[tag_at]].concat(),
            );
        }
        let n_jobs = (jobs.len() / JOB_WORDS) as u64;
        let jobs = s.structure("jobs", &jobs);
        s.call(&[jobs, n_jobs])
    }
}
