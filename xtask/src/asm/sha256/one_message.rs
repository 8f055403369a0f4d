//! Kernels of one message for CPUs without SHA-NI: those of Gueron, Krasnov 2012 and of Guilford, Yap, Gopal
//! 2012, and improvements of them.

use super::arguments::{BLOCKS, CONSTANTS};
use super::sms::{Encoding, Form, Remainder};
use super::{guilford_yap_gopal_2012 as fast, stitched};
use crate::asm::emit::{Call, Kernel, argument, rows_argument};
use crate::asm::sha2::{self, Rotation, Rounds, SHA256};
use crate::asm::strand::Strand;
use crate::asm::vex_to_sse::to_sse;

/// The kernels of papers 000 and 001, and improvements of them; and the verb `rounds` for each rotation.
pub(super) fn kernels() -> Vec<Kernel> {
    let mut kernels = vec![];
    for (rounds, serial, rotation, needs) in [
        ("rounds_ror", "serial_ror", Rotation::Ror, "nothing"),
        ("rounds_shrd", "serial_shrd", Rotation::Shrd, "nothing"),
        ("rounds_rorx", "serial_rorx", Rotation::Rorx, "BMI2"),
    ] {
        let of = Rounds { sha2: &SHA256, rotation };
        let what = "schedule and rounds in general registers";
        let frame_bytes = sha2::serial_frame(&SHA256);
        kernels.push(one_message(serial, what, needs, Call::NoAvx, frame_bytes, sha2::serial_kernel(of)));
        kernels.push(rounds_kernel(rounds, needs, sha2::rounds_kernel(of)));
    }
    for (name, needs, avx512) in
        [("stitched_avx2", "AVX2, BMI2", false), ("stitched_avx512", "AVX-512F, VL, BMI2", true)]
    {
        let what = "rounds in general registers, beside the schedule of two blocks";
        kernels.push(one_message(name, what, needs, Call::Avx, stitched::FRAME, stitched::kernel(avx512)));
    }
    kernels.extend([
        of_guilford("sse4", "one block's", "SSSE3", Call::NoAvx, fast::FRAME_1, to_sse(fast::one_block())),
        of_guilford("avx", "one block's", "AVX", Call::Avx, fast::FRAME_1, fast::one_block()),
        of_guilford("avx2_rorx2", "two blocks'", "AVX2, BMI2", Call::Avx, fast::FRAME_2, fast::two_blocks()),
        of_guilford(
            "avx2_rorx8",
            "eight blocks'",
            "AVX2, BMI2",
            Call::Avx,
            fast::FRAME_8,
            fast::eight_blocks(),
        ),
    ]);
    let sms4 = |encoding, rotation, remainder| Form { encoding, rotation, lanes: &[4], remainder };
    let wider =
        |encoding, lanes| Form { encoding, rotation: Rotation::Rorx, lanes, remainder: Remainder::Serial };
    kernels.extend(
        [
            ("sms4_sse", "SSSE3", sms4(Encoding::Sse, Rotation::Ror, Remainder::Serial)),
            ("sms4_sse_shrd", "SSSE3", sms4(Encoding::Sse, Rotation::Shrd, Remainder::Serial)),
            ("sms4_avx", "AVX", sms4(Encoding::Avx, Rotation::Ror, Remainder::Serial)),
            ("sms4_avx_shrd", "AVX", sms4(Encoding::Avx, Rotation::Shrd, Remainder::Serial)),
            ("sms4_avx_rem", "AVX", sms4(Encoding::Avx, Rotation::Ror, Remainder::Narrow)),
            ("sms8_avx2", "AVX2, BMI2", wider(Encoding::Avx2, &[8, 4])),
            ("sms16_avx512", "AVX-512F, BW, VL, BMI2", wider(Encoding::Avx512, &[16, 8, 4])),
        ]
        .map(|(name, needs, form)| {
            let what =
                "schedules of several blocks side by side, then the rounds of each in general registers";
            let call = if form.encoding == Encoding::Sse { Call::NoAvx } else { Call::Avx };
            one_message(name, what, needs, call, form.frame(), form.kernel())
        }),
    );
    kernels
}

/// The kernels of Guilford, Yap, Gopal 2012.
fn of_guilford(
    name: &'static str,
    whose: &str,
    needs: &'static str,
    call: Call,
    frame: usize,
    body: Strand,
) -> Kernel {
    one_message(
        name,
        &format!("rounds in general registers, beside {whose} schedule"),
        needs,
        call,
        frame,
        body,
    )
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
    let arguments = vec![
        argument("rdi", "state, words A..H"),
        rows,
        step,
        argument("rdx", BLOCKS),
        argument("rcx", CONSTANTS),
        argument(
            "",
            "320 two masks, 32 bytes each, that bring words 0 and 2 to places 0 and 1, and to 2 and 3",
        ),
        argument("", "384 K in fours, each four twice"),
        argument("", "896 every K four times"),
    ];
    Kernel {
        name,
        about: format!("SHA-256 of 1 message: {what}"),
        needs,
        arguments,
        frame_bytes,
        notes: vec![],
        call,
        body,
    }
}

fn rounds_kernel(name: &'static str, needs: &'static str, body: Strand) -> Kernel {
    Kernel {
        name,
        about: "SHA-256 of 1 block whose schedule is given, in general registers".into(),
        needs,
        arguments: vec![argument("rdi", "state, words A..H"), argument("rsi", "K + W")],
        frame_bytes: 0,
        notes: vec![],
        call: Call::OneBlock,
        body,
    }
}
