//! The program as GNU's `sha1sum`, `sha224sum`, `sha256sum`, `sha384sum`, `sha512sum` and `md5sum`.
//!
//! Bit-compatible with coreutils 9.7: options, results, messages, exit status. Only the texts of
//! `--help` and `--version` are our own. The tests run both and compare.

use std::ffi::OsString;
use std::process::ExitCode;

use super::getopt::{self, Grammar, Operands};
use super::stop::Stop;
use crate::message::Speaker;
use crate::shared_options::Given;
use crate::sum::{GnuOptions, ReadMode};
use crate::verdicts::Verbosity;
use hashlanes_formats::hash::Hash;

/// One of GNU's tools.
#[derive(Clone, Copy)]
pub(crate) struct Personality {
    name: &'static str,
    hash: Hash,
    bits: u32,
}

const PERSONALITIES: [Personality; 6] = [
    Personality { name: "md5sum", hash: Hash::Md5, bits: 128 },
    Personality { name: "sha1sum", hash: Hash::Sha1, bits: 160 },
    Personality { name: "sha224sum", hash: Hash::Sha224, bits: 224 },
    Personality { name: "sha256sum", hash: Hash::Sha256, bits: 256 },
    Personality { name: "sha384sum", hash: Hash::Sha384, bits: 384 },
    Personality { name: "sha512sum", hash: Hash::Sha512, bits: 512 },
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opt {
    Check,
    IgnoreMissing,
    Verbosity(Verbosity),
    Strict,
    Tag,
    Zero,
    Mode(ReadMode),
    Help,
    Version,
}

const GRAMMAR: Grammar<Opt> = Grammar {
    short: &[
        (b'b', Opt::Mode(ReadMode::Binary)),
        (b'c', Opt::Check),
        (b't', Opt::Mode(ReadMode::Text)),
        (b'w', Opt::Verbosity(Verbosity::Warn)),
        (b'z', Opt::Zero),
    ],
    long: &[
        ("check", Opt::Check),
        ("ignore-missing", Opt::IgnoreMissing),
        ("quiet", Opt::Verbosity(Verbosity::Quiet)),
        ("status", Opt::Verbosity(Verbosity::Status)),
        ("warn", Opt::Verbosity(Verbosity::Warn)),
        ("strict", Opt::Strict),
        ("tag", Opt::Tag),
        ("zero", Opt::Zero),
        ("binary", Opt::Mode(ReadMode::Binary)),
        ("text", Opt::Mode(ReadMode::Text)),
        ("help", Opt::Help),
        ("version", Opt::Version),
    ],
    has_argument: |_| false,
};

impl Personality {
    /// Returns the tool of this name.
    pub(crate) fn named(name: &[u8]) -> Option<Personality> {
        PERSONALITIES.into_iter().find(|p| p.name.as_bytes() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        self.name
    }

    /// Runs as that tool; `called_as` is the name it gives itself.
    pub(crate) fn run(self, called_as: &[u8], args: Vec<OsString>) -> ExitCode {
        let speaker = Speaker::new(called_as);
        let mut options = GnuOptions::default();
        let files = getopt::parse(args, &GRAMMAR, Operands::of_environment(), |option, _| {
            self.take(option, &mut options, called_as)
        });
        let files = match files {
            Ok(files) => files,
            Err(stop) => return Stop::run(stop, &speaker),
        };
        let task = match options.task() {
            Ok(task) => task.of(self.hash),
            Err(words) => return Stop::Usage(words.into()).run(&speaker),
        };
        super::request(speaker, vec![self.hash], task, files).run()
    }

    fn take(self, option: Opt, options: &mut GnuOptions, called_as: &[u8]) -> Result<(), Stop> {
        match option {
            Opt::Check => options.check = Given::Yes,
            Opt::IgnoreMissing => options.ignore_missing = Given::Yes,
            Opt::Verbosity(verbosity) => options.verbosity = verbosity,
            Opt::Strict => options.strict = Given::Yes,
            Opt::Zero => options.zero = Given::Yes,
            Opt::Mode(mode) => options.mode = Some(mode),
            Opt::Tag => {
                // A tagged line has no place for the mode: `-t --tag` is binary, `--tag -t` an error.
                options.tag = Given::Yes;
                options.mode = Some(ReadMode::Binary);
            }
            Opt::Help => return Err(Stop::Print(self.help(&String::from_utf8_lossy(called_as)))),
            Opt::Version => {
                return Err(Stop::Print(format!(
                    "{} (hashlanes) {}\n",
                    self.name,
                    env!("CARGO_PKG_VERSION")
                )));
            }
        }
        Ok(())
    }

    fn help(self, called_as: &str) -> String {
        let Personality { hash, bits, .. } = self;
        let tag = hash.tag();
        format!(
            "Usage: {called_as} [OPTION]... [FILE]...\n\
             Prints or checks {tag} ({bits}-bit) checksums; FILE - or none is standard input.\n\
             \n\
             \x20 -b, --binary          mark the files as read in binary mode (*)\n\
             \x20 -c, --check           read checksums from the FILEs and check them\n\
             \x20     --tag             print BSD-style lines\n\
             \x20 -t, --text            mark the files as read in text mode (default)\n\
             \x20 -z, --zero            end lines with NUL and leave file names unescaped\n\
             \n\
             With --check only:\n\
             \x20     --ignore-missing  pass over missing files\n\
             \x20     --quiet           print no OK\n\
             \x20     --status          print nothing; the exit status tells\n\
             \x20     --strict          fail if a line is improperly formatted\n\
             \x20 -w, --warn            name the lines that are improperly formatted\n\
             \n\
             \x20     --help            print this text\n\
             \x20     --version         print the version\n\
             \n\
             Options, results and exit status are those of GNU coreutils 9.7. The program behind this name\n\
             is hashlanes, which does more: hashlanes --help\n"
        )
    }
}
