//! The planted faults: one at least for each instruction set, each hash's definition and SHA-NI body, and each place
//! that all kernels share.
//!
//! They are of the kinds that are made: a constant one off, an edge on the wrong side, lanes mixed up, a case
//! forgotten. A fault that every test would see is worth little; most of these leave some of the digests right.

/// A change that makes the code wrong.
pub(super) struct Fault {
    /// What is wrong with it.
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    /// What stands there once.
    pub(super) text: &'static str,
    pub(super) replacement: &'static str,
    pub(super) caught: Caught,
}

/// What must fail.
pub(super) enum Caught {
    /// Tests of these kernels (those of them that this CPU has), and of no other.
    ByKernels(&'static [&'static str]),
    /// Tests whose names hold these, and perhaps others.
    ByTests(&'static [&'static str]),
}

use Caught::{ByKernels, ByTests};

/// The rows of SHA-1 that are the definition over lanes, some of them for all verbs but `compress`.
const LANES_OF_32_BITS: &[&str] =
    &["scalar", "sse-x4", "avx2-x8", "avx512vl-x8", "avx512-x16", "avx512-x8-asm", "avx512-x16-asm"];
/// The same of SHA-512, and those that take verbs from it.
const LANES_OF_64_BITS: &[&str] =
    &["scalar", "sse-x2", "avx2-x4", "avx512vl-x4", "avx512-x8", "avx512-x4-asm", "avx512-x8-asm"];

pub(super) const FAULTS: &[Fault] = &[
    // Instruction sets.
    Fault {
        name: "and is xor",
        file: "crates/isa/src/scalar.rs",
        text: "and of_u32::and",
        replacement: "and of_u32::xor",
        caught: ByKernels(&["scalar"]),
    },
    Fault {
        name: "a column of the transposition twice",
        file: "crates/isa/src/sse.rs",
        text: "_mm_unpackhi_epi64(p[1], p[3]),",
        replacement: "_mm_unpackhi_epi64(p[1], p[2]),",
        caught: ByKernels(&["sse-x4"]),
    },
    Fault {
        name: "a rotation's left half one short",
        file: "crates/isa/src/avx2.rs",
        text: "_mm256_set1_epi64x(64 - n as i64)",
        replacement: "_mm256_set1_epi64x(63 - n as i64)",
        caught: ByKernels(&["avx2-x4"]),
    },
    Fault {
        name: "ch takes f for g",
        file: "crates/isa/src/avx512vl.rs",
        text: "_mm256_ternarylogic_epi32::<0xca>",
        replacement: "_mm256_ternarylogic_epi32::<0xac>",
        caught: ByKernels(&["avx512vl-x8", "avx512-x8-asm"]),
    },
    Fault {
        name: "a part of a state is stored a word short",
        file: "crates/isa/src/avx512.rs",
        text: "_mm512_mask_storeu_epi32(at.cast(), (1 << n) - 1, x)",
        replacement: "_mm512_mask_storeu_epi32(at.cast(), (1 << (n - 1)) - 1, x)",
        caught: ByKernels(&["avx512-x16", "avx512-x16-asm"]),
    },
    Fault {
        name: "quarters mixed up",
        file: "crates/isa/src/avx512.rs",
        text: "_mm512_shuffle_i32x4::<0x88>(odd[0], odd[1]),",
        replacement: "_mm512_shuffle_i32x4::<0x88>(odd[1], odd[0]),",
        caught: ByKernels(&["avx512-x8", "avx512-x8-asm", "avx512-x16", "avx512-x16-asm"]),
    },
    Fault {
        name: "SHA-1's words in SHA-256's order",
        file: "crates/isa/src/sha_ni.rs",
        text: "Order::HighestFirst => [0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607],",
        replacement: "Order::HighestFirst => [0x0405_0607_0001_0203, 0x0c0d_0e0f_0809_0a0b],",
        caught: ByTests(&["sha1::sha-ni::", "sha1::sha-ni-x2::", "sha1::sha-ni-x3::", "sha1::sha-ni-x4::"]),
    },
    // The hashes.
    Fault {
        name: "sigma 1 shifts one too far",
        file: "crates/sha/src/sha256/lanes.rs",
        text: "x.shr(10)",
        replacement: "x.shr(11)",
        caught: ByTests(&[
            "sha256::scalar::compress",
            "sha256::sse-x4::compress",
            "sha256::avx2-x8::compress",
        ]),
    },
    Fault {
        name: "pre-expanded rounds repeat a quarter",
        file: "crates/sha/src/sha256/lanes.rs",
        text: "kw[16 * sixteen + T]",
        replacement: "kw[16 * (sixteen / 2) + T]",
        caught: ByTests(&[
            "sha256::scalar::rounds",
            "sha256::avx2-x8::finish_fixed",
            "sha256::sse-x4::continue_many",
        ]),
    },
    Fault {
        name: "Sigma 1 rotates one too few",
        file: "crates/sha/src/sha512/lanes.rs",
        text: "x.rotr(41)",
        replacement: "x.rotr(40)",
        caught: ByKernels(LANES_OF_64_BITS),
    },
    Fault {
        name: "pi takes words of other columns",
        file: "crates/sha/src/keccak/lanes.rs",
        text: "let from = (X + 3 * Y) % 5;",
        replacement: "let from = (X + 2 * Y) % 5;",
        caught: ByTests(&[
            "keccak::scalar::permute",
            "keccak::sse-x2::permute",
            "keccak::avx2-x4::absorb",
            "keccak::sha3_256::NIST",
        ]),
    },
    Fault {
        name: "lanes that ended go on with their neighbours' blocks",
        file: "crates/sha/src/keccak/sponge.rs",
        text: "states[k] = before[k];",
        replacement: "let _ = (k, &before);",
        caught: ByTests(&["keccak::avx2-x4::many", "keccak::sse-x2::many", "keccak::sse-x2::tree"]),
    },
    Fault {
        name: "b and c exchanged in keccak's chi",
        file: "crates/isa/src/avx512.rs",
        text: "_mm512_ternarylogic_epi64::<0xd2>",
        replacement: "_mm512_ternarylogic_epi64::<0xb4>",
        caught: ByKernels(&["avx512-x8"]),
    },
    Fault {
        name: "SHA-0: the schedule does not rotate",
        file: "crates/sha/src/sha1/lanes.rs",
        text: "w[t % 16] = x.rotl(1);",
        replacement: "w[t % 16] = x;",
        caught: ByKernels(LANES_OF_32_BITS),
    },
    Fault {
        name: "the schedule takes the wrong words",
        file: "crates/sha/src/sha256/sha_ni.rs",
        text: "w3.align::<4>(w2)",
        replacement: "w3.align::<8>(w2)",
        caught: ByTests(&[
            "sha256::sha-ni::",
            "sha256::sha-ni-x2::",
            "sha256::sha-ni-x8-vl::",
            "sha224::sha-ni-x3::",
        ]),
    },
    Fault {
        name: "states go to assembly with two words exchanged",
        file: "crates/sha/src/sha256/asm.rs",
        text: "Self([f, e, b, a, h, g, d, c])",
        replacement: "Self([f, e, b, a, g, h, d, c])",
        caught: ByKernels(&["split-x16", "split-x8", "split-x4", "sha-ni-x6-asm"]),
    },
    Fault {
        name: "the padding of half a block lacks a sigma 0",
        file: "crates/sha/src/sha256/asm.rs",
        text: "self.folded[30 - 16] = small_sigma0(w[15]);",
        replacement: "",
        caught: ByKernels(&["split-x16", "split-x8", "split-x4"]),
    },
    Fault {
        name: "Sigma 1 in the low halves rotates one too few",
        file: "crates/sha/src/sha512/asm.rs",
        text: "counts: [14, 28, 18, 34, 41, 39, 0, 0]",
        replacement: "counts: [14, 28, 18, 34, 40, 39, 0, 0]",
        caught: ByKernels(&["packed-avx512", "packed-x2"]),
    },
    Fault {
        name: "the last pair of blocks is the one before it",
        file: "crates/sha/src/sha512/asm/stitched_avx2.s",
        text: "cmp qword ptr [rsp+5144],2",
        replacement: "cmp qword ptr [rsp+5144],4",
        caught: ByKernels(&["stitched-avx2"]),
    },
    Fault {
        name: "the second block's rounds take the third one's words",
        file: "crates/sha/src/sha512/asm/sms4_avx2.s",
        text: "lea rdi,[rsp+8]",
        replacement: "lea rdi,[rsp+16]",
        caught: ByKernels(&["sms4-avx2"]),
    },
    Fault {
        name: "the last round takes the word before its own",
        file: "crates/sha/src/sha1/asm/ssse3.s",
        text: "[rsp+316]",
        replacement: "[rsp+312]",
        caught: ByKernels(&["ssse3"]),
    },
    Fault {
        name: "the second block begins with K's words 16 too far",
        file: "crates/sha/src/sha256/asm/serial_rorx.s",
        text: "sub rdi,192",
        replacement: "sub rdi,128",
        caught: ByKernels(&["serial-rorx"]),
    },
    Fault {
        name: "of three blocks the third is the first",
        file: "crates/sha/src/sha256/asm/sms4_avx_rem.s",
        text: "cmp qword ptr [rsp+1368],2\njbe 4f",
        replacement: "cmp qword ptr [rsp+1368],3\njbe 4f",
        caught: ByKernels(&["sms4-avx-rem"]),
    },
    Fault {
        name: "every stream adds the first one's E",
        file: "crates/sha/src/sha1/sha_ni.rs",
        text: "sha1nexte(before[k].e)",
        replacement: "sha1nexte(before[0].e)",
        caught: ByKernels(&["sha-ni-x2", "sha-ni-x3", "sha-ni-x4"]),
    },
    Fault {
        name: "states come back from lanes in another order",
        file: "crates/sha/src/sha1/asm.rs",
        text: "13 * i as u32 % 16",
        replacement: "11 * i as u32 % 16",
        caught: ByKernels(&["avx512-x8-asm", "avx512-x16-asm"]),
    },
    Fault {
        name: "words go to the SHA instructions in the wrong order",
        file: "crates/sha/src/sha1/asm.rs",
        text: "[0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203]",
        replacement: "[0x0c0d_0e0f, 0x0405_0607, 0x0809_0a0b, 0x0001_0203]",
        caught: ByKernels(&["sha-ni-x2-asm", "sha-ni-x3-asm", "sha-ni-x4-asm"]),
    },
    Fault {
        name: "a message of 55 bytes takes two blocks",
        file: "crates/sha/src/md.rs",
        text: "n_rest < one_block_ends::<F>()",
        replacement: "n_rest + 1 < one_block_ends::<F>()",
        caught: ByTests(&["lengths::sha1::", "lengths::sha256::", "lengths::sha512::"]),
    },
    Fault {
        name: "the length is that of 32 bits of bytes",
        file: "crates/sha/src/md.rs",
        text: "u128::from(n_bytes) * 8",
        replacement: "u128::from(n_bytes as u32) * 8",
        caught: ByTests(&["great lengths"]),
    },
    Fault {
        name: "a key of exactly a block is hashed",
        file: "crates/sha/src/hmac.rs",
        text: "key.len() > A::BLOCK_BYTES",
        replacement: "key.len() >= A::BLOCK_BYTES",
        caught: ByTests(&["hmac::sha1::every key length", "hmac::sha512::every key length"]),
    },
    Fault {
        name: "nulls are asked for in the wrong bit order",
        file: "crates/sha/src/rows.rs",
        text: "self.validity.is_some_and(|validity| validity[i / 8] >> (i % 8) & 1 == 0)",
        replacement: "self.validity.is_some_and(|validity| validity[i / 8] >> (7 - i % 8) & 1 == 0)",
        caught: ByTests(&["rows::sha1::", "rows::sha256::"]),
    },
    Fault {
        name: "what follows a short row is hashed with it",
        file: "crates/sha/src/md.rs",
        text: "there[i] & of_message[i] | one_bit[i]",
        replacement: "there[i] | one_bit[i]",
        caught: ByTests(&["rows::sha1::", "rows::sha256::", "rows::sha512::"]),
    },
    // What all kernels share.
    Fault {
        name: "every stream goes on from the first one's state",
        file: "crates/isa/src/over_streams.rs",
        text: "F::load(isa, &states[k])",
        replacement: "F::load(isa, &states[0])",
        caught: ByTests(&["sha256::sha-ni-x2::", "sha256::sha-ni-x8-vl::", "sha1::sha-ni-x3::"]),
    },
    Fault {
        name: "lanes of a partial group start from the first one's state",
        file: "crates/isa/src/adaptors.rs",
        text: "all[..live].copy_from_slice(states);",
        replacement: "",
        caught: ByTests(&["verbs::sha1::", "verbs::sha256::", "verbs::sha512::", "continue_many"]),
    },
    Fault {
        name: "what was buffered comes after the body",
        file: "crates/isa/src/cursors.rs",
        text: "Edge::Before => [edge, body],",
        replacement: "Edge::Before => [body, edge],",
        caught: ByTests(&["ragged::sha1::", "ragged::sha256::", "ragged::sha512::"]),
    },
    Fault {
        name: "the second block of a message's end is the first one again",
        file: "crates/isa/src/runs.rs",
        text: "(then.at, b - first.n_blocks)",
        replacement: "(then.at, 0)",
        caught: ByTests(&["ragged::sha1::", "ragged::sha256::", "ragged::sha512::"]),
    },
    Fault {
        name: "messages that fill no group lose their places",
        file: "crates/sha/src/whole.rs",
        text: "self.batch.order.copy_within(first..last, n_staying);",
        replacement: "",
        caught: ByTests(&["ragged::sha1::", "ragged::sha256::", "ragged::sha512::"]),
    },
    Fault {
        name: "a queue gives out a digest without computing it",
        file: "crates/sha/src/queue.rs",
        text: "self.batch.advance(kernel, turn.slots(), turn.n_blocks);",
        replacement: "",
        caught: ByTests(&["ragged::sha256::batches"]),
    },
    Fault {
        name: "groups of interleaved lanes overlap",
        file: "crates/isa/src/kernel.rs",
        text: "let group = Interleaved::new::<F>(words, row_words, first, self.degree);",
        replacement: "let group = Interleaved::new::<F>(words, row_words, 0, self.degree);",
        caught: ByTests(&["verbs::sha256::avx2-x8::compress_lanes", "verbs::sha1::scalar::compress_lanes"]),
    },
    Fault {
        name: "lanes that are fewer than the kernel's miss the last block",
        file: "crates/isa/src/adaptors.rs",
        text: "block in words.chunks_exact(16 * row_bytes).take(n_blocks).skip(n_in_place)",
        replacement: "block in words.chunks_exact(16 * row_bytes).take(n_blocks - 1).skip(n_in_place)",
        caught: ByTests(&["verbs::sha256::avx2-x8::compress_lanes", "kernels::forms"]),
    },
    Fault {
        name: "lanes that ended go on with those that need a block more",
        file: "crates/tree/src/ends.rs",
        text: "states[n..].copy_from_slice(&ended);",
        replacement: "let _ = &ended;",
        caught: ByTests(&["vectors::digests", "kernels::forms"]),
    },
    Fault {
        name: "slices that were taken by parts are counted from the last",
        file: "crates/tree/src/slices.rs",
        text: "self.left_of_slice = self.slice_bytes;",
        replacement: "",
        caught: ByTests(&["parts::j_pointers", "vectors::digests"]),
    },
    Fault {
        name: "missing subtrees are as deep in every level",
        file: "crates/tree/src/merkle/levels.rs",
        text: "extend_from_slice(&ZERO_ROOTS[number])",
        replacement: "extend_from_slice(&ZERO_ROOTS[number.min(1)])",
        caught: ByTests(&["merkle::ssz", "merkle::bep52"]),
    },
    Fault {
        name: "digests that waited go up a second time",
        file: "crates/tree/src/merkle/levels.rs",
        text: "batch.clear();",
        replacement: "batch.truncate(self.rule.node_bytes());",
        caught: ByTests(&["merkle::ssz"]),
    },
    Fault {
        name: "a prefix's rest is forgotten before short messages",
        file: "crates/tree/src/merkle/prefixed.rs",
        text: "if self.rest.is_empty() {",
        replacement: "if messages[0].len() <= SHORT {",
        caught: ByTests(&["merkle::rfc6962_roots"]),
    },
    Fault {
        name: "the way to the root ends where a single node goes up",
        file: "crates/tree/src/merkle/rfc6962.rs",
        text: "while way.n_nodes > 1 {",
        replacement: "if way.n_nodes > 1 {",
        caught: ByTests(&["merkle::rfc6962_proofs"]),
    },
    Fault {
        name: "masking AVX2 leaves AVX-512",
        file: "crates/isa/src/features.rs",
        text: "\"avx512f\" [\"avx2\"];",
        replacement: "\"avx512f\" [\"avx\"];",
        caught: ByTests(&["environment::all::masks"]),
    },
    Fault {
        name: "a forced kernel is forgotten",
        file: "crates/isa/src/table.rs",
        text: "            Some(kernel) => kernel,\n            None => find(",
        replacement: "            _ => find(",
        caught: ByTests(&["reach::sha1::", "reach::sha256::", "reach::sha512::"]),
    },
    Fault {
        name: "the second group of equal messages is as the first",
        file: "crates/sha/src/whole.rs",
        text: "self.let_through(kernel, from..from + n_lanes);",
        replacement: "self.let_through(kernel, from % 16..from % 16 + n_lanes);",
        caught: ByTests(&["ragged::sha1::", "ragged::sha256::", "ragged::sha512::"]),
    },
    Fault {
        name: "groups are chosen as if all lanes were filled",
        file: "crates/isa/src/table.rs",
        text: "let n_lanes = n.min(kernel.degree());",
        replacement: "let n_lanes = n.min(kernel.degree()); let n = n.next_multiple_of(2).min(MAX_DEGREE);",
        caught: ByTests(&["reach::"]),
    },
    Fault {
        name: "those on lanes stay when there are fewer lanes",
        file: "crates/schedule/src/lib.rs",
        text: "if self.n_staying > n_lanes {",
        replacement: "if false {",
        caught: ByTests(&["whatever_the_kernels"]),
    },
    Fault {
        name: "a turn is longer than lets the others end in time",
        file: "crates/schedule/src/lib.rs",
        text: "n_blocks = n_blocks.min(end - next);",
        replacement: "n_blocks = n_blocks.min(end);",
        caught: ByTests(&["tests::every_schedule_ends_near_the_lower_bound"]),
    },
    // Keys that are kept.
    Fault {
        name: "a file is put in another's place before it is on the disk",
        file: "crates/hbs/src/store/directory.rs",
        text: "        self.file_system.sync(&file)",
        replacement: "        Ok::<(), io::Error>(())",
        caught: ByTests(&["kills::no_index_is_used_twice_after_a_fault", "order::a_signature_leaves_after"]),
    },
    Fault {
        name: "a file's new name is not on the disk",
        file: "crates/hbs/src/store/directory.rs",
        text: "        self.sync().map_err(unknown)",
        replacement: "        Ok(())",
        caught: ByTests(&["kills::no_index_is_used_twice_after_a_fault", "order::a_signature_leaves_after"]),
    },
    Fault {
        name: "a commit ends before its record is on the disk",
        file: "crates/hbs/src/store/log.rs",
        text: "directory.file_system.sync(&self.file).map_err(directory.failed(\"syncing\", NAME))?;",
        replacement: "",
        caught: ByTests(&["order::a_signature_leaves_after", "order::a_window_is_one_commit"]),
    },
    Fault {
        name: "an index is taken whether or not its commit succeeds",
        file: "crates/hbs/src/store/signing_key.rs",
        text: "debug_assert_eq!(self.reserved.end, first);",
        replacement: "self.reserved.end = first + count;",
        caught: ByTests(&["order::a_full_disk_takes_no_index"]),
    },
    Fault {
        name: "the next index goes down",
        file: "crates/hbs/src/store/state.rs",
        text: "generation: self.generation + 1, next, status }",
        replacement: "generation: self.generation + 1, next: next.max(1) - 1, status }",
        caught: ByTests(&["kills::no_index_is_used_twice_after_a_fault", "random::random_sequences"]),
    },
    Fault {
        name: "a window goes on over what was split off",
        file: "crates/hbs/src/store/signing_key.rs",
        text: "self.reserved = range.end..range.end;",
        replacement: "self.reserved.end = range.end;",
        caught: ByTests(&["restored::what_is_reserved_and_what_is_split_off_are_apart"]),
    },
    Fault {
        name: "the log is not asked how far it went",
        file: "crates/hbs/src/store/file_store.rs",
        text: "let known = state.next.max(log.highest_end(&directory, (&keys, &identity))?);",
        replacement: "let known = state.next;",
        caught: ByTests(&["restored::a_state_that_was_put_back_is_refused"]),
    },
    Fault {
        name: "a forked child signs",
        file: "crates/hbs/src/store/lock.rs",
        text: "self.process != directory.file_system.process()",
        replacement: "self.process == 0",
        caught: ByTests(&["locks::a_forked_child_does_not_sign"]),
    },
    Fault {
        name: "a lock that was replaced is taken for the one that is there",
        file: "crates/hbs/src/store/lock.rs",
        text: "if self.is_there(directory)? { Ok(()) } else { Err(Error::LockReplaced) }",
        replacement: "self.is_there(directory).map(drop)",
        caught: ByTests(&["locks::a_lock_that_was_removed_stops_the_handle"]),
    },
    Fault {
        name: "a second root is certified",
        file: "crates/hbs/src/hazmat/signer.rs",
        text: "check_root(&context.set, tree, nodes.root(), &layer.root)?;",
        replacement: "",
        caught: ByTests(&["damaged::a_second_root_is_a_fault"]),
    },
    Fault {
        name: "leaves that somebody put there are certified",
        file: "crates/hbs/src/store/cache.rs",
        text: "if !is_mac(&self.keys.cache, &[&self.coded_leaf(tree, good, leaf)], mac) {",
        replacement: "if mac.is_empty() {",
        caught: ByTests(&["damaged::a_damaged_cache_gives_the_same_signatures"]),
    },
    Fault {
        name: "signatures are released unverified",
        file: "crates/hbs/src/store/signing_key.rs",
        text: "self.signer.sign(index, Check::Verify,",
        replacement: "self.signer.sign(index, Check::None,",
        caught: ByTests(&["damaged::a_damaged_cache_gives_the_same_signatures"]),
    },
];
