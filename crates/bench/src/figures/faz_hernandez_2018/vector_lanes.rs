//! Many messages in vector lanes (Faz-Hernández, López, de Oliveira 2018, Fig. 3): one message for each lane,
//! all of the same length.

use crate::contest::Contest;
use crate::figures::figure::{
    Curve, Figure, LENS, contestant, cpb, curve_table, find, grouped, kernels, lines, sha256, split,
};
use crate::standings::Standings;
use hashlanes_chart::{Chart, Line, TextTable};

/// faz-hernandez-2018-vector-lanes.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-vector-lanes",
    title: "SHA-256 of a message a vector lane, and the speed-up over one after the other",
    paper: "on Kaby Lake 4 messages with SSE are 2.35 times as fast as one after the other, 8 with AVX2 4.5 times",
    pairs: &[
        ("hashlanes:sse-x4, n = 4", "hashlanes:scalar, n = 1"),
        ("hashlanes:avx2-x8, n = 8", "hashlanes:scalar, n = 1"),
    ],
    contests,
    show,
};

const SCALAR: &str = "hashlanes:scalar";

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

/// Contestants, and how many messages each takes at once. Of the same lanes compiled and in assembly those in
/// assembly.
fn names() -> Vec<(String, usize)> {
    let has_twin = |name: &str| ["avx512-x16", "avx512vl-x8"].contains(&name);
    let vectors = kernels(|row| row.degree > 1 && !row.name.starts_with("sha-ni") && !has_twin(row.name));
    let ours = vectors.iter().map(|row| (contestant(row), row.degree));
    let rivals = [("libipsec-mb:sse", 4), ("libipsec-mb:avx2", 8), ("libipsec-mb:avx512", 16)];
    let rivals = rivals.map(|(name, n)| (name.to_owned(), n));
    std::iter::once((SCALAR.to_owned(), 1)).chain(ours).chain(rivals).collect()
}

fn contests() -> Vec<Contest> {
    let contest = |len| {
        let entries = names().into_iter().map(|(name, n)| (name, sha256(n, len)));
        Contest::new(id(len), entries.collect())
    };
    LENS.map(contest).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let cycles: Vec<Curve<'_>> = names()
        .into_iter()
        .map(|(name, n)| {
            let value = {
                let name = name.clone();
                move |len| cpb(standings, &id(len), &name)
            };
            (format!("{name}, n = {n}"), Box::new(value) as Box<dyn Fn(usize) -> Option<f64>>)
        })
        .collect();
    // The speed-up of n messages over n calls of the one-message code.
    let speed_ups: Vec<Curve<'_>> = names()
        .into_iter()
        .skip(1)
        .map(|(name, n)| {
            let label = format!("{name}, n = {n}");
            let value = move |len| {
                let ratio = find(standings, &id(len))?.ratio(SCALAR, &name)?;
                Some(ratio.median * n as f64)
            };
            (label, Box::new(value) as Box<dyn Fn(usize) -> Option<f64>>)
        })
        .collect();
    let table = curve_table("cycles per byte", &cycles);
    let far = LENS[LENS.len() - 1] as f64;
    let mut below = lines(&speed_ups);
    below.push(Line::paper("paper, Kaby Lake: SSE, n = 4", vec![(far, 2.35)]));
    below.push(Line::paper("paper, Kaby Lake: AVX2, n = 8", vec![(far, 4.5)]));
    let is_of_the_paper = |name: &str| !["avx512", "split", "zen5"].iter().any(|part| name.contains(part));
    let (of_the_paper, newer) = split(lines(&cycles), is_of_the_paper);
    let (faster, newer_faster) = split(below, is_of_the_paper);
    let groups = |first, second| vec![("SSE and AVX2", first), ("AVX-512", second)];
    let chart = grouped(chart, "bytes a message", "cycles per byte", groups(of_the_paper, newer));
    (table, grouped(chart, "bytes a message", "times as fast", groups(faster, newer_faster)))
}
