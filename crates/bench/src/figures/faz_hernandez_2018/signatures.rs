//! The parts of the figures of signatures: the sets, the kernels, and figures of sets that take too long,
//! derived from others by the number of compressions.

use crate::contest::Contest;
use crate::contestants::OURS;
use crate::figures::figure::find;
use crate::signatures::Operation;
use crate::standings::Standings;
use crate::work::{Hash, Shape, Work};
use hashlanes::hbs::ParameterSet;

/// The contestant to which all factors refer.
pub(super) const SCALAR: &str = "hashlanes:scalar";
/// The paper's implementations in its order, and the library's choice. Our scalar kernel replaces sphlib, the
/// paper's scalar implementation.
pub(super) const KERNELS: [&str; 6] =
    [SCALAR, "hashlanes:sse-x4", "hashlanes:avx2-x8", "hashlanes:sha-ni", "hashlanes:sha-ni-x4", OURS];

/// A set by its name.
pub(super) fn set(name: &str) -> ParameterSet {
    name.parse().expect("a set of the standards")
}

/// A figure in core cycles, and the measured set, if it is another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cycles {
    pub(super) cycles: f64,
    pub(super) of: Option<ParameterSet>,
}

/// Contests of one figure over sets and operations.
pub(super) struct Signing {
    /// The figure's name.
    pub(super) figure: &'static str,
}

impl Signing {
    fn id(&self, set: ParameterSet, operation: Operation) -> String {
        format!("{} {}", self.figure, work(set, operation))
    }

    /// Adds a contest of these contestants on one workload.
    pub(super) fn contest(&self, set: ParameterSet, operation: Operation, names: &[&str]) -> Contest {
        Contest::of(work(set, operation), names.iter().copied()).named(self.id(set, operation))
    }

    /// The result of a contestant for `set`, or for the first of `others` with which it was measured.
    fn measured<'a>(
        &self,
        standings: &'a [Standings],
        (set, operation): (ParameterSet, Operation),
        others: &[ParameterSet],
        name: &str,
    ) -> Option<(&'a Standings, ParameterSet)> {
        let of = |set| {
            let standing = find(standings, &self.id(set, operation))?;
            standing.outcome(name).map(|_| (standing, set))
        };
        of(set).or_else(|| others.iter().find_map(|&other| of(other)))
    }

    /// The core cycles of an operation. For a parameter set that was not measured, they are estimated from
    /// another set by the number of compressions.
    pub(super) fn cycles(
        &self,
        standings: &[Standings],
        of: (ParameterSet, Operation),
        others: &[ParameterSet],
        name: &str,
    ) -> Option<Cycles> {
        let (standing, measured) = self.measured(standings, of, others, name)?;
        let cycles = standing.outcome(name)?.figure_cycles()?;
        let (set, operation) = of;
        if measured == set {
            return Some(Cycles { cycles, of: None });
        }
        let factor = compressions(set, operation) / compressions(measured, operation);
        Some(Cycles { cycles: cycles * factor, of: Some(measured) })
    }

    /// Returns the speed-up over [`SCALAR`], measured or estimated.
    pub(super) fn factor(
        &self,
        standings: &[Standings],
        (set, operation): (ParameterSet, Operation),
        others: &[ParameterSet],
        name: &str,
    ) -> Option<f64> {
        let sets = std::iter::once(&set).chain(others);
        let ratio = |&set: &ParameterSet| find(standings, &self.id(set, operation))?.ratio(SCALAR, name);
        sets.into_iter().find_map(ratio).map(|ratio| ratio.median)
    }
}

fn work(set: ParameterSet, operation: Operation) -> Work {
    Work::new(Hash::Xmss(set), Shape::Signatures(operation))
}

/// Compressions of a leaf, n = 32: 67 · 2 for the chains' starts, 67 · 15 · 4 for their steps, 66 · 6 for the
/// L-tree.
const LEAF: f64 = 4550.0;
/// Compressions for a node above the leaves.
const NODE: f64 = 6.0;
/// Compressions for a one-time signature and r, on average over messages.
const SIGNATURE: f64 = 2134.0;

/// Compressions of an operation, n = 32 (`crates/hbs/tests/cost.rs` counts them).
fn compressions(set: ParameterSet, operation: Operation) -> f64 {
    let (layers, leaves) = (f64::from(set.layers()), f64::from(1 << set.tree_height()));
    match operation {
        Operation::KeyGeneration => {
            layers * (leaves * LEAF + (leaves - 1.0) * NODE) + (layers - 1.0) * SIGNATURE
        }
        // A signature also adds a leaf to the next tree of the lowest layer, if there is one; the work of
        // upper layers does not affect the median.
        Operation::Sign if set.layers() > 1 => SIGNATURE + LEAF,
        Operation::Sign => SIGNATURE,
        // Verification is measured for every set.
        Operation::Verify | Operation::SignChecked | Operation::VerifyMany { .. } => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_generations_take_so_many_compressions() {
        for (name, exactly) in [
            ("XMSS-SHA2_10_256", 4_665_338.0),
            ("XMSS-SHA2_16_256", 298_582_010.0),
            ("XMSS-SHA2_20_256", 4_777_312_250.0),
        ] {
            assert_eq!(compressions(set(name), Operation::KeyGeneration), exactly, "{name}");
        }
        // One-time signatures over the layers' roots take 0 to 1005 steps each: counted in one case.
        let counted = 1_772_206.0;
        let computed = compressions(set("XMSSMT-SHA2_60/12_256"), Operation::KeyGeneration);
        assert!((computed - counted).abs() < counted / 500.0, "{computed}");
    }
}
