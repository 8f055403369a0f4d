//! Coverage: the instructions that no run carried out. A proof holds only for the others.

use std::collections::BTreeMap;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use rustc_hash::FxHashSet;

use crate::machine::text;
use crate::program::{Function, Program};

/// The instructions of a function that were not carried out, and how many it has. Instructions that only lead
/// to the end of the program (a failed assertion) do not count.
pub fn missing(program: &Program, function: Function, executed: &FxHashSet<u64>) -> (Vec<String>, usize) {
    let code = program.constant(function.address, function.n_bytes as usize).unwrap_or(&[]);
    let decoder = Decoder::with_ip(64, code, function.address, DecoderOptions::NONE);
    let all: BTreeMap<u64, Instruction> = decoder.into_iter().map(|i| (i.ip(), i)).collect();
    let dying = dying(program, &all);
    let (probing, long) = (probing(&all), long_divisions(&all, executed));
    let counted = |i: &&Instruction| {
        !matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3 | Mnemonic::INVALID)
            && !dying.contains(&i.ip())
            && !probing.contains(&i.ip())
            && !long.contains(&i.ip())
    };
    let missing = all.values().filter(counted).filter(|i| !executed.contains(&i.ip()));
    let missing = missing.map(|i| format!("{:#x} {}", i.ip(), text(i))).collect();
    (missing, all.values().filter(counted).count())
}

/// Loops that touch each page of a large aligned frame: no alignment here needs a page, so they never run.
fn probing(all: &BTreeMap<u64, Instruction>) -> FxHashSet<u64> {
    let instructions: Vec<&Instruction> = all.values().collect();
    let is_loop = |w: &&[&Instruction]| {
        let [touch, down, compare, back] = w[..] else { return false };
        (touch.mnemonic(), touch.memory_base()) == (Mnemonic::Mov, Register::RSP)
            && (down.mnemonic(), down.op0_register()) == (Mnemonic::Sub, Register::RSP)
            && compare.mnemonic() == Mnemonic::Cmp
            && back.is_jcc_short_or_near()
            && back.near_branch_target() == touch.ip()
    };
    instructions.windows(4).filter(is_loop).flatten().map(|i| i.ip()).collect()
}

/// Compilers use a short division if both numbers are below 2^32, as all lengths are here.
fn long_divisions(all: &BTreeMap<u64, Instruction>, executed: &FxHashSet<u64>) -> FxHashSet<u64> {
    let mut long = FxHashSet::default();
    // The test for it, where the long division became a subtraction.
    let instructions: Vec<&Instruction> = all.values().collect();
    for pair in instructions.windows(2) {
        let [shift, jump] = pair else { continue };
        if shift.mnemonic() == Mnemonic::Shr && shift.immediate8() == 32 && jump.mnemonic() == Mnemonic::Je {
            let after = all.range(jump.next_ip()..).map(|(_, i)| i.ip());
            long.extend(after.take_while(|ip| !executed.contains(ip)));
        }
    }
    let divides = |i: &&Instruction| i.mnemonic() == Mnemonic::Div && i.op0_register().is_gpr64();
    for division in all.values().filter(divides).map(|i| i.ip()) {
        let is_other = |i: &&Instruction| !executed.contains(&i.ip());
        long.extend(all.range(..division).rev().map(|(_, i)| i).take_while(is_other).map(|i| i.ip()));
        long.extend(all.range(division..).map(|(_, i)| i).take_while(is_other).map(|i| i.ip()));
    }
    long
}

/// Instructions from which the function never returns.
fn dying(program: &Program, all: &BTreeMap<u64, Instruction>) -> FxHashSet<u64> {
    let mut dying = FxHashSet::default();
    loop {
        let before = dying.len();
        for (&at, i) in all.iter().rev() {
            let to = |target: u64| dying.contains(&target);
            let dies = match i.mnemonic() {
                Mnemonic::Ud2 => true,
                Mnemonic::Ret => false,
                Mnemonic::Jmp => i.op_kind(0) == OpKind::NearBranch64 && to(i.near_branch_target()),
                Mnemonic::Call if ends_the_program(program, i) => true,
                _ if i.is_jcc_short_or_near() => to(i.near_branch_target()) && to(i.next_ip()),
                _ => to(i.next_ip()),
            };
            if dies {
                dying.insert(at);
            }
        }
        if dying.len() == before {
            return dying;
        }
    }
}

/// Returns whether a call ends the program (a panic function of Rust).
pub(crate) fn ends_the_program(program: &Program, call: &Instruction) -> bool {
    let target = match call.op_kind(0) {
        OpKind::NearBranch64 => Some(call.near_branch_target()),
        OpKind::Memory if call.is_ip_rel_memory_operand() => program
            .constant(call.ip_rel_memory_address(), 8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
        _ => None,
    };
    let name = target.and_then(|target| program.name_of(target)).unwrap_or("");
    const ENDING: [&str; 6] = [
        "core::panicking::",
        "core::slice::index::",
        "_failed",
        "core::slice::copy_from_slice_impl::",
        "in_out::too_short",
        "in_out::other_number",
    ];
    ENDING.iter().any(|part| name.contains(part))
}
