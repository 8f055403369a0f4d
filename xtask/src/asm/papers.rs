//! The papers' prescriptions for their kernels, checked in the instructions, because the tests of the digests
//! cannot see them.

use hashlanes_testkit::table::Table;

use super::emit::Kernel;
use super::strand::Instruction;

/// A sentence of a paper, and the kernels that it is about.
struct Prescription {
    paper: &'static str,
    what: &'static str,
    /// Directory's hash, and names.
    kernels: &'static [(&'static str, &'static [&'static str])],
    /// The finding, or why the prescription does not hold.
    look: fn(&[Instruction]) -> Result<String, String>,
}

const PRESCRIPTIONS: &[Prescription] = &[
    Prescription {
        paper: "000 §6",
        what: "rotation by ror",
        kernels: &[
            ("sha256", &["serial_ror", "rounds_ror", "sms4_sse", "sms4_avx", "sms4_avx_rem", "sse4", "avx"]),
            ("sha512", &["serial_ror", "rounds_ror", "sms2_sse", "sms2_avx"]),
            (
                "sha1",
                &[
                    "serial_ror",
                    "rounds_ror",
                    "sms4_sse",
                    "ssse3",
                    "ssse3_plain",
                    "ssse3_repaired",
                    "ssse3_part",
                    "avx",
                ],
            ),
        ],
        look: |code| rotates_by(code, "ror"),
    },
    Prescription {
        paper: "000 §6",
        what: "rotation by shrd",
        kernels: &[("sha256", &["serial_shrd", "rounds_shrd", "sms4_sse_shrd", "sms4_avx_shrd"])],
        look: |code| rotates_by(code, "shrd"),
    },
    Prescription {
        paper: "001",
        what: "rotation by rorx",
        kernels: &[
            (
                "sha256",
                &[
                    "serial_rorx",
                    "rounds_rorx",
                    "sms8_avx2",
                    "sms16_avx512",
                    "avx2_rorx2",
                    "avx2_rorx8",
                    "stitched_avx2",
                    "stitched_avx512",
                ],
            ),
            ("sha512", &["serial_rorx", "rounds_rorx", "sms4_avx2", "sms8_avx512"]),
            ("sha1", &["rounds_rorx", "sms8_avx2", "avx2"]),
        ],
        look: |code| rotates_by(code, "rorx"),
    },
    Prescription {
        paper: "000 §4",
        what: "SSE alone: nothing that AVX encodes",
        kernels: &[
            ("sha256", &["sms4_sse", "sms4_sse_shrd", "sse4"]),
            ("sha512", &["sms2_sse"]),
            ("sha1", &["sms4_sse", "ssse3", "ssse3_plain", "ssse3_repaired", "ssse3_part"]),
        ],
        look: |code| {
            let mut vectors =
                code.iter().filter(|instruction| instruction.operands().contains("mm")).peekable();
            vectors.peek().ok_or("no vectors at all")?;
            match vectors.find(|instruction| instruction.mnemonic().starts_with('v')) {
                Some(vex) => Err(vex.to_string()),
                None => Ok("none".into()),
            }
        },
    },
    Prescription {
        paper: "001",
        what: "sigma1 of two words at a time, {B,B,A,A}, by shifts of 64 bits",
        kernels: &[("sha256", &["sse4", "avx", "avx2_rorx2", "stitched_avx2"])],
        look: |code| {
            let [low, high] = ["0xfa", "0x50"].map(|pick| {
                count(code, |i| i.mnemonic().ends_with("pshufd") && i.operands().ends_with(pick))
            });
            let shifts = count(code, |i| i.mnemonic().ends_with("psrlq"));
            let found = format!("{shifts} psrlq, {low} and {high} pshufd");
            if low > 0 && low == high && shifts == 2 * (low + high) { Ok(found) } else { Err(found) }
        },
    },
    Prescription {
        paper: "001",
        what: "the second block's rounds have no schedule",
        kernels: &[("sha256", &["avx2_rorx2", "stitched_avx2", "stitched_avx512"])],
        look: |code| {
            let first_ends =
                code.iter().position(|i| i.to_string() == "jz 8f").ok_or("no end of the first block")?;
            let rounds = count(&code[first_ends..], |i| i.mnemonic() == "rorx") / 6;
            match code[first_ends..].iter().find(|i| i.operands().contains("mm")) {
                Some(vector) => Err(vector.to_string()),
                None if rounds == 0 => Err("no rounds".into()),
                None => Ok(format!("{rounds} rounds, no vectors")),
            }
        },
    },
    Prescription {
        paper: "001",
        what: "KTMSG[i+16] takes the place of TMSG[i], which is read before",
        kernels: &[("sha256", &["avx2_rorx8"])],
        look: |code| {
            let mut n = 0;
            for (i, store) in code.iter().enumerate().filter(|(_, i)| i.mnemonic() == "vmovdqa" && i.stores())
            {
                let place = store.operands().split(',').next().unwrap_or_default();
                let is_read = |before: &Instruction| before.loads() && before.operands().ends_with(place);
                if place.contains("rcx") && code[..i].iter().any(is_read) {
                    n += 1;
                }
            }
            if n == 16 { Ok("16 of 16 words a loop".into()) } else { Err(format!("{n} of 16 words")) }
        },
    },
    Prescription {
        paper: "003",
        what: "words 16..32 with the additional calculation, 32..80 by one palignr and a rotation by 2",
        kernels: &[("sha1", &["ssse3", "ssse3_plain", "avx", "avx2"])],
        look: |code| {
            let of = |name: &str| count(code, |i| i.mnemonic().trim_start_matches('v') == name);
            let (aligned, repaired) = (of("palignr"), of("pslldq"));
            let by_2 = count(code, |i| i.mnemonic().ends_with("psrld") && i.operands().ends_with(",30"));
            let found = format!("{aligned} palignr, {by_2} rotations by 2, {repaired} of them as repair");
            let four_by_four = repaired > 0 && repaired.is_multiple_of(REPAIRED);
            if four_by_four && aligned == SKEWED + repaired && by_2 == aligned {
                Ok(found)
            } else {
                Err(found)
            }
        },
    },
    Prescription {
        paper: "003",
        what: "all words with the additional calculation",
        kernels: &[("sha1", &["ssse3_repaired"])],
        look: |code| {
            let [aligned, repaired] = ["palignr", "pslldq"].map(|name| count(code, |i| i.mnemonic() == name));
            let found = format!("{aligned} palignr, {repaired} repairs");
            if aligned == repaired && repaired == REPAIRED + SKEWED { Ok(found) } else { Err(found) }
        },
    },
    Prescription {
        paper: "003",
        what: "a part of the words in vectors, the rest word by word",
        kernels: &[("sha1", &["ssse3_part"])],
        look: |code| {
            let aligned = count(code, |i| i.mnemonic() == "palignr");
            let ended = count(code, |i| i.mnemonic() == "rol" && i.operands().ends_with("d,1"));
            let found = format!("{aligned} palignr, {ended} words by rol");
            if aligned == REPAIRED + SKEWED && ended == 4 * aligned { Ok(found) } else { Err(found) }
        },
    },
    Prescription {
        paper: "003",
        what: "W + K through memory: a store of four words, loads of one",
        kernels: &[("sha1", &["ssse3", "ssse3_plain", "avx", "avx2"])],
        look: |code| {
            let loads = count(code, |i| i.mnemonic() == "add" && i.operands().contains(",[rsp+"));
            let between = count(code, |i| {
                let name = i.mnemonic().trim_start_matches('v');
                ["movd", "movq"].contains(&name) || name.starts_with("pextr")
            });
            let found = format!("{loads} loads by additions, {between} moves between registers");
            if loads > 0 && loads.is_multiple_of(80) && between == 0 { Ok(found) } else { Err(found) }
        },
    },
    Prescription {
        paper: "003",
        what: "software pipelining: a block's first words beside the last rounds of the one before",
        kernels: &[("sha1", &["ssse3", "avx", "avx2"])],
        look: |code| {
            let (before, all) = rounds_before_first_words(code)?;
            let found = format!("behind {before} of {all} rounds of the loop");
            if 2 * before > all { Ok(found) } else { Err(found) }
        },
    },
    Prescription {
        paper: "003",
        what: "no software pipelining: a block's first words before its rounds",
        kernels: &[("sha1", &["ssse3_plain", "ssse3_repaired", "ssse3_part"])],
        look: |code| {
            let (before, all) = rounds_before_first_words(code)?;
            let found = format!("behind {before} of {all} rounds of the loop");
            if before == 0 { Ok(found) } else { Err(found) }
        },
    },
];

/// Fours of words of a block of SHA-1 that 003 makes in each way.
const REPAIRED: usize = 4;
const SKEWED: usize = 12;

/// Number of rounds of the loop before the last load of words, and of all rounds: K + W of each is added
/// once.
fn rounds_before_first_words(code: &[Instruction]) -> Result<(usize, usize), String> {
    let begin = code.iter().position(|i| i.to_string() == "2:").ok_or("no loop")?;
    let end = code.iter().position(|i| i.to_string() == "jnz 2b").ok_or("no loop")?;
    let code = &code[begin..end];
    let last = code.iter().rposition(|i| i.mnemonic().ends_with("pshufb")).ok_or("no words are loaded")?;
    let rounds =
        |code: &[Instruction]| count(code, |i| i.mnemonic() == "add" && i.operands().contains(",[rsp+"));
    Ok((rounds(&code[..last]), rounds(code)))
}

fn count(code: &[Instruction], is: impl Fn(&Instruction) -> bool) -> usize {
    code.iter().filter(|instruction| is(instruction)).count()
}

/// That instruction, and not a similar one.
fn rotates_by(code: &[Instruction], name: &str) -> Result<String, String> {
    let of = |name: &str| count(code, |instruction| instruction.mnemonic() == name);
    let others: usize = ["ror", "shrd", "rorx"].into_iter().filter(|other| *other != name).map(of).sum();
    let found = format!("{} {name}", of(name));
    if of(name) > 0 && others == 0 { Ok(found) } else { Err(format!("{found}, {others} others")) }
}

/// Every prescription with every kernel of it: paper, sentence, kernel, the finding or why it does not hold.
fn looked_up(
    kernels: &[(&str, Kernel)],
) -> impl Iterator<Item = (&'static Prescription, String, Result<String, String>)> {
    PRESCRIPTIONS.iter().flat_map(move |prescription| {
        let all =
            prescription.kernels.iter().flat_map(|(hash, names)| names.iter().map(move |name| (hash, name)));
        all.map(move |(hash, name)| {
            let is_it = |(directory, kernel): &&(&str, Kernel)| {
                directory.contains(&format!("/{hash}/")) && kernel.name == *name
            };
            let found = match kernels.iter().find(is_it) {
                Some((_, kernel)) => (prescription.look)(&kernel.body),
                None => Err("there is no such kernel".into()),
            };
            (prescription, format!("{hash}_{name}"), found)
        })
    })
}

/// The table for the report.
///
/// # Errors
/// If a prescription does not hold.
pub(crate) fn table(kernels: &[(&str, Kernel)]) -> Result<String, String> {
    let mut table = Table::new(["paper", "prescribes", "kernel", "found"]);
    let mut broken = vec![];
    for (prescription, kernel, found) in looked_up(kernels) {
        let Prescription { paper, what, .. } = prescription;
        if let Err(why) = &found {
            broken.push(format!("{kernel}: {paper}, {what}: {why}"));
        }
        table.row([
            (*paper).to_owned(),
            (*what).to_owned(),
            kernel,
            found.unwrap_or_else(|why| format!("NOT: {why}")),
        ]);
    }
    if broken.is_empty() { Ok(table.to_string()) } else { Err(broken.join("\n")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_are_as_their_papers_prescribe() {
        super::table(&crate::asm::all().unwrap()).unwrap();
    }
}
