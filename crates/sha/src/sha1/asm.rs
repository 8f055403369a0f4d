//! SHA-1's kernels in assembly (`asm/*.s`, written by `cargo xtask asm`, whose `sha1/` explains them): the
//! bodies of their rows.
//!
//! | body | messages | technique |
//! |---|---|---|
//! | [`Avx512X16`] [`Avx512X8`] | 16, 8 | AVX-512 alone, in zmm and ymm registers |
//! | [`SerialRor`] | 1 | general registers alone |
//! | [`Ssse3`] [`Ssse3Plain`] [`Avx`] [`Avx2Pairs`] | 1 | rounds in general registers, schedule in vectors |
//! | [`Sms4Sse`] [`Sms8Avx2`] | 1 | the same, schedules of several blocks side by side |
//! | [`ShaNiOne`] | 1 | SHA-NI |
//! | [`ShaNiX2`] [`ShaNiX3`] [`ShaNiX4`] | 2, 3, 4 | SHA-NI, interleaved, half of the schedule by AVX-512VL |
//!
//! # Safety
//! As `assembly.rs` says ("Features", "Input"), and:
//!
//! - **Own memory.** Scratch memory is on the stack, with the size and alignment that the files name.
//!
//! Scratch memory is not initialised, and not wiped here: only the caller knows what was secret, and wipes
//! the stack at the end ([`wipe_stack`](hashlanes_isa::wipe_stack)).
#![allow(unsafe_code)] // Assembly; argued above.

use core::mem::{MaybeUninit, offset_of};

use hashlanes_isa::avx512::{self, Avx512};
use hashlanes_isa::avx512vl::{self, Avx512Vl};
use hashlanes_isa::scalar::Scalar;
use hashlanes_isa::sse::Sse;
use hashlanes_isa::{Body, Features, OverLanes, Proof, Turns};

use super::compression::{Compression, K, State};
use crate::assembly::{
    Rows, bodies_of_one_message, by_rows, kernels_in_assembly, proofs, sha_ni_of_one, verbs_of_lanes,
};

// ---- Constants ----

/// Constants that kernels read in addition to their input.
#[repr(C, align(64))]
struct Constants {
    /// The mask of `vpshufb` that swaps the bytes of words.
    swap: [u32; 16],
    /// 5 m mod 16: where word A of message m is in a register of states.
    words: [u32; 16],
    /// 13 m mod 16, as 5 · 13 = 1 mod 16: the way back.
    messages: [u32; 16],
    k: [u32; 4],
    /// The mask of `vpshufb` that reverses 16 bytes.
    reverse: [u32; 4],
    /// From `words` of A to those of B, and so on: 5 m + 1.
    next_words: u32,
    /// The same of `messages`: 13 (m - 1) mod 16.
    next_messages: u32,
    /// To where the next begin.
    gap: [u32; 6],
    /// Each K eight times.
    k_in_all: [[u32; 8]; 4],
}
const _: () = assert!(offset_of!(Constants, words) == 64 && offset_of!(Constants, messages) == 128);
const _: () = assert!(offset_of!(Constants, k) == 192 && offset_of!(Constants, reverse) == 208);
const _: () =
    assert!(offset_of!(Constants, next_words) == 224 && offset_of!(Constants, next_messages) == 228);
const _: () = assert!(offset_of!(Constants, k_in_all) == 256);

static CONSTANTS: Constants = {
    let (mut swap, mut words, mut messages) = ([0; 16], [0; 16], [0; 16]);
    let mut i = 0;
    while i < 16 {
        swap[i] = 0x0001_0203 + 0x0404_0404 * (i as u32 % 4);
        words[i] = 5 * i as u32 % 16;
        messages[i] = 13 * i as u32 % 16;
        i += 1;
    }
    let reverse = [0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203];
    let k_in_all = [[K[0]; 8], [K[1]; 8], [K[2]; 8], [K[3]; 8]];
    Constants { swap, words, messages, k: K, reverse, next_words: 1, next_messages: 3, gap: [0; 6], k_in_all }
};

// ---- Kernels ----

/// Takes states, input, number of blocks, scratch memory and constants.
type Compress = unsafe extern "sysv64" fn(*mut State, *const Rows, usize, *mut Scratch, *const Constants);

kernels_in_assembly! {
    avx512_x16(*mut State, *const Rows, usize, *mut Scratch, *const Constants);
    avx512_x8(*mut State, *const Rows, usize, *mut Scratch, *const Constants);
    sha_ni(*const *mut u8, usize, usize, *const Constants);
    sha_ni_x2(*mut State, *const Rows, usize, *mut Scratch, *const Constants);
    sha_ni_x3(*mut State, *const Rows, usize, *mut Scratch, *const Constants);
    sha_ni_x4(*mut State, *const Rows, usize, *mut Scratch, *const Constants);
    serial_ror(*mut State, *const Rows, usize, *const Constants);
    ssse3(*mut State, *const Rows, usize, *const Constants);
    ssse3_plain(*mut State, *const Rows, usize, *const Constants);
    ssse3_repaired(*mut State, *const Rows, usize, *const Constants);
    ssse3_part(*mut State, *const Rows, usize, *const Constants);
    avx(*mut State, *const Rows, usize, *const Constants);
    avx2(*mut State, *const Rows, usize, *const Constants);
    sms4_sse(*mut State, *const Rows, usize, *const Constants);
    sms8_avx2(*mut State, *const Rows, usize, *const Constants);
    rounds_ror(*mut State, *const [u32; 80]);
    rounds_rorx(*mut State, *const [u32; 80]);
}

/// Bytes of scratch memory that every kernel can do with.
const SCRATCH_BYTES: usize = 320;

/// The scratch memory of a call.
#[repr(align(64))]
struct Scratch {
    _bytes: [u8; SCRATCH_BYTES],
}

/// Carries out turns of `N` messages.
///
/// # Safety
/// The kernel processes this number of messages, and the CPU has its features.
#[inline(always)]
unsafe fn compress<const N: usize>(kernel: Compress, turns: Turns<'_, Compression>) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    by_rows::<Compression, N>(turns, |states, rows, n_blocks| {
        // SAFETY: "Features" by the caller; "Input"; "Own memory"; so many states.
        unsafe { kernel(states.as_mut_ptr(), rows, n_blocks, scratch.as_mut_ptr(), &CONSTANTS) }
    });
}

// ---- The rows' bodies ----

/// The CPU has AVX-512F, BW and VL.
#[derive(Clone, Copy)]
pub(super) struct Avx512Asm {
    f: Avx512,
    vl: Avx512Vl,
}

impl Proof for Avx512Asm {
    const FEATURES: Features = Features::of(&["avx512f", "avx512bw", "avx512vl"]);
    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: these features are among those that the caller answers for.
        unsafe { Self { f: Avx512::assume(), vl: Avx512Vl::assume() } }
    }
}

proofs! {
    /// The CPU has the SHA extensions in addition to AVX-512F, BW and VL.
    ShaNiAvx512 ["sha", "avx", "avx512f", "avx512bw", "avx512vl"];
    /// The CPU has AVX.
    AvxAlone ["avx"];
    /// The CPU has AVX2, BMI1 and BMI2.
    Avx2Bmi ["avx2", "bmi1", "bmi2"];
}

macro_rules! sha_ni {
    ($($(#[$doc:meta])* $body:ident $degree:literal $kernel:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $body;

        impl Body<Compression> for $body {
            type Proof = ShaNiAvx512;
            const DEGREE: usize = $degree;

            #[inline(always)]
            fn compress(_: ShaNiAvx512, turns: Turns<'_, Compression>) {
                // SAFETY: "Features"; so many messages.
                unsafe { compress::<$degree>($kernel, turns) }
            }
        }
    )*};
}
sha_ni! {
    /// The body of `sha-ni-x2-asm`.
    ShaNiX2 2 sha_ni_x2;
    /// The body of `sha-ni-x3-asm`.
    ShaNiX3 3 sha_ni_x3;
    /// The body of `sha-ni-x4-asm`.
    ShaNiX4 4 sha_ni_x4;
}

/// Rows whose verbs except `compress` are those of a lane type.
macro_rules! avx512 {
    ($($(#[$doc:meta])* $body:ident $degree:literal $kernel:ident $lanes:ty, $proof:ident;)*) => {$(
        $(#[$doc])*
        pub(super) struct $body;

        impl Body<Compression> for $body {
            type Proof = Avx512Asm;
            const DEGREE: usize = $degree;

            #[inline(always)]
            fn compress(_: Avx512Asm, turns: Turns<'_, Compression>) {
                // SAFETY: "Features"; so many messages.
                unsafe { compress::<$degree>($kernel, turns) }
            }
            verbs_of_lanes!(Avx512Asm, OverLanes<$lanes, 5>, isa => isa.$proof);
        }
    )*};
}
avx512! {
    /// The body of `avx512-x16-asm`.
    Avx512X16 16 avx512_x16 avx512::U32x16, f;
    /// The body of `avx512-x8-asm`.
    Avx512X8 8 avx512_x8 avx512vl::U32x8, vl;
}

sha_ni_of_one! {}

bodies_of_one_message! {
    /// The body of `serial-ror`.
    SerialRor Scalar serial_ror rounds_ror;
    /// The body of `ssse3`.
    Ssse3 Sse ssse3 rounds_ror;
    /// The body of `ssse3-plain`.
    Ssse3Plain Sse ssse3_plain rounds_ror;
    /// The body of `ssse3-repaired`.
    Ssse3Repaired Sse ssse3_repaired rounds_ror;
    /// The body of `ssse3-part`.
    Ssse3Part Sse ssse3_part rounds_ror;
    /// The body of `avx`.
    Avx AvxAlone avx rounds_ror;
    /// The body of `avx2`.
    Avx2Pairs Avx2Bmi avx2 rounds_rorx;
    /// The body of `sms4-sse`.
    Sms4Sse Sse sms4_sse rounds_ror;
    /// The body of `sms8-avx2`.
    Sms8Avx2 Avx2Bmi sms8_avx2 rounds_rorx;
}
