//! Rules of a .gitignore (gitignore(5)), in the syntax of the crate `ignore`.
//!
//! Its globs are not quite git's. Each of these differences would skip files that git keeps, or the reverse:
//!
//! 1. Braces are alternatives there; to git, they mean themselves.
//! 2. In a class, git reads `\` as an escape, and `[:alpha:]` as a class of characters; there, both are
//!    single characters.
//! 3. A class never matches a slash in git; a negated one does there.
//! 4. A rule whose class has no end, or that ends with a lone `\`, matches nothing in git; there, the bracket
//!    and the backslash mean themselves.
//! 5. A rule that ends with two slashes matches nothing in git, because no path ends with one; there, `**//`
//!    matches every directory.
//! 6. Git cuts blanks at the end of a line, and a carriage return; there, all white space is cut.

use std::iter::Peekable;
use std::str::Chars;

/// Bytes of a line, as of the longest path: the time for a class grows with the square of its length.
const LONGEST: usize = 4096;

/// Returns the rule of a line, which has no newline; `None` for a comment, an empty line, and a rule that no
/// path satisfies. The rule begins with a slash, after the `!` of a negated one, so it is valid for the whole
/// path.
///
/// # Errors
/// The mistake of a rule that git silently ignores; and a line of more than 4096 bytes, which git heeds.
///
/// # Examples
/// ```
/// use hashlanes_formats::ignore_rule::rule;
/// assert_eq!(rule("*.o"), Ok(Some("/**/*.o".into())));
/// assert_eq!(rule("!/a{1}/"), Ok(Some("!/a\\{1\\}/".into())));
/// assert_eq!(rule("# a comment"), Ok(None));
/// ```
pub fn rule(line: &str) -> Result<Option<String>, &'static str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.starts_with('#') {
        return Ok(None);
    }
    if line.len() > LONGEST {
        return Err("longer than 4096 bytes");
    }
    let line = without_blanks(line);
    let (mark, pattern) = line.strip_prefix('!').map_or(("", line), |pattern| ("!", pattern));
    let (pattern, only_directories) =
        pattern.strip_suffix('/').map_or((pattern, ""), |pattern| (pattern, "/"));
    // Without a slash, it is valid for names in any directory.
    let anywhere = if pattern.contains('/') { "" } else { "**/" };
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    if pattern.is_empty() {
        return Ok(None);
    }
    let glob = glob(pattern)?.filter(|glob| !glob.ends_with('/'));
    let glob = glob.map(|glob| match glob.chars().next_back() {
        // All white space at the end would be cut, and so would a backslash before the last slash.
        Some(last) if last.is_whitespace() => format!("{}{{{last}}}", &glob[..glob.len() - last.len_utf8()]),
        Some('\\') => format!("{}[\\]", &glob[..glob.len() - 2]),
        _ => glob,
    });
    Ok(glob.map(|glob| format!("{mark}/{anywhere}{glob}{only_directories}")))
}

/// Cuts the blanks at the end, except an escaped one.
fn without_blanks(line: &str) -> &str {
    let end = line.trim_end_matches(' ');
    let n_backslashes = end.len() - end.trim_end_matches('\\').len();
    let is_escaped = n_backslashes % 2 == 1 && end.len() < line.len();
    &line[..end.len() + usize::from(is_escaped)]
}

/// Converts a glob; `None` if nothing satisfies it.
fn glob(pattern: &str) -> Result<Option<String>, &'static str> {
    let mut glob = String::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => literal(&mut glob, chars.next().ok_or("a backslash at the end")?),
            '?' => glob.push('?'),
            '*' => {
                // Two are special as a whole component; elsewhere, any number is one.
                let begins = glob.is_empty() || glob.ends_with('/');
                let n = 1 + std::iter::from_fn(|| chars.next_if_eq(&'*')).count();
                let mut rest = chars.clone();
                let ends = match rest.next() {
                    Some('\\') => rest.next() == Some('/'),
                    next => next.is_none_or(|next| next == '/'),
                };
                glob.push_str(if n > 1 && begins && ends { "**" } else { "*" });
            }
            '[' => match class(&mut chars)? {
                Some(class) => glob.push_str(&class),
                None => return Ok(None),
            },
            _ => literal(&mut glob, c),
        }
    }
    Ok(Some(glob))
}

fn literal(glob: &mut String, c: char) {
    if "*?[]{}\\".contains(c) {
        glob.push('\\');
    }
    glob.push(c);
}

/// The characters of a class.
struct Set {
    ascii: [bool; 128],
    /// Others, and ranges that end with one.
    others: String,
}

impl Set {
    fn add(&mut self, c: char) {
        match self.ascii.get_mut(c as usize) {
            Some(is_in) => *is_in = true,
            None => self.others.push(c),
        }
    }

    fn add_range(&mut self, from: char, to: char) {
        (from..=to.min('\x7f')).for_each(|c| self.add(c));
        let from = from.max('\u{80}');
        if from <= to {
            self.others.extend([from, '-', to]);
        }
    }

    /// Adds a class of characters, such as `alpha`, in ASCII.
    fn add_class(&mut self, name: &str) -> Result<(), &'static str> {
        let is_in: fn(&u8) -> bool = match name {
            "alnum" => u8::is_ascii_alphanumeric,
            "alpha" => u8::is_ascii_alphabetic,
            "blank" => |c| b" \t".contains(c),
            "cntrl" => u8::is_ascii_control,
            "digit" => u8::is_ascii_digit,
            "graph" => u8::is_ascii_graphic,
            "lower" => u8::is_ascii_lowercase,
            "print" => |c| c.is_ascii_graphic() || *c == b' ',
            "punct" => u8::is_ascii_punctuation,
            "space" => |c| b" \t\n\r".contains(c),
            "upper" => u8::is_ascii_uppercase,
            "xdigit" => u8::is_ascii_hexdigit,
            _ => return Err("an unknown class of characters"),
        };
        (0..128).filter(is_in).for_each(|c| self.add(c.into()));
        Ok(())
    }

    /// The class for the crate; `None` if it is empty.
    fn written(mut self, is_negated: bool) -> Option<String> {
        self.ascii[usize::from(b'/')] = is_negated;
        let is_special = |c: &char| "]-!^".contains(*c);
        let all: Vec<char> =
            (0_u8..).zip(self.ascii).filter(|(_, is_in)| *is_in).map(|(c, _)| c.into()).collect();
        // A closing bracket means itself if it is the first, a hyphen at the end, `!` and `^` elsewhere.
        let has = |c: &char| all.contains(c).then_some(*c);
        let mut class: String = has(&']').into_iter().collect();
        class.extend(all.iter().filter(|c| !is_special(c)));
        class.push_str(&self.others);
        let marks: String = "!^".chars().filter_map(|c| has(&c)).collect();
        let hyphen: String = has(&'-').into_iter().collect();
        match (class.is_empty() && !is_negated, &*marks, &*hyphen) {
            (true, "", "") => None,
            (true, "", _) => Some("[-]".into()),
            (true, "!" | "^", "") => Some(marks),
            (true, _, "") => Some("{!,^}".into()),
            (true, _, _) => Some(format!("[-{marks}]")),
            (false, _, _) => Some(format!("[{}{class}{marks}{hyphen}]", if is_negated { "!" } else { "" })),
        }
    }
}

/// Reads a class after its opening bracket; `None` if it is empty.
fn class(chars: &mut Peekable<Chars<'_>>) -> Result<Option<String>, &'static str> {
    const NO_END: &str = "a class without its closing bracket";
    let mut set = Set { ascii: [false; 128], others: String::new() };
    let is_negated = chars.next_if(|c| "!^".contains(*c)).is_some();
    // The character before, with which a range begins.
    let mut before = None;
    let mut c = chars.next().ok_or(NO_END)?;
    loop {
        let mut follows = chars.clone();
        before = match (c, before) {
            ('\\', _) => {
                let c = chars.next().ok_or(NO_END)?;
                set.add(c);
                Some(c)
            }
            ('-', Some(from)) if follows.next().is_some_and(|next| next != ']') => {
                let mut to = chars.next().ok_or(NO_END)?;
                if to == '\\' {
                    to = chars.next().ok_or(NO_END)?;
                }
                set.add_range(from, to);
                None
            }
            ('[', _) if chars.peek() == Some(&':') => {
                let rest: String = chars.clone().skip(1).take_while(|c| *c != ']').collect();
                match rest.strip_suffix(':') {
                    Some(name) => {
                        set.add_class(name)?;
                        chars.nth(rest.chars().count() + 1).ok_or(NO_END)?;
                        None
                    }
                    None => {
                        set.add('[');
                        Some('[')
                    }
                }
            }
            (c, _) => {
                set.add(c);
                Some(c)
            }
        };
        c = chars.next().ok_or(NO_END)?;
        if c == ']' {
            return Ok(set.written(is_negated));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        for (line, expected) in [
            ("", None),
            ("   ", None),
            ("/", None),
            ("#a", None),
            ("\\#a", Some("/**/#a")),
            ("\\!a", Some("/**/!a")),
            ("a", Some("/**/a")),
            ("!a/", Some("!/**/a/")),
            ("/a", Some("/a")),
            ("a/b", Some("/a/b")),
            ("a  ", Some("/**/a")),
            ("a\\  ", Some("/**/a{ }")),
            ("a\\\\ ", Some("/**/a[\\]")),
            ("\\\\/", Some("/**/[\\]/")),
            ("a\t\r", Some("/**/a{\t}")),
            ("{a,b}", Some("/**/\\{a,b\\}")),
            ("a**b", Some("/**/a*b")),
            ("a/***/b", Some("/a/**/b")),
            ("[]a]", Some("/**/[]a]")),
            ("[^a]", Some("/**/[!/a]")),
            ("[a\\]]", Some("/**/[]a]")),
            ("[c-a]", Some("/**/[c]")),
            ("[!-]", Some("/**/[!/-]")),
            ("[\\!]", Some("/**/!")),
            ("[\\^!]", Some("/**/{!,^}")),
            ("[\\^-]", Some("/**/[-^]")),
            ("[/]", None),
            ("a//", None),
            ("a\\//", None),
            ("***//", None),
            ("[[:digit:]-]", Some("/**/[0123456789-]")),
            ("[[:digit]", Some("/**/[:[dgit]")),
            ("[é-ü]", Some("/**/[éé-ü]")),
        ] {
            assert_eq!(rule(line), Ok(expected.map(str::to_owned)), "{line:?}");
        }
    }

    #[test]
    fn mistakes() {
        for (line, expected) in [
            ("a\\", "a backslash at the end"),
            ("*\\/", "a backslash at the end"),
            ("[a", "a class without its closing bracket"),
            ("[]", "a class without its closing bracket"),
            ("[[:alpha:]", "a class without its closing bracket"),
            ("[[:letter:]]", "an unknown class of characters"),
        ] {
            assert_eq!(rule(line), Err(expected), "{line:?}");
        }
        assert_eq!(rule(&"a*".repeat(2049)), Err("longer than 4096 bytes"));
    }
}
