//! The Debian packages of the C library, installed by dpkg in a root directory of its own, as in a container.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{capi, deb, process, workspace};

const MMDEBSTRAP: &[Package] = &[Package { name: "mmdebstrap", holds: "/usr/bin/mmdebstrap" }];

/// The script in the root: both packages are installed with their dependencies checked, a program finds the
/// library without any setting, and nothing remains after their removal.
const SCRIPT: &str = r#"
cd /tmp/hashlanes
dpkg --install *.deb
test "$(dpkg --audit | wc -l)" = 0
cc -Wall -Wextra -Werror digests.c $(pkg-config --cflags --libs hashlanes) -o digests
ldd digests | grep 'libhashlanes.so.0 => /'
./digests
cc digests.c $(pkg-config --variable=libdir hashlanes)/libhashlanes.a $(pkg-config --static --libs-only-l hashlanes | sed 's/-lhashlanes //') -o static
./static
dpkg --purge libhashlanes-dev libhashlanes0
test -z "$(find /usr /etc -name '*hashlanes*')"
"#;

/// Builds the packages from the archive, installs them in a fresh Debian, and builds and runs a program
/// there.
///
/// # Errors
/// If any of this fails.
pub(crate) fn test(archive: &Path) -> Result<Done, String> {
    let id = process::stdout(Command::new("id").arg("-u"))?;
    if id.trim_ascii() != b"0" {
        return Ok(Done::NotRun("only root can change the root directory".into()));
    }
    match debian::install(MMDEBSTRAP) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
    }
    let root = root()?;
    let place = root.join("tmp/hashlanes");
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let tests = capi::folder().join("tests");
    let files = deb::build(archive)?.into_iter().chain(["digests.c", "check.h"].map(|name| tests.join(name)));
    for file in files {
        let to = place.join(file.file_name().expect("it is a file"));
        fs::copy(&file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let mut script = Command::new("chroot");
    script.arg(&root).args(["sh", "-exc", SCRIPT]).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    workspace::unforced(&mut script);
    process::run(&mut script)?.checked()?;
    Ok(Done::Check)
}

/// A root directory with this system's version of Debian, a C compiler and pkg-config; made once.
fn root() -> Result<PathBuf, String> {
    let root = workspace::scratch("c").join("debian");
    let complete = root.join("complete");
    if complete.exists() {
        return Ok(root);
    }
    let release =
        fs::read_to_string("/etc/os-release").map_err(|error| format!("/etc/os-release: {error}"))?;
    let suite = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let suite = suite.ok_or("/etc/os-release: has no VERSION_CODENAME")?;
    if root.exists() {
        fs::remove_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    }
    let mut mmdebstrap = Command::new("mmdebstrap");
    mmdebstrap.args(["--quiet", "--variant=apt", "--include=gcc,libc6-dev,pkgconf", suite]).arg(&root);
    process::run(&mut mmdebstrap)?.checked()?;
    fs::write(&complete, "").map_err(|error| format!("{}: {error}", complete.display()))?;
    Ok(root)
}
