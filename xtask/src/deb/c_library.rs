//! The packages of the C library.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Control, fresh, package, write};
use crate::capi::{self, Places, version};
use crate::process;

const DESCRIPTION: &str = " Hashes, authenticates and encrypts one message or many at once as fast as\n the CPU can, with standard results: \
     SHA-1, SHA-2, SHA-3, HMAC, AES, AEGIS;\n verifies XMSS signatures.\n";

/// Builds both packages from the archive; returns their files, the library first.
///
/// # Errors
/// If dpkg is missing or fails.
pub(crate) fn build(archive: &Path) -> Result<[PathBuf; 2], String> {
    let (library, dev) = (fresh("libhashlanes0")?, fresh("libhashlanes-dev")?);
    let lib = format!("lib/{}", multiarch()?);
    capi::install(archive, &Places { prefix: "/usr".into(), lib: lib.clone(), root: dev.clone() })?;

    // The shared library and its soname go to the package of programs.
    let (from, to) = (dev.join("usr").join(&lib), library.join("usr").join(&lib));
    fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let real = format!("libhashlanes.so.{}", version());
    for name in [&*real, "libhashlanes.so.0"] {
        fs::rename(from.join(name), to.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    let alias = from.join("libhashlanes.so");
    fs::remove_file(&alias).map_err(|error| format!("{}: {error}", alias.display()))?;
    symlink("libhashlanes.so.0", &alias).map_err(|error| format!("{}: {error}", alias.display()))?;

    write(&library, "DEBIAN/shlibs", b"libhashlanes 0 libhashlanes0\n")?;
    write(&library, "DEBIAN/triggers", b"activate-noawait ldconfig\n")?;
    let library_control = Control {
        name: "libhashlanes0",
        section: "libs",
        depends: "libc6, libgcc-s1",
        fields: "Multi-Arch: same\n",
        summary: "hashes one message or many at once: shared library",
        description: DESCRIPTION,
    };
    let dev_control = Control {
        name: "libhashlanes-dev",
        section: "libdevel",
        depends: &format!("libhashlanes0 (= {})", version()),
        summary: "hashes one message or many at once: header, static library",
        ..library_control
    };
    Ok([package(&library, &library_control)?, package(&dev, &dev_control)?])
}

/// The folder of this architecture's libraries.
fn multiarch() -> Result<String, String> {
    // dpkg-architecture is part of dpkg-dev; the C compiler has the same name for the folder.
    let name = process::stdout(Command::new("dpkg-architecture").arg("-qDEB_HOST_MULTIARCH"))
        .or_else(|_| process::stdout(Command::new("cc").arg("-print-multiarch")))?;
    Ok(String::from_utf8_lossy(&name).trim().to_owned())
}
