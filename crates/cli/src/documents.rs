//! What is made of the command line's definition: manual pages, and completions for shells.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::message::{Speaker, io_reason, say};
use crate::output::print_bytes;

/// What has a page besides the program itself.
const PAGES: [&str; 21] = [
    "sum",
    "audit",
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
    "key-split",
    "key-advance",
    "key-adopt",
    "key-export-public",
    "key-import",
    "kernels",
    "bench",
    "man",
    "completions",
];

/// Prints a manual page, or writes all of them.
///
/// `hashlanes man | man -l -` shows the program's page, `hashlanes man sum | man -l -` that of a command;
/// `hashlanes man --dir /usr/local/share/man/man1` writes them all.
#[derive(Args)]
pub(crate) struct ManArgs {
    /// The command [default: the program itself]
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(PAGES))]
    command: Option<String>,

    /// Write the pages of the program and of all commands to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

/// Prints the completions for a shell
///
/// bash: hashlanes completions bash > /usr/share/bash-completion/completions/hashlanes;
/// zsh: hashlanes completions zsh > "${fpath[1]}/_hashlanes";
/// fish: hashlanes completions fish > ~/.config/fish/completions/hashlanes.fish
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Does what is asked; `program` is the definition of its command line.
pub(crate) fn man(speaker: &Speaker, program: Command, args: &ManArgs) -> ExitCode {
    let pages = pages(program);
    let Some(dir) = &args.dir else {
        let name = args.command.as_ref().map_or("hashlanes".into(), |command| format!("hashlanes-{command}"));
        let page = pages.iter().find(|page| page.get_name() == name).expect("a page for every command");
        return print_bytes(speaker, &rendered(page));
    };
    for page in &pages {
        let path = dir.join(format!("{}.1", page.get_name()));
        if let Err(error) = File::create(&path).and_then(|mut file| Man::new(page.clone()).render(&mut file))
        {
            return cannot_write(speaker, &path, &error);
        }
    }
    ExitCode::SUCCESS
}

/// The program, and its commands with their own under names of their own, as manual pages have them: `hashlanes-sum`,
/// `hashlanes-key-split`.
fn pages(mut program: Command) -> Vec<Command> {
    program.build();
    let mut pages = vec![program];
    let mut next = 0;
    while let Some(page) = pages.get(next) {
        let shown = page.get_subcommands().filter(|command| command.get_name() != "help");
        let of_command = |command: &Command| {
            let name = format!("{}-{}", page.get_name(), command.get_name());
            command.clone().name(name.clone()).display_name(name)
        };
        let commands: Vec<Command> = shown.map(of_command).collect();
        pages.extend(commands);
        next += 1;
    }
    pages
}

fn rendered(page: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text).expect("writing to memory");
    text
}

/// Does what is asked; `program` is the definition of its command line.
pub(crate) fn completions(speaker: &Speaker, mut program: Command, args: &CompletionsArgs) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut program, "hashlanes", &mut text);
    print_bytes(speaker, &text)
}

/// Says that a file cannot be written.
pub(crate) fn cannot_write(speaker: &Speaker, path: &Path, error: &std::io::Error) -> ExitCode {
    use std::os::unix::ffi::OsStrExt;
    let text = format!("cannot write: {}", io_reason(error));
    say(&speaker.about_file(path.as_os_str().as_bytes(), &text));
    ExitCode::FAILURE
}
