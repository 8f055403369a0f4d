//! The modes: the function that the arguments select.

use std::ops::Range;

use digest::Digest;
use hashlanes::Hasher;
use hashlanes::algorithms::{Sha1, Sha256, Sha384, Sha512};
use hashlanes::tree::merkle::{Bep52, Glacier, MerkleError, Rfc6962, Rfc6962Leaves, S3Composite, Ssz};
use hashlanes::tree::{
    HashName, JPointers, Mode, Tree, TreeAlgorithm, TreeError, Variant, parallel_hash_slice_bytes,
};
use md5::Md5;

use super::arguments::{TreeArgs, in_memory};
use super::input::Failure;
use super::mode::{Function, chained, sharing};
use super::objects::{Encoding, Objects};
use super::proof_writing::{Proving, prove};
use super::reading::Reading;
use super::tree_out::TreeOut;
use super::verity;
use hashlanes_formats::encoding::hex;
use hashlanes_formats::hash::Hash;
use hashlanes_formats::nearest::nearest;

/// The modes that are not a [`Mode`] of the library.
const MERKLE: [&str; 12] = [
    "fs-verity",
    "dm-verity",
    "bep52",
    "glacier",
    "s3-composite",
    "s3-etag",
    "rfc6962",
    "ssz",
    "git-sha1",
    "git-sha256",
    "nix-nar",
    "ipfs",
];

/// The modes with a fixed name: those of the library, and [`MERKLE`].
fn fixed_names() -> Vec<&'static str> {
    [&["mh_sha1", "mh_sha256", "parallel_hash"][..], &MERKLE].concat()
}

/// Returns the function for the arguments.
///
/// # Errors
/// If the mode is unknown or its options are wrong.
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

/// Parses a mode of the library.
///
/// # Errors
/// If the name is unknown; the message suggests the nearest one.
fn named(name: &str) -> Result<Mode, String> {
    if let Some(hash) = Hash::typed(name) {
        return Err(format!(
            "unknown tree mode {name:?}; `hashlanes sum -a {}` prints the plain hash",
            hash.name()
        ));
    }
    name.parse().map_err(|_: TreeError| match meant(name) {
        Some(meant) => format!("unknown tree mode {name:?}; did you mean {meant}?"),
        None => format!(
            "unknown tree mode {name:?}; expected one of jlanes-v1-HASH-J, jpointers-v1-HASH-J, {} (see `hashlanes \
             help tree`)",
            fixed_names().join(", ")
        ),
    })
}

/// Returns the mode that is nearest to a name: one of this project with the parts of the name, or one of
/// [`fixed_names`].
fn meant(name: &str) -> Option<String> {
    let mut parts = name.split(['-', '_']);
    let family = nearest(parts.next().unwrap_or_default(), ["jlanes", "jpointers"]);
    let Some(family) = family else { return nearest(name, fixed_names()).map(str::to_owned) };
    let parts: Vec<&str> = parts.collect();
    let hashes = HashName::ALL.iter().map(|hash| hash.name());
    let hash = parts.iter().find_map(|part| nearest(part, hashes.clone())).unwrap_or("sha256");
    let j = parts.iter().filter_map(|part| part.parse::<u8>().ok()).find(|j| *j > 0).unwrap_or(16);
    Some(format!("{family}-v1-{hash}-{j}"))
}

/// The reason why such a mode is refused.
fn unsound(name: &str, variant: Variant) -> String {
    let why = match variant {
        Variant::V1SinglePrefix => "a lane's digest is also the result of another message",
        _ => "the result is also the plain hash of another message",
    };
    format!("{name} is not secure: {why}; --i-know allows it, to reproduce published figures")
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
        Mode::ParallelHash => sharing(move |reading| match known_length(reading, length)? {
            Some(n_bytes) => parallel_hash(reading, n_bytes),
            None => streamed(mode, length, reading),
        }),
        _ => chained(move |reading| streamed(mode, length, reading)),
    }
}

/// Hashes a message from its first byte to its last.
fn streamed(mode: Mode, length: Option<u64>, reading: &Reading<'_>) -> Result<String, Failure> {
    let tree = Tree::new(mode);
    if mode.needs_length() && length.is_none() {
        return Err(Failure::message(format!(
            "{mode} needs the length of its input; give it with --length N"
        )));
    }
    let mut hasher = tree.hasher(length).map_err(Failure::message)?;
    reading.stream(&mut |part| hasher.update(part).map_err(Failure::message))?;
    Ok(hasher.finish().map_err(Failure::message)?.to_string())
}

/// Returns the length of a regular file, which must equal --length if given.
fn known_length(reading: &Reading<'_>, said: Option<u64>) -> Result<Option<u64>, Failure> {
    match (reading.input.n_bytes(), said) {
        (Some(n_bytes), Some(said)) if n_bytes != said => {
            Err(Failure::message(TreeError::Length { said, came: n_bytes }))
        }
        (n_bytes, _) => Ok(n_bytes),
    }
}

fn j_pointers<A: TreeAlgorithm>(mode: Mode, j: usize, variant: Variant, length: Option<u64>) -> Function {
    let jpointers = JPointers::<A>::with_variant(j, variant);
    sharing(move |reading| {
        let Some(n_bytes) = known_length(reading, length)? else {
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
    /// In the function's own form.
    const SLICES: u64 = 8;
    let slice_bytes = parallel_hash_slice_bytes(n_bytes).map_err(Failure::message)?;
    let slices: Vec<Range<u64>> = (0..SLICES).map(|i| i * slice_bytes..(i + 1) * slice_bytes).collect();
    let digests = reading.slices::<Sha384>(vec![Hasher::new(); SLICES as usize], &slices)?;
    let mut last = Hasher::<Sha384>::new();
    last.update(digests.as_flattened());
    reading.rest(SLICES * slice_bytes..n_bytes, &mut |part| last.update(part))?;
    reading.input.check_end()?;
    Ok(hex(&last.finish()))
}

/// Returns the library's words for wrong parameters.
fn merkle(args: &TreeArgs) -> Result<Function, String> {
    let parameters = &args.parameters;
    let text = |error: MerkleError| error.to_string();
    match args.mode.as_str() {
        "fs-verity" => verity::fs_verity(args),
        "dm-verity" => verity::dm_verity(args),
        "bep52" => bep52(args),
        "glacier" => Ok(sharing(|reading| Ok(hex(&reading.leaves(&Glacier::new(), |_| ())?)))),
        "s3-composite" => {
            let part_bytes = parameters.part_size.ok_or("--part-size is required")?;
            let preset = S3Composite::new(in_memory("part size", part_bytes)?).map_err(text)?;
            Ok(sharing(move |reading| Ok(reading.leaves(&preset, |_| ())?.to_string())))
        }
        "s3-etag" => s3_etag(args),
        "git-sha1" => Ok(objects(Objects::GitSha1, args.length)),
        "git-sha256" => Ok(objects(Objects::GitSha256, args.length)),
        "nix-nar" => Ok(objects(Objects::Nar(parameters.encoding.unwrap_or(Encoding::Sri)), args.length)),
        "ipfs" => Ok(objects(Objects::Ipfs, None)),
        "rfc6962" => rfc6962(args),
        _ => {
            let preset = parameters.limit.map_or_else(Ssz::new, Ssz::with_limit);
            let preset = match parameters.mix_in_length {
                Some(length) => preset.mix_in_length(length),
                None => preset,
            };
            Ok(chained(move |reading| Ok(hex(&reading.leaves(&preset, |_| ())?))))
        }
    }
}

fn objects(objects: Objects, length: Option<u64>) -> Function {
    chained(move |reading| objects.name_of_stream(reading, length)).of_objects(objects)
}

/// The tag that Amazon S3 gives an object of several parts: MD5 of the digests of all parts, and their
/// number.
fn s3_etag(args: &TreeArgs) -> Result<Function, String> {
    let part_bytes = args.parameters.part_size.ok_or("--part-size is required")?;
    if part_bytes == 0 {
        return Err("--part-size must not be zero".into());
    }
    Ok(chained(move |reading| {
        let (mut part, mut digests) = (Md5::new(), Vec::new());
        let mut left = part_bytes;
        reading.stream(&mut |content| {
            let mut content = content;
            while !content.is_empty() {
                if left == 0 {
                    digests.extend_from_slice(&part.finalize_reset());
                    left = part_bytes;
                }
                let n = (content.len() as u64).min(left) as usize;
                let (now, later) = content.split_at(n);
                part.update(now);
                left -= n as u64;
                content = later;
            }
            Ok(())
        })?;
        // An empty object is one empty part.
        digests.extend_from_slice(&part.finalize_reset());
        Ok(format!("{}-{}", hex(&Md5::digest(&digests)), digests.len() / 16))
    }))
}

fn bep52(args: &TreeArgs) -> Result<Function, String> {
    let tree_out = args.parameters.tree_out.clone();
    let piece_bytes = match args.parameters.piece_length {
        None if tree_out.is_some() => {
            return Err("--tree-out requires --piece-length: it writes the piece layer".into());
        }
        // Without a layer to write, all lengths give the same root.
        given => given.unwrap_or(1 << 63),
    };
    let preset = Bep52::new(piece_bytes).map_err(|error| error.to_string())?;
    Ok(sharing(move |reading| {
        let file = reading.leaves(&preset, |_| ())?;
        if let Some(path) = &tree_out {
            let layer = file.piece_layer.as_flattened();
            let mut out = TreeOut::create(path, reading.input, layer.len() as u64)?;
            out.write(layer, 0);
            out.end()?;
        }
        Ok(hex(&file.root))
    }))
}

fn rfc6962(args: &TreeArgs) -> Result<Function, String> {
    let leaf_bytes = args.parameters.leaf_size.map(|n_bytes| in_memory("leaf size", n_bytes)).transpose()?;
    let preset = leaf_bytes.map(Rfc6962::with_leaf_bytes).transpose().map_err(|error| error.to_string())?;
    let proving = args.parameters.prove.as_deref().map(Proving::of).transpose()?;
    let is_cut = preset.is_some();
    let run = move |reading: &Reading<'_>| {
        if let Some(proving) = proving {
            return prove(reading, preset.as_ref(), proving);
        }
        let tree = match &preset {
            Some(preset) => reading.leaves(preset, |_| ())?,
            None => {
                let mut leaves = Rfc6962Leaves::new();
                reading.lines(&mut leaves)?;
                leaves.finish()
            }
        };
        Ok(hex(&tree.root))
    };
    Ok(if is_cut { sharing(run) } else { chained(run) })
}
