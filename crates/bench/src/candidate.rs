//! The one interface of all contestants: what it is called, whether it is here, what it can do.

use crate::input::{Input, Outputs};
use crate::work::{Hash, Shape, Text};
use hashlanes_clock::{Contestant, Threads};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// Somebody who can hash: ours, one of our kernels, or a rival.
pub(crate) trait Candidate {
    /// As on command lines and in tables.
    fn name(&self) -> &str;
    /// Its description, in a line.
    fn about(&self) -> String;
    /// Whether it is here.
    fn presence(&self) -> Presence;
    /// Gets ready to do the input's work.
    ///
    /// # Errors
    /// Why it cannot do this work.
    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable>;
}

/// Whether a candidate can be asked at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is here, in this version.
    Here(String),
    /// It is not; this brings it.
    Missing(String),
}

/// Why a candidate cannot do a work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotApplicable(pub(crate) String);

impl NotApplicable {
    /// It does not have the hash.
    pub(crate) fn hash(hash: Hash) -> Self {
        NotApplicable(format!("has no {}", hash.name()))
    }
}

/// See [`Entry::digests_of`].
type Once<'a> = dyn FnMut(&mut dyn FnMut(&mut dyn FnMut())) -> Vec<u8> + 'a;

/// A candidate that is ready.
pub(crate) struct Entry<'a> {
    /// Passes the work, one call each, to a function that calls it; then returns the digests, one after
    /// another.
    once: Box<Once<'a>>,
    /// Does the same work, to be timed.
    pub(crate) contestant: Contestant<'a>,
}

impl<'a> Entry<'a> {
    /// From a `work` that fills the digests of the input's messages.
    pub(crate) fn new<D: AsRef<[u8]> + Clone + 'a>(
        name: &str,
        input: &'a Input,
        zero: D,
        work: impl FnMut(&mut [D]) + Clone + 'a,
    ) -> Self {
        Self::of_results(name, input, zero, |digest, bytes| bytes.extend_from_slice(digest.as_ref()), work)
    }

    /// From a `work` that leaves a result of its own kind for each message; `put` appends its digest.
    pub(crate) fn of_results<D: Clone + 'a>(
        name: &str,
        input: &'a Input,
        zero: D,
        put: fn(&D, &mut Vec<u8>),
        mut work: impl FnMut(&mut [D]) + Clone + 'a,
    ) -> Self {
        let (mut once, blank) = (work.clone(), zero.clone());
        let once = Box::new(move |caller: &mut dyn FnMut(&mut dyn FnMut())| {
            let mut digests = vec![blank.clone(); input.count()];
            caller(&mut || once(black_box(&mut digests)));
            let mut bytes = Vec::new();
            digests.iter().for_each(|digest| put(digest, &mut bytes));
            bytes
        });
        let mut digests = vec![zero; input.count()];
        let call = move || work(black_box(&mut digests));
        let contestant = Contestant::new(name, input.footprint(), call)
            .bytes(input.bytes())
            .messages(input.count() as u64);
        Entry { once, contestant }
    }

    /// Made of a `state` on which `work` does an operation; `result` returns its result, to be compared with
    /// the known one.
    pub(crate) fn of_operation<T: 'a>(
        name: &str,
        input: &'a Input,
        state: T,
        work: fn(&mut T),
        result: fn(&mut T) -> Vec<u8>,
    ) -> Self {
        let state = Rc::new(RefCell::new(state));
        let shared = state.clone();
        let once = Box::new(move |caller: &mut dyn FnMut(&mut dyn FnMut())| {
            let mut state = shared.borrow_mut();
            caller(&mut || work(&mut state));
            result(&mut state)
        });
        let contestant = Contestant::new(name, input.footprint(), move || work(&mut state.borrow_mut()))
            .bytes(0)
            .messages(input.count() as u64);
        Entry { once, contestant }
    }

    /// From a `work` that writes as many bytes for each message as it has: what ciphers leave.
    pub(crate) fn of_outputs(
        name: &str,
        input: &'a Input,
        mut work: impl FnMut(&mut Outputs) + Clone + 'a,
    ) -> Self {
        let mut once = work.clone();
        let once = Box::new(move |caller: &mut dyn FnMut(&mut dyn FnMut())| {
            let mut outputs = Outputs::of(input);
            caller(&mut || once(black_box(&mut outputs)));
            outputs.messages().flat_map(|message| message.iter().copied()).collect()
        });
        let mut outputs = Outputs::of(input);
        let call = move || work(black_box(&mut outputs));
        let contestant = Contestant::new(name, input.footprint(), call)
            .bytes(input.bytes())
            .messages(input.count() as u64);
        Entry { once, contestant }
    }

    /// The work is done by these.
    pub(crate) fn threads(self, threads: Threads) -> Self {
        Entry { contestant: self.contestant.threads(threads), ..self }
    }

    /// Does the work once: the digests of all messages, one after another.
    pub(crate) fn digests(&mut self) -> Vec<u8> {
        self.digests_of(&mut |work| work())
    }

    /// The same, where `caller` calls the work it is given as often as it likes, once at least.
    pub(crate) fn digests_of(&mut self, caller: &mut dyn FnMut(&mut dyn FnMut())) -> Vec<u8> {
        (self.once)(caller)
    }

    /// From a function of one message: many are done one after another.
    pub(crate) fn one_by_one<const N: usize>(
        name: &str,
        input: &'a Input,
        digest: impl Fn(&[u8]) -> [u8; N] + Clone + 'a,
    ) -> Self {
        match input.work().shape {
            Shape::One { .. } => {
                let message = input.message(0);
                Entry::new(name, input, [0; N], move |out| out[0] = digest(black_box(message)))
            }
            Shape::Rows { text: Text::Hex, .. } => {
                let messages: Rc<[&[u8]]> = input.messages().into();
                Entry::new(name, input, HexDigest([[0; 2]; N]), move |out| {
                    for (digest_text, message) in out.iter_mut().zip(black_box(&*messages)) {
                        let bytes = digest(message);
                        for (pair, byte) in digest_text.0.iter_mut().zip(bytes) {
                            *pair = crate::input::hex_of(byte);
                        }
                    }
                })
            }
            _ => {
                let messages: Rc<[&[u8]]> = input.messages().into();
                Entry::new(name, input, [0; N], move |out| {
                    for (out, message) in out.iter_mut().zip(black_box(&*messages)) {
                        *out = digest(message);
                    }
                })
            }
        }
    }
}

/// A digest in hexadecimal.
#[derive(Clone)]
struct HexDigest<const N: usize>([[u8; 2]; N]);

impl<const N: usize> AsRef<[u8]> for HexDigest<N> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_flattened()
    }
}

/// The version of a crate that the program was built with, as the lock file names it.
pub(crate) fn crate_version(name: &str) -> String {
    let all = env!("HASHLANES_BENCH_VERSIONS").split(';').filter_map(|entry| entry.split_once('='));
    all.into_iter().find(|(n, _)| *n == name).map_or_else(String::new, |(_, version)| version.to_owned())
}
