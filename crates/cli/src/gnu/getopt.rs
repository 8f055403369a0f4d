//! `getopt_long` as the GNU C library does it, for options with and without arguments.
//!
//! A parser library cannot stand in here: scripts rely on the library's habits, and its words are part
//! of what "bit-compatible" means. The habits: options and operands in any order (unless POSIXLY_CORRECT
//! is set), `--` ends the options, `-` is an operand, short options share a dash, a long option may
//! be cut short while it is the only one that begins so.

use std::ffi::OsString;

use crate::platform;
use crate::platform::ffi::{OsStrExt, OsStringExt};

/// The options of a program; `T` is what an option means.
pub(crate) struct Grammar<T: 'static> {
    pub(crate) short: &'static [(u8, T)],
    /// In the order in which an ambiguity lists them.
    pub(crate) long: &'static [(&'static str, T)],
    /// Whether an option requires an argument.
    pub(crate) has_argument: fn(T) -> bool,
}

/// The place of operands among the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operands {
    Anywhere,
    /// The first operand ends the options.
    Last,
}

impl Operands {
    pub(crate) fn of_environment() -> Operands {
        if std::env::var_os("POSIXLY_CORRECT").is_some() { Operands::Last } else { Operands::Anywhere }
    }
}

/// Passes the options to `take` one by one, with their arguments, and returns the operands.
///
/// Stops at the first option that is wrong or that `take` ends the program for; the error of a wrong
/// option is getopt's message, without the program's name.
pub(crate) fn parse<T: Copy + PartialEq, E: From<Vec<u8>>>(
    args: Vec<OsString>,
    grammar: &Grammar<T>,
    operands: Operands,
    mut take: impl FnMut(T, Vec<u8>) -> Result<(), E>,
) -> Result<Vec<Vec<u8>>, E> {
    let mut files = Vec::new();
    let mut args = args.into_iter();
    while let Some(whole) = args.next() {
        let arg = whole.as_bytes();
        if arg == b"--" {
            break;
        } else if let Some(typed) = arg.strip_prefix(b"--") {
            let (long, meaning, value) = long_option(typed, grammar)?;
            let value = match ((grammar.has_argument)(meaning), value) {
                (true, None) => match args.next() {
                    Some(next) => next.into_vec(),
                    None => {
                        return Err(format!("option '--{long}' requires an argument").into_bytes().into());
                    }
                },
                (false, Some(_)) => {
                    return Err(format!("option '--{long}' doesn't allow an argument").into_bytes().into());
                }
                (_, value) => value.unwrap_or_default(),
            };
            take(meaning, value)?;
        } else if arg.len() > 1 && arg[0] == b'-' {
            for (at, &letter) in arg.iter().enumerate().skip(1) {
                match grammar.short.iter().find(|(known, _)| *known == letter) {
                    Some((_, meaning)) if (grammar.has_argument)(*meaning) => {
                        let value = match &arg[at + 1..] {
                            [] => args.next().map(OsString::into_vec),
                            rest => Some(rest.to_vec()),
                        };
                        let missing = || [b"option requires an argument -- '", &[letter][..], b"'"].concat();
                        take(*meaning, value.ok_or_else(missing)?)?;
                        break;
                    }
                    Some((_, meaning)) => take(*meaning, Vec::new())?,
                    None => return Err([b"invalid option -- '", &[letter][..], b"'"].concat().into()),
                }
            }
        } else {
            files.push(platform::typed_name(&whole));
            if operands == Operands::Last {
                break;
            }
        }
    }
    files.extend(args.map(|name| platform::typed_name(&name)));
    Ok(files)
}

/// Returns the option that `typed` (without its dashes, perhaps with `=value`) names or begins: its name, its
/// meaning, the value.
#[expect(clippy::type_complexity, reason = "three results")]
fn long_option<T: Copy + PartialEq>(
    typed: &[u8],
    grammar: &Grammar<T>,
) -> Result<(&'static str, T, Option<Vec<u8>>), Vec<u8>> {
    let (name, value) = match typed.iter().position(|&b| b == b'=') {
        Some(at) => (&typed[..at], Some(typed[at + 1..].to_vec())),
        None => (typed, None),
    };
    let begun: Vec<_> = grammar.long.iter().filter(|(long, _)| long.as_bytes().starts_with(name)).collect();
    let exact = begun.iter().find(|(long, _)| long.as_bytes() == name);
    let (long, meaning) = match (exact, &begun[..]) {
        (Some(exact), _) => **exact,
        (None, []) => return Err([b"unrecognized option '--", typed, b"'"].concat()),
        // Two names of one meaning are not ambiguous.
        (None, [first, rest @ ..]) if rest.iter().all(|(_, meaning)| *meaning == first.1) => **first,
        (None, several) => {
            let mut text = [b"option '--", typed, b"' is ambiguous; possibilities:"].concat();
            for (long, _) in several {
                text.extend(format!(" '--{long}'").bytes());
            }
            return Err(text);
        }
    };
    Ok((long, meaning, value))
}
