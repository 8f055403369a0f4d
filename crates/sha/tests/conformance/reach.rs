//! The kernels that public functions call. Kernels count their calls (feature `count-calls`), so this runs in
//! child processes without other calls.
//!
//! A kernel that the environment forces processes all calls of every function, correctly. Without forcing,
//! the choice for n live messages is the table's: the kernel that advances the most messages per cycle.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hashlanes_isa::{Function, PLACES, Plan};
use hashlanes_sha::kernels;

use crate::child;
use crate::hashes::{Named, Tested, each_algorithm, each_function, unwritten};
use crate::suite::Suite;

/// The size of the window; more messages than that are live in turns.
const MAX_LIVE: usize = hashlanes_schedule::SLOTS;

pub(crate) fn add(suite: &mut Suite) {
    #[cfg(feature = "env-override")]
    each_function!(F => {
        suite.each_kernel::<F>(F::NAME, "forced, serves all alone", |kernel| {
            let role = format!("forced {} {}", F::NAME, kernel.name());
            child::output(&role, &[(F::KERNEL_VARIABLE, kernel.name())]);
        });
    });
    suite.one("all", "the default choice is the table's", || drop(child::output("sweep", &[])));
}

/// The calls of every kernel of `F` so far.
fn calls<F: Tested>() -> BTreeMap<&'static str, u64> {
    F::kernels().map(|kernel| (kernel.name(), kernel.calls())).collect()
}

/// The blocks of a lane that every kernel of `F` has compressed so far.
fn blocks<F: Tested>() -> BTreeMap<&'static str, u64> {
    F::kernels().map(|kernel| (kernel.name(), kernel.blocks())).collect()
}

/// In a child: `kernel` is forced for the functions of `hash`.
#[cfg(feature = "env-override")]
pub(crate) fn play_forced(hash: &str, kernel: &str) {
    each_algorithm!(A => {
        if <A as hashlanes_sha::Algorithm>::Function::NAME == hash {
            forced::every_function::<A>(kernel);
        }
    });
}

#[cfg(feature = "env-override")]
mod forced {
    use std::io::Write;

    use hashlanes_sha::{Algorithm, Hasher, HmacKey, algorithms};
    use hashlanes_testkit::guarded::Guarded;
    use hashlanes_testkit::ragged::batches;

    use super::calls;
    use crate::hashes::{Named, assert_digests, expected, hex, mac_in_parts, unwritten};
    use crate::ragged::one_by_one;
    use crate::suite::{cases, seed};

    /// Runs `function`, and sees that of all kernels only `kernel` was called.
    #[track_caller]
    fn alone<A: Named>(kernel: &str, what: &str, function: impl FnOnce()) {
        let before = calls::<A::Function>();
        function();
        for (name, after) in calls::<A::Function>() {
            let called = after > before[name];
            assert_eq!(
                called,
                name == kernel,
                "{}, {what}, {kernel} forced: {name} was called: {called}",
                A::NAME
            );
        }
    }

    /// Every public function, on batches of many shapes.
    pub(super) fn every_function<A: Named>(kernel: &str) {
        // An empty batch calls nothing, so it shows nothing.
        for batch in
            batches(seed(), cases(30).max(2), 80, 12 * A::BLOCK_BYTES).filter(|batch| !batch.is_empty())
        {
            let messages = batch.slices();
            let n = messages.len();
            let digests = expected::<A>(messages.iter().copied());
            let text = batch.to_string();
            let mut out = unwritten::<A>(n);

            for (message, digest) in messages.iter().zip(&digests) {
                let digest = std::slice::from_ref(digest);
                alone::<A>(kernel, "one", || assert_digests(&[A::one(message)], digest, &text));
                alone::<A>(kernel, "update", || {
                    let mut hasher = Hasher::<A>::new();
                    hasher.update(&message[..message.len() / 2]);
                    hasher.write_all(&message[message.len() / 2..]).expect("never fails");
                    assert_digests(&[hasher.finish()], digest, &text);
                });
            }
            alone::<A>(kernel, "many", || A::many(&messages, &mut out));
            assert_digests(&out, &digests, &text);
            alone::<A>(kernel, "try_many", || A::try_many(&messages, &mut out).expect("equal counts"));

            let mut hashers = vec![Hasher::<A>::new(); n];
            let mut parts: Vec<_> = hashers.iter_mut().zip(messages.iter().copied()).collect();
            if messages.iter().any(|message| message.len() >= A::BLOCK_BYTES) {
                alone::<A>(kernel, "update_many", || A::update_many(&mut parts));
            } else {
                A::update_many(&mut parts);
            }
            alone::<A>(kernel, "finish_many", || A::finish_many(&mut hashers, &mut out));
            assert_digests(&out, &digests, &text);

            alone::<A>(kernel, "queue", || assert_digests(&one_by_one::<A>(&batch), &digests, &text));
            rows_alone::<A>(kernel, &messages, &digests, &text);

            let key =
                b"a key that is longer than a block of either length, so that it is hashed first, by this \
                kernel and no other one: more than 128 bytes";
            assert!(key.len() > 128);
            let macs: Vec<_> = messages.iter().map(|message| A::ORACLE.hmac(key, message)).collect();
            alone::<A>(kernel, "hmac", || assert_digests(&[A::hmac(key, messages[0])], &macs[..1], &text));
            alone::<A>(kernel, "hmac in parts", || {
                let mac = mac_in_parts(&HmacKey::<A>::new(key), messages[0], messages[0].len() / 3);
                assert_digests(&[mac], &macs[..1], &text);
            });
            alone::<A>(kernel, "hmac_many", || A::hmac_many(key, &messages, &mut out));
            assert_digests(&out, &macs, &text);
        }
        for len in 0..=A::BLOCK_BYTES {
            let messages = [7; 128 * 35];
            let mut out = unwritten::<A>(35);
            alone::<A>(kernel, "fixed", || A::fixed(&messages[..35 * len], len, &mut out));
            assert_digests(&out, &vec![A::ORACLE.digest(&messages[..len]); 35], format!("{len} bytes fixed"));
        }
        if A::NAME == algorithms::Sha256::NAME {
            let mut out = [[0; 32]; 35];
            alone::<A>(kernel, "pairs", || hashlanes_sha::sha256_pairs(&[[7; 64]; 35], &mut out));
            alone::<A>(kernel, "32", || hashlanes_sha::sha256_32(&[[7; 32]; 35], &mut out));
            assert_digests(&out, &vec![A::ORACLE.digest(&[7; 32]); 35], "32 bytes");
        }
    }

    /// The functions of columns, the values before an unmapped page.
    fn rows_alone<A: Named>(kernel: &str, messages: &[&[u8]], digests: &[Vec<u8>], text: &str) {
        let values = messages.concat();
        let values = Guarded::at_end(values.len()).holding(&values);
        let ends = messages.iter().scan(0, |at, message| {
            *at += message.len() as i64;
            Some(*at)
        });
        let offsets: Vec<i64> = [0].into_iter().chain(ends).collect();
        let n = messages.len();
        let mut out = unwritten::<A>(n);
        alone::<A>(kernel, "rows", || A::rows(&values, &offsets, &mut out));
        assert_digests(&out, digests, text);
        let all = vec![255; n];
        alone::<A>(kernel, "rows_valid", || A::rows_valid(&values, &offsets, Some(&all), &mut out));
        assert_digests(&out, digests, text);
        alone::<A>(kernel, "rows_hex", || {
            let texts: Vec<_> = digests.iter().map(|digest| hex(digest)).collect();
            assert_eq!(A::rows_hex(&values, &offsets, n), texts, "{text}");
        });
        let macs: Vec<_> = messages.iter().map(|message| A::ORACLE.hmac(b"key", message)).collect();
        alone::<A>(kernel, "hmac_rows", || A::hmac_rows(b"key", &values, &offsets, &mut out));
        assert_digests(&out, &macs, text);
    }
}

/// In a child, in which nothing is forced: the choice for every number of live messages.
pub(crate) fn play_sweep() {
    each_function!(F => { best_is_fastest::<F>(); });
    each_algorithm!(A => {
        sweep::<A>();
        explained::<A>();
    });
}

/// The table's choices among its candidates for n messages of b blocks, for the classes of b: of kernels that
/// are equally good the first, in groups that of the largest group.
pub(crate) fn best_is_fastest<F: Tested>() {
    // The first choice may measure the kernels.
    Plan::<F>::BEST.kernel(1, 1);
    let rows: Vec<kernels::Row> = F::table().rows().filter(|row| row.supported && row.is_candidate).collect();
    for b in [1, 2, 3, 4, 6, 8, 10, 20, 100] {
        best_rotates_fastest::<F>(&rows, b);
        best_ends_groups_first::<F>(&rows, b);
        best_ends_equal_ones_first::<F>(&rows, b);
    }
}

fn best_rotates_fastest<F: Tested>(rows: &[kernels::Row], b: usize) {
    for n in 1..=MAX_LIVE {
        // More than 16 that rotate are as 16.
        let capped = n.min(16);
        let blocks_per_cycle = |row: &kernels::Row| {
            // Between once and twice the degree messages rotate.
            let rotate = (row.degree + 1..2 * row.degree).contains(&capped);
            let b = if rotate { ((b * capped).div_ceil(row.degree) - b).clamp(1, b) } else { b };
            (capped.min(row.degree) * b) as f64 / (200 + row.cost.of(1, b)) as f64
        };
        let fastest = rows
            .iter()
            .reduce(|best, row| if blocks_per_cycle(row) > blocks_per_cycle(best) { row } else { best });
        let kernel = Plan::<F>::BEST.kernel(n, b);
        assert_eq!(kernel.name(), fastest.expect("a kernel").name, "{}, {n} messages of {b} blocks", F::NAME);
    }
}

/// At index n: the cycles in which n messages end in groups, the kernel of the first one, and whether they
/// all wrap around its lanes.
type Ends = Vec<(u64, &'static str, bool)>;

fn best_ends_groups_first<F: Tested>(rows: &[kernels::Row], b: usize) {
    let mut best: Ends = vec![(0, "", false)];
    for n in 1..=PLACES {
        let what = format!("{}, {n} messages of {b} blocks, in groups", F::NAME);
        let ends = |row: &kernels::Row| {
            let in_groups = end(row, n, &best, &|n, first| row.group(n, b, first));
            let around = if wraps(row, n) { row.group(n, b, true) } else { u64::MAX };
            (around.min(in_groups), around < in_groups)
        };
        let first = rows.iter().min_by_key(|row| (ends(row).0, Reverse(row.degree))).expect("a kernel");
        let (cycles, around) = ends(first);
        let n_now = if around { n } else { n.min(first.degree) };
        let (kernel, chosen) = Plan::<F>::BEST.next_group(n, b);
        assert_eq!((kernel.name(), chosen), (first.name, n_now), "{what}");
        // More than 64 do not share a call.
        let [more, most] = [n + PLACES, PLACES].map(|n| Plan::<F>::BEST.next_group(n, b).0.name());
        assert_eq!(more, most, "{what} and 64 more");
        assert_eq!(Plan::<F>::end_of_groups(first, n, b), cycles, "{what}");
        best.push((cycles, first.name, around));
        let apart = best[n - 1].0 + first.change() + best[1].0;
        assert!(cycles <= apart, "{what}: a cliff");
    }
}

fn best_ends_equal_ones_first<F: Tested>(rows: &[kernels::Row], b: usize) {
    // At index n: the cycles in which n messages end, and their first kernel.
    let mut best: Vec<(u64, Option<&str>)> = vec![(0, None)];
    for n in 1..=16 {
        // All whole groups on one kernel, then the best for the rest.
        let end = |row: &kernels::Row| {
            let n_groups = (n / row.degree).max(1);
            let group = |group: usize| row.equal_group(n.min(row.degree), b, group == 0);
            let (rest, other) = best[n.saturating_sub(n_groups * row.degree)];
            let change = if other.is_some_and(|other| other != row.name) { row.change_of_equal() } else { 0 };
            (0..n_groups).map(group).sum::<u64>() + change + rest
        };
        let first = rows.iter().min_by_key(|row| (end(row), Reverse(row.degree))).expect("a kernel");
        best.push((end(first), Some(first.name)));
        assert_eq!(in_parts::<F>(n, b), best[n].0, "{}, {n} equal messages of {b} blocks", F::NAME);
    }
}

/// Whether so many messages can wrap around the row's lanes.
fn wraps(row: &kernels::Row, n: usize) -> bool {
    row.degree > 1 && row.degree < n && n < 2 * row.degree
}

/// The cycles in which n messages end, all whole groups on the row, and the rest as is best without it; or
/// the rest and the last of several groups around the row's lanes, if that is best for so many. Of a row of
/// one message, that one, and then what is best.
fn end(row: &kernels::Row, n: usize, best: &Ends, cycles: &dyn Fn(usize, bool) -> u64) -> u64 {
    let on_row = |n_groups: usize| {
        let n_lanes = n.min(row.degree);
        (0..n_groups).map(|group| cycles(n_lanes, group == 0)).sum::<u64>()
    };
    let apart = |n_groups: usize| match n.saturating_sub(n_groups * row.degree) {
        0 => on_row(n_groups),
        rest => on_row(n_groups) + row.change() + best[rest].0,
    };
    if row.degree == 1 {
        let goes_on = best[n - 1].1 == row.name;
        return if goes_on { cycles(1, false) + best[n - 1].0 } else { apart(1) };
    }
    let n_groups = (n / row.degree).max(1);
    let last = n - (n_groups - 1) * row.degree;
    if n_groups > 1 && wraps(row, last) && (best[last].1, best[last].2) == (row.name, true) {
        return on_row(n_groups - 1) + cycles(last, false);
    }
    apart(n_groups)
}

/// The cycles of n equal short messages of b blocks in the plan's parts, each of them whole groups or a rest.
fn in_parts<F: Tested>(n: usize, b: usize) -> u64 {
    let (mut cycles, mut last) = (0, None);
    Plan::<F>::BEST.each_group(n, b, |kernel, part| {
        let row = kernel.row_data();
        if last.replace(row.name).is_some_and(|last| last != row.name) {
            cycles += row.change_of_equal();
        }
        for at in part.clone().step_by(row.degree) {
            cycles += row.equal_group(row.degree.min(part.end - at), b, at == part.start);
        }
    });
    cycles
}

/// n messages of one block: the blocks on each kernel that `explain` foretells, no more and no others.
fn sweep<A: Named>() {
    let table = kernels::all().find(|table| table.name() == A::Function::NAME).expect("a table");
    for n in 1..=MAX_LIVE {
        let mut expected = blocks::<A::Function>();
        table.explain(n, 3, &mut |step| {
            *expected.get_mut(step.kernel.name).expect("a kernel") += step.n_blocks as u64;
        });
        let mut digests = unwritten::<A>(n);
        A::many(&vec![&b"abc"[..]; n], &mut digests);
        assert!(digests.iter().all(|digest| digest.as_ref() == A::ORACLE.digest(b"abc")));
        assert_eq!(blocks::<A::Function>(), expected, "{}, {n} messages of one block", A::NAME);

        // Longer ones: only kernels that are best for some number that was live, of some blocks.
        let n_blocks = (1500 + 1 + A::BLOCK_BYTES / 8usize).div_ceil(A::BLOCK_BYTES);
        let before = calls::<A::Function>();
        A::many(&vec![&[7; 1500][..]; n], &mut digests);
        assert!(digests.iter().all(|digest| digest.as_ref() == A::ORACLE.digest(&[7; 1500])));
        let after = calls::<A::Function>();
        for (name, calls) in after {
            let plan = Plan::<A::Function>::BEST;
            let best = |live, b| [plan.kernel(live, b), plan.next_group(live, b).0];
            let may = |live| (1..=n_blocks).flat_map(|b| best(live, b)).any(|kernel| kernel.name() == name);
            assert!(
                (1..=n).any(may) || calls == before[name],
                "{}, {n} messages: {name} was called",
                A::NAME
            );
        }
    }
    let one = Plan::<A::Function>::BEST.kernel(1, 1);
    let before = calls::<A::Function>();
    assert_eq!(A::one(b"abc").as_ref(), A::ORACLE.digest(b"abc"));
    for (name, calls) in calls::<A::Function>() {
        assert_eq!(calls > before[name], name == one.name(), "{}, one message: {name}", A::NAME);
    }
}

/// The report of `explain` for equal messages agrees with the calls: the same kernels, and all blocks.
fn explained<A: Named>() {
    let table = kernels::all().find(|table| table.name() == A::Function::NAME).expect("a table");
    for n in [1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 65, 100] {
        for len in [0, 1, 55, 64, 119, 1000, 5000] {
            let mut told = BTreeMap::<&str, u64>::new();
            let mut n_left = n;
            let n_blocks = (len as usize + 1 + A::BLOCK_BYTES / 8).div_ceil(A::BLOCK_BYTES);
            table.explain(n, len, &mut |step| {
                let what = format!("{}, {n} messages of {len} bytes: {step:?}", A::NAME);
                assert_eq!((step.n_live, step.of_message), (n_left, n_blocks), "{what}");
                let n_lanes = step.kernel.degree.min(step.n_messages);
                assert_eq!(step.n_blocks, (step.n_messages * n_blocks).div_ceil(n_lanes), "{what}");
                *told.entry(step.kernel.name).or_default() += step.n_blocks as u64;
                n_left -= step.n_messages;
            });
            assert_eq!(n_left, 0, "{}, {n} messages of {len} bytes", A::NAME);

            let before = blocks::<A::Function>();
            A::many(&vec![&vec![7; len as usize][..]; n], &mut unwritten::<A>(n));
            for (name, after) in blocks::<A::Function>() {
                let (done, told) = (after - before[name], told.get(name).copied().unwrap_or(0));
                assert_eq!(done, told, "{}, {n} of {len} bytes: blocks on {name}", A::NAME);
            }
        }
    }
}
