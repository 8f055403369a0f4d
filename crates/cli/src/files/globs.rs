//! Globs of the command line: they select files among those found.
//!
//! A glob is a line of a .gitignore that stood in the argument's directory: one without a slash is for names
//! at any depth, one with a slash for paths from the argument on, and one that ends with a slash for
//! directories. But here it is all glob: `#` begins no comment, blanks at the end count, and `!`, which turns
//! nothing around, is an error.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::platform;

/// The globs of --include and --exclude. A file must satisfy both, in any order of the options.
#[derive(Default)]
pub(crate) struct Globs {
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

/// The kind of a path, for a glob.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Directory,
    Other,
}

impl Globs {
    /// # Errors
    /// An invalid glob; the message names it.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Globs, String> {
        Ok(Globs { include: matcher("--include", include)?, exclude: matcher("--exclude", exclude)? })
    }

    /// Returns whether the path, from the argument on, is not to be hashed or entered.
    pub(super) fn exclude(&self, path: &[u8], kind: Kind) -> bool {
        self.exclude.as_ref().is_some_and(|globs| matches(globs, path, kind))
    }

    /// Returns whether the path is selected; a directory is selected with its content.
    pub(super) fn include(&self, path: &[u8], kind: Kind) -> bool {
        self.include.as_ref().is_none_or(|globs| matches(globs, path, kind))
    }
}

fn matches(globs: &Gitignore, path: &[u8], kind: Kind) -> bool {
    globs.matched(&*platform::os_str(path), kind == Kind::Directory).is_ignore()
}

fn matcher(option: &str, globs: &[String]) -> Result<Option<Gitignore>, String> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut builder = GitignoreBuilder::new("");
    // A class without its closing bracket is a mistake, although git accepts it.
    builder.allow_unclosed_class(false);
    for glob in globs {
        if glob.is_empty() {
            return Err(format!("{option}: an empty glob matches nothing"));
        }
        if glob.starts_with('!') {
            return Err(format!(
                "{option} {glob:?}: ! does not negate here; for a name that begins with !, write \\{glob}"
            ));
        }
        builder
            .add_line(None, &line(glob))
            .map_err(|error| format!("{option} {glob:?}: {}", words(&error)))?;
    }
    builder.build().map(Some).map_err(|error| format!("{option}: {}", words(&error)))
}

/// Returns the line of a .gitignore with the meaning of this glob.
fn line(glob: &str) -> String {
    let mark = if glob.starts_with('#') { "\\" } else { "" };
    match glob.chars().next_back() {
        Some(last) if last.is_whitespace() && !glob.ends_with("\\ ") => {
            format!("{mark}{}{{{last}}}", &glob[..glob.len() - last.len_utf8()])
        }
        _ => format!("{mark}{glob}"),
    }
}

/// Returns the fault of a glob.
pub(super) fn words(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(glob: &str, path: &str, kind: Kind) -> bool {
        Globs::new(&[], &[glob.into()]).unwrap().exclude(path.as_bytes(), kind)
    }

    #[test]
    fn globs_are_all_glob() {
        for (glob, path, expected) in [
            ("*.o", "a/b.o", true),
            ("*.o", "b.oo", false),
            ("/b.o", "a/b.o", false),
            ("/b.o", "b.o", true),
            ("a/*", "a/b", true),
            ("a/*", "x/a/b", false),
            ("**/a/*", "x/a/b", true),
            ("a/**", "a/b/c", true),
            ("#*#", "x/#auto#", true),
            ("\\!x", "!x", true),
            ("\\!x", "y", false),
            ("\\#x", "#x", true),
            ("x ", "x ", true),
            ("x ", "x", false),
            ("x\\ ", "x ", true),
            ("x\t", "x\t", true),
            ("x\u{a0}", "x\u{a0}", true),
            ("[ab]", "b", true),
            ("{a,b}", "b", true),
            (".*", ".hidden", true),
            (".*", "a/.hidden", true),
            (".*", "a", false),
        ] {
            assert_eq!(excluded(glob, path, Kind::Other), expected, "{glob:?} {path:?}");
        }
        assert!(excluded("a/", "x/a", Kind::Directory) && !excluded("a/", "x/a", Kind::Other));
        let glob = Globs::new(&[], &["\u{fffd}*".into(), "?".into()]).unwrap();
        assert!(glob.exclude(b"\xff", Kind::Other), "a byte that is no character is one all the same");
    }

    #[test]
    fn a_glob_is_not_negated() {
        let said = Globs::new(&[], &["!*.c".into()]).err().unwrap();
        assert_eq!(
            said,
            "--exclude \"!*.c\": ! does not negate here; for a name that begins with !, write \\!*.c"
        );
    }

    #[test]
    fn wrong_globs_are_reported() {
        for glob in ["", "[a", "a\\", "{a", "[z-a]"] {
            assert!(Globs::new(&[glob.into()], &[]).is_err(), "{glob:?}");
        }
    }
}
