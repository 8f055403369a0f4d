//! The table of Keccak-f[1600]'s kernels. To add one: write its file (if it needs one), add its row.

#[cfg(target_arch = "aarch64")]
use hashlanes_isa::neon::{self, Neon};
use hashlanes_isa::sponge::{Kernel, Table};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use hashlanes_isa::{
    avx2::{self, Avx2},
    avx512::{self, Avx512},
    avx512vl::{self, Avx512Vl},
    bmi::{self, Bmi},
    sse::{self, Sse},
};
use hashlanes_isa::{
    kernels,
    scalar::{self, Scalar},
};

use super::lanes::OverLanes;

/// The variable that forces a kernel by name.
pub const KERNEL_VARIABLE: &str = "HASHLANES_KECCAK_KERNEL";

/// All kernels.
pub fn table() -> &'static Table {
    &TABLE
}

/// Returns the kernels that this CPU can run, in the table's order.
pub fn kernels() -> impl Iterator<Item = &'static Kernel> {
    table().kernels()
}

/// Replaces the kernels' costs: by `cost` of their names, or by the column's where it has none.
#[cfg(feature = "calibrate")]
pub(crate) fn set_costs(cost: impl Fn(&str) -> Option<hashlanes_isa::Cost>) {
    TABLE.set_costs(&cost);
    TABLE_OF_ONE.set_costs(&cost);
}

// The bound of the eight lanes is 1080 cycles: 90 instructions per round, two per cycle, 24 rounds; rows with
// `_d`, which make theta's D first, have 95. For Golden Cove they have the figures of the rows without `_d`,
// and 4 and 6 % more, which D cost there. They were not measured on Zen 5: there they have the figures of
// those rows, which win the tie. avx512vl_d has those of avx512vl_x4_d on both. The bound of avx2-x4 is 1470:
// 184 instructions, three per cycle, as a rotation takes three. sse-x2 has as many, plus moves, as its
// instructions overwrite an operand. One message is fastest in general registers, where `andn` and `rorx`
// save 67 of 246 instructions per round, except on Zen 4.
//
// Columns: name, degree, [features], proof, body, [], and the cycles of one permutation of every lane with
// its block: Zen 4, Zen 5, Golden Cove; figures of Arm rows are for Neoverse N1, V1, V2 and Apple M1, from
// models (docs/arm-models.md). With the feature sha3 the compiler encodes `neon::U64x2` as eor3, bcax, xar
// and rax1.
#[rustfmt::skip]
kernels! { sponge "keccak" KERNEL_VARIABLE;
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        scalar_bmi  1 ["bmi1" "bmi2"]        Bmi      OverLanes<bmi::U64x1>            [] 0 +  945   0 +  860   0 +  777;
        avx512vl_d  1 ["avx512f" "avx512vl"] Avx512Vl OverLanes<avx512vl::U64x1, true> [] 0 +  771   0 +  948   0 +  827;
    }
    one #[cfg(not(target_arch = "aarch64"))] {
        scalar      1 []                     Scalar   OverLanes<scalar::U64x1>       [] 0 + 1141   0 + 1000   0 + 1000;
    }
    one #[cfg(target_arch = "aarch64")] {
        scalar      1 []                     Scalar   OverLanes<scalar::U64x1>       []     0 + 1044     0 +  783     0 +  516     0 + 3108;
    }
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        avx512_x8     8 ["avx512f" "avx512bw"] Avx512   OverLanes<avx512::U64x8>         [] 0 + 1712   0 +  998   0 + 1180;
        avx512_x8_d   8 ["avx512f" "avx512bw"] Avx512   OverLanes<avx512::U64x8, true>   [] 0 + 1500   0 +  998   0 + 1227;
        avx512vl_x4   4 ["avx512f" "avx512vl"] Avx512Vl OverLanes<avx512vl::U64x4>       [] 0 +  923   0 +  948   0 +  780;
        avx512vl_x4_d 4 ["avx512f" "avx512vl"] Avx512Vl OverLanes<avx512vl::U64x4, true> [] 0 +  782   0 +  948   0 +  827;
        avx2_x4       4 ["avx2"]               Avx2     OverLanes<avx2::U64x4>           [] 0 + 1387   0 + 1440   0 + 1555;
        sse_x2        2 ["ssse3"]              Sse      OverLanes<sse::U64x2>            [] 0 + 1386   0 + 1480   0 + 1535;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_sha3_x2 2 ["sha3"]               Neon     OverLanes<neon::U64x2>         []     0 + 1122     0 + 1704     0 + 1704     0 +  644;
    }
}
