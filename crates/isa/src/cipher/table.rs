//! The table of a cipher's kernels, and the choice among them.
//!
//! A **family** is an instruction set and a width of registers: `vaes-avx2`. Its row of one message has all verbs; the rows of
//! `N` messages, `vaes-avx2-xN`, have those for many, and leave the others to it. So who forces a row forces its family.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::features::{covers, same};
use crate::table::Wrong;
use crate::{Cost, Costs, EnvError, Features, Row, Verb};

/// The most messages that a kernel takes at once.
pub const MAX_DEGREE: usize = 24;

/// One compiled way to do what `V`, a cipher's verbs, are the entries of. Only a [`Table`] hands references out, and only
/// those that this CPU can run.
#[derive(Debug)]
pub struct Kernel<V: 'static> {
    name: &'static str,
    degree: usize,
    features: &'static [&'static str],
    needs: Features,
    /// What the body's proof says beside: features that those of the row bring, by which its operations are argued.
    proof: Features,
    costs: Costs,
    verbs: V,
    #[cfg(feature = "count-calls")]
    calls: core::sync::atomic::AtomicU64,
}

impl<V> Kernel<V> {
    /// Makes a row; see [`cipher_kernels!`](crate::cipher_kernels).
    ///
    /// # Safety
    /// The verbs are compiled for `features`, by a proof of `proof`, and for `degree` messages.
    #[doc(hidden)]
    pub const unsafe fn row(
        name: &'static str,
        degree: usize,
        features: &'static [&'static str],
        proof: Features,
        costs: Costs,
        verbs: V,
    ) -> Self {
        assert!(covers(features, proof));
        assert!(degree >= 1 && degree <= MAX_DEGREE && costs.zen4.block > 0 && costs.golden_cove.block > 0);
        Self {
            name,
            degree,
            features,
            needs: Features::of(features),
            proof,
            costs,
            verbs,
            #[cfg(feature = "count-calls")]
            calls: core::sync::atomic::AtomicU64::new(0),
        }
    }

    /// The kernel's name: `vaes-avx2-x16`.
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
    /// Core cycles that it takes, as measured on a CPU like this one; the choice rests on it.
    pub fn cost(&self) -> Cost {
        self.costs.here()
    }
    /// The name without its number of messages.
    pub fn family(&self) -> &'static str {
        match self.name.rsplit_once("-x") {
            Some((family, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => family,
            _ => self.name,
        }
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
            cost: self.cost(),
            supported: self.supported(),
            offers: [false; Verb::ALL.len()],
        }
    }

    fn supported(&self) -> bool {
        let available = Features::available();
        available.contains(self.needs) && available.contains(self.proof)
    }

    /// Of a row that the CPU cannot run: its features, or what those should have brought.
    fn lacks_some_of(&self) -> Features {
        if Features::available().contains(self.needs) { self.proof } else { self.needs }
    }

    /// The row's entries.
    #[doc(hidden)]
    #[inline(always)]
    pub fn verbs(&self) -> &V {
        &self.verbs
    }

    /// The row's entries, one of which is entered now: what [`cipher_kernels!`](crate::cipher_kernels) calls one through.
    #[doc(hidden)]
    #[inline(always)]
    pub fn enter(&self) -> &V {
        #[cfg(feature = "count-calls")]
        self.calls.fetch_add(1, Ordering::Relaxed);
        &self.verbs
    }
}

/// A row's entries, by name: what [`cipher_kernels!`](crate::cipher_kernels) makes of a cipher's verbs.
pub trait Entries: Sync {
    /// All verbs, as in symbols.
    const NAMES: &'static [&'static str];
    /// The names of those that the row has. The first tells rows apart: it is its registers' own.
    fn names(&self) -> impl Iterator<Item = &'static str>;
}

/// All kernels of a cipher.
#[derive(Debug)]
pub struct Table<V: 'static> {
    name: &'static str,
    variable: &'static str,
    module: &'static str,
    rows: &'static [&'static Kernel<V>],
    /// `best[class of blocks][n - 1]`: row + 1 for n messages; 0 = not yet known. Threads that ask at once find the same.
    best: [[AtomicU8; MAX_DEGREE]; CLASSES.len()],
    /// The same of the row for one message's verbs.
    best_of_one: AtomicU8,
}

/// Numbers of blocks that the choice tells apart: the first that is not below the number stands for it, the last for all
/// that are greater.
const CLASSES: [u16; 6] = [1, 3, 8, 20, 60, 250];

/// What the schedule takes for a turn, beside the kernel's call.
const TURN_CYCLES: u64 = 150;

impl<V> Table<V> {
    /// A table of these rows; see [`cipher_kernels!`](crate::cipher_kernels).
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        variable: &'static str,
        module: &'static str,
        rows: &'static [&'static Kernel<V>],
    ) -> Self {
        assert!(rows.len() < 255);
        let best = [const { [const { AtomicU8::new(0) }; MAX_DEGREE] }; CLASSES.len()];
        Self { name, variable, module, rows, best, best_of_one: AtomicU8::new(0) }
    }

    /// As in tables: `aes`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The variable that forces a kernel by name.
    pub fn variable(&self) -> &'static str {
        self.variable
    }

    /// Where the table stands, as in symbols: `hashlanes_aes::modes::kernels`.
    #[doc(hidden)]
    pub fn module(&self) -> &'static str {
        self.module
    }

    /// Every row, whether this CPU can run it or not, as data.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + use<V> {
        self.rows.iter().map(|kernel| kernel.row_data())
    }

    /// The entries of row `index`, whether this CPU can run it or not; only a kernel enters them.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[doc(hidden)]
    pub fn verbs_of(&self, index: usize) -> &'static V {
        &self.rows[index].verbs
    }

    /// The kernels that this CPU can run, in the table's order.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel<V>> + use<V> {
        self.rows.iter().copied().filter(|kernel| kernel.supported())
    }

    /// The kernel of that name.
    ///
    /// # Errors
    /// If the table has no such row, or the CPU lacks what it needs: the error lists what there is.
    pub fn named(&self, name: &str) -> Result<&'static Kernel<V>, EnvError> {
        self.find("", name)
    }

    fn find(&self, variable: &'static str, name: &str) -> Result<&'static Kernel<V>, EnvError> {
        let wrong = |wrong| EnvError::new(self.name, self.kernels().map(Kernel::name), variable, name, wrong);
        let kernel = self.rows.iter().copied().find(|kernel| kernel.name == name);
        let kernel = kernel.ok_or_else(|| wrong(Wrong::UnknownKernel))?;
        if kernel.supported() { Ok(kernel) } else { Err(wrong(Wrong::Unsupported(kernel.lacks_some_of()))) }
    }

    /// The kernel that the environment forces, if any.
    fn forced(&self) -> Result<Option<&'static Kernel<V>>, EnvError> {
        #[cfg(feature = "env-override")]
        if let Some(name) = std::env::var_os(self.variable) {
            return self.find(self.variable, &name.to_string_lossy()).map(Some);
        }
        Ok(None)
    }

    /// Whether the environment forces a kernel that there is.
    pub fn is_forced(&self) -> bool {
        matches!(self.forced(), Ok(Some(_)))
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

    /// The row of one message in `kernel`'s family: itself, if it takes one.
    #[inline]
    pub fn of_one(&self, kernel: &'static Kernel<V>) -> &'static Kernel<V> {
        if kernel.degree == 1 { kernel } else { self.family_of(kernel) }
    }

    #[cold]
    fn family_of(&self, kernel: &'static Kernel<V>) -> &'static Kernel<V> {
        let family = kernel.family();
        let row = self.rows.iter().copied().find(|row| row.name == family);
        let row = row.expect("a family has a row of one message");
        // Names make a family; that who runs `kernel` can run the row is another thing.
        assert!(
            covers(kernel.features, row.needs) && covers(kernel.features, row.proof),
            "{}: its family's row of one message needs more than it",
            kernel.name
        );
        row
    }

    /// The row for one message's verbs: the forced kernel's family, or the first of the table that takes one message.
    ///
    /// # Panics
    /// If the environment forces a kernel that there is not (see [`Table::check_env`]).
    #[inline]
    pub fn best_of_one(&self) -> &'static Kernel<V> {
        match self.best_of_one.load(Ordering::Relaxed) {
            0 => self.choose(&self.best_of_one, |table| {
                table.kernels().find(|kernel| kernel.degree == 1).expect("portable runs everywhere")
            }),
            row => self.of_one(self.rows[row as usize - 1]),
        }
    }

    /// The kernel for `n` live messages that are all to be advanced by `n_blocks` blocks; more than [`MAX_DEGREE`] are as that.
    ///
    /// # Panics
    /// As [`Table::best_of_one`].
    #[inline]
    pub fn best(&self, n: usize, n_blocks: usize) -> &'static Kernel<V> {
        let n = n.clamp(1, MAX_DEGREE);
        let class =
            CLASSES[..CLASSES.len() - 1].iter().take_while(|class| usize::from(**class) < n_blocks).count();
        let known = &self.best[class][n - 1];
        match known.load(Ordering::Relaxed) {
            0 => self.choose(known, |table| table.fastest(n, CLASSES[class].into())),
            row => self.rows[row as usize - 1],
        }
    }

    #[cold]
    fn choose(&self, known: &AtomicU8, find: impl FnOnce(&Self) -> &'static Kernel<V>) -> &'static Kernel<V> {
        let choice = match self.forced().unwrap_or_else(|error| panic!("{error}")) {
            Some(kernel) => kernel,
            None => find(self),
        };
        let row = self.rows.iter().position(|row| core::ptr::eq(*row, choice)).expect("a row of this table");
        known.store(row as u8 + 1, Ordering::Relaxed);
        choice
    }

    /// Brings most blocks forward for its cycles; where two are equally fast, the first of them in the table.
    fn fastest(&self, n: usize, n_blocks: usize) -> &'static Kernel<V> {
        let turn = |kernel: &Kernel<V>| {
            let (rotate, degree) = (kernel.degree < n && n < 2 * kernel.degree, kernel.degree);
            // Then a turn lasts as long as lanes would run idle otherwise.
            let idle = || (n_blocks * n).div_ceil(degree) - n_blocks;
            let n_blocks = if rotate { idle().clamp(1, n_blocks) } else { n_blocks };
            ((n.min(degree) * n_blocks) as u64, TURN_CYCLES + kernel.cost().of(1, n_blocks))
        };
        self.kernels()
            .reduce(|a, b| {
                let ((blocks_a, cycles_a), (blocks_b, cycles_b)) = (turn(a), turn(b));
                if blocks_b * cycles_a > blocks_a * cycles_b { b } else { a }
            })
            .expect("portable runs everywhere")
    }
}

/// Whether all of `verbs` are among `known`.
#[doc(hidden)]
pub const fn are_verbs(verbs: &[&str], known: &[&str]) -> bool {
    let mut i = 0;
    while i < verbs.len() {
        let mut k = 0;
        while k < known.len() && !same(verbs[i].as_bytes(), known[k].as_bytes()) {
            k += 1;
        }
        if k == known.len() {
            return false;
        }
        i += 1;
    }
    true
}

/// Makes the table of a cipher's kernels, `static TABLE`, from the cipher's verbs and its rows.
///
/// What stands before the rows is the cipher: the table's name, the variable that forces a kernel, and the verbs with what
/// each takes. The macro makes of them
/// - `struct Verbs`, a row's entries;
/// - `trait Body`, what a kernel's file implements: its proof, its degree, and a function for each verb that its row has;
///   everything in it is `#[inline(always)]`, so that it is compiled with the row's features;
/// - a function a verb that enters a kernel, `call::cbc_encrypt(kernel, job)`: where the row has no such verb, that of its
///   family's row of one message, which has all.
///
/// A row is as [`kernels!`](crate::kernels) has it: `name degree [CPU features] proof body [verbs] call + block call + block;`.
///
/// ```ignore (a table needs a cipher: see the files kernels.rs of the ciphers)
/// cipher_kernels! { "aes" KERNEL_VARIABLE {
///         /// Whole blocks of each message.
///         cbc_encrypt(job: CbcEncrypt<'_, '_>);
///     }
///     #[cfg(target_arch = "x86_64")] {
///         vaes_avx2_x16 16 ["vaes" "avx2"] Vaes OverBlocks<X2, 16> [cbc_encrypt] 200 + 50 200 + 50;
///     }
///     #[cfg(true)] {
///         portable 1 [] Scalar Portable [cbc_encrypt] 900 + 900 900 + 900;
///     }
/// }
/// ```
#[macro_export]
macro_rules! cipher_kernels {
    ($name:literal $variable:ident $verbs:tt $(#[$cfg:meta] $rows:tt)*) => {
        $crate::cipher_kernels!(@cipher $verbs);

        /// A module a row: its entries, compiled for its features.
        mod rows {
            $( $crate::cipher_kernels!(@rows #[$cfg] $rows $verbs); )*
            pub(super) static ROWS: &[&$crate::cipher::Kernel<super::Verbs>] =
                $crate::cipher_kernels!(@list [] $( #[$cfg] $rows )*);
        }

        /// All kernels, in the order of their rows.
        pub(crate) static TABLE: $crate::cipher::Table<Verbs> =
            $crate::cipher::Table::new($name, $variable, module_path!(), rows::ROWS);
    };
    (@cipher { $( $(#[$doc:meta])* $verb:ident($job:ident: $type:ty); )+ }) => {
        /// A row's compiled verbs. Calling one needs a CPU with the row's features.
        #[derive(Clone, Copy, Debug)]
        #[allow(unreachable_pub)] // The module decides.
        pub struct Verbs {
            $( $(#[$doc])* pub(crate) $verb: Option<unsafe fn($type)>, )+
        }

        impl $crate::cipher::Entries for Verbs {
            const NAMES: &'static [&'static str] = &[$(stringify!($verb)),+];
            fn names(&self) -> impl Iterator<Item = &'static str> {
                let offers = [$(self.$verb.is_some()),+];
                Self::NAMES.iter().zip(offers).filter(|(_, offered)| *offered).map(|(name, _)| *name)
            }
        }

        /// A kernel as its file writes it.
        pub(crate) trait Body {
            /// What the body needs.
            type Proof: $crate::Proof;
            /// Messages per call.
            const DEGREE: usize;
            $(
                $(#[$doc])*
                #[inline(always)]
                fn $verb(isa: Self::Proof, $job: $type) {
                    let _ = (isa, $job);
                    unreachable!("the row has no {}", stringify!($verb))
                }
            )+
        }

        /// A function a verb, which enters a kernel.
        pub(crate) mod call {
            #[allow(unused_imports)]
            use super::*;
            $(
                $(#[$doc])*
                #[inline]
                pub(crate) fn $verb(kernel: &'static $crate::cipher::Kernel<Verbs>, $job: $type) {
                    let entry = match kernel.verbs().$verb {
                        Some(_) => kernel.enter().$verb,
                        None => TABLE.of_one(kernel).enter().$verb,
                    };
                    let entry = entry.expect("what others leave out, a row of one message has");
                    // SAFETY: a table handed `kernel` out, so the CPU has its features, and they cover those of its
                    // family's row of one message (asserted in `of_one`).
                    unsafe { entry($job) }
                }
            )+
        }
    };
    (@rows #[$cfg:meta] { $(
        $row:ident $degree:literal $features:tt $proof:ident $body:ty [$($own:ident)*]
        $zen4_call:literal + $zen4:literal $cove_call:literal + $cove:literal;
    )* } $verbs:tt) => {$(
        #[$cfg]
        mod $row {
            #[allow(unused_imports)]
            use super::super::*;
            use $crate::Proof;
            use $crate::cipher::Kernel;

            type This = $body;
            const FEATURES: &[&str] = $crate::kernels!(@list $features);
            const ENTRY: $crate::Entry = $crate::Entry::of(FEATURES);
            const IDENTIFIER: &str = stringify!($row);
            const NAME: &[u8] = &$crate::kebab::<{ IDENTIFIER.len() }>(IDENTIFIER);

            /// The CPU has what the entry that calls this was compiled for.
            ///
            /// # Safety
            /// Called by the entries below only: they are compiled with FEATURES, which cover
            /// the proof's (asserted in `Kernel::row`), and reached through a table, on a CPU that has them.
            #[inline(always)]
            unsafe fn proof() -> $proof {
                // SAFETY: as above.
                unsafe { <$proof as Proof>::assume() }
            }

            /// The verbs that the row has.
            const OWN: &[&str] = &[$(stringify!($own)),*];

            $crate::cipher_kernels!(@entries $features $verbs);

            pub(super) static ROW: Kernel<Verbs> = {
                assert!(<This as Body>::DEGREE == $degree);
                assert!($crate::cipher::are_verbs(OWN, <Verbs as $crate::cipher::Entries>::NAMES));
                let costs = $crate::Costs {
                    zen4: $crate::Cost { call: $zen4_call, block: $zen4 },
                    golden_cove: $crate::Cost { call: $cove_call, block: $cove },
                };
                const PROOF: $crate::Features = <$proof as Proof>::FEATURES;
                // SAFETY: the entries above are compiled for FEATURES, by a proof of PROOF, and for this degree.
                unsafe { Kernel::row($crate::kebab_str(NAME), $degree, FEATURES, PROOF, costs, ENTRIES) }
            };
        }
    )*};
    (@entries $features:tt { $( $(#[$doc:meta])* $verb:ident($job:ident: $type:ty); )+ }) => {
        $( $crate::cipher_kernels!(@entry $verb $features $job $type); )+
        const ENTRIES: Verbs = Verbs {
            $( $verb: if $crate::cipher::are_verbs(&[stringify!($verb)], OWN) { Some($verb) } else { None } ),+
        };
    };
    (@entry $verb:ident [$($feature:literal)*] $job:ident $type:ty) => {
        $(#[target_feature(enable = $feature)])*
        unsafe fn $verb($job: $type) {
            ENTRY.enter();
            // SAFETY: `proof` says so.
            <This as Body>::$verb(unsafe { proof() }, $job)
        }
    };
    (@list [$($done:tt)*] #[$cfg:meta] { $(
        $row:ident $degree:literal $features:tt $proof:ident $body:ty [$($own:ident)*]
        $zen4_call:literal + $zen4:literal $cove_call:literal + $cove:literal;
    )* } $($more:tt)*) => {
        $crate::cipher_kernels!(@list [$($done)* $( #[$cfg] &$row::ROW, )*] $($more)*)
    };
    (@list [$($done:tt)*]) => { &[$($done)*] };
}
