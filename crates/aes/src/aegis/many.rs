//! Many messages at once, each with its own key and nonce: AEGIS-128 and AEGIS-128L.
//!
//! A ring leaves the AES units idle for most of the time, because each round depends on the round before.
//! Rounds of other messages fill the gaps: eight messages of AEGIS-128 have 2.9 times the throughput of one
//! (Cypress Cove; 2.2 on Zen 4).
//!
//! Messages go through four phases: Init, associated data, text, Finalize. The messages of a window of 32 go
//! through each phase together. In the second and third, whose lengths differ, they rotate through the lanes
//! as hashes do (`hashlanes_schedule`). Bytes that do not fill a block of the rate are processed one message
//! after another.

use hashlanes_isa::cipher::{Buffer, Kernel};
use hashlanes_schedule::{Rotation, SLOTS, Turn};

use super::aead::Aegis;
use super::ciphers::sealed::JobOf;
use super::ciphers::{Cipher, Tag};
use super::error::{Error, counted};
use super::job::{End, Job, Start, Text};
use super::kernels::{TABLE, Verbs, call};
use super::lanes::{Lanes, Work};
use super::parameters::{C128, C128L};
use crate::stack_wipe;
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

macro_rules! functions {
    ($($cipher:ident $name:literal: $encrypt:ident $decrypt:ident $encrypt_on:ident $decrypt_on:ident;)*) => {$(
        #[doc = concat!("Encrypts many messages with ", $name, ", several at once, each as [`Aegis::encrypt`] would.")]
        ///
        /// # Errors
        /// [`Error::TooLong`]; then nothing is encrypted.
        pub fn $encrypt<T: Tag<$cipher>>(messages: &mut [Message<'_, '_, $cipher, T>]) -> Result<(), Error> {
            encrypt_all(Choice::Best, messages)
        }

        #[doc = concat!("Decrypts many messages with ", $name, ", several at once, each as [`Aegis::decrypt`] would.")]
        ///
        /// `results` reports for each message whether it is authentic; if not, its bytes are zeros.
        ///
        /// # Errors
        /// [`Error::TooLong`], [`Error::Count`] unless there is a result for each message; then nothing is
        /// decrypted.
        pub fn $decrypt<T: Tag<$cipher>>(
            messages: &mut [Message<'_, '_, $cipher, T>],
            results: &mut [Result<(), Error>],
        ) -> Result<(), Error> {
            decrypt_all(Choice::Best, messages, results)
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
            encrypt_all(Choice::Kernel(kernel), messages)
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
            decrypt_all(Choice::Kernel(kernel), messages, results)
        }
    )*};
}
functions! {
    C128 "AEGIS-128": aegis128_encrypt_many aegis128_decrypt_many aegis128_encrypt_many_on aegis128_decrypt_many_on;
    C128L "AEGIS-128L": aegis128l_encrypt_many aegis128l_decrypt_many aegis128l_encrypt_many_on aegis128l_decrypt_many_on;
}

/// The choice of the kernel for live messages.
#[derive(Clone, Copy, Debug)]
enum Choice {
    /// The table's choice.
    Best,
    /// One kernel for any number of messages.
    Kernel(&'static Kernel<Verbs>),
}

impl Choice {
    #[inline]
    fn kernel(self, n_live: usize, n_rates: usize) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best(n_live, n_rates),
            Self::Kernel(kernel) => kernel,
        }
    }

    /// Returns whether this number of updates is faster without lanes. A forced kernel processes all
    /// messages.
    #[inline]
    fn is_one_by_one(self, n_updates: usize) -> bool {
        match self {
            // If the environment forces lanes, they also process single messages.
            Self::Best => n_updates < FEW_UPDATES && TABLE.best(1, 1).degree() == 1,
            Self::Kernel(_) => false,
        }
    }

    #[inline]
    fn kernel_of_one(self) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best_of_one(),
            Self::Kernel(kernel) => TABLE.of_one(kernel),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Encrypt,
    Decrypt,
}

/// The number of lanes of the widest row.
const MOST_LANES: usize = 8;

fn encrypt_all<C: InLanes, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
) -> Result<(), Error> {
    check(messages)?;
    for window in messages.chunks_mut(SLOTS) {
        let tags = Window::through(choice, Direction::Encrypt, window);
        for (message, tag) in window.iter_mut().zip(&tags) {
            message.tag.as_mut().copy_from_slice(&tag[..T::TAG_BYTES]);
        }
    }
    stack_wipe::wipe_of_aegis_window();
    Ok(())
}

fn decrypt_all<C: InLanes, T: Tag<C>>(
    choice: Choice,
    messages: &mut [Message<'_, '_, C, T>],
    results: &mut [Result<(), Error>],
) -> Result<(), Error> {
    check(messages)?;
    if messages.len() != results.len() {
        return Err(Error::Count { messages: messages.len(), results: results.len() });
    }
    for (window, results) in messages.chunks_mut(SLOTS).zip(results.chunks_mut(SLOTS)) {
        let mut tags = Window::through(choice, Direction::Decrypt, window);
        for ((message, tag), result) in window.iter_mut().zip(&tags).zip(results) {
            let mut expected = T::Bytes::default();
            expected.as_mut().copy_from_slice(&tag[..T::TAG_BYTES]);
            let right = same_tag(&expected, &message.tag);
            forget(&mut expected);
            *result = if right { Ok(()) } else { Err(Error::Forged) };
            if !right {
                blank(message.buffer.output());
            }
        }
        forget(&mut tags);
    }
    stack_wipe::wipe_of_aegis_window();
    Ok(())
}

fn check<C: Cipher, T: Tag<C>>(messages: &[Message<'_, '_, C, T>]) -> Result<(), Error> {
    messages.iter().try_for_each(|message| {
        counted("associated data", 0, message.ad.len())?;
        counted("message", 0, message.buffer.len()).map(drop)
    })
}

/// The least number of updates for which lanes are used: their phases take some 1,000 cycles, and save half
/// of an update's (Cypress Cove: of messages of 1 KiB, eight are a fifth faster in lanes, four a little
/// slower, two take twice as long).
const FEW_UPDATES: usize = 500;

/// Returns the number of updates of all messages: for each about 17 for Init and Finalize, and one per block
/// of the rate.
fn updates<C: Cipher, T: Tag<C>>(messages: &[Message<'_, '_, C, T>]) -> usize {
    match messages {
        [_] => 0,
        _ => messages.iter().map(|m| 17 + (m.ad.len() + m.buffer.len()) / C::RATE_BYTES).sum(),
    }
}

/// Bytes that idle lanes encrypt, shared by all of them.
const IDLE_BYTES: usize = 4096;

/// The number of messages that go through the phases together.
struct Window<C: Cipher> {
    states: [C::State; SLOTS],
    choice: Choice,
}

/// The slots of a call: those of the messages in the lanes.
type Slots<'a> = &'a [u8];

/// All slots: message i of the window has slot i.
const SLOT_OF: [u8; SLOTS] = {
    let mut slots = [0; SLOTS];
    let mut i = 0;
    while i < SLOTS {
        slots[i] = i as u8;
        i += 1;
    }
    slots
};

impl<C: InLanes> Window<C> {
    /// Processes the messages through all phases; returns their tags. Its frame holds the states, so the
    /// caller can wipe them with the rest of the stack (`zeroize`, byte by byte, would take longer than eight
    /// messages of 1 KiB).
    #[inline(never)]
    fn through<T: Tag<C>>(
        choice: Choice,
        direction: Direction,
        messages: &mut [Message<'_, '_, C, T>],
    ) -> [[u8; 32]; SLOTS] {
        if choice.is_one_by_one(updates(messages)) {
            return Self::one_by_one(choice, direction, messages);
        }
        let mut window = Self { states: [C::State::default(); SLOTS], choice };
        window.init(messages);
        window.absorb(messages);
        let lengths = window.cipher(direction, messages);
        let mut tags = [[0; 32]; SLOTS];
        window.finalize(messages, &lengths, T::TAG_BYTES, &mut tags);
        tags
    }

    /// The same without lanes.
    fn one_by_one<T: Tag<C>>(
        choice: Choice,
        direction: Direction,
        messages: &mut [Message<'_, '_, C, T>],
    ) -> [[u8; 32]; SLOTS] {
        let mut tags = [[0; 32]; SLOTS];
        for (message, tag) in messages.iter_mut().zip(&mut tags) {
            let (start, ad) = (Start::Key(message.cipher.key(), &message.nonce), message.ad);
            let (ad_bytes, message_bytes) = (ad.len() as u64, message.buffer.len() as u64);
            let text = match direction {
                Direction::Encrypt => Text::Encrypt(message.buffer.reborrow()),
                Direction::Decrypt => Text::Decrypt(message.buffer.reborrow()),
            };
            let end = End::Tag { ad_bytes, message_bytes, tag: &mut tag[..T::TAG_BYTES] };
            let state = &mut C::State::default();
            C::run(choice.kernel_of_one(), JobOf(Job { start, state, ad, text, end }));
        }
        tags
    }

    /// Calls the kernel for the slots' states; lanes without a message have a state of their own.
    fn call(&mut self, kernel: &'static Kernel<Verbs>, slots: Slots<'_>, work: Work<'_, '_, C>) {
        let mut states = [C::State::default(); MOST_LANES];
        for (state, &slot) in states.iter_mut().zip(slots) {
            *state = self.states[usize::from(slot)];
        }
        C::run_lanes(kernel, Lanes { states: &mut states[..kernel.degree()], work });
        for (state, &slot) in states.iter().zip(slots) {
            self.states[usize::from(slot)] = *state;
        }
    }

    /// Groups of slots 0..n, each for the kernel that is best for those that are left.
    fn groups(
        choice: Choice,
        n: usize,
        mut of_each: impl FnMut(&'static Kernel<Verbs>, core::ops::Range<usize>),
    ) {
        /// Init and Finalize of AEGIS-128L together.
        const UPDATES: usize = 9;
        let mut first = 0;
        while first < n {
            let kernel = choice.kernel(n - first, UPDATES);
            let next = n.min(first + kernel.degree());
            of_each(kernel, first..next);
            first = next;
        }
    }

    fn init<T: Tag<C>>(&mut self, messages: &[Message<'_, '_, C, T>]) {
        Self::groups(self.choice, messages.len(), |kernel, range| {
            let idle = &messages[range.start];
            let mut keys = [(idle.cipher.key(), &idle.nonce); MOST_LANES];
            for (key, message) in keys.iter_mut().zip(&messages[range.clone()]) {
                *key = (message.cipher.key(), &message.nonce);
            }
            self.call(kernel, &SLOT_OF[range], Work::Init(&keys[..kernel.degree()]));
        });
    }

    fn absorb<T: Tag<C>>(&mut self, messages: &[Message<'_, '_, C, T>]) {
        let mut ads: [&[u8]; SLOTS] = [&[]; SLOTS];
        for (ad, message) in ads.iter_mut().zip(messages) {
            *ad = message.ad;
        }
        let n_rates = ads.map(|ad| ad.len() / C::RATE_BYTES);
        const IDLE: [u8; IDLE_BYTES] = [0; IDLE_BYTES];
        self.rotate(&n_rates, |window, kernel, slots, n_rates| {
            let mut lanes: [&[u8]; MOST_LANES] = [&IDLE; MOST_LANES];
            for (lane, &slot) in lanes.iter_mut().zip(slots) {
                let ad = &mut ads[usize::from(slot)];
                (*lane, *ad) = ad.split_at(n_rates * C::RATE_BYTES);
            }
            window.call(kernel, slots, Work::Absorb(&lanes[..kernel.degree()], n_rates));
        });
        for (slot, rest) in ads.into_iter().enumerate().filter(|(_, rest)| !rest.is_empty()) {
            self.one(slot, rest, Text::None);
        }
    }

    /// Encrypts or decrypts; the lengths of associated data and text.
    fn cipher<T: Tag<C>>(
        &mut self,
        direction: Direction,
        messages: &mut [Message<'_, '_, C, T>],
    ) -> [[u64; 2]; SLOTS] {
        let mut lengths = [[0; 2]; SLOTS];
        let mut n_rates = [0; SLOTS];
        let mut buffers = [const { None::<Buffer<'_>> }; SLOTS].map(|_| Buffer::empty());
        for (slot, message) in messages.iter_mut().enumerate() {
            lengths[slot] = [message.ad.len() as u64, message.buffer.len() as u64];
            n_rates[slot] = message.buffer.len() / C::RATE_BYTES;
            buffers[slot] = message.buffer.reborrow();
        }
        self.rotate(&n_rates, |window, kernel, slots, n_rates| {
            if kernel.degree() == slots.len() {
                window.advance(direction, kernel, slots, n_rates, &mut buffers, &mut []);
            } else {
                window.advance(direction, kernel, slots, n_rates, &mut buffers, &mut [0; IDLE_BYTES]);
            }
        });
        for (slot, rest) in buffers.into_iter().enumerate().filter(|(_, rest)| !rest.is_empty()) {
            let text = match direction {
                Direction::Encrypt => Text::Encrypt(rest),
                Direction::Decrypt => Text::Decrypt(rest),
            };
            self.one(slot, &[], text);
        }
        lengths
    }

    /// Encrypts or decrypts the next rates of the slots' buffers; lanes without a message take theirs from
    /// `idle`.
    fn advance<'m: 'i, 'i>(
        &mut self,
        direction: Direction,
        kernel: &'static Kernel<Verbs>,
        slots: Slots<'_>,
        n_rates: usize,
        buffers: &mut [Buffer<'m>; SLOTS],
        idle: &'i mut [u8],
    ) {
        let mut lanes: [Buffer<'i>; MOST_LANES] = [const { None::<()> }; MOST_LANES].map(|_| Buffer::empty());
        let mut idle = Buffer::in_place(idle);
        let lanes = &mut lanes[..kernel.degree()];
        for (k, lane) in lanes.iter_mut().enumerate() {
            *lane = match slots.get(k) {
                Some(&slot) => buffers[usize::from(slot)].take(n_rates * C::RATE_BYTES),
                None => idle.take(n_rates * C::RATE_BYTES),
            };
        }
        let work = match direction {
            Direction::Encrypt => Work::Encrypt(lanes, n_rates),
            Direction::Decrypt => Work::Decrypt(lanes, n_rates),
        };
        self.call(kernel, slots, work);
    }

    fn finalize<T: Tag<C>>(
        &mut self,
        messages: &[Message<'_, '_, C, T>],
        lengths: &[[u64; 2]; SLOTS],
        tag_bytes: usize,
        tags: &mut [[u8; 32]; SLOTS],
    ) {
        Self::groups(self.choice, messages.len(), |kernel, range| {
            let (mut of_lanes, mut result) = ([[0; 2]; MOST_LANES], [[0; 32]; MOST_LANES]);
            of_lanes[..range.len()].copy_from_slice(&lengths[range.clone()]);
            let degree = kernel.degree();
            let work = Work::Finalize(&of_lanes[..degree], &mut result[..degree], tag_bytes);
            self.call(kernel, &SLOT_OF[range.clone()], work);
            tags[range.clone()].copy_from_slice(&result[..range.len()]);
        });
    }

    /// A message's end that does not fill a rate.
    fn one(&mut self, slot: usize, ad: &[u8], text: Text<'_>) {
        let job = Job { start: Start::State, state: &mut self.states[slot], ad, text, end: End::State };
        C::run(self.choice.kernel_of_one(), JobOf(job));
    }

    /// Advances the slots in lanes, each by its number of rates: `advance` accepts kernel, slots and a number
    /// of rates.
    fn rotate(
        &mut self,
        n_rates: &[usize; SLOTS],
        mut advance: impl FnMut(&mut Self, &'static Kernel<Verbs>, Slots<'_>, usize),
    ) {
        let choice = self.choice;
        let mut rotation = Rotation::new();
        for (slot, &n_rates) in n_rates.iter().enumerate().filter(|(_, n_rates)| **n_rates > 0) {
            rotation.insert(slot, n_rates);
        }
        while rotation.n_live() > 0 {
            let kernel = choice.kernel(rotation.n_live(), rotation.shared_blocks(MOST_LANES));
            let turn: Turn = rotation.turn(kernel.degree(), |n, n_rates| {
                let other = choice.kernel(n, n_rates);
                n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_rates)
                    / u64::from(kernel.cost().block)
            });
            // Idle lanes have a few rates of their own, so a turn may take several calls.
            let n_idle = kernel.degree() - turn.slots().len();
            let most = (IDLE_BYTES / C::RATE_BYTES).checked_div(n_idle).unwrap_or(usize::MAX);
            let mut n_left = turn.n_blocks;
            while n_left > 0 {
                let n = n_left.min(most);
                advance(self, kernel, turn.slots(), n);
                n_left -= n;
            }
            while rotation.pop_finished().is_some() {}
        }
    }
}
