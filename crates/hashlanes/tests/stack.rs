//! Measures the stack of calls, and compares it with the documentation.
//!
//! A call runs at some depth of a thread's stack, in a separate program, which ends if the stack overflows.
//! The stack of the call is the difference between the greatest depths at which an empty call and this one
//! survive.

use std::ffi::OsString;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;

use hashlanes::*;

/// The thread's stack in bytes.
const STACK: usize = 512 * 1024;

/// Bytes by which depths differ at least.
const STEP: usize = 256;

/// A call: its name, the KiB that it takes at most, and itself.
type Call = (&'static str, usize, fn());

/// Variables by which this program, run again, learns which call to try at which depth.
const CALL: &str = "STACK_TEST_CALL";
const DEPTH: &str = "STACK_TEST_DEPTH";

/// Lengths of all kinds: some messages go in groups, others rotate.
fn messages() -> Vec<Vec<u8>> {
    (0..200_usize).map(|i| vec![i as u8; i * i % 1500]).collect()
}

fn slices(messages: &[Vec<u8>]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

macro_rules! calls {
    (
        $hash:literal, $bytes:literal, $Hasher:ident $Hmac:ident $Queue:ident, $one:ident $many:ident $fixed:ident $column:ident
        $column_hex:ident, $hmac:ident $hmac_many:ident $hmac_column:ident $hmac_column_hex:ident $pbkdf2_many:ident
        $hkdf_many:ident
    ) => {
        &[
            (concat!($hash, ", one"), 16, || {
                black_box($one(&[7; 1000]));
            }),
            (concat!($hash, ", in parts"), 16, || {
                let mut hasher = $Hasher::new();
                hasher.update([7; 1000]);
                black_box(hasher.finish());
            }),
            (concat!($hash, ", HMAC of one"), 16, || {
                black_box($hmac(b"key", &[7; 1000]));
            }),
            (concat!($hash, ", many"), MANY, || {
                let messages = messages();
                let mut digests = vec![[0; $bytes]; messages.len()];
                $many(&slices(&messages), &mut digests);
            }),
            (concat!($hash, ", many in parts"), MANY, || {
                let messages = messages();
                let mut hashers = vec![$Hasher::new(); messages.len()];
                let mut parts: Vec<_> = hashers.iter_mut().zip(slices(&messages)).collect();
                $Hasher::update_many(&mut parts);
                let mut digests = vec![[0; $bytes]; messages.len()];
                $Hasher::finish_many(&mut hashers, &mut digests);
            }),
            (concat!($hash, ", fixed"), MANY, || {
                $fixed(&vec![7; 100 * 50], 50, &mut vec![[0; $bytes]; 100]);
                $fixed(&vec![7; 100 * 500], 500, &mut vec![[0; $bytes]; 100]);
            }),
            (concat!($hash, ", queue"), QUEUE, || {
                let mut queue = $Queue::new();
                for message in messages() {
                    queue.submit(message);
                }
                while queue.flush().is_some() {}
            }),
            (concat!($hash, ", column"), MANY, || {
                let (values, offsets) = column();
                let column = Column::binary(&values, &offsets);
                let mut digests = vec![[0; $bytes]; offsets.len() - 1];
                $column(&column, &mut digests);
                $column(&column.prefix(b"salt"), &mut digests);
                $column_hex(&column.prefix(b"salt"), &mut vec![[0; 2 * $bytes]; offsets.len() - 1]);
            }),
            (concat!($hash, ", HMAC of many"), SECRET, || {
                let messages = messages();
                let mut macs = vec![[0; $bytes]; messages.len()];
                $hmac_many(b"key", &slices(&messages), &mut macs);
                let mut hmacs = vec![$Hmac::new(b"key"); messages.len()];
                let mut parts: Vec<_> = hmacs.iter_mut().zip(slices(&messages)).collect();
                $Hmac::update_many(&mut parts);
                $Hmac::finish_many(&mut hmacs, &mut macs);
            }),
            (concat!($hash, ", HMAC of a column"), SECRET, || {
                let (values, offsets) = column();
                let column = Column::binary(&values, &offsets);
                $hmac_column(b"key", &column.prefix(b"salt"), &mut vec![[0; $bytes]; offsets.len() - 1]);
                $hmac_column_hex(b"key", &column, &mut vec![[0; 2 * $bytes]; offsets.len() - 1]);
            }),
            (concat!($hash, ", PBKDF2"), SECRET, || {
                let messages = messages();
                $pbkdf2_many(&slices(&messages), &slices(&messages), 3, &mut vec![[0; 100]; messages.len()]);
            }),
            (concat!($hash, ", HKDF"), SECRET, || {
                let messages = messages();
                $hkdf_many(b"salt", &slices(&messages), b"info", &mut vec![[0; 100]; messages.len()]);
            }),
        ]
    };
}

/// The batch takes 17 KiB (SHA-512: 27), the list of its turns 7; the rest is the kernel's and the callers'.
/// Measured: up to 61 KiB.
const MANY: usize = 64;

/// With the queue itself, which an unoptimised program moves.
const QUEUE: usize = 96;

/// The same number of messages; 52 KiB below are overwritten. HKDF and columns have their own buffers.
const SECRET: usize = 120;

/// A hash's first call may measure its kernels with the feature `calibrate`.
#[cfg(feature = "calibrate")]
const CALIBRATE: usize = 64;

const CALLS: &[&[Call]] = &[
    calls! {
        "SHA-1", 20, Sha1 HmacSha1 Sha1Queue, sha1 sha1_many sha1_fixed sha1_column sha1_column_hex,
        hmac_sha1 hmac_sha1_many hmac_sha1_column hmac_sha1_column_hex pbkdf2_sha1_many hkdf_sha1_many
    },
    calls! {
        "SHA-256", 32, Sha256 HmacSha256 Sha256Queue, sha256 sha256_many sha256_fixed sha256_column sha256_column_hex,
        hmac_sha256 hmac_sha256_many hmac_sha256_column hmac_sha256_column_hex pbkdf2_sha256_many hkdf_sha256_many
    },
    calls! {
        "SHA-512", 64, Sha512 HmacSha512 Sha512Queue, sha512 sha512_many sha512_fixed sha512_column sha512_column_hex,
        hmac_sha512 hmac_sha512_many hmac_sha512_column hmac_sha512_column_hex pbkdf2_sha512_many hkdf_sha512_many
    },
    #[cfg(feature = "calibrate")]
    &[("kernels measured", CALIBRATE, || drop(black_box(kernels::calibrate())))],
];

/// The messages, as a column.
fn column() -> (Vec<u8>, Vec<i32>) {
    let (mut values, mut offsets) = (Vec::new(), vec![0]);
    for message in messages() {
        values.extend(message);
        offsets.push(values.len() as i32);
    }
    (values, offsets)
}

/// Descends the stack by `depth` bytes from `top`, then calls.
#[inline(never)]
fn descend(top: usize, depth: usize, call: fn()) {
    let frame = black_box([0_u8; 64]);
    if top - frame.as_ptr().addr() < depth {
        descend(top, depth, call);
    } else {
        call();
    }
    // After the call, so that it is not a tail call.
    black_box(&frame);
}

fn nothing() {}

/// The role of the program when it runs itself: the call of this number, or [`nothing`], at this depth.
fn child(number: &str, depth: &str) {
    let call = number.parse::<usize>().map_or(nothing as fn(), |number| CALLS.concat()[number].2);
    let depth = depth.parse().expect("a number");
    let body = move || {
        // The main thread detects the CPU's features and allocates the thread's memory.
        let top = black_box([0_u8; 64]);
        descend(top.as_ptr().addr(), depth, call);
    };
    call();
    thread::Builder::new().stack_size(STACK).spawn(body).expect("a thread").join().expect("no panic");
}

/// The greatest depth at which a call survives.
fn greatest_depth(number: &str) -> usize {
    // The program that runs this one, perhaps an emulator, and this program.
    let mut words: Vec<OsString> = std::env::var("HASHLANES_TEST_RUNNER")
        .unwrap_or_default()
        .split_whitespace()
        .map(Into::into)
        .collect();
    words.push(std::env::current_exe().expect("a path").into());
    let survives = |depth: usize| {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command.env(CALL, number).env(DEPTH, depth.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
        command
            .args(["--exact", "calls_take_the_stack_that_is_documented"])
            .status()
            .expect("it runs")
            .success()
    };
    assert!(survives(0), "{number}");
    let (mut deep, mut too_deep) = (0, STACK);
    while too_deep - deep > STEP {
        let depth = usize::midpoint(deep, too_deep);
        *(if survives(depth) { &mut deep } else { &mut too_deep }) = depth;
    }
    deep
}

#[test]
fn calls_take_the_stack_that_is_documented() {
    if let (Ok(number), Ok(depth)) = (std::env::var(CALL), std::env::var(DEPTH)) {
        return child(&number, &depth);
    }
    let deepest = greatest_depth("none");
    let mut too_much = Vec::new();
    for (number, (name, most, _)) in CALLS.concat().into_iter().enumerate() {
        let bytes = deepest - greatest_depth(&number.to_string());
        let line = format!("{name}: {bytes} bytes, at most {most} KiB");
        println!("{line}");
        if bytes > most * 1024 {
            too_much.push(line);
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}
