//! Our XMSS and XMSS^MT, with their own choice of kernels and on one kernel.

use crate::candidate::{Entry, NotApplicable};
use crate::input::Input;
use crate::signatures::{Operation, Signatures};
use hashlanes::hbs::hazmat::{KeyGeneration, SigningKey};
use hashlanes::hbs::{Error, ParameterSet, VerifyingKey};
use hashlanes::sha256;
use std::hint::black_box;

/// Prepares an operation, on the named kernel if there is one.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let (signatures, operation) = input.signatures().ok_or(NotApplicable("has signatures alone".into()))?;
    let refused = |error: Error| NotApplicable(error.to_string());
    match operation {
        Operation::KeyGeneration => {
            let generating = Generating::new(signatures, kernel).map_err(refused)?;
            Ok(Entry::of_operation(name, input, generating, Generating::run, |g| g.public_key.clone()))
        }
        Operation::Sign | Operation::SignChecked => {
            let sign =
                if operation == Operation::Sign { SigningKey::sign_unchecked } else { SigningKey::try_sign };
            let signing = Signing::new(signatures, kernel, sign).map_err(refused)?;
            Ok(Entry::of_operation(name, input, signing, Signing::run, |s| sha256(&s.first).to_vec()))
        }
        Operation::Verify | Operation::VerifyMany { .. } => {
            let verifying = Verifying::new(signatures, kernel).map_err(refused)?;
            Ok(Entry::of_operation(name, input, verifying, Verifying::run, Verifying::results))
        }
    }
}

struct Generating {
    set: ParameterSet,
    seeds: Vec<u8>,
    kernel: Option<String>,
    public_key: Vec<u8>,
}

impl Generating {
    fn new(signatures: &Signatures, kernel: Option<&str>) -> Result<Self, Error> {
        let (set, seeds) = (signatures.set, signatures.seeds());
        let generating = Generating { set, seeds, kernel: kernel.map(str::to_owned), public_key: Vec::new() };
        generating.generation().map(|_| generating)
    }

    fn generation(&self) -> Result<KeyGeneration<'static>, Error> {
        let generation = KeyGeneration::new(self.set, &self.seeds)?;
        match &self.kernel {
            None => Ok(generation),
            Some(kernel) => generation.kernel(kernel),
        }
    }

    fn run(&mut self) {
        let key = self.generation().and_then(KeyGeneration::run).expect("tried before");
        self.public_key = key.verifying_key().to_bytes();
    }
}

/// Key generation uses the library's own choice of kernels, even if one kernel signs.
struct Signing {
    generating: Generating,
    kernel: Option<String>,
    key: SigningKey,
    sign: fn(&mut SigningKey, &[u8]) -> Result<hashlanes::hbs::Signature, Error>,
    message: Vec<u8>,
    /// The signature with index 0.
    first: Vec<u8>,
}

impl Signing {
    fn new(
        signatures: &Signatures,
        kernel: Option<&str>,
        sign: fn(&mut SigningKey, &[u8]) -> Result<hashlanes::hbs::Signature, Error>,
    ) -> Result<Self, Error> {
        let generating = Generating::new(signatures, None)?;
        let kernel = kernel.map(str::to_owned);
        let key = Self::key(&generating, kernel.as_deref())?;
        Ok(Signing { generating, kernel, key, sign, message: signatures.message(), first: Vec::new() })
    }

    fn key(generating: &Generating, kernel: Option<&str>) -> Result<SigningKey, Error> {
        let mut key = generating.generation()?.run()?;
        kernel.map_or(Ok(()), |kernel| key.set_kernel(kernel))?;
        Ok(key)
    }

    /// An exhausted key is generated again: for the lowest sets in one call of 1024, which does not affect
    /// the median.
    fn run(&mut self) {
        if self.key.next_index() == self.key.set().signatures() {
            self.key = Self::key(&self.generating, self.kernel.as_deref()).expect("made before");
        }
        let signature = (self.sign)(&mut self.key, black_box(&self.message)).expect("an index is left");
        if self.first.is_empty() {
            self.first = signature.as_ref().to_vec();
        }
        black_box(signature);
    }
}

struct Verifying<'a> {
    key: VerifyingKey,
    claims: Vec<(&'a [u8], &'a [u8])>,
    answers: Vec<Result<(), Error>>,
}

impl<'a> Verifying<'a> {
    fn new(signatures: &'a Signatures, kernel: Option<&str>) -> Result<Self, Error> {
        let told = signatures.claims()?;
        let mut key = VerifyingKey::from_bytes(signatures.set.scheme(), &told.public_key)?;
        kernel.map_or(Ok(()), |kernel| key.set_kernel(kernel))?;
        let claims = told.claims.iter().map(|claim| (&claim.message[..], &claim.signature[..])).collect();
        Ok(Verifying { key, claims, answers: Vec::new() })
    }

    fn run(&mut self) {
        self.answers = match black_box(&self.claims[..]) {
            [(message, signature)] => vec![self.key.verify(message, signature)],
            claims => self.key.verify_many(claims),
        };
    }

    fn results(&mut self) -> Vec<u8> {
        let (message, signature) = self.claims[0];
        let mut changed = signature.to_vec();
        changed[signature.len() / 2] ^= 1;
        self.answers.push(self.key.verify(message, &changed));
        self.answers.iter().map(|answer| answer.is_ok().into()).collect()
    }
}
