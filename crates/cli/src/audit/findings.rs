//! The printed findings of an audit.

use hashlanes_formats::audit::Findings;
use serde_json::{Map, Value, json};

use hashlanes_formats::encoding::{insert_name, line_with_name};

/// A line for each finding; names are escaped as in manifests, with a backslash before the line.
pub(super) fn text(findings: &Findings) -> Vec<u8> {
    let mut text = Vec::new();
    let mut line = |word: &str, name: &[u8], to: Option<&[u8]>| {
        let names = to.map_or_else(|| name.to_vec(), |to| [name, b" -> ", to].concat());
        text.extend_from_slice(&line_with_name(word.as_bytes(), &names, b""));
    };
    findings.changed.iter().for_each(|name| line("changed  ", name, None));
    findings.moved.iter().for_each(|(old, new)| line("moved    ", old, Some(new)));
    findings.new.iter().for_each(|name| line("new      ", name, None));
    findings.missing.iter().for_each(|name| line("missing  ", name, None));
    text
}

/// Returns a line with the number of files of each kind.
pub(super) fn summary(findings: &Findings) -> String {
    let Findings { changed, moved, new, missing, n_same } = findings;
    let (changed, moved, new, missing) = (changed.len(), moved.len(), new.len(), missing.len());
    format!("{n_same} the same, {changed} changed, {moved} moved, {new} new, {missing} missing")
}

/// A JSON object.
pub(super) fn json(findings: &Findings) -> Vec<u8> {
    let named = |mut object: Map<String, Value>, field: &str, name: &[u8]| {
        insert_name(&mut object, field, name);
        object
    };
    let names = |names: &[Vec<u8>]| -> Vec<Value> {
        names.iter().map(|name| named(Map::new(), "name", name).into()).collect()
    };
    let moved =
        findings.moved.iter().map(|(old, new)| named(named(Map::new(), "from", old), "to", new).into());
    let audit = json!({
        "same": findings.n_same,
        "changed": names(&findings.changed),
        "moved": moved.collect::<Vec<Value>>(),
        "new": names(&findings.new),
        "missing": names(&findings.missing),
    });
    format!("{audit}\n").into_bytes()
}
