//! The answers of a plan for a table, kept in the table.

use core::sync::atomic::AtomicU8;
#[cfg(feature = "calibrate")]
use core::sync::atomic::Ordering;

use crate::costs::Overheads;

/// The largest numbers of messages and of classes of all tables: those of hashes; of messages that do not go
/// in groups, those of ciphers.
pub(crate) const MOST_IN_GROUPS: usize = Overheads::HASHES.most_messages;
const MOST_MESSAGES: usize = Overheads::CIPHERS.most_messages;
const MOST_CLASSES: usize = Overheads::HASHES.classes.len();

/// `[class of b][n - 1]`: the answer for n messages of b blocks, as the plan writes it; 0 = not yet known.
/// Concurrent threads compute the same.
pub(crate) type Known<const MOST: usize> = [[AtomicU8; MOST]; MOST_CLASSES];

/// The answers of a plan for a table, kept in the table.
#[derive(Debug)]
pub(crate) struct Memo {
    pub(crate) rotating: Known<MOST_MESSAGES>,
    pub(crate) of_group: Known<MOST_IN_GROUPS>,
    pub(crate) of_equal: Known<MOST_MESSAGES>,
    pub(crate) of_lanes: Known<MOST_MESSAGES>,
    /// The row for one message's verbs, in the same form.
    pub(crate) of_one: AtomicU8,
}

impl Memo {
    // Only copied into tables.
    #[allow(clippy::declare_interior_mutable_const)]
    pub(crate) const NEW: Self = Self {
        rotating: unknown(),
        of_group: unknown(),
        of_equal: unknown(),
        of_lanes: unknown(),
        of_one: AtomicU8::new(0),
    };

    /// Forgets all answers.
    #[cfg(feature = "calibrate")]
    pub(crate) fn clear(&self) {
        let Self { rotating, of_group, of_equal, of_lanes, of_one } = self;
        let known = [rotating, of_equal, of_lanes].into_iter().flatten().flatten();
        let known = known.chain(of_group.iter().flatten()).chain([of_one]);
        for answer in known.filter(|answer| answer.load(Ordering::SeqCst) != 0) {
            answer.store(0, Ordering::SeqCst);
        }
    }
}

const fn unknown<const MOST: usize>() -> Known<MOST> {
    [const { [const { AtomicU8::new(0) }; MOST] }; MOST_CLASSES]
}

/// Returns the class of a number of blocks.
#[inline]
pub(crate) fn class_of(classes: &[u16], n_blocks: usize) -> usize {
    classes[..classes.len() - 1].iter().take_while(|class| usize::from(**class) < n_blocks).count()
}
