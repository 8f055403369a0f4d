//! The common interface of all contestants: name, availability, and supported workloads.

use crate::input::{Input, Outputs};
use crate::work::{Hash, Shape, Text};
use hashlanes_clock::{Contestant, Threads};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// A contestant: our library, one of our kernels, or a rival.
pub(crate) trait Candidate {
    /// The name on command lines and in tables.
    fn name(&self) -> &str;
    /// A description of one line.
    fn about(&self) -> String;
    /// Returns whether it is available.
    fn presence(&self) -> Presence;
    /// Prepares the work on an input.
    ///
    /// # Errors
    /// The reason why it does not support the work.
    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable>;
}

/// Whether a candidate is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It is available in this version.
    Here(String),
    /// It is not available; this command installs it.
    Missing(String),
}

/// Why a candidate does not support a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotApplicable(pub(crate) String);

impl NotApplicable {
    /// It does not support the hash.
    pub(crate) fn hash(hash: Hash) -> Self {
        NotApplicable(format!("has no {}", hash.name()))
    }
}

/// See [`Entry::digests_of`].
type Once<'a> = dyn FnMut(&mut dyn FnMut(&mut dyn FnMut())) -> Vec<u8> + 'a;

/// A prepared candidate.
pub(crate) struct Entry<'a> {
    /// Passes the work to a function that calls it; then returns the digests, one after the other.
    once: Box<Once<'a>>,
    /// The same work, to be timed.
    pub(crate) contestant: Contestant<'a>,
}

impl<'a> Entry<'a> {
    /// Creates an entry from a `work` that fills the digests of the input's messages.
    pub(crate) fn new<D: AsRef<[u8]> + Clone + 'a>(
        name: &str,
        input: &'a Input,
        zero: D,
        work: impl FnMut(&mut [D]) + Clone + 'a,
    ) -> Self {
        Self::of_results(name, input, zero, |digest, bytes| bytes.extend_from_slice(digest.as_ref()), work)
    }

    /// Creates an entry from a `work` that returns a result of another type for each message; `put` appends
    /// its digest.
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

    /// Creates an entry from a `state` on which `work` performs an operation; `result` returns the result, to
    /// be compared with the known one.
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

    /// Creates an entry from a `work` whose output is as long as each message, as with ciphers.
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

    /// Sets the executor of the work.
    pub(crate) fn threads(self, threads: Threads) -> Self {
        Entry { contestant: self.contestant.threads(threads), ..self }
    }

    /// Does the work once; returns the digests of all messages, one after the other.
    pub(crate) fn digests(&mut self) -> Vec<u8> {
        self.digests_of(&mut |work| work())
    }

    /// Does the work with `caller`, which calls it at least once.
    pub(crate) fn digests_of(&mut self, caller: &mut dyn FnMut(&mut dyn FnMut())) -> Vec<u8> {
        (self.once)(caller)
    }

    /// Creates an entry from a function of one message; several are processed one after the other.
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

/// Returns the version of a linked crate from the lock file. Where two versions are linked, the beginning of
/// the wanted one follows the name, as in `aegis 0.9`.
pub(crate) fn crate_version(name: &str) -> String {
    let all = env!("HASHLANES_BENCH_VERSIONS").split(';').filter_map(|entry| entry.split_once('='));
    let (name, begin) = name.split_once(' ').unwrap_or((name, ""));
    let wanted = |(linked, version): &(&str, &str)| *linked == name && version.starts_with(begin);
    all.into_iter().find(wanted).map_or_else(String::new, |(_, version)| version.to_owned())
}
