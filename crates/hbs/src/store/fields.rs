//! The shared format of all files: numbers are big-endian. A file begins with 16 bytes that name it and with
//! its version, and ends with an HMAC-SHA-256 of everything before, under a key of its own.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use hashlanes_sha::{HmacSha256Key, hmac_sha256};
use zeroize::Zeroizing;

use crate::store::Error;

pub(super) const MAC_BYTES: usize = 32;
/// The maximum length of a file that is written in one call; the longest hold a certificate, of 151 · 64
/// bytes at most.
const MOST_BYTES: usize = 12 << 10;

/// Keys of the codes: HMAC(secret, label), where the secret is S_XMSS ‖ SK_PRF, or SEED of LMS.
#[derive(Clone)]
pub(super) struct MacKeys {
    pub(super) key: HmacSha256Key,
    pub(super) state: HmacSha256Key,
    pub(super) log: HmacSha256Key,
    pub(super) witness: HmacSha256Key,
    pub(super) cache: HmacSha256Key,
}

impl fmt::Debug for MacKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MacKeys").finish_non_exhaustive()
    }
}

impl MacKeys {
    /// Derives the keys from the secret seeds of a key.
    pub(super) fn new(secret: &[u8]) -> Self {
        let of = |label: &[u8]| {
            let key = Zeroizing::new(hmac_sha256(secret, label));
            HmacSha256Key::new(&*key)
        };
        Self {
            key: of(b"hashlanes: code of a key file"),
            state: of(b"hashlanes: code of a state"),
            log: of(b"hashlanes: codes of a log"),
            witness: of(b"hashlanes: code of a witness"),
            cache: of(b"hashlanes: codes of kept trees"),
        }
    }
}

/// Writes a file's fields.
pub(super) struct Writer(Zeroizing<Vec<u8>>);

impl Writer {
    pub(super) fn new(magic: &[u8; 16], version: u32) -> Self {
        let mut bytes = Vec::with_capacity(MOST_BYTES);
        bytes.extend_from_slice(magic);
        bytes.extend_from_slice(&version.to_be_bytes());
        Self(Zeroizing::new(bytes))
    }

    pub(super) fn put(mut self, bytes: &[u8]) -> Self {
        // Never grown: a reallocation would leave a secret in the freed memory.
        assert!(self.0.len() + bytes.len() + MAC_BYTES <= self.0.capacity());
        self.0.extend_from_slice(bytes);
        self
    }

    pub(super) fn number(self, number: u64) -> Self {
        self.put(&number.to_be_bytes())
    }

    pub(super) fn finish(self, key: &HmacSha256Key) -> Zeroizing<Vec<u8>> {
        let mac = key.mac(&self.0);
        self.put(&mac).0
    }
}

/// Reads a file's fields.
pub(super) struct Reader<'b> {
    file: String,
    whole: &'b [u8],
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Begins to read the file named `file`, which must begin with `magic` and have version `version`.
    pub(super) fn new(file: String, bytes: &'b [u8], magic: &[u8; 16], version: u32) -> Result<Self, Error> {
        let mut reader = Self { file, whole: bytes, rest: bytes };
        if reader.whole.is_empty() {
            return Err(reader.damaged("is empty"));
        }
        if reader.take(16)? != magic {
            return Err(reader.damaged("is another kind of file"));
        }
        let found = u32::from_be_bytes(reader.array()?);
        if found != version {
            return Err(Error::Version { file: reader.file, found });
        }
        Ok(reader)
    }

    pub(super) fn damaged(&self, why: &'static str) -> Error {
        Error::Damaged { file: self.file.clone(), why }
    }

    pub(super) fn other_key(&self) -> Error {
        Error::OtherKey { file: self.file.clone() }
    }

    /// Returns a reader at the end of the data, for errors about the rest of the file.
    pub(super) fn at_end(self) -> Reader<'static> {
        Reader { file: self.file, whole: &[], rest: &[] }
    }

    pub(super) fn take(&mut self, n: usize) -> Result<&'b [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or_else(|| self.damaged("is truncated"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        Ok(self.take(N)?.try_into().expect("N bytes"))
    }

    pub(super) fn number(&mut self) -> Result<u64, Error> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Checks the code, in constant time, and that the file ends after it.
    pub(super) fn finish(mut self, key: &HmacSha256Key) -> Result<(), Error> {
        let mac = self.take(MAC_BYTES)?;
        if !self.rest.is_empty() {
            return Err(self.damaged("is longer than it was written"));
        }
        let before = self.whole.len() - MAC_BYTES;
        if !is_mac(key, &[&self.whole[..before]], mac) {
            return Err(self.damaged("was changed: its code is wrong"));
        }
        Ok(())
    }
}

/// Compares in constant time.
pub(super) fn is_mac(key: &HmacSha256Key, parts: &[&[u8]], mac: &[u8]) -> bool {
    let mut hmac = key.begin();
    parts.iter().for_each(|part| hmac.update(part));
    hmac.verify(mac)
}
