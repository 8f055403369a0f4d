//! The superblock of a hash device of dm-verity, version 1, read. Numbers are little-endian.

/// Its length.
pub(super) const SUPERBLOCK_BYTES: usize = 512;

/// What a superblock says about its tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Superblock {
    pub(super) hash: String,
    pub(super) data_block_bytes: usize,
    pub(super) hash_block_bytes: usize,
    pub(super) n_blocks: u64,
    pub(super) salt: Vec<u8>,
}

impl Superblock {
    /// Parses a superblock.
    ///
    /// # Errors
    /// If it is not a superblock, or of another version or format.
    pub(super) fn parse(block: &[u8; SUPERBLOCK_BYTES]) -> Result<Superblock, String> {
        const NAME_BYTES: usize = 32;
        const MAX_SALT: usize = 256;
        if !block.starts_with(b"verity\0\0") {
            return Err(
                "no superblock of dm-verity; give its place with --hash-offset, or use --no-superblock"
                    .into(),
            );
        }
        let u32_at = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().expect("four bytes"));
        match (u32_at(8), u32_at(12)) {
            (1, 1) => {}
            (1, 0) => return Err("a hash device of format 0; supported: format 1".into()),
            (version, format) => {
                return Err(format!(
                    "a superblock of version {version}, format {format}; supported: version 1, format 1"
                ));
            }
        }
        let name = block[32..32 + NAME_BYTES].split(|&byte| byte == 0).next().unwrap_or_default();
        let salt_bytes = usize::from(u16::from_le_bytes([block[80], block[81]]));
        if salt_bytes > MAX_SALT {
            return Err(format!("damaged superblock: a salt of {salt_bytes} bytes"));
        }
        Ok(Superblock {
            hash: String::from_utf8_lossy(name).into_owned(),
            data_block_bytes: u32_at(64) as usize,
            hash_block_bytes: u32_at(68) as usize,
            n_blocks: u64::from_le_bytes(block[72..80].try_into().expect("eight bytes")),
            salt: block[88..88 + salt_bytes].to_vec(),
        })
    }
}
