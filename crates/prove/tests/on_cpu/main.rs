//! The prover's instructions are the CPU's: each instruction of the kernels is carried out by both on random
//! registers. The program is this test, which contains the kernels.
//!
//! Compared are the results in all registers, and the flags that the prover knows. Operands in memory are
//! read as registers are. Instructions that are uninterpreted functions have no numbers to compare, except
//! with constants.

#![cfg(target_arch = "x86_64")]

mod stub;

use std::collections::BTreeMap;

use hashlanes_prove::machine::{Flags, text};
use hashlanes_prove::numbers::{Numbers, Registers};
use hashlanes_prove::program::Program;
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};
use stub::Stub;

/// Random operands of each instruction, unless this variable says how many.
const N_OPERANDS: usize = 1000;
const VARIABLE: &str = "HASHLANES_PROVE_OPERANDS";

/// An instruction's code and immediate, with an example of it.
fn instructions(program: &Program) -> BTreeMap<(Code, u8), (Instruction, Vec<u8>)> {
    let mut all = BTreeMap::new();
    let is_kernel = |name: &str| name.contains("::asm::") || name.contains("::kernels::rows::");
    for (_, place) in program.functions().filter(|(name, _)| is_kernel(name)) {
        let code = program.constant(place.address, place.n_bytes as usize).unwrap_or(&[]);
        for i in Decoder::with_ip(64, code, place.address, DecoderOptions::NONE) {
            let from = (i.ip() - place.address) as usize;
            let immediate = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Immediate8);
            let key = (i.code(), if immediate { i.immediate8() } else { 0 });
            if is_comparable(&i) {
                all.entry(key).or_insert_with(|| (i, code[from..from + i.len()].to_vec()));
            }
        }
    }
    all
}

/// Whether its operands are registers, except the stack pointer, and immediates.
fn is_comparable(i: &Instruction) -> bool {
    let is_operand = |k| match i.op_kind(k) {
        OpKind::Register => {
            let register = i.op_register(k);
            (register.is_gpr() || register.is_vector_register()) && register.full_register() != Register::RSP
        }
        OpKind::Memory | OpKind::NearBranch64 => false,
        _ => true,
    };
    !i.is_invalid()
        && i.flow_control() == FlowControl::Next
        && !i.is_stack_instruction()
        && i.op_mask() == Register::None
        && i.op_count() > 0
        && (0..i.op_count()).all(is_operand)
}

/// Xorshift, with words of few bits among them.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn registers(&mut self) -> Registers {
        let mut word = || match self.next() % 8 {
            0 => [0, 1, u64::MAX, 1 << 63, 0x8000_0000, 31, 32, 64][(self.next() % 8) as usize],
            1 => self.next() % 64,
            _ => self.next(),
        };
        Registers {
            general: core::array::from_fn(|_| word()),
            vectors: core::array::from_fn(|_| core::array::from_fn(|_| word() as u32)),
        }
    }
}

/// Bits of the flags register that the prover knows: mask, and values.
fn known_flags(flags: &Flags) -> (u64, u64) {
    let all = [(flags.carry, 0), (flags.parity, 2), (flags.zero, 6), (flags.sign, 7), (flags.overflow, 11)];
    all.into_iter().fold((0, 0), |(mask, bits), (flag, at)| match flag {
        Some(flag) => (mask | 1 << at, bits | u64::from(flag) << at),
        None => (mask, bits),
    })
}

#[test]
fn instructions_are_those_of_the_cpu() {
    let n_rows = hashlanes_sha::kernels::every_row().count() + hashlanes_aes::kernels::every_row().count();
    assert!(n_rows > 60, "the linker keeps the kernels");
    if !stub::is_supported() {
        println!("skipped: the CPU has no AVX-512");
        return;
    }
    let program = std::env::current_exe().map_err(|e| e.to_string()).and_then(|path| Program::open(&path));
    let program = program.expect("this program");
    let n_operands = std::env::var(VARIABLE).ok().and_then(|n| n.parse().ok()).unwrap_or(N_OPERANDS);
    let (mut n_compared, mut others) = (0, Vec::new());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (i, bytes) in instructions(&program).into_values() {
        if !stub::has_features_of(&i) {
            others.push(format!("{}: the CPU lacks it", text(&i)));
            continue;
        }
        let (mut stub, mut numbers) = (Stub::new(&bytes), Numbers::new(&program));
        for _ in 0..n_operands {
            let before = random.registers();
            let (expected, flags) = match numbers.carry_out(&i, &before) {
                Ok(after) => after,
                // A quotient that is too long faults on the CPU, too.
                Err(why) if why == "faults" => continue,
                Err(why) => {
                    others.push(format!("{}: {why}", text(&i)));
                    break;
                }
            };
            let (after, flags_after) = stub.run(&before);
            assert_eq!(after.general, expected.general, "{} on {before:x?}", text(&i));
            assert_eq!(after.vectors, expected.vectors, "{} on {before:x?}", text(&i));
            let (mask, bits) = known_flags(&flags);
            assert_eq!(flags_after & mask, bits, "the flags of {} on {before:x?}", text(&i));
        }
        n_compared += usize::from(others.last().is_none_or(|last| !last.starts_with(&text(&i))));
    }
    println!("{n_compared} instructions compared; not compared: {others:#?}");
    assert!(n_compared > 400, "{n_compared} instructions compared");
}
