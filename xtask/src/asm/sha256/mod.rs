//! SHA-256's kernels: descriptions, arguments and strands.
//!
//! | file | kernels |
//! |---|---|
//! | `one_message.rs` | the list of those of one message without SHA-NI, which are in the next four and in `../sha2.rs` |
//! | `sms.rs` | n-SMS: `sms4-*`, `sms8-avx2`, `sms16-avx512` |
//! | `guilford_yap_gopal_2012.rs` | `sse4`, `avx`, `avx2-rorx2`, `avx2-rorx8` |
//! | `stitched.rs` | `stitched-avx2`, `stitched-avx512` |
//! | `four_words.rs` | the schedule of the last two, four words a vector |
//! | `turns.rs` `split_x16.rs` | `split-x4`, `split-x8`, `split-x16`: lists of turns |
//! | `split.rs` `split_x16.rs` | their parts; the same for messages whose words are side by side |
//! | `split_fixed.rs` | the same of equal short messages |
//! | `avx512.rs` | `avx512-x16-asm`, `zen5-x16`, `avx512vl-x8-asm` |
//! | `sha_ni.rs` | `sha-ni`, `sha-ni-x6-asm` |
//! | `arguments.rs` | what all of them are handed |

mod arguments;
mod avx512;
mod four_words;
mod guilford_yap_gopal_2012;
mod one_message;
mod sha_ni;
mod sms;
mod split;
mod split_fixed;
mod split_x16;
mod stitched;
mod turns;

use super::emit::{Call, Kernel, argument};
use super::fixed::Message;
use super::jumps::with_jumps;
use super::lanes::{Kernels, Sums};
use super::sha2::SHA256;
use super::strand::Strand;
use super::turns::{NOTES, turns_arguments};
use arguments::{CONSTANTS, K_AND_W, STATES, STATES_S, by_lanes, by_pointers, scratch};
use avx512::Avx512;

/// All of them.
pub(super) fn kernels() -> Result<Vec<Kernel>, String> {
    const SCRATCH_X8: usize = split::scratch(8);
    let mut kernels = vec![
        kernel(
            SPLIT,
            "split_x16_lanes",
            "16 messages, word by word side by side, input phase hidden",
            by_lanes(split::scratch(16), K_AND_W),
            split_x16::by_lanes()?,
        ),
        kernel(
            SPLIT,
            "split_x8_lanes",
            "8 messages, word by word side by side",
            by_lanes(SCRATCH_X8, K_AND_W),
            split::x8_lanes()?,
        ),
        kernel(
            SPLIT,
            "split_x4_lanes",
            "4 messages, word by word side by side, two blocks of each a turn",
            by_lanes(SCRATCH_X8, K_AND_W),
            split::x4_lanes()?,
        ),
        split_turns_kernel("split_x16", 16, "input phase hidden", split_x16::turns()?),
        split_turns_kernel("split_x8", 8, "one block of each at a time", turns::x8()?),
        split_turns_kernel("split_x4", 4, "two blocks of each at a time", turns::x4()?),
        split_fixed_kernel("split_fixed_x16", 16, Message::Block)?,
        split_fixed_kernel("split_fixed_x16_and_constant", 16, Message::BlockAndConstant)?,
        split_fixed_kernel("split_fixed_x16_half", 16, Message::Half)?,
        split_fixed_kernel("split_fixed_x8", 8, Message::Block)?,
        split_fixed_kernel("split_fixed_x8_and_constant", 8, Message::BlockAndConstant)?,
        split_fixed_kernel("split_fixed_x8_half", 8, Message::Half)?,
        sha_ni::one_message(),
        Kernel {
            name: "sha_ni_x6",
            about: "SHA-256 of 6 messages by pointers: SHA-NI, interleaved".into(),
            needs: "SHA, SSSE3, AVX",
            arguments: by_pointers(STATES_S, sha_ni::SCRATCH),
            frame_bytes: 0,
            notes: vec![],
            call: Call::Avx,
            body: with_jumps(&sha_ni::kernel()),
        },
    ];
    kernels.extend(avx512_kernels());
    kernels.extend(one_message::kernels());
    Ok(kernels)
}

/// A technique, the CPU features that it needs, and what is in scratch memory after a call.
#[derive(Clone, Copy)]
struct Technique {
    what: &'static str,
    needs: &'static str,
    left: &'static str,
}

const SPLIT: Technique = Technique {
    what: "schedules by AVX-512VL, rounds by SHA-NI",
    needs: "SHA, SSSE3, AVX, AVX-512F, BW, VL",
    left: K_AND_W,
};
const AVX512: Technique = Technique { what: "AVX-512 alone", needs: "AVX-512F, BW", left: STATES };
const AVX512VL: Technique = Technique { what: "AVX-512VL alone", needs: "AVX-512F, BW, VL", left: STATES };
const ZEN5: Technique = Technique { what: "AVX-512 alone, for Zen 5", ..AVX512 };

fn kernel(
    Technique { what: technique, needs, .. }: Technique,
    name: &'static str,
    what: &str,
    arguments: Vec<String>,
    body: Strand,
) -> Kernel {
    Kernel {
        name,
        about: format!("SHA-256 of {what}: {technique}"),
        needs,
        arguments,
        frame_bytes: 0,
        notes: vec![],
        call: Call::Avx,
        body,
    }
}

fn split_fixed_kernel(name: &'static str, lanes: usize, message: Message) -> Result<Kernel, String> {
    let body = match (lanes, message) {
        (16, Message::Block | Message::BlockAndConstant) => split_fixed::x16(message)?,
        _ => split_fixed::kernel(lanes, message)?,
    };
    Ok(fixed_kernel(SPLIT, name, lanes, message, split_fixed::scratch_bytes(lanes, message), body))
}

/// The kernels of `avx512-x16-asm`, `zen5-x16` and `avx512vl-x8-asm`.
fn avx512_kernels() -> Vec<Kernel> {
    const X16: [&str; 5] = [
        "avx512_x16",
        "avx512_x16_lanes",
        "avx512_fixed_x16",
        "avx512_fixed_x16_and_constant",
        "avx512_fixed_x16_half",
    ];
    const ZEN5_X16: [&str; 5] = [
        "zen5_x16",
        "zen5_x16_lanes",
        "zen5_fixed_x16",
        "zen5_fixed_x16_and_constant",
        "zen5_fixed_x16_half",
    ];
    const VL_X8: [&str; 5] = [
        "avx512vl_x8",
        "avx512vl_x8_lanes",
        "avx512vl_fixed_x8",
        "avx512vl_fixed_x8_and_constant",
        "avx512vl_fixed_x8_half",
    ];
    let of = |technique, n: usize, sums, [turns, lanes, block, and_constant, half]: [&'static str; 5]| {
        let kernels = Avx512::new(n, sums);
        let fixed = |name, message| {
            fixed_kernel(technique, name, n, message, avx512::SCRATCH, kernels.fixed(message))
        };
        let what = format!("{n} messages, word by word side by side");
        [
            turns_kernel(technique, turns, n, "input phase hidden", avx512::SCRATCH, kernels.turns()),
            kernel(technique, lanes, &what, by_lanes(avx512::SCRATCH, STATES), kernels.by_lanes()),
            fixed(block, Message::Block),
            fixed(and_constant, Message::BlockAndConstant),
            fixed(half, Message::Half),
        ]
    };
    [of(AVX512, 16, Sums::Few, X16), of(ZEN5, 16, Sums::Short, ZEN5_X16), of(AVX512VL, 8, Sums::Few, VL_X8)]
        .into_iter()
        .flatten()
        .collect()
}

fn fixed_kernel(
    technique: Technique,
    name: &'static str,
    lanes: usize,
    message: Message,
    scratch_bytes: usize,
    body: Strand,
) -> Kernel {
    let bytes = message.bytes(&SHA256);
    let what = match message {
        Message::Block => "a block",
        Message::BlockAndConstant => "a block and one that they share",
        Message::Half => "half a block",
    };
    let arguments = vec![
        argument("rdi", "32 bytes a message, in order: digests, or states"),
        argument("rsi", &format!("messages, {bytes} bytes each, one after the other")),
        argument("rdx", "turns; returns at once if 0"),
        scratch(scratch_bytes, technique.left),
        argument("r8", CONSTANTS),
        argument("r9", "parameters, 16-byte aligned:"),
        argument(
            "",
            "  0 vpshufb's mask from words F E B A to A B E F (H G D C to C D G H) as they are stored",
        ),
        argument("", " 16 where states begin: 32 bytes a lane, words F E B A H G D C, 16-byte aligned"),
        argument("", " 24 how far that moves each turn"),
        argument("", " 32 of half a block: K + W of its padding, words 8..16"),
        argument("", " 64 and what those bring to words 16..32"),
        argument("", "128 K + W of the shared block"),
    ];
    let mut kernel =
        kernel(technique, name, &format!("turns of {lanes} messages of {what}"), arguments, body);
    kernel.notes = vec![
        "Requires that results do not overlap messages: those of the next turn are read before a turn's results are stored.",
    ];
    if technique.left == STATES {
        kernel.notes.push(
            "Requires that the states that do not move are one and the same: the first lane's is read.",
        );
    }
    if message == Message::Half {
        kernel.notes.push("Requires that words 9 to 14 of the padding are zero: words 8 and 15 alone contribute to words 16 to 31.");
    }
    kernel
}

fn split_turns_kernel(name: &'static str, lanes: usize, how: &str, body: Strand) -> Kernel {
    turns_kernel(SPLIT, name, lanes, how, turns::scratch_bytes(lanes), body)
}

fn turns_kernel(
    technique: Technique,
    name: &'static str,
    lanes: usize,
    how: &str,
    scratch_bytes: usize,
    body: Strand,
) -> Kernel {
    let mut arguments = turns_arguments(lanes, 4);
    arguments.extend([scratch(scratch_bytes, technique.left), argument("r8", CONSTANTS)]);
    let what = format!("a list of turns of {lanes} lanes, {how}");
    let mut kernel = kernel(technique, name, &what, arguments, body);
    kernel.notes = NOTES.into();
    kernel
}
