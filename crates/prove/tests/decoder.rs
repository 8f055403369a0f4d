//! The decoder is objdump's: the instructions of all kernels in this test have the same places and names.

#![cfg(target_arch = "x86_64")]

use std::collections::BTreeMap;
use std::process::Command;

use hashlanes_prove::machine::text;
use hashlanes_prove::program::Program;
use iced_x86::{Decoder, DecoderOptions};

/// Names of the decoder and the first words of objdump's lines for the same instruction.
const SYNONYMS: [(&str, &str); 4] = [("mov", "movabs"), ("nop", "cs"), ("nop", "data16"), ("nop", "xchg")];

/// The first words of objdump's instructions, by address. Before an instruction that has two encodings stands
/// which one it is, as `{evex}`.
fn listing(path: &std::path::Path) -> Option<BTreeMap<u64, String>> {
    let output =
        Command::new("objdump").args(["-d", "-w", "-M", "intel", "--no-show-raw-insn"]).arg(path).output();
    let output = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
    let line = |line: &str| {
        let (address, instruction) = line.trim_start().split_once(":\t")?;
        let address = u64::from_str_radix(address, 16).ok()?;
        let name = instruction.split_whitespace().find(|word| !word.starts_with('{'))?;
        Some((address, name.to_owned()))
    };
    Some(output.lines().filter_map(line).collect())
}

#[test]
fn instructions_are_those_of_objdump() {
    let n_rows = hashlanes_sha::kernels::every_row().count() + hashlanes_aes::kernels::every_row().count();
    assert!(n_rows > 60, "the linker keeps the kernels");
    let path = std::env::current_exe().expect("this program");
    let Some(listing) = listing(&path) else {
        println!("skipped: there is no objdump");
        return;
    };
    let program = Program::open(&path).expect("this program");
    let is_kernel = |name: &str| name.contains("::asm::") || name.contains("::kernels::rows::");
    let mut n_compared = 0;
    for (name, place) in program.functions().filter(|(name, _)| is_kernel(name)) {
        let code = program.constant(place.address, place.n_bytes as usize).unwrap_or(&[]);
        for i in Decoder::with_ip(64, code, place.address, DecoderOptions::NONE) {
            let text = text(&i);
            let ours = text.split_whitespace().next().unwrap_or_default();
            let theirs = listing.get(&i.ip()).map_or("nothing", |name| &**name);
            let is_same = ours == theirs || SYNONYMS.contains(&(ours, theirs));
            assert!(is_same, "{name}, {:#x}: {text}, {theirs} of objdump", i.ip());
            n_compared += 1;
        }
    }
    println!("{n_compared} instructions compared");
    assert!(n_compared > 100_000, "only {n_compared} instructions were compared");
}
