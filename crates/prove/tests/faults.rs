//! Planted faults: the prover refuses each, and names the instruction and the word. The program is this test,
//! which contains the kernels.

#![cfg(target_arch = "x86_64")]

use hashlanes_prove::machine::text;
use hashlanes_prove::program::Program;
use hashlanes_prove::proof::{Entry, entries};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// A kernel in assembly and the entry that calls it.
struct Kernel {
    program: Program,
    code: Vec<Instruction>,
    entry: Entry,
}

impl Kernel {
    /// A kernel of SHA-256.
    fn new(row: &str) -> Self {
        assert!(hashlanes_sha::kernels::every_row().count() > 20, "the linker keeps the kernels");
        let program =
            std::env::current_exe().map_err(|e| e.to_string()).and_then(|path| Program::open(&path));
        let program = program.expect("this program");
        let code = code_of(&program, &format!("hashlanes_sha::sha256::asm::{row}"));
        let name = format!("sha256/{row}/compress");
        let entry = entries(&program).into_iter().find(|entry| entry.name == name).expect("its entry");
        Self { program, code, entry }
    }

    fn first(&self, is_it: impl FnMut(&&Instruction) -> bool) -> Instruction {
        *self.code.iter().find(is_it).expect("such an instruction")
    }

    fn bytes(&self, instruction: &Instruction) -> Vec<u8> {
        self.program.constant(instruction.ip(), instruction.len()).expect("code").to_vec()
    }

    /// Proves it with other bytes in place of an instruction's, and returns the prover's message.
    fn refused(&self, instruction: &Instruction, change: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut bytes = self.bytes(instruction);
        change(&mut bytes);
        let mut program = self.program.clone();
        program.plant(instruction.ip(), &bytes);
        self.entry.prove(&program).err().unwrap_or_else(|| panic!("{} was not needed", text(instruction)))
    }
}

fn code_of(program: &Program, function: &str) -> Vec<Instruction> {
    let (_, place) = program.functions().find(|(name, _)| *name == function).expect("its code");
    let bytes = program.constant(place.address, place.n_bytes as usize).expect("code");
    Decoder::with_ip(64, bytes, place.address, DecoderOptions::NONE).into_iter().collect()
}

#[track_caller]
fn assert_names(message: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| message.contains(part)), "{parts:?} are not all in: {message}");
}

#[test]
fn without_a_fault() {
    for row in ["serial_rorx", "sms4_sse"] {
        let kernel = Kernel::new(row);
        kernel.entry.prove(&kernel.program).unwrap_or_else(|why| panic!("{row}: {why}"));
    }
}

#[test]
fn a_wrong_rotation() {
    let kernel = Kernel::new("serial_rorx");
    let rotation = kernel.first(|i| i.mnemonic() == Mnemonic::Rorx);
    let message = kernel.refused(&rotation, |bytes| *bytes.last_mut().expect("a count") ^= 1);
    assert_names(&message, &["word 0 of the state of lane 0", "it should be", "written by 0x", "mov"]);
}

#[test]
fn a_wrong_constant() {
    let kernel = Kernel::new("serial_rorx");
    let mut program = kernel.program.clone();
    // K[3] and K[4], FIPS 180-4, section 4.2.2.
    let constants: Vec<u8> = [0xe9b5_dba5_u32, 0x3956_c25b].iter().flat_map(|k| k.to_le_bytes()).collect();
    let places = program.places_of(&constants);
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| program.plant(at, &[0xa4]));
    let message = kernel.entry.prove(&program).expect_err("a fault");
    assert_names(&message, &["word 0 of the state of lane 0", "written by 0x", " mov ["]);
}

#[test]
fn swapped_lanes() {
    let kernel = Kernel::new("sms4_sse");
    let shuffle = kernel.first(|i| i.mnemonic() == Mnemonic::Punpckhdq);
    // punpckldq
    let message = kernel.refused(&shuffle, |bytes| {
        *bytes.iter_mut().find(|byte| **byte == 0x6a).expect("its opcode") = 0x62;
    });
    assert_names(&message, &["word 0 of the state of lane 0", "written by 0x", " mov ["]);
}

#[test]
fn a_read_past_the_end() {
    let kernel = Kernel::new("serial_rorx");
    let last_word = |i: &&Instruction| {
        (i.mnemonic(), i.memory_base(), i.memory_displacement64()) == (Mnemonic::Mov, Register::RSI, 60)
    };
    let load = kernel.first(last_word);
    let message = kernel.refused(&load, |bytes| *bytes.last_mut().expect("a displacement") = 64);
    assert_names(&message, &["mov", "[rsi+40h]", "reads 4 bytes outside its memory", "byte 64 of a message"]);
}

#[test]
fn a_missing_restore() {
    let kernel = Kernel::new("serial_rorx");
    let restore = kernel.first(|i| (i.mnemonic(), i.op0_register()) == (Mnemonic::Pop, Register::R13));
    // pop r9
    let message = kernel.refused(&restore, |bytes| *bytes = vec![0x41, 0x59]);
    assert_names(&message, &["ret", "returns with another r13"]);
}

#[test]
fn a_branch_on_data() {
    let kernel = Kernel::new("serial_rorx");
    let is_of_data = |i: &Instruction| {
        matches!(i.mnemonic(), Mnemonic::Add | Mnemonic::Xor | Mnemonic::And)
            && i.op1_kind() == OpKind::Register
            && i.op0_register().is_gpr32()
    };
    let mut pairs = kernel.code.windows(2);
    let pair = pairs.find(|pair| pair.iter().all(is_of_data) && pair[1].len() == 2);
    let second = &pair.expect("two such instructions")[1];
    // jz to the next instruction
    let message = kernel.refused(second, |bytes| *bytes = vec![0x74, 0]);
    assert_names(&message, &[&format!("{:#x} je", second.ip()), "depends on data"]);
}

#[test]
fn a_stale_register() {
    let kernel = Kernel::new("serial_rorx");
    let load = kernel.first(|i| (i.op0_register(), i.memory_base()) == (Register::EBX, Register::RSI));
    // nop dword ptr [rax]
    let message = kernel.refused(&load, |bytes| *bytes = vec![0x0f, 0x1f, 0]);
    assert_names(&message, &["word 0 of the state of lane 0", "it should be", "written by 0x"]);
}

/// Whether an instruction has the same effect as another, as far as a kernel of 32-bit words reads it.
fn is_equivalent(before: &Instruction, after: &Instruction) -> bool {
    let has_no_effect = |i: &Instruction| i.mnemonic() == Mnemonic::Nop;
    if has_no_effect(before) && has_no_effect(after) {
        return true;
    }
    let counts = matches!(
        before.mnemonic(),
        Mnemonic::Ror | Mnemonic::Rorx | Mnemonic::Rol | Mnemonic::Shr | Mnemonic::Shl
    );
    let is_same = |k| match (before.op_kind(k), after.op_kind(k)) {
        // The CPU takes a count modulo 32.
        (OpKind::Immediate8, OpKind::Immediate8) if counts && before.op0_register().is_gpr32() => {
            (before.immediate8() ^ after.immediate8()).is_multiple_of(32)
        }
        (OpKind::Register, OpKind::Register) if before.op_register(k) != after.op_register(k) => {
            // The low halves of the results do not depend on the high halves of the operands.
            let has_halves =
                matches!(before.mnemonic(), Mnemonic::Xor | Mnemonic::And | Mnemonic::Add | Mnemonic::Mov);
            has_halves && before.op_register(k).full_register() == after.op_register(k)
        }
        (OpKind::Register, OpKind::Register) => true,
        _ => text(before) == text(after),
    };
    (before.mnemonic(), before.len(), before.op_count()) == (after.mnemonic(), after.len(), after.op_count())
        && (0..before.op_count()).all(is_same)
}

/// A counter of 16 bits is right for the cases, which have few blocks, and wrong for 2^16 blocks.
#[test]
fn a_short_counter() {
    let kernel = Kernel::new("serial_rorx");
    let is_counter = |i: &&Instruction| {
        (i.mnemonic(), i.op0_kind(), i.memory_base()) == (Mnemonic::Dec, OpKind::Memory, Register::RSP)
    };
    let counter = *kernel.code.iter().rfind(is_counter).expect("the counter of blocks");
    let proved = kernel.entry.prove(&kernel.program).expect("a proof");
    assert!(proved.any_blocks);
    let mut program = kernel.program.clone();
    // The prefix for operands of 16 bits in place of that for 64 bits.
    assert_eq!(kernel.bytes(&counter)[0], 0x48);
    program.plant(counter.ip(), &[0x66]);
    assert!(!kernel.entry.prove(&program).expect("a proof of the cases").any_blocks);
}

/// A bit of K is flipped at random places. Each flip in the copy of K that the kernel reads is refused.
#[test]
fn flipped_bits_of_constants() {
    let kernel = Kernel::new("serial_rorx");
    // K[0] to K[3], FIPS 180-4, section 4.2.2.
    let first = [0x428a_2f98_u32, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5];
    let places = kernel.program.places_of(&first.map(u32::to_le_bytes).concat());
    let is_refused = |place: u64, bit: usize| {
        let at = place + bit as u64 / 8;
        let byte = kernel.program.constant(at, 1).expect("a constant")[0];
        let mut program = kernel.program.clone();
        program.plant(at, &[byte ^ 1 << (bit % 8)]);
        kernel.entry.prove(&program).is_err()
    };
    let read: Vec<u64> = places.iter().copied().filter(|place| is_refused(*place, 0)).collect();
    assert_eq!(read.len(), 1, "of the copies {places:x?} these are read: {read:x?}");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..24 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bit = (random >> 33) as usize % (8 * 4 * 64);
        assert!(is_refused(read[0], bit), "bit {bit} of K");
    }
}

/// A bit of the code is flipped at random places. A flip that is accepted leaves an equivalent instruction.
#[test]
fn flipped_bits() {
    let kernels = ["serial_rorx", "sms4_sse"].map(Kernel::new);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..40 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let kernel = &kernels[round % kernels.len()];
        let before = kernel.code[(random >> 33) as usize % kernel.code.len()];
        let bit = (random >> 20) as usize % (8 * before.len());
        let mut bytes = kernel.bytes(&before);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let mut program = kernel.program.clone();
        program.plant(before.ip(), &bytes);
        if kernel.entry.prove(&program).is_err() {
            continue;
        }
        let after = Decoder::with_ip(64, &bytes, before.ip(), DecoderOptions::NONE).decode();
        assert!(
            is_equivalent(&before, &after),
            "{:#x} {} became {}",
            before.ip(),
            text(&before),
            text(&after)
        );
    }
}
