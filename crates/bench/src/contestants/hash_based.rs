//! SLH-DSA, LMS and HSS by our library and by crates.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence, crate_version};
use crate::hash_based::{LMS_SEED, MESSAGE, Set, key_and_signature, seeds, top_of};
use crate::input::Input;
use crate::signatures::Operation;
use crate::work::{Hash, Shape};
use fips205::traits::{KeyGen, SerDes, Signer, Verifier};
use hashlanes::hbs::lms;
use hashlanes::hbs::slh_dsa::{Message, ParameterSet, Randomness, SigningKey};
use std::hint::black_box;

/// An operation, prepared.
struct Job<'a> {
    run: Box<dyn FnMut() -> Vec<u8> + 'a>,
    /// After a verification: the answer for a signature with a bit changed.
    changed: Option<Box<dyn FnMut() -> bool + 'a>>,
    /// The public key, the signature, or the answer of the verification.
    last: Vec<u8>,
}

impl<'a> Job<'a> {
    fn new(run: impl FnMut() -> Vec<u8> + 'a) -> Self {
        Self { run: Box::new(run), changed: None, last: Vec::new() }
    }

    /// A verification of a signature, and the same of a changed one.
    fn verifying(verify: impl Fn(&[u8]) -> bool + Clone + 'a, signature: &[u8]) -> Self {
        let (signature, mut changed) = (signature.to_vec(), signature.to_vec());
        changed[signature.len() / 2] ^= 1;
        let again = verify.clone();
        let run = Box::new(move || vec![verify(black_box(&signature)).into()]);
        Self { run, changed: Some(Box::new(move || again(&changed))), last: Vec::new() }
    }

    fn run(&mut self) {
        self.last = (self.run)();
    }

    fn result(&mut self) -> Vec<u8> {
        match &mut self.changed {
            Some(changed) => vec![self.last[0], changed().into()],
            None => self.last.clone(),
        }
    }

    fn entry(self, name: &str, input: &'a Input) -> Entry<'a> {
        Entry::of_operation(name, input, self, Self::run, Self::result)
    }
}

/// Returns the set and the operation of an input.
fn of_input(input: &Input) -> Result<(Set, Operation), NotApplicable> {
    match (input.work().hash, input.work().shape) {
        (Hash::SlhDsaOrLms(set), Shape::Signatures(operation)) => Ok((set, operation)),
        (hash, _) => Err(NotApplicable::hash(hash)),
    }
}

fn no_operation(operation: Operation) -> NotApplicable {
    NotApplicable(format!("has no {operation} here"))
}

/// Prepares our library for an operation.
pub(super) fn enter<'a>(name: &str, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
    let (set, operation) = of_input(input)?;
    let job = match (set.slh_dsa(), set.lms(), operation) {
        (Some(set), _, Operation::KeyGeneration) => Job::new(move || {
            let key = SigningKey::from_seeds(set, &seeds(set)).expect("seeds of its length");
            key.verifying_key().as_bytes().to_vec()
        }),
        (Some(set), _, Operation::Sign) => {
            let (key, _) = key_and_signature(set);
            Job::new(move || {
                let signature = key.sign(&Message::new(black_box(MESSAGE)), Randomness::Deterministic);
                signature.expect("signed").as_ref().to_vec()
            })
        }
        (Some(set), _, Operation::Verify) => {
            let (key, signature) = key_and_signature(set);
            let public = key.verifying_key();
            let verify =
                move |signature: &[u8]| public.verify(&Message::new(black_box(MESSAGE)), signature).is_ok();
            Job::verifying(verify, signature.as_ref())
        }
        (None, Some(set), Operation::KeyGeneration) => {
            let seeds = top_of(&LMS_SEED);
            Job::new(move || {
                let key = lms::KeyGeneration::new(set, &seeds).and_then(lms::KeyGeneration::run);
                key.expect("seeds of its length").verifying_key().to_bytes()
            })
        }
        (_, _, operation) => return Err(no_operation(operation)),
    };
    Ok(job.entry(name, input))
}

/// The crates.
pub(super) fn crates() -> Vec<Box<dyn Candidate>> {
    let of = |name, about, enter| Box::new(Crate { name, about, enter }) as Box<dyn Candidate>;
    vec![
        of("slh-dsa", "RustCrypto's SLH-DSA", enter_slh_dsa),
        of("fips205", "SLH-DSA in Rust", enter_fips205),
        of("lms-signature", "RustCrypto's LMS", enter_lms_signature),
        of("hbs-lms", "LMS and HSS in Rust", enter_hbs_lms),
    ]
}

type Prepare = fn(Set, Operation) -> Result<Job<'static>, NotApplicable>;

struct Crate {
    name: &'static str,
    about: &'static str,
    enter: Prepare,
}

impl Candidate for Crate {
    fn name(&self) -> &str {
        self.name
    }

    fn about(&self) -> String {
        self.about.into()
    }

    fn presence(&self) -> Presence {
        Presence::Here(crate_version(self.name))
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        let (set, operation) = of_input(input)?;
        Ok((self.enter)(set, operation)?.entry(self.name, input))
    }
}

fn no_set(set: Set) -> NotApplicable {
    NotApplicable(format!("has no {set} here"))
}

fn enter_slh_dsa(set: Set, operation: Operation) -> Result<Job<'static>, NotApplicable> {
    fn of<P: slh_dsa::ParameterSet + 'static>(
        set: ParameterSet,
        operation: Operation,
    ) -> Result<Job<'static>, NotApplicable> {
        let generate = move || {
            let seeds = seeds(set);
            let seeds: Vec<&[u8]> = seeds.chunks(set.n()).collect();
            slh_dsa::SigningKey::<P>::slh_keygen_internal(seeds[0], seeds[1], seeds[2])
        };
        Ok(match operation {
            Operation::KeyGeneration => Job::new(move || generate().to_bytes()[2 * set.n()..].to_vec()),
            Operation::Sign => {
                let key = generate();
                Job::new(move || {
                    key.try_sign_with_context(black_box(MESSAGE), b"", None).expect("signed").to_vec()
                })
            }
            Operation::Verify => {
                let (key, signature) = key_and_signature(set);
                let public = slh_dsa::VerifyingKey::<P>::try_from(key.verifying_key().as_bytes());
                let public = public.expect("a key");
                let verify = move |signature: &[u8]| {
                    let signature = slh_dsa::Signature::<P>::try_from(signature).expect("of its length");
                    public.try_verify_with_context(black_box(MESSAGE), b"", &signature).is_ok()
                };
                Job::verifying(verify, signature.as_ref())
            }
            operation => return Err(no_operation(operation)),
        })
    }
    let of_set = set.slh_dsa().ok_or_else(|| no_set(set))?;
    match set.name() {
        "SLH-DSA-SHA2-128s" => of::<slh_dsa::Sha2_128s>(of_set, operation),
        "SLH-DSA-SHA2-128f" => of::<slh_dsa::Sha2_128f>(of_set, operation),
        "SLH-DSA-SHAKE-128s" => of::<slh_dsa::Shake128s>(of_set, operation),
        "SLH-DSA-SHAKE-128f" => of::<slh_dsa::Shake128f>(of_set, operation),
        _ => Err(no_set(set)),
    }
}

/// The result of an operation by that crate, for the check of others.
pub(crate) fn expected(set: Set, operation: Operation) -> Option<Vec<u8>> {
    if matches!(operation, Operation::Verify) {
        return Some(vec![1, 0]);
    }
    let of_one_level = set.lms().is_some_and(|set| set.levels().len() == 1);
    let job = match (set.slh_dsa(), of_one_level) {
        (Some(_), _) => enter_slh_dsa(set, operation),
        (None, true) => enter_lms_signature(set, operation),
        (None, false) => enter_hbs_lms(set, operation),
    };
    job.ok().map(|mut job| {
        job.run();
        job.last
    })
}

/// Deterministic signatures take no random numbers.
struct NoRandomness;

impl fips205::RngCore for NoRandomness {
    fn next_u32(&mut self) -> u32 {
        unreachable!()
    }
    fn next_u64(&mut self) -> u64 {
        unreachable!()
    }
    fn fill_bytes(&mut self, _: &mut [u8]) {
        unreachable!()
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), fips205::RngError> {
        unreachable!()
    }
}

impl fips205::CryptoRng for NoRandomness {}

fn enter_fips205(set: Set, operation: Operation) -> Result<Job<'static>, NotApplicable> {
    macro_rules! of {
        ($module:ident) => {{
            use fips205::$module as theirs;
            let of_set = set.slh_dsa().expect("it is one");
            match operation {
                Operation::KeyGeneration => Job::new(move || {
                    let seeds = seeds(of_set);
                    let [a, b, c] = [0, 16, 32].map(|at| seeds[at..at + 16].try_into().expect("16 bytes"));
                    let (public, _) = theirs::KG::keygen_from_seed::<16>(a, b, c);
                    public.into_bytes().to_vec()
                }),
                Operation::Sign => {
                    let (key, _) = key_and_signature(of_set);
                    let key =
                        theirs::PrivateKey::try_from_bytes(key.as_bytes().try_into().expect("its length"));
                    let key = key.expect("a key");
                    Job::new(move || {
                        let signed = key.try_sign_with_rng(&mut NoRandomness, black_box(MESSAGE), b"", false);
                        signed.expect("signed").to_vec()
                    })
                }
                Operation::Verify => {
                    let (key, signature) = key_and_signature(of_set);
                    let public = key.verifying_key();
                    let bytes = public.as_bytes().try_into().expect("its length");
                    let public = theirs::PublicKey::try_from_bytes(bytes).expect("a key");
                    let verify = move |signature: &[u8]| {
                        public.verify(black_box(MESSAGE), signature.try_into().expect("its length"), b"")
                    };
                    Job::verifying(verify, signature.as_ref())
                }
                operation => return Err(no_operation(operation)),
            }
        }};
    }
    Ok(match set.name() {
        "SLH-DSA-SHA2-128s" => of!(slh_dsa_sha2_128s),
        "SLH-DSA-SHA2-128f" => of!(slh_dsa_sha2_128f),
        "SLH-DSA-SHAKE-128s" => of!(slh_dsa_shake_128s),
        "SLH-DSA-SHAKE-128f" => of!(slh_dsa_shake_128f),
        _ => return Err(no_set(set)),
    })
}

fn enter_lms_signature(set: Set, operation: Operation) -> Result<Job<'static>, NotApplicable> {
    use lms_signature::lms::{LmsMode, LmsSha256M32H10, SigningKey};
    use lms_signature::ots::{LmsOtsSha256N32W4, LmsOtsSha256N32W8};

    fn of<M: LmsMode>(set: Set) -> Job<'static> {
        // u32str(L), and both types, which its key does not return.
        let level = set.lms().expect("it is one").levels()[0];
        let head = [1, level.lms_type(), level.lmots_type()].map(u32::to_be_bytes).concat();
        let seeds = top_of(&LMS_SEED);
        Job::new(move || {
            let (seed, id) = seeds.split_at(32);
            let key = SigningKey::<M>::new_from_seed(id.try_into().expect("16 bytes"), seed).expect("a seed");
            [&head, &key.id()[..], key.public().k()].concat()
        })
    }
    if operation != Operation::KeyGeneration {
        return Err(no_operation(operation));
    }
    match set.name() {
        "LMS_SHA256_M32_H10_W4" => Ok(of::<LmsSha256M32H10<LmsOtsSha256N32W4>>(set)),
        "LMS_SHA256_M32_H10_W8" => Ok(of::<LmsSha256M32H10<LmsOtsSha256N32W8>>(set)),
        _ => Err(no_set(set)),
    }
}

fn enter_hbs_lms(set: Set, operation: Operation) -> Result<Job<'static>, NotApplicable> {
    use hbs_lms::{HssParameter, LmotsAlgorithm, LmsAlgorithm, Seed};
    type H = hbs_lms::Sha256_256;

    if operation != Operation::KeyGeneration {
        return Err(no_operation(operation));
    }
    let levels = set.lms().ok_or_else(|| no_set(set))?;
    let parameters: Vec<HssParameter<H>> = levels
        .levels()
        .iter()
        .map(|level| {
            let w = if level.w() == 4 { LmotsAlgorithm::LmotsW4 } else { LmotsAlgorithm::LmotsW8 };
            HssParameter::new(w, LmsAlgorithm::LmsH10)
        })
        .collect();
    Ok(Job::new(move || {
        let mut seed = Seed::<H>::default();
        seed.as_mut_slice().copy_from_slice(&LMS_SEED);
        let (_, public) = hbs_lms::keygen::<H>(&parameters, &seed, None).expect("a key");
        public.as_slice().to_vec()
    }))
}
