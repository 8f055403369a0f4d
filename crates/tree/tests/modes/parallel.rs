//! Lanes and slices on threads: the same digests for every number of threads.

use hashlanes_tree::{JLanes, JPointers};

use crate::hashes::{Tested, for_each_hash};
use crate::{has_few_cases, message};

#[test]
fn threads_change_no_result() {
    fn of<A: Tested>() {
        for n_threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
            for j in [1, 4, 16, 40] {
                for len in [0, 1000, if has_few_cases() { 10_000 } else { 200_000 }] {
                    let message = message(len);
                    let (lanes, pointers) = (JLanes::<A>::new(j), JPointers::<A>::new(j));
                    let (by_lanes, by_pointers) = pool
                        .install(|| (lanes.digest_parallel(&message), pointers.digest_parallel(&message)));
                    assert_eq!(
                        by_lanes,
                        lanes.digest(&message),
                        "{lanes:?}, {len} bytes, {n_threads} threads"
                    );
                    assert_eq!(by_pointers, pointers.digest(&message), "{pointers:?}, {len} bytes");
                }
            }
        }
        let slices: Vec<&[u8]> = vec![b"a"; 3];
        assert!(JPointers::<A>::new(4).try_digest_slices_parallel(&slices).is_err());
    }
    for_each_hash!(of);
}
