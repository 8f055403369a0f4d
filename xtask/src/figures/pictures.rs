//! The papers' figures as SVG, and their links in docs/papers.md.

use std::fmt::Write;

use hashlanes_chart::Figure;
use serde::Deserialize;

/// The directory of the pictures.
pub(super) const FOLDER: &str = "crates/bench/figures";

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
    commit: String,
    environment: Environment,
    method: Method,
    figures: Vec<Figure>,
}

#[derive(Deserialize)]
struct Environment {
    cpu: String,
    core_ghz: Option<f64>,
}

#[derive(Deserialize)]
struct Method {
    name: String,
}

/// Returns the pictures, and the part of docs/papers.md that shows them.
pub(super) fn made(report: &Report) -> (Vec<Made>, String) {
    let Report { commit, environment, method, figures } = report;
    let clock = environment.core_ghz.map_or_else(|| "wall times".into(), |ghz| format!("{ghz:.2} GHz"));
    let note = format!("{}, {clock}; method {}; hashlanes {commit}", environment.cpu, method.name);
    let path = |figure: &Figure| format!("{FOLDER}/{}.svg", figure.name);
    let pictures =
        figures.iter().map(|figure| Made { path: path(figure), text: figure.chart(&*note).to_svg() });

    let mut places = String::new();
    for (prefix, paper) in PAPERS {
        let _ = write!(places, "<details>\n<summary>{paper}</summary>\n\n");
        for figure in figures.iter().filter(|figure| figure.name.starts_with(prefix)) {
            let _ = write!(places, "![{}: {}](../{})\n\n", figure.name, figure.title, path(figure));
            if !figure.summary.is_empty() {
                let _ = write!(places, "{}\n\n", figure.summary);
            }
        }
        places += "</details>\n";
    }
    (pictures.collect(), places)
}
