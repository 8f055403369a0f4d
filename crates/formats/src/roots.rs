//! The directories in which a manifest was made, and where an audit of it searches.
//!
//! ```text
//!   sum -r data/photos      # hashlanes root: data/photos     a comment, where the names do not show it
//!                           {"name": …, "root": "data/photos"}
//!   sum -r photos           photos/a  photos/b/c              their longest common directory: photos
//!   sum a b                 a  b                              no directory: the files named here
//! ```
//!
//! Names that lie in no recorded root are grouped by their first part, and each group has its longest common
//! directory. All absolute names are one group, and so are all that begin with `./`.

use std::collections::BTreeMap;

use crate::encoding::{bare, escape, unescape};

/// The beginning of the comment that records a root.
pub const COMMENT: &str = "# hashlanes root: ";

/// Returns the comment that records a root.
///
/// ```
/// use hashlanes_formats::roots::{comment, of_comment};
///
/// assert_eq!(comment(b"data/photos"), b"# hashlanes root: data/photos\n");
/// assert_eq!(of_comment(b"# hashlanes root: data/photos"), Some(b"data/photos".to_vec()));
/// assert_eq!(of_comment(b"# made by hand"), None);
/// ```
pub fn comment(root: &[u8]) -> Vec<u8> {
    [COMMENT.as_bytes(), &escape(root), b"\n"].concat()
}

/// Returns the root that a comment line, without its end, records.
pub fn of_comment(line: &[u8]) -> Option<Vec<u8>> {
    unescape(line.strip_prefix(COMMENT.as_bytes())?).filter(|root| !root.is_empty())
}

/// The directories that names show: see the head of this file.
#[derive(Default)]
pub struct Shown {
    /// The longest common directory of each group; absolute names have the group `/`.
    groups: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Shown {
    /// Adds a name. Returns whether it has a directory.
    pub fn add(&mut self, name: &[u8]) -> bool {
        let Some(slash) = name.iter().rposition(|&byte| byte == b'/') else { return false };
        let directory = without_slashes(&name[..slash]);
        let group = group(name, directory);
        match self.groups.get_mut(group) {
            Some(common) => {
                let n_bytes = common_directory(common, directory).len();
                common.truncate(n_bytes);
            }
            None => drop(self.groups.insert(group.to_vec(), directory.to_vec())),
        }
        true
    }

    /// Returns the directories, without those inside others. `None` if absolute names have only the directory
    /// `/` in common, because searching the whole machine is never intended.
    pub fn directories(&self) -> Option<Vec<Vec<u8>>> {
        if self.groups.values().any(Vec::is_empty) {
            return None;
        }
        let is_outermost = |directory: &&Vec<u8>| {
            !self.groups.values().any(|other| other != *directory && is_in(directory, other))
        };
        Some(self.groups.values().filter(is_outermost).cloned().collect())
    }
}

/// Returns whether a walk that begins with `root` finds this name, if it exists.
///
/// ```
/// use hashlanes_formats::roots::is_in;
///
/// assert!(is_in(b"photos/a", b"./photos/"));
/// assert!(is_in(b"photos/a", b"."));
/// assert!(!is_in(b"photos2/a", b"photos"));
/// assert!(!is_in(b"../photos/a", b"."));
/// ```
pub fn is_in(name: &[u8], root: &[u8]) -> bool {
    let (name, root) = (bare(name), without_slashes(bare(root)));
    let leads_up = |path: &[u8]| path == b".." || path.starts_with(b"../");
    if root == b"." {
        return !name.starts_with(b"/") && !leads_up(name);
    }
    let rest = name.strip_prefix(root);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(b"/").is_some_and(|rest| !leads_up(rest)))
}

/// Removes slashes at the end of a path.
fn without_slashes(path: &[u8]) -> &[u8] {
    &path[..path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1)]
}

/// Returns the group of a name in this directory: its first part after all `..`, or `.` or `/`.
fn group<'n>(name: &'n [u8], directory: &'n [u8]) -> &'n [u8] {
    if name.starts_with(b"/") || name.starts_with(b"./") {
        return &name[..1];
    }
    let mut end = 0;
    for part in directory.split(|&byte| byte == b'/') {
        end += part.len();
        if !matches!(part, b"" | b"." | b"..") {
            break;
        }
        end += 1;
    }
    &directory[..end.min(directory.len())]
}

/// Returns the last directory that both paths, without a slash at their ends, lead through.
fn common_directory<'p>(a: &'p [u8], b: &[u8]) -> &'p [u8] {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let ends = |path: &[u8]| path.len() == same || path[same] == b'/';
    if ends(a) && ends(b) {
        return without_slashes(&a[..same]);
    }
    without_slashes(&a[..a[..same].iter().rposition(|&byte| byte == b'/').unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_that_names_show() {
        for (names, expected) in [
            (&["a/b", "a/c", "d"][..], Some(&["a"][..])),
            (&["a", "b"], Some(&[])),
            (&["data/photos/a", "data/photos/b/c"], Some(&["data/photos"])),
            (&["data/photos/a", "data/photos2/b"], Some(&["data"])),
            (&["one/a/x", "one/a/y", "two/b"], Some(&["one/a", "two"])),
            (&["./photos/a", "./photos/b"], Some(&["./photos"])),
            (&["./photos/a", "./b"], Some(&["."])),
            (&["./photos/a", "./music/b"], Some(&["."])),
            (&[".//photos//a", ".//photos//b"], Some(&[".//photos"])),
            (&["../photos/a", "../photos/b/c"], Some(&["../photos"])),
            (&["../photos/a", "../music/b"], Some(&["../music", "../photos"])),
            (&["../a", "../../b", "../../c/d"], Some(&["..", "../.."])),
            (&["/a/b/c", "/a/b/d/e", "f/g"], Some(&["/a/b", "f"])),
            (&["/a/bc/d", "/a/bd/e"], Some(&["/a"])),
            (&["/a"], None),
            (&["/a/b", "/c/d"], None),
            (&["//a", "//b"], None),
        ] {
            let mut shown = Shown::default();
            for name in names {
                assert_eq!(shown.add(name.as_bytes()), name.contains('/'));
            }
            let expected =
                expected.map(|all| all.iter().map(|one| one.as_bytes().to_vec()).collect::<Vec<_>>());
            assert_eq!(shown.directories(), expected, "{names:?}");
        }
    }

    #[test]
    fn names_in_roots() {
        for (name, root, expected) in [
            ("a", ".", true),
            ("./a/b", "./", true),
            ("..", ".", false),
            ("/a", ".", false),
            ("..a", ".", true),
            ("../a/b", "..", true),
            ("../../a", "..", false),
            ("a/b", "a//", true),
            ("/a/b", "/a", true),
            ("/ab", "/a", false),
            ("/a", "/", true),
            ("a", "a", true),
        ] {
            assert_eq!(is_in(name.as_bytes(), root.as_bytes()), expected, "{name} {root}");
        }
    }

    #[test]
    fn comments_of_any_root() {
        for root in [&b"a b"[..], b"new\nline", b"back\\slash\r", b"\xff", b" "] {
            let line = comment(root);
            let line = line.strip_suffix(b"\n").unwrap();
            assert!(!line.contains(&b'\n'));
            assert_eq!(of_comment(line).as_deref(), Some(root));
        }
        assert_eq!(of_comment(b"# hashlanes root: "), None);
        assert_eq!(of_comment(b"# hashlanes root: \\x"), None);
    }
}
