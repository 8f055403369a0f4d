//! The memory of a function's contract: regions with rights, which consist of 32-bit cells with terms.

use smallvec::SmallVec;

use crate::terms::{Byte, Term, Terms};

/// The rights of a function in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rights {
    /// Read it.
    Read,
    /// Read and write it.
    ReadWrite,
}

/// A region of bytes; memory before and after it is not readable.
#[derive(Clone)]
struct Region {
    name: String,
    base: u64,
    n_bytes: u64,
    rights: Rights,
    /// `None`: not written yet.
    cells: Vec<Option<Term>>,
    /// The addresses of the instructions that wrote them.
    writers: Vec<Option<u64>>,
}

/// All regions, sorted by address.
#[derive(Default, Clone)]
pub struct Memory {
    regions: Vec<Region>,
    /// The address of the instruction that is being carried out.
    pub now: Option<u64>,
}

/// Cells, as many as a vector register has at most.
pub type Cells = SmallVec<[Term; 16]>;

impl Memory {
    /// Adds a region.
    pub fn add(&mut self, name: impl Into<String>, base: u64, n_bytes: u64, rights: Rights) {
        let at = self.regions.partition_point(|region| region.base < base);
        let cells = vec![None; n_bytes.div_ceil(4) as usize];
        let writers = vec![None; cells.len()];
        self.regions.insert(at, Region { name: name.into(), base, n_bytes, rights, cells, writers });
    }

    fn find(&self, at: u64, n: u64) -> Option<usize> {
        let i = self.regions.partition_point(|region| region.base <= at).checked_sub(1)?;
        let region = &self.regions[i];
        (at + n <= region.base + region.n_bytes).then_some(i)
    }

    /// Whether the bytes lie in one region.
    pub fn has(&self, at: u64, n: u64) -> bool {
        self.find(at, n).is_some()
    }

    /// The instruction that wrote the word at `at`.
    pub fn writer(&self, at: u64) -> Option<u64> {
        let region = &self.regions[self.find(at, 1)?];
        region.writers[(at - region.base) as usize / 4]
    }

    /// The words of a region that were written.
    pub fn written(&self, name: &str) -> impl Iterator<Item = Term> {
        let region = self.regions.iter().filter(move |region| region.name == name);
        region.flat_map(|region| region.cells.iter().flatten().copied())
    }

    /// The region that is nearest to an address, for messages.
    pub fn nearest(&self, at: u64) -> String {
        let distance = |r: &&Region| at.abs_diff(r.base).min(at.abs_diff(r.base + r.n_bytes));
        match self.regions.iter().min_by_key(distance) {
            Some(r) if at >= r.base => format!("byte {} of {}, which has {}", at - r.base, r.name, r.n_bytes),
            Some(r) => format!("{} bytes before {}", r.base - at, r.name),
            None => format!("address {at:#x}"),
        }
    }

    /// Returns the word at `at`, without a check of rights.
    fn cell(&mut self, terms: &mut Terms, region: usize, i: usize) -> Term {
        let r = &mut self.regions[region];
        *r.cells[i].get_or_insert_with(|| terms.free(32, "uninitialised memory", region, i))
    }

    /// Reads bytes.
    pub fn bytes(&mut self, terms: &mut Terms, at: u64, n: usize) -> Option<SmallVec<[Byte; 64]>> {
        let region = self.find(at, n as u64)?;
        let from = (at - self.regions[region].base) as usize;
        let mut bytes = SmallVec::new();
        let mut i = from;
        while i < from + n {
            let cell = self.cell(terms, region, i / 4);
            let of_cell = terms.bytes(cell);
            let end = (i / 4 * 4 + 4).min(from + n);
            bytes.extend_from_slice(&of_cell[i % 4..][..end - i]);
            i = end;
        }
        Some(bytes)
    }

    /// Reads n / 4 cells from `at` on.
    pub fn load(&mut self, terms: &mut Terms, at: u64, n: usize) -> Option<Cells> {
        let region = self.find(at, n as u64)?;
        let from = (at - self.regions[region].base) as usize;
        if from.is_multiple_of(4) {
            return Some((from / 4..(from + n) / 4).map(|i| self.cell(terms, region, i)).collect());
        }
        let bytes = self.bytes(terms, at, n)?;
        Some(bytes.chunks_exact(4).map(|bytes| terms.of_bytes(bytes)).collect())
    }

    /// Writes cells from `at` on, as the program does.
    pub fn store(&mut self, terms: &mut Terms, at: u64, cells: &[Term]) -> Result<(), String> {
        let region = self.writable(at, 4 * cells.len())?;
        let from = at - self.regions[region].base;
        if from.is_multiple_of(4) {
            for (i, &cell) in cells.iter().enumerate() {
                self.regions[region].cells[from as usize / 4 + i] = Some(cell);
                self.regions[region].writers[from as usize / 4 + i] = self.now;
            }
            return Ok(());
        }
        let bytes: Vec<Byte> = cells.iter().flat_map(|&cell| terms.bytes(cell)).collect();
        self.store_bytes(terms, at, &bytes)
    }

    /// Writes bytes from `at` on, as the program does.
    pub fn store_bytes(&mut self, terms: &mut Terms, at: u64, bytes: &[Byte]) -> Result<(), String> {
        self.writable(at, bytes.len())?;
        self.put_bytes(terms, at, bytes);
        Ok(())
    }

    /// Sets bytes, without a check of rights.
    pub fn put_bytes(&mut self, terms: &mut Terms, at: u64, bytes: &[Byte]) {
        let region = self.find(at, bytes.len() as u64).expect("within a region");
        let from = (at - self.regions[region].base) as usize;
        for i in from / 4..(from + bytes.len()).div_ceil(4) {
            let old = self.cell(terms, region, i);
            let mut new = terms.bytes(old);
            for (k, byte) in new.iter_mut().enumerate() {
                if let Some(k) = (4 * i + k).checked_sub(from)
                    && let Some(&stored) = bytes.get(k)
                {
                    *byte = stored;
                }
            }
            self.regions[region].cells[i] = Some(terms.of_bytes(&new));
            self.regions[region].writers[i] = self.now;
        }
    }

    fn writable(&self, at: u64, n: usize) -> Result<usize, String> {
        let region = self
            .find(at, n as u64)
            .ok_or_else(|| format!("writes {n} bytes outside its memory: {}", self.nearest(at)))?;
        match self.regions[region].rights {
            Rights::ReadWrite => Ok(region),
            Rights::Read => Err(format!("writes to {}, which it may only read", self.nearest(at))),
        }
    }

    // ---- Cuts ----

    /// The cells of writable regions, two by two, with the address of the first.
    pub fn writable_pairs(&self) -> Vec<(u64, Option<Term>, Option<Term>)> {
        let of_region = |region: &Region| {
            let pairs = region.cells.chunks(2).enumerate();
            pairs
                .map(|(i, pair)| (region.base + 8 * i as u64, pair[0], pair.get(1).copied().flatten()))
                .filter(|(_, low, high)| low.is_some() || high.is_some())
                .collect::<Vec<_>>()
        };
        let writable = self.regions.iter().filter(|region| region.rights == Rights::ReadWrite);
        writable.flat_map(of_region).collect()
    }

    /// A cell, if it was written.
    pub fn cell_at(&self, at: u64) -> Option<Term> {
        let region = &self.regions[self.find(at, 4)?];
        region.cells[(at - region.base) as usize / 4]
    }

    /// Sets cells, without a check of rights.
    pub fn set_cells(&mut self, at: u64, cells: &[Term]) {
        let region = self.find(at, 4 * cells.len() as u64).expect("within a region");
        let from = (at - self.regions[region].base) as usize / 4;
        for (i, &cell) in cells.iter().enumerate() {
            self.regions[region].cells[from + i] = Some(cell);
        }
    }

    // ---- For contracts ----

    /// Sets a word, without a check of rights; `at` must be aligned like the region's words.
    pub fn set(&mut self, terms: &mut Terms, at: u64, word: Term) {
        let region = self.find(at, u64::from(terms.width(word)) / 8).expect("within a region");
        let i = ((at - self.regions[region].base) / 4) as usize;
        assert!((at - self.regions[region].base).is_multiple_of(4), "between two cells");
        if terms.width(word) == 32 {
            self.regions[region].cells[i] = Some(word);
        } else {
            for which in 0..2 {
                self.regions[region].cells[i + usize::from(which)] = Some(terms.half(word, which));
            }
        }
    }

    /// Sets a 64-bit value.
    pub fn set_value(&mut self, terms: &mut Terms, at: u64, value: u64) {
        let word = terms.constant(value, 64);
        self.set(terms, at, word);
    }

    /// Sets a word with reversed bytes, in the order of the standards.
    pub fn set_be(&mut self, terms: &mut Terms, at: u64, word: Term) {
        let swapped = reversed(terms, word);
        self.set(terms, at, swapped);
    }

    /// The word at `at`.
    pub fn get(&mut self, terms: &mut Terms, at: u64, width: u8) -> Term {
        let cells = self.load(terms, at, usize::from(width) / 8).expect("within a region");
        if width == 32 { cells[0] } else { terms.join(cells[0], cells[1]) }
    }
}

/// Byte `i` of a 32-bit word, the lowest first, as a word.
pub fn byte(terms: &mut Terms, word: Term, i: usize) -> Term {
    let byte = terms.bytes(word)[i];
    terms.of_bytes(&[byte, Byte::Known(0), Byte::Known(0), Byte::Known(0)])
}

/// A word with its bytes in reverse.
pub fn reversed(terms: &mut Terms, word: Term) -> Term {
    let mut bytes = terms.bytes(word);
    bytes.reverse();
    terms.of_bytes(&bytes)
}
