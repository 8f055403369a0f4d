//! The border of the C library: hashes of many messages and of columns, AEGIS, AES-GCM and AES-GCM-SIV, on
//! memory of any places and lengths. A call with a right shape computes what other implementations do; any
//! other one returns an error that fits, and writes nothing else.
#![allow(unsafe_code, reason = "the functions are called as C calls them")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use hashlanes_capi::hashlanes_error::{self, *};
use hashlanes_capi::*;
use hashlanes_testkit::oracle;

use crate::ciphers::encrypt_by;
use crate::input::Input;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    match input.byte() % 7 {
        0 => many(&mut input, false),
        1 => many(&mut input, true),
        2 => fixed(&mut input),
        3 => rows::<i32>(&mut input, hashlanes_rows32),
        4 => rows::<i64>(&mut input, hashlanes_rows64),
        5 => aegis(&mut input),
        _ => gcm(&mut input),
    }
}

/// The digest of a message by the hash of that number, if there is one.
fn digest(number: hashlanes_hash, message: &[u8]) -> Option<Vec<u8>> {
    let sha3 = |n_bytes: usize| oracle::keccak(200 - 2 * n_bytes, 0x06, message, n_bytes);
    Some(match number {
        HASHLANES_SHA1..=HASHLANES_SHA512_256 => {
            oracle::ALL[(number - HASHLANES_SHA1) as usize].digest(message)
        }
        HASHLANES_SHA3_224 => sha3(28),
        HASHLANES_SHA3_256 => sha3(32),
        HASHLANES_SHA3_384 => sha3(48),
        HASHLANES_SHA3_512 => sha3(64),
        HASHLANES_KECCAK256 => oracle::keccak(136, 0x01, message, 32),
        _ => return None,
    })
}

/// Bytes of the memory in which all arguments are.
const MEMORY_BYTES: usize = 1 << 11;

/// A place in the memory, or null, and a number of bytes.
#[derive(Clone, Copy)]
struct Span {
    at: Option<usize>,
    n_bytes: usize,
}

impl Span {
    /// `n_bytes` bytes anywhere in the memory. One in 16 is null.
    fn of(input: &mut Input<'_>, n_bytes: usize) -> Self {
        let at = input.below(MEMORY_BYTES + 1 - n_bytes);
        Self { at: (input.byte() % 16 != 15).then_some(at), n_bytes }
    }

    /// Fewer bytes than `most`. One in 32 is longer than any memory.
    fn some(input: &mut Input<'_>, most: usize) -> Self {
        let n_bytes = input.length(most);
        let span = Self::of(input, n_bytes);
        let is_too_long = input.byte() % 32 == 31;
        Self { n_bytes: if is_too_long { usize::MAX - n_bytes } else { n_bytes }, ..span }
    }

    fn is_too_long(self) -> bool {
        isize::try_from(self.n_bytes).is_err()
    }

    fn pointer(self, memory: *mut u8) -> *mut u8 {
        self.at.map_or(null_mut(), |at| memory.wrapping_add(at))
    }

    /// The bytes in a copy of the memory.
    fn bytes(self, memory: &[u8]) -> &[u8] {
        match self.at {
            Some(at) => &memory[at..at + self.n_bytes],
            None => &[],
        }
    }

    /// Bytes that are too many overlap everything: they go around the address space.
    fn overlaps(self, other: Self) -> bool {
        if self.n_bytes == 0 || other.n_bytes == 0 {
            return false;
        }
        if self.is_too_long() || other.is_too_long() {
            return true;
        }
        let (Some(a), Some(b)) = (self.at, other.at) else { return false };
        a < b + other.n_bytes && b < a + self.n_bytes
    }
}

/// The errors that fit to a call's arguments.
#[derive(Default)]
struct Faults(Vec<hashlanes_error>);

impl Faults {
    fn add(&mut self, error: hashlanes_error, is_wrong: bool) {
        if is_wrong {
            self.0.push(error);
        }
    }

    /// Memory that a function reads or writes.
    fn memory(&mut self, span: Span) {
        self.add(HASHLANES_NULL, span.at.is_none() && span.n_bytes > 0);
        self.add(HASHLANES_TOO_LONG, span.is_too_long());
    }

    /// Checks the result of a call. If it is an error, the memory must be as it was.
    fn judge(&self, error: hashlanes_error, before: &[u8], memory: &[u8]) -> bool {
        let Self(fit) = self;
        if fit.is_empty() {
            assert_eq!(error, HASHLANES_OK);
            return true;
        }
        assert!(fit.contains(&error), "{error:?} instead of {fit:?}");
        assert!(memory == before, "{error:?}, and something was written");
        false
    }
}

/// A hash's number, sometimes of none, and the bytes of its digests.
fn hash(input: &mut Input<'_>, faults: &mut Faults) -> (hashlanes_hash, usize) {
    let number = input.below(16) as hashlanes_hash;
    let empty = digest(number, &[]);
    faults.add(HASHLANES_UNSUPPORTED, empty.is_none());
    (number, empty.map_or(32, |digest| digest.len()))
}

/// The digest by a hash that there is.
fn expected(number: hashlanes_hash, message: &[u8]) -> Vec<u8> {
    digest(number, message).expect("any other number is refused")
}

/// Checks that the memory has these digests in `place`, and is otherwise as it was.
fn written(place: Span, digests: &[u8], mut before: Vec<u8>, memory: &[u8]) {
    if let Some(at) = place.at {
        before[at..at + digests.len()].copy_from_slice(digests);
    }
    assert!(before == memory, "the results, and nothing else");
}

/// Many messages, in one array or in two.
fn many(input: &mut Input<'_>, in_arrays: bool) {
    let mut faults = Faults::default();
    let (number, digest_bytes) = hash(input, &mut faults);
    let messages: Vec<Span> = (0..input.below(30)).map(|_| Span::some(input, 300)).collect();
    let n = messages.len();
    let digests = Span::of(input, n * digest_bytes);
    faults.memory(digests);
    for message in &messages {
        faults.memory(*message);
        faults.add(HASHLANES_OVERLAP, message.overlaps(digests));
    }
    let mut memory = input.random(MEMORY_BYTES);
    let before = memory.clone();
    let start = memory.as_mut_ptr();
    let to = digests.pointer(start);
    let error = if in_arrays {
        let data: Vec<*const c_void> =
            messages.iter().map(|message| message.pointer(start).cast_const().cast()).collect();
        let lengths: Vec<usize> = messages.iter().map(|message| message.n_bytes).collect();
        // SAFETY: all is inside the memory, null, or longer than is accepted.
        unsafe { hashlanes_many_arrays(number, data.as_ptr(), lengths.as_ptr(), n, to) }
    } else {
        let vector = |m: &Span| iovec { iov_base: m.pointer(start).cast(), iov_len: m.n_bytes };
        let vectors: Vec<iovec> = messages.iter().map(vector).collect();
        // SAFETY: the same.
        unsafe { hashlanes_many(number, vectors.as_ptr(), n, to) }
    };
    if faults.judge(error, &before, &memory) {
        let digests_of_all: Vec<u8> =
            messages.iter().flat_map(|message| expected(number, message.bytes(&before))).collect();
        written(digests, &digests_of_all, before, &memory);
    }
}

/// Messages of one length, one after the other.
fn fixed(input: &mut Input<'_>) {
    let mut faults = Faults::default();
    let (number, digest_bytes) = hash(input, &mut faults);
    let (n, len) = (input.below(12), input.length(80));
    let (messages, digests) = (Span::of(input, n * len), Span::of(input, n * digest_bytes));
    let is_too_long = n > 1 && input.byte() % 32 == 31;
    faults.add(HASHLANES_TOO_LONG, is_too_long);
    faults.memory(messages);
    faults.memory(digests);
    faults.add(HASHLANES_OVERLAP, messages.overlaps(digests));
    let mut memory = input.random(MEMORY_BYTES);
    let before = memory.clone();
    let start = memory.as_mut_ptr();
    let (from, to) = (messages.pointer(start).cast(), digests.pointer(start));
    let message_bytes = if is_too_long { usize::MAX / 2 } else { len };
    // SAFETY: all is inside the memory, null, or longer than is accepted.
    let error = unsafe { hashlanes_fixed(number, from, message_bytes, n, to) };
    if faults.judge(error, &before, &memory) {
        let all = messages.bytes(&before);
        let digests_of_all: Vec<u8> =
            (0..n).flat_map(|i| expected(number, all.get(len * i..len * (i + 1)).unwrap_or(&[]))).collect();
        written(digests, &digests_of_all, before, &memory);
    }
}

type Rows<O> = unsafe extern "C" fn(
    hashlanes_hash,
    *const c_void,
    usize,
    *const O,
    usize,
    *const u8,
    usize,
    *mut u8,
) -> hashlanes_error;

/// A column, whose offsets may be wrong.
fn rows<O: TryFrom<i64> + Copy>(input: &mut Input<'_>, hash_rows: Rows<O>) {
    let mut faults = Faults::default();
    let (number, digest_bytes) = hash(input, &mut faults);
    let values = Span::some(input, 600);
    let n = input.below(24);
    let mut offsets: Vec<i64> = (0..=n).map(|_| input.below(values.n_bytes.min(600) + 1) as i64).collect();
    offsets.sort_unstable();
    if input.byte() % 4 == 3 {
        let i = input.below(n + 1);
        offsets[i] = i64::from(input.u16()) - 1000;
    }
    let digests = Span::of(input, n * digest_bytes);
    let is_misaligned = input.byte() % 16 == 15;
    let first_bit = if n > 0 && input.byte() % 32 == 31 { usize::MAX } else { input.below(20) };
    let bitmap = input.is().then(|| input.random(n + 20));
    faults.memory(values);
    faults.memory(digests);
    faults.add(HASHLANES_OVERLAP, values.overlaps(digests));
    faults.add(HASHLANES_MISALIGNED, is_misaligned);
    faults.add(HASHLANES_TOO_LONG, bitmap.is_some() && first_bit.checked_add(n).is_none());
    let is_right = offsets.is_sorted()
        && offsets[0] >= 0
        && usize::try_from(offsets[n]).is_ok_and(|last| last <= values.n_bytes);
    faults.add(HASHLANES_OFFSETS, !is_right);
    let in_type: Vec<O> =
        offsets.iter().map(|offset| O::try_from(*offset).ok().expect("a small number")).collect();
    let mut memory = input.random(MEMORY_BYTES);
    let before = memory.clone();
    let start = memory.as_mut_ptr();
    let first = in_type.as_ptr().wrapping_byte_add(is_misaligned.into());
    let validity = bitmap.as_ref().map_or(null(), |bitmap| bitmap.as_ptr());
    // SAFETY: all is inside its memory, null, longer than is accepted, or refused because of its alignment.
    let error = unsafe {
        let (values, to) = ((values.pointer(start).cast(), values.n_bytes), digests.pointer(start));
        hash_rows(number, values.0, values.1, first, n, validity, first_bit, to)
    };
    if faults.judge(error, &before, &memory) {
        let all = values.bytes(&before);
        let is_null = |i: usize| {
            let bit = first_bit.wrapping_add(i);
            bitmap.as_ref().is_some_and(|bitmap| bitmap[bit / 8] >> (bit % 8) & 1 == 0)
        };
        let row = |i: usize| match is_null(i) {
            true => vec![0; digest_bytes],
            false => expected(number, &all[offsets[i] as usize..offsets[i + 1] as usize]),
        };
        let digests_of_all: Vec<u8> = (0..n).flat_map(row).collect();
        written(digests, &digests_of_all, before, &memory);
    }
}

/// AEGIS, its input and output at one place or at any two; then back, perhaps with a wrong tag.
fn aegis(input: &mut Input<'_>) {
    const CIPHERS: [(&str, usize); 6] = [
        ("aegis-128l", 16),
        ("aegis-256", 32),
        ("aegis-128x2", 16),
        ("aegis-128x4", 16),
        ("aegis-256x2", 32),
        ("aegis-256x4", 32),
    ];
    let mut faults = Faults::default();
    let number = input.below(8) as u32;
    let tag_bytes = input.choose(&[16, 32, 32, 16, 0, 31]);
    let cipher = CIPHERS.get((number as usize).wrapping_sub(1)).copied();
    faults.add(HASHLANES_UNSUPPORTED, cipher.is_none());
    faults.add(HASHLANES_KEY_LENGTH, tag_bytes != 16 && tag_bytes != 32);
    let (name, key_bytes) = cipher.unwrap_or(CIPHERS[0]);
    let (key, nonce) = (Span::of(input, key_bytes), Span::of(input, key_bytes));
    let (ad, text) = (Span::some(input, 200), Span::some(input, 400));
    let is_in_place = input.is();
    let output = match is_in_place || text.is_too_long() {
        true => text,
        false => Span::of(input, text.n_bytes),
    };
    let tag = Span::of(input, tag_bytes.max(1));
    for span in [key, nonce, ad, text, output, tag] {
        faults.memory(span);
    }
    faults.add(HASHLANES_OVERLAP, output.at != text.at && output.overlaps(text));
    faults.add(HASHLANES_OVERLAP, output.overlaps(ad) || output.overlaps(tag));
    let mut memory = input.random(MEMORY_BYTES);
    let before = memory.clone();
    let start = memory.as_mut_ptr();
    let at = |span: Span| span.pointer(start);
    // SAFETY: all is inside the memory, null, or longer than is accepted.
    let error = unsafe {
        let (key, nonce, data) = (at(key).cast_const(), at(nonce).cast_const(), at(ad).cast_const().cast());
        let (from, to) = (at(text).cast_const().cast(), at(output).cast());
        hashlanes_aegis_encrypt(
            number,
            key,
            nonce,
            data,
            ad.n_bytes,
            from,
            to,
            text.n_bytes,
            at(tag),
            tag_bytes,
        )
    };
    if !faults.judge(error, &before, &memory) {
        return;
    }
    let (key, nonce, ad) = (key.bytes(&before), nonce.bytes(&before), ad.bytes(&before));
    let oracle = oracle::Aegis::by_name(name).expect("every cipher has an oracle");
    let (ciphertext, made) = oracle.encrypt(key, nonce, ad, text.bytes(&before), tag_bytes);
    let mut after = before.clone();
    if let Some(at) = output.at {
        after[at..at + ciphertext.len()].copy_from_slice(&ciphertext);
    }
    written(tag, &made, after, &memory);

    // Back, with everything in memory of its own.
    let mut given = made;
    let is_wrong = input.is();
    given[0] ^= u8::from(is_wrong);
    let mut decrypted = vec![7; ciphertext.len()];
    // SAFETY: the pointers and lengths come from slices.
    let error = unsafe {
        let (data, from) = (ad.as_ptr().cast(), ciphertext.as_ptr().cast());
        let to = decrypted.as_mut_ptr().cast();
        let (len, tag) = (ciphertext.len(), given.as_ptr());
        hashlanes_aegis_decrypt(
            number,
            key.as_ptr(),
            nonce.as_ptr(),
            data,
            ad.len(),
            from,
            to,
            len,
            tag,
            tag_bytes,
        )
    };
    opened(error, &decrypted, is_wrong, text.bytes(&before));
}

/// Checks what decryption made of a message's ciphertext, perhaps with a wrong tag.
fn opened(error: hashlanes_error, decrypted: &[u8], is_wrong: bool, text: &[u8]) {
    if is_wrong {
        assert_eq!(error, HASHLANES_FORGED);
        assert!(decrypted.iter().all(|byte| *byte == 0), "no text of a forgery");
    } else {
        assert_eq!(error, HASHLANES_OK);
        assert_eq!(decrypted, text);
    }
}

/// AES-GCM and AES-GCM-SIV, by the function of one message or of many; then back, perhaps with a wrong tag.
fn gcm(input: &mut Input<'_>) {
    let cipher = HASHLANES_AES_GCM - 1 + input.below(4) as u32;
    let n_key_bytes = input.choose(&[16, 32, 32, 16, 0, 31]);
    let [key, nonce, tag] = [n_key_bytes, 12, 16].map(|n_bytes| Span::of(input, n_bytes));
    let (ad, text) = (Span::some(input, 200), Span::some(input, 400));
    let output = match input.is() || text.is_too_long() {
        true => text,
        false => Span::of(input, text.n_bytes),
    };
    let mut memory = input.random(MEMORY_BYTES);
    let before = memory.clone();
    let start = memory.as_mut_ptr();
    let at = |span: Span| span.pointer(start);

    let mut faults = Faults::default();
    faults.memory(key);
    let is_known = cipher == HASHLANES_AES_GCM || cipher == HASHLANES_AES_GCM_SIV;
    faults.add(HASHLANES_UNSUPPORTED, !is_known);
    faults.add(HASHLANES_KEY_LENGTH, n_key_bytes != 16 && n_key_bytes != 32);
    let mut handle = null_mut();
    // SAFETY: the key is inside the memory, or null.
    let error =
        unsafe { hashlanes_gcm_key_new(cipher, at(key).cast_const().cast(), n_key_bytes, &mut handle) };
    if !faults.judge(error, &before, &memory) {
        return;
    }
    let _freed = Freed(handle);

    for span in [nonce, ad, text, output] {
        faults.memory(span);
    }
    let by_many = input.is();
    // A nonce of many is in its message, and so is a tag.
    if by_many && nonce.at.is_none() {
        return;
    }
    if !by_many {
        faults.memory(tag);
        faults.add(HASHLANES_OVERLAP, output.overlaps(tag));
    }
    faults.add(HASHLANES_OVERLAP, output.at != text.at && output.overlaps(text));
    faults.add(HASHLANES_OVERLAP, output.overlaps(ad));
    let (data, from, to) = (at(ad).cast_const().cast(), at(text).cast_const().cast(), at(output).cast());
    let mut message = hashlanes_gcm_message {
        key: handle,
        nonce: nonce.bytes(&before).try_into().unwrap_or_default(),
        tag: [0; 16],
        error: -1,
        ad: data,
        ad_bytes: ad.n_bytes,
        input: from,
        output: to,
        len: text.n_bytes,
    };
    // SAFETY: all is inside the memory, null, or longer than is accepted.
    let error = unsafe {
        if by_many {
            hashlanes_gcm_encrypt_many(&mut message, 1)
        } else {
            hashlanes_gcm_encrypt(handle, at(nonce), data, ad.n_bytes, from, to, text.n_bytes, at(tag))
        }
    };
    if !faults.judge(error, &before, &memory) {
        assert_eq!(message.error, if by_many { error as i32 } else { -1 });
        return;
    }
    let (key, nonce, ad) = (key.bytes(&before), message.nonce, ad.bytes(&before));
    let mut ciphertext = text.bytes(&before).to_vec();
    let made = match (cipher, n_key_bytes) {
        (HASHLANES_AES_GCM, 16) => encrypt_by::<aes_gcm::Aes128Gcm>(key, &nonce, ad, &mut ciphertext),
        (HASHLANES_AES_GCM, _) => encrypt_by::<aes_gcm::Aes256Gcm>(key, &nonce, ad, &mut ciphertext),
        (_, 16) => encrypt_by::<aes_gcm_siv::Aes128GcmSiv>(key, &nonce, ad, &mut ciphertext),
        _ => encrypt_by::<aes_gcm_siv::Aes256GcmSiv>(key, &nonce, ad, &mut ciphertext),
    };
    let mut after = before.clone();
    if let Some(at) = output.at {
        after[at..at + ciphertext.len()].copy_from_slice(&ciphertext);
    }
    if by_many {
        assert_eq!((&message.tag[..], message.error), (&made[..], 0));
        assert!(after == memory, "the results, and nothing else");
    } else {
        written(tag, &made, after, &memory);
    }

    // Back, with everything in memory of its own.
    let is_wrong = input.is();
    message.tag.copy_from_slice(&made);
    message.tag[0] ^= u8::from(is_wrong);
    let mut decrypted = vec![7; ciphertext.len()];
    message = hashlanes_gcm_message {
        ad: ad.as_ptr().cast(),
        input: ciphertext.as_ptr().cast(),
        output: decrypted.as_mut_ptr().cast(),
        ..message
    };
    let hashlanes_gcm_message { tag, ad: data, ad_bytes, input: from, output: to, len, .. } = message;
    // SAFETY: the pointers and lengths come from slices.
    let error = unsafe {
        if by_many {
            hashlanes_gcm_decrypt_many(&mut message, 1)
        } else {
            hashlanes_gcm_decrypt(handle, nonce.as_ptr(), data, ad_bytes, from, to, len, tag.as_ptr())
        }
    };
    opened(error, &decrypted, is_wrong, text.bytes(&before));
}

/// A key that is freed at the end.
struct Freed(*mut hashlanes_gcm_key);

impl Drop for Freed {
    fn drop(&mut self) {
        // SAFETY: it was made by `hashlanes_gcm_key_new`, and is freed nowhere else.
        unsafe { hashlanes_gcm_key_free(self.0) };
    }
}
