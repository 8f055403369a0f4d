//! Rules of a .gitignore: as the program matches them, with gitignore(5) taken literally.

use hashlanes_formats::ignore_rule::rule;
use ignore::gitignore::GitignoreBuilder;

use crate::input::Input;

/// Runs the target: a line, and a path.
///
/// # Panics
/// If a rule is not valid for the crate `ignore`, or another path than by the manual is ignored.
pub fn run(data: &[u8]) {
    /// The oracle tries all ways to match.
    const LONGEST: usize = 40;
    let mut input = Input::new(data);
    let is_directory = input.is();
    let text = input.rest();
    let (line, path) = text.split_at(text.iter().position(|b| *b == b'\n').unwrap_or(text.len()));
    let (Ok(line), Ok(path)) = (str::from_utf8(line), str::from_utf8(path)) else { return };
    let is_name = |name: &&str| !matches!(*name, "" | "." | "..");
    let path = path.split(['/', '\n', '\0']).filter(is_name).collect::<Vec<_>>().join("/");
    if path.is_empty() || path.len() > LONGEST || line.len() > LONGEST {
        return;
    }
    let mut builder = GitignoreBuilder::new("");
    if let Ok(Some(rule)) = rule(line) {
        builder.add_line(None, &rule).unwrap_or_else(|error| panic!("{line:?}: {rule:?}: {error}"));
    }
    let file = builder.build().unwrap_or_else(|error| panic!("{line:?}: {error}"));
    let matched = file.matched(&path, is_directory);
    let said = (!matched.is_none()).then(|| matched.is_ignore());
    assert_eq!(said, expected(line.as_bytes(), path.as_bytes(), is_directory), "{line:?} {path:?}");
}

/// Whether a path is ignored, or kept by a rule with `!`; `None` if the rule says nothing about it.
fn expected(line: &[u8], path: &[u8], is_directory: bool) -> Option<bool> {
    let mut line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.starts_with(b"#") {
        return None;
    }
    while let [before @ .., b' '] = line {
        let n_backslashes = before.iter().rev().take_while(|b| **b == b'\\').count();
        if n_backslashes % 2 == 1 {
            break;
        }
        line = before;
    }
    let (is_ignored, line) = line.strip_prefix(b"!").map_or((true, line), |line| (false, line));
    let (only_directories, line) = line.strip_suffix(b"/").map_or((false, line), |line| (true, line));
    if only_directories && !is_directory {
        return None;
    }
    let subject = if line.contains(&b'/') { path } else { path.rsplit(|b| *b == b'/').next()? };
    let pattern = line.strip_prefix(b"/").unwrap_or(line);
    (!pattern.is_empty() && matches(pattern, true, subject)).then_some(is_ignored)
}

/// Whether a text satisfies a pattern, of which `begins` says that it is at the beginning of a component.
fn matches(pattern: &[u8], begins: bool, text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', ..] => {
            let n = pattern.iter().take_while(|b| **b == b'*').count();
            let rest = &pattern[n..];
            let after = rest.strip_prefix(b"\\").filter(|after| after.starts_with(b"/")).unwrap_or(rest);
            let is_component = n > 1 && begins && matches!(after, [] | [b'/', ..]);
            if is_component && after.is_empty() {
                return !text.is_empty();
            }
            if is_component && matches(&after[1..], true, text) {
                return true;
            }
            let longest = text.iter().position(|b| *b == b'/' && !is_component).unwrap_or(text.len());
            (0..=longest).any(|taken| matches(rest, false, &text[taken..]))
        }
        [b'?', rest @ ..] => text.first().is_some_and(|b| *b != b'/') && matches(rest, false, &text[1..]),
        [b'[', rest @ ..] => {
            let Some((set, rest)) = class(rest) else { return false };
            text.first().is_some_and(|b| *b != b'/' && set[usize::from(*b)])
                && matches(rest, false, &text[1..])
        }
        [b'\\'] => false,
        [b'\\', c, rest @ ..] | [c, rest @ ..] => {
            text.first() == Some(c) && matches(rest, *c == b'/', &text[1..])
        }
    }
}

/// The bytes of a class, which begins after its bracket, and what follows it.
fn class(mut rest: &[u8]) -> Option<([bool; 256], &[u8])> {
    let mut set = [false; 256];
    let is_negated = matches!(rest.first()?, b'!' | b'^');
    rest = &rest[usize::from(is_negated)..];
    let (mut is_first, mut before) = (true, None);
    loop {
        let (&c, after) = rest.split_first()?;
        rest = after;
        if c == b']' && !is_first {
            return Some((set.map(|is_in| is_in != is_negated), rest));
        }
        is_first = false;
        let name =
            rest.strip_prefix(b":").and_then(|name| Some(&name[..name.iter().position(|b| *b == b']')?]));
        match (c, before, name.and_then(|name| name.strip_suffix(b":"))) {
            (b'[', _, Some(name)) => {
                let name = str::from_utf8(name).ok()?;
                let (_, is_in) = CLASSES.iter().find(|(known, _)| *known == name)?;
                (0..=127).filter(|b| is_in(*b)).for_each(|b| set[usize::from(b)] = true);
                rest = &rest[name.len() + 3..];
                before = None;
            }
            (b'-', Some(from), _) if rest.first().is_some_and(|next| *next != b']') => {
                let n = 1 + usize::from(rest[0] == b'\\');
                let to = *rest.get(n - 1)?;
                rest = &rest[n..];
                (from..=to).for_each(|b: u8| set[usize::from(b)] = true);
                before = None;
            }
            _ => {
                let mut c = c;
                if c == b'\\' {
                    (c, rest) = rest.split_first().map(|(c, rest)| (*c, rest))?;
                }
                set[usize::from(c)] = true;
                before = Some(c);
            }
        }
    }
}

type Class = fn(u8) -> bool;

/// POSIX's classes of characters in ASCII.
const CLASSES: [(&str, Class); 12] = [
    ("alnum", |b| b.is_ascii_alphanumeric()),
    ("alpha", |b| b.is_ascii_alphabetic()),
    ("blank", |b| b == b' ' || b == b'\t'),
    ("cntrl", |b| b < 32 || b == 127),
    ("digit", |b| b.is_ascii_digit()),
    ("graph", |b| (33..127).contains(&b)),
    ("lower", |b| b.is_ascii_lowercase()),
    ("print", |b| (32..127).contains(&b)),
    ("punct", |b| b.is_ascii_punctuation()),
    ("space", |b| b" \t\n\r".contains(&b)),
    ("upper", |b| b.is_ascii_uppercase()),
    ("xdigit", |b| b.is_ascii_hexdigit()),
];
