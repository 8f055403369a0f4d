//! No files of a crate form a circle.
//!
//! A file depends on another if it imports a name that the other defines, or writes a path to it. A name is
//! followed through `use` to the file that defines it, so a list of re-exports in `mod.rs` is no dependency.
//! The sources are read as text: methods, macros without a path and `#[cfg(test)]` modules do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn no_files_of_a_crate_form_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut folders: Vec<PathBuf> = entries(&root.join("crates"));
    folders.push(root.join("xtask"));
    let mut circles = Vec::new();
    let mut n_files = 0;
    for folder in folders {
        let mut roots = vec![folder.join("src/lib.rs"), folder.join("src/main.rs")];
        roots.extend(entries(&folder.join("tests")).into_iter().map(|test| test.join("main.rs")));
        for file in roots.iter().filter(|file| file.is_file()) {
            let files = Crate::read(file, &|file| fs::read_to_string(file).ok());
            n_files += files.modules.len();
            circles.extend(
                files.circles().iter().map(|circle| circle.replace(&format!("{}/", root.display()), "")),
            );
        }
    }
    assert!(n_files > 300, "only {n_files} files were found");
    assert!(
        circles.is_empty(),
        "move the shared items to the file where they belong:\n{}",
        circles.join("\n")
    );
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    paths
}

/// The way to a module from the crate's root.
type Name = Vec<String>;

/// The files of a crate, by their modules.
struct Crate {
    modules: BTreeMap<Name, Module>,
}

struct Module {
    file: PathBuf,
    /// Whether files below it are its own.
    has_children: bool,
    imports: Vec<Import>,
    /// Paths elsewhere.
    paths: Vec<Name>,
}

/// A name that `use` imports into a module.
struct Import {
    path: Name,
    name: String,
    is_public: bool,
}

impl Crate {
    fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut this = Self { modules: BTreeMap::new() };
        let folder = root.parent().expect("a folder");
        this.add(Vec::new(), root, folder, read);
        this
    }

    /// Adds a module and its submodules, which are in `folder`.
    fn add(&mut self, name: Name, file: &Path, folder: &Path, read: &dyn Fn(&Path) -> Option<String>) {
        let source = read(file).unwrap_or_else(|| panic!("{}: cannot be read", file.display()));
        let tokens = tokens(&without_tests(&source));
        let (module, children) = parse(file, &tokens);
        self.modules.insert(name.clone(), module);
        for child in children {
            let places = [folder.join(format!("{child}.rs")), folder.join(&child).join("mod.rs")];
            // One with `#[path]` is a file of another crate.
            let Some(file) = places.iter().find(|place| read(place).is_some()) else { continue };
            self.add([&name[..], std::slice::from_ref(&child)].concat(), file, &folder.join(&child), read);
        }
    }

    /// The module in which a path of `module` ends: where its name is defined.
    fn target(&self, module: &Name, path: &[String], seen: &mut BTreeSet<(Name, String)>) -> Option<Name> {
        let mut at = module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [&at[..], &[first.to_owned()]].concat();
                if !self.modules.contains_key(&child) {
                    return None;
                }
            }
        }
        while let Some(part) = rest.first() {
            let child = [&at[..], std::slice::from_ref(part)].concat();
            if !self.modules.contains_key(&child) {
                break;
            }
            (at, rest) = (child, &rest[1..]);
        }
        let Some(name) = rest.first() else { return Some(at) };
        if !seen.insert((at.clone(), name.clone())) {
            return Some(at);
        }
        let import = self.modules[&at].imports.iter().find(|import| import.name == *name);
        let through = import.and_then(|import| self.target(&at, &import.path, seen));
        Some(through.unwrap_or(at))
    }

    /// The dependencies of each module, with a name for each.
    fn dependencies(&self) -> BTreeMap<&Name, BTreeMap<Name, String>> {
        let of = |(name, module): (_, &Module)| {
            // A list of re-exports is not a dependency.
            let is_list = |import: &&Import| import.is_public && module.has_children;
            let imports = module.imports.iter().filter(|import| !is_list(import)).map(|import| &import.path);
            let mut targets = BTreeMap::new();
            for path in imports.chain(&module.paths) {
                if let Some(target) = self.target(name, path, &mut BTreeSet::new())
                    && target != *name
                {
                    targets.insert(target, path.last().expect("it has parts").clone());
                }
            }
            (name, targets)
        };
        self.modules.iter().map(of).collect()
    }

    /// A shortest circle through each file that is in one, each file in one circle only.
    fn circles(&self) -> Vec<String> {
        let dependencies = self.dependencies();
        let mut told = BTreeSet::new();
        let mut circles = Vec::new();
        for start in self.modules.keys() {
            let Some(circle) = shortest(&dependencies, start) else { continue };
            if circle.iter().any(|module| told.contains(module)) {
                continue;
            }
            let steps = circle.iter().zip(circle.iter().cycle().skip(1));
            let steps = steps.map(|(from, to)| {
                format!("{} takes {} of ", self.modules[from].file.display(), dependencies[from][to])
            });
            circles.push(format!("{}{}", steps.collect::<String>(), self.modules[start].file.display()));
            told.extend(circle);
        }
        circles
    }
}

/// The shortest way from a module back to it, itself first.
fn shortest(dependencies: &BTreeMap<&Name, BTreeMap<Name, String>>, start: &Name) -> Option<Vec<Name>> {
    let mut before: BTreeMap<&Name, &Name> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(module) = next.pop_front() {
        for target in dependencies[module].keys() {
            if target == start {
                let back = std::iter::successors(Some(module), |module| before.get(module).copied());
                let mut circle: Vec<Name> = back.cloned().collect();
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(target) {
                before.insert(target, module);
                next.push_back(target);
            }
        }
    }
    None
}

/// Returns the source without its test modules. Within other modules in the file itself, `super` is the file:
/// `self` is written there. rustfmt has put the ends of all of them at the starts of lines.
fn without_tests(source: &str) -> String {
    let mut text = String::new();
    let (mut is_inner, mut is_test, mut is_test_next) = (false, false, false);
    for line in source.lines() {
        if !is_inner
            && line.ends_with(" {")
            && line.split_whitespace().any(|word| word == "mod")
            && !line.starts_with(' ')
        {
            (is_inner, is_test) = (true, is_test_next);
        } else if is_inner && line == "}" {
            (is_inner, is_test) = (false, false);
        } else if is_inner && !is_test {
            text += &line.replace("super::", "self::");
        } else if !is_inner {
            text += line;
        }
        is_test_next = line.starts_with("#[cfg(") && line.contains("test");
        text += "\n";
    }
    text
}

/// Identifiers, `::`, and single characters; without comments and literals.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = hashes + 2;
            rest[body..].find(&end).map_or(rest.len(), |at| body + at + end.len())
        } else if first == '"' {
            1 + string_length(&rest[1..], '"')
        } else if first == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            1 + string_length(&rest[1..], '\'')
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(length);
        let is_kept = is_word(first) && raw_string(rest).is_none()
            || !(token.len() > 2 || first.is_whitespace() || first == '"');
        if is_kept {
            tokens.push(token.to_owned());
        }
        rest = behind;
    }
    tokens
}

/// The hashes of a raw string that begins here.
fn raw_string(text: &str) -> Option<usize> {
    let behind = text.strip_prefix('r')?;
    let hashes = behind.len() - behind.trim_start_matches('#').len();
    behind[hashes..].starts_with('"').then_some(hashes)
}

/// Bytes to the end of a literal, its last quote included.
fn string_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// Returns the modules in other files, and their names.
fn parse(file: &Path, tokens: &[String]) -> (Module, Vec<String>) {
    let mut module =
        Module { file: file.to_owned(), has_children: false, imports: Vec::new(), paths: Vec::new() };
    let mut children = Vec::new();
    let (mut at, mut is_public) = (0, false);
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    while at < tokens.len() {
        match (token(at), token(at + 1)) {
            ("pub", "(") => {
                at += 1 + tokens[at..].iter().position(|token| token == ")").unwrap_or(0);
                is_public = true;
                continue;
            }
            ("pub", _) => is_public = true,
            ("mod", child) if token(at + 2) == ";" => {
                children.push(child.to_owned());
                is_public = false;
            }
            // Not the captures of `impl Trait + use<T>`.
            ("use", next) if next != "<" => {
                at = imports(tokens, at + 1, &[], is_public, &mut module.imports);
                is_public = false;
                continue;
            }
            (first, "::") if first.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                let is_start = at == 0 || token(at - 1) != "::";
                let mut path = vec![first.to_owned()];
                while token(at + 1) == "::"
                    && token(at + 2).starts_with(|c: char| c.is_alphabetic() || c == '_')
                {
                    path.push(token(at + 2).to_owned());
                    at += 2;
                }
                if is_start {
                    module.paths.push(path);
                }
                is_public = false;
            }
            _ => is_public = false,
        }
        at += 1;
    }
    module.has_children = !children.is_empty();
    (module, children)
}

/// The imports of a tree of `use` that begins here; returns the place after it.
fn imports(
    tokens: &[String],
    mut at: usize,
    before: &[String],
    is_public: bool,
    to: &mut Vec<Import>,
) -> usize {
    let mut path = before.to_vec();
    loop {
        match tokens.get(at).map_or(";", String::as_str) {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = imports(tokens, at, &path, is_public, to);
                    at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                }
                return at + 1;
            }
            "," | "}" | ";" => {
                if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                    path.pop();
                }
                if let Some(name) = path.last().cloned() {
                    to.push(Import { path, name, is_public });
                }
                return at;
            }
            "as" => {
                let name = tokens[at + 1].clone();
                to.push(Import { path, name, is_public });
                return at + 2;
            }
            part => {
                path.push(part.to_owned());
                at += 1;
            }
        }
    }
}

/// The circles of these files.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let read = |file: &Path| {
        files.iter().find(|(name, _)| Path::new(name) == file).map(|(_, text)| (*text).to_owned())
    };
    Crate::read(Path::new("src/lib.rs"), &read).circles()
}

#[test]
fn a_circle_is_reported_with_its_files_and_uses() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\npub use b::B;"),
        ("src/a.rs", "use crate::B;\npub struct A(B);"),
        ("src/b.rs", "pub struct B;\nfn c() { super::c::c() }"),
        ("src/c.rs", "pub fn c() { let _: Option<crate::a::A> = None; }"),
    ];
    assert_eq!(circles_of(&files), ["src/a.rs takes B of src/b.rs takes c of src/c.rs takes A of src/a.rs"]);
}

#[test]
fn other_mentions_make_no_circle() {
    let files = [
        ("src/lib.rs", "mod a;\nmod b;\npub use {a::A, b::{B, C as D}};\nuse crate::a::A as _;"),
        ("src/a.rs", "pub struct A; // crate::b::B\nconst T: &str = \"crate::b::B\";\nconst C: char = '\"';"),
        (
            "src/b/mod.rs",
            "mod e;\npub use e::C;\npub(in crate::b) struct B(crate::a::A);\n\n#[cfg(test)]\nmod tests {\n    use crate::D;\n}\n",
        ),
        ("src/b/e.rs", "use crate::a::A;\npub struct C(A, super::super::a::A, super::B);"),
    ];
    assert_eq!(circles_of(&files), Vec::<String>::new());
}

#[test]
fn a_folder_and_a_file_in_it_form_a_circle() {
    let files = [
        ("src/lib.rs", "mod a;\nfn f() { a::g() }\nstruct S;"),
        ("src/a.rs", "use super::S;\npub fn g() {}"),
    ];
    assert_eq!(circles_of(&files), ["src/lib.rs takes g of src/a.rs takes S of src/lib.rs"]);
}
