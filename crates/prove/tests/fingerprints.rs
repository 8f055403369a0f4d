//! A fingerprint changes with all that a proof reads, and with nothing else. The program is this test, which
//! contains the kernels.

#![cfg(target_arch = "x86_64")]

use hashlanes_prove::program::{Function, Program};
use hashlanes_prove::proof::entries;

fn function(program: &Program, name: &str) -> Function {
    program.functions().find(|(other, _)| *other == name).expect("a function").1
}

#[test]
fn changes_of_code_and_constants() {
    assert!(hashlanes_sha::kernels::every_row().count() > 20, "the linker keeps the kernels");
    let path = std::env::current_exe().expect("this program");
    let program = Program::open(&path).expect("this program");
    let entry =
        |name: &str| entries(&program).into_iter().find(|entry| entry.name == name).expect("an entry");
    let entry = entry("sha256/sms4_sse/compress");
    let tables = entry.prove(&program).expect("a proof").tables;
    let of = |program: &Program, prover: &str| entry.fingerprint(program, &tables, prover);
    let fingerprint = of(&program, "a prover").expect("a fingerprint");
    assert_eq!(fingerprint.len(), 16);
    assert_ne!(of(&program, "another prover").as_ref(), Some(&fingerprint));

    // A bit of a byte.
    let with_flip = |at: u64| {
        let byte = program.constant(at, 1).expect("a byte")[0];
        let mut program = program.clone();
        program.plant(at, &[byte ^ 1]);
        of(&program, "a prover")
    };
    let assembly = function(&program, "hashlanes_sha::sha256::asm::sms4_sse");
    for k in [0, assembly.n_bytes / 3, assembly.n_bytes / 2] {
        assert_ne!(with_flip(assembly.address + k).as_ref(), Some(&fingerprint), "byte {k} of the code");
    }
    let other = function(&program, "hashlanes_sha::sha256::asm::serial_rorx");
    assert_eq!(with_flip(other.address + other.n_bytes / 2).as_ref(), Some(&fingerprint), "other code");

    // K[3] and K[4], FIPS 180-4, section 4.2.2, wherever the program has them: one place is read.
    let constants: Vec<u8> = [0xe9b5_dba5_u32, 0x3956_c25b].iter().flat_map(|k| k.to_le_bytes()).collect();
    let places = program.places_of(&constants);
    let n_read = places.iter().filter(|&&at| with_flip(at).as_ref() != Some(&fingerprint)).count();
    assert!(n_read >= 1, "no constant of {} places is part of it", places.len());
}
