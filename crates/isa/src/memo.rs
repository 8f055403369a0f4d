//! The answers of a plan for a table, kept in the table.

use core::sync::atomic::AtomicU8;
#[cfg(feature = "calibrate")]
use core::sync::atomic::Ordering;

use crate::costs::Overheads;

/// The largest numbers of messages and of classes of all tables: the messages of ciphers, the classes of
/// hashes.
pub(crate) const MOST_MESSAGES: usize = Overheads::CIPHERS.most_messages;
const MOST_CLASSES: usize = Overheads::HASHES.classes.len();

/// `[class of b][n - 1]`: the answer for n messages of b blocks, as the plan writes it; 0 = not yet known.
/// Concurrent threads compute the same.
pub(crate) type Known = [[AtomicU8; MOST_MESSAGES]; MOST_CLASSES];

/// The answers of a plan for a table, kept in the table.
#[derive(Debug)]
pub(crate) struct Memo {
    pub(crate) rotating: Known,
    pub(crate) of_group: Known,
    pub(crate) of_equal: Known,
    pub(crate) of_lanes: Known,
    /// The row for one message's verbs, in the same form.
    pub(crate) of_one: AtomicU8,
}

impl Memo {
    // Only copied into tables.
    #[allow(clippy::declare_interior_mutable_const)]
    pub(crate) const NEW: Self = {
        const UNKNOWN: Known = [const { [const { AtomicU8::new(0) }; MOST_MESSAGES] }; MOST_CLASSES];
        Self {
            rotating: UNKNOWN,
            of_group: UNKNOWN,
            of_equal: UNKNOWN,
            of_lanes: UNKNOWN,
            of_one: AtomicU8::new(0),
        }
    };

    /// Forgets all answers.
    #[cfg(feature = "calibrate")]
    pub(crate) fn clear(&self) {
        let Self { rotating, of_group, of_equal, of_lanes, of_one } = self;
        let known = [rotating, of_group, of_equal, of_lanes].into_iter().flatten().flatten();
        for answer in known.chain([of_one]).filter(|answer| answer.load(Ordering::SeqCst) != 0) {
            answer.store(0, Ordering::SeqCst);
        }
    }
}

/// Returns the class of a number of blocks.
#[inline]
pub(crate) fn class_of(classes: &[u16], n_blocks: usize) -> usize {
    classes[..classes.len() - 1].iter().take_while(|class| usize::from(**class) < n_blocks).count()
}
