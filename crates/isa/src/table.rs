//! The table of a function's kernels, and the choice among them.
//!
//! The choice needs no list of borders. Every row tells the cycles that a call takes and those that a block of all its
//! lanes takes ([`Cost`]); with n messages live that all have b blocks left, the kernel that brings most of them forward
//! per cycle is the one with the greatest min(n, degree) · b / (turn + call + b · block); where messages would rotate on it
//! (degree < n < 2 · degree), b is the shorter time of a turn. Messages that go from start to end in groups do not rotate:
//! there the first group's kernel is the one with which all n end first, so n + 1 never take longer than n and 1 more. The
//! best kernel for each n, and for b in a few classes, is found once and kept.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::kernel::{Kernel, MAX_DEGREE, Verb};
use crate::{Cost, Features, Function};

/// All kernels of `F`.
#[derive(Debug)]
pub struct Table<F: Function> {
    rows: &'static [&'static Kernel<F>],
    /// `best[class of b][n - 1]`: row + 1 for n live messages of b blocks; 0 = not yet known. Threads that ask at once
    /// find the same.
    best: [[AtomicU8; MAX_DEGREE]; CLASSES.len()],
    /// The same for groups: messages that go from start to end in one call, and do not rotate.
    best_of_group: [[AtomicU8; MAX_DEGREE]; CLASSES.len()],
    /// The same for lanes of one word-interleaved input.
    best_of_lanes: [[AtomicU8; MAX_DEGREE]; CLASSES.len()],
}

// Copied into the table, never used itself.
#[allow(clippy::declare_interior_mutable_const)]
const UNKNOWN: [[AtomicU8; MAX_DEGREE]; CLASSES.len()] =
    [const { [const { AtomicU8::new(0) }; MAX_DEGREE] }; CLASSES.len()];

/// Numbers of blocks that the choice tells apart: the first that is not below the number stands for it, the last for
/// all that are greater.
const CLASSES: [u16; 8] = [1, 2, 3, 4, 6, 10, 20, 100];

#[inline]
fn class_of(n_blocks: usize) -> usize {
    CLASSES[..CLASSES.len() - 1].iter().take_while(|class| usize::from(**class) < n_blocks).count()
}

impl<F: Function> Table<F> {
    /// A table of these rows; see [`kernels!`](crate::kernels).
    #[doc(hidden)]
    pub const fn new(rows: &'static [&'static Kernel<F>]) -> Self {
        assert!(rows.len() < 255);
        Self { rows, best: UNKNOWN, best_of_group: UNKNOWN, best_of_lanes: UNKNOWN }
    }

    /// Every row, whether this CPU can run it or not, as data: name, degree, features, cycles.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + use<F> {
        self.rows.iter().map(|kernel| kernel.row_data())
    }

    /// The kernels that this CPU can run, in the table's order.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel<F>> + use<F> {
        self.rows.iter().copied().filter(|kernel| kernel.supported())
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// If the table has no such row, or the CPU lacks what it needs: the error lists what there is.
    pub fn named(&self, name: &str) -> Result<&'static Kernel<F>, EnvError> {
        self.find("", name)
    }

    fn find(&self, variable: &'static str, name: &str) -> Result<&'static Kernel<F>, EnvError> {
        let Some(kernel) = self.rows.iter().copied().find(|kernel| kernel.name == name) else {
            return Err(Self::wrong(variable, name, Wrong::UnknownKernel));
        };
        if !kernel.supported() {
            return Err(Self::wrong(variable, name, Wrong::Unsupported(kernel.needs)));
        }
        Ok(kernel)
    }

    fn wrong(variable: &'static str, name: &str, wrong: Wrong) -> EnvError {
        EnvError::new(F::NAME, F::table().kernels().map(Kernel::name), variable, name, wrong)
    }

    /// The kernel that the environment forces, if any.
    fn forced(&self) -> Result<Option<&'static Kernel<F>>, EnvError> {
        #[cfg(feature = "env-override")]
        if let Some(name) = std::env::var_os(F::KERNEL_VARIABLE) {
            return self.find(F::KERNEL_VARIABLE, &name.to_string_lossy()).map(Some);
        }
        Ok(None)
    }

    /// Whether the environment's wishes can be fulfilled.
    ///
    /// # Errors
    /// An unknown feature in `HASHLANES_DISABLE`; an unknown kernel, or one that this CPU cannot run, in
    /// [`Function::KERNEL_VARIABLE`]. Without the cargo feature `env-override` neither is read.
    pub fn check_env(&self) -> Result<(), EnvError> {
        crate::features::disabled()?;
        self.forced().map(drop)
    }

    /// The kernel for `live` messages that are all to be advanced by `n_blocks` blocks; more than 16 are as 16.
    ///
    /// # Panics
    /// If the environment forces a kernel that there is not (see [`Table::check_env`]).
    #[inline]
    pub fn best(&self, live: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.known(&self.best, live, n_blocks, Self::fastest)
    }

    /// The kernel for the first group of `live` messages of `n_blocks` blocks that go from start to end in groups, each in
    /// one call; more than 16 are as 16.
    ///
    /// # Panics
    /// As [`Table::best`].
    #[inline]
    pub fn best_of_group(&self, live: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.known(&self.best_of_group, live, n_blocks, Self::first_of_groups)
    }

    /// The kernel for the first lanes of word-interleaved input that has `n_lanes` lanes of `n_blocks` blocks; more than 16
    /// are as 16.
    ///
    /// # Panics
    /// As [`Table::best`].
    #[inline]
    pub fn best_of_lanes(&self, n_lanes: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.known(&self.best_of_lanes, n_lanes, n_blocks, Self::first_of_lanes)
    }

    #[inline]
    fn known(
        &self,
        known: &[[AtomicU8; MAX_DEGREE]; CLASSES.len()],
        live: usize,
        n_blocks: usize,
        find: Find<F>,
    ) -> &'static Kernel<F> {
        let (n, class) = (live.clamp(1, MAX_DEGREE), class_of(n_blocks));
        let known = &known[class][n - 1];
        match known.load(Ordering::Relaxed) {
            0 => self.choose(known, n, CLASSES[class].into(), find),
            row => self.rows[row as usize - 1],
        }
    }

    #[cold]
    fn choose(&self, known: &AtomicU8, n: usize, n_blocks: usize, find: Find<F>) -> &'static Kernel<F> {
        let choice = match self.forced().unwrap_or_else(|error| panic!("{error}")) {
            Some(kernel) => kernel,
            None => find(self, n, n_blocks),
        };
        let row = self.rows.iter().position(|row| core::ptr::eq(*row, choice)).expect("a row of this table");
        known.store(row as u8 + 1, Ordering::Relaxed);
        choice
    }

    /// Brings most blocks forward for its cycles; where two are equally fast, the first of them in the table.
    fn fastest(&self, n: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.kernels()
            .reduce(|a, b| {
                let (blocks_a, cycles_a) = a.row_data().turn(n, n_blocks);
                let (blocks_b, cycles_b) = b.row_data().turn(n, n_blocks);
                if blocks_b * cycles_a > blocks_a * cycles_b { b } else { a }
            })
            .expect("scalar runs everywhere")
    }

    /// With it as the first group's all end first; where that is so with two, the first of them in the table.
    fn first_of_groups(&self, n: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.first(n, |kernel, n_lanes| kernel.cycles_of_group(n_lanes, n_blocks))
    }

    /// The same of groups of lanes.
    fn first_of_lanes(&self, n: usize, n_blocks: usize) -> &'static Kernel<F> {
        self.first(n, |kernel, n_lanes| kernel.cycles_of_lanes(n_lanes, n_blocks))
    }

    /// The kernel with which as the first one `n` end first in groups; `cycles` are those of a group of so many.
    fn first(&self, n: usize, cycles: impl Fn(&Kernel<F>, usize) -> u64) -> &'static Kernel<F> {
        let ends = self.ends(n - 1, &cycles);
        self.kernels().min_by_key(|kernel| end(kernel, n, &ends, &cycles)).expect("scalar runs everywhere")
    }

    /// By place, up to n: the cycles in which so many end at the earliest, in groups.
    fn ends(&self, n: usize, cycles: &impl Fn(&Kernel<F>, usize) -> u64) -> [u64; MAX_DEGREE + 1] {
        let mut ends = [0; MAX_DEGREE + 1];
        for n in 1..=n {
            let all = self.kernels().map(|kernel| end(kernel, n, &ends, cycles));
            ends[n] = all.min().expect("scalar runs everywhere");
        }
        ends
    }

    /// The cycles, by the table, in which `n` messages of `n_blocks` blocks end in groups whose first is on this row; more
    /// than 16 are as 16.
    ///
    /// # Panics
    /// If the row is another table's.
    pub fn end_of_groups(&self, first: &Row, n: usize, n_blocks: usize) -> u64 {
        let n = n.clamp(1, MAX_DEGREE);
        let cycles = |kernel: &Kernel<F>, n_lanes| kernel.cycles_of_group(n_lanes, n_blocks);
        let kernel = self.rows.iter().find(|kernel| kernel.name == first.name).expect("a row of this table");
        end(kernel, n, &self.ends(n - 1, &cycles), &cycles)
    }
}

/// The cycles in which `n` end in groups whose first is on `kernel`; `ends` has those of fewer at their places.
fn end<F: Function>(
    kernel: &Kernel<F>,
    n: usize,
    ends: &[u64; MAX_DEGREE + 1],
    cycles: &impl Fn(&Kernel<F>, usize) -> u64,
) -> u64 {
    let n_lanes = n.min(kernel.degree());
    cycles(kernel, n_lanes) + ends[n - n_lanes]
}

/// Finds the kernel for so many messages of so many blocks.
type Find<F> = fn(&Table<F>, usize, usize) -> &'static Kernel<F>;

/// What the schedule takes for a turn, beside the kernel's call (Golden Cove).
const TURN_CYCLES: u64 = 200;

/// What a group takes, and each message of a group, beside the kernel's call (Golden Cove). A message alone takes no more
/// than that, unless it is of one block, whose padded copy nothing hides.
const ALONE_CYCLES: u64 = 80;
const GROUP_CYCLES: u64 = 100;
const MESSAGE_CYCLES: u64 = 30;

/// What a block takes that is copied out of word-interleaved input, word by word (Golden Cove).
const COPY_CYCLES: u64 = 20;

/// A row as data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The kernel's name.
    pub name: &'static str,
    /// Messages per call.
    pub degree: usize,
    /// The CPU features that it needs.
    pub features: &'static [&'static str],
    /// Core cycles that it takes, as measured on a CPU like this one.
    pub cost: Cost,
    /// Whether this CPU, less what is masked, has them.
    pub supported: bool,
    pub(crate) offers: [bool; Verb::ALL.len()],
}

impl Row {
    /// What a turn of this kernel would bring forward of `n_live` messages that all have `n_blocks` blocks left: blocks of
    /// all messages together, and the cycles that it takes.
    pub fn turn(&self, n_live: usize, n_blocks: usize) -> (u64, u64) {
        let (n, degree) = (n_live, self.degree);
        let rotate = degree < n && n < 2 * degree;
        // Then a turn lasts as long as lanes would run idle otherwise.
        let idle = || (n_blocks * n).div_ceil(degree) - n_blocks;
        let n_blocks = if rotate { idle().clamp(1, n_blocks) } else { n_blocks };
        (n.min(degree) as u64 * n_blocks as u64, TURN_CYCLES + self.cost.of(1, n_blocks))
    }

    /// The verbs that the row has itself; an adaptor does the others.
    pub fn verbs(&self) -> impl Iterator<Item = Verb> + use<> {
        let offers = self.offers;
        Verb::ALL.into_iter().filter(move |verb| offers[*verb as usize])
    }
}

impl<F: Function> Kernel<F> {
    /// The cycles, by the table, in which a group of `n_lanes` messages of `n_blocks` blocks goes from start to end.
    #[inline]
    pub fn cycles_of_group(&self, n_lanes: usize, n_blocks: usize) -> u64 {
        let beside = match (self.degree, n_blocks) {
            (1, 1) => ALONE_CYCLES,
            (1, _) => 0,
            _ => GROUP_CYCLES + n_lanes as u64 * MESSAGE_CYCLES,
        };
        beside + self.cost().of(1, n_blocks)
    }

    /// The same of so many lanes of word-interleaved input.
    fn cycles_of_lanes(&self, n_lanes: usize, n_blocks: usize) -> u64 {
        let copied = if self.offers(Verb::CompressLanes) { 0 } else { n_lanes as u64 * n_blocks as u64 };
        self.cost().of(1, n_blocks) + copied * COPY_CYCLES
    }

    /// The row as data.
    pub fn row_data(&self) -> Row {
        Row {
            name: self.name,
            degree: self.degree,
            features: self.features,
            cost: self.cost(),
            supported: self.supported(),
            offers: Verb::ALL.map(|verb| self.offers(verb)),
        }
    }
}

/// A name of a kernel or a CPU feature that there is not.
#[derive(Clone, Debug)]
pub struct EnvError(#[cfg(feature = "std")] std::string::String, #[cfg(not(feature = "std"))] &'static str);

/// What is wrong with a kernel's name.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "std"), allow(dead_code))] // Told where there are strings to tell it.
pub(crate) enum Wrong {
    UnknownKernel,
    Unsupported(Features),
}

impl EnvError {
    #[cfg(not(feature = "std"))]
    pub(crate) fn new(
        _: &str,
        _: impl Iterator<Item = &'static str>,
        _: &'static str,
        _: &str,
        wrong: Wrong,
    ) -> Self {
        Self(match wrong {
            Wrong::UnknownKernel => "no such kernel",
            Wrong::Unsupported(_) => "this CPU cannot run the kernel",
        })
    }

    /// Of `hash`, whose kernels are those of the names `there_is`; `variable` is empty where none asked.
    #[cfg(feature = "std")]
    pub(crate) fn new(
        hash: &str,
        there_is: impl Iterator<Item = &'static str>,
        variable: &'static str,
        name: &str,
        wrong: Wrong,
    ) -> Self {
        use std::{format, string::String, vec::Vec};
        let wish = if variable.is_empty() { String::new() } else { format!("{variable}={name}: ") };
        let what = match wrong {
            Wrong::UnknownKernel => format!("there is no {hash} kernel {name:?}"),
            Wrong::Unsupported(needs) => {
                let lacks = needs.names().filter(|f| !Features::available().contains(Features::of(&[f])));
                let lacks = lacks.collect::<Vec<_>>().join(", ");
                let masked = crate::features::disabled().is_ok_and(|masked| masked != Features::NONE);
                let masked = if masked { " (less what HASHLANES_DISABLE masks)" } else { "" };
                format!("this CPU{masked} cannot run the {hash} kernel {name}: it lacks {lacks}")
            }
        };
        let there_is = there_is.collect::<Vec<_>>().join(", ");
        Self(format!("{wish}{what}; there is {there_is}"))
    }

    /// Of variables that would force a kernel, if there were a hash of that name; `known` are those that do.
    ///
    /// # Errors
    /// Names the first, and what there is.
    #[cfg(feature = "env-override")]
    pub fn check_variables(known: &[&str]) -> Result<(), Self> {
        use std::string::String;
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let forces = |name: &String| name.starts_with("HASHLANES_") && name.ends_with("_KERNEL");
        match names.filter(forces).find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(Self(std::format!("{name}: forces no kernel; there is {}", known.join(", ")))),
            None => Ok(()),
        }
    }

    #[cfg(feature = "env-override")]
    pub(crate) fn unknown_feature(name: &str, names: &[&str]) -> Self {
        let names = names.join(", ");
        Self(std::format!("HASHLANES_DISABLE: there is no CPU feature {name:?}; there is {names}"))
    }
}

impl core::fmt::Display for EnvError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for EnvError {}

/// A row's identifier as its kernel's name: `avx2_x8` is `avx2-x8`.
#[doc(hidden)]
pub const fn kebab<const N: usize>(identifier: &str) -> [u8; N] {
    let mut name = [0; N];
    let mut i = 0;
    while i < N {
        let byte = identifier.as_bytes()[i];
        name[i] = if byte == b'_' { b'-' } else { byte };
        i += 1;
    }
    name
}

/// The bytes that [`kebab`] made, as a string.
#[doc(hidden)]
pub const fn kebab_str(name: &'static [u8]) -> &'static str {
    match core::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => panic!("a row's name is ASCII"),
    }
}

/// What a row's entry does first: clears the upper halves of the vector registers, if the caller left any
/// dirty.
///
/// A dirty upper half makes every SSE-encoded instruction (all of SHA-NI) cost two slots: SHA-NI of one message
/// takes 3.00 instead of 2.03 cycles per byte. The instruction stands in assembly, as the intrinsic
/// would turn an SSE-encoded kernel into AVX code (two streams of SHA-NI lose 14 %).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// The row has no vectors.
    Nothing,
    /// The row does not ask for AVX; where the CPU has none, the instruction is none either.
    ClearIfAvx,
    /// The row asks for AVX.
    Clear,
}

impl Entry {
    /// For a row with these features; a constant of the row, as finding it out takes longer than a block.
    pub const fn of(features: &[&str]) -> Self {
        if features.is_empty() {
            Self::Nothing
        } else if cfg!(target_arch = "x86_64") && crate::covers(features, Features::of(&["avx"])) {
            Self::Clear
        } else {
            Self::ClearIfAvx
        }
    }

    /// Does it.
    #[inline(always)]
    pub fn enter(self) {
        #[cfg(target_arch = "x86_64")]
        if match self {
            Self::Nothing => false,
            Self::ClearIfAvx => crate::has_avx(),
            Self::Clear => true,
        } {
            // SAFETY: the CPU has AVX; what the instruction clears counts as clobbered.
            unsafe {
                core::arch::asm!("vzeroupper", clobber_abi("sysv64"), options(nostack, preserves_flags))
            }
        }
    }
}

/// Makes the table of a function's kernels, `static TABLE`.
///
/// A row is `name degree [CPU features] proof body [verbs beyond compress] call + block call + block;` where `name`
/// is the kernel's with `_` for `-`, `body` is a [`Body`](crate::Body), and `call + block` are the cycles of a call and of
/// a block of every lane, on Zen 4 and on Golden Cove ([`Costs`](crate::Costs)). Each verb becomes a function that is
/// compiled for the row's features, and the same words ask the CPU for them, so the two cannot disagree. Symbols bear the
/// row's name (`…::rows::avx2_x8::compress`), so profiles and disassemblies show it. Sections say on which architectures
/// their rows exist.
///
/// ```ignore (a table needs a whole function: see the files kernels.rs of the hashes)
/// kernels! { Sha256;
///     #[cfg(target_arch = "x86_64")] {
///         avx2_x8 8 ["avx2"] Avx2 OverLanes<avx2::U32x8, 8> [compress_lanes finish_fixed continue_many] 110 + 968 110 + 1196;
///     }
///     #[cfg(true)] {
///         scalar 1 [] Scalar OverLanes<scalar::U32x1, 8> [compress_lanes rounds] 26 + 634 26 + 676;
///     }
/// }
/// ```
#[macro_export]
macro_rules! kernels {
    (
        $function:ident;
        $(#[$cfg:meta] { $(
            $row:ident $degree:literal $features:tt $proof:ident $body:ty [$($verb:ident)*] $zen4_call:literal + $zen4:literal $cove_call:literal + $cove:literal;
        )* })*
    ) => {
        /// A module a row: its entries, compiled for its features.
        mod rows {
            $($(
                #[$cfg]
                mod $row {
                    #[allow(unused_imports)]
                    use super::super::*;
                    use $crate::{Body, Function, Kernel, Proof, Verbs};

                    type Of = $function;
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

                    $crate::kernels!(@entry compress $features);
                    $($crate::kernels!(@entry $verb $features);)*

                    pub(super) static ROW: Kernel<Of> = {
                        assert!($crate::covers(FEATURES, <$proof as Proof>::FEATURES));
                        assert!(<This as Body<Of>>::DEGREE == $degree);
                        #[allow(unused_mut)]
                        let mut verbs = Verbs::<Of> {
                            compress,
                            compress_lanes: None,
                            finish_fixed: None,
                            continue_many: None,
                            rounds: None,
                        };
                        $(verbs.$verb = Some($verb);)*
                        // SAFETY: the entries above are compiled for FEATURES and this degree.
                        unsafe {
                            let costs = $crate::Costs {
                                zen4: $crate::Cost { call: $zen4_call, block: $zen4 },
                                golden_cove: $crate::Cost { call: $cove_call, block: $cove },
                            };
                            Kernel::row($crate::kebab_str(NAME), $degree, FEATURES, costs, verbs)
                        }
                    };
                }
            )*)*
            pub(super) static ROWS: &[&$crate::Kernel<super::$function>] = &[
                $($( #[$cfg] &$row::ROW, )*)*
            ];
        }
        /// All kernels, in the order of their rows.
        pub(super) static TABLE: $crate::Table<$function> = $crate::Table::new(rows::ROWS);
    };
    (@list [$($feature:literal)*]) => {
        &[$($feature),*]
    };
    (@entry compress $features:tt) => {
        $crate::kernels!(@fn compress $features
            (states: &mut [<Of as Function>::State], input: $crate::Pointers<'_>));
    };
    (@entry compress_lanes $features:tt) => {
        $crate::kernels!(@fn compress_lanes $features
            (states: &mut [<Of as Function>::State], input: $crate::Interleaved<'_>));
    };
    (@entry finish_fixed $features:tt) => {
        $crate::kernels!(@fn finish_fixed $features (job: $crate::FixedGroups<'_, Of>));
    };
    (@entry continue_many $features:tt) => {
        $crate::kernels!(@fn continue_many $features (job: $crate::ContinueGroups<'_, Of>));
    };
    (@entry rounds $features:tt) => {
        $crate::kernels!(@fn rounds $features
            (state: &mut <Of as Function>::State, schedule: &<Of as Function>::Schedule));
    };
    (@fn $verb:ident [$($feature:literal)*] ($($argument:ident: $type:ty),*)) => {
        $(#[target_feature(enable = $feature)])*
        unsafe fn $verb($($argument: $type),*) {
            ENTRY.enter();
            // SAFETY: `proof` says so.
            <This as Body<Of>>::$verb(unsafe { proof() }, $($argument),*)
        }
    };
}
