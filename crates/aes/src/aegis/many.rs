//! Many messages at once, each with its own key and nonce.
//!
//! A ring leaves the AES units idle for most of the time, because each round depends on the round before.
//! Rounds of other messages fill the gaps: eight messages of AEGIS-128 have 2.9 times the throughput of one
//! (Redwood Cove; 2.2 on Zen 4).
//!
//! Messages of one length go through the lanes of a kernel group by group, from Init to Finalize
//! (`lanes.rs`), if this takes fewer cycles than one after another, by the costs in the table. Others are
//! sorted by their numbers of updates first, [`WINDOW`] at a time. The rest go one by one. So do all messages
//! of the parallel modes (AEGIS-128X2, 128X4, 256X2, 256X4), each of which fills wide registers by itself.

use core::cmp::Reverse;

use hashlanes_isa::cipher::{Block, Buffer, Kernel};

use super::aead::{Aegis, checked_bytes, wipe_after_many};
use super::ciphers::{Cipher, Tag};
use super::error::Error;
use super::job::Direction;
use super::kernels::{TABLE, Verbs, call};
use super::lanes::{Lane, Lanes};
use super::parameters::{C128, C128L, C128X2, C128X4, C256, C256X2, C256X4};
use crate::tag::is_authentic;

/// A message to encrypt or decrypt together with others.
#[derive(Debug)]
pub struct Message<'k, 'm, C: Cipher, T: Tag<C>> {
    /// Its cipher, which messages may share.
    pub cipher: &'k Aegis<C, T>,
    /// Its nonce, which must never be used twice with one key.
    pub nonce: C::Key,
    /// Its associated data.
    pub ad: &'m [u8],
    /// The text, and the place of the result: in place or apart. It stays as it is: a second call reads the
    /// text again, which in place is the result of the first.
    pub buffer: Buffer<'m>,
    /// Encryption puts the tag here; decryption compares it.
    pub tag: T::Bytes,
}

/// A cipher with kernels of several messages.
pub(crate) trait InLanes: Cipher {
    /// Updates of Init and Finalize, about.
    const UPDATES: usize = 17;
    /// Blocks of a ring.
    const BLOCKS: usize = size_of::<Self::State>() / size_of::<Block>();

    /// Returns the cycles of messages of so many updates in the lanes of a kernel. Updates there wait for AES
    /// units, and not for each other as those of one message do, so their time is in proportion to the blocks
    /// of a ring.
    #[inline]
    fn together(kernel: &Kernel<Verbs>, n_updates: usize) -> u64 {
        kernel.cost().of(1, n_updates * Self::BLOCKS / C128L::BLOCKS)
    }

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
    ($all:ident {
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
            $all(None, Direction::Encrypt, messages, None)
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
            $all(None, Direction::Decrypt, messages, Some(results))
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
            $all(Some(kernel), Direction::Encrypt, messages, None)
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
            $all(Some(kernel), Direction::Decrypt, messages, Some(results))
        }
    )*};
}
functions! { all {
    C128 "AEGIS-128": aegis128_encrypt_many aegis128_decrypt_many aegis128_encrypt_many_on aegis128_decrypt_many_on;
    C128L "AEGIS-128L": aegis128l_encrypt_many aegis128l_decrypt_many aegis128l_encrypt_many_on aegis128l_decrypt_many_on;
    C256 "AEGIS-256": aegis256_encrypt_many aegis256_decrypt_many aegis256_encrypt_many_on aegis256_decrypt_many_on;
} }
functions! { each {
    C128X2 "AEGIS-128X2": aegis128x2_encrypt_many aegis128x2_decrypt_many aegis128x2_encrypt_many_on aegis128x2_decrypt_many_on;
    C128X4 "AEGIS-128X4": aegis128x4_encrypt_many aegis128x4_decrypt_many aegis128x4_encrypt_many_on aegis128x4_decrypt_many_on;
    C256X2 "AEGIS-256X2": aegis256x2_encrypt_many aegis256x2_decrypt_many aegis256x2_encrypt_many_on aegis256x2_decrypt_many_on;
    C256X4 "AEGIS-256X4": aegis256x4_encrypt_many aegis256x4_decrypt_many aegis256x4_encrypt_many_on aegis256x4_decrypt_many_on;
} }

/// The choice of kernels for a call.
#[derive(Clone, Copy)]
struct Choice {
    /// The only kernel, or the table's for messages one by one.
    kernel: &'static Kernel<Verbs>,
    is_only: bool,
}

/// So many updates that calls and overheads do not count.
const LONG: usize = 1000;

impl Choice {
    /// Returns the choice with `only` this kernel, or with the one that the environment forces.
    #[inline]
    fn new(only: Option<&'static Kernel<Verbs>>) -> Self {
        let kernel = only.unwrap_or_else(|| TABLE.best_of_group(1, LONG));
        // The table has a kernel with lanes for a single message only if it is forced.
        Self { kernel, is_only: only.is_some() || kernel.degree() > 1 }
    }

    /// Returns the kernel for messages one by one.
    #[inline]
    fn one(self) -> &'static Kernel<Verbs> {
        TABLE.of_one(self.kernel)
    }

    /// Returns the kernel that takes the next of `n` messages of up to `n_updates` updates into its lanes,
    /// and how many of them; `None` if they end no later one by one. (The longer messages are, the more lanes
    /// gain.)
    #[inline]
    fn lanes<C: InLanes>(self, n: usize, n_updates: usize) -> Option<(&'static Kernel<Verbs>, usize)> {
        if self.is_only {
            return (self.kernel.degree() > 1 && n > 0).then(|| (self.kernel, n.min(self.kernel.degree())));
        }
        let (kernel, n) = widest(n)?;
        let apart = self.kernel.cost().of(n, n * n_updates);
        (C::together(kernel, n_updates) < apart).then_some((kernel, n))
    }

    /// Like [`Choice::lanes`], for messages of different lengths, the longest ones first. Without a kernel it
    /// returns how many of them go one by one.
    fn lanes_of<C: InLanes, T: Tag<C>>(
        self,
        entries: &[Option<Entry<'_, '_, '_, C, T>>],
    ) -> (Option<&'static Kernel<Verbs>>, usize) {
        let Some((kernel, n)) = self.lanes::<C>(entries.len(), n_updates_of(&entries[0])) else {
            return (None, entries.len());
        };
        if self.is_only {
            return (Some(kernel), n);
        }
        let entries = &entries[..n];
        let apart = self.kernel.cost().of(n, entries.iter().map(n_updates_of).sum());
        // Associated data and texts go through the lanes one after the other. Where some lanes are idle, an
        // update takes about twice as long.
        let mut n_updates = C::UPDATES;
        for part in 0..2 {
            let rates = entries.iter().flatten().map(|entry| entry.n_rates[part]);
            let (least, most) = rates.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
            n_updates += most + (most - least);
        }
        ((C::together(kernel, n_updates) < apart).then_some(kernel), n)
    }
}

/// Returns the kernel with lanes that processes `n` long messages fastest, and how many of them it takes: no
/// more than there are, because idle lanes take more time than messages.
fn widest(mut n: usize) -> Option<(&'static Kernel<Verbs>, usize)> {
    while n > 1 {
        let kernel = TABLE.best_of_group(n, LONG);
        if kernel.degree() <= n {
            return (kernel.degree() > 1).then(|| (kernel, kernel.degree()));
        }
        // The next power of two below.
        n = 1 << (n - 1).ilog2();
    }
    None
}

/// The number of lanes of the widest row.
const MOST_LANES: usize = 8;
/// Messages that are sorted together.
const WINDOW: usize = 32;
/// Fewer messages have a list of their own: clearing the long one takes as long as a message.
const FEW: usize = 8;

/// The messages of a call, and in decryption the places of their results.
struct Work<'w, 'k, 'm, C: Cipher, T: Tag<C>> {
    messages: &'w mut [Message<'k, 'm, C, T>],
    results: Option<&'w mut [Result<(), Error>]>,
}

impl<'w, 'k, 'm, C: Cipher, T: Tag<C>> Work<'w, 'k, 'm, C, T> {
    /// Removes the first `n` messages, or fewer at the end, and returns them.
    fn take(&mut self, n: usize) -> Self {
        let n = n.min(self.messages.len());
        let messages = self.messages.split_off_mut(..n).expect("as many messages");
        let results =
            self.results.as_mut().map(|results| results.split_off_mut(..n).expect("as many results"));
        Self { messages, results }
    }

    /// Checks that there is a result for each message in decryption.
    fn check_results(&self) -> Result<(), Error> {
        let (messages, results) = (self.messages.len(), self.results.as_ref().map(|results| results.len()));
        match results {
            Some(results) if results != messages => Err(Error::Count { messages, results }),
            _ => Ok(()),
        }
    }

    /// Returns all messages, each with the place of its result.
    fn entries(self) -> impl Iterator<Item = Entry<'w, 'k, 'm, C, T>> {
        let mut results = self.results.map(|results| results.iter_mut());
        self.messages.iter_mut().map(move |message| Entry {
            n_rates: n_rates_of(message),
            message,
            result: results.as_mut().and_then(Iterator::next),
        })
    }

    /// Puts all into a list that has as many places.
    fn list<const MOST: usize>(self) -> [Option<Entry<'w, 'k, 'm, C, T>>; MOST] {
        let mut list = [const { None }; MOST];
        for (place, entry) in list.iter_mut().zip(self.entries()) {
            *place = Some(entry);
        }
        list
    }
}

/// A message, the rates of its parts, and the place of its result in decryption.
struct Entry<'w, 'k, 'm, C: Cipher, T: Tag<C>> {
    message: &'w mut Message<'k, 'm, C, T>,
    /// Rates of associated data and of text.
    n_rates: [usize; 2],
    result: Option<&'w mut Result<(), Error>>,
}

/// Returns the rates of a message's associated data and of its text.
#[inline]
fn n_rates_of<C: Cipher, T: Tag<C>>(message: &Message<'_, '_, C, T>) -> [usize; 2] {
    [message.ad.len(), message.buffer.len()].map(|n_bytes| n_bytes.div_ceil(C::RATE_BYTES))
}

fn n_updates_of<C: InLanes, T: Tag<C>>(entry: &Option<Entry<'_, '_, '_, C, T>>) -> usize {
    entry.as_ref().map_or(0, |entry| C::UPDATES + entry.n_rates[0] + entry.n_rates[1])
}

/// Processes messages of a cipher with lanes.
fn all<C: InLanes, T: Tag<C>>(
    only: Option<&'static Kernel<Verbs>>,
    direction: Direction,
    messages: &mut [Message<'_, '_, C, T>],
    results: Option<&mut [Result<(), Error>]>,
) -> Result<(), Error> {
    let mut work = Work { messages, results };
    if only.is_none() && work.messages.len() == 1 {
        return alone(direction, work);
    }
    let sizes = check(&work)?;
    let choice = Choice::new(only);
    let lanes = |n: usize| choice.lanes::<C>(n, C::UPDATES + sizes.most_rates);
    if sizes.are_equal {
        while let Some((kernel, n)) = lanes(work.messages.len()) {
            // The choice for fewer is the same, as long as they fill its lanes.
            while work.messages.len() >= n {
                let group = work.take(n);
                match direction {
                    Direction::Encrypt => encrypt_together(kernel, group.messages.iter_mut()),
                    Direction::Decrypt => decrypt_together(kernel, &mut group.list::<MOST_LANES>()[..n]),
                }
            }
        }
    } else if lanes(work.messages.len()).is_some() {
        while !work.messages.is_empty() {
            let window = work.take(WINDOW);
            match window.messages.len() {
                ..=FEW => sorted::<FEW, _, _>(choice, direction, window),
                _ => sorted::<WINDOW, _, _>(choice, direction, window),
            }
        }
    }
    if !work.messages.is_empty() {
        one_by_one(choice.one(), direction, work);
    }
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

/// Processes messages of a cipher without lanes.
fn each<C: Cipher, T: Tag<C>>(
    only: Option<&'static Kernel<Verbs>>,
    direction: Direction,
    messages: &mut [Message<'_, '_, C, T>],
    results: Option<&mut [Result<(), Error>]>,
) -> Result<(), Error> {
    let work = Work { messages, results };
    if only.is_none() && work.messages.len() == 1 {
        return alone(direction, work);
    }
    let sizes = check(&work)?;
    let kernel = only.map_or_else(|| TABLE.best_of_one(), |kernel| TABLE.of_one(kernel));
    one_by_one(kernel, direction, work);
    wipe_after_many(sizes.n_bytes);
    Ok(())
}

/// Processes the only message of a call, as [`Aegis::encrypt`] and [`Aegis::decrypt`] do.
#[inline]
fn alone<C: Cipher, T: Tag<C>>(direction: Direction, work: Work<'_, '_, '_, C, T>) -> Result<(), Error> {
    work.check_results()?;
    for mut entry in work.entries() {
        let n_bytes = checked_bytes(entry.message.ad, &entry.message.buffer)?;
        one(TABLE.best_of_one(), direction, &mut entry);
        wipe_after_many(n_bytes);
    }
    Ok(())
}

/// What a call's messages have.
struct Sizes {
    /// Their bytes together.
    n_bytes: usize,
    /// The most rates of one.
    most_rates: usize,
    /// Whether the parts of all have the same numbers of rates.
    are_equal: bool,
}

/// Checks all lengths, and in decryption that there is a result for each message.
fn check<C: Cipher, T: Tag<C>>(work: &Work<'_, '_, '_, C, T>) -> Result<Sizes, Error> {
    let mut sizes = Sizes { n_bytes: 0, most_rates: 0, are_equal: true };
    let first = work.messages.first().map(n_rates_of);
    for message in &*work.messages {
        let n_rates = n_rates_of(message);
        sizes.n_bytes = sizes.n_bytes.saturating_add(checked_bytes(message.ad, &message.buffer)?);
        sizes.most_rates = sizes.most_rates.max(n_rates[0] + n_rates[1]);
        sizes.are_equal &= Some(n_rates) == first;
    }
    work.check_results()?;
    Ok(sizes)
}

/// Processes messages of different lengths, at most `MOST`.
#[inline(never)] // Its list is long.
fn sorted<const MOST: usize, C: InLanes, T: Tag<C>>(
    choice: Choice,
    direction: Direction,
    window: Work<'_, '_, '_, C, T>,
) {
    let n = window.messages.len();
    let mut list = window.list::<MOST>();
    let mut rest = &mut list[..n];
    rest.sort_unstable_by_key(|entry| Reverse(n_updates_of(entry)));
    while !rest.is_empty() {
        let (kernel, n) = choice.lanes_of(rest);
        let (now, others) = rest.split_at_mut(n);
        match (kernel, direction) {
            (Some(kernel), Direction::Encrypt) => {
                encrypt_together(kernel, now.iter_mut().flatten().map(|entry| &mut *entry.message));
            }
            (Some(kernel), Direction::Decrypt) => decrypt_together(kernel, now),
            (None, _) => now.iter_mut().flatten().for_each(|entry| one(choice.one(), direction, entry)),
        }
        rest = others;
    }
}

/// Processes one message after another.
fn one_by_one<C: Cipher, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    direction: Direction,
    work: Work<'_, '_, '_, C, T>,
) {
    for mut entry in work.entries() {
        one(kernel, direction, &mut entry);
    }
}

#[inline]
fn one<C: Cipher, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    direction: Direction,
    entry: &mut Entry<'_, '_, '_, C, T>,
) {
    let Message { cipher, nonce, ad, buffer, tag } = &mut *entry.message;
    match direction {
        Direction::Encrypt => *tag = cipher.encrypt_on(kernel, nonce, ad, buffer.reborrow()),
        Direction::Decrypt => {
            let result = cipher.decrypt_on(kernel, nonce, ad, buffer.reborrow(), tag);
            if let Some(place) = &mut entry.result {
                **place = result;
            }
        }
    }
}

/// Encrypts at most as many messages as the kernel has lanes.
#[inline(never)] // Its list is long.
fn encrypt_together<'a, 'k: 'a, 'm: 'a, C: InLanes, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    messages: impl Iterator<Item = &'a mut Message<'k, 'm, C, T>>,
) {
    let mut lanes = [const { None::<Lane<'_, C>> }; MOST_LANES];
    for (lane, message) in lanes.iter_mut().zip(messages) {
        let Message { cipher, nonce, ad, buffer, tag } = message;
        *lane = Some(Lane { key: cipher.key(), nonce, ad, text: buffer.reborrow(), tag: tag.as_mut() });
    }
    C::run_lanes(kernel, Lanes { lanes: &mut lanes[..kernel.degree()], direction: Direction::Encrypt });
}

/// Decrypts at most as many messages as the kernel has lanes.
#[inline(never)] // Its lists are long.
fn decrypt_together<C: InLanes, T: Tag<C>>(
    kernel: &'static Kernel<Verbs>,
    entries: &mut [Option<Entry<'_, '_, '_, C, T>>],
) {
    let mut tags: [T::Bytes; MOST_LANES] = Default::default();
    let mut lanes = [const { None::<Lane<'_, C>> }; MOST_LANES];
    for ((lane, entry), tag) in lanes.iter_mut().zip(entries.iter_mut().flatten()).zip(&mut tags) {
        let Message { cipher, nonce, ad, buffer, .. } = &mut *entry.message;
        *lane = Some(Lane { key: cipher.key(), nonce, ad, text: buffer.reborrow(), tag: tag.as_mut() });
    }
    C::run_lanes(kernel, Lanes { lanes: &mut lanes[..kernel.degree()], direction: Direction::Decrypt });
    for (entry, tag) in entries.iter_mut().flatten().zip(&mut tags) {
        let is_authentic = is_authentic(tag, &entry.message.tag, entry.message.buffer.output());
        if let Some(result) = &mut entry.result {
            **result = if is_authentic { Ok(()) } else { Err(Error::Forged) };
        }
    }
}
