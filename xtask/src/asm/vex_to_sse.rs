//! From VEX to SSE: the same strand for CPUs without AVX.
//!
//! An SSE instruction overwrites its first source: where a strand wants that source later, it is copied
//! first. These moves are what "the non-destructive destination variants" save (000, section 4), so a pair of
//! kernels such as `sms4-sse` and `sms4-avx` has one description. To have few of them, a strand names a
//! source that dies as the destination, and operands in memory last.

use super::strand::{Instruction, Strand};

/// Instructions whose sources may be exchanged.
const COMMUTATIVE: [&str; 5] = ["vpadd", "vpxor", "vpand", "vpor", "vpmul"];

/// Instructions with a source and a count or pattern, and another destination, also in SSE.
const NOT_IN_PLACE: [&str; 2] = ["vpshufd", "vmov"];

/// Converts the strand to SSE's encoding, with only the registers `xmm0`–`xmm15`.
///
/// # Panics
/// If the destination is the second source of an instruction whose sources cannot be exchanged.
pub(crate) fn to_sse(strand: Strand) -> Strand {
    strand.into_iter().flat_map(|instruction| lower(&instruction)).collect()
}

fn lower(instruction: &Instruction) -> Strand {
    let (vex, operands) = (instruction.mnemonic(), instruction.operands());
    let Some(name) = vex.strip_prefix('v').filter(|_| operands.contains("xmm")) else {
        return vec![instruction.clone()];
    };
    let begins = |names: &[&str]| names.iter().any(|begin| vex.starts_with(begin));
    if begins(&NOT_IN_PLACE) {
        return vec![format!("{name} {operands}").into()];
    }
    let (to, sources) = operands.split_once(',').expect("a destination and a source");
    let (first, rest) = sources.split_once(',').expect("three operands");
    if to == first {
        return vec![format!("{name} {to},{rest}").into()];
    }
    if to == rest {
        assert!(begins(&COMMUTATIVE), "{instruction}: its sources cannot be exchanged");
        return vec![format!("{name} {to},{first}").into()];
    }
    assert!(rest.split(',').all(|operand| operand != to), "{instruction}: the copy would overwrite a source");
    vec![format!("movdqa {to},{first}").into(), format!("{name} {to},{rest}").into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(text: &str) -> String {
        to_sse(vec![text.into()]).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_source_that_lives_is_copied() {
        assert_eq!(lowered("vpsrld xmm1,xmm0,7"), "movdqa xmm1,xmm0; psrld xmm1,7");
        assert_eq!(lowered("vpalignr xmm4,xmm1,xmm0,4"), "movdqa xmm4,xmm1; palignr xmm4,xmm0,4");
    }

    #[test]
    fn a_source_that_is_the_destination_is_not() {
        assert_eq!(lowered("vpaddd xmm1,xmm1,[rdi]"), "paddd xmm1,[rdi]");
        assert_eq!(lowered("vpxor xmm1,xmm2,xmm1"), "pxor xmm1,xmm2");
    }

    #[test]
    fn moves_and_scalar_instructions_stay() {
        assert_eq!(lowered("vmovdqa [rsp+16],xmm3"), "movdqa [rsp+16],xmm3");
        assert_eq!(lowered("vpshufd xmm1,xmm0,0xfa"), "pshufd xmm1,xmm0,0xfa");
        assert_eq!(lowered("add eax,ebx"), "add eax,ebx");
    }

    #[test]
    #[should_panic(expected = "cannot be exchanged")]
    fn sources_of_shuffles_stay_in_order() {
        lowered("vpunpckldq xmm1,xmm0,xmm1");
    }
}
