//! The package of the program: with its manual pages, and completions for bash, zsh and fish.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Control, fresh, package, write};
use crate::{process, workspace};

/// The places where shells look for completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/hashlanes"),
    ("zsh", "usr/share/zsh/vendor-completions/_hashlanes"),
    ("fish", "usr/share/fish/vendor_completions.d/hashlanes.fish"),
];

/// Builds the program as users get it.
///
/// # Errors
/// If cargo fails.
pub(crate) fn release() -> Result<PathBuf, String> {
    process::run(workspace::cargo("build").args(["--release", "--package", "hashlanes-cli"]))?.checked()?;
    Ok(workspace::release_program())
}

/// Builds the package from the program; returns its file.
///
/// # Errors
/// If dpkg is missing or fails.
pub(crate) fn build(program: &Path) -> Result<PathBuf, String> {
    let folder = fresh("hashlanes")?;
    let (installed, pages) = (folder.join("usr/bin/hashlanes"), folder.join("usr/share/man/man1"));
    for directory in [folder.join("usr/bin"), pages.clone()] {
        fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    fs::copy(program, &installed).map_err(|error| format!("{}: {error}", program.display()))?;
    let of_program = |arguments: &[&str]| {
        let mut command = Command::new(&installed);
        workspace::unforced(command.args(arguments));
        process::stdout(&mut command)
    };
    of_program(&["man", "--dir", &pages.to_string_lossy()])?;
    let written = fs::read_dir(&pages).map_err(|error| format!("{}: {error}", pages.display()))?;
    let mut gzip = Command::new("gzip");
    // Without name and time, so that the same sources give the same package.
    gzip.args(["-9", "--no-name", "--"]).args(written.flatten().map(|page| page.path()));
    process::run(&mut gzip)?.checked()?;
    for (shell, file) in COMPLETIONS {
        write(&folder, file, &of_program(&["completions", shell])?)?;
    }
    package(
        &folder,
        &Control {
            name: "hashlanes",
            section: "utils",
            depends: &format!("libc6 (>= {}), libgcc-s1", newest_glibc(&installed)?),
            fields: "",
            summary: "hashes many files at once, and signs files",
            description: " Sums, checks, audits and manifests of many files, as fast as the CPU can, with\n the results of \
                          sha256sum and the like; Merkle trees; hash-based signatures\n (SLH-DSA, XMSS, LMS).\n",
        },
    )
}

/// The newest version of glibc whose symbols a program uses.
fn newest_glibc(program: &Path) -> Result<String, String> {
    let symbols = process::stdout(Command::new("objdump").arg("-T").arg(program))?;
    let symbols = String::from_utf8_lossy(&symbols);
    let numbers = symbols.split("GLIBC_").skip(1).map(|after| {
        let version = after.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
        version.split('.').filter_map(|number| number.parse().ok()).collect::<Vec<u32>>()
    });
    let newest = numbers.max().ok_or_else(|| format!("{}: uses no versions of glibc", program.display()))?;
    Ok(newest.iter().map(u32::to_string).collect::<Vec<_>>().join("."))
}
