//! Whether a contestant's digests are right: asked before it is timed, for a wrong result in no time is worth nothing.

use crate::candidate::{Candidate, Entry, NotApplicable};
use crate::input::Input;
use crate::work::Hash;

/// What happens to digests on their way to the check: a check that nothing fails proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// The first bit is wrong.
    OneBit,
}

/// Compares the digests of all messages with the oracle's; of a hash that the oracle has not, asks for a digest that is known.
///
/// # Errors
/// Which message's is wrong.
pub(crate) fn check(
    candidate: &dyn Candidate,
    entry: &mut Entry<'_>,
    input: &Input,
    fault: Fault,
) -> Result<(), String> {
    let digests = digests(entry, fault);
    let Some(expected) = input.expected() else { return check_known(candidate, input.work().hash, fault) };
    if digests == expected {
        return Ok(());
    }
    let bytes = expected.len() / input.count();
    let wrong = digests.chunks(bytes).zip(expected.chunks(bytes)).position(|(a, b)| a != b);
    Err(match wrong {
        Some(i) if digests.len() == expected.len() => {
            format!("message {i} of {} ({} bytes)", input.count(), input.message(i).len())
        }
        _ => format!("{} bytes of digests instead of {}", digests.len(), expected.len()),
    })
}

fn digests(entry: &mut Entry<'_>, fault: Fault) -> Vec<u8> {
    let mut digests = entry.digests();
    if let (Fault::OneBit, Some(first)) = (fault, digests.first_mut()) {
        *first ^= 1;
    }
    digests
}

/// Asks for the digest of "abc": the authors' test vectors.
fn check_known(candidate: &dyn Candidate, hash: Hash, fault: Fault) -> Result<(), String> {
    // BLAKE3: its reference implementation; KT128: the documentation of the crate k12.
    let expected: &[u8] = match hash {
        Hash::Blake3 => &[0x64, 0x37, 0xb3, 0xac, 0x38, 0x46, 0x51, 0x33, 0xff, 0xb6, 0x3b, 0x75],
        Hash::Kt128 => &[0xab, 0x17, 0x4f, 0x32, 0x8c, 0x55, 0xa5, 0x51, 0x0b, 0x0b],
        // The submission's implementation.
        Hash::Keccak256 => &[0x4e, 0x03, 0x65, 0x7a, 0xea, 0x45, 0xa9, 0x4f, 0xc7, 0xd4, 0x7b, 0xa8],
        Hash::Keccak512 => &[0x18, 0x58, 0x7d, 0xc2, 0xea, 0x10, 0x6b, 0x9a, 0x15, 0x63, 0xe3, 0x2b],
        _ => return Err("no digest of it is known".into()),
    };
    let known = Input::of_message(hash, b"abc");
    let mut entry = candidate.enter(&known).map_err(|NotApplicable(why)| why)?;
    match digests(&mut entry, fault).starts_with(expected) {
        true => Ok(()),
        false => Err("\"abc\" has another digest".into()),
    }
}
