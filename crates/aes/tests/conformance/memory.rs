//! Addresses of data. Any alignment gives the same results. With an unmapped page directly after or before
//! the data (`testkit::guarded`), a kernel that reads or writes a byte outside of them ends the process, so
//! each test has a separate process. Also keys: after they are dropped, no part of them is in the process's
//! memory.

use hashlanes_aes::kernels::{AesVerbs, Kernel};
use hashlanes_aes::{
    Block, Buffer, CbcMessage, CounterBits, Ctr, CtrMessage, InFlight, Key, cbc_decrypt_raw_many_on,
    cbc_decrypt_raw_on, cbc_encrypt_raw_many_on, ctr_many_on,
};
use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::oracle::Aes;
use hashlanes_testkit::ragged::pattern;

use crate::modes::keys;
use crate::suite::Suite;

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("any alignment", any_alignment);
    suite.each_kernel_apart("page borders", page_borders);
    #[cfg(target_os = "linux")]
    suite.each_kernel_apart("keys are gone", scan::keys_are_overwritten);
    #[cfg(target_os = "linux")]
    suite.each_kernel_apart("keystream is gone", scan::keystream_is_overwritten);
}

const IV: Block = [0x5a; 16];

/// Messages of all lanes with the same offset from a page's start: the same set of the first cache, too; in
/// place and not.
fn any_alignment(kernel: &'static Kernel<AesVerbs>) {
    const PAGE: usize = 4096;
    // Lanes that are full in one turn, by rows and a rest, where a kernel has rows; and one message more.
    // Longer messages are a line ahead of each other.
    for n in [kernel.degree(), kernel.degree() + 1] {
        for n_blocks in [9, 200] {
            any_alignment_of(kernel, n, 16 * n_blocks, PAGE);
        }
    }
}

fn any_alignment_of(kernel: &'static Kernel<AesVerbs>, n: usize, len: usize, page: usize) {
    let (key, oracle) = &keys(1)[0];
    let source = pattern((n + 1) * page, 1);
    let base = source.as_ptr().align_offset(64);
    let (mut out, mut in_place) = (vec![0; source.len()], source.clone());
    for offset in (0..=16).chain([32, 48, 64]) {
        // The places of all messages, a page apart.
        let place = |k: usize| base + k * page + offset;
        let mut outs = split(&mut out, (0..n).map(place), len);
        let mut messages: Vec<CbcMessage<'_, '_>> = outs
            .iter_mut()
            .enumerate()
            .map(|(k, out)| (&source[place(k)..][..len], &mut **out))
            .map(|(src, dst)| CbcMessage { key, iv: IV, buffer: Buffer::new(src, dst) })
            .collect();
        cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
        in_place.copy_from_slice(&source);
        let mut messages: Vec<CbcMessage<'_, '_>> = split(&mut in_place, (0..n).map(place), len)
            .into_iter()
            .map(|bytes| CbcMessage { key, iv: IV, buffer: Buffer::in_place(bytes) })
            .collect();
        cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
        for place in (0..n).map(place) {
            let expected = oracle.cbc_encrypt(&IV, &source[place..][..len]);
            assert!(out[place..][..len] == expected, "offset {offset}");
            assert!(in_place[place..][..len] == expected, "offset {offset}, in place");
        }
    }
}

/// Pieces of `len` bytes at these places, which rise.
fn split(mut bytes: &mut [u8], places: impl Iterator<Item = usize>, len: usize) -> Vec<&mut [u8]> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    for place in places {
        let (_, rest) = bytes.split_at_mut(place - begin);
        let (piece, rest) = rest.split_at_mut(len);
        pieces.push(piece);
        (bytes, begin) = (rest, place + len);
    }
    pieces
}

/// Inputs and outputs that end right before an unmapped page, or begin right after one.
fn page_borders(kernel: &'static Kernel<AesVerbs>) {
    let (key, oracle) = &keys(2)[2];
    for side in [Guarded::at_end as fn(usize) -> Guarded, Guarded::at_start] {
        for n_blocks in (0..=9).chain([16, 31, 32, 33]) {
            let content = pattern(16 * n_blocks, n_blocks);
            let source = side(content.len()).holding(&content);
            let mut out = side(content.len());
            for in_flight in [InFlight::Best, InFlight::One, InFlight::Eight] {
                cbc_decrypt_raw_on(kernel, in_flight, key, &mut { IV }, Buffer::new(&source, &mut out))
                    .unwrap();
                assert!(out[..] == oracle.cbc_decrypt(&IV, &content), "{n_blocks} blocks decrypted");
                let mut keystream = Ctr::new(key, &IV, CounterBits::Bits64);
                keystream.apply_on(kernel, in_flight, Buffer::new(&source, &mut out)).unwrap();
                assert!(out[..] == oracle.ctr(&IV, 64, &content), "{n_blocks} blocks in CTR");
            }
            let sources: Vec<Guarded> =
                (0..=kernel.degree()).map(|_| side(content.len()).holding(&content)).collect();
            let mut outs: Vec<Guarded> = sources.iter().map(|_| side(content.len())).collect();
            let mut messages: Vec<CbcMessage<'_, '_>> = sources
                .iter()
                .zip(&mut outs)
                .map(|(src, dst)| CbcMessage { key, iv: IV, buffer: Buffer::new(src, dst) })
                .collect();
            cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
            let expected = oracle.cbc_encrypt(&IV, &content);
            assert!(outs.iter().all(|out| out[..] == expected), "{n_blocks} blocks encrypted");
        }
        let parts = side(77).holding(&pattern(77, 3));
        let mut out = side(77);
        let mut keystream = Ctr::new(key, &IV, CounterBits::Bits128);
        keystream.apply_on(kernel, InFlight::Best, Buffer::new(&parts, &mut out)).unwrap();
        assert!(out[..] == oracle.ctr(&IV, 128, &parts), "77 bytes in CTR");
        several_at_border(kernel, side, (key, oracle));
    }
}

/// Several messages in one call, in place: in CTR also such that do not fill a block.
fn several_at_border(
    kernel: &'static Kernel<AesVerbs>,
    side: fn(usize) -> Guarded,
    (key, oracle): (&Key, &Aes),
) {
    let lengths = [0, 1, 15, 16, 17, 77, 160];
    let contents = lengths.map(|n| pattern(n, n));
    let mut texts = contents.each_ref().map(|content| side(content.len()).holding(content));
    let mut messages = texts.each_mut().map(|text| CtrMessage {
        key,
        first: IV,
        counts: CounterBits::Bits128,
        buffer: Buffer::in_place(text),
    });
    ctr_many_on(kernel, &mut messages).unwrap();
    for (text, content) in texts.iter().zip(&contents) {
        assert!(text[..] == oracle.ctr(&IV, 128, content), "{} bytes in CTR, with others", content.len());
    }
    let whole = contents.each_ref().map(|content| &content[..content.len() / 16 * 16]);
    let mut texts = whole.map(|content| side(content.len()).holding(content));
    let mut messages =
        texts.each_mut().map(|text| CbcMessage { key, iv: IV, buffer: Buffer::in_place(text) });
    cbc_decrypt_raw_many_on(kernel, &mut messages).unwrap();
    for (text, content) in texts.iter().zip(whole) {
        assert!(
            text[..] == oracle.cbc_decrypt(&IV, content),
            "{} bytes decrypted, with others",
            content.len()
        );
    }
}

#[cfg(target_os = "linux")]
mod scan {
    //! The process's own memory, as Linux shows it in files.

    use std::hint::black_box;

    use hashlanes_testkit::process_memory::found;

    use super::*;
    use crate::child::runner;

    /// A use of a key: one verb of a kernel, and nothing after it that overwrites more of the stack.
    type Use = fn(&'static Kernel<AesVerbs>, &Key, &Key);

    /// Each verb, for the lengths that use different paths through it.
    const USES: [(&str, Use); 17] = [
        ("expansion", |_, _, _| ()),
        ("decryption of one block", |kernel, key, _| decrypt(kernel, key, 16)),
        ("decryption of many blocks", |kernel, key, _| decrypt(kernel, key, 16 * 70)),
        ("decryption of many messages", decrypt_many),
        ("CTR of many messages", count_many),
        ("CTR of a few bytes", |kernel, key, _| count(kernel, key, 5)),
        ("CTR of one block", |kernel, key, _| count(kernel, key, 16)),
        ("CTR of many blocks", |kernel, key, _| count(kernel, key, 16 * 70 + 5)),
        ("CTR in parts, with a key of its own", |kernel, key, _| count_in_parts(kernel, key)),
        ("CTR by a table", |kernel, key, _| count(kernel, key, 16 * 2600)),
        ("CTR by a table, and a few bytes", |kernel, key, _| count(kernel, key, 16 * 2600 + 5)),
        ("encryption under one key", |kernel, key, _| encrypt(kernel, key, key)),
        ("encryption under two keys", |kernel, key, other| encrypt(kernel, key, other)),
        ("encryption by rows under one key", |kernel, key, _| encrypt_pages(kernel, key, key, 40)),
        ("encryption by rows under two keys", |kernel, key, other| encrypt_pages(kernel, key, other, 40)),
        ("encryption of pages under one key", |kernel, key, _| encrypt_pages(kernel, key, key, 200)),
        ("encryption of pages under two keys", |kernel, key, other| encrypt_pages(kernel, key, other, 200)),
    ];

    fn decrypt(kernel: &'static Kernel<AesVerbs>, key: &Key, n_bytes: usize) {
        let mut content = pattern(n_bytes, 1);
        cbc_decrypt_raw_on(kernel, InFlight::Best, key, &mut { IV }, Buffer::in_place(&mut content)).unwrap();
    }

    fn decrypt_many(kernel: &'static Kernel<AesVerbs>, key: &Key, other: &Key) {
        let mut contents = [1, 5, 70].map(|n_blocks| pattern(16 * n_blocks, 1));
        let mut messages: Vec<CbcMessage<'_, '_>> = contents
            .iter_mut()
            .zip([key, other, key])
            .map(|(bytes, key)| CbcMessage { key, iv: IV, buffer: Buffer::in_place(bytes) })
            .collect();
        cbc_decrypt_raw_many_on(kernel, &mut messages).unwrap();
    }

    fn count_many(kernel: &'static Kernel<AesVerbs>, key: &Key, other: &Key) {
        let mut contents = [5, 16 * 2600, 16 * 70 + 5].map(|n_bytes| pattern(n_bytes, 1));
        let counts = CounterBits::Bits64;
        let mut messages: Vec<CtrMessage<'_, '_>> = contents
            .iter_mut()
            .zip([key, other, key])
            .map(|(bytes, key)| CtrMessage { key, first: IV, counts, buffer: Buffer::in_place(bytes) })
            .collect();
        ctr_many_on(kernel, &mut messages).unwrap();
    }

    fn count(kernel: &'static Kernel<AesVerbs>, key: &Key, n_bytes: usize) {
        let mut content = pattern(n_bytes, 1);
        let mut keystream = Ctr::new(key, &IV, CounterBits::Bits64);
        keystream.apply_on(kernel, InFlight::Best, Buffer::in_place(&mut content)).unwrap();
    }

    fn count_in_parts(kernel: &'static Kernel<AesVerbs>, key: &Key) {
        let mut content = pattern(300, 1);
        let mut keystream = Ctr::new(Key::clone(key), &IV, CounterBits::Bits64);
        for part in content.chunks_mut(17) {
            keystream.apply_on(kernel, InFlight::Best, Buffer::in_place(part)).unwrap();
        }
        keystream.seek(33).unwrap();
        keystream.apply_on(kernel, InFlight::Best, Buffer::in_place(&mut content)).unwrap();
    }

    fn encrypt(kernel: &'static Kernel<AesVerbs>, key: &Key, other: &Key) {
        let mut contents = vec![pattern(16 * 70, 1); kernel.degree() + 1];
        encrypt_those(kernel, key, other, contents.iter_mut().map(Vec::as_mut_slice));
    }

    /// Messages at the same offset of their pages.
    fn encrypt_pages(kernel: &'static Kernel<AesVerbs>, key: &Key, other: &Key, n_blocks: usize) {
        let mut contents = pattern(4096 * (kernel.degree() + 1), 1);
        encrypt_those(kernel, key, other, contents.chunks_mut(4096).map(|page| &mut page[..16 * n_blocks]));
    }

    fn encrypt_those<'m>(
        kernel: &'static Kernel<AesVerbs>,
        key: &Key,
        other: &Key,
        contents: impl Iterator<Item = &'m mut [u8]>,
    ) {
        let mut messages: Vec<CbcMessage<'_, '_>> = contents
            .enumerate()
            .map(|(k, bytes)| (if k % 2 == 0 { key } else { other }, bytes))
            .map(|(key, bytes)| CbcMessage { key, iv: IV, buffer: Buffer::in_place(bytes) })
            .collect();
        cbc_encrypt_raw_many_on(kernel, &mut messages).unwrap();
    }

    /// Each verb with a key; then its bytes and round keys are looked for in all memory that may be written.
    pub(super) fn keys_are_overwritten(kernel: &'static Kernel<AesVerbs>) {
        if !runner().is_empty() {
            return; // An emulator's memory is no concern of ours.
        }
        for n_bytes in [16, 24, 32] {
            for (name, verb) in USES {
                let n_found =
                    found(&needles(n_bytes, Then::Drop), || use_key(kernel, n_bytes, Then::Drop, verb));
                assert_eq!(n_found, 0, "{name}, {n_bytes} bytes of key: {n_found} round keys");
            }
            // Where keys are kept, the search finds them.
            let (_, verb) = USES[0];
            let n_found = found(&needles(n_bytes, Then::Keep), || use_key(kernel, n_bytes, Then::Keep, verb));
            assert!(n_found > 0, "{n_bytes} bytes of key are not found");
        }
    }

    /// A few bytes and a place within a block need keystream that is computed ahead; then it is looked for
    /// likewise.
    pub(super) fn keystream_is_overwritten(kernel: &'static Kernel<AesVerbs>) {
        if !runner().is_empty() {
            return;
        }
        fn begun(kernel: &'static Kernel<AesVerbs>, key: &Key) -> Box<Ctr<Key>> {
            let mut keystream = Box::new(Ctr::new(Key::clone(key), &IV, CounterBits::Bits64));
            keystream.apply_on(kernel, InFlight::Best, Buffer::in_place(&mut [0; 5])).unwrap();
            keystream.seek(33).unwrap();
            keystream
        }
        let n_found = found(&keystream(Then::Drop), || {
            use_key(kernel, 16, Then::Drop, |kernel, key, _| drop(begun(kernel, key)));
        });
        assert_eq!(n_found, 0, "{n_found} blocks of keystream");
        // Where the value is kept, the search finds them.
        let n_found = found(&keystream(Then::Keep), || {
            use_key(kernel, 16, Then::Keep, |kernel, key, _| std::mem::forget(begun(kernel, key)));
        });
        assert!(n_found > 0, "keystream is not found");
    }

    /// The patterns of the blocks that are computed ahead, with inverted bits.
    fn keystream(then: Then) -> Vec<Block> {
        /// Overwrites what the oracle left on the stack.
        #[inline(never)]
        fn overwrite() {
            black_box(&mut [0_u8; 1 << 16]);
        }
        let keystream = of_oracle(16, then, |oracle| {
            oracle.ctr(&IV, 64, &[0xff; 16 * 6])[16 * 2..].as_chunks().0.to_vec()
        });
        overwrite();
        keystream
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Then {
        Keep,
        Drop,
    }

    /// A key that no code holds: it is made where it is used.
    fn key_byte(n_bytes: usize, then: Then, i: usize) -> u8 {
        black_box(i as u8).wrapping_mul(101).wrapping_add(n_bytes as u8)
            ^ if then == Then::Keep { 0x3c } else { 0xc3 }
    }

    #[inline(never)]
    fn use_key(kernel: &'static Kernel<AesVerbs>, n_bytes: usize, then: Then, verb: Use) {
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = key_byte(n_bytes, then, i);
        }
        let key = Box::new(Key::new(&bytes[..n_bytes]).unwrap());
        bytes.fill(0);
        black_box(&bytes);
        // Its own copy makes the messages' keys two: each lane has a key of its own.
        let other = Box::new(Key::clone(&key));
        verb(kernel, &key, &other);
        if then == Then::Keep {
            std::mem::forget((key, other));
        }
    }

    /// The patterns to search for, with changed bits, so that they are not found themselves: round keys of
    /// both directions.
    fn needles(n_bytes: usize, then: Then) -> Vec<Block> {
        of_oracle(n_bytes, then, |oracle| {
            oracle.round_keys().iter().map(|key| key.map(|byte| !byte)).collect()
        })
    }

    /// Asks the oracle, which forgets the key afterwards.
    #[inline(never)]
    fn of_oracle(n_bytes: usize, then: Then, ask: impl FnOnce(&Aes) -> Vec<Block>) -> Vec<Block> {
        let mut bytes: Vec<u8> = (0..n_bytes).map(|i| key_byte(n_bytes, then, i)).collect();
        let mut oracle = Aes::new(&bytes);
        bytes.fill(0);
        black_box(&bytes);
        let patterns = ask(&oracle);
        oracle.forget();
        patterns
    }
}
