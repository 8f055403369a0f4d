//! k messages pipelined through the SHA extensions (Faz-Hernández, López, de Oliveira 2018, Fig. 5).

use crate::contest::Contest;
use crate::figures::figure::{
    Curve, Figure, LENS, contestant, cpb, curve_table, find, grouped, kernels, lines, sha256, split,
};
use crate::standings::Standings;
use hashlanes_chart::{Chart, Line, TextTable};

/// faz-hernandez-2018-pipelined-sha-ni.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "faz-hernandez-2018-pipelined-sha-ni",
    title: "SHA-256 of k messages pipelined through SHA-NI, and the time over k = 1",
    paper: "on Zen two messages at once take 18 % less time than one after the other, four 21 %",
    pairs: &[
        ("hashlanes:sha-ni-x2, k = 2", "hashlanes:sha-ni, k = 1"),
        ("hashlanes:sha-ni-x4, k = 4", "hashlanes:sha-ni, k = 1"),
    ],
    contests,
    show,
};

const ONE: &str = "hashlanes:sha-ni";

/// The name of the contest of this length.
pub(in crate::figures) fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

/// Contestants, and how many messages each takes at once.
fn names() -> Vec<(String, usize)> {
    let ours = kernels(|row| row.name.starts_with("sha-ni") && row.degree <= 8);
    let ours = ours.iter().map(|row| (contestant(row), row.degree));
    ours.chain([("libipsec-mb:sha-ni".to_owned(), 2)]).collect()
}

fn contests() -> Vec<Contest> {
    let contest = |len| {
        let entries = names().into_iter().map(|(name, k)| (name, sha256(k, len)));
        Contest::new(id(len), entries.collect())
    };
    LENS.map(contest).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let cycles: Vec<Curve<'_>> = names()
        .into_iter()
        .map(|(name, k)| {
            let label = format!("{name}, k = {k}");
            let value = move |len| cpb(standings, &id(len), &name);
            (label, Box::new(value) as Box<dyn Fn(usize) -> Option<f64>>)
        })
        .collect();
    let times: Vec<Curve<'_>> = names()
        .into_iter()
        .filter(|(_, k)| *k > 1)
        .map(|(name, k)| {
            let label = format!("{name}, k = {k}");
            let value = move |len| Some(find(standings, &id(len))?.ratio(&name, ONE)?.median / k as f64);
            (label, Box::new(value) as Box<dyn Fn(usize) -> Option<f64>>)
        })
        .collect();
    let table = curve_table("cycles per byte", &cycles);
    let far = LENS[LENS.len() - 1] as f64;
    let mut below = lines(&times);
    below.push(Line::paper("paper, Zen: k = 2", vec![(far, 0.82)]));
    below.push(Line::paper("paper, Zen: k = 4", vec![(far, 0.79)]));
    // The paper's code is in the encoding of SSE.
    let is_sse = |name: &str| !["-avx", "-vl", "-asm"].iter().any(|encoding| name.contains(encoding));
    let ((sse, avx), (times_sse, times_avx)) = (split(lines(&cycles), is_sse), split(below, is_sse));
    let groups = |sse, avx| vec![("SSE encoding", sse), ("AVX and AVX-512VL encoding", avx)];
    let chart = grouped(chart, "bytes a message", "cycles per byte", groups(sse, avx));
    (table, grouped(chart, "bytes a message", "time over k calls of k = 1", groups(times_sse, times_avx)))
}
