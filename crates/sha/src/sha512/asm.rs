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
//! | [`Avx512X8`] [`Avx512X4`] | 8, 4 | a message a lane; of 8, lists of turns |
//! | [`HybridX9`] | 9 | 8 in lanes, one in general registers |
//!
//! # Safety
//! As `assembly.rs` argues ("Features", "Input"), and the messages and results of `finish_fixed` and
//! `continue_many` are slices, whose lengths are checked against the number of turns ("Whole groups"). There
//! is one state for each of the kernel's messages, in natural order. Kernels keep everything else on the
//! stack; the caller that knows that it was secret wipes it ([`wipe_stack`](hashlanes_isa::wipe_stack)).
#![allow(unsafe_code)] // Assembly; argued above.

use core::mem::offset_of;

use hashlanes_isa::avx512::Avx512;
use hashlanes_isa::avx512vl::{self, Avx512Vl};
use hashlanes_isa::scalar::Scalar;
use hashlanes_isa::sse::Sse;
use hashlanes_isa::{Body, ContinueGroups, FixedGroups, Interleaved, OverLanes, PreExpanded, Start, Turns};

use super::compression::{Compression, K, State};
use crate::assembly::{
    Rows, bodies_of_one_message, by_rows, finish_copied, kernels_in_assembly, proofs, verbs_of_lanes,
};

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
/// Takes results of 64 bytes, messages, number of turns, constants and parameters.
type Finish = unsafe extern "sysv64" fn(*mut u8, *const u8, usize, *const Constants, *const Parameters);

/// Word-interleaved blocks: word t of block b of message m is at `first + (16 * b + t) * row_bytes + 8 * m`.
#[repr(C)]
struct Words {
    first: *const u8,
    row_bytes: usize,
}

kernels_in_assembly! {
    packed_avx512(*mut State, *const Rows, usize, *const Constants);
    halved_avx512(*mut State, *const Rows, usize, *const Constants);
    stitched_avx2(*mut State, *const Rows, usize, *const Constants);
    packed_x2(*mut State, *const Rows, usize, *const Constants);
    avx512_x4(*mut State, *const Rows, usize, *const Constants);
    avx512_x8(*const *mut u8, usize, usize, *const Constants);
    avx512_x8_lanes(*mut State, *const Words, usize, *const Constants);
    avx512_fixed_x8(*mut u8, *const u8, usize, *const Constants, *const Parameters);
    avx512_fixed_x8_and_constant(*mut u8, *const u8, usize, *const Constants, *const Parameters);
    avx512_fixed_x8_half(*mut u8, *const u8, usize, *const Constants, *const Parameters);
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
    /// The body of `sms8-avx512`. A last block whose schedule is a constant gains nothing: its lane's
    /// schedule is free.
    Sms8Avx512 1 Avx512Bmi2 sms8_avx512;
    /// The body of `packed-x2`.
    PackedX2 2 PackedVl packed_x2;
    /// The body of `avx512-x4-asm`.
    Avx512X4 4 Avx512Vl avx512_x4 { avx512vl::U64x4 };
    /// The body of `hybrid-x9`.
    HybridX9 9 Hybrid hybrid_x9;
    /// The body of `zen5-x9`.
    Zen5X9 9 Hybrid zen5_x9;
}

/// The body of `avx512-x8-asm`.
pub(super) struct Avx512X8;

/// Its messages.
const LANES: usize = 8;

/// The parameters of [`Finish`] kernels: see their files.
#[repr(C)]
struct Parameters {
    /// How words of states are stored: [`DIGEST`] or [`STATE`].
    shuffle: [u8; 16],
    /// A turn's first states.
    start: *const State,
    /// The distance in bytes from one turn's first states to the next turn's; 0 if all messages begin with
    /// one state.
    start_step: usize,
    /// For messages of half a block: K + W of the padding, words 8..16.
    padding: [u64; 8],
    /// To where the next ones begin.
    gap: [u64; 4],
    /// K + W of the block that all messages share.
    constant: [u64; 80],
}
const _: () = assert!(offset_of!(Parameters, start) == 16 && offset_of!(Parameters, start_step) == 24);
const _: () = assert!(offset_of!(Parameters, padding) == 32 && offset_of!(Parameters, constant) == 128);

impl Parameters {
    #[inline(always)]
    fn new(
        shuffle: [u8; 16],
        start: *const State,
        start_step: usize,
        last: Option<&PreExpanded<Compression>>,
    ) -> Self {
        let constant = last.map_or([0; 80], |last| *last.schedule());
        Self { shuffle, start, start_step, padding: [0; 8], gap: [0; 4], constant }
    }

    /// Takes the padding of messages of half a block: `first`, their block without them.
    #[inline(always)]
    fn take_padding(&mut self, first: &[u8; 128]) {
        for (t, bytes) in first.as_chunks().0.iter().enumerate().skip(8) {
            self.padding[t - 8] = u64::from_be_bytes(*bytes).wrapping_add(K[t]);
        }
    }
}

/// Words big-endian: digests.
const DIGEST: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
/// As they are: states.
const STATE: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// How many messages are copied at a time, if copies are needed.
const COPIED: usize = 2 * LANES;

impl Body<Compression> for Avx512X8 {
    type Proof = Avx512;
    const DEGREE: usize = LANES;
    const SHARES_CALLS: bool = true;

    #[inline(always)]
    fn compress(_: Avx512, turns: Turns<'_, Compression>) {
        assert!(turns.degree() == LANES);
        let (turns, n_turns, n_blocks) = turns.into_raw();
        // SAFETY: "Features"; "Input", turns of so many lanes.
        unsafe { avx512_x8(turns, n_turns, n_blocks, &CONSTANTS) }
    }

    #[inline(always)]
    fn compress_lanes(_: Avx512, states: &mut [State], input: Interleaved<'_>) {
        assert!(input.degree() == LANES);
        let (first, row_bytes, n_blocks) = input.into_raw();
        let states: &mut [State; LANES] = states.try_into().expect("a state a lane");
        // SAFETY: "Features"; "Input", of so many messages.
        unsafe { avx512_x8_lanes(states.as_mut_ptr(), &Words { first, row_bytes }, n_blocks, &CONSTANTS) }
    }

    #[inline(always)]
    fn finish_fixed(_: Avx512, job: FixedGroups<'_, Compression>) {
        let FixedGroups { start, shape, messages, digests, digest_bytes } = job;
        let (n, len_bytes) = (digests.len() / digest_bytes, shape.len_bytes);
        assert!(n * digest_bytes == digests.len() && n * len_bytes == messages.len());
        let mut parameters = Parameters::new(DIGEST, start, 0, shape.second.as_ref());
        let in_place: Option<Finish> = match (len_bytes, &shape.second) {
            (128, Some(_)) => Some(avx512_fixed_x8_and_constant),
            (128, None) => Some(avx512_fixed_x8),
            (64, None) => Some(avx512_fixed_x8_half),
            _ => None,
        };
        if let Some(kernel) = in_place
            && digest_bytes == size_of::<State>()
            && n.is_multiple_of(LANES)
        {
            parameters.take_padding(&shape.first);
            // SAFETY: "Features"; "Whole groups": so many messages and digests.
            unsafe { kernel(digests.as_mut_ptr(), messages.as_ptr(), n / LANES, &CONSTANTS, &parameters) }
            return;
        }
        let kernel = if shape.second.is_some() { avx512_fixed_x8_and_constant } else { avx512_fixed_x8 };
        let run = |to, from, n_turns| {
            // SAFETY: "Features"; so many messages, and room for as many results.
            unsafe { kernel(to, from, n_turns, &CONSTANTS, &parameters) }
        };
        // SAFETY: the kernel writes a result for each message.
        unsafe { finish_copied::<Compression, LANES, COPIED>(shape, messages, digests, digest_bytes, run) }
    }

    #[inline(always)]
    fn continue_many(_: Avx512, job: ContinueGroups<'_, Compression>) {
        let ContinueGroups { start, blocks, last, states, .. } = job;
        assert!(blocks.len() == states.len() && states.len().is_multiple_of(LANES));
        let n_turns = states.len() / LANES;
        let states = states.as_mut_ptr();
        // A turn's states are read before its results are written.
        let (start, start_step) = match start {
            Start::Shared(midstate) => (core::ptr::from_ref(midstate), 0),
            Start::Each => (states.cast_const(), size_of::<[State; LANES]>()),
        };
        let parameters = Parameters::new(STATE, start, start_step, last);
        let kernel = if last.is_some() { avx512_fixed_x8_and_constant } else { avx512_fixed_x8 };
        // SAFETY: "Features"; "Whole groups": so many blocks and states.
        unsafe { kernel(states.cast(), blocks.as_ptr().cast(), n_turns, &CONSTANTS, &parameters) }
    }
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
}
