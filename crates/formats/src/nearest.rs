//! Suggestions for unknown names.

/// Returns the error message for an unknown name: the kind of name, the nearest known name, and all of them.
///
/// ```
/// use hashlanes_formats::nearest::unknown_name;
///
/// let message = unknown_name("hash", "sha265", &["sha1", "sha256"]);
/// assert_eq!(message, r#"unknown hash "sha265"; did you mean sha256? Known: sha1, sha256"#);
/// assert_eq!(unknown_name("hash", "crc", &["sha1"]), r#"unknown hash "crc"; expected one of sha1"#);
/// ```
pub fn unknown_name(object: &str, name: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("unknown {object} {name:?}; did you mean {meant}? Known: {all}"),
        None => format!("unknown {object} {name:?}; expected one of {all}"),
    }
}

/// Returns the known name with the fewest edits, unless most of its characters differ. Case is ignored.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let with_edits = known.into_iter().map(|known| (edits(&name.to_lowercase(), known), known));
    let (edits, known) = with_edits.min_by_key(|(edits, _)| *edits)?;
    (2 * edits <= known.len()).then_some(known)
}

/// Returns the number of characters to insert, remove or replace (Levenshtein's distance).
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, n) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 2)] {
            assert_eq!((edits(a, b), edits(b, a)), (n, n));
        }
    }

    #[test]
    fn names_that_differ_in_most_characters_are_not_suggested() {
        assert_eq!(nearest("SHA-1", ["sha1", "sha256"]), Some("sha1"));
        assert_eq!(nearest("md5", ["sha1", "sha256"]), None);
    }
}
