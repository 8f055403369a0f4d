//! SHA-256's kernels in assembly (`asm/*.s`, written by `cargo xtask asm`, whose `sha256/` explains them):
//! the bodies of their rows.
//!
//! | body | messages | technique |
//! |---|---|---|
//! | [`SplitX16`] [`SplitX8`] [`SplitX4`] | 16, 8, 4 | schedules by AVX-512VL, rounds by SHA-NI |
//! | [`ShaNiOne`] [`ShaNiX6`] | 1, 6 | SHA-NI, interleaved |
//! | [`Avx512X16`] [`Zen5X16`] | 16 | AVX-512 alone; with sums for Zen 5 |
//! | [`Avx512VlX8`] | 8 | AVX-512VL alone |
//! | [`StitchedAvx2`] [`StitchedAvx512`] | 1 | rounds in general registers, schedules in vectors |
//! | [`SerialRor`] [`SerialShrd`] [`SerialRorx`] | 1 | general registers alone |
//!
//! # Safety
//! As `assembly.rs` says ("Features", "Input"), and:
//!
//! - **Own memory.** Scratch memory, states and parameters are on the stack, with the sizes and alignments
//!   that the files name.
//! - **Whole groups.** The messages and results of `finish_fixed` and `continue_many` are slices, whose
//!   lengths are checked against the number of turns.
//!
//! Scratch memory is neither initialised nor wiped here; wiping would cost 135 to 180 cycles per call. Only
//! the caller knows whether the messages were secret; it wipes the stack at the end
//! ([`wipe_stack`](hashlanes_isa::wipe_stack)).
#![allow(unsafe_code)] // Assembly; argued above.

use core::mem::{MaybeUninit, offset_of};

use hashlanes_isa::avx512::Avx512;
use hashlanes_isa::avx512vl::Avx512Vl;
use hashlanes_isa::scalar::Scalar;
use hashlanes_isa::sse::Sse;
use hashlanes_isa::{Body, ContinueGroups, FixedGroups, Interleaved, Start, Turns};

use super::compression::{Compression, K, State, small_sigma0, small_sigma1};
use crate::assembly::{
    Rows, bodies_of_one_message, by_rows, finish_copied, kernels_in_assembly, proofs, sha_ni_of_one,
};

// ---- Constants ----

/// Constants that kernels read in addition to their input.
#[repr(C, align(64))]
struct Constants {
    k: [u32; 64],
    /// The mask of `vpshufb` that swaps the bytes of words.
    swap: [u32; 16],
    /// Masks that move words 0 and 2 of four to places 0 and 1, and to 2 and 3, with zeros elsewhere.
    low: [[u32; 4]; 2],
    high: [[u32; 4]; 2],
    /// Four words of K, twice.
    twice: [[[u32; 4]; 2]; 16],
    /// Every word of K four times.
    four_times: [[u32; 4]; 64],
}
const _: () = assert!(offset_of!(Constants, swap) == 256 && offset_of!(Constants, low) == 320);
const _: () = assert!(offset_of!(Constants, high) == 352 && offset_of!(Constants, twice) == 384);
const _: () = assert!(offset_of!(Constants, four_times) == 896);

static CONSTANTS: Constants = Constants {
    k: K,
    swap: {
        let mut swap = [0; 16];
        let mut i = 0;
        while i < 16 {
            swap[i] = 0x0001_0203 + 0x0404_0404 * (i as u32 % 4);
            i += 1;
        }
        swap
    },
    low: [[0x0302_0100, 0x0b0a_0908, ZEROS, ZEROS]; 2],
    high: [[ZEROS, ZEROS, 0x0302_0100, 0x0b0a_0908]; 2],
    twice: {
        let mut twice = [[[0; 4]; 2]; 16];
        let mut g = 0;
        while g < 16 {
            twice[g] = [[K[4 * g], K[4 * g + 1], K[4 * g + 2], K[4 * g + 3]]; 2];
            g += 1;
        }
        twice
    },
    four_times: {
        let mut four_times = [[0; 4]; 64];
        let mut t = 0;
        while t < 64 {
            four_times[t] = [K[t]; 4];
            t += 1;
        }
        four_times
    },
};

/// Four bytes of a mask of `vpshufb` that make zeros.
const ZEROS: u32 = u32::MAX;

// ---- Kernels ----

/// A state in the order of the SHA instructions: words F E B A H G D C.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Feba([u32; 8]);

impl Feba {
    #[inline(always)]
    fn new([a, b, c, d, e, f, g, h]: State) -> Self {
        Self([f, e, b, a, h, g, d, c])
    }
    #[inline(always)]
    fn state(self) -> State {
        let [f, e, b, a, h, g, d, c] = self.0;
        [a, b, c, d, e, f, g, h]
    }
}

/// Word-interleaved blocks: word t of block b of message m is at `first + (16 * b + t) * row_bytes + 4 * m`.
#[repr(C)]
struct Words {
    first: *const u8,
    row_bytes: usize,
}

/// Takes states, input, number of blocks, scratch memory and constants.
type Compress<S, I> = unsafe extern "sysv64" fn(*mut S, *const I, usize, *mut Scratch, *const Constants);
/// Takes results of 32 bytes, messages, number of turns, scratch memory, constants and parameters.
type Finish =
    unsafe extern "sysv64" fn(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);

kernels_in_assembly! {
    split_x16(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    split_x16_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    split_x8(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    split_x8_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    split_x4(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    split_x4_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    split_fixed_x16(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    split_fixed_x16_and_constant(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    split_fixed_x16_half(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    split_fixed_x8(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    split_fixed_x8_and_constant(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    split_fixed_x8_half(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512_x16(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    avx512_x16_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    avx512_fixed_x16(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512_fixed_x16_and_constant(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512_fixed_x16_half(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    zen5_x16(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    zen5_x16_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    zen5_fixed_x16(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    zen5_fixed_x16_and_constant(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    zen5_fixed_x16_half(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512vl_x8(*const *mut u8, usize, usize, *mut Scratch, *const Constants);
    avx512vl_x8_lanes(*mut Feba, *const Words, usize, *mut Scratch, *const Constants);
    avx512vl_fixed_x8(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512vl_fixed_x8_and_constant(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    avx512vl_fixed_x8_half(*mut u8, *const u8, usize, *mut Scratch, *const Constants, *const Parameters);
    sha_ni(*const *mut u8, usize, usize, *const Constants);
    sha_ni_x6(*mut Feba, *const Rows, usize, *mut Scratch, *const Constants);
    serial_ror(*mut State, *const Rows, usize, *const Constants);
    serial_shrd(*mut State, *const Rows, usize, *const Constants);
    serial_rorx(*mut State, *const Rows, usize, *const Constants);
    stitched_avx2(*mut State, *const Rows, usize, *const Constants);
    stitched_avx512(*mut State, *const Rows, usize, *const Constants);
    sse4(*mut State, *const Rows, usize, *const Constants);
    avx(*mut State, *const Rows, usize, *const Constants);
    avx2_rorx2(*mut State, *const Rows, usize, *const Constants);
    avx2_rorx8(*mut State, *const Rows, usize, *const Constants);
    sms4_sse(*mut State, *const Rows, usize, *const Constants);
    sms4_avx(*mut State, *const Rows, usize, *const Constants);
    sms4_sse_shrd(*mut State, *const Rows, usize, *const Constants);
    sms4_avx_shrd(*mut State, *const Rows, usize, *const Constants);
    sms4_avx_rem(*mut State, *const Rows, usize, *const Constants);
    sms8_avx2(*mut State, *const Rows, usize, *const Constants);
    sms16_avx512(*mut State, *const Rows, usize, *const Constants);
    rounds_ror(*mut State, *const [u32; 64]);
    rounds_shrd(*mut State, *const [u32; 64]);
    rounds_rorx(*mut State, *const [u32; 64]);
}

/// Bytes of scratch memory that every kernel can do with.
const SCRATCH_BYTES: usize = 10_624;

/// The scratch memory of a call. At the beginning of a page, like all of the call's stack memory, so that its
/// placement in the caches is the same in every process.
#[repr(align(4096))]
struct Scratch {
    _bytes: [u8; SCRATCH_BYTES],
}

// ---- compress, compress_lanes ----

/// Calls a kernel of `S` messages that takes states as F E B A H G D C.
///
/// # Safety
/// The kernel processes this number of messages with input as `input` describes, and the CPU has its
/// features.
#[inline(always)]
unsafe fn compress<const S: usize, I>(
    kernel: Compress<Feba, I>,
    states: &mut [State; S],
    input: &I,
    n_blocks: usize,
) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    let mut febas = states.map(Feba::new);
    // SAFETY: "Features" and "Input" by the caller; "Own memory".
    unsafe { kernel(febas.as_mut_ptr(), input, n_blocks, scratch.as_mut_ptr(), &CONSTANTS) };
    *states = febas.map(Feba::state);
}

/// Carries out turns of `S` messages on such a kernel.
///
/// # Safety
/// The kernel processes this number of messages, and the CPU has its features.
#[inline(always)]
unsafe fn by_turns<const S: usize>(kernel: Compress<Feba, Rows>, turns: Turns<'_, Compression>) {
    by_rows::<Compression, S>(turns, |states, rows, n_blocks| {
        // SAFETY: "Features" by the caller; "Input", from places of so many messages.
        unsafe { compress::<S, Rows>(kernel, states, rows, n_blocks) }
    });
}

/// Interleaved input as kernels take it, and the number of blocks.
#[inline(always)]
fn words<const S: usize>(input: Interleaved<'_>) -> (Words, usize) {
    assert!(input.degree() == S);
    let (first, row_bytes, n_blocks) = input.into_raw();
    (Words { first, row_bytes }, n_blocks)
}

// ---- finish_fixed, continue_many ----

/// The parameters of [`Finish`] kernels: see their files.
#[repr(C, align(16))]
struct Parameters {
    /// How states are stored: [`DIGEST`] or [`STATE`].
    shuffle: [u8; 16],
    /// A turn's first states.
    start: *const Feba,
    /// The distance in bytes from one turn's first states to the next turn's; 0 if all turns use the same.
    start_step: usize,
    /// For messages of half a block: K + W of the padding, words 8..16.
    padding: [u32; 8],
    /// The contribution of the padding to words 16..32.
    folded: [u32; 16],
    /// K + W of the block that all messages share.
    constant: [u32; 64],
}
const _: () = assert!(offset_of!(Parameters, start) == 16 && offset_of!(Parameters, start_step) == 24);
const _: () = assert!(offset_of!(Parameters, padding) == 32 && offset_of!(Parameters, folded) == 64);
const _: () = assert!(offset_of!(Parameters, constant) == 128);

/// Words F E B A to A B E F, big-endian: digests.
const DIGEST: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
/// The same as words: states.
const STATE: [u8; 16] = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3];

impl Parameters {
    #[inline(always)]
    fn new(shuffle: [u8; 16]) -> Self {
        let start = core::ptr::null();
        Self { shuffle, start, start_step: 0, padding: [0; 8], folded: [0; 16], constant: [0; 64] }
    }

    /// Takes the padding of messages of half a block: `first`, their block without them. `false` if it is
    /// another than a one bit, zeros, and a length below 2^32 bits.
    #[inline(always)]
    fn take_padding(&mut self, first: &[u8; 64]) -> bool {
        let mut w = [0; 16];
        for (word, bytes) in w.iter_mut().zip(first.as_chunks().0).skip(8) {
            *word = u32::from_be_bytes(*bytes);
        }
        for i in 0..8 {
            self.padding[i] = w[8 + i].wrapping_add(K[8 + i]);
        }
        // Section 6.2.2, step 1, only for words 8 and 15: those between are zero.
        self.folded[17 - 16] = small_sigma1(w[15]);
        self.folded[22 - 16] = w[15];
        self.folded[23 - 16] = small_sigma0(w[8]);
        self.folded[24 - 16] = w[8];
        self.folded[30 - 16] = small_sigma0(w[15]);
        self.folded[31 - 16] = w[15];
        w[9..15] == [0; 6]
    }
}

/// How many messages are copied at a time, if copies are needed: eight turns of 16. The schedule of the first
/// turn and the rounds of the last overlap with no other turn.
const COPIED: usize = 128;

/// The kernels that take `LANES` messages a turn.
trait Fixed<const LANES: usize> {
    /// Of a block.
    const BLOCK: Finish;
    /// Of a block, and one that all messages share.
    const BLOCK_AND_CONSTANT: Finish;
    /// Of half a block.
    const HALF: Finish;

    /// Processes any number of messages; those of 64 and 32 bytes are read in place, others are copied and
    /// padded.
    ///
    /// # Safety
    /// The CPU has the kernels' features.
    #[inline(always)]
    unsafe fn finish_fixed(job: FixedGroups<'_, Compression>) {
        let FixedGroups { start, shape, messages, digests, digest_bytes } = job;
        let (n, len_bytes) = (digests.len() / digest_bytes, shape.len_bytes);
        assert!(n * digest_bytes == digests.len() && n * len_bytes == messages.len());
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let starts = [Feba::new(*start); LANES];
        let mut parameters = Parameters::new(DIGEST);
        parameters.start = starts.as_ptr();
        if let Some(second) = &shape.second {
            parameters.constant = *second.schedule();
        }

        let in_place = match (len_bytes, &shape.second) {
            (64, Some(_)) => Some(Self::BLOCK_AND_CONSTANT),
            (64, None) => Some(Self::BLOCK),
            (32, None) if parameters.take_padding(&shape.first) => Some(Self::HALF),
            _ => None,
        };
        let mut done = 0;
        if let Some(kernel) = in_place
            && digest_bytes == size_of::<State>()
        {
            let n_turns = n / LANES;
            // SAFETY: "Features" by the caller; "Whole groups": so many messages and digests; "Own memory".
            unsafe {
                let (to, from) = (digests.as_mut_ptr(), messages.as_ptr());
                kernel(to, from, n_turns, scratch.as_mut_ptr(), &CONSTANTS, &parameters);
            }
            done = n_turns * LANES;
        }

        let kernel = if shape.second.is_some() { Self::BLOCK_AND_CONSTANT } else { Self::BLOCK };
        let (messages, digests) = (&messages[done * len_bytes..], &mut digests[done * digest_bytes..]);
        let run = |to, from, n_turns| {
            // SAFETY: "Features" by the caller; so many messages, and room for as many results; "Own memory".
            unsafe { kernel(to, from, n_turns, scratch.as_mut_ptr(), &CONSTANTS, &parameters) };
        };
        // SAFETY: the kernel writes a result for each message.
        unsafe { finish_copied::<Compression, LANES, COPIED>(shape, messages, digests, digest_bytes, run) };
    }

    /// Processes any number of continuations; their blocks are read in place.
    ///
    /// # Safety
    /// The CPU has the kernels' features.
    #[inline(always)]
    unsafe fn continue_many(job: ContinueGroups<'_, Compression>) {
        let ContinueGroups { start, blocks: all_blocks, last, states: all_states, .. } = job;
        assert!(all_blocks.len() == all_states.len());
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        let mut parameters = Parameters::new(STATE);
        let mut starts = [const { MaybeUninit::<Feba>::uninit() }; COPIED];
        let kernel = if last.is_some() { Self::BLOCK_AND_CONSTANT } else { Self::BLOCK };
        if let Some(last) = last {
            parameters.constant = *last.schedule();
        }
        let n_at_once = match start {
            Start::Shared(midstate) => {
                starts[..LANES].fill(MaybeUninit::new(Feba::new(*midstate)));
                all_blocks.len().max(1)
            }
            Start::Each => {
                parameters.start_step = LANES * size_of::<Feba>();
                COPIED
            }
        };
        for (states, some_blocks) in all_states.chunks_mut(n_at_once).zip(all_blocks.chunks(n_at_once)) {
            if let Start::Each = start {
                for (feba, state) in starts.iter_mut().zip(&*states) {
                    feba.write(Feba::new(*state));
                }
            }
            parameters.start = starts.as_ptr().cast();
            let n_turns = states.len() / LANES;
            let (to, from) = (states.as_mut_ptr().cast(), some_blocks.as_ptr().cast());
            // SAFETY: "Features" by the caller; "Whole groups": so many blocks and states; "Own memory".
            unsafe { kernel(to, from, n_turns, scratch.as_mut_ptr(), &CONSTANTS, &parameters) };

            let done = n_turns * LANES;
            let rest = &mut states[done..];
            if rest.is_empty() {
                continue;
            }
            // Part of a turn: the lanes without a message take the first one of the rest.
            let mut blocks = [const { MaybeUninit::<[u8; 64]>::uninit() }; LANES];
            let mut results = [const { MaybeUninit::<State>::uninit() }; LANES];
            for (lane, block) in blocks.iter_mut().enumerate() {
                block.write(some_blocks[done + if lane < rest.len() { lane } else { 0 }]);
            }
            if let Start::Each = start {
                starts.copy_within(done..done + rest.len(), 0);
                let first = starts[0];
                starts[rest.len()..LANES].fill(first);
                parameters.start = starts.as_ptr().cast();
            }
            let (to, from) = (results.as_mut_ptr().cast(), blocks.as_ptr().cast());
            // SAFETY: "Features" by the caller; a turn's blocks, states and results; "Own memory".
            unsafe { kernel(to, from, 1, scratch.as_mut_ptr(), &CONSTANTS, &parameters) };
            for (state, result) in rest.iter_mut().zip(&results) {
                // SAFETY: the kernel wrote it; any bytes are a state.
                *state = unsafe { result.assume_init() };
            }
        }
    }
}

/// The kernels that split kernels have.
struct SplitFixed;

impl Fixed<16> for SplitFixed {
    const BLOCK: Finish = split_fixed_x16;
    const BLOCK_AND_CONSTANT: Finish = split_fixed_x16_and_constant;
    const HALF: Finish = split_fixed_x16_half;
}

impl Fixed<8> for SplitFixed {
    const BLOCK: Finish = split_fixed_x8;
    const BLOCK_AND_CONSTANT: Finish = split_fixed_x8_and_constant;
    const HALF: Finish = split_fixed_x8_half;
}

/// The kernels that `avx512-x16-asm` has.
struct Avx512Fixed;

impl Fixed<16> for Avx512Fixed {
    const BLOCK: Finish = avx512_fixed_x16;
    const BLOCK_AND_CONSTANT: Finish = avx512_fixed_x16_and_constant;
    const HALF: Finish = avx512_fixed_x16_half;
}

/// The kernels that `zen5-x16` has.
struct Zen5Fixed;

impl Fixed<16> for Zen5Fixed {
    const BLOCK: Finish = zen5_fixed_x16;
    const BLOCK_AND_CONSTANT: Finish = zen5_fixed_x16_and_constant;
    const HALF: Finish = zen5_fixed_x16_half;
}

/// The kernels that `avx512vl-x8-asm` has.
struct Avx512VlFixed;

impl Fixed<8> for Avx512VlFixed {
    const BLOCK: Finish = avx512vl_fixed_x8;
    const BLOCK_AND_CONSTANT: Finish = avx512vl_fixed_x8_and_constant;
    const HALF: Finish = avx512vl_fixed_x8_half;
}

// ---- The rows' bodies ----

proofs! {
    /// The CPU has what split kernels need.
    Split ["sha", "ssse3", "sse4.1", "avx", "avx512f", "avx512bw", "avx512vl"];
    /// The CPU has the SHA extensions and AVX.
    ShaNiAvx ["sha", "ssse3", "sse4.1", "avx"];
    /// The CPU has `rorx`.
    Bmi2 ["bmi2"];
    /// The CPU has AVX.
    AvxAlone ["avx"];
    /// The CPU has AVX2 and `rorx`.
    Avx2Bmi2 ["avx2", "bmi2"];
    /// The CPU has AVX-512VL and `rorx`.
    Avx512Bmi2 ["avx512f", "avx512vl", "bmi2"];
    /// The CPU has AVX-512BW and VL, and `rorx`.
    Avx512BwBmi2 ["avx512f", "avx512bw", "avx512vl", "bmi2"];
}

/// The body of `split-x16`.
pub(super) struct SplitX16;
/// The body of `split-x8`.
pub(super) struct SplitX8;
/// The body of `split-x4`: of each message, two consecutive blocks at once.
pub(super) struct SplitX4;
/// The body of `avx512-x16-asm`.
pub(super) struct Avx512X16;
/// The body of `zen5-x16`.
pub(super) struct Zen5X16;

/// The body of `avx512vl-x8-asm`.
pub(super) struct Avx512VlX8;

/// Bodies of kernels that carry out lists of turns.
macro_rules! bodies_of_turns {
    ($($body:ident $proof:ident $degree:literal $by_turns:ident $by_lanes:ident ($fixed:ident, $lanes:literal);)*) => {$(
        impl Body<Compression> for $body {
            type Proof = $proof;
            const DEGREE: usize = $degree;
            const SHARES_CALLS: bool = true;

            #[inline(always)]
            fn compress(_: $proof, turns: Turns<'_, Compression>) {
                assert!(turns.degree() == $degree);
                let (turns, n_turns, n_blocks) = turns.into_raw();
                let mut scratch = MaybeUninit::<Scratch>::uninit();
                // SAFETY: "Features"; "Input", turns of so many lanes; "Own memory".
                unsafe { $by_turns(turns, n_turns, n_blocks, scratch.as_mut_ptr(), &CONSTANTS) }
            }
            #[inline(always)]
            fn compress_lanes(_: $proof, states: &mut [State], input: Interleaved<'_>) {
                let (input, n_blocks) = words::<$degree>(input);
                let states = states.try_into().expect("a state a lane");
                // SAFETY: "Features"; "Input", of so many messages.
                unsafe { compress::<$degree, _>($by_lanes, states, &input, n_blocks) }
            }
            #[inline(always)]
            fn finish_fixed(_: $proof, job: FixedGroups<'_, Compression>) {
                // SAFETY: "Features".
                unsafe { <$fixed as Fixed<$lanes>>::finish_fixed(job) }
            }
            #[inline(always)]
            fn continue_many(_: $proof, job: ContinueGroups<'_, Compression>) {
                // SAFETY: "Features".
                unsafe { <$fixed as Fixed<$lanes>>::continue_many(job) }
            }
        }
    )*};
}
bodies_of_turns! {
    SplitX16  Split  16 split_x16  split_x16_lanes  (SplitFixed, 16);
    SplitX8   Split   8 split_x8   split_x8_lanes   (SplitFixed, 8);
    SplitX4   Split   4 split_x4   split_x4_lanes   (SplitFixed, 8);
    Avx512X16 Avx512 16 avx512_x16 avx512_x16_lanes (Avx512Fixed, 16);
    Zen5X16   Avx512 16 zen5_x16   zen5_x16_lanes   (Zen5Fixed, 16);
    Avx512VlX8 Avx512Vl 8 avx512vl_x8 avx512vl_x8_lanes (Avx512VlFixed, 8);
}

/// The body of `sha-ni-x6-asm`.
pub(super) struct ShaNiX6;

impl Body<Compression> for ShaNiX6 {
    type Proof = ShaNiAvx;
    const DEGREE: usize = 6;

    #[inline(always)]
    fn compress(_: ShaNiAvx, turns: Turns<'_, Compression>) {
        // SAFETY: "Features"; so many messages.
        unsafe { by_turns::<6>(sha_ni_x6, turns) }
    }
}

sha_ni_of_one! {}

bodies_of_one_message! {
    /// The body of `serial-ror`.
    SerialRor Scalar serial_ror rounds_ror;
    /// The body of `serial-shrd`.
    SerialShrd Scalar serial_shrd rounds_shrd;
    /// The body of `serial-rorx`.
    SerialRorx Bmi2 serial_rorx rounds_rorx;
    /// The body of `stitched-avx2`.
    StitchedAvx2 Avx2Bmi2 stitched_avx2 rounds_rorx;
    /// The body of `stitched-avx512`.
    StitchedAvx512 Avx512Bmi2 stitched_avx512 rounds_rorx;
    /// The body of `sse4`.
    Sse4 Sse sse4 rounds_ror;
    /// The body of `avx`.
    Avx AvxAlone avx rounds_ror;
    /// The body of `avx2-rorx2`.
    Avx2Rorx2 Avx2Bmi2 avx2_rorx2 rounds_rorx;
    /// The body of `avx2-rorx8`.
    Avx2Rorx8 Avx2Bmi2 avx2_rorx8 rounds_rorx;
    /// The body of `sms4-sse`.
    Sms4Sse Sse sms4_sse rounds_ror;
    /// The body of `sms4-avx`.
    Sms4Avx AvxAlone sms4_avx rounds_ror;
    /// The body of `sms4-sse-shrd`.
    Sms4SseShrd Sse sms4_sse_shrd rounds_shrd;
    /// The body of `sms4-avx-shrd`.
    Sms4AvxShrd AvxAlone sms4_avx_shrd rounds_shrd;
    /// The body of `sms4-avx-rem`.
    Sms4AvxRem AvxAlone sms4_avx_rem rounds_ror;
    /// The body of `sms8-avx2`.
    Sms8Avx2 Avx2Bmi2 sms8_avx2 rounds_rorx;
    /// The body of `sms16-avx512`.
    Sms16Avx512 Avx512BwBmi2 sms16_avx512 rounds_rorx;
}
