//! The verbs other than `compress`: calls the row's own verb if it has one, otherwise an adaptor. Fewer
//! messages than lanes are filled up to a group for it.

use crate::kernel::{ContinueGroups, FixedGroups};
use crate::{Fixed, Function, Half, Interleaved, Kernel, KnownHalf, PreExpanded, Start, adaptors};

impl<F: Function> Kernel<F> {
    /// Compresses word-interleaved blocks of `row_words` lanes (`states.len()` of them) into their states.
    ///
    /// Word t of block b of lane k is the big-endian word (16·b + t)·`row_words` + k of `words`.
    ///
    /// # Panics
    /// Panics unless there is one state per lane, and `words` has whole blocks of all lanes.
    pub fn compress_lanes(&self, states: &mut [F::State], words: &[u8]) {
        self.compress_some_lanes(states, words, states.len(), 0);
    }

    /// Like [`compress_lanes`](Self::compress_lanes), for `states.len()` lanes only, from lane `first` on.
    ///
    /// # Panics
    /// Panics unless the data has these lanes, and `words` holds whole blocks of all lanes.
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
    /// Panics if `digest_bytes` is 0 or passes the state's, or the lengths do not fit.
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
        let Some(verb) = self.verbs.finish_fixed else {
            let job = FixedGroups { start, shape, messages, digests, digest_bytes };
            return adaptors::finish_fixed(self, job);
        };
        let run = |job: FixedGroups<'_, F>| {
            self.entered(job.digests.len() / (digest_bytes * self.degree) * shape.n_blocks());
            // SAFETY: as in `carry_out`; whole groups.
            unsafe { verb(job) }
        };
        let in_groups = n / self.degree * self.degree;
        let (messages, more_messages) = messages.split_at(in_groups * shape.len_bytes);
        let (digests, more_digests) = digests.split_at_mut(in_groups * digest_bytes);
        if in_groups > 0 {
            run(FixedGroups { start, shape, messages, digests, digest_bytes });
        }
        if in_groups < n {
            let (messages, digests) = (more_messages, more_digests);
            let job = FixedGroups { start, shape, messages, digests, digest_bytes };
            adaptors::finish_few_fixed(self, job, run);
        }
    }

    /// Like [`finish_fixed`](Self::finish_fixed), for one message.
    ///
    /// # Panics
    /// Like [`finish_fixed`](Self::finish_fixed).
    #[inline]
    pub fn finish_one(&self, start: &F::State, shape: &Fixed<F>, message: &[u8], digest: &mut [u8]) {
        let digest_bytes = digest.len();
        match self.verbs.finish_fixed {
            Some(verb) if self.degree == 1 => {
                assert!(digest_bytes >= 1 && digest_bytes <= size_of::<F::State>());
                assert!(message.len() == shape.len_bytes);
                self.entered(shape.n_blocks());
                // SAFETY: as in `carry_out`; a group of one.
                unsafe {
                    verb(FixedGroups { start, shape, messages: message, digests: digest, digest_bytes })
                };
            }
            _ => self.finish_fixed(start, shape, message, digest, digest_bytes),
        }
    }

    /// Compresses `blocks[i]`, then `last` if there is one, into `states[i]`.
    ///
    /// # Panics
    /// Panics unless there are as many blocks as states.
    pub fn continue_many(
        &self,
        start: Start<'_, F>,
        blocks: &[F::Block],
        last: Option<&PreExpanded<F>>,
        states: &mut [F::State],
    ) {
        self.continue_many_knowing(start, blocks, None, last, states);
    }

    /// Compresses blocks with a `known` half into states.
    ///
    /// # Panics
    /// Like [`continue_many`](Self::continue_many), and if a known first half was computed for another start
    /// than the shared one. The caller must ensure that the blocks have the known half; debug assertions
    /// check it.
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
        let Some(verb) = self.verbs.continue_many else {
            return adaptors::continue_many(self, ContinueGroups { start, blocks, known, last, states });
        };
        let run = |job: ContinueGroups<'_, F>| {
            self.entered(job.states.len() / self.degree * (1 + usize::from(last.is_some())));
            // SAFETY: as in `carry_out`; whole groups.
            unsafe { verb(job) }
        };
        let (n, in_groups) = (blocks.len(), blocks.len() / self.degree * self.degree);
        let (blocks, more_blocks) = blocks.split_at(in_groups);
        let (states, more_states) = states.split_at_mut(in_groups);
        if in_groups > 0 {
            run(ContinueGroups { start, blocks, known, last, states });
        }
        if in_groups < n {
            let (blocks, states) = (more_blocks, more_states);
            adaptors::continue_few(self, ContinueGroups { start, blocks, known, last, states }, run);
        }
    }
}
