//! Strands: what kernels are described as, before they are merged and get their registers.
//!
//! A strand is a plain list of instructions (Intel syntax) that is correct when run separately. Its vector
//! registers are virtual: the description may use any number, usually written once each. `allocate.rs`
//! numbers them after merging, so that an order never has to be adapted by hand.

use std::cell::Cell;
use std::fmt;

/// Instructions in order.
pub(crate) type Strand = Vec<Instruction>;

/// Appends instructions to a strand, written as for `format!`, with `;` after each.
macro_rules! code {
    ($strand:expr; $($format:literal $(, $argument:expr)*;)*) => {{
        $($strand.push($crate::asm::strand::Instruction::from(format!($format $(, $argument)*)));)*
    }};
}
pub(crate) use code;

/// A virtual vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Register(u32);

/// A new virtual register.
pub(crate) fn fresh() -> Register {
    thread_local!(static COUNT: Cell<u32> = const { Cell::new(0) });
    Register(COUNT.replace(COUNT.get() + 1))
}

/// A number of new virtual registers.
pub(crate) fn fresh_many<const N: usize>() -> [Register; N] {
    std::array::from_fn(|_| fresh())
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}%", self.0)
    }
}

impl Register {
    /// The register's lowest 128 bits, as an operand.
    pub(crate) fn low(self) -> String {
        format!("%{}{LOW}%", self.0)
    }
}

/// Marks an operand that is a register's lowest 128 bits.
const LOW: char = 'x';

/// The part of a register that an operand names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The size of the strand's registers.
    Whole,
    /// The lowest 128 bits.
    Low,
}

/// An instruction, a label or a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction(String);

impl From<String> for Instruction {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Instruction {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Instruction {
    /// The instruction's name.
    pub(crate) fn mnemonic(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
    /// The text after the name.
    pub(crate) fn operands(&self) -> &str {
        self.0.split_once(' ').map_or("", |(_, operands)| operands)
    }
    /// Whether it writes memory.
    pub(crate) fn stores(&self) -> bool {
        self.operands().starts_with('[')
    }
    /// Whether it reads memory.
    pub(crate) fn loads(&self) -> bool {
        !self.stores() && self.0.contains('[')
    }
    /// Whether the destination is a source, too.
    pub(crate) fn modifies(&self) -> bool {
        self.mnemonic().starts_with("vpternlog")
    }
    /// Whether it makes rounds of SHA-256.
    pub(crate) fn is_round(&self) -> bool {
        self.mnemonic() == "sha256rnds2"
    }
    /// Whether it is executed: neither a label nor a directive.
    pub(crate) fn is_executed(&self) -> bool {
        !self.0.starts_with('.') && !self.0.ends_with(':')
    }
    /// The register that it sets, if that is a virtual one.
    pub(crate) fn sets(&self) -> Option<Register> {
        let destination = self.operands().split(',').next().filter(|operand| operand.starts_with('%'))?;
        Self::from(destination).registers().first().copied()
    }

    /// The virtual registers in it, each once, in order.
    pub(crate) fn registers(&self) -> Vec<Register> {
        let mut registers = vec![];
        self.each_piece(
            |_| {},
            |register, _| {
                if !registers.contains(&register) {
                    registers.push(register);
                }
            },
        );
        registers
    }

    /// With names for the virtual registers.
    pub(crate) fn named(&self, mut name: impl FnMut(Register, Part) -> String) -> Self {
        let text = std::cell::RefCell::new(String::new());
        self.each_piece(
            |piece| text.borrow_mut().push_str(piece),
            |register, part| text.borrow_mut().push_str(&name(register, part)),
        );
        Self(text.into_inner())
    }

    /// Splits the text: every second piece between `%` is a register.
    fn each_piece(&self, mut text: impl FnMut(&str), mut register: impl FnMut(Register, Part)) {
        for (i, piece) in self.0.split('%').enumerate() {
            if i % 2 == 0 {
                text(piece);
                continue;
            }
            let (number, part) = match piece.strip_suffix(LOW) {
                Some(number) => (number, Part::Low),
                None => (piece, Part::Whole),
            };
            register(Register(number.parse().expect("made by Display")), part);
        }
    }
}
