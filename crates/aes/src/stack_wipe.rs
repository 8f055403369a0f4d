//! The amount of stack that is overwritten after a kernel, defined only here.
//!
//! A kernel's frame is the compiler's choice, so these amounts are not derived from the source.
//! `cargo xtask guard` reads every kernel's frame, and those of the functions that it calls, from the release
//! program and compares them with [`wiped_bytes`]; the tests search memory for keys after every verb of every
//! kernel. The functions are inlined into the callers of kernels, below whose frames they overwrite.

use hashlanes_isa::cipher::Kernel;
use hashlanes_isa::{Row, wipe_stack_below};

/// One message, by instructions for AES: round keys and states.
const OF_ONE: usize = 2 * 1024;
/// The same in CBC encryption, which has one block at a time: frames of 200 bytes, and 512 of its callers.
const OF_ONE_CBC: usize = 768;
/// More than eight messages by one key: frames of 1.8 KB at optimisation level 2.
const OF_WIDE: usize = OF_ONE + 512;
/// One message from the function that drops the value, with the functions that called the kernel.
const OF_PARTS: usize = OF_ONE + 1024;
/// The same with CTR's table of 4 KiB.
const OF_LONG: usize = 10 * 1024;
/// Up to eight messages with round keys for each, or by rows: Rust 1.89 makes frames of 5.9 KB with overflow
/// checks.
const OF_EIGHT_KEYS: usize = 6 * 1024;
/// More of them: Rust 1.89 makes frames of 12.4 KB, later compilers smaller ones.
const OF_MANY_KEYS: usize = 14 * 1024;
/// One message on the portable kernel, which uses bit slices of eight blocks.
const OF_PORTABLE: usize = 24 * 1024;

/// A message by AEGIS. AEGIS-128X4 takes 1.9 KiB on AES-NI.
const OF_AEGIS: usize = 3 * 1024;
/// The same by the portable kernel, whose bit slices are functions of another crate.
const OF_PORTABLE_AEGIS: usize = 8 * 1024;
/// Many messages by AEGIS: their sorted list, and a kernel, which takes 4.1 KiB for eight messages.
const OF_MANY_AEGIS: usize = 9 * 1024;
/// A message by AES-GCM: a frame of 1.8 KiB, or 5.7 with overflow checks.
const OF_GCM: usize = 6 * 1024;
/// Many messages by AES-GCM: a list of 16, and a kernel.
const OF_MANY_GCM: usize = OF_GCM + 3 * 1024;
/// A message by its portable kernel.
const OF_PORTABLE_GCM: usize = OF_PORTABLE + 1024;

/// Up to 16 messages by AES-GCM-SIV: frames of 9.2 KiB, or 19.2 at the optimisation levels 2 and s, where
/// keys of 16 and of 32 bytes have places of their own.
const OF_GCM_SIV: usize = 20 * 1024;
/// Many messages by AES-GCM-SIV: a list of 16, and a kernel. The portable kernel's calls are overwritten at
/// once.
const OF_MANY_GCM_SIV: usize = OF_GCM_SIV + 3 * 1024;

/// The list, and the messages of a call of a kernel.
const OF_AEGIS_WINDOW: usize = 3 * 1024;

/// Overwrites the stack as far as `kernel` reached with one message.
#[inline(always)]
pub(crate) fn wipe_of_one<V: hashlanes_isa::table::Entries>(kernel: &'static Kernel<V>) {
    if kernel.features().is_empty() {
        wipe_of_portable();
    } else {
        wipe_stack_below::<OF_ONE>();
    }
}

/// Overwrites the stack as far as `kernel` reached with one message in CBC encryption.
#[inline(always)]
pub(crate) fn wipe_of_one_cbc<V: hashlanes_isa::table::Entries>(kernel: &'static Kernel<V>) {
    if kernel.features().is_empty() {
        wipe_of_portable();
    } else {
        wipe_stack_below::<OF_ONE_CBC>();
    }
}

/// Overwrites the stack as far as parts of a message reached, by instructions for AES.
#[inline(always)]
pub(crate) fn wipe_of_parts() {
    wipe_stack_below::<OF_PARTS>();
}

/// Overwrites the stack as far as a long message in CTR reached.
#[inline(always)]
pub(crate) fn wipe_of_long() {
    wipe_stack_below::<OF_LONG>();
}

/// Overwrites the stack as far as `kernel`, of several lanes, reached: with one key and not by rows, hardly
/// further than with one message.
#[inline(always)]
pub(crate) fn wipe_of_lanes<V: hashlanes_isa::table::Entries>(kernel: &'static Kernel<V>, is_like_one: bool) {
    match (kernel.degree(), is_like_one) {
        (..=8, true) => wipe_stack_below::<OF_ONE>(),
        (_, true) => wipe_stack_below::<OF_WIDE>(),
        (..=8, false) => wipe_stack_below::<OF_EIGHT_KEYS>(),
        (_, false) => wipe_stack_below::<OF_MANY_KEYS>(),
    }
}

/// Overwrites the stack as far as AES's portable kernel reached.
#[inline(always)]
pub(crate) fn wipe_of_portable() {
    wipe_stack_below::<OF_PORTABLE>();
}

/// Overwrites the stack as far as a kernel of AES-GCM reached, by instructions for AES.
#[inline(always)]
pub(crate) fn wipe_of_gcm() {
    wipe_stack_below::<OF_GCM>();
}

/// Overwrites the stack as far as many messages reached.
#[inline(always)]
pub(crate) fn wipe_of_many_gcm() {
    wipe_stack_below::<OF_MANY_GCM>();
}

/// The same of the portable kernel.
#[inline(always)]
pub(crate) fn wipe_of_portable_gcm() {
    wipe_stack_below::<OF_PORTABLE_GCM>();
}

/// Overwrites the stack as far as a kernel of AES-GCM-SIV reached, by instructions for AES.
#[inline(always)]
pub(crate) fn wipe_of_gcm_siv() {
    wipe_stack_below::<OF_GCM_SIV>();
}

/// Overwrites the stack as far as many messages reached.
#[inline(always)]
pub(crate) fn wipe_of_many_gcm_siv() {
    wipe_stack_below::<OF_MANY_GCM_SIV>();
}

/// Overwrites the stack as far as a kernel of AEGIS reached with one message, by instructions for AES.
#[inline(always)]
pub(crate) fn wipe_of_aegis() {
    wipe_stack_below::<OF_AEGIS>();
}

/// The same of the portable kernel.
#[inline(always)]
pub(crate) fn wipe_of_portable_aegis() {
    wipe_stack_below::<OF_PORTABLE_AEGIS>();
}

/// Overwrites the stack as far as many messages reached.
#[inline(always)]
pub(crate) fn wipe_of_many_aegis() {
    wipe_stack_below::<OF_MANY_AEGIS>();
}

/// Returns the number of stack bytes that are overwritten after a verb of a row, without the caller's own
/// frame.
pub(crate) fn wiped_bytes(cipher: &str, row: &Row, verb: &str) -> usize {
    let is_portable = row.features.is_empty();
    match (cipher, verb) {
        ("aes", "cbc_encrypt_rows" | "cbc_encrypt_each" | "cbc_encrypt_each_rows") if row.degree > 8 => {
            OF_MANY_KEYS
        }
        ("aes", "cbc_encrypt") if row.degree > 8 => OF_WIDE,
        ("aes", "cbc_encrypt_each") => OF_EIGHT_KEYS,
        ("aes", _) if is_portable => OF_PORTABLE,
        ("aes", "ctr_long") => OF_LONG,
        ("aes", "cbc_encrypt") if row.degree == 1 => OF_ONE_CBC,
        ("aes", _) => OF_ONE,
        ("gcm", _) if is_portable => OF_PORTABLE_GCM,
        ("gcm", "gcm_siv_encrypt" | "gcm_siv_decrypt") => OF_GCM_SIV,
        ("gcm", _) => OF_GCM,
        (_, verb) if verb.ends_with("_many") => OF_MANY_AEGIS - OF_AEGIS_WINDOW,
        _ if is_portable => OF_PORTABLE_AEGIS,
        _ => OF_AEGIS,
    }
}
