//! A kernel: one compiled way to compute a compression function, with its verbs.
//!
//! Every row has the verb `compress`, and `adaptors.rs` computes the other verbs with it. So every verb may
//! be called on every kernel; verbs that a kernel implements itself are faster there.

use crate::costs::Overheads;
use crate::table::{self, Entries};
use crate::turns::{MOST_BLOCKS, TurnList, list_words, turns_of_one};
use crate::{Fixed, Interleaved, KnownHalf, PreExpanded, Proof, Turns, Types, Word};

/// A compression function that has kernels.
pub trait Function: Types {
    /// The name in tables and, in upper case, in environment variables: `sha256`.
    const NAME: &'static str;
    /// The variable that forces a kernel by name: `HASHLANES_SHA256_KERNEL`.
    const KERNEL_VARIABLE: &'static str;
    /// Returns the table of kernels.
    fn table() -> &'static Table<Self>;
    /// Returns the table of kernels for a single message.
    fn table_of_one() -> &'static Table<Self>;
    /// Returns whether a kernel's own code of a verb has scratch memory on the stack: more than the states
    /// and blocks of its lanes. `cargo xtask guard` compares it with the frames.
    fn has_scratch(kernel: &str, verb: Verb) -> bool {
        let _ = (kernel, verb);
        false
    }
}

/// The verbs of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Compresses a list of turns: whole blocks into `degree` states each. Every kernel has it.
    Compress,
    /// Compresses word-interleaved input.
    CompressLanes,
    /// Computes digests of equal short messages.
    FinishFixed,
    /// Compresses one block, and perhaps a constant one, into each of many states.
    ContinueMany,
    /// Compresses a block with a known schedule into one state.
    Rounds,
}

impl Verb {
    const NAMES: [&'static str; 5] =
        ["compress", "compress_lanes", "finish_fixed", "continue_many", "rounds"];
    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// The states from which one-block continuations start.
#[derive(Debug)]
pub enum Start<'a, F: Function> {
    /// All from one midstate; the states are results only.
    Shared(&'a F::State),
    /// Each from its own state, which the result replaces.
    Each,
}

impl<F: Function> Clone for Start<'_, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Function> Copy for Start<'_, F> {}

/// The operands of `finish_fixed`: whole groups of `degree` messages.
#[derive(Debug)]
#[repr(C)]
pub struct FixedGroups<'a, F: Function> {
    /// The common initial state.
    pub start: &'a F::State,
    /// The messages' common shape.
    pub shape: &'a Fixed<F>,
    /// The messages, one after another, `shape.len_bytes` each.
    pub messages: &'a [u8],
    /// The digests, one after another.
    pub digests: &'a mut [u8],
    /// Bytes of a digest: the state's or fewer.
    pub digest_bytes: usize,
}

/// The operands of `continue_many`: whole groups of `degree` continuations.
#[derive(Debug)]
#[repr(C)]
pub struct ContinueGroups<'a, F: Function> {
    /// The initial states.
    pub start: Start<'a, F>,
    /// A block each.
    pub blocks: &'a [F::Block],
    /// The known half of all blocks: a kernel may ignore it.
    pub known: Option<&'a KnownHalf<F>>,
    /// A last block that all share.
    pub last: Option<&'a PreExpanded<F>>,
    /// The results, one state for each block.
    pub states: &'a mut [F::State],
}

/// The code of a kernel; [`kernels!`](crate::kernels) compiles the verbs that its row names.
///
/// Everything in it is `#[inline(always)]`, so that it is compiled with the row's features.
pub trait Body<F: Function> {
    /// The proof that the body needs.
    type Proof: Proof;
    /// Messages per call.
    const DEGREE: usize;
    /// Whether the machine code carries out a list of turns, so that they share what a call costs.
    const SHARES_CALLS: bool = false;

    /// Carries out the turns, of `DEGREE` lanes each.
    fn compress(isa: Self::Proof, turns: Turns<'_, F>);
    /// See [`Verb::CompressLanes`].
    #[inline(always)]
    fn compress_lanes(_: Self::Proof, _: &mut [F::State], _: Interleaved<'_>) {
        unreachable!("the row does not name this verb")
    }
    /// See [`Verb::FinishFixed`].
    #[inline(always)]
    fn finish_fixed(_: Self::Proof, _: FixedGroups<'_, F>) {
        unreachable!("the row does not name this verb")
    }
    /// See [`Verb::ContinueMany`].
    #[inline(always)]
    fn continue_many(_: Self::Proof, _: ContinueGroups<'_, F>) {
        unreachable!("the row does not name this verb")
    }
    /// See [`Verb::Rounds`].
    #[inline(always)]
    fn rounds(_: Self::Proof, _: &mut F::State, _: &F::Schedule) {
        unreachable!("the row does not name this verb")
    }
}

/// A row's compiled verbs. Calling one only requires a CPU with the row's features: the types of its
/// arguments guarantee the rest (see "Sources" in the crate's documentation).
#[derive(Debug)]
#[allow(clippy::type_complexity)] // Spelled out, a verb's type is its contract.
pub struct Verbs<F: Function> {
    /// [`Verb::Compress`].
    pub compress: unsafe fn(Turns<'_, F>),
    /// [`Verb::CompressLanes`].
    pub compress_lanes: Option<unsafe fn(&mut [F::State], Interleaved<'_>)>,
    /// [`Verb::FinishFixed`].
    pub finish_fixed: Option<unsafe fn(FixedGroups<'_, F>)>,
    /// [`Verb::ContinueMany`].
    pub continue_many: Option<unsafe fn(ContinueGroups<'_, F>)>,
    /// [`Verb::Rounds`].
    pub rounds: Option<unsafe fn(&mut F::State, &F::Schedule)>,
}

impl<F: Function> Entries for Verbs<F> {
    const NAMES: &'static [&'static str] = &Verb::NAMES;
    const OVERHEADS: &'static Overheads = &Overheads::HASHES;
    #[cfg(feature = "calibrate")]
    const RUN: Option<fn(&Kernel<F>, crate::Sample) -> bool> = Some(run_sample::<F>);
}

/// Runs a sample.
#[cfg(feature = "calibrate")]
fn run_sample<F: Function>(kernel: &Kernel<F>, sample: crate::Sample) -> bool {
    let crate::Sample::Group(n_blocks) = sample else { return run_equal_messages(kernel) };
    let message = |k: usize| &crate::sample::ZEROS.0[k * F::BLOCK_BYTES..][..n_blocks * F::BLOCK_BYTES];
    let messages: [_; crate::MAX_DEGREE] = core::array::from_fn(message);
    let mut states = [F::ZERO_STATE; crate::MAX_DEGREE];
    let degree = kernel.degree();
    kernel.compress(&mut states[..degree], &messages[..degree]);
    core::hint::black_box(states);
    true
}

#[cfg(feature = "calibrate")]
fn run_equal_messages<F: Function>(kernel: &Kernel<F>) -> bool {
    /// Bytes of the longest state.
    const STATE_BYTES: usize = 64;
    let Some(shape) = F::two_block_shape(F::BLOCK_BYTES).filter(|_| kernel.offers(Verb::FinishFixed)) else {
        return false;
    };
    let n = crate::sample::EQUAL / kernel.degree() * kernel.degree();
    let mut digests = [0; crate::sample::EQUAL * STATE_BYTES];
    let digests = &mut digests[..n * size_of::<F::State>()];
    let messages = &crate::sample::ZEROS.0[..n * F::BLOCK_BYTES];
    kernel.finish_fixed(&F::ZERO_STATE, shape, messages, digests, size_of::<F::State>());
    core::hint::black_box(digests);
    true
}

/// One compiled way to compute `F`.
pub type Kernel<F> = table::Kernel<Verbs<F>>;

/// All kernels of `F`.
pub type Table<F> = table::Table<Verbs<F>>;

impl<F: Function> Kernel<F> {
    /// Returns whether the row has the verb itself; otherwise an adaptor computes it.
    #[inline]
    pub fn offers(&self, verb: Verb) -> bool {
        self.has(verb as usize)
    }

    /// Carries out turns of the kernel's degree: the required verb, with which adaptors compute all others.
    #[inline(always)]
    pub(crate) fn carry_out(&self, turns: Turns<'_, F>) {
        debug_assert!(turns.degree() == self.degree);
        if turns.n_blocks() == 0 {
            return;
        }
        self.entered(turns.n_blocks());
        // SAFETY: a table returned `self`, so the CPU has its features; the type of the turns guarantees the
        // rest.
        unsafe { (self.verbs.compress)(turns) }
    }

    /// Compresses `messages[k]`, whole blocks and as many for each `k`, into `states[k]`.
    ///
    /// # Panics
    /// Panics unless there are [`degree`](Self::degree) states and as many messages, all of one length, a
    /// multiple of the block's.
    pub fn compress(&self, states: &mut [F::State], messages: &[&[u8]]) {
        assert!(
            states.len() == self.degree && messages.len() == self.degree,
            "{}: {} states and {} messages instead of {} each",
            self.name,
            states.len(),
            messages.len(),
            self.degree
        );
        let n_bytes = messages[0].len();
        assert!(n_bytes.is_multiple_of(F::BLOCK_BYTES), "{n_bytes} bytes are no whole blocks");
        assert!(messages.iter().all(|m| m.len() == n_bytes), "messages of different lengths");
        let states = states.as_mut_ptr();
        let mut list = TurnList::<F, { list_words(1) }>::new();
        let mut n_done = 0;
        while n_done < n_bytes / F::BLOCK_BYTES {
            let n_now = (n_bytes / F::BLOCK_BYTES - n_done).min(MOST_BLOCKS);
            list.push(self.degree, n_now, false, |k| {
                (messages[k][n_done * F::BLOCK_BYTES..].as_ptr(), states.wrapping_add(k))
            });
            // SAFETY: each message has this many blocks, and there is a state for each lane.
            unsafe { self.carry_out(list.take(self.degree)) }
            n_done += n_now;
        }
    }

    /// Compresses whole blocks of one message; the other lanes of a kernel that has several run idle.
    ///
    /// # Panics
    /// Panics unless `blocks` is whole blocks.
    #[inline]
    pub fn compress_one(&self, state: &mut F::State, blocks: &[u8]) {
        self.compress_body_and_end(state, blocks, &[]);
    }

    /// Compresses one message's body, whole blocks, and its end, in one call; the other lanes of a kernel
    /// that has several run idle.
    ///
    /// # Panics
    /// Panics unless `body` is whole blocks.
    #[inline]
    pub fn compress_body_and_end(&self, state: &mut F::State, body: &[u8], end: &[F::Block]) {
        let n_body = body.len() / F::BLOCK_BYTES;
        assert!(n_body * F::BLOCK_BYTES == body.len(), "{} bytes are no whole blocks", body.len());
        let parts = [(body.as_ptr(), n_body), (end.as_ptr().cast(), end.len())];
        if self.degree == 1 && n_body.max(end.len()) <= MOST_BLOCKS {
            // SAFETY: so many blocks at each of the places.
            unsafe { turns_of_one(state, parts, |turns| self.carry_out(turns)) }
        } else {
            // SAFETY: as above.
            unsafe { self.compress_parts(parts, state) }
        }
    }

    /// Compresses the blocks of both parts into a state; the other lanes read the same blocks into an unused
    /// state. A function of its own: its list would take room on the stack where no lane is idle.
    ///
    /// # Safety
    /// The blocks may be read at each place.
    #[inline(never)]
    unsafe fn compress_parts(&self, parts: [(*const u8, usize); 2], state: &mut F::State) {
        let mut idle = *state;
        let states: [*mut F::State; 2] = [state, &mut idle];
        let state = |k: usize| states[usize::from(k > 0)];
        let mut list = TurnList::<F, { list_words(2) }>::new();
        let mut goes_on = false;
        for (mut at, mut n_blocks) in parts {
            while n_blocks > 0 {
                if !list.has_room(list_words(1)) {
                    // SAFETY: the caller's contract.
                    unsafe { self.carry_out(list.take(self.degree)) }
                    goes_on = false;
                }
                let n_now = n_blocks.min(MOST_BLOCKS);
                list.push(self.degree, n_now, goes_on, |k| (at, state(k)));
                (at, n_blocks) = (at.wrapping_add(n_now * F::BLOCK_BYTES), n_blocks - n_now);
                goes_on = true;
            }
        }
        // SAFETY: the caller's contract.
        unsafe { self.carry_out(list.take(self.degree)) }
    }

    /// Compresses a block with a known schedule into one state.
    #[inline]
    pub fn rounds(&self, state: &mut F::State, block: &PreExpanded<F>) {
        match self.verbs.rounds {
            Some(verb) => {
                self.entered(1);
                // SAFETY: as in `carry_out`.
                unsafe { verb(state, block.schedule()) }
            }
            None => self.compress_one(state, block.block().as_ref()),
        }
    }
}

/// Writes a state big-endian, or as much of it as the digest has room for.
#[doc(hidden)]
#[inline(always)]
pub fn put_digest<F: Function>(state: &F::State, digest: &mut [u8]) {
    // Of a whole state the length is known to the compiler.
    match digest.len() == size_of::<F::State>() {
        true => put_words::<F>(state, &mut digest[..size_of::<F::State>()]),
        false => put_words::<F>(state, digest),
    }
}

#[inline(always)]
fn put_words<F: Function>(state: &F::State, digest: &mut [u8]) {
    // Word by word: a copy whose length is not known would be a call of `memcpy`, and a digest made in one
    // piece first would take the row's widest registers.
    let mut words = state.as_ref().iter();
    let mut bytes = digest.chunks_exact_mut(F::Word::BYTES);
    for (bytes, word) in bytes.by_ref().zip(words.by_ref()) {
        word.put_be(bytes);
    }
    // SHA-512/224's digest ends within a word.
    let rest = bytes.into_remainder();
    if let (Some(word), false) = (words.next(), rest.is_empty()) {
        word.put_be(rest);
    }
}

/// Like [`put_digest`], all of a state that was stored: in code that has no bytes' shuffles, two words are
/// written at a time.
#[doc(hidden)]
#[inline(always)]
pub fn put_stored_state<F: Function>(state: &F::State, digest: &mut [u8]) {
    let (pairs, last) = state.as_ref().as_chunks::<2>();
    let (of_pairs, of_last) = digest[..size_of::<F::State>()].split_at_mut(2 * F::Word::BYTES * pairs.len());
    for (pair, bytes) in pairs.iter().zip(of_pairs.chunks_exact_mut(2 * F::Word::BYTES)) {
        F::Word::put_be_pair(*pair, bytes);
    }
    if let Some(word) = last.first() {
        word.put_be(of_last);
    }
}
