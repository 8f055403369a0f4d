//! Botan 2's XMSS. Its keys store no trees: each signature generates the whole key again.

use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::input::Input;
use crate::library::botan::{Botan, PrivateKey, PublicKey, open};
use crate::signatures::Operation;
use hashlanes::hbs::{ParameterSet, Scheme, VerifyingKey};
use hashlanes_clock::Threads;
use std::hint::black_box;

const NAME: &str = "botan";
/// The highest tree that it generates here; this takes 0.4 s.
const HIGHEST: u32 = 10;

/// `botan`.
pub(crate) struct Xmss;

impl Candidate for Xmss {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> String {
        "the system's Botan 2: XMSS over SHA-256".into()
    }

    fn presence(&self) -> Presence {
        match open() {
            Ok(library) => Presence::Here(library.version().to_owned()),
            Err(install) => Presence::Missing(install),
        }
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        let Some((signatures, operation)) = input.signatures() else {
            return Err(NotApplicable::hash(input.work().hash));
        };
        let set = signatures.set;
        if set.scheme() != Scheme::Xmss || set.n() != 32 {
            return Err(NotApplicable(format!("has no {set}")));
        }
        let verifies = matches!(operation, Operation::Verify | Operation::VerifyMany { .. });
        if !verifies && set.tree_height() > HIGHEST {
            return Err(NotApplicable(format!(
                "takes half a minute or more a key of height {}",
                set.height()
            )));
        }
        let library = open().map_err(NotApplicable)?;
        match operation {
            Operation::KeyGeneration => {
                let state = Signing { library, set, message: signatures.message(), input, key: None };
                let entry = Entry::of_operation(NAME, input, state, Signing::generate, Signing::result);
                Ok(entry.threads(Threads::Own))
            }
            Operation::Sign => {
                let mut state = Signing { library, set, message: signatures.message(), input, key: None };
                state.generate();
                let entry = Entry::of_operation(NAME, input, state, Signing::sign, Signing::result);
                Ok(entry.threads(Threads::Own))
            }
            Operation::SignChecked => Err(NotApplicable("does not check what it signs".into())),
            Operation::Verify | Operation::VerifyMany { .. } => {
                let claims = signatures.claims().map_err(|error| NotApplicable(error.to_string()))?;
                let key = library.public_key(&older_spki(&claims.public_key)).map_err(NotApplicable)?;
                let pairs = claims.claims.iter().map(|claim| (&claim.message[..], &claim.signature[..]));
                let state = Verifying { key, claims: pairs.collect(), answers: Vec::new() };
                Ok(Entry::of_operation(NAME, input, state, Verifying::run, Verifying::results))
            }
        }
    }
}

/// SubjectPublicKeyInfo as Botan 2 reads it: its older identifier, the key of 68 bytes in an OCTET STRING.
fn older_spki(public_key: &[u8]) -> Vec<u8> {
    const HEAD: [u8; 20] =
        [0x30, 0x56, 0x30, 0x0b, 6, 9, 4, 0, 0x7f, 0, 0x0f, 1, 1, 0x0d, 0, 3, 0x47, 0, 4, 0x44];
    [&HEAD[..], public_key].concat()
}

struct Signing<'a> {
    library: &'static Botan,
    set: ParameterSet,
    message: Vec<u8>,
    input: &'a Input,
    key: Option<PrivateKey>,
}

impl Signing<'_> {
    fn generate(&mut self) {
        self.key = Some(self.library.generate(&self.set.to_string()).expect("Botan generates a key"));
    }

    fn signature(&self) -> Vec<u8> {
        let key = self.key.as_ref().expect("generated before");
        key.sign(black_box(&self.message), self.set.signature_bytes()).expect("Botan signs")
    }

    fn sign(&mut self) {
        black_box(self.signature());
    }

    /// Botan draws its own seeds, so its keys and signatures are not known in advance: they are correct if
    /// they are valid.
    fn result(&mut self) -> Vec<u8> {
        let public = self.key.as_ref().expect("generated before").public().expect("Botan tells its key");
        let signature = self.signature();
        let valid =
            VerifyingKey::from_spki_der(&public).and_then(|key| key.verify(&self.message, &signature));
        match valid {
            Ok(()) => self.input.expected().map_or_else(Vec::new, <[u8]>::to_vec),
            Err(error) => error.to_string().into(),
        }
    }
}

struct Verifying<'a> {
    key: PublicKey,
    claims: Vec<(&'a [u8], &'a [u8])>,
    answers: Vec<bool>,
}

impl Verifying<'_> {
    fn run(&mut self) {
        let verify = |&(message, signature): &(&[u8], &[u8])| {
            self.key.verify(message, signature).expect("Botan verifies")
        };
        self.answers = black_box(&self.claims[..]).iter().map(verify).collect();
    }

    fn results(&mut self) -> Vec<u8> {
        let (message, signature) = self.claims[0];
        let mut changed = signature.to_vec();
        changed[signature.len() / 2] ^= 1;
        self.answers.push(self.key.verify(message, &changed).expect("Botan verifies"));
        self.answers.iter().map(|&answer| answer.into()).collect()
    }
}
