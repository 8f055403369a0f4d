//! fs-verity and dm-verity: the tree of a file, written to another file or compared with it.

use std::path::{Path, PathBuf};

use hashlanes::Algorithm;
use hashlanes::algorithms::{Sha1, Sha256, Sha384, Sha512};
use hashlanes::tree::merkle::{DmVerity, FsVerity, FsVerityAlgorithm};
use hashlanes_formats::encoding::{bytes_of_hex, hex};

use super::arguments::{TreeArgs, in_memory};
use super::input::{Failure, Input};
use super::mode::{Function, sharing};
use super::reading::Reading;
use super::superblock::{SUPERBLOCK_BYTES, Superblock};
use super::tree_check::{Stored, TreeCheck, cannot_read};
use super::tree_out::TreeOut;
use crate::platform;
use crate::platform::ffi::OsStrExt;

/// The other file of a tree.
enum Tree {
    /// Only the root is computed.
    None,
    /// It is written.
    To(PathBuf),
    /// It is compared, and the root with this one.
    From(PathBuf, Vec<u8>),
}

impl Tree {
    fn of(args: &TreeArgs) -> Result<Tree, String> {
        let parameters = &args.parameters;
        match (&parameters.tree_out, &parameters.verify_tree) {
            (Some(path), _) => Ok(Tree::To(path.clone())),
            (None, Some(path)) => {
                let typed = parameters.root.as_deref().ok_or("--verify-tree requires --root")?;
                let root = bytes_of_hex(typed);
                let root = root.ok_or("--root: expected hexadecimal digits, two for each byte")?;
                Ok(Tree::From(path.clone(), root))
            }
            (None, None) => Ok(Tree::None),
        }
    }
}

pub(super) fn fs_verity(args: &TreeArgs) -> Result<Function, String> {
    match hash(args, &["sha256", "sha512"])?.as_str() {
        "sha256" => fs_verity_of::<Sha256>(args),
        _ => fs_verity_of::<Sha512>(args),
    }
}

fn fs_verity_of<A: FsVerityAlgorithm>(args: &TreeArgs) -> Result<Function, String> {
    let (block_bytes, tree) = (block_bytes(args)?, Tree::of(args)?);
    let preset = FsVerity::<A>::new(block_bytes, &salt(args)?).map_err(|error| error.to_string())?;
    Ok(sharing(move |reading| {
        let file = match &tree {
            Tree::None => reading.leaves(&preset, |_| ())?,
            Tree::To(path) => {
                let layout = preset.layout(length_of(reading, "--tree-out")?);
                let mut out = TreeOut::create(path, reading.input, layout.n_bytes)?;
                let file = reading.leaves(&preset, |nodes| out.write_nodes(nodes, &layout, 0))?;
                out.end()?;
                file
            }
            Tree::From(path, root) => {
                let n_bytes = length_of(reading, "--verify-tree")?;
                let stored = Stored {
                    path,
                    from: 0,
                    layout: preset.layout(n_bytes),
                    n_chunks: n_bytes.div_ceil(block_bytes as u64),
                    chunk_bytes: block_bytes as u64,
                    slot_bytes: A::DIGEST_BYTES,
                    node_bytes: block_bytes as u64,
                };
                let device = open_tree(path)?;
                let mut check = TreeCheck::begin(stored, &device)?;
                let file = reading.leaves(&preset, |nodes| check.compare(nodes))?;
                check.end(file.digest.as_ref(), root)?;
                file
            }
        };
        Ok(hex(file.digest.as_ref()))
    }))
}

/// The hashes of dm-verity, the default first.
const DM_HASHES: [&str; 4] = ["sha256", "sha512", "sha1", "sha384"];

/// The parameters of a hash device.
#[derive(Clone)]
struct DmParameters {
    hash: String,
    data_block_bytes: usize,
    hash_block_bytes: usize,
    salt: Vec<u8>,
    /// Blocks of the data; all of the file by default.
    n_blocks: Option<u64>,
    /// The place of the superblock, or of the levels if there is no superblock.
    offset: u64,
    has_superblock: bool,
}

impl DmParameters {
    fn of(args: &TreeArgs) -> Result<DmParameters, String> {
        let parameters = &args.parameters;
        let data_block_bytes = block_bytes(args)?;
        let hash_block_bytes = match parameters.hash_block_size {
            Some(n_bytes) => in_memory("hash block size", n_bytes)?,
            None => data_block_bytes,
        };
        let of = DmParameters {
            hash: hash(args, &DM_HASHES)?,
            data_block_bytes,
            hash_block_bytes,
            salt: salt(args)?,
            n_blocks: parameters.data_blocks,
            offset: parameters.hash_offset.unwrap_or(0),
            has_superblock: !parameters.no_superblock,
        };
        DmVerity::<Sha256>::with_hash_blocks(data_block_bytes, hash_block_bytes, &of.salt)
            .map_err(|error| error.to_string())?;
        if of.n_blocks == Some(0) {
            return Err("--data-blocks must not be zero".into());
        }
        // The place of a superblock is a number of sectors; levels begin at a block.
        let unit = if of.has_superblock { SUPERBLOCK_BYTES as u64 } else { hash_block_bytes as u64 };
        if !of.offset.is_multiple_of(unit) {
            return Err(format!("--hash-offset {}: must be a multiple of {unit}", of.offset));
        }
        Ok(of)
    }

    /// Returns these parameters, with what the superblock of a hash device says.
    fn stored_in(&self, path: &Path, device: &Input) -> Result<DmParameters, Failure> {
        if !self.has_superblock {
            return Ok(self.clone());
        }
        let mut block = [0; SUPERBLOCK_BYTES];
        let read = device.read_at(self.offset, &mut block);
        read.map_err(|failure| cannot_read(path, &failure))?;
        let told = |why: String| Failure::message(format!("{}: {why}", path.display()));
        let Superblock { hash, data_block_bytes, hash_block_bytes, n_blocks, salt } =
            Superblock::parse(&block).map_err(told)?;
        if !DM_HASHES.contains(&hash.as_str()) {
            return Err(told(format!("hash {hash:?}: expected one of {}", DM_HASHES.join(", "))));
        }
        let n_blocks = Some(n_blocks);
        Ok(DmParameters { hash, data_block_bytes, hash_block_bytes, salt, n_blocks, ..self.clone() })
    }

    /// Returns where the levels begin: after the superblock, at the start of a block.
    fn levels_from(&self) -> u64 {
        match self.has_superblock {
            true => (self.offset + SUPERBLOCK_BYTES as u64).next_multiple_of(self.hash_block_bytes as u64),
            false => self.offset,
        }
    }

    fn run(&self, reading: &Reading<'_>, job: &Job<'_>) -> Result<String, Failure> {
        match self.hash.as_str() {
            "sha1" => self.run_with::<Sha1>(reading, job),
            "sha256" => self.run_with::<Sha256>(reading, job),
            "sha384" => self.run_with::<Sha384>(reading, job),
            _ => self.run_with::<Sha512>(reading, job),
        }
    }

    fn run_with<A: Algorithm>(&self, reading: &Reading<'_>, job: &Job<'_>) -> Result<String, Failure> {
        let preset =
            DmVerity::<A>::with_hash_blocks(self.data_block_bytes, self.hash_block_bytes, &self.salt)
                .map_err(Failure::message)?;
        let n_bytes = match self.n_blocks {
            Some(n_blocks) => Some(n_blocks.saturating_mul(self.data_block_bytes as u64)),
            // The tree may be written after the data, in the same file.
            None if self.offset > 0 => reading.input.n_bytes(),
            None => None,
        };
        let first = n_bytes.map(|n_bytes| reading.input.first(n_bytes)).transpose()?;
        let reading = &Reading { input: first.as_ref().unwrap_or(reading.input), ..*reading };
        let root = match *job {
            Job::Root => reading.leaves(&preset, |_| ())?,
            Job::Write { path, uuid } => {
                let n_bytes = length_of(reading, "--tree-out")?;
                // Refused before a file is begun.
                let n_blocks = preset.whole_blocks(n_bytes).map_err(Failure::message)?;
                let (layout, from) = (preset.layout(n_blocks), self.levels_from());
                let superblock_bytes = if self.has_superblock { SUPERBLOCK_BYTES as u64 } else { 0 };
                let places = [self.offset..self.offset + superblock_bytes, from..from + layout.n_bytes];
                let mut out = TreeOut::within(path, reading.input, places)?;
                let root = reading.leaves(&preset, |nodes| out.write_nodes(nodes, &layout, from))?;
                // Written last: a file with a superblock is complete.
                if let Some(uuid) = uuid {
                    out.write(&preset.superblock(uuid, n_blocks), self.offset);
                }
                out.end()?;
                root
            }
            Job::Compare { path, device, root: expected } => {
                let n_blocks = preset.whole_blocks(length_of(reading, "--verify-tree")?);
                let n_chunks = n_blocks.map_err(Failure::message)?;
                let stored = Stored {
                    path,
                    from: self.levels_from(),
                    layout: preset.layout(n_chunks),
                    n_chunks,
                    chunk_bytes: self.data_block_bytes as u64,
                    slot_bytes: A::DIGEST_BYTES.next_power_of_two(),
                    node_bytes: self.hash_block_bytes as u64,
                };
                let mut check = TreeCheck::begin(stored, device)?;
                let root = reading.leaves(&preset, |nodes| check.compare(nodes))?;
                check.end(root.as_ref(), expected)?;
                root
            }
        };
        Ok(hex(root.as_ref()))
    }
}

/// The use of a hash device.
enum Job<'j> {
    Root,
    Write { path: &'j Path, uuid: Option<[u8; 16]> },
    Compare { path: &'j Path, device: &'j Input, root: &'j [u8] },
}

pub(super) fn dm_verity(args: &TreeArgs) -> Result<Function, String> {
    let (parameters, tree) = (DmParameters::of(args)?, Tree::of(args)?);
    let uuid = match args.parameters.uuid.as_deref() {
        Some(typed) => Some(uuid_of(typed)?),
        None if !parameters.has_superblock || !matches!(tree, Tree::To(_)) => None,
        None => Some(random_uuid()?),
    };
    Ok(sharing(move |reading| match &tree {
        Tree::None => parameters.run(reading, &Job::Root),
        Tree::To(path) => parameters.run(reading, &Job::Write { path, uuid }),
        Tree::From(path, root) => {
            let device = &open_tree(path)?;
            let stored = parameters.stored_in(path, device)?;
            stored.run(reading, &Job::Compare { path, device, root })
        }
    }))
}

fn open_tree(path: &Path) -> Result<Input, Failure> {
    Input::open(path.as_os_str().as_bytes()).map_err(|failure| cannot_read(path, &failure))
}

/// Returns the length that must be known where levels are written or read: their places depend on it.
fn length_of(reading: &Reading<'_>, option: &str) -> Result<u64, Failure> {
    let must_know = || Failure::message(format!("{option} requires a regular file as input"));
    reading.input.n_bytes().ok_or_else(must_know)
}

/// Returns the requested hash, one of these; the first one by default.
fn hash(args: &TreeArgs, known: &[&str]) -> Result<String, String> {
    let typed = args.parameters.hash.as_deref().unwrap_or(known[0]);
    let name = typed.to_lowercase();
    if known.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(format!("--hash {typed}: unknown; expected one of {}", known.join(", ")))
}

fn block_bytes(args: &TreeArgs) -> Result<usize, String> {
    in_memory("block size", args.parameters.block_size.unwrap_or(4096))
}

fn salt(args: &TreeArgs) -> Result<Vec<u8>, String> {
    match args.parameters.salt.as_deref() {
        None | Some("-") => Ok(Vec::new()),
        Some(typed) => bytes_of_hex(typed)
            .ok_or_else(|| format!("--salt {typed}: expected hexadecimal digits, two for each byte")),
    }
}

/// `01234567-89ab-cdef-0123-456789abcdef`, with hyphens or without.
fn uuid_of(typed: &str) -> Result<[u8; 16], String> {
    let hyphens: Vec<usize> = typed.match_indices('-').map(|(at, _)| at).collect();
    let digits = typed.replace('-', "");
    let uuid = bytes_of_hex(&digits).filter(|_| hyphens.is_empty() || hyphens == [8, 13, 18, 23]);
    uuid.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        format!("--uuid {typed}: expected a UUID such as 01234567-89ab-cdef-0123-456789abcdef")
    })
}

/// Version 4 of RFC 9562.
fn random_uuid() -> Result<[u8; 16], String> {
    let mut uuid = [0; 16];
    platform::random(&mut uuid).map_err(|_| "no random number for a UUID; give one with --uuid")?;
    uuid[6] = uuid[6] & 0x0f | 0x40;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    Ok(uuid)
}
