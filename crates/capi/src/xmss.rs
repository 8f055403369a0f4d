//! Verification of XMSS and XMSS^MT signatures (RFC 8391, NIST SP 800-208).

use std::ffi::c_void;

use hashlanes::hbs::{Claim, Error, Scheme, VerifyingKey};

use crate::border::{check, guarded, handle, input, may_be_shared, shared};
use crate::error::hashlanes_error::{self, *};

/// A public key. Any number of threads may use it at a time.
pub struct hashlanes_xmss_key(VerifyingKey);

const _: () = may_be_shared::<hashlanes_xmss_key>();

/// A signature whose message arrives in parts. Only one thread at a time may use it.
pub struct hashlanes_xmss_claim(Option<Claim<'static>>);

/// A public key of XMSS in the encoding of RFC 8391: OID, root, SEED.
pub const HASHLANES_XMSS: u32 = 1;
/// A public key of XMSS^MT in the same encoding; XMSS^MT numbers its parameter sets separately.
pub const HASHLANES_XMSS_MT: u32 = 2;
/// A public key as X.509 encodes it (SubjectPublicKeyInfo, RFC 9802), in DER; it names its scheme.
pub const HASHLANES_XMSS_DER: u32 = 3;
/// The same in PEM: "-----BEGIN PUBLIC KEY-----".
pub const HASHLANES_XMSS_PEM: u32 = 4;

/// Returns the error for an invalid signature.
fn of_signature(error: Error) -> hashlanes_error {
    match error {
        Error::Invalid | Error::SignatureLength { .. } | Error::Index { .. } => HASHLANES_INVALID_SIGNATURE,
        _ => HASHLANES_INTERNAL,
    }
}

/// Reads a public key of `key_bytes` bytes, and writes its handle to `key`; hashlanes_xmss_key_free() frees
/// it.
///
/// `encoding` is HASHLANES_XMSS, HASHLANES_XMSS_MT, HASHLANES_XMSS_DER or HASHLANES_XMSS_PEM. Parameter sets
/// over SHA-2 are supported. Errors: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_UNSUPPORTED (the
/// encoding), HASHLANES_PUBLIC_KEY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_key_new(
    encoding: u32,
    bytes: *const c_void,
    key_bytes: usize,
    key: *mut *mut hashlanes_xmss_key,
) -> hashlanes_error {
    guarded(|| {
        check(key, 1)?;
        // SAFETY: the C contract guarantees it.
        let bytes = unsafe { input(bytes, key_bytes)? };
        let read = match encoding {
            HASHLANES_XMSS => VerifyingKey::from_bytes(Scheme::Xmss, bytes),
            HASHLANES_XMSS_MT => VerifyingKey::from_bytes(Scheme::XmssMt, bytes),
            HASHLANES_XMSS_DER => VerifyingKey::from_spki_der(bytes),
            HASHLANES_XMSS_PEM => {
                VerifyingKey::from_spki_pem(std::str::from_utf8(bytes).map_err(|_| HASHLANES_PUBLIC_KEY)?)
            }
            _ => return Err(HASHLANES_UNSUPPORTED),
        };
        let new = Box::new(hashlanes_xmss_key(read.map_err(|_| HASHLANES_PUBLIC_KEY)?));
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { key.write(Box::into_raw(new)) };
        Ok(())
    })
}

/// Frees a key; no claim may refer to it any more. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_key_free(key: *mut hashlanes_xmss_key) {
    if !key.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(key) });
    }
}

/// Returns the length of the key's signatures in bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_signature_bytes(key: *const hashlanes_xmss_key) -> usize {
    // SAFETY: the C contract guarantees it.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.set().signature_bytes())
}

/// Verifies the signature of a message: HASHLANES_OK if it is valid, HASHLANES_INVALID_SIGNATURE if not, or
/// if its length is wrong.
///
/// Other errors, which mean that it was not verified: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_INTERNAL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_verify(
    key: *const hashlanes_xmss_key,
    message: *const c_void,
    len: usize,
    signature: *const c_void,
    signature_bytes: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (key, message, signature) =
            unsafe { (shared(key)?, input(message, len)?, input(signature, signature_bytes)?) };
        key.0.verify(message, signature).map_err(of_signature)
    })
}

/// Begins to verify a signature, which is copied, of a message that arrives in parts; writes its handle to
/// `claim`, which hashlanes_xmss_claim_free() frees. The key must be freed after the claim.
///
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG; HASHLANES_INVALID_SIGNATURE if it cannot be a signature of
/// this key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_claim_new(
    key: *const hashlanes_xmss_key,
    signature: *const c_void,
    signature_bytes: usize,
    claim: *mut *mut hashlanes_xmss_claim,
) -> hashlanes_error {
    guarded(|| {
        check(claim, 1)?;
        // SAFETY: the C contract guarantees it: the key outlives the claim.
        let (key, signature): (&'static hashlanes_xmss_key, _) =
            unsafe { (shared(key)?, input(signature, signature_bytes)?) };
        let new = key.0.claim(signature).map_err(of_signature)?;
        // SAFETY: the C contract guarantees it; not null, aligned.
        unsafe { claim.write(Box::into_raw(Box::new(hashlanes_xmss_claim(Some(new))))) };
        Ok(())
    })
}

/// Absorbs the next `len` bytes of the message.
///
/// Errors: HASHLANES_NULL, HASHLANES_TOO_LONG, HASHLANES_NOT_INITIALISED after hashlanes_xmss_claim_finish().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_claim_update(
    claim: *mut hashlanes_xmss_claim,
    data: *const c_void,
    len: usize,
) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let (claim, part) = unsafe { (handle(claim)?, input(data, len)?) };
        claim.0.as_mut().ok_or(HASHLANES_NOT_INITIALISED)?.update(part);
        Ok(())
    })
}

/// Verifies the signature of the whole message, like hashlanes_xmss_verify(). The handle may then only be
/// freed.
///
/// Other errors: HASHLANES_NULL, HASHLANES_NOT_INITIALISED the second time, HASHLANES_INTERNAL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_claim_finish(claim: *mut hashlanes_xmss_claim) -> hashlanes_error {
    guarded(|| {
        // SAFETY: the C contract guarantees it.
        let claim = unsafe { handle(claim)? };
        claim.0.take().ok_or(HASHLANES_NOT_INITIALISED)?.finish().map_err(of_signature)
    })
}

/// Frees a claim; NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashlanes_xmss_claim_free(claim: *mut hashlanes_xmss_claim) {
    if !claim.is_null() {
        // SAFETY: the C contract guarantees it: it comes from `Box::into_raw`.
        drop(unsafe { Box::from_raw(claim) });
    }
}
