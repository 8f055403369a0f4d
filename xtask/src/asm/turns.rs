//! Lists of turns: their layout in memory.
//!
//! ```text
//! turn    | D pointers to blocks | D pointers to states | number of blocks; bit 32: continues |
//! ```

use super::emit::argument;

/// Bytes of a turn of a number of lanes.
pub(crate) const fn turn_bytes(lanes: usize) -> usize {
    8 * (2 * lanes + 1)
}

/// The offset of a turn's number of blocks.
pub(crate) const fn blocks_of_turn(lanes: usize) -> usize {
    16 * lanes
}

/// The arguments of a list, for words of so many bytes.
pub(crate) fn turns_arguments(lanes: usize, word_bytes: usize) -> Vec<String> {
    vec![
        argument("rdi", &format!("turns, one after the other, {} words of 8 bytes each:", 2 * lanes + 1)),
        argument(
            "",
            &format!("  {lanes} pointers to the lanes' blocks; a lane's blocks of the turn are contiguous"),
        ),
        argument(
            "",
            &format!(
                "  {lanes} pointers to the lanes' states, 8 words of {word_bytes} bytes each, a to h, {word_bytes}-byte aligned"
            ),
        ),
        argument(
            "",
            "  bits 0-31: blocks of the turn, at least 1; bit 32: the turn continues the states of the",
        ),
        argument("", "  turn before it, and its pointers to states are the same (ignored in the first turn)"),
        argument("rsi", "turns; not read"),
        argument("rdx", "blocks of all turns, the sum of their numbers; returns at once if 0"),
    ]
}

/// What all of them require and guarantee.
pub(crate) const NOTES: [&str; 4] = [
    "Requires that states do not overlap blocks or turns: both are read ahead.",
    "A turn's states are stored before the next turn's are loaded: lanes may exchange states from turn to turn.",
    "Lanes of a turn that share a state leave the result of one of them there.",
    "Reads the turns, their blocks and states, and no other bytes.",
];
