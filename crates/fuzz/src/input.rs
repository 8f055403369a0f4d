//! Numbers and messages drawn from the bytes of an input. After the last byte, all numbers are 0.

use hashlanes_testkit::ragged::Rng;

/// The bytes that are left.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *byte
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number below `n`, which is at most 65,536.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        if n <= 256 { usize::from(self.byte()) % n } else { usize::from(self.u16()) % n }
    }

    /// One bit of the next byte.
    pub(crate) fn is(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub(crate) fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One item of an iterator, which has at least one.
    pub(crate) fn one_of<T>(&mut self, all: impl Iterator<Item = T>) -> T {
        let mut all: Vec<T> = all.collect();
        let i = self.below(all.len());
        all.swap_remove(i)
    }

    /// The next `n` bytes, or all that are left.
    pub(crate) fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// Random bytes: two bytes of the input determine them.
    pub(crate) fn random(&mut self, n_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; n_bytes];
        Rng::new(self.u16().into()).fill(&mut bytes);
        bytes
    }

    /// Random bytes, fewer than `n`.
    pub(crate) fn some(&mut self, n: usize) -> Vec<u8> {
        let n_bytes = self.length(n);
        self.random(n_bytes)
    }

    /// `unit` random bytes, less than `n` times.
    pub(crate) fn units(&mut self, unit: usize, n: usize) -> Vec<u8> {
        let n_units = self.below(n);
        self.random(unit * n_units)
    }

    /// A length below `n`; half of them are short.
    pub(crate) fn length(&mut self, n: usize) -> usize {
        let short = self.byte();
        if short < 128 { usize::from(short).min(n - 1) } else { self.below(n) }
    }

    /// Up to `most` messages of less than `len` bytes each, at any alignment.
    pub(crate) fn messages(&mut self, most: usize, len: usize) -> Vec<Vec<u8>> {
        let n = self.below(most + 1);
        let lengths: Vec<usize> = match self.byte() % 4 {
            0 => vec![self.length(len); n],
            _ => (0..n).map(|_| self.length(len)).collect(),
        };
        let arena = self.random(lengths.iter().sum());
        let mut rest = &arena[..];
        let mut cut = |n: usize| {
            let (message, others) = rest.split_at(n);
            rest = others;
            message.to_vec()
        };
        lengths.into_iter().map(&mut cut).collect()
    }

    /// The places where `n` bytes are cut into parts, in order.
    pub(crate) fn cuts(&mut self, n: usize) -> Vec<usize> {
        let mut cuts: Vec<usize> = (0..self.below(6)).map(|_| self.length(n + 1)).collect();
        cuts.sort_unstable();
        cuts
    }
}

/// Calls `each` with the parts of `bytes` between the cuts.
pub(crate) fn parts<'b>(bytes: &'b [u8], cuts: &[usize]) -> Vec<&'b [u8]> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([bytes.len()]);
    starts.zip(ends).map(|(start, end)| &bytes[start..end]).collect()
}
