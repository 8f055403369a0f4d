//! Every row through every verb, against the oracle's compression functions. Lanes have different data and
//! states, so a lane that uses another's is detected. If a row lacks a verb, or the count is not a multiple
//! of its degree, this runs the adaptors.

use std::ops::RangeInclusive;

use hashlanes_isa::{
    Batch, Blocks, Fixed, Function, Half, Kernel, Next, Open, PLACES, PreExpanded, Start, Types, Verb, Whole,
};
use hashlanes_testkit::oracle;
use hashlanes_testkit::ragged::Rng;

use crate::hashes::{Tested, each_function};
use crate::suite::{Suite, seed};

/// None; one; two and three: a loop that is entered again; seven: more than any loop is unrolled; twelve,
/// fifteen, sixteen: long enough for blocks to go in pairs (8), with one that goes alone, with a loop that is
/// entered again.
const N_BLOCKS: [usize; 8] = [0, 1, 2, 3, 7, 12, 15, 16];

pub(crate) fn add(suite: &mut Suite) {
    each_function!(F => {
        suite.each_kernel::<F>(F::NAME, Verb::Compress.name(), compress::<F>);
        suite.each_kernel::<F>(F::NAME, "turns", turns::<F>);
        suite.each_kernel::<F>(F::NAME, "groups", groups::<F>);
        suite.each_kernel::<F>(F::NAME, "around", around::<F>);
        suite.each_kernel::<F>(F::NAME, "groups alone", groups_alone::<F>);
        suite.each_kernel::<F>(F::NAME, "around alone", around_alone::<F>);
        suite.each_kernel::<F>(F::NAME, "lanes", lanes::<F>);
        suite.each_kernel::<F>(F::NAME, "compress_one", compress_one::<F>);
        suite.each_kernel::<F>(F::NAME, "compress_body_and_end", compress_body_and_end::<F>);
        suite.each_kernel_apart::<F>(F::NAME, "compress_body_and_end, long ends", long_ends::<F>);
        suite.each_kernel::<F>(F::NAME, Verb::CompressLanes.name(), compress_lanes::<F>);
        suite.each_kernel::<F>(F::NAME, Verb::FinishFixed.name(), finish_fixed::<F>);
        suite.each_kernel::<F>(F::NAME, Verb::ContinueMany.name(), continue_many::<F>);
        suite.each_kernel::<F>(F::NAME, "continue_many_knowing", continue_many_knowing::<F>);
        suite.each_kernel::<F>(F::NAME, Verb::Rounds.name(), rounds::<F>);
    });
}

/// Counts around whole groups of lanes: none, some idle lanes, a full group, one more than a group, two
/// groups with one idle lane, and one more than three groups.
pub(crate) fn counts(degree: usize) -> [usize; 7] {
    [0, 1, degree - 1, degree, degree + 1, 2 * degree - 1, 3 * degree + 1]
}

#[track_caller]
fn assert_state<F: Tested>(got: F::State, expected: oracle::State, what: impl FnOnce() -> String) {
    let got = got.into();
    assert!(got == expected, "{}: {got:x?}, not {expected:x?}", what());
}

/// A contiguous message per lane. States other than those of the lanes do not change.
fn compress<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    // Ten rounds of random data: a carry or a mask that few words show.
    for (n_blocks, _) in N_BLOCKS.into_iter().flat_map(|n| (0..10).map(move |again| (n, again))) {
        let len = n_blocks * F::BLOCK_BYTES;
        // Lanes at odd distances: no two have the same alignment.
        let mut data = vec![0; degree * (len + 7)];
        rng.fill(&mut data);
        let messages: Vec<&[u8]> = (0..degree).map(|k| &data[k * (len + 7)..][..len]).collect();
        let before = F::states(&mut rng, degree + 2);
        let mut states = before.clone();
        kernel.compress(&mut states[1..=degree], &messages);
        for k in 0..degree {
            let expected = F::expected(before[1 + k], messages[k]);
            assert_state::<F>(states[1 + k], expected, || format!("lane {k}, {n_blocks} blocks"));
        }
        for beside in [0, degree + 1] {
            assert!(states[beside] == before[beside], "{n_blocks} blocks: a state beside the lanes changed");
        }
    }
}

/// The state that a message began with, all its bytes, and how many of its blocks are done.
type Message<F> = (<F as Types>::State, Vec<u8>, usize);

/// Turns: messages of any lengths, with blocks of the batch's own before or after them, that are put aside,
/// taken up again in other lanes, and replaced.
fn turns<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 200 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    for _ in 0..20 {
        let mut batch = Batch::new();
        let mut open = batch.open();
        let n_places = 1 + rng.below(PLACES);
        let mut messages: Vec<Option<Message<F>>> = vec![None; n_places];
        for _ in 0..100 {
            let place = rng.below(n_places);
            let n_left = |message: &Option<Message<F>>| {
                message.as_ref().map_or(0, |(_, bytes, done)| bytes.len() / F::BLOCK_BYTES - done)
            };
            if n_left(&messages[place]) == 0 || rng.below(8) == 0 {
                messages[place] = Some(inserted(&mut open, &mut rng, place, &bytes));
            }
            let mut chosen: Vec<u8> = Vec::new();
            for _ in 0..1 + rng.below(degree) {
                let place = rng.below(n_places);
                if n_left(&messages[place]) > 0 && !chosen.contains(&(place as u8)) {
                    chosen.push(place as u8);
                }
            }
            let least = chosen.iter().map(|place| n_left(&messages[usize::from(*place)])).min();
            if let Some(least) = least {
                let n_blocks = 1 + rng.below(least);
                open.advance(kernel, &chosen, n_blocks);
                for place in chosen {
                    messages[usize::from(place)].as_mut().expect("a message").2 += n_blocks;
                }
            }
            if rng.below(4) == 0
                && let Some((start, all, done)) = &messages[place]
            {
                let expected = F::expected(*start, &all[..done * F::BLOCK_BYTES]);
                assert_state::<F>(*open.state(place), expected, || format!("place {place}, {done} blocks"));
            }
        }
        open.carry_out();
    }
}

/// Lanes that each go on with any part of any message, run idle, or stop; and messages that are replaced,
/// and states that are read, in between.
fn lanes<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 200 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    for round in 0..40 {
        let mut batch = Batch::new();
        let mut open = batch.open();
        let n_places = degree + rng.below(PLACES - degree);
        let mut messages: Vec<Message<F>> = Vec::new();
        for place in 0..n_places {
            messages.push(inserted(&mut open, &mut rng, place, &bytes));
        }
        for _ in 0..3 {
            // The place and the blocks on each lane.
            let mut on_lanes: Vec<Option<(usize, usize)>> = vec![None; degree];
            open.serve(kernel, &mut |open, lane| {
                if let Some((place, n_blocks)) = on_lanes[lane].take() {
                    messages[place].2 += n_blocks;
                }
                let is_on = |place| on_lanes.iter().flatten().any(|(on_lane, _)| *on_lane == place);
                let place = rng.below(n_places);
                if !is_on(place) && rng.below(4) == 0 {
                    messages[place] = inserted(open, &mut rng, place, &bytes);
                } else if !is_on(place) && rng.below(8) == 0 {
                    let (start, all, done) = &messages[place];
                    let expected = F::expected(*start, &all[..done * F::BLOCK_BYTES]);
                    assert_state::<F>(*open.state(place), expected, || {
                        format!("round {round}, place {place}")
                    });
                }
                let n_left = |place: usize| messages[place].1.len() / F::BLOCK_BYTES - messages[place].2;
                let free = (0..n_places).filter(|place| !is_on(*place) && n_left(*place) > 0);
                let some: Vec<usize> = free.collect();
                if some.is_empty() || rng.below(60) == 0 {
                    return None;
                }
                let place = some[rng.below(some.len())];
                let n_blocks = 1 + rng.below(n_left(place));
                on_lanes[lane] = Some((place, n_blocks));
                Some(Next { place, n_blocks })
            });
            for (place, message) in messages.iter_mut().enumerate() {
                // On a lane that stopped, a part of the part is done.
                message.2 = message.1.len() / F::BLOCK_BYTES - open.n_left(place);
            }
        }
        for (place, (start, all, done)) in messages.iter().enumerate() {
            let expected = F::expected(*start, &all[..done * F::BLOCK_BYTES]);
            assert_state::<F>(*open.state(place), expected, || format!("round {round}, place {place}"));
        }
    }
}

/// Puts some part of `bytes` into a place, with its end or a block before it; returns what it is then.
fn inserted<'a, F: Tested>(
    open: &mut Open<'_, 'a, F>,
    rng: &mut Rng,
    place: usize,
    bytes: &'a [u8],
) -> Message<F> {
    let start = F::states(rng, 1)[0];
    // Some have more blocks than a turn of such lanes.
    let n_body = if rng.below(10) == 0 { rng.below(190) } else { rng.below(20) };
    let (at, n_rest, n_end) = (rng.below(F::BLOCK_BYTES), rng.below(F::BLOCK_BYTES), 1 + rng.below(2));
    let message = &bytes[at..][..n_body * F::BLOCK_BYTES + n_rest];
    if rng.below(2) == 0 {
        let n_blocks = rng.below(2);
        let block = F::blocks(rng, n_blocks);
        let body = &message[..n_body * F::BLOCK_BYTES];
        open.insert_part(place, &start, block.first(), body);
        return (start, [F::bytes_of(&block), body].concat(), 0);
    }
    put_bit::<F>(n_rest, open.insert(place, &start, message, n_end));
    (start, [message, &rest_with_bit::<F>(n_rest, n_end)].concat(), 0)
}

/// Marks the end of a message in its last blocks, which hold `n_rest` bytes of it.
fn put_bit<F: Tested>(n_rest: usize, end: &mut [F::Block]) {
    end[n_rest / F::BLOCK_BYTES].as_mut()[n_rest % F::BLOCK_BYTES] = 0x80;
}

/// The padding of a message whose last `n_rest` bytes are in these blocks.
fn rest_with_bit<F: Tested>(n_rest: usize, n_end: usize) -> Vec<u8> {
    let mut bytes = vec![0; n_end * F::BLOCK_BYTES - n_rest];
    bytes[0] = 0x80;
    bytes
}

/// Messages of groups: their common blocks, and the bytes of each after its body.
struct Alike {
    blocks: Blocks,
    rests: Vec<usize>,
}

impl Alike {
    /// Draws `n` messages whose bodies have fewer than `most` blocks; the first ones may be a block longer.
    fn draw<F: Tested>(rng: &mut Rng, n: usize, most: usize, n_longer: usize) -> Self {
        let (n_end, one_end) = (1 + rng.below(2), rng.below(3) == 0);
        // A byte is left for the padding.
        let rests = (0..n).map(|_| if one_end { 0 } else { rng.below(n_end * F::BLOCK_BYTES) }).collect();
        Self { blocks: Blocks { n_body: rng.below(most), n_end, n_longer, one_end }, rests }
    }

    /// Message k, whose number stands for the number of its bytes, unless one end serves for all.
    fn whole<'s, 'a, F: Tested>(
        &self,
        k: usize,
        starts: &'s [F::State],
        bytes: &'a [u8],
    ) -> Whole<'s, 'a, F> {
        let Blocks { n_body, n_longer, one_end, .. } = self.blocks;
        let n_whole = n_body + usize::from(k < n_longer);
        Whole {
            state: &starts[k],
            message: &bytes[k..][..n_whole * F::BLOCK_BYTES + self.rests[k]],
            n_bytes: if one_end { 0 } else { k as u64 },
        }
    }

    /// Pads the message of this number.
    fn end<F: Tested>(&self, end: &mut [F::Block], n_rest: usize, number: u64) {
        assert!(n_rest == self.rests[number as usize] && end.len() == self.blocks.n_end);
        put_bit::<F>(n_rest, end);
    }

    /// The last state of message k.
    fn expected<F: Tested>(&self, k: usize, starts: &[F::State], bytes: &[u8]) -> oracle::State {
        let padding = rest_with_bit::<F>(self.rests[k], self.blocks.n_end);
        F::expected(starts[k], &[self.whole::<F>(k, starts, bytes).message, &padding].concat())
    }
}

/// Groups of messages, several in a batch, next to a message that is not in them.
fn groups<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 62 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    let starts = F::states(&mut rng, PLACES);
    for round in 0..60 {
        let mut batch = Batch::new();
        let mut open = batch.open();
        let other = &bytes[..3 * F::BLOCK_BYTES];
        open.insert_part(PLACES - 1, &starts[PLACES - 1], None, other);
        open.advance(kernel, &[PLACES as u8 - 1], 1);
        // The expected content of each place.
        let mut expected = vec![None; PLACES];
        let mut first = 0;
        while first + degree < PLACES {
            let n_groups = 1 + rng.below((PLACES - 1 - first) / degree);
            let n = 1 + rng.below(degree * n_groups);
            let most = if round % 3 == 0 { 58 } else { 5 };
            let n_longer = if rng.below(3) == 0 { rng.below(degree.min(n + 1)) } else { 0 };
            let alike = Alike::draw::<F>(&mut rng, n, most, n_longer);
            let starts = &starts[first..];
            let whole = |k| alike.whole(k, starts, &bytes);
            let end = |end: &mut [F::Block], n_rest, number| alike.end::<F>(end, n_rest, number);
            open.groups(kernel, (first, n), alike.blocks, whole, end);
            for k in 0..n {
                expected[first + k] = Some(alike.expected::<F>(k, starts, &bytes));
            }
            // The states of idle lanes have no meaning.
            let n_lanes = n.next_multiple_of(degree);
            expected[first + n..first + n_lanes].fill(None);
            first += 1 + rng.below(n_lanes);
        }
        open.advance(kernel, &[PLACES as u8 - 1], 2);
        expected[PLACES - 1] = Some(F::expected(starts[PLACES - 1], other));
        for (place, expected) in expected.into_iter().enumerate() {
            if let Some(expected) = expected {
                assert_state::<F>(*open.state(place), expected, || format!("round {round}, place {place}"));
            }
        }
    }
}

/// Messages that wrap around the lanes, next to a message that does not.
fn around<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 62 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    let starts = F::states(&mut rng, PLACES);
    for n in degree + 1..2 * degree {
        for _ in 0..8 {
            let mut batch = Batch::new();
            let mut open = batch.open();
            let other = &bytes[..3 * F::BLOCK_BYTES];
            open.insert_part(PLACES - 1, &starts[PLACES - 1], None, other);
            open.advance(kernel, &[PLACES as u8 - 1], 3);
            let first = rng.below(PLACES - n);
            let most = if rng.below(3) == 0 { 58 } else { 5 };
            let alike = Alike::draw::<F>(&mut rng, n, most, 0);
            let whole = |k| alike.whole(k, &starts, &bytes);
            let end = |end: &mut [F::Block], n_rest, number| alike.end::<F>(end, n_rest, number);
            open.around(kernel, (first, n), alike.blocks, whole, end);
            for k in 0..n {
                let expected = alike.expected::<F>(k, &starts, &bytes);
                assert_state::<F>(*open.state(first + k), expected, || {
                    format!("{k} of {n}, {:?}", alike.blocks)
                });
            }
            let expected = F::expected(starts[PLACES - 1], other);
            assert_state::<F>(*open.state(PLACES - 1), expected, || format!("next to {n}"));
        }
    }
}

/// Messages that share their call with no others.
fn groups_alone<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 60 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    let starts = F::states(&mut rng, 256);
    for n in (1..=256).flat_map(|n| if n <= 32 { [n; 8].to_vec() } else { [n; 2].to_vec() }) {
        let alike = Alike::draw::<F>(&mut rng, n, 5, 0);
        if n.next_multiple_of(degree) > alike.blocks.most_alone() {
            continue;
        }
        let whole = |k| alike.whole(k, &starts, &bytes);
        let end = |end: &mut [F::Block], n_rest, number| alike.end::<F>(end, n_rest, number);
        kernel.groups_alone(n, alike.blocks, whole, end, |states| {
            assert_eq!(states.len(), n);
            for (k, state) in states.iter().enumerate() {
                let expected = alike.expected::<F>(k, &starts, &bytes);
                assert_state::<F>(*state, expected, || format!("{k} of {n}, {:?}", alike.blocks));
            }
        });
    }
}

/// Messages that wrap around the lanes and share their call with no others: also more turns than are
/// collected for one.
fn around_alone<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let degree = kernel.degree();
    let mut bytes = vec![0; 62 * F::BLOCK_BYTES];
    rng.fill(&mut bytes);
    let starts = F::states(&mut rng, 2 * degree);
    for n in (degree + 1..2 * degree).flat_map(|n| [n; 6]) {
        let most = if rng.below(3) == 0 { 58 } else { 5 };
        let alike = Alike::draw::<F>(&mut rng, n, most, 0);
        let whole = |k| alike.whole(k, &starts, &bytes);
        let end = |end: &mut [F::Block], n_rest, number| alike.end::<F>(end, n_rest, number);
        kernel.around_alone(n, alike.blocks, whole, end, |states| {
            assert_eq!(states.len(), n);
            for (k, state) in states.iter().enumerate() {
                let expected = alike.expected::<F>(k, &starts, &bytes);
                assert_state::<F>(*state, expected, || format!("{k} of {n}, {:?}", alike.blocks));
            }
        });
    }
}

fn compress_one<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    for n_blocks in N_BLOCKS {
        let mut data = vec![0; n_blocks * F::BLOCK_BYTES + 3];
        rng.fill(&mut data);
        let before = F::states(&mut rng, 1)[0];
        let mut state = before;
        kernel.compress_one(&mut state, &data[3..]);
        assert_state::<F>(state, F::expected(before, &data[3..]), || format!("{n_blocks} blocks"));
    }
}

/// Bodies and ends of a few blocks.
fn compress_body_and_end<F: Tested>(kernel: &'static Kernel<F>) {
    body_and_end(kernel, 0..=8, 0..=2);
}

/// Ends of more blocks than padding has.
fn long_ends<F: Tested>(kernel: &'static Kernel<F>) {
    body_and_end(kernel, 0..=2, 5..=8);
}

fn body_and_end<F: Tested>(
    kernel: &'static Kernel<F>,
    body: RangeInclusive<usize>,
    end: RangeInclusive<usize>,
) {
    let mut rng = Rng::new(seed());
    for n_body in body {
        for n_end in end.clone() {
            let mut data = vec![0; n_body * F::BLOCK_BYTES + 5];
            rng.fill(&mut data);
            let end = F::blocks(&mut rng, n_end);
            let before = F::states(&mut rng, 1)[0];
            let mut state = before;
            kernel.compress_body_and_end(&mut state, &data[5..], &end);
            let mut all = data[5..].to_vec();
            end.iter().for_each(|block| all.extend_from_slice(block.as_ref()));
            assert_state::<F>(state, F::expected(before, &all), || format!("{n_body} + {n_end} blocks"));
        }
    }
}

/// Any number j of lanes on any degree: fewer, several groups, and lanes left over.
fn compress_lanes<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    for j in (1..=17).chain([32]) {
        for n_blocks in N_BLOCKS {
            let len = n_blocks * F::BLOCK_BYTES;
            let mut words = vec![0; j * len + 1];
            rng.fill(&mut words);
            let words = &words[1..];
            let before = F::states(&mut rng, j);
            let mut states = before.clone();
            kernel.compress_lanes(&mut states, words);
            for k in 0..j {
                let expected = F::expected(before[k], &lane::<F>(words, j, k));
                assert_state::<F>(states[k], expected, || format!("lane {k} of {j}, {n_blocks} blocks"));
            }
        }
    }
}

/// Lane `k` of word-interleaved data of `j` lanes, its bytes in order.
pub(crate) fn lane<F: Tested>(words: &[u8], j: usize, k: usize) -> Vec<u8> {
    words.chunks(F::BLOCK_BYTES / 16).skip(k).step_by(j).flatten().copied().collect()
}

/// The shape of equal messages of `len` bytes after `prefix` bytes, straight from FIPS 180-4 section 5.1.
pub(crate) fn shape<F: Tested>(len: usize, prefix: u64) -> Fixed<F> {
    let mut padded = vec![0; len];
    padded.push(0x80);
    let length_bytes = F::BLOCK_BYTES / 8;
    padded.resize((len + 1 + length_bytes).next_multiple_of(F::BLOCK_BYTES), 0);
    let bits = (u128::from(prefix) + len as u128) * 8;
    let end = padded.len();
    padded[end - length_bytes..].copy_from_slice(&bits.to_be_bytes()[16 - length_bytes..]);
    let mut blocks = padded.chunks(F::BLOCK_BYTES).map(F::block);
    let mut first = blocks.next().expect("padding is not empty");
    first.as_mut()[..len.min(F::BLOCK_BYTES)].fill(0);
    let n_bytes = prefix + len as u64;
    Fixed { len_bytes: len, n_bytes, first, second: blocks.next().map(PreExpanded::new) }
}

/// Every length up to a block, counts about whole groups, whole digests and shorter ones.
fn finish_fixed<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    let state_bytes = size_of::<F::State>();
    for len in 0..=F::BLOCK_BYTES {
        for n in counts(kernel.degree()) {
            for prefix in [0, 3 * F::BLOCK_BYTES as u64] {
                // Half the digests are the whole state, which rows store in their own way; others end in a
                // word.
                let digest_bytes = if rng.below(2) == 0 { state_bytes } else { 1 + rng.below(state_bytes) };
                let start = F::states(&mut rng, 1)[0];
                let mut messages = vec![0; n * len];
                rng.fill(&mut messages);
                let mut digests = vec![0xa5; n * digest_bytes + 1];
                let room = &mut digests[..n * digest_bytes];
                kernel.finish_fixed(&start, &shape::<F>(len, prefix), &messages, room, digest_bytes);
                assert_eq!(digests[n * digest_bytes], 0xa5, "written behind the digests");
                for i in 0..n {
                    let message = &messages[i * len..][..len];
                    let expected = finished::<F>(start, prefix, message);
                    assert!(
                        digests[i * digest_bytes..][..digest_bytes] == expected[..digest_bytes],
                        "{len} bytes behind {prefix}: {digest_bytes} bytes of digest {i} of {n}"
                    );
                }
            }
        }
    }
}

/// The state after `message`, padded, when `prefix` bytes led to `start`.
fn finished<F: Tested>(start: F::State, prefix: u64, message: &[u8]) -> Vec<u8> {
    let whole = match start.into() {
        oracle::State::Sha1(_) => &oracle::SHA1,
        oracle::State::Sha256(_) => &oracle::SHA256,
        oracle::State::Sha512(_) => &oracle::SHA512,
    };
    whole.resume(start, prefix.into(), message)
}

/// From one midstate or each from its own, with and without a last block.
fn continue_many<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    for n in counts(kernel.degree()).into_iter().chain([64]) {
        for (shared, with_last) in [(false, false), (false, true), (true, false), (true, true)] {
            let blocks = F::blocks(&mut rng, n);
            let last = with_last.then(|| PreExpanded::<F>::new(F::blocks(&mut rng, 1)[0]));
            let midstate = F::states(&mut rng, 1)[0];
            let before = F::states(&mut rng, n + 1);
            let mut states = before.clone();
            let start = if shared { Start::Shared(&midstate) } else { Start::Each };
            kernel.continue_many(start, &blocks, last.as_ref(), &mut states[..n]);
            assert!(states[n] == before[n], "a state behind the last changed");
            for i in 0..n {
                let mut bytes = blocks[i].as_ref().to_vec();
                bytes.extend(last.iter().flat_map(|last| last.block().as_ref()));
                let expected = F::expected(if shared { midstate } else { before[i] }, &bytes);
                assert_state::<F>(states[i], expected, || {
                    format!("continuation {i} of {n}, shared start {shared}, last block {with_last}")
                });
            }
        }
    }
}

/// Blocks with a common half, which the call names or not.
fn continue_many_knowing<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    for n in counts(kernel.degree()).into_iter().chain([64]) {
        for (half, shared, with_last) in [
            (Half::First, true, false),
            (Half::First, true, true),
            (Half::Second, true, true),
            (Half::Second, false, false),
            (Half::Second, false, true),
        ] {
            let common = F::blocks(&mut rng, 1)[0];
            let middle = F::BLOCK_BYTES / 2;
            let of_half = if half == Half::First { 0..middle } else { middle..2 * middle };
            let mut blocks = F::blocks(&mut rng, n);
            for block in &mut blocks {
                block.as_mut()[of_half.clone()].copy_from_slice(&common.as_ref()[of_half.clone()]);
            }
            let last = with_last.then(|| PreExpanded::<F>::new(F::blocks(&mut rng, 1)[0]));
            let midstate = F::states(&mut rng, 1)[0];
            let known = F::known_half(half, &common, &midstate);
            assert_eq!(known.is_some(), F::NAME == "sha256");
            let mut states = F::states(&mut rng, n);
            let mut expected = states.clone();
            let start = if shared { Start::Shared(&midstate) } else { Start::Each };
            kernel.continue_many(start, &blocks, last.as_ref(), &mut expected);
            kernel.continue_many_knowing(start, &blocks, known.as_ref(), last.as_ref(), &mut states);
            assert!(states == expected, "{n}, {half:?}, shared start {shared}, last block {with_last}");
        }
    }
}

/// A block whose schedule is known.
fn rounds<F: Tested>(kernel: &'static Kernel<F>) {
    let mut rng = Rng::new(seed());
    for again in 0..50 {
        let block = F::blocks(&mut rng, 1)[0];
        let before = F::states(&mut rng, 1)[0];
        let mut state = before;
        kernel.rounds(&mut state, &PreExpanded::new(block));
        assert_state::<F>(state, F::expected(before, block.as_ref()), || format!("block {again}"));
    }
}
