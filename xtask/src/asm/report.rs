//! `cargo xtask asm --report`: the parts of kernels. Code sizes come from the assembler; the rest is counted.
//!
//! A second table shows the papers' prescriptions (`papers.rs`).
//!
//! The counts are for the loop, which takes the time; it should stay below 28 KB, the size of the instruction
//! cache. A kernel without a loop is counted as a whole.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use hashlanes_testkit::table::Table;

use super::emit::Kernel;
use super::papers;
use super::strand::Instruction;
use crate::{process, workspace};

/// The encoding of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    General,
    Sse,
    Vex,
    Evex,
}

impl Encoding {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Sse, "SSE"), (Self::Vex, "VEX"), (Self::Evex, "EVEX"), (Self::General, "general")];

    fn of(instruction: &Instruction) -> Self {
        /// Names, or beginnings of names, that only EVEX has.
        const EVEX: [&str; 12] = [
            "vmovdqu32",
            "vmovdqu64",
            "vmovdqa32",
            "vmovdqa64",
            "vpror",
            "vprol",
            "vpternlog",
            "vpxord",
            "vshufi32x4",
            "vshufi64x2",
            "vinserti64x2",
            "vextracti32x4",
        ];
        let (name, operands) = (instruction.mnemonic(), instruction.operands());
        if !operands.contains("mm") {
            return Self::General;
        }
        if !name.starts_with('v') {
            return Self::Sse;
        }
        let of_32 =
            |operand: &str| operand.split("mm").nth(1).is_some_and(|n| n.parse().is_ok_and(|n: u32| n >= 16));
        let is_evex = operands.contains('{')
            || operands.contains("zmm")
            || operands.split(',').any(of_32)
            || EVEX.iter().any(|evex| name.starts_with(evex));
        if is_evex { Self::Evex } else { Self::Vex }
    }
}

/// The operation of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rounds,
    Message,
    Add,
    Shift,
    Logic,
    Shuffle,
    Load,
    Store,
    Move,
    Other,
}

impl Kind {
    const ALL: [(Self, &'static str); 10] = [
        (Self::Rounds, "rounds"),
        (Self::Message, "message"),
        (Self::Add, "add"),
        (Self::Shift, "shift"),
        (Self::Logic, "logic"),
        (Self::Shuffle, "shuffle"),
        (Self::Load, "load"),
        (Self::Store, "store"),
        (Self::Move, "move"),
        (Self::Other, "other"),
    ];

    fn of(instruction: &Instruction) -> Self {
        let name = instruction.mnemonic();
        let begins = |with: &[&str]| with.iter().any(|with| name.trim_start_matches('v').starts_with(with));
        match () {
            () if Encoding::of(instruction) == Encoding::General => Self::Other,
            () if begins(&["sha256rnds", "sha1rnds", "sha512rnds"]) => Self::Rounds,
            () if begins(&["sha"]) => Self::Message,
            () if instruction.stores() => Self::Store,
            () if begins(&["padd", "psub"]) => Self::Add,
            () if begins(&["pro", "psr", "psl"]) => Self::Shift,
            () if begins(&["pxor", "pternlog", "pand", "por"]) => Self::Logic,
            () if begins(&["punpck", "pshuf", "palignr", "shuf", "perm", "pinsr", "insert"]) => Self::Shuffle,
            () if begins(&["mov"]) => {
                if instruction.loads() {
                    Self::Load
                } else {
                    Self::Move
                }
            }
            () => Self::Other,
        }
    }
}

/// Instructions by which general registers are rotated: what serial kernels are named for.
const ROTATIONS: [&str; 4] = ["rol", "ror", "shrd", "rorx"];

/// Prints the table.
///
/// # Errors
/// If the assembler does not take a file, or a kernel is not as its paper prescribes.
pub(crate) fn print(kernels: &[(&str, Kernel)]) -> Result<(), String> {
    let sizes = sizes(kernels)?;
    let mut table = Table::new(
        ["kernel", "bytes", "loop bytes", "instructions"]
            .into_iter()
            .chain(Encoding::ALL.map(|(_, name)| name))
            .chain(Kind::ALL.map(|(_, name)| name))
            .chain(ROTATIONS),
    );
    for ((directory, kernel), [bytes, loop_bytes]) in kernels.iter().zip(sizes) {
        let all = &kernel.body;
        let is = |label: &str, instruction: &Instruction| instruction.to_string() == label;
        let begin = all.iter().position(|instruction| is("2:", instruction)).unwrap_or(0);
        let end = all.iter().position(ends_loop).map_or(all.len(), |last| last + 1);
        let executed: Vec<&Instruction> =
            all[begin..end].iter().filter(|instruction| instruction.is_executed()).collect();
        let count = |class: &dyn Fn(&Instruction) -> bool| {
            executed.iter().filter(|instruction| class(instruction)).count().to_string()
        };
        table.row(
            [
                full_name(directory, kernel),
                bytes.to_string(),
                loop_bytes.to_string(),
                executed.len().to_string(),
            ]
            .into_iter()
            .chain(Encoding::ALL.map(|(encoding, _)| count(&|i| Encoding::of(i) == encoding)))
            .chain(Kind::ALL.map(|(kind, _)| count(&|i| Kind::of(i) == kind)))
            .chain(ROTATIONS.map(|name| count(&|i| i.mnemonic() == name))),
        );
    }
    println!("{table}");
    println!("{}", papers::table(kernels)?);
    Ok(())
}

/// `sha256_split_x16`: hashes have kernels of the same names.
fn full_name(directory: &str, kernel: &Kernel) -> String {
    let hash = directory.trim_end_matches("/asm").rsplit('/').next().unwrap_or_default();
    format!("{hash}_{}", kernel.name)
}

fn ends_loop(instruction: &Instruction) -> bool {
    instruction.mnemonic().starts_with('j') && instruction.operands() == "2b"
}

/// Returns the code size of each kernel and of its loop, with a program that prints the distances between
/// labels.
fn sizes(kernels: &[(&str, Kernel)]) -> Result<Vec<[usize; 2]>, String> {
    let scratch = workspace::scratch("asm");
    let failed = |error: std::io::Error| format!("{}: {error}", scratch.display());
    let mut program = String::new();
    let mut calls = String::new();
    for (directory, kernel) in kernels {
        let name = full_name(directory, kernel);
        let has_loop = kernel.body.iter().any(ends_loop);
        let mut text = ".quad 73f-72f\n.quad 75f-74f\n.p2align 6\n72:\n".to_owned();
        if !has_loop {
            text.push_str("74:\n");
        }
        for line in kernel.text().lines() {
            match line {
                "2:" if has_loop => text.push_str("2:\n74:\n"),
                _ if ends_loop(&line.into()) => writeln!(text, "{line}\n75:").expect("a string takes all"),
                _ => writeln!(text, "{line}").expect("a string takes all"),
            }
        }
        text.push_str(if has_loop { "73:\n" } else { "73:\n75:\n" });
        fs::write(scratch.join(&name).with_extension("s"), text).map_err(failed)?;
        let body = format!("core::arch::naked_asm!(include_str!(\"{name}.s\"), options(raw))");
        writeln!(program, "#[unsafe(naked)] extern \"C\" fn {name}() {{ {body} }}")
            .expect("a string takes all");
        writeln!(calls, "print({name});").expect("a string takes all");
    }
    program.push_str("fn print(f: extern \"C\" fn()) { let f = f as *const [u64; 2];\n");
    program.push_str("let [all, in_loop] = unsafe { f.read_unaligned() }; println!(\"{all} {in_loop}\") }\n");
    writeln!(program, "fn main() {{\n{calls}}}").expect("a string takes all");
    let (source, binary) = (scratch.join("sizes.rs"), scratch.join("sizes"));
    fs::write(&source, program).map_err(failed)?;
    let mut rustc = Command::new(workspace::rustc());
    process::run(rustc.args(["--edition", "2024", "-o"]).arg(&binary).arg(&source))?.checked()?;
    let printed = process::stdout(&mut Command::new(&binary))?;
    let printed = String::from_utf8_lossy(&printed);
    let sizes = printed.lines().map(|line| {
        let mut numbers = line.split(' ').map(|number| number.parse().expect("printed as a number"));
        std::array::from_fn(|_| numbers.next().expect("two of them"))
    });
    Ok(sizes.collect())
}
