//! The arguments of kernels, and the layout of the constants.

use super::super::emit::{argument, rows_argument};

/// The offset of the vpshufb mask that swaps the bytes of words, 64 bytes; K precedes it.
pub(super) const SWAP: usize = 256;
/// 32 bytes each: vpshufb masks that move words 0 and 2 to places 0 and 1, and to 2 and 3, with zeros
/// elsewhere.
pub(super) const FOUR_LOW: usize = 320;
pub(super) const FOUR_HIGH: usize = 352;
/// K in fours, each four twice: 32 bytes a four.
pub(super) const TWICE: usize = 384;
/// Every K four times.
pub(super) const FOUR_TIMES: usize = 896;

/// K\[t\] in a number of lanes.
pub(super) fn k_in_all(lanes: usize, t: usize) -> String {
    format!("dword ptr [rax+{}]{{1to{lanes}}}", 4 * t)
}

pub(super) const STATES_S: &str = "states, 32 bytes a message, words F E B A H G D C; 16-byte aligned";
pub(super) const BLOCKS: &str = "blocks of each message; returns at once if 0";
pub(super) const CONSTANTS: &str =
    "constants, 64-byte aligned: K, then 64 bytes of vpshufb's mask that swaps the bytes of words";

/// What scratch memory holds after a call.
pub(super) const K_AND_W: &str = "K + W of the messages";
pub(super) const STATES: &str = "states";

pub(super) fn scratch(bytes: usize, left: &str) -> String {
    let what = format!("64-byte aligned, need not be initialised; holds {left} afterwards");
    argument("rcx", &format!("scratch memory, {bytes} bytes, {what}"))
}

pub(super) fn by_pointers(states: &str, scratch_bytes: usize) -> Vec<String> {
    let [rows, step] = rows_argument();
    vec![
        argument("rdi", states),
        rows,
        step,
        argument("rdx", BLOCKS),
        scratch(scratch_bytes, K_AND_W),
        argument("r8", CONSTANTS),
    ]
}

pub(super) fn by_lanes(scratch_bytes: usize, left: &str) -> Vec<String> {
    vec![
        argument("rdi", STATES_S),
        argument("rsi", "the input: the first message's first word; bytes to the next row of words"),
        argument("", "(word t of block b of message m is at first + (16 b + t) row + 4 m)"),
        argument("rdx", BLOCKS),
        scratch(scratch_bytes, left),
        argument("r8", CONSTANTS),
    ]
}
