//! A kernel: one compiled way to compute a compression function, with its verbs.
//!
//! A row must have the verb `compress`; what else it leaves out, `adaptors.rs` does over `compress`. So
//! every verb may be called on every kernel, and a kernel that offers one of its own is faster there.

use crate::costs::Overheads;
use crate::table::{self, Entries};
use crate::turns::{MOST_BLOCKS, TurnList, carry_out_one, list_words};
use crate::{Fixed, Function, Half, Interleaved, KnownHalf, PreExpanded, Proof, Turns, Word, adaptors};

/// The verbs of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A list of turns: whole blocks into `degree` states each. Every kernel has it.
    Compress,
    /// The same from word-interleaved input.
    CompressLanes,
    /// Digests of equal short messages.
    FinishFixed,
    /// One block, and perhaps a constant one, into many states.
    ContinueMany,
    /// A block whose schedule is known into one state.
    Rounds,
}

impl Verb {
    const NAMES: [&'static str; 5] =
        ["compress", "compress_lanes", "finish_fixed", "continue_many", "rounds"];
    /// As in tables.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Where one-block continuations start.
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

/// What `finish_fixed` works on: whole groups of `degree` messages.
#[derive(Debug)]
pub struct FixedGroups<'a, F: Function> {
    /// The state that all start from.
    pub start: &'a F::State,
    /// The messages' common shape.
    pub shape: &'a Fixed<F>,
    /// The messages, one after the other, `shape.len_bytes` each.
    pub messages: &'a [u8],
    /// The digests, one after the other.
    pub digests: &'a mut [u8],
    /// Bytes of a digest: the state's or fewer.
    pub digest_bytes: usize,
}

/// What `continue_many` works on: whole groups of `degree` continuations.
#[derive(Debug)]
pub struct ContinueGroups<'a, F: Function> {
    /// Where they start.
    pub start: Start<'a, F>,
    /// A block each.
    pub blocks: &'a [F::Block],
    /// What is known of all of them: a kernel may leave it aside.
    pub known: Option<&'a KnownHalf<F>>,
    /// A last block that all share.
    pub last: Option<&'a PreExpanded<F>>,
    /// As many states as blocks.
    pub states: &'a mut [F::State],
}

/// A kernel as its file writes it; [`kernels!`](crate::kernels) compiles the verbs that its row names.
///
/// Everything in it is `#[inline(always)]`, so that it is compiled with the row's features.
pub trait Body<F: Function> {
    /// What the body needs.
    type Proof: Proof;
    /// Messages per call.
    const DEGREE: usize;

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

/// A row's compiled verbs. Calling one needs a CPU with the row's features, no more: what they work on
/// proves itself (see "Sources" in the crate's documentation), and its shape fits the degree.
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
}

/// One compiled way to compute `F`.
pub type Kernel<F> = table::Kernel<Verbs<F>>;

/// All kernels of `F`.
pub type Table<F> = table::Table<Verbs<F>>;

impl<F: Function> Kernel<F> {
    /// Whether the row has the verb itself; else an adaptor does it.
    #[inline]
    pub fn offers(&self, verb: Verb) -> bool {
        self.has(verb as usize)
    }

    /// Carries out turns of the kernel's degree: the required verb, which all others can rest on.
    #[inline(always)]
    pub(crate) fn carry_out(&self, turns: Turns<'_, F>) {
        debug_assert!(turns.degree() == self.degree);
        self.entered(turns.n_blocks());
        // SAFETY: a table handed `self` out, so the CPU has its features; the turns prove themselves.
        unsafe { (self.verbs.compress)(turns) }
    }

    /// Compresses `messages[k]`, whole blocks and as many for each `k`, into `states[k]`.
    ///
    /// # Panics
    /// Unless there are [`degree`](Self::degree) states and as many messages, all of one length, a multiple
    /// of the block's.
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
            unsafe { list.carry_out(self) }
            n_done += n_now;
        }
    }

    /// Compresses whole blocks of one message; the other lanes of a kernel that has several run idle.
    ///
    /// # Panics
    /// Unless `blocks` is whole blocks.
    #[inline]
    pub fn compress_one(&self, state: &mut F::State, blocks: &[u8]) {
        self.compress_body_and_end(state, blocks, &[]);
    }

    /// Compresses one message's body, whole blocks, and its end, in one call; the other lanes of a kernel that has several
    /// run idle.
    ///
    /// # Panics
    /// Unless `body` is whole blocks.
    #[inline]
    pub fn compress_body_and_end(&self, state: &mut F::State, body: &[u8], end: &[F::Block]) {
        let n_body = body.len() / F::BLOCK_BYTES;
        assert!(n_body * F::BLOCK_BYTES == body.len(), "{} bytes are no whole blocks", body.len());
        let parts = [(body.as_ptr(), n_body), (end.as_ptr().cast(), end.len())];
        if self.degree == 1 && n_body.max(end.len()) <= MOST_BLOCKS {
            // SAFETY: so many blocks at each of the places.
            unsafe { carry_out_one(self, state, parts) }
        } else {
            let mut idle = *state;
            let states: [*mut F::State; 2] = [state, &mut idle];
            // SAFETY: as above; the other lanes read the same blocks into a state of no meaning.
            unsafe { self.compress_parts(parts, |k| states[usize::from(k > 0)]) }
        }
    }

    /// Compresses the blocks of both parts, the same for every lane, into the lanes' states.
    ///
    /// # Safety
    /// So many blocks may be read at each place, and the states be read and written.
    #[inline(always)]
    unsafe fn compress_parts(&self, parts: [(*const u8, usize); 2], state: impl Fn(usize) -> *mut F::State) {
        let mut list = TurnList::<F, { list_words(2) }>::new();
        let mut goes_on = false;
        for (mut at, mut n_blocks) in parts {
            while n_blocks > 0 {
                if !list.has_room(1, self.degree) {
                    // SAFETY: the caller's contract.
                    unsafe { list.carry_out(self) }
                    goes_on = false;
                }
                let n_now = n_blocks.min(MOST_BLOCKS);
                list.push(self.degree, n_now, goes_on, |k| (at, state(k)));
                (at, n_blocks) = (at.wrapping_add(n_now * F::BLOCK_BYTES), n_blocks - n_now);
                goes_on = true;
            }
        }
        // SAFETY: the caller's contract.
        unsafe { list.carry_out(self) }
    }

    /// Compresses word-interleaved blocks of `row_words` lanes (`states.len()` of them) into their states.
    ///
    /// Word t of block b of lane k is the big-endian word (16·b + t)·`row_words` + k of `words`.
    ///
    /// # Panics
    /// Unless there is a state a lane, and `words` is whole blocks of all lanes.
    pub fn compress_lanes(&self, states: &mut [F::State], words: &[u8]) {
        self.compress_some_lanes(states, words, states.len(), 0);
    }

    /// As [`compress_lanes`](Self::compress_lanes), of `states.len()` lanes alone, from lane `first` on.
    ///
    /// # Panics
    /// Unless there are so many lanes, and `words` is whole blocks of all lanes.
    pub fn compress_some_lanes(&self, states: &mut [F::State], words: &[u8], row_words: usize, first: usize) {
        assert!(row_words > 0, "no lanes");
        assert!(
            words.len().is_multiple_of(row_words * F::BLOCK_BYTES),
            "{} bytes are no whole blocks of {row_words} lanes",
            words.len()
        );
        let end = first + states.len();
        assert!(end <= row_words, "lanes {first}..{end} of {row_words}");
        for (group, states) in states.chunks_mut(self.degree).enumerate() {
            let first = first + group * self.degree;
            match self.verbs.compress_lanes {
                Some(verb) if states.len() == self.degree => {
                    let group = Interleaved::new::<F>(words, row_words, first, self.degree);
                    self.entered(group.n_blocks());
                    // SAFETY: as in `carry_out`.
                    unsafe { verb(states, group) }
                }
                Some(verb) => {
                    adaptors::compress_few_lanes(self, states, words, row_words, first, |all, group| {
                        self.entered(group.n_blocks());
                        // SAFETY: as in `carry_out`.
                        unsafe { verb(all, group) }
                    })
                }
                None => {
                    let group = Interleaved::new::<F>(words, row_words, first, states.len());
                    adaptors::compress_lanes(self, states, group);
                }
            }
        }
    }

    /// Digests of equal short messages: `messages` holds n of `shape.len_bytes` bytes each, one after the
    /// other, `digests` n of `digest_bytes`; all start from `start`.
    ///
    /// # Panics
    /// If `digest_bytes` is 0 or passes the state's, or the lengths do not fit.
    pub fn finish_fixed(
        &self,
        start: &F::State,
        shape: &Fixed<F>,
        messages: &[u8],
        digests: &mut [u8],
        digest_bytes: usize,
    ) {
        assert!((1..=size_of::<F::State>()).contains(&digest_bytes), "digests of {digest_bytes} bytes");
        let n = digests.len() / digest_bytes;
        assert!(
            n * digest_bytes == digests.len() && n * shape.len_bytes == messages.len(),
            "{} bytes of messages and {} of digests",
            messages.len(),
            digests.len()
        );
        // Whole groups by the row's own verb; what is left over by the adaptor.
        let in_groups = match self.verbs.finish_fixed {
            Some(_) => n / self.degree * self.degree,
            None => 0,
        };
        let (messages, more_messages) = messages.split_at(in_groups * shape.len_bytes);
        let (digests, more_digests) = digests.split_at_mut(in_groups * digest_bytes);
        if let Some(verb) = self.verbs.finish_fixed
            && in_groups > 0
        {
            self.entered(in_groups / self.degree * (1 + usize::from(shape.second.is_some())));
            // SAFETY: as in `carry_out`; whole groups.
            unsafe { verb(FixedGroups { start, shape, messages, digests, digest_bytes }) };
        }
        let (messages, digests) = (more_messages, more_digests);
        adaptors::finish_fixed(self, FixedGroups { start, shape, messages, digests, digest_bytes });
    }

    /// As [`finish_fixed`](Self::finish_fixed), of one message.
    ///
    /// # Panics
    /// As [`finish_fixed`](Self::finish_fixed).
    #[inline]
    pub fn finish_one(&self, start: &F::State, shape: &Fixed<F>, message: &[u8], digest: &mut [u8]) {
        let digest_bytes = digest.len();
        match self.verbs.finish_fixed {
            Some(verb) if self.degree == 1 => {
                assert!(digest_bytes >= 1 && digest_bytes <= size_of::<F::State>());
                assert!(message.len() == shape.len_bytes);
                self.entered(1 + usize::from(shape.second.is_some()));
                // SAFETY: as in `carry_out`; a group of one.
                unsafe {
                    verb(FixedGroups { start, shape, messages: message, digests: digest, digest_bytes })
                };
            }
            _ => self.finish_fixed(start, shape, message, digest, digest_bytes),
        }
    }

    /// One-block continuations: `blocks[i]`, then `last` if there is one, into `states[i]`.
    ///
    /// # Panics
    /// Unless there are as many blocks as states.
    pub fn continue_many(
        &self,
        start: Start<'_, F>,
        blocks: &[F::Block],
        last: Option<&PreExpanded<F>>,
        states: &mut [F::State],
    ) {
        self.continue_many_knowing(start, blocks, None, last, states);
    }

    /// The same of blocks of which a half is `known`.
    ///
    /// # Panics
    /// As [`continue_many`](Self::continue_many), and unless what is known of a first half is known of the shared start. That
    /// blocks have the half that is said is for the caller to see to, and checked with debug assertions on.
    pub fn continue_many_knowing(
        &self,
        start: Start<'_, F>,
        blocks: &[F::Block],
        known: Option<&KnownHalf<F>>,
        last: Option<&PreExpanded<F>>,
        states: &mut [F::State],
    ) {
        assert!(blocks.len() == states.len(), "{} blocks, {} states", blocks.len(), states.len());
        if let Some(known) = known {
            assert!(
                known.half == Half::Second || matches!(start, Start::Shared(start) if *start == known.start),
                "the first half is known of another start"
            );
            debug_assert!(blocks.iter().all(|block| known.is_of(block)), "a block has another half");
        }
        let in_groups = match self.verbs.continue_many {
            Some(_) => blocks.len() / self.degree * self.degree,
            None => 0,
        };
        let (blocks, more_blocks) = blocks.split_at(in_groups);
        let (states, more_states) = states.split_at_mut(in_groups);
        if let Some(verb) = self.verbs.continue_many
            && in_groups > 0
        {
            self.entered(in_groups / self.degree * (1 + usize::from(last.is_some())));
            // SAFETY: as in `carry_out`; whole groups.
            unsafe { verb(ContinueGroups { start, blocks, known, last, states }) };
        }
        let (blocks, states) = (more_blocks, more_states);
        adaptors::continue_many(self, ContinueGroups { start, blocks, known, last, states });
    }

    /// Takes a block whose schedule is known into one state.
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
    // Word by word: a copy whose length is not known would be a call of `memcpy`, and a digest made in one piece first
    // would take the row's widest registers.
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
