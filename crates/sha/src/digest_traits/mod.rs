//! The traits of the crate `digest`, so that generic code accepts a hasher or an HMAC: of version 0.11
//! (feature `digest`) and of 0.10 (feature `digest-0-10`), which many crates still require.
//!
//! Most traits have the same names in both versions. They are implemented once, by the macros below, over the
//! names that the file of a version imports; the files hold the rest.
//!
//! The crate `hmac` builds its `Hmac` from a hash's block-level core (`CoreProxy`), which compresses blocks;
//! a wrapper buffers the rest of the message. A hasher is its own core: it gets whole blocks, so its own
//! buffer stays empty. Sponges have no such core, so the crate `hmac` accepts them as `SimpleHmac`.
//!
//! `CustomizedInit` is for hashes with a customization string, such as cSHAKE. SHA-2 and HMAC have none.

/// Implements `Parameters` for the hashes: the lengths of a digest and of a block, and the object identifier
/// of RFC 8017, appendix B.1.
macro_rules! parameters_of_hashes {
    () => {
        #[cfg(feature = "sha1")]
        parameters_of_hashes! {
            Sha1 U20 U64 "1.3.14.3.2.26";
        }
        #[cfg(feature = "sha2")]
        parameters_of_hashes! {
            Sha224 U28 U64 "2.16.840.1.101.3.4.2.4";
            Sha256 U32 U64 "2.16.840.1.101.3.4.2.1";
            Sha384 U48 U128 "2.16.840.1.101.3.4.2.2";
            Sha512 U64 U128 "2.16.840.1.101.3.4.2.3";
            Sha512_224 U28 U128 "2.16.840.1.101.3.4.2.5";
            Sha512_256 U32 U128 "2.16.840.1.101.3.4.2.6";
        }
    };
    ($($algorithm:ident $output:ident $block:ident $oid:literal;)*) => {$(
        impl Parameters for algorithms::$algorithm {
            type BlockSize = consts::$block;
            type OutputSize = consts::$output;
            const TYPE_NAME: &'static str = stringify!($algorithm);
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }
    )*};
}

/// Implements the traits of a hasher and of an HMAC that are the same in both versions.
macro_rules! traits_of_hashes {
    () => {
        impl<A: Parameters> HashMarker for Hasher<A> {}

        impl<A: Parameters> OutputSizeUser for Hasher<A> {
            type OutputSize = A::OutputSize;
        }

        impl<A: Parameters> BlockSizeUser for Hasher<A> {
            type BlockSize = A::BlockSize;
        }

        impl<A: Parameters> AlgorithmName for Hasher<A> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(A::TYPE_NAME)
            }
        }

        impl<A: Parameters> AssociatedOid for Hasher<A> {
            const OID: ObjectIdentifier = A::OID;
        }

        impl<A: Parameters> Update for Hasher<A> {
            fn update(&mut self, part: &[u8]) {
                self.absorb(part);
            }
        }

        impl<A: Parameters> Reset for Hasher<A> {
            fn reset(&mut self) {
                self.wipe();
            }
        }

        impl<A: Parameters> FixedOutput for Hasher<A> {
            fn finalize_into(mut self, out: &mut Output<Self>) {
                out.copy_from_slice(self.end().as_ref());
            }
        }

        impl<A: Parameters> FixedOutputReset for Hasher<A> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(self.finish_reset().as_ref());
            }
        }

        impl<A: Parameters> BufferKindUser for Hasher<A> {
            type BufferKind = Eager;
        }

        impl<A: Parameters> FixedOutputCore for Hasher<A> {
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                self.absorb(buffer.get_data());
                buffer.reset();
                out.copy_from_slice(self.end().as_ref());
            }
        }

        impl<A: Parameters> MacMarker for Hmac<A> {}

        impl<A: Parameters> OutputSizeUser for Hmac<A> {
            type OutputSize = A::OutputSize;
        }

        impl<A: Parameters> BlockSizeUser for Hmac<A> {
            type BlockSize = A::BlockSize;
        }

        impl<A: Parameters> AlgorithmName for Hmac<A> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "Hmac<{}>", A::TYPE_NAME)
            }
        }

        /// Keys of a block; [`KeyInit::new_from_slice`] accepts any length.
        impl<A: Parameters> KeySizeUser for Hmac<A> {
            type KeySize = A::BlockSize;
        }

        impl<A: Parameters> KeyInit for Hmac<A> {
            fn new(key: &Key<Self>) -> Self {
                Hmac::new(key)
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Ok(Hmac::new(key))
            }
        }

        impl<A: Parameters> Update for Hmac<A> {
            fn update(&mut self, part: &[u8]) {
                self.absorb(part);
            }
        }

        impl<A: Parameters> Reset for Hmac<A> {
            fn reset(&mut self) {
                self.begin_again();
            }
        }

        impl<A: Parameters> FixedOutput for Hmac<A> {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(self.finish().as_ref());
            }
        }

        impl<A: Parameters> FixedOutputReset for Hmac<A> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(self.finish_reset().as_ref());
            }
        }
    };
}

/// Implements `SpongeParameters` for the sponges, and `HashParameters` for those whose digests have one
/// length; the object identifiers of NIST's registry, of which Keccak-256 has none.
#[cfg(feature = "sha3")]
macro_rules! parameters_of_sponges {
    () => {
        parameters_of_sponges! {
            Sha3_224 U144 (U28) "2.16.840.1.101.3.4.2.7";
            Sha3_256 U136 (U32) "2.16.840.1.101.3.4.2.8";
            Sha3_384 U104 (U48) "2.16.840.1.101.3.4.2.9";
            Sha3_512 U72 (U64) "2.16.840.1.101.3.4.2.10";
            Keccak256 U136 (U32);
            Shake128 U168 () "2.16.840.1.101.3.4.2.11";
            Shake256 U136 () "2.16.840.1.101.3.4.2.12";
        }
    };
    ($($sponge:ident $block:ident ($($output:ident)?) $($oid:literal)?;)*) => {$(
        impl SpongeParameters for algorithms::$sponge {
            type BlockSize = consts::$block;
            const TYPE_NAME: &'static str = stringify!($sponge);
        }
        $(
            impl HashParameters for algorithms::$sponge {
                type OutputSize = consts::$output;
            }
        )?
        $(
            impl AssociatedOid for SpongeHasher<algorithms::$sponge> {
                const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
            }
        )?
    )*};
}

/// Implements the traits of sponges, which are the same in both versions.
#[cfg(feature = "sha3")]
macro_rules! traits_of_sponges {
    () => {
        impl<S: HashParameters> HashMarker for SpongeHasher<S> {}

        impl<S: HashParameters> OutputSizeUser for SpongeHasher<S> {
            type OutputSize = S::OutputSize;
        }

        impl<S: SpongeParameters> BlockSizeUser for SpongeHasher<S> {
            type BlockSize = S::BlockSize;
        }

        impl<S: SpongeParameters> AlgorithmName for SpongeHasher<S> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(S::TYPE_NAME)
            }
        }

        impl<S: SpongeParameters> Update for SpongeHasher<S> {
            fn update(&mut self, part: &[u8]) {
                self.absorb(part);
            }
        }

        impl<S: SpongeParameters> Reset for SpongeHasher<S> {
            fn reset(&mut self) {
                self.reset();
            }
        }

        impl<S: HashParameters> FixedOutput for SpongeHasher<S> {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(self.finish().as_ref());
            }
        }

        impl<S: HashParameters> FixedOutputReset for SpongeHasher<S> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(self.finish_reset().as_ref());
            }
        }

        impl<S: SpongeParameters + Xof> ExtendableOutput for SpongeHasher<S> {
            type Reader = XofReader<S>;

            fn finalize_xof(self) -> XofReader<S> {
                self.finish_xof()
            }
        }

        impl<S: SpongeParameters + Xof> ExtendableOutputReset for SpongeHasher<S> {
            fn finalize_xof_reset(&mut self) -> XofReader<S> {
                self.finish_xof_reset()
            }
        }

        impl<S: Xof> digest::XofReader for XofReader<S> {
            fn read(&mut self, output: &mut [u8]) {
                self.read(output);
            }
        }
    };
}

#[cfg(feature = "digest-0-10")]
mod v0_10;
#[cfg(feature = "digest")]
mod v0_11;
