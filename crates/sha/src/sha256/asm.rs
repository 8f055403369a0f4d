//! SHA-256's kernels in assembly (`asm/*.s`, written by `cargo xtask asm`, whose `sha256/` explains them): the
//! bodies of their rows.
//!
//! | body | messages | technique |
//! |---|---|---|
//! | [`SplitX16`] [`SplitX8`] [`SplitX4`] | 16, 8, 4 | schedules by AVX-512VL, rounds by SHA-NI, of different blocks at once |
//! | [`ShaNiX6`] | 6 | SHA-NI, interleaved |
//! | [`Avx512X16`] | 16 | AVX-512 alone |
//!
//! # Safety
//! A kernel is a function with the System V calling convention whose first lines are its contract: what each
//! argument points to. Every call here cites these facts:
//!
//! - **Features.** A body has a proof, whose features are those that the kernel's file names.
//! - **Input.** [`Pointers`] and [`Interleaved`] give the blocks that may be read; a kernel reads those and no
//!   others, whether it knows the next block or not: at the last one it reads that one again.
//! - **Own memory.** Scratch memory, states and parameters stand on the stack, of the sizes and alignments that the
//!   files name.
//! - **Whole groups.** The messages and results of `finish_fixed` and `continue_many` are slices, whose lengths are
//!   checked against the number of turns.
//!
//! Scratch memory is not initialised, which costs as much as half a block, and is not wiped here: what was secret is
//! known to the caller alone, who wipes the stack once, at the end of all ([`hashlanes_isa::wipe_stack`]).
#![allow(unsafe_code)] // Assembly; argued above.

use core::arch::naked_asm;
use core::mem::{MaybeUninit, offset_of};

use hashlanes_isa::avx512::{self, Avx512};
use hashlanes_isa::{
    Body, ContinueGroups, Features, FixedGroups, Interleaved, OverLanes, Pointers, Proof, Start,
};

use super::{Compression, K, State};

// ---- Constants ----

/// What kernels read beside their input.
#[repr(C, align(64))]
struct Constants {
    k: [u32; 64],
    /// The mask of `vpshufb` that swaps the bytes of words.
    swap: [u32; 16],
}

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
};

// ---- Kernels ----

/// A state as the SHA instructions have it: words F E B A H G D C.
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

/// Blocks behind pointers: block b of message m is at `rows[b * row_bytes / 8 + m] + b * step_bytes`.
#[repr(C)]
struct Rows {
    rows: *const *const u8,
    row_bytes: usize,
    step_bytes: usize,
}

/// Word-interleaved blocks: word t of block b of message m is at `first + (16 * b + t) * row_bytes + 4 * m`.
#[repr(C)]
struct Words {
    first: *const u8,
    row_bytes: usize,
}

/// Takes states, input, number of blocks, scratch memory and constants.
type Compress<S, I> = unsafe extern "sysv64" fn(*mut S, *const I, usize, *mut u8, *const Constants);
/// Takes results of 32 bytes, messages, number of turns, scratch memory, constants and parameters.
type Finish =
    unsafe extern "sysv64" fn(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);

/// Functions whose bodies are files.
macro_rules! kernels {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name($(_: $argument),*) {
            naked_asm!(include_str!(concat!("asm/", stringify!($name), ".s")), options(raw))
        }
    )*};
}
kernels! {
    split_x16(*mut Feba, *const Rows, usize, *mut u8, *const Constants);
    split_x16_lanes(*mut Feba, *const Words, usize, *mut u8, *const Constants);
    split_x8(*mut Feba, *const Rows, usize, *mut u8, *const Constants);
    split_x8_lanes(*mut Feba, *const Words, usize, *mut u8, *const Constants);
    split_x4(*mut Feba, *const Rows, usize, *mut u8, *const Constants);
    split_x4_lanes(*mut Feba, *const Words, usize, *mut u8, *const Constants);
    split_fixed_x16(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    split_fixed_x16_and_constant(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    split_fixed_x16_half(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    split_fixed_x8(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    split_fixed_x8_and_constant(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    split_fixed_x8_half(*mut u8, *const u8, usize, *mut u8, *const Constants, *const Parameters);
    sha_ni_x6(*mut Feba, *const Rows, usize, *mut u8, *const Constants);
    avx512_x16(*mut State, *const Rows, usize, *mut u8, *const Constants);
}

/// Bytes of scratch memory that every kernel can do with.
const SCRATCH_BYTES: usize = 10_624;

/// What a call has of its own: scratch memory and what else the kernel works on. At the beginning of a page, so that
/// it is the same for the caches in every process.
#[repr(C, align(4096))]
struct Own<T> {
    scratch: MaybeUninit<[u8; SCRATCH_BYTES]>,
    more: T,
}

impl<T> Own<T> {
    #[inline(always)]
    fn new(more: T) -> Self {
        Self { scratch: MaybeUninit::uninit(), more }
    }
    #[inline(always)]
    fn scratch(&mut self) -> *mut u8 {
        self.scratch.as_mut_ptr().cast()
    }
}

// ---- compress, compress_lanes ----

/// Compresses the input into `S` states that the kernel takes as F E B A H G D C.
///
/// # Safety
/// The kernel takes so many messages and input as `input` says, and the CPU has its features.
#[inline(always)]
unsafe fn compress<const S: usize, I>(
    kernel: Compress<Feba, I>,
    states: &mut [State],
    input: &I,
    n_blocks: usize,
) {
    assert!(states.len() == S);
    let mut own = Own::new([Feba([0; 8]); S]);
    for (feba, state) in own.more.iter_mut().zip(&*states) {
        *feba = Feba::new(*state);
    }
    let scratch = own.scratch();
    // SAFETY: "Features" and "Input" by the caller; "Own memory".
    unsafe { kernel(own.more.as_mut_ptr(), input, n_blocks, scratch, &CONSTANTS) };
    for (feba, state) in own.more.iter().zip(states) {
        *state = feba.state();
    }
}

/// Input by pointers as kernels take it, and the number of blocks.
#[inline(always)]
fn rows<const S: usize>(input: Pointers<'_>) -> (Rows, usize) {
    assert!(input.degree() == S);
    let (rows, row_stride, step_bytes, n_blocks) = input.into_raw();
    (Rows { rows, row_bytes: row_stride * size_of::<*const u8>(), step_bytes }, n_blocks)
}

/// Interleaved input as kernels take it, and the number of blocks.
#[inline(always)]
fn words<const S: usize>(input: Interleaved<'_>) -> (Words, usize) {
    assert!(input.degree() == S);
    let (first, row_bytes, n_blocks) = input.into_raw();
    (Words { first, row_bytes }, n_blocks)
}

// ---- finish_fixed, continue_many ----

/// What [`Finish`] kernels are told: see their files.
#[repr(C, align(16))]
struct Parameters {
    /// How states are stored: [`DIGEST`] or [`STATE`].
    shuffle: [u8; 16],
    /// A turn's first states.
    start: *const Feba,
    /// Bytes from a turn's first states to the next one's; 0: they are the same.
    start_step: usize,
    /// Of messages of half a block: K + W of the padding, words 8..16.
    padding: [u32; 8],
    /// What the padding brings to words 16..32.
    folded: [u32; 16],
    /// K + W of the block that all messages share.
    constant: [u32; 64],
}
const _: () = assert!(offset_of!(Parameters, start) == 16 && offset_of!(Parameters, start_step) == 24);
const _: () = assert!(offset_of!(Parameters, padding) == 32 && offset_of!(Parameters, folded) == 64);
const _: () = assert!(offset_of!(Parameters, constant) == 128);

/// Words F E B A to A B E F, big-endian: digests.
const DIGEST: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
/// The same, words as they are: states.
const STATE: [u8; 16] = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3];

impl Parameters {
    #[inline(always)]
    fn new(shuffle: [u8; 16], start: *const Feba, start_step: usize) -> Self {
        Self { shuffle, start, start_step, padding: [0; 8], folded: [0; 16], constant: [0; 64] }
    }

    /// Takes the padding of messages of half a block: `first`, their block without them. `false` if it is another
    /// than a one bit, zeros, and a length below 2^32 bits.
    #[inline(always)]
    fn take_padding(&mut self, first: &[u8; 64]) -> bool {
        let mut w = [0; 16];
        for (word, bytes) in w.iter_mut().zip(first.as_chunks().0).skip(8) {
            *word = u32::from_be_bytes(*bytes);
        }
        for i in 0..8 {
            self.padding[i] = w[8 + i].wrapping_add(K[8 + i]);
        }
        // Section 6.2.2, step 1, of words 8 and 15 alone: those between are zero.
        self.folded[17 - 16] = small_sigma1(w[15]);
        self.folded[22 - 16] = w[15];
        self.folded[23 - 16] = small_sigma0(w[8]);
        self.folded[24 - 16] = w[8];
        self.folded[30 - 16] = small_sigma0(w[15]);
        self.folded[31 - 16] = w[15];
        w[9..15] == [0; 6]
    }
}

fn small_sigma0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}
fn small_sigma1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// The kernels of one number of lanes.
struct Fixed {
    block: Finish,
    block_and_constant: Finish,
    half: Finish,
}

/// Messages that are copied at a time, where they have to be: eight turns of 16, of which the first one's schedule and
/// the last one's rounds stand alone.
const COPIED: usize = 128;

/// Room for what has to be copied; none of it is initialised before that.
struct Copies {
    parameters: Parameters,
    starts: [MaybeUninit<Feba>; COPIED],
    blocks: [MaybeUninit<[u8; 64]>; COPIED],
    results: [MaybeUninit<[u8; 32]>; COPIED],
}

impl Copies {
    #[inline(always)]
    fn new(shuffle: [u8; 16]) -> Self {
        Self {
            parameters: Parameters::new(shuffle, core::ptr::null(), 0),
            starts: [const { MaybeUninit::uninit() }; COPIED],
            blocks: [const { MaybeUninit::uninit() }; COPIED],
            results: [const { MaybeUninit::uninit() }; COPIED],
        }
    }
}

impl Own<Copies> {
    /// Lets all lanes start from `state`.
    #[inline(always)]
    fn start_from<const LANES: usize>(&mut self, state: &State) {
        for feba in &mut self.more.starts[..LANES] {
            feba.write(Feba::new(*state));
        }
        self.more.parameters.start = self.more.starts.as_ptr().cast();
        self.more.parameters.start_step = 0;
    }

    /// Runs so many turns.
    ///
    /// # Safety
    /// The CPU has the kernel's features. It takes `LANES` messages of `messages.len() / turns / LANES` bytes a turn,
    /// and states have been told to start somewhere.
    #[inline(always)]
    unsafe fn run<const LANES: usize>(&mut self, kernel: Finish, messages: &[u8], results: *mut u8) {
        
    }
}
