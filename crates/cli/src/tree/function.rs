//! A mode with its parameters: what it makes of a file.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use hashlanes::algorithms::{Sha1, Sha256, Sha384, Sha512};
use hashlanes::tree::merkle::{
    Bep52, BlockLayout, DmVerity, FsVerity, FsVerityAlgorithm, Glacier, MerkleError, Nodes, Rfc6962,
    Rfc6962Leaves, S3Composite, Ssz,
};
use hashlanes::tree::{HashName, JPointers, Mode, Tree, TreeAlgorithm, Variant, parallel_hash_slice_bytes};
use hashlanes::{Algorithm, Hasher};

use super::arguments::TreeArgs;
use super::input::Failure;
use super::proof::{Proving, prove};
use super::reading::Reading;
use crate::hex::{bytes_of_hex, hex};

/// What a mode makes of a file: what stands before its name.
pub(super) type Function = Box<dyn Fn(&Reading<'_>) -> Result<String, Failure> + Sync>;

/// The modes that are not the library's [`Mode`].
const MERKLE: [&str; 7] = ["fs-verity", "dm-verity", "bep52", "glacier", "s3-composite", "rfc6962", "ssz"];

/// The function that the arguments ask for, or what is wrong with them.
pub(super) fn function(args: &TreeArgs) -> Result<Function, String> {
    let name = args.mode.as_str();
    let is_merkle = MERKLE.contains(&name);
    let mode = if is_merkle { None } else { Some(named(name)?) };
    if let Some(wrong) = args.misplaced(name) {
        return Err(wrong);
    }
    match mode {
        None => merkle(args).map_err(|error| format!("{name}: {error}")),
        Some(mode) => match mode.variant() {
            Some(variant) if !variant.is_sound() && !args.i_know => Err(unsound(name, variant)),
            _ => Ok(of_mode(mode, args.length)),
        },
    }
}

fn named(name: &str) -> Result<Mode, String> {
    name.parse().map_err(|error: hashlanes::tree::TreeError| format!("{error}, {}", MERKLE.join(", ")))
}

/// Why such a mode is refused, in the words of the library's documentation.
fn unsound(name: &str, variant: Variant) -> String {
    let why = match variant {
        Variant::V1SinglePrefix => "a lane's digest is also the result of another message",
        _ => "the result is also the plain hash of another message",
    };
    format!("{name} is not sound: {why}; it is here to reproduce published figures (--i-know)")
}

fn of_mode(mode: Mode, length: Option<u64>) -> Function {
    match mode {
        Mode::JPointers { variant, hash, j } => {
            let j = usize::from(j.get());
            match hash {
                HashName::Sha1 => j_pointers::<Sha1>(mode, j, variant, length),
                HashName::Sha256 => j_pointers::<Sha256>(mode, j, variant, length),
                HashName::Sha384 => j_pointers::<Sha384>(mode, j, variant, length),
                HashName::Sha512 => j_pointers::<Sha512>(mode, j, variant, length),
            }
        }
        Mode::ParallelHash => Box::new(move |reading| match reading.input.n_bytes() {
            Some(n_bytes) => parallel_hash(reading, n_bytes),
            None => streamed(mode, length, reading),
        }),
        _ => Box::new(move |reading| streamed(mode, length, reading)),
    }
}

/// A message from its first byte to its last.
fn streamed(mode: Mode, length: Option<u64>, reading: &Reading<'_>) -> Result<String, Failure> {
    let tree = Tree::new(mode);
    if mode.needs_length() && length.is_none() {
        return Err(Failure::said(format!("{mode} must know the length beforehand: --length N")));
    }
    let mut hasher = tree.hasher(length).map_err(Failure::said)?;
    reading.stream(&mut |part| hasher.update(part).map_err(Failure::said))?;
    Ok(hasher.finish().map_err(Failure::said)?.to_string())
}

fn j_pointers<A: TreeAlgorithm>(mode: Mode, j: usize, variant: Variant, length: Option<u64>) -> Function {
    let jpointers = JPointers::<A>::with_variant(j, variant);
    Box::new(move |reading| {
        let Some(n_bytes) = reading.input.n_bytes() else {
            return streamed(mode, length, reading);
        };
        let slice_bytes = jpointers.slice_bytes(n_bytes);
        let slices: Vec<Range<u64>> = (0..j as u64)
            .map(|i| (i * slice_bytes).min(n_bytes)..((i + 1) * slice_bytes).min(n_bytes))
            .collect();
        let hashers = (0..j).map(|i| jpointers.slice_hasher(i)).collect();
        let digests = reading.slices(hashers, &slices)?;
        reading.input.check_end()?;
        Ok(hex(jpointers.wrap(&digests).as_ref()))
    })
}

fn parallel_hash(reading: &Reading<'_>, n_bytes: u64) -> Result<String, Failure> {
    /// As the function has it.
    const SLICES: u64 = 8;
    let slice_bytes = parallel_hash_slice_bytes(n_bytes).map_err(Failure::said)?;
    let slices: Vec<Range<u64>> = (0..SLICES).map(|i| i * slice_bytes..(i + 1) * slice_bytes).collect();
    let digests = reading.slices::<Sha384>(vec![Hasher::new(); SLICES as usize], &slices)?;
    let mut last = Hasher::<Sha384>::new();
    last.update(digests.as_flattened());
    reading.rest(SLICES * slice_bytes..n_bytes, &mut |part| last.update(part))?;
    reading.input.check_end()?;
    Ok(hex(&last.finish()))
}

/// The library's words for wrong parameters.
fn merkle(args: &TreeArgs) -> Result<Function, String> {
    let parameters = &args.parameters;
    let text = |error: MerkleError| error.to_string();
    match args.mode.as_str() {
        "fs-verity" => match hash(args, &["sha256", "sha512"])?.as_str() {
            "sha256" => fs_verity::<Sha256>(args),
            _ => fs_verity::<Sha512>(args),
        },
        "dm-verity" => match hash(args, &["sha256", "sha512", "sha1", "sha384"])?.as_str() {
            "sha1" => dm_verity::<Sha1>(args),
            "sha256" => dm_verity::<Sha256>(args),
            "sha384" => dm_verity::<Sha384>(args),
            _ => dm_verity::<Sha512>(args),
        },
        "bep52" => bep52(args),
        "glacier" => Ok(Box::new(|reading| Ok(hex(&reading.leaves(&Glacier::new(), |_| ())?)))),
        "s3-composite" => {
            let part_bytes = parameters.part_size.ok_or("--part-size is needed: bytes of a part")?;
            let preset = S3Composite::new(in_memory("part size", part_bytes)?).map_err(text)?;
            Ok(Box::new(move |reading| Ok(reading.leaves(&preset, |_| ())?.to_string())))
        }
        "rfc6962" => rfc6962(args),
        _ => {
            let preset = parameters.limit.map_or_else(Ssz::new, Ssz::with_limit);
            let preset = match parameters.mix_in_length {
                Some(length) => preset.mix_in_length(length),
                None => preset,
            };
            Ok(Box::new(move |reading| Ok(hex(&reading.leaves(&preset, |_| ())?))))
        }
    }
}

/// The hash that is asked for, one of these; the first one if none is.
fn hash(args: &TreeArgs, known: &[&str]) -> Result<String, String> {
    let typed = args.parameters.hash.as_deref().unwrap_or(known[0]);
    let name = typed.to_lowercase();
    if known.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(format!("--hash {typed}: there is {}", known.join(", ")))
}

fn block_bytes(args: &TreeArgs) -> Result<usize, String> {
    in_memory("block size", args.parameters.block_size.unwrap_or(4096))
}

fn in_memory(what: &str, n_bytes: u64) -> Result<usize, String> {
    usize::try_from(n_bytes)
        .map_err(|_| format!("{what}: {n_bytes} bytes are more than this machine can address"))
}

fn salt(args: &TreeArgs) -> Result<Vec<u8>, String> {
    match args.parameters.salt.as_deref() {
        None | Some("-") => Ok(Vec::new()),
        Some(typed) => bytes_of_hex(typed)
            .ok_or_else(|| format!("--salt {typed}: not an even number of hexadecimal digits")),
    }
}

fn fs_verity<A: FsVerityAlgorithm>(args: &TreeArgs) -> Result<Function, String> {
    let preset = FsVerity::<A>::new(block_bytes(args)?, &salt(args)?).map_err(|error| error.to_string())?;
    let tree_out = args.parameters.tree_out.clone();
    Ok(Box::new(move |reading| {
        let file = match &tree_out {
            None => reading.leaves(&preset, |_| ())?,
            Some(path) => {
                let mut out = LevelsFile::create(path, preset.layout(length_of(reading)?), &[])?;
                let file = reading.leaves(&preset, |nodes| out.write(nodes))?;
                out.end()?;
                file
            }
        };
        Ok(hex(file.digest.as_ref()))
    }))
}

fn dm_verity<A: Algorithm>(args: &TreeArgs) -> Result<Function, String> {
    let block_bytes = block_bytes(args)?;
    let preset = DmVerity::<A>::new(block_bytes, &salt(args)?).map_err(|error| error.to_string())?;
    let parameters = &args.parameters;
    let uuid = match parameters.uuid.as_deref() {
        Some(typed) => Some(uuid_of(typed)?),
        None if parameters.no_superblock || parameters.tree_out.is_none() => None,
        None => Some(random_uuid()?),
    };
    let tree_out = parameters.tree_out.clone();
    Ok(Box::new(move |reading| {
        let Some(path) = &tree_out else {
            return Ok(hex(reading.leaves(&preset, |_| ())?.as_ref()));
        };
        let n_bytes = length_of(reading)?;
        if n_bytes == 0 || !n_bytes.is_multiple_of(block_bytes as u64) {
            // Refused before a file is begun.
            return Err(Failure::said(MerkleError::NotWholeBlocks { len_bytes: n_bytes, block_bytes }));
        }
        let n_blocks = n_bytes / block_bytes as u64;
        let mut head = Vec::new();
        if let Some(uuid) = uuid {
            head.extend_from_slice(&preset.superblock(uuid, n_blocks));
            head.resize(block_bytes, 0);
        }
        let mut out = LevelsFile::create(path, preset.layout(n_blocks), &head)?;
        let root = reading.leaves(&preset, |nodes| out.write(nodes))?;
        out.end()?;
        Ok(hex(root.as_ref()))
    }))
}

/// The length that must be known where levels are written: their places depend on it.
fn length_of(reading: &Reading<'_>) -> Result<u64, Failure> {
    let must_know = || Failure::said("--tree-out needs a file whose length is known, no stream");
    reading.input.n_bytes().ok_or_else(must_know)
}

/// `01234567-89ab-cdef-0123-456789abcdef`, with hyphens or without.
fn uuid_of(typed: &str) -> Result<[u8; 16], String> {
    let hyphens: Vec<usize> = typed.match_indices('-').map(|(at, _)| at).collect();
    let digits = typed.replace('-', "");
    let uuid = bytes_of_hex(&digits).filter(|_| hyphens.is_empty() || hyphens == [8, 13, 18, 23]);
    uuid.and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| format!("--uuid {typed}: not a UUID such as 01234567-89ab-cdef-0123-456789abcdef"))
}

/// Version 4 of RFC 9562.
fn random_uuid() -> Result<[u8; 16], String> {
    let mut uuid = [0; 16];
    let random = rustix::rand::getrandom(&mut uuid, rustix::rand::GetRandomFlags::empty());
    if random != Ok(16) {
        return Err("no random number for a UUID; give one by --uuid".into());
    }
    uuid[6] = uuid[6] & 0x0f | 0x40;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    Ok(uuid)
}

/// A file that gets the levels of a tree, each digest at its place, as they come.
struct LevelsFile<'p> {
    path: &'p Path,
    file: File,
    layout: BlockLayout,
    head_bytes: u64,
    /// The first failure.
    failure: Option<std::io::Error>,
}

impl<'p> LevelsFile<'p> {
    /// A file of zeros, `head` before them.
    fn create(path: &'p PathBuf, layout: BlockLayout, head: &[u8]) -> Result<Self, Failure> {
        let head_bytes = head.len() as u64;
        let file = File::create(path).and_then(|file| {
            file.set_len(head_bytes + layout.n_bytes)?;
            file.write_all_at(head, 0)?;
            Ok(file)
        });
        let file = file.map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path, file, layout, head_bytes, failure: None })
    }

    fn write(&mut self, nodes: Nodes<'_>) {
        if let (Some(at), None) = (self.layout.place(&nodes), &self.failure) {
            self.failure = self.file.write_all_at(nodes.digests, self.head_bytes + at).err();
        }
    }

    fn end(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), |error| Err(cannot_write(self.path, &error)))
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    let reason = rustix::io::Errno::from_io_error(error);
    let reason = reason.map_or_else(|| error.to_string(), crate::message::reason);
    Failure::said(format!("cannot write {}: {reason}", path.display()))
}

fn bep52(args: &TreeArgs) -> Result<Function, String> {
    let tree_out = args.parameters.tree_out.clone();
    let piece_bytes = match args.parameters.piece_length {
        None if tree_out.is_some() => {
            return Err("--tree-out writes the piece layer: --piece-length is needed".into());
        }
        // Without a layer to write, all lengths give the same root.
        given => given.unwrap_or(1 << 63),
    };
    let preset = Bep52::new(piece_bytes).map_err(|error| error.to_string())?;
    Ok(Box::new(move |reading| {
        let file = reading.leaves(&preset, |_| ())?;
        if let Some(path) = &tree_out {
            std::fs::write(path, file.piece_layer.as_flattened())
                .map_err(|error| cannot_write(path, &error))?;
        }
        Ok(hex(&file.root))
    }))
}

fn rfc6962(args: &TreeArgs) -> Result<Function, String> {
    let leaf_bytes = args.parameters.leaf_size.map(|n_bytes| in_memory("leaf size", n_bytes)).transpose()?;
    let preset = leaf_bytes.map(Rfc6962::with_leaf_bytes).transpose().map_err(|error| error.to_string())?;
    if let Some(typed) = &args.parameters.prove {
        let proving = Proving::of(typed)?;
        return Ok(Box::new(move |reading| prove(reading, preset.as_ref(), proving)));
    }
    Ok(Box::new(move |reading| {
        let tree = match &preset {
            Some(preset) => reading.leaves(preset, |_| ())?,
            None => {
                let mut leaves = Rfc6962Leaves::new();
                reading.lines(&mut |line| leaves.push(line))?;
                leaves.finish()
            }
        };
        Ok(hex(&tree.root))
    }))
}
