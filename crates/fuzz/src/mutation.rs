//! Changed copies of an input, the same in every run.

use hashlanes_testkit::ragged::Rng;

/// Bytes and numbers at which parsers go wrong.
const HARD: [u8; 24] = *b"\0\x01\x7f\x80\xff\"\\\n\r,:{}[]()=* #%-0";

/// Returns `bytes` with a few of them changed, removed, added, doubled or cut off.
pub fn mutated(rng: &mut Rng, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        if bytes.is_empty() {
            bytes.push(rng.choose(&HARD));
        }
        let (at, to) = (rng.below(bytes.len()), rng.below(bytes.len()));
        match rng.below(9) {
            0 => bytes[at] = rng.choose(&HARD),
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = rng.next_u64() as u8,
            3 => bytes.insert(at, rng.choose(&HARD)),
            4 => drop(bytes.remove(at)),
            5 => bytes.swap(at, to),
            6 => bytes.truncate(at),
            7 => {
                let doubled = bytes[at.min(to)..at.max(to)].to_vec();
                bytes.splice(at..at, doubled);
            }
            // The start of one, and the end of another.
            _ => {
                bytes.truncate(at);
                bytes.extend_from_slice(&other[rng.below(other.len() + 1)..]);
            }
        }
    }
    bytes
}
