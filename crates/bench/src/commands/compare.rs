//! `compare A B …`: the ratio of the times of A and B, with an interval.

use crate::contest::Contest;
use crate::contestants;
use crate::session::Session;
use crate::standings::Standings;
use crate::work::Work;

/// A contestant with its own workload, `NAME=HASH:SHAPE`, or with the common one.
pub(crate) type Entrant = (String, Option<Work>);

/// Reads `NAME` or `NAME=HASH:SHAPE`.
pub(crate) fn parse_entrant(text: &str) -> Result<Entrant, String> {
    let (name, work) = match text.split_once('=') {
        Some((name, work)) => (name, Some(work.parse()?)),
        None => (text, None),
    };
    contestants::named(name)?;
    Ok((name.to_owned(), work))
}

/// Measures the contestants on each work and shows each one's figures and its ratio to the first.
///
/// # Errors
/// If fewer than two of several contestants support a workload with correct digests; and if measuring fails.
pub(crate) fn run(session: &mut Session, entrants: &[Entrant], works: &[Work]) -> Result<(), String> {
    let contests: Vec<Contest> = works
        .iter()
        .map(|work| {
            let entries = entrants.iter().map(|(name, own)| (name.clone(), own.unwrap_or(*work)));
            Contest::new(work.to_string(), entries.collect())
        })
        .collect();
    let standings = session.measure(&contests)?;
    if session.is_silent() {
        return Ok(());
    }
    outln!("{}", session.environment());
    standings.iter().for_each(show);
    match standings.iter().find(|standing| standing.timed().len() < 2) {
        Some(standing) if entrants.len() > 1 && !session.interrupted() => {
            Err(format!("{}: nobody to compare with", standing.id()))
        }
        _ => Ok(()),
    }
}

fn show(standing: &Standings) {
    outln!("\n{}", standing.id());
    for name in standing.timed() {
        outln!("  {}", standing.outcome(name).expect("timed"));
    }
    for (name, absence) in standing.absent() {
        outln!("  {name}: {}", absence.text());
    }
    let timed = standing.timed();
    let Some((first, others)) = timed.split_first() else { return };
    for other in others {
        if let Some(ratio) = standing.ratio(first, other) {
            outln!("  {first} / {other} = {ratio}");
        }
    }
}
