//! The packages of others that are compiled into the library and the program: their licences and sources,
//! the page that lists them with reasons, and the bills of materials.
//!
//! | file | holds |
//! |---|---|
//! | `packages.rs` | the packages, as cargo lists them |
//! | `page.rs` | the table of the page |
//! | `sources.rs` | what the sources of a package show |
//!
//! The licences are compared with `deny.toml` here, too: `cargo deny` is not installed everywhere.

mod packages;
mod page;
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::workspace;
use packages::{Id, checksums, id, metadata, packages, shipped, tree};

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Macros and their parts, which run during the build.
const BUILD_ONLY: [&str; 8] =
    ["clap_derive", "heck", "proc-macro2", "quote", "serde_derive", "syn", "unicode-ident", "zeroize_derive"];

/// Packages in two versions: the feature `digest-0-10` is for crates that still require the older one.
const IN_TWO_VERSIONS: [&str; 4] = ["block-buffer", "const-oid", "crypto-common", "digest"];

/// Checks licences, sources, duplicates and the page.
///
/// # Errors
/// All that is wrong.
pub(crate) fn check() -> Result<(), String> {
    let (metadata, allowed, shipped) = (metadata()?, allowed_licences()?, shipped()?);
    let mut wrong = Vec::new();
    for package in packages(&metadata) {
        let (name, version) = id(package);
        if let Some(source) = package["source"].as_str().filter(|source| *source != CRATES_IO) {
            wrong.push(format!("{name} {version}: from {source}, not from crates.io"));
        }
        let licence = package["license"].as_str().unwrap_or("none");
        if shipped.contains(&(name.clone(), version.clone())) && !is_allowed(licence, &allowed) {
            wrong.push(format!("{name} {version}: the licence {licence} is not in deny.toml"));
        }
    }
    let others: Vec<&Id> = shipped.iter().filter(|(name, _)| !name.starts_with("hashlanes")).collect();
    for pair in others.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let name = &*pair[0].0;
        if !BUILD_ONLY.contains(&name) && !IN_TWO_VERSIONS.contains(&name) {
            wrong.push(format!("{}: versions {} and {}", pair[0].0, pair[0].1, pair[1].1));
        }
    }
    wrong.extend(page::check(&metadata, &shipped).err());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Writes the columns of the page that the packages' sources show.
///
/// # Errors
/// If a package has no reason yet: its row is there for it.
pub(crate) fn write() -> Result<(), String> {
    page::write(&metadata()?, &shipped()?)
}

/// What has a bill of materials: the file's name, the package, and its type by CycloneDX. The C library's is
/// also that of the Node package, which contains it. Wheels contain theirs, which maturin writes.
const BILLS: [(&str, &str, &str); 2] =
    [("hashlanes", "hashlanes-cli", "application"), ("libhashlanes", "hashlanes-capi", "library")];

/// Writes the bills of materials in CycloneDX's JSON; returns their paths.
///
/// # Errors
/// If cargo fails, or a file cannot be written.
pub(crate) fn sbom() -> Result<Vec<PathBuf>, String> {
    let (metadata, checksums) = (metadata()?, checksums()?);
    BILLS.iter().map(|(name, package, kind)| bill(name, package, kind, &metadata, &checksums)).collect()
}

fn bill(
    name: &str,
    of: &str,
    kind: &str,
    metadata: &Value,
    checksums: &BTreeMap<Id, String>,
) -> Result<PathBuf, String> {
    let host = workspace::Toolchain::of(&workspace::rustc())?.host;
    let compiled = tree(&["-p", of, "--target", &host])?;
    let purl = |(name, version): &Id| format!("pkg:cargo/{name}@{version}");
    let of_id: BTreeMap<&str, Id> =
        packages(metadata).filter_map(|package| Some((package["id"].as_str()?, id(package)))).collect();
    let component = |package: &Value| {
        let id = id(package);
        let mut component = json!({
            "type": if id.0 == of { kind } else { "library" },
            "bom-ref": purl(&id),
            "name": &id.0,
            "version": &id.1,
            "purl": purl(&id),
        });
        if let Some(licence) = package["license"].as_str() {
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(checksum) = checksums.get(&id) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        component
    };
    let is_compiled = |package: &&Value| compiled.contains(&id(package));
    let (subject, components): (Vec<Value>, Vec<Value>) =
        packages(metadata).filter(is_compiled).map(component).partition(|component| component["name"] == of);
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let dependencies: Vec<Value> = nodes
        .filter_map(|node| Some((of_id.get(node["id"].as_str()?)?, node)))
        .filter(|(id, _)| compiled.contains(*id))
        .map(|(id, node)| {
            let on = node["dependencies"].as_array().into_iter().flatten();
            let on: Vec<String> = on
                .filter_map(|other| of_id.get(other.as_str()?))
                .filter(|other| compiled.contains(*other))
                .map(purl)
                .collect();
            json!({ "ref": purl(id), "dependsOn": on })
        })
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": subject.first() },
        "components": components,
        "dependencies": dependencies,
    });
    let path = workspace::target().join("sbom").join(format!("{name}.cdx.json"));
    let failed = |error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().expect("a directory")).map_err(failed)?;
    let text = serde_json::to_string_pretty(&bill).expect("JSON") + "\n";
    fs::write(&path, text).map_err(failed)?;
    Ok(path)
}

/// The licences in `deny.toml`.
fn allowed_licences() -> Result<Vec<String>, String> {
    let text = workspace::read("deny.toml")?;
    let (_, rest) = text.split_once("allow = [").ok_or("deny.toml has no list of licences")?;
    let (list, _) = rest.split_once(']').ok_or("deny.toml: the list of licences has no end")?;
    Ok(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// Returns whether an expression of SPDX can be met by allowed licences. `/` is an old form of `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = expression.split_whitespace().collect();
    let mut at = 0;
    alternatives(&words, &mut at, allowed) && at == words.len()
}

/// `a AND b OR c`, up to the end or a closing parenthesis.
fn alternatives(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut is_met = false;
    loop {
        let mut are_met = true;
        loop {
            are_met &= one(words, at, allowed);
            if words.get(*at) != Some(&"AND") {
                break;
            }
            *at += 1;
        }
        is_met |= are_met;
        if words.get(*at) != Some(&"OR") {
            return is_met;
        }
        *at += 1;
    }
}

/// A licence, with its exception, or an expression in parentheses.
fn one(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let is_met = alternatives(words, at, allowed);
        *at += 1;
        return is_met;
    }
    let mut name = (*word).to_owned();
    if let Some(["WITH", exception]) = words.get(*at..*at + 2) {
        name = format!("{name} WITH {exception}");
        *at += 2;
    }
    allowed.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_licences() {
        let allowed =
            ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"].map(String::from);
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("Unlicense/MIT", true),
            ("MIT OR Apache-2.0 OR LGPL-2.1-or-later", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR Apache-2.0) AND GPL-3.0", false),
            ("GPL-3.0 AND MIT OR MIT", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
            ("GPL-2.0 WITH Classpath-exception-2.0", false),
            ("MIT MIT", false),
            ("none", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
        assert!(allowed_licences().unwrap().contains(&"BSD-3-Clause".to_owned()));
    }
}
