//! Code that hashes, compiled in this crate for each compression function.
//!
//! A generic function is compiled in the crate that uses it, with that crate's optimisation: in a development
//! build it would take ten times as long. The methods of [`Hasher`](crate::Hasher) and [`Hmac`](crate::Hmac)
//! are generic, and therefore thin: they call these functions, which are not.

use hashlanes_isa::{Function, Kernel, Plan, Reach, Start};
use zeroize::DefaultIsZeroes;

use crate::keyed;
use crate::many::{InPlace, Prefix, Secrecy, Starts, digest_all};
use crate::padding::{digest_inlined, n_blocks};
use crate::progress::Progress;

/// The assumed number of blocks in a part of a message, if it is not known: files and streams come in more.
const PART: usize = 16;

/// A compression function with its compiled kernels.
pub trait Compiled: Function<Word: DefaultIsZeroes> {
    /// Returns the kernel for parts of one message.
    fn kernel() -> &'static Kernel<Self>;
    /// See [`Progress::new`].
    fn begin(state: &Self::State, n_bytes: u64) -> Progress<Self>;
    /// See [`Progress::absorb`].
    fn absorb(progress: &mut Progress<Self>, part: &[u8]);
    /// See [`Progress::end`].
    fn end(progress: &mut Progress<Self>, digest: &mut [u8]);
    /// See [`Progress::wipe`].
    fn wipe(progress: &mut Progress<Self>, h0: &Self::State);
    /// Writes the digest of a whole message.
    fn digest(h0: &Self::State, message: &[u8], digest: &mut [u8]);
    /// See [`keyed::schedule`].
    fn key_schedule(h0: &Self::State, digest_bytes: usize, key: &[u8]) -> [Self::State; 2];
    /// See [`keyed::end`].
    fn end_keyed(inner: &mut Progress<Self>, outer: &Self::State, mac: &mut [u8]);
    /// See [`digest_all`].
    fn digest_all(
        plan: Plan<Self>,
        starts: Starts<'_, Self>,
        messages: &[&[u8]],
        secrecy: Secrecy,
        digests: &mut InPlace<'_>,
    ) -> Reach;
    /// See [`Prefix::digest_all`].
    fn digest_after(prefix: &Prefix<'_, Self>, messages: &[&[u8]], digests: &mut [u8], digest_bytes: usize);
    /// See [`keyed::end_many`].
    fn end_keyed_many(
        outer: Start<'_, Self>,
        states: &mut [Self::State],
        macs: &mut [u8],
        digest_bytes: usize,
    ) -> Reach;
}

macro_rules! compiled {
    ($feature:literal $($function:ty),*) => {$(
        #[cfg(feature = $feature)]
        impl Compiled for $function {
            fn kernel() -> &'static Kernel<Self> {
                Plan::<Self>::BEST.one(PART)
            }
            fn begin(state: &Self::State, n_bytes: u64) -> Progress<Self> {
                Progress::new(Self::kernel(), *state, n_bytes)
            }
            fn absorb(progress: &mut Progress<Self>, part: &[u8]) {
                progress.absorb(part);
            }
            fn end(progress: &mut Progress<Self>, digest: &mut [u8]) {
                progress.end(digest);
            }
            fn wipe(progress: &mut Progress<Self>, h0: &Self::State) {
                progress.wipe(h0);
            }
            fn digest(h0: &Self::State, message: &[u8], digest: &mut [u8]) {
                let kernel = Plan::<Self>::BEST.one(n_blocks::<Self>(message.len()));
                digest_inlined(kernel, h0, 0, message, digest);
            }
            fn key_schedule(h0: &Self::State, digest_bytes: usize, key: &[u8]) -> [Self::State; 2] {
                keyed::schedule::<Self>(h0, digest_bytes, key)
            }
            fn end_keyed(inner: &mut Progress<Self>, outer: &Self::State, mac: &mut [u8]) {
                keyed::end(inner, outer, mac);
            }
            fn digest_all(
                plan: Plan<Self>,
                starts: Starts<'_, Self>,
                messages: &[&[u8]],
                secrecy: Secrecy,
                digests: &mut InPlace<'_>,
            ) -> Reach {
                digest_all(plan, starts, messages, secrecy, digests)
            }
            fn digest_after(
                prefix: &Prefix<'_, Self>,
                messages: &[&[u8]],
                digests: &mut [u8],
                digest_bytes: usize,
            ) {
                prefix.digest_all(messages, digests, digest_bytes);
            }
            fn end_keyed_many(
                outer: Start<'_, Self>,
                states: &mut [Self::State],
                macs: &mut [u8],
                digest_bytes: usize,
            ) -> Reach {
                keyed::end_many(outer, states, macs, digest_bytes)
            }
        }
    )*};
}
compiled! { "sha1" crate::sha1::Compression }
compiled! { "sha2" crate::sha256::Compression, crate::sha512::Compression }
