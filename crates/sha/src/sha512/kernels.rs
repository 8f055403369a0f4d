//! The table of SHA-512's kernels. To add one: write its file (if it needs one), add its row.

use hashlanes_isa::{
    OverLanes, kernels,
    scalar::{self, Scalar},
};
#[cfg(target_arch = "x86_64")]
use hashlanes_isa::{
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    sse::{self, Sse},
};

use super::Compression;

// name degree [features] proof body [verbs beyond compress] cycles of a call + of a block of every lane: Zen 4, Golden Cove
#[rustfmt::skip]
kernels! { Compression;
    #[cfg(target_arch = "x86_64")] {
        avx512_x8   8 ["avx512f" "avx512bw"] Avx512   OverLanes<avx512::U64x8, 8>   [compress_lanes finish_fixed continue_many]         220 + 1260  220 + 1112;
        avx512vl_x4 4 ["avx512f" "avx512vl"] Avx512Vl OverLanes<avx512vl::U64x4, 8> [compress_lanes finish_fixed continue_many]         272 +  720  272 +  764;
        avx2_x4     4 ["avx2"]               Avx2     OverLanes<avx2::U64x4, 8>     [compress_lanes finish_fixed continue_many]         226 + 1229  226 + 1448;
        sse_x2      2 ["ssse3"]              Sse      OverLanes<sse::U64x2, 8>      [compress_lanes finish_fixed continue_many]         248 + 1254  248 + 1451;
    }
    #[cfg(true)] {
        scalar      1 []                     Scalar   OverLanes<scalar::U64x1, 8>   [compress_lanes finish_fixed continue_many rounds]  156 +  760  156 +  866;
    }
}
