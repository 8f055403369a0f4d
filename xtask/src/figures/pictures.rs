//! The papers' figures: SVG, a page for each CPU, and the results of all CPUs in docs/papers.md.

use std::fmt::Write;

use hashlanes_chart::Figure;
use serde::Deserialize;

use super::machines::Machine;

/// The directory of the pictures; those of a CPU are in a directory of their own.
pub(super) const DIRECTORY: &str = "crates/bench/figures";
/// The directory of the pages.
pub(super) const PAGES: &str = "docs/records";

/// A generated file.
pub(super) struct Made {
    /// Relative to the workspace's directory.
    pub(super) path: String,
    pub(super) text: String,
}

/// The papers, with the prefix of their figures' names.
const PAPERS: [(&str, &str); 5] = [
    ("gueron-krasnov-2012-", "Message schedules in lanes (Gueron, Krasnov 2012)"),
    ("guilford-yap-gopal-2012-", "Fast SHA-256 (Guilford, Yap, Gopal 2012)"),
    ("gueron-2014-", "Tree hashing in lanes (Gueron 2014)"),
    ("locktyukhin-2010-", "SHA-1 with SSSE3 (Locktyukhin 2010)"),
    ("faz-hernandez-2018-", "SHA-NI, AES-NI and signatures (Faz-Hernández, López, de Oliveira 2018)"),
];

/// The fields that are read from a report's data.
#[derive(Deserialize)]
pub(super) struct Report {
    time: String,
    commit: String,
    environment: Environment,
    method: Method,
    figures: Vec<Figure>,
}

#[derive(Deserialize)]
struct Environment {
    core_ghz: Option<f64>,
}

#[derive(Deserialize)]
struct Method {
    name: String,
    samples: u32,
    steady: usize,
    thin: usize,
    noisy: usize,
}

/// A summary of the timings of instructions.
#[derive(Deserialize)]
pub(super) struct Timings {
    rows: Vec<Timing>,
}

#[derive(Deserialize)]
struct Timing {
    id: String,
    latency: f64,
    reciprocal_throughput: f64,
}

/// Returns the pictures of a CPU, and its page.
pub(super) fn made(machine: &Machine, report: &Report, timings: Option<&Timings>) -> Vec<Made> {
    let Report { time, commit, environment, method, figures } = report;
    let clock = environment.core_ghz.map_or_else(|| "wall times".into(), |ghz| format!("{ghz:.2} GHz"));
    let note = format!("{}, {clock}; method {}; hashlanes {commit}", machine.name, method.name);
    let path = |figure: &Figure| format!("{DIRECTORY}/{}/{}.svg", machine.directory, figure.name);
    let mut made: Vec<Made> = figures
        .iter()
        .map(|figure| Made { path: path(figure), text: figure.chart(&*note).to_svg() })
        .collect();

    let all = method.steady + method.thin + method.noisy;
    let mut page = format!(
        "# The papers' figures on {}\n\n\
         Generated from [the record of this CPU](../../{}) by `cargo xtask figures`. One core at {clock}; method {}, {} \
         samples of each contestant; measured until {}; hashlanes {commit}. {} of {all} values are left out, because too \
         few of their samples passed the noise gate. Diamonds are values that the papers quote: of other CPUs, never to \
         be compared as absolutes. [The results of all CPUs](../papers.md#the-figures).\n\n",
        machine.name,
        machine.path(""),
        method.name,
        method.samples,
        time.get(..10).unwrap_or(time),
        method.noisy,
    );
    if !machine.about.is_empty() {
        let _ = write!(page, "{}\n\n", machine.about);
    }
    if let Some(Timings { rows }) = timings {
        page += "## Instructions\n\nCore cycles of an instruction that waits for the one before, and of one that does not \
                 (`hashlanes-bench instructions`). The paper of 2018 quotes for Zen `sha256msg1` 2 and 0.5, `sha256msg2` 3 and \
                 2, `sha256rnds2` 4 and 2, `aesenc` 4 and 0.5; for Skylake and Kaby Lake `aesenc` 4 and 1, for Haswell 7 and \
                 1.\n\n| instruction | latency | reciprocal throughput |\n|---|---:|---:|\n";
        for Timing { id, latency, reciprocal_throughput } in rows {
            let _ = writeln!(page, "| `{id}` | {latency:.2} | {reciprocal_throughput:.2} |");
        }
        page.push('\n');
    }
    for (prefix, paper) in PAPERS {
        let _ = write!(page, "## {paper}\n\n");
        for figure in figures.iter().filter(|figure| figure.name.starts_with(prefix)) {
            let Figure { name, title, paper, today, .. } = figure;
            let _ = write!(
                page,
                "### {name}\n\n{paper} {today}\n\n![{name}: {title}](../../{})\n\n",
                path(figure)
            );
        }
    }
    made.push(Made { path: machine.page(), text: page.trim_end().to_owned() + "\n" });
    made
}

/// Returns the results of all CPUs, figure by figure.
pub(super) fn results(reports: &[(&Machine, Report)]) -> String {
    let mut out = String::new();
    for (prefix, title) in PAPERS {
        let _ = write!(out, "### {title}\n\n");
        let mut names: Vec<&str> = Vec::new();
        for figure in reports.iter().flat_map(|(_, report)| &report.figures) {
            if figure.name.starts_with(prefix) && !names.contains(&&*figure.name) {
                names.push(&figure.name);
            }
        }
        for name in names {
            let of = |report| Report::figure(report, name);
            let Some(figure) = reports.iter().find_map(|(_, report)| of(report)) else { continue };
            let _ = write!(out, "**{}.** {}\n\n", capitalised(&figure.title), figure.paper);
            for (machine, report) in reports {
                let page = machine.page();
                let page = page.strip_prefix("docs/").unwrap_or(&page);
                if let Some(Figure { today, .. }) = of(report) {
                    let _ = writeln!(out, "- [{}]({page}#{name}): {today}", machine.name);
                }
            }
            out.push('\n');
        }
    }
    out
}

impl Report {
    fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the handbook's list of pages with those of these CPUs after the papers.
pub(super) fn listed(old: &str, machines: &[Machine]) -> String {
    let mut text = String::new();
    for line in old.lines().filter(|line| !line.contains("](records/")) {
        text += line;
        text.push('\n');
        if line.contains("](papers.md)") {
            for machine in machines {
                let page = machine.page();
                let page = page.strip_prefix("docs/").unwrap_or(&page);
                let _ = writeln!(text, "  - [{}]({page})", machine.name);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_listed_once() {
        let machine = |directory: &str, name: &str| Machine {
            directory: directory.into(),
            name: name.into(),
            about: String::new(),
        };
        let old = "- [The papers](papers.md)\n  - [old](records/old.md)\n- [C](c.md)\n";
        let new = listed(old, &[machine("b", "B")]);
        assert_eq!(new, "- [The papers](papers.md)\n  - [B](records/b.md)\n- [C](c.md)\n");
        assert_eq!(listed(&new, &[machine("b", "B")]), new);
    }
}
