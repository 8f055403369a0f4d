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
//! | `lanes.rs` | `avx512-x8-asm`, `avx512-x4-asm`: a message a lane |
//! | `registers.rs` | names of registers, offsets of constants, the next block: what all of them share |
//! | `hybrid.rs` | `hybrid-x9`, `zen5-x9`: eight lanes, and a ninth message in general registers |
//!
//! Registers are chosen by hand: the orders were searched with these, and a frame (rsp) holds the rest.

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
use super::sha2::Sums;
use super::sha2::{self, Rotation, Rounds, SHA512};
use super::strand::Strand;

/// All of them.
pub(super) fn kernels() -> Result<Vec<Kernel>, String> {
    let mut kernels = of_one_message();
    kernels.extend([
        kernel(
            "packed_avx512",
            "1 message: e and a packed in one register, schedule in general registers",
            "AVX-512F, DQ, VL, BMI2, MOVBE",
            packed_avx512::FRAME,
            packed_avx512::kernel(),
        ),
        kernel(
            "avx512_x8",
            "8 messages side by side: AVX-512 alone",
            "AVX-512F, BW",
            lanes::ZMM.frame_bytes(),
            lanes::ZMM.kernel(),
        ),
        kernel(
            "avx512_x4",
            "4 messages side by side: AVX-512VL alone",
            "AVX-512F, VL",
            lanes::YMM.frame_bytes(),
            lanes::YMM.kernel(),
        ),
        kernel(
            "packed_x2",
            "2 messages: e and a of both packed in one register",
            "AVX-512F, BW, DQ, VL",
            packed_x2::FRAME,
            packed_x2::kernel(),
        ),
        kernel(
            "halved_avx512",
            "1 message: e in general registers, a in vectors, schedule in vectors",
            "AVX-512F, BW, VL, BMI1, BMI2",
            halved::FRAME,
            halved::kernel(),
        ),
        kernel(
            "stitched_avx2",
            "1 message: rounds in general registers, beside the schedules of the next two blocks",
            "AVX2, BMI1, BMI2",
            stitched::FRAME,
            stitched::kernel(),
        ),
        kernel(
            "hybrid_x9",
            "9 messages: 8 side by side, one in general registers",
            "AVX-512F, BW, BMI1, BMI2, MOVBE",
            hybrid::FRAME,
            hybrid::kernel(Sums::Few)?,
        ),
        kernel(
            "zen5_x9",
            "9 messages: 8 side by side, one in general registers, for Zen 5",
            "AVX-512F, BW, BMI1, BMI2, MOVBE",
            hybrid::FRAME,
            hybrid::kernel(Sums::Short)?,
        ),
    ]);
    Ok(kernels)
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
    Kernel {
        name,
        about: "SHA-512 of 1 block whose schedule is given, in general registers".into(),
        needs,
        arguments: vec![argument("rdi", "state, words A..H"), argument("rsi", "K + W")],
        frame_bytes: 0,
        notes: vec![],
        call: Call::OneBlock,
        body,
    }
}

fn kernel(name: &'static str, what: &str, needs: &'static str, frame_bytes: usize, body: Strand) -> Kernel {
    let [rows, step] = rows_argument();
    let arguments = vec![
        argument("rdi", "states, 64 bytes a message, words A..H"),
        rows,
        step,
        argument("rdx", "blocks of each message; returns at once if 0"),
        argument("rcx", "constants, 64-byte aligned: K; 64 bytes of vpshufb's mask that swaps the bytes of"),
        argument("", "words; counts 14 28 18 34 41 39 of rotations; at 768 K in pairs, each pair twice"),
    ];
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
