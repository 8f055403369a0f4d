//! Options of several commands.

use clap::Args;

use crate::files::{FileSystems, Globs, Heed, Links, Rules, Special};

// Options that select files in directories.
// No doc comment: it would replace the help of the command.
#[derive(Args)]
pub(crate) struct WalkOptions {
    /// Follow links in directories
    #[arg(short = 'L', long)]
    follow: bool,

    /// Skip directories on other file systems
    #[arg(short = 'x', long)]
    one_file_system: bool,

    /// Read named pipes and devices to their end, instead of reporting an error
    #[arg(long)]
    special: bool,

    /// Skip .git, and the files that .gitignore, .ignore and .git/info/exclude list
    #[arg(long)]
    gitignore: bool,

    /// Skip files and directories that match GLOB, as in a .gitignore in PATH: '.*', '*.o', '/build/'
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    /// Hash only files that match GLOB, or are in a directory that matches
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
}

impl WalkOptions {
    /// Returns the rules of a walk.
    ///
    /// # Errors
    /// If a glob is invalid.
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
