//! Prints the SHA-256 digests of files as `sha256sum` does; all files are hashed together.
//!
//! `cargo run --release --example hash_files -- FILE…`

use std::{env, fs};

use hashlanes::sha256_many;

fn main() -> std::io::Result<()> {
    let mut names: Vec<String> = env::args().skip(1).collect();
    if names.is_empty() {
        names =
            ["Cargo.toml", "README.md"].map(|name| format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).into();
    }
    let files = names.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let messages: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    sha256_many(&messages, &mut digests);
    for (digest, name) in digests.iter().zip(&names) {
        println!("{}  {name}", hex(digest));
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
