//! Our library with its own choice of kernels, and single kernels by name.

use super::{aegis, ciphers, gcm, hash_based, keccak, trees, xmss};
use crate::candidate::{Candidate, Entry, NotApplicable, Presence};
use crate::costs::Costs;
use crate::input::Input;
use crate::work::{Hash, Shape, Text};
use hashlanes::kernels::{self, AnyTable, Kernel, Row};
use hashlanes::tree::merkle::{FsVeritySha256, Ssz};
use hashlanes::{Algorithm, Hasher, LastBlock, Midstate, algorithms as a};
use hashlanes_isa::{Function, MAX_DEGREE, Plan, PreExpanded, Start, Types, Verb, Word};
use std::hint::black_box;
use std::rc::Rc;

/// The library's name as a contestant.
pub(crate) const OURS: &str = "hashlanes";

/// Our tables with their hashes.
pub(crate) fn tables() -> impl Iterator<Item = (Hash, &'static dyn AnyTable)> {
    kernels::all().map(|table| {
        let hash = Hash::PLAIN.into_iter().find(|hash| hash.name() == table.name());
        (hash.expect("tables are named for hashes"), table)
    })
}

/// All rows of a table, whether this CPU can run them or not.
pub(crate) fn rows(table: &'static dyn AnyTable) -> impl Iterator<Item = Row> {
    (0..table.n_rows()).map(|i| table.row(i))
}

/// The kernel in a contestant's name `hashlanes:KERNEL`.
pub(crate) fn kernel_name(contestant: &str) -> Option<&str> {
    contestant.strip_prefix(OURS)?.strip_prefix(':')
}

/// A part of the work that a suffix of a kernel's name selects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Only how the last block is hashed.
    Last(LastBlock),
    /// Only the rounds: the schedules of all blocks are computed beforehand.
    Rounds,
}

const PARTS: [(&str, Part); 3] = [
    (":pre-expanded", Part::Last(LastBlock::PreExpanded)),
    (":expanded", Part::Last(LastBlock::Expanded)),
    (":rounds", Part::Rounds),
];

/// The name of the library that chooses its kernels by costs measured when the program started.
pub(crate) const CALIBRATED: &str = "hashlanes:calibrated";

/// The library, or one of its kernels.
pub(crate) struct Ours {
    name: String,
    /// The costs by which it chooses.
    costs: Costs,
    kernel: Option<String>,
    part: Option<Part>,
}

impl Ours {
    /// The library with its own choice of kernel, or with a given one.
    pub(crate) fn new(kernel: Option<&str>) -> Self {
        let name = kernel.map_or_else(|| OURS.to_owned(), |kernel| format!("{OURS}:{kernel}"));
        let told = kernel.and_then(|kernel| {
            PARTS.into_iter().find_map(|(end, part)| Some((kernel.strip_suffix(end)?, part)))
        });
        let (kernel, part) = told.map_or((kernel, None), |(kernel, part)| (Some(kernel), Some(part)));
        if name == CALIBRATED {
            return Ours { name, costs: Costs::Measured, kernel: None, part: None };
        }
        Ours { name, costs: Costs::Columns, kernel: kernel.map(str::to_owned), part }
    }
}

impl Candidate for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> String {
        match &self.kernel {
            None => "this project: SHA-1, SHA-2, SHA-3 and AES, one message or many; tree modes; signatures"
                .into(),
            Some(kernel) => format!("this project on its kernel {kernel} alone"),
        }
    }

    fn presence(&self) -> Presence {
        Presence::Here(env!("CARGO_PKG_VERSION").into())
    }

    fn enter<'a>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        match input.work().hash {
            Hash::Sha1 => self.enter_as::<a::Sha1>(input),
            Hash::Sha224 => self.enter_as::<a::Sha224>(input),
            Hash::Sha256 => self.enter_as::<a::Sha256>(input),
            Hash::Sha384 => self.enter_as::<a::Sha384>(input),
            Hash::Sha512 => self.enter_as::<a::Sha512>(input),
            Hash::Sha512_256 => self.enter_as::<a::Sha512_256>(input),
            Hash::Sha3_256 => keccak::enter::<a::Sha3_256>(&self.name, self.kernel.as_deref(), input),
            Hash::Keccak256 => keccak::enter::<a::Keccak256>(&self.name, self.kernel.as_deref(), input),
            Hash::Sha3Tree(leaves) => keccak::enter_tree(&self.name, self.kernel.as_deref(), leaves, input),
            Hash::Aegis(cipher) => aegis::enter(&self.name, self.kernel.as_deref(), cipher, input),
            Hash::Gcm(cipher) => gcm::enter(&self.name, self.kernel.as_deref(), cipher, input),
            Hash::Cipher(cipher) => ciphers::enter(&self.name, self.kernel.as_deref(), cipher, input),
            Hash::Tree(mode) => trees::enter(&self.name, self.kernel.as_deref(), mode, input),
            Hash::Ssz | Hash::FsVerity if self.kernel.is_some() => {
                Err(NotApplicable("Merkle trees are forced on a kernel by the environment alone".into()))
            }
            Hash::Ssz => Ok(trees::enter_merkle(&self.name, Ssz::new(), |root| root, input)),
            Hash::FsVerity => {
                let verity = FsVeritySha256::new(4096, b"").expect("the default of the tools");
                Ok(trees::enter_merkle(&self.name, verity, |file| file.root, input))
            }
            Hash::SlhDsaOrLms(_) if self.kernel.is_some() => {
                Err(NotApplicable("these signatures are forced on a kernel by the environment alone".into()))
            }
            Hash::SlhDsaOrLms(_) => hash_based::enter(&self.name, input),
            Hash::Xmss(_) => xmss::enter(&self.name, self.kernel.as_deref(), input),
            hash => Err(NotApplicable::hash(hash)),
        }
    }
}

impl Ours {
    fn enter_as<'a, A: Algorithm>(&'a self, input: &'a Input) -> Result<Entry<'a>, NotApplicable> {
        let kernel = match &self.kernel {
            None => None,
            Some(name) => {
                let found = A::Function::table().named(name);
                Some(found.map_err(|error| NotApplicable(error.to_string()))?)
            }
        };
        match input.work().shape {
            Shape::Lanes { count: 1, .. } if self.part == Some(Part::Rounds) => {
                self.rounds::<A>(input, kernel.expect("a suffix follows a kernel"))
            }
            _ if self.part == Some(Part::Rounds) => {
                Err(NotApplicable("rounds alone are those of whole blocks of one message".into()))
            }
            shape if self.part.is_some() && !matches!(shape, Shape::One { .. }) => {
                Err(NotApplicable("the last block is told for one message".into()))
            }
            Shape::One { .. } => Ok(self.one::<A>(input, kernel)),
            Shape::Many { .. } | Shape::Random { .. } => Ok(self.many::<A>(input, kernel)),
            Shape::Lanes { .. } => Ok(match kernel {
                None => self.many::<A>(input, None),
                Some(kernel) => self.blocks::<A>(input, kernel)?,
            }),
            Shape::Continue { .. } => Ok(self.continuations::<A>(input, kernel)),
            Shape::Fixed { len, .. } if len > A::BLOCK_BYTES => {
                Err(NotApplicable("equal short messages are of a block at most".into()))
            }
            Shape::Fixed { len, .. } => Ok(self.fixed::<A>(input, len, kernel)),
            Shape::Rows { .. } if kernel.is_some() => {
                Err(NotApplicable(format!("columns choose their kernel; force one by {}", {
                    A::Function::KERNEL_VARIABLE
                })))
            }
            Shape::Rows { text: Text::Bytes, .. } => Ok(self.rows::<A>(input)),
            Shape::Rows { text: Text::Hex, .. } if A::NAME == "sha256" => Ok(self.sha256_rows_hex(input)),
            Shape::Rows { text: Text::Hex, .. } => Err(NotApplicable("measured for sha256 only".into())),
            Shape::Signatures(_) => Err(NotApplicable("signatures are of their parameter sets".into())),
        }
    }

    fn one<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        kernel: Option<&'static Kernel<A::Function>>,
    ) -> Entry<'a> {
        let message = input.message(0);
        match (kernel, self.part) {
            (None, _) => {
                let costs = self.costs;
                Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| {
                    costs.choose();
                    out[0] = Hasher::<A>::digest(black_box(message));
                })
            }
            (Some(kernel), Some(Part::Last(last))) => {
                Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| {
                    out[0] = Hasher::<A>::digest_on(kernel, black_box(message), last);
                })
            }
            (Some(kernel), _) => Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| {
                let mut hasher = Hasher::<A>::with_kernel(kernel);
                hasher.update(black_box(message));
                out[0] = hasher.finish();
            }),
        }
    }

    fn many<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        kernel: Option<&'static Kernel<A::Function>>,
    ) -> Entry<'a> {
        let messages: Rc<[&[u8]]> = input.messages().into();
        let costs = self.costs;
        Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| match kernel {
            None => {
                costs.choose();
                Hasher::<A>::digest_many(black_box(&messages), out);
            }
            Some(kernel) => Hasher::<A>::digest_many_on(kernel, black_box(&messages), out),
        })
    }

    /// Prepares only the kernel's required verb, on messages with their padding.
    fn blocks<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        kernel: &'static Kernel<A::Function>,
    ) -> Result<Entry<'a>, NotApplicable> {
        let (count, degree) = (input.count(), kernel.degree());
        if !count.is_multiple_of(degree) {
            return Err(NotApplicable(format!("{count} messages are no whole groups of {degree}")));
        }
        let messages: Rc<[&[u8]]> = (0..count).map(|i| input.padded(i)).collect();
        Ok(Entry::of_results(&self.name, input, A::H0, put_state::<A>, move |out| {
            for (out, group) in out.chunks_mut(degree).zip(black_box(&*messages).chunks(degree)) {
                let mut states = [A::H0; MAX_DEGREE];
                kernel.compress(&mut states[..degree], group);
                out.copy_from_slice(&states[..degree]);
            }
        }))
    }

    /// Only the rounds of a message with its padding.
    fn rounds<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        kernel: &'static Kernel<A::Function>,
    ) -> Result<Entry<'a>, NotApplicable> {
        if !kernel.offers(Verb::Rounds) {
            return Err(NotApplicable("the kernel does not offer the rounds alone".into()));
        }
        let blocks = input.padded(0).chunks_exact(A::BLOCK_BYTES).map(|bytes| {
            let mut block = A::Function::ZERO_BLOCK;
            block.as_mut().copy_from_slice(bytes);
            PreExpanded::<A::Function>::new(block)
        });
        let blocks: Rc<[_]> = blocks.collect();
        Ok(Entry::of_results(&self.name, input, A::H0, put_state::<A>, move |out| {
            let mut state = A::H0;
            black_box(&*blocks).iter().for_each(|block| kernel.rounds(&mut state, block));
            out[0] = state;
        }))
    }

    /// One-block continuations of the initial state.
    fn continuations<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        kernel: Option<&'static Kernel<A::Function>>,
    ) -> Entry<'a> {
        let count = input.count();
        let mut blocks = vec![A::Function::ZERO_BLOCK; count];
        for (i, block) in blocks.iter_mut().enumerate() {
            block.as_mut().copy_from_slice(input.padded(i));
        }
        let plan = kernel.map_or(Plan::BEST, Plan::only);
        Entry::of_results(&self.name, input, A::H0, put_state::<A>, move |out| {
            let blocks = black_box(&*blocks);
            plan.each_group(count, 1, |kernel, some| {
                kernel.continue_many(Start::Shared(&A::H0), &blocks[some.clone()], None, &mut out[some]);
            });
        })
    }

    fn fixed<'a, A: Algorithm>(
        &self,
        input: &'a Input,
        len: usize,
        kernel: Option<&'static Kernel<A::Function>>,
    ) -> Entry<'a> {
        let (buffer, costs) = (input.buffer(), self.costs);
        Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| match kernel {
            None => {
                costs.choose();
                Hasher::<A>::digest_fixed(black_box(buffer), len, out);
            }
            Some(kernel) => {
                let start = Midstate::new(A::H0, 0);
                Hasher::<A>::digest_fixed_on(kernel, start, black_box(buffer), len, out);
            }
        })
    }

    fn rows<'a, A: Algorithm>(&self, input: &'a Input) -> Entry<'a> {
        Entry::new(&self.name, input, A::ZERO_DIGEST, move |out| {
            Hasher::<A>::try_digest_column(
                &hashlanes::Column::binary(black_box(input.buffer()), input.offsets()),
                out,
            )
            .expect("a column");
        })
    }

    fn sha256_rows_hex<'a>(&self, input: &'a Input) -> Entry<'a> {
        Entry::new(&self.name, input, [0; 64], move |out| {
            hashlanes::sha256_rows_hex(black_box(input.buffer()), input.offsets(), out);
        })
    }
}

/// Appends the digest of a final state.
fn put_state<A: Algorithm>(state: &<A::Function as Types>::State, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    for word in state.as_ref() {
        let mut big_endian = [0; 8];
        let big_endian = &mut big_endian[..<A::Function as Types>::Word::BYTES];
        word.put_be(big_endian);
        bytes.extend_from_slice(big_endian);
    }
    bytes.truncate(start + A::DIGEST_BYTES);
}
