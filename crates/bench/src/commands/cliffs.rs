//! `cliffs`: every function over lengths and numbers of messages. Lists each point where it should be faster:
//! a rival is, or one call for each message is, or one message more costs more than it does alone.
//!
//! Points that are found are measured again in a fresh process, and listed only if they are found again: of
//! thousands of points, some are always measured in a bad moment, or at addresses that meet in a cache.

use crate::candidate::{Candidate, Presence};
use crate::contest::Contest;
use crate::contestants::{self, OURS};
use crate::fresh_process;
use crate::session::{Pace, Session};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Text, Work};
use hashlanes_chart::{TextTable, size_text};
use std::collections::HashMap;
use std::fmt;

/// The share by which a point must be slower to be listed.
const TOLERANCE: f64 = 0.03;

/// The functions that are measured if none is named.
const FUNCTIONS: &[&str] = &[
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512-256",
    "sha3-256",
    "jlanes-v1-sha256-16",
    "jpointers-v1-sha256-16",
    "mh_sha256",
    "parallel_hash",
    "aes-128-cbc-encrypt",
    "aes-256-cbc-encrypt",
    "aes-128-cbc-decrypt",
    "aes-256-cbc-decrypt",
    "aes-128-ctr",
    "aes-256-ctr",
    "aes-128-gcm",
    "aes-256-gcm",
    "aes-128-gcm-siv",
    "aes-256-gcm-siv",
    "aegis-128",
    "aegis-128l",
    "aegis-128x2",
    "aegis-128x4",
    "aegis-256",
    "aegis-256x2",
    "aegis-256x4",
];

/// Cycles that a call of many messages may take longer than another way, for its checks and its choice of a
/// kernel, and for the place of each message in a list.
const CALL_CYCLES: f64 = 60.0;
const MESSAGE_CYCLES: f64 = 15.0;

/// Cycles of overwriting the stack after one message in CBC or CTR: at 16 bytes 61 of CTR's 194, and 63 of
/// CBC decryption's 166 (Zen 4). The rivals leave round keys and keystream there.
const STACK_CYCLES: f64 = 60.0;

/// Cycles that a call on a column may take in addition: all its offsets are checked before the first row is
/// hashed.
const COLUMN_CYCLES: f64 = 100.0;

/// The bytes that a first-level cache certainly holds: the smallest of those in use.
const CACHE_BYTES: usize = 32 << 10;

/// Lengths of messages in bytes.
const LENGTHS: [usize; 18] =
    [0, 1, 16, 20, 32, 55, 64, 100, 119, 128, 256, 480, 512, 1000, 1024, 1504, 2048, 4096];
const LENGTHS_QUICK: [usize; 7] = [0, 16, 64, 100, 256, 1024, 4096];

/// Numbers of messages: after each of them comes the next one, where kernels change.
const COUNTS: [usize; 34] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 23, 24, 25, 26, 28, 31, 32, 33, 40,
    41, 47, 48, 49, 63, 64,
];
const COUNTS_QUICK: [usize; 12] = [1, 2, 3, 4, 5, 8, 9, 16, 17, 24, 25, 32];

/// Why a point is listed.
#[derive(Clone, Debug, PartialEq)]
enum Cliff {
    /// This rival takes less time.
    Rival(String),
    /// A call for each message takes less time.
    OneByOne,
    /// One message more takes longer than it does alone.
    Step,
}

impl fmt::Display for Cliff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cliff::Rival(name) => f.write_str(name),
            Cliff::OneByOne => f.write_str("one by one"),
            Cliff::Step => f.write_str("one fewer, and one alone"),
        }
    }
}

/// A listed point.
struct Found {
    work: Work,
    cliff: Cliff,
    /// Our time over that of the other.
    ratio: f64,
    /// Our cycles less those of the other.
    more: f64,
}

/// Why a listed point is what it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reason {
    /// What a call of many messages takes around the hashes or ciphers.
    Call,
    /// The same of a column.
    Column,
    /// One message alone is in the first-level cache, all of them with their results are not.
    Cache,
    /// What is overwritten after one message of CBC or CTR, where rivals overwrite nothing.
    Stack,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Call => "the call itself",
            Reason::Column => "the column's checks",
            Reason::Cache => "not in the cache",
            Reason::Stack => "overwriting the stack",
        })
    }
}

impl Found {
    fn reason(&self) -> Option<Reason> {
        let (count, len, of_column) = match self.work.shape {
            Shape::Many { count, len, .. } => (count, len, 0.0),
            Shape::Rows { count, len, .. } => (count, len, COLUMN_CYCLES),
            // The checks of a cipher's call: of lengths, and of a nonce.
            Shape::One { .. } if self.work.hash.is_cipher() && self.more <= MESSAGE_CYCLES => {
                return Some(Reason::Call);
            }
            Shape::One { .. } if matches!(self.work.hash, Hash::Cipher(_)) && self.more <= STACK_CYCLES => {
                return Some(Reason::Stack);
            }
            _ => return None,
        };
        let of_call = CALL_CYCLES + count as f64 * MESSAGE_CYCLES;
        if self.more <= of_call {
            return Some(Reason::Call);
        }
        if self.more <= of_call + of_column {
            return Some(Reason::Column);
        }
        // A cipher's results are as long as its messages.
        let n_bytes = if self.work.hash.is_cipher() { 2 * len } else { len };
        let leaves_cache = n_bytes <= CACHE_BYTES && count * n_bytes > CACHE_BYTES;
        (self.cliff == Cliff::OneByOne && leaves_cache).then_some(Reason::Cache)
    }
}

/// Measures the functions; without any, all of them.
pub(crate) fn run(session: &mut Session, functions: &[Hash]) -> Result<(), String> {
    if let Some(works) = fresh_process::works() {
        return measure(session, &works).map(drop);
    }
    let all: Vec<Hash> = FUNCTIONS.iter().map(|name| name.parse().expect("a function's name")).collect();
    let functions = if functions.is_empty() { &all[..] } else { functions };
    let works: Vec<Work> = functions.iter().flat_map(|hash| points(*hash, session.pace())).collect();
    let standings = measure(session, &works)?;
    if session.is_silent() {
        return Ok(());
    }
    let first = cliffs(&works, &standings);
    // The others that a point is compared with are measured again, too.
    let again: Vec<Work> = works.iter().copied().filter(|work| is_needed(*work, &first)).collect();
    let standings_again = session.measure_afresh(&again)?;
    let found: Vec<Found> = cliffs(&again, &standings_again)
        .into_iter()
        .filter(|found| first.iter().any(|f| f.work == found.work && f.cliff.is_like(&found.cliff)))
        .collect();
    show(session, &standings, &found);
    Ok(())
}

impl Cliff {
    /// Whether two measurements found the same, perhaps next to another rival.
    fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// All works of a function: one message, several in one call, columns.
fn points(hash: Hash, pace: Pace) -> Vec<Work> {
    let (lengths, counts) = match pace {
        Pace::Full => (&LENGTHS[..], &COUNTS[..]),
        Pace::Quick => (&LENGTHS_QUICK[..], &COUNTS_QUICK[..]),
    };
    let mut works = Vec::new();
    for &len in lengths {
        works.push(Work::new(hash, Shape::One { len }));
        for &count in counts {
            works.push(Work::new(hash, Shape::many(count, len)));
            works.push(Work::new(hash, Shape::Rows { count, len, text: Text::Bytes }));
        }
    }
    // Only those that can be written: ciphers have no columns, some only whole blocks.
    works.retain(|work| work.to_string().parse() == Ok(*work));
    works
}

fn measure(session: &mut Session, works: &[Work]) -> Result<Vec<Standings>, String> {
    let here = |candidate: &dyn Candidate| {
        matches!(candidate.presence(), Presence::Here(_)) && !candidate.name().contains("ipsec-mb:")
    };
    let names: Vec<String> = contestants::all()
        .iter()
        .filter(|c| here(&***c))
        .map(|candidate| candidate.name().to_owned())
        .collect();
    let contests: Vec<Contest> = works.iter().map(|work| Contest::of(*work, &names)).collect();
    session.measure(&contests)
}

/// Whether a listed point is this one, or is compared with it.
fn is_needed(work: Work, found: &[Found]) -> bool {
    found.iter().any(|found| {
        work == found.work
            || Some(work) == one_fewer(found.work)
            || (work.hash == found.work.hash && Some(work.shape) == alone(found.work.shape))
    })
}

/// The same work with one message less.
fn one_fewer(work: Work) -> Option<Work> {
    let shape = match work.shape {
        Shape::Many { count, len, stride } if count > 1 => Shape::Many { count: count - 1, len, stride },
        Shape::Rows { count, len, text } if count > 1 => Shape::Rows { count: count - 1, len, text },
        _ => return None,
    };
    Some(Work { shape, ..work })
}

/// One of the messages, by the call for one.
fn alone(shape: Shape) -> Option<Shape> {
    match shape {
        Shape::Many { len, .. } | Shape::Rows { len, .. } => Some(Shape::One { len }),
        _ => None,
    }
}

fn cliffs(works: &[Work], standings: &[Standings]) -> Vec<Found> {
    let by_id: HashMap<&str, &Standings> = standings.iter().map(|s| (s.id(), s)).collect();
    let standing = |work: Work| by_id.get(work.to_string().as_str()).copied();
    let ours = |work: Work| standing(work).filter(|s| s.is_trusted(OURS))?.figure(OURS);
    let mut found = Vec::new();
    for &work in works {
        let (Some(standing), Some(time)) = (standing(work), ours(work)) else { continue };
        let mut compare = |cliff: Cliff, ratio: f64| {
            if ratio > 1.0 + TOLERANCE {
                found.push(Found { work, cliff, ratio, more: time - time / ratio });
            }
        };
        if let Some(best) = standing.best(|name| name != OURS && standing.is_trusted(name))
            && let Some(ratio) = standing.ratio(OURS, best)
        {
            compare(Cliff::Rival(best.to_owned()), ratio.median);
        }
        let Some(one) = alone(work.shape) else { continue };
        let Some(one) = ours(Work { shape: one, ..work }) else { continue };
        compare(Cliff::OneByOne, time / (work.shape.count() as f64 * one));
        if let Some(fewer) = one_fewer(work).and_then(ours) {
            compare(Cliff::Step, time / (fewer + one));
        }
    }
    found
}

fn show(session: &Session, standings: &[Standings], found: &[Found]) {
    outln!("{}", session.environment());
    let measured = standings.iter().filter(|s| s.figure(OURS).is_some()).count();
    let noisy = standings.iter().filter(|s| s.figure(OURS).is_some() && !s.is_trusted(OURS)).count();
    let mut table =
        TextTable::new(["function", "messages", "bytes", "slower than", "ratio", "cycles more", "reason"])
            .left(&[3, 6]);
    for line in found {
        let Found { work, cliff, ratio, more } = line;
        let (messages, len) = match work.shape {
            Shape::Many { count, len, .. } => (count.to_string(), len),
            Shape::Rows { count, len, .. } => (format!("{count} rows"), len),
            Shape::One { len } => ("one".into(), len),
            _ => continue,
        };
        table.row([
            work.hash.name().into_owned(),
            messages,
            size_text(len),
            cliff.to_string(),
            format!("{ratio:.3}"),
            format!("{more:.0}"),
            line.reason().map_or_else(String::new, |reason| reason.to_string()),
        ]);
    }
    if !found.is_empty() {
        outln!("{table}");
    }
    outln!(
        "{measured} points, {noisy} of them too noisy to compare; {} over {:.0} % slower than another way, {} of \
         these for no reason that is known. A call may take {CALL_CYCLES} cycles and {MESSAGE_CYCLES} for each \
         message, a column's checks {COLUMN_CYCLES} more, overwriting the stack {STACK_CYCLES}.",
        found.len(),
        100.0 * TOLERANCE,
        found.iter().filter(|found| found.reason().is_none()).count()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_points_of_the_shapes_that_they_take() {
        for name in FUNCTIONS {
            let hash: Hash = name.parse().unwrap();
            let works = points(hash, Pace::Quick);
            assert!(works.iter().any(|work| matches!(work.shape, Shape::One { .. })), "{name}");
            assert!(works.iter().any(|work| matches!(work.shape, Shape::Many { count: 1, .. })), "{name}");
        }
        let of = |name: &str| points(name.parse().unwrap(), Pace::Full);
        assert!(of("sha256").iter().any(|work| matches!(work.shape, Shape::Rows { .. })));
        assert!(!of("aes-128-ctr").iter().any(|work| matches!(work.shape, Shape::Rows { .. })));
        assert!(of("aes-128-ctr").iter().all(|work| alone(work.shape) != Some(Shape::One { len: 20 })));
    }

    #[test]
    fn points_have_reasons() {
        let reason = |text: &str, cliff: Cliff, more: f64| {
            Found { work: text.parse().unwrap(), cliff, ratio: 1.1, more }.reason()
        };
        let one_by_one = |text, more| reason(text, Cliff::OneByOne, more);
        assert_eq!(one_by_one("sha256:4x64", 120.0), Some(Reason::Call));
        assert_eq!(one_by_one("sha256:4x64", 121.0), None);
        assert_eq!(one_by_one("sha256:rows:4x64", 120.0), Some(Reason::Call));
        assert_eq!(one_by_one("sha256:rows:4x64", 220.0), Some(Reason::Column));
        assert_eq!(one_by_one("sha256:rows:4x64", 221.0), None);
        assert_eq!(one_by_one("sha256:64", 1.0), None, "one message has no such call");
        let by_rival = |text, more| reason(text, Cliff::Rival("libipsec-mb".into()), more);
        assert_eq!(by_rival("aegis-128l:16", 15.0), Some(Reason::Call));
        assert_eq!(by_rival("aegis-128l:16", 16.0), None);
        assert_eq!(by_rival("aes-128-ctr:16", 60.0), Some(Reason::Stack));
        assert_eq!(by_rival("aes-128-ctr:16", 61.0), None);
        assert_eq!(one_by_one("aegis-128x4:5x4K", 500.0), Some(Reason::Cache));
        assert_eq!(one_by_one("aegis-128x4:4x4K", 500.0), None, "they are in the cache");
        assert_eq!(one_by_one("sha256:8x4K", 500.0), None, "a hash has no long results");
        assert_eq!(reason("aegis-128x4:5x4K", Cliff::Step, 500.0), None);
    }

    #[test]
    fn a_point_is_measured_again_with_those_that_it_is_compared_with() {
        let work = |text: &str| text.parse::<Work>().unwrap();
        let found = [Found { work: work("sha256:9x64"), cliff: Cliff::Step, ratio: 1.1, more: 50.0 }];
        for text in ["sha256:9x64", "sha256:8x64", "sha256:64"] {
            assert!(is_needed(work(text), &found), "{text}");
        }
        for text in ["sha256:7x64", "sha256:9x256", "sha1:64", "sha256:rows:9x64"] {
            assert!(!is_needed(work(text), &found), "{text}");
        }
    }
}
