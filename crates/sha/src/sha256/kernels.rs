//! The table of SHA-256's kernels. To add one: write its file (if it needs one), add its row.

use hashlanes_isa::{
    OverLanes, kernels,
    scalar::{self, Scalar},
};
#[cfg(target_arch = "x86_64")]
use hashlanes_isa::{
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    sha_ni::ShaNi,
    sse::{self, Sse},
};

use super::Compression;
#[cfg(target_arch = "x86_64")]
use super::{
    asm::{Avx512X16, ShaNiAvx, ShaNiX6, Split, SplitX4, SplitX8, SplitX16},
    sha_ni::Streams,
};

// name degree [features] proof body [verbs beyond compress] cycles for a block of every lane: Zen 4, Golden Cove
#[rustfmt::skip]
kernels! { Compression;
    #[cfg(target_arch = "x86_64")] {
        sha_ni          1 ["sha" "ssse3" "sse4.1"]     ShaNi    Streams<1> [rounds]  130  131;
        sha_ni_x2       2 ["sha" "ssse3" "sse4.1"]     ShaNi    Streams<2> []  130  215;
        sha_ni_x3       3 ["sha" "ssse3" "sse4.1"]     ShaNi    Streams<3> []  192  325;
        sha_ni_x4       4 ["sha" "ssse3" "sse4.1"]     ShaNi    Streams<4> []  295  434;
        sha_ni_x8       8 ["sha" "ssse3" "sse4.1"]     ShaNi    Streams<8> []  614  905;
        sha_ni_x4_avx   4 ["sha" "avx"]                ShaNi    Streams<4> []  260  440;
        sha_ni_x4_vl    4 ["sha" "avx512f" "avx512vl"] ShaNi    Streams<4> []  228  440;
        sha_ni_x6_vl    6 ["sha" "avx512f" "avx512vl"] ShaNi    Streams<6> []  342  664;
        sha_ni_x8_vl    8 ["sha" "avx512f" "avx512vl"] ShaNi    Streams<8> []  446  889;
        sha_ni_x6_asm   6 ["sha" "avx"]                ShaNiAvx ShaNiX6    []  340  667;
        split_x16      16 ["sha" "avx512f" "avx512bw" "avx512vl"] Split SplitX16 [compress_lanes finish_fixed continue_many]  626 1544;
        split_x8        8 ["sha" "avx512f" "avx512bw" "avx512vl"] Split SplitX8  [compress_lanes finish_fixed continue_many]  350  773;
        split_x4        4 ["sha" "avx512f" "avx512bw" "avx512vl"] Split SplitX4  [compress_lanes finish_fixed continue_many]  171  388;
        avx512_x16     16 ["avx512f" "avx512bw"]       Avx512   OverLanes<avx512::U32x16, 8>  [compress_lanes finish_fixed continue_many]  999  921;
        avx512_x16_asm 16 ["avx512f" "avx512bw"]       Avx512   Avx512X16                     [compress_lanes finish_fixed continue_many]  951  892;
        avx512vl_x8     8 ["avx512f" "avx512vl"]       Avx512Vl OverLanes<avx512vl::U32x8, 8> [compress_lanes finish_fixed continue_many]  590  619;
        avx2_x8         8 ["avx2"]                     Avx2     OverLanes<avx2::U32x8, 8>     [compress_lanes finish_fixed continue_many]  968 1196;
        sse_x4          4 ["ssse3"]                    Sse      OverLanes<sse::U32x4, 8>      [compress_lanes finish_fixed continue_many]  998 1185;
    }
    #[cfg(true)] {
        scalar          1 []                           Scalar   OverLanes<scalar::U32x1, 8>   [compress_lanes finish_fixed continue_many rounds]  634  676;
    }
}
