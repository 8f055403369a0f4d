//! Installing the packages of Debian that checks need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::process;

/// Why packages are not there.
pub(crate) enum Missing {
    /// This machine has no apt that this user may use: steps that need the packages are skipped.
    NoApt(String),
    /// It has, and it failed.
    Failed(String),
}

/// A package, and a file that exists if it is installed.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) holds: &'static str,
}

/// Installs those of the packages that are missing.
///
/// # Errors
/// If they are not available; see [`Missing`].
pub(crate) fn install(packages: &[Package]) -> Result<(), Missing> {
    let missing: Vec<&str> =
        packages.iter().filter(|p| !Path::new(p.holds).exists()).map(|p| p.name).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let needs = |what: &str| Missing::NoApt(format!("{what}, and {} is not installed", missing.join(", ")));
    if !process::on_path("apt-get") {
        return Err(needs("there is no apt-get"));
    }
    if !is_root() && !process::on_path("sudo") {
        return Err(needs("this user is not root and there is no sudo"));
    }
    newest(&missing).map_err(Missing::Failed)?;
    match packages.iter().find(|package| !Path::new(package.holds).exists()) {
        Some(package) => Err(Missing::Failed(format!("{} holds no {}", package.name, package.holds))),
        None => Ok(()),
    }
}

/// Installs the newest available versions of packages.
///
/// # Errors
/// If apt fails.
pub(crate) fn newest(names: &[&str]) -> Result<(), String> {
    update();
    let mut apt = apt_get();
    process::run(apt.args(["install", "-y", "--no-install-recommends"]).args(names))?.checked().map(drop)
}

/// Downloads a package of another architecture and unpacks it below `to`, without installing it or telling
/// the system of that architecture: apt is given lists of its own.
///
/// # Errors
/// If apt or dpkg fails.
pub(crate) fn unpack_foreign(name: &str, version: &str, architecture: &str, to: &Path) -> Result<(), String> {
    let own = to.join("apt");
    let (lists, archives) = (own.join("lists/partial"), own.join("cache/archives/partial"));
    for directory in [&lists, &archives] {
        fs::create_dir_all(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    let native = process::stdout(Command::new("dpkg").arg("--print-architecture"))?;
    let native = String::from_utf8_lossy(&native).trim().to_owned();
    let architectures =
        [native, architecture.to_owned()].map(|architecture| format!("APT::Architectures::={architecture}"));
    // A source that cannot be reached may be another one than the package's: the download decides.
    let _ = apt_with_lists(&own, &architectures, &["update"]);
    apt_with_lists(&own, &architectures, &["download", &format!("{name}:{architecture}={version}")])?;
    let archive = archive_in(&own)?;
    process::run(Command::new("dpkg").arg("-x").arg(&archive).arg(to))?.checked()?;
    fs::remove_dir_all(&own).map_err(|error| format!("{}: {error}", own.display()))
}

/// Downloads packages of another architecture with all that they depend on, and unpacks them below `to`, as
/// [`unpack_foreign`] does one.
///
/// # Errors
/// If apt or dpkg fails.
pub(crate) fn unpack_foreign_with_dependencies(
    names: &[&str],
    architecture: &str,
    to: &Path,
) -> Result<(), String> {
    let own = to.join("apt");
    let archives = own.join("cache/archives");
    for directory in [own.join("lists/partial"), archives.join("partial")] {
        fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    }
    // A system of that architecture on which nothing is installed.
    let status = own.join("status");
    fs::write(&status, "").map_err(|error| format!("{}: {error}", status.display()))?;
    let options = [
        format!("APT::Architecture={architecture}"),
        format!("APT::Architectures::={architecture}"),
        format!("Dir::State::status={}", status.display()),
        "APT::Install-Recommends=false".into(),
        "Debug::NoLocking=true".into(),
    ];
    let _ = apt_with_lists(&own, &options, &["update"]);
    apt_with_lists(&own, &options, &[&["-y", "--download-only", "install"][..], names].concat())?;
    unpack_archives(&archives, to)?;
    fs::remove_dir_all(&own).map_err(|error| format!("{}: {error}", own.display()))
}

/// Downloads packages of another release of Debian with all that they depend on, for this machine, and
/// unpacks them below `to`, without installing them.
///
/// # Errors
/// If apt or dpkg fails.
pub(crate) fn unpack_of_release(release: &str, names: &[&str], to: &Path) -> Result<(), String> {
    let own = to.join("apt");
    let archives = own.join("cache/archives");
    let failed = |error| format!("{}: {error}", own.display());
    for directory in [own.join("lists/partial"), archives.join("partial")] {
        fs::create_dir_all(&directory).map_err(failed)?;
    }
    let (status, sources) = (own.join("status"), own.join("sources.list"));
    fs::write(&status, "").map_err(failed)?;
    fs::write(&sources, format!("deb http://deb.debian.org/debian {release} main\n")).map_err(failed)?;
    let options = [
        format!("Dir::State::status={}", status.display()),
        format!("Dir::Etc::sourcelist={}", sources.display()),
        "Dir::Etc::sourceparts=/dev/null".into(),
        "APT::Install-Recommends=false".into(),
        "Debug::NoLocking=true".into(),
    ];
    apt_with_lists(&own, &options, &["update"])?;
    apt_with_lists(&own, &options, &[&["-y", "--download-only", "install"][..], names].concat())?;
    unpack_archives(&archives, to)?;
    fs::remove_dir_all(&own).map_err(failed)
}

fn unpack_archives(archives: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(archives).map_err(|error| format!("{}: {error}", archives.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    for archive in paths.filter(|path| path.extension().is_some_and(|e| e == "deb")) {
        process::run(Command::new("dpkg").arg("-x").arg(&archive).arg(to))?.checked()?;
    }
    Ok(())
}

/// `apt-get` with lists and archives below `own`.
fn apt_with_lists(own: &Path, options: &[String], arguments: &[&str]) -> Result<String, String> {
    let mut apt = Command::new("apt-get");
    apt.current_dir(own);
    let places = [
        format!("Dir::State::lists={}", own.join("lists").display()),
        format!("Dir::Cache={}", own.join("cache").display()),
    ];
    for option in options.iter().chain(&places) {
        apt.args(["-o", option]);
    }
    if is_root() {
        apt.args(["-o", "APT::Sandbox::User=root"]); // Its other user may not write here.
    }
    process::run(apt.args(arguments))?.checked()
}

/// The version of an installed package.
///
/// # Errors
/// If it is not installed.
pub(crate) fn version(package: &str) -> Result<String, String> {
    let query = process::stdout(Command::new("dpkg-query").args(["-W", "-f", "${Version}", package]))?;
    Ok(String::from_utf8_lossy(&query).into_owned())
}

fn archive_in(directory: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(|path| path.extension().is_some_and(|e| e == "deb"))
        .ok_or_else(|| "apt brought no package".into())
}

/// Reads the sources' lists, once. One that cannot be reached may be no matter: the installation decides.
fn update() {
    static UPDATED: OnceLock<()> = OnceLock::new();
    UPDATED.get_or_init(|| drop(process::run(apt_get().arg("update"))));
}

/// apt-get as root, that asks nothing and waits for another apt to end.
fn apt_get() -> Command {
    const WAIT: &str = "DPkg::Lock::Timeout=300";
    let silent = "DEBIAN_FRONTEND=noninteractive";
    let mut command = if is_root() {
        Command::new("env")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "env"]);
        sudo
    };
    command.args([silent, "apt-get", "-o", WAIT]);
    command
}

fn is_root() -> bool {
    process::stdout(Command::new("id").arg("-u")).is_ok_and(|id| id.trim_ascii() == b"0")
}
