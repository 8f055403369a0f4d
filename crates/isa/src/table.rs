//! The table of a function's kernels: names, forcing, and the macro [`kernels!`](crate::kernels).

use crate::kernel::{Kernel, Verb};
use crate::plan::Memo;
use crate::{Cost, Features, Function};

/// All kernels of `F`.
#[derive(Debug)]
pub struct Table<F: Function> {
    pub(crate) rows: &'static [&'static Kernel<F>],
    /// What the plan found out.
    pub(crate) memo: Memo,
}

impl<F: Function> Table<F> {
    /// A table of these rows; see [`kernels!`](crate::kernels).
    #[doc(hidden)]
    pub const fn new(rows: &'static [&'static Kernel<F>]) -> Self {
        assert!(rows.len() < 255);
        Self { rows, memo: Memo::NEW }
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
    pub(crate) fn forced(&self) -> Result<Option<&'static Kernel<F>>, EnvError> {
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
    /// Core cycles that it takes, as measured on a CPU like this one.
    pub cost: Cost,
    /// Whether this CPU, less what is masked, has them.
    pub supported: bool,
    pub(crate) offers: [bool; Verb::ALL.len()],
}

impl Row {
    /// The verbs that the row has itself; an adaptor does the others.
    pub fn verbs(&self) -> impl Iterator<Item = Verb> + use<> {
        let offers = self.offers;
        Verb::ALL.into_iter().filter(move |verb| offers[*verb as usize])
    }
}

impl<F: Function> Kernel<F> {
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
            (turns: $crate::Turns<'_, Of>));
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
