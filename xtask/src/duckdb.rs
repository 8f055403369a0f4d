//! The DuckDB extension: the library of `crates/duckdb` with DuckDB's description of an extension at its end.

use std::path::PathBuf;
use std::{env, fs};

use crate::{process, workspace};

/// Builds the extension, and prints its name.
///
/// # Errors
/// If cargo fails.
pub(crate) fn command() -> Result<(), String> {
    build().map(|path| println!("{}", path.display()))
}

/// Builds the extension. DuckDB derives the name of the function that it calls from the file's name.
///
/// # Errors
/// If cargo fails.
pub(crate) fn build() -> Result<PathBuf, String> {
    let mut cargo = workspace::cargo("build");
    process::run(cargo.args(["--release", "--package", "hashlanes-duckdb"]))?.checked()?;
    let (prefix, suffix) = (env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let library = workspace::target().join(format!("release/{prefix}hashlanes_duckdb{suffix}"));
    let mut extension = fs::read(&library).map_err(|error| format!("{}: {error}", library.display()))?;
    extension.extend(description());
    let directory = workspace::target().join("duckdb");
    fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let path = directory.join("hashlanes.duckdb_extension");
    fs::write(&path, extension).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Eight fields of 32 bytes, the last one first, and room for a signature.
fn description() -> Vec<u8> {
    const SIGNATURE_BYTES: usize = 256;
    let system = if env::consts::OS == "macos" { "osx" } else { env::consts::OS };
    let architecture = match env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let platform = format!("{system}_{architecture}");
    // The interface's kind, the extension's version, the interface's version, the platform, the magic number.
    let fields = ["", "", "", "C_STRUCT", env!("CARGO_PKG_VERSION"), "v1.2.0", &platform, "4"];
    let mut bytes = Vec::new();
    for field in fields {
        let mut padded = [0; 32];
        padded[..field.len()].copy_from_slice(field.as_bytes());
        bytes.extend(padded);
    }
    bytes.extend([0; SIGNATURE_BYTES]);
    bytes
}
