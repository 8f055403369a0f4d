//! The Debian packages, installed by dpkg in a root directory of their own, as in a container.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian::{self, Missing, Package};
use crate::steps::Done;
use crate::{capi, deb, process, workspace};

const MMDEBSTRAP: &[Package] = &[Package { name: "mmdebstrap", holds: "/usr/bin/mmdebstrap" }];

/// What the root has in addition to Debian's smallest system: a C compiler, and the readers of manual pages
/// and completions.
const INCLUDED: &str = "bash-completion,fish,gcc,libc6-dev,man-db,pkgconf,zsh";

/// Both packages of the C library are installed with their dependencies checked, a program finds the library
/// without any setting, and nothing remains after their removal.
const C_LIBRARY: &str = r#"
cd /tmp/hashlanes
dpkg --install libhashlanes*.deb
test "$(dpkg --audit | wc -l)" = 0
cc -Wall -Wextra -Werror digests.c $(pkg-config --cflags --libs hashlanes) -o digests
ldd digests | grep 'libhashlanes.so.0 => /'
./digests
cc digests.c $(pkg-config --variable=libdir hashlanes)/libhashlanes.a $(pkg-config --static --libs-only-l hashlanes | sed 's/-lhashlanes //') -o static
./static
dpkg --purge libhashlanes-dev libhashlanes0
test -z "$(find /usr /etc -name '*hashlanes*')"
"#;

/// The program's package: the program runs, `man` and the shells find what came with it, and nothing remains
/// after its removal.
const PROGRAM: &str = r#"
cd /tmp/hashlanes
dpkg --install hashlanes_*.deb
test "$(dpkg --audit | wc -l)" = 0
test "$(command -v hashlanes)" = /usr/bin/hashlanes
printf abc > abc
hashlanes sum abc > SHA256SUMS
sha256sum --check SHA256SUMS
hashlanes audit SHA256SUMS
for page in hashlanes hashlanes-sum hashlanes-key-split; do
    man $page | grep -q EXAMPLES
done
for page in /usr/share/man/man1/hashlanes*; do
    test -z "$(man --warnings --location-cat $page 2>&1 > /dev/null)"
done
bash -ec '. /usr/share/bash-completion/bash_completion; _completion_loader hashlanes || test $? = 124; complete -p hashlanes'
zsh -ec 'autoload -U compinit; compinit -D; test "$_comps[hashlanes]" = _hashlanes'
fish -c 'complete --do-complete "hashlanes aud"' | grep -q ^audit
dpkg --purge hashlanes
test -z "$(find /usr /etc /var/lib/dpkg -name '*hashlanes*')"
"#;

/// Builds the packages of the C library from its archive, installs them in a fresh Debian, and builds and
/// runs a program there.
///
/// # Errors
/// If any of this fails.
pub(super) fn c_library(archive: &Path) -> Result<Done, String> {
    let sources = sources();
    in_root(C_LIBRARY, || Ok(deb::of_c_library(archive)?.into_iter().chain(sources).collect()))
}

/// Installs packages of the program and of the C library that were built already.
///
/// # Errors
/// If one does not install, or does not work.
pub(crate) fn built(program: Vec<PathBuf>, c_library: Vec<PathBuf>) -> Result<Done, String> {
    match in_root(PROGRAM, || Ok(program))? {
        not_run @ (Done::NotRun(_) | Done::Inapplicable(_)) => Ok(not_run),
        _ => in_root(C_LIBRARY, || Ok(c_library.into_iter().chain(sources()).collect())),
    }
}

/// The program over the C library, and its header.
fn sources() -> [PathBuf; 2] {
    ["digests.c", "check.h"].map(|name| capi::folder().join("tests").join(name))
}

/// Builds the program's package, installs it in a fresh Debian, and uses it there.
///
/// # Errors
/// If any of this fails.
pub(super) fn program() -> Result<Done, String> {
    in_root(PROGRAM, || Ok(vec![deb::of_program(&deb::release_program()?)?]))
}

/// Runs a script in the root, in /tmp/hashlanes of which these files are.
fn in_root(script: &str, files: impl FnOnce() -> Result<Vec<PathBuf>, String>) -> Result<Done, String> {
    let id = process::stdout(Command::new("id").arg("-u"))?;
    if id.trim_ascii() != b"0" {
        return Ok(Done::Inapplicable("only root can change the root directory".into()));
    }
    match debian::install(MMDEBSTRAP) {
        Ok(()) => {}
        Err(Missing::NoApt(why)) => return Ok(Done::NotRun(why)),
        Err(Missing::Failed(why)) => return Err(why),
    }
    let root = root()?;
    let place = root.join("tmp/hashlanes");
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    for file in files()? {
        let to = place.join(file.file_name().expect("it is a file"));
        fs::copy(&file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let mut command = Command::new("chroot");
    command.arg(&root).args(["sh", "-exc", script]).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    workspace::unforced(&mut command);
    process::run(&mut command)?.checked()?;
    Ok(Done::Check)
}

/// A root directory with this system's version of Debian and the packages [`INCLUDED`]; made once.
fn root() -> Result<PathBuf, String> {
    let root = workspace::scratch("c").join("debian");
    let complete = root.join("complete");
    if fs::read_to_string(&complete).is_ok_and(|included| included == INCLUDED) {
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
    mmdebstrap.args(["--quiet", "--variant=apt", &format!("--include={INCLUDED}"), suite]).arg(&root);
    process::run(&mut mmdebstrap)?.checked()?;
    fs::write(&complete, INCLUDED).map_err(|error| format!("{}: {error}", complete.display()))?;
    Ok(root)
}
