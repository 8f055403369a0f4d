//! The instructions that a row's name forbids and requires.

use super::listing::{Encoding, Instruction};

/// A class of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Sse,
    Vex,
    Evex,
    Ymm,
    Zmm,
    Sha,
    Aes,
}

use Class::*;

impl Class {
    fn name(self) -> &'static str {
        match self {
            Sse => "SSE instructions",
            Vex => "VEX instructions",
            Evex => "EVEX instructions",
            Ymm => "ymm registers",
            Zmm => "zmm registers",
            Sha => "SHA instructions",
            Aes => "AES instructions",
        }
    }

    fn has(self, instruction: &Instruction) -> bool {
        match self {
            Sse => instruction.encoding() == Encoding::Sse,
            Vex => instruction.encoding() == Encoding::Vex && !instruction.is_vzeroupper(),
            Evex => instruction.encoding() == Encoding::Evex,
            Ymm => instruction.uses("%ymm"),
            Zmm => instruction.uses("%zmm"),
            Sha => instruction.text().starts_with("sha"),
            Aes => instruction.text().trim_start_matches('v').starts_with("aes"),
        }
    }
}

/// The instructions that a row must not have, and those that its required verb must have.
///
/// `finish_fixed` copies messages, and the compiler copies and zeroes memory by the widest registers that the
/// row's features have: there zmm registers may move in the rows of half their width, and do no more. So do
/// ciphers with round keys.
struct Rule {
    forbids: &'static [Class],
    promises: &'static [Class],
}

/// Beginnings of names; a longer one comes before its own beginning.
const FAMILIES: [&str; 23] = [
    "portable",
    "aes-ni",
    "vaes-avx2",
    "vaes-avx512vl",
    "vaes-avx512",
    "scalar",
    "serial",
    "sse4",
    "ssse3",
    "sse",
    "sha-ni",
    "split",
    "packed",
    "halved",
    "hybrid",
    "zen5",
    "stitched-avx2",
    "stitched-avx512",
    "avx",
    "avx2",
    "avx512vl",
    "avx512-x4",
    "avx512",
];

/// Returns the rule for the rows of a name. Where names begin alike, their endings decide, and for assembly
/// the features.
fn rule(kernel: &str, features: &[&str]) -> Option<Rule> {
    let has_avx512 = features.contains(&"avx512f");
    let rule = |forbids, promises| Some(Rule { forbids, promises });
    // n-SMS has the rules of what its vectors are: `sms4-avx` those of `avx`.
    let vectors =
        kernel.strip_prefix("sms").and_then(|rest| rest.split_once('-')).map_or(kernel, |(_, name)| name);
    let family = FAMILIES.into_iter().find(|family| {
        vectors.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })?;
    match (family, kernel.rsplit('-').next()) {
        // BMI's instructions are in VEX's encoding.
        ("scalar", Some("bmi")) | ("serial", Some("rorx")) => rule(&[Evex, Ymm, Zmm], &[Vex]),
        ("scalar" | "serial", _) => rule(&[Vex, Evex, Ymm, Zmm], &[]),
        ("sse" | "sse4" | "ssse3", _) => rule(&[Vex, Evex], &[Sse]),
        // All SHA instructions are in the legacy encoding; the name gives that of the others.
        ("sha-ni", Some("avx")) => rule(&[Evex, Ymm], &[Sha, Vex]),
        ("sha-ni", Some("vl")) => rule(&[Zmm], &[Sha, Evex]),
        // Before and after the assembly the compiler permutes states, in ymm registers, between
        // `vzeroupper`s.
        ("sha-ni", Some("asm")) if has_avx512 => rule(&[Zmm], &[Sha, Evex]),
        ("sha-ni", Some("asm")) => rule(&[Evex], &[Sha, Vex]),
        ("sha-ni", _) => rule(&[Vex, Evex], &[Sha]),
        ("split", _) => rule(&[], &[Sha, Evex]),
        // One message, or two: no register is wider than it takes.
        ("packed" | "halved", _) => rule(&[Sse, Zmm], &[Evex]),
        ("hybrid" | "zen5", _) => rule(&[Sse], &[Zmm]),
        ("portable", _) => rule(&[Vex, Evex, Ymm, Zmm], &[]),
        ("aes-ni", _) => rule(&[Vex, Evex], &[Aes, Sse]),
        ("vaes-avx2", _) => rule(&[Sse, Evex], &[Aes, Ymm]),
        ("vaes-avx512vl", _) => rule(&[Sse, Zmm], &[Aes, Evex, Ymm]),
        ("vaes-avx512", _) => rule(&[Sse], &[Aes, Zmm]),
        ("avx", _) => rule(&[Sse, Evex, Ymm], &[Vex]),
        ("stitched-avx2" | "avx2", _) => rule(&[Sse, Evex], &[Ymm]),
        // Words of 64 bits: four messages do with half the registers' width, as those of AVX-512VL do.
        ("stitched-avx512", _) => rule(&[Sse, Zmm], &[Evex, Ymm]),
        // Around assembly the compiler copies states and pointers in zmm registers.
        ("avx512vl", Some("asm")) => rule(&[Sse], &[Evex, Ymm]),
        // A word of one message is in an xmm register.
        ("avx512vl", _) if kernel == "avx512vl-d" => rule(&[Sse, Zmm], &[Evex]),
        ("avx512vl" | "avx512-x4", _) => rule(&[Sse, Zmm], &[Evex, Ymm]),
        // So do eight of 32 bits, whose row requires AVX-512VL; eight of 64 bits do not.
        ("avx512", _) if kernel == "avx512-x8-asm" && features.contains(&"avx512vl") => rule(&[Sse], &[Ymm]),
        ("avx512", _) => rule(&[Sse], &[Zmm]),
        _ => None,
    }
}

/// Returns the fault in the code of a verb, in words that follow the verb's name; names require instructions
/// only of required verbs.
pub(super) fn broken(
    kernel: &str,
    features: &[&str],
    verb: &str,
    is_required: bool,
    code: &[&Instruction],
) -> Vec<String> {
    let Some(rule) = rule(kernel, features) else {
        return vec!["belongs to no family of names: add a rule for it (xtask/src/guard/rules.rs)".into()];
    };
    let example = |class: &Class| code.iter().find(|instruction| class.has(instruction));
    let copies = |class: &Class, instruction: &&Instruction| {
        let copies = verb == "finish_fixed" || kernel.starts_with("vaes-avx512vl");
        copies && *class == Zmm && instruction.moves_or_zeroes()
    };
    let held = rule.forbids.iter().filter_map(|class| {
        let mut held =
            code.iter().filter(|instruction| class.has(instruction) && !copies(class, instruction));
        held.next().map(|instruction| format!("holds {}: {}", class.name(), instruction.text()))
    });
    let mut wrong: Vec<String> = held.collect();
    if is_required {
        let lacked = rule.promises.iter().filter(|class| example(class).is_none());
        wrong.extend(lacked.map(|class| format!("holds no {}", class.name())));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_recognised_by_name() {
        const NONE: &[&str] = &[];
        for (kernel, forbids) in [
            ("scalar", &[Vex, Evex, Ymm, Zmm][..]),
            ("scalar-bmi", &[Evex, Ymm, Zmm]),
            ("serial-ror", &[Vex, Evex, Ymm, Zmm]),
            ("serial-rorx", &[Evex, Ymm, Zmm]),
            ("sse-x4", &[Vex, Evex]),
            ("ssse3-plain", &[Vex, Evex]),
            ("sms2-sse", &[Vex, Evex]),
            ("sms8-avx512", &[Sse]),
            ("sha-ni", &[Vex, Evex]),
            ("sha-ni-x8", &[Vex, Evex]),
            ("sha-ni-x4-avx", &[Evex, Ymm]),
            ("sha-ni-x6-vl", &[Zmm]),
            ("sha-ni-x6-asm", &[Evex]),
            ("split-x16", &[]),
            ("avx2-x8", &[Sse, Evex]),
            ("sse4", &[Vex, Evex]),
            ("sms4-sse-shrd", &[Vex, Evex]),
            ("avx", &[Sse, Evex, Ymm]),
            ("sms4-avx-rem", &[Sse, Evex, Ymm]),
            ("avx2-rorx8", &[Sse, Evex]),
            ("sms8-avx2", &[Sse, Evex]),
            ("sms16-avx512", &[Sse]),
            ("stitched-avx2", &[Sse, Evex]),
            ("stitched-avx512", &[Sse, Zmm]),
            ("packed-avx512", &[Sse, Zmm]),
            ("packed-x2", &[Sse, Zmm]),
            ("halved-avx512", &[Sse, Zmm]),
            ("hybrid-x9", &[Sse]),
            ("zen5-x16", &[Sse]),
            ("avx512vl-x8", &[Sse, Zmm]),
            ("avx512-x4-asm", &[Sse, Zmm]),
            ("avx512-x16", &[Sse]),
            ("avx512-x8-asm", &[Sse]),
            ("portable", &[Vex, Evex, Ymm, Zmm]),
            ("aes-ni-x8", &[Vex, Evex]),
            ("vaes-avx2", &[Sse, Evex]),
            ("vaes-avx512vl-x24", &[Sse, Zmm]),
            ("vaes-avx512-x16", &[Sse]),
        ] {
            assert_eq!(rule(kernel, NONE).unwrap().forbids, forbids, "{kernel}");
        }
        let promises = |kernel, features| rule(kernel, features).unwrap().promises;
        assert_eq!(promises("avx512-x8-asm", &["avx512f", "avx512vl"]), &[Ymm]);
        assert_eq!(promises("avx512-x8-asm", &["avx512f"]), &[Zmm]);
        assert_eq!(promises("avx512-x16-asm", &["avx512f", "avx512vl"]), &[Zmm]);
        assert_eq!(promises("avx512vl-d", &["avx512f", "avx512vl"]), &[Evex]);
        assert_eq!(promises("avx512vl-x4-d", &["avx512f", "avx512vl"]), &[Evex, Ymm]);
        assert_eq!(rule("sha-ni-x4-asm", &["sha", "avx512f"]).unwrap().forbids, &[Zmm]);
        assert!(rule("neon-x4", NONE).is_none());
    }
}
