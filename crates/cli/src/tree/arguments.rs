//! The arguments of `hashlanes tree`, and which of them are for which mode.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::progress::Shown;

/// Hashes files by tree modes: Merkle trees as file systems and clouds have them, and one file in many lanes
///
/// The results are NOT those of the plain hash. Lines are as those of sum: the result, the file.
///
/// Modes of this project, by any hash H of sha1, sha256, sha384, sha512 and any J from 1 to 255:
///   jlanes-v1-H-J      words dealt out to J lanes; the fastest for one file
///   jpointers-v1-H-J   J contiguous slices
/// Modes that are deployed elsewhere, exactly:
///   mh_sha1, mh_sha256   multi-hash of storage software
///   parallel_hash        eight slices and a tail, by SHA-384; from 888 bytes on
///   fs-verity            the file digest of Linux file systems (--hash, --block-size, --salt, --tree-out)
///   dm-verity            the root of Linux block devices (--hash, --block-size, --salt, --tree-out, --uuid, --no-superblock)
///   bep52                pieces root of BitTorrent v2 (--piece-length, --tree-out)
///   glacier              tree hash of Amazon S3 Glacier
///   s3-composite         checksum of checksums of Amazon S3 (--part-size)
///   rfc6962              Certificate Transparency; a leaf is a line, or --leaf-size bytes (--prove, --verify-proof)
///   ssz                  chunks of Ethereum's SimpleSerialize (--limit, --mix-in-length)
///
/// Of j-lanes, mh_sha1, mh_sha256, ssz and lines, a second thread reads ahead, and several files go side by side;
/// of all others the threads share each file. On standard input the chunks and slices of a file go one after the other
/// where they are long (jpointers, parallel_hash, s3-composite).
///
/// Sizes may end in K, M, G or T (KiB, MiB, …), or in KB, MB, GB, TB (powers of 1000). The exit status is 0 if all went well, 1 if something could
/// not be read or did not match, 2 if the command line is wrong.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TreeArgs {
    /// Files to hash, or lists with --check; none or - is standard input
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,

    /// The mode
    #[arg(short, long, value_name = "NAME")]
    pub(super) mode: String,

    /// Threads [default: the CPUs this process may use]
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,

    /// Show how far it is: a bar on a terminal, lines of JSON for programs
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    pub(super) progress: Shown,

    /// End lines with NUL and leave file names unescaped
    #[arg(short, long, conflicts_with_all = ["check", "prove", "verify_proof"])]
    pub(super) zero: bool,

    /// Read results from the files and check them
    #[arg(short, long, help_heading = CHECKING)]
    pub(super) check: bool,

    /// Print no OK
    #[arg(long, help_heading = CHECKING)]
    pub(super) quiet: bool,

    /// Print nothing; the exit status tells
    #[arg(long, help_heading = CHECKING, conflicts_with = "quiet")]
    pub(super) status: bool,

    /// Pass over missing files
    #[arg(long, help_heading = CHECKING, requires = "check")]
    pub(super) ignore_missing: bool,

    /// Fail if a line is improperly formatted
    #[arg(long, help_heading = CHECKING, requires = "check")]
    pub(super) strict: bool,

    /// Name the lines that are improperly formatted
    #[arg(short, long, help_heading = CHECKING, requires = "check")]
    pub(super) warn: bool,

    /// Bytes of standard input or of a pipe, for modes that cut a message by its length
    #[arg(long, value_name = "N", value_parser = size)]
    pub(super) length: Option<u64>,

    /// Allow the variants v1s and v1n (jlanes-v1n-H-J), which reproduce published figures and are not sound
    #[arg(long)]
    pub(super) i_know: bool,

    #[command(flatten)]
    pub(super) parameters: Parameters,
}

const CHECKING: &str = "Checking";

/// Options of single modes.
#[derive(Args)]
#[command(next_help_heading = "Modes' own options")]
pub(super) struct Parameters {
    /// fs-verity: sha256, sha512; dm-verity: these, sha1, sha384 [default: sha256]
    #[arg(long, value_name = "HASH", ignore_case = true)]
    pub(super) hash: Option<String>,

    /// fs-verity, dm-verity: bytes of a block [default: 4096]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) block_size: Option<u64>,

    /// fs-verity, dm-verity: the salt in hexadecimal digits, or - for none [default: none]
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    pub(super) salt: Option<String>,

    /// fs-verity: write the levels; dm-verity: the hash device; bep52: the piece layer
    #[arg(long, value_name = "FILE")]
    pub(super) tree_out: Option<PathBuf>,

    /// dm-verity: the superblock's UUID [default: a random one]
    #[arg(long, value_name = "UUID")]
    pub(super) uuid: Option<String>,

    /// dm-verity: no superblock before the levels
    #[arg(long, conflicts_with = "uuid")]
    pub(super) no_superblock: bool,

    /// bep52: bytes of a piece, a power of two
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) piece_length: Option<u64>,

    /// s3-composite: bytes of a part
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) part_size: Option<u64>,

    /// rfc6962: bytes of a leaf [default: a leaf is a line, without its end]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) leaf_size: Option<u64>,

    /// ssz: chunks that there is room for [default: as many as there are]
    #[arg(long, value_name = "CHUNKS", value_parser = size)]
    pub(super) limit: Option<u64>,

    /// ssz: mix in the length of a list
    #[arg(long, value_name = "LENGTH")]
    pub(super) mix_in_length: Option<u64>,

    /// rfc6962: print a proof that leaf INDEX (from 0) is in the tree, or that the tree begins with its FIRST leaves
    #[arg(long, value_name = "inclusion=INDEX|consistency=FIRST", conflicts_with = "check")]
    pub(super) prove: Option<String>,

    /// rfc6962: the files are proofs; check them against --root
    #[arg(long, requires = "root", conflicts_with_all = ["check", "prove"])]
    pub(super) verify_proof: bool,

    /// rfc6962: the root that is trusted, in hexadecimal digits: of the tree, or of the older tree
    #[arg(long, value_name = "HEX", requires = "verify_proof")]
    pub(super) root: Option<String>,

    /// rfc6962: leaves of the tree, which a log signs with its root; without it, the proof's own number is shown as an if
    #[arg(long, value_name = "N", requires = "verify_proof")]
    pub(super) tree_size: Option<u64>,

    /// rfc6962: the leaf that a proof of inclusion must be of, as the bytes of FILE; a line is a leaf without its newline
    #[arg(long, value_name = "FILE", requires = "verify_proof")]
    pub(super) leaf: Option<PathBuf>,

    /// rfc6962: the number of that leaf, from 0; a proof of inclusion is checked for --leaf, --index, or both
    #[arg(long, value_name = "N", requires = "verify_proof")]
    pub(super) index: Option<u64>,

    /// rfc6962: the newer tree's root that is trusted, in hexadecimal digits
    #[arg(long, value_name = "HEX", requires = "verify_proof")]
    pub(super) new_root: Option<String>,
}

impl TreeArgs {
    /// What is of no use without something that is not given.
    pub(super) fn useless(&self) -> Option<&'static str> {
        let Parameters { tree_out, uuid, no_superblock, verify_proof, leaf_size, .. } = &self.parameters;
        let alone = |given: bool, words| given.then_some(words);
        alone(
            (uuid.is_some() || *no_superblock) && tree_out.is_none(),
            "--uuid and --no-superblock are of use with --tree-out",
        )
        .or(alone(
            (self.quiet || self.status) && !self.check && !verify_proof,
            "--quiet and --status are for checking",
        ))
        .or(alone(*verify_proof && leaf_size.is_some(), "--leaf-size: a proof is checked without the leaves"))
        .or(alone(tree_out.is_some() && self.check, "--tree-out does not go with --check"))
        .or(alone(
            tree_out.is_some() && self.files.len() > 1,
            "--tree-out is for one file, whose tree it gets",
        ))
        .or(alone(
            self.parameters.leaf.as_deref() == Some(std::path::Path::new("-"))
                && (self.files.is_empty() || self.files.iter().any(|name| name == "-")),
            "--leaf -: standard input is a proof already",
        ))
        .or(alone(
            tree_out.as_deref() == Some(std::path::Path::new("-")),
            "--tree-out -: a tree is written to a file",
        ))
    }

    /// The first option that is given and not for this mode, with those it is for.
    pub(super) fn misplaced(&self, mode: &str) -> Option<String> {
        let Parameters { hash, block_size, salt, tree_out, uuid, no_superblock, .. } = &self.parameters;
        let Parameters { piece_length, part_size, leaf_size, limit, mix_in_length, .. } = &self.parameters;
        let Parameters { prove, verify_proof, .. } = &self.parameters;
        const BLOCKS: &[&str] = &["fs-verity", "dm-verity"];
        let options: [(&str, bool, &[&str]); 20] = [
            ("--hash", hash.is_some(), BLOCKS),
            ("--block-size", block_size.is_some(), BLOCKS),
            ("--salt", salt.is_some(), BLOCKS),
            ("--tree-out", tree_out.is_some(), &["fs-verity", "dm-verity", "bep52"]),
            ("--uuid", uuid.is_some(), &["dm-verity"]),
            ("--no-superblock", *no_superblock, &["dm-verity"]),
            ("--piece-length", piece_length.is_some(), &["bep52"]),
            ("--part-size", part_size.is_some(), &["s3-composite"]),
            ("--leaf-size", leaf_size.is_some(), &["rfc6962"]),
            ("--limit", limit.is_some(), &["ssz"]),
            ("--mix-in-length", mix_in_length.is_some(), &["ssz"]),
            ("--prove", prove.is_some(), &["rfc6962"]),
            ("--verify-proof", *verify_proof, &["rfc6962"]),
            ("--root", self.parameters.root.is_some(), &["rfc6962"]),
            ("--tree-size", self.parameters.tree_size.is_some(), &["rfc6962"]),
            ("--leaf", self.parameters.leaf.is_some(), &["rfc6962"]),
            ("--index", self.parameters.index.is_some(), &["rfc6962"]),
            ("--new-root", self.parameters.new_root.is_some(), &["rfc6962"]),
            ("--length", self.length.is_some(), &["jpointers", "parallel_hash"]),
            ("--i-know", self.i_know, &["jlanes", "jpointers"]),
        ];
        let family = if mode.starts_with("jlanes-") {
            "jlanes"
        } else if mode.starts_with("jpointers-") {
            "jpointers"
        } else {
            mode
        };
        let (option, _, modes) =
            options.iter().find(|(_, given, modes)| *given && !modes.contains(&family))?;
        Some(format!("{option} is for {}, not for {mode}", modes.join(", ")))
    }
}

/// A number of bytes or chunks: `4096`, `4K`, `4KiB`, `4KB`, as GNU's tools have it.
fn size(typed: &str) -> Result<u64, String> {
    let digits = typed.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = typed[digits.len()..].to_ascii_uppercase();
    let power = "KMGT".find(unit.chars().next().unwrap_or(' ')).map_or(0, |at| at as u32 + 1);
    let base: u64 = match unit.get(power.min(1) as usize..).unwrap_or_default() {
        "" | "IB" => 1024,
        "B" if power > 0 => 1000,
        _ => return Err("not a number, with K, M, G or T behind it if need be".into()),
    };
    let number: u64 = digits.parse().map_err(|_| {
        match digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            true => String::from("not a number, with K, M, G or T behind it if need be"),
            false => "too great a number".into(),
        }
    })?;
    number.checked_mul(base.pow(power)).ok_or_else(|| "too great a number".into())
}
