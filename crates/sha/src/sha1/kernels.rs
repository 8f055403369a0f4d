//! The table of SHA-1's kernels. To add one: write its file (if it needs one), add its row.

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

// Calls are those of few blocks: `avx2` has computed a pair's schedule when it begins, and n-SMS hashes the
// remainder of its n blocks serially. On Zen 4 those of the rows that are chosen are what batches show.
//
// name degree [features] proof body [verbs beyond compress] cycles of a call + of a block of every lane: Zen
// 4, Zen 5, Golden Cove; of Arm's rows Neoverse N1, V1, V2, Apple M1 by models (docs/arm-models.md), calls
// estimated
#[rustfmt::skip]
kernels! { Compression;
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        sha_ni          1 ["sha" "ssse3" "sse4.1"]                ShaNi       ShaNiOne                      [finish_fixed continue_many rounds]             8 + 121     0 + 123    28 + 117;
        avx2            1 ["avx2" "bmi1" "bmi2"]                  Avx2Bmi     Avx2Pairs                     [rounds]                                      110 + 191   101 + 165    92 + 208;
        avx             1 ["avx"]                                 AvxAlone    Avx                           [rounds]                                      101 + 216    72 + 177    65 + 220;
        ssse3           1 ["ssse3"]                               Sse         Ssse3                         [rounds]                                       88 + 216    75 + 178    65 + 220;
        serial_ror      1 []                                      Scalar      SerialRor                     [rounds]                                       79 + 287    65 + 227    64 + 259;
        ssse3_plain     1 ["ssse3"]                               Sse         Ssse3Plain                    [rounds]                                       97 + 220    65 + 184    63 + 223;
    }
    // On x86-64 `serial-ror` is the fallback.
    one #[cfg(not(any(target_arch = "aarch64", all(target_arch = "x86_64", target_feature = "sse2"))))] {
        scalar          1 []                                      Scalar      OverLanes<scalar::U32x1, 5>   [compress_lanes continue_many rounds]          42 + 286   42 + 286   42 + 288;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_sha1        1 ["sha2"]                                ArmSha2     OverStreams<1>                [finish_fixed continue_many rounds]     5 +  103     5 +  103     5 +  103     5 +  145;
        scalar          1 []                                      Scalar      OverLanes<scalar::U32x1, 5>   [compress_lanes continue_many rounds]    42 +  327    42 +  245    42 +  172    42 +  961;
    }
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        sha_ni_x2       2 ["sha" "ssse3" "sse4.1"]                ShaNi       OverStreams<2>                [finish_fixed continue_many]                   90 + 137     0 + 138    46 + 208;
        sha_ni_x3       3 ["sha" "ssse3" "sse4.1"]                ShaNi       OverStreams<3>                [finish_fixed continue_many]                   93 + 166    15 + 162    49 + 331;
        sha_ni_x4       4 ["sha" "ssse3" "sse4.1"]                ShaNi       OverStreams<4>                [finish_fixed continue_many]                  110 + 263    36 + 253    56 + 422;
        sha_ni_x2_asm   2 ["sha" "avx512f" "avx512bw" "avx512vl"] ShaNiAvx512 ShaNiX2                       []                                            106 + 135     7 + 135    63 + 207;
        sha_ni_x3_asm   3 ["sha" "avx512f" "avx512bw" "avx512vl"] ShaNiAvx512 ShaNiX3                       []                                            160 + 147    43 + 154    64 + 314;
        sha_ni_x4_asm   4 ["sha" "avx512f" "avx512bw" "avx512vl"] ShaNiAvx512 ShaNiX4                       []                                            150 + 195    63 + 186    82 + 409;
        avx512_x16_asm 16 ["avx512f" "avx512bw" "avx512vl"]       Avx512Asm   Avx512X16                     [compress_lanes finish_fixed continue_many] 370/230 + 482   224 + 328   199 + 423;
        avx512_x8_asm   8 ["avx512f" "avx512bw" "avx512vl"]       Avx512Asm   Avx512X8                      [compress_lanes finish_fixed continue_many] 410/150 + 272   138 + 324   150 + 280;
        avx2_x8         8 ["avx2"]                                Avx2        OverLanes<avx2::U32x8, 5>     [compress_lanes finish_fixed continue_many]   146 + 442   115 + 544   118 + 523;
        sse_x4          4 ["ssse3"]                               Sse         OverLanes<sse::U32x4, 5>      [compress_lanes finish_fixed continue_many]   468 + 433    64 + 549   119 + 515;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_sha1_x2     2 ["sha2"]                                ArmSha2     OverStreams<2>                [finish_fixed continue_many]    10 +  144    10 +  113    10 +  144    10 +  149;
        neon_x4         4 ["neon"]                                Neon        OverLanes<neon::U32x4, 5>     [compress_lanes finish_fixed continue_many]    80 +  658    80 +  648    80 +  649    80 +  566;
    }
    papers #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "papers"))] {
        sms8_avx2       1 ["avx2" "bmi1" "bmi2"]                  Avx2Bmi     Sms8Avx2                      [rounds]                                      220 + 209   131 + 192    85 + 233;
        sms4_sse        1 ["ssse3"]                               Sse         Sms4Sse                       [rounds]                                      167 + 244    62 + 225   114 + 235;
        ssse3_repaired  1 ["ssse3"]                               Sse         Ssse3Repaired                 [rounds]                                       86 + 227    81 + 205    63 + 232;
        ssse3_part      1 ["ssse3"]                               Sse         Ssse3Part                     [rounds]                                       93 + 270   162 + 236    63 + 280;
        avx512_x16     16 ["avx512f" "avx512bw"]                  Avx512      OverLanes<avx512::U32x16, 5>  [compress_lanes]                              307 + 566   217 + 380   224 + 466;
        avx512vl_x8     8 ["avx512f" "avx512vl"]                  Avx512Vl    OverLanes<avx512vl::U32x8, 5> [compress_lanes]                              144 + 357   100 + 387   133 + 296;
        scalar          1 []                                      Scalar      OverLanes<scalar::U32x1, 5>   [compress_lanes continue_many rounds]          72 + 276    46 + 263    42 + 288;
    }
}
