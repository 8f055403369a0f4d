//! Sets of places, a bit for each: those of a batch, or some next to each other.

/// Number of messages in a batch: 32 in progress, so that 16 lanes stay full while lengths differ, and 64
/// whose last turns are still to be carried out.
pub const PLACES: usize = 96;

/// Places of a word: those of a group are in one, from 0 to 63 or from 64 on. Sets of 128 bits would take 60
/// cycles more for a call on two messages (Zen 4).
pub const PLACES_OF_WORD: usize = u64::BITS as usize;

const WORDS: usize = PLACES.div_ceil(PLACES_OF_WORD);

/// A set of places, all of them less than [`PLACES`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Places([u64; WORDS]);

/// Places next to each other.
#[derive(Clone, Copy)]
pub(super) struct Run {
    word: usize,
    bits: u64,
}

impl Run {
    pub(super) const NONE: Self = Self { word: 0, bits: 0 };

    /// `n` places from `first` on.
    ///
    /// # Panics
    /// Panics unless there are so many in one word, and at least one.
    #[inline(always)]
    pub(super) fn new(first: usize, n: usize) -> Self {
        assert!(
            first < PLACES && n >= 1 && n <= PLACES - first && n <= PLACES_OF_WORD - first % PLACES_OF_WORD
        );
        Self { word: first / PLACES_OF_WORD, bits: (!0 >> (PLACES_OF_WORD - n)) << (first % PLACES_OF_WORD) }
    }
}

impl Places {
    pub(super) const NONE: Self = Self([0; WORDS]);

    #[inline(always)]
    pub(super) fn has(&self, place: usize) -> bool {
        self.0[place / PLACES_OF_WORD] >> (place % PLACES_OF_WORD) & 1 == 1
    }
    #[inline(always)]
    pub(super) fn add(&mut self, place: usize) {
        self.0[place / PLACES_OF_WORD] |= 1 << (place % PLACES_OF_WORD);
    }
    #[inline(always)]
    pub(super) fn remove(&mut self, place: usize) {
        self.0[place / PLACES_OF_WORD] &= !(1 << (place % PLACES_OF_WORD));
    }
    #[inline(always)]
    pub(super) fn add_all(&mut self, others: &Self) {
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
    }
    /// The places of the run that are in the set.
    #[inline(always)]
    fn of_run(&self, run: Run) -> u64 {
        self.0[run.word] & run.bits
    }
    #[inline(always)]
    pub(super) fn has_some_of(&self, run: Run) -> bool {
        self.of_run(run) != 0
    }
    #[inline(always)]
    pub(super) fn add_run(&mut self, run: Run) {
        self.0[run.word] |= run.bits;
    }
    #[inline(always)]
    pub(super) fn remove_run(&mut self, run: Run) {
        self.0[run.word] &= !run.bits;
    }
    /// Whether each place of the run is in one of two sets.
    #[inline(always)]
    pub(super) fn cover(&self, others: &Self, run: Run) -> bool {
        self.of_run(run) | others.of_run(run) == run.bits
    }
}

impl From<Run> for Places {
    #[inline(always)]
    fn from(run: Run) -> Self {
        let mut places = Self::NONE;
        places.add_run(run);
        places
    }
}
