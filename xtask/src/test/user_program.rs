//! A user's program: prints the time that each public function takes, to be compared between optimisation
//! levels.
//!
//! The step `user_crate` builds it in a separate package; it is not part of xtask.

use std::hint::black_box;
use std::time::Instant;

use hashlanes::*;

/// Prints the name and the nanoseconds of a call, the least of many.
fn time(name: &str, mut call: impl FnMut()) {
    let mut least = f64::INFINITY;
    for _ in 0..400 {
        const CALLS: u32 = 20;
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        least = least.min(start.elapsed().as_nanos() as f64 / f64::from(CALLS));
    }
    println!("{name}\t{least:.0}");
}

fn main() {
    let data = black_box(vec![7; 64 << 10]);
    let (short, long) = (&data[..64], &data[..]);
    let messages: Vec<&[u8]> = data.chunks(100).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    let offsets: Vec<i32> = (0..1000).map(|i| i * 20).collect();
    let mut rows = vec![[0; 32]; 999];

    time("sha256, 64 B", || drop(black_box(sha256(black_box(short)))));
    time("sha256, 64 KiB", || drop(black_box(sha256(black_box(long)))));
    time("Sha256::digest, 64 B", || drop(black_box(Sha256::digest(black_box(short)))));
    time("Sha256: new, update, finish of 64 B", || {
        let mut hasher = Sha256::new();
        hasher.update(black_box(short));
        black_box(hasher.finish());
    });
    let mut hasher = Sha512::new();
    time("Sha512: update of 64 B", || hasher.update(black_box(short)));
    time("Sha512: finish_reset", || drop(black_box(hasher.finish_reset())));
    time("Sha256: clone", || drop(black_box(black_box(&Sha256::new()).clone())));
    time("sha256_many, 656 × 100 B", || sha256_many(black_box(&messages), &mut digests));
    time("sha256_all, 656 × 100 B", || drop(black_box(sha256_all(black_box(&messages)))));
    time("sha256_rows, 999 × 20 B", || sha256_rows(black_box(long), black_box(&offsets), &mut rows));
    time("sha256_column, 999 × 20 B", || {
        sha256_column(&Column::binary(black_box(long), black_box(&offsets)), &mut rows);
    });
    time("sha256_fixed, 999 × 64 B", || sha256_fixed(black_box(&long[..999 * 64]), 64, &mut rows));
    let mut hashers = [Sha256::new(), Sha256::new(), Sha256::new(), Sha256::new()];
    time("sha256_update_many, 4 × 1 KiB", || {
        let mut parts = hashers.each_mut().map(|hasher| (hasher, &long[..1024]));
        sha256_update_many(black_box(&mut parts));
    });
    time("Sha256Queue, 64 × 64 B", || {
        let mut queue = Sha256Queue::new();
        for _ in 0..64 {
            black_box(queue.submit(black_box(short)));
        }
        while let Some(done) = queue.flush() {
            black_box(done);
        }
    });
    let key = HmacSha256Key::new(short);
    time("HmacSha256Key::new", || drop(black_box(HmacSha256Key::new(black_box(short)))));
    time("HmacSha256Key::mac, 64 B", || drop(black_box(key.mac(black_box(short)))));
    time("HmacSha256: update, finish of 64 B", || {
        let mut hmac = key.begin();
        hmac.update(black_box(short));
        black_box(hmac.finish());
    });
    time("hmac_sha256_many, 656 × 100 B", || hmac_sha256_many(short, black_box(&messages), &mut digests));
    time("sha3_256, 64 B", || drop(black_box(sha3_256(black_box(short)))));
    time("Sha3_256: new, update, finish of 64 B", || {
        let mut hasher = Sha3_256::new();
        hasher.update(black_box(short));
        black_box(hasher.finish());
    });
    let mut output = [0; 500];
    time("Shake128: update, 500 B of output", || {
        let mut hasher = Shake128::new();
        hasher.update(black_box(short));
        hasher.finish_xof().read(black_box(&mut output));
    });
}
