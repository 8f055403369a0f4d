//! The stack depth of a function: its own frame, and those of the functions that it calls.
//!
//! Kernels spill keys and messages to their frames, and their callers overwrite a constant number of bytes
//! (`crates/aes/src/stack_wipe.rs`, `crates/isa/src/stack_wipe.rs`). The compiler chooses the frame, so its
//! size is read from the program.

use std::collections::{BTreeMap, HashMap};

use super::listing::{Addresses, Symbol};

/// Bytes that callers take between the kernel's entry and the place from which the stack is overwritten.
const OF_CALLERS: usize = 512;

/// The functions of a program.
pub(super) struct Frames<'s> {
    by_start: HashMap<u64, &'s Symbol>,
    addresses: &'s Addresses,
}

impl<'s> Frames<'s> {
    pub(super) fn new(symbols: &'s [Symbol], addresses: &'s Addresses) -> Self {
        Self { by_start: symbols.iter().map(|symbol| (symbol.start, symbol)).collect(), addresses }
    }

    /// The most bytes of the stack that a call takes, its return address included.
    ///
    /// # Errors
    /// If a frame's size is not a constant.
    pub(super) fn depth(&self, symbol: &Symbol) -> Result<usize, String> {
        self.depth_below(symbol, &mut Vec::new())
    }

    fn depth_below(&self, symbol: &Symbol, callers: &mut Vec<u64>) -> Result<usize, String> {
        const RETURN_ADDRESS: usize = 8;
        let own = RETURN_ADDRESS + frame(symbol)?;
        callers.push(symbol.start);
        let mut deepest = 0;
        for callee in self.callees(symbol).into_values() {
            if !callers.contains(&callee.start) && !is_of_standard_library(&callee.name) {
                deepest = deepest.max(self.depth_below(callee, callers)?);
            }
        }
        callers.pop();
        Ok(own + deepest)
    }

    /// The functions that one calls, jumps to, or takes the address of, by their addresses.
    pub(super) fn callees(&self, caller: &Symbol) -> BTreeMap<u64, &'s Symbol> {
        let callees = caller.code.iter().filter_map(|instruction| self.callee(instruction.text()));
        callees.map(|callee| (callee.start, callee)).collect()
    }

    /// Whether one of the project's functions calls a function, directly or through the standard library's.
    /// Those of other libraries choose their instructions by themselves.
    pub(super) fn is_called_by_ours(&self, function: &Symbol) -> bool {
        let mut called = vec![function.start];
        let mut n_searched = 0;
        while let Some(&start) = called.get(n_searched) {
            n_searched += 1;
            for caller in self.by_start.values() {
                if called.contains(&caller.start) || !self.callees(caller).contains_key(&start) {
                    continue;
                }
                if caller.name.contains("hashlanes") {
                    return true;
                }
                if is_of_standard_library(&caller.name) {
                    called.push(caller.start);
                }
            }
        }
        false
    }

    /// The function that an instruction calls, jumps to, or takes the address of.
    fn callee(&self, text: &str) -> Option<&'s Symbol> {
        let address = match text.split_once(" # ") {
            Some((_, comment)) => {
                let place = u64::from_str_radix(comment.trim_start().split(' ').next()?, 16).ok()?;
                self.addresses.at(place).unwrap_or(place)
            }
            None => super::listing::target(text)?,
        };
        self.by_start.get(&address).copied()
    }
}

/// Returns the fault of a verb that reaches this far, in words that follow the verb's name.
pub(super) fn uncovered(depth: usize, wiped: usize) -> Option<String> {
    (depth + OF_CALLERS > wiped).then(|| {
        format!(
            "reaches {depth} bytes down the stack, its callers {OF_CALLERS} more, and {wiped} are overwritten: it leaves \
             secrets (make its frame smaller, or overwrite more)"
        )
    })
}

/// Whether a function is the standard library's. Those that kernels call end in a panic, or copy bytes and
/// keep none.
fn is_of_standard_library(name: &str) -> bool {
    ["core::", "alloc::", "std::", "<core::", "<alloc::", "<std::"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// The size of a function's own frame: its pushes, its subtractions from the stack pointer, and the loss by
/// alignment.
fn frame(symbol: &Symbol) -> Result<usize, String> {
    let mut bytes = 0;
    let (mut in_probes, mut aligns, mut before) = (false, false, ("", ""));
    for instruction in &symbol.code {
        let text = instruction.text();
        let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
        let operands = operands.trim();
        match (mnemonic, operands.strip_suffix(",%rsp")) {
            ("push", _) => bytes += 8,
            // `lea -0x5000(%rsp),%r11`, and pages are touched one by one until the stack pointer is there.
            ("lea", _) if operands.ends_with("(%rsp),%r11") => {
                let below = operands.strip_prefix("-0x").and_then(|rest| rest.split_once('('));
                bytes += below.map_or(Ok(0), |(number, _)| hexadecimal(number))?;
                in_probes = true;
            }
            ("sub", Some("$0x1000")) if in_probes => in_probes = false,
            // `mov %rsp,%r11`, `and $0xfffffffffffff000,%r11`: down to there pages are touched, too, and then
            // the stack pointer is set.
            ("and", _) if operands.ends_with(",%r11") && before == ("mov", "%rsp,%r11") => {
                let mask = operands.strip_prefix("$0x").and_then(|rest| rest.strip_suffix(",%r11"));
                bytes += mask.map_or(Ok(0), hexadecimal)?.wrapping_neg();
                aligns = true;
            }
            ("sub", Some("$0x1000")) if aligns => {}
            ("mov", Some("%r11")) => aligns = false,
            ("sub" | "add" | "and", Some(operand)) => {
                let Some(number) = operand.strip_prefix("$0x") else {
                    return Err(format!("its frame has no constant size: {text}"));
                };
                let number = hexadecimal(number)? as isize;
                bytes += match (mnemonic, number) {
                    ("sub", number) => number.unsigned_abs(),
                    // The end of a frame if it is positive.
                    ("add", number) => (-number).max(0) as usize,
                    // `and $0xffffffffffffffc0,%rsp`
                    (_, mask) => mask.unsigned_abs(),
                };
            }
            _ => {}
        }
        before = (mnemonic, operands);
    }
    Ok(bytes)
}

/// A number as objdump writes it: of a negative one its two's complement.
fn hexadecimal(digits: &str) -> Result<usize, String> {
    u64::from_str_radix(digits, 16)
        .map(|number| number as usize)
        .map_err(|error| format!("{digits}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::super::listing::symbols;
    use super::*;

    const LISTING: &str = "\
0000000000000000 <kernel>:
   0:\t55                   \tpush   %rbp
   1:\t48 83 e4 c0          \tand    $0xffffffffffffffc0,%rsp
   5:\t48 81 ec 80 00 00 00 \tsub    $0x80,%rsp
   c:\te8 ef 00 00 00       \tcall   100 <deep>
  11:\tff 15 00 00 00 00    \tcall   *0x0(%rip)        # 900 <_DYNAMIC+0x10>
  17:\te8 e4 01 00 00       \tcall   300 <core::panicking::panic>
  1c:\t48 81 c4 80 00 00 00 \tadd    $0x80,%rsp
  23:\tc3                   \tret
0000000000000100 <deep>:
 100:\t4c 8d 9c 24 00 b0 ff ff \tlea    -0x5000(%rsp),%r11
 108:\t48 81 ec 00 10 00 00 \tsub    $0x1000,%rsp
 10f:\t48 c7 04 24 00 00 00 00 \tmovq   $0x0,(%rsp)
 117:\t4c 39 dc             \tcmp    %r11,%rsp
 11a:\t75 ec                \tjne    108 <deep+0x8>
 11c:\t48 83 c4 80          \tadd    $0xffffffffffffff80,%rsp
 120:\te8 db fe ff ff       \tcall   0 <kernel>
 125:\tc3                   \tret
0000000000000200 <through>:
 200:\t48 81 ec 00 70 00 00 \tsub    $0x7000,%rsp
 207:\tc3                   \tret
0000000000000300 <core::panicking::panic>:
 300:\t48 81 ec 00 00 10 00 \tsub    $0x100000,%rsp
0000000000000380 <aligned>:
 380:	49 89 e3             	mov    %rsp,%r11
 383:	49 81 e3 00 f0 ff ff 	and    $0xfffffffffffff000,%r11
 38a:	48 81 ec 00 10 00 00 	sub    $0x1000,%rsp
 391:	4c 39 dc             	cmp    %r11,%rsp
 394:	4c 89 dc             	mov    %r11,%rsp
 397:	48 81 ec 00 10 00 00 	sub    $0x1000,%rsp
0000000000000400 <dynamic>:
 400:\t48 29 c4             \tsub    %rax,%rsp
0000000000000500 <without_frame>:
 500:\t49 83 e3 07          \tand    $0x7,%r11
";

    /// The words after `kernel`, `aligned`, `dynamic`, `without_frame`.
    fn depths(relocations: &str) -> [Result<usize, String>; 4] {
        let (symbols, addresses) = (symbols(LISTING), Addresses::of(relocations));
        let frames = Frames::new(&symbols, &addresses);
        [0, 4, 5, 6].map(|i| frames.depth(&symbols[i]))
    }

    #[test]
    fn a_frame_counts_pushes_subtractions_alignment_and_calls() {
        // Its own frame; then that of `deep`, which does not count its caller again.
        let (own, deep, through) = (8 + 8 + 64 + 128, 8 + 0x5000 + 128, 8 + 0x7000);
        assert_eq!(depths("")[0], Ok(own + deep));
        let relocations = "0000000000000900 R_X86_64_RELATIVE  *ABS*+0x0000000000000200\n";
        assert_eq!(depths(relocations)[0], Ok(own + through));
    }

    #[test]
    fn an_alignment_to_pages_costs_a_page() {
        assert_eq!(depths("")[1], Ok(8 + 0x1000 + 0x1000));
    }

    #[test]
    fn calls_are_seen_directly_and_through_an_address() {
        const CALLS: &str = "\
0000000000000000 <direct>:
   0:\te8 fb 01 00 00       \tcall   200 <callee>
0000000000000100 <through>:
 100:\tff 15 0a 27 27 00    \tcall   *0x27270a(%rip)        # 272810 <_DYNAMIC+0x9e8>
0000000000000200 <callee>:
 200:\tc3                   \tret
";
        let symbols = symbols(CALLS);
        let callees = |of: usize, relocations: &str| -> Vec<u64> {
            let addresses = Addresses::of(relocations);
            Frames::new(&symbols, &addresses).callees(&symbols[of]).into_keys().collect()
        };
        const RELOCATIONS: &str = "0000000000272810 R_X86_64_RELATIVE  *ABS*+0x0000000000000200\n";
        for relocations in [RELOCATIONS, ""] {
            assert_eq!((callees(0, relocations), callees(2, relocations)), (vec![0x200], vec![]));
        }
        assert_eq!((callees(1, RELOCATIONS), callees(1, "")), (vec![0x200], vec![]));
    }

    #[test]
    fn callers_are_found_through_the_standard_library() {
        let of = |caller: &str| {
            let listing = format!(
                "\
0000000000000000 <core::core_arch::x86::avx::_mm256_loadu_si256>:
   0:\tc3                   \tret
0000000000000010 <core::array::map>:
  10:\te8 eb ff ff ff       \tcall   0 <core::core_arch::x86::avx::_mm256_loadu_si256>
0000000000000020 <{caller}>:
  20:\te8 eb ff ff ff       \tcall   10 <core::array::map>
0000000000000030 <core::array::map>:
  30:\tc3                   \tret
0000000000000040 <hashlanes_isa::name>:
  40:\te8 eb ff ff ff       \tcall   30 <core::array::map>
"
            );
            let (symbols, addresses) = (symbols(&listing), Addresses::default());
            Frames::new(&symbols, &addresses).is_called_by_ours(&symbols[0])
        };
        assert!(of("hashlanes_aes::gcm::kernels::rows::vaes_avx2::gcm_encrypt"));
        assert!(!of("other::search"));
    }

    #[test]
    fn a_mask_of_a_register_is_no_frame() {
        assert_eq!(depths("")[3], Ok(8));
    }

    #[test]
    fn a_frame_of_no_constant_size_is_an_error() {
        assert!(depths("")[2].as_ref().unwrap_err().contains("sub    %rax,%rsp"));
    }

    #[test]
    fn memory_that_is_not_overwritten_is_a_fault() {
        assert_eq!(uncovered(1000, 2048), None);
        assert!(uncovered(9280 + 48 + 64 + 8, 8 * 1024).unwrap().starts_with("reaches 9400 bytes"));
    }
}
