//! The traits of the crate `cipher` for CBC and CTR, in types that own their keys.
//!
//! They are named and used as those of the crates `cbc` and `ctr`, with the key's length as the parameter.

use core::fmt;
use core::marker::PhantomData;

use cipher::array::ArraySize;
use cipher::consts::{U1, U16, U24, U32};
use cipher::{
    Array, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, Iv, IvSizeUser, IvState,
    KeyIvInit, KeySizeUser, OverflowError, ParBlocksSizeUser, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};
use hashlanes_isa::cipher::{Block, Buffer};

use crate::ctr::{CounterBits, Keystream};
use crate::{Key, cbc_decrypt_raw, cbc_encrypt_raw};

/// A length of AES keys: [`Aes128`], [`Aes192`] or [`Aes256`].
pub trait KeyLength: Clone + Send + Sync + 'static {
    /// The bytes of a key as a type.
    type Bytes: ArraySize;
}

/// Keys of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Aes128;
/// Keys of 192 bits.
#[derive(Clone, Copy, Debug)]
pub struct Aes192;
/// Keys of 256 bits.
#[derive(Clone, Copy, Debug)]
pub struct Aes256;

impl KeyLength for Aes128 {
    type Bytes = U16;
}
impl KeyLength for Aes192 {
    type Bytes = U24;
}
impl KeyLength for Aes256 {
    type Bytes = U32;
}

/// Returns the key from the trait's array.
fn key_of<L: KeyLength>(key: &Array<u8, L::Bytes>) -> Key {
    Key::new(key).expect("16, 24 or 32 bytes")
}

/// Returns the bytes of blocks in place: the input is copied to the output first, if they are two.
fn bytes_of<'a>(blocks: InOutBuf<'_, 'a, Array<u8, U16>>) -> &'a mut [u8] {
    Array::cast_slice_to_core_mut(blocks.into_out_with_copied_in()).as_flattened_mut()
}

/// Implements what [`CbcEncryptor`] and [`CbcDecryptor`] have in common.
macro_rules! cbc {
    ($($(#[$doc:meta])* $cipher:ident: $raw:ident, $mode:ident $closure:ident $backend:ident,
        $with_backend:ident $block_inout:ident $blocks_inout:ident $block:ident $blocks:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher<L> {
            key: Key,
            chain: Block,
            length: PhantomData<L>,
        }

        /// Without the key.
        impl<L> fmt::Debug for $cipher<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($cipher)).field("key", &self.key).finish_non_exhaustive()
            }
        }

        impl<L: KeyLength> KeySizeUser for $cipher<L> {
            type KeySize = L::Bytes;
        }
        impl<L> IvSizeUser for $cipher<L> {
            type IvSize = U16;
        }
        impl<L> BlockSizeUser for $cipher<L> {
            type BlockSize = U16;
        }
        impl<L> ParBlocksSizeUser for $cipher<L> {
            type ParBlocksSize = U1;
        }

        impl<L: KeyLength> KeyIvInit for $cipher<L> {
            fn new(key: &cipher::Key<Self>, iv: &Iv<Self>) -> Self {
                Self { key: key_of::<L>(key), chain: (*iv).into(), length: PhantomData }
            }
        }

        impl<L> IvState for $cipher<L> {
            fn iv_state(&self) -> Iv<Self> {
                self.chain.into()
            }
        }

        impl<L> $cipher<L> {
            fn apply(&mut self, blocks: &mut [u8]) {
                $raw(&self.key, &mut self.chain, Buffer::in_place(blocks)).expect("whole blocks");
            }
        }

        /// One block at a time, for closures of the caller's; the methods of many blocks call a kernel once.
        impl<L> $backend for $cipher<L> {
            fn $block(&mut self, block: InOut<'_, '_, Array<u8, U16>>) {
                self.apply(block.into_buf().into_out_with_copied_in());
            }
        }

        impl<L> $mode for $cipher<L> {
            fn $with_backend(&mut self, f: impl $closure<BlockSize = U16>) {
                f.call(self);
            }
            fn $blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                self.apply(bytes_of(blocks));
            }
            fn $blocks(&mut self, blocks: &mut [Array<u8, U16>]) {
                self.apply(bytes_of(blocks.into()));
            }
        }
    )*};
}
cbc! {
    /// CBC encryption with the traits of the crate `cipher`, with a key of length `L`. Its `new` is that of
    /// [`KeyIvInit`].
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
    /// use hashlanes::aes::cipher::{BlockModeEncrypt, KeyIvInit};
    /// use hashlanes::aes::{Aes128, Buffer, CbcEncryptor, Error, Key, cbc_encrypt_raw};
    ///
    /// let mut blocks = [[7; 16].into(); 3];
    /// CbcEncryptor::<Aes128>::new(&[1; 16].into(), &[2; 16].into()).encrypt_blocks(&mut blocks);
    ///
    /// let mut same = [7; 48];
    /// let key = Key::new(&[1; 16])?;
    /// cbc_encrypt_raw(&key, &mut [2; 16], Buffer::in_place(&mut same))?;
    /// assert_eq!(blocks[2][..], same[32..]);
    /// # Ok::<(), Error>(())
    /// ```
    CbcEncryptor: cbc_encrypt_raw, BlockModeEncrypt BlockModeEncClosure BlockModeEncBackend,
        encrypt_with_backend encrypt_block_inout encrypt_blocks_inout encrypt_block encrypt_blocks;
    /// CBC decryption with the traits of the crate `cipher`, with a key of length `L`. Its `new` is that of
    /// [`KeyIvInit`].
    CbcDecryptor: cbc_decrypt_raw, BlockModeDecrypt BlockModeDecClosure BlockModeDecBackend,
        decrypt_with_backend decrypt_block_inout decrypt_blocks_inout decrypt_block decrypt_blocks;
}

macro_rules! ctr {
    ($($(#[$doc:meta])* $cipher:ident $bits:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $cipher<L> {
            key: Key,
            keystream: Keystream,
            length: PhantomData<L>,
        }

        /// Without the key.
        impl<L> fmt::Debug for $cipher<L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($cipher)).field("key", &self.key).finish_non_exhaustive()
            }
        }

        impl<L: KeyLength> KeySizeUser for $cipher<L> {
            type KeySize = L::Bytes;
        }
        impl<L> IvSizeUser for $cipher<L> {
            type IvSize = U16;
        }

        impl<L: KeyLength> KeyIvInit for $cipher<L> {
            fn new(key: &cipher::Key<Self>, iv: &Iv<Self>) -> Self {
                let keystream = Keystream::new(&(*iv).into(), CounterBits::$bits);
                Self { key: key_of::<L>(key), keystream, length: PhantomData }
            }
        }

        impl<L> StreamCipher for $cipher<L> {
            fn check_remaining(&self, n_bytes: usize) -> Result<(), StreamCipherError> {
                self.keystream.left_after(n_bytes).map(drop).map_err(|_| StreamCipherError)
            }
            fn unchecked_apply_keystream_inout(&mut self, bytes: InOutBuf<'_, '_, u8>) {
                let bytes = Buffer::in_place(bytes.into_out_with_copied_in());
                self.keystream.apply(&self.key, bytes).expect("the caller checked what remains");
            }
            fn unchecked_write_keystream(&mut self, bytes: &mut [u8]) {
                bytes.fill(0);
                self.unchecked_apply_keystream_inout(bytes.into());
            }
        }

        impl<L> StreamCipherSeek for $cipher<L> {
            fn try_current_pos<N: SeekNum>(&self) -> Result<N, OverflowError> {
                let (n_blocks, n_unused) = self.keystream.blocks_begun();
                N::from_block_byte(n_blocks, 16 - n_unused as u8, 16)
            }
            fn try_seek<N: SeekNum>(&mut self, position: N) -> Result<(), StreamCipherError> {
                let (n_blocks, n_bytes) = position.into_block_byte::<u128>(16)?;
                self.keystream
                    .seek_block(&self.key, n_blocks, n_bytes.into())
                    .map_err(|_| StreamCipherError)?;
                Ok(())
            }
        }
    )*};
}
ctr! {
    /// CTR with a counter of 32 bits and the traits of the crate `cipher`, with a key of length `L`. Its
    /// `new` is that of [`KeyIvInit`].
    ///
    /// ```
    /// use hashlanes_aes::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
    /// use hashlanes_aes::{Aes256, Ctr32BE};
    ///
    /// let mut message = *b"a message";
    /// let mut keystream = Ctr32BE::<Aes256>::new(&[1; 32].into(), &[0; 16].into());
    /// keystream.apply_keystream(&mut message);
    /// keystream.seek(2);
    /// keystream.apply_keystream(&mut message[2..]);
    /// assert_eq!(message[2..], b"a message"[2..]);
    /// ```
    Ctr32BE Bits32;
    /// Like [`Ctr32BE`], with a counter of 64 bits.
    Ctr64BE Bits64;
    /// Like [`Ctr32BE`], with a counter of 128 bits.
    Ctr128BE Bits128;
}
