//! The table of SHA-256's kernels. To add one: write its file (if it needs one), add its row.

#[allow(unused_imports)] // The papers' rows need more than the others.
use hashlanes_isa::{
    OverLanes, kernels,
    scalar::{self, Scalar},
};
#[cfg(target_arch = "aarch64")]
use hashlanes_isa::{
    OverStreams,
    arm_sha2::ArmSha2,
    neon::{self, Neon},
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unused_imports)] // As above.
use hashlanes_isa::{
    OverStreams,
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    sha_ni::ShaNi,
    sse::{self, Sse},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::asm::*;
use super::compression::Compression;

// `sha_ni_x4_avx` leaves `finish_fixed` to the adaptor: there the compiler would copy messages through ymm
// registers, and their upper halves cost the SHA instructions, which have no VEX form. On Redwood Cove
// `stitched_avx512` takes 513 cycles for one block, but 1020 for two, and passes `avx2_rorx2` from 12 blocks
// on: so its costs there. On Zen 4 the calls of the rows that are chosen are what batches show, and so are
// those on equal short messages, whose second block is known before. `split-x4` hashes these eight at a time,
// so `split-x8` is to be preferred. On Zen 5 the calls of `sha-ni-x6-*`, `sha-ni-x8` and `zen5-x16` are what
// batches show, and `split-x4`'s block is above its 277 cycles, because it takes 480 in some processes. A
// call of equal short messages on `avx512-x16-asm` is between that of one block and that of two on Golden
// Cove: the schedule of the second is known before, which saves more than a call takes. Its figures of Zen 5
// are those of its code before it had lists of turns. Those of `avx512vl-x8-asm` there are estimates: 2 %
// less than `avx512vl-x8`'s.
//
// name degree [features] proof body [verbs beyond compress] cycles of a call (/ of one on equal short
// messages) + of a block of every lane: Zen 4, Zen 5, Golden Cove; of Arm's rows Neoverse N1,
// V1, V2, Apple M1 by models (docs/arm-models.md), calls estimated
#[rustfmt::skip]
kernels! { Compression;
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        sha_ni           1 ["sha" "ssse3" "sse4.1"]                 ShaNi        ShaNiOne                      [finish_fixed continue_many rounds]                 0 +  129          0 +  130        0 +  131;
        stitched_avx512  1 ["avx512f" "avx512vl" "bmi2"]            Avx512Bmi2   StitchedAvx512                [rounds]                                           88 +  415         62 +  354      130 +  450;
        stitched_avx2    1 ["avx2" "bmi2"]                          Avx2Bmi2     StitchedAvx2                  [rounds]                                           93 +  416        118 +  353       63 +  454;
        avx2_rorx2       1 ["avx2" "bmi2"]                          Avx2Bmi2     Avx2Rorx2                     [rounds]                                           88 +  445         70 +  379       66 +  453;
        avx              1 ["avx"]                                  AvxAlone     Avx                           [rounds]                                           95 +  494         60 +  459       60 +  513;
        sse4             1 ["ssse3"]                                Sse          Sse4                          [rounds]                                           86 +  496         60 +  459       61 +  518;
        serial_ror       1 []                                       Scalar       SerialRor                     [rounds]                                           92 +  602         55 +  485       66 +  552;
    }
    // On x86-64 `serial-ror` is the fallback.
    one #[cfg(not(any(target_arch = "aarch64", all(target_arch = "x86_64", target_feature = "sse2"))))] {
        scalar           1 []                                       Scalar       OverLanes<scalar::U32x1, 8>   [compress_lanes continue_many rounds]               178 +  639   178 +  639   0 +  676;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_sha2         1 ["sha2"]                                 ArmSha2      OverStreams<1>                [finish_fixed continue_many rounds]     5 +   83     5 +   83     5 +   83     5 +  115;
        scalar           1 []                                       Scalar       OverLanes<scalar::U32x1, 8>   [compress_lanes continue_many rounds]    26 +  603    26 +  452    26 +  355    26 + 1752;
    }
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        sha_ni_x2        2 ["sha" "ssse3" "sse4.1"]                 ShaNi        OverStreams<2>                [finish_fixed continue_many]                      104 +  131         10 +  169       60 +  205;
        sha_ni_x3        3 ["sha" "ssse3" "sse4.1"]                 ShaNi        OverStreams<3>                [finish_fixed continue_many]                  125/300 +  185         14 +  223       66 +  321;
        sha_ni_x4        4 ["sha" "ssse3" "sse4.1"]                 ShaNi        OverStreams<4>                [finish_fixed continue_many]                      135 +  250         37 +  285       80 +  430;
        sha_ni_x8        8 ["sha" "ssse3" "sse4.1"]                 ShaNi        OverStreams<8>                [finish_fixed continue_many]                      200 +  545        915 +  543      194 +  907;
        sha_ni_x4_avx    4 ["sha" "avx"]                            ShaNi        OverStreams<4>                [continue_many]                                   135 +  260         55 +  299       81 +  434;
        sha_ni_x4_vl     4 ["sha" "avx512f" "avx512vl"]             ShaNi        OverStreams<4>                [finish_fixed continue_many]                   130/60 +  224         20 +  284       74 +  438;
        sha_ni_x6_vl     6 ["sha" "avx512f" "avx512vl"]             ShaNi        OverStreams<6>                [finish_fixed continue_many]                  195/140 +  330         60 +  394       96 +  660;
        sha_ni_x6_asm    6 ["sha" "avx"]                            ShaNiAvx     ShaNiX6                       []                                                232 +  341        243 +  391      149 +  665;
        split_x16       16 ["sha" "avx512f" "avx512bw" "avx512vl"]  Split        SplitX16                      [compress_lanes finish_fixed continue_many]  1320/920 +  630   1654/400 + 1063     1384 + 1536;
        split_x8         8 ["sha" "avx512f" "avx512bw" "avx512vl"]  Split        SplitX8                       [compress_lanes finish_fixed continue_many]   510/300 +  353    659/200 +  550      378 +  769;
        split_x4         4 ["sha" "avx512f" "avx512bw" "avx512vl"]  Split        SplitX4                       [compress_lanes finish_fixed continue_many]   415/900 +  170    542/900 +  300      800 +  388;
        zen5_x16        16 ["avx512f" "avx512bw"]                   Avx512       Zen5X16                       [compress_lanes finish_fixed continue_many]       336 + 1024    228/400 +  549      300 +  920;
        avx512_x16_asm  16 ["avx512f" "avx512bw"]                   Avx512       Avx512X16                     [compress_lanes finish_fixed continue_many]       334 +  978        498 +  627 200/120 +  866;
        avx512vl_x8_asm  8 ["avx512f" "avx512vl"]                   Avx512Vl     Avx512VlX8                    [compress_lanes finish_fixed continue_many]       199 +  511        157 +  800      128 +  568;
        avx2_x8          8 ["avx2"]                                 Avx2         OverLanes<avx2::U32x8, 8>     [compress_lanes finish_fixed continue_many]       187 +  997        168 + 1099      117 + 1192;
        sse_x4           4 ["ssse3"]                                Sse          OverLanes<sse::U32x4, 8>      [compress_lanes finish_fixed continue_many]       213 + 1005        558 + 1134      116 + 1197;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_sha2_x2      2 ["sha2"]                                 ArmSha2      OverStreams<2>                [finish_fixed continue_many]    10 +  116    10 +   89    10 +  112    10 +  117;
        arm_sha2_x3      3 ["sha2"]                                 ArmSha2      OverStreams<3>                [finish_fixed continue_many]    15 +  170    15 +  132    15 +  168    15 +  171;
        neon_x4          4 ["neon"]                                 Neon         OverLanes<neon::U32x4, 8>     [compress_lanes finish_fixed continue_many]    80 + 1478    80 +  943    80 +  952    80 +  989;
    }
    papers #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "papers"))] {
        avx2_rorx8       1 ["avx2" "bmi2"]                          Avx2Bmi2     Avx2Rorx8                     [rounds]                                          197 +  429        245 +  374      225 +  458;
        sms16_avx512     1 ["avx512f" "avx512bw" "avx512vl" "bmi2"] Avx512BwBmi2 Sms16Avx512                   [rounds]                                          416 +  430        281 +  358      185 +  459;
        sms8_avx2        1 ["avx2" "bmi2"]                          Avx2Bmi2     Sms8Avx2                      [rounds]                                          375 +  450        221 +  389      131 +  487;
        sms4_avx         1 ["avx"]                                  AvxAlone     Sms4Avx                       [rounds]                                          177 +  557          0 +  531        0 +  598;
        sms4_avx_shrd    1 ["avx"]                                  AvxAlone     Sms4AvxShrd                   [rounds]                                          887 +  992        404 +  921        0 +  597;
        sms4_avx_rem     1 ["avx"]                                  AvxAlone     Sms4AvxRem                    [rounds]                                          264 +  558        200 +  541      245 +  596;
        sms4_sse         1 ["ssse3"]                                Sse          Sms4Sse                       [rounds]                                          178 +  559          0 +  535        0 +  599;
        sms4_sse_shrd    1 ["ssse3"]                                Sse          Sms4SseShrd                   [rounds]                                          896 +  988        390 +  923        0 +  598;
        serial_shrd      1 []                                       Scalar       SerialShrd                    [rounds]                                           81 + 1394         51 + 1092       66 +  551;
        serial_rorx      1 ["bmi2"]                                 Bmi2         SerialRorx                    [rounds]                                           88 +  595         66 +  466       67 +  517;
        avx512_x16      16 ["avx512f" "avx512bw"]                   Avx512       OverLanes<avx512::U32x16, 8>  [compress_lanes]                                  305 + 1025        210 +  826      228 +  920;
        avx512vl_x8      8 ["avx512f" "avx512vl"]                   Avx512Vl     OverLanes<avx512vl::U32x8, 8> [compress_lanes]                                  146 +  591        157 +  817      145 +  618;
        sha_ni_x8_vl     8 ["sha" "avx512f" "avx512vl"]             ShaNi        OverStreams<8>                []                                                131 +  446         95 +  516       94 +  890;
        scalar           1 []                                       Scalar       OverLanes<scalar::U32x1, 8>   [compress_lanes continue_many rounds]              86 +  659        354 +  512        0 +  676;
    }
}
