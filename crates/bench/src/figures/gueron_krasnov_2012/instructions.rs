//! Instructions for 512 bytes, SHA-256 and SHA-512 (Gueron, Krasnov 2012, Fig. 5): counted, not timed. The
//! paper's SHA-256 by 8-SMS takes about 27 % fewer than OpenSSL's, its SHA-512 by 4-SMS about 21 %.
//!
//! Whole blocks, so that no padding is counted. Each kernel is shown as a share of the serial one with the
//! same rotation, from which it differs only by n-SMS, and of `serial-ror`, which resembles OpenSSL's code of
//! that time.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::count::instructions;
use crate::figures::figure::Figure;
use crate::interrupt::Interrupt;
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes_chart::{Bar, Chart, TextTable, Whose, number_or_dash};

/// gueron-krasnov-2012-instructions.
pub(in crate::figures) const FIGURE: Figure = Figure {
    name: "gueron-krasnov-2012-instructions",
    title: "instructions of one message's compression, 512 bytes",
    paper: "8-SMS executes about 27 % fewer instructions than serial code, 4-SMS of SHA-512 about 21 %",
    pairs: &[("sha256 sms8-avx2", "sha256 serial-rorx"), ("sha512 sms4-avx2", "sha512 serial-rorx")],
    contests: Vec::<Contest>::new,
    show,
};

const LEN: usize = 512;

/// Hash, kernel, the serial kernel with the same rounds, and the paper's share.
const KERNELS: [(Hash, &str, &str, Option<f64>); 23] = [
    (Hash::Sha256, "serial-ror", "serial-ror", None),
    (Hash::Sha256, "sms4-sse", "serial-ror", None),
    (Hash::Sha256, "sms4-avx", "serial-ror", None),
    (Hash::Sha256, "sms4-avx-rem", "serial-ror", None),
    (Hash::Sha256, "sse4", "serial-ror", None),
    (Hash::Sha256, "avx", "serial-ror", None),
    (Hash::Sha256, "serial-shrd", "serial-shrd", None),
    (Hash::Sha256, "sms4-sse-shrd", "serial-shrd", None),
    (Hash::Sha256, "sms4-avx-shrd", "serial-shrd", None),
    (Hash::Sha256, "serial-rorx", "serial-rorx", None),
    (Hash::Sha256, "sms8-avx2", "serial-rorx", Some(0.73)),
    (Hash::Sha256, "sms16-avx512", "serial-rorx", None),
    (Hash::Sha256, "avx2-rorx2", "serial-rorx", None),
    (Hash::Sha256, "avx2-rorx8", "serial-rorx", None),
    (Hash::Sha256, "stitched-avx2", "serial-rorx", None),
    (Hash::Sha256, "stitched-avx512", "serial-rorx", None),
    (Hash::Sha512, "serial-ror", "serial-ror", None),
    (Hash::Sha512, "sms2-sse", "serial-ror", None),
    (Hash::Sha512, "sms2-avx", "serial-ror", None),
    (Hash::Sha512, "serial-rorx", "serial-rorx", None),
    (Hash::Sha512, "sms4-avx2", "serial-rorx", Some(0.79)),
    (Hash::Sha512, "sms8-avx512", "serial-rorx", None),
    (Hash::Sha512, "stitched-avx2", "serial-rorx", None),
];
/// The baseline of the paper's shares.
const PAPERS: &str = "serial-ror";

fn show(_: &[Standings], chart: Chart) -> (TextTable, Chart) {
    let count = |(hash, kernel, ..): (Hash, &str, &str, Option<f64>)| {
        let work = Work::new(hash, Shape::Lanes { count: 1, len: LEN });
        instructions(&format!("{OURS}:{kernel}"), work, &Interrupt::default())
    };
    let counts = KERNELS.map(count);
    let of = |hash: Hash, name: &str| -> Option<f64> {
        let at = KERNELS.iter().position(|(its, kernel, ..)| (*its, *kernel) == (hash, name))?;
        counts[at].as_ref().ok().copied().flatten().map(|n| n as f64)
    };

    let heads = ["hash", "kernel", "instructions", "a byte", "of serial", "of serial-ror", "paper", ""];
    let mut table = TextTable::new(heads).left(&[1, 7]);
    let mut bars = Vec::new();
    for ((hash, kernel, serial, paper), counted) in KERNELS.iter().zip(&counts) {
        let n = of(*hash, kernel);
        let share = |of_what: Option<f64>| {
            n.zip(of_what).map_or_else(|| "–".into(), |(n, one)| format!("{:.3}", n / one))
        };
        table.row([
            hash.name().into_owned(),
            (*kernel).to_owned(),
            n.map_or_else(|| "–".into(), |n| n.to_string()),
            number_or_dash(n.map(|n| n / LEN as f64)),
            share(of(*hash, serial)),
            share(of(*hash, PAPERS)),
            number_or_dash(*paper),
            counted.as_ref().err().cloned().unwrap_or_default(),
        ]);
        bars.push(Bar {
            name: format!("{} {kernel}", hash.name()),
            value: n.zip(of(*hash, PAPERS)).map(|(n, one)| n / one),
            paper: *paper,
            whose: Whose::Ours,
        });
    }
    (table, chart.bars("instructions, of serial-ror's", bars).quoted("counted for AVX2"))
}
