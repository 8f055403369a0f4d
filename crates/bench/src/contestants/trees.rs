//! Our tree modes, with their own choice of kernels, on one kernel, and on threads; our Merkle trees.

use crate::candidate::{Entry, NotApplicable};
use crate::input::Input;
use crate::work::Hash;
use arrayvec::ArrayVec;
use hashlanes::algorithms as a;
use hashlanes::tree::merkle::Preset;
use hashlanes::tree::{HashName, JLanes, JPointers, Mh, Mode, Tree, TreeAlgorithm, parallel_hash_on};
use hashlanes_clock::Threads;
use hashlanes_isa::Function;
use std::hint::black_box;
use std::rc::Rc;

/// What stands in place of a kernel's name for j-pointers on a thread of each CPU.
const THREADS: &str = "threads";

/// A mode's function on one kernel.
type OnKernel = Rc<dyn Fn(&[u8]) -> Digest>;

/// A digest of any hash, without an allocation: short messages are measured too.
#[derive(Clone, Default)]
struct Digest(ArrayVec<u8, 64>);

impl Digest {
    fn of(bytes: impl AsRef<[u8]>) -> Self {
        Digest(ArrayVec::try_from(bytes.as_ref()).expect("64 bytes at most"))
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Prepares a mode of each of the input's messages, on the named kernel if there is one.
pub(super) fn enter<'a>(
    name: &str,
    kernel: Option<&str>,
    mode: Mode,
    input: &'a Input,
) -> Result<Entry<'a>, NotApplicable> {
    let tree = Tree::new(mode);
    for message in input.messages() {
        tree.digest(message).map_err(|error| NotApplicable(error.to_string()))?;
    }
    let messages: Rc<[&[u8]]> = input.messages().into();
    let Some(kernel) = kernel else {
        let zero = tree.digest(messages[0]).expect("digested above");
        return Ok(Entry::new(name, input, zero, move |out| {
            for (out, message) in out.iter_mut().zip(black_box(&*messages)) {
                *out = tree.digest(message).expect("digested above");
            }
        }));
    };
    if kernel == THREADS {
        return on_threads(name, mode, input, messages);
    }
    let digest = on_kernel(kernel, mode).map_err(NotApplicable)?;
    Ok(Entry::new(name, input, Digest::default(), move |out| {
        for (out, message) in out.iter_mut().zip(black_box(&*messages)) {
            *out = digest(message);
        }
    }))
}

/// Prepares j-pointers of SHA-256 on a thread of each CPU. The threads start now, before this one is bound to
/// a CPU, and so are bound to none.
fn on_threads<'a>(
    name: &str,
    mode: Mode,
    input: &'a Input,
    messages: Rc<[&'a [u8]]>,
) -> Result<Entry<'a>, NotApplicable> {
    let Mode::JPointers { variant, hash: HashName::Sha256, j } = mode else {
        return Err(NotApplicable(format!("threads are those of j-pointers over SHA-256, not of {mode}")));
    };
    let pool = rayon::ThreadPoolBuilder::new().build().map_err(|error| NotApplicable(error.to_string()))?;
    let pool = Rc::new(pool);
    if pool.current_num_threads() < 2 {
        return Err(NotApplicable("there is one CPU".into()));
    }
    let function = JPointers::<a::Sha256>::with_variant(j.get().into(), variant);
    let entry = Entry::new(name, input, Digest::default(), move |out| {
        for (out, message) in out.iter_mut().zip(black_box(&*messages)) {
            *out = Digest::of(pool.install(|| function.digest_parallel(message)));
        }
    });
    Ok(entry.threads(Threads::Own))
}

/// Prepares the root of each of the input's messages.
pub(super) fn enter_merkle<'a, P: Preset + 'static>(
    name: &str,
    preset: P,
    root: fn(P::Output) -> [u8; 32],
    input: &'a Input,
) -> Entry<'a> {
    let messages: Rc<[&[u8]]> = input.messages().into();
    Entry::new(name, input, [0u8; 32], move |out| {
        for (out, message) in out.iter_mut().zip(black_box(&*messages)) {
            *out = root(preset.digest(message).expect("every message has a root"));
        }
    })
}

/// A mode on a kernel of its hash.
fn on_kernel(kernel: &str, mode: Mode) -> Result<OnKernel, String> {
    let of_hash = |hash| match hash {
        HashName::Sha1 => forced::<a::Sha1>(kernel, mode),
        HashName::Sha256 => forced::<a::Sha256>(kernel, mode),
        HashName::Sha384 => forced::<a::Sha384>(kernel, mode),
        HashName::Sha512 => forced::<a::Sha512>(kernel, mode),
    };
    match mode {
        Mode::JLanes { hash, .. } | Mode::JPointers { hash, .. } => of_hash(hash),
        Mode::MhSha1 => multi_hash::<a::Sha1>(kernel),
        Mode::MhSha256 => multi_hash::<a::Sha256>(kernel),
        Mode::ParallelHash => {
            let kernel = named::<a::Sha384>(kernel)?;
            Ok(Rc::new(move |message| Digest::of(parallel_hash_on(kernel, message).expect("digested above"))))
        }
        _ => Err(format!("{} is forced on no kernel", Hash::Tree(mode).name())),
    }
}

fn named<A: TreeAlgorithm>(kernel: &str) -> Result<&'static hashlanes::kernels::Kernel<A::Function>, String> {
    A::Function::table().named(kernel).map_err(|error| error.to_string())
}

/// j-lanes or j-pointers.
fn forced<A: TreeAlgorithm>(kernel: &str, mode: Mode) -> Result<OnKernel, String> {
    let kernel = named::<A>(kernel)?;
    match mode {
        Mode::JLanes { variant, j, .. } => {
            let function = JLanes::<A>::with_variant(j.get().into(), variant).on(kernel);
            Ok(Rc::new(move |message| Digest::of(function.digest(message))))
        }
        Mode::JPointers { variant, j, .. } => {
            let function = JPointers::<A>::with_variant(j.get().into(), variant).on(kernel);
            Ok(Rc::new(move |message| Digest::of(function.digest(message))))
        }
        _ => Err(format!("{mode} has no form over {}", A::HASH)),
    }
}

fn multi_hash<A>(kernel: &str) -> Result<OnKernel, String>
where
    A: TreeAlgorithm<Function: Function<Word = u32>>,
{
    let kernel = named::<A>(kernel)?;
    Ok(Rc::new(move |message| {
        let mut hasher = Mh::<A>::with_kernel(kernel);
        hasher.update(message);
        let words = hasher.finish();
        Digest(words.as_ref().iter().flat_map(|word| word.to_be_bytes()).collect())
    }))
}
