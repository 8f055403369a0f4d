//! Options of several commands.

use clap::Args;

use crate::files::{FileSystems, Globs, Heed, Links, Rules, Sizes, Special};
use crate::message::{Speaker, say};
use hashlanes_formats::hash::Hash;
use hashlanes_formats::nearest::unknown_name;

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

    /// Skip files of less than SIZE bytes: 4096, 4K, 4KiB, or 4kB for 4000; also M, G, T
    #[arg(long, value_name = "SIZE", value_parser = size)]
    min_size: Option<u64>,

    /// Skip files of more than SIZE bytes
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
}

/// Reads a number of bytes, as GNU's tools do: `K` and `KiB` are 1024 bytes, `kB` and `KB` 1000.
fn size(typed: &str) -> Result<u64, String> {
    let wrong = || String::from("expected a number of bytes, such as 4096, 4K, 4KiB or 4kB");
    let (digits, unit) = typed.split_at(typed.bytes().take_while(u8::is_ascii_digit).count());
    let (base, unit) = match unit.to_ascii_uppercase().strip_suffix("IB") {
        Some(unit) => (1024, unit.to_owned()),
        None => match unit.to_ascii_uppercase().strip_suffix('B') {
            Some(unit) => (1000, unit.to_owned()),
            None => (1024, unit.to_ascii_uppercase()),
        },
    };
    let power = ["", "K", "M", "G", "T"].iter().position(|known| *known == unit).ok_or_else(wrong)?;
    let n: u64 = digits.parse().map_err(|_| wrong())?;
    n.checked_mul(u64::pow(base, power as u32)).ok_or_else(|| String::from("too many bytes"))
}

impl WalkOptions {
    /// Returns the rules of a walk, or `None` if the options are wrong; the error was printed.
    pub(crate) fn rules_or_say(&self, speaker: &Speaker, command: &str) -> Option<Rules> {
        let wrong =
            |words: String| say(&[speaker.line(&words), speaker.try_help(&format!(" {command}"))].concat());
        self.rules().map_err(wrong).ok()
    }

    /// Returns the rules of a walk.
    ///
    /// # Errors
    /// If a glob is invalid, or no size is within the limits.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let sizes = Sizes {
            least: self.min_size.unwrap_or(Sizes::default().least),
            most: self.max_size.unwrap_or(Sizes::default().most),
        };
        if sizes.least > sizes.most {
            return Err(format!("--min-size {} is greater than --max-size {}", sizes.least, sizes.most));
        }
        Ok(Rules {
            links: if self.follow { Links::Follow } else { Links::Leave },
            special: if self.special { Special::Hash } else { Special::Tell },
            file_systems: if self.one_file_system { FileSystems::OfArgument } else { FileSystems::All },
            ignore_files: if self.gitignore { Heed::Yes } else { Heed::No },
            globs: Globs::new(&self.include, &self.exclude)?,
            sizes,
        })
    }
}

/// Hashes, in the order of the command line.
#[derive(Clone)]
pub(crate) struct Hashes(pub(crate) Vec<Hash>);

/// Reads hashes, separated by commas.
///
/// # Errors
/// A name that is unknown, or given twice.
pub(crate) fn hashes(typed: &str) -> Result<Hashes, String> {
    let mut hashes: Vec<Hash> = Vec::new();
    for name in typed.split(',') {
        let hash = hash(name)?;
        if hashes.contains(&hash) {
            return Err(format!("hash {name:?} is given twice"));
        }
        hashes.push(hash);
    }
    Ok(Hashes(hashes))
}

/// Reads the name of a hash.
///
/// # Errors
/// It is unknown; the text has the nearest name.
pub(crate) fn hash(name: &str) -> Result<Hash, String> {
    Hash::typed(name).ok_or_else(|| {
        let names = Hash::BY_USE.each_ref().map(|hash| hash.name());
        unknown_name("hash", name, &names.each_ref().map(|name| &**name))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_every_unit() {
        for (typed, expected) in [
            ("0", Some(0)),
            ("4096", Some(4096)),
            ("4k", Some(4096)),
            ("4KiB", Some(4096)),
            ("4kB", Some(4000)),
            ("3M", Some(3 << 20)),
            ("2GB", Some(2_000_000_000)),
            ("1T", Some(1 << 40)),
            ("7B", Some(7)),
            ("", None),
            ("K", None),
            ("-1", None),
            ("1.5M", None),
            ("4X", None),
            ("99999999T", None),
            ("18446744073709551616", None),
        ] {
            assert_eq!(size(typed).ok(), expected, "{typed}");
        }
    }
}
