//! The table of SHA-512's kernels. To add one: write its file (if it needs one), add its row.

#[allow(unused_imports)] // The papers' rows need more than the others.
use hashlanes_isa::{
    OverLanes, kernels,
    scalar::{self, Scalar},
};
#[cfg(target_arch = "aarch64")]
#[allow(unused_imports)] // As above.
use hashlanes_isa::{
    OverStreams,
    arm_sha3::ArmSha3,
    neon::{self, Neon},
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unused_imports)] // As above.
use hashlanes_isa::{
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    sse::{self, Sse},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::asm::*;
use super::compression::Compression;

// packed-x2 also hashes one long message where that is faster (Redwood Cove), so the cost of its call
// includes an idle lane; 110 without. hybrid-x9's block takes 1140 cycles on Intel's CPUs while the core's
// other hardware thread is idle, and 1281 to 2160 while that is busy. The column has a great cost, because 8
// lanes without the ninth lose less in the first case (6 to 7 %) than the hybrid does in the second (9 to
// 66 %; docs/hardware-threads.md).
//
// On Zen 4 the calls of the rows that are chosen are what whole digests and batches show. `stitched-avx2`'s
// figures of Golden Cove are those of its code before it had loops. `sms8-avx512` was measured again on Zen 5
// alone: its other figures are those of its code before it hashed the last blocks in lanes. `zen5-x9` was not
// measured on Golden Cove: its cost there is above those of the kernels that are chosen. `avx512-x8-asm`'s
// figures of Zen 5 are those of its code before it had lists of turns.
//
// name degree [features] proof body [verbs beyond compress] cycles of a call (/ of one on equal short
// messages) + of a block of every lane: Zen 4, Zen 5, Golden Cove; of Arm's rows Neoverse N1, V1, V2, Apple
// M1 by models (docs/arm-models.md), calls estimated
#[rustfmt::skip]
kernels! { Compression;
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        packed_avx512 1 ["avx512f" "avx512dq" "avx512vl" "bmi2" "movbe"] Packed     PackedAvx512                  [rounds]                                      294 +  463     68 +  681      138 +  591;
        halved_avx512 1 ["avx512f" "avx512bw" "avx512vl" "bmi1" "bmi2"]  Halved     HalvedAvx512                  [rounds]                                      250 +  472    390 +  693      102 +  549;
        stitched_avx2 1 ["avx2" "bmi1" "bmi2"]                           Stitched   StitchedAvx2                  [rounds]                                      260 +  496    138 +  455      165 +  600;
        serial_rorx   1 ["bmi2"]                                         Bmi2       SerialRorx                    [rounds]                                      115 +  757     79 +  587       85 +  655;
        serial_ror    1 []                                               Scalar     SerialRor                     [rounds]                                      118 +  762     79 +  608       82 +  708;
        sms8_avx512   1 ["avx512f" "avx512bw" "avx512vl" "bmi2"]         Avx512Bmi2 Sms8Avx512                    []                                            300 +  526    133 +  433      277 +  557;
        packed_x2     2 ["avx512f" "avx512bw" "avx512dq" "avx512vl"]     PackedVl   PackedX2                      []                                            226 +  513    106 +  679      300 +  526;
        sms2_sse      1 ["ssse3"]                                        Sse        Sms2Sse                       [rounds]                                      120 +  670     85 +  581       84 +  706;
    }
    // On x86-64 `serial-ror` is the fallback.
    one #[cfg(not(any(target_arch = "aarch64", all(target_arch = "x86_64", target_feature = "sse2"))))] {
        scalar        1 []                                               Scalar     OverLanes<scalar::U64x1, 8>   [compress_lanes continue_many rounds]         156 +  847   156 +  847   0 +  912;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_sha512    1 ["sha3"]                                         ArmSha3    OverStreams<1, 8>             [finish_fixed continue_many rounds]    10 +  241    10 +  240    10 +  240    10 +  240;
        scalar        1 []                                               Scalar     OverLanes<scalar::U64x1, 8>   [compress_lanes continue_many rounds]   150 +  773   150 +  580   150 +  441   150 + 2228;
    }
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        zen5_x9       9 ["avx512f" "avx512bw" "bmi1" "bmi2" "movbe"]     Hybrid     Zen5X9                        []                                            587 + 1262   1131 +  726      400 + 1450;
        hybrid_x9     9 ["avx512f" "avx512bw" "bmi1" "bmi2" "movbe"]     Hybrid     HybridX9                      []                                            500 + 1187   1036 +  787      209 + 1281;
        avx512_x8_asm 8 ["avx512f" "avx512bw"]                           Avx512     Avx512X8                      [compress_lanes finish_fixed continue_many] 430/200 + 1205  162 +  790   171/50 + 1077;
        avx512_x4_asm 4 ["avx512f" "avx512vl"]                           Avx512Vl   Avx512X4                      [compress_lanes finish_fixed continue_many]   260 +  642    138 +  783      135 +  729;
        avx2_x4       4 ["avx2"]                                         Avx2       OverLanes<avx2::U64x4, 8>     [compress_lanes finish_fixed continue_many]   162 + 1225    110 + 1336      102 + 1446;
        sse_x2        2 ["ssse3"]                                        Sse        OverLanes<sse::U64x2, 8>      [compress_lanes finish_fixed continue_many]   546 + 1240    449 + 1379       81 + 1459;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_sha512_x2 2 ["sha3"]                                         ArmSha3    OverStreams<2, 8>             [finish_fixed continue_many]    20 +  468    20 +  295    20 +  294    20 +  309;
    }
    papers #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "papers"))] {
        sms4_avx2     1 ["avx2" "bmi2"]                                  Avx2Bmi2   Sms4Avx2                      [rounds]                                      556 +  550    338 +  465      196 +  598;
        sms2_avx      1 ["avx"]                                          AvxAlone   Sms2Avx                       [rounds]                                      122 +  650     79 +  570       93 +  704;
        avx512_x8     8 ["avx512f" "avx512bw"]                           Avx512     OverLanes<avx512::U64x8, 8>   [compress_lanes]                              199 + 1290    143 + 1036      144 + 1109;
        avx512vl_x4   4 ["avx512f" "avx512vl"]                           Avx512Vl   OverLanes<avx512vl::U64x4, 8> [compress_lanes]                              150 +  738     94 + 1027      112 +  764;
        scalar        1 []                                               Scalar     OverLanes<scalar::U64x1, 8>   [compress_lanes continue_many rounds]         145 +  838    240 +  663        0 +  912;
    }
    // Two messages one by one on `scalar` take less on all cores but Apple's, which have the instructions for
    // SHA-512.
    papers #[cfg(all(target_arch = "aarch64", feature = "papers"))] {
        neon_x2       2 ["neon"]                                         Neon       OverLanes<neon::U64x2, 8>     [compress_lanes finish_fixed continue_many]    80 + 1852    80 + 1179    80 + 1179    80 + 1244;
    }
}
