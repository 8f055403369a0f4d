//! SHA-1 of one message with its schedule in vectors, against the length (Locktyukhin 2010): cycles, and the
//! speed-up over the scalar kernels. OpenSSL's code is of the same origin; its instruction sets are
//! restricted, in processes of its own. A third panel has the paper's other schedules, which it rejects: with
//! the additional calculation for all words, and only a part of the words in vectors.

use crate::contest::Contest;
use crate::figures::figure::{Curve, Figure, LENS, cpb, curve_table, find, grouped, lines, split};
use crate::standings::Standings;
use crate::targets::{OPENSSL_NO_SHA_NI, OPENSSL_SSSE3};
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Chart, Line, TextTable};

/// locktyukhin-2010-vector-schedule.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "locktyukhin-2010-vector-schedule",
    title: "SHA-1 of one message, its schedule in vectors, and the speed-up over scalar code",
    paper: "1 KiB takes 5.8 cycles per byte with SSSE3, 1.2 to 1.5 times as fast as scalar code",
    pairs: &[
        ("hashlanes:ssse3", "hashlanes:serial-ror"),
        ("hashlanes:ssse3-plain", "hashlanes:ssse3-repaired"),
        ("hashlanes:ssse3-plain", "hashlanes:ssse3-part"),
    ],
    contests,
    show,
};

const SSSE3: &str = "hashlanes:ssse3";
const AVX2: &str = "hashlanes:avx2";
const SERIAL: &str = "hashlanes:serial-ror";
const NAMES: [&str; 8] = [SSSE3, "hashlanes:avx", AVX2, SERIAL, "hashlanes:scalar", PLAIN, REPAIRED, PART];
/// The paper's schedule, and those that it rejects; none is pipelined.
const PLAIN: &str = "hashlanes:ssse3-plain";
const REPAIRED: &str = "hashlanes:ssse3-repaired";
const PART: &str = "hashlanes:ssse3-part";
const SCHEDULES: [&str; 3] = [PLAIN, REPAIRED, PART];
const OPENSSL: &str = "libcrypto:context";
/// The restriction of OpenSSL, and the instruction set that remains.
const MASKED: [(&str, &str); 2] = [(OPENSSL_SSSE3, "SSSE3"), (OPENSSL_NO_SHA_NI, "no SHA-NI")];

fn id(len: usize) -> String {
    FIGURE.id(format_args!("{len} B"))
}
fn id_masked(len: usize, environment: &str) -> String {
    format!("{}, {environment}", id(len))
}

fn contests() -> Vec<Contest> {
    let work = |len| Work::new(Hash::Sha1, Shape::One { len });
    let ours = LENS.map(|len| Contest::of(work(len), NAMES).named(id(len)));
    let masked = MASKED.iter().flat_map(|(environment, _)| {
        LENS.map(|len| {
            let contest = Contest::of(work(len), [SSSE3, OPENSSL]).named(id_masked(len, environment));
            contest.with(environment)
        })
    });
    ours.into_iter().chain(masked).collect()
}

fn show(standings: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let curve = |name: &'static str| -> Curve<'_> {
        (name.into(), Box::new(move |len| cpb(standings, &id(len), name)))
    };
    let mut cycles: Vec<Curve<'_>> = NAMES.map(curve).into();
    for (environment, has) in MASKED {
        let value = move |len| cpb(standings, &id_masked(len, environment), OPENSSL);
        cycles.push((format!("{OPENSSL}, {has}"), Box::new(value)));
    }
    let over = |scalar: &'static str, name: &'static str| -> Curve<'_> {
        let ratio = move |len| Some(find(standings, &id(len))?.ratio(scalar, name)?.median);
        (format!("{name} over {scalar}"), Box::new(ratio))
    };
    let speed_ups = [over(SERIAL, SSSE3), over(SERIAL, AVX2), over("hashlanes:scalar", AVX2)];

    let table = curve_table("cycles per byte", &cycles);
    let paper = |name: &str, value| Line::paper(format!("paper, Intel 2010: {name}"), vec![(1024.0, value)]);
    let (schedules, mut above) = split(lines(&cycles), |name| SCHEDULES.contains(&name));
    let serial: Vec<Line> = above.iter().filter(|line| line.name == SERIAL).cloned().collect();
    above.push(paper("SSSE3", 5.8));
    let mut below = lines(&speed_ups);
    below.extend([paper("from", 1.2), paper("to", 1.5)]);
    let chart = chart.lines("bytes", "cycles per byte", above).lines("bytes", "times as fast", below);
    let schedules = [schedules, serial].concat();
    (table, grouped(chart, "bytes", "cycles per byte", vec![("the paper's three schedules", schedules)]))
}
