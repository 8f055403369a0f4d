//! `figure NAME`: the papers' figures, measured here. A figure is a file in its paper's folder and a line in
//! [`FIGURES`]; its name consists of the paper's authors and year, and its subject. It shows our kernels and
//! the available rivals. Numbers in the paper's text are hollow marks: they were measured on another CPU, so
//! absolute values cannot be compared.

mod faz_hernandez_2018;
mod figure;
mod gueron_2014;
mod gueron_krasnov_2012;
mod guilford_yap_gopal_2012;
mod locktyukhin_2010;
mod summary;

use crate::commands::sweep::tell_absent;
use crate::contest::Contest;
use crate::noise::{Counts, Noise};
use crate::session::{Pace, Session};
use crate::signatures::{Operation, leaves};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use figure::Figure;
use hashlanes_chart::{Chart, Panel};
use std::path::Path;

/// All figures.
const FIGURES: &[Figure] = &[
    gueron_krasnov_2012::schedule::FIGURE,
    gueron_krasnov_2012::n_sms::FIGURE,
    gueron_krasnov_2012::openssl_speed::FIGURE,
    gueron_krasnov_2012::instructions::FIGURE,
    gueron_krasnov_2012::expanded_padding::FIGURE,
    gueron_krasnov_2012::sha3_finalists::FIGURE,
    gueron_krasnov_2012::remainder::FIGURE,
    gueron_krasnov_2012::sha1::FIGURE,
    guilford_yap_gopal_2012::fast_sha256::FIGURE,
    gueron_2014::s_hash::FIGURE,
    gueron_2014::j_lanes::FIGURE,
    gueron_2014::j_pointers::FIGURE,
    gueron_2014::instructions::FIGURE,
    gueron_2014::keccak::FIGURE,
    locktyukhin_2010::vector_schedule::FIGURE,
    locktyukhin_2010::pipelining::FIGURE,
    faz_hernandez_2018::sha_ni::FIGURE,
    faz_hernandez_2018::vector_lanes::FIGURE,
    faz_hernandez_2018::pipelined_sha_ni::FIGURE,
    faz_hernandez_2018::xmss_by_kernel::FIGURE,
    faz_hernandez_2018::xmss_signing::FIGURE,
    faz_hernandez_2018::cbc_encryption::FIGURE,
    faz_hernandez_2018::aes_in_flight::FIGURE,
    faz_hernandez_2018::aegis::FIGURE,
    faz_hernandez_2018::aegis_many::FIGURE,
];

/// The name of all figures.
pub(crate) const ALL: &str = "all";

/// Measured figures, and their results.
pub(crate) struct Gathered {
    pub(crate) figures: Vec<hashlanes_chart::Figure>,
    pub(crate) standings: Vec<Standings>,
    /// All values, those that are left out too.
    pub(crate) counts: Counts,
}

/// Measures and shows the named figures (all, by the name `all`), and draws each to `<folder>/<name>.svg`.
///
/// # Errors
/// If a figure is unknown, cannot be measured or written, or too many values are noise.
pub(crate) fn run(
    session: &mut Session,
    names: &[String],
    folder: &Path,
    noise: Noise,
) -> Result<(), String> {
    let Some(Gathered { figures, standings, counts }) = measure(session, names, noise)? else {
        return Ok(());
    };
    outln!("{}", session.environment());
    for figure in figures {
        let chart = figure.chart(session.note());
        outln!("\n{}\n{}{} {}", chart.title, figure.table, figure.paper, figure.today);
        session.write_svg(&folder.join(format!("{}.svg", figure.name)), &chart)?;
    }
    tell_absent(&standings);
    counts.check(noise)
}

/// Measures the named figures; `None` if another process shows them.
pub(crate) fn measure(
    session: &mut Session,
    names: &[String],
    noise: Noise,
) -> Result<Option<Gathered>, String> {
    let figures = named(names)?;
    // All together, so that processes started for it do the same.
    let contests: Vec<Contest> = figures.iter().flat_map(|f| (f.contests)()).collect();
    let contests = match session.pace() {
        Pace::Full => contests,
        Pace::Quick => contests.into_iter().filter_map(quick).collect(),
    };
    let standings = session.measure(&contests)?;
    Ok((!session.is_silent()).then(|| gather(&figures, standings, noise)))
}

/// Returns all figures of recorded results; those of which nothing was measured are left out.
pub(crate) fn of_record(standings: Vec<Standings>, noise: Noise) -> Gathered {
    let all: Vec<&Figure> = FIGURES.iter().collect();
    let mut gathered = gather(&all, standings, noise);
    gathered.figures.retain(|figure| figure.panels.iter().any(Panel::is_measured));
    gathered
}

fn gather(figures: &[&Figure], mut standings: Vec<Standings>, noise: Noise) -> Gathered {
    let counts = Counts::of(&standings, "");
    let footnotes = figures.iter().map(|figure| Counts::of(&standings, figure.name).footnote(noise));
    let footnotes: Vec<String> = footnotes.collect();
    if noise == Noise::LeftOut {
        standings.iter_mut().for_each(Standings::leave_noise_out);
    }
    let show = |(figure, footnote): (&&Figure, String)| {
        let (table, chart) = (figure.show)(&standings, Chart::new("", ""));
        let (name, title) = (figure.name.into(), figure.title.into());
        let (paper, today) = (summary::paper(figure.paper), summary::today(figure.pairs, &chart.panels));
        hashlanes_chart::Figure { name, title, table, panels: chart.panels, paper, today, footnote }
    };
    let figures = figures.iter().zip(footnotes).map(show).collect();
    Gathered { figures, standings, counts }
}

/// The figures of these names, each once.
fn named(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    if let Some(unknown) = names.iter().find(|n| *n != ALL && FIGURES.iter().all(|f| f.name != **n)) {
        let all: Vec<_> = FIGURES.iter().map(|f| f.name).collect();
        return Err(format!("unknown figure {unknown:?}; expected one of {}, and {ALL}", all.join(", ")));
    }
    let is_wanted = |figure: &&Figure| names.iter().any(|n| n == ALL || n == figure.name);
    Ok(FIGURES.iter().filter(is_wanted).collect())
}

/// The longest message of a quick figure.
const QUICK_LEN: usize = 1 << 20;
/// Leaves of a key that a quick figure generates on every kernel: 0.1 s on scalar code.
const QUICK_LEAVES: u64 = 128;
/// Leaves of a key that a quick figure generates to sign with: 0.7 s on all kernels that the library chooses.
const QUICK_KEY_LEAVES: u64 = 8192;
/// The most bytes of many messages.
const QUICK_BYTES: usize = 8 << 20;
/// The length of a sample of a quick figure with its own length.
const QUICK_SECONDS: f64 = 0.02;

/// Returns a contest in its quick form, if it has one.
fn quick(contest: Contest) -> Option<Contest> {
    let is_long = |work: &Work| match (work.hash, work.shape) {
        (_, Shape::One { len }) => len > QUICK_LEN,
        (_, Shape::Many { count, len, .. }) => count * len > QUICK_BYTES,
        (Hash::Xmss(set), Shape::Signatures(Operation::KeyGeneration)) => leaves(&set) > QUICK_LEAVES,
        (Hash::SlhDsaOrLms(_), _) => true,
        // Each signs with a key of its own.
        (Hash::Xmss(set), Shape::Signatures(Operation::Sign)) => leaves(&set) > QUICK_KEY_LEAVES,
        _ => false,
    };
    let is_short = !contest.entries.iter().any(|(_, work)| is_long(work));
    let seconds = contest.seconds.map(|_| QUICK_SECONDS);
    is_short.then_some(Contest { seconds, ..contest })
}

/// The names of all figures.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FIGURES.iter().map(|figure| figure.name)
}

/// Shows the names.
pub(crate) fn list() {
    FIGURES.iter().for_each(|figure| outln!("{}: {}", figure.name, figure.title));
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashlanes_chart::{Over, Whose};

    #[test]
    fn figures_have_names_and_contests_of_their_own() {
        let mut ids: Vec<String> = FIGURES.iter().flat_map(|f| (f.contests)()).map(|c| c.id).collect();
        let mut names: Vec<&str> = FIGURES.iter().map(|f| f.name).collect();
        let (n_ids, n_names) = (ids.len(), names.len());
        ids.sort();
        ids.dedup();
        names.sort();
        names.dedup();
        assert_eq!((ids.len(), names.len()), (n_ids, n_names));
    }

    #[test]
    fn a_panel_has_eight_measured_lines_at_most() {
        let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("record/amd-epyc-f25-m17-s1");
        let recorded = crate::recorded::read(&record).unwrap();
        let figures = of_record(recorded.standings, Noise::Shown).figures;
        assert!(figures.len() > 20, "{}", figures.len());
        for figure in figures {
            for panel in figure.panels {
                let Over::Numbers { x_label, lines } = panel.over else { continue };
                let measured = lines.iter().filter(|line| line.whose != Whose::Paper).count();
                assert!(measured <= 8, "{}, {x_label}: {measured} lines", figure.name);
            }
        }
    }

    #[test]
    fn a_figure_of_nothing_is_drawn() {
        for figure in FIGURES {
            let (table, chart) = (figure.show)(&[], Chart::new("", ""));
            assert!(!table.to_string().is_empty());
            assert!(!chart.to_svg().contains("NaN"), "{}", figure.name);
        }
    }
}
