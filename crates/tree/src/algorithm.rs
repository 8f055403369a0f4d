//! The hashes that j-lanes and j-pointers are defined over.

use core::fmt;

use hashlanes_sha::{Algorithm, algorithms};

/// A hash that j-lanes v1 and j-pointers v1 are defined over: SHA-1, SHA-256, SHA-384 or SHA-512.
pub trait TreeAlgorithm: Algorithm + sealed::Sealed {
    /// Its name as a value.
    const HASH: HashName;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! tree_algorithms {
    ($($name:ident $text:literal $document:literal;)*) => {
        /// A hash with its name in the names of modes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum HashName {
            $(#[doc = $document] $name,)*
        }

        impl HashName {
            /// All hashes.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the name in modes: `sha256`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }

        $(
            impl sealed::Sealed for algorithms::$name {}
            impl TreeAlgorithm for algorithms::$name {
                const HASH: HashName = HashName::$name;
            }
        )*
    };
}
tree_algorithms! {
    Sha1 "sha1" "SHA-1. Broken where collisions matter.";
    Sha256 "sha256" "SHA-256.";
    Sha384 "sha384" "SHA-384.";
    Sha512 "sha512" "SHA-512.";
}

impl fmt::Display for HashName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kernel for all calls, or the table's choice.
pub(crate) type Forced<A> = Option<&'static hashlanes_isa::Kernel<<A as Algorithm>::Function>>;
