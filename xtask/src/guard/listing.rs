//! The machine code of a program, as `objdump -d -w --demangle=rust` lists it.

use std::collections::HashMap;

/// A function's code.
#[derive(Debug)]
pub(crate) struct Symbol {
    /// Its path, as `hashlanes_sha::sha256::kernels::rows::avx2_x8::compress`.
    pub(crate) name: String,
    pub(crate) start: u64,
    /// Without what fills the gap to the next function.
    pub(crate) code: Vec<Instruction>,
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    bytes: Vec<u8>,
    /// Mnemonic and operands.
    text: String,
}

/// The encoding of an instruction that uses vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// It touches none, and is in the encoding that every CPU has.
    General,
    /// The legacy encoding: destroys its first operand; all SHA instructions are in it.
    Sse,
    /// AVX's, and that of BMI's general instructions.
    Vex,
    /// AVX-512's.
    Evex,
}

impl Instruction {
    pub(crate) fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// In 64-bit mode the bytes c4, c5 and 62 begin an instruction only as these prefixes.
    pub(crate) fn encoding(&self) -> Encoding {
        const OVERRIDES: [u8; 8] = [0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0x67, 0x66];
        match self.bytes.iter().find(|byte| !OVERRIDES.contains(byte)) {
            Some(0xc4 | 0xc5) => Encoding::Vex,
            Some(0x62) => Encoding::Evex,
            _ if self.text.contains("%xmm") => Encoding::Sse,
            _ => Encoding::General,
        }
    }

    /// It may be in every row that uses vectors (see `on_entry` in the crate isa).
    pub(crate) fn is_vzeroupper(&self) -> bool {
        self.bytes == [0xc5, 0xf8, 0x77]
    }

    pub(crate) fn uses(&self, registers: &str) -> bool {
        self.text.contains(registers)
    }

    /// Whether it only moves a vector, or a part of one into another's, or zeroes one by its exclusive or
    /// with itself.
    pub(crate) fn moves_or_zeroes(&self) -> bool {
        let (mnemonic, operands) = self.text.split_once(' ').unwrap_or((&self.text, ""));
        let operands: Vec<&str> = operands.trim().split(',').collect();
        let is_xor = mnemonic.starts_with("vpxor") || mnemonic.starts_with("vxorp");
        let moves = mnemonic.starts_with("vmov") || mnemonic.starts_with("vinserti");
        moves || is_xor && operands.iter().all(|operand| *operand == operands[0])
    }

    /// Fills gaps between functions.
    fn is_padding(&self) -> bool {
        let mnemonic = |word: &&str| !matches!(*word, "cs" | "data16" | "rep" | "repz");
        let first = self.text.split_whitespace().find(mnemonic).unwrap_or_default();
        first.starts_with("nop") || first == "int3" || self.text.starts_with("xchg   %ax,%ax")
    }
}

/// The places where the program keeps addresses of functions, and these functions: a call may go through such
/// a place.
#[derive(Debug, Default)]
pub(crate) struct Addresses(HashMap<u64, u64>);

impl Addresses {
    /// In the format of `objdump -R`: `0000000000272810 R_X86_64_RELATIVE  *ABS*+0x00000000001651c0`.
    pub(crate) fn of(listing: &str) -> Self {
        let entry = |line: &str| {
            let (place, rest) = line.split_once(" R_X86_64_RELATIVE")?;
            let (_, address) = rest.rsplit_once("+0x")?;
            Some((u64::from_str_radix(place, 16).ok()?, u64::from_str_radix(address.trim(), 16).ok()?))
        };
        Self(listing.lines().filter_map(entry).collect())
    }
}

impl Addresses {
    /// The function whose address is kept there.
    pub(super) fn at(&self, place: u64) -> Option<u64> {
        self.0.get(&place).copied()
    }
}

impl Symbol {
    pub(crate) fn n_bytes(&self) -> usize {
        self.code.iter().map(Instruction::n_bytes).sum()
    }

    /// The code independent of its address: jumps count from the function's start, and references to fixed
    /// places of the program (constants, other functions) are omitted.
    pub(crate) fn anywhere(&self) -> Vec<String> {
        self.code.iter().map(|instruction| self.placeless(&instruction.text)).collect()
    }

    fn placeless(&self, text: &str) -> String {
        let text = text.split(" #").next().expect("at least one part").trim_end();
        if let (Some(address), Some((mnemonic, _))) = (target(text), text.split_once(' ')) {
            let end = self.start + self.n_bytes() as u64;
            return if (self.start..end).contains(&address) {
                format!("{mnemonic} +{:x}", address - self.start)
            } else {
                format!("{mnemonic} elsewhere")
            };
        }
        // Memory of the program: `movdqa 0x1234(%rip),%xmm0`.
        match text.find("(%rip)") {
            Some(at) => {
                let before =
                    text[..at].trim_end_matches(|c: char| c.is_ascii_hexdigit() || c == 'x' || c == '-');
                format!("{before}{}", &text[at..])
            }
            None => text.into(),
        }
    }
}

/// Returns the target of a jump or call: `jne    f6b42 <name+0x42>`.
pub(super) fn target(text: &str) -> Option<u64> {
    let (_, operand) = text.split_once(' ')?;
    let (address, _) = operand.trim_start().split_once(" <")?;
    u64::from_str_radix(address, 16).ok()
}

/// The functions of a listing, in its order.
pub(crate) fn symbols(listing: &str) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    for line in listing.lines() {
        if let Some((start, name)) = header(line) {
            symbols.push(Symbol { name: name.into(), start, code: Vec::new() });
        } else if let (Some(symbol), Some(instruction)) = (symbols.last_mut(), instruction(line)) {
            symbol.code.push(instruction);
        }
    }
    for symbol in &mut symbols {
        while symbol.code.last().is_some_and(Instruction::is_padding) {
            symbol.code.pop();
        }
    }
    symbols
}

/// `00000000000f6b00 <name>:`
fn header(line: &str) -> Option<(u64, &str)> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    Some((u64::from_str_radix(address, 16).ok()?, name))
}

/// `   f6b00:\t55                   \tpush   %rbp`
fn instruction(line: &str) -> Option<Instruction> {
    let (_, rest) = line.split_once(":\t")?;
    let (bytes, text) = rest.split_once('\t')?;
    let bytes: Result<Vec<u8>, _> =
        bytes.split_whitespace().map(|byte| u8::from_str_radix(byte, 16)).collect();
    Some(Instruction { bytes: bytes.ok()?, text: text.trim_end().into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = include_str!("listing.txt");

    #[test]
    fn functions_are_separated_and_end_before_the_padding() {
        let symbols = symbols(LISTING);
        let names: Vec<&str> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["one::loop_", "another::loop_", "different::loop_", "encodings"]);
        assert_eq!(symbols[0].n_bytes(), 23);
        assert_eq!(symbols[0].code.last().unwrap().text(), "ret");
    }

    #[test]
    fn the_same_code_elsewhere_is_the_same() {
        let symbols = symbols(LISTING);
        assert_eq!(symbols[0].anywhere(), symbols[1].anywhere());
        assert_ne!(symbols[0].anywhere(), symbols[2].anywhere());
    }

    #[test]
    fn encodings_are_recognised_by_their_bytes() {
        let symbols = symbols(LISTING);
        let encodings: Vec<Encoding> = symbols[3].code.iter().map(Instruction::encoding).collect();
        use Encoding::*;
        assert_eq!(encodings, [Sse, Sse, Vex, Vex, Vex, Evex, Evex, General]);
        assert!(symbols[3].code[2].is_vzeroupper());
        assert!(symbols[3].code[6].uses("%zmm"));
    }
}
