//! SHA-1's kernels: descriptions, arguments and strands.
//!
//! | file | kernels |
//! |---|---|
//! | `rounds.rs` | rounds in general registers; `serial-ror`; the verb `rounds` |
//! | `ssse3.rs` | `ssse3`, `ssse3-plain`, `ssse3-repaired`, `ssse3-part`, `avx`, `avx2`: one message, its schedule four words at once |
//! | `sms.rs` | `sms4-sse`, `sms8-avx2`: one message, the schedules of several of its blocks side by side |
//! | `avx512.rs` | `avx512-x16-asm`, `avx512-x8-asm`: a message a lane |
//! | `sha_ni.rs` | `sha-ni`, `sha-ni-x2-asm` to `-x4-asm` |

mod avx512;
mod constants;
mod rounds;
mod sha_ni;
mod sms;
mod ssse3;

use super::emit::{Call, Kernel, argument, rows_argument};
use super::jumps::with_jumps;
use super::strand::Strand;
use constants::constants_argument;
use rounds::Rotation;

/// All of them.
pub(super) fn kernels() -> Vec<Kernel> {
    let vectors = |name, needs, call, form: &ssse3::Form| {
        let what = "rounds in general registers, the schedule in vectors beside them";
        one_message(name, what, needs, call, form.frame_bytes(), ssse3::kernel(form))
    };
    let lanes = |name, needs, call, form: &sms::Form| {
        let what = "rounds in general registers, schedules of several blocks side by side";
        one_message(name, what, needs, call, form.frame_bytes(), sms::kernel(form))
    };
    vec![
        one_message(
            "serial_ror",
            "rounds and schedule in general registers",
            "nothing",
            Call::NoAvx,
            rounds::SERIAL_FRAME,
            rounds::serial_kernel(),
        ),
        vectors("ssse3", "SSSE3", Call::NoAvx, &ssse3::SSSE3),
        vectors("ssse3_plain", "SSSE3", Call::NoAvx, &ssse3::SSSE3_PLAIN),
        vectors("ssse3_repaired", "SSSE3", Call::NoAvx, &ssse3::SSSE3_REPAIRED),
        vectors("ssse3_part", "SSSE3", Call::NoAvx, &ssse3::SSSE3_PART),
        vectors("avx", "AVX", Call::Avx, &ssse3::AVX),
        vectors("avx2", "AVX2, BMI1, BMI2", Call::Avx, &ssse3::AVX2),
        lanes("sms4_sse", "SSSE3", Call::NoAvx, &sms::SMS4_SSE),
        lanes("sms8_avx2", "AVX2, BMI1, BMI2", Call::Avx, &sms::SMS8_AVX2),
        rounds_kernel("rounds_ror", "nothing", Rotation::Ror),
        rounds_kernel("rounds_rorx", "BMI1, BMI2", Rotation::Rorx),
        lanes_kernel("avx512_x16", &avx512::X16),
        lanes_kernel("avx512_x8", &avx512::X8),
        sha_ni::one_message(),
        sha_ni_kernel("sha_ni_x2", &sha_ni::X2),
        sha_ni_kernel("sha_ni_x3", &sha_ni::X3),
        sha_ni_kernel("sha_ni_x4", &sha_ni::X4),
    ]
}

fn one_message(
    name: &'static str,
    what: &str,
    needs: &'static str,
    call: Call,
    frame_bytes: usize,
    body: Strand,
) -> Kernel {
    let [rows, step] = rows_argument();
    let mut arguments = vec![
        argument("rdi", "state, words A..E"),
        rows,
        step,
        argument("rdx", "blocks; returns at once if 0"),
    ];
    arguments.extend(constants_argument("rcx"));
    Kernel {
        name,
        about: format!("SHA-1 of 1 message: {what}"),
        needs,
        arguments,
        frame_bytes,
        notes: vec![],
        call,
        body,
    }
}

fn rounds_kernel(name: &'static str, needs: &'static str, rotation: Rotation) -> Kernel {
    Kernel {
        name,
        about: "SHA-1 of 1 block whose schedule is given, in general registers".into(),
        needs,
        arguments: vec![argument("rdi", "state, words A..E"), argument("rsi", "K + W")],
        frame_bytes: 0,
        notes: vec![],
        call: Call::OneBlock,
        body: rounds::rounds_kernel(rotation),
    }
}

fn lanes_kernel(name: &'static str, form: &avx512::Form) -> Kernel {
    Kernel {
        name,
        about: format!("SHA-1 of {} messages by pointers: AVX-512 alone", form.lanes),
        needs: "AVX-512F, BW, VL",
        arguments: by_pointers(form.scratch()),
        frame_bytes: 0,
        notes: vec![],
        call: Call::Avx,
        body: with_jumps(&avx512::kernel(form)),
    }
}

fn sha_ni_kernel(name: &'static str, form: &sha_ni::Form) -> Kernel {
    Kernel {
        name,
        about: format!(
            "SHA-1 of {} messages by pointers: SHA-NI, interleaved, half of the schedule by AVX-512VL",
            form.messages
        ),
        needs: "SHA, AVX, AVX-512F, BW, VL",
        arguments: by_pointers(sha_ni::SCRATCH),
        frame_bytes: 0,
        notes: vec![],
        call: Call::Avx,
        body: with_jumps(&sha_ni::kernel(form)),
    }
}

fn by_pointers(scratch_bytes: usize) -> Vec<String> {
    let scratch = format!(
        "scratch memory, {scratch_bytes} bytes, 64-byte aligned, need not be initialised; holds states \
         afterwards"
    );
    let [rows, step] = rows_argument();
    let mut arguments = vec![
        argument("rdi", "states, 20 bytes a message, words A..E"),
        rows,
        step,
        argument("rdx", "blocks of each message; returns at once if 0"),
        argument("rcx", &scratch),
    ];
    arguments.extend(constants_argument("r8"));
    arguments
}
