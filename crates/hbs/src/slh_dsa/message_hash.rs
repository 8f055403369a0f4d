//! The hashes of a whole message (FIPS 205, section 4.1): H_msg and PRF_msg.

/// Passes the parts of a message to a hash, from the first one on; called once for each hash of the message.
pub(super) type Feed<'f, E> = dyn FnMut(&mut dyn FnMut(&[u8])) -> Result<(), E> + 'f;

/// H_msg of a message that arrives in parts, and PRF_msg.
pub(super) trait MessageHash {
    fn new(r: &[u8], pk_seed: &[u8], pk_root: &[u8]) -> Self;
    fn update(&mut self, part: &[u8]);
    fn finish(self, digest: &mut [u8]);
    /// Writes PRF_msg to `r`, n bytes.
    ///
    /// # Errors
    /// The errors of `feed`.
    fn prf_msg<E>(sk_prf: &[u8], opt_rand: &[u8], feed: &mut Feed<'_, E>, r: &mut [u8]) -> Result<(), E>;
}
