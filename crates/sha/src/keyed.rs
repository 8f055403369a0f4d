//! HMAC (RFC 2104, FIPS 198-1) of one message, and the outer hashes of many, once for all hashes that share a
//! compression function.

use hashlanes_isa::{Function, Plan, Reach, Start, Verb, put_digest};
use zeroize::{DefaultIsZeroes, Zeroize};

use crate::padding::{digest_one, fixed_shape, n_blocks};
use crate::progress::Progress;

/// Returns the states after a key's inner block and after its outer one, of a hash that begins with `h0` and
/// has digests of `digest_bytes` bytes. A key longer than a block is hashed first.
pub(crate) fn schedule<F: Function>(h0: &F::State, digest_bytes: usize, key: &[u8]) -> [F::State; 2] {
    let mut block = F::ZERO_BLOCK;
    if key.len() > F::BLOCK_BYTES {
        let kernel = Plan::<F>::BEST.one(n_blocks::<F>(key.len()));
        digest_one(kernel, h0, 0, key, &mut block.as_mut()[..digest_bytes]);
    } else {
        block.as_mut()[..key.len()].copy_from_slice(key);
    }
    let states = [0x36, 0x36 ^ 0x5c].map(|pad: u8| {
        block.as_mut().iter_mut().for_each(|byte| *byte ^= pad);
        let mut state = *h0;
        Plan::<F>::BEST.one(1).compress_one(&mut state, block.as_ref());
        state
    });
    block.as_mut().zeroize();
    states
}

/// Writes the code into `mac`, which has the length of a digest: the hash of the inner digest after the key's
/// outer block. `inner` must not be used afterwards.
pub(crate) fn end<F: Function<Word: DefaultIsZeroes>>(
    inner: &mut Progress<F>,
    outer: &F::State,
    mac: &mut [u8],
) {
    inner.end(mac);
    let mut progress = Progress::new(inner.kernel, *outer, F::BLOCK_BYTES as u64);
    progress.absorb(mac);
    progress.end(mac);
    // The buffer held the inner digest, the state continues the key.
    progress.state.as_mut().zeroize();
    progress.buffer.as_mut().zeroize();
}

/// Number of messages whose outer hashes share one call of a kernel.
pub(crate) const BATCH: usize = 64;

/// Replaces inner digests, at most a batch of `digest_bytes` bytes each, by the codes: hashes one block each
/// after the outer midstates. Returns how far kernels reached down the stack.
pub(crate) fn end_many<F: Function>(
    start: Start<'_, F>,
    states: &mut [F::State],
    macs: &mut [u8],
    digest_bytes: usize,
) -> Reach {
    let shape = fixed_shape::<F>(digest_bytes, F::BLOCK_BYTES as u64);
    let mut blocks = [shape.first; BATCH];
    for (block, mac) in blocks.iter_mut().zip(macs.chunks_exact(digest_bytes)) {
        block.as_mut()[..digest_bytes].copy_from_slice(mac);
    }
    let mut reach = Reach::Near;
    Plan::<F>::BEST.each_group(states.len(), 1, |kernel, some| {
        reach = reach.max(kernel.reach(Verb::ContinueMany));
        kernel.continue_many(start, &blocks[some.clone()], shape.second.as_ref(), &mut states[some]);
    });
    for (mac, state) in macs.chunks_exact_mut(digest_bytes).zip(&*states) {
        put_digest::<F>(state, mac);
    }
    // They hold inner digests.
    blocks.iter_mut().for_each(|block| block.as_mut().zeroize());
    reach
}
