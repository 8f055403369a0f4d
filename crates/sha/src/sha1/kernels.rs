//! The table of SHA-1's kernels. To add one: write its file (if it needs one), add its row.

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
use super::sha_ni::Streams;

// name degree [features] proof body [verbs beyond compress] cycles of a call + of a block of every lane: Zen 4, Golden Cove
#[rustfmt::skip]
kernels! { Compression;
    #[cfg(target_arch = "x86_64")] {
        sha_ni       1 ["sha" "ssse3" "sse4.1"] ShaNi    Streams<1>                    []                                                   12 + 122   12 + 118;
        sha_ni_x2    2 ["sha" "ssse3" "sse4.1"] ShaNi    Streams<2>                    []                                                   60 + 131   60 + 197;
        sha_ni_x3    3 ["sha" "ssse3" "sse4.1"] ShaNi    Streams<3>                    []                                                   60 + 157   60 + 314;
        sha_ni_x4    4 ["sha" "ssse3" "sse4.1"] ShaNi    Streams<4>                    []                                                   68 + 233   68 + 460;
        avx512_x16  16 ["avx512f" "avx512bw"]   Avx512   OverLanes<avx512::U32x16, 5>  [compress_lanes finish_fixed continue_many]         182 + 504  182 + 469;
        avx512vl_x8  8 ["avx512f" "avx512vl"]   Avx512Vl OverLanes<avx512vl::U32x8, 5> [compress_lanes finish_fixed continue_many]         112 + 282  112 + 311;
        avx2_x8      8 ["avx2"]                 Avx2     OverLanes<avx2::U32x8, 5>     [compress_lanes finish_fixed continue_many]         100 + 486  100 + 529;
        sse_x4       4 ["ssse3"]                Sse      OverLanes<sse::U32x4, 5>      [compress_lanes finish_fixed continue_many]          90 + 460   90 + 515;
    }
    #[cfg(true)] {
        scalar       1 []                       Scalar   OverLanes<scalar::U32x1, 5>   [compress_lanes finish_fixed continue_many rounds]   42 + 270   42 + 284;
    }
}
