//! The arguments of `hashlanes tree`, and the modes that they are for.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::objects::Encoding;
use crate::help_text::list;
use crate::progress::Shown;

/// Computes Merkle trees of files, and hashes large files in lanes.
#[derive(Args)]
#[command(long_about = long_about(), after_help = list("Examples:", &[
    ("hashlanes tree -m fs-verity --salt 5a17 a.apk", "Compute what `fsverity digest --compact --salt=5a17` prints"),
    ("hashlanes tree -m jlanes-v1-sha256-16 disk.img > LIST", "Hash one large file in lanes"),
    ("hashlanes tree -m jlanes-v1-sha256-16 -c LIST", "Check it"),
    ("hashlanes tree -m git-sha1 photos", "Compute the tree that git would record for a directory"),
    ("hashlanes tree -m bep52 --piece-length 64K disk.img", "Compute the root of a file in a torrent"),
]))]
pub(crate) struct TreeArgs {
    /// Files to hash, or lists with --check [default: standard input, also named -]
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<OsString>,

    /// Mode, from the list above
    #[arg(short, long, value_name = "NAME")]
    pub(super) mode: String,

    /// Number of threads [default: all CPUs]
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,

    /// Show progress: a bar on a terminal, or lines of JSON
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto")]
    pub(super) progress: Shown,

    /// End lines with NUL and leave file names unescaped
    #[arg(short, long, conflicts_with_all = ["check", "prove", "verify_proof"])]
    pub(super) zero: bool,

    /// Read lists from the files and check them
    #[arg(short, long, help_heading = CHECKING)]
    pub(super) check: bool,

    /// Do not print OK for each file
    #[arg(long, help_heading = CHECKING)]
    pub(super) quiet: bool,

    /// Print nothing; report by the exit status
    #[arg(long, help_heading = CHECKING, conflicts_with = "quiet")]
    pub(super) status: bool,

    /// Skip missing files
    #[arg(long, help_heading = CHECKING, requires = "check")]
    pub(super) ignore_missing: bool,

    /// Fail if a line is improperly formatted
    #[arg(long, help_heading = CHECKING, requires = "check")]
    pub(super) strict: bool,

    /// Report improperly formatted lines
    #[arg(short, long, help_heading = CHECKING, requires = "check")]
    pub(super) warn: bool,

    /// Length of standard input or of a pipe in bytes, for modes that need it first
    #[arg(long, value_name = "N", value_parser = size)]
    pub(super) length: Option<u64>,

    /// Allow the variants v1s and v1n (jlanes-v1n-H-J), which are not secure, to reproduce published figures
    #[arg(long)]
    pub(super) i_know: bool,

    #[command(flatten)]
    pub(super) parameters: Parameters,
}

const CHECKING: &str = "Checking";

fn long_about() -> String {
    let ours = list(
        "Modes of this project, over a hash H of sha1, sha256, sha384, sha512, with J from 1 to 255:",
        &[
            ("jlanes-v1-H-J", "Words dealt to J lanes; the fastest mode for one file"),
            ("jpointers-v1-H-J", "J contiguous slices"),
        ],
    );
    let others = list(
        "Modes defined elsewhere, computed exactly:",
        &[
            ("mh_sha1, mh_sha256", "Multi-hash of storage software"),
            ("parallel_hash", "Eight slices and a tail, over SHA-384; for 888 bytes or more"),
            (
                "fs-verity",
                "File digest of Linux file systems (--hash, --block-size, --salt, --tree-out, --verify-tree)",
            ),
            (
                "dm-verity",
                "Root of Linux block devices (--hash, --block-size, --hash-block-size, --data-blocks, --salt, --tree-out, \
                 --verify-tree, --hash-offset, --uuid, --no-superblock)",
            ),
            ("bep52", "Pieces root of BitTorrent v2 (--piece-length, --tree-out)"),
            ("glacier", "Tree hash of Amazon S3 Glacier"),
            ("s3-composite", "Checksum of checksums of Amazon S3 (--part-size)"),
            (
                "rfc6962",
                "Certificate Transparency; a leaf is a line, or --leaf-size bytes (--prove, --verify-proof)",
            ),
            ("s3-etag", "ETag of Amazon S3 for an upload in parts: MD5 (--part-size)"),
            ("ssz", "Chunks of Ethereum's SimpleSerialize (--limit, --mix-in-length)"),
        ],
    );
    let objects = list(
        "Names of files and whole directories by their content:",
        &[
            (
                "git-sha1, git-sha256",
                "Objects of git: blob of a file, tree of a directory with all files but .git. As if core.autocrlf and filters \
                 were off",
            ),
            ("nix-nar", "SHA-256 of the archive that Nix makes of a path (--encoding)"),
            (
                "ipfs",
                "CID of version 1, with raw leaves of 256 KiB and 174 links, as `ipfs add --cid-version=1 -r -H`",
            ),
        ],
    );
    format!(
        "Computes Merkle trees of files, and hashes large files in lanes.\n\n\
         The results are NOT those of the plain hash. A line has the result and the name of the file, as with sum.\n\n\
         {ours}\n{others}\n{objects}\n\
         With j-lanes, mh_sha1, mh_sha256, s3-etag, ssz and lines, a second thread reads ahead, and several files are hashed at once. With \
         all other modes, threads share each file. On standard input, long chunks and slices (jpointers, parallel_hash, \
         s3-composite) are hashed one after another.\n\n\
         Sizes may end in K, M, G or T (KiB, MiB, …), or in KB, MB, GB, TB (powers of 1000).\n\n\
         Exit status: 0 if all files were read and all checks passed, 1 if not, 2 if the command line is wrong."
    )
}

/// Options for some modes only.
#[derive(Args)]
#[command(next_help_heading = "Options of single modes")]
pub(super) struct Parameters {
    /// fs-verity: sha256 or sha512; dm-verity: also sha1, sha384 [default: sha256]
    #[arg(long, value_name = "HASH", ignore_case = true)]
    pub(super) hash: Option<String>,

    /// fs-verity, dm-verity: bytes per block [default: 4096]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) block_size: Option<u64>,

    /// dm-verity: bytes per block of the hash device [default: as --block-size]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) hash_block_size: Option<u64>,

    /// dm-verity: number of blocks that are hashed [default: all]
    #[arg(long, value_name = "N", value_parser = size)]
    pub(super) data_blocks: Option<u64>,

    /// fs-verity, dm-verity: salt in hexadecimal digits, or - for no salt [default: no salt]
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    pub(super) salt: Option<String>,

    /// Write the tree to FILE: fs-verity, the levels; dm-verity, the hash device; bep52, the piece layer
    #[arg(long, value_name = "FILE")]
    pub(super) tree_out: Option<PathBuf>,

    /// fs-verity, dm-verity: check the file, and the tree in FILE, against --root. The other parameters of
    /// dm-verity come from the superblock, unless --no-superblock is given
    #[arg(long, value_name = "FILE", requires = "root", conflicts_with_all = ["check", "tree_out", "verify_proof"])]
    pub(super) verify_tree: Option<PathBuf>,

    /// dm-verity: place of the superblock in the file with the tree, or of the levels without a superblock.
    /// The bytes before it stay as they are; they may be the data, if --data-blocks limits these [default: 0]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) hash_offset: Option<u64>,

    /// dm-verity: UUID of the superblock [default: random]
    #[arg(long, value_name = "UUID")]
    pub(super) uuid: Option<String>,

    /// dm-verity: no superblock before the levels
    #[arg(long, conflicts_with = "uuid")]
    pub(super) no_superblock: bool,

    /// bep52: bytes per piece, a power of two
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) piece_length: Option<u64>,

    /// s3-composite, s3-etag: bytes per part
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) part_size: Option<u64>,

    /// nix-nar: text form of the digest [default: sri]
    #[arg(long, value_name = "FORM", value_enum)]
    pub(super) encoding: Option<Encoding>,

    /// rfc6962: bytes per leaf [default: a leaf is a line, without its newline]
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(super) leaf_size: Option<u64>,

    /// ssz: capacity in chunks [default: the number of chunks]
    #[arg(long, value_name = "CHUNKS", value_parser = size)]
    pub(super) limit: Option<u64>,

    /// ssz: length of the list, to be mixed in
    #[arg(long, value_name = "LENGTH")]
    pub(super) mix_in_length: Option<u64>,

    /// rfc6962: print a proof that leaf INDEX (from 0) is in the tree, or that the tree of the FIRST leaves
    /// is its beginning
    #[arg(long, value_name = "inclusion=INDEX|consistency=FIRST", conflicts_with = "check")]
    pub(super) prove: Option<String>,

    /// rfc6962: read proofs from the files and check them against --root
    #[arg(long, requires = "root", conflicts_with_all = ["check", "prove"])]
    pub(super) verify_proof: bool,

    /// Trusted root in hexadecimal digits: rfc6962, of the tree, or of the older tree; fs-verity, dm-verity,
    /// for --verify-tree
    #[arg(long, value_name = "HEX")]
    pub(super) root: Option<String>,

    /// rfc6962: number of leaves in the tree, which a log signs with its root. Without it, the result depends
    /// on the number in the proof, and says so
    #[arg(long, value_name = "N", requires = "verify_proof")]
    pub(super) tree_size: Option<u64>,

    /// rfc6962: file with the leaf that the proof must include; a line is a leaf without its newline
    #[arg(long, value_name = "FILE", requires = "verify_proof")]
    pub(super) leaf: Option<PathBuf>,

    /// rfc6962: number of that leaf, from 0. A proof of inclusion needs --leaf, --index, or both
    #[arg(long, value_name = "N", requires = "verify_proof")]
    pub(super) index: Option<u64>,

    /// rfc6962: trusted root of the newer tree, in hexadecimal digits
    #[arg(long, value_name = "HEX", requires = "verify_proof")]
    pub(super) new_root: Option<String>,
}

impl TreeArgs {
    /// Returns an error message for options that have no effect together.
    pub(super) fn useless(&self) -> Option<&'static str> {
        let Parameters { tree_out, verify_tree, verify_proof, leaf_size, .. } = &self.parameters;
        let Parameters { hash, block_size, hash_block_size, data_blocks, salt, .. } = &self.parameters;
        let Parameters { uuid, no_superblock, hash_offset, root, .. } = &self.parameters;
        let is_stream = |path: &Option<PathBuf>| path.as_deref() == Some(std::path::Path::new("-"));
        let alone = |given: bool, words| given.then_some(words);
        alone(uuid.is_some() && tree_out.is_none(), "--uuid requires --tree-out")
        .or(alone(
            (hash_offset.is_some() || *no_superblock) && tree_out.is_none() && verify_tree.is_none(),
            "--hash-offset and --no-superblock require --tree-out or --verify-tree",
        ))
        .or(alone(
            self.mode == "dm-verity"
                && verify_tree.is_some()
                && !no_superblock
                && (hash.is_some() || block_size.is_some() || hash_block_size.is_some() || data_blocks.is_some() || salt.is_some()),
            "--verify-tree reads --hash, --block-size, --hash-block-size, --data-blocks and --salt from the superblock; \
             with --no-superblock they can be given",
        ))
        .or(alone(
            root.is_some() && !verify_proof && verify_tree.is_none(),
            "--root requires --verify-proof or --verify-tree",
        ))
        .or(alone(
            (self.quiet || self.status) && !self.check && !verify_proof && verify_tree.is_none(),
            "--quiet and --status require --check, --verify-proof or --verify-tree",
        ))
        .or(alone(*verify_proof && leaf_size.is_some(), "--leaf-size cannot be used with --verify-proof"))
        .or(alone(tree_out.is_some() && self.check, "--tree-out cannot be used with --check"))
        .or(alone(tree_out.is_some() && self.files.len() > 1, "--tree-out accepts one file only"))
        .or(alone(verify_tree.is_some() && self.files.len() > 1, "--verify-tree accepts one file only"))
        .or(alone(
            is_stream(verify_tree),
            "--verify-tree -: a tree cannot be read from standard input; name a file",
        ))
        .or(alone(
            is_stream(&self.parameters.leaf)
                && (self.files.is_empty() || self.files.iter().any(|name| name == "-")),
            "--leaf -: standard input is already the proof",
        ))
        .or(alone(
            is_stream(tree_out),
            "--tree-out -: a tree cannot be written to standard output; name a file",
        ))
    }

    /// Returns an error message for the first option that is not for this mode.
    pub(super) fn misplaced(&self, mode: &str) -> Option<String> {
        let Parameters { hash, block_size, salt, tree_out, uuid, no_superblock, .. } = &self.parameters;
        let Parameters { piece_length, part_size, leaf_size, limit, mix_in_length, .. } = &self.parameters;
        let Parameters { encoding, prove, verify_proof, .. } = &self.parameters;
        const BLOCKS: &[&str] = &["fs-verity", "dm-verity"];
        let Parameters { hash_block_size, data_blocks, hash_offset, verify_tree, .. } = &self.parameters;
        let options: [(&str, bool, &[&str]); 25] = [
            ("--hash", hash.is_some(), BLOCKS),
            ("--block-size", block_size.is_some(), BLOCKS),
            ("--salt", salt.is_some(), BLOCKS),
            ("--verify-tree", verify_tree.is_some(), BLOCKS),
            ("--hash-block-size", hash_block_size.is_some(), &["dm-verity"]),
            ("--data-blocks", data_blocks.is_some(), &["dm-verity"]),
            ("--hash-offset", hash_offset.is_some(), &["dm-verity"]),
            ("--tree-out", tree_out.is_some(), &["fs-verity", "dm-verity", "bep52"]),
            ("--uuid", uuid.is_some(), &["dm-verity"]),
            ("--no-superblock", *no_superblock, &["dm-verity"]),
            ("--piece-length", piece_length.is_some(), &["bep52"]),
            ("--part-size", part_size.is_some(), &["s3-composite", "s3-etag"]),
            ("--encoding", encoding.is_some(), &["nix-nar"]),
            ("--leaf-size", leaf_size.is_some(), &["rfc6962"]),
            ("--limit", limit.is_some(), &["ssz"]),
            ("--mix-in-length", mix_in_length.is_some(), &["ssz"]),
            ("--prove", prove.is_some(), &["rfc6962"]),
            ("--verify-proof", *verify_proof, &["rfc6962"]),
            ("--root", self.parameters.root.is_some(), &["rfc6962", "fs-verity", "dm-verity"]),
            ("--tree-size", self.parameters.tree_size.is_some(), &["rfc6962"]),
            ("--leaf", self.parameters.leaf.is_some(), &["rfc6962"]),
            ("--index", self.parameters.index.is_some(), &["rfc6962"]),
            ("--new-root", self.parameters.new_root.is_some(), &["rfc6962"]),
            (
                "--length",
                self.length.is_some(),
                &["jpointers", "parallel_hash", "git-sha1", "git-sha256", "nix-nar"],
            ),
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

/// Parses a number of bytes or chunks: `4096`, `4K`, `4KiB`, `4KB`, as GNU's tools do.
fn size(typed: &str) -> Result<u64, String> {
    let digits = typed.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = typed[digits.len()..].to_ascii_uppercase();
    let power = "KMGT".find(unit.chars().next().unwrap_or(' ')).map_or(0, |at| at as u32 + 1);
    let base: u64 = match unit.get(power.min(1) as usize..).unwrap_or_default() {
        "" | "IB" => 1024,
        "B" if power > 0 => 1000,
        _ => return Err("expected a number, optionally followed by K, M, G or T".into()),
    };
    let number: u64 = digits.parse().map_err(|_| {
        match digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            true => String::from("expected a number, optionally followed by K, M, G or T"),
            false => "number too large".into(),
        }
    })?;
    number.checked_mul(base.pow(power)).ok_or_else(|| "number too large".into())
}

/// Returns a number of bytes as a length in memory.
pub(super) fn in_memory(what: &str, n_bytes: u64) -> Result<usize, String> {
    usize::try_from(n_bytes).map_err(|_| format!("{what}: {n_bytes} bytes; too many for this machine"))
}
