//! Checks a contestant's digests before it is timed, because the speed of a wrong result means nothing.

use crate::candidate::{Candidate, Entry, NotApplicable};
use crate::contestants::expected_of_hash_based;
use crate::input::Input;
use crate::work::{Hash, Shape, Work};

/// A deliberate change of digests, to test the check itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No change.
    None,
    /// The first bit is wrong.
    OneBit,
}

/// Compares the digests of all messages with the oracle's; for a hash that the oracle lacks, computes a known
/// digest. Keys and signatures of SLH-DSA, LMS and HSS are compared with those of other crates.
///
/// # Errors
/// Names the first message with a wrong digest.
pub(crate) fn check(
    candidate: &dyn Candidate,
    entry: &mut Entry<'_>,
    input: &Input,
    fault: Fault,
) -> Result<(), String> {
    let digests = digests(entry, fault);
    let of_crates = match (input.work().hash, input.work().shape) {
        (Hash::SlhDsaOrLms(set), Shape::Signatures(operation)) => expected_of_hash_based(set, operation),
        _ => None,
    };
    let Some(expected) = of_crates.as_deref().or_else(|| input.expected()) else {
        return check_known(candidate, input, fault);
    };
    if digests == expected {
        return Ok(());
    }
    if matches!(input.work().shape, Shape::Signatures(_)) {
        return Err("another result than the known one".into());
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

/// Computes a known digest; for a parameter set without known keys, the same operation of a set with known
/// keys.
fn check_known(candidate: &dyn Candidate, input: &Input, fault: Fault) -> Result<(), String> {
    if let Some((signatures, _)) = input.signatures() {
        let work = Work::new(Hash::Xmss(signatures.stand_in()), input.work().shape);
        let known = Input::new(work);
        let mut entry = candidate.enter(&known).map_err(|NotApplicable(why)| why)?;
        return match known.expected() == Some(&digests(&mut entry, fault)) {
            true => Ok(()),
            false => Err(format!("{work}: another result than the known one")),
        };
    }
    let hash = input.work().hash;
    let (message, expected) = known(hash).ok_or("no digest of it is known")?;
    let known = Input::of_message(hash, message);
    let mut entry = candidate.enter(&known).map_err(|NotApplicable(why)| why)?;
    match digests(&mut entry, fault).starts_with(expected) {
        true => Ok(()),
        false => Err(format!("{:?} has another digest", message.escape_ascii().to_string())),
    }
}

/// A message, and the first bytes of its digest: the authors' test vectors.
fn known(hash: Hash) -> Option<(&'static [u8], &'static [u8])> {
    Some(match hash {
        // BLAKE3: its reference implementation; KT128: the documentation of the crate k12.
        Hash::Blake3 => (b"abc", &[0x64, 0x37, 0xb3, 0xac, 0x38, 0x46, 0x51, 0x33, 0xff, 0xb6, 0x3b, 0x75]),
        Hash::Kt128 => (b"abc", &[0xab, 0x17, 0x4f, 0x32, 0x8c, 0x55, 0xa5, 0x51, 0x0b, 0x0b]),
        // From the submissions to the SHA-3 competition, KAT files: usually the empty message.
        Hash::Keccak512 => {
            (b"abc", &[0x18, 0x58, 0x7d, 0xc2, 0xea, 0x10, 0x6b, 0x9a, 0x15, 0x63, 0xe3, 0x2b])
        }
        Hash::Blake256 => (b"", &[0x71, 0x6f, 0x6e, 0x86, 0x3f, 0x74, 0x4b, 0x9a, 0xc2, 0x2c, 0x97, 0xec]),
        Hash::Blake512 => (b"", &[0xa8, 0xcf, 0xbb, 0xd7, 0x37, 0x26, 0x06, 0x2d, 0xf0, 0xc6, 0x86, 0x4d]),
        Hash::Groestl256 => (b"", &[0x1a, 0x52, 0xd1, 0x1d, 0x55, 0x00, 0x39, 0xbe, 0x16, 0x10, 0x7f, 0x9c]),
        Hash::Groestl512 => (b"", &[0x6d, 0x3a, 0xd2, 0x9d, 0x27, 0x91, 0x10, 0xee, 0xf3, 0xad, 0xbd, 0x66]),
        Hash::Jh256 => (b"", &[0x46, 0xe6, 0x46, 0x19, 0xc1, 0x8b, 0xb0, 0xa9, 0x2a, 0x5e, 0x87, 0x18]),
        Hash::Skein512 => (b"", &[0xbc, 0x5b, 0x4c, 0x50, 0x92, 0x55, 0x19, 0xc2, 0x90, 0xcc, 0x63, 0x42]),
        _ => return None,
    })
}
