//! Writes a public key and a signature of "a message" for each family of signatures, for programs on devices
//! that verify one: `DIRECTORY/SET/public_key` and `signature`.
//!
//! `cargo run -p hashlanes-hbs --features hazmat,lms,slh-dsa --example device_vectors -- DIRECTORY`

use std::error::Error;
use std::fs;
use std::path::Path;

use hashlanes_hbs::hazmat::KeyGeneration;
use hashlanes_hbs::slh_dsa::{Message, Randomness, SigningKey};
use hashlanes_hbs::{ParameterSet, lms};

const MESSAGE: &[u8] = b"a message";

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).ok_or("the directory is missing")?;
    let write = |set: &str, public_key: &[u8], signature: &[u8]| -> std::io::Result<()> {
        let directory = Path::new(&directory).join(set);
        fs::create_dir_all(&directory)?;
        fs::write(directory.join("public_key"), public_key)?;
        fs::write(directory.join("signature"), signature)
    };
    let set: ParameterSet = "XMSS-SHA2_10_256".parse()?;
    let mut key = KeyGeneration::new(set, &[7; 96])?.run()?;
    let signature = key.try_sign(MESSAGE)?;
    write("XMSS-SHA2_10_256", &key.verifying_key().to_bytes(), signature.as_ref())?;

    let mut key = lms::KeyGeneration::new("LMS_SHA256_M24_H5_W4".parse()?, &[7; 40])?.run()?;
    let signature = key.try_sign(MESSAGE)?;
    write("LMS_SHA256_M24_H5_W4", &key.verifying_key().to_bytes(), signature.as_ref())?;

    for (name, n) in [("SLH-DSA-SHA2-128s", 16), ("SLH-DSA-SHA2-256s", 32)] {
        let key = SigningKey::from_seeds(name.parse()?, &vec![7; 3 * n])?;
        let signature = key.sign(&Message::new(MESSAGE), Randomness::Deterministic)?;
        write(name, key.verifying_key().as_bytes(), signature.as_ref())?;
    }
    Ok(())
}
