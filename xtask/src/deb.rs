//! Debian packages of the C library: `libhashlanes0` for running programs, and `libhashlanes-dev` for
//! building them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::capi::{self, Places};
use crate::{process, workspace};

/// `cargo xtask deb`.
///
/// # Errors
/// If dpkg is missing, or the library cannot be built.
pub(crate) fn command() -> Result<(), String> {
    for package in build(&capi::release_archive()?)? {
        println!("{}", package.display());
    }
    Ok(())
}

/// Builds both packages from the archive; returns their files, the library first.
///
/// # Errors
/// If dpkg is missing or fails.
pub(crate) fn build(archive: &Path) -> Result<[PathBuf; 2], String> {
    let ask = |query: &str| {
        let mut command = Command::new(if query == "multiarch" { "dpkg-architecture" } else { "dpkg" });
        command.arg(if query == "multiarch" { "-qDEB_HOST_MULTIARCH" } else { "--print-architecture" });
        Ok::<_, String>(String::from_utf8_lossy(&process::stdout(&mut command)?).trim().to_owned())
    };
    // dpkg-architecture is part of dpkg-dev; the C compiler has the same name for the folder.
    let multiarch = ask("multiarch").or_else(|_| {
        let name = process::stdout(Command::new("cc").arg("-print-multiarch"))?;
        Ok::<_, String>(String::from_utf8_lossy(&name).trim().to_owned())
    })?;
    let architecture = ask("architecture")?;
    let scratch = workspace::scratch("deb");
    let (library, dev) = (scratch.join("libhashlanes0"), scratch.join("libhashlanes-dev"));
    for folder in [&library, &dev] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
    }
    let lib = format!("lib/{multiarch}");
    capi::install(archive, &Places { prefix: "/usr".into(), lib: lib.clone(), root: dev.clone() })?;

    // The shared library and its soname go to the package of programs.
    let (from, to) = (dev.join("usr").join(&lib), library.join("usr").join(&lib));
    fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let real = format!("libhashlanes.so.{}", capi::version());
    for name in [&*real, "libhashlanes.so.0"] {
        fs::rename(from.join(name), to.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let alias = from.join("libhashlanes.so");
    fs::remove_file(&alias).map_err(|error| format!("{}: {error}", alias.display()))?;
    symlink("libhashlanes.so.0", &alias).map_err(|error| format!("{}: {error}", alias.display()))?;

    let version = capi::version();
    let depends = format!("libhashlanes0 (= {version})");
    Ok([
        package(&library, &architecture, "libhashlanes0", "libs", "libc6, libgcc-s1", "shared library")?,
        package(&dev, &architecture, "libhashlanes-dev", "libdevel", &depends, "header, static library")?,
    ])
}

/// Adds what Debian asks of a package, and builds it.
fn package(
    folder: &Path,
    architecture: &str,
    name: &str,
    section: &str,
    depends: &str,
    what: &str,
) -> Result<PathBuf, String> {
    let version = capi::version();
    let write = |file: &str, text: &str| {
        let file = folder.join(file);
        let made = file.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&file, text)).map_err(|error| format!("{}: {error}", file.display()))
    };
    write(
        "DEBIAN/control",
        &format!(
            "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nMulti-Arch: same\nSection: {section}\n\
             Priority: optional\nMaintainer: The hashlanes developers <hashlanes@example.invalid>\nDepends: {depends}\n\
             Homepage: https://github.com/hashlanes/hashlanes\nDescription: hashes one message or many at once: {what}\n \
             Hashes, authenticates and encrypts one message or many at once as fast as\n the CPU can, with standard results: \
             SHA-1, SHA-2, SHA-3, HMAC, AES, AEGIS;\n verifies XMSS signatures.\n"
        ),
    )?;
    write(
        &format!("usr/share/doc/{name}/copyright"),
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: hashlanes\n\nFiles: *\n\
         Copyright: The hashlanes developers\nLicense: MIT or Apache-2.0\n On Debian systems, the text of the Apache License 2.0 is \
         in\n /usr/share/common-licenses/Apache-2.0.\n",
    )?;
    if name == "libhashlanes0" {
        write("DEBIAN/shlibs", "libhashlanes 0 libhashlanes0\n")?;
        write("DEBIAN/triggers", "activate-noawait ldconfig\n")?;
    }
    let file = workspace::scratch("deb").join(format!("{name}_{version}_{architecture}.deb"));
    let mut build = Command::new("dpkg-deb");
    process::run(build.args(["--root-owner-group", "--build"]).arg(folder).arg(&file))?.checked()?;
    Ok(file)
}
