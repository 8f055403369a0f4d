//! Options that several commands share.

use clap::Args;

use crate::files::{FileSystems, Globs, Heed, Links, Rules, Special};

// The options that choose among what is found in directories, of every command that walks them.
// No doc comment: it would take the place of the command's own help.
#[derive(Args)]
pub(crate) struct WalkOptions {
    /// Follow links found in directories
    #[arg(short = 'L', long)]
    follow: bool,

    /// Enter no directories on other file systems than the argument's
    #[arg(short = 'x', long)]
    one_file_system: bool,

    /// Read named pipes and devices to their end instead of reporting them
    #[arg(long)]
    special: bool,

    /// Leave out .git and what .gitignore, .ignore and .git/info/exclude name
    #[arg(long)]
    gitignore: bool,

    /// Leave out files and directories that match GLOB, as in a .gitignore in PATH: '.*', '*.o', '/build/'
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Hash only files that match GLOB or are in a directory that does
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
}

impl WalkOptions {
    /// What a walk makes of it.
    ///
    /// # Errors
    /// A glob that is none, in words.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        Ok(Rules {
            links: if self.follow { Links::Follow } else { Links::Leave },
            special: if self.special { Special::Hash } else { Special::Tell },
            file_systems: if self.one_file_system { FileSystems::OfArgument } else { FileSystems::All },
            ignore_files: if self.gitignore { Heed::Yes } else { Heed::No },
            globs: Globs::new(&self.include, &self.exclude)?,
        })
    }
}

/// Whether `--option` was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Given {
    #[default]
    No,
    Yes,
}

impl From<bool> for Given {
    fn from(flag: bool) -> Self {
        if flag { Given::Yes } else { Given::No }
    }
}
