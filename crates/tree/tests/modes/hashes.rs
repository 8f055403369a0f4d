//! The hashes as the tests see them, with their oracles and kernels.

use hashlanes_isa::Function;
use hashlanes_sha::algorithms;
use hashlanes_sha::kernels::Kernel;
use hashlanes_testkit::oracle;
use hashlanes_tree::TreeAlgorithm;

/// A hash of the modes, with its oracle.
pub(crate) trait Tested: TreeAlgorithm {
    const ORACLE: &'static oracle::Hash;

    /// The table's choice, then each kernel.
    fn kernels() -> impl Iterator<Item = Option<&'static Kernel<Self::Function>>> {
        [None].into_iter().chain(Self::Function::table().kernels().map(Some))
    }
}

macro_rules! tested {
    ($($name:ident $oracle:ident;)*) => {
        $(impl Tested for algorithms::$name {
            const ORACLE: &'static oracle::Hash = &oracle::$oracle;
        })*
    };
}
tested! {
    Sha1 SHA1;
    Sha256 SHA256;
    Sha384 SHA384;
    Sha512 SHA512;
}

/// Calls a generic function for each hash.
macro_rules! for_each_hash {
    ($function:ident) => {
        $function::<hashlanes_sha::algorithms::Sha1>();
        $function::<hashlanes_sha::algorithms::Sha256>();
        $function::<hashlanes_sha::algorithms::Sha384>();
        $function::<hashlanes_sha::algorithms::Sha512>();
    };
}
pub(crate) use for_each_hash;

pub(crate) fn kernel_name<F: Function>(kernel: Option<&Kernel<F>>) -> &'static str {
    kernel.map_or("the choice", Kernel::name)
}
