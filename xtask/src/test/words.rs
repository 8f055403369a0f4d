//! The words and the width of prose: comments in Rust sources, and Markdown pages.
//!
//! The words below make a sentence ambiguous or hard to read. Quoted code, code blocks and links are not
//! prose.

use std::path::Path;

use crate::workspace;

/// A word, and the reason why it is not used, with words to use instead.
const WORDS: [(&str, &str); 9] = [
    ("told", "vague: reports, prints, documents, records, is given"),
    ("tells", "vague: reports, prints, documents, shows"),
    ("whoever", "hides the subject: the caller, the user, an attacker"),
    ("he", "programs and libraries are `it`; people: the caller, the user, they"),
    ("him", "programs and libraries are `it`; people: the caller, the user, them"),
    ("his", "programs and libraries have `its`; people: the caller's, the user's, their"),
    ("behind", "a place in a room: after, in addition to, slower"),
    ("beside", "a place in a room: next to, in addition to, at the same time"),
    ("be had", "idiom: available, started, read"),
];

/// The longest line of a comment. Rows of tables cannot be wrapped, and code is rustfmt's.
const COLUMNS: usize = 110;

/// Checks all sources and pages.
///
/// # Errors
/// Names every line with a word of the list, and every line of a comment that is too long.
pub(crate) fn check() -> Result<(), String> {
    let mut faults = Vec::new();
    for path in workspace::sources()? {
        let prose: fn(&str) -> Vec<Line<'_>> = match path.extension().and_then(|extension| extension.to_str())
        {
            Some("rs") => comments,
            Some("md") => pages,
            _ => continue,
        };
        faults.extend(of_lines(&path, &prose(&workspace::read(&path)?)));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// A line of prose, with its number from 1.
struct Line<'a> {
    number: usize,
    prose: &'a str,
    is_too_long: bool,
}

fn of_lines(path: &Path, lines: &[Line<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    for Line { number, prose, is_too_long } in lines {
        let place = format!("{}:{number}", path.display());
        if *is_too_long {
            faults.push(format!("{place}: a comment over {COLUMNS} columns"));
        }
        let prose = without_code(prose);
        let words = WORDS.iter().filter(|(word, _)| has_word(&prose, word));
        faults.extend(words.map(|(word, why)| format!("{place}: \"{word}\": {why}")));
    }
    faults
}

/// The lines of comments, except code in documentation.
fn comments(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(prose) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            // A comment after code; an address has no blank after its slashes.
            if let Some((_, prose)) = line.split_once(" // ") {
                lines.push(Line { number, prose, is_too_long: false });
            }
            continue;
        };
        let prose = prose.strip_prefix(['/', '!']).unwrap_or(prose).trim();
        let is_fence = prose.starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence {
            let is_too_long = line.chars().count() > COLUMNS && !prose.starts_with('|');
            lines.push(Line { number, prose, is_too_long });
        }
    }
    lines
}

/// The lines of a Markdown page, except code.
fn pages(text: &str) -> Vec<Line<'_>> {
    let mut is_code = false;
    let lines = (1..).zip(text.lines()).filter_map(|(number, prose)| {
        let is_fence = prose.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some(Line { number, prose, is_too_long: false })
    });
    lines.collect()
}

/// Removes text in backquotes.
fn without_code(prose: &str) -> String {
    prose.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Whether a text has a word, in lower or upper case, and not as a part of another one.
fn has_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step does the same; this test runs it without the others.
    #[test]
    fn all_prose_is_plain() {
        check().unwrap_or_else(|faults| panic!("{faults}"));
    }

    #[test]
    fn words_in_comments_are_found() {
        // The slashes are apart, because this file is checked, too.
        let source = concat!(
            "/// What is told.\n/// ```\n/// let he = 1;\n/// ```\n",
            "let told = 1; /",
            "/ behind `him`\nlet a = \"//he\";\n"
        );
        let faults = of_lines(Path::new("a.rs"), &comments(source));
        let found: Vec<&str> = faults.iter().map(|fault| &fault[..fault.find(": ").unwrap()]).collect();
        assert_eq!(found, ["a.rs:1", "a.rs:5"]);
        assert!(faults[1].contains("behind"));
    }

    #[test]
    fn long_comments_are_found() {
        let source = format!("// {0}\n// | {0} |\n{0}\n", "word ".repeat(30));
        assert_eq!(of_lines(Path::new("a.rs"), &comments(&source)).len(), 1);
    }

    #[test]
    fn parts_of_words_are_no_words() {
        assert!(has_word("He is", "he") && has_word("(his)", "his"));
        assert!(!has_word("the her ahe he_x", "he") && !has_word("this", "his"));
    }
}
