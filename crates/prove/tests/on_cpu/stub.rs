//! Carries out one instruction on the CPU, in a page of memory that holds code and registers.
//!
//! # Safety of all of it
//! The page holds a function that saves the registers of the System V interface, loads all registers from the
//! page, carries out the instruction, stores all registers in the page and restores those saved. The
//! instruction neither jumps nor uses memory or the stack pointer (`is_comparable` in `main.rs`), and the CPU
//! has its features ([`has_features_of`]), so it only changes registers and flags; the direction flag is not
//! among them.

#![allow(unsafe_code)]

use hashlanes_prove::numbers::Registers;
use iced_x86::{CpuidFeature, Instruction};

/// Where the registers are in the page: general ones, flags, vectors.
const GENERAL: usize = 4096;
const FLAGS: usize = GENERAL + 8 * 16;
const VECTORS: usize = GENERAL + 256;
const N_BYTES: usize = 2 * 4096;

/// A function that carries out an instruction, at the start of its memory.
pub(crate) struct Stub(&'static mut [u8]);

/// Whether the CPU has all registers.
pub(crate) fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f")
}

/// Whether the CPU has an instruction's features.
pub(crate) fn has_features_of(i: &Instruction) -> bool {
    i.cpuid_features().iter().all(|feature| match feature {
        CpuidFeature::INTEL8086 | CpuidFeature::INTEL186 | CpuidFeature::INTEL386 => true,
        CpuidFeature::INTEL486 | CpuidFeature::X64 | CpuidFeature::CMOV => true,
        CpuidFeature::SSE | CpuidFeature::SSE2 => true,
        CpuidFeature::SSSE3 => is_x86_feature_detected!("ssse3"),
        CpuidFeature::SSE4_1 => is_x86_feature_detected!("sse4.1"),
        CpuidFeature::MOVBE => is_x86_feature_detected!("movbe"),
        CpuidFeature::BMI1 => is_x86_feature_detected!("bmi1"),
        CpuidFeature::BMI2 => is_x86_feature_detected!("bmi2"),
        CpuidFeature::AVX => is_x86_feature_detected!("avx"),
        CpuidFeature::AVX2 => is_x86_feature_detected!("avx2"),
        CpuidFeature::PCLMULQDQ => is_x86_feature_detected!("pclmulqdq"),
        CpuidFeature::VPCLMULQDQ => is_x86_feature_detected!("vpclmulqdq"),
        CpuidFeature::AES => is_x86_feature_detected!("aes"),
        CpuidFeature::VAES => is_x86_feature_detected!("vaes"),
        CpuidFeature::SHA => is_x86_feature_detected!("sha"),
        CpuidFeature::AVX512F => is_x86_feature_detected!("avx512f"),
        CpuidFeature::AVX512VL => is_x86_feature_detected!("avx512vl"),
        CpuidFeature::AVX512BW => is_x86_feature_detected!("avx512bw"),
        CpuidFeature::AVX512DQ => is_x86_feature_detected!("avx512dq"),
        _ => false,
    })
}

/// `push` and `pop` of rbx, rbp, r12 to r15.
const PUSHES: [u8; 10] = [0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57];
const POPS: [u8; 10] = [0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b];
/// The number of the stack pointer.
const RSP: usize = 4;

impl Stub {
    /// Creates the function for an instruction.
    pub(crate) fn new(instruction: &[u8]) -> Self {
        let mut code = PUSHES.to_vec();
        (0..32).for_each(|register| move_vector(&mut code, register, 0x6f));
        general().for_each(|register| move_general(&mut code, register, 0x8b));
        code.extend([0x68, 0, 2, 0, 0, 0x9d]); // push 0x200; popfq: all flags clear
        code.extend_from_slice(instruction);
        general().for_each(|register| move_general(&mut code, register, 0x89));
        // pushfq; pop rax; mov [FLAGS], rax
        code.extend([0x9c, 0x58, 0x48, 0x89, 0x05]);
        put_displacement(&mut code, FLAGS);
        (0..32).for_each(|register| move_vector(&mut code, register, 0x7f));
        code.extend([0xc5, 0xf8, 0x77]); // vzeroupper
        code.extend(POPS);
        code.push(0xc3); // ret
        assert!(code.len() < GENERAL);
        let (rights, kind) =
            (libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, at no given place.
        let memory = unsafe { libc::mmap(core::ptr::null_mut(), N_BYTES, rights, kind, -1, 0) };
        assert!(memory != libc::MAP_FAILED, "no executable memory");
        // SAFETY: so many bytes, which are this value's alone until it is dropped.
        let memory = unsafe { core::slice::from_raw_parts_mut(memory.cast::<u8>(), N_BYTES) };
        memory[..code.len()].copy_from_slice(&code);
        Self(memory)
    }

    /// Carries it out; the registers and the flags after it.
    pub(crate) fn run(&mut self, before: &Registers) -> (Registers, u64) {
        for (i, value) in before.general.iter().enumerate() {
            self.0[GENERAL + 8 * i..][..8].copy_from_slice(&value.to_le_bytes());
        }
        for (i, word) in before.vectors.iter().flatten().enumerate() {
            self.0[VECTORS + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
        }
        // SAFETY: "Safety of all of it".
        unsafe {
            let function: extern "sysv64" fn() = core::mem::transmute(self.0.as_mut_ptr());
            function();
        }
        // The function wrote there.
        let memory = core::hint::black_box(&mut *self.0);
        let word = |at: usize| u64::from_le_bytes(memory[at..at + 8].try_into().expect("eight bytes"));
        let mut after = before.clone();
        for register in general() {
            after.general[register] = word(GENERAL + 8 * register);
        }
        for (i, to) in after.vectors.iter_mut().flatten().enumerate() {
            *to = word(VECTORS + 4 * i) as u32;
        }
        (after, word(FLAGS))
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        // SAFETY: `new` mapped so many bytes there, and nothing refers to them any more.
        unsafe { libc::munmap(self.0.as_mut_ptr().cast(), N_BYTES) };
    }
}

/// The numbers of the general registers, except the stack pointer.
fn general() -> impl Iterator<Item = usize> {
    (0..16).filter(|register| *register != RSP)
}

/// `mov` between a general register and its place: 8B loads, 89 stores.
fn move_general(code: &mut Vec<u8>, register: usize, opcode: u8) {
    let rex = if register < 8 { 0x48 } else { 0x4c };
    code.extend([rex, opcode, 0x05 | (register as u8 & 7) << 3]);
    put_displacement(code, GENERAL + 8 * register);
}

/// `vmovdqu64` between a vector register and its place: 6F loads, 7F stores.
fn move_vector(code: &mut Vec<u8>, register: usize, opcode: u8) {
    // Bits 3 and 4 of the register's number, inverted.
    let number = !register as u8;
    let first = 0x61 | (number >> 3 & 1) << 7 | (number >> 4 & 1) << 4;
    code.extend([0x62, first, 0xfe, 0x48, opcode, 0x05 | (register as u8 & 7) << 3]);
    put_displacement(code, VECTORS + 64 * register);
}

/// The distance from the end of the instruction, which is that of its displacement.
fn put_displacement(code: &mut Vec<u8>, place: usize) {
    let end = code.len() + 4;
    code.extend(((place - end) as u32).to_le_bytes());
}
