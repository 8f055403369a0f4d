//! SHA-1 by n-SMS against the length (Gueron, Krasnov 2012, section 7: "we could not gain performance by
//! using the 4-SMS method"): the schedules of n blocks side by side, alongside one block's schedule four
//! words at once and the serial kernel.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, cpb, curve_table, find, lines};
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable};

/// gueron-krasnov-2012-sha1.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-sha1",
    title: "SHA-1 of one message by n-SMS, and by the schedule of one block in vectors",
    paper: "SHA-1 gains nothing by 4-SMS, because its schedule is too simple",
    pairs: &[("hashlanes:sms4-sse", "hashlanes:serial-ror")],
    contests,
    show,
};

const SERIAL: &str = "hashlanes:serial-ror";
/// The n-SMS kernels, and the kernels with the same vectors and rounds without it.
const PAIRS: [[&str; 2]; 2] =
    [["hashlanes:sms4-sse", "hashlanes:ssse3"], ["hashlanes:sms8-avx2", "hashlanes:avx2"]];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}

fn contests() -> Vec<Contest> {
    let names = || PAIRS.into_iter().flatten().chain([SERIAL]);
    LENS.map(|len| Contest::of(Work::new(Hash::Sha1, Shape::One { len }), names()).named(id(len))).into()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let mut curves: Vec<Curve<'_>> = PAIRS.into_iter().flatten().map(curve).collect();
    curves.push(curve(SERIAL));
    let gain = |[sms, other]: [&'static str; 2]| -> Curve<'_> {
        let ratio = move |len| Some(find(standings, &id(len))?.ratio(other, sms)?.median);
        (format!("{sms} over {other}"), Box::new(ratio))
    };
    let mut below = lines(&PAIRS.map(gain));
    below.push(Line::paper("paper, Core of 2012: 4-SMS, no gain", vec![(8192.0, 1.0)]));
    let table = curve_table("cycles per byte", &curves);
    let chart =
        chart.lines("bytes", "cycles per byte", lines(&curves)).lines("bytes", "times as fast", below);
    (table, chart)
}
