//! The program as GNU's `cksum`.
//!
//! Bit-compatible with coreutils 9.7: options, results, messages, exit status. Only the texts of `--help`,
//! `--version` and `--debug` are our own. The sums `crc`, `crc32b`, `bsd` and `sysv`, which are no hashes,
//! are computed by plain code, one file after another.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::process::ExitCode;

use super::getopt::{self, Grammar, Operands};
use super::stop::Stop;
use crate::closed_descriptors;
use crate::message::{Speaker, io_reason, say};
use crate::output::{Lines, Order, Output};
use crate::platform;
use crate::quote::Charset;
use crate::shared_options::Given;
use crate::sum::{Form, Format, GnuOptions, GnuTask, LineForm, ReadMode, Task, Text};
use crate::verdicts::Verbosity;
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::Forms;

/// The meaning of `--algorithm`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Bsd,
    Sysv,
    Crc,
    Crc32b,
    Hash(Hash),
}

const TYPES: [(&str, Type); 12] = [
    ("bsd", Type::Bsd),
    ("sysv", Type::Sysv),
    ("crc", Type::Crc),
    ("crc32b", Type::Crc32b),
    ("md5", Type::Hash(Hash::Md5)),
    ("sha1", Type::Hash(Hash::Sha1)),
    ("sha224", Type::Hash(Hash::Sha224)),
    ("sha256", Type::Hash(Hash::Sha256)),
    ("sha384", Type::Hash(Hash::Sha384)),
    ("sha512", Type::Hash(Hash::Sha512)),
    ("blake2b", Type::Hash(Hash::Blake2b(64))),
    ("sm3", Type::Hash(Hash::Sm3)),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opt {
    Algorithm,
    Length,
    Check,
    IgnoreMissing,
    Verbosity(Verbosity),
    Strict,
    Tag,
    Untagged,
    Base64,
    Raw,
    Zero,
    Mode(ReadMode),
    Debug,
    Help,
    Version,
}

const GRAMMAR: Grammar<Opt> = Grammar {
    short: &[
        (b'a', Opt::Algorithm),
        (b'b', Opt::Mode(ReadMode::Binary)),
        (b'c', Opt::Check),
        (b'l', Opt::Length),
        (b't', Opt::Mode(ReadMode::Text)),
        (b'w', Opt::Verbosity(Verbosity::Warn)),
        (b'z', Opt::Zero),
    ],
    long: &[
        ("algorithm", Opt::Algorithm),
        ("length", Opt::Length),
        ("check", Opt::Check),
        ("ignore-missing", Opt::IgnoreMissing),
        ("quiet", Opt::Verbosity(Verbosity::Quiet)),
        ("status", Opt::Verbosity(Verbosity::Status)),
        ("warn", Opt::Verbosity(Verbosity::Warn)),
        ("strict", Opt::Strict),
        ("tag", Opt::Tag),
        ("zero", Opt::Zero),
        ("base64", Opt::Base64),
        ("debug", Opt::Debug),
        ("raw", Opt::Raw),
        ("untagged", Opt::Untagged),
        ("binary", Opt::Mode(ReadMode::Binary)),
        ("text", Opt::Mode(ReadMode::Text)),
        ("help", Opt::Help),
        ("version", Opt::Version),
    ],
    has_argument: |option| matches!(option, Opt::Algorithm | Opt::Length),
};

/// The options, as given.
#[derive(Default)]
struct Options {
    kind: Option<Type>,
    /// Bits, as typed and as a number.
    length: Option<(String, u64)>,
    gnu: GnuOptions,
    untagged: Given,
    base64: Given,
    raw: Given,
    debug: Given,
}

/// Runs as `cksum`; `called_as` is the name it gives itself.
pub(crate) fn cksum(called_as: &[u8], args: Vec<OsString>) -> ExitCode {
    let speaker = Speaker::new(called_as);
    let mut options = Options::default();
    let files = getopt::parse(args, &GRAMMAR, Operands::of_environment(), |option, value| {
        options.take(option, &String::from_utf8_lossy(&value), called_as)
    });
    let (files, task) = match files.and_then(|files| options.task(files.len()).map(|task| (files, task))) {
        Ok(both) => both,
        Err(stop) => return stop.run(&speaker),
    };
    let (hashes, task) = match task {
        Asked::Hashes(hashes, task) => (hashes, task),
        Asked::Sums(kind) => {
            if options.debug == Given::Yes && matches!(kind, Type::Crc | Type::Crc32b) {
                say(&speaker.line("no hardware support is used"));
            }
            return sums(&speaker, kind, &options, &files);
        }
    };
    super::request(speaker, hashes, task, files).run()
}

/// The task of the options.
enum Asked {
    Hashes(Vec<Hash>, Task),
    /// Sums that are not hashes.
    Sums(Type),
}

/// Quotes a word as GNU's messages do.
fn quoted(word: &str) -> String {
    match Charset::of_environment() {
        Charset::Utf8 => format!("\u{2018}{word}\u{2019}"),
        Charset::Ascii => format!("'{word}'"),
    }
}

impl Options {
    fn take(&mut self, option: Opt, value: &str, called_as: &[u8]) -> Result<(), Stop> {
        match option {
            Opt::Algorithm => {
                let Some((_, kind)) = TYPES.iter().find(|(name, _)| *name == value) else {
                    let mut words = format!(
                        "invalid argument {} for {}\nValid arguments are:",
                        quoted(value),
                        quoted("--algorithm")
                    );
                    TYPES.iter().for_each(|(name, _)| words += &format!("\n  - {}", quoted(name)));
                    return Err(Stop::Usage(words.into_bytes()));
                };
                self.kind = Some(*kind);
            }
            Opt::Length => {
                if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(Stop::Wrong(vec![format!("invalid length: {}", quoted(value))]));
                }
                self.length = Some((value.into(), value.parse().unwrap_or(u64::MAX)));
            }
            Opt::Check => self.gnu.check = Given::Yes,
            Opt::IgnoreMissing => self.gnu.ignore_missing = Given::Yes,
            Opt::Verbosity(verbosity) => self.gnu.verbosity = verbosity,
            Opt::Strict => self.gnu.strict = Given::Yes,
            Opt::Zero => self.gnu.zero = Given::Yes,
            Opt::Base64 => self.base64 = Given::Yes,
            Opt::Raw => self.raw = Given::Yes,
            Opt::Debug => self.debug = Given::Yes,
            Opt::Mode(mode) => self.gnu.mode = Some(mode),
            Opt::Tag => {
                (self.gnu.tag, self.untagged) = (Given::Yes, Given::No);
                self.gnu.mode = Some(ReadMode::Binary);
            }
            Opt::Untagged => {
                if std::mem::take(&mut self.gnu.tag) == Given::Yes {
                    self.gnu.mode = None;
                }
                self.untagged = Given::Yes;
            }
            Opt::Help => return Err(Stop::Print(help(&String::from_utf8_lossy(called_as)))),
            Opt::Version => {
                return Err(Stop::Print(format!("cksum (hashlanes) {}\n", env!("CARGO_PKG_VERSION"))));
            }
        }
        Ok(())
    }

    /// Returns the task, or the fault of the options: of several faults the first in GNU's order.
    fn task(&mut self, n_files: usize) -> Result<Asked, Stop> {
        let usage = |words: &str| Err(Stop::Usage(words.into()));
        let wrong = |words: &str| Err(Stop::Wrong(vec![words.into()]));
        let is_checked = self.gnu.check == Given::Yes;
        if is_checked && !matches!(self.kind, None | Some(Type::Hash(_))) {
            return wrong("--check is not supported with --algorithm={bsd,sysv,crc,crc32b}");
        }
        let mut kind = self.kind.unwrap_or(Type::Crc);
        match &self.length {
            Some((_, 1..)) if kind != Type::Hash(Hash::Blake2b(64)) => {
                return wrong("--length is only supported with --algorithm=blake2b");
            }
            Some((_, bits @ 1..512)) if bits.is_multiple_of(8) => {
                kind = Type::Hash(Hash::Blake2b((bits / 8) as u8));
            }
            Some((typed, 1..512)) => {
                let invalid = format!("invalid length: {}", quoted(typed));
                return Err(Stop::Wrong(vec![invalid, "length is not a multiple of 8".into()]));
            }
            _ => {}
        }
        if self.untagged == Given::No && self.gnu.mode == Some(ReadMode::Text) {
            return usage("--text mode is only supported with --untagged");
        }
        if (self.base64, self.raw) == (Given::Yes, Given::Yes) {
            return usage("--base64 and --raw are mutually exclusive");
        }
        // The rest of a tag is its mode.
        let gnu = GnuOptions { tag: Given::No, ..std::mem::take(&mut self.gnu) };
        let zero = gnu.zero;
        let task = gnu.task().map_err(|words| Stop::Usage(words.into()))?;
        if self.raw == Given::Yes && n_files > 1 {
            return wrong("the --raw option is not supported with multiple files");
        }
        self.gnu.zero = zero;
        Ok(match (task, kind) {
            (GnuTask::Check(options), Type::Hash(hash)) if self.kind.is_some() => {
                let hash = if matches!(hash, Hash::Blake2b(_)) { Hash::Blake2b(64) } else { hash };
                Asked::Hashes(vec![hash], Task::Check(options, Forms::Cksum))
            }
            (GnuTask::Check(options), _) => {
                let hash =
                    |(_, kind): (&str, Type)| if let Type::Hash(hash) = kind { Some(hash) } else { None };
                let hashes = TYPES.into_iter().filter_map(hash).collect();
                Asked::Hashes(hashes, Task::Check(options, Forms::CksumTagged))
            }
            (GnuTask::Print(lines), Type::Hash(hash)) => {
                let tag = if self.untagged == Given::Yes { Given::No } else { Given::Yes };
                let text = if self.base64 == Given::Yes { Text::Base64 } else { Text::Hex };
                let format = match self.raw {
                    Given::Yes => Format::Raw,
                    Given::No => Format::Lines(LineForm { tag, text, ..lines }),
                };
                Asked::Hashes(vec![hash], Task::Print(Form { format, hashes: vec![hash], keyed: Keyed::No }))
            }
            (GnuTask::Print(_), kind) => Asked::Sums(kind),
        })
    }
}

/// Prints the sums of the files.
fn sums(speaker: &Speaker, kind: Type, options: &Options, files: &[Vec<u8>]) -> ExitCode {
    let standard_input = [b"-".to_vec()];
    let named = if files.is_empty() { &standard_input[..] } else { files };
    let mut output = Output::new(speaker, Order::Kept);
    let mut status = ExitCode::SUCCESS;
    for (number, name) in (0..).zip(named) {
        let lines = match sum(kind, name) {
            Err(error) => {
                status = ExitCode::FAILURE;
                Lines { err: speaker.about_file(name, &io_reason(&error)), ..Lines::default() }
            }
            Ok((sum, n_bytes)) => {
                let out = match (options.raw, kind) {
                    (Given::Yes, Type::Bsd | Type::Sysv) => (sum as u16).to_be_bytes().to_vec(),
                    (Given::Yes, _) => sum.to_be_bytes().to_vec(),
                    (Given::No, _) => {
                        let line = match kind {
                            Type::Bsd => format!("{sum:05} {:5}", n_bytes.div_ceil(1024)),
                            Type::Sysv => format!("{sum} {}", n_bytes.div_ceil(512)),
                            _ => format!("{sum} {n_bytes}"),
                        };
                        let end: &[u8] = if options.gnu.zero == Given::Yes { b"\0" } else { b"\n" };
                        let shown: &[u8] = if files.is_empty() { b"" } else { &[b" ", &name[..]].concat() };
                        [line.as_bytes(), shown, end].concat()
                    }
                };
                Lines { out, ..Lines::default() }
            }
        };
        output.deliver(number, lines);
    }
    output.end();
    status
}

/// Returns the sum of a file, and its bytes.
fn sum(kind: Type, name: &[u8]) -> io::Result<(u32, u64)> {
    let mut file: Box<dyn Read> = match name {
        b"-" => {
            closed_descriptors::standard_input()?;
            Box::new(io::stdin().lock())
        }
        name => Box::new(File::open(&*platform::os_str(name))?),
    };
    let posix = |sum: u32, byte: u8| sum << 8 ^ POSIX[usize::from((sum >> 24) as u8 ^ byte)];
    let mut buffer = vec![0; 64 << 10];
    let (mut sum, mut n_bytes) = (if kind == Type::Crc32b { u32::MAX } else { 0 }, 0u64);
    loop {
        let part = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => &buffer[..read?],
        };
        if part.is_empty() {
            break;
        }
        n_bytes += part.len() as u64;
        sum = part.iter().fold(sum, |sum, &byte| match kind {
            Type::Crc => posix(sum, byte),
            Type::Crc32b => sum >> 8 ^ IEEE[usize::from(sum as u8 ^ byte)],
            Type::Bsd => u32::from((sum as u16).rotate_right(1).wrapping_add(byte.into())),
            Type::Sysv | Type::Hash(_) => sum.wrapping_add(byte.into()),
        });
    }
    let sum = match kind {
        // POSIX: the length follows the bytes, its low byte first and without zeros at its end.
        Type::Crc => {
            let length = n_bytes.to_le_bytes();
            let n_length = 8 - n_bytes.leading_zeros() as usize / 8;
            !length[..n_length].iter().fold(sum, |sum, &byte| posix(sum, byte))
        }
        Type::Crc32b => !sum,
        Type::Bsd => sum,
        Type::Sysv | Type::Hash(_) => {
            let folded = (sum & 0xffff) + (sum >> 16);
            (folded & 0xffff) + (folded >> 16)
        }
    };
    Ok((sum, n_bytes))
}

/// The remainders of all bytes by POSIX's polynomial, the highest bit first.
static POSIX: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let (mut sum, mut bit) = ((byte as u32) << 24, 0);
        while bit < 8 {
            sum = sum << 1 ^ if sum >> 31 == 1 { 0x04c1_1db7 } else { 0 };
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
};

/// The same polynomial, the lowest bit first: all bits of each number are reversed.
static IEEE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = POSIX[(byte as u8).reverse_bits() as usize].reverse_bits();
        byte += 1;
    }
    table
};

fn help(called_as: &str) -> String {
    format!(
        "Usage: {called_as} [OPTION]... [FILE]...\n\
         Prints or checks checksums, by default 32-bit CRCs; FILE - or none is standard input.\n\
         \n\
         \x20 -a, --algorithm=TYPE  use this sum or hash\n\
         \x20     --base64          print digests in base64 instead of hexadecimal\n\
         \x20 -b, --binary          mark the files as read in binary mode (*), with --untagged\n\
         \x20 -c, --check           read checksums from the FILEs and check them\n\
         \x20 -l, --length=BITS     digest length of blake2b, a multiple of 8\n\
         \x20     --raw             print the bytes of the digest\n\
         \x20     --tag             print BSD-style lines (default)\n\
         \x20 -t, --text            mark the files as read in text mode, with --untagged\n\
         \x20     --untagged        print lines without the name of the hash\n\
         \x20 -z, --zero            end lines with NUL and leave file names unescaped\n\
         \n\
         With --check only:\n\
         \x20     --ignore-missing  pass over missing files\n\
         \x20     --quiet           print no OK\n\
         \x20     --status          print nothing; the exit status tells\n\
         \x20     --strict          fail if a line is improperly formatted\n\
         \x20 -w, --warn            name the lines that are improperly formatted\n\
         \n\
         \x20     --debug           print whether hardware is used for CRCs\n\
         \x20     --help            print this text\n\
         \x20     --version         print the version\n\
         \n\
         TYPE is bsd, sysv, crc, crc32b, md5, sha1, sha224, sha256, sha384, sha512, blake2b or sm3.\n\
         \n\
         Options, results and exit status are those of GNU coreutils 9.7. The program behind this name\n\
         is hashlanes, which does more: hashlanes --help\n"
    )
}
