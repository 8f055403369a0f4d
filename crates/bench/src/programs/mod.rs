//! `programs`: whole programs on files, as their users call them: from the start of the process to its end,
//! names looked up, files read from the page cache, digests printed.
//!
//! All programs of a workload run in turns on the same CPUs; the ratio is of times of one turn. Before the
//! first measurement, each program has printed its digests, which are compared; that also reads the files
//! into the cache. Times are wall times, because the system takes most of the time of a short file.
//!
//! | file | holds |
//! |---|---|
//! | `corpus.rs` | the files |
//! | `tools.rs` | the programs, and how they are called |

mod corpus;
mod tools;

use crate::session::{Pace, Session};
use crate::summary;
use corpus::Corpus;
use hashlanes_chart::{TextTable, number, size_text};
use hashlanes_clock::median;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;
use tools::{Function, Tool};

/// The files, the programs, and the number of CPUs.
struct Work {
    files: usize,
    len: u64,
    function: Function,
    cpus: usize,
}

const WORKS: [Work; 7] = [
    Work { files: 50_000, len: 4 << 10, function: Function::Sha256, cpus: 1 },
    Work { files: 50_000, len: 4 << 10, function: Function::Sha256, cpus: 2 },
    Work { files: 500, len: 1 << 20, function: Function::Sha256, cpus: 1 },
    Work { files: 500, len: 1 << 20, function: Function::Sha256, cpus: 2 },
    Work { files: 1, len: 2 << 30, function: Function::Sha256, cpus: 1 },
    Work { files: 1, len: 2 << 30, function: Function::JLanes, cpus: 1 },
    Work { files: 1, len: 2 << 30, function: Function::FsVerity, cpus: 1 },
];

impl Work {
    /// Returns the workload with a sixteenth of the files, for a short run.
    fn quick(&self) -> Self {
        match self.files {
            1 => Work { len: self.len / 16, ..*self },
            files => Work { files: files / 16, ..*self },
        }
    }

    fn bytes(&self) -> u64 {
        self.files as u64 * self.len
    }

    fn id(&self) -> String {
        let (files, len) = (self.files, size_text(self.len as usize));
        let cpus = if self.cpus == 1 { "1 CPU".into() } else { format!("{} CPUs", self.cpus) };
        format!("{}: {files} × {len}, {cpus}", self.function.name())
    }
}

/// A tool's times for a work.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    tool: String,
    version: String,
    /// Its command, for readers; FILES stands for the folder of the files.
    command: String,
    /// Wall times of all turns.
    seconds: Vec<f64>,
    /// 10⁶ bytes per second, of the fastest turn.
    rate: f64,
    /// Ours over it, the median over turns; of ours 1.
    ratio: f64,
}

/// Measures all workloads on files in `folder`, which it creates and removes.
///
/// # Errors
/// If the files or a process cannot be created, or a program prints other digests than the others.
pub(crate) fn run(session: &mut Session, folder: &Path, turns: usize) -> Result<(), String> {
    let cpus = allowed_cpus()?;
    let ours = tools::ours()?;
    outln!("{}", session.environment());
    let mut corpus = Corpus::new(folder)?;
    for work in &WORKS {
        let work = match session.pace() {
            Pace::Full => Work { ..*work },
            Pace::Quick => work.quick(),
        };
        let Some(mine) = cpus.get(..work.cpus) else {
            outln!("\n{}: left out, this process may use {} CPUs", work.id(), cpus.len());
            continue;
        };
        corpus.fill(work.files, work.len)?;
        let rows = measure(session, &work, &corpus, mine, (&ours, turns))?;
        if session.interrupted() {
            outln!("interrupted");
            return Ok(());
        }
        show(&work, &rows);
        if let Some(record) = session.record() {
            let rows = rows.into_iter().map(|row| (format!("{}: {}", work.id(), row.tool), row));
            let file = summary::keep(record, "programs", session.environment(), rows)?;
            eprintln!("summary in {}", file.display());
        }
    }
    Ok(())
}

/// The times of all programs that are installed and have the function, ours first.
fn measure(
    session: &Session,
    work: &Work,
    corpus: &Corpus,
    cpus: &[usize],
    (ours, turns): (&Tool, usize),
) -> Result<Vec<Row>, String> {
    let rivals = tools::rivals().into_iter().filter(|tool| tool.can(work.function));
    let mut here: Vec<(Tool, String)> = Vec::new();
    for tool in std::iter::once(ours.clone()).chain(rivals) {
        match tool.version() {
            Some(version) => here.push((tool, version)),
            None => outln!("{}: not installed: {}", tool.name, tool.install),
        }
    }
    let mut expected: Option<Vec<String>> = None;
    for (tool, _) in &here {
        let digests = tool.digests(work.function, corpus, cpus[0])?;
        if digests.len() != work.files {
            return Err(format!("{}: {} digests of {} files", tool.name, digests.len(), work.files));
        }
        // BLAKE3 is another function.
        if tool.computes(work.function) && *expected.get_or_insert_with(|| digests.clone()) != digests {
            return Err(format!("{}: other digests than {}", tool.name, ours.name));
        }
    }
    let mut seconds = vec![Vec::with_capacity(turns); here.len()];
    for _ in 0..turns {
        for ((tool, _), seconds) in here.iter().zip(&mut seconds) {
            if session.interrupted() {
                return Ok(Vec::new());
            }
            let mut command = tool.command(work.function, corpus, cpus);
            let start = Instant::now();
            let status = command.stdout(Stdio::null()).status();
            seconds.push(start.elapsed().as_secs_f64());
            tools::ended_well(&tool.name, status)?;
        }
    }
    let of_ours = seconds[0].clone();
    let rows = here.into_iter().zip(seconds).map(|((tool, version), seconds)| {
        let ratios: Vec<f64> = of_ours.iter().zip(&seconds).map(|(ours, other)| ours / other).collect();
        let fastest = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        Row {
            command: tool.shell(work.function, "FILES", work.files, cpus.len()),
            tool: tool.name,
            version,
            rate: work.bytes() as f64 / fastest / 1e6,
            ratio: median(&ratios).expect("a turn at least"),
            seconds,
        }
    });
    Ok(rows.collect())
}

fn show(work: &Work, rows: &[Row]) {
    let mut table =
        TextTable::new(["tool", "seconds, least", "median", "MB/s", "ours / its", "command"]).left(&[5]);
    for row in rows {
        let middle = median(&row.seconds).expect("a turn at least");
        let least = row.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let cells = [number(least), number(middle), format!("{:.0}", row.rate), number(row.ratio)];
        let name = format!("{} {}", row.tool, row.version);
        table.row(std::iter::once(name).chain(cells).chain([row.command.clone()]));
    }
    outln!("\n{}\n{table}", work.id());
}

/// The CPUs that this process may use.
fn allowed_cpus() -> Result<Vec<usize>, String> {
    const FILE: &str = "/proc/self/status";
    let status = std::fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let list = list.ok_or_else(|| format!("{FILE}: no Cpus_allowed_list"))?;
    parse_cpus(list.trim()).ok_or_else(|| format!("{FILE}: a list of CPUs as {list:?}"))
}

/// `0-2,5`, as the kernel writes it.
fn parse_cpus(list: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        all.extend(first..=last);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cpus_are_read() {
        assert_eq!(parse_cpus("0-2,5"), Some(vec![0, 1, 2, 5]));
        assert_eq!(parse_cpus("3"), Some(vec![3]));
        assert_eq!(parse_cpus("a"), None);
    }

    #[test]
    fn works_differ() {
        let mut ids: Vec<String> = WORKS.iter().map(Work::id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), WORKS.len());
    }
}
