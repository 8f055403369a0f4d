//! `hashlanes sum --update`: a manifest after its files changed.
//!
//! ```text
//!   a line of a file that is the same           stays as it is
//!                    changed                    stays, or gets the new digest
//!                    that does not exist, or is a directory now
//!                                               goes
//!   a comment, an empty line                    stays
//!   a new file                                  gets a line, before the first line of a later name
//!   a directory that the names show no longer   gets a comment (`recorded_roots.rs`)
//! ```
//!
//! So the manifest of a directory becomes what a new run would print. It is written as a new file, which
//! replaces the old one when it is complete.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::process::ExitCode;

use super::manifest_writing::{LineForm, ReadMode, Text};
use crate::audit::{AuditArgs, Compared, Results, leave_out_existing};
use crate::message::{Speaker, io_reason, say};
use crate::new_file::NewFile;
use crate::platform;
use crate::platform::fs::FileType;
use crate::shared_options::Given;
use hashlanes_formats::encoding::bare;
use hashlanes_formats::lists::{Accepts, LineReader};
use hashlanes_formats::manifest::{From, Manifest};
use hashlanes_formats::roots::{comment, is_in};

/// The treatment of files with other digests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Changed {
    /// Their lines stay, and the exit status is 1.
    Reported,
    /// Their lines get the new digests.
    Recorded,
}

/// Updates the manifest: see the head of this file.
pub(super) fn update(audit: &AuditArgs, speaker: &Speaker, changed: Changed) -> ExitCode {
    let told = |why: &str| {
        say(&speaker.about_file(audit.manifest_name(), why));
        ExitCode::FAILURE
    };
    if audit.is_standard_input() {
        say(&speaker.line("--update: standard input cannot be updated"));
        return ExitCode::from(2);
    }
    let Some(rules) = audit.choice.rules_or_say(speaker, "sum") else { return ExitCode::from(2) };
    // It is named from here, also if the files are in another directory.
    let manifest = match std::path::absolute(&audit.manifest) {
        Ok(manifest) => manifest,
        Err(error) => return told(&io_reason(&error)),
    };
    let read = || Ok::<_, io::Error>((std::fs::read(&audit.manifest)?, std::fs::metadata(&audit.manifest)?));
    let (text, metadata) = match read() {
        Ok(both) => both,
        Err(error) => return told(&io_reason(&error)),
    };
    let compared = audit.compare(speaker, &text[..], From::File, rules, Results::Kept);
    let Some(mut compared) = compared else { return ExitCode::FAILURE };
    // Files that the options leave out exist, and so do links, pipes and devices.
    leave_out_existing(&mut compared.findings, |_| true);
    let old = match Old::read(&text, &compared) {
        Ok(old) => old,
        Err(why) => return told(&why),
    };
    audit.print(speaker, &compared, 1);
    let changes = match Changes::new(&old, &compared, changed) {
        Ok(changes) => changes,
        Err(why) => return told(why),
    };
    let new = changes.text(&old);
    if new != text {
        let write = || {
            let file = NewFile::replacing(&manifest)?;
            file.file().write_all(&new)?;
            file.file().set_permissions(metadata.permissions())?;
            file.finish()
        };
        if let Err(error) = write() {
            return told(&format!("cannot write: {}", io_reason(&error)));
        }
    }
    let Changes { added, removed, replaced, .. } = &changes;
    let (added, removed, replaced) = (added.len(), removed.len(), replaced.len());
    told(&format!("{added} added, {removed} removed, {replaced} replaced"));
    let are_left = changed == Changed::Reported && !compared.findings.changed.is_empty();
    if are_left {
        told("changed files keep their old digests; --accept-changes records the new ones");
    }
    if compared.trouble || are_left { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The manifest's lines.
struct Old<'t> {
    /// With their ends; each with the name in it, if it is no comment.
    lines: Vec<(&'t [u8], Option<Vec<u8>>)>,
    form: LineForm,
    tag: String,
}

impl<'t> Old<'t> {
    /// Reads the lines.
    ///
    /// # Errors
    /// The reason why lines cannot be added to the manifest.
    fn read(text: &'t [u8], compared: &Compared) -> Result<Self, String> {
        const FORMS: &str = "not updated: only lists of one hash in the formats gnu and bsd can be";
        if text.starts_with(b"\xef\xbb\xbf") {
            return Err("not updated: it begins with a byte order mark".into());
        }
        if text.split_inclusive(|byte| *byte == b'\n').any(|line| line.ends_with(b"\r\n")) {
            return Err("not updated: it has lines that end with a carriage return".into());
        }
        let [hash] = compared.hashes[..] else { return Err(FORMS.into()) };
        let tag = compared.keyed.tag(hash);
        let mut reader = LineReader::new(tag.clone(), hash.digest_bytes(), Accepts::HexAndBase64);
        let (mut lines, mut form) = (Vec::new(), None);
        for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
            let content = line.strip_suffix(b"\n").unwrap_or(line);
            if content.is_empty() || content.starts_with(b"#") {
                lines.push((line, None));
                continue;
            }
            let listed = reader.read(content).filter(|_| !content.contains(&0));
            if let (None, Some(listed)) = (&form, &listed) {
                form = LineForm::all().find(|form| form.line(&tag, &listed.name, &listed.digest) == line);
                if form.is_none() {
                    return Err(FORMS.into());
                }
            }
            match listed {
                Some(listed) if line.ends_with(b"\n") => lines.push((line, Some(listed.name))),
                Some(_) => return Err("not updated: its last line has no end".into()),
                None if form.is_none() => return Err(FORMS.into()),
                None => return Err(format!("not updated: line {number} is improperly formatted")),
            }
        }
        match form {
            Some(form) => Ok(Old { lines, form, tag }),
            None => Err(FORMS.into()),
        }
    }
}

/// The changes of a manifest.
struct Changes<'c> {
    compared: &'c Compared,
    /// The names of new lines, in the order of a walk.
    added: Vec<&'c [u8]>,
    /// The names of lines that go.
    removed: HashSet<&'c [u8]>,
    /// The names of lines that get other digests.
    replaced: HashSet<&'c [u8]>,
}

impl<'c> Changes<'c> {
    /// # Errors
    /// No listed file exists, and no other.
    fn new(old: &Old<'_>, compared: &'c Compared, changed: Changed) -> Result<Self, &'static str> {
        let findings = &compared.findings;
        let moved = findings.moved.iter();
        let missing = findings.missing.iter().chain(moved.clone().map(|(old, _)| old)).map(Vec::as_slice);
        let removed: HashSet<&[u8]> = missing.collect();
        let mut added: Vec<&[u8]> =
            findings.new.iter().chain(moved.map(|(_, new)| new)).map(Vec::as_slice).collect();
        added.sort_unstable_by(|a, b| parts(a).cmp(parts(b)));
        let names: HashSet<&[u8]> =
            old.lines.iter().filter_map(|(_, name)| Some(bare(name.as_ref()?))).collect();
        if added.is_empty() && removed.len() == names.len() {
            return Err("not updated: none of its files exists");
        }
        let replaced = match changed {
            Changed::Reported => HashSet::new(),
            Changed::Recorded => findings.changed.iter().map(Vec::as_slice).collect(),
        };
        Ok(Changes { compared, added, removed, replaced })
    }

    /// Returns the new manifest.
    fn text(&self, old: &Old<'_>) -> Vec<u8> {
        let results: HashMap<&[u8], &[u8]> =
            self.compared.results.iter().map(|(name, digest)| (bare(name), &digest[..])).collect();
        let line = |name: &[u8]| old.form.line(&old.tag, name, results[bare(name)]);
        let (removed, replaced) = (bare_names(&self.removed), bare_names(&self.replaced));
        let mut text = Vec::new();
        let mut added = self.added.iter().copied().peekable();
        // Comments at the end, such as those of the roots, stay there.
        let n_lines = old.lines.iter().rposition(|(_, name)| name.is_some()).map_or(0, |last| last + 1);
        for (old_line, name) in &old.lines[..n_lines] {
            let Some(name) = name else {
                text.extend_from_slice(old_line);
                continue;
            };
            while let Some(new) = added.next_if(|new| parts(new).lt(parts(name))) {
                text.extend(line(new));
            }
            if replaced.contains(bare(name)) {
                text.extend(line(name));
            } else if !removed.contains(bare(name)) {
                text.extend_from_slice(old_line);
            }
        }
        added.for_each(|new| text.extend(line(new)));
        old.lines[n_lines..].iter().for_each(|(old_line, _)| text.extend_from_slice(old_line));
        self.add_roots(&mut text);
        text
    }

    /// Adds the comments for directories that were searched, and that a later run would not search.
    fn add_roots(&self, text: &mut Vec<u8>) {
        let Ok(manifest) =
            Manifest::read(&text[..], From::File, &self.compared.hashes, self.compared.keyed, &mut |_| ())
        else {
            return;
        };
        let directories = manifest.search().map(|search| search.directories).unwrap_or_default();
        let is_directory = |root: &[u8]| {
            platform::fs::stat(root).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir())
        };
        for root in &self.compared.roots {
            if !directories.iter().any(|directory| is_in(root, directory)) && is_directory(root) {
                text.extend(comment(root));
            }
        }
    }
}

fn bare_names<'n>(names: &HashSet<&'n [u8]>) -> HashSet<&'n [u8]> {
    names.iter().map(|name| bare(name)).collect()
}

/// Returns the parts of a name, whose order is the walk's.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    bare(name).split(|byte| *byte == b'/')
}

impl LineForm {
    /// Returns every form whose lines end with a newline.
    fn all() -> impl Iterator<Item = LineForm> {
        [Given::No, Given::Yes].into_iter().flat_map(|tag| {
            [ReadMode::Text, ReadMode::Binary].into_iter().flat_map(move |mode| {
                [Text::Hex, Text::Base64].map(|text| LineForm { tag, zero: Given::No, mode, text })
            })
        })
    }
}
