//! The published test vectors: Rust's only reader of `spec/vectors`.
//!
//! A file is named `<hash>-<kind>.json` and repeats both names in its header; `spec/README.md` describes the
//! content of each kind. Hashes are named as the functions that compute them: `sha1`, `sha224`, `sha256`,
//! `sha384`, `sha512`, `sha512_224`, `sha512_256` ([`HASHES`]).
//!
//! The files are part of the repository, so every function here panics, naming the file, when one is missing
//! or malformed.

mod aes;
mod lms;
mod slh_dsa;

pub use aes::{CipherClaim, CipherVector, aes_cbc, aes_cbc_claims, aes_ctr};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::path::PathBuf;

pub use lms::{LmsClaimVector, LmsKeyVector, LmsSignatureVector, lms_claims, lms_keys, lms_signatures};
pub use slh_dsa::{
    SlhDsaClaimVector, SlhDsaFormatVector, SlhDsaKeyVector, SlhDsaSignatureVector, slh_dsa_claims,
    slh_dsa_formats, slh_dsa_keys, slh_dsa_signatures,
};

/// The hashes with short, long and Monte Carlo vectors.
pub const HASHES: [&str; 7] = ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256"];

/// The hashes with HMAC vectors: RFC 2202 has SHA-1, RFC 4231 the next four, and no RFC has SHA-512/t.
pub const HMAC_HASHES: [&str; 5] = ["sha1", "sha224", "sha256", "sha384", "sha512"];

/// Digests of one round of the Monte Carlo test.
const MONTE_CHAIN: usize = 1000;

/// A message and its digest.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageVector {
    /// The message, any number of whole bytes.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// Its digest, as long as the hash's digests are.
    #[serde(deserialize_with = "from_hex")]
    pub digest: Vec<u8>,
}

/// The Monte Carlo test of one hash: 100,000 digests, each of the three before it (SHAVS, section 6.4).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MonteVector {
    /// The start of the chain; as long as a digest.
    #[serde(deserialize_with = "from_hex")]
    pub seed: Vec<u8>,
    /// The digests after 1,000, 2,000, … 100,000 steps.
    #[serde(deserialize_with = "list_from_hex")]
    pub checkpoints: Vec<Vec<u8>>,
}

/// A key, a message and its HMAC.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HmacVector {
    /// The key: shorter or longer than the hash's block.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// The whole code, or its first bytes if `truncated`.
    #[serde(deserialize_with = "from_hex")]
    pub mac: Vec<u8>,
    /// Whether the source gives only the first bytes of the code (RFC 4231, test case 5: 128 bits).
    #[serde(default)]
    pub truncated: bool,
}

/// A key, a message and a right or wrong HMAC.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HmacClaim {
    /// The key: shorter or longer than the hash's block.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// A code, or the first half of one.
    #[serde(deserialize_with = "from_hex")]
    pub mac: Vec<u8>,
    /// Whether it is the right one.
    pub valid: bool,
}

/// The digest of a tree mode: of the message whose byte i is i mod 251.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TreeVector {
    /// The mode's name: `jlanes-v1-sha256-16`.
    pub mode: String,
    /// Bytes of the message.
    pub length: usize,
    /// The digest; `None` if the mode refuses the message.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub digest: Option<Vec<u8>>,
}

/// The vectors of messages whose slices have any lengths.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScatteredVector {
    /// The mode's name: `jpointers-v1-sha256-16`.
    pub mode: String,
    /// Bytes of each slice; one after another they are the message.
    pub slices: Vec<usize>,
    /// The digest.
    #[serde(deserialize_with = "from_hex")]
    pub digest: Vec<u8>,
}

/// The digest of SHA3-256, or of a tree over it: of the message whose byte i is i mod 251.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeccakVector {
    /// The number of leaves; 0: SHA3-256 itself.
    pub leaves: usize,
    /// Bytes of the message.
    pub length: usize,
    /// The digest.
    #[serde(deserialize_with = "from_hex")]
    pub digest: Vec<u8>,
}

/// The results of AEGIS; the inputs are given by their lengths ([`AegisVector::inputs`]).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AegisVector {
    /// The name in `spec/aegis.py`: `aegis-128l`.
    pub cipher: String,
    /// Bytes of the associated data.
    pub ad: usize,
    /// Bytes of the message.
    pub msg: usize,
    /// The ciphertext.
    #[serde(deserialize_with = "from_hex")]
    pub ct: Vec<u8>,
    /// The tag of 128 bits.
    #[serde(deserialize_with = "from_hex")]
    pub tag128: Vec<u8>,
    /// The tag of 256 bits; AEGIS-128 has none, and no codes.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub tag256: Option<Vec<u8>>,
    /// The message's code of 128 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub mac128: Option<Vec<u8>>,
    /// The message's code of 256 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub mac256: Option<Vec<u8>>,
}

impl AegisVector {
    /// Key and nonce of the cipher's lengths, associated data, message.
    pub fn inputs(&self, key_bytes: usize) -> [Vec<u8>; 4] {
        let filled = |n: usize, start: usize| (0..n).map(|i| ((start + i) % 251) as u8).collect();
        [filled(key_bytes, 1), filled(key_bytes, 101), filled(self.ad, 7), filled(self.msg, 0)]
    }
}

/// Vectors of AEGIS, AES-GCM and AES-GCM-SIV from other sources.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AeadClaim {
    /// The name in `spec/aegis.py`, `aegis-128l`, or `aes-128-gcm`.
    pub cipher: String,
    /// Its name in the source.
    pub name: String,
    /// Whether the tags are right.
    pub valid: bool,
    /// The key.
    #[serde(deserialize_with = "from_hex")]
    pub key: Vec<u8>,
    /// The nonce.
    #[serde(deserialize_with = "from_hex")]
    pub nonce: Vec<u8>,
    /// The associated data.
    #[serde(deserialize_with = "from_hex")]
    pub ad: Vec<u8>,
    /// The message; absent in some vectors with wrong tags.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub msg: Option<Vec<u8>>,
    /// The ciphertext; codes have none.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub ct: Option<Vec<u8>>,
    /// A tag of 128 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub tag128: Option<Vec<u8>>,
    /// A tag of 256 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub tag256: Option<Vec<u8>>,
    /// The message's code of 128 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub mac128: Option<Vec<u8>>,
    /// The message's code of 256 bits.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub mac256: Option<Vec<u8>>,
}

/// A tree of fs-verity, over the message whose byte i is i mod 251.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FsVerityVector {
    /// `sha256` or `sha512`.
    pub hash: String,
    /// Bytes of a block.
    pub block_size: usize,
    /// The salt.
    #[serde(deserialize_with = "from_hex")]
    pub salt: Vec<u8>,
    /// Bytes of the message.
    pub length: usize,
    /// The root; `None` if the mode refuses the parameters (then also the next two fields).
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub root: Option<Vec<u8>>,
    /// The file's digest.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub digest: Option<Vec<u8>>,
    /// SHA-256 of the levels, top first.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub tree_sha256: Option<Vec<u8>>,
}

/// A hash device of dm-verity.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DmVerityVector {
    /// The hash's name.
    pub hash: String,
    /// Bytes of a block.
    pub block_size: usize,
    /// The salt.
    #[serde(deserialize_with = "from_hex")]
    pub salt: Vec<u8>,
    /// The UUID with its hyphens; `None`: there is no superblock.
    pub uuid: Option<String>,
    /// Bytes of the data.
    pub length: usize,
    /// The root; `None` if the mode refuses the data.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub root: Option<Vec<u8>>,
    /// SHA-256 of the device's content.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub hash_file_sha256: Option<Vec<u8>>,
}

/// A file in BitTorrent v2.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Bep52Vector {
    /// Bytes of a piece.
    pub piece_length: u64,
    /// Bytes of the file.
    pub length: usize,
    /// The root; `None` if the mode refuses the file.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub root: Option<Vec<u8>>,
    /// The piece layer's hashes in one string.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub piece_layer: Option<Vec<u8>>,
}

/// A checksum of checksums.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct S3CompositeVector {
    /// Bytes of a part.
    pub part_size: usize,
    /// Bytes of the object.
    pub length: usize,
    /// base64 and the number of parts; `None` if the mode refuses the part's size.
    pub checksum: Option<String>,
}

/// A tree of RFC 6962 over leaves of one length.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Rfc6962Vector {
    /// Bytes of a leaf; the last one may be shorter.
    pub leaf_size: usize,
    /// Bytes of all leaves.
    pub length: usize,
    /// The root.
    #[serde(deserialize_with = "from_hex")]
    pub root: Vec<u8>,
}

/// A tree of RFC 6962 over leaves of any lengths.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Rfc6962LeavesVector {
    /// The leaves.
    #[serde(deserialize_with = "list_from_hex")]
    pub leaves: Vec<Vec<u8>>,
    /// The root.
    #[serde(deserialize_with = "from_hex")]
    pub root: Vec<u8>,
}

/// A proof of RFC 6962.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Rfc6962ProofVector {
    /// Bytes of a leaf; the last one may be shorter.
    pub leaf_size: usize,
    /// Bytes of all leaves.
    pub length: usize,
    /// The leaf, from 0, that is shown to be in the tree; or how many leaves the older tree has.
    #[serde(alias = "index", alias = "first")]
    pub number: u64,
    /// The proof's nodes; `None` if there is no such leaf, or no such tree.
    #[serde(deserialize_with = "perhaps_list_from_hex")]
    pub proof: Option<Vec<Vec<u8>>>,
}

/// A root of SimpleSerialize.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SszVector {
    /// The maximum number of chunks; `None`: their actual number.
    pub limit: Option<u64>,
    /// The length to be mixed in.
    pub mix_in_length: Option<u64>,
    /// Bytes of the chunks.
    pub length: usize,
    /// The root; `None` if there are more chunks than the limit.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub root: Option<Vec<u8>>,
}

/// A key of XMSS or XMSS^MT of a small height, as `spec/xmss.py` computes it: all its signatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallXmssVector {
    /// Bytes of a node.
    pub n: u8,
    /// The height of all layers together.
    pub h: u8,
    /// The layers; `None` for XMSS.
    pub d: Option<u8>,
    /// `sp800-208` or `legacy`.
    pub derivation: String,
    /// S_XMSS ‖ SK_PRF ‖ SEED.
    #[serde(deserialize_with = "from_hex")]
    pub seeds: Vec<u8>,
    /// The root.
    #[serde(deserialize_with = "from_hex")]
    pub root: Vec<u8>,
    /// The signature of the empty message at index 0, if known.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub first_signature: Option<Vec<u8>>,
    /// SHA-256 of the signature at each index i, of the message of i bytes of value i.
    #[serde(deserialize_with = "list_from_hex")]
    pub signatures_sha256: Vec<Vec<u8>>,
}

/// A key of XMSS or XMSS^MT from another implementation, and some of its signatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XmssVector {
    /// The implementation that it comes from: `reference`, `liboqs`, `botan`, `botan-run`, `bouncycastle`.
    pub origin: String,
    /// The set's name.
    pub name: String,
    /// `sp800-208` or `legacy`; `None` if the secrets are unknown.
    pub derivation: Option<String>,
    /// S_XMSS ‖ SK_PRF ‖ SEED, if known.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub seeds: Option<Vec<u8>>,
    /// OID ‖ root ‖ SEED.
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
    /// The signatures.
    pub signatures: Vec<XmssSignatureVector>,
}

/// A secret key in another program's format, after a few signatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XmssImportVector {
    /// The program, its version and the command.
    pub source: String,
    /// The set's name.
    pub name: String,
    /// `sp800-208` or `legacy`.
    pub derivation: String,
    /// The next index. The signature at index i is of the text `message-i`.
    pub next: u64,
    /// The public key, SubjectPublicKeyInfo in DER.
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
    /// The last signature, at the index before `next`.
    #[serde(deserialize_with = "from_hex")]
    pub signature: Vec<u8>,
    /// The secret key, PKCS#8 in DER.
    #[serde(deserialize_with = "from_hex")]
    pub secret: Vec<u8>,
    /// A shard of it that may make the next four signatures, if the program makes shards.
    #[serde(deserialize_with = "perhaps_from_hex")]
    pub shard: Option<Vec<u8>>,
}

/// One of its signatures.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XmssSignatureVector {
    /// The index.
    pub index: u64,
    /// The message.
    #[serde(deserialize_with = "from_hex")]
    pub message: Vec<u8>,
    /// SHA-256 of the signature.
    #[serde(deserialize_with = "from_hex")]
    pub sha256: Vec<u8>,
    /// The signature, if known.
    #[serde(default, deserialize_with = "perhaps_from_hex")]
    pub signature: Option<Vec<u8>>,
}

/// A change that makes a valid signature invalid.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct XmssMutation {
    /// A change, and its operation.
    pub name: String,
    /// The change.
    #[serde(flatten)]
    pub op: XmssOp,
}

/// A change of a signature, a message or a public key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[allow(missing_docs)] // They say what they do.
pub enum XmssOp {
    Xor { offset: usize, xor: u8 },
    SetIdx { value: u64 },
    Truncate { bytes: usize },
    Extend { hex: String },
    Empty,
    MsgXor { offset: usize, xor: u8 },
    MsgExtend { hex: String },
    PkXor { offset: usize, xor: u8 },
}

/// A public key in another implementation's encoding.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct XmssSpkiVector {
    /// The implementation.
    pub origin: String,
    /// SubjectPublicKeyInfo, in PEM.
    pub pem: String,
    /// OID ‖ root ‖ SEED.
    #[serde(deserialize_with = "from_hex")]
    pub public_key: Vec<u8>,
}

/// The mutations of one valid signature.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct XmssMutations {
    /// The set's name.
    pub base: String,
    /// The changes.
    pub mutations: Vec<XmssMutation>,
}

impl MonteVector {
    /// Returns the checkpoints that `hash` reaches from the seed: if it is right,
    /// [`MonteVector::checkpoints`].
    ///
    /// `hash` is called 100,000 times with messages of three digests' length (60 to 192 bytes), each call
    /// depending on the one before.
    ///
    /// SHAVS, section 6.4, once for each checkpoint, which is the new Seed:
    /// MD₀ = MD₁ = MD₂ = Seed; MDᵢ = SHA(MDᵢ₋₃ ‖ MDᵢ₋₂ ‖ MDᵢ₋₁) for i = 3 … 1002; Seed = MD₁₀₀₂.
    pub fn run(&self, mut hash: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<Vec<u8>> {
        let mut seed = self.seed.clone();
        let mut reached = Vec::with_capacity(self.checkpoints.len());
        for _ in &self.checkpoints {
            let mut m = seed.repeat(3);
            for _ in 0..MONTE_CHAIN {
                let md = hash(&m);
                m.drain(..seed.len());
                m.extend_from_slice(&md);
            }
            seed = m.split_off(2 * seed.len());
            reached.push(seed.clone());
        }
        reached
    }
}

impl HmacVector {
    /// Returns whether `mac`, a whole authentication code, is right; compares only the bytes in the source.
    pub fn matches(&self, mac: &[u8]) -> bool {
        if self.truncated { mac.starts_with(&self.mac) } else { mac == self.mac }
    }
}

/// Returns the CAVP messages of `hash_name`: every length from 0 to one block of bytes, then longer ones up
/// to about 100 blocks.
///
/// # Panics
/// Panics if `hash_name` is not one of [`HASHES`].
pub fn short_and_long(hash_name: &str) -> Vec<MessageVector> {
    let mut messages = read::<List<MessageVector>>(hash_name, "short").vectors;
    messages.extend(read::<List<MessageVector>>(hash_name, "long").vectors);
    messages
}

/// Returns the CAVP Monte Carlo test of `hash_name`.
///
/// # Panics
/// Panics if `hash_name` is not one of [`HASHES`].
pub fn monte(hash_name: &str) -> MonteVector {
    read(hash_name, "monte")
}

/// Returns the HMAC vectors of `hash_name`, seven of them: two with a key above one block and, except for
/// SHA-1, one with a truncated code.
///
/// # Panics
/// Panics if `hash_name` is not one of [`HMAC_HASHES`].
pub fn hmac(hash_name: &str) -> Vec<HmacVector> {
    read::<List<HmacVector>>(hash_name, "hmac").vectors
}

/// Project Wycheproof's HMAC tests of `hash_name`, some 170 of them.
///
/// # Panics
/// Panics if `hash_name` is not one of [`HASHES`].
pub fn hmac_claims(hash_name: &str) -> Vec<HmacClaim> {
    read::<List<HmacClaim>>(hash_name, "wycheproof").vectors
}

/// Returns the digests of tree modes, as the specification `spec/tree.py` computes them, and after them as
/// foreign tools do.
pub fn tree_digests() -> Vec<TreeVector> {
    ["tree.json", "tree-outside.json"].into_iter().flat_map(|file| tree_table(file, "digests")).collect()
}

/// Returns the digests of j-pointers of scattered slices.
pub fn tree_scattered() -> Vec<ScatteredVector> {
    tree_table("tree.json", "scattered")
}

/// Returns the CAVP messages of `sha3_224`, `sha3_256`, `sha3_384`, `sha3_512`, `shake128` or `shake256`: of
/// every length from 0 to one block of bytes, and of a SHAKE with outputs of many lengths.
pub fn sha3(hash: &str) -> Vec<MessageVector> {
    let read = |kind| read::<List<MessageVector>>(hash, kind).vectors;
    let mut vectors = read("short");
    if hash.starts_with("shake") {
        vectors.extend(read("variable"));
    }
    vectors
}

/// Returns the results of `spec/aegis.py`.
pub fn aegis() -> Vec<AegisVector> {
    tree_table("aegis.json", "vectors")
}

/// RFC 10032's vectors of AEGIS, and Project Wycheproof's.
pub fn aegis_claims() -> Vec<AeadClaim> {
    ["aegis-cfrg.json", "aegis-wycheproof.json"]
        .into_iter()
        .flat_map(|file| tree_table(file, "vectors"))
        .collect()
}

/// Project Wycheproof's vectors of AES-GCM and AES-GCM-SIV.
pub fn gcm_claims() -> Vec<AeadClaim> {
    ["aes-gcm-wycheproof.json", "aes-gcm-siv-wycheproof.json"]
        .into_iter()
        .flat_map(|file| tree_table(file, "vectors"))
        .collect()
}

/// Returns the digests of SHA3-256 and of the tree over it, as Python's library and `spec/keccak.py` compute
/// them.
pub fn keccak_digests() -> Vec<KeccakVector> {
    tree_table("keccak.json", "digests")
}

/// Returns the vectors of a Merkle tree's table, the specification's and those of foreign tools: `fs-verity`,
/// `rfc6962-inclusion`.
pub fn tree_vectors<Vector: DeserializeOwned>(table: &str) -> Vec<Vector> {
    ["tree.json", "tree-outside.json"].into_iter().flat_map(|file| tree_table(file, table)).collect()
}

/// Small keys with all their signatures, as the specification `spec/xmss.py` computes them.
pub fn small_xmss() -> Vec<SmallXmssVector> {
    tree_table("xmss-small.json", "vectors")
}

/// Keys and signatures of other implementations.
pub fn xmss() -> Vec<XmssVector> {
    tree_table("xmss.json", "vectors")
}

/// Secret keys as other programs store them.
pub fn xmss_imports() -> Vec<XmssImportVector> {
    tree_table("xmss-import.json", "vectors")
}

/// Outputs for n = 24 of an implementation that does not follow SP 800-208: to be refused.
pub fn xmss_nonconforming() -> Vec<XmssVector> {
    tree_table("xmss.json", "nonconforming")
}

/// Public keys as other implementations write them.
pub fn xmss_spki() -> Vec<XmssSpkiVector> {
    tree_table("xmss.json", "spki")
}

/// Mutations of signatures, all to be refused.
pub fn xmss_mutations() -> Vec<XmssMutations> {
    tree_table("xmss.json", "mutations")
}

/// A table of a file of tree modes, or of signatures.
fn tree_table<Vector: DeserializeOwned>(file: &str, table: &str) -> Vec<Vector> {
    let path = folder().join(file);
    let parsed = std::fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| {
        let mut file: Map<String, Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let rows = file.remove(table).ok_or_else(|| format!("no table {table}"))?;
        serde_json::from_value(rows).map_err(|e| e.to_string())
    });
    parsed.unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The body of every kind but `monte`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List<Vector> {
    vectors: Vec<Vector>,
}

/// Returns the body of `<hash_name>-<kind>.json`: everything after its header.
fn read<Body: DeserializeOwned>(hash_name: &str, kind: &str) -> Body {
    let path = folder().join(format!("{hash_name}-{kind}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    parse(&text, hash_name, kind).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the body of a file's text. Unknown fields, and a header with another hash or kind, are errors.
fn parse<Body: DeserializeOwned>(text: &str, hash_name: &str, kind: &str) -> serde_json::Result<Body> {
    let mut file: Map<String, Value> = serde_json::from_str(text)?;
    for (field, expected) in [("hash", Some(hash_name)), ("kind", Some(kind)), ("source", None)] {
        let value = file.remove(field).ok_or_else(|| Error::missing_field(field))?;
        if expected.is_some_and(|expected| value != expected) {
            return Err(Error::custom(format!("its {field} is {value}")));
        }
    }
    serde_json::from_value(Value::Object(file))
}

/// `spec/vectors`, from this crate's place in the repository.
fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "spec", "vectors"].iter().collect()
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let digits = String::deserialize(deserializer)?;
    bytes(&digits).ok_or_else(|| D::Error::custom("not an even number of hexadecimal digits"))
}

fn perhaps_from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    let digits = Option::<String>::deserialize(deserializer)?;
    let wrong = || D::Error::custom("not an even number of hexadecimal digits");
    digits.map(|digits| bytes(&digits).ok_or_else(wrong)).transpose()
}

fn list_from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    perhaps_list_from_hex(deserializer)?.ok_or_else(|| D::Error::custom("no list"))
}

fn perhaps_list_from_hex<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<Vec<u8>>>, D::Error> {
    let list = Option::<Vec<String>>::deserialize(deserializer)?;
    let bytes_of = |list: Vec<String>| list.iter().map(|digits| bytes(digits)).collect::<Option<_>>();
    let wrong = || D::Error::custom("not an even number of hexadecimal digits");
    list.map(|list| bytes_of(list).ok_or_else(wrong)).transpose()
}

/// Returns the bytes that `digits` writes, if they are an even number of hexadecimal digits.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some((value(pair[0])? << 4 | value(*pair.get(1)?)?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::{HmacVector, List, parse};

    const FILE: &str = r#"{"hash": "sha1", "kind": "hmac", "source": "none", "vectors": [
        {"key": "", "message": "00fF", "mac": "a5", "truncated": true}
    ]}"#;

    fn hmac(text: &str) -> Result<Vec<HmacVector>, String> {
        parse::<List<HmacVector>>(text, "sha1", "hmac").map(|list| list.vectors).map_err(|e| e.to_string())
    }

    #[test]
    fn a_file_is_read() {
        let expected = HmacVector { key: vec![], message: vec![0, 255], mac: vec![0xa5], truncated: true };
        assert!(expected.matches(&[0xa5, 1]) && !expected.matches(&[1, 0xa5]));
        assert_eq!(hmac(FILE), Ok(vec![expected]));
    }

    #[test]
    fn a_malformed_file_is_refused() {
        for (part, instead, message) in [
            ("sha1", "sha224", "its hash is \"sha224\""),
            ("\"hmac\"", "\"short\"", "its kind is \"short\""),
            ("source", "origin", "missing field `source`"),
            ("\"vectors\"", "\"more\": 1, \"vectors\"", "unknown field `more`"),
            ("truncated", "shortened", "unknown field `shortened`"),
            ("00fF", "00f", "not an even number of hexadecimal digits"),
            ("00fF", "00fg", "not an even number of hexadecimal digits"),
        ] {
            let error = hmac(&FILE.replace(part, instead)).unwrap_err();
            assert!(error.starts_with(message), "{instead}: {error}");
        }
    }
}
