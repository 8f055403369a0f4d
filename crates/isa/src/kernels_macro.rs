//! The macro that defines tables of kernels.

/// Defines the table of a function's kernels, `static TABLE`, from its rows.
///
/// A row is `name degree [CPU features] proof body [verbs] call + block call + block call + block;` where
/// `name` is the kernel's with `_` for `-`, `body` is the type whose functions the verbs are, and `call +
/// block` are the cycles of a call and of a block of every lane, in the order of [`COLUMNS`](crate::COLUMNS);
/// `call/equal + block` if a call on equal short messages takes other ones.
/// Each verb becomes a function that is compiled for the row's features, and the same words ask the CPU for
/// them, so the two cannot disagree. Symbols bear the row's name (`…::rows::avx2_x8::compress`), so profiles
/// and disassemblies show it. Each section has a condition (`cfg`) for its rows. The sections called `one`
/// come first: their rows also hash a single message, and have a table of their own, `static TABLE_OF_ONE`,
/// so that a program that hashes one message at a time does not link the others. The rows of the sections
/// called `papers`, which come last, are never chosen, but can be forced by name.
///
/// The text before the rows selects the kind of function. There are three kinds.
///
/// A **hash** is its [`Function`](crate::Function). Bodies are [`Body`](crate::Body); a row names its verbs
/// beyond `compress`.
///
/// ```ignore (a table needs a whole function: see the files kernels.rs of the hashes)
/// kernels! { Sha256;
///     one #[cfg(true)] {
///         scalar 1 [] Scalar OverLanes<scalar::U32x1, 8> [compress_lanes rounds] 26 + 634 26 + 676 26 + 676;
///     }
///     many #[cfg(target_arch = "x86_64")] {
///         avx2_x8 8 ["avx2"] Avx2 OverLanes<avx2::U32x8, 8> [compress_lanes finish_fixed continue_many] 110 + 968 110 + 1196 110 + 1196;
///     }
/// }
/// ```
///
/// A **sponge** has a name and a variable that forces a kernel. Bodies are
/// [`sponge::Body`](crate::sponge::Body), and have all verbs; a block is a permutation.
///
/// ```ignore (see the file kernels.rs of Keccak)
/// kernels! { sponge "keccak" KERNEL_VARIABLE;
///     one #[cfg(true)] {
///         scalar 1 [] Scalar OverLanes<scalar::U64x1> [] 0 + 1000 0 + 1000 0 + 1000;
///     }
/// }
/// ```
///
/// A **cipher** has the same and its verbs, with their arguments. The macro defines
/// - `struct Verbs`, a row's entries;
/// - `trait Body`, which a kernel's file implements: its proof, its degree, and a function for each verb of
///   its row; everything in it is `#[inline(always)]`, so that it is compiled with the row's features;
/// - a function for each verb, which calls a kernel: `call::cbc_encrypt(kernel, job)`. If the row does not
///   have the verb, it calls its family's row of one message, which has all verbs.
///
/// ```ignore (a table needs a cipher: see the files kernels.rs of the ciphers)
/// kernels! { cipher "aes" KERNEL_VARIABLE {
///         /// Whole blocks of each message.
///         cbc_encrypt(job: CbcEncrypt<'_, '_>);
///     }
///     one #[cfg(true)] {
///         portable 1 [] Scalar Portable [cbc_encrypt] 900 + 900 900 + 900 900 + 900;
///     }
///     many #[cfg(target_arch = "x86_64")] {
///         vaes_avx2_x16 16 ["vaes" "avx2"] Vaes OverBlocks<X2, 16> [cbc_encrypt] 200 + 50 200 + 50 200 + 50;
///     }
/// }
/// ```
#[macro_export]
macro_rules! kernels {
    // Defines the tables. Arguments: the name and the variable that forces a kernel, the trait of bodies, the
    // struct of entries, the verbs of every row, and the optional verbs, with their arguments.
    (
        @tables [$name:expr, $variable:expr] [$body:path] [$entries:ty] $verbs:tt
        $( one #[$cfg1:meta] { $(
            $row1:ident $degree1:literal $features1:tt $proof1:ident $this1:ty [$($own1:ident)*]
            $($call1:literal $(/ $equal1:literal)? + $block1:literal)+;
        )* } )*
        $( many #[$cfg:meta] { $(
            $row:ident $degree:literal $features:tt $proof:ident $this:ty [$($own:ident)*]
            $($call:literal $(/ $equal:literal)? + $block:literal)+;
        )* } )*
        $( papers #[$cfgp:meta] { $(
            $rowp:ident $degreep:literal $featuresp:tt $proofp:ident $thisp:ty [$($ownp:ident)*]
            $($callp:literal $(/ $equalp:literal)? + $blockp:literal)+;
        )* } )*
    ) => {
        /// A module for each row: its entries, compiled for its features.
        mod rows {
            $($(
                $crate::kernels!(@row $cfg1 true [$body] [$entries] $verbs
                    $row1 $degree1 $features1 $proof1 $this1 [$($own1)*] $([$call1 $($equal1)?] $block1)+);
            )*)*
            $($(
                $crate::kernels!(@row $cfg true [$body] [$entries] $verbs
                    $row $degree $features $proof $this [$($own)*] $([$call $($equal)?] $block)+);
            )*)*
            $($(
                $crate::kernels!(@row $cfgp false [$body] [$entries] $verbs
                    $rowp $degreep $featuresp $proofp $thisp [$($ownp)*] $([$callp $($equalp)?] $blockp)+);
            )*)*
        }

        /// All kernels, in the order of their rows.
        pub(crate) static TABLE: $crate::table::Table<$entries> = $crate::table::Table::new(
            $name,
            $variable,
            &[
                $($( #[$cfg1] &rows::$row1::ROW, )*)*
                $($( #[$cfg] &rows::$row::ROW, )*)*
                $($( #[$cfgp] &rows::$rowp::ROW, )*)*
            ],
        );
        /// Rows that serve one message.
        #[allow(dead_code)] // A hash's alone is asked.
        pub(crate) static TABLE_OF_ONE: $crate::table::Table<$entries> =
            $crate::table::Table::new($name, $variable, &[$($( #[$cfg1] &rows::$row1::ROW, )*)*]);
    };
    (
        @row $cfg:meta $candidate:literal [$body:path] [$entries:ty] $verbs:tt
        $row:ident $degree:literal $features:tt $proof:ident $this:ty [$($own:ident)*]
        $($call:tt $block:literal)+
    ) => {
        #[$cfg]
        pub(super) mod $row {
            #[allow(unused_imports)]
            use super::super::*;
            use $crate::Proof;

            type This = $this;
            type Entries = $entries;
            const FEATURES: &[&str] = $crate::kernels!(@list $features);
            const PROOF: $crate::Features = <$proof as Proof>::FEATURES;
            const ENTRY: $crate::table::Entry = $crate::table::Entry::of(FEATURES);
            const IDENTIFIER: &str = stringify!($row);
            const NAME: &[u8] = &$crate::table::kebab::<{ IDENTIFIER.len() }>(IDENTIFIER);

            /// The CPU has the features for which the calling entry was compiled.
            ///
            /// # Safety
            /// Called by the entries below only: they are compiled with FEATURES, which cover
            /// the proof's (asserted in `Kernel::row`), and reached through a table, on a CPU that has them.
            #[inline(always)]
            unsafe fn proof() -> $proof {
                // SAFETY: as above.
                unsafe { <$proof as Proof>::assume() }
            }

            $crate::kernels!(@entries [$body] $features [$($own)*] $verbs);

            pub(crate) static ROW: $crate::table::Kernel<Entries> = {
                assert!(<This as $body>::DEGREE == $degree);
                let costs = $crate::Costs([$($crate::kernels!(@cost $call $block)),+]);
                let name = $crate::table::kebab_str(NAME);
                // SAFETY: the entries above are compiled for FEATURES, by a proof of PROOF, and for this
                // degree.
                unsafe {
                    $crate::table::Kernel::row(
                        name, $degree, $candidate, module_path!(), FEATURES, PROOF, costs,
                        <This as $body>::SHARES_CALLS, OWN, ENTRIES,
                    )
                }
            };
        }
    };
    (@cost [$call:literal] $block:literal) => {
        $crate::Cost { call: $call, equal: $call, block: $block }
    };
    (@cost [$call:literal $equal:literal] $block:literal) => {
        $crate::Cost { call: $call, equal: $equal, block: $block }
    };
    (@list [$($feature:literal)*]) => {
        &[$($feature),*]
    };
    (@entries [$body:path] $features:tt [$($own:ident)*] {
        required { $($required:ident $required_arguments:tt;)* }
        optional { $($verb:ident $arguments:tt;)* }
    }) => {
        $( $crate::kernels!(@entry [$body] $features $required $required_arguments); )*
        $( $crate::kernels!(@entry [$body] $features $verb $arguments); )*
        /// The verbs that the row has.
        const OWN: &[&str] = &[$(stringify!($required),)* $(stringify!($own)),*];
        const ENTRIES: Entries = Entries {
            $( $required, )*
            $( $verb: if $crate::table::has_verb(OWN, stringify!($verb)) { Some($verb) } else { None }, )*
        };
    };
    (@entry [$body:path] [$($feature:literal)*] $verb:ident ($($argument:ident: $type:ty),*)) => {
        $(#[target_feature(enable = $feature)])*
        unsafe fn $verb($($argument: $type),*) {
            ENTRY.enter();
            // SAFETY: `proof` says so.
            <This as $body>::$verb(unsafe { proof() }, $($argument),*)
        }
    };

    (sponge $name:literal $variable:ident; $($rows:tt)*) => {
        $crate::kernels! {
            @tables [$name, $variable] [$crate::sponge::Body] [$crate::sponge::Verbs] {
                required {
                    permute(states: &mut [$crate::sponge::State]);
                    absorb(states: $crate::sponge::LaneStates<'_>, blocks: $crate::sponge::Blocks<'_>);
                }
                optional {}
            }
            $($rows)*
        }
    };

    (cipher $name:literal $variable:ident {
        $( $(#[$doc:meta])* $verb:ident($job:ident: $type:ty); )+
    } $($rows:tt)*) => {
        /// A row's compiled verbs. Calling one needs a CPU with the row's features.
        #[derive(Clone, Copy, Debug)]
        #[allow(unreachable_pub)] // The module decides.
        pub struct Verbs {
            $( $(#[$doc])* pub(crate) $verb: Option<unsafe fn($type)>, )+
        }

        impl $crate::table::Entries for Verbs {
            const NAMES: &'static [&'static str] = &[$(stringify!($verb)),+];
            const OVERHEADS: &'static $crate::Overheads = &$crate::Overheads::CIPHERS;
        }

        /// The code of a kernel.
        pub(crate) trait Body {
            /// The proof that the body needs.
            type Proof: $crate::Proof;
            /// Messages per call.
            const DEGREE: usize;
            /// Groups do not share calls.
            const SHARES_CALLS: bool = false;
            $(
                $(#[$doc])*
                #[inline(always)]
                fn $verb(isa: Self::Proof, $job: $type) {
                    let _ = (isa, $job);
                    unreachable!("the row has no {}", stringify!($verb))
                }
            )+
        }

        /// A function for each verb, which calls a kernel.
        pub(crate) mod call {
            #[allow(unused_imports)]
            use super::*;
            $(
                $(#[$doc])*
                #[inline]
                pub(crate) fn $verb(kernel: &'static $crate::table::Kernel<Verbs>, $job: $type) {
                    let entry = match kernel.verbs().$verb {
                        Some(_) => kernel.enter().$verb,
                        None => TABLE.of_one(kernel).enter().$verb,
                    };
                    let entry = entry.expect("what others leave out, a row of one message has");
                    // SAFETY: a table returned `kernel`, so the CPU has its features, which include those of
                    // its family's row of one message (asserted in `of_one`).
                    unsafe { entry($job) }
                }
            )+
        }

        $crate::kernels! {
            @tables [$name, $variable] [Body] [Verbs] {
                required {}
                optional { $( $verb($job: $type); )+ }
            }
            $($rows)*
        }
    };

    ($function:ident; $($rows:tt)*) => {
        $crate::kernels! {
            @tables
            [<$function as $crate::Function>::NAME, <$function as $crate::Function>::KERNEL_VARIABLE]
            [$crate::Body<$function>] [$crate::Verbs<$function>] {
                required {
                    compress(turns: $crate::Turns<'_, $function>);
                }
                optional {
                    compress_lanes(
                        states: &mut [<$function as $crate::Types>::State],
                        input: $crate::Interleaved<'_>
                    );
                    finish_fixed(job: $crate::FixedGroups<'_, $function>);
                    continue_many(job: $crate::ContinueGroups<'_, $function>);
                    rounds(
                        state: &mut <$function as $crate::Types>::State,
                        schedule: &<$function as $crate::Types>::Schedule
                    );
                }
            }
            $($rows)*
        }
    };
}
