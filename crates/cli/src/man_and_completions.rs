//! Manual pages and completions for shells, generated from the definition of the command line.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, Stdio};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::help_text::list;
use crate::manual_page::pages;
use crate::message::{Speaker, io_reason, say};
use crate::new_file::{Directory, Existing, NewFile, Place};
use crate::output::print_bytes;

/// The commands with a page.
const PAGES: [&str; 27] = [
    "sum",
    "audit",
    "match",
    "dupes",
    "manifest",
    "manifest-split",
    "manifest-merge",
    "manifest-verify",
    "tree",
    "keygen",
    "sign",
    "verify",
    "key",
    "key-status",
    "key-log",
    "key-split",
    "key-advance",
    "key-adopt",
    "key-export-public",
    "key-import",
    "key-passphrase",
    "key-certificate",
    "key-request",
    "kernels",
    "bench",
    "man",
    "completions",
];

/// Shows a manual page, or writes all of them.
///
/// On a terminal, the page is shown with `man -l -`, if that is installed. Otherwise it is printed as roff.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes man", "Show the page of the program"),
    ("hashlanes man key split", "Show the page of a command"),
    ("hashlanes man --dir .", "Write all pages to a directory, such as /usr/local/share/man/man1"),
]))]
pub(crate) struct ManArgs {
    /// Command [default: the program itself]
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(PAGES))]
    command: Option<String>,

    /// Subcommand: `key split` and `key-split` are the same page
    #[arg(value_name = "SUBCOMMAND", requires = "command")]
    subcommand: Option<String>,

    /// Write the pages of the program and of all commands to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

/// Prints the completions for a shell.
#[derive(Args)]
#[command(after_help = after_completions())]
pub(crate) struct CompletionsArgs {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

fn after_completions() -> String {
    let places = list(
        "Where to write them:",
        &[
            ("bash", "/usr/share/bash-completion/completions/hashlanes"),
            ("zsh", "${fpath[1]}/_hashlanes"),
            ("fish", "~/.config/fish/completions/hashlanes.fish"),
        ],
    );
    let examples = list(
        "Examples:",
        &[
            ("hashlanes completions bash > hashlanes.bash", "Write the completions for bash to a file"),
            ("source <(hashlanes completions bash)", "Complete in this shell only"),
        ],
    );
    format!("{places}\n{examples}")
}

/// Runs `man`; `program` is the definition of the command line.
pub(crate) fn man(speaker: &Speaker, program: Command, args: &ManArgs) -> ExitCode {
    let pages = pages(program);
    let Some(dir) = &args.dir else {
        let words = [Some("hashlanes"), args.command.as_deref(), args.subcommand.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let Some(page) = pages.iter().find(|page| page.name() == words.join("-")) else {
            let text = format!(
                "unknown command '{}'; `{} --help` lists all commands",
                words.join(" "),
                words[..2].join(" ")
            );
            say(&[speaker.line(&text), speaker.try_help(" man")].concat());
            return ExitCode::from(2);
        };
        let page = page.roff();
        return if is_shown(&page) { ExitCode::SUCCESS } else { print_bytes(speaker, &page) };
    };
    let directory = match Directory::following(dir) {
        Ok(directory) => directory,
        Err(error) => return cannot_write(speaker, dir, &error),
    };
    for page in &pages {
        let path = dir.join(format!("{}.1", page.name()));
        let write = || {
            let mut file = NewFile::create(Place::within(&directory, &path)?, Existing::Replaced)?;
            file.write_all(&page.roff())?;
            file.finish()
        };
        if let Err(error) = write() {
            return cannot_write(speaker, &path, &error);
        }
    }
    ExitCode::SUCCESS
}

/// Shows a page with `man` if standard output is a terminal. Returns whether it was shown.
fn is_shown(page: &[u8]) -> bool {
    if !std::io::stdout().is_terminal() {
        return false;
    }
    let man = std::process::Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn();
    let show = |mut man: Child| {
        // A `man` that does not read the page reports it by its exit status.
        let _ = man.stdin.take().expect("it was asked for").write_all(page);
        man.wait().is_ok_and(|status| status.success())
    };
    man.is_ok_and(show)
}

/// Runs `completions`; `program` is the definition of the command line.
pub(crate) fn completions(speaker: &Speaker, mut program: Command, args: &CompletionsArgs) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "hashlanes", &mut text);
    print_bytes(speaker, &text)
}

/// Reports that a file cannot be written.
pub(crate) fn cannot_write(speaker: &Speaker, path: &Path, error: &std::io::Error) -> ExitCode {
    use crate::platform::ffi::OsStrExt;
    let text = format!("cannot write: {}", io_reason(error));
    say(&speaker.about_file(path.as_os_str().as_bytes(), &text));
    ExitCode::FAILURE
}
