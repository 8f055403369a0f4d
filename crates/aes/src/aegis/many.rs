//! Many messages at once, each with its own key and nonce.
//!
//! A ring leaves the AES units idle for most of the time, because each round depends on the round before.
//! Rounds of other messages fill the gaps: eight messages of AEGIS-128 have 2.9 times the throughput of one
//! (Redwood Cove; 2.2 on Zen 4).
//!
//! The messages of a window are sorted by their numbers of updates. Groups of neighbours go through the lanes
//! of a kernel from Init to Finalize (`lanes.rs`), if this takes fewer cycles than one after another, by the
//! costs in the table. The others go alone. So do all messages of the parallel modes (AEGIS-128X2, 128X4,
//! 256X2, 256X4), each of which fills wide registers by itself.

use core::cmp::Reverse;

use hashlanes_isa::cipher::{Buffer, Kernel};

use super::aead::{Aegis, run, wipe_after_many};
use super::ciphers::{Cipher, Tag};
use super::error::{Error, counted};
use super::job::Direction;
use super::kernels::{TABLE, Verbs, call};
use super::lanes::{Lane, Lanes};
use super::parameters::{C128, C128L, C128X2, C128X4, C256, C256X2, C256X4};
use crate::tag::{blank, forget, same_tag};

/// A message to encrypt or decrypt together with others.
#[derive(Debug)]
pub struct Message<'k, 'm, C: Cipher, T: Tag<C>> {
    /// Its cipher, which messages may share.
    pub cipher: &'k Aegis<C, T>,
    /// Its nonce, which must never be used twice with one key.
    pub nonce: C::Key,
    /// Its associated data.
    pub ad: &'m [u8],
    /// The text, and the place of the result: in place or apart.
    pub buffer: Buffer<'m>,
    /// Encryption puts the tag here; decryption compares it.
    pub tag: T::Bytes,
}

/// A cipher with kernels of several messages.
pub(crate) trait InLanes: Cipher {
    /// Updates of Init and Finalize, about.
    const UPDATES: usize = 17;

    fn run_lanes(kernel: &'static Kernel<Verbs>, lanes: Lanes<'_, '_, Self>);
}

impl InLanes for C128 {
    #[inline]
    fn run_lanes(kernel: &'static Kernel<Verbs>, lanes: Lanes<'_, '_, Self>) {
        call::aegis128_many(kernel, lanes);
    }
}

impl InLanes for C128L {
    #[inline]
    fn run_lanes(kernel: &'static Kernel<Verbs>, lanes: Lanes<'_, '_, Self>) {
        call::aegis128l_many(kernel, lanes);
    }
}

impl InLanes for C256 {
    const UPDATES: usize = 23;

    #[inline]
    fn run_lanes(kernel: &'static Kernel<Verbs>, lanes: Lanes<'_, '_, Self>) {
        call::aegis256_many(kernel, lanes);
    }
}

macro_rules! functions {
    ($encrypt_all:ident $decrypt_all:ident {
        $($cipher:ident $name:literal: $encrypt:ident $decrypt:ident $encrypt_on:ident $decrypt_on:ident;)*
    }) => {$(
        #[doc = concat!("Encrypts many messages with ", $name, ", each as [`Aegis::encrypt`] would.")]
        ///
        /// The stack is overwritten if the messages have 64 KiB or more together, otherwise when a key is
        /// dropped.
        ///
        /// # Errors
        /// [`Error::TooLong`]; then nothing is encrypted.
        pub fn $encrypt<T: Tag<$cipher>>(messages: &mut [Message<'_, '_, $cipher, T>]) -> Result<(), Error> {
            $encrypt_all(Choice::Best, messages)
        }

        #[doc = concat!("Decrypts many messages with ", $name, ", each as [`Aegis::decrypt`] would.")]
        ///
        /// `results` reports for each message whether it is authentic; if not, its bytes are zeros. The stack
        /// is overwritten as after encryption.
        ///
        /// # Errors
        /// [`Error::TooLong`], [`Error::Count`] unless there is a result for each message; then nothing is
        /// decrypted.
        pub fn $decrypt<T: Tag<$cipher>>(
            messages: &mut [Message<'_, '_, $cipher, T>],
            results: &mut [Result<(), Error>],
        ) -> Result<(), Error> {
            $decrypt_all(Choice::Best, messages, results)
        }

        /// Computes the same on one kernel.
        ///
        /// # Errors
        /// The same as without the feature.
        #[doc(hidden)]
        pub fn $encrypt_on<T: Tag<$cipher>>(
            kernel: &'static Kernel<Verbs>,
            messages: &mut [Message<'_, '_, $cipher, T>],
        ) -> Result<(), Error> {
            $encrypt_all(Choice::Kernel(kernel), messages)
        }

        /// Computes the same on one kernel.
        ///
        /// # Errors
        /// The same as without the feature.
        #[doc(hidden)]
        pub fn $decrypt_on<T: Tag<$cipher>>(
            kernel: &'static Kernel<Verbs>,
            messages: &mut [Message<'_, '_, $cipher, T>],
            results: &mut [Result<(), Error>],
        ) -> Result<(), Error> {
            $decrypt_all(Choice::Kernel(kernel), messages, results)
        }
    )*};
}
functions! { encrypt_all decrypt_all {
    C128 "AEGIS-128": aegis128_encrypt_many aegis128_decrypt_many aegis128_encrypt_many_on aegis128_decrypt_many_on;
    C128L "AEGIS-128L": aegis128l_encrypt_many aegis128l_decrypt_many aegis128l_encrypt_many_on aegis128l_decrypt_many_on;
    C256 "AEGIS-256": aegis256_encrypt_many aegis256_decrypt_many aegis256_encrypt_many_on aegis256_decrypt_many_on;
} }
functions! { encrypt_each decrypt_each {
    C128X2 "AEGIS-128X2": aegis128x2_encrypt_many aegis128x2_decrypt_many aegis128x2_encrypt_many_on aegis128x2_decrypt_many_on;
    C128X4 "AEGIS-128X4": aegis128x4_encrypt_many aegis128x4_decrypt_many aegis128x4_encrypt_many_on aegis128x4_decrypt_many_on;
    C256X2 "AEGIS-256X2": aegis256x2_encrypt_many aegis256x2_decrypt_many aegis256x2_encrypt_many_on aegis256x2_decrypt_many_on;
    C256X4 "AEGIS-256X4": aegis256x4_encrypt_many aegis256x4_decrypt_many aegis256x4_encrypt_many_on aegis256x4_decrypt_many_on;
} }

/// The choice of the kernel.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// The table's choice.
    Best,
    /// One kernel for any number of messages.
    Kernel(&'static Kernel<Verbs>),
}

impl Choice {
    /// Returns the kernel for messages one by one.
    fn of_one(self) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best_of_one(),
            Self::Kernel(kernel) => TABLE.of_one(kernel),
        }
    }

    /// Returns the kernel for messages one by one, if no lanes take less time for up to `n` messages of up to
    /// `n_updates` updates: the longer messages are, the more lanes gain.
    fn apart(self, n: usize, n_updates: usize) -> Option<&'static Kernel<Verbs>> {
        let lanes_gain = |k: usize| k <= n && TABLE.best_of_group(k, n_updates).degree() > 1;
        match self {
            Self::Best if ![2, 4, MOST_LANES].into_iter().any(lanes_gain) => Some(TABLE.best_of_one()),
            _ => None,
        }
    }

    /// Returns the kernel for the first of the messages, the longest ones first, and how many of them it
    /// processes together.
    fn next<C: InLanes, T: Tag<C>>(
        self,
        entries: &[Option<Entry<'_, '_, '_, C, T>>],
    ) -> (&'static Kernel<Verbs>, usize) {
        let n_updates = n_updates_of(&entries[0]);
        let kernel = match self {
            Self::Kernel(kernel) => kernel,
            Self::Best => {
                let mut n = entries.len();
                loop {
                    let kernel = TABLE.best_of_group(n, n_updates);
                    if kernel.degree() <= n || n == 1 {
                        break kernel;
                    }
                    // Idle lanes take more time than messages: the next power of two below.
                    n = 1 << (n - 1).ilog2();
                }
            }
        };
        let n = entries.len().min(kernel.degree());
        if matches!(self, Self::Best) && n > 1 {
            let one = TABLE.best_of_one();
            let apart = one.cost().of(n, entries[..n].iter().map(n_updates_of).sum());
            // Associated data and texts go through the lanes one after the other. Where some lanes are idle,
            // an update takes about twice as long.
            let mut together = C::UPDATES;
            for part in 0..2 {
                let rates = entries[..n].iter().flatten().map(|entry| entry.n_rates[part]);
                let (least, most) = rates.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
                together += most + (most - least);
            }
            if apart <= kernel.cycles_of_group(n, together, true) {
                return (one, 1);
            }
        }
        (kernel, n)
    }
}

/// The number of lanes of the widest row.
const MOST_LANES: usize = 8;
/// Messages that are sorted together.
const WINDOW: usize = 32;
/// Fewer messages have a list of their own: clearing the long one takes as long as a message.
const FEW: usize = 8;

/// A message, the rates of its parts, and the place of its result in decryption.
struct Entry<'w, 'k, 'm, C: Cipher, T: Tag<C>> {
    message: &'w mut Message<'k, 'm, C, T>,
    /// Rates of associated data and of text.
    n_rates: [usize; 2],
    result: Option<&'w mut Result<(), Error>>,
}

impl<C: Cipher, T: Tag<C>> Entry<'_, '_, '_, C, T> {
    /// The message in a lane, with the place of its tag.
    #[inline]
    fn lane<'a>(&'a mut self, tag: &'a mut [u8; 32]) -> Lane<'a, C> {
        let Message { cipher, nonce, ad, buffer, .. } = &mut *self.message;
        Lane { key: cipher.key(), nonce, ad, text: buffer.reborrow(), tag: &mut tag[..T::TAG_BYTES] }
    }

    /// Gives the message its tag, or compares it.
    #[inline]
    fn finish(&mut self, tag: &mut [u8; 32]) {
        let Some(result) = &mut self.result else {
            self.message.tag.as_mut().copy_from_slice(&tag[..T::TAG_BYTES]);
            return;
        };
        let mut expected = T::Bytes::default();
        expected.as_mut().copy_from_slice(&tag[..T::TAG_BYTES]);
        let right = same_tag(&expected, &self.message.tag);
        forget(&mut expected);
        forget(tag);
        **result = if right { Ok(()) } else { Err(Error::Forged) };
        if !right {
            blank(self.message.buffer.output());
        }
    }
}

fn encrypt_all<C: InLanes, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
) -> Result<(), Error> {
    let sizes = check(messages)?;
    if let Some(kernel) = choice.apart(messages.len(), C::UPDATES + sizes.most_rates) {
        encrypt_apart(kernel, messages);
    } else {
        for window in messages.chunks_mut(WINDOW) {
            let (n, no_results) = (window.len(), core::iter::repeat_with(|| None));
            through_list_of(n, choice, Direction::Encrypt, window.iter_mut().zip(no_results));
        }
    }
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

fn decrypt_all<C: InLanes, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    let sizes = check_all(messages, results)?;
    if let Some(kernel) = choice.apart(messages.len(), C::UPDATES + sizes.most_rates) {
        decrypt_apart(kernel, messages, results);
    } else {
        for (window, results) in messages.chunks_mut(WINDOW).zip(results.chunks_mut(WINDOW)) {
            let (n, results) = (window.len(), results.iter_mut().map(Some));
            through_list_of(n, choice, Direction::Decrypt, window.iter_mut().zip(results));
        }
    }
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

fn encrypt_each<C: Cipher, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
) -> Result<(), Error> {
    let sizes = check(messages)?;
    encrypt_apart(choice.of_one(), messages);
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

fn decrypt_each<C: Cipher, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    let sizes = check_all(messages, results)?;
    decrypt_apart(choice.of_one(), messages, results);
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

/// Encrypts one message after another.
fn encrypt_apart<C: Cipher, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [Message<'_, '_, C, T>],
) {
    for message in messages {
        one(kernel, Direction::Encrypt, &mut Entry { message, n_rates: [0; 2], result: None });
    }
}

fn decrypt_apart<C: Cipher, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [Message<'_, '_, C, T>],
    results: &mut [Result<(), Error>],
) {
    for (message, result) in messages.iter_mut().zip(results) {
        let result = Some(result);
        one(kernel, Direction::Decrypt, &mut Entry { message, n_rates: [0; 2], result });
    }
}

/// What a call's messages have: their bytes together, and the most rates of one.
struct Sizes {
    n_bytes: usize,
    most_rates: usize,
}

/// Checks all lengths, and that there is a result for each message.
fn check_all<C: Cipher, T: Tag<C>>(
    messages: &[Message<'_, '_, C, T>],
    results: &[Result<(), Error>],
) -> Result<Sizes, Error> {
    let sizes = check(messages)?;
    if messages.len() != results.len() {
        return Err(Error::Count { messages: messages.len(), results: results.len() });
    }
    Ok(sizes)
}

/// Checks all lengths.
fn check<C: Cipher, T: Tag<C>>(messages: &[Message<'_, '_, C, T>]) -> Result<Sizes, Error> {
    let mut sizes = Sizes { n_bytes: 0, most_rates: 0 };
    for Message { ad, buffer, .. } in messages {
        counted("associated data", 0, ad.len())?;
        counted("message", 0, buffer.len())?;
        sizes.n_bytes = sizes.n_bytes.saturating_add(ad.len()).saturating_add(buffer.len());
        let n_rates = ad.len().div_ceil(C::RATE_BYTES) + buffer.len().div_ceil(C::RATE_BYTES);
        sizes.most_rates = sizes.most_rates.max(n_rates);
    }
    Ok(sizes)
}

/// Processes `n` messages, at most [`WINDOW`].
#[inline(always)]
fn through_list_of<'w, 'k, 'm, C: InLanes, T: Tag<C>>(
    n: usize,
    choice: Choice,
    direction: Direction,
    messages: impl Iterator<Item = (&'w mut Message<'k, 'm, C, T>, Option<&'w mut Result<(), Error>>)>,
) where
    'k: 'w,
    'm: 'w,
{
    match n {
        ..=FEW => through::<FEW, _, _>(choice, direction, messages),
        _ => through::<WINDOW, _, _>(choice, direction, messages),
    }
}

/// Processes at most `MOST` messages.
fn through<'w, 'k, 'm, const MOST: usize, C: InLanes, T: Tag<C>>(
    choice: Choice,
    direction: Direction,
    messages: impl Iterator<Item = (&'w mut Message<'k, 'm, C, T>, Option<&'w mut Result<(), Error>>)>,
) where
    'k: 'w,
    'm: 'w,
{
    let mut entries = [const { None::<Entry<'_, '_, '_, C, T>> }; MOST];
    let mut n = 0;
    for (entry, (message, result)) in entries.iter_mut().zip(messages) {
        let n_rates = [message.ad.len(), message.buffer.len()].map(|n_bytes| n_bytes.div_ceil(C::RATE_BYTES));
        *entry = Some(Entry { message, n_rates, result });
        n += 1;
    }
    let mut rest = &mut entries[..n];
    rest.sort_unstable_by_key(|entry| Reverse(n_updates_of(entry)));
    while !rest.is_empty() {
        let (kernel, n) = choice.next(rest);
        let (now, others) = rest.split_at_mut(n);
        match now {
            [Some(entry)] if kernel.degree() == 1 => one(kernel, direction, entry),
            _ => together(kernel, direction, now),
        }
        rest = others;
    }
}

fn n_updates_of<C: InLanes, T: Tag<C>>(entry: &Option<Entry<'_, '_, '_, C, T>>) -> usize {
    entry.as_ref().map_or(0, |entry| C::UPDATES + entry.n_rates[0] + entry.n_rates[1])
}

fn one<C: Cipher, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    direction: Direction,
    entry: &mut Entry<'_, '_, '_, C, T>,
) {
    let mut tag = [0; 32];
    run(kernel, entry.lane(&mut tag).alone(direction));
    entry.finish(&mut tag);
}

/// At most as many messages as the kernel has lanes.
fn together<C: InLanes, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    direction: Direction,
    entries: &mut [Option<Entry<'_, '_, '_, C, T>>],
) {
    let mut tags = [[0; 32]; MOST_LANES];
    let mut lanes = [const { None::<Lane<'_, C>> }; MOST_LANES];
    for ((lane, entry), tag) in lanes.iter_mut().zip(entries.iter_mut().flatten()).zip(&mut tags) {
        *lane = Some(entry.lane(tag));
    }
    C::run_lanes(kernel, Lanes { lanes: &mut lanes[..kernel.degree()], direction });
    for (entry, tag) in entries.iter_mut().flatten().zip(&mut tags) {
        entry.finish(tag);
    }
}
