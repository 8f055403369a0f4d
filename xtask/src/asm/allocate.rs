//! Numbers for virtual registers: linear scan over the final order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::strand::{Part, Register, Strand};

/// The registers that a strand may have.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// `ymm` or `zmm`.
    pub(crate) prefix: &'static str,
    /// Their numbers.
    pub(crate) numbers: Range<u32>,
}

/// Assigns the numbers of a pool to virtual registers; the first free one is used first.
///
/// A destination may take the register of a source that dies in the same instruction, as VEX and EVEX have
/// three operands. (Where the destination is a source, too, as in vpternlogd, it has its register already.)
///
/// # Errors
/// If a register is used before it is set; if registers run out: nothing is spilled, because a spill would be
/// an instruction outside of the merged order.
pub(crate) fn allocate(strand: &Strand, pool: &Pool) -> Result<Strand, String> {
    let mut last = HashMap::new();
    for (i, instruction) in strand.iter().enumerate() {
        for register in instruction.registers() {
            last.insert(register, i);
        }
    }
    let mut free: VecDeque<u32> = pool.numbers.clone().collect();
    let mut number: HashMap<Register, u32> = HashMap::new();
    let mut out = Strand::with_capacity(strand.len());
    for (i, instruction) in strand.iter().enumerate() {
        let used = instruction.registers();
        let mut given_back = HashSet::new();
        for register in &used {
            if number.contains_key(register) {
                continue;
            }
            if instruction.sets() != Some(*register) || instruction.modifies() {
                return Err(format!("used before it is set: {instruction}"));
            }
            for source in &used {
                let ends = source != register && last[source] == i && number.contains_key(source);
                if ends && given_back.insert(*source) {
                    free.push_back(number[source]);
                }
            }
            let Some(first) = free.pop_front() else {
                return Err(format!("out of registers at {instruction}"));
            };
            number.insert(*register, first);
        }
        out.push(instruction.named(|register, part| match part {
            Part::Whole => format!("{}{}", pool.prefix, number[&register]),
            Part::Low => format!("xmm{}", number[&register]),
        }));
        for register in used {
            if last[&register] == i {
                let n = number.remove(&register).expect("used here");
                if !given_back.contains(&register) {
                    free.push_back(n);
                }
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::strand::{code, fresh_many};

    const POOL: Pool = Pool { prefix: "ymm", numbers: 16..18 };

    fn lines(strand: &Strand) -> Vec<String> {
        strand.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_destination_takes_the_register_of_a_source_that_dies() {
        let [a, b, c] = fresh_many();
        let mut strand = Strand::new();
        code! { strand;
            "vmovdqu32 {a},[rsi]";
            "vmovdqu32 {b},[rdi]";
            "vpaddd {c},{a},{b}";
            "vmovdqa [rdi],{}", c.low();
        }
        let expected = [
            "vmovdqu32 ymm16,[rsi]",
            "vmovdqu32 ymm17,[rdi]",
            "vpaddd ymm16,ymm16,ymm17",
            "vmovdqa [rdi],xmm16",
        ];
        assert_eq!(lines(&allocate(&strand, &POOL).unwrap()), expected);
    }

    #[test]
    fn wrong_strands_are_errors() {
        let [a, b, c] = fresh_many();
        let mut early = Strand::new();
        code! { early; "vpaddd {a},{b},{b}"; }
        assert!(allocate(&early, &POOL).unwrap_err().starts_with("used before it is set: vpaddd"));
        let mut unset = Strand::new();
        code! { unset; "vpternlogd {a},ymm0,ymm1,0x96"; }
        assert!(allocate(&unset, &POOL).unwrap_err().starts_with("used before it is set: vpternlogd"));
        let mut many = Strand::new();
        for r in [a, b, c] {
            code! { many; "vmovdqu32 {r},[rsi]"; }
        }
        code! { many; "vpaddd {a},{b},{c}"; }
        assert!(allocate(&many, &POOL).unwrap_err().starts_with("out of registers at vmovdqu32"));
    }
}
