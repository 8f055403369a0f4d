//! SHA-512's kernels in assembly (`asm/*.s`, written by `cargo xtask asm`, whose `sha512/` explains them):
//! the bodies of their rows.
//!
//! | body | messages | technique |
//! |---|---|---|
//! | [`SerialRor`] [`SerialRorx`] | 1 | general registers alone |
//! | [`Sms2Sse`] [`Sms2Avx`] [`Sms4Avx2`] [`Sms8Avx512`] | 1 | rounds in general registers, schedules of several blocks side by side |
//! | [`PackedAvx512`] [`PackedX2`] | 1, 2 | e and a of a message in the halves of one register |
//! | [`HalvedAvx512`] | 1 | e in general registers, a in vectors |
//! | [`StitchedAvx2`] | 1 | rounds in general registers, schedules in vectors |
//! | [`Avx512X8`] [`Avx512X4`] | 8, 4 | a message a lane |
//! | [`HybridX9`] | 9 | 8 in lanes, one in general registers |
//!
//! # Safety
//! As `assembly.rs` argues ("Features", "Input"). There is one state for each of the kernel's messages, in
//! natural order. Kernels keep everything else on the stack; the caller that knows that it was secret wipes
//! it ([`wipe_stack`](hashlanes_isa::wipe_stack)).
#![allow(unsafe_code)] // Assembly; argued above.

use core::mem::offset_of;

use hashlanes_isa::avx512::{self, Avx512};
use hashlanes_isa::avx512vl::{self, Avx512Vl};
use hashlanes_isa::scalar::Scalar;
use hashlanes_isa::sse::Sse;
use hashlanes_isa::{Body, OverLanes, Turns};

use super::compression::{Compression, K, State};
use crate::assembly::{Rows, bodies_of_one_message, by_rows, kernels_in_assembly, proofs, verbs_of_lanes};

// ---- Constants ----

/// Constants that kernels read in addition to their input.
#[repr(C, align(64))]
struct Constants {
    k: [u64; 80],
    /// The mask of `vpshufb` that swaps the bytes of words.
    swap: [u64; 8],
    /// How far Sigma1 and Sigma0 rotate, in pairs.
    counts: [u64; 8],
    /// Two words of K, twice.
    pairs: [[u64; 4]; 40],
}
const _: () = assert!(offset_of!(Constants, swap) == 640 && offset_of!(Constants, counts) == 704);
const _: () = assert!(offset_of!(Constants, pairs) == 768);

static CONSTANTS: Constants = Constants {
    k: K,
    swap: {
        let [even, odd] = [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f];
        [even, odd, even, odd, even, odd, even, odd]
    },
    counts: [14, 28, 18, 34, 41, 39, 0, 0],
    pairs: {
        let mut pairs = [[0; 4]; 40];
        let mut i = 0;
        while i < 40 {
            pairs[i] = [K[2 * i], K[2 * i + 1], K[2 * i], K[2 * i + 1]];
            i += 1;
        }
        pairs
    },
};

// ---- Kernels ----

/// Takes states, input, number of blocks and constants.
type Compress = unsafe extern "sysv64" fn(*mut State, *const Rows, usize, *const Constants);

kernels_in_assembly! {
    packed_avx512(*mut State, *const Rows, usize, *const Constants);
    halved_avx512(*mut State, *const Rows, usize, *const Constants);
    stitched_avx2(*mut State, *const Rows, usize, *const Constants);
    packed_x2(*mut State, *const Rows, usize, *const Constants);
    avx512_x4(*mut State, *const Rows, usize, *const Constants);
    avx512_x8(*mut State, *const Rows, usize, *const Constants);
    hybrid_x9(*mut State, *const Rows, usize, *const Constants);
    zen5_x9(*mut State, *const Rows, usize, *const Constants);
    serial_ror(*mut State, *const Rows, usize, *const Constants);
    serial_rorx(*mut State, *const Rows, usize, *const Constants);
    sms2_sse(*mut State, *const Rows, usize, *const Constants);
    sms2_avx(*mut State, *const Rows, usize, *const Constants);
    sms4_avx2(*mut State, *const Rows, usize, *const Constants);
    sms8_avx512(*mut State, *const Rows, usize, *const Constants);
    rounds_ror(*mut State, *const [u64; 80]);
    rounds_rorx(*mut State, *const [u64; 80]);
}

/// Carries out turns of `S` messages.
///
/// # Safety
/// The kernel processes this number of messages, and the CPU has its features.
#[inline(always)]
unsafe fn compress<const S: usize>(kernel: Compress, turns: Turns<'_, Compression>) {
    by_rows::<Compression, S>(turns, |states, rows, n_blocks| {
        // SAFETY: "Features" by the caller; "Input", from as many places as there are states.
        unsafe { kernel(states.as_mut_ptr(), rows, n_blocks, &CONSTANTS) }
    });
}

// ---- The rows' bodies ----

proofs! {
    /// The CPU has `rorx`.
    Bmi2 ["bmi2"];
    /// The CPU has AVX.
    AvxAlone ["avx"];
    /// The CPU has AVX2 and `rorx`.
    Avx2Bmi2 ["avx2", "bmi2"];
    /// The CPU has AVX-512F, BW and VL, and `rorx`.
    Avx512Bmi2 ["avx512f", "avx512bw", "avx512vl", "bmi2"];
    /// The CPU has what `packed-avx512` needs.
    Packed ["avx512f", "avx512dq", "avx512vl", "bmi2", "movbe"];
    /// The CPU has what `packed-x2` needs.
    PackedVl ["avx512f", "avx512bw", "avx512dq", "avx512vl"];
    /// The CPU has what `halved-avx512` needs.
    Halved ["avx512f", "avx512bw", "avx512vl", "bmi1", "bmi2"];
    /// The CPU has what `stitched-avx2` needs.
    Stitched ["avx2", "bmi1", "bmi2"];
    /// The CPU has what `hybrid-x9` needs.
    Hybrid ["avx512f", "avx512bw", "bmi1", "bmi2", "movbe"];
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $body:ident $degree:literal $proof:ident $kernel:ident $({ $lanes:ty })?;)*) => {$(
        $(#[$doc])*
        pub(super) struct $body;

        impl Body<Compression> for $body {
            type Proof = $proof;
            const DEGREE: usize = $degree;

            #[inline(always)]
            fn compress(_: $proof, turns: Turns<'_, Compression>) {
                // SAFETY: "Features"; so many messages.
                unsafe { compress::<$degree>($kernel, turns) }
            }
            $(verbs_of_lanes!($proof, OverLanes<$lanes, 8>, isa => isa);)?
        }
    )*};
}
bodies! {
    /// The body of `packed-x2`.
    PackedX2 2 PackedVl packed_x2;
    /// The body of `avx512-x4-asm`.
    Avx512X4 4 Avx512Vl avx512_x4 { avx512vl::U64x4 };
    /// The body of `avx512-x8-asm`.
    Avx512X8 8 Avx512 avx512_x8 { avx512::U64x8 };
    /// The body of `hybrid-x9`.
    HybridX9 9 Hybrid hybrid_x9;
    /// The body of `zen5-x9`.
    Zen5X9 9 Hybrid zen5_x9;
}

bodies_of_one_message! {
    /// The body of `packed-avx512`.
    PackedAvx512 Packed packed_avx512 rounds_rorx;
    /// The body of `halved-avx512`.
    HalvedAvx512 Halved halved_avx512 rounds_rorx;
    /// The body of `stitched-avx2`.
    StitchedAvx2 Stitched stitched_avx2 rounds_rorx;
    /// The body of `serial-ror`.
    SerialRor Scalar serial_ror rounds_ror;
    /// The body of `serial-rorx`.
    SerialRorx Bmi2 serial_rorx rounds_rorx;
    /// The body of `sms2-sse`.
    Sms2Sse Sse sms2_sse rounds_ror;
    /// The body of `sms2-avx`.
    Sms2Avx AvxAlone sms2_avx rounds_ror;
    /// The body of `sms4-avx2`.
    Sms4Avx2 Avx2Bmi2 sms4_avx2 rounds_rorx;
    /// The body of `sms8-avx512`.
    Sms8Avx512 Avx512Bmi2 sms8_avx512 rounds_rorx;
}
