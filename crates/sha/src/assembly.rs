//! What kernels in assembly share: functions whose bodies are files, proofs, input as they take it.
//!
//! # Safety
//! A kernel is a function with the System V calling convention whose first lines are its contract: what each
//! argument points to, and the CPU features that it needs. Calls cite these facts:
//!
//! - **Features.** A body has a proof, whose features are those that the kernel's file names.
//! - **Input.** [`Pointers`] and `Interleaved` give the blocks that may be read; a kernel reads those and
//!   no others, whether it knows the next block or not: at the last one it reads that one again.
#![allow(unsafe_code)] // Assembly; argued above.

use hashlanes_isa::Pointers;

/// Functions whose bodies are files in `asm/`, beside the file that names them.
macro_rules! kernels_in_assembly {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name($(_: $argument),*) {
            core::arch::naked_asm!(include_str!(concat!("asm/", stringify!($name), ".s")), options(raw))
        }
    )*};
}
pub(crate) use kernels_in_assembly;

/// Proofs that the CPU has the features named.
macro_rules! proofs {
    ($($(#[$doc:meta])* $name:ident $features:tt;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name(());

        impl hashlanes_isa::Proof for $name {
            const FEATURES: hashlanes_isa::Features = hashlanes_isa::Features::of(&$features);
            #[inline(always)]
            unsafe fn assume() -> Self {
                Self(())
            }
        }
    )*};
}
pub(crate) use proofs;

/// What a kernel has no assembly for, the definition over lanes has: `$isa` of its proof makes theirs.
macro_rules! verbs_of_lanes {
    ($proof:ty, $lanes:ty, $isa:ident => $proof_of_lanes:expr) => {
        #[inline(always)]
        fn compress_lanes($isa: $proof, states: &mut [State], input: hashlanes_isa::Interleaved<'_>) {
            <$lanes as Body<Compression>>::compress_lanes($proof_of_lanes, states, input);
        }
        #[inline(always)]
        fn finish_fixed($isa: $proof, job: hashlanes_isa::FixedGroups<'_, Compression>) {
            <$lanes as Body<Compression>>::finish_fixed($proof_of_lanes, job);
        }
        #[inline(always)]
        fn continue_many($isa: $proof, job: hashlanes_isa::ContinueGroups<'_, Compression>) {
            <$lanes as Body<Compression>>::continue_many($proof_of_lanes, job);
        }
    };
}
pub(crate) use verbs_of_lanes;

/// Bodies of kernels of one message, in a module with the file's types `Compression`, `State` and its `CONSTANTS`: each with
/// its proof, the kernel that compresses, and the one of its verb `rounds`.
///
/// A kernel that compresses takes state, input, number of blocks and constants; one of rounds takes state and K + W.
macro_rules! bodies_of_one_message {
    ($($(#[$doc:meta])* $body:ident $proof:ident $compress:ident $rounds:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $body;

        impl hashlanes_isa::Body<Compression> for $body {
            type Proof = $proof;
            const DEGREE: usize = 1;

            #[inline(always)]
            fn compress(_: $proof, states: &mut [State], input: hashlanes_isa::Pointers<'_>) {
                let [state] = states else { unreachable!("one message") };
                let (rows, n_blocks) = crate::assembly::Rows::new::<1>(input);
                // SAFETY: "Features"; "Input".
                unsafe { $compress(state, &rows, n_blocks, &CONSTANTS) }
            }
            #[inline(always)]
            fn rounds(
                _: $proof,
                state: &mut State,
                schedule: &<Compression as hashlanes_isa::Function>::Schedule,
            ) {
                // SAFETY: "Features", as those of the rounds are among them.
                unsafe { $rounds(state, schedule) }
            }
        }
    )*};
}
pub(crate) use bodies_of_one_message;

/// Blocks behind pointers: block b of message m is at `rows[b * row_bytes / 8 + m] + b * step_bytes`.
#[repr(C)]
pub(crate) struct Rows {
    rows: *const *const u8,
    row_bytes: usize,
    step_bytes: usize,
}

impl Rows {
    /// Input of `S` messages by pointers as kernels take it, and the number of blocks.
    #[inline(always)]
    pub(crate) fn new<const S: usize>(input: Pointers<'_>) -> (Self, usize) {
        assert!(input.degree() == S);
        let (rows, row_stride, step_bytes, n_blocks) = input.into_raw();
        (Self { rows, row_bytes: row_stride * size_of::<*const u8>(), step_bytes }, n_blocks)
    }
}
