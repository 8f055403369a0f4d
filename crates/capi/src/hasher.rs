//! A message in parts: hashers in the caller's memory or on the heap, one or many together.

use std::ffi::c_void;
use std::ptr;

use arrayvec::ArrayVec;
use hashlanes::*;

use crate::border::{Result, apart, bytes_of, check, code, guarded, input, items, output, product};
use crate::error::hashlanes_error::{self, *};
use crate::hashes::*;
use crate::many::iovec;

/// The hash of a message that arrives in parts. Its content is private; its size is part of the ABI.
///
/// It may be on the stack, in a structure, or on the heap. hashlanes_hasher_init() makes it usable. A copy by
/// assignment is an independent hasher, which continues from the same bytes. It holds no pointer to other
/// memory and need not be freed; hashlanes_hasher_clear() overwrites its data. A hasher that is all zeros is
/// not initialised; functions detect this.
#[repr(C)]
pub struct hashlanes_hasher {
    /// Private.
    pub content: [u64; 56],
}

/// The content of an initialised hasher.
#[repr(C)]
struct Content {
    mark: u64,
    hasher: AnyHasher,
}

const INITIALISED: u64 = 0x9b1d_5c7e_4a36_f821;
/// The mark of a hasher that takes part in a call with several hashers.
const TAKEN: u64 = !INITIALISED;

const _: () = assert!(size_of::<Content>() <= size_of::<hashlanes_hasher>());
const _: () = assert!(align_of::<Content>() <= align_of::<hashlanes_hasher>());

macro_rules! hashers {
    ($($number:ident $variant:ident;)*) => {
        /// A hasher of any of the hashes.
        #[derive(Clone)]
        enum AnyHasher {
            $($variant($variant),)*
        }

        impl AnyHasher {
            fn new(hash: hashlanes_hash) -> Result<Self> {
                match hash {
                    $($number => Ok(Self::$variant($variant::new())),)*
                    _ => Err(HASHLANES_UNSUPPORTED),
                }
            }

            fn hash(&self) -> hashlanes_hash {
                match self {
                    $(Self::$variant(_) => $number,)*
                }
            }

            #[inline]
            fn update(&mut self, part: &[u8]) {
                match self {
                    $(Self::$variant(hasher) => hasher.update(part),)*
                }
            }

            /// Writes the digest, and starts a new message.
            ///
            /// # Safety
            /// `digest` is valid for writes of a digest's bytes.
            #[inline]
            unsafe fn finish(&mut self, digest: *mut u8) {
                match self {
                    $(Self::$variant(hasher) => {
                        let result = hasher.finish_reset();
                        // SAFETY: the caller guarantees it.
                        unsafe { ptr::copy_nonoverlapping(result.as_ptr(), digest, result.len()) }
                    })*
                }
            }
        }
    };
}
hashers! {
    HASHLANES_SHA1 Sha1;
    HASHLANES_SHA224 Sha224;
    HASHLANES_SHA256 Sha256;
    HASHLANES_SHA384 Sha384;
    HASHLANES_SHA512 Sha512;
    HASHLANES_SHA512_224 Sha512_224;
    HASHLANES_SHA512_256 Sha512_256;
    HASHLANES_SHA3_224 Sha3_224;
    HASHLANES_SHA3_256 Sha3_256;
    HASHLANES_SHA3_384 Sha3_384;
    HASHLANES_SHA3_512 Sha3_512;
    HASHLANES_KECCAK256 Keccak256;
}

/// Returns the content of an initialised hasher.
///
/// # Safety
/// `hasher` is null or valid for reads and writes, and used by nothing else while the result is.
#[inline]
unsafe fn content<'a>(hasher: *mut hashlanes_hasher) -> Result<&'a mut Content> {
    check(hasher, 1)?;
    // SAFETY: the caller guarantees it; not null, aligned. The mark is the first word of both types.
    match unsafe { hasher.cast::<u64>().read() } {
        // SAFETY: only completely written content has the mark.
        INITIALISED => Ok(unsafe { &mut *hasher.cast::<Content>() }),
        TAKEN => Err(HASHLANES_OVERLAP),
        _ => Err(HASHLANES_NOT_INITIALISED),
    }
}

/// Begins a message: writes a hasher of `hash` to `hasher`, and ignores the previous content.
///
/// Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_init(
    hasher: *mut hashlanes_hasher,
    hash: hashlanes_hash,
) -> hashlanes_error {
    let init = || {
        check(hasher, 1)?;
        let content = Content { mark: INITIALISED, hasher: AnyHasher::new(hash)? };
        // SAFETY: the C contract guarantees it; not null, aligned, and large enough.
        unsafe { hasher.cast::<Content>().write(content) };
        Ok(())
    };
    code(init())
}

/// Absorbs the next `len` bytes of the message. `data` may be NULL if `len` is 0.
///
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_NOT_INITIALISED; then the message is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_update(
    hasher: *mut hashlanes_hasher,
    data: *const c_void,
    len: usize,
) -> hashlanes_error {
    let update = || {
        // SAFETY: the C contract guarantees it.
        let (content, part) = unsafe { (content(hasher)?, input(data, len)?) };
        content.hasher.update(part);
        Ok(())
    };
    code(update())
}

/// Writes the digest of the message to `digest`, hashlanes_digest_bytes() bytes. The hasher then starts a new
/// message; no data of the old one remains in it.
///
/// Errors: HASHLANES_NULL, HASHLANES_NOT_INITIALISED, HASHLANES_OVERLAP (`digest` is in the hasher).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_finish(
    hasher: *mut hashlanes_hasher,
    digest: *mut u8,
) -> hashlanes_error {
    let finish = || {
        // SAFETY: the C contract guarantees it.
        let content = unsafe { content(hasher)? };
        check(digest, 1)?;
        let n_bytes = Hash::of(content.hasher.hash())?.digest_bytes;
        apart((digest, n_bytes), (hasher.cast_const(), size_of::<hashlanes_hasher>()))?;
        // SAFETY: the C contract guarantees it; not null.
        unsafe { content.hasher.finish(digest) };
        Ok(())
    };
    code(finish())
}

/// Overwrites the hasher's data; it must be initialised again before its next use. Does nothing for NULL, or
/// if the hasher is not initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_clear(hasher: *mut hashlanes_hasher) {
    // SAFETY: the C contract guarantees it.
    if let Ok(content) = unsafe { content(hasher) } {
        // SAFETY: it is initialised, and it is not used again without the mark. Dropping overwrites the
        // message.
        unsafe { ptr::drop_in_place(&raw mut content.hasher) };
        content.mark = 0;
    }
}

/// Allocates an initialised hasher, for languages that cannot allocate one; NULL if the hash is unknown. Free
/// it with hashlanes_hasher_free().
#[unsafe(no_mangle)]
pub extern "C" fn hashlanes_hasher_new(hash: hashlanes_hash) -> *mut hashlanes_hasher {
    let mut hasher = Box::new(hashlanes_hasher { content: [0; 56] });
    // SAFETY: it is a hasher's memory.
    match unsafe { hashlanes_hasher_init(&mut *hasher, hash) } {
        HASHLANES_OK => Box::into_raw(hasher),
        _ => ptr::null_mut(),
    }
}

/// Clears and frees a hasher from hashlanes_hasher_new(); NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_free(hasher: *mut hashlanes_hasher) {
    if !hasher.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        unsafe {
            hashlanes_hasher_clear(hasher);
            drop(Box::from_raw(hasher));
        }
    }
}

/// Number of hashers that advance together: enough that the end of a call costs little.
const TOGETHER: usize = 64;

/// Absorbs the next part of each of `n` hashers; all advance together, in lanes.
///
/// `hashers[i]` absorbs `parts[i]`. All hashers must have the same hash, and each may occur only once. SHA-3
/// and Keccak advance one by one. Errors: HASHLANES_NULL, HASHLANES_MISALIGNED, HASHLANES_TOO_LONG,
/// HASHLANES_NOT_INITIALISED, HASHLANES_OVERLAP if a hasher occurs twice, HASHLANES_UNSUPPORTED if two have
/// different hashes; then all messages are unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_update_many(
    hashers: *const *mut hashlanes_hasher,
    parts: *const iovec,
    n: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (hashers, parts) = unsafe { (items(hashers, n)?, items(parts, n)?) };
        for part in parts {
            // SAFETY: the C contract guarantees it; the slice is not used here.
            unsafe { input(part.iov_base, part.iov_len)? };
        }
        // SAFETY: the C contract guarantees it.
        let taken = unsafe { Taken::new(hashers)? };
        for (hashers, parts) in hashers.chunks(TOGETHER).zip(parts.chunks(TOGETHER)) {
            let one = |(hasher, part): (&*mut hashlanes_hasher, &iovec)| {
                // SAFETY: C's contract, checked above; `Taken` excludes a second reference to the hasher.
                unsafe {
                    (
                        &mut (*hasher.cast::<Content>()).hasher,
                        input(part.iov_base, part.iov_len).unwrap_or(&[]),
                    )
                }
            };
            update_many(&mut hashers.iter().zip(parts).map(one).collect::<ArrayVec<_, TOGETHER>>());
        }
        drop(taken);
        Ok(())
    })
}

fn update_many(all: &mut [(&mut AnyHasher, &[u8])]) {
    macro_rules! in_lanes {
        ($($variant:ident)*) => {
            match all.first() {
                $(Some((AnyHasher::$variant(_), _)) => {
                    let parts = all.iter_mut().filter_map(|(hasher, part)| match hasher {
                        AnyHasher::$variant(hasher) => Some((hasher, *part)),
                        _ => None, // `Taken` has checked that all are of one hash.
                    });
                    $variant::update_many(&mut parts.collect::<ArrayVec<_, TOGETHER>>());
                })*
                _ => all.iter_mut().for_each(|(hasher, part)| hasher.update(part)),
            }
        };
    }
    in_lanes!(Sha1 Sha224 Sha256 Sha384 Sha512 Sha512_224 Sha512_256);
}

/// Writes the digests of `n` hashers, which finish together, in lanes; each then starts a new message.
///
/// Digest i is that of `hashers[i]`; digests follow one another at `digests`, n times
/// hashlanes_digest_bytes() bytes. The requirements and errors are those of hashlanes_hasher_update_many().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_hasher_finish_many(
    hashers: *const *mut hashlanes_hasher,
    n: usize,
    digests: *mut u8,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let hashers = unsafe { items(hashers, n)? };
        // SAFETY: the C contract guarantees it.
        let taken = unsafe { Taken::new(hashers)? };
        // SAFETY: `Taken` has checked each; they are initialised.
        let first = hashers.first().map(|hasher| unsafe { (*hasher.cast::<Content>()).hasher.hash() });
        let Some(first) = first else { return Ok(()) };
        let digest_bytes = Hash::of(first)?.digest_bytes;
        let n_bytes = product(n, digest_bytes)?;
        apart((digests, n_bytes), (hashers.as_ptr(), bytes_of::<*mut hashlanes_hasher>(n)?))?;
        for hasher in hashers {
            apart((digests, n_bytes), (hasher.cast_const(), size_of::<hashlanes_hasher>()))?;
        }
        // SAFETY: the C contract guarantees it; it overlaps no referenced memory.
        let digests = unsafe { output(digests, n_bytes)? };
        for (hashers, digests) in hashers.chunks(TOGETHER).zip(digests.chunks_mut(TOGETHER * digest_bytes)) {
            // SAFETY: as above.
            let one = |hasher: &*mut hashlanes_hasher| unsafe { &mut (*hasher.cast::<Content>()).hasher };
            finish_many(&mut hashers.iter().map(one).collect::<ArrayVec<_, TOGETHER>>(), digests);
        }
        drop(taken);
        Ok(())
    })
}

fn finish_many(all: &mut [&mut AnyHasher], digests: &mut [u8]) {
    macro_rules! in_lanes {
        ($($variant:ident $bytes:ident)*) => {
            match all.first() {
                $(Some(AnyHasher::$variant(_)) => {
                    let hashers = all.iter_mut().filter_map(|hasher| match hasher {
                        AnyHasher::$variant(hasher) => Some(std::mem::take(hasher)),
                        _ => None, // `Taken` has checked that all are of one hash.
                    });
                    let mut hashers: ArrayVec<$variant, TOGETHER> = hashers.collect();
                    $variant::finish_many(&mut hashers, digests.as_chunks_mut::<$bytes>().0);
                })*
                _ => {
                    let digest_bytes = digests.len() / all.len().max(1);
                    for (hasher, digest) in all.iter_mut().zip(digests.chunks_mut(digest_bytes.max(1))) {
                        // SAFETY: a slice as long as a digest.
                        unsafe { hasher.finish(digest.as_mut_ptr()) };
                    }
                }
            }
        };
    }
    in_lanes!(
        Sha1 HASHLANES_SHA1_BYTES
        Sha224 HASHLANES_SHA224_BYTES
        Sha256 HASHLANES_SHA256_BYTES
        Sha384 HASHLANES_SHA384_BYTES
        Sha512 HASHLANES_SHA512_BYTES
        Sha512_224 HASHLANES_SHA512_224_BYTES
        Sha512_256 HASHLANES_SHA512_256_BYTES
    );
}

/// Hashers of one hash that take part in a call. They are marked, so that one that occurs twice is detected;
/// dropping this value restores the marks.
struct Taken<'a>(&'a [*mut hashlanes_hasher]);

impl<'a> Taken<'a> {
    /// # Safety
    /// The conditions of `content`, for each.
    unsafe fn new(hashers: &'a [*mut hashlanes_hasher]) -> Result<Self> {
        let mut hash = None;
        for (i, hasher) in hashers.iter().enumerate() {
            // SAFETY: the caller guarantees it; the reference ends with the statement.
            let take = unsafe { content(*hasher) }.and_then(|content| {
                if *hash.get_or_insert(content.hasher.hash()) != content.hasher.hash() {
                    return Err(HASHLANES_UNSUPPORTED);
                }
                content.mark = TAKEN;
                Ok(())
            });
            if let Err(error) = take {
                drop(Self(&hashers[..i]));
                return Err(error);
            }
        }
        Ok(Self(hashers))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        for hasher in self.0 {
            // SAFETY: `new` has checked it, and nothing else writes the mark.
            unsafe { hasher.cast::<u64>().write(INITIALISED) };
        }
    }
}
