//! A device verifies firmware by a hash-based signature (XMSS): at once, or in parts as the firmware arrives.
//!
//! Keys that sign releases belong in files that never use an index twice (feature `store`, or the program
//! `hashlanes keygen`). This example makes one in memory, to have a signature.

use hashlanes::hbs::hazmat::KeyGeneration;
use hashlanes::hbs::{Error, ParameterSet, VerifyingKey};

fn main() -> Result<(), Error> {
    let firmware = vec![0x90; 1 << 20];

    // The release: seeds of a real key come from the system's source of random numbers.
    let set: ParameterSet = "XMSSMT-SHA2_60/12_256".parse()?;
    let mut key = KeyGeneration::new(set, &[7; 96])?.run()?;
    let signature = key.try_sign(&firmware)?;
    let public_pem = key.verifying_key().to_spki_pem();

    // The device has the public key, and receives the firmware and its signature.
    let public = VerifyingKey::from_spki_pem(&public_pem)?;
    public.verify(&firmware, signature.as_ref())?;
    println!("{} bytes, a signature of {} bytes: valid", firmware.len(), signature.as_ref().len());
    public.verify_reader(firmware.as_slice(), signature.as_ref())?;
    println!("as a stream: valid");

    let mut changed = firmware;
    changed[1000] ^= 1;
    println!("one bit changed: {}", public.verify(&changed, signature.as_ref()).unwrap_err());
    Ok(())
}
