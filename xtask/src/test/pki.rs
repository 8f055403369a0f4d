//! Certificates and signed messages, exchanged with OpenSSL and BouncyCastle of a newer Debian, which know
//! SLH-DSA.

use std::path::PathBuf;

use crate::debian::{self, Missing, Package};
use crate::steps::{Done, Tests};
use crate::{process, workspace};

/// The release with OpenSSL 3.5 and BouncyCastle 1.80.
const RELEASE: &str = "trixie";
const PACKAGES: [&str; 2] = ["openssl", "libbcpkix-java"];

/// Runs the tests of the program that need them.
pub(crate) fn exchange() -> Result<Done, String> {
    const JAVA: &[Package] = &[Package { name: "default-jdk-headless", holds: "/usr/bin/javac" }];
    match debian::install(JAVA) {
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
        Ok(()) => {}
    }
    let mut command = workspace::cargo("test");
    command.args(["-p", "hashlanes-cli", "--test", "program", "--", "--ignored", "pki::"]);
    let finished = process::run(command.env("HASHLANES_NEWER", newer()?))?;
    let tests = Tests::of(&finished.output);
    finished.checked()?;
    Ok(Done::Tests(Tests { ignored: 0, ..tests }))
}

/// Returns the directory of the packages, unpacked.
fn newer() -> Result<PathBuf, String> {
    let directory = workspace::scratch("newer-debian");
    if !directory.join("usr/bin/openssl").exists() || !directory.join("usr/share/java/bcpkix.jar").exists() {
        debian::unpack_of_release(RELEASE, &PACKAGES, &directory)?;
    }
    Ok(directory)
}
