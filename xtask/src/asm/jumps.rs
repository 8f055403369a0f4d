//! Jumps to the next instruction, as ways back into the cache of decoded instructions.
//!
//! Where an instruction is missing in that cache, Zen 4 decodes it and all that follow, and looks into the cache
//! again only after a jump. The loop of `split-x16` has 3000 instructions and no jump: it fits, but a line of it
//! that code between two calls displaced costs a decoding of all behind it, in several passes. With a jump after
//! every 100 instructions one such piece is decoded. 16 messages of 1 KiB by SHA-256 take 0.745 instead of 0.83
//! cycles per byte, four 0.845 instead of 0.872; a pass takes as long as without jumps.

use super::strand::{Strand, code};

/// Instructions from one jump to the next. 50 and 200 take as long, 400 is 1 % slower.
const STRAIGHT: usize = 100;

/// The label after such a jump. Other code of a kernel must not use it.
const LABEL: &str = "50";

/// Inserts a jump to the next instruction wherever so many would follow each other without one.
pub(crate) fn with_jumps(strand: &Strand) -> Strand {
    let mut out = Strand::new();
    let mut straight = 0;
    for instruction in strand {
        let ends = instruction.to_string().ends_with(':') || instruction.mnemonic().starts_with('j');
        if ends {
            straight = 0;
        } else if instruction.is_executed() {
            if straight == STRAIGHT {
                code! { out; "jmp {LABEL}f"; "{LABEL}:"; }
                straight = 0;
            }
            straight += 1;
        }
        out.push(instruction.clone());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_code_has_jumps_and_short_code_none() {
        let code = |n: usize| -> Strand { (0..n).map(|i| format!("inc r{i}").into()).collect() };
        let jumps = |code: &Strand| with_jumps(code).iter().filter(|i| i.mnemonic() == "jmp").count();
        assert_eq!((jumps(&code(100)), jumps(&code(101)), jumps(&code(300))), (0, 1, 2));
        let with_label = [code(60), vec!["2:".into()], code(60)].concat();
        assert_eq!(with_jumps(&with_label), with_label);
        let with_branch = [code(60), vec!["jz 2b".into()], code(60)].concat();
        assert_eq!(with_jumps(&with_branch), with_branch);
        let text: Vec<String> = with_jumps(&code(101))[99..].iter().map(ToString::to_string).collect();
        assert_eq!(text, ["inc r99", "jmp 50f", "50:", "inc r100"]);
    }
}
