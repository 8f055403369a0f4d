//! Debian packages: the program, `hashlanes`; the C library, `libhashlanes0` for running programs and
//! `libhashlanes-dev` for building them.

mod c_library;
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use c_library::build as of_c_library;
pub(crate) use program::{build as of_program, release as release_program};

use crate::capi::{self, version};
use crate::{process, workspace};

/// `cargo xtask deb`.
///
/// # Errors
/// If dpkg is missing, or something cannot be built.
pub(crate) fn command() -> Result<(), String> {
    let library = of_c_library(&capi::release_archive()?)?;
    for package in [of_program(&release_program()?)?].iter().chain(&library) {
        println!("{}", package.display());
    }
    Ok(())
}

/// What Debian asks of a package.
struct Control<'c> {
    name: &'c str,
    section: &'c str,
    depends: &'c str,
    /// Further fields, one a line.
    fields: &'c str,
    /// The first line of the description.
    summary: &'c str,
    /// The lines after it.
    description: &'c str,
}

/// An empty folder for the files of a package.
fn fresh(name: &str) -> Result<PathBuf, String> {
    let folder = workspace::scratch("deb").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Writes a file below a package's folder.
fn write(folder: &Path, file: &str, bytes: &[u8]) -> Result<(), String> {
    let file = folder.join(file);
    let made = file.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(&file, bytes)).map_err(|error| format!("{}: {error}", file.display()))
}

/// Adds the package's data to its folder, and builds it.
fn package(folder: &Path, control: &Control<'_>) -> Result<PathBuf, String> {
    let Control { name, section, depends, fields, summary, description } = control;
    let (version, architecture) = (version(), architecture()?);
    let text = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\n{fields}Section: {section}\nPriority: optional\n\
         Maintainer: The hashlanes developers <hashlanes@example.invalid>\nDepends: {depends}\n\
         Homepage: https://github.com/hashlanes/hashlanes\nDescription: {summary}\n{description}"
    );
    write(folder, "DEBIAN/control", text.as_bytes())?;
    write(
        folder,
        &format!("usr/share/doc/{name}/copyright"),
        b"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: hashlanes\n\nFiles: *\n\
          Copyright: The hashlanes developers\nLicense: MIT or Apache-2.0\n On Debian systems, the text of the Apache License 2.0 is \
          in\n /usr/share/common-licenses/Apache-2.0.\n",
    )?;
    let file = workspace::scratch("deb").join(format!("{name}_{version}_{architecture}.deb"));
    let mut build = Command::new("dpkg-deb");
    process::run(build.args(["--root-owner-group", "--build"]).arg(folder).arg(&file))?.checked()?;
    Ok(file)
}

/// This machine's architecture, as Debian calls it.
fn architecture() -> Result<String, String> {
    let name = process::stdout(Command::new("dpkg").arg("--print-architecture"))?;
    Ok(String::from_utf8_lossy(&name).trim().to_owned())
}
