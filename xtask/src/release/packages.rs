//! The packages for the registries, and the bills of materials.

use std::path::{Path, PathBuf};

use super::files::{copy_into, named};
use super::program;
use crate::capi::{self, Places};
use crate::steps::Done;
use crate::test::{bindings, publish, python};
use crate::{deb, dependencies, process, workspace};

/// Packages the crates in the order of their dependencies, and builds each from its package.
pub(super) fn crates(files: &Path) -> Result<Done, String> {
    publish::dry_run()?;
    for package in named(&publish::packages(), ".crate")? {
        copy_into(files, &package)?;
    }
    Ok(Done::Check)
}

/// Builds the Debian packages.
pub(super) fn debian(files: &Path) -> Result<Done, String> {
    if let Some(missing) = ["dpkg", "dpkg-deb", "cc"].into_iter().find(|name| !process::on_path(name)) {
        return Ok(Done::NotRun(format!("{missing} is not installed")));
    }
    let of_c_library = deb::of_c_library(&capi::release_archive()?)?;
    for package in of_c_library.into_iter().chain([deb::of_program(&program::for_debian()?)?]) {
        copy_into(files, &package)?;
    }
    Ok(Done::Check)
}

/// Builds the Python package for each platform.
pub(super) fn wheels(files: &Path) -> Result<Done, String> {
    match python::all_wheels()? {
        Ok(wheels) => {
            wheels.iter().try_for_each(|wheel| copy_into(files, wheel).map(drop)).map(|()| Done::Check)
        }
        Err(why) => Ok(Done::NotRun(why)),
    }
}

/// Packs the Node package with an addon for this platform.
pub(super) fn node(files: &Path) -> Result<Done, String> {
    if let Some(why) = bindings::no_node()? {
        return Ok(Done::NotRun(why));
    }
    let package = bindings::pack(&library()?)?;
    copy_into(files, &package).map(|_| Done::Check)
}

/// Installs the C library, against which addons are linked; returns its prefix.
fn library() -> Result<PathBuf, String> {
    let prefix = workspace::scratch("release").join("prefix");
    workspace::empty(&prefix)?;
    capi::install(&capi::release_archive()?, &Places::below(&prefix))?;
    Ok(prefix)
}

/// Writes the bills of materials of the program and of the C library.
pub(super) fn bills_of_materials(files: &Path) -> Result<(), String> {
    dependencies::sbom()?.iter().try_for_each(|bill| copy_into(files, bill).map(drop))
}
