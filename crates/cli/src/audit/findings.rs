//! What an audit found, as it is printed.

use serde_json::{Map, Value, json};

use crate::encoding::line_with_name;

/// The findings, names in order.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) changed: Vec<Vec<u8>>,
    pub(super) moved: Vec<(Vec<u8>, Vec<u8>)>,
    pub(super) new: Vec<Vec<u8>>,
    pub(super) missing: Vec<Vec<u8>>,
    pub(super) n_same: usize,
}

impl Findings {
    pub(super) fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.new.is_empty() && self.missing.is_empty()
    }

    /// A line for each finding; names are escaped as in manifests, with a backslash before the line.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut line = |word: &str, name: &[u8], to: Option<&[u8]>| {
            let names = to.map_or_else(|| name.to_vec(), |to| [name, b" -> ", to].concat());
            text.extend_from_slice(&line_with_name(word.as_bytes(), &names, b""));
        };
        self.changed.iter().for_each(|name| line("changed  ", name, None));
        self.moved.iter().for_each(|(old, new)| line("moved    ", old, Some(new)));
        self.new.iter().for_each(|name| line("new      ", name, None));
        self.missing.iter().for_each(|name| line("missing  ", name, None));
        text
    }

    pub(super) fn summary(&self) -> String {
        let Findings { changed, moved, new, missing, n_same } = self;
        let (changed, moved, new, missing) = (changed.len(), moved.len(), new.len(), missing.len());
        format!("{n_same} the same, {changed} changed, {moved} moved, {new} new, {missing} missing")
    }

    pub(super) fn json(&self) -> Vec<u8> {
        use base64ct::{Base64, Encoding};
        // As in manifests: a name that is no text is base64.
        let named = |mut object: Map<String, Value>, field: &str, name: &[u8]| {
            match std::str::from_utf8(name) {
                Ok(name) => object.insert(field.into(), name.into()),
                Err(_) => object.insert(format!("{field}_base64"), Base64::encode_string(name).into()),
            };
            object
        };
        let names = |names: &[Vec<u8>]| -> Vec<Value> {
            names.iter().map(|name| named(Map::new(), "name", name).into()).collect()
        };
        let moved =
            self.moved.iter().map(|(old, new)| named(named(Map::new(), "from", old), "to", new).into());
        let audit = json!({
            "same": self.n_same,
            "changed": names(&self.changed),
            "moved": moved.collect::<Vec<Value>>(),
            "new": names(&self.new),
            "missing": names(&self.missing),
        });
        format!("{audit}\n").into_bytes()
    }
}
