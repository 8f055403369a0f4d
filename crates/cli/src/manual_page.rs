//! A manual page in roff, generated from the definition of a command and from the lists in its help texts.
//!
//! Sections: NAME, SYNOPSIS, DESCRIPTION, ARGUMENTS, OPTIONS, COMMANDS, FILES, ENVIRONMENT, EXIT STATUS,
//! EXAMPLES, SEE ALSO. Lists of a help text whose titles are those of a section ("Examples:", "Exit
//! status:") become that section; all others stay in the description, as do paragraphs.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Arg, Command};

/// Commands that belong together: their pages refer to each other.
const GROUPS: [&[&str]; 4] = [
    &["sum", "audit", "match", "dupes", "manifest", "tree"],
    &["keygen", "sign", "verify", "key"],
    &["kernels", "bench"],
    &["man", "completions"],
];

/// Lines of the source end before this column, where words permit it.
const COLUMNS: usize = 79;

/// A command with the text of its page.
pub(crate) struct ManualPage {
    command: Command,
    /// Before the lists that follow it, each under its title.
    description: Vec<Block>,
    appended: Vec<Block>,
    sections: Sections,
    see_also: Vec<String>,
}

/// The lists of a help text that are sections of a page.
#[derive(Default, Clone)]
struct Sections {
    files: Vec<Block>,
    environment: Vec<Block>,
    exit_status: Vec<Block>,
    examples: Vec<Block>,
}

/// A part of a help text.
#[derive(Clone, Debug, PartialEq)]
enum Block {
    Paragraph(String),
    /// The title is without its colon.
    List {
        title: String,
        entries: Vec<(String, String)>,
    },
}

/// Returns the pages of the program and of all its commands, under their names: `hashlanes-sum`,
/// `hashlanes-key-split`.
pub(crate) fn pages(mut program: Command) -> Vec<ManualPage> {
    program.build();
    let related = ["sha256sum(1)", "cksum(1)"].map(String::from).to_vec();
    let mut pages = vec![ManualPage::new(program, related, None)];
    let mut next = 0;
    while let Some(page) = pages.get(next) {
        let commands: Vec<Command> = page.shown_commands().cloned().collect();
        let names: Vec<String> = commands.iter().map(|command| command.get_name().to_owned()).collect();
        let of_command = |command: Command| {
            let parent = page.name();
            let is_of_program = parent == "hashlanes";
            let group = GROUPS.iter().find(|group| is_of_program && group.contains(&command.get_name()));
            let siblings: Vec<&str> = match group {
                Some(group) => group.to_vec(),
                None => names.iter().map(String::as_str).collect(),
            };
            let siblings = siblings.iter().filter(|sibling| **sibling != command.get_name());
            let mut related = vec![String::from("hashlanes(1)")];
            related.extend((!is_of_program).then(|| format!("{parent}(1)")));
            related.extend(siblings.map(|sibling| format!("{parent}-{sibling}(1)")));
            let name = format!("{parent}-{}", command.get_name());
            let command = command.name(name.clone()).display_name(name);
            ManualPage::new(command, related, (!is_of_program).then_some(&page.sections.exit_status))
        };
        let of_commands: Vec<ManualPage> = commands.into_iter().map(of_command).collect();
        pages.extend(of_commands);
        next += 1;
    }
    // The environment is that of the whole program.
    let environment: Vec<Block> = pages.iter().flat_map(|page| page.sections.environment.clone()).collect();
    pages[0].sections.environment = environment;
    pages[0].sections.exit_status = vec![Block::Paragraph(
        "0 if the command succeeded. The pages of the commands list all others.".into(),
    )];
    pages
}

impl ManualPage {
    /// `exit_status`: that of the command above, which this one has if it documents none itself.
    fn new(command: Command, see_also: Vec<String>, exit_status: Option<&Vec<Block>>) -> ManualPage {
        let about = command.get_long_about().or_else(|| command.get_about());
        let after = command.get_after_long_help().or_else(|| command.get_after_help());
        let (mut description, mut appended, mut sections) = (Vec::new(), Vec::new(), Sections::default());
        let about = about.map(ToString::to_string).unwrap_or_default();
        for block in blocks(&about).into_iter().map(statuses_as_list) {
            if let Err(block) = sections.accept(block) {
                description.push(block);
            }
        }
        let after = after.map(ToString::to_string).unwrap_or_default();
        for block in blocks(&after).into_iter().map(statuses_as_list) {
            match sections.accept(block) {
                Err(block @ Block::Paragraph(_)) => description.push(block),
                Err(block) => appended.push(block),
                Ok(()) => {}
            }
        }
        if sections.exit_status.is_empty() {
            sections.exit_status = exit_status.cloned().unwrap_or_else(|| vec![usual_statuses()]);
        }
        ManualPage { command, description, appended, sections, see_also }
    }

    pub(crate) fn name(&self) -> &str {
        self.command.get_name()
    }

    fn shown_commands(&self) -> impl Iterator<Item = &Command> {
        self.command.get_subcommands().filter(|command| command.get_name() != "help")
    }

    /// Returns the page in roff.
    pub(crate) fn roff(&self) -> Vec<u8> {
        let version = env!("CARGO_PKG_VERSION");
        let mut roff = Roff::new(&self.command);
        let title = self.name().to_uppercase();
        roff.control(&format!("TH \"{title}\" 1 \"\" \"hashlanes {version}\" \"hashlanes\""));
        // Names are not hyphenated, and lines not stretched.
        roff.control("nh");
        roff.control("ad l");
        roff.control("SH NAME");
        let about = self.command.get_about().map(ToString::to_string).unwrap_or_default();
        roff.text(&format!("{} - {}", self.name(), about.trim_end_matches('.')));
        roff.control("SH SYNOPSIS");
        roff.synopsis(&self.command);
        roff.control("SH DESCRIPTION");
        roff.blocks(&self.description);
        for block in &self.appended {
            roff.titled(block);
        }
        self.arguments(&mut roff);
        self.options(&mut roff);
        if self.shown_commands().next().is_some() {
            roff.control("SH COMMANDS");
            for command in self.shown_commands() {
                roff.control("TP");
                roff.line(&reference(&format!("{}-{}(1)", self.name(), command.get_name())));
                roff.text(&command.get_about().map(ToString::to_string).unwrap_or_default());
            }
        }
        let Sections { files, environment, exit_status, examples } = &self.sections;
        for (title, section) in [
            ("FILES", files),
            ("ENVIRONMENT", environment),
            ("EXIT STATUS", exit_status),
            ("EXAMPLES", examples),
        ] {
            if !section.is_empty() {
                roff.control(&format!("SH {title}"));
                roff.section(section);
            }
        }
        roff.control("SH SEE ALSO");
        let references: Vec<String> = self.see_also.iter().map(|page| reference(page)).collect();
        roff.line(&references.join(",\n"));
        roff.text.into_bytes()
    }

    fn arguments(&self, roff: &mut Roff) {
        let mut arguments =
            self.command.get_positionals().filter(|argument| !argument.is_hide_set()).peekable();
        if arguments.peek().is_some() {
            roff.control("SH ARGUMENTS");
        }
        for argument in arguments {
            roff.control("TP");
            roff.line(&format!("\\fI{}\\fR", escaped(&value_names(argument))));
            roff.argument(argument);
        }
    }

    /// Options without a heading, then those of each heading.
    fn options(&self, roff: &mut Roff) {
        let shown =
            self.command.get_arguments().filter(|option| !option.is_positional() && !option.is_hide_set());
        let options: Vec<&Arg> = shown.collect();
        let mut headings: Vec<Option<&str>> = vec![None];
        for option in &options {
            if !headings.contains(&option.get_help_heading()) {
                headings.push(option.get_help_heading());
            }
        }
        roff.control("SH OPTIONS");
        for heading in headings {
            if let Some(heading) = heading {
                roff.control(&format!("SS \"{}\"", escaped(heading)));
            }
            for option in options.iter().filter(|option| option.get_help_heading() == heading) {
                roff.control("TP");
                let short =
                    option.get_short().map(|letter| format!("\\fB\\-{}\\fR", escaped(&letter.to_string())));
                let long = option.get_long().map(|name| format!("\\fB\\-\\-{}\\fR", escaped(name)));
                let mut names: Vec<String> = short.into_iter().chain(long).collect();
                if option.get_action().takes_values() {
                    let last = names.last_mut().expect("an option has a name");
                    let _ = write!(last, " \\fI{}\\fR", escaped(&value_names(option)));
                }
                roff.line(&names.join(", "));
                roff.argument(option);
            }
        }
    }
}

impl Sections {
    /// Keeps a list that is a section of its own; returns any other block.
    fn accept(&mut self, block: Block) -> Result<(), Block> {
        let Block::List { title, .. } = &block else { return Err(block) };
        let section = match title.split(" of ").next() {
            Some("Files") => &mut self.files,
            Some("Environment") => &mut self.environment,
            Some("Exit status") => &mut self.exit_status,
            Some("Examples") => &mut self.examples,
            _ => return Err(block),
        };
        section.push(block);
        Ok(())
    }
}

/// Splits a help text, whose lists are those of [`list`](crate::help_text::list), into its blocks.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut follows_blank = true;
    for line in text.lines() {
        if line.trim().is_empty() {
            follows_blank = true;
            continue;
        }
        match (line.strip_prefix("      "), line.strip_prefix("  "), blocks.last_mut()) {
            (Some(description), _, Some(Block::List { entries, .. })) => {
                let (_, text) = entries.last_mut().expect("a term precedes its description");
                *text += description;
            }
            (None, Some(term), Some(Block::List { entries, .. })) => {
                entries.push((term.into(), String::new()))
            }
            (None, Some(term), Some(block)) => {
                let Block::Paragraph(title) = block else { unreachable!("the other blocks") };
                let title = title.trim_end_matches(':').into();
                *block = Block::List { title, entries: vec![(term.into(), String::new())] };
            }
            (_, _, Some(Block::Paragraph(text))) if !follows_blank => {
                text.push(' ');
                text.push_str(line);
            }
            _ => blocks.push(Block::Paragraph(line.into())),
        }
        follows_blank = false;
    }
    blocks
}

/// Turns the paragraph "Exit status: 0 if …, 1 if not, …" into a list.
fn statuses_as_list(block: Block) -> Block {
    let Block::Paragraph(text) = &block else { return block };
    let Some(statuses) = text.strip_prefix("Exit status: ") else { return block };
    let mut entries: Vec<(String, String)> = Vec::new();
    for part in statuses.trim_end_matches('.').split(", ") {
        match (part.split_once(" if "), entries.last_mut()) {
            (Some((number, meaning)), _) if number.parse::<u8>().is_ok() => {
                entries.push((number.into(), format!("if {meaning}")));
            }
            (_, Some((_, meaning))) => *meaning += &format!(", {part}"),
            (_, None) => return block,
        }
    }
    Block::List { title: "Exit status".into(), entries }
}

/// The statuses of commands that can fail only in the usual ways.
fn usual_statuses() -> Block {
    statuses_as_list(Block::Paragraph(
        "Exit status: 0 if the command succeeded, 1 if a file could not be written, 2 if the command line is wrong.".into(),
    ))
}

/// Formats a reference to a page: `hashlanes-sum(1)`.
fn reference(page: &str) -> String {
    let (name, section) = page.split_once('(').expect("a page has a section");
    format!("\\fB{}\\fR({section}", escaped(name))
}

fn value_names(argument: &Arg) -> String {
    match argument.get_value_names() {
        Some(names) => names.join(" "),
        None => argument.get_id().as_str().to_uppercase(),
    }
}

/// A page under construction.
struct Roff {
    text: String,
    /// The names of values, which texts mention: they are set in italics.
    values: BTreeSet<String>,
}

impl Roff {
    fn new(command: &Command) -> Roff {
        let values = command.get_arguments().filter(|argument| argument.get_action().takes_values());
        let is_name = |name: &String| name.chars().all(|letter| letter.is_ascii_uppercase());
        let values = values.map(value_names).filter(is_name).collect();
        Roff { text: String::new(), values }
    }

    fn control(&mut self, request: &str) {
        let _ = writeln!(self.text, ".{request}");
    }

    /// Appends a line that is roff already.
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Appends a paragraph. Each sentence begins a line; long ones are broken between words.
    fn text(&mut self, text: &str) {
        let marked = self.marked(text);
        let mut column = 0;
        for word in marked.split(' ') {
            if column > 0 && column + 1 + word.len() > COLUMNS {
                self.text.push('\n');
                column = 0;
            }
            if column > 0 {
                self.text.push(' ');
                column += 1;
            } else if word.starts_with('.') {
                // Not a request.
                self.text.push_str("\\&");
            }
            self.text.push_str(word);
            column += word.len();
            if word.ends_with(['.', '?', ':']) {
                self.text.push('\n');
                column = 0;
            }
        }
        if column > 0 {
            self.text.push('\n');
        }
    }

    /// Escapes a text. Code between backticks and names of options are set in bold, names of values in
    /// italics.
    fn marked(&self, text: &str) -> String {
        let mut marked = String::with_capacity(text.len() + 64);
        for (number, part) in text.split('`').enumerate() {
            if number % 2 == 1 {
                let _ = write!(marked, "\\fB{}\\fR", escaped(part));
                continue;
            }
            for (number, word) in part.split(' ').enumerate() {
                if number > 0 {
                    marked.push(' ');
                }
                let start = word.len() - word.trim_start_matches(['(', '"', '\'']).len();
                let (before, word) = word.split_at(start);
                let is_option =
                    word.starts_with("--") && word[2..].starts_with(|c: char| c.is_ascii_lowercase());
                let end = match is_option {
                    true => word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-'),
                    false => word.find(|c: char| !c.is_ascii_alphanumeric()),
                };
                let (name, after) = word.split_at(end.unwrap_or(word.len()));
                let font = match is_option {
                    true => Some('B'),
                    false => self.values.contains(name).then_some('I'),
                };
                marked += &escaped(before);
                match font {
                    Some(font) => {
                        let _ = write!(marked, "\\f{font}{}\\fR", escaped(name));
                    }
                    None => marked += &escaped(name),
                }
                marked += &escaped(after);
            }
        }
        marked
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                self.control("PP");
            }
            match block {
                Block::Paragraph(text) => self.text(text),
                Block::List { title, entries } => {
                    self.text(&format!("{title}:"));
                    self.entries(entries);
                }
            }
        }
    }

    /// Appends the lists of a section whose title is theirs.
    fn section(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::List { title, entries } => {
                    if title.contains(" of ") {
                        self.text(&format!("{title}:"));
                    }
                    self.entries(entries);
                }
                Block::Paragraph(text) => self.text(text),
            }
        }
    }

    /// Appends a list under a title of its own.
    fn titled(&mut self, block: &Block) {
        match block {
            Block::List { title, entries } => {
                self.control(&format!("SS \"{}\"", escaped(title)));
                self.entries(entries);
            }
            Block::Paragraph(text) => self.text(text),
        }
    }

    fn entries(&mut self, entries: &[(String, String)]) {
        for (term, description) in entries {
            self.control("TP 6");
            self.line(&format!("\\fB{}\\fR", escaped(term)));
            self.text(description);
        }
    }

    /// Appends the description of an argument, with its values and its default.
    fn argument(&mut self, argument: &Arg) {
        let help = argument.get_long_help().or_else(|| argument.get_help());
        let mut text = help.map(ToString::to_string).unwrap_or_default();
        let takes_values = argument.get_action().takes_values();
        let defaults = argument.get_default_values();
        if takes_values && !defaults.is_empty() && !argument.is_hide_default_value_set() {
            let defaults: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
            let _ = write!(text, " [default: {}]", defaults.join(","));
        }
        self.text(&text);
        if !takes_values || argument.is_hide_possible_values_set() {
            return;
        }
        let values = argument.get_possible_values();
        let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
        if values.iter().any(|value| value.get_help().is_some()) {
            self.control("RS");
            for value in values {
                self.control("TP 8");
                self.line(&format!("\\fB{}\\fR", escaped(value.get_name())));
                self.text(&value.get_help().map(ToString::to_string).unwrap_or_default());
            }
            self.control("RE");
        } else if !values.is_empty() {
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            self.control("IP");
            self.text(&format!("One of: {}.", names.join(", ")));
        }
    }

    /// Appends the usage line of a command: literal words in bold, values in italics.
    fn synopsis(&mut self, command: &Command) {
        let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
        let usage = command.clone().render_usage().to_string();
        for (number, usage) in usage.trim_start_matches("Usage: ").lines().enumerate() {
            if number > 0 {
                self.control("br");
            }
            let rest = usage.trim().strip_prefix(&name).unwrap_or(usage);
            self.line(&format!("\\fB{}\\fR{}", escaped(&name), usage_in_roff(rest)));
        }
    }
}

/// Sets the words of a usage line: `--key <DIR>`, `[PATH]...`, `<--to <N>|--from-signature <FILE>>`. Groups
/// of options get braces.
fn usage_in_roff(usage: &str) -> String {
    let mut roff = String::new();
    let mut open = Vec::new();
    let mut letters = usage.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '<' => {
                let is_group = usage[at + 1..].starts_with('-');
                open.push(is_group);
                roff += if is_group { "{" } else { "" };
            }
            '>' => roff += if open.pop() == Some(true) { "}" } else { "" },
            '-' => {
                let end = usage[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                let name = &usage[at..at + end.unwrap_or(usage.len() - at)];
                let _ = write!(roff, "\\fB{}\\fR", escaped(name));
                let _ = (1..name.len()).map_while(|_| letters.next()).count();
            }
            letter if letter.is_ascii_alphabetic() => {
                let end = usage[at..].find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
                let name = &usage[at..at + end.unwrap_or(usage.len() - at)];
                let _ = write!(roff, "\\fI{}\\fR", escaped(name));
                let _ = (1..name.len()).map_while(|_| letters.next()).count();
            }
            letter => roff += &escaped(&letter.to_string()),
        }
    }
    roff
}

/// Escapes the characters that roff would replace or interpret. Characters beyond ASCII are written by their
/// numbers, as a page has no encoding.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '\\' => escaped += "\\e",
            '-' => escaped += "\\-",
            '\'' => escaped += "\\(aq",
            '`' => escaped += "\\(ga",
            '^' => escaped += "\\(ha",
            '~' => escaped += "\\(ti",
            '"' => escaped += "\\(dq",
            ' '..='~' => escaped.push(letter),
            _ => {
                let _ = write!(escaped, "\\[u{:04X}]", u32::from(letter));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help_text::list;

    #[test]
    fn texts_are_split_into_blocks() {
        let text = format!(
            "First.\n\nSecond\nline.\n\n{}\nLast.",
            list("Modes:", &[("a", "The first."), ("b", "B.")])
        );
        let entries = vec![("a".into(), "The first.".into()), ("b".into(), "B.".into())];
        assert_eq!(
            blocks(&text),
            [
                Block::Paragraph("First.".into()),
                Block::Paragraph("Second line.".into()),
                Block::List { title: "Modes".into(), entries },
                Block::Paragraph("Last.".into()),
            ]
        );
    }

    #[test]
    fn statuses_become_a_list() {
        let text = "Exit status: 0 if all is read, 2 if a file, or a line, is wrong.";
        let Block::List { entries, .. } = statuses_as_list(Block::Paragraph(text.into())) else {
            panic!("not a list")
        };
        let expected = [("0", "if all is read"), ("2", "if a file, or a line, is wrong")];
        assert_eq!(entries, expected.map(|(number, meaning)| (number.into(), meaning.into())));
        let other = Block::Paragraph("Exit status: of sysexits.h".into());
        assert_eq!(statuses_as_list(other.clone()), other);
    }

    #[test]
    fn usage_has_fonts() {
        assert_eq!(
            usage_in_roff(" [OPTIONS] <--at-least <N>|--moved> <DIR> [PATH]..."),
            " [\\fIOPTIONS\\fR] {\\fB\\-\\-at\\-least\\fR \\fIN\\fR|\\fB\\-\\-moved\\fR} \\fIDIR\\fR [\\fIPATH\\fR]..."
        );
    }

    #[test]
    fn texts_have_fonts_and_escapes() {
        let roff = Roff { text: String::new(), values: ["FILE".into()].into() };
        let marked = roff.marked("Read FILE (--check, 'x~y') and FILES… as `a -b` does: FILE.sig");
        let expected = "Read \\fIFILE\\fR (\\fB\\-\\-check\\fR, \\(aqx\\(tiy\\(aq) and FILES\\[u2026] as \\fBa \\-b\\fR does: \
                        \\fIFILE\\fR.sig";
        assert_eq!(marked, expected);
    }
}
