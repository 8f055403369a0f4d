//! Messages that arrive one by one, hashed together.

use std::ffi::c_void;

use hashlanes::*;

use crate::border::{Result, check, guarded, handle, input, output};
use crate::error::hashlanes_error::{self, *};
use crate::hashes::*;

/// A queue of messages that arrive one by one and are hashed together. Only one thread at a time may use it.
pub struct hashlanes_queue(AnyQueue);

/// A message that a queue returns with its digest.
#[repr(C)]
pub struct hashlanes_done {
    /// Whether a message is returned; the other fields are unspecified if not.
    pub ready: bool,
    /// The pointer that was submitted with the message.
    pub user: *mut c_void,
    /// The message.
    pub data: *const c_void,
    /// Its length in bytes.
    pub len: usize,
    /// Its digest, followed by zeros.
    pub digest: [u8; 64],
}

/// A message in a queue, which the caller must not change until it is returned.
struct Message {
    data: *const u8,
    len: usize,
    user: *mut c_void,
}

impl AsRef<[u8]> for Message {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // SAFETY: C's contract of `hashlanes_queue_submit`; `input` made the pointer of a slice.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }
}

macro_rules! queues {
    ($($number:ident $variant:ident $queue:ident;)*) => {
        /// A queue of any supported hash.
        enum AnyQueue {
            $($variant(Box<$queue<Message>>),)*
        }

        impl AnyQueue {
            fn new(hash: hashlanes_hash) -> Result<Self> {
                match hash {
                    $($number => Ok(Self::$variant(Box::new($queue::new()))),)*
                    _ => Err(HASHLANES_UNSUPPORTED),
                }
            }

            #[inline]
            fn submit(&mut self, message: Message, done: &mut hashlanes_done) {
                match self {
                    $(Self::$variant(queue) => done.set(queue.submit(message)),)*
                }
            }

            #[inline]
            fn flush(&mut self, done: &mut hashlanes_done) {
                match self {
                    $(Self::$variant(queue) => done.set(queue.flush()),)*
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(Self::$variant(queue) => queue.len(),)*
                }
            }
        }
    };
}
queues! {
    HASHLANES_SHA1 Sha1 Sha1Queue;
    HASHLANES_SHA224 Sha224 Sha224Queue;
    HASHLANES_SHA256 Sha256 Sha256Queue;
    HASHLANES_SHA384 Sha384 Sha384Queue;
    HASHLANES_SHA512 Sha512 Sha512Queue;
    HASHLANES_SHA512_224 Sha512_224 Sha512_224Queue;
    HASHLANES_SHA512_256 Sha512_256 Sha512_256Queue;
}

impl hashlanes_done {
    #[inline]
    fn set<const N: usize>(&mut self, done: Option<(Message, [u8; N])>) {
        self.ready = done.is_some();
        if let Some((Message { data, len, user }, digest)) = done {
            (self.user, self.data, self.len) = (user, data.cast(), len);
            self.digest = [0; 64];
            self.digest[..N].copy_from_slice(&digest);
        }
    }
}

/// Makes an empty queue and writes its handle to `queue`; hashlanes_queue_free() frees it.
///
/// Errors: HASHLANES_NULL, HASHLANES_UNSUPPORTED: SHA-3 and Keccak have no queues.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_queue_new(
    hash: hashlanes_hash,
    queue: *mut *mut hashlanes_queue,
) -> hashlanes_error {
    guarded(|| {
        check(queue, 1)?;
        let new = Box::new(hashlanes_queue(AnyQueue::new(hash)?));
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { queue.write(Box::into_raw(new)) };
        Ok(())
    })
}

/// Submits a message of `len` bytes at `data`, with a pointer of the caller that is returned with it; returns
/// an earlier message in `done` if one is ready.
///
/// The queue does not copy the message: it must stay in place, unchanged, until it is returned. 64 messages
/// wait before they are hashed together; hashlanes_queue_flush() hashes the waiting ones. Messages are
/// returned in the order of submission, at most one for each call. Errors: HASHLANES_NULL,
/// HASHLANES_MISALIGNED, HASHLANES_TOO_LONG; then nothing is submitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_queue_submit(
    queue: *mut hashlanes_queue,
    data: *const c_void,
    len: usize,
    user: *mut c_void,
    done: *mut hashlanes_done,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (queue, message, done) = unsafe { (handle(queue)?, input(data, len)?, self::done(done)?) };
        queue.0.submit(Message { data: message.as_ptr(), len, user }, done);
        Ok(())
    })
}

/// Returns the next message in `done`; hashes the waiting ones if none is ready. `done->ready` is false if
/// the queue is empty. Call it until then at the end, or when no more messages arrive for a while.
///
/// Errors: HASHLANES_NULL, HASHLANES_MISALIGNED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_queue_flush(
    queue: *mut hashlanes_queue,
    done: *mut hashlanes_done,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (queue, done) = unsafe { (handle(queue)?, self::done(done)?) };
        queue.0.flush(done);
        Ok(())
    })
}

/// Returns the place of a result, which need not be initialised, because all of it is written first.
///
/// # Safety
/// The conditions of `output`.
unsafe fn done<'a>(done: *mut hashlanes_done) -> Result<&'a mut hashlanes_done> {
    check(done, 1)?;
    // SAFETY: the caller guarantees it; not every byte is a valid `bool`, so it is written first.
    unsafe { (&raw mut (*done).ready).write(false) };
    // SAFETY: the caller guarantees it.
    unsafe { output(done, 1) }.map(|done| &mut done[0])
}

/// Returns the number of messages in the queue; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_queue_len(queue: *const hashlanes_queue) -> usize {
    // SAFETY: the C contract guarantees it.
    unsafe { queue.as_ref() }.map_or(0, |queue| queue.0.len())
}

/// Frees a queue; messages in it are dropped without being hashed. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_queue_free(queue: *mut hashlanes_queue) {
    if !queue.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(queue) });
    }
}
