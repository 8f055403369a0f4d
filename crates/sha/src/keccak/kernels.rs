//! The table of Keccak-f[1600]'s kernels. To add one: write its file (if it needs one), add its row.

#[cfg(target_arch = "x86_64")]
use hashlanes_isa::{
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    sse::{self, Sse},
};
use hashlanes_isa::{
    scalar::{self, Scalar},
    sponge_kernels,
};

use super::KERNEL_VARIABLE;
use super::lanes::OverLanes;

// name degree [features] proof body cycles of a permutation of every lane: Golden Cove
#[rustfmt::skip]
sponge_kernels! { "keccak" KERNEL_VARIABLE;
    #[cfg(target_arch = "x86_64")] {
        avx512_x8   8 ["avx512f" "avx512bw"] Avx512   OverLanes<avx512::U64x8>,   1100;
        avx512vl_x4 4 ["avx512f" "avx512vl"] Avx512Vl OverLanes<avx512vl::U64x4>,  750;
        avx2_x4     4 ["avx2"]               Avx2     OverLanes<avx2::U64x4>,     1400;
        sse_x2      2 ["ssse3"]              Sse      OverLanes<sse::U64x2>,      1600;
    }
    #[cfg(true)] {
        scalar      1 []                     Scalar   OverLanes<scalar::U64x1>,   1000;
    }
}
