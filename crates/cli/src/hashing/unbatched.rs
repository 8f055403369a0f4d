//! Hashes without kernels of many messages: for lists that have them, and for `cksum`. One message after
//! another, by plain implementations.

use digest::Digest;
use hashlanes::algorithms::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
use hashlanes::{SpongeHash, SpongeHasher};

use super::function::{Begun, Function, Results, of};
use hashlanes_formats::hash::Hash;

/// A hash of one message in parts.
trait OneByOne: Send {
    fn update(&mut self, part: &[u8]);
    /// Writes the digest to `digest`, which has its length; the state cannot be used afterwards.
    fn finish(&mut self, digest: &mut [u8]);
}

/// A function of files by such a hash.
pub(super) struct Unbatched {
    begin: Box<dyn Fn() -> Box<dyn OneByOne> + Send + Sync>,
    digest_bytes: usize,
}

impl Unbatched {
    /// Returns the function of a hash that has no kernels of many messages.
    pub(super) fn of(hash: Hash) -> Unbatched {
        fn boxed<T: OneByOne + Default + 'static>() -> Box<dyn OneByOne> {
            Box::new(T::default())
        }
        let begin: Box<dyn Fn() -> Box<dyn OneByOne> + Send + Sync> = match hash {
            Hash::Md5 => Box::new(boxed::<OfDigest<md5::Md5>>),
            Hash::Sm3 => Box::new(boxed::<OfDigest<sm3::Sm3>>),
            Hash::Sha3_224 => Box::new(boxed::<SpongeHasher<Sha3_224>>),
            Hash::Sha3_256 => Box::new(boxed::<SpongeHasher<Sha3_256>>),
            Hash::Sha3_384 => Box::new(boxed::<SpongeHasher<Sha3_384>>),
            Hash::Sha3_512 => Box::new(boxed::<SpongeHasher<Sha3_512>>),
            _ => {
                let n_bytes = hash.digest_bytes();
                Box::new(move || Box::new(blake2b_simd::Params::new().hash_length(n_bytes).to_state()))
            }
        };
        Unbatched { begin, digest_bytes: hash.digest_bytes() }
    }
}

impl Function for Unbatched {
    fn result_bytes(&self) -> usize {
        self.digest_bytes
    }
    fn begin(&self) -> Begun {
        Box::new((self.begin)())
    }
    fn digest_many(&self, messages: &[&[u8]], results: &mut Results<'_>) {
        let digest = |message: &&[u8]| {
            let mut hasher = (self.begin)();
            hasher.update(message);
            finished(&mut *hasher, self.digest_bytes)
        };
        results.put(&messages.iter().map(digest).collect::<Vec<_>>());
    }
    fn update_many(&self, parts: &mut [(&mut Begun, &[u8])]) {
        for (begun, part) in parts {
            of::<Box<dyn OneByOne>>(begun).update(part);
        }
    }
    fn finish_many(&self, begun: &mut [&mut Begun], results: &mut Results<'_>) {
        let digest =
            |begun: &mut &mut Begun| finished(&mut **of::<Box<dyn OneByOne>>(begun), self.digest_bytes);
        results.put(&begun.iter_mut().map(digest).collect::<Vec<_>>());
    }
}

fn finished(hasher: &mut dyn OneByOne, digest_bytes: usize) -> Vec<u8> {
    let mut digest = vec![0; digest_bytes];
    hasher.finish(&mut digest);
    digest
}

#[derive(Default)]
struct OfDigest<D>(D);

impl<D: Digest + Default + Send> OneByOne for OfDigest<D> {
    fn update(&mut self, part: &[u8]) {
        Digest::update(&mut self.0, part);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(&std::mem::take(&mut self.0).finalize());
    }
}

impl<S: SpongeHash> OneByOne for SpongeHasher<S> {
    fn update(&mut self, part: &[u8]) {
        SpongeHasher::update(self, part);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(self.finish_reset().as_ref());
    }
}

impl OneByOne for blake2b_simd::State {
    fn update(&mut self, part: &[u8]) {
        blake2b_simd::State::update(self, part);
    }
    fn finish(&mut self, digest: &mut [u8]) {
        digest.copy_from_slice(self.finalize().as_bytes());
    }
}
