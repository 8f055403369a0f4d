//! The border to C: converts pointers and lengths into slices or an error, and panics into an error.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::error::hashlanes_error::{self, *};

pub(crate) type Result<T = ()> = std::result::Result<T, hashlanes_error>;

/// A result as a C error number.
#[inline]
pub(crate) fn code(result: Result) -> hashlanes_error {
    match result {
        Ok(()) => HASHLANES_OK,
        Err(error) => error,
    }
}

/// Runs a function that allocates or may panic. After a panic, its borrowed values are only freed.
pub(crate) fn guarded(body: impl FnOnce() -> Result) -> hashlanes_error {
    catch_unwind(AssertUnwindSafe(body)).map_or(HASHLANES_INTERNAL, code)
}

/// Returns memory to be read.
///
/// # Safety
/// `data` is null, or valid for reads of `len` bytes while the slice is used.
#[inline]
pub(crate) unsafe fn input<'a>(data: *const c_void, len: usize) -> Result<&'a [u8]> {
    // SAFETY: the caller guarantees it; bytes are always aligned.
    unsafe { items(data.cast(), len) }
}

/// Returns an array to be read.
///
/// # Safety
/// `first` is null, or valid for reads of `n` items while the slice is used.
#[inline]
pub(crate) unsafe fn items<'a, T>(first: *const T, n: usize) -> Result<&'a [T]> {
    if n == 0 {
        return Ok(&[]);
    }
    check(first, n)?;
    // SAFETY: the caller guarantees it; not null, aligned, and short enough.
    Ok(unsafe { slice::from_raw_parts(first, n) })
}

/// Returns an array to be written, and perhaps read.
///
/// # Safety
/// `first` is null, or valid for reads and writes of `n` items while the slice is used, without other
/// references to them.
#[inline]
pub(crate) unsafe fn output<'a, T>(first: *mut T, n: usize) -> Result<&'a mut [T]> {
    if n == 0 {
        return Ok(&mut []);
    }
    check(first, n)?;
    // SAFETY: the caller guarantees it; not null, aligned, and short enough.
    Ok(unsafe { slice::from_raw_parts_mut(first, n) })
}

/// Returns the value of a handle that `_new` returned.
///
/// # Safety
/// It is null, or one that is not freed and not used elsewhere during the call.
#[inline]
pub(crate) unsafe fn handle<'a, T>(handle: *mut T) -> Result<&'a mut T> {
    // SAFETY: the caller guarantees it.
    unsafe { handle.as_mut() }.ok_or(HASHLANES_NULL)
}

/// Returns a shared reference to the value of a handle, such as a key that several threads may use.
///
/// # Safety
/// It is null, or one that is not freed or changed while the result is used.
#[inline]
pub(crate) unsafe fn shared<'a, T>(handle: *const T) -> Result<&'a T> {
    // SAFETY: the caller guarantees it.
    unsafe { handle.as_ref() }.ok_or(HASHLANES_NULL)
}

/// Compiles only if any number of threads may use a handle's value at a time.
pub(crate) const fn may_be_shared<T: Send + Sync>() {}

/// Returns bytes of a known number to be read, such as a nonce.
///
/// # Safety
/// `bytes` is null, or valid for reads of `N` bytes while the reference is used.
#[inline]
pub(crate) unsafe fn array<'a, const N: usize>(bytes: *const u8) -> Result<&'a [u8; N]> {
    // SAFETY: the caller guarantees it; bytes are always aligned.
    unsafe { shared(bytes.cast()) }
}

/// Returns whether an array of `n` items can be at that address.
#[inline]
pub(crate) fn check<T>(first: *const T, n: usize) -> Result {
    if first.is_null() {
        return Err(HASHLANES_NULL);
    }
    if !first.is_aligned() {
        return Err(HASHLANES_MISALIGNED);
    }
    bytes_of::<T>(n).map(drop)
}

/// Returns the number of bytes of an array, if a slice can have so many.
#[inline]
pub(crate) fn bytes_of<T>(n: usize) -> Result<usize> {
    product(n, size_of::<T>())
}

/// Returns a product that is a valid length of a slice.
#[inline]
pub(crate) fn product(a: usize, b: usize) -> Result<usize> {
    let bytes = a.checked_mul(b).filter(|bytes| isize::try_from(*bytes).is_ok());
    bytes.ok_or(HASHLANES_TOO_LONG)
}

/// Checks that written and read memory do not overlap; each is a start and a length in bytes. Null overlaps
/// nothing: that it is null is the error, which the caller finds.
#[inline]
pub(crate) fn apart<T, U>(written: (*mut T, usize), read: (*const U, usize)) -> Result {
    let (written, read) = ((written.0.addr(), written.1), (read.0.addr(), read.1));
    let is_apart = written.1 == 0
        || read.1 == 0
        || written.0 == 0
        || read.0 == 0
        || written.0.wrapping_sub(read.0) >= read.1 && read.0.wrapping_sub(written.0) >= written.1;
    if is_apart { Ok(()) } else { Err(HASHLANES_OVERLAP) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_end_at_the_border() {
        assert_eq!(guarded(|| panic!("a bug, made for the test")), HASHLANES_INTERNAL);
        assert_eq!(guarded(|| Err(HASHLANES_FORGED)), HASHLANES_FORGED);
        assert_eq!(guarded(|| Ok(())), HASHLANES_OK);
    }

    #[test]
    fn ranges_that_touch_do_not_overlap() {
        let memory = [0u8; 8];
        let at = |offset: usize| memory.as_ptr().wrapping_add(offset);
        for (written, read, overlap) in
            [((0, 4), (4, 4), false), ((4, 4), (0, 4), false), ((0, 5), (4, 4), true), ((4, 1), (0, 8), true)]
        {
            let result = apart((at(written.0).cast_mut(), written.1), (at(read.0), read.1));
            assert_eq!(result.is_err(), overlap, "{written:?} {read:?}");
        }
        assert_eq!(apart((at(2).cast_mut(), 0), (at(0), 8)), Ok(()), "no bytes");
    }
}
