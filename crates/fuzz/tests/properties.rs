//! Properties that hold for any numbers, lengths and names. A failure prints the smallest case found.

use hashlanes::Algorithm;
use hashlanes::algorithms::{Sha1, Sha256, Sha512};
use hashlanes_formats::encoding::{bare, bytes_of_hex, escape, hex, line_with_name, unescape};
use hashlanes_formats::hash::{Hash, Keyed};
use hashlanes_formats::lists::{Accepts, LineReader};
use hashlanes_formats::roots;
use hashlanes_isa::{Function, Plan};
use hashlanes_schedule::Rotation;
use proptest::collection::vec;
use proptest::prelude::*;
use sha2::Digest;

/// Returns the cycles of `n` messages of `n_blocks` blocks each in groups, as the plan forms them.
fn in_groups<F: Function>(n: usize, n_blocks: usize) -> u64 {
    let (mut cycles, mut end) = (0, 0);
    Plan::<F>::BEST.each_group(n, n_blocks, |kernel, range| {
        assert_eq!(range.start, end, "each message is in one group");
        end = range.end;
        let row = kernel.row_data();
        for start in range.clone().step_by(row.degree) {
            cycles += row.equal_group(row.degree.min(range.end - start), n_blocks, start == range.start);
        }
    });
    assert_eq!(end, n, "all messages are in groups");
    cycles
}

/// Returns the cycles of the same messages one after another.
fn one_by_one<F: Function>(n: usize, n_blocks: usize) -> u64 {
    n as u64 * Plan::<F>::BEST.one(n_blocks).cost().of(1, n_blocks)
}

/// By the plan's own costs, groups are never slower than one message after another. The plan knows classes of
/// lengths, not each length: that may cost 5 %.
fn groups_pay<F: Function>(n: usize, n_blocks: usize) -> Result<(), TestCaseError> {
    let (groups, alone) = (in_groups::<F>(n, n_blocks), one_by_one::<F>(n, n_blocks));
    prop_assert!(groups * 100 <= alone * 105, "{groups} cycles in groups, {alone} one by one");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_is_never_slower_than_one_by_one(n in 1..400_usize, n_blocks in 1..3000_usize) {
        groups_pay::<<Sha1 as Algorithm>::Function>(n, n_blocks)?;
        groups_pay::<<Sha256 as Algorithm>::Function>(n, n_blocks)?;
        groups_pay::<<Sha512 as Algorithm>::Function>(n, n_blocks)?;
    }

    /// Turns of any number of lanes, with messages that come in when others end.
    #[test]
    fn each_message_advances_by_its_blocks(
        lengths in vec(1..300_usize, 0..80),
        degrees in vec(1..25_usize, 1..8),
        share in 1..20_usize,
    ) {
        let mut rotation = Rotation::new();
        let mut left = [0; hashlanes_schedule::SLOTS];
        let (mut waiting, mut n_turns) = (lengths.iter(), 0);
        loop {
            while rotation.has_room() && let Some(n_blocks) = waiting.next() {
                let slot = rotation.vacant();
                prop_assert_eq!(left[slot], 0, "a free slot has no message");
                rotation.insert(slot, *n_blocks);
                left[slot] = *n_blocks;
            }
            if rotation.n_live() == 0 {
                break;
            }
            let degree = degrees[n_turns % degrees.len()];
            let turn = if waiting.len() > 0 && share.is_multiple_of(2) {
                rotation.turn_of_many(degree)
            } else {
                rotation.turn(degree, |n, n_blocks| (n * n_blocks / share) as u64)
            };
            prop_assert!(turn.n_blocks > 0 && !turn.slots().is_empty());
            for slot in turn.slots() {
                let left = &mut left[usize::from(*slot)];
                prop_assert!(*left >= turn.n_blocks, "a message of {} blocks", *left);
                *left -= turn.n_blocks;
            }
            n_turns += 1;
            while let Some(slot) = rotation.pop_finished() {
                prop_assert_eq!(left[slot], 0, "a message ended");
            }
        }
        prop_assert_eq!(left, [0; hashlanes_schedule::SLOTS]);
    }

    #[test]
    fn batches_have_the_digests_of_their_messages(messages in vec(vec(any::<u8>(), 0..300), 0..40)) {
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut digests = vec![[0; 32]; slices.len()];
        hashlanes::sha256_many(&slices, &mut digests);
        for (message, digest) in slices.iter().zip(&digests) {
            prop_assert_eq!(&digest[..], &sha2::Sha256::digest(message)[..]);
        }
    }

    #[test]
    fn names_are_written_and_read(name in vec(name_byte(), 1..40)) {
        prop_assert_eq!(unescape(&escape(&name)), Some(name.clone()));
        prop_assert!(!escape(&name).iter().any(|byte| matches!(byte, b'\n' | b'\r')));
        let comment = roots::comment(&name);
        let comment = comment.strip_suffix(b"\n").expect("a line");
        prop_assert_eq!(roots::of_comment(comment), Some(name.clone()));
        prop_assert_eq!(bare(bare(&name)), bare(&name));
        prop_assert_eq!(bytes_of_hex(hex(&name)), Some(name));
    }

    #[test]
    fn lines_are_written_and_read(
        name in vec(name_byte(), 1..40),
        digest in vec(any::<u8>(), 64),
        hash in 0..Hash::BY_USE.len(),
        is_keyed in any::<bool>(),
        is_tagged in any::<bool>(),
    ) {
        let hash = Hash::BY_USE[hash];
        let (digest, keyed) = (&digest[..hash.digest_bytes()], if is_keyed { Keyed::Yes } else { Keyed::No });
        let line = if is_tagged {
            line_with_name(format!("{} (", keyed.tag(hash)).as_bytes(), &name, format!(") = {}", hex(digest)).as_bytes())
        } else {
            line_with_name(format!("{}  ", hex(digest)).as_bytes(), &name, b"")
        };
        for accepts in [Accepts::Hex, Accepts::HexAndBase64] {
            let mut reader = LineReader::new(keyed.tag(hash), hash.digest_bytes(), accepts);
            let listed = reader.read(line.strip_suffix(b"\n").expect("a line")).expect("a line of a list");
            prop_assert_eq!((&listed.name, &listed.digest[..], listed.is_tagged), (&name, digest, is_tagged));
        }
    }
}

/// A byte of a name: often one that formats escape or give a meaning to.
fn name_byte() -> impl Strategy<Value = u8> {
    prop_oneof![1..=255_u8, prop::sample::select(&b"\\\n\r ()*=,\"/.-#"[..])]
}
