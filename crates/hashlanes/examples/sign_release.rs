//! Signs files with SLH-DSA and verifies the signatures: no state is kept between signatures.
//!
//! `cargo run --release --features slh-dsa,getrandom --example sign_release -- FILE…`

use std::error::Error;
use std::fs;

use hashlanes::hbs::slh_dsa::{Message, ParameterSet, Randomness, SigningKey, VerifyingKey};

fn main() -> Result<(), Box<dyn Error>> {
    let set: ParameterSet = "SLH-DSA-SHA2-128s".parse()?;
    let key = SigningKey::generate(set)?;
    // The signer publishes the public key, and keeps `key.to_pkcs8_pem()`.
    let public_pem = key.verifying_key().to_spki_pem();
    print!("{public_pem}");

    let public = VerifyingKey::from_spki_pem(&public_pem)?;
    for path in std::env::args().skip(1) {
        let file = fs::read(&path)?;
        // The context keeps these signatures apart from others of the same key.
        let message = Message::new(&file).with_context(b"example.org release")?;
        let signature = key.sign(&message, Randomness::System)?;
        public.verify(&message, signature.as_ref())?;
        println!("{path}: {} bytes of signature, valid", signature.as_ref().len());
    }
    Ok(())
}
