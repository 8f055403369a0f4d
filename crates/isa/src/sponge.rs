//! Kernels of Keccak's permutation: what a sponge does to the states of one message or many.
//!
//! A sponge's state is 25 words, its block is as many of them as its rate has, and nothing of a compression function's
//! verbs fits it. So it has a table of its own, with the same rows, proofs, names and forcing: [`Table`], [`Kernel`],
//! [`Body`] and [`sponge_kernels!`](crate::sponge_kernels) are here what their namesakes are there. The choice is simpler:
//! a row has one figure, and messages do not rotate.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::table::Wrong;
use crate::{Cost, EnvError, Features, Lanes, MAX_DEGREE, Proof, Row, Verb};

/// The lanes A\[x, y\] of FIPS 202, section 3.1.2, at 5 · y + x.
pub type State = [u64; 25];

/// Whole blocks of `N` words a lane: block `b` of lane `k` is at `rows[k] + b * step`.
#[derive(Debug)]
pub struct Blocks<'a, const N: usize> {
    places: *const *const u8,
    offset: usize,
    step: usize,
    n_blocks: usize,
    degree: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// The pointers of `n_blocks` blocks of each of `rows`, put into `pointers`.
    ///
    /// # Panics
    /// If a row is too short for them.
    fn new(
        pointers: &'a mut [*const u8; MAX_DEGREE],
        rows: &[&'a [u8]],
        step: usize,
        n_blocks: usize,
    ) -> Self {
        let before_last = n_blocks.saturating_sub(1).checked_mul(step);
        let end = before_last.and_then(|at| at.checked_add(8 * N)).expect("an address");
        for (pointer, row) in pointers.iter_mut().zip(rows) {
            assert!(n_blocks == 0 || row.len() >= end, "{n_blocks} blocks take {end} bytes of {}", row.len());
            *pointer = row.as_ptr();
        }
        let places = pointers.as_ptr();
        Self { places, offset: 0, step, n_blocks, degree: rows.len(), rows: PhantomData }
    }

    /// The next block of every lane, as little-endian words.
    #[inline(always)]
    pub fn next<V: Lanes<Word = u64>>(&mut self, isa: V::Proof) -> Option<[V; N]> {
        assert!(self.degree == V::LANES);
        self.n_blocks = self.n_blocks.checked_sub(1)?;
        // SAFETY: "Sources": a block at each place, as `new` checked.
        let words = unsafe { V::load_little(isa, self.places, self.offset) };
        self.offset += self.step;
        Some(words)
    }
}

/// A kernel as its file writes it; [`sponge_kernels!`](crate::sponge_kernels) compiles its verbs.
///
/// Everything in it is `#[inline(always)]`, so that it is compiled with the row's features.
pub trait Body {
    /// What the body needs.
    type Proof: Proof;
    /// Messages per call.
    const DEGREE: usize;

    /// Permutes the states, one a lane.
    fn permute(isa: Self::Proof, states: &mut [State]);
    /// For each block: takes it into the first `N` words of its lane's state, and permutes.
    fn absorb<const N: usize>(isa: Self::Proof, states: &mut [State], blocks: Blocks<'_, N>);
}

/// A row's compiled verbs. Calling one needs a CPU with the row's features, and a state a lane.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // As in `Body`; a rate each, named in bytes.
pub struct Verbs {
    pub permute: unsafe fn(&mut [State]),
    pub absorb136: unsafe fn(&mut [State], Blocks<'_, 17>),
    pub absorb168: unsafe fn(&mut [State], Blocks<'_, 21>),
}

impl Verbs {
    /// Their names, as in symbols; the first is the one that every row must have.
    pub const NAMES: [&str; 3] = ["permute", "absorb136", "absorb168"];
}

/// A sponge's rate: what a block brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// 1088 bits: SHA3-256, SHAKE256, Keccak with a capacity of 512.
    Bytes136,
    /// 1344 bits: SHAKE128.
    Bytes168,
}

impl Rate {
    /// In bytes.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bytes136 => 136,
            Self::Bytes168 => 168,
        }
    }
}

/// One compiled way to permute. Only a [`Table`] hands references out, and only those that this CPU can run.
#[derive(Debug)]
pub struct Kernel {
    name: &'static str,
    degree: usize,
    features: &'static [&'static str],
    needs: Features,
    cycles: u32,
    verbs: Verbs,
    #[cfg(feature = "count-calls")]
    calls: core::sync::atomic::AtomicU64,
}

impl Kernel {
    /// Makes a row; see [`sponge_kernels!`](crate::sponge_kernels).
    ///
    /// # Safety
    /// The verbs are compiled for `features` and for `degree` messages.
    #[doc(hidden)]
    pub const unsafe fn row(
        name: &'static str,
        degree: usize,
        features: &'static [&'static str],
        cycles: u32,
        verbs: Verbs,
    ) -> Self {
        assert!(degree >= 1 && degree <= MAX_DEGREE && cycles > 0);
        Self {
            name,
            degree,
            features,
            needs: Features::of(features),
            cycles,
            verbs,
            #[cfg(feature = "count-calls")]
            calls: core::sync::atomic::AtomicU64::new(0),
        }
    }

    /// The kernel's name: `avx2-x4`.
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }
    /// Messages per call.
    #[inline]
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// The CPU features that the row is compiled for.
    pub fn features(&self) -> &'static [&'static str] {
        self.features
    }
    /// How often the kernel was entered.
    #[cfg(feature = "count-calls")]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
    /// The row as data; it has none of a compression function's verbs.
    pub fn row_data(&self) -> Row {
        Row {
            name: self.name,
            degree: self.degree,
            features: self.features,
            cost: Cost { call: 0, block: self.cycles },
            supported: self.supported(),
            offers: [false; Verb::ALL.len()],
        }
    }

    fn supported(&self) -> bool {
        Features::available().contains(self.needs)
    }

    #[inline(always)]
    fn entered(&self, states: &[State]) {
        assert!(states.len() == self.degree, "{}: {} states, not {}", self.name, states.len(), self.degree);
        #[cfg(feature = "count-calls")]
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Permutes the states.
    ///
    /// # Panics
    /// Unless there are [`degree`](Self::degree) of them.
    #[inline]
    pub fn permute(&self, states: &mut [State]) {
        self.entered(states);
        // SAFETY: a table handed `self` out, so the CPU has its features; a state a lane.
        unsafe { (self.verbs.permute)(states) }
    }

    /// Takes `n_blocks` blocks of `rows[k]`, `step` bytes from the start of one to the start of the next, into
    /// `states[k]`, and permutes after each.
    ///
    /// # Panics
    /// Unless there are [`degree`](Self::degree) states and as many rows, each long enough.
    #[inline]
    pub fn absorb(&self, rate: Rate, states: &mut [State], rows: &[&[u8]], step: usize, n_blocks: usize) {
        self.entered(states);
        assert!(rows.len() == self.degree, "{}: {} rows, not {}", self.name, rows.len(), self.degree);
        let mut pointers = [core::ptr::null(); MAX_DEGREE];
        // SAFETY: as in `permute`; the blocks prove themselves.
        unsafe {
            match rate {
                Rate::Bytes136 => {
                    (self.verbs.absorb136)(states, Blocks::new(&mut pointers, rows, step, n_blocks))
                }
                Rate::Bytes168 => {
                    (self.verbs.absorb168)(states, Blocks::new(&mut pointers, rows, step, n_blocks))
                }
            }
        }
    }
}

/// All kernels of a permutation.
#[derive(Debug)]
pub struct Table {
    name: &'static str,
    variable: &'static str,
    rows: &'static [&'static Kernel],
    /// `best[n - 1]`: row + 1 for n messages; 0 = not yet known. Threads that ask at once find the same.
    best: [AtomicU8; MAX_DEGREE],
}

impl Table {
    /// A table of these rows; see [`sponge_kernels!`](crate::sponge_kernels).
    #[doc(hidden)]
    pub const fn new(name: &'static str, variable: &'static str, rows: &'static [&'static Kernel]) -> Self {
        Self { name, variable, rows, best: [const { AtomicU8::new(0) }; MAX_DEGREE] }
    }

    /// As in tables: `keccak`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The variable that forces a kernel by name.
    pub fn variable(&self) -> &'static str {
        self.variable
    }

    /// Every row, whether this CPU can run it or not, as data.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + use<> {
        self.rows.iter().map(|kernel| kernel.row_data())
    }

    /// The kernels that this CPU can run, in the table's order.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel> + use<> {
        self.rows.iter().copied().filter(|kernel| kernel.supported())
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// If the table has no such row, or the CPU lacks what it needs: the error lists what there is.
    pub fn named(&self, name: &str) -> Result<&'static Kernel, EnvError> {
        self.find("", name)
    }

    fn find(&self, variable: &'static str, name: &str) -> Result<&'static Kernel, EnvError> {
        let wrong = |wrong| EnvError::new(self.name, self.kernels().map(Kernel::name), variable, name, wrong);
        let kernel = self.rows.iter().copied().find(|kernel| kernel.name == name);
        let kernel = kernel.ok_or_else(|| wrong(Wrong::UnknownKernel))?;
        if kernel.supported() { Ok(kernel) } else { Err(wrong(Wrong::Unsupported(kernel.needs))) }
    }

    /// The kernel that the environment forces, if any.
    fn forced(&self) -> Result<Option<&'static Kernel>, EnvError> {
        #[cfg(feature = "env-override")]
        if let Some(name) = std::env::var_os(self.variable) {
            return self.find(self.variable, &name.to_string_lossy()).map(Some);
        }
        Ok(None)
    }

    /// Whether the environment's wishes can be fulfilled: as [`crate::Table::check_env`].
    ///
    /// # Errors
    /// An unknown feature in `HASHLANES_DISABLE`; an unknown kernel, or one that this CPU cannot run, in
    /// [`Table::variable`].
    pub fn check_env(&self) -> Result<(), EnvError> {
        crate::features::disabled()?;
        self.forced().map(drop)
    }

    /// The kernel for the first group of `n` messages of a length; more than 16 are as 16.
    ///
    /// # Panics
    /// If the environment forces a kernel that there is not (see [`Table::check_env`]).
    #[inline]
    pub fn best(&self, n: usize) -> &'static Kernel {
        let n = n.clamp(1, MAX_DEGREE);
        match self.best[n - 1].load(Ordering::Relaxed) {
            0 => self.choose(n),
            row => self.rows[row as usize - 1],
        }
    }

    /// The one with which as the first group's all `n` end first; where two are equally fast, the first in the table.
    #[cold]
    fn choose(&self, n: usize) -> &'static Kernel {
        // By place: the cycles in which so many end at the earliest, in groups.
        let mut ends = [0; MAX_DEGREE + 1];
        let end = |ends: &[usize], kernel: &Kernel, n: usize| {
            kernel.cycles as usize + ends[n - n.min(kernel.degree)]
        };
        for n in 1..n {
            ends[n] =
                self.kernels().map(|kernel| end(&ends, kernel, n)).min().expect("scalar runs everywhere");
        }
        let choice = match self.forced().unwrap_or_else(|error| panic!("{error}")) {
            Some(kernel) => kernel,
            None => {
                let first = self.kernels().min_by_key(|kernel| end(&ends, kernel, n));
                first.expect("scalar runs everywhere")
            }
        };
        let row = self.rows.iter().position(|row| core::ptr::eq(*row, choice)).expect("a row of this table");
        self.best[n - 1].store(row as u8 + 1, Ordering::Relaxed);
        choice
    }
}

/// Makes the table of a permutation's kernels, `static TABLE`: what [`kernels!`](crate::kernels) does for a compression
/// function, with the same rows but for the last column, the cycles of a permutation of all lanes (Golden Cove).
///
/// ```ignore (a table needs a permutation: see the file kernels.rs of Keccak)
/// sponge_kernels! { "keccak" KERNEL_VARIABLE;
///     #[cfg(target_arch = "x86_64")] {
///         avx2_x4 4 ["avx2"] Avx2 OverLanes<avx2::U64x4>, 1300;
///     }
///     #[cfg(true)] {
///         scalar 1 [] Scalar OverLanes<scalar::U64x1>, 1000;
///     }
/// }
/// ```
#[macro_export]
macro_rules! sponge_kernels {
    (
        $name:literal $variable:ident;
        $(#[$cfg:meta] { $(
            $row:ident $degree:literal $features:tt $proof:ident $body:ty, $cycles:literal;
        )* })*
    ) => {
        /// A module a row: its entries, compiled for its features.
        mod rows {
            $($(
                #[$cfg]
                mod $row {
                    #[allow(unused_imports)]
                    use super::super::*;
                    use $crate::Proof;
                    use $crate::sponge::{Blocks, Body, Kernel, State, Verbs};

                    type This = $body;
                    const FEATURES: &[&str] = $crate::kernels!(@list $features);
                    const ENTRY: $crate::Entry = $crate::Entry::of(FEATURES);
                    const IDENTIFIER: &str = stringify!($row);
                    const NAME: &[u8] = &$crate::kebab::<{ IDENTIFIER.len() }>(IDENTIFIER);

                    /// The CPU has what the entry that calls this was compiled for.
                    ///
                    /// # Safety
                    /// Called by the entries below only: they are compiled with FEATURES, which cover
                    /// the proof's (asserted in ROW), and reached through a table, on a CPU that has them.
                    #[inline(always)]
                    unsafe fn proof() -> $proof {
                        // SAFETY: as above.
                        unsafe { <$proof as Proof>::assume() }
                    }

                    $crate::sponge_kernels!(@fn permute permute $features ());
                    $crate::sponge_kernels!(@fn absorb136 absorb $features (blocks: Blocks<'_, 17>));
                    $crate::sponge_kernels!(@fn absorb168 absorb $features (blocks: Blocks<'_, 21>));

                    pub(super) static ROW: Kernel = {
                        assert!($crate::covers(FEATURES, <$proof as Proof>::FEATURES));
                        assert!(<This as Body>::DEGREE == $degree);
                        let verbs = Verbs { permute, absorb136, absorb168 };
                        // SAFETY: the entries above are compiled for FEATURES and this degree.
                        unsafe { Kernel::row($crate::kebab_str(NAME), $degree, FEATURES, $cycles, verbs) }
                    };
                }
            )*)*
            pub(super) static ROWS: &[&$crate::sponge::Kernel] = &[
                $($( #[$cfg] &$row::ROW, )*)*
            ];
        }
        /// All kernels, in the order of their rows.
        pub(super) static TABLE: $crate::sponge::Table = $crate::sponge::Table::new($name, $variable, rows::ROWS);
    };
    (@fn $entry:ident $verb:ident [$($feature:literal)*] ($($argument:ident: $type:ty)?)) => {
        $(#[target_feature(enable = $feature)])*
        unsafe fn $entry(states: &mut [State] $(, $argument: $type)?) {
            ENTRY.enter();
            // SAFETY: `proof` says so.
            <This as Body>::$verb(unsafe { proof() }, states $(, $argument)?)
        }
    };
}
