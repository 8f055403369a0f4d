//! `hashlanes kernels --proofs`: which kernels' machine code was proved to compute the standard's function.
//!
//! The lines are those of the project's ledger, which `cargo xtask prove` writes.

use std::fmt::Write;

use hashlanes_chart::TextTable;
use serde_json::{Value, json};

use crate::kernels::pretty;

/// `ENTRY FINGERPRINT BLOCKS SECONDS`, a line each; an entry is `TABLE/KERNEL/VERB`.
#[cfg(target_arch = "x86_64")]
const LEDGER: &str = include_str!("proofs.txt");
/// Other architectures' kernels rest on their tests.
#[cfg(not(target_arch = "x86_64"))]
const LEDGER: &str = "";

/// A recorded proof.
struct Proof {
    table: &'static str,
    kernel: String,
    verb: &'static str,
    fingerprint: &'static str,
    blocks: &'static str,
    seconds: &'static str,
}

fn proofs() -> impl Iterator<Item = Proof> {
    LEDGER.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let mut parts = words.next()?.split('/');
        let (table, kernel, verb) = (parts.next()?, parts.next()?.replace('_', "-"), parts.next()?);
        let (fingerprint, blocks, seconds) = (words.next()?, words.next()?, words.next()?);
        Some(Proof { table, kernel, verb, fingerprint, blocks, seconds })
    })
}

/// All proofs as text.
pub(crate) fn list() -> String {
    let mut lines = TextTable::new(["hash or cipher", "kernel", "verb", "blocks", "fingerprint", "seconds"])
        .left(&[0, 1, 2, 3, 4]);
    let mut n_proofs = 0;
    for Proof { table, kernel, verb, fingerprint, blocks, seconds } in proofs() {
        lines.row([table, &kernel, verb, blocks, fingerprint, seconds].map(str::to_owned));
        n_proofs += 1;
    }
    if n_proofs == 0 {
        return "No kernel of this architecture is proved; tests compare all with the standards.\n".into();
    }
    let mut text = lines.to_string();
    let _ = write!(
        text,
        "\n{n_proofs} proofs: the machine code of a kernel's verb computes the standard's function for all contents, in\n\
         constant time, within its memory. Blocks: any number, or those of the cases that were carried out.\n\
         Seconds: the time of the proof. Code in assembly is the same in every build. Compiled kernels were proved\n\
         in the project's release program; another compiler makes other code.\n"
    );
    text
}

/// All proofs as JSON.
pub(crate) fn list_json() -> String {
    let proof = |Proof { table, kernel, verb, fingerprint, blocks, seconds }| {
        json!({
            "table": table,
            "kernel": kernel,
            "verb": verb,
            "blocks": blocks,
            "fingerprint": fingerprint,
            "seconds": seconds.parse::<f64>().ok(),
        })
    };
    pretty(&Value::from_iter(proofs().map(proof)))
}
