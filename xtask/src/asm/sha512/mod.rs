//! SHA-512's kernels: descriptions, arguments and strands.
//!
//! | file | kernels |
//! |---|---|
//! | `../sha2.rs` | `serial-ror`, `serial-rorx`: one message, in general registers; the verb `rounds` |
//! | `sms.rs` | `sms2-*`, `sms4-avx2`, `sms8-avx512`: one message, the schedules of several of its blocks side by side |
//! | `packed.rs` | rounds with e and a of a message in one register: of the next two |
//! | `packed_avx512.rs` | `packed-avx512`: one message |
//! | `packed_x2.rs` | `packed-x2`: two |
//! | `halved.rs` | `halved-avx512`: one message, e in general registers, a in vectors |
//! | `stitched.rs` | `stitched-avx2`: one message, rounds in general registers, schedules in vectors |
//! | `avx512.rs` | `avx512-x8-asm`: a message a lane, lists of turns |
//! | `lanes.rs` | `avx512-x4-asm`: a message a lane |
//! | `registers.rs` | names of registers, offsets of constants, the next block: what all of them share |
//! | `hybrid.rs` | `hybrid-x9`, `zen5-x9`: eight lanes, and a ninth message in general registers |
//!
//! Registers are chosen by hand: the orders were searched with these, and a frame (rsp) holds the rest.

mod avx512;
mod halved;
mod hybrid;
mod lanes;
mod packed;
mod packed_avx512;
mod packed_x2;
mod registers;
mod sms;
mod stitched;

use super::emit::{Call, Kernel, argument, rows_argument};
use super::fixed::Message;
use super::jumps::with_jumps;
use super::lanes::{Kernels, Sums};
use super::sha2::{self, Rotation, Rounds, SHA512};
use super::strand::Strand;
use super::turns::{NOTES, turns_arguments};
use avx512::Avx512;

/// All of them.
pub(super) fn kernels() -> Result<Vec<Kernel>, String> {
    let mut kernels = of_one_message();
    kernels.extend([
        jumping(kernel(
            "packed_avx512",
            "1 message: e and a packed in one register, schedule in general registers",
            "AVX-512F, DQ, VL, BMI2, MOVBE",
            packed_avx512::FRAME,
            packed_avx512::kernel(),
        )),
        kernel(
            "avx512_x4",
            "4 messages side by side: AVX-512VL alone",
            "AVX-512F, VL",
            lanes::FRAME,
            lanes::kernel(),
        ),
        jumping(kernel(
            "packed_x2",
            "2 messages: e and a of both packed in one register",
            "AVX-512F, BW, DQ, VL",
            packed_x2::FRAME,
            packed_x2::kernel(),
        )),
        jumping(kernel(
            "halved_avx512",
            "1 message: e in general registers, a in vectors, schedule in vectors",
            "AVX-512F, BW, VL, BMI1, BMI2",
            halved::FRAME,
            halved::kernel(),
        )),
        jumping(kernel(
            "stitched_avx2",
            "1 message: rounds in general registers, beside the schedules of the next two blocks",
            "AVX2, BMI1, BMI2",
            stitched::FRAME,
            stitched::kernel(),
        )),
        jumping(kernel(
            "hybrid_x9",
            "9 messages: 8 side by side, one in general registers",
            "AVX-512F, BW, BMI1, BMI2, MOVBE",
            hybrid::FRAME,
            hybrid::kernel(Sums::Few)?,
        )),
        kernel(
            "zen5_x9",
            "9 messages: 8 side by side, one in general registers, for Zen 5",
            "AVX-512F, BW, BMI1, BMI2, MOVBE",
            hybrid::FRAME,
            hybrid::kernel(Sums::Short)?,
        ),
    ]);
    kernels.extend(avx512_kernels());
    Ok(kernels)
}

/// The kernels of `avx512-x8-asm`.
fn avx512_kernels() -> [Kernel; 5] {
    let kernels = Avx512::new();
    let of = |name, what, arguments: Vec<String>, notes, body| Kernel {
        arguments,
        notes,
        ..kernel(name, what, "AVX-512F, BW", avx512::FRAME, body)
    };
    let of_turns = || {
        let mut arguments = turns_arguments(8, 8);
        arguments.extend(constants("rcx"));
        arguments
    };
    let fixed = |name, message: Message| {
        let what = match message {
            Message::Block => "turns of 8 messages of a block: AVX-512 alone",
            Message::BlockAndConstant => {
                "turns of 8 messages of a block and one that they share: AVX-512 alone"
            }
            Message::Half => "turns of 8 messages of half a block: AVX-512 alone",
        };
        of(name, what, fixed_arguments(message), vec![OVERLAP], kernels.fixed(message))
    };
    [
        of(
            "avx512_x8",
            "a list of turns of 8 lanes: AVX-512 alone",
            of_turns(),
            NOTES.into(),
            kernels.turns(),
        ),
        of(
            "avx512_x8_lanes",
            "8 messages, word by word side by side: AVX-512 alone",
            by_lanes(),
            vec![],
            kernels.by_lanes(),
        ),
        fixed("avx512_fixed_x8", Message::Block),
        fixed("avx512_fixed_x8_and_constant", Message::BlockAndConstant),
        fixed("avx512_fixed_x8_half", Message::Half),
    ]
}

const OVERLAP: &str = "Requires that results do not overlap messages: those of the next turn are read before a turn's results are stored.";

fn fixed_arguments(message: Message) -> Vec<String> {
    let mut arguments = vec![
        argument("rdi", "64 bytes a message, in order: digests, or states"),
        argument("rsi", &format!("messages, {} bytes each, one after the other", message.bytes(&SHA512))),
        argument("rdx", "turns; returns at once if 0"),
    ];
    arguments.extend(constants("rcx"));
    arguments.extend([
        argument("r8", "parameters:"),
        argument("", "  0 vpshufb's mask from two words of a state to how they are stored"),
        argument("", " 16 where states begin: 64 bytes a lane, words A..H"),
        argument("", " 24 how far that moves each turn; 0 if there is one state for all messages"),
        argument("", " 32 of half a block: K + W of its padding, words 8..16"),
        argument("", "128 K + W of the shared block"),
    ]);
    arguments
}

fn by_lanes() -> Vec<String> {
    let mut arguments = vec![
        argument("rdi", STATES),
        argument("rsi", "the input: the first message's first word; bytes to the next row of words"),
        argument("", "(word t of block b of message m is at first + (16 b + t) row + 8 m)"),
        argument("rdx", BLOCKS),
    ];
    arguments.extend(constants("rcx"));
    arguments
}

const STATES: &str = "states, 64 bytes a message, words A..H";
const BLOCKS: &str = "blocks of each message; returns at once if 0";

fn constants(register: &str) -> [String; 2] {
    [
        argument(
            register,
            "constants, 64-byte aligned: K; 64 bytes of vpshufb's mask that swaps the bytes of",
        ),
        argument("", "words; counts 14 28 18 34 41 39 of rotations; at 768 K in pairs, each pair twice"),
    ]
}

/// The kernels of Gueron, Krasnov 2012, and the verb `rounds`.
fn of_one_message() -> Vec<Kernel> {
    let mut kernels = vec![];
    for (rounds, serial, rotation, needs) in [
        ("rounds_ror", "serial_ror", Rotation::Ror, "nothing"),
        ("rounds_rorx", "serial_rorx", Rotation::Rorx, "BMI2"),
    ] {
        let of = Rounds { sha2: &SHA512, rotation };
        let what = "1 message: schedule and rounds in general registers";
        let serial = kernel(serial, what, needs, sha2::serial_frame(&SHA512), sha2::serial_kernel(of));
        kernels.push(Kernel { call: Call::NoAvx, ..serial });
        kernels.push(rounds_kernel(rounds, needs, sha2::rounds_kernel(of)));
    }
    for (name, needs, call, form) in [
        ("sms2_sse", "SSSE3", Call::NoAvx, &sms::SMS2_SSE),
        ("sms2_avx", "AVX", Call::Avx, &sms::SMS2_AVX),
        ("sms4_avx2", "AVX2, BMI2", Call::Avx, &sms::SMS4_AVX2),
        ("sms8_avx512", "AVX-512F, BW, VL, BMI2", Call::Avx, &sms::SMS8_AVX512),
    ] {
        let what = "1 message: rounds in general registers, schedules of several blocks side by side";
        kernels.push(Kernel { call, ..kernel(name, what, needs, form.frame_bytes(), form.kernel()) });
    }
    kernels
}

fn rounds_kernel(name: &'static str, needs: &'static str, body: Strand) -> Kernel {
    jumping(Kernel {
        name,
        about: "SHA-512 of 1 block whose schedule is given, in general registers".into(),
        needs,
        arguments: vec![argument("rdi", "state, words A..H"), argument("rsi", "K + W")],
        frame_bytes: 0,
        notes: vec![],
        call: Call::OneBlock,
        body,
    })
}

/// One that Zen CPUs run in calls of few blocks.
fn jumping(kernel: Kernel) -> Kernel {
    Kernel { body: with_jumps(&kernel.body), ..kernel }
}

fn kernel(name: &'static str, what: &str, needs: &'static str, frame_bytes: usize, body: Strand) -> Kernel {
    let [rows, step] = rows_argument();
    let mut arguments = vec![argument("rdi", STATES), rows, step, argument("rdx", BLOCKS)];
    arguments.extend(constants("rcx"));
    Kernel {
        name,
        about: format!("SHA-512 of {what}"),
        needs,
        arguments,
        frame_bytes,
        notes: vec![],
        call: Call::Avx,
        body,
    }
}
