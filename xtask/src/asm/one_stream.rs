//! Kernels that carry out a list of turns of one message by the SHA extensions, the state in registers from
//! turn to turn.

use super::emit::{Call, Kernel, argument};
use super::strand::{Strand, code};

/// The address of a block's bytes.
pub(super) const BLOCK: &str = "r8";
/// The address of the state in memory.
pub(super) const STATE: &str = "r9";
/// The address of the constants.
pub(super) const CONSTANTS: &str = "rcx";

/// The operations of such a kernel on a message.
pub(super) struct Stream {
    /// Loads the state from [`STATE`] into registers.
    pub(super) load: Strand,
    /// Compresses the 64 bytes at [`BLOCK`].
    pub(super) block: Strand,
    /// Stores the state at [`STATE`].
    pub(super) store: Strand,
}

/// The kernel `sha_ni` of `hash`, whose state is `words`.
pub(super) fn kernel(hash: &str, words: &str, constants: Vec<String>, stream: Stream) -> Kernel {
    let mut arguments = vec![
        argument("rdi", "turns, one after the other, 3 words of 8 bytes each:"),
        argument("", "  a pointer to the turn's blocks"),
        argument("", &format!("  a pointer to the state, words {words}")),
        argument(
            "",
            "  bits 0-31: blocks of the turn, at least 1; bit 32: the turn continues the state of the",
        ),
        argument("", "  turn before it, and its pointer to it is the same (ignored in the first turn)"),
        argument("rsi", "turns, at least 1"),
        argument("rdx", "blocks of all turns; returns at once if 0"),
    ];
    arguments.extend(constants);
    Kernel {
        name: "sha_ni",
        about: format!("{hash} of a list of turns of 1 message: SHA-NI"),
        needs: "SHA, SSSE3, SSE4.1",
        arguments,
        frame_bytes: 0,
        notes: vec![
            "Requires that the state does not overlap blocks or turns.",
            "Reads the turns, their blocks and states, and no other bytes.",
        ],
        call: Call::NoAvx,
        body: walk(stream),
    }
}

/// Moves from turn to turn. If a turn does not continue the state of the previous one, the states are
/// exchanged.
fn walk(Stream { load, block, store }: Stream) -> Strand {
    let mut out = Strand::new();
    code! { out; "mov {STATE},[rdi+8]"; }
    out.extend(load.clone());
    code! { out; "3:"; "mov {BLOCK},[rdi]"; "mov edx,[rdi+16]"; ".p2align 5"; "2:"; }
    out.extend(block);
    code! { out;
        "add {BLOCK},64";
        "dec edx";
        "jnz 2b";
        "dec rsi";
        "jz 4f";
        "add rdi,24";
        "test byte ptr [rdi+20],1";
        "jnz 3b";
    }
    out.extend(store.clone());
    code! { out; "mov {STATE},[rdi+8]"; }
    out.extend(load);
    code! { out; "jmp 3b"; "4:"; }
    out.extend(store);
    out
}
