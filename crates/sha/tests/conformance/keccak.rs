//! Keccak: every row's verbs, and SHA3-256, SHAKE and the tree on every row, against the oracle, NIST's vectors and those of
//! `spec/keccak.py`.

use hashlanes_sha::keccak::{self, Kernel, Rate, State};
use hashlanes_testkit::ragged::{Rng, batches, pattern};
use hashlanes_testkit::{oracle, vectors};

use crate::suite::{Suite, cases, panic_of, seed};
use crate::verbs::counts;

pub(crate) fn add(suite: &mut Suite) {
    suite.each_keccak_kernel("permute", permute);
    suite.each_keccak_kernel("permute zeros", permute_zeros);
    suite.each_keccak_kernel("absorb", absorb);
    suite.each_keccak_kernel("every length", every_length);
    suite.each_keccak_kernel("many", many);
    suite.each_keccak_kernel("tree", tree);
    suite.one("sha3_256", "NIST", nist);
    suite.one("sha3_256", "many", many_by_choice);
    suite.one("shake", "every length", shake);
    suite.one("tree", "vectors", tree_vectors);
    suite.one("keccak", "wrong shapes", wrong_shapes);
    #[cfg(all(feature = "count-calls", feature = "env-override"))]
    suite.one("keccak", "a forced kernel serves everything", forced);
}

fn states(rng: &mut Rng, n: usize) -> Vec<State> {
    (0..n).map(|_| std::array::from_fn(|_| rng.next_u64())).collect()
}

/// Lanes have different states, so that one that takes another's is seen.
fn permute(kernel: &'static Kernel) {
    let mut rng = Rng::new(seed());
    for _ in 0..20 {
        let before = states(&mut rng, kernel.degree());
        let mut after = before.clone();
        kernel.permute(&mut after);
        for (k, mut expected) in before.into_iter().enumerate() {
            oracle::keccak_f(&mut expected);
            assert_eq!(after[k], expected, "lane {k}");
        }
    }
}

/// Keccak-f of zeros and of the result, as the Keccak team publishes them (KeccakF-1600-IntermediateValues.txt): the first and
/// the last word.
fn permute_zeros(kernel: &'static Kernel) {
    let mut states = vec![[0; 25]; kernel.degree()];
    for (first, last) in
        [(0xf125_8f79_40e1_dde7, 0xeaf1_ff7b_5cec_a249), (0x2d5c_954d_f96e_cb3c, 0x20d0_6cd2_6a8f_bf5c)]
    {
        kernel.permute(&mut states);
        for (k, state) in states.iter().enumerate() {
            assert_eq!((state[0], state[24]), (first, last), "lane {k}");
        }
    }
}

/// Blocks that follow each other, and blocks with something between them; rows that end with their last block.
fn absorb(kernel: &'static Kernel) {
    let mut rng = Rng::new(seed());
    for rate in [Rate::Bytes136, Rate::Bytes168] {
        for n_blocks in [0, 1, 2, 3, 7] {
            for step in [rate.bytes(), rate.bytes() + 9, 4 * rate.bytes()] {
                let len = if n_blocks == 0 { 0 } else { (n_blocks - 1) * step + rate.bytes() };
                // Lanes at odd distances: no two have the same alignment.
                let mut data = vec![0; kernel.degree() * (len + 7)];
                rng.fill(&mut data);
                let rows: Vec<&[u8]> = data.chunks(len + 7).map(|row| &row[..len]).collect();
                let before = states(&mut rng, kernel.degree());
                let mut after = before.clone();
                kernel.absorb(rate, &mut after, &rows, step, n_blocks);
                for (k, mut expected) in before.into_iter().enumerate() {
                    for block in rows[k].chunks(step) {
                        for (word, bytes) in expected.iter_mut().zip(block[..rate.bytes()].as_chunks().0) {
                            *word ^= u64::from_le_bytes(*bytes);
                        }
                        oracle::keccak_f(&mut expected);
                    }
                    assert_eq!(
                        after[k], expected,
                        "{rate:?}, {n_blocks} blocks in steps of {step}: lane {k}"
                    );
                }
            }
        }
    }
}

/// One by one, and so many together that lanes end at different lengths.
fn every_length(kernel: &'static Kernel) {
    let messages: Vec<Vec<u8>> = (0..=4 * 136 + 1).map(|len| pattern(len, len)).collect();
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut digests = vec![[0; 32]; slices.len()];
    keccak::sha3_256_many_on(kernel, &slices, &mut digests);
    for (message, digest) in slices.iter().zip(digests) {
        let expected = oracle::sha3_256(message);
        assert_eq!(digest[..], expected, "{} bytes among others", message.len());
        assert_eq!(keccak::sha3_256_on(kernel, message)[..], expected, "{} bytes", message.len());
    }
}

/// Counts about whole groups; lengths as they come.
fn many(kernel: &'static Kernel) {
    let mut rng = Rng::new(seed());
    for n in counts(kernel.degree()) {
        let messages: Vec<Vec<u8>> = (0..n).map(|i| pattern(i, rng.below(1000))).collect();
        check(|messages, digests| keccak::sha3_256_many_on(kernel, messages, digests), &messages, n);
    }
    for batch in batches(seed(), cases(40), 40, 2000) {
        let messages: Vec<Vec<u8>> = batch.messages().map(<[u8]>::to_vec).collect();
        check(|messages, digests| keccak::sha3_256_many_on(kernel, messages, digests), &messages, &batch);
    }
}

/// The default choice: more messages than are sorted together, too.
fn many_by_choice() {
    for batch in batches(seed(), cases(100), 40, 2000) {
        let messages: Vec<Vec<u8>> = batch.messages().map(<[u8]>::to_vec).collect();
        check(keccak::sha3_256_many, &messages, &batch);
    }
    let messages: Vec<Vec<u8>> = (0..600).map(|i| pattern(i, i * i % 401)).collect();
    check(keccak::sha3_256_many, &messages, "600 messages");
}

fn check(many: impl Fn(&[&[u8]], &mut [[u8; 32]]), messages: &[Vec<u8>], what: impl std::fmt::Display) {
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let mut digests = vec![[0; 32]; slices.len()];
    many(&slices, &mut digests);
    for (i, (message, digest)) in slices.iter().zip(digests).enumerate() {
        assert_eq!(digest[..], oracle::sha3_256(message), "{what}: digest {i}");
    }
}

fn tree(kernel: &'static Kernel) {
    for vector in vectors::keccak_digests().iter().filter(|vector| vector.leaves > 0) {
        let message: Vec<u8> = (0..vector.length).map(|i| (i % 251) as u8).collect();
        let digest = keccak::tree_sha3_256_on(kernel, vector.leaves, &message);
        assert_eq!(digest[..], vector.digest, "{} leaves, {} bytes", vector.leaves, vector.length);
    }
}

fn nist() {
    for vector in vectors::sha3_256() {
        let n = vector.message.len();
        assert_eq!(oracle::sha3_256(&vector.message), vector.digest, "the oracle, {n} bytes");
        assert_eq!(keccak::sha3_256(&vector.message)[..], vector.digest, "{n} bytes");
    }
}

/// Messages and output of every length up to two blocks, not each with each.
fn shake() {
    for n in 0..=2 * 168 + 1 {
        let message = pattern(n, n);
        let mut out = vec![0; 2 * 168 + 1 - n];
        keccak::shake128(&message, &mut out);
        assert_eq!(out, oracle::shake128(&message, out.len()), "SHAKE128 of {n} bytes");
        keccak::shake256(&message, &mut out);
        assert_eq!(out, oracle::shake256(&message, out.len()), "SHAKE256 of {n} bytes");
    }
}

/// The default choice, SHA3-256's of `spec/keccak.py` among them.
fn tree_vectors() {
    for vector in vectors::keccak_digests() {
        let message: Vec<u8> = (0..vector.length).map(|i| (i % 251) as u8).collect();
        let digest = match vector.leaves {
            0 => keccak::sha3_256(&message),
            j => {
                assert_eq!(oracle::sha3_256_tree(j, &message), vector.digest, "the oracle, {j} leaves");
                keccak::tree_sha3_256(j, &message)
            }
        };
        assert_eq!(digest[..], vector.digest, "{} leaves, {} bytes", vector.leaves, vector.length);
    }
}

fn wrong_shapes() {
    let scalar = keccak::table().named("scalar").expect("scalar runs everywhere");
    let absorb = |n_states: usize, rows: &[&[u8]], step: usize, n_blocks: usize| {
        let mut states = vec![[0; 25]; n_states];
        panic_of("absorb", || scalar.absorb(Rate::Bytes136, &mut states, rows, step, n_blocks))
    };
    assert!(absorb(2, &[&[0; 136]], 136, 1).contains("2 states, not 1"));
    assert!(absorb(1, &[], 136, 1).contains("0 rows, not 1"));
    assert!(absorb(1, &[&[0; 135]], 136, 1).contains("1 blocks take 136 bytes of 135"));
    assert!(absorb(1, &[&[0; 300]], 165, 2).contains("2 blocks take 301 bytes of 300"));
    assert!(absorb(1, &[&[0; 300]], usize::MAX, 2).contains("an address"));
    let many = panic_of("many", || keccak::sha3_256_many(&[b""], &mut []));
    assert!(many.contains("1 messages, 0 digests"), "{many}");
    for j in [0, keccak::MAX_LEAVES + 1] {
        let tree = panic_of("tree", || keccak::tree_sha3_256(j, b""));
        assert!(tree.contains(&format!("{j} leaves")), "{tree}");
    }
}

/// One message, many, the tree, and more output than a block.
#[cfg(all(feature = "count-calls", feature = "env-override"))]
fn forced() {
    for kernel in keccak::kernels() {
        let role = format!("forced-keccak {}", kernel.name());
        crate::child::output(&role, &[(keccak::KERNEL_VARIABLE, kernel.name())]);
    }
}

/// Does everything once: no other kernel may have been entered.
#[cfg(all(feature = "count-calls", feature = "env-override"))]
pub(crate) fn play_forced(name: &str) {
    let messages: Vec<Vec<u8>> = (0..19).map(|i| pattern(i, 100 * i)).collect();
    check(keccak::sha3_256_many, &messages, name);
    assert_eq!(keccak::sha3_256(&messages[18])[..], oracle::sha3_256(&messages[18]));
    let mut out = [0; 200];
    keccak::shake256(&messages[3], &mut out);
    assert_eq!(out[..], oracle::shake256(&messages[3], 200));
    keccak::tree_sha3_256(4, &messages[18]);
    for kernel in keccak::kernels() {
        assert_eq!(kernel.calls() > 0, kernel.name() == name, "{}: {} calls", kernel.name(), kernel.calls());
    }
}
