//! `hashlanes manifest`: splits a job into shards for any scheduler, merges their manifests, and verifies
//! them.
//!
//! ```text
//!   split   the files of PATHs  ->  PREFIX.1-of-3  PREFIX.2-of-3  PREFIX.3-of-3    names, each ended by NUL
//!           sum --files0-from PREFIX.2-of-3 --output PREFIX.2-of-3.sums --resume  anywhere, in any order
//!   merge   the shards' manifests, in order  ->  the manifest that one run prints, without its roots
//!   verify  checks that a manifest has each name of the shards once, and no other
//! ```
//!
//! A shard is a run of files in the order of the walk, so merging concatenates the manifests.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File as StdFile;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hashlanes::sha256;

use crate::files::{Directories, Entry, Input, Names, Source, Walk};
use crate::help_text::list;
use crate::message::{Speaker, io_reason, say};
use crate::new_file::{Directory, Existing, NewFile, Place, directory_of, finish_all};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::platform::ffi::OsStrExt;
use hashlanes_formats::encoding::escape;
use hashlanes_formats::hash::Keyed;
use hashlanes_formats::lists::{Dialect, Forms, Item, Record, Records, Trouble};

/// Splits a large job into shards, and merges and verifies their manifests.
///
/// Shards may be hashed on different machines, in any order.
///
/// Exit status: 0 if the command succeeded, 1 if a directory cannot be read, or a manifest has a name twice
/// or differs from its lists, 2 if a file cannot be read or written, or the command line is wrong.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes manifest split -n 2 photos", "Write the lists shard.1-of-2 and shard.2-of-2"),
    ("hashlanes sum --files0-from shard.1-of-2 -o 1.sums --resume", "Hash a shard; repeat to continue"),
    ("hashlanes sum --files0-from shard.2-of-2 -o 2.sums --resume", "Hash the other, on any machine"),
    ("hashlanes manifest merge 1.sums 2.sums > SUMS", "Join the manifests"),
    ("hashlanes manifest verify SUMS shard.1-of-2 shard.2-of-2", "Check that no file is missing"),
]))]
pub(crate) struct ManifestArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Split(SplitArgs),
    Merge(MergeArgs),
    Verify(VerifyArgs),
}

/// Writes lists of the files in PATHs, of about equal size in bytes, for sum --files0-from.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes manifest split -n 2 photos", "Write the lists shard.1-of-2 and shard.2-of-2"),
    ("hashlanes manifest split --shard-bytes 1073741824 --prefix part photos", "Write as many lists part.1-of-N, … as there are GiB"),
]))]
struct SplitArgs {
    /// Files and directories
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<OsString>,

    /// Number of shards
    #[arg(short = 'n', long, value_name = "N", required_unless_present = "shard_bytes")]
    shards: Option<NonZeroUsize>,

    /// Bytes per shard, instead of a number of shards; each file counts as 4 KiB more than its length
    #[arg(long, value_name = "BYTES", conflicts_with = "shards")]
    shard_bytes: Option<NonZeroU64>,

    /// Beginning of the lists' names: PREFIX.1-of-N, PREFIX.2-of-N, …
    #[arg(long, value_name = "PREFIX", default_value = "shard")]
    prefix: OsString,
}

/// Prints the manifests of shards as one run prints them; a name that occurs twice is an error.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes manifest merge 1.sums 2.sums > SUMS", "Join the manifests of two shards"),
]))]
struct MergeArgs {
    /// Manifests in the format gnu, bsd, sri or ndjson, in the order of the shards
    #[arg(value_name = "MANIFEST", required = true)]
    manifests: Vec<PathBuf>,
}

/// Checks that a manifest lists no name twice, and with LISTs, that it lists exactly their names.
#[derive(Args)]
#[command(after_help = list("Examples:", &[
    ("hashlanes manifest verify SUMS", "Check that no name occurs twice"),
    ("hashlanes manifest verify SUMS shard.1-of-2 shard.2-of-2", "Also check that no file of the shards is missing"),
]))]
struct VerifyArgs {
    /// The manifest, in any format; - is standard input
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,

    /// Lists of names that split wrote
    #[arg(value_name = "LIST")]
    lists: Vec<PathBuf>,
}

/// The number of missing names that are printed; the others are counted.
const MOST_MISSING: usize = 20;

/// An error: the file, and the message.
type Told = (PathBuf, String);

impl ManifestArgs {
    /// Runs the command.
    pub(crate) fn run(self, speaker: &Speaker) -> ExitCode {
        let done = match self.command {
            Command::Split(args) => args.run(speaker),
            Command::Merge(args) => args.run(speaker),
            Command::Verify(args) => args.run(speaker),
        };
        match done {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err((path, words)) => {
                say(&speaker.about_file(path.as_os_str().as_bytes(), &words));
                ExitCode::from(2)
            }
        }
    }
}

fn io_trouble<'p>(path: &'p Path, what: &'p str) -> impl Fn(io::Error) -> Told + 'p {
    move |error| (path.to_owned(), format!("{what}: {}", io_reason(&error)))
}

impl SplitArgs {
    fn run(self, speaker: &Speaker) -> Result<bool, Told> {
        let names: Vec<Vec<u8>> = self.paths.iter().map(platform::typed_name).collect();
        let directories = Directories::Walk(Box::default());
        let walk = || Walk::new(speaker, Names::of_arguments(names.clone()), &directories, 1);
        // The walk does not report missing names; the workers that hash do.
        for path in self.paths.iter().filter(|path| *path != "-").map(Path::new) {
            std::fs::metadata(path).map_err(io_trouble(path, "cannot read"))?;
        }
        // Twice: how much there is, and which part of it each file is.
        let mut total = 0u128;
        let mut first = walk();
        while let Some(entry) = first.next() {
            if let Entry::File(file, ()) = entry {
                total += weight(file.n_bytes());
            }
        }
        let n_shards = match (self.shards, self.shard_bytes) {
            (Some(n_shards), _) => n_shards.get() as u128,
            (None, Some(n_bytes)) => total.div_ceil(n_bytes.get().into()).max(1),
            (None, None) => 1, // The command line requires one of them.
        };
        let mut lists = Lists { created: Vec::new() };
        let path_of = |number: u128| {
            let mut path = self.prefix.clone();
            path.push(format!(".{number}-of-{n_shards}"));
            PathBuf::from(path)
        };
        let first_path = path_of(1);
        let directory = Directory::open(directory_of(&first_path));
        let directory = directory.map_err(io_trouble(&first_path, "cannot write"))?;
        for number in 1..=n_shards {
            lists.create(path_of(number), &directory)?;
        }
        let (mut second, mut before) = (walk(), 0u128);
        while let Some(entry) = second.next() {
            match entry {
                Entry::Said(said) => say(&said.err),
                Entry::File(file, ()) => {
                    let shard = (before * n_shards / total.max(1)).min(n_shards - 1) as usize;
                    before += weight(file.n_bytes());
                    lists.add(shard, &file.name)?;
                }
            }
        }
        lists.end()?;
        Ok(!second.failed)
    }
}

/// The lists of a split while they are written. They get their names together: a list that lacks names would
/// be taken for a shard.
struct Lists {
    created: Vec<(PathBuf, BufWriter<NewFile>)>,
}

impl Lists {
    fn create(&mut self, path: PathBuf, directory: &Directory) -> Result<(), Told> {
        let place = Place::within(directory, &path);
        let file = place.and_then(|place| NewFile::create(place, Existing::Kept));
        let file = file.map_err(io_trouble(&path, "cannot write"))?;
        self.created.push((path, BufWriter::new(file)));
        Ok(())
    }

    fn add(&mut self, shard: usize, name: &[u8]) -> Result<(), Told> {
        let (path, out) = &mut self.created[shard];
        let written = out.write_all(name).and_then(|()| out.write_all(b"\0"));
        written.map_err(io_trouble(path, "cannot write"))
    }

    fn end(self) -> Result<(), Told> {
        let (paths, outs): (Vec<PathBuf>, Vec<_>) = self.created.into_iter().unzip();
        let whole = |(path, out): (&PathBuf, BufWriter<NewFile>)| {
            out.into_inner().map_err(|error| io_trouble(path, "cannot write")(error.into_error()))
        };
        let files = paths.iter().zip(outs).map(whole).collect::<Result<Vec<_>, _>>()?;
        finish_all(files).map_err(|(number, error)| io_trouble(&paths[number], "cannot write")(error))
    }
}

/// Returns the cost of a file: its bytes, and 4 KiB for opening and reading it.
fn weight(n_bytes: Option<u64>) -> u128 {
    u128::from(n_bytes.unwrap_or(0)) + 4096
}

/// A name in a set: names themselves take more memory than a job may.
fn mark(name: &[u8]) -> u128 {
    u128::from_le_bytes(sha256(name)[..16].try_into().expect("16 bytes"))
}

/// Names as messages and lists show them.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(&escape(name)).into_owned()
}

fn open(path: &Path) -> Result<BufReader<StdFile>, Told> {
    let file = StdFile::open(path).map_err(io_trouble(path, "cannot read"))?;
    Ok(BufReader::with_capacity(64 << 10, file))
}

/// Passes every record of a manifest, which has this name in messages, to `take`; returns whether all lines
/// were good.
fn records(
    speaker: &Speaker,
    path: &Path,
    input: impl Read,
    take: &mut dyn FnMut(Record),
) -> Result<bool, Told> {
    let told = |trouble| match trouble {
        Trouble::Io(error) => io_trouble(path, "cannot read")(error),
        Trouble::Format(why) => (path.to_owned(), format!("not a manifest: {why}")),
    };
    let mut dialect = Dialect::new(&[], Keyed::No, Forms::All);
    let mut records = Records::new(input, &mut dialect).map_err(told)?;
    let mut all_good = true;
    while let Some(item) = records.next().map_err(told)? {
        match item {
            Item::Record(record) => take(record),
            Item::Root(_) => {}
            Item::Unsupported(number, hash) => {
                all_good = false;
                let words = format!("{number}: {hash} is not supported");
                say(&speaker.about_file(path.as_os_str().as_bytes(), &words));
            }
            Item::Malformed(number) => {
                all_good = false;
                let words = format!("{number}: improperly formatted line");
                say(&speaker.about_file(path.as_os_str().as_bytes(), &words));
            }
        }
    }
    Ok(all_good)
}

impl MergeArgs {
    fn run(self, speaker: &Speaker) -> Result<bool, Told> {
        // Nothing is printed before everything is verified.
        let mut marks = HashSet::new();
        let mut all_well = true;
        for path in &self.manifests {
            let mut of_this = HashSet::new();
            let mut twice = None;
            all_well &= records(speaker, path, open(path)?, &mut |record| {
                of_this.insert(mark(&record.name));
                if marks.contains(&mark(&record.name)) {
                    twice = twice.take().or(Some(record.name));
                }
            })?;
            if let Some(name) = twice {
                let why = format!("{} is also in an earlier manifest", shown(&name));
                say(&speaker.about_file(path.as_os_str().as_bytes(), &why));
                return Ok(false);
            }
            marks.extend(of_this);
        }
        if !all_well {
            return Ok(false);
        }
        let mut output = Output::new(speaker, Order::Kept);
        let mut number = 0;
        for path in &self.manifests {
            let mut input = open(path)?;
            let start = input.fill_buf().map_err(io_trouble(path, "cannot read"))?;
            if start.starts_with(b"[") || start.starts_with(b"name,") || start.starts_with(b"%%%%") {
                return Err((
                    path.clone(),
                    "cannot be merged: its format has a frame around the lines; use ndjson".into(),
                ));
            }
            loop {
                let part = input.fill_buf().map_err(io_trouble(path, "cannot read"))?.to_vec();
                if part.is_empty() {
                    break;
                }
                input.consume(part.len());
                output.deliver(number, Lines { out: part, ..Lines::default() });
                number += 1;
            }
        }
        output.end();
        Ok(true)
    }
}

impl VerifyArgs {
    fn run(self, speaker: &Speaker) -> Result<bool, Told> {
        let mut wanted = HashSet::new();
        for list in &self.lists {
            for name in open(list)?.split(0) {
                wanted.insert(mark(&name.map_err(io_trouble(list, "cannot read"))?));
            }
        }
        let opened = Input::open(self.manifest.as_os_str().as_bytes());
        let input = opened.map_err(|error| io_trouble(&self.manifest, "cannot read")(error.into()))?;
        let name = match input {
            Input::Standard => Path::new("standard input"),
            Input::File(_) => &self.manifest,
        };
        let told = |words: &str| say(&speaker.about_file(name.as_os_str().as_bytes(), words));
        let mut seen = HashSet::new();
        let mut all_well = true;
        let all_good = records(speaker, name, input, &mut |record| {
            if !self.lists.is_empty() && !wanted.contains(&mark(&record.name)) {
                told(&format!("{} is in no list", shown(&record.name)));
                all_well = false;
            }
            // With several hashes, a name has a line for each.
            let sums: Vec<u8> = record.sums.iter().map(|(hash, _)| hash.number()).collect();
            if !seen.insert((mark(&record.name), sums)) {
                told(&format!("{} is listed twice", shown(&record.name)));
                all_well = false;
            }
        })?;
        // A shard may have no files; else it is more likely that nothing was written.
        if self.lists.is_empty() && seen.is_empty() {
            told("no properly formatted line");
            all_well = false;
        }
        let has: HashSet<u128> = seen.into_iter().map(|(mark, _)| mark).collect();
        // The lists are read again for the names, because only their digests were kept. From a pipe they do
        // not come again.
        let mut missing: HashSet<u128> = wanted.difference(&has).copied().collect();
        all_well &= missing.is_empty();
        let mut n_missing = 0usize;
        for list in &self.lists {
            for name in open(list)?.split(0) {
                let name = name.map_err(io_trouble(list, "cannot read"))?;
                if missing.remove(&mark(&name)) {
                    n_missing += 1;
                    if n_missing <= MOST_MISSING {
                        told(&format!("{} is missing", shown(&name)));
                    }
                }
            }
        }
        if n_missing > MOST_MISSING {
            told(&format!("{n_missing} names are missing; the first {MOST_MISSING} are listed"));
        }
        if !missing.is_empty() {
            let n = missing.len();
            let (names, are) = if n == 1 { ("name", "is") } else { ("names", "are") };
            told(&format!("{n} {names} of a list that cannot be read twice {are} missing"));
        }
        Ok(all_good && all_well)
    }
}
