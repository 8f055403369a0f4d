//! Tables of kernels of any kind: names, features, cycles, forcing.
//!
//! The verbs `V` of a table are the functions of its kernels: a struct of entries, which
//! [`kernels!`](crate::kernels) fills. The verbs of hashes are [`Verbs<F>`](crate::Verbs), Keccak's
//! [`sponge::Verbs`](crate::sponge::Verbs); each cipher has its own.
//!
//! A **family** is the part of a name before its number of messages: `vaes-avx2` is that of `vaes-avx2-x16`.
//! Rows of a cipher use their family's row of one message for verbs of one message, so forcing a row forces
//! its family.

use crate::costs::{Cost, Costs, Overheads};
use crate::features::{covers, same};
use crate::memo::Memo;
use crate::{EnvError, Features};

/// A row's entries: the verbs that it was compiled for.
pub trait Entries: Sized + Sync + 'static {
    /// The names of all verbs, as they appear in symbols. The first verb of a row identifies the row, because
    /// its code belongs to no other row.
    const NAMES: &'static [&'static str];
    /// The overheads on which the choice among such kernels is based, in addition to their costs.
    const OVERHEADS: &'static Overheads;
    /// Runs a sample of a kernel, which shows its cost; returns whether there is such a sample. `None` if the
    /// costs of such kernels are the columns' only.
    #[cfg(feature = "calibrate")]
    const RUN: Option<fn(&Kernel<Self>, crate::Sample) -> bool> = None;
}

/// One compiled implementation of the verbs of `V`. Only a [`Table`] returns references, and only to kernels
/// that this CPU can run.
#[derive(Debug)]
pub struct Kernel<V: 'static> {
    /// The name on the command line and in reports.
    pub(crate) name: &'static str,
    pub(crate) degree: usize,
    /// Whether the plan may choose it; others can only be forced.
    is_candidate: bool,
    module: &'static str,
    features: &'static [&'static str],
    needs: Features,
    /// The features that the body's proof guarantees. The row's features imply them; the safety of its
    /// operations depends on them.
    proof: Features,
    costs: Costs,
    /// The cost on this CPU, which replaces the column's.
    #[cfg(feature = "calibrate")]
    pub(crate) measured: crate::sample::Measured,
    /// Whether groups that follow one another go through in one call, and pay for one.
    pub(crate) shares_calls: bool,
    /// A bit for each of [`Entries::NAMES`] that the row has.
    offers: u16,
    pub(crate) verbs: V,
    #[cfg(feature = "count-calls")]
    calls: core::sync::atomic::AtomicU64,
    #[cfg(feature = "count-calls")]
    blocks: core::sync::atomic::AtomicU64,
}

impl<V: Entries> Kernel<V> {
    /// Creates a row with the verbs of these names, whose symbols are in `module`; see
    /// [`kernels!`](crate::kernels).
    ///
    /// # Safety
    /// The verbs are compiled for `features`, by a proof of `proof`, and for `degree` messages, and compute
    /// the table's function.
    #[doc(hidden)]
    #[allow(clippy::too_many_arguments)] // The macro's alone.
    pub const unsafe fn row(
        name: &'static str,
        degree: usize,
        is_candidate: bool,
        module: &'static str,
        features: &'static [&'static str],
        proof: Features,
        costs: Costs,
        shares_calls: bool,
        own: &[&str],
        verbs: V,
    ) -> Self {
        assert!(covers(features, proof), "the row's features do not bring those of its proof");
        assert!(degree >= 1 && degree <= V::OVERHEADS.most_messages);
        let mut i = 0;
        while i < costs.0.len() {
            assert!(costs.0[i].block > 0);
            i += 1;
        }
        let mut offers = 0;
        let mut i = 0;
        while i < own.len() {
            match place_of(own[i], V::NAMES) {
                Some(place) => offers |= 1 << place,
                None => panic!("a row names a verb that there is not"),
            }
            i += 1;
        }
        Self {
            name,
            degree,
            is_candidate,
            module,
            features,
            needs: Features::of(features),
            proof,
            costs,
            #[cfg(feature = "calibrate")]
            measured: crate::sample::Measured::new(),
            shares_calls,
            offers,
            verbs,
            #[cfg(feature = "count-calls")]
            calls: core::sync::atomic::AtomicU64::new(0),
            #[cfg(feature = "count-calls")]
            blocks: core::sync::atomic::AtomicU64::new(0),
        }
    }

    /// Returns the kernel's name: `avx2-x8`.
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }
    /// Returns the name without its number of messages.
    pub fn family(&self) -> &'static str {
        match self.name.rsplit_once("-x") {
            Some((family, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => family,
            _ => self.name,
        }
    }
    /// Messages per call.
    #[inline]
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// Returns the CPU features that the row is compiled for.
    pub fn features(&self) -> &'static [&'static str] {
        self.features
    }
    /// Core cycles that it takes, as measured on this CPU or one like it; the choice depends on them.
    pub fn cost(&self) -> Cost {
        #[cfg(feature = "calibrate")]
        if let Some(cost) = self.measured.get() {
            return cost;
        }
        self.costs.here()
    }
    /// Returns the cost in this CPU's column.
    #[cfg(feature = "calibrate")]
    pub(crate) fn column_cost(&self) -> Cost {
        self.costs.here()
    }
    /// Returns the row as data.
    pub fn row_data(&self) -> Row {
        Row {
            name: self.name,
            degree: self.degree,
            features: self.features,
            cost: self.cost(),
            #[cfg(feature = "calibrate")]
            is_measured: self.measured.get().is_some(),
            #[cfg(not(feature = "calibrate"))]
            is_measured: false,
            supported: self.supported(),
            is_candidate: self.is_candidate,
            module: self.module,
            names: V::NAMES,
            offers: self.offers,
            overheads: V::OVERHEADS,
            shares_calls: self.shares_calls,
        }
    }
    /// Returns whether the row has the verb at this place of [`Entries::NAMES`] itself.
    #[inline]
    pub(crate) fn has(&self, place: usize) -> bool {
        self.offers >> place & 1 == 1
    }
    /// Returns whether the CPU, without masked features, has the row's features, and those that they imply.
    fn supported(&self) -> bool {
        let available = Features::available();
        available.contains(self.needs) && available.contains(self.proof)
    }
    /// For a row that the CPU cannot run: its features, or those that they imply.
    fn lacks_some_of(&self) -> Features {
        if Features::available().contains(self.needs) { self.proof } else { self.needs }
    }
    /// Returns how often the kernel was entered.
    #[cfg(feature = "count-calls")]
    pub fn calls(&self) -> u64 {
        self.calls.load(core::sync::atomic::Ordering::Relaxed)
    }
    /// Returns how many blocks the kernel has compressed in each lane; those of ciphers are not counted.
    #[cfg(feature = "count-calls")]
    pub fn blocks(&self) -> u64 {
        self.blocks.load(core::sync::atomic::Ordering::Relaxed)
    }

    /// Counts a call, and the blocks of a lane in it.
    #[inline(always)]
    pub(crate) fn entered(&self, n_blocks: usize) {
        #[cfg(feature = "count-calls")]
        {
            self.calls.fetch_add(1, core::sync::atomic::Ordering::Relaxed);
            self.blocks.fetch_add(n_blocks as u64, core::sync::atomic::Ordering::Relaxed);
        }
        #[cfg(not(feature = "count-calls"))]
        let _ = n_blocks;
    }

    /// Returns the row's entries.
    #[doc(hidden)]
    #[inline(always)]
    pub fn verbs(&self) -> &V {
        &self.verbs
    }

    /// Returns the row's entries, and counts a call: for the functions of ciphers.
    #[doc(hidden)]
    #[inline(always)]
    pub fn enter(&self) -> &V {
        self.entered(0);
        &self.verbs
    }
}

/// All kernels of one function. `plan.rs` chooses among them.
#[derive(Debug)]
pub struct Table<V: 'static> {
    name: &'static str,
    variable: &'static str,
    pub(crate) rows: &'static [&'static Kernel<V>],
    /// The answers of the plan.
    pub(crate) memo: Memo,
    /// How often costs changed; also counts the claim to measure them for the first time.
    #[cfg(feature = "calibrate")]
    pub(crate) calibrations: core::sync::atomic::AtomicU32,
}

impl<V: Entries> Table<V> {
    /// Creates a table of these rows; see [`kernels!`](crate::kernels).
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        variable: &'static str,
        rows: &'static [&'static Kernel<V>],
    ) -> Self {
        assert!(rows.len() < 255);
        Self {
            name,
            variable,
            rows,
            memo: Memo::NEW,
            #[cfg(feature = "calibrate")]
            calibrations: core::sync::atomic::AtomicU32::new(0),
        }
    }

    /// Returns the name in tables and in variables: `sha256`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the variable that forces a kernel by name.
    pub fn variable(&self) -> &'static str {
        self.variable
    }

    /// Every row, whether this CPU can run it or not, as data: name, degree, features, cycles, verbs.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + use<V> {
        self.rows.iter().map(|kernel| kernel.row_data())
    }

    /// Returns the kernels that this CPU can run, in the table's order.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel<V>> + use<V> {
        self.rows.iter().copied().filter(|kernel| kernel.supported())
    }

    /// Returns the kernels among which the plan chooses, in the table's order.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &'static Kernel<V>> + use<V> {
        self.kernels().filter(|kernel| kernel.is_candidate)
    }

    /// Returns the kernel of that name.
    ///
    /// # Errors
    /// If the table has no such row, or the CPU lacks its features: the error lists the available kernels.
    pub fn named(&self, name: &str) -> Result<&'static Kernel<V>, EnvError> {
        self.find("", name)
    }

    fn find(&self, variable: &'static str, name: &str) -> Result<&'static Kernel<V>, EnvError> {
        let wrong = |wrong| error(self.name, self.kernels().map(Kernel::name), variable, name, wrong);
        let kernel = self.rows.iter().copied().find(|kernel| kernel.name == name);
        let kernel = kernel.ok_or_else(|| wrong(Wrong::UnknownKernel))?;
        if kernel.supported() { Ok(kernel) } else { Err(wrong(Wrong::Unsupported(kernel.lacks_some_of()))) }
    }

    /// Returns the kernel that the environment forces, if any.
    pub(crate) fn forced(&self) -> Result<Option<&'static Kernel<V>>, EnvError> {
        #[cfg(feature = "env-override")]
        if let Some(name) = std::env::var_os(self.variable) {
            return self.find(self.variable, &name.to_string_lossy()).map(Some);
        }
        Ok(None)
    }

    /// Returns whether the environment forces an existing kernel.
    pub fn is_forced(&self) -> bool {
        matches!(self.forced(), Ok(Some(_)))
    }

    /// Checks the environment variable that forces a kernel of this table.
    ///
    /// # Errors
    /// An unknown feature in `HASHLANES_DISABLE`; an unknown kernel, or one that this CPU cannot run, in
    /// [`Table::variable`]. Without the cargo feature `env-override` neither is read.
    pub fn check_env(&self) -> Result<(), EnvError> {
        crate::features::disabled()?;
        self.forced().map(drop)
    }

    /// Returns the row of one message in `kernel`'s family: itself, if it takes one.
    #[inline]
    pub fn of_one(&self, kernel: &'static Kernel<V>) -> &'static Kernel<V> {
        if kernel.degree == 1 { kernel } else { self.family_of(kernel) }
    }

    #[cold]
    fn family_of(&self, kernel: &'static Kernel<V>) -> &'static Kernel<V> {
        let family = kernel.family();
        let row = self.rows.iter().copied().find(|row| row.name == family);
        let row = row.expect("a family has a row of one message");
        // The name identifies the family; this also asserts that a CPU that runs `kernel` can run the row.
        assert!(
            covers(kernel.features, row.needs) && covers(kernel.features, row.proof),
            "{}: its family's row of one message needs more than it",
            kernel.name
        );
        row
    }
}

/// A row as data.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The kernel's name.
    pub name: &'static str,
    /// Messages per call.
    pub degree: usize,
    /// The CPU features that it needs.
    pub features: &'static [&'static str],
    /// Core cycles that it takes, as measured on this CPU or one like it.
    pub cost: Cost,
    /// Whether the cost was measured by this process (feature `calibrate`); otherwise it is the column's.
    pub is_measured: bool,
    /// Whether this CPU, without masked features, has them.
    pub supported: bool,
    /// Whether it may be chosen; the papers' kernels can only be forced by name.
    pub is_candidate: bool,
    /// The module of its entries, as in symbols: `hashlanes_sha::sha256::kernels::rows::avx2_x8`.
    #[doc(hidden)]
    pub module: &'static str,
    names: &'static [&'static str],
    offers: u16,
    pub(crate) overheads: &'static Overheads,
    pub(crate) shares_calls: bool,
}

impl Row {
    /// Returns whether the row has the verb at this place of [`Entries::NAMES`] itself.
    pub(crate) fn offers(&self, place: usize) -> bool {
        self.offers >> place & 1 == 1
    }
    /// Returns the verbs that the row has itself, as in symbols; another row or an adaptor computes the
    /// others.
    pub fn verbs(&self) -> impl Iterator<Item = &'static str> + use<> {
        let row = *self;
        self.names.iter().enumerate().filter(move |(place, _)| row.offers(*place)).map(|(_, name)| *name)
    }
}

/// Returns the place of a name among `names`.
const fn place_of(name: &str, names: &[&str]) -> Option<usize> {
    let mut i = 0;
    while i < names.len() {
        if same(names[i].as_bytes(), name.as_bytes()) {
            return Some(i);
        }
        i += 1;
    }
    None
}

/// Returns whether a row has a verb.
#[doc(hidden)]
pub const fn has_verb(own: &[&str], verb: &str) -> bool {
    place_of(verb, own).is_some()
}

/// A fault in the name of a kernel.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "std"), allow(dead_code))] // Printed where the standard library is available.
enum Wrong {
    UnknownKernel,
    Unsupported(Features),
}

#[cfg(not(feature = "std"))]
fn error(_: &str, _: impl Iterator<Item = &'static str>, _: &'static str, _: &str, wrong: Wrong) -> EnvError {
    EnvError(match wrong {
        Wrong::UnknownKernel => "no such kernel",
        Wrong::Unsupported(_) => "this CPU cannot run the kernel",
    })
}

/// Creates an error for `hash`, whose kernels are listed in `there_is`; `variable` is empty without a
/// variable.
#[cfg(feature = "std")]
fn error(
    hash: &str,
    there_is: impl Iterator<Item = &'static str>,
    variable: &'static str,
    name: &str,
    wrong: Wrong,
) -> EnvError {
    use std::{format, string::String, vec::Vec};
    let wish = if variable.is_empty() { String::new() } else { format!("{variable}={name}: ") };
    let what = match wrong {
        Wrong::UnknownKernel => format!("unknown {hash} kernel {name:?}"),
        Wrong::Unsupported(needs) => {
            let lacks = needs.names().filter(|f| !Features::available().contains(Features::of(&[f])));
            let lacks = lacks.collect::<Vec<_>>().join(", ");
            let masked = crate::features::disabled().is_ok_and(|masked| masked != Features::NONE);
            let masked = if masked { " (less what HASHLANES_DISABLE masks)" } else { "" };
            format!("this CPU{masked} cannot run the {hash} kernel {name}: it lacks {lacks}")
        }
    };
    let there_is = there_is.collect::<Vec<_>>().join(", ");
    EnvError(format!("{wish}{what}; expected one of {there_is}"))
}

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

/// Returns the bytes that [`kebab`] made, as a string.
#[doc(hidden)]
pub const fn kebab_str(name: &'static [u8]) -> &'static str {
    match core::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => panic!("a row's name is ASCII"),
    }
}

/// The first action of a row's entry: clears the upper halves of the vector registers, if the caller left any
/// dirty.
///
/// A dirty upper half makes every SSE-encoded instruction (all of SHA-NI) cost two slots: SHA-NI of one
/// message takes 3.00 instead of 2.03 cycles per byte. On Golden Cove each change between such instructions
/// and those in VEX's encoding then takes 200 cycles. The instruction is written in assembly, because the
/// intrinsic would turn an SSE-encoded kernel into AVX code (two streams of SHA-NI lose 14 %).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Entry {
    /// The row has no vectors.
    Nothing,
    /// The row does not require AVX; on a CPU without AVX, the instruction does not exist.
    ClearIfAvx,
    /// The row requires AVX.
    Clear,
}

impl Entry {
    /// Returns the action for a row with these features; a constant of the row, because a test at run time
    /// takes longer than a block.
    pub const fn of(features: &[&str]) -> Self {
        if features.is_empty() {
            Self::Nothing
        } else if cfg!(all(target_arch = "x86_64", target_feature = "sse2"))
            && crate::covers(features, Features::of(&["avx"]))
        {
            Self::Clear
        } else {
            Self::ClearIfAvx
        }
    }

    /// Performs the action.
    #[inline(always)]
    pub fn enter(self) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
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
