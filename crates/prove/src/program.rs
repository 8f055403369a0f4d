//! The program whose machine code is proved: its memory, as described by its file, and the addresses of its
//! functions.

use std::collections::BTreeMap;
use std::path::Path;

use object::read::elf::{ElfFile64, ElfSymbol64, ProgramHeader};
use object::{
    LittleEndian, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, RelocationFlags, RelocationTarget,
    SectionKind, SymbolKind, elf,
};
use rustc_hash::FxHashMap;

/// A program, as loaded at address 0.
#[derive(Clone)]
pub struct Program {
    segments: Vec<Segment>,
    /// Functions by name, without the hash that compilers append.
    functions: BTreeMap<String, Function>,
    /// All functions by address, also those that share their name with another instance of a generic one.
    places: BTreeMap<u64, Place>,
    data: BTreeMap<String, u64>,
    /// Words that hold addresses, and these.
    pointers: BTreeMap<u64, u64>,
    /// Functions of the C library that it calls, by their assigned addresses.
    imported: BTreeMap<u64, String>,
}

/// The first assigned address of imported functions.
const IMPORTED: u64 = 0x5555_0000_0000;

/// The place of a function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its first byte.
    pub address: u64,
    /// Its length.
    pub n_bytes: u64,
}

/// The constants that a run read: the most bytes at each address, and the alignment that they needed.
pub type Reads = FxHashMap<u64, Read>;

/// A constant that was read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Read {
    /// Bytes.
    pub n_bytes: u64,
    /// The alignment that an instruction needs; zero if none does.
    pub align: u64,
}

#[derive(Clone)]
struct Place {
    name: String,
    n_bytes: u64,
}

#[derive(Clone)]
struct Segment {
    address: u64,
    bytes: Vec<u8>,
    /// Beyond `bytes` it is zeros.
    n_bytes: u64,
    is_writable: bool,
}

impl Program {
    /// Reads an ELF file that has its symbols.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fault = |what: &str| format!("{}: {what}", path.display());
        let bytes = std::fs::read(path).map_err(|e| fault(&e.to_string()))?;
        let file = ElfFile64::<LittleEndian>::parse(&*bytes).map_err(|e| fault(&e.to_string()))?;
        let mut segments: Vec<Segment> = Vec::new();
        for header in file.elf_program_headers() {
            let number = |field: object::U64<LittleEndian>| field.get(LittleEndian);
            let (address, n_bytes) = (number(header.p_vaddr), number(header.p_memsz));
            match header.p_type.get(LittleEndian) {
                elf::PT_LOAD => {
                    let data = header.data(LittleEndian, &*bytes).map_err(|()| fault("it is cut off"))?;
                    let is_writable = header.p_flags.get(LittleEndian) & elf::PF_W != 0;
                    segments.push(Segment { address, bytes: data.to_vec(), n_bytes, is_writable });
                }
                // Written only by the loader.
                elf::PT_GNU_RELRO => {
                    let data = header.data(LittleEndian, &*bytes).map_err(|()| fault("it is cut off"))?;
                    segments
                        .insert(0, Segment { address, bytes: data.to_vec(), n_bytes, is_writable: false });
                }
                _ => {}
            }
        }
        let (mut imported, mut pointers) = (BTreeMap::new(), BTreeMap::new());
        for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let value = match relocation.flags() {
                // A pointer within the program.
                RelocationFlags::Elf { r_type: elf::R_X86_64_RELATIVE } => relocation.addend() as u64,
                // A function of the C library, at an address of our own.
                RelocationFlags::Elf { r_type: elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT } => {
                    let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
                    let table = file.dynamic_symbol_table().ok_or_else(|| fault("it imports nothing"))?;
                    let symbol = table.symbol_by_index(symbol).map_err(|e| fault(&e.to_string()))?;
                    let name = symbol.name().map_err(|e| fault(&e.to_string()))?;
                    let address = IMPORTED + 16 * imported.len() as u64;
                    imported.insert(address, name.to_owned());
                    address
                }
                _ => continue,
            };
            pointers.insert(at, value);
            for segment in &mut segments {
                if let Some(place) = at.checked_sub(segment.address)
                    && let Some(bytes) = segment.bytes.get_mut(place as usize..place as usize + 8)
                {
                    bytes.copy_from_slice(&value.to_le_bytes());
                }
            }
        }
        let (mut addresses, mut places, mut data) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let is_code = |symbol: &ElfSymbol64<'_, '_, LittleEndian>| {
            let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            section.is_some_and(|section| section.kind() == SectionKind::Text)
        };
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            let name = format!("{:#}", rustc_demangle::demangle(name));
            match symbol.kind() {
                SymbolKind::Text | SymbolKind::Unknown if is_code(&symbol) => {
                    addresses.entry(name.clone()).or_insert(symbol.address());
                    places.entry(symbol.address()).or_insert(Place { name, n_bytes: symbol.size() });
                }
                SymbolKind::Data => {
                    data.insert(name, symbol.address());
                }
                _ => {}
            }
        }
        if places.is_empty() {
            return Err(fault("it has no symbols"));
        }
        // Assembly may have no size: it then extends to the next function.
        let mut next = None;
        for (&address, place) in places.iter_mut().rev() {
            if place.n_bytes == 0 {
                place.n_bytes = next.map_or(0, |next: u64| next - address);
            }
            next = Some(address);
        }
        let functions = addresses
            .into_iter()
            .map(|(name, address)| (name, Function { address, n_bytes: places[&address].n_bytes }))
            .collect();
        Ok(Self { segments, functions, places, data, pointers, imported })
    }

    /// All functions, by name.
    pub fn functions(&self) -> impl Iterator<Item = (&str, Function)> {
        self.functions.iter().map(|(name, function)| (&**name, *function))
    }

    /// The function that begins at an address.
    pub fn name_of(&self, at: u64) -> Option<&str> {
        self.places.get(&at).map(|place| &*place.name)
    }

    /// The function that an address is in.
    pub fn function_around(&self, at: u64) -> Option<Function> {
        let (&address, place) = self.places.range(..=at).next_back()?;
        (at - address < place.n_bytes).then_some(Function { address, n_bytes: place.n_bytes })
    }

    /// The address that the loader writes at `at`.
    pub fn pointer(&self, at: u64) -> Option<u64> {
        self.pointers.get(&at).copied()
    }

    /// Returns the address of a variable.
    pub fn variable(&self, name: &str) -> Option<u64> {
        self.data.get(name).copied()
    }

    /// Returns the function of the C library with this assigned address.
    pub fn imported(&self, at: u64) -> Option<&str> {
        self.imported.get(&at).map(|name| &**name)
    }

    /// Bytes that the program never changes.
    pub fn constant(&self, at: u64, n: usize) -> Option<&[u8]> {
        let (bytes, is_writable) = self.bytes(at, n)?;
        (!is_writable).then_some(bytes)
    }

    /// The bytes from `at` on to the end of the segment, at most `n`, as in the file.
    pub fn code(&self, at: u64, n: usize) -> Option<&[u8]> {
        (1..=n).rev().find_map(|n| self.constant(at, n))
    }

    /// Bytes as the file has them, and whether the program may change them.
    fn bytes(&self, at: u64, n: usize) -> Option<(&[u8], bool)> {
        self.segments.iter().find_map(|segment| {
            let from = usize::try_from(at.checked_sub(segment.address)?).ok()?;
            Some((segment.bytes.get(from..from.checked_add(n)?)?, segment.is_writable))
        })
    }

    /// Changes code or constants: a fault, for tests of the prover.
    ///
    /// # Panics
    /// Panics if the program does not contain them.
    pub fn plant(&mut self, at: u64, bytes: &[u8]) {
        let place = self.segments.iter_mut().find_map(|segment| {
            let from = usize::try_from(at.checked_sub(segment.address)?).ok()?;
            segment.bytes.get_mut(from..from.checked_add(bytes.len())?)
        });
        place.expect("bytes of the program").copy_from_slice(bytes);
    }

    /// The addresses at which the program has these bytes.
    pub fn places_of(&self, bytes: &[u8]) -> Vec<u64> {
        let of_segment = |segment: &Segment| {
            let windows = segment.bytes.windows(bytes.len()).enumerate();
            let address = segment.address;
            windows
                .filter(|(_, window)| *window == bytes)
                .map(move |(i, _)| address + i as u64)
                .collect::<Vec<_>>()
        };
        self.segments.iter().flat_map(of_segment).collect()
    }

    /// Whether an address is in memory that the program may change.
    pub fn is_variable(&self, at: u64) -> bool {
        let is_in = |s: &&Segment| s.address <= at && at < s.address + s.n_bytes;
        self.segments.iter().find(is_in).is_some_and(|segment| segment.is_writable)
    }
}
